/**
 * A text to read, with line numbers; some lines may be marked, and one brought into view. Only the rows in sight are
 * drawn, so that a megabyte scrolls like a page. For changing text see editor.tsx.
 */
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { rowsOf, type SourceMark, type SourceRow } from '../source-rows.ts'
import { CopyButton } from './copyable.tsx'

interface SourceViewProps {
  label: string
  text: string
  marks?: readonly SourceMark[]
  tone?: 'accent' | 'danger'
  /** A new object brings the line into view and takes the focus. */
  reveal?: { line: number } | undefined
  /** What the button copies; the text if left out. */
  copied?: string
}

/** In CSS as well. */
const rowPx = 20
const overscanRows = 30
/** Below this many rows all are drawn. */
const windowedFrom = 400
const noMarks: readonly SourceMark[] = []
/** The gutter and the padding, in characters. */
const gutterColumns = 9

export function SourceView({ label, text, marks = noMarks, tone = 'accent', reveal, copied = text }: SourceViewProps) {
  const box = useRef<HTMLPreElement>(null)
  const columns = useColumns(box)
  const rows = useMemo(() => rowsOf(text, marks, columns), [text, marks, columns])
  const top = useSignal(0)
  const firstMark = marks[0]?.line

  useLayoutEffect(() => {
    const line = reveal?.line ?? firstMark
    if (box.current === null || line === undefined) return
    const row = rows.findIndex((one) => one.line === line)
    if (row >= 0) box.current.scrollTop = row * rowPx - box.current.clientHeight / 2
    if (reveal === undefined) return
    box.current.scrollIntoView({ block: 'nearest' })
    box.current.focus({ preventScroll: true })
  }, [reveal, firstMark, columns, text])

  const inSight = Math.ceil((box.current?.clientHeight ?? 0) / rowPx)
  const isWindowed = rows.length > windowedFrom
  const from = isWindowed ? Math.max(0, Math.floor(top.value / rowPx) - overscanRows) : 0
  const to = isWindowed ? Math.min(rows.length, from + inSight + 2 * overscanRows) : rows.length
  return (
    <div class="source-box">
      {/* biome-ignore lint/a11y/useSemanticElements: preformatted text, whose lines are its content. */}
      <pre
        ref={box}
        class="source source-lines"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={label}
        data-tone={tone}
        onScroll={(event) => {
          // In steps, so that most scrolling draws nothing again.
          const step = rowPx * (overscanRows / 2)
          top.value = Math.floor(event.currentTarget.scrollTop / step) * step
        }}
      >
        <span class="source-gap" style={{ height: `${from * rowPx}px` }} />
        {rows.slice(from, to).map((row, index) => (
          <Row key={from + index} row={row} />
        ))}
        <span class="source-gap" style={{ height: `${(rows.length - to) * rowPx}px` }} />
      </pre>
      {text !== '' && <CopyButton text={copied} label={label} />}
    </div>
  )
}

function Row({ row: { line, text, isLit, marked, noteAt } }: { row: SourceRow }) {
  if (noteAt !== undefined) {
    return (
      <span class="source-note" title={text} style={{ paddingLeft: `${noteAt}ch` }}>
        <span aria-hidden="true">↳ </span>
        {text}
        {'\n'}
      </span>
    )
  }
  return (
    <span class="source-line" data-line={line} data-lit={isLit ? '' : undefined}>
      {marked === undefined ? (
        text
      ) : (
        <>
          {text.slice(0, marked[0])}
          <mark>{text.slice(...marked)}</mark>
          {text.slice(marked[1])}
        </>
      )}
      {'\n'}
    </span>
  )
}

/** How many characters of the one width a line of the box has room for. */
function useColumns(box: { current: HTMLElement | null }): number {
  const columns = useSignal(100)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => {
      if (element.clientWidth === 0) return
      const probe = document.createElement('span')
      probe.textContent = '0'.repeat(100)
      probe.className = 'source-probe'
      element.append(probe)
      const charPx = probe.getBoundingClientRect().width / 100
      probe.remove()
      columns.value = Math.max(20, Math.floor(element.clientWidth / charPx) - gutterColumns)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return columns.value
}
