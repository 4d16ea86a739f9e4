import { describe, expect, test } from 'bun:test'
import type { Frame } from '../../../src/engines/pdf/frame/frame.ts'
import type { AnchoredObject, Slice } from '../../../src/engines/pdf/layout/slice.ts'
import { stronger } from '../../../src/engines/pdf/layout/table/borders.ts'
import { type CellBox, type RowBox, thickest } from '../../../src/engines/pdf/layout/table/boxes.ts'
import { CellFloats, floatsReach, placeInCell } from '../../../src/engines/pdf/layout/table/cell-floats.ts'
import { spreadBackgrounds, spreadMerged } from '../../../src/engines/pdf/layout/table/merged-cells.ts'
import { resolveBorders, resolveHeights } from '../../../src/engines/pdf/layout/table/resolve.ts'
import { RowSlice } from '../../../src/engines/pdf/layout/table/row-slice.ts'
import type { Anchor } from '../../../src/engines/pdf/model/document.ts'
import type { Border } from '../../../src/engines/pdf/model/properties.ts'

/* Rows made by hand: cells of 50 pt beside each other, with 2 pt above their text, 3 pt below it and 5 pt at its sides. */
const border = (width: number, changes: Partial<Border> = {}): Border => ({
  ...{ style: 'single', width, color: '000000', space: 0 },
  ...changes,
})
const noEdges = { top: undefined, bottom: undefined, left: undefined, right: undefined }
const mark = (name: string): Frame => ({ kind: 'destination', x: 0, y: 0, name })
const line = (name: string, height: number, changes: Partial<Slice> = {}): Slice => ({
  ...{ before: 0, height, frames: [mark(name)], stick: false },
  ...changes,
})
function cell(column: number, slices: Slice[], changes: Partial<CellBox> = {}): CellBox {
  return {
    ...{ column, span: 1, x: 100 + column * 50, width: 50, margins: { top: 2, bottom: 3, left: 5, right: 5 }, slices },
    contentHeight: slices.reduce((sum, { before, height }) => sum + before + height, 0),
    ...{ background: undefined, vertical: 'top', sideways: undefined, merge: undefined, edges: noEdges },
    ...{ spanHeight: 0, lowerEdge: 0 },
    ...changes,
  }
}
function row(cells: CellBox[], changes: Partial<RowBox> = {}): RowBox {
  return {
    ...{ cells, above: [], below: [], vertical: [], height: 0, stated: undefined, exact: false, mayBreak: true },
    ...changes,
  }
}
const lines = { edges: [0, 50, 100, 150], x: 100 }
const gridOf = (rows: RowBox[], columns: number) => ({
  ...{ columns, rowCount: rows.length, heads: 0, rows: [] },
})
const heightsOf = (rows: RowBox[], below: 'text' | 'another table' = 'text') => {
  resolveHeights(rows, below)
  return rows.map(({ height }) => height)
}
/** Where each mark is. */
const marksOf = (frames: readonly Frame[]): string[] =>
  frames.flatMap((frame) => {
    if (frame.kind === 'clip') return marksOf(frame.frames)
    return frame.kind === 'destination' ? [`${frame.name} ${frame.x},${frame.y}`] : []
  })
const strokesOf = (frames: readonly Frame[]) =>
  frames.flatMap((frame) =>
    frame.kind === 'line' ? [`${frame.x1},${frame.y1} ${frame.x2},${frame.y2} ${frame.width}`] : [],
  )

describe('the borders of a table', () => {
  test('are decided once for each edge that cells share', () => {
    const thin = border(1)
    const thick = border(3)
    const upper = [
      cell(0, [], { edges: { top: thin, bottom: thin, left: thin, right: thin } }),
      cell(1, [], { span: 2, edges: { top: thick, bottom: undefined, left: thick, right: thick } }),
    ]
    const lower = [
      cell(0, [], { edges: { ...noEdges, top: thick } }),
      cell(1, [], { edges: { ...noEdges, bottom: thin } }),
      cell(2, [], { merge: 'continue', edges: { ...noEdges, top: thick, bottom: thick } }),
    ]
    const rows = [row(upper), row(lower)]
    resolveBorders(rows, gridOf(rows, 3))
    expect(rows[0]!.above).toEqual([thin, thick, thick])
    expect(rows[0]!.below).toEqual([thin, undefined, undefined])
    expect(rows[0]!.vertical).toEqual([thin, thick, undefined, thick])
    expect(rows[1]!.above).toEqual([thick, undefined, undefined])
    expect(rows[1]!.below).toEqual([undefined, thin, thick])
    expect(rows[1]!.vertical).toEqual([undefined, undefined, undefined, undefined])
  })

  test('of a cell that reaches over the grid end with it', () => {
    const rows = [row([cell(1, [], { span: 9, edges: { ...noEdges, right: border(2), top: border(1) } })])]
    resolveBorders(rows, gridOf(rows, 2))
    expect(rows[0]!.vertical).toEqual([undefined, undefined, border(2)])
    expect(rows[0]!.above).toEqual([undefined, border(1)])
  })

  test('are told apart by weight, then by darkness, in which green counts twice', () => {
    const of = (style: string, width: number, color = '000000') => border(width, { style, color })
    const wins = (a: Border, b: Border) => stronger(a, b) === a && stronger(b, a) === a
    expect(wins(of('double', 1), of('single', 2))).toBe(true)
    expect(wins(of('single', 4), of('double', 1))).toBe(true)
    expect(wins(of('triple', 1), of('single', 4))).toBe(true)
    expect(wins(of('single', 6), of('triple', 1))).toBe(true)
    expect(wins(of('thinThickSmallGap', 1), of('single', 2))).toBe(true)
    expect(wins(of('thickThinSmallGap', 1), of('single', 2))).toBe(true)
    expect(wins(of('single', 2), of('dotted', 1))).toBe(true)
    expect(wins(of('dotted', 3), of('single', 2))).toBe(true)
    expect(wins(of('single', 1, 'auto'), of('single', 1, '000100'))).toBe(true)
    expect(wins(of('single', 1, '0000FF'), of('single', 1, '00FF00'))).toBe(true)
    expect(wins(of('single', 1, 'FF0000'), of('single', 1, '00FF00'))).toBe(true)
    expect(wins(of('single', 1, '00007F'), of('single', 1, '800000'))).toBe(true)
    // Of borders alike in all of this, the first one stays.
    const [red, blue] = [of('single', 1, 'FF0000'), of('single', 1, '0000FF')]
    expect([stronger(red, blue), stronger(blue, red)]).toEqual([red, blue])
    expect(stronger(of('none', 9), blue)).toBe(blue)
    expect(stronger(blue, of('single', 0))).toBe(blue)
    expect(stronger(of('none', 9), of('none', 9))).toBeUndefined()
  })

  test('are as thick as the thickest of them, all strokes counted', () => {
    expect(thickest([])).toBe(0)
    expect(thickest([border(2), undefined, border(1, { style: 'double' })])).toBe(3)
  })
})

describe('the height of a row', () => {
  test('is that of its highest cell with its margins, and of the border above it', () => {
    expect(heightsOf([row([cell(0, [line('a', 10)]), cell(1, [line('b', 20)])])])).toEqual([25])
    expect(heightsOf([row([cell(0, [line('a', 10)])], { above: [border(4)] })])).toEqual([19])
    expect(heightsOf([row([])])).toEqual([1])
  })

  test('is at least what it states, to which its own upper border adds', () => {
    const stated = (height: number, changes: Partial<RowBox>, edge?: Border) =>
      heightsOf([
        row([cell(0, [line('a', 10)], { edges: { ...noEdges, top: edge } })], { stated: height, ...changes }),
      ])[0]
    expect(stated(40, {})).toBe(40)
    expect(stated(10, {})).toBe(15)
    expect(stated(40, { above: [border(4)] }, border(4))).toBe(44)
    // A thicker border of the row above is part of what is stated.
    expect(stated(40, { above: [border(4)] })).toBe(40)
    expect(stated(16, { above: [border(4)] })).toBe(19)
    expect(stated(10, { exact: true })).toBe(10)
    expect(stated(0, { exact: true })).toBe(1)
    expect(heightsOf([row([cell(0, [line('a', 10)])], { exact: true })])).toEqual([15])
  })

  test('of the last one holds the lower edge of the table, unless another table follows', () => {
    const rows = () => [
      row([cell(0, [line('a', 10)])], { below: [border(9)] }),
      row([cell(0, [line('b', 10)])], { below: [border(2)] }),
    ]
    expect(heightsOf(rows())).toEqual([15, 17])
    expect(heightsOf(rows(), 'another table')).toEqual([15, 15])
    const resolved = rows()
    resolveHeights(resolved, 'text')
    expect(resolved.map(({ cells }) => [cells[0]!.spanHeight, cells[0]!.lowerEdge])).toEqual([
      [15, 0],
      [17, 2],
    ])
  })

  test('grows in the last row of a merged cell by what that still lacks', () => {
    const merged = (first: number, height: number) => [
      row([cell(0, [line('m', height)], { merge: 'start' }), cell(1, [line('a', first)])]),
      row([cell(0, [], { merge: 'continue' }), cell(1, [line('b', 10)])]),
      row([cell(0, [], { merge: 'continue' }), cell(1, [line('c', 10)])]),
    ]
    // 15 pt each; the merged cell needs 5 pt besides its text.
    expect(heightsOf(merged(10, 30))).toEqual([15, 15, 15])
    expect(heightsOf(merged(10, 50))).toEqual([15, 15, 25])
    expect(heightsOf(merged(20, 50))).toEqual([25, 15, 15])
    const rows = merged(10, 50)
    resolveHeights(rows, 'text')
    expect(rows.map(({ cells }) => cells[0]!.spanHeight)).toEqual([55, 15, 25])
    // A merged cell that nothing continues is as any other, and one that continues nothing needs nothing.
    expect(heightsOf([row([cell(0, [line('m', 30)], { merge: 'start' })])])).toEqual([35])
    expect(heightsOf([row([cell(0, [line('m', 30)], { merge: 'continue' })])])).toEqual([1])
    expect(heightsOf([row([cell(1, [line('a', 9)])]), row([cell(0, [line('m', 30)], { merge: 'continue' })])])).toEqual(
      [14, 1],
    )
  })

  test('counts the lower edge in a merged cell that ends with the table', () => {
    const rows = [
      row([cell(0, [line('m', 10)], { merge: 'start' })]),
      row([cell(0, [], { merge: 'continue' })], { below: [border(2)], stated: 20 }),
    ]
    resolveHeights(rows, 'text')
    expect([rows[0]!.cells[0]!.lowerEdge, rows[0]!.cells[0]!.spanHeight]).toEqual([2, 1 + 22])
  })
})

describe('a merged cell', () => {
  const rowsOf = (changes: Partial<CellBox> = {}) => {
    const text = ['m1', 'm2', 'm3', 'm4'].map((name) => line(name, 10))
    const rows = [
      row([cell(0, text, { merge: 'start', ...changes }), cell(1, [line('a', 15)])]),
      row([cell(0, [], { merge: 'continue' }), cell(1, [line('b', 15)])], { above: [border(1)] }),
      row([cell(0, [], { merge: 'continue' }), cell(1, [line('c', 40)])]),
    ]
    resolveHeights(rows, 'text')
    spreadMerged(rows)
    return rows
  }
  const parts = (rows: RowBox[]) =>
    rows.map(({ cells }) =>
      cells[0]!.slices.map((slice) => `${marksOf(slice.frames)[0]!.split(' ')[0]} ${slice.before}`),
    )

  test('gives each line to the row in which it begins', () => {
    // Rows of 20, 21 and 45 pt; lines begin at 2, 12, 22 and 32 pt: the second row has those from 20 to 41.
    expect(parts(rowsOf())).toEqual([['m1 0', 'm2 0'], ['m3 -1', 'm4 0'], []])
    // In the middle of 86 pt: 40.5 pt less are shared out, so that lines begin at 22.5, 32.5, 42.5 and 52.5.
    expect(parts(rowsOf({ vertical: 'center' }))).toEqual([[], ['m1 -0.5', 'm2 0'], ['m3 -0.5', 'm4 0']])
    expect(parts(rowsOf({ vertical: 'bottom' }))).toEqual([[], [], ['m1 0', 'm2 0', 'm3 0', 'm4 0']])
  })

  test('lends its margins at the sides to its parts, which begin at their top', () => {
    const [, second] = rowsOf({ vertical: 'center', margins: { top: 2, bottom: 3, left: 11, right: 12 } })
    expect(second!.cells[0]!.margins).toEqual({ top: 2, bottom: 3, left: 11, right: 12 })
    expect(second!.cells[0]!.vertical).toBe('top')
  })

  test('keeps its lines where no cell continues it', () => {
    const rows = [
      row([cell(0, [line('m1', 10), line('m2', 10)], { merge: 'start' })], { height: 5 }),
      row([cell(0, [], { merge: 'start' })], { height: 50 }),
    ]
    spreadMerged(rows)
    expect(parts(rows)).toEqual([['m1 0', 'm2 0'], []])
  })

  test('gives its background to the rows beside it, whose own don’t count', () => {
    const rows = [
      row([cell(0, [], { merge: 'start', background: 'FF0000' }), cell(1, [], { background: '00FF00' })]),
      row([
        cell(0, [], { merge: 'continue', background: '0000FF' }),
        cell(1, [], { merge: 'continue', background: '0000FF' }),
      ]),
      row([cell(0, [], { merge: 'continue' }), cell(1, [], { background: '0000FF' })]),
    ]
    spreadBackgrounds(rows)
    expect(rows.map(({ cells }) => cells.map(({ background }) => background))).toEqual([
      ['FF0000', '00FF00'],
      ['FF0000', undefined],
      ['FF0000', '0000FF'],
    ])
  })
})

/** The row with its heights, as a slice. */
function sliceOf(cells: CellBox[], changes: Partial<RowBox> = {}, order: 'inner' | 'last' = 'inner'): RowSlice {
  const made = row(cells, changes)
  resolveHeights([made], order === 'last' ? 'text' : 'another table')
  return new RowSlice(made, lines, order)
}

describe('what a row draws', () => {
  test('is the content of its cells by their alignment, inside of their margins', () => {
    const texts = (vertical: CellBox['vertical']) =>
      marksOf(
        sliceOf([cell(0, [line('a', 10, { before: 4 }), line('b', 6)], { vertical }), cell(1, [line('c', 40)])], {
          above: [border(1)],
        }).frames,
      )
    // 46 pt high: a border of 1 pt, 5 pt of margins, 20 pt of text and 20 pt more.
    expect(texts('top')).toEqual(['a 105,7', 'b 105,17', 'c 155,3'])
    expect(texts('center')).toEqual(['a 105,17', 'b 105,27', 'c 155,3'])
    expect(texts('bottom')).toEqual(['a 105,27', 'b 105,37', 'c 155,3'])
    const last = sliceOf([cell(0, [line('a', 10)], { vertical: 'bottom' })], { stated: 50, below: [border(4)] }, 'last')
    // 54 pt less 4 pt of the lower edge, 3 pt of the margin and 10 pt of text.
    expect(marksOf(last.frames)).toEqual(['a 105,37'])
  })

  test('is cut at an exact height only where its content is higher by half a point', () => {
    const kinds = (height: number) =>
      sliceOf([cell(0, [line('a', 10)])], { stated: height, exact: true }).frames.map(({ kind }) => kind)
    expect(kinds(15)).toEqual(['destination'])
    expect(kinds(14.5)).toEqual(['destination'])
    expect(kinds(14.4)).toEqual(['clip'])
    const [clip] = sliceOf([cell(0, [line('a', 10), line('b', 10)])], { stated: 12, exact: true }).frames
    expect(clip).toMatchObject({ kind: 'clip', x: 100, y: 0, width: 50, height: 12 })
    // The line that begins at the lower edge is still there; one below it is not.
    expect(marksOf([clip!])).toEqual(['a 105,2', 'b 105,12'])
    const lower = sliceOf([cell(0, [line('a', 10.1), line('b', 10)])], { stated: 12, exact: true })
    expect(marksOf(lower.frames)).toEqual(['a 105,2'])
  })

  test('is its backgrounds below everything, as high as it is', () => {
    const [first, second] = sliceOf([cell(0, [line('a', 10)], { background: 'FF0000' }), cell(1, [])]).frames
    expect(first).toEqual({ kind: 'box', x: 100, y: 0, width: 50, height: 15, color: 'FF0000' })
    expect(second?.kind).toBe('destination')
  })

  test('is one stroke for neighbouring edges of one look, half of its width longer at either end', () => {
    const strokes = (above: (Border | undefined)[]) => strokesOf(sliceOf([cell(0, [])], { above }).frames)
    expect(strokes([border(2), border(2), border(2)])).toEqual(['99,1 251,1 2'])
    expect(strokes([border(2), border(2), border(4)])).toEqual(['99,1 201,1 2', '198,2 252,2 4'])
    expect(strokes([border(2), undefined, border(2)])).toEqual(['99,1 151,1 2', '199,1 251,1 2'])
    for (const other of [border(2, { color: 'FF0000' }), border(2, { style: 'dotted' })])
      expect(strokes([border(2), other])).toHaveLength(2)
    const mirrored = new RowSlice(row([], { above: [border(2)], height: 9 }), { edges: [50, 0], x: 100 }, 'inner')
    expect(strokesOf(mirrored.frames)).toEqual(['99,1 151,1 2'])
  })

  test('is a stroke down each grid line that has a border', () => {
    const made = sliceOf([cell(0, [line('a', 10)])], { vertical: [border(2), undefined, border(1)] })
    expect(strokesOf(made.frames)).toEqual(['100,0 100,15 2', '200,0 200,15 1'])
  })

  test('is the lower edge of the table, or that of a page which ends there', () => {
    const below = [border(2)]
    const inner = sliceOf([cell(0, [line('a', 10)])], { below })
    expect([strokesOf(inner.frames), strokesOf(inner.closing!), inner.foot]).toEqual([[], ['99,16 151,16 2'], 2])
    const last = sliceOf([cell(0, [line('a', 10)])], { below }, 'last')
    expect([strokesOf(last.frames), last.closing, last.foot, last.height]).toEqual([
      ['99,16 151,16 2'],
      undefined,
      undefined,
      17,
    ])
    expect(sliceOf([cell(0, [line('a', 10)])]).closing).toBeUndefined()
  })

  test('is also the lower edge of a nested table that ends its cell', () => {
    const nested = () => line('n', 10, { closing: [mark('edge')] })
    expect(marksOf(sliceOf([cell(0, [line('a', 5), nested()])]).frames)).toEqual(['a 105,2', 'n 105,7', 'edge 105,7'])
    expect(marksOf(sliceOf([cell(0, [nested(), line('a', 5)])]).frames)).toEqual(['n 105,2', 'a 105,12'])
  })

  test('brings the notes of all its cells, and its first heading', () => {
    const made = sliceOf([
      cell(0, [line('a', 10, { notes: ['1', '2'] })]),
      cell(1, [
        line('b', 10, { notes: ['3'], heading: { title: 'one', level: 1 } }),
        line('c', 10, { heading: { title: 'two', level: 2 } }),
      ]),
    ])
    expect([made.notes, made.heading]).toEqual([['1', '2', '3'], { title: 'one', level: 1 }])
    expect(sliceOf([cell(0, [line('a', 10, { notes: ['1'] })])]).notes).toEqual(['1'])
    expect(sliceOf([cell(0, [line('a', 10)])]).notes).toBeUndefined()
  })
})

describe('a row that is cut', () => {
  const names = (slice: Slice | undefined) => marksOf(slice?.frames ?? []).map((one) => one.split(' ')[0])
  const three = () => ['1', '2', '3'].map((name) => line(`a${name}`, 10))

  test('has the lines that fit above, and the others below', () => {
    const cut = (available: number) =>
      sliceOf([cell(0, three())])
        .split(available, 'where allowed')
        ?.map(names)
    expect(cut(25)).toEqual([['a1', 'a2'], ['a3']])
    expect(cut(24.9)).toEqual([['a1'], ['a2', 'a3']])
    expect(cut(14.9)).toBeUndefined()
    expect(cut(35)).toBeUndefined()
    const [upper, lower] = sliceOf([cell(0, three())], { above: [border(1)], below: [border(2)] }).split(
      18,
      'where allowed',
    )!
    // 18 pt less 3 pt of borders hold one line and its margins.
    expect([names(upper), upper.height, lower.height]).toEqual([['a1'], 16, 26])
  })

  test('has spacing beyond single run over the cut', () => {
    const slack = [line('a1', 14, { slack: 4 }), line('a2', 14, { slack: 4 })]
    expect(
      sliceOf([cell(0, slack)])
        .split(15, 'where allowed')
        ?.map(names),
    ).toEqual([['a1'], ['a2']])
    expect(sliceOf([cell(0, slack)]).split(14.9, 'where allowed')).toBeUndefined()
  })

  test('is whole where its height is exact or it may not break, but by force', () => {
    expect(sliceOf([cell(0, three())], { mayBreak: false }).split(25, 'where allowed')).toBeUndefined()
    expect(
      sliceOf([cell(0, three())], { mayBreak: false })
        .split(25, 'anywhere')
        ?.map(names),
    ).toEqual([['a1', 'a2'], ['a3']])
    expect(sliceOf([cell(0, three())], { exact: true, stated: 40 }).split(25, 'anywhere')).toBeUndefined()
  })

  test('leaves no cell without a line above the cut, but by force', () => {
    const cells = () => [cell(0, three()), cell(1, [line('b', 30)])]
    expect(sliceOf(cells()).split(25, 'where allowed')).toBeUndefined()
    expect(sliceOf(cells()).split(25, 'anywhere')?.map(names)).toEqual([
      ['a1', 'a2'],
      ['a3', 'b'],
    ])
    const continued = () => [cell(0, three()), cell(1, [line('b', 30)], { merge: 'continue' })]
    expect(sliceOf(continued()).split(25, 'where allowed')?.map(names)).toEqual([
      ['a1', 'a2'],
      ['a3', 'b'],
    ])
    const empty = () => [cell(0, three()), cell(1, [])]
    expect(sliceOf(empty()).split(25, 'where allowed')?.map(names)).toEqual([['a1', 'a2'], ['a3']])
  })

  test('has the space above a paragraph once more, and below a cell only where it ends', () => {
    const slices = [line('a1', 10), line('a2', 10, { before: 4, beforeAtTop: 6 }), line('a3', 10)]
    const [upper, lower] = sliceOf([cell(0, slices, { contentHeight: 41 })]).split(16, 'where allowed')!
    expect([upper.height, lower.height]).toEqual([15, 5 + 26 + 7])
    expect(marksOf(lower.frames)).toEqual(['a2 105,8', 'a3 105,18'])
    const both = sliceOf([cell(0, [line('a', 10)], { contentHeight: 14 }), cell(1, three())])
    const [first, second] = both.split(25, 'where allowed')!
    // The cell that ends has its 4 pt above the cut, and nothing below it.
    expect([first.height, second.height]).toEqual([25, 15])
    const lowest = sliceOf([cell(0, [line('a', 10)], { contentHeight: 24 }), cell(1, three())])
    expect(lowest.split(25, 'where allowed')!.map(({ height }) => height)).toEqual([29, 15])
  })

  test('is aligned in each part, but not in merged cells', () => {
    const parts = (merge: CellBox['merge']) => {
      const cells = [
        cell(0, [line('a1', 10), line('a2', 10)], { vertical: 'bottom', merge }),
        cell(1, [line('b1', 16), line('b2', 30)]),
      ]
      return sliceOf(cells)
        .split(22, 'where allowed')!
        .map((part) => marksOf(part.frames)[0])
    }
    expect(parts(undefined)).toEqual(['a1 105,8', 'a2 105,22'])
    expect(parts('continue')).toEqual(['a1 105,2', 'a2 105,2'])
  })

  test('has its lower edge in the second part alone', () => {
    const [upper, lower] = sliceOf([cell(0, three())], { below: [border(2)] }, 'last').split(27, 'where allowed')!
    expect([upper.height, lower.height]).toEqual([25, 17])
    expect([strokesOf(upper.closing!), strokesOf(upper.frames)]).toEqual([['99,26 151,26 2'], []])
    expect([strokesOf(lower.frames), lower.closing]).toEqual([['99,16 151,16 2'], undefined])
  })

  test('keeps with the next row and repeats its heads in the second part', () => {
    const made = sliceOf([cell(0, three())])
    made.stick = true
    made.repeat = [line('head', 10)]
    const [upper, lower] = made.split(25, 'where allowed')!
    expect([upper.stick, lower.stick, upper.repeat, lower.repeat]).toEqual([false, true, undefined, made.repeat])
    const copy = made.withSpaceAbove(7)
    expect([copy.before, copy.stick, copy.repeat, copy.isRepeated, copy.height]).toEqual([
      7,
      true,
      made.repeat,
      false,
      35,
    ])
  })

  test('cuts a nested row, whose space above it stays', () => {
    const nested = () => Object.assign(sliceOf([cell(0, three())]), { before: 4 })
    const outer = sliceOf([cell(0, [line('o', 10), nested()])])
    // 44 pt less 5 pt of margins, 10 pt of the line and 4 pt of space are 25 pt.
    const [upper, lower] = outer.split(44, 'where allowed')!
    expect([names(upper), upper.height, names(lower), lower.height]).toEqual([
      ['o', 'a1', 'a2'],
      5 + 14 + 25,
      ['a3'],
      5 + 15,
    ])
  })

  test('has a merged cell reach as far below it as before', () => {
    const merged = cell(1, [line('m', 10)], { merge: 'start' })
    const rows = [row([cell(0, three()), merged]), row([cell(0, [line('b', 95)]), cell(1, [], { merge: 'continue' })])]
    resolveHeights(rows, 'another table')
    merged.vertical = 'bottom'
    const [, lower] = new RowSlice(rows[0]!, lines, 'inner').split(25, 'where allowed')!
    expect(lower.height).toBe(15)
    expect(merged.spanHeight).toBe(135)
  })
})

describe('an object in a cell', () => {
  const room = { width: 100, margins: { top: 2, bottom: 3, left: 5, right: 7 } }
  const object = (anchor: Partial<Anchor>, name = 'o'): AnchoredObject => ({
    ...{ width: 20, height: 10, frames: [mark(name)] },
    anchor: {
      ...{ wrap: 'square', behind: false, margins: { left: 0, right: 0, top: 0, bottom: 0 } },
      horizontal: { from: 'column', offset: 0 },
      vertical: { from: 'paragraph', offset: 0 },
      ...anchor,
    },
  })
  const at = (anchor: Partial<Anchor>) => {
    const { x, y } = placeInCell(object(anchor), room, 30, 200)
    return [x, y]
  }

  test('is placed by the cell as others are by the page, measured from its content', () => {
    expect(at({})).toEqual([0, 30])
    expect(at({ horizontal: { from: 'column', offset: 8 }, vertical: { from: 'paragraph', offset: 9 } })).toEqual([
      8, 39,
    ])
    expect(at({ horizontal: { from: 'margin', offset: 0, align: 'right' } })[0]).toBe(93 - 20 - 5)
    expect(at({ horizontal: { from: 'column', offset: 0, align: 'right' } })[0]).toBe(93 - 20 - 5)
    expect(at({ horizontal: { from: 'page', offset: 0 } })[0]).toBe(-5)
    expect(at({ horizontal: { from: 'page', offset: 0, align: 'right' } })[0]).toBe(75)
    expect(at({ vertical: { from: 'page', offset: 0, align: 'bottom' } })[1]).toBe(188)
    expect(at({ vertical: { from: 'margin', offset: 0 } })[1]).toBe(-2)
    expect(at({ vertical: { from: 'margin', offset: 0, align: 'bottom' } })[1]).toBe(188)
  })

  test('is drawn with its line, in front of the text or behind it', () => {
    const drawn = (anchor: Partial<Anchor>, lead = 0) =>
      marksOf(sliceOf([cell(0, [line('a', 10), line('b', 10, { before: 6, lead, anchors: [object(anchor)] })])]).frames)
    const offset = { horizontal: { from: 'column', offset: 8 } }
    expect(drawn(offset)).toEqual(['a 105,2', 'b 105,18', 'o 113,18'])
    expect(drawn({ ...offset, behind: true })).toEqual(['o 113,18', 'a 105,2', 'b 105,18'])
    // A line that moved down for it has it where the line would have been.
    expect(drawn(offset, 6)).toEqual(['a 105,2', 'b 105,18', 'o 113,12'])
  })

  test('has the cell reach to its lower edge, if text moves around it at a place that is known', () => {
    const reach = (anchor: Partial<Anchor>, lead = 0) =>
      floatsReach([line('a', 30), line('b', 5, { before: 6, lead, anchors: [object(anchor)] })], room)
    expect(reach({})).toBe(46)
    expect(reach({}, 6)).toBe(40)
    expect(reach({ vertical: { from: 'paragraph', offset: 7 } })).toBe(53)
    expect(reach({ wrap: 'none' })).toBe(0)
    expect(reach({ vertical: { from: 'paragraph', offset: 0, align: 'bottom' } })).toBe(0)
    expect(reach({ vertical: { from: 'paragraph', offset: 0, align: 'top' } })).toBe(46)
    expect(reach({ vertical: { from: 'paragraph', offset: 0, share: 0.5 } })).toBe(0)
    expect(floatsReach([], room)).toBe(0)
  })

  test('takes room from the lines beside it', () => {
    const floats = new CellFloats(room, 88)
    const gap = { below: 3, atTop: 0 }
    expect(floats.wrap(gap)).toBeUndefined()
    expect(
      floats.float([object({ wrap: 'none' }), object({ vertical: { from: 'page', offset: 0, align: 'bottom' } })], gap),
    ).toBe(false)
    expect(floats.wrap(gap)).toBeUndefined()
    floats.y = 10
    expect(floats.float([object({ wrap: 'none' }), object({})], gap)).toBe(true)
    // It is from 13 to 23 pt down, and 20 pt wide.
    const beside = floats.wrap(gap)!
    expect(beside(0, 10)).toEqual({ left: 20, right: 0, skip: 0 })
    expect(beside(9, 10)).toEqual({ left: 20, right: 0, skip: 0 })
    expect(beside(10, 10)).toEqual({ left: 0, right: 0, skip: 0 })
    floats.y = 0
    expect(floats.wrap(gap)!(0, 10)).toEqual({ left: 0, right: 0, skip: 0 })
    expect(floats.wrap(gap)!(1, 10)).toEqual({ left: 20, right: 0, skip: 0 })
  })
})
