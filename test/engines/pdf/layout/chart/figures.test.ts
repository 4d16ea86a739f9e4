import { describe, expect, test } from 'bun:test'
import type { Frame } from '../../../../../src/engines/pdf/frame/frame.ts'
import {
  barsFromBehind,
  columnsFromBehind,
  deepBar,
  depthOf,
  flat,
  levelGridLine,
  uprightGridLine,
} from '../../../../../src/engines/pdf/layout/chart/depth.ts'
import { type DeepSlice, deepSlices, tiltOf } from '../../../../../src/engines/pdf/layout/chart/pie-deep.ts'
import { pointFill, pointLine } from '../../../../../src/engines/pdf/layout/chart/points.ts'
import { explosionOf } from '../../../../../src/engines/pdf/layout/chart/slices.ts'
import { countOf, rangeOf, stacksOf } from '../../../../../src/engines/pdf/layout/chart/stacks.ts'
import { fitTrend } from '../../../../../src/engines/pdf/layout/chart/trend.ts'
import type { Plot, PointLook, Series, Trend, View } from '../../../../../src/engines/pdf/model/chart.ts'
import type { Line } from '../../../../../src/engines/pdf/model/paint.ts'
import { chartDocument, chartSpace, dumpPaths, dumpTexts, layoutOf } from '../../word.ts'

const solid = (color: string) => ({ kind: 'solid' as const, color, opacity: 1 })
const line: Line = { color: '000000', opacity: 1, width: 1, dash: [], cap: 'butt', join: 'miter' }
const seriesOf = (values: Series['values'], changes: Partial<Series> = {}): Series => ({
  ...{ name: 'S', index: 0, categories: [], values, x: [], sizes: [], valueFormat: '', fill: solid('FF0000') },
  ...{ line: undefined, marker: undefined, points: new Map(), labels: undefined, smooth: false, explosion: 0 },
  ...{ trends: [], errors: [] },
  ...changes,
})
const plotOf = (series: Series[], changes: Partial<Plot> = {}): Plot => ({
  ...{ kind: 'bar', isDeep: true, horizontal: false, stacking: 'none', gapWidth: 100, overlap: 0, gapDepth: 100 },
  ...{ inRows: false, varyColors: false, highLow: undefined, drop: undefined, upDown: undefined, second: undefined },
  ...{ filled: false, firstAngle: 0, hole: 0, series, palette: [solid('111111'), solid('222222')], axisIds: [] },
  ...changes,
})
const rounded = (value: number) => Math.round(value * 1_000) / 1_000 || 0

describe('points that are stacked', () => {
  const series = [seriesOf([1, -2, 3]), seriesOf([2, 2, undefined]), seriesOf([-1, 4, 5, 6], { categories: ['a'] })]
  const reaches = (changes: Partial<Plot>) =>
    stacksOf(plotOf(series, changes), 3).map((stack) =>
      stack.reaches.map((reach) => (reach ? `${rounded(reach.from)}-${rounded(reach.to)}` : 'none')),
    )

  test('begin at zero, or where the ones before them end on their side of zero', () => {
    expect(reaches({})).toEqual([
      ['0-1', '0--2', '0-3'],
      ['0-2', '0-2', 'none'],
      ['0--1', '0-4', '0-5'],
    ])
    expect(reaches({ stacking: 'stacked' })).toEqual([
      ['0-1', '0--2', '0-3'],
      ['1-3', '0-2', 'none'],
      ['0--1', '2-6', '3-8'],
    ])
    // Lines and areas add up whatever their signs are.
    expect(reaches({ stacking: 'stacked', kind: 'area' })).toEqual([
      ['0-1', '0--2', '0-3'],
      ['1-3', '-2-0', 'none'],
      ['3-2', '0-4', '3-8'],
    ])
    // Of 4, of 8 and of 8 in all.
    expect(reaches({ stacking: 'percent' })).toEqual([
      ['0-0.25', '0--0.25', '0-0.375'],
      ['0.25-0.75', '0-0.25', 'none'],
      ['0--0.25', '0.25-0.75', '0.375-1'],
    ])
    expect(stacksOf(plotOf([seriesOf([0])], { stacking: 'percent' }), 1)[0]!.reaches).toEqual([{ from: 0, to: 0 }])
  })

  test('say from where to where the axis has to reach, from zero where they stand on it', () => {
    const range = (changes: Partial<Plot>, ...values: number[]) => {
      const { min, max } = rangeOf(plotOf([seriesOf(values)], changes), values.length)
      return [min, max]
    }
    expect(range({}, 3, 5)).toEqual([0, 5])
    expect(range({}, -3, -5)).toEqual([-5, 0])
    expect(range({ kind: 'area' }, 3, 5)).toEqual([0, 5])
    expect(range({ kind: 'line' }, 3, 5)).toEqual([3, 5])
    expect(range({ kind: 'line', stacking: 'stacked' }, 3, 5)).toEqual([3, 5])
    expect(range({ kind: 'radar' }, 3, 5)).toEqual([3, 5])
    expect(range({ kind: 'radar', stacking: 'stacked' }, 3, 5)).toEqual([0, 5])
    expect(range({})).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
  })

  test('are as many as the longest series has values or names', () => {
    expect(countOf(plotOf(series))).toBe(4)
    expect(countOf(plotOf([seriesOf([1], { categories: ['a', 'b', 'c'] })]))).toBe(3)
    expect(countOf(plotOf([]))).toBe(0)
  })
})

describe('the look of a point', () => {
  const point = (look: PointLook) => new Map([[1, look]])
  const own = { ...line, color: 'ABCDEF' }

  test('is its own, else that of its place where they vary, else that of its series', () => {
    const fill = (at: number, changes: Partial<Series>, varyColors: boolean) => {
      const found = pointFill(plotOf([], { varyColors }), seriesOf([], changes), at)
      return found?.kind === 'solid' ? found.color : undefined
    }
    expect([fill(0, {}, false), fill(0, {}, true), fill(3, {}, true)]).toEqual(['FF0000', '111111', '222222'])
    const filled = { points: point({ fill: solid('00FF00') }) }
    expect([fill(1, filled, true), fill(0, filled, false)]).toEqual(['00FF00', 'FF0000'])
    expect(fill(1, { points: point({ fill: 'none' }) }, true)).toBeUndefined()
    expect(pointFill({ varyColors: true, palette: [] }, seriesOf([]), 0)).toEqual(solid('FF0000'))
    const lines = seriesOf([], { line, points: point({ line: own }) })
    expect([pointLine(lines, 0), pointLine(lines, 1)]).toEqual([line, own])
    expect(pointLine(seriesOf([], { line, points: point({ line: 'none' }) }), 1)).toBeUndefined()
    const pulled = seriesOf([], { explosion: 7, points: point({ explosion: 20 }) })
    expect([explosionOf(pulled, 0), explosionOf(pulled, 1)]).toEqual([7, 20])
  })
})

describe('bars in depth', () => {
  const front = { x: 10, y: 20, width: 400, height: 200 }
  const view: View = { rotX: 30, rotY: 30, depth: 1 }
  const depth = (changes: Partial<Plot>, count = 4, more: Partial<View> = {}, series = [seriesOf([1])]) => {
    const found = depthOf([plotOf(series, changes)], { ...view, ...more }, count, front)
    return [rounded(found.x), rounded(found.y)]
  }
  const two = [seriesOf([1]), seriesOf([2])]

  test('are as deep as they are wide, with their gap, turned by half of it to either side', () => {
    // 100 pt a category, half of it the gap; a bar of 50 pt and as much before and behind it: half of 100 pt.
    expect(depth({})).toEqual([50, 50])
    expect(depth({ gapDepth: 0 })).toEqual([25, 25])
    expect(depth({ gapWidth: 300, gapDepth: 0 })).toEqual([12.5, 12.5])
    expect(depth({ gapDepth: 0, horizontal: true })).toEqual([12.5, 12.5])
    expect(depth({ gapDepth: 0 }, 8)).toEqual([12.5, 12.5])
    expect(depth({ gapDepth: 0 }, 4, { depth: 2 })).toEqual([50, 50])
    // Two series share a category, unless they are on each other or behind each other.
    expect(depth({ gapDepth: 0 }, 4, {}, two)).toEqual([16.667, 16.667])
    expect(depth({ gapDepth: 0, stacking: 'stacked' }, 4, {}, two)).toEqual([25, 25])
    expect(depth({ gapDepth: 0, inRows: true }, 4, {}, two)).toEqual([50, 50])
  })

  test('take a third of the front across at most, and half of it upwards', () => {
    expect(depth({}, 1)).toEqual([100, 100])
    expect(depth({}, 1, { rotX: 0 })).toEqual([140, 0])
    expect(depth({}, 1, { rotY: 0 })).toEqual([0, 100])
    const [x, y] = depth({ gapDepth: 0 }, 4, { rotX: undefined, rotY: undefined })
    expect([x, y]).toEqual([rounded(50 * Math.sin(Math.PI / 9)), rounded(50 * Math.sin(Math.PI / 12))])
    expect(depth({ gapDepth: 0 }, 4, { rotX: -30 })).toEqual([25, 25])
  })

  test('are all of a chart, or none', () => {
    expect(depth({ isDeep: false })).toEqual([0, 0])
    expect(depth({ kind: 'area' })).toEqual([0, 0])
    expect(depthOf([], view, 4, front)).toBe(flat)
    expect(depthOf([plotOf([]), plotOf([], { isDeep: false })], view, 4, front)).toBe(flat)
  })

  test('have their right side, their upper side and their front', () => {
    const paths = (plot: Plot) =>
      dumpPaths(
        deepBar(
          { x: 10, y: 20, width: 30, height: 40 },
          plot,
          { x: 12, y: 8 },
          { fill: solid('808080'), line: undefined },
          1,
        ),
      )
    // Half of the depth is the gap.
    expect(paths(plotOf([seriesOf([1])]))).toEqual([
      'M40,20 L46,16 L46,56 L40,60 Z fill 666666',
      'M10,20 L16,16 L46,16 L40,20 Z fill 999999',
      'M10,20 L40,20 L40,60 L10,60 Z fill 808080',
    ])
    expect(paths(plotOf(two, { inRows: true }))[0]).toBe('M40,20 L43,18 L43,58 L40,60 Z fill 666666')
  })

  test('are painted from behind', () => {
    const bar = (name: string, row: number, x: number, foot: number) => ({
      ...{ name, row, front: { x, y: foot - 10, width: 5, height: 10 } },
    })
    const bars = [
      bar('a', 0, 0, 50),
      bar('b', 1, 0, 50),
      bar('c', 0, 10, 50),
      bar('d', 0, 0, 90),
      bar('e', 0, 10.005, 90),
    ]
    const order = (by: typeof columnsFromBehind) =>
      bars
        .toSorted(by)
        .map(({ name }) => name)
        .join('')
    expect(order(columnsFromBehind)).toBe('bdaec')
    expect(order(barsFromBehind)).toBe('bdeac')
  })

  test('have the lines of their grid along a wall or the floor, and then at the back', () => {
    const depthOfPlot = { x: 12, y: 8 }
    expect(levelGridLine(100, front, depthOfPlot).points).toEqual([10, 100, 22, 92, 422, 92])
    expect(uprightGridLine(100, front, depthOfPlot).points).toEqual([100, 220, 112, 212, 112, 12])
  })
})

describe('a pie in depth', () => {
  const view = (changes: Partial<View>): View => ({ rotX: undefined, rotY: undefined, depth: 1, ...changes })
  const tilt = (changes: Partial<View>, plot: Partial<Plot> = {}) => {
    const found = tiltOf(plotOf([], { kind: 'pie', ...plot }), view(changes))
    return found && [rounded(found.flat), rounded(found.rim)]
  }

  test('is seen from 30 degrees above, or as stated, with a rim of a quarter of its radius', () => {
    expect(tilt({})).toEqual([0.5, rounded(0.25 * Math.cos(Math.PI / 6))])
    expect(tilt({ rotX: 90 })).toEqual([1, 0])
    expect(tilt({ rotX: -30 })).toEqual(tilt({})!)
    expect(tilt({ rotX: 5 })).toEqual(tilt({ rotX: 10 })!)
    expect(tilt({ rotX: 100 })).toEqual([1, 0])
    expect(tilt({ depth: 3 })![1]).toBe(rounded(0.5 * Math.cos(Math.PI / 6)))
    expect(tilt({}, { isDeep: false })).toBeUndefined()
    expect(tilt({}, { kind: 'doughnut' })).toBeUndefined()
  })

  test('has its tops above the front half of its rims, and cut faces only where slices are apart', () => {
    const quarter = Math.PI / 2
    const slice = (start: number, sweep: number, x = 50): DeepSlice => ({
      ...{ x, y: 50, radius: 40, start: start * quarter, sweep: sweep * quarter },
      look: { fill: solid('808080'), line: undefined },
    })
    const fills = (...slices: DeepSlice[]) =>
      dumpPaths(deepSlices(slices, { flat: 0.5, rim: 0.25 }, 1)).map((path) =>
        path.replace(/^M(\S+) .* fill (\S+)$/, '$1 $2'),
      )
    // Below the middle is the front: the first two quarters. Their rims are ten points high.
    expect(fills(slice(0, 2), slice(2, 2))).toEqual(['90,50 666666', '90,50 808080', '10,50 808080'])
    expect(fills(slice(-1, 2), slice(1, 2))).toEqual(['90,50 666666', '50,70 666666', '50,30 808080', '50,70 808080'])
    expect(fills(slice(0, 4))).toEqual(['90,50 666666', '90,50 808080'])
    expect(fills(slice(3, 3))).toEqual(['90,50 666666', '50,30 808080'])
    expect(fills(slice(0, 2), slice(2, 2, 60)).slice(0, 4)).toEqual([
      '60,50 4D4D4D',
      '60,50 4D4D4D',
      '50,50 4D4D4D',
      '50,50 4D4D4D',
    ])
    const cut = dumpPaths(deepSlices([slice(0, 1), slice(1, 3, 60)], { flat: 0.5, rim: 0.25 }, 1))
    expect(cut).toContain('M50,50 L90,50 L90,60 L50,60 Z fill 4D4D4D')
    expect(cut).toContain('M50,50 L50,70 L50,80 L50,60 Z fill 4D4D4D')
  })
})

describe('a trend', () => {
  const trend = (changes: Partial<Trend>): Trend => ({
    ...{ kind: 'linear', name: '', order: 2, period: 2, forward: 0, backward: 0, intercept: undefined },
    ...{ line: undefined, showsEquation: false, showsDetermination: false, look: {} },
    ...changes,
  })
  const data = [1, 2, 3, 4].map((x) => [x, 2 * x + 1] as const)
  const ends = (changes: Partial<Trend>, points: readonly (readonly [number, number])[] = data) => {
    const curve = fitTrend(trend(changes), points)?.curve
    return curve && [curve[0], curve.at(-1)].map((point) => point!.map(rounded))
  }

  test('reaches from the first point to the last, and as far beyond as it says', () => {
    expect(ends({})).toEqual([
      [1, 3],
      [4, 9],
    ])
    expect(ends({ backward: 1, forward: 2 })).toEqual([
      [0, 1],
      [6, 13],
    ])
    expect(ends({ backward: 1, forward: 2 }, data.toReversed())).toEqual([
      [0, 1],
      [6, 13],
    ])
    expect(ends({ intercept: 0 })).toEqual([
      [1, rounded(7 / 3)],
      [4, rounded(28 / 3)],
    ])
    expect(fitTrend(trend({}), data)!.curve).toHaveLength(2)
    expect(fitTrend(trend({ kind: 'poly' }), data)!.curve).toHaveLength(65)
  })

  test('averages two to 255 points', () => {
    const many = Array.from({ length: 300 }, (_, x) => [x, 2] as const)
    const count = (period: number) => fitTrend(trend({ kind: 'movingAvg', period }), many)?.curve.length
    expect([count(1), count(2), count(3), count(255), count(256)]).toEqual([299, 299, 298, 46, 46])
    expect(fitTrend(trend({ kind: 'movingAvg', period: 5 }), data)).toBeUndefined()
    expect(fitTrend(trend({ kind: 'movingAvg', period: 4 }), data)!.curve).toEqual([[4, 6]])
  })

  test('is a polynomial of an order between two and six, as far as the points determine it', () => {
    const powers = (order: number, stated: number, count = 9) => {
      const points = Array.from({ length: count }, (_, x) => [x, x ** order] as const)
      return fitTrend(trend({ kind: 'poly', order: stated }), points)?.determination
    }
    expect([powers(2, 1), powers(6, 9)]).toEqual(['R² = 1', 'R² = 1'])
    expect(powers(3, 2)).not.toBe('R² = 1')
    expect([powers(2, 2, 3), powers(2, 2, 2)]).toEqual(['R² = 1', undefined])
  })
})

test('paths of a slice end where they began', () => {
  const frames: Frame[] = deepSlices(
    [{ x: 0, y: 0, radius: 10, start: 0, sweep: Math.PI, look: { fill: solid('808080'), line } }],
    { flat: 1, rim: 0.5 },
    3,
  )
  expect(frames.every((frame) => frame.kind === 'path' && frame.outline.ops.endsWith('Z') && frame.node === 3)).toBe(
    true,
  )
})

/* A plot of 100 × 60 pt from 100, 80, whose axes go from 0 to 10. */
describe('on a plot from 0 to 10', () => {
  const cache = (values: readonly number[]) =>
    `<c:numRef><c:numCache><c:ptCount val="${values.length}"/>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}</c:numCache></c:numRef>`
  const inner =
    '<c:layout><c:manualLayout><c:layoutTarget val="inner"/><c:xMode val="edge"/><c:yMode val="edge"/><c:x val="0.25"/><c:y val="0.25"/><c:w val="0.5"/><c:h val="0.5"/></c:manualLayout></c:layout>'
  const axis = (id: number, position: string, more = '', orientation = 'minMax') =>
    `<c:valAx><c:axId val="${id}"/><c:scaling><c:orientation val="${orientation}"/><c:max val="10"/><c:min val="0"/></c:scaling>${more}<c:axPos val="${position}"/><c:majorTickMark val="none"/><c:majorUnit val="10"/></c:valAx>`
  const framesOf = (plot: string) =>
    layoutOf(chartDocument(chartSpace(`<c:chart><c:plotArea>${inner}${plot}</c:plotArea></c:chart>`))).pages[0]!.frames
  const scatter = (inside: string) =>
    `<c:scatterChart><c:scatterStyle val="lineMarker"/><c:ser><c:idx val="0"/><c:spPr><a:ln><a:noFill/></a:ln></c:spPr><c:marker><c:symbol val="none"/></c:marker>${inside}<c:xVal>${cache([2, 6])}</c:xVal><c:yVal>${cache([5, 3])}</c:yVal></c:ser><c:axId val="1"/><c:axId val="2"/></c:scatterChart>`

  test('error bars reach as far along their axis as their kind says', () => {
    const red = '<c:spPr><a:ln w="12700"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:ln></c:spPr>'
    const bars = (direction: 'x' | 'y', inside: string, type = 'both') => {
      const errors = `<c:errBars><c:errDir val="${direction}"/><c:errBarType val="${type}"/>${inside}<c:noEndCap val="1"/>${red}</c:errBars>`
      const hidden = '<c:delete val="1"/>'
      return dumpPaths(framesOf(scatter(errors) + axis(1, 'b', hidden) + axis(2, 'l', hidden)))
        .filter((path) => path.includes('stroke FF0000'))
        .map((path) => path.replace(/ stroke.*/, ''))
    }
    const kind = (name: string, value: number) => `<c:errValType val="${name}"/><c:val val="${value}"/>`
    // Points at (120, 110) and (160, 122); a unit is 10 pt across and 6 pt up.
    expect(bars('x', kind('fixedVal', 1))).toEqual(['M110,110 L130,110', 'M150,122 L170,122'])
    expect(bars('y', kind('fixedVal', 1))).toEqual(['M120,116 L120,104', 'M160,128 L160,116'])
    expect(bars('x', kind('percentage', 50))).toEqual(['M110,110 L130,110', 'M130,122 L190,122'])
    expect(bars('y', kind('percentage', 100))).toEqual(['M120,140 L120,80', 'M160,140 L160,104'])
    // Of 2 and 6 the deviation is the root of 8, and its error is 2; of 5 and 3 they are the root of 2, and 1.
    expect(bars('x', kind('stdErr', 9))).toEqual(['M100,110 L140,110', 'M140,122 L180,122'])
    expect(bars('y', kind('stdErr', 9))).toEqual(['M120,116 L120,104', 'M160,128 L160,116'])
    expect(bars('y', kind('stdDev', Math.SQRT2))).toEqual(['M120,122 L120,98', 'M160,134 L160,110'])
    expect(bars('x', kind('fixedVal', 1), 'plus')).toEqual(['M120,110 L130,110', 'M160,122 L170,122'])
    expect(bars('x', kind('fixedVal', 1), 'minus')).toEqual(['M110,110 L120,110', 'M150,122 L160,122'])
    const custom = `<c:errValType val="cust"/><c:plus>${cache([1])}</c:plus><c:minus>${cache([-2, 1])}</c:minus>`
    expect(bars('x', custom)).toEqual(['M100,110 L130,110', 'M150,122 L160,122'])
  })

  test('the values of an axis that runs backwards begin at its other end', () => {
    const places = (orientation: string) =>
      dumpTexts(framesOf(scatter('') + axis(1, 'b', '<c:delete val="1"/>') + axis(2, 'l', '', orientation))).map(
        (one) => one.replace(/^.*,/, ''),
      )
    expect(places('minMax').toSorted()).toEqual(['143.8 0', '83.8 10'])
    expect(places('maxMin').toSorted()).toEqual(['143.8 10', '83.8 0'])
  })
})
