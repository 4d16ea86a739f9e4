/** Tables whose cells depend on each other: by loops over columns, by merging and by shading. */
import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { attributeNames, prefixOf } from '../scan/own-declarations.ts'
import { isTableTag, type LocatedTag, type TaggedText } from '../scan/tags.ts'
import type { Block, BlockPlan } from './blocks.ts'
import type { CellForm, ColumnRange, Item } from './items.ts'
import { readProperties } from './properties.ts'
import type { Removed } from './removed.ts'
import { cellAround } from './table-places.ts'

/** What may be around rows in a table, and around cells in a row. */
const wrappers: ReadonlySet<string> = new Set(['w:sdt', 'w:sdtContent', 'w:customXml', 'w:ins', 'w:moveTo'])

function within(element: XmlElement, name: string): XmlElement[] {
  return childElements(element).flatMap((child) => {
    if (child.name === name) return [child]
    return wrappers.has(child.name) ? within(child, name) : []
  })
}

/** Plans all tables of a text that have such tags. */
export function planGrids(text: TaggedText, plan: BlockPlan, removed: Removed, source: string): Item[] {
  const tables = new Map<XmlElement, Block[]>()
  const loopsOf = (tag: LocatedTag) => {
    const table = cellAround(tag)?.table
    if (table === undefined) {
      plan.report(tag, 'docx.misplaced', `${tag.raw} is in no table.`, 'Put it into the cell that it is about.')
      return []
    }
    const loops = tables.get(table) ?? []
    tables.set(table, loops)
    return loops
  }
  for (const tag of text.tags) if (isTableTag(tag)) loopsOf(tag)
  for (const block of plan.blocks) if (block.level === 'column') loopsOf(block.open.tag).push(block)
  return [...tables].flatMap(([table, loops]) => planGrid(table, loops, { plan, removed, source }))
}

interface Planning {
  plan: BlockPlan
  removed: Removed
  source: string
}

function planGrid(table: XmlElement, blocks: readonly Block[], planning: Planning): Item[] {
  const { plan, removed, source } = planning
  const blocksOf = Map.groupBy(blocks, ({ common }) => common)
  const ranges: ColumnRange[] = []
  const rows = within(table, 'w:tr')
    .filter((row) => !removed.rows.has(row))
    .map((row) => {
      const cells = cellForms(row, source)
      const loops = outermostLoops(blocksOf.get(row) ?? [], cells)
      noteRanges(loops, ranges, plan)
      const places = loops.map(({ from, to, tag }) => ({ from, to, place: plan.placeOf(tag) }))
      return { row, cells, form: { skipped: skippedBefore(row), loops: places } }
    })
  const grid = childNamed(table, 'w:tblGrid')
  const widths = (grid === undefined ? [] : childElements(grid, 'w:gridCol')).map(({ attributes }) =>
    Math.max(0, Number(attributes['w:w']) || 0),
  )
  const ends = rows.flatMap(({ cells }) => cells.map(({ form: { column, span } }) => column + span))
  const count = ends.reduce((most, end) => Math.max(most, end), widths.length)
  const columns = Array.from({ length: count }, (_, index) => widths[index] ?? 0)
  const loops = ranges.toSorted((a, b) => a.from - b.from)
  const prefix = prefixOf(table.written)
  const form = { prefix, attributes: attributeNames(prefix, table.uri), columns, loops }
  const items: Item[] = [{ kind: 'grid', ...rangeOf(table), form }]
  if (grid !== undefined && loops.length > 0) items.push({ kind: 'columns', ...rangeOf(grid) })
  for (const { row, cells, form } of rows) {
    items.push({ kind: 'row', ...rangeOf(row), form })
    for (const { cell, from, form: cellForm } of cells) {
      items.push({ kind: 'cell', ...rangeOf(cell), from, form: cellForm })
    }
  }
  return items
}

interface PlannedCell {
  cell: XmlElement
  /** Where its content begins. */
  from: number
  form: CellForm
}

function cellForms(row: XmlElement, source: string): PlannedCell[] {
  let column = skippedBefore(row)
  return within(row, 'w:tc').map((cell) => {
    const properties = childNamed(cell, 'w:tcPr')
    const stated = properties === undefined ? undefined : childNamed(properties, 'w:gridSpan')
    const span = Math.max(1, Math.trunc(Number(stated?.attributes['w:val']) || 1))
    const width = properties === undefined ? undefined : childNamed(properties, 'w:tcW')
    const from = properties?.end ?? cell.openEnd
    const form: CellForm = {
      written: cell.written,
      attributes: attributeNames(prefixOf(cell.written), cell.uri),
      head: source.slice(cell.start, from),
      tag: source.slice(cell.start, cell.openEnd),
      properties: readProperties(properties, source),
      column,
      span,
      ...(width === undefined ? {} : { width: widthOf(width) }),
    }
    column += span
    return { cell, from, form }
  })
}

/** A width in twips, or in fiftieths of a percent, which newer files write as a percentage (17.18.87). */
function widthOf({ attributes }: XmlElement): { value: number; type: string } {
  const written = attributes['w:w'] ?? ''
  if (written.endsWith('%')) return { value: 50 * (Number.parseFloat(written) || 0), type: 'pct' }
  return { value: Number(written) || 0, type: attributes['w:type'] ?? 'dxa' }
}

/** How many columns of the grid the row leaves empty before its first cell. */
function skippedBefore(row: XmlElement): number {
  const properties = childNamed(row, 'w:trPr')
  const before = properties === undefined ? undefined : childNamed(properties, 'w:gridBefore')
  return Math.max(0, Math.trunc(Number(before?.attributes['w:val']) || 0))
}

type LoopedColumns = ColumnRange & { tag: LocatedTag }

/** The columns that a row repeats. A nested loop repeats within the columns of the outer one. */
function outermostLoops(blocks: readonly Block[], cells: readonly PlannedCell[]): LoopedColumns[] {
  const loops: LoopedColumns[] = []
  for (const { open, end } of blocks) {
    const [first, last] = [open, end].map(({ child }) => cells.find(({ cell }) => cell === child)?.form)
    if (first === undefined || last === undefined) continue
    const range = { from: first.column, to: last.column + last.span }
    if (loops.some((outer) => outer.from <= range.from && outer.to >= range.to)) continue
    loops.push({ ...range, tag: open.tag })
  }
  return loops
}

/** All rows of a table must repeat the same columns. */
function noteRanges(loops: readonly LoopedColumns[], ranges: ColumnRange[], plan: BlockPlan): void {
  for (const { from, to, tag } of loops) {
    const other = ranges.find((range) => range.from < to && range.to > from)
    if (other === undefined) ranges.push({ from, to })
    else if (other.from !== from || other.to !== to) {
      const message = `${tag.raw} repeats other columns than a loop in another row of the table.`
      plan.report(tag, 'docx.misplaced', message, 'Let the loops of all rows begin and end in the same columns.')
    }
  }
}

function rangeOf({ start, end }: XmlElement): { start: number; end: number } {
  return { start, end }
}
