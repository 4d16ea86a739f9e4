/** The console's icons: strokes on a 20-unit grid, in the colour of the text beside them, silent to screen readers. */

const shapes = {
  add: 'M10 4v12M4 10h12',
  alert:
    'M10 6.5v4.2M10 13.6v.1M8.7 3.3 2.3 14.4a1.5 1.5 0 0 0 1.3 2.2h12.8a1.5 1.5 0 0 0 1.3-2.2L11.3 3.3a1.5 1.5 0 0 0-2.6 0Z',
  arrow: 'M4 10h12M11 5l5 5-5 5',
  box: 'M3.5 6.5 10 3l6.5 3.5v7L10 17l-6.5-3.5zM3.5 6.5 10 10l6.5-3.5M10 10v7',
  calendar: 'M3.8 4.8h12.4v11.4H3.8zM3.8 8.5h12.4M7 3v3M13 3v3',
  chain:
    'M8.5 11.5a3 3 0 0 0 4.3 0l2.5-2.5a3 3 0 0 0-4.3-4.3l-1 1M11.5 8.5a3 3 0 0 0-4.3 0l-2.5 2.5A3 3 0 0 0 9 15.3l1-1',
  check: 'm4.5 10.5 3.7 3.7 7.3-8',
  chevron: 'm7.5 4.5 5.5 5.5-5.5 5.5',
  contract:
    'M5.5 3.2C4 3.2 4.3 5 4.3 6.6S4.4 9 3 10c1.4 1 1.3 1.8 1.3 3.4s-.3 3.4 1.2 3.4M14.5 3.2c1.5 0 1.2 1.8 1.2 3.4S15.6 9 17 10c-1.4 1-1.3 1.8-1.3 3.4s.3 3.4-1.2 3.4M8 10h4',
  copy: 'M7.5 7.5h8v8.5h-8zM12.5 7.5V4h-8v8.5h3',
  cross: 'm5.5 5.5 9 9M14.5 5.5l-9 9',
  document: 'M5 2.8h6.5L15.5 7v10.2H5zM11.3 3v4.2h4M7.7 10.5h5M7.7 13.5h5',
  download: 'M10 3.5v9M6 9l4 4 4-4M4 16.5h12',
  edit: 'm4 16 .8-3.5L13.2 4l2.8 2.8-8.5 8.4zM11.5 5.8l2.7 2.7',
  external: 'M8 4.5H4.5v11h11V12M11.5 4h4.5v4.5M16 4l-7 7',
  flask: 'M7.5 3h5M8.3 3v5L4 15.2a1.2 1.2 0 0 0 1 1.8h10a1.2 1.2 0 0 0 1-1.8L11.7 8V3M6.2 12.5h7.6',
  gauge: 'M3.5 14.5a6.5 6.5 0 1 1 13 0M10 14.5l3-5',
  home: 'M3.5 9.5 10 4l6.5 5.5M5.5 8v8.5h9V8M8.5 16.5v-4h3v4',
  inbox: 'M3.5 11 5.5 4h9l2 7v5h-13zM3.5 11h3.8l1 2h3.4l1-2h3.8',
  key: 'M7 12.8a3.3 3.3 0 1 0 0-.1M9.6 10.6 16.5 3.7M13.2 7l2.3 2.3M11.3 8.9l1.4 1.4',
  list: 'M7.5 5.5h9M7.5 10h9M7.5 14.5h9M3.7 5.5h.1M3.7 10h.1M3.7 14.5h.1',
  menu: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  play: 'M6.5 4.3v11.4l9-5.7z',
  pulse: 'M2.5 10.5h3.5l2-5.5 3.5 10.5 2.2-5h3.8',
  reset: 'M4 5v4h4M4.4 9A6 6 0 1 1 4 11.5',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13 13l3.8 3.8',
  stack: 'M3.5 6.5 10 3l6.5 3.5L10 10zM3.5 10 10 13.5 16.5 10M3.5 13.5 10 17l6.5-3.5',
  transform: 'M3.5 6h8M9 3.5 11.5 6 9 8.5M16.5 14h-8M11 11.5 8.5 14l2.5 2.5',
  tree: 'M3.5 3.5h5v4h-5zM11.5 7.5h5v3.5h-5zM11.5 13.5h5v3.5h-5zM6 7.5v7.8h5.5M6 9.3h5.5',
  upload: 'M10 12.5v-9M6 7l4-4 4 4M4 16.5h12',
  user: 'M10 10a3.3 3.3 0 1 0 0-6.6A3.3 3.3 0 0 0 10 10ZM3.8 17a6.3 6.3 0 0 1 12.4 0',
} as const

export type IconName = keyof typeof shapes

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={shapes[name]} />
    </svg>
  )
}

/** The product's mark, an opened gathering of leaves. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M16 24.5C12.6 22 9.2 21 5.5 21V9c3.7 0 7.1 1 10.5 3.5C19.4 10 22.8 9 26.5 9v12c-3.7 0-7.1 1-10.5 3.5Z" />
      <path d="M16 12.5v12" />
      <path class="mark-text" d="M9.5 13.6c1.2.2 2.2.5 3.2 1M9.5 17c1.2.2 2.2.5 3.2 1" />
    </svg>
  )
}
