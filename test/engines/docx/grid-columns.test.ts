import { describe, expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { type Cell, GridRow, newCell, writeCell } from '../../../src/engines/docx/compose/cells.ts'
import { spreadColumns } from '../../../src/engines/docx/compose/grid-columns.ts'
import type { CellForm, GridForm, RowForm } from '../../../src/engines/docx/plan/items.ts'

const attributes = { prefix: 'w:', declares: '' }
const form = (column: number, span = 1, width?: CellForm['width']): CellForm => ({
  ...{ written: 'w:tc', attributes, tag: '<w:tc>', head: '<w:tc><w:tcPr/>', properties: new Map(), column, span },
  ...(width === undefined ? {} : { width }),
})
const loop = (from: number, to: number) => ({ from, to })
const grid = (columns: number[], ...loops: { from: number; to: number }[]): GridForm => ({
  ...{ prefix: 'w:', attributes },
  columns,
  loops,
})

/** A row of cells, those of a loop as often as they come. */
function row(loops: { from: number; to: number }[], cells: CellForm[], more: Partial<RowForm> = {}): GridRow {
  const made = new GridRow({ skipped: 0, loops: loops.map((one) => ({ ...one, place: `p${one.from}` })), ...more })
  made.parts = cells.map(newCell)
  return made
}
const spread = (of: GridForm, ...rows: GridRow[]) => {
  const reports: string[] = []
  const { widths } = spreadColumns(of, rows, (code, place, message) => void reports.push(`${code} ${place} ${message}`))
  return {
    widths,
    reports,
    rows: rows.map(({ cells }) => cells.map(({ start, span, width }) => [start, span, width?.value])),
  }
}
const dxa = (value: number) => ({ value, type: 'dxa' })

describe('the columns of a table whose columns come from lists', () => {
  test('are those of the template if no loop repeats a column', () => {
    const cells = row([], [form(0), form(1)])
    expect(spread(grid([100, 200]), cells)).toEqual({
      widths: [100, 200],
      reports: [],
      rows: [
        [
          [0, 1, undefined],
          [1, 1, undefined],
        ],
      ],
    })
  })

  test('share the width of what is repeated, in whole twips and with the same sum', () => {
    const { widths } = spread(
      grid([100, 100, 50], loop(1, 2)),
      row([loop(1, 2)], [form(0), form(1), form(1), form(1), form(2)]),
    )
    expect(widths).toEqual([100, 33, 34, 33, 50])
    const two = spread(grid([30, 60, 10], loop(0, 2)), row([loop(0, 2)], [form(0), form(1), form(0), form(1), form(2)]))
    expect(two.widths).toEqual([15, 30, 15, 30, 10])
    // Without widths there is nothing to share.
    expect(spread(grid([0, 0], loop(0, 1)), row([loop(0, 1)], [form(0), form(0), form(1)])).widths).toEqual([0, 0, 0])
    // What is repeated no time gives its width to the others.
    expect(spread(grid([100, 100], loop(1, 2)), row([loop(1, 2)], [form(0)])).widths).toEqual([200])
  })

  test('give each cell its place, and go under the cells of rows without the loop', () => {
    const columns = grid([100, 100, 100], loop(1, 2))
    const repeated = row([loop(1, 2)], [form(0), form(1, 1, dxa(100)), form(1, 1, dxa(100)), form(2, 1, dxa(100))])
    const whole = row([], [form(0), form(1, 1, dxa(100)), form(2)])
    const over = row([], [form(0, 3, dxa(300))])
    const behind = row([], [form(2)], { skipped: 2 })
    expect(spread(columns, repeated, whole, over, behind)).toEqual({
      widths: [100, 50, 50, 100],
      reports: [],
      rows: [
        [
          [0, 1, undefined],
          [1, 1, 50],
          [2, 1, 50],
          [3, 1, 100],
        ],
        [
          [0, 1, undefined],
          [1, 2, 100],
          [3, 1, undefined],
        ],
        [[0, 4, 300]],
        [[3, 1, undefined]],
      ],
    })
  })

  test('take a cell away that is over none of them, but never all of a row', () => {
    const columns = grid([100, 100], loop(1, 2))
    const repeated = row([loop(1, 2)], [form(0)])
    const whole = row([], [form(0), form(1)])
    const alone = row([], [form(1)], { skipped: 1 })
    expect(spread(columns, repeated, whole, alone).rows).toEqual([
      [[0, 1, undefined]],
      [[0, 1, undefined]],
      [[1, 0, undefined]],
    ])
  })

  test('leave a row of single cells those that are beside what is repeated no time', () => {
    const columns = grid([10, 10, 10, 10], loop(1, 3))
    const none = row([loop(1, 3)], [form(0), form(3)])
    const whole = row([], [form(0), form(1), form(2), form(3)])
    spread(columns, none, whole)
    expect(whole.cells.map(({ form: { column }, start, span }) => [column, start, span])).toEqual([
      [0, 0, 1],
      [3, 1, 1],
    ])
  })

  test('keep shares of the table in percent, and widths of other kinds as they are', () => {
    const columns = grid([100, 300], loop(1, 2))
    const cells = row(
      [loop(1, 2)],
      [
        form(0, 1, { value: 1250, type: 'pct' }),
        form(1, 1, { value: 3750, type: 'pct' }),
        form(1, 1, { value: 0, type: 'auto' }),
      ],
    )
    expect(spread(columns, cells).rows).toEqual([
      [
        [0, 1, 1250],
        [1, 1, 1875],
        [2, 1, 0],
      ],
    ])
    const none = row([loop(0, 1)], [form(0, 1, dxa(9)), form(0, 1, dxa(9))])
    expect(spread(grid([0], loop(0, 1)), none).rows).toEqual([
      [
        [0, 1, 9],
        [1, 1, 9],
      ],
    ])
  })

  test('are as many in each row that repeats them, and no more than a table may have', () => {
    const columns = grid([10, 10], loop(0, 1))
    const rowsOf = (count: number) => row([loop(0, 1)], [...Array.from({ length: count }, () => form(0)), form(1)])
    expect(spread(columns, rowsOf(2), rowsOf(3)).reports).toEqual([
      'docx.uneven_columns p0 This loop makes 3 columns, and one in a row above makes 2.',
    ])
    expect(spread(columns, rowsOf(limits.tableColumns - 1)).reports).toEqual([])
    const many = spread(columns, rowsOf(limits.tableColumns))
    expect(many.reports).toEqual([`docx.too_many_columns p0 The table gets ${limits.tableColumns + 1} columns.`])
  })
})

describe('a cell that is written', () => {
  const written = (change: Partial<Cell>, of = form(0, 2, dxa(100)), rowFill?: Cell['fill']) =>
    writeCell(Object.assign(newCell(of), { content: '<w:p/>' }, change), rowFill)
  const red = { digits: 'FF0000' }

  test('is as the template has it where nothing changed', () => {
    expect(written({})).toBe('<w:tc><w:tcPr/><w:p/></w:tc>')
  })

  test('says how many columns it takes, unless that is one, and how wide it is', () => {
    const of = {
      ...form(0, 2, dxa(100)),
      properties: new Map([
        ['w:gridSpan', '<old/>'],
        ['w:tcW', '<wide/>'],
      ]),
    }
    expect(written({ span: 3 }, of)).toBe('<w:tc><w:tcPr><wide/><w:gridSpan w:val="3"/></w:tcPr><w:p/></w:tc>')
    expect(written({ span: 1 }, of)).toBe('<w:tc><w:tcPr><wide/></w:tcPr><w:p/></w:tc>')
    expect(written({ width: dxa(33.4) }, of)).toBe(
      '<w:tc><w:tcPr><w:tcW w:w="33" w:type="dxa"/><old/></w:tcPr><w:p/></w:tc>',
    )
    expect(written({ width: undefined }, of)).toBe('<w:tc><w:tcPr><old/></w:tcPr><w:p/></w:tc>')
  })

  test('begins a merge, or goes on with one, with the colour of its first cell', () => {
    expect(written({ isRoot: true })).toBe('<w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr><w:p/></w:tc>')
    const root = Object.assign(newCell(form(0)), { fill: red })
    const shade = '<w:shd w:val="clear" w:color="auto" w:fill="FF0000"/>'
    expect(written({ root, content: 'gone' })).toBe(`<w:tc><w:tcPr><w:vMerge/>${shade}</w:tcPr><w:p/></w:tc>`)
  })

  test('has its own colour before that of its row, and says which it is in the theme', () => {
    const blue = { digits: '0000FF', theme: 'accent1' }
    expect(written({ fill: red }, form(0), blue)).toContain('w:fill="FF0000"/>')
    expect(written({}, form(0), blue)).toContain('w:fill="0000FF" w:themeFill="accent1"/>')
    const bare = { ...form(0), written: 'tc', attributes: { prefix: 'w:', declares: ' xmlns:w="u"' } }
    expect(written({ fill: red }, bare)).toContain('<shd xmlns:w="u" w:val="clear" w:color="auto" w:fill="FF0000"/>')
  })
})
