import { describe, expect, test } from 'bun:test'
import type { Frame } from '../../../../../src/engines/pdf/frame/frame.ts'
import { fillLine } from '../../../../../src/engines/pdf/layout/paragraph/fill.ts'
import { mayHang, spaceScripts, stretchesAfter } from '../../../../../src/engines/pdf/layout/paragraph/ideographs.ts'
import { breakLines } from '../../../../../src/engines/pdf/layout/paragraph/line.ts'
import {
  type LineMetrics,
  lineBox,
  measureLine,
  spaceBelowCell,
} from '../../../../../src/engines/pdf/layout/paragraph/measure.ts'
import {
  type InlineObject,
  Kind,
  labelShift,
  type Plan,
  withoutBlanks,
} from '../../../../../src/engines/pdf/layout/paragraph/plan.ts'
import type { LineSettings, Room } from '../../../../../src/engines/pdf/layout/paragraph/set-line.ts'
import { tabTarget } from '../../../../../src/engines/pdf/layout/paragraph/tabs.ts'
import { piecesOf } from '../../../../../src/engines/pdf/layout/paragraph/visual.ts'
import { exclusionOf, type Intrusion } from '../../../../../src/engines/pdf/layout/paragraph/wrap.ts'
import type { AnchoredObject } from '../../../../../src/engines/pdf/layout/slice.ts'
import type { AbsoluteTab } from '../../../../../src/engines/pdf/model/document.ts'
import type { TabStop } from '../../../../../src/engines/pdf/model/properties.ts'
import type { ParagraphStyle, TextStyle } from '../../../../../src/engines/pdf/style/cascade.ts'
import { layoutOf, p, textFrames, wordDocument } from '../../word.ts'
import { type Changes, plain, planOf, type Stretch, stop, textOf, usual } from './plans.ts'

describe('a line is filled', () => {
  const filled = (content: Parameters<typeof textOf>[0], right: number, changes: Changes = {}, start = 0) => {
    const { end, next, ending, torn } = fillLine(textOf(content, changes), start, { left: 0, right })
    return `${end} ${next} ${ending}${torn ? ' torn' : ''}`
  }

  test('with the words that fit it, to a thousandth of a point', () => {
    expect(filled('aaa bbb ccc', 66)).toBe('11 11 end')
    expect(filled('aaa bbb ccc', 42)).toBe('8 8 wrap')
    expect(filled('aaa bbb ccc', 41.9995)).toBe('8 8 wrap')
    expect(filled('aaa bbb ccc', 41.94)).toBe('4 4 wrap')
    expect(filled('aaa bbb ccc', 42, {}, 4)).toBe('11 11 end')
    expect(filled('aaa bbb ccc', 41, {}, 4)).toBe('8 8 wrap')
    // Blanks hang off the line, however many they are.
    expect(filled('aaa     bbb', 18)).toBe('8 8 wrap')
  })

  test('up to a break, which belongs to no line', () => {
    expect(filled('ab\ncd', 99)).toBe('2 3 line')
    expect(filled('ab\fcd', 99)).toBe('2 3 page')
    expect(filled('ab\vcd', 99)).toBe('2 3 column')
  })

  test('with as much of a word as fits, if that is the only one', () => {
    expect(filled('aaaaaa', 18)).toBe('3 3 wrap torn')
    expect(filled('aaaaaa bbb', 3)).toBe('1 1 wrap torn')
    expect(filled(' aaaaaa', 18)).toBe('1 1 wrap')
  })

  test('up to a soft hyphen, an object, or where the pair rules let a line end', () => {
    expect(filled('aaa\u00adbbb', 30)).toBe('4 4 wrap')
    expect(filled('aaa#bbb', 30)).toBe('4 4 wrap')
    expect(filled('aaa#bbb', 20)).toBe('3 3 wrap')
    expect(filled('aaa-bbb', 30)).toBe('4 4 wrap')
    expect(filled('aaabbb', 30, { plan: (plan) => Object.assign(plan, { breaks: new Set([2]) }) })).toBe('2 2 wrap')
    const glued = (plan: Plan) => {
      plan.breaks = new Set([2])
      plan.glued = new Set([2])
    }
    expect(filled('aaabbb', 30, { plan: glued })).toBe('5 5 wrap torn')
  })

  test('with one more word if a quarter of its blanks is room enough', () => {
    const justified = { style: { align: 'justify' } } as const
    // Blanks of 6 pt can give 1.5 pt.
    expect(filled('aaa bbb', 40.5, justified)).toBe('7 7 end')
    expect(filled('aaa bbb', 40.4, justified)).toBe('4 4 wrap')
    expect(filled('aaa bbb', 40.5)).toBe('4 4 wrap')
    expect(filled('aaa bbb', 40.5, { ...justified, settings: { squeezeBlanks: false } })).toBe('4 4 wrap')
    // For an ideograph and for a syllable of Hangul, they give nothing.
    expect(filled('aaa 国', 28.6, justified)).toBe('4 4 wrap')
    expect(filled('aaa 가', 28.6, justified)).toBe('4 4 wrap')
    // Those at its beginning give nothing, nor does a line with tabs.
    expect(filled(' aaa bbb', 45, justified)).toBe('5 5 wrap')
    expect(filled('\taaa bbb', 76.5, justified)).toBe('5 5 wrap')
  })

  test('so that letters that lean over their advance stay inside at its end', () => {
    const italic = { italic: true, ascent: 8, descent: 4 }
    // A twelfth of 12 pt.
    expect(filled([['aaa bbb', italic]], 43)).toBe('7 7 end')
    expect(filled([['aaa bbb', italic]], 42.9)).toBe('4 4 wrap')
    expect(filled([['aaa bbb', { ...italic, italic: false }]], 42.9)).toBe('7 7 end')
    expect(filled([['aaabbb', italic]], 36.5)).toBe('6 6 end')
    expect(filled([['aaa bb ', italic]], 36.5)).toBe('7 7 end')
    expect(filled([['aaa bbb', { ...italic, ascent: 7.9 }]], 42.95)).toBe('7 7 end')
  })

  test('by stretches of whole twips, and gives a fraction of one to a stretch that looks short', () => {
    // Three letters of 6.03 pt are 18.05 pt for what follows.
    const two: Stretch[] = [
      ['aaa', {}, 6.03],
      ['bbb', {}, 6],
    ]
    expect(filled([...two, [' c']], 36.05)).toBe('7 7 wrap')
    // 24 pt in 23.97: twice the room is more than ten for each of four letters, and less than twelve.
    expect(filled([['b '], ['aaaa']], 35.97)).toBe('6 6 end')
    expect(filled([['b '], ['aaaa', { descent: 4 }]], 35.97)).toBe('2 2 wrap')
    expect(filled([['b '], ['aaaa']], 35.9)).toBe('2 2 wrap')
    expect(filled([['b '], ['aaaa c']], 35.97)).toBe('2 2 wrap')
    expect(filled([['b '], ['aaaa\nc']], 35.97)).toBe('6 7 line')
  })

  test('without the space behind its last letter', () => {
    const spaced = { plan: (plan: Plan) => Object.assign(plan, { spaced: true }) }
    expect(filled([['aaa bbb', { spacing: 2 }]], 40, spaced)).toBe('7 7 end')
    expect(filled([['aaa bbb', { spacing: 2 }]], 39.9, spaced)).toBe('4 4 wrap')
    const gaps = { plan: (plan: Plan) => Object.assign(plan, { gaps: new Map([[6, 3]]) }) }
    expect(filled('aaa bbb', 39, gaps)).toBe('7 7 end')
    expect(filled('aaa bbb', 38.9, gaps)).toBe('4 4 wrap')
  })

  test('before a word with slashes, not inside of it, unless that begins the line', () => {
    // Wherever in the second word its room ends.
    for (let right = 24; right < 60; right += 6)
      expect([right, filled('aaa bbb/cc dd', right)]).toEqual([right, '4 4 wrap'])
    expect(filled('xx aaa/bbb', 50)).toBe('3 3 wrap')
    expect(filled('aaa/bbb', 40)).toBe('4 4 wrap')
    // A blank that begins the line is before the word too, but the blank of a label isn't.
    expect(filled(' aaa/bbb', 40)).toBe('1 1 wrap')
    const labelled = { plan: (plan: Plan) => Object.assign(plan, { labelLength: 2 }) }
    expect(filled('1 aaa/bbb', 50, labelled)).toBe('6 6 wrap')
    expect(filled('xx aaa/bbb/ccc', 60, {}, 3)).toBe('13 13 wrap torn')
    const long = `x ${'a'.repeat(70)}/bbb`
    expect(filled(long, 6 * 74)).toBe('73 73 wrap')
    const short = `x ${'a'.repeat(60)}/bbb`
    expect(filled(short, 6 * 64)).toBe('2 2 wrap')
  })
})

describe('the tabs of a line', () => {
  const target = (content: string, at: number, room: Room & { x: number }, changes: Changes = {}) =>
    tabTarget(textOf(content, changes), at, room)
  const room = { x: 10, left: 0, right: 200 }
  const to = (stops: TabStop[], content: string, changes: Partial<Room & { x: number }> = {}) =>
    target(content, 0, { ...room, ...changes }, { style: { tabs: stops } })

  test('lead to the next stop beyond the text, by more than a tenth of a point', () => {
    const stops = [stop('left', 10.1, 'dot'), stop('left', 60, 'hyphen')]
    expect(to(stops, '\ta')).toEqual({ to: 60, leader: 'hyphen', beyond: false, reach: 200, pulled: 0 })
    expect(to(stops, '\ta', { x: 9.9 })).toMatchObject({ to: 10.1, leader: 'dot' })
    expect(to([stop('bar', 20), stop('left', 250)], '\ta')).toEqual({
      ...{ to: 250, leader: 'none', beyond: true, reach: 200, pulled: 0 },
    })
    expect(to([stop('left', 200)], '\ta').beyond).toBe(false)
    // Else to a multiple of the usual distance.
    expect([10, 35.8, 35.95, 36].map((x) => to([], '\ta', { x }).to)).toEqual([36, 36, 72, 72])
  })

  test('lead to the indent of the other lines where that comes first', () => {
    const hanging = (x: number, stops: TabStop[], left = 0) =>
      target('\ta', 0, { x, left, right: 200 }, { style: { left: 30, tabs: stops } })
    expect(hanging(10, [])).toMatchObject({ to: 30, leader: 'none' })
    expect(hanging(10, [stop('left', 20)]).to).toBe(20)
    expect(hanging(10, [stop('left', 30, 'dot')]).leader).toBe('dot')
    expect(hanging(10, [stop('left', 31, 'dot')])).toMatchObject({ to: 30, leader: 'none' })
    expect(hanging(29.95, []).to).toBe(36)
    expect(hanging(31, [], 30).to).toBe(36)
  })

  test('have what follows them end or have its middle at their stop, up to the next tab or break', () => {
    expect(to([stop('right', 100)], '\taaaa')).toEqual({
      to: 76,
      leader: 'none',
      beyond: false,
      reach: 200,
      pulled: 66,
    })
    expect(to([stop('center', 100)], '\taaaa').to).toBe(88)
    for (const end of '\t\n\f\v') expect(to([stop('right', 100)], `\taa${end}bbbb`).to).toBe(88)
    // Text too wide for the gap begins where the text before it ends.
    expect(to([stop('right', 30)], '\taaaa')).toMatchObject({ to: 10, pulled: 0 })
  })

  test('keep their text inside of the margin where their stop is inside, or a point beyond it', () => {
    expect(to([stop('center', 195)], '\taaaa').to).toBe(176)
    expect(to([stop('right', 201)], '\taaaa').to).toBe(176)
    expect(to([stop('right', 202)], '\taaaa')).toMatchObject({ to: 178, reach: 202 })
    expect(to([stop('center', 188)], '\taaaa').to).toBe(176)
  })

  test('have the last point or comma before a digit at a decimal stop', () => {
    const at = (text: string) => to([stop('decimal', 100)], `\t${text}`).to
    expect(at('12.5')).toBe(88)
    expect(at('1,234.5')).toBe(70)
    expect(at('12,5')).toBe(88)
    expect(at('12.')).toBe(82)
    expect(at('1.5 a.b')).toBe(94)
    expect(at('.5')).toBe(100)
    expect(at('12.5\t.5')).toBe(88)
    expect(at('.9')).toBe(100)
    expect(at('.0')).toBe(100)
    expect(at('1./')).toBe(82)
    expect(at('1.:')).toBe(82)
  })

  test('lead to places of the line itself, between its indents or its margins', () => {
    const absolute = (align: AbsoluteTab['align'], from: AbsoluteTab['from']) =>
      target(
        '\taa',
        0,
        { x: 0, left: 20, right: 160 },
        {
          style: { left: 20, right: 40 },
          plan: (plan) => Object.assign(plan, { absoluteTabs: new Map([[0, { align, from, leader: 'dot' }]]) }),
        },
      ).to
    expect(absolute('left', 'indent')).toBe(20)
    expect(absolute('left', 'margin')).toBe(0)
    expect(absolute('center', 'indent')).toBe(90 - 6)
    expect(absolute('center', 'margin')).toBe(100 - 6)
    expect(absolute('right', 'indent')).toBe(160 - 12)
    expect(absolute('right', 'margin')).toBe(200 - 12)
  })

  test('wrap where their stop is beyond the edge, unless they end a paragraph and its column holds them', () => {
    const filled = (content: string, stops: TabStop[], right = 100) => {
      const { end, ending, tabs } = fillLine(textOf(content, { style: { tabs: stops } }), 0, { left: 0, right })
      return `${end} ${ending} ${tabs.map((tab) => `${tab.at}:${tab.from}-${tab.to}`).join(' ')}`.trim()
    }
    expect(filled('a\tb', [stop('left', 120)])).toBe('1 wrap')
    expect(filled('\tb', [stop('left', 120)])).toBe('1 wrap 0:0-120')
    expect(filled('a\t', [stop('left', 120)])).toBe('1 wrap')
    expect(filled('a\t^', [stop('left', 220)])).toBe('3 end 1:6-100')
    expect(filled('a\tb', [stop('left', 220)])).toBe('1 wrap')
    // A right stop in the margin lets the text reach as far, two inches at most.
    expect(filled('\taaaa', [stop('right', 120)])).toBe('5 end 0:0-96')
    expect(filled(`\t${'a '.repeat(22)}a`, [stop('right', 400)])).toBe('21 wrap 0:0-130')
    expect(filled('aa\tbb cc', [stop('left', 30)], 50)).toBe('6 wrap 2:12-30')
    // A word that has no room behind a tab leaves the tab on its line.
    expect(filled('a\tbbbb', [stop('left', 36)], 50)).toBe('2 wrap 1:6-36')
    // Text drawn to a stop ends there, though it is a little wider.
    expect(filled('x\taaaa', [stop('right', 99.97)])).toBe('6 end 1:6-75.97')
  })
})

describe('the label of a paragraph', () => {
  const shift = (align: Plan['labelAlign'], length = 2) => {
    const plan = planOf([['1. text']])
    plan.labelAlign = align
    plan.labelLength = length
    return labelShift(plan)
  }
  test('begins, is in the middle or ends at the indent', () => {
    expect([shift('left'), shift('center'), shift('right'), shift('right', 0)]).toEqual([0, -6, -12, 0])
    const plan = textOf('1.\taa', {
      style: { tabs: [stop('left', 40)] },
      plan: (given) => Object.assign(given, { labelAlign: 'right', labelLength: 2 }),
    })
    expect(fillLine(plan, 0, { left: 20, right: 200 }).tabs).toEqual([{ at: 2, from: 20, to: 40, leader: 'none' }])
  })
})

test('blanks and marks at the end of a line are no part of it', () => {
  const plan = planOf([['ab ^ ']])
  expect([withoutBlanks(plan, 0, 5), withoutBlanks(plan, 3, 5), withoutBlanks(plan, 0, 2)]).toEqual([2, 3, 2])
})

describe('the heights of a line', () => {
  const measured = (content: string | readonly Stretch[], changes: Changes = {}, range?: [number, number]) => {
    const { plan } = textOf(content, changes)
    const { ascent, descent, textAscent, textDescent, blanks, objects } = measureLine(
      plan,
      ...(range ?? [0, plan.length]),
    )
    return [ascent, descent, textAscent, textDescent, blanks, objects]
  }
  const big = { ascent: 16, descent: 4 }

  test('are those of its highest text, raised and lowered as its runs are', () => {
    expect(measured('aa')).toEqual([8, 2, 8, 2, 10, 0])
    expect(measured([['aa'], ['b', big], ['c']])).toEqual([16, 4, 16, 4, 20, 0])
    expect(measured([['a'], ['b', { position: 3 }]])).toEqual([11, 2, 11, 2, 13, 0])
    expect(measured([['a'], ['b', { position: -3 }]])).toEqual([8, 5, 8, 5, 13, 0])
  })

  test('don’t follow from its blanks, tabs and marks, whose height counts apart', () => {
    expect(measured([['a'], [' ', big], ['c']])).toEqual([8, 2, 8, 2, 20, 0])
    expect(measured([['a'], ['\t', big], ['c']])).toEqual([8, 2, 8, 2, 20, 0])
    expect(measured([['a'], ['^', big], ['c']])).toEqual([8, 2, 8, 2, 10, 0])
    expect(measured([['a'], [' b', big]])).toEqual([16, 4, 16, 4, 20, 0])
    // A line of one blank is as high as the mark, and its blank counts.
    expect(measured([[' ', big]])).toEqual([8, 2, 8, 2, 20, 0])
    expect(measured([['a'], ['   ', big]])).toEqual([8, 2, 8, 2, 10, 0])
  })

  test('of nothing are those of the mark, or of the break that ends it', () => {
    expect(measured('')).toEqual([8, 2, 8, 2, 0, 0])
    expect(measured([['a\n'], ['\n', big]], {}, [2, 2])).toEqual([16, 4, 16, 4, 0, 0])
    expect(measured([['a\f', big]], {}, [1, 1])).toEqual([8, 2, 8, 2, 0, 0])
  })

  test('of a label alone are also those of the mark beside it', () => {
    const label = (length: number) => (plan: Plan) => Object.assign(plan, { labelLength: length })
    const small = { ascent: 4, descent: 1 }
    expect(measured([['1.', small]], { plan: label(2) })).toEqual([8, 2, 8, 2, 4, 0])
    expect(measured([['1.a', small]], { plan: label(2) })).toEqual([4, 1, 4, 1, 5, 0])
    expect(measured([['1.', small]])).toEqual([4, 1, 4, 1, 5, 0])
  })

  test('of a picture are above the baseline, or where its run moves it', () => {
    const object = (changes: Partial<InlineObject> = {}) => ({
      plan: (plan: Plan) => {
        plan.objects = new Map([[plan.kinds.indexOf(Kind.object), { width: 6, height: 30, frames: [], ...changes }]])
        plan.ownStyle = { ...plain, ascent: 40, descent: 5 }
      },
    })
    expect(measured('a#', object())).toEqual([30, 2, 8, 2, 10, 30])
    expect(measured([['a'], ['#', { position: 4 }]], object())).toEqual([34, 2, 8, 2, 10, 30])
    expect(measured([['a'], ['#', { position: -4 }]], object())).toEqual([26, 4, 8, 2, 10, 30])
    // Joined text has a part below the baseline.
    expect(measured('a#', object({ descent: 7 }))).toEqual([23, 7, 23, 7, 10, 0])
    // Pictures alone have at least the height of the paragraph's own text.
    expect(measured('#', object())).toEqual([45, 0, 0, 0, 0, 30])
    expect(measured([['#', { position: -3 }]], object())).toEqual([42, 3, 0, 0, 0, 30])
    expect(measured('#\n', object(), [0, 1])).toEqual([40, 5, 0, 0, 0, 30])
    expect(measured('#', object({ height: 60 }))).toEqual([60, 0, 0, 0, 0, 60])
  })
})

describe('the box of a line', () => {
  const metrics: LineMetrics = {
    ...{ ascent: 8, descent: 2, textAscent: 8, textDescent: 2, mark: 10, objects: 0, blanks: 10 },
  }
  const box = (
    style: Partial<ParagraphStyle>,
    changes: Partial<LineMetrics> = {},
    more: Partial<LineSettings> = {},
  ) => {
    const text = textOf('', { style, settings: more })
    const { height, baseline, extra, trailing } = lineBox({ ...metrics, ...changes }, text, 'later line')
    return [height, baseline, extra, trailing]
  }

  test('has the spacing beyond single above it, and below the last line of the paragraph', () => {
    expect(box({})).toEqual([10, 8, 0, 0])
    expect(box({ line: 1.5 })).toEqual([10, 8, 5, 5])
    // Spacing is a share of the text, not of a picture; below the paragraph blanks count too.
    expect(box({ line: 2 }, { ascent: 30, objects: 30, blanks: 14 })).toEqual([32, 30, 10, 14])
    expect(box({ line: 2 }, { textAscent: 0, textDescent: 0, ascent: 30, mark: 12 })).toEqual([32, 30, 12, 12])
  })

  test('is less than single by as much, but half of it at least', () => {
    expect(box({ line: 0.8 })).toEqual([8, 6.4, 0, 0])
    expect(box({ line: 0.2 })).toEqual([5, 4, 0, 0])
    const first = lineBox(metrics, textOf('', { style: { line: 0.83 } }), 'first line')
    expect([first.height, first.baseline]).toEqual([8.3, 6.6])
  })

  test('of an empty paragraph is that of a first line, and of what is left of a broken one that of a later', () => {
    // 83 % of 201 twips are 166.8, and what is taken away 34.2: both are cut off.
    const heightOf = (from: number) => {
      const plan = (one: Plan) => Object.assign(one, { markStyle: { ...plain, ascent: 8.05 } })
      return breakLines(textOf('', { style: { line: 0.83 }, settings: { from }, plan })).map(({ height }) => height)
    }
    expect([heightOf(0), heightOf(1)]).toEqual([[8.3], [8.35]])
  })

  test('is exactly or at least as high as stated', () => {
    expect(box({ lineRule: 'exact', line: 15 })).toEqual([15, 12, 0, 0])
    expect(box({ lineRule: 'exact', line: 0 })).toEqual([0.05, 0, 0, 0])
    expect(box({ lineRule: 'atLeast', line: 15 })).toEqual([15, 13, 0, 0])
    expect(box({ lineRule: 'atLeast', line: 5 })).toEqual([10, 8, 0, 0])
  })

  test('is whole lines of a document grid, its text in their middle', () => {
    const grid = { gridPitch: 16 }
    expect(box({}, {}, grid)).toEqual([16, 11, 0, 0])
    expect(box({}, { ascent: 14.05 }, grid)).toEqual([32, 14.05 + 7.95, 0, 0])
    expect(box({}, { ascent: 14 }, grid)).toEqual([16, 14, 0, 0])
    expect(box({ snapToGrid: false }, {}, grid)).toEqual([10, 8, 0, 0])
    expect(box({ line: 1.5 }, {}, grid)).toEqual([16, 11, 8, 5])
    expect(box({ line: 0.5 }, {}, grid)).toEqual([16, 11, 0, 0])
    expect(box({ lineRule: 'exact', line: 14 }, {}, grid)).toEqual([14, 10, 0, 0])
    expect(box({ lineRule: 'atLeast', line: 20 }, {}, grid)).toEqual([20, 13, 0, 0])
    expect(box({ lineRule: 'atLeast', line: 12 }, {}, grid)).toEqual([16, 11, 0, 0])
    // What the grid's lines leave is below a picture.
    expect(box({}, { ascent: 12, objects: 12 }, grid)).toEqual([16, 12, 0, 0])
    expect(box({}, { ascent: 12, objects: 10 }, grid)).toEqual([16, 13, 0, 0])
  })

  test('leaves space below the end of a cell by the size of its style', () => {
    expect(spaceBelowCell({ ...usual, line: 2 }, 10)).toBe(11.5)
    expect(spaceBelowCell({ ...usual, line: 1.5 }, 10)).toBe(5.75)
    expect(spaceBelowCell({ ...usual, line: 0.5 }, 10)).toBe(0)
    expect(spaceBelowCell({ ...usual, line: 20, lineRule: 'exact' }, 10)).toBe(0)
  })
})

describe('the pieces of a line', () => {
  const pieces = (content: readonly Stretch[], levels: number[] | undefined, bidi = false, trimmed?: number) => {
    const plan = planOf(content, bidi)
    if (levels) plan.levels = new Uint8Array(levels)
    return piecesOf(plan, 0, plan.length, trimmed ?? plan.length).map(
      ({ from, to, reversed }) => `${from}-${to}${reversed ? ' reversed' : ''}`,
    )
  }

  test('are stretches of one look, and each tab, mark and object', () => {
    expect(pieces([['ab c'], ['d']], undefined)).toEqual(['0-4', '4-5'])
    expect(pieces([['a\tb#^c']], undefined)).toEqual(['0-1', '1-2', '2-3', '3-4', '4-5', '5-6'])
  })

  test('are in the order of their direction', () => {
    expect(pieces([['abCDe']], [0, 0, 1, 1, 0])).toEqual(['0-2', '2-4 reversed', '4-5'])
    expect(pieces([['CDab']], [1, 1, 2, 2], true)).toEqual(['0-2 reversed', '2-4'])
    expect(pieces([['C'], ['D']], [1, 1])).toEqual(['1-2 reversed', '0-1 reversed'])
    // Blanks at the end and before a tab go the paragraph's own way.
    expect(pieces([['aC ']], [0, 1, 1], false, 2)).toEqual(['0-1', '1-2 reversed', '2-3'])
    expect(pieces([['C \tD']], [1, 1, 1, 1])).toEqual(['0-1 reversed', '1-2', '2-3', '3-4 reversed'])
    expect(pieces([['C D']], [1, 1, 1])).toEqual(['0-3 reversed'])
  })
})

describe('lines beside floating objects', () => {
  const object = (name: string): AnchoredObject => ({
    ...{ width: 10, height: 10, frames: [] },
    anchor: {
      ...{ wrap: 'square', sides: 'both', behind: false, margins: { left: 1, right: 2, top: 3, bottom: 4 } },
      horizontal: { from: name, offset: 0 },
      vertical: { from: 'paragraph', offset: 0 },
    },
  })
  const lines = (content: string, given: Intrusion, changes: Changes = {}) =>
    breakLines(textOf(content, { ...changes, settings: { giveWay: () => given, ...changes.settings } }))
  const shown = (content: string, given: Intrusion, changes: Changes = {}) =>
    lines(content, given, changes).map(({ frames }) =>
      frames.flatMap((frame) => (frame.kind === 'text' ? [`${frame.x} ${frame.text.trim()}`] : [])),
    )
  const free = { left: 0, right: 0, skip: 0 }

  test('begin and end beside them, in each gap', () => {
    expect(shown('aaa bbb', { ...free, left: 30 })).toEqual([['30 aaa bbb']])
    expect(shown('aaa bbb', { ...free, right: 180 })).toEqual([['0 aaa'], ['0 bbb']])
    const two = {
      ...free,
      right: 180,
      more: [
        { left: 50, right: 100 },
        { left: 150, right: 0 },
      ],
    }
    expect(shown('aaa bbb ccc ddd', two)).toEqual([['0 aaa', '50 bbb ccc', '150 ddd']])
    // A word too long for one gap goes to the next one.
    expect(shown('aaaa bbb', { ...free, right: 180, more: [{ left: 50, right: 100 }] })).toEqual([['50 aaaa bbb']])
    expect(shown('aaaaaaaaaaaa', { ...free, right: 180, more: [{ left: 150, right: 20 }] })[0]).toEqual(['150 aaaaa'])
    // Nothing follows in the next gap what a break ends.
    expect(shown('a\nb', { ...free, right: 180, more: [{ left: 50, right: 0 }] })).toEqual([['0 a'], ['0 b']])
  })

  test('have indents of their own, which an object only makes larger', () => {
    const style = { left: 20, firstLine: 10, right: 30 }
    expect(shown('aaa bbb', free, { style })).toEqual([['30 aaa bbb']])
    expect(shown('aaa bbb', { ...free, left: 25 }, { style })).toEqual([['30 aaa bbb']])
    expect(shown('aaa bbb', { ...free, left: 35 }, { style })).toEqual([['35 aaa bbb']])
    expect(shown('aaa bbb', { ...free, right: 20 }, { style: { ...style, align: 'right' } })).toEqual([['128 aaa bbb']])
    expect(shown('aaa bbb', { ...free, right: 40 }, { style: { ...style, align: 'right' } })).toEqual([['118 aaa bbb']])
    expect(shown('aa', { ...free, left: 199.5 })).toEqual([['199.5 a'], ['199.5 a']])
  })

  test('keep what is anchored in each of their pieces, and their notes', () => {
    const marked = (plan: Plan) => {
      plan.marks = new Map([
        [0, { anchored: object('one') }],
        [5, { anchored: { ...object('two'), notes: ['7'] } }],
        [9, { note: '8' }],
        [10, { note: '9' }],
      ])
    }
    const two = { ...free, right: 170, more: [{ left: 50, right: 0 }] }
    const [line, none] = lines('^aaa ^bbb^^', two, { plan: marked })
    expect(none).toBeUndefined()
    expect(line!.anchors!.map(({ anchor }) => anchor.horizontal.from)).toEqual(['one', 'two'])
    expect(line!.notes).toEqual(['7', '8', '9'])
  })

  test('move down by what is above them, on a grid by whole lines of it', () => {
    const skipped = { ...free, skip: 7 }
    const lead = (changes: Changes) => lines('a', skipped, changes)[0]!.lead
    expect(lead({})).toBe(7)
    expect(lead({ settings: { gridPitch: 5 } })).toBe(10)
    expect(lead({ settings: { gridPitch: 7 } })).toBe(7)
    expect(lead({ settings: { gridPitch: 5 }, style: { snapToGrid: false } })).toBe(7)
    expect(lines('', skipped)[0]!.lead).toBe(7)
    expect(lines('a\n', skipped).map((line) => line.lead)).toEqual([7, 0])
    // Blanks that find no room take none.
    expect(lines('  ', skipped)[0]!.height).toBe(0)
    expect(lines(' a', skipped)[0]!.height).toBe(10)
    expect(lines('  ', free)[0]!.height).toBe(10)
  })

  test('ask for their place by how far down they are, and for the picture that they begin with', () => {
    const asked: unknown[] = []
    const giveWay: LineSettings['giveWay'] = (...given) => {
      asked.push(given)
      return { left: 0, right: 170, skip: 3 }
    }
    const picture = { width: 6, height: 30, frames: [] }
    const plan = (given: Plan) => Object.assign(given, { objects: new Map([[6, picture]]) })
    breakLines(textOf('aaaa ^#b', { plan, style: { line: 2 }, settings: { giveWay } }))
    expect(asked).toEqual([
      [0, 10, undefined],
      // The first line's 10 pt, 3 pt above it, and the 10 pt of its spacing.
      [23, 10, picture],
    ])
  })

  test('are in the reverse order from right to left', () => {
    const two = { ...free, right: 150, more: [{ left: 100, right: 0 }] }
    const frames = lines('aaa bbb', two, {
      style: { bidi: true },
      plan: (plan) => Object.assign(plan, { levels: new Uint8Array(7).fill(2) }),
    })[0]!.frames.flatMap((frame) => (frame.kind === 'text' ? [[frame.x, frame.text]] : []))
    expect(frames).toEqual([[158, 'aaa bbb']])
  })

  test('keep text away by the distances of the object', () => {
    expect(exclusionOf(object('x'), { x: 100, y: 50 })).toEqual({
      ...{ left: 99, right: 112, top: 47, bottom: 64, whole: false, sides: 'both' },
    })
    const whole = object('x')
    whole.anchor.wrap = 'topAndBottom'
    expect(exclusionOf(whole, { x: 0, y: 0 }).whole).toBe(true)
  })
})

describe('the lines of a paragraph', () => {
  const set = (content: string | readonly Stretch[], changes: Changes = {}) => breakLines(textOf(content, changes))
  const xs = (content: string | readonly Stretch[], changes: Changes = {}) =>
    set(content, changes).flatMap(({ frames }) => frames.flatMap((frame) => (frame.kind === 'text' ? [frame.x] : [])))
  const narrow = { settings: { width: 42 } }

  test('are aligned, and too long ones begin at the indent', () => {
    const aligned = (align: ParagraphStyle['align'], width = 100) =>
      xs('aaaa', { style: { align }, settings: { width } })[0]
    expect([aligned('left'), aligned('center'), aligned('right'), aligned('justify')]).toEqual([0, 38, 76, 0])
    expect(xs('aaaa ', { style: { align: 'right' }, settings: { width: 100 } })[0]).toBe(76)
    const pictures = {
      plan: (plan: Plan) => Object.assign(plan, { objects: new Map([[0, { width: 6, height: 5, frames: [] }]]) }),
    }
    expect(set('#', { ...pictures, style: { align: 'right' }, settings: { width: 3 } })).toHaveLength(1)
  })

  test('with tabs move as a whole by what is left behind the last one', () => {
    const style = { tabs: [stop('left', 40)] }
    const settingsOf = { settings: { width: 100 } }
    expect(xs('a\tbb', { style, ...settingsOf })).toEqual([0, 40])
    expect(xs('a\tbb', { style: { ...style, align: 'right' }, ...settingsOf })).toEqual([48, 88])
    expect(xs('a\tbb', { style: { ...style, align: 'center' }, ...settingsOf })).toEqual([24, 64])
    const dotted: Partial<ParagraphStyle> = { tabs: [stop('left', 40, 'dot')], align: 'right' }
    // The letter, the dots from where it ends, and the letters at the stop: all of it 48 pt to the right.
    expect(xs('a\tbb', { style: dotted, ...settingsOf })).toEqual([48, 54, 88])
  })

  test('have punctuation that hangs outside of the edge to which they are aligned', () => {
    const ends = (align: ParagraphStyle['align']) => {
      const plan = (made: Plan) => Object.assign(made, { eastAsian: true })
      const changes: Changes = { style: { align }, settings: { width: 30 }, plan }
      const [first, second] = breakLines(
        textOf([['国国国国国，国', { look: { ...plain.look, language: 'zh-CN' } }]], changes),
      )
      return [first, second].map((line) =>
        line!.frames.map((frame) => frame.kind === 'text' && `${frame.text} ${frame.x + frame.width}`),
      )
    }
    expect(ends('left')).toEqual([['国国国国国， 36'], ['国 6']])
    expect(ends('right')).toEqual([['国国国国国， 36'], ['国 30']])
    expect(ends('center')).toEqual([['国国国国国， 36'], ['国 18']])
    expect(ends('justify')).toEqual([['国国国国国， 36'], ['国 6']])
  })

  test('end with their last letter, not with the space behind it', () => {
    const spaced = (align: ParagraphStyle['align'], content = 'aaa') => {
      const plan = (made: Plan) => Object.assign(made, { spaced: true })
      const [line] = breakLines(
        textOf([[content, { spacing: 2 }, 8]], { style: { align, tabs: [stop('left', 60)] }, plan }),
      )
      const [last] = line!.frames.slice(-1)
      return last?.kind === 'text' && [last.x, last.x + last.width]
    }
    // Three letters of 6 pt and 2 pt behind each are 22 pt and 2 behind the last.
    expect([spaced('left'), spaced('right'), spaced('center')]).toEqual([
      [0, 24],
      [178, 202],
      [89, 113],
    ])
    expect(spaced('right', '\taaa')).toEqual([178, 202])
  })

  test('have joined text as high as its run is raised, and pictures as high as that is stated', () => {
    const top = (object: Partial<InlineObject>, style: Partial<TextStyle>) => {
      const frames: Frame[] = [{ kind: 'destination', x: 0, y: 0, name: 'o' }]
      const plan = (given: Plan) =>
        Object.assign(given, { objects: new Map([[1, { width: 6, height: 6, frames, ...object }]]) })
      const [line] = breakLines(textOf([['a'], ['#', style]], { plan }))
      const [found] = line!.frames.filter((frame) => frame.kind === 'destination')
      return found?.kind === 'destination' ? found.y - line!.baseline : undefined
    }
    expect(top({}, {})).toBe(-6)
    expect(top({}, { position: 2, rise: 3 })).toBe(-8)
    expect(top({ descent: 1 }, {})).toBe(-5)
    expect(top({ descent: 1 }, { rise: 3 })).toBe(-8)
  })

  test('fill their width by their blanks, the last one only where it is asked to', () => {
    const widths = (content: string, style: Partial<ParagraphStyle>, more: Partial<LineSettings> = {}) =>
      set(content, { style: { align: 'justify', ...style }, settings: { width: 50, ...more } }).map(({ frames }) =>
        frames.reduce((sum, frame) => sum + (frame.kind === 'text' ? frame.width : 0), 0),
      )
    expect(widths('aaa bbb cc dd', {})).toEqual([50, 30])
    expect(widths('aaa bbb cc dd', { lastLineToo: true })).toEqual([50, 50])
    expect(widths('aa b\ncc', {})).toEqual([50, 12])
    expect(widths('aa b\ncc', {}, { expandBrokenLines: false })).toEqual([24, 12])
    expect(widths('aaa bbb cc dd', { align: 'left' })).toEqual([42, 30])
    expect(widths('aa b\fcc d', {})).toEqual([24, 24])
    // Squeezed: 7 letters and 2 blanks are 54 pt.
    expect(widths('aaa bbb c', {}, { width: 51 })).toEqual([51])
    const tabbed = set('a\tbbb cc dd', { style: { align: 'justify' }, settings: { width: 80 } })[0]!
    expect(tabbed.frames.map((frame) => (frame.kind === 'text' ? [frame.x, Math.round(frame.width)] : []))).toEqual([
      [0, 6],
      [36, 44],
    ])
  })

  test('end in the hyphen of a soft hyphen, which other breaks don’t have', () => {
    const texts = (content: string) =>
      set(content, narrow).map(({ frames }) => frames.flatMap((frame) => (frame.kind === 'text' ? [frame.text] : [])))
    expect(texts('aaaa\u00adbbbb')).toEqual([['aaaa', '-'], ['bbbb']])
    expect(texts('aaaa-bbbb')).toEqual([['aaaa-'], ['bbbb']])
    const blank = set('aaaa\u00adbbbb', {
      ...narrow,
      plan: (plan) => {
        plan.codes[4] = 0x200b
      },
    })
    expect(blank[0]!.frames).toHaveLength(1)
    const right = set('aaaa\u00adbbbb', { style: { align: 'right' }, ...narrow })[0]!.frames
    const hyphen = right.at(-1)!
    expect(hyphen.kind === 'text' && hyphen.x + hyphen.width).toBeCloseTo(42, 6)
  })

  test('go on from an entry, whose line is no first one', () => {
    const style = { left: 20, firstLine: 10 }
    expect(xs('aaa bbb', { style })).toEqual([30])
    expect(xs('aaa bbb', { style, settings: { from: 4 } })).toEqual([20])
    expect(set('aaa bbb', { settings: { from: 4 } }).map(({ from }) => from)).toEqual([4])
    expect(set('aaa\n', { settings: { from: 4 } }).map(({ from }) => from)).toEqual([4])
    expect(set('aaa\n').map(({ from }) => from)).toEqual([0, 4])
    expect(set('aaa\f').map(({ breakAfter }) => breakAfter)).toEqual(['page'])
    expect(set('aaa\vb').map(({ breakAfter }) => breakAfter)).toEqual(['column', undefined])
  })

  test('have the spacing above the next one, and below the last one what is below the paragraph', () => {
    const lines = set([['aaa '], ['bbb', { ascent: 16, descent: 4 }]], { style: { line: 2 }, settings: { width: 20 } })
    expect(lines.map(({ height, slack, baseline }) => [height, slack, baseline])).toEqual([
      [30, 20, 8],
      [40, 20, 16],
    ])
  })
})

describe('text among ideographs', () => {
  const size = plain.look.size
  const widths = (content: string, style: Partial<ParagraphStyle> = {}, label = 0) => {
    const plan = planOf([[content]])
    plan.labelLength = label
    spaceScripts(plan, { ...usual, ...style })
    return plan.advances.map((advance) => Math.round((advance - 6) * 100) / 100)
  }
  const gap = size * 0.25

  test('is a quarter of its size away from Latin letters and digits, each if asked for', () => {
    expect(widths('漢a')).toEqual([gap, 0])
    expect(widths('a漢')).toEqual([gap, 0])
    expect(widths('漢1字', { autoSpaceLatin: false })).toEqual([gap, gap, 0])
    expect(widths('漢1', { autoSpaceDigits: false })).toEqual([0, 0])
    expect(widths('漢a', { autoSpaceDigits: false })).toEqual([gap, 0])
    expect(widths('漢a', { autoSpaceLatin: false })).toEqual([0, 0])
    expect(widths('漢a', { autoSpaceLatin: false, autoSpaceDigits: false })).toEqual([0, 0])
    expect(widths('漢字')).toEqual([0, 0])
    expect(widths('ab')).toEqual([0, 0])
    expect(widths('1漢a', {}, 1)).toEqual([0, gap, 0])
    expect(widths('漢 a').slice(1)).toEqual([0, 0])
    expect(widths('漢^a')[0]).toBe(gap)
  })

  test('knows letters of East Asia, and those of Latin, Greek and Cyrillic script', () => {
    const meet = (character: string) => widths(`${character}a`)[0] === gap
    const letters = [
      '\u3041',
      '\u30ff',
      '\u3400',
      '\u9fff',
      '\uac00',
      '\ud7a3',
      '\uf900',
      '\ufaff',
      '\u3005',
      '\u{20000}',
    ]
    expect(letters.filter((letter) => !meet(letter))).toEqual([])
    const others = ['\u3040', '\u30fb', '\u3100', '\ua000', '\uabff', '\ud7a4', '\ufb00', '\u3001', '\u{1f600}']
    expect(others.filter(meet)).toEqual([])
    const latin = (character: string) => widths(`漢${character}`)[0] === gap
    const inside = ['A', 'Z', 'a', 'z', 'À', 'ԯ', '\u1e00', '\u1fff', '0', '9']
    expect(inside.filter((letter) => !latin(letter))).toEqual([])
    const outside = ['@', '[', '`', '{', '¿', '×', '÷', '\u0530', '\u1dff', '\u2000', '/', ':', '.']
    expect(outside.filter(latin)).toEqual([])
  })

  test('is widened in a justified line behind each ideograph but the last', () => {
    const plan = planOf([['漢字a 。']])
    expect([0, 1, 2, 3, 4].map((at) => stretchesAfter(plan, at, 5))).toEqual([false, false, false, true, false])
    plan.eastAsian = true
    expect([0, 1, 2, 3, 4].map((at) => stretchesAfter(plan, at, 5))).toEqual([true, true, false, true, false])
    expect([0, 1].map((at) => stretchesAfter(plan, at, 2))).toEqual([true, false])
  })

  test('has its punctuation hang, all of it in Chinese, commas and full stops in Japanese', () => {
    const hangs = (content: string, language: string, at = 1, style: Partial<ParagraphStyle> = {}) => {
      const plan = planOf([[content, { look: { ...plain.look, language } }]])
      plan.eastAsian = true
      return mayHang(plan, at, { ...usual, ...style })
    }
    for (const sign of '!,.:;?、。！，．：；？') expect([sign, hangs(`漢${sign}`, 'zh-CN')]).toEqual([sign, true])
    for (const sign of '、。，．') expect([sign, hangs(`漢${sign}`, 'ja-JP')]).toEqual([sign, true])
    for (const sign of '!,.:;?！：；？') expect([sign, hangs(`漢${sign}`, 'ja-JP')]).toEqual([sign, false])
    expect(hangs('漢。', 'zh-CN', 1, { overflowPunctuation: false })).toBe(false)
    expect(hangs('漢字', 'zh-CN')).toBe(false)
    // The last letter before it decides, else itself.
    expect(hangs('a.', 'zh-CN')).toBe(false)
    expect(hangs('漢”.', 'zh-CN', 2)).toBe(true)
    expect(hangs('1.', 'zh-CN')).toBe(false)
    expect(hangs('。', 'zh-CN', 0)).toBe(true)
    expect(hangs('.', 'zh-CN', 0)).toBe(false)
    // It does not, where what follows may not begin a line.
    expect(hangs('漢。字', 'zh-CN')).toBe(true)
    expect(hangs('漢。 字', 'zh-CN')).toBe(true)
    expect(hangs('漢。」', 'zh-CN')).toBe(false)
  })
})

describe('text from right to left', () => {
  test('is in the order in which it is seen, and a mark of direction decides about a sign beside it', () => {
    const units = (content: string) =>
      textFrames(layoutOf(wordDocument(p(content))).pages[0]!).map((frame) => (frame.units ?? [frame.text]).join(''))
    expect(units('אב')).toEqual(['בא'])
    // The sign belongs to the line, which goes from left to right, unless a mark puts it between two of the others.
    expect(units('אב!')).toEqual(['בא', '!'])
    expect(units('אב!\u200f').join('')).toBe('!בא')
  })

  test('has its letters at the edge, where a blank ends its line', () => {
    const plan = (given: Plan) => Object.assign(given, { levels: new Uint8Array(5).fill(1) })
    const [line] = breakLines(textOf('ab cd', { plan, style: { bidi: true }, settings: { width: 20 } }))
    const [frame] = line!.frames
    if (frame?.kind !== 'text') throw new Error('there is no text')
    const { face } = frame.look.font
    const natural = frame.glyphs!.reduce((sum, glyph) => sum + face.advance(glyph) * frame.look.size, 0)
    const shifted = frame.shifts!.reduce((sum, shift) => sum + shift, 0)
    expect([frame.x, frame.width]).toEqual([8, 12])
    expect(natural + shifted).toBeCloseTo(12, 6)
  })
})
