/** One page of a template as a picture, with a mark over every value that a tag left, or over what changed on it. */
import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import type { DrawnPage } from '../../api/types.ts'
import { placeKey } from './places.ts'

interface DrawnPageViewProps {
  page: Omit<DrawnPage, 'marks'> & Partial<Pick<DrawnPage, 'marks'>>
  /** "Page 1 of 2". */
  name: string
  /** Places that changed, in points. */
  regions?: readonly Box[]
  marks?: {
    isLit(mark: PageMark): boolean
    onSelect(mark: PageMark): void
    /** The title of a mark. */
    titleOf(place: string): string
  }
}

/** A value that a tag left on a page. */
export type PageMark = DrawnPage['marks'][number]

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Around a place, so that its mark touches no letter. */
const aroundPt = 3

export function DrawnPageView({ page, name, marks, regions = [] }: DrawnPageViewProps) {
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
      {regions.map(({ x, y, width, height }) => (
        <span
          class="sheet-region"
          key={`${x} ${y} ${width} ${height}`}
          style={{
            left: share(x - aroundPt, page.width),
            top: share(y - aroundPt, page.height),
            width: share(width + 2 * aroundPt, page.width),
            height: share(height + 2 * aroundPt, page.height),
          }}
        />
      ))}
      {marks !== undefined &&
        page.marks?.map((mark, index) => {
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
              aria-pressed={marks.isLit(mark)}
              title={marks.titleOf(place)}
              aria-label={marks.titleOf(place)}
              onClick={() => marks.onSelect(mark)}
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
