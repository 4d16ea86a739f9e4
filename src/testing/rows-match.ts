/** Looking for rows in tables. */
import { inspect } from 'node:util'
import { changedLines } from '../core/line-difference.ts'
import { comparableText, indented } from './text-match.ts'
import type { Cell, Table } from './types.ts'

export type Equals = (actual: unknown, expected: unknown) => boolean
type Row = readonly string[]
type WantedRow = readonly Cell[]

/** Where the wanted rows lie one after another, or where most of their cells do. */
interface Place {
  table: Table
  first: number
  equalCells: number
  isWhole: boolean
}

export function findRows(tables: readonly Table[], wanted: readonly WantedRow[], equals: Equals): Place | undefined {
  let best: Place | undefined
  for (const table of tables) {
    for (let first = 0; first < Math.max(1, table.length - wanted.length + 1); first++) {
      const rows = table.slice(first, first + wanted.length)
      const equalCells = wanted.reduce((sum, row, at) => sum + countEqual(rows[at] ?? [], row, equals), 0)
      const isWhole = wanted.every((row, at) => row.length === rows[at]?.length)
      const place = { table, first, equalCells, isWhole: isWhole && equalCells === cellCount(wanted) }
      if (place.isWhole) return place
      if (best === undefined || place.equalCells > best.equalCells) best = place
    }
  }
  return best
}

/** What the rows differ in, at the place that is most like them. */
export function rowsMessage(place: Place | undefined, wanted: readonly WantedRow[], equals: Equals): string {
  if (place === undefined) return 'The document has no table.'
  const rows = place.table.slice(place.first, place.first + wanted.length)
  // A cell that is as wanted looks the same on both sides, whatever it was compared by.
  const expected = wanted.map((row, at) =>
    lineOf(row.map((cell, column) => (isEqual(rows[at]?.[column], cell, equals) ? rows[at]?.[column] : cell))),
  )
  const actual = rows.map(lineOf)
  const changes = changedLines(`${expected.join('\n')}\n`, `${actual.join('\n')}\n`).flatMap(({ lines }) => lines)
  const others = place.table.length - rows.length
  return [
    'No table of the document has these rows. Most like them, from row ' +
      `${place.first + 1} of a table of ${place.table.length} rows (- expected, + made):`,
    indented(changes.join('\n')),
    ...(others > 0 ? ['', 'The whole table:', indented(place.table.map(lineOf).join('\n'))] : []),
  ].join('\n')
}

function countEqual(row: Row, wanted: WantedRow, equals: Equals): number {
  return wanted.filter((cell, at) => isEqual(row[at], cell, equals)).length
}

function cellCount(rows: readonly WantedRow[]): number {
  return rows.reduce((sum, row) => sum + row.length, 0)
}

function isEqual(actual: string | undefined, wanted: Cell, equals: Equals): boolean {
  if (actual === undefined) return false
  if (wanted instanceof RegExp) return comparableText(actual).search(wanted) !== -1
  if (typeof wanted === 'object') return equals(actual, wanted)
  return comparableText(actual) === comparableText(String(wanted))
}

function lineOf(cells: readonly unknown[]): string {
  const shown = (cell: unknown) => (typeof cell === 'object' ? inspect(cell) : String(cell))
  return cells.map((cell) => shown(cell).replaceAll('\n', ' / ')).join(' | ')
}
