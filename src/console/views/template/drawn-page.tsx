/** One page of a filled template as a picture, with a mark over every value that a tag left. */
import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import type { DrawnPage } from '../../api/types.ts'
import { placeKey } from './places.ts'

interface DrawnPageViewProps {
  page: DrawnPage
  /** "Page 1 of 2". */
  name: string
  marks?: {
    /** The tag whose values are lit. */
    selected: string | undefined
    onSelect(place: string): void
    /** The title of a mark. */
    titleOf(place: string): string
  }
}

export function DrawnPageView({ page, name, marks }: DrawnPageViewProps) {
  const address = useSignal<string | undefined>(undefined)
  // As a picture from an address: the page's own policy then holds inside of it as well, and drawing it blocks nothing.
  useLayoutEffect(() => {
    const made = URL.createObjectURL(new Blob([page.svg], { type: 'image/svg+xml' }))
    address.value = made
    return () => URL.revokeObjectURL(made)
  }, [page])
  const share = (length: number, of: number) => `${(length / of) * 100}%`
  return (
    <div class="sheet" style={{ aspectRatio: `${page.width} / ${page.height}` }}>
      {address.value !== undefined && <img src={address.value} alt={name} />}
      {marks !== undefined &&
        page.marks.map((mark, index) => {
          const place = placeKey(mark)
          return (
            <button
              type="button"
              class="sheet-mark"
              // The list of bindings leads here by keyboard: tabbing through a letter's hundred marks would be too
              // long.
              tabIndex={-1}
              key={index}
              data-place={place}
              aria-pressed={place === marks.selected}
              title={marks.titleOf(place)}
              aria-label={marks.titleOf(place)}
              onClick={() => marks.onSelect(place)}
              style={{
                left: share(mark.x, page.width),
                top: share(mark.y, page.height),
                width: share(mark.width, page.width),
                height: share(mark.height, page.height),
              }}
            />
          )
        })}
    </div>
  )
}
