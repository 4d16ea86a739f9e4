/** The console's icons: strokes on a 20-unit grid, in the colour of the text beside them, silent to screen readers. */

const shapes = {
  alert:
    'M10 6.5v4.2M10 13.6v.1M8.7 3.3 2.3 14.4a1.5 1.5 0 0 0 1.3 2.2h12.8a1.5 1.5 0 0 0 1.3-2.2L11.3 3.3a1.5 1.5 0 0 0-2.6 0Z',
  arrow: 'M4 10h12M11 5l5 5-5 5',
  check: 'm4.5 10.5 3.7 3.7 7.3-8',
  chevron: 'm7.5 4.5 5.5 5.5-5.5 5.5',
  copy: 'M7.5 7.5h8v8.5h-8zM12.5 7.5V4h-8v8.5h3',
  cross: 'm5.5 5.5 9 9M14.5 5.5l-9 9',
  document: 'M5 2.8h6.5L15.5 7v10.2H5zM11.3 3v4.2h4M7.7 10.5h5M7.7 13.5h5',
  download: 'M10 3.5v9M6 9l4 4 4-4M4 16.5h12',
  edit: 'm4 16 .8-3.5L13.2 4l2.8 2.8-8.5 8.4zM11.5 5.8l2.7 2.7',
  external: 'M8 4.5H4.5v11h11V12M11.5 4h4.5v4.5M16 4l-7 7',
  flask: 'M7.5 3h5M8.3 3v5L4 15.2a1.2 1.2 0 0 0 1 1.8h10a1.2 1.2 0 0 0 1-1.8L11.7 8V3M6.2 12.5h7.6',
  list: 'M7.5 5.5h9M7.5 10h9M7.5 14.5h9M3.7 5.5h.1M3.7 10h.1M3.7 14.5h.1',
  menu: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  play: 'M6.5 4.3v11.4l9-5.7z',
  reset: 'M4 5v4h4M4.4 9A6 6 0 1 1 4 11.5',
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
