import type { StyleDefinition, Table } from '../model/document.ts'
import { present } from '../model/present.ts'
import type {
  Border,
  Borders,
  CellProps,
  ParagraphProps,
  RowProps,
  RunProps,
  TableLook,
  TableProps,
} from '../model/properties.ts'
import { type Cascade, mergeRun } from './cascade.ts'
import type { CellFormat, TableFormat, TableSize } from './table-format.ts'

const Place = {
  top: 1,
  bottom: 2,
  left: 4,
  right: 8,
  secondRow: 16,
  secondColumn: 32,
  /** Among the rows that the first row's format is for, and the last of them. */
  head: 64,
  headEnd: 128,
} as const

const defaultLook: TableLook = {
  firstRow: true,
  lastRow: false,
  firstColumn: true,
  lastColumn: false,
  rowBands: true,
  columnBands: false,
}

/**
 * Resolves a table's style (17.7.6): whole table, then bands, first and last column, first and last row, then the
 * corners, each laid over the one before; the table's own properties last.
 */
export function resolveTable(table: Table, cascade: Cascade): TableFormat {
  let format = cascade.tables.get(table.props)
  if (!format) {
    format = formatOf(table.props, cascade)
    cascade.tables.set(table.props, format)
  }
  return format
}

/** The styles that a table follows, the oldest first, with what they say of the whole table. */
interface Stated {
  chain: readonly StyleDefinition[]
  /** The table names a style of its own. */
  named: boolean
  props: TableProps
  whole: { paragraph: ParagraphProps; run: RunProps; cell: CellProps }
}

function statedBy(own: TableProps, cascade: Cascade): Stated {
  const ofTables = (id: string | undefined) => cascade.chain(id).filter(({ type }) => type === 'table')
  const stated = own.style === undefined ? [] : ofTables(own.style)
  const named = stated.length > 0
  const chain = named ? stated : ofTables(cascade.styles.defaultTable)
  const props: TableProps = {}
  const whole: Stated['whole'] = { paragraph: {}, run: {}, cell: {} }
  for (const style of chain) {
    mergeTable(props, style.table)
    Object.assign(whole.paragraph, style.paragraph)
    mergeRun(whole.run, style.run)
    mergeCell(whole.cell, style.cell)
  }
  mergeTable(props, own)
  return { chain, named, props, whole }
}

/** The format of cells by the conditions of their place, before each cell's own properties. */
interface PlaceFormat extends Omit<CellFormat, 'props'> {
  styled: CellProps
  merged: Map<CellProps, CellFormat>
}

function formatOf(own: TableProps, cascade: Cascade): TableFormat {
  const stated = statedBy(own, cascade)
  const { props } = stated
  const formats = new Map<number, PlaceFormat>()
  return {
    props,
    cell(row, column, size, ownOfCell) {
      const place = placeOf(row, column, size, props)
      let format = formats.get(place)
      if (!format) {
        format = formatAt(place, stated, cascade)
        formats.set(place, format)
      }
      let cell = format.merged.get(ownOfCell)
      if (!cell) {
        const cellProps: CellProps = { ...format.styled }
        delete cellProps.borders
        mergeCell(cellProps, ownOfCell)
        cell = { props: cellProps, row: format.row, borders: format.borders, inheritance: format.inheritance }
        format.merged.set(ownOfCell, cell)
      }
      return cell
    },
  }
}

/** Where a cell is, as bits: the conditions that apply to it follow from them alone. */
function placeOf(row: number, column: number, { rowCount, heads, columns }: TableSize, props: TableProps): number {
  const { look = defaultLook, rowBand = 1, columnBand = 1 } = props
  const rowParity = Math.floor((row - (look.firstRow ? heads : 0)) / Math.max(1, rowBand)) & 1
  const columnParity = Math.floor((column - (look.firstColumn ? 1 : 0)) / Math.max(1, columnBand)) & 1
  return (
    (row === 0 ? Place.top : 0) |
    (row === rowCount - 1 ? Place.bottom : 0) |
    (row < heads ? Place.head : 0) |
    (row === heads - 1 ? Place.headEnd : 0) |
    (column === 0 ? Place.left : 0) |
    (column === columns - 1 ? Place.right : 0) |
    (rowParity ? Place.secondRow : 0) |
    (columnParity ? Place.secondColumn : 0)
  )
}

/** The conditions of a place by their `w:type`, the weakest first. */
function conditionsAt(place: number, look: TableLook): string[] {
  const first = look.firstRow && (place & Place.head) !== 0
  const last = look.lastRow && (place & Place.bottom) !== 0 && (place & Place.top) === 0
  const left = look.firstColumn && (place & Place.left) !== 0
  const right = look.lastColumn && (place & Place.right) !== 0
  const names: string[] = []
  if (look.columnBands && !left && !right) names.push((place & Place.secondColumn) === 0 ? 'band1Vert' : 'band2Vert')
  if (look.rowBands && !first && !last) names.push((place & Place.secondRow) === 0 ? 'band1Horz' : 'band2Horz')
  if (left) names.push('firstCol')
  if (right) names.push('lastCol')
  if (first) names.push('firstRow')
  if (last) names.push('lastRow')
  if (first && left) names.push('nwCell')
  if (first && right) names.push('neCell')
  if (last && left) names.push('swCell')
  if (last && right) names.push('seCell')
  return names
}

function formatAt(place: number, { chain, named, props, whole }: Stated, cascade: Cascade): PlaceFormat {
  const paragraph = { ...whole.paragraph }
  const run: RunProps = {}
  mergeRun(run, whole.run)
  const styled: CellProps = { ...whole.cell }
  const row: RowProps = {}
  let borders: Borders = {}
  const conditions = conditionsAt(place, props.look ?? defaultLook)
  for (const name of conditions) {
    for (const style of chain) {
      const condition = style.conditions.get(name)
      if (!condition) continue
      Object.assign(paragraph, condition.paragraph)
      mergeRun(run, condition.run)
      mergeCell(styled, condition.cell)
      Object.assign(row, condition.row)
      borders = { ...borders, ...edgesOf(name, { ...condition.table.borders, ...condition.cell.borders }, place) }
    }
  }
  const shade = styled.shading ?? props.shading
  const background = shade === 'auto' ? undefined : shade
  const key = `${chain.at(-1)?.id ?? ''}\n${named}\n${conditions.join()}\n${background ?? ''}`
  const inheritance = cascade.shared(key, { paragraph, run, background, ofStyle: named })
  return { styled, row, borders, inheritance, merged: new Map() }
}

/** If a table begins with several repeated rows, the first row's format applies to all of them. */
export function headRows({ rows }: Table): number {
  let count = 0
  while (rows[count]?.props.header) count++
  return Math.max(1, count)
}

/** The four edges of one cell under a condition: outer edges of the region it covers, inner ones between its cells. */
function edgesOf(name: string, borders: Borders, place: number): Borders {
  const inRow = name.endsWith('Row') || name.endsWith('Horz')
  const inColumn = name.endsWith('Col') || name.endsWith('Vert')
  const inHead = name === 'firstRow'
  const edges: Record<string, Border | undefined> = {
    top: (inColumn || inHead) && (place & Place.top) === 0 ? borders.insideH : borders.top,
    bottom:
      (inColumn && (place & Place.bottom) === 0) || (inHead && (place & Place.headEnd) === 0)
        ? borders.insideH
        : borders.bottom,
    left: inRow && (place & Place.left) === 0 ? borders.insideV : borders.left,
    right: inRow && (place & Place.right) === 0 ? borders.insideV : borders.right,
  }
  return present<Borders>(edges)
}

function mergeTable(base: TableProps, layer: TableProps): void {
  const borders = layer.borders ? { ...base.borders, ...layer.borders } : base.borders
  const margins = layer.cellMargins ? { ...base.cellMargins, ...layer.cellMargins } : base.cellMargins
  Object.assign(base, layer)
  if (borders) base.borders = borders
  if (margins) base.cellMargins = margins
}

function mergeCell(base: CellProps, layer: CellProps): void {
  const borders = layer.borders ? { ...base.borders, ...layer.borders } : base.borders
  const margins = layer.margins ? { ...base.margins, ...layer.margins } : base.margins
  Object.assign(base, layer)
  if (borders) base.borders = borders
  if (margins) base.margins = margins
}
