import { describe, expect, test } from 'bun:test'
import type { StyleDefinition, Table } from '../../../../src/engines/pdf/model/document.ts'
import type { Border, CellProps, TableLook, TableProps } from '../../../../src/engines/pdf/model/properties.ts'
import { headRows, resolveTable } from '../../../../src/engines/pdf/style/table-style.ts'
import { cascadeOf, style } from './cascades.ts'

const border = (width: number): Border => ({ style: 'single', width, color: '000000', space: 0 })
const look: TableLook = {
  ...{ firstRow: false, lastRow: false, firstColumn: false, lastColumn: false, rowBands: false, columnBands: false },
}
const everything: TableLook = {
  ...{ firstRow: true, lastRow: true, firstColumn: true, lastColumn: true, rowBands: true, columnBands: true },
}

type Condition = NonNullable<ReturnType<StyleDefinition['conditions']['get']>>
const condition = (more: Partial<Condition>): Condition => ({
  paragraph: {},
  run: {},
  table: {},
  cell: {},
  row: {},
  ...more,
})

function formatOf(props: TableProps, styles: StyleDefinition[], defaultTable?: string) {
  const { cascade } = cascadeOf({ styles, defaults: defaultTable === undefined ? {} : { defaultTable } })
  const table: Table = { kind: 'table', props, grid: [], rows: [] }
  return { ...resolveTable(table, cascade), again: () => resolveTable(table, cascade) }
}

const names = ['firstRow', 'lastRow', 'firstCol', 'lastCol', 'band1Horz', 'band2Horz', 'band1Vert', 'band2Vert']
const corners = ['nwCell', 'neCell', 'swCell', 'seCell']

/** The conditions of each cell of a table of 5 × 4, by a table style whose conditions all say their name. */
function conditions(props: TableProps, heads = 1) {
  const all = [...names, ...corners].map((name): [string, Condition] => [
    name,
    condition({ row: { [name]: true } as object }),
  ])
  const format = formatOf({ style: 't', ...props }, [style('t', { type: 'table', conditions: new Map(all) })])
  return Array.from({ length: 5 }, (_, row) =>
    Array.from({ length: 4 }, (_, column) =>
      Object.keys(format.cell(row, column, { rowCount: 5, heads, columns: 4 }, {}).row).join(' '),
    ),
  )
}

describe('The conditions of a cell', () => {
  test('follow from its place, from the weakest to the strongest', () => {
    expect(conditions({ look: everything })).toEqual([
      ['firstCol firstRow nwCell', 'band1Vert firstRow', 'band2Vert firstRow', 'lastCol firstRow neCell'],
      ['band1Horz firstCol', 'band1Vert band1Horz', 'band2Vert band1Horz', 'band1Horz lastCol'],
      ['band2Horz firstCol', 'band1Vert band2Horz', 'band2Vert band2Horz', 'band2Horz lastCol'],
      ['band1Horz firstCol', 'band1Vert band1Horz', 'band2Vert band1Horz', 'band1Horz lastCol'],
      ['firstCol lastRow swCell', 'band1Vert lastRow', 'band2Vert lastRow', 'lastCol lastRow seCell'],
    ])
  })

  test('are those that the table asks for', () => {
    expect(conditions({ look }).flat().join('')).toBe('')
    expect(conditions({ look: { ...look, rowBands: true } }).map(([first]) => first)).toEqual([
      ...['band1Horz', 'band2Horz', 'band1Horz', 'band2Horz', 'band1Horz'],
    ])
    expect(conditions({ look: { ...look, columnBands: true } })[0]).toEqual([
      'band1Vert',
      'band2Vert',
      'band1Vert',
      'band2Vert',
    ])
    expect(conditions({ look: { ...look, lastColumn: true } })[0]).toEqual(['', '', '', 'lastCol'])
    expect(conditions({ look: { ...look, lastRow: true } }).map(([first]) => first)).toEqual([
      '',
      '',
      '',
      '',
      'lastRow',
    ])
    // First row, first column and bands of rows, where the table says nothing.
    expect(conditions({})[1]).toEqual(['band1Horz firstCol', 'band1Horz', 'band1Horz', 'band1Horz'])
    expect(conditions({})[0]?.[3]).toBe('firstRow')
    expect(conditions({})[4]?.[3]).toBe('band2Horz')
  })

  test('count bands of several rows or columns', () => {
    const bands = { ...look, rowBands: true }
    expect(conditions({ look: bands, rowBand: 2 }).map(([first]) => first)).toEqual([
      ...['band1Horz', 'band1Horz', 'band2Horz', 'band2Horz', 'band1Horz'],
    ])
    expect(conditions({ look: { ...look, columnBands: true }, columnBand: 3 })[0]).toEqual([
      ...['band1Vert', 'band1Vert', 'band1Vert', 'band2Vert'],
    ])
    expect(conditions({ look: bands, rowBand: 0 }).map(([first]) => first)[1]).toBe('band2Horz')
    expect(conditions({ look: { ...look, columnBands: true }, columnBand: 0 })[0]?.[1]).toBe('band2Vert')
  })

  test('take all repeated rows for the first one', () => {
    expect(conditions({ look: everything }, 2).map(([, second]) => second)).toEqual([
      ...[
        'band1Vert firstRow',
        'band1Vert firstRow',
        'band1Vert band1Horz',
        'band1Vert band2Horz',
        'band1Vert lastRow',
      ],
    ])
  })

  test('of a single row are those of the first, not of the last', () => {
    const all = new Map(names.map((name) => [name, condition({ row: { [name]: true } as object })]))
    const format = formatOf({ style: 't', look: everything }, [style('t', { type: 'table', conditions: all })])
    expect(Object.keys(format.cell(0, 1, { rowCount: 1, heads: 1, columns: 3 }, {}).row)).toEqual([
      'band1Vert',
      'firstRow',
    ])
  })
})

describe('The format of a cell', () => {
  test('is laid over by each condition, of each style in turn, and by the cell itself', () => {
    const base = style('base', {
      ...{ type: 'table', paragraph: { before: 1, after: 1 }, run: { size: 1, fonts: { ascii: 'A', highAnsi: 'A' } } },
      ...{ cell: { vertical: 'center', shading: '111111' }, table: { shading: '999999', indent: 5 } },
      conditions: new Map([
        ['firstRow', condition({ paragraph: { before: 2 }, cell: { noWrap: true }, run: { bold: true } })],
      ]),
    })
    const own = style('own', {
      ...{ type: 'table', basedOn: 'base', run: { fonts: { highAnsi: 'B' } } },
      conditions: new Map([['firstRow', condition({ paragraph: { before: 3 }, cell: { shading: '222222' } })]]),
    })
    const format = formatOf({ style: 'own', look: { ...look, firstRow: true } }, [base, own])
    const size = { rowCount: 3, heads: 1, columns: 2 }
    const head = format.cell(0, 0, size, { vertical: 'bottom' })
    expect(head.props).toEqual({ vertical: 'bottom', shading: '222222', noWrap: true })
    expect(head.inheritance).toEqual({
      ...{ paragraph: { before: 3, after: 1 }, run: { size: 1, fonts: { ascii: 'A', highAnsi: 'B' }, bold: true } },
      ...{ background: '222222', ofStyle: true },
    })
    const body = format.cell(1, 0, size, {})
    expect(body.props).toEqual({ vertical: 'center', shading: '111111' })
    expect(body.inheritance.paragraph).toEqual({ before: 1, after: 1 })
    expect(body.inheritance.background).toBe('111111')
    expect(format.props).toMatchObject({ indent: 5, style: 'own' })
  })

  test('has the background of the table, unless it is automatic', () => {
    const backgroundOf = (table: TableProps, cell: CellProps = {}) =>
      formatOf({ style: 't', look, ...table }, [style('t', { type: 'table', cell })]).cell(
        0,
        0,
        { rowCount: 2, heads: 1, columns: 2 },
        {},
      ).inheritance.background
    expect(backgroundOf({ shading: '123456' })).toBe('123456')
    expect(backgroundOf({ shading: 'auto' })).toBeUndefined()
    expect(backgroundOf({ shading: '123456' }, { shading: 'auto' })).toBeUndefined()
    expect(backgroundOf({})).toBeUndefined()
  })

  test('is that of the default table style where the table names none', () => {
    const styles = [style('d', { type: 'table', run: { size: 7 } }), style('p', { run: { size: 9 } })]
    const inherited = (props: TableProps) =>
      formatOf(props, styles, 'd').cell(0, 0, { rowCount: 1, heads: 1, columns: 1 }, {}).inheritance
    expect(inherited({})).toMatchObject({ run: { size: 7 }, ofStyle: false })
    expect(inherited({ style: 'p' })).toMatchObject({ run: { size: 7 }, ofStyle: false })
    expect(inherited({ style: 'd' })).toMatchObject({ run: { size: 7 }, ofStyle: true })
  })

  test('is one object for all cells of a place, and a table is resolved once', () => {
    const format = formatOf({ style: 't', look: { ...look, firstRow: true } }, [style('t', { type: 'table' })])
    const size = { rowCount: 5, heads: 1, columns: 4 }
    const own: CellProps = {}
    expect(format.cell(1, 1, size, own)).toBe(format.cell(3, 1, size, own))
    expect(format.cell(1, 1, size, {})).not.toBe(format.cell(1, 1, size, own))
    expect(format.cell(1, 1, size, own).inheritance).toBe(format.cell(1, 1, size, {}).inheritance)
    expect(format.cell(1, 1, size, own).inheritance).not.toBe(format.cell(0, 1, size, own).inheritance)
    expect(format.again().props).toBe(format.props)
  })
})

describe('Borders and margins', () => {
  test('of a table are laid over those of its style edge by edge', () => {
    const styles = [
      style('t', {
        type: 'table',
        table: { borders: { top: border(1), left: border(1) }, cellMargins: { left: 1, right: 1 } },
      }),
    ]
    const { props } = formatOf({ style: 't', borders: { top: border(2) }, cellMargins: { left: 2 } }, styles)
    expect(props.borders).toEqual({ top: border(2), left: border(1) })
    expect(props.cellMargins).toEqual({ left: 2, right: 1 })
    expect(formatOf({ style: 't' }, styles).props).toMatchObject({
      borders: { top: border(1) },
      cellMargins: { right: 1 },
    })
  })

  test('of a cell are its own alone, and its margins laid over those of its style', () => {
    const styles = [
      style('t', { type: 'table', cell: { borders: { top: border(1) }, margins: { left: 1, right: 1 } } }),
    ]
    const { props } = formatOf({ style: 't', look }, styles).cell(
      0,
      0,
      { rowCount: 1, heads: 1, columns: 1 },
      {
        borders: { left: border(2) },
        margins: { left: 2 },
      },
    )
    expect(props.borders).toEqual({ left: border(2) })
    expect(props.margins).toEqual({ left: 2, right: 1 })
  })

  /** The edges that one condition gives each cell of a table of 3 × 3: outer ones are 1 wide, those between cells 2. */
  function edges(name: string, asked: Partial<TableLook>, heads = 1) {
    const borders = {
      top: border(1),
      bottom: border(1),
      left: border(1),
      right: border(1),
      insideH: border(2),
      insideV: border(2),
    }
    const map = new Map([[name, condition({ table: { borders } })]])
    const format = formatOf({ style: 't', look: { ...look, ...asked } }, [
      style('t', { type: 'table', conditions: map }),
    ])
    return Array.from({ length: 3 }, (_, row) =>
      Array.from({ length: 3 }, (_, column) => {
        const found = format.cell(row, column, { rowCount: 3, heads, columns: 3 }, {}).borders
        return (['top', 'bottom', 'left', 'right'] as const).map((edge) => found[edge]?.width ?? 0).join('')
      }),
    )
  }

  test('of a condition are its outer ones at its edges, and its inner ones between its cells', () => {
    expect(edges('firstRow', { firstRow: true })).toEqual([
      ['1112', '1122', '1121'],
      ['0000', '0000', '0000'],
      ['0000', '0000', '0000'],
    ])
    expect(edges('lastRow', { lastRow: true })[2]).toEqual(['1112', '1122', '1121'])
    expect(edges('firstCol', { firstColumn: true }).map(([first]) => first)).toEqual(['1211', '2211', '2111'])
    expect(edges('lastCol', { lastColumn: true }).map(([, , last]) => last)).toEqual(['1211', '2211', '2111'])
    expect(edges('band1Horz', { rowBands: true })[0]).toEqual(['1112', '1122', '1121'])
    expect(edges('band1Vert', { columnBands: true }).map(([first]) => first)).toEqual(['1211', '2211', '2111'])
    expect(edges('nwCell', { firstRow: true, firstColumn: true })[0]).toEqual(['1111', '0000', '0000'])
  })

  test('of the first row are between the repeated rows, too', () => {
    expect(edges('firstRow', { firstRow: true }, 2)).toEqual([
      ['1212', '1222', '1221'],
      ['2112', '2122', '2121'],
      ['0000', '0000', '0000'],
    ])
  })

  test('of a condition’s cells win over those of its table, and a later condition over an earlier one', () => {
    const map = new Map([
      [
        'firstCol',
        condition({ table: { borders: { top: border(1), left: border(1) } }, cell: { borders: { left: border(3) } } }),
      ],
      ['firstRow', condition({ table: { borders: { top: border(5) } } })],
    ])
    const format = formatOf({ style: 't', look: { ...look, firstRow: true, firstColumn: true } }, [
      style('t', { type: 'table', conditions: map }),
    ])
    expect(format.cell(0, 0, { rowCount: 2, heads: 1, columns: 2 }, {}).borders).toEqual({
      top: border(5),
      left: border(3),
    })
  })
})

test('The head of a table is its first row, and those behind it as long as they are repeated', () => {
  const heads = (...marks: (boolean | undefined)[]) =>
    headRows({
      kind: 'table',
      props: {},
      grid: [],
      rows: marks.map((header) => ({ props: header === undefined ? {} : { header }, cells: [] })),
    })
  expect([heads(), heads(undefined, true), heads(true, true, false, true), heads(true, true)]).toEqual([1, 1, 2, 2])
})
