/** One page of a template as a picture, with a mark over every value that a tag left, or over what changed on it. */
import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type ApiProblem, problemFrom } from '../../api/problem.ts'
import type { Drawing, ReadPage } from '../../engines/answers.ts'
import { ask } from '../../engines/ask.ts'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { placeKey } from './places.ts'

interface DrawnPageViewProps {
  page: Omit<ReadPage, 'marks' | 'svg'> & Partial<Pick<ReadPage, 'marks'>> & { svg: Drawing }
  /** "Page 1 of 2". */
  name: string
  /** Places that changed, in points. */
  regions?: readonly Box[]
  marks?: {
    isLit(mark: PageMark): boolean
    onSelect(mark: PageMark): void
    /** The title of a mark. */
    titleOf(place: string): string
    /** Whether the first lit mark is on this page. */
    hasFirst: boolean
  }
}

/** A value that a tag left on a page. */
export type PageMark = ReadPage['marks'][number]

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Around a place, so that its mark touches no letter. */
const aroundPt = 3

/** A page out of sight by more than this only keeps its place; of its marks, lit ones are drawn if they are the first. */
const nearPx = 800

export function DrawnPageView({ page, name, marks, regions = [] }: DrawnPageViewProps) {
  const sheet = useRef<HTMLDivElement>(null)
  const isNear = useNear(sheet).value
  const problem = useSignal<ApiProblem | undefined>(undefined)
  useLayoutEffect(() => {
    problem.value = undefined
  }, [page.svg])
  const share = (length: number, of: number) => `${(length / of) * 100}%`
  return (
    <div class="sheet" ref={sheet} style={{ aspectRatio: `${page.width} / ${page.height}` }}>
      <div class="sheet-picture" role="img" aria-label={name}>
        {isNear && problem.value === undefined && (
          <Layers
            svg={page.svg}
            fail={(error) => {
              problem.value = problemFrom(error)
            }}
          />
        )}
      </div>
      {problem.value !== undefined && (
        <ProblemNote
          problem={problem.value}
          retry={() => {
            problem.value = undefined
          }}
        />
      )}
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
          const isLit = marks.isLit(mark)
          if (!isNear && !(isLit && marks.hasFirst)) return null
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
              aria-pressed={isLit}
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

/** Whether a page is in sight or near it, in its box that scrolls or in the window. */
function useNear(page: RefObject<HTMLDivElement | null>): Signal<boolean> {
  const isNear = useSignal(false)
  useLayoutEffect(() => {
    if (page.current === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        isNear.value = entries.at(-1)?.isIntersecting === true
      },
      { root: page.current.closest('.pane-body'), rootMargin: `${nearPx}px` },
    )
    observer.observe(page.current)
    return () => observer.disconnect()
  }, [])
  return isNear
}

/**
 * Shows drawings as images from blob: addresses: the console's own policy then holds inside of them as well. The browser
 * decodes one after the other, so that it never waits for all of them; what was drawn before stays until then.
 */
function Layers({ svg, fail }: { svg: Drawing; fail(error: unknown): void }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const addresses: string[] = []
    let isLeft = false
    async function show(): Promise<void> {
      const images: HTMLImageElement[] = []
      for (const layer of await ask('layers', svg)) {
        if (isLeft) return
        const image = new Image()
        image.alt = ''
        image.src = URL.createObjectURL(layer)
        addresses.push(image.src)
        images.push(image)
        // A page that can't be shown doesn't hold the others back.
        await image.decode().catch(() => undefined)
      }
      if (!isLeft) box.current?.replaceChildren(...images)
    }
    show().catch((error: unknown) => {
      if (!isLeft) fail(error)
    })
    return () => {
      isLeft = true
      for (const address of addresses) URL.revokeObjectURL(address)
    }
  }, [svg])
  return <div class="sheet-layers" ref={box} />
}
