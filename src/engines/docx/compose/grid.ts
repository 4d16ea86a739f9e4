/** A table that is put together cell by cell, because its cells depend on each other. */
import { limits } from '../../../core/limits.ts'
import type { GridForm, RowForm } from '../plan/items.ts'
import { type Cell, type Directive, GridRow, writeCell } from './cells.ts'
import { type Spread, spreadColumns } from './grid-columns.ts'
import { keptTogether } from './keeping.ts'
import { MergedTexts } from './merged-texts.ts'

type Report = (code: string, place: string, message: string, hint: string) => void

/** Collects the rows of a table while its program runs, and writes them once all are known. */
export class Grid {
  private readonly parts: (string | GridRow | 'columns')[] = []
  private readonly kept: { from: number; to: number; prefix: string }[] = []

  readonly mergedTexts = new MergedTexts()

  constructor(private readonly form: GridForm) {}

  /** Adds what is between rows. */
  add(xml: string): void {
    if (xml !== '') this.parts.push(xml)
  }

  /** Adds the place of the `w:tblGrid`. */
  addColumns(): void {
    this.parts.push('columns')
  }

  /** The row and the cell that are being written. */
  row: GridRow | undefined
  cell: Cell | undefined

  startRow(form: RowForm): GridRow {
    this.row = new GridRow(form)
    this.parts.push(this.row)
    return this.row
  }

  endRow(): void {
    this.row = undefined
  }

  get isBetweenRows(): boolean {
    return this.row === undefined
  }

  get length(): number {
    return this.parts.length
  }

  /** Keeps on one page what was added from `from` on. */
  keep(from: number, prefix: string): void {
    // One inside of another asks for nothing more.
    while ((this.kept[this.kept.length - 1]?.from ?? -1) >= from) this.kept.pop()
    this.kept.push({ from, to: this.parts.length, prefix })
  }

  /** The table's XML; empty if it has lost all of its cells. */
  xml(report: Report): string {
    const rows = this.parts.filter((part): part is GridRow => typeof part === 'object' && part.cells.length > 0)
    if (rows.length === 0) return ''
    const spread = spreadColumns(this.form, rows, report)
    for (const row of rows) mergeAcross(row, report, this.mergedTexts)
    mergeDown(rows, report, this.mergedTexts)
    const written = this.parts.map((part) =>
      part === 'columns' ? this.columnsXml(spread) : typeof part === 'string' ? part : rowXml(part),
    )
    for (const { from, to, prefix } of this.kept) {
      const together = keptTogether(written.slice(from, to).join(''), prefix)
      written.fill('', from, to)
      written[from] = together
    }
    return written.join('')
  }

  private columnsXml({ widths }: Spread): string {
    const { prefix, attributes } = this.form
    const { declares, prefix: own } = attributes
    const columns = widths.map((width) => `<${prefix}gridCol${declares} ${own}w="${width}"/>`)
    return `<${prefix}tblGrid>${columns.join('')}</${prefix}tblGrid>`
  }
}

function rowXml(row: GridRow): string {
  if (row.cells.length === 0) return ''
  return row.parts.map((part) => (typeof part === 'string' ? part : writeCell(part, row.fill))).join('')
}

/** Gives cells those to their right, which go. */
function mergeAcross(row: GridRow, report: Report, texts: MergedTexts): void {
  const { cells } = row
  const gone = new Set<Cell>()
  for (const [at, cell] of cells.entries()) {
    const merge = cell.merges.across
    if (merge === undefined || gone.has(cell)) continue
    const left = cells.length - at
    if (merge.kind === 'count' && merge.count > left) report(...beyond(merge.place, merge.count, left, 'cells'))
    for (const [index, next] of cells.slice(at + 1).entries()) {
      const isTaken = merge.kind === 'count' ? index + 1 < merge.count : isSame(merge, next.merges.across)
      if (!isTaken) break
      texts.note(merge.place, cell, next)
      takeIn(cell, next)
      gone.add(next)
    }
  }
  row.drop(gone)
}

function takeIn(cell: Cell, next: Cell): void {
  cell.span += next.span
  const { width } = cell
  cell.width =
    width === undefined || next.width?.type !== width.type
      ? undefined
      : { ...width, value: width.value + next.width.value }
}

function mergeDown(rows: readonly GridRow[], report: Report, texts: MergedTexts): void {
  const lines = rows.map((row) => ({ row, cells: new Map(row.cells.map((cell) => [cell.start, cell])) }))
  for (const [index, { row }] of lines.entries()) {
    for (const cell of row.cells) {
      const merge = cell.merges.down
      if (merge === undefined || cell.root !== undefined) continue
      if (merge.kind === 'same') {
        const above = lines[index - 1]?.cells.get(cell.start)
        if (above === undefined || above.span !== cell.span || !isSame(merge, above.merges.down)) continue
        putBelow(above, cell)
        texts.note(merge.place, above.root ?? above, cell)
        continue
      }
      const left = lines.length - index
      if (merge.count > left) report(...beyond(merge.place, merge.count, left, 'rows'))
      const takes = (gone: Cell) => texts.note(merge.place, cell, gone)
      for (let taken = 1; taken < Math.min(merge.count, left); taken++) {
        const line = lines[index + taken]
        const below = line === undefined ? undefined : stretchBelow(line, cell, takes)
        if (below === undefined) {
          report('docx.bad_merge', merge.place, 'The cells below are not in line with this one.', lineHint)
          break
        }
        takes(below)
        putBelow(cell, below)
      }
    }
  }
}

const lineHint = 'Let the cells below begin and end in the same columns.'

/** The cell in a later row that has the columns of a cell; several become one. */
function stretchBelow(
  { row, cells }: { row: GridRow; cells: Map<number, Cell> },
  above: Cell,
  takes: (gone: Cell) => void,
): Cell | undefined {
  const first = cells.get(above.start)
  const end = above.start + above.span
  if (first === undefined || first.start + first.span > end) return undefined
  while (first.start + first.span < end) {
    const next = cells.get(first.start + first.span)
    if (next === undefined || next.start + next.span > end) return undefined
    takes(next)
    takeIn(first, next)
    cells.delete(next.start)
    row.drop(new Set([next]))
  }
  return first
}

function putBelow(above: Cell, below: Cell): void {
  below.root = above.root ?? above
  below.root.isRoot = true
}

function isSame(one: Directive, other: Directive | undefined): boolean {
  return one.kind === 'same' && other?.kind === 'same' && one.place === other.place && one.key === other.key
}

function beyond(place: string, count: number, left: number, what: string): [string, string, string, string] {
  const message = `${count} ${what} cannot become one: from here on there ${left === 1 ? 'is 1' : `are ${left}`}.`
  return ['docx.bad_merge', place, message, 'Give a smaller number, or more items.']
}

/** Reads the number of cells that a tag wants to merge; undefined for what is none. */
export function mergeCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= limits.composeIterations
    ? count
    : undefined
}
