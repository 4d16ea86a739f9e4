/**
 * A long list of rows of different heights, in blocks: only those in sight and near it are drawn. The others keep their
 * place by the height that they had, or that they probably have.
 */
import { useSignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface BlocksProps<Row> {
  rows: readonly Row[]
  /** An `li`. */
  draw(row: Row): ComponentChild
  /** The class of the list that each block is. */
  class: string
  /** The height of a row, roughly. */
  rowPx: number
  /** A row that something else leads to: it is drawn even out of sight. */
  sought?: Row | undefined
  /** This many rows are drawn all at once. */
  wholeRows?: number
}

const blockRows = 25
const nearPx = 800

export function Blocks<Row>({ rows, draw, class: name, rowPx, sought, wholeRows = blockRows }: BlocksProps<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const near = useSignal<ReadonlySet<number>>(new Set([0]))
  const heights = useRef(new Map<number, number>())
  const count = Math.ceil(rows.length / blockRows)

  useLayoutEffect(() => {
    if (box.current === null) return
    const placeOf = (target: Element) => Number((target as HTMLElement).dataset.block)
    const observer = new IntersectionObserver(
      (entries) => {
        const next = new Set(near.peek())
        for (const { target, isIntersecting, boundingClientRect } of entries) {
          const index = placeOf(target)
          // The keyboard goes on from where the focus is.
          if (isIntersecting || target.contains(document.activeElement)) next.add(index)
          else {
            if (next.has(index)) heights.current.set(index, boundingClientRect.height)
            next.delete(index)
          }
        }
        near.value = next
      },
      { root: box.current.closest('.pane-scroll, .pane-body'), rootMargin: `${nearPx}px` },
    )
    for (const block of box.current.children) observer.observe(block)
    return () => observer.disconnect()
  }, [count])

  return (
    <div ref={box}>
      {Array.from({ length: count }, (_, index) => {
        const own = rows.slice(index * blockRows, (index + 1) * blockRows)
        return rows.length <= wholeRows || near.value.has(index) || (sought !== undefined && own.includes(sought)) ? (
          <ul key={index} class={name} data-block={index}>
            {own.map(draw)}
          </ul>
        ) : (
          <ul
            key={index}
            class={name}
            data-block={index}
            style={{ height: `${heights.current.get(index) ?? own.length * rowPx}px` }}
          />
        )
      })}
    </div>
  )
}
