import { describe, expect, test } from 'bun:test'
import { scaleFor, shareOf, ticksOf, tickValue } from '../../../../../src/engines/pdf/layout/chart/scale.ts'
import { fitTrend } from '../../../../../src/engines/pdf/layout/chart/trend.ts'
import type { Axis, Trend } from '../../../../../src/engines/pdf/model/chart.ts'
import { chartDocument, chartSpace, dumpPaths, dumpTexts, layoutOf } from '../../word.ts'

/*
 * Charts of 200 by 120 pt from (50, 50), whose plot has a stated place: 100 by 60 pt from (100, 80). Labels are in Arial
 * 10 pt, measured as 13 dots of a screen: 11.25 pt high, 9 of them above the baseline; a digit is 5.42 pt wide.
 */
const DIGIT = 0.556 * 9.75
const cache = (kind: 'str' | 'num', values: readonly (string | number)[]) =>
  `<c:${kind}Ref><c:${kind}Cache><c:ptCount val="${values.length}"/>${values
    .map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`)
    .join('')}</c:${kind}Cache></c:${kind}Ref>`
const names = (count: number) => Array.from({ length: count }, (_, at) => `C${at}`)
const series = (
  at: number,
  values: readonly number[],
  inside = '',
  categories: readonly string[] = names(values.length),
) =>
  `<c:ser><c:idx val="${at}"/><c:order val="${at}"/><c:tx>${cache('str', [`S${at}`])}</c:tx>${inside}<c:cat>${cache('str', categories)}</c:cat><c:val>${cache('num', values)}</c:val></c:ser>`
const axis = (kind: 'catAx' | 'valAx', id: number, position: string, inside = '', scaling = '') =>
  `<c:${kind}><c:axId val="${id}"/><c:scaling>${scaling}</c:scaling><c:axPos val="${position}"/>${inside}<c:majorTickMark val="none"/></c:${kind}>`
const hidden = '<c:delete val="1"/>'
const range = (min: number, max: number) => `<c:max val="${max}"/><c:min val="${min}"/>`
const bars = (direction: 'col' | 'bar', content: string, ids = [1, 2]) =>
  `<c:barChart><c:barDir val="${direction}"/><c:grouping val="clustered"/>${content}<c:gapWidth val="100"/>${ids.map((id) => `<c:axId val="${id}"/>`).join('')}</c:barChart>`
const line = (content: string, ids: number[]) =>
  `<c:lineChart><c:grouping val="standard"/>${content}${ids.map((id) => `<c:axId val="${id}"/>`).join('')}</c:lineChart>`
const text =
  '<c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1000" b="0"><a:latin typeface="Arial"/></a:defRPr></a:pPr></a:p></c:txPr>'
const inner =
  '<c:layout><c:manualLayout><c:layoutTarget val="inner"/><c:xMode val="edge"/><c:yMode val="edge"/><c:x val="0.25"/><c:y val="0.25"/><c:w val="0.5"/><c:h val="0.5"/></c:manualLayout></c:layout>'
const titled = (says: string) =>
  `<c:title><c:tx><c:rich><a:bodyPr rot="0"/><a:p><a:r><a:rPr sz="1000" b="0"/><a:t>${says}</a:t></a:r></a:p></c:rich></c:tx></c:title>`

const framesOf = (plot: string, layout = inner, after = '') =>
  layoutOf(chartDocument(chartSpace(`<c:chart><c:plotArea>${layout}${plot}</c:plotArea>${after}</c:chart>${text}`)))
    .pages[0]!.frames
const textsOf = (plot: string, layout = inner, after = '') => dumpTexts(framesOf(plot, layout, after))
const placeOf = (texts: readonly string[], says: string) => {
  const found = texts.find((one) => one.endsWith(` ${says}`))
  return /^(.+),(.+?) /
    .exec(found ?? '')
    ?.slice(1)
    .map(Number)
}
const rounded = (values: readonly number[]) => values.map((value) => Math.round(value * 10) / 10)

describe('the label of a bar', () => {
  const labels = (position: string) => `<c:dLbls><c:dLblPos val="${position}"/><c:showVal val="1"/></c:dLbls>`
  const placed = (direction: 'col' | 'bar', value: number, position: string) => {
    const [categories, values] = direction === 'col' ? ['b', 'l'] : ['l', 'b']
    const plot =
      bars(direction, series(1, [value, 0], labels(position))) +
      axis('catAx', 1, categories!, hidden) +
      axis('valAx', 2, values!, hidden, range(-10, 10))
    return placeOf(textsOf(plot), `${value}`)
  }
  // Zero is in the middle of the plot: at 110 from above, at 150 across. A bar is 25 wide and its middle a quarter in.
  const width = (value: number) => (value < 0 ? DIGIT + 0.333 * 9.75 : DIGIT)

  test.each<[string, number, number]>([
    // A column of 4 reaches 12 pt up to 98; the label's upper edge is 9 pt above its baseline.
    ['outEnd', 4, 98 - 2.8 - 11.25],
    ['inEnd', 4, 98 + 2.8],
    ['ctr', 4, 98 + (12 - 11.25) / 2],
    ['inBase', 4, 110 - 2.8 - 11.25],
    ['outEnd', -4, 122 + 2.8],
    ['inEnd', -4, 122 - 2.8 - 11.25],
    ['ctr', -4, 110 + (12 - 11.25) / 2],
    ['inBase', -4, 110 + 2.8],
  ])('that stands is %s of %d at %d', (position, value, top) => {
    expect(placed('col', value, position)).toEqual(rounded([125 - width(value) / 2, top + 9]))
  })

  test.each<[string, number, number]>([
    // A bar of 4 reaches 20 pt to the right, to 170.
    ['outEnd', 4, 170 + 2.8],
    ['inEnd', 4, 170 - 2.8 - width(4)],
    ['ctr', 4, 150 + (20 - width(4)) / 2],
    ['inBase', 4, 150 + 2.8],
    ['outEnd', -4, 130 - 2.8 - width(-4)],
    ['inEnd', -4, 130 + 2.8],
    ['ctr', -4, 130 + (20 - width(-4)) / 2],
    ['inBase', -4, 150 - 2.8 - width(-4)],
  ])('that lies is %s of %d at %d', (position, value, left) => {
    // The first category is the lower one: 15 pt above the plot's lower edge.
    expect(placed('bar', value, position)).toEqual(rounded([left, 125 - 11.25 / 2 + 9]))
  })
})

describe('the label of a point of a line', () => {
  const placed = (position: string) => {
    const labels = `<c:marker><c:symbol val="none"/></c:marker><c:dLbls>${position === '' ? '' : `<c:dLblPos val="${position}"/>`}<c:showVal val="1"/></c:dLbls>`
    const plot =
      line(series(1, [4, 0], labels), [1, 2]) +
      axis('catAx', 1, 'b', hidden) +
      axis('valAx', 2, 'l', hidden, range(0, 10))
    return placeOf(textsOf(plot), '4')
  }

  test.each<[string, number, number]>([
    // The point is at 125, 116.
    ['r', 125 + 2.8, 116 - 11.25 / 2],
    ['', 125 + 2.8, 116 - 11.25 / 2],
    ['l', 125 - 2.8 - DIGIT, 116 - 11.25 / 2],
    ['t', 125 - DIGIT / 2, 116 - 2.8 - 11.25],
    ['b', 125 - DIGIT / 2, 116 + 2.8],
    ['ctr', 125 - DIGIT / 2, 116 - 11.25 / 2],
  ])('is %s at %d, %d', (position, left, top) => {
    expect(placed(position)).toEqual(rounded([left, top + 9]))
  })
})

describe('names that are left out', () => {
  const shown = (skip: number | undefined, turn: string, count = 9, long = '') => {
    const categories = Array.from({ length: count }, (_, at) => `N${at}${long}`)
    const inside = `${skip === undefined ? '' : `<c:tickLblSkip val="${skip}"/>`}${turn}`
    const plot =
      bars(
        'col',
        series(
          1,
          categories.map(() => 1),
          '',
          categories,
        ),
      ) +
      axis('catAx', 1, 'b', inside) +
      axis('valAx', 2, 'l', hidden)
    return textsOf(plot).map((one) => one.split(' ')[1]!.slice(0, 2))
  }
  const turned = (degrees: number) => `<c:txPr><a:bodyPr rot="${degrees * 60_000}"/><a:p/></c:txPr>`

  test('are as many as the document says, however the others are turned', () => {
    const every = (step: number) => Array.from({ length: 9 }, (_, at) => `N${at}`).filter((_, at) => at % step === 0)
    // Nine names of 11.25 pt on 100 pt: upright, every second has room, and every third is asked for.
    for (const degrees of [-90, 90]) {
      expect(shown(undefined, turned(degrees))).toEqual(every(2))
      expect(shown(3, turned(degrees))).toEqual(every(3))
    }
    expect(shown(3, turned(-45), 9, 'ame')).toEqual(every(3))
    // Turned because they are too long, they still are every third.
    expect(shown(3, '', 9, 'xxxxxxxxxxxx')).toEqual(every(3))
    expect(shown(4, turned(0))).toEqual(every(4))
  })
})

describe('a legend', () => {
  const plot =
    bars('col', series(1, [1, 2]) + series(2, [3, 4])) + axis('catAx', 1, 'b', hidden) + axis('valAx', 2, 'l')
  const legend = (inside: string, more = '') => `<c:legend><c:legendPos val="r"/>${inside}${more}</c:legend>`
  const without = (...entries: number[]) =>
    entries.map((at) => `<c:legendEntry><c:idx val="${at}"/><c:delete val="1"/></c:legendEntry>`).join('')

  test('leaves out the entries that the document hides, and takes no room without any', () => {
    const said = (inside: string) => textsOf(plot, '', legend(inside)).flatMap((one) => / (S\d)$/.exec(one)?.[1] ?? [])
    expect(said('')).toEqual(['S1', 'S2'])
    expect(said(without(0))).toEqual(['S2'])
    expect(said(without(1))).toEqual(['S1'])
    expect(said(without(0, 1))).toEqual([])
    expect(dumpPaths(framesOf(plot, '', legend(without(0, 1))))).toEqual(dumpPaths(framesOf(plot, '')))
  })

  test('beside the plot breaks its names at three tenths of the width', () => {
    const long =
      bars('col', series(1, [1, 2]).replace('>S1<', '>aaaaaa bbbbbb cccccc<')) +
      axis('catAx', 1, 'b', hidden) +
      axis('valAx', 2, 'l', hidden)
    const said = (position: string) =>
      textsOf(long, '', legend('').replace('"r"', `"${position}"`)).flatMap(
        (one) => / (a.*|b.*|c.*)$/.exec(one)?.[1] ?? [],
      )
    // 60 pt hold one of the words, each of some 32.
    expect(said('r')).toEqual(['aaaaaa', 'bbbbbb', 'cccccc'])
    expect(said('b')).toEqual(['aaaaaa bbbbbb cccccc'])
  })

  test('lies over the plot, or at its own place, without taking room', () => {
    const place =
      '<c:layout><c:manualLayout><c:xMode val="edge"/><c:yMode val="edge"/><c:x val="0.5"/><c:y val="0.1"/></c:manualLayout></c:layout>'
    const barsIn = (after: string) =>
      dumpPaths(framesOf(plot, '', after)).filter((path) => path.includes('fill') && !path.includes('FFFFFF'))
    const [first] = barsIn('')
    expect(barsIn(legend('', '<c:overlay val="1"/>'))).toContain(first!)
    expect(barsIn(legend(place))).toContain(first!)
    expect(barsIn(legend(''))).not.toContain(first!)
    const texts = textsOf(plot, '', legend(place))
    // A hundred and twelve points in; padding, the key of six tenths of the size and its gap before the text.
    expect(placeOf(texts, 'S1')).toEqual(rounded([150 + 3.3 + 6 + 2.835, 62 + 2.835 + 9]))
    expect(placeOf(texts, 'S2')).toEqual(rounded([150 + 3.3 + 6 + 2.835, 62 + 2 * 2.835 + 11.25 + 9]))
  })
})

describe('the title of an axis', () => {
  /** The plot has a stated place: labels and titles are beside it. */
  const placed = (position: string, inside = '') => {
    const isLevel = position === 'b' || position === 't'
    const plot =
      bars('col', series(1, [4, 8])) +
      axis('catAx', 1, isLevel ? position : 'b', isLevel ? titled('T') + inside : hidden) +
      axis('valAx', 2, isLevel ? 'l' : position, isLevel ? hidden : titled('T') + inside, range(0, 8))
    return placeOf(textsOf(plot), 'T')!
  }
  const tWidth = 0.611 * 9.75
  // Labels are a millimetre from the axis, whose line has half of its width outside; a title is 4 pt away across and 2.4 pt
  // up and down, and has 1.8 and 3 pt around its text.
  const half = 0.375
  test('is beyond the labels of an axis at the left or right, as far as they reach', () => {
    const middle = 80 + 30 - 11.25 / 2 + 9
    expect(placed('l')).toEqual(rounded([100 - half - 2.835 - DIGIT - 4 - 1.8 - tWidth, middle]))
    expect(placed('r', '<c:crosses val="max"/>')).toEqual(rounded([200 + half + 2.835 + DIGIT + 4 + 1.8, middle]))
    expect(placed('l', '<c:tickLblPos val="high"/>')[0]).toBeCloseTo(100 - 4 - 1.8 - tWidth, 1)
    expect(placed('l', '<c:tickLblPos val="none"/>')[0]).toBeCloseTo(100 - half - 4 - 1.8 - tWidth, 1)
  })

  test('is below or above a level axis, but never outside of the chart', () => {
    const middle = 150 - tWidth / 2
    const bare = '<c:tickLblPos val="none"/>'
    const high = 11.25 + 6
    expect(placed('b', bare)).toEqual(rounded([middle, 140 + half + 2.4 + 3 + 9]))
    expect(placed('t', `${bare}<c:crosses val="max"/>`)).toEqual(rounded([middle, 80 - half - 2.4 - high + 3 + 9]))
    expect(placed('b')).toEqual(rounded([middle, 170 - high + 3 + 9]))
    expect(placed('t', '<c:crosses val="max"/>')).toEqual(rounded([middle, 50 + 3 + 9]))
  })
})

test('the labels of an axis that stands inside of the plot need only what they reach out of it', () => {
  const plot = (crossing: string) =>
    bars(
      'col',
      series(
        1,
        Array.from({ length: 20 }, () => 4),
      ),
    ) +
    axis('catAx', 1, 'b', hidden) +
    axis('valAx', 2, 'l', `${titled('T')}${crossing}`, range(0, 8))
  const left = (crossing: string) => placeOf(textsOf(plot(crossing)), 'T')![0]!
  // Before the second of twenty categories, a twentieth of 100 pt further in; labels reach 8.3 pt to the left of it.
  expect(left('') - left('<c:crossesAt val="2"/>')).toBeCloseTo(-5, 1)
  expect(left('') - left('<c:crossesAt val="11"/>')).toBeCloseTo(-2.835 - DIGIT, 1)
})

test('the names of an axis that stands above the lower edge need only what they reach out below it', () => {
  const plot =
    bars('col', series(1, [4, 8])) +
    axis('catAx', 1, 'b', `${titled('T')}<c:crossesAt val="1"/>`) +
    axis('valAx', 2, 'l', hidden, range(0, 8))
  // An eighth of 60 pt is 7.5 of the 14.1 pt that names take; then half of the line, the title's distance and its margin.
  expect(placeOf(textsOf(plot), 'T')![1]).toBeCloseTo(140 + 2.835 + 11.25 - 7.5 + 0.375 + 2.4 + 3 + 9, 1)
})

test('a pie in depth of a single value is a whole disc without a cut to its middle', () => {
  const pie = (values: number[]) => `<c:pie3DChart><c:varyColors val="1"/>${series(1, values)}</c:pie3DChart>`
  const cuts = (values: number[]) =>
    dumpPaths(framesOf(pie(values), '')).filter(
      (path) => path.includes('C') && path.includes('Z') && !path.includes('L'),
    ).length
  expect(cuts([5])).toBe(1)
  expect(cuts([5, 5])).toBe(0)
})

test('a trend of powers leaves out the points that have none', () => {
  const trend = (kind: Trend['kind']): Trend => ({
    ...{ kind, name: '', order: 2, period: 2, forward: 0, backward: 0, intercept: undefined },
    ...{ line: undefined, showsEquation: true, showsDetermination: true, look: {} },
  })
  const grown: [number, number][] = [
    [1, 2],
    [2, 4],
    [3, 8],
  ]
  const told = (kind: Trend['kind'], points: [number, number][]) => {
    const { equation, determination } = fitTrend(trend(kind), points)!
    return [equation, determination]
  }
  expect(told('exp', [...grown, [4, 0]])).toEqual(told('exp', grown))
  expect(told('exp', [...grown, [4, -3]])).toEqual(['y = 1e^(0.69315x)', 'R² = 1'])
  expect(told('log', [[0, 5], ...grown])).toEqual(told('log', grown))
  expect(told('power', [[0, 5], ...grown, [4, 0]])).toEqual(told('power', grown))
  expect(told('linear', [...grown, [4, 0]])).not.toEqual(told('linear', grown))
})

describe('two pairs of axes', () => {
  const upright = (values: number[], ids: number[]) =>
    line(series(2, values, '<c:marker><c:symbol val="none"/></c:marker>'), ids)
  const left = axis('valAx', 2, 'l', '', range(0, 8))
  const right = axis('valAx', 3, 'r', '<c:crosses val="max"/>', range(0, 80))
  const both = `${bars('col', series(1, [4, 8]))}${upright([40, 80], [1, 3])}`

  test('that share their names show them once, and each has values of its own', () => {
    const texts = textsOf(both + axis('catAx', 1, 'b') + left + right)
    expect(texts.filter((one) => / C\d$/.test(one))).toHaveLength(2)
    // Values at the left end before the plot, those at the right begin behind it.
    expect(placeOf(texts, '8')![0]).toBeCloseTo(100 - 2.835 - DIGIT, 1)
    expect(placeOf(texts, '80')![0]).toBeCloseTo(200 + 2.835, 1)
    expect(placeOf(texts, '80')![1]).toBe(placeOf(texts, '8')![1]!)
  })

  test('draw each series by the axis of its own', () => {
    const paths = dumpPaths(framesOf(both + axis('catAx', 1, 'b', hidden) + left + right))
    // Half of 8 and half of 80 are at the same height.
    expect(paths.some((path) => path.startsWith('M112.5,110 L137.5,110 L137.5,140 L112.5,140 Z fill'))).toBe(true)
    expect(paths.some((path) => path.startsWith('M125,110 L175,80 stroke'))).toBe(true)
  })

  test('each of which counts only its own names', () => {
    const own = `${bars('col', series(1, [4, 8]))}${upright([40, 80, 60, 20], [4, 3])}`
    const paths = dumpPaths(
      framesOf(own + axis('catAx', 1, 'b', hidden) + left + axis('catAx', 4, 'b', hidden) + right),
    )
    expect(paths.some((path) => path.startsWith('M112.5,110 L137.5,110'))).toBe(true)
    expect(paths.some((path) => path.startsWith('M112.5,110 L137.5,80 L162.5,95 L187.5,125 stroke'))).toBe(true)
  })
})

describe('the scale of an axis', () => {
  type Stated = Partial<Pick<Axis, 'min' | 'max' | 'majorUnit' | 'logBase'>>
  const axisOf = (stated: Stated): Axis => ({
    ...{ id: '2', crossesId: '1', kind: 'value', position: 'l', isDeleted: false, isReversed: false },
    ...{ min: undefined, max: undefined, majorUnit: undefined, logBase: undefined, ...stated },
    ...{ format: undefined, labels: 'nextTo', look: {}, labelRotation: undefined, labelSkip: undefined },
    ...{ majorTick: 'none', line: undefined, grid: undefined, title: undefined, crosses: 'autoZero', between: true },
  })
  const wish = { intervals: 10, fromZero: true, clear: false, isPercent: false }
  const scaled = (values: [number, number], ends: Stated = {}, changes: Partial<typeof wish> = {}) => {
    const { min, max, step } = scaleFor({ min: values[0], max: values[1] }, axisOf(ends), { ...wish, ...changes })
    return [min, max, step]
  }

  test.each<[string, () => number[], number[]]>([
    ['begins at zero where values differ by more than a sixth', () => scaled([4, 9]), [0, 9, 1]],
    ['begins half of the range below values that are close', () => scaled([10, 12]), [9, 12, 0.5]],
    ['begins at zero for a single value', () => scaled([7, 7]), [0, 7, 1]],
    ['need not begin at zero where it runs across', () => scaled([4, 9], {}, { fromZero: false }), [4, 9, 0.5]],
    ['ends one step above a value that would touch its end', () => scaled([0, 9], {}, { clear: true }), [0, 10, 1]],
    ['does not where it shows shares', () => scaled([0, 1], {}, { clear: true, isPercent: true }), [0, 1, 0.1]],
    ['mirrors what is below zero', () => scaled([-9, -4]), [-9, 0, 1]],
    ['goes to both sides of zero', () => scaled([-3, 9]), [-4, 10, 2]],
    ['has the ends that are stated', () => scaled([4, 9], { min: 2, max: 12 }), [2, 12, 1]],
    ['has the steps that are stated', () => scaled([4, 9], { majorUnit: 4 }), [0, 12, 4]],
    [
      'counts its ticks from the end that is stated',
      () => scaled([4, 9], { min: 0.5 }, { intervals: 3 }),
      [0.5, 10.5, 5],
    ],
    ['begins at its stated start where all values are below it', () => scaled([1, 4], { min: 5 }), [5, 10, 0.5]],
    ['ends at its stated end where all values are above it', () => scaled([2, 4], { max: 1 }), [0, 1, 0.1]],
    [
      'begins at its stated start if its stated end is below that',
      () => scaled([2, 4], { min: 5, max: 3 }),
      [5, 10, 0.5],
    ],
    ['has fewer steps where fewer labels have room', () => scaled([0, 9], {}, { intervals: 4 }), [0, 10, 5]],
    ['goes from zero to one without values', () => scaled([Infinity, -Infinity]), [0, 1, 0.1]],
    ['has whole powers of its base', () => scaled([3, 700], { logBase: 10 }), [0, 3, 1]],
    ['begins at a stated power', () => scaled([3, 700], { logBase: 10, min: 10 }), [1, 3, 1]],
  ])('%s', (_, actual, expected) => {
    const found = actual()
    for (const [at, value] of expected.entries()) expect(found[at]).toBeCloseTo(value, 9)
  })

  test('has a tick at each step, the last at its end', () => {
    const ticks = (min: number, max: number, step: number) => ticksOf({ min, max, step, log: undefined })
    expect(ticks(0, 1, 0.25)).toEqual([0, 0.25, 0.5, 0.75, 1])
    expect(ticks(-0.3, 0.3, 0.1)).toEqual([-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3])
    expect(ticks(0, 10, 4)).toEqual([0, 4, 8])
  })

  test('places a value by its share of the range, on a logarithmic scale by its power', () => {
    expect(shareOf(4, { min: 2, max: 10, step: 1, log: undefined })).toBe(0.25)
    const powers = { min: 0, max: 4, step: 1, log: 10 }
    expect(shareOf(100, powers)).toBeCloseTo(0.5, 9)
    expect([shareOf(0, powers), shareOf(-1, powers)]).toEqual([0, 0])
    expect(shareOf(0.1, { min: -2, max: 2, step: 1, log: 10 })).toBeCloseTo(0.25, 9)
    expect([tickValue(2, powers), tickValue(2, { ...powers, log: undefined })]).toEqual([100, 2])
  })
})

test('a trend that grows beyond all numbers is drawn as far as it has any', () => {
  const trend: Trend = {
    ...{ kind: 'exp', name: '', order: 2, period: 2, forward: 2_000, backward: 0, intercept: undefined },
    ...{ line: undefined, showsEquation: false, showsDetermination: false, look: {} },
  }
  const fit = fitTrend(trend, [
    [1, 10],
    [2, 100],
  ])
  // Ten to the 308th is the last power of ten that there is.
  expect(fit!.curve.length).toBeWithin(5, 30)
  for (const [x, y] of fit!.curve) expect(Math.log10(y)).toBeCloseTo(x, 6)
})

test('a series without a name is called by its number, in the table below the plot as in the legend', () => {
  const unnamed = series(1, [1, 2]).replace(/<c:tx>.*?<\/c:tx>/, '')
  const plot = bars('col', unnamed) + axis('catAx', 1, 'b') + axis('valAx', 2, 'l')
  const words = (lines: readonly string[]) => lines.map((one) => one.replace(/^\S+ /, ''))
  const table = '<c:dTable><c:showOutline val="1"/></c:dTable>'
  expect(words(textsOf(plot + table, ''))).toContain('Series 1')
  expect(words(textsOf(plot, '', '<c:legend><c:legendPos val="r"/></c:legend>'))).toContain('Series 1')
})

describe('bars side by side', () => {
  const boxes = (direction: 'col' | 'bar', more: string, lists: number[][], scaling = '') => {
    const [categories, values] = direction === 'col' ? ['b', 'l'] : ['l', 'b']
    const plot =
      `<c:barChart><c:barDir val="${direction}"/><c:grouping val="clustered"/>${lists.map((list, at) => series(at + 1, list)).join('')}${more}<c:axId val="1"/><c:axId val="2"/></c:barChart>` +
      axis('catAx', 1, categories!, hidden, scaling) +
      axis('valAx', 2, values!, hidden, range(0, 10))
    return dumpPaths(framesOf(plot)).flatMap((path) => /^(M[\d., L]+) Z fill (?!FFFFFF)/.exec(path)?.[1] ?? [])
  }

  test('are as wide as their gap and overlap leave', () => {
    // 100 pt for one category: two bars and a gap of one.
    expect(boxes('col', '<c:gapWidth val="100"/>', [[5], [10]])).toEqual([
      'M116.7,110 L150,110 L150,140 L116.7,140',
      'M150,80 L183.3,80 L183.3,140 L150,140',
    ])
    // Half over each other they are 1.5 widths, with a gap of a half 2.
    expect(boxes('col', '<c:gapWidth val="50"/><c:overlap val="50"/>', [[5], [10]])).toEqual([
      'M112.5,110 L162.5,110 L162.5,140 L112.5,140',
      'M137.5,80 L187.5,80 L187.5,140 L137.5,140',
    ])
    // Apart by half of a width they are 2.5, with a gap of a half 3.
    expect(boxes('col', '<c:gapWidth val="50"/><c:overlap val="-50"/>', [[5], [10]])[1]).toBe(
      'M158.3,80 L191.7,80 L191.7,140 L158.3,140',
    )
  })

  test('change their order where the categories run backwards', () => {
    const backwards = '<c:orientation val="maxMin"/>'
    expect(
      boxes(
        'col',
        '<c:gapWidth val="100"/>',
        [
          [5, 1],
          [10, 2],
        ],
        backwards,
      ),
    ).toEqual([
      'M175,110 L191.7,110 L191.7,140 L175,140',
      'M125,134 L141.7,134 L141.7,140 L125,140',
      'M158.3,80 L175,80 L175,140 L158.3,140',
      'M108.3,128 L125,128 L125,140 L108.3,140',
    ])
  })

  test('are counted from below where they lie', () => {
    expect(boxes('bar', '<c:gapWidth val="100"/>', [[5], [10]])).toEqual([
      'M100,110 L150,110 L150,130 L100,130',
      'M100,90 L200,90 L200,110 L100,110',
    ])
  })
})
