import { describe, expect, test } from 'bun:test'
import { fitTrend, type Point } from '../../../../../src/engines/pdf/layout/chart/trend.ts'
import type { Trend, TrendKind } from '../../../../../src/engines/pdf/model/chart.ts'
import { chartDocument, chartSpace, dumpPaths, dumpTexts, layoutOf, renderingOf } from '../../word.ts'

const trend = (kind: TrendKind, stated: Partial<Trend> = {}): Trend => ({
  kind,
  name: kind,
  order: 2,
  period: 2,
  forward: 0,
  backward: 0,
  intercept: undefined,
  line: undefined,
  showsEquation: true,
  showsDetermination: true,
  look: {},
  ...stated,
})
const points = (value: (x: number) => number, count = 6): Point[] =>
  Array.from({ length: count }, (_, at) => [at + 1, value(at + 1)])

describe('trends', () => {
  test('find the function that fits the points', () => {
    const equations = (
      [
        ['linear', (x) => 2 * x - 3],
        ['exp', (x) => 2 * Math.exp(0.5 * x)],
        ['log', (x) => 3 * Math.log(x) + 1],
        ['power', (x) => 2 * x ** 1.5],
        ['poly', (x) => x * x - 4 * x + 7],
      ] as [TrendKind, (x: number) => number][]
    ).map(([kind, value]) => fitTrend(trend(kind), points(value))!)
    expect(equations.map(({ equation }) => equation)).toEqual([
      'y = 2x - 3',
      'y = 2e^(0.5x)',
      'y = 3ln(x) + 1',
      'y = 2x^1.5',
      'y = x² - 4x + 7',
    ])
    for (const { determination } of equations) expect(determination).toBe('R² = 1')
  })

  test('fit the points as closely as a straight line can, and report how closely', () => {
    const data: Point[] = [
      [1, 1],
      [2, 3],
      [3, 2],
      [4, 5],
    ]
    const fit = fitTrend(trend('linear'), data)!
    expect(fit.equation).toBe('y = 1.1x')
    expect(fit.determination).toBe('R² = 0.6914')
    expect(fit.curve.map(([x]) => x)).toEqual([1, 4])
    expect(fit.curve[1]![1]).toBeCloseTo(4.4, 6)
  })

  test('extend beyond the points and start where the chart says so', () => {
    const data = points((x) => 2 * x)
    expect(fitTrend(trend('linear', { forward: 2, backward: 1 }), data)!.curve.map(([x]) => x)).toEqual([0, 8])
    expect(
      fitTrend(
        trend('linear', { intercept: 0 }),
        points((x) => 2 * x + 1),
      )!.equation,
    ).toStartWith('y = 2.2308x')
  })

  test('average each point with the points before it', () => {
    const fit = fitTrend(
      trend('movingAvg', { period: 3 }),
      points((x) => x * 3, 4),
    )!
    expect(fit.curve).toEqual([
      [3, 6],
      [4, 9],
    ])
    expect(fit.equation).toBe('')
  })

  test('are left out if the points do not determine them', () => {
    expect(fitTrend(trend('linear'), [[1, 1]])).toBeUndefined()
    expect(fitTrend(trend('linear'), [])).toBeUndefined()
    expect(
      fitTrend(
        trend('movingAvg', { period: 9 }),
        points((x) => x),
      ),
    ).toBeUndefined()
    expect(
      fitTrend(
        trend('exp'),
        points(() => -1),
      ),
    ).toBeUndefined()
    const same: Point[] = [
      [2, 1],
      [2, 5],
    ]
    expect(fitTrend(trend('linear'), same)).toBeUndefined()
    const far = fitTrend(
      trend('poly', { order: 6 }),
      points((x) => 1e300 * x),
    )
    for (const [x, y] of far?.curve ?? []) expect(Number.isFinite(x) && Number.isFinite(y)).toBe(true)
  })
})

const numbers = (values: readonly number[]) =>
  `<c:numLit><c:ptCount val="${values.length}"/>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}</c:numLit>`
const axis = (kind: string, id: number, position: string) =>
  `<c:${kind}><c:axId val="${id}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="1"/><c:axPos val="${position}"/><c:crossAx val="${3 - id}"/></c:${kind}>`
const line = '<c:spPr><a:ln w="12700"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:ln></c:spPr>'

function documentOf(kind: string, inside: string, values: readonly number[], after = ''): Uint8Array {
  return chartDocument(
    chartSpace(
      `<c:chart><c:plotArea><c:layout/><c:${kind}><c:barDir val="col"/><c:grouping val="standard"/><c:ser><c:idx val="0"/><c:tx><c:v>S</c:v></c:tx>${inside}` +
        `<c:val>${numbers(values)}</c:val></c:ser><c:axId val="1"/><c:axId val="2"/></c:${kind}>${axis('catAx', 1, 'b')}${axis('valAx', 2, 'l')}</c:plotArea>${after}</c:chart>`,
    ),
  )
}
const framesOf = (docx: Uint8Array) => layoutOf(docx).pages[0]!.frames
const red = (docx: Uint8Array) => dumpPaths(framesOf(docx)).filter((path) => path.includes('stroke FF0000'))
const ends = (path: string) => [...path.matchAll(/-?[\d.]+,-?[\d.]+/g)].map(([text]) => text.split(',').map(Number))

describe('drawn in a chart', () => {
  test('a trend runs over its columns, has its name in the legend and shows its function', () => {
    const inside = `<c:trendline>${line}<c:trendlineType val="linear"/><c:dispRSqr val="1"/><c:dispEq val="1"/></c:trendline>`
    const legend = '<c:legend><c:legendPos val="b"/></c:legend>'
    const docx = documentOf('barChart', inside, [1, 2, 3], legend)
    const [key, trendPath] = red(docx)
    expect(ends(trendPath!)).toHaveLength(2)
    const [[x1, y1], [x2, y2]] = ends(trendPath!) as [[number, number], [number, number]]
    // From the middle of the first column to that of the last, rising.
    expect(x2 - x1).toBeCloseTo((192 * 2) / 3, 0)
    expect(y1).toBeGreaterThan(y2 + 40)
    expect(key).toBeDefined()
    const texts = dumpTexts(framesOf(docx)).map((text) => text.slice(text.indexOf(' ') + 1))
    expect(texts).toEqual(expect.arrayContaining(['Linear (S)', 'y = x', 'R² = 1']))
    expect(renderingOf(docx).report.some(({ path }) => path?.endsWith('c:trendline'))).toBe(false)
  })

  test('error bars are as long as the chart says, with a stroke across each end', () => {
    const bars = (inside: string) =>
      red(documentOf('lineChart', `<c:errBars><c:errDir val="y"/>${inside}${line}</c:errBars>`, [10, 10]))
    const fixed = bars('<c:errBarType val="both"/><c:errValType val="fixedVal"/><c:val val="5"/>')
    expect(fixed).toHaveLength(6)
    const [[x1, low], [x2, high]] = ends(fixed[0]!) as [[number, number], [number, number]]
    expect(x1).toBe(x2)
    const plain = bars(
      '<c:errBarType val="plus"/><c:errValType val="percentage"/><c:noEndCap val="1"/><c:val val="50"/>',
    )
    expect(plain).toHaveLength(2)
    const [[, foot], [, top]] = ends(plain[0]!) as [[number, number], [number, number]]
    expect(foot - top).toBeCloseTo((low - high) / 2, 0)
    const custom = bars(
      `<c:errBarType val="minus"/><c:errValType val="cust"/><c:noEndCap val="1"/><c:minus>${numbers([5, 0])}</c:minus>`,
    )
    expect(custom).toHaveLength(2)
    expect(Math.abs(ends(custom[0]!)[0]![1]! - ends(custom[0]!)[1]![1]!)).toBeCloseTo(foot - top, 0)
  })
})

describe('a stock chart', () => {
  const stock = (inside: string) => {
    const quiet = '<c:spPr><a:ln><a:noFill/></a:ln></c:spPr><c:marker><c:symbol val="none"/></c:marker>'
    const list = (at: number, values: readonly number[]) =>
      `<c:ser><c:idx val="${at}"/>${quiet}<c:val>${numbers(values)}</c:val></c:ser>`
    // Opened, highest, lowest, closed, on a day that rose and one that fell.
    const series = [list(0, [10, 30]), list(1, [40, 40]), list(2, [0, 10]), list(3, [30, 10])].join('')
    const chart = chartSpace(
      `<c:chart><c:plotArea><c:layout/><c:stockChart>${series}${inside}<c:axId val="1"/><c:axId val="2"/></c:stockChart>${axis('catAx', 1, 'b')}${axis('valAx', 2, 'l')}</c:plotArea></c:chart>`,
    )
    return chartDocument(chart)
  }
  const look = (fill: string) =>
    `<c:spPr><a:solidFill><a:srgbClr val="${fill}"/></a:solidFill><a:ln w="12700"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:ln></c:spPr>`

  test('has a line from the high to the low of each day', () => {
    const lines = red(stock(`<c:hiLowLines>${line}</c:hiLowLines>`)).map(ends)
    expect(lines).toHaveLength(2)
    const lengths = lines.map(([from, to]) => Math.abs(from![1]! - to![1]!))
    expect(lengths[1]! / lengths[0]!).toBeCloseTo(3 / 4, 1)
    for (const [from, to] of lines) expect(from![0]).toBe(to![0]!)
  })

  test('has bars from the open to the close of each day, which show a rise or a fall', () => {
    const bars = red(
      stock(
        `<c:upDownBars><c:gapWidth val="100"/><c:upBars>${look('00AA00')}</c:upBars><c:downBars>${look('AA0000')}</c:downBars></c:upDownBars>`,
      ),
    )
    expect(bars.map((bar) => /fill (\w+)/.exec(bar)![1])).toEqual(['00AA00', 'AA0000'])
    expect(renderingOf(stock('')).report.some(({ path }) => path?.endsWith('c:stockChart'))).toBe(false)
  })

  test('and a line chart have drop lines from the highest point to the axis', () => {
    const lines = red(stock(`<c:dropLines>${line}</c:dropLines>`)).map(ends)
    expect(lines).toHaveLength(2)
    expect(lines[0]![1]![1]).toBe(lines[1]![1]![1]!)
    expect(lines[0]![0]![1]).toBe(lines[1]![0]![1]!)
  })
})
