/**
 * A list as a table. It grows as it is scrolled, and draws only the rows in sight (with some around them), so that ten
 * thousand rows scroll like ten.
 */

import { signal, useSignal } from '@preact/signals'
import type { ComponentChild, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Pages } from '../api/resource.ts'
import { inSentence, t } from '../language.ts'
import { ProblemNote } from './problem-note.tsx'

export interface Column<Row> {
  title: string
  cell(row: Row): ComponentChild
  /** `number` is set flush right; `wide` is left out on narrow windows; `text` may take two lines. */
  kind?: 'number' | 'wide' | 'wide number' | 'wide text' | 'main'
}

interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
  /** Marks a row, for its style. */
  toneOf?(row: Row): string | undefined
}

const narrow = matchMedia('(max-width: 56rem)')
const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', () => {
  isNarrow.value = narrow.matches
})

/** Fixed, so that the place of every row is known without drawing it; in CSS as well. Narrow ones have two lines. */
const heightPx = () => (isNarrow.value ? 54 : 45)
const overscanRows = 10
/** Below this many rows all are drawn. */
const windowedFrom = 60

export function DataTable<Row>({ label, columns, rows, keyOf, toneOf }: TableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const range = useSignal({ from: 0, to: windowedFrom })
  const isWindowed = rows.length > windowedFrom
  const rowPx = heightPx()

  // Measured again when the list becomes long, not with every page: rows beyond its end are drawn as they come.
  useEffect(() => {
    if (!isWindowed) return
    let frame = 0
    let task: ReturnType<typeof setTimeout> | undefined
    // In a task of its own: drawing rows within the frame would add to its layout and paint.
    const measureSoon = () => {
      task ??= setTimeout(measure)
    }
    const measure = () => {
      task = undefined
      const top = body.current?.getBoundingClientRect().top ?? 0
      const from = Math.max(0, Math.floor(-top / rowPx))
      const to = Math.ceil((window.innerHeight - top) / rowPx)
      const drawn = range.peek()
      if (drawn.from > from || drawn.to < to) {
        // A jump: what is in sight comes first, and what is around it after the next frame.
        range.value = { from, to }
        frame = requestAnimationFrame(measureSoon)
      } else if (drawn.from > Math.max(0, from - overscanRows / 2) || drawn.to < to + overscanRows / 2) {
        range.value = { from: Math.max(0, from - overscanRows), to: to + overscanRows }
      }
    }
    measure()
    window.addEventListener('scroll', measureSoon, { passive: true })
    window.addEventListener('resize', measureSoon)
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(task)
      window.removeEventListener('scroll', measureSoon)
      window.removeEventListener('resize', measureSoon)
    }
  }, [isWindowed, rowPx])

  const from = isWindowed ? Math.min(range.value.from, rows.length) : 0
  const to = isWindowed ? Math.min(range.value.to, rows.length) : rows.length
  const rowOf = useDrawnRows(columns)
  return (
    <div class="panel table-panel">
      <table class="table data-table" aria-label={label} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map(({ title, kind }) => (
              <th scope="col" class={kind} key={title}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Spacer rows={from} />
          {rowOf(
            rows.slice(from, to).map((row, index) => ({
              key: keyOf(row),
              row,
              index: from + index + 2,
              tone: toneOf?.(row),
            })),
          )}
          <Spacer rows={rows.length - to} />
        </tbody>
      </table>
    </div>
  )
}

interface RowProps<Row> {
  columns: readonly Column<Row>[]
  row: Row
  /** In the whole table, its head included, from 1. */
  index: number
  tone: string | undefined
}

/** A component, so that a signal that a cell reads redraws this row and no other. */
function TableRow<Row>({ columns, row, index, tone }: RowProps<Row>) {
  return (
    <tr aria-rowindex={index} data-tone={tone}>
      {columns.map(({ title, cell, kind }) => (
        <td class={kind} key={title}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

type Drawn<Row> = Omit<RowProps<Row>, 'columns'> & { key: string }

/** Returns the same nodes for unchanged rows, so that a new page costs only its own rows. */
function useDrawnRows<Row>(columns: readonly Column<Row>[]): (wanted: readonly Drawn<Row>[]) => VNode[] {
  const last = useRef({ columns, nodes: new Map<string, { drawn: Drawn<Row>; node: VNode }>() })
  return (wanted) => {
    const known = last.current.columns === columns ? last.current.nodes : undefined
    const nodes = new Map<string, { drawn: Drawn<Row>; node: VNode }>()
    for (const drawn of wanted) {
      const { key, row, index, tone } = drawn
      const before = known?.get(key)
      const isSame = before?.drawn.row === row && before.drawn.index === index && before.drawn.tone === tone
      const node = isSame ? before.node : <TableRow key={key} columns={columns} row={row} index={index} tone={tone} />
      nodes.set(key, { drawn, node })
    }
    last.current = { columns, nodes }
    return [...nodes.values()].map(({ node }) => node)
  }
}

function Spacer({ rows }: { rows: number }) {
  if (rows <= 0) return null
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus; this one only keeps the place of others.
  return <tr class="spacer" aria-hidden="true" style={{ height: `${rows * heightPx()}px` }} />
}

interface PagedProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  pages: Pages<Row>
  /** Shown when the list is empty. */
  empty: ComponentChild
}

/** The table of a paged list, which reads on as its end comes near. */
export function PagedTable<Row>({ pages, empty, ...table }: PagedProps<Row>) {
  const end = useRef<HTMLDivElement>(null)
  const { rows, phase, problem, hasMore } = pages
  useEffect(() => {
    if (end.current === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void pages.more()
      },
      { rootMargin: '1200px' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
    // Observed again after every page: an end that is still in sight asks for the next one.
  }, [rows.value.length, hasMore.value])

  const isEmpty = rows.value.length === 0 && phase.value === 'idle' && problem.value === undefined
  return (
    <>
      {isEmpty && <div class="panel empty-panel">{empty}</div>}
      {rows.value.length > 0 && <DataTable {...table} rows={rows.value} />}
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={pages.restart} />}
      {phase.value === 'loading' && rows.value.length === 0 && (
        <div class="panel panel-loading" role="status" aria-label={t`Loading ${inSentence(table.label)}`} />
      )}
      <div ref={end} class="list-end">
        {rows.value.length > 0 && (
          <p class="list-count" role="status">
            {hasMore.value ? t`${rows.value.length} so far, more below` : countOf(rows.value.length)}
          </p>
        )}
      </div>
    </>
  )
}

function countOf(rows: number): string {
  return rows === 1 ? t`One, that is all` : t`${rows}, that is all`
}
