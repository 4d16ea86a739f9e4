import { describe, expect, test } from 'bun:test'
import {
  ASCENT,
  axis,
  blue,
  cache,
  DIGIT,
  data,
  drawn,
  green,
  hidden,
  hiddenAxes,
  ids,
  LINE,
  labels,
  look,
  noSign,
  paintedIn,
  placesOf,
  points,
  range,
  red,
  series,
  tenths,
  valueAxes,
  widthOf,
} from './made-charts.ts'

/* Two categories have their middles at 125 and 175, three at 116.7, 150 and 183.3; a unit is 6 pt upwards from 140. */
const quiet = look() + noSign
const lineChart = (content: string, inside = '', axes = hiddenAxes, grouping = 'standard') =>
  drawn(`<c:lineChart><c:grouping val="${grouping}"/>${content}${inside}${ids}</c:lineChart>${axes}`)

describe('what joins the series of a line chart', () => {
  const four = [
    [3, 8],
    [6, 9],
    [1, 2],
    [5, 4],
  ]
  const stock = (inside: string) => lineChart(four.map((list, at) => series(at, data(list), quiet)).join(''), inside)

  test('are lines from the lowest to the highest point of each category', () => {
    expect(paintedIn(stock(`<c:hiLowLines>${look(undefined, red)}</c:hiLowLines>`).paths, red)).toEqual([
      'M125,134 L125,104',
      'M175,128 L175,86',
    ])
  })

  test('are lines from the highest point down to zero', () => {
    const drops = `<c:dropLines>${look(undefined, red)}</c:dropLines>`
    expect(paintedIn(stock(drops).paths, red)).toEqual(['M125,104 L125,140', 'M175,86 L175,140'])
    // Zero is beyond the lower end of the axis: the line ends there.
    const above = axis('catAx', 1, 'b', hidden) + axis('valAx', 2, 'l', hidden, range(4, 10))
    expect(paintedIn(lineChart(series(0, data([7]), quiet), drops, above).paths, red)).toEqual(['M150,110 L150,140'])
    expect(paintedIn(lineChart(series(0, data([12]), quiet), drops).paths, red)).toEqual(['M150,80 L150,140'])
  })

  test('are bars from the first series to the last, as wide as their gap leaves', () => {
    const bars = (gap: string) => {
      const { paths } = stock(
        `<c:upDownBars>${gap}<c:upBars>${look(green)}</c:upBars><c:downBars>${look(blue)}</c:downBars></c:upDownBars>`,
      )
      return [paintedIn(paths, green), paintedIn(paths, blue)]
    }
    expect(bars('<c:gapWidth val="100"/>')).toEqual([
      ['M112.5,110 L137.5,110 L137.5,122 L112.5,122 Z'],
      ['M162.5,92 L187.5,92 L187.5,116 L162.5,116 Z'],
    ])
    expect(bars('<c:gapWidth val="300"/>')[0]).toEqual(['M118.8,110 L131.3,110 L131.3,122 L118.8,122 Z'])
    // Where nothing is said, the gap is one and a half bars.
    expect(bars('')[0]).toEqual(['M115,110 L135,110 L135,122 L115,122 Z'])
  })

  test('are left out for categories without a value, and a single series has no bars', () => {
    const joins = `<c:dropLines>${look(undefined, red)}</c:dropLines><c:upDownBars><c:upBars>${look(green)}</c:upBars></c:upDownBars>`
    const some = lineChart(series(0, data(['', 5]), quiet), joins)
    expect([paintedIn(some.paths, red), paintedIn(some.paths, green)]).toEqual([['M175,110 L175,140'], []])
    const first = lineChart(series(0, data(['', 5]), quiet) + series(1, data([5, 6]), quiet), joins)
    expect([paintedIn(first.paths, red), paintedIn(first.paths, green).length]).toEqual([
      ['M125,110 L125,140', 'M175,104 L175,140'],
      1,
    ])
  })

  test('of equal ends counts as a rise', () => {
    const even = lineChart(
      series(0, data([5]), quiet) + series(1, data([5]), quiet),
      `<c:upDownBars><c:upBars>${look(undefined, green)}</c:upBars><c:downBars>${look(undefined, blue)}</c:downBars></c:upDownBars>`,
    )
    expect([paintedIn(even.paths, green).length, paintedIn(even.paths, blue).length]).toEqual([1, 0])
  })
})

describe('a line', () => {
  const line = look(undefined, red) + noSign

  test('adds to the lines below it where they are stacked, in all or in shares', () => {
    const two = series(0, data([2, 1]), line) + series(1, data([2, 3]), line)
    expect(paintedIn(lineChart(two, '', hiddenAxes, 'stacked').paths, red)).toEqual([
      'M125,128 L175,134',
      'M125,116 L175,116',
    ])
    const shares = axis('catAx', 1, 'b', hidden) + axis('valAx', 2, 'l', hidden, range(0, 1))
    expect(paintedIn(lineChart(two, '', shares, 'percentStacked').paths, red)).toEqual([
      'M125,110 L175,125',
      'M125,80 L175,80',
    ])
  })

  test('is broken where a value is missing, and a single point has none', () => {
    expect(paintedIn(lineChart(series(0, data([2, 4, '', 6, '', 8, 8]), line)).paths, red)).toHaveLength(2)
    expect(paintedIn(lineChart(series(0, data([2, '', 4]), line)).paths, red)).toEqual([])
  })

  test('has parts that lead to a point with a line of its own, unless it is smooth', () => {
    const own = (inside: string, at = 1) =>
      paintedIn(
        lineChart(series(0, data([2, 4, 6]), `${line}<c:dPt><c:idx val="${at}"/>${inside}</c:dPt>`)).paths,
        green,
      )
    expect(own(look(undefined, green))).toEqual(['M116.7,128 L150,116'])
    expect(own(look(undefined, green), 0)).toEqual([])
    const smooth = lineChart(
      series(0, data([2, 4, 6]), `${line}<c:dPt><c:idx val="1"/>${look(undefined, green)}</c:dPt>`).replace(
        '</c:ser>',
        '<c:smooth val="1"/></c:ser>',
      ),
    )
    expect(paintedIn(smooth.paths, green)).toEqual([])
  })

  test('joins scattered points in their order, which count from one where nothing says where they are', () => {
    const scatter = (values: string) =>
      paintedIn(
        drawn(
          `<c:scatterChart><c:scatterStyle val="lineMarker"/>${series(0, values, line)}${ids}</c:scatterChart>${valueAxes}`,
        ).paths,
        red,
      )
    expect(scatter(points([8, 2, 5], [1, 5, 9]))).toEqual(['M180,134 L120,110 L150,86'])
    expect(scatter(`<c:yVal>${cache('num', [1, 5, 9])}</c:yVal>`)).toEqual(['M110,134 L120,110 L130,86'])
    expect(
      scatter(`<c:xVal>${cache('num', [8, 2, 5, 4])}</c:xVal><c:yVal>${cache('num', [1, 5, '', 9])}</c:yVal>`),
    ).toEqual(['M180,134 L120,110'])
  })
})

describe('areas', () => {
  const area = (grouping: string, ...lists: (number | '')[][]) =>
    drawn(
      `<c:areaChart><c:grouping val="${grouping}"/>${lists.map((list, at) => series(at, data(list), look([red, blue][at]) + labels('<c:showVal val="1"/>'))).join('')}${ids}</c:areaChart>${hiddenAxes}`,
    )

  test('reach from zero to their values, or from the area below, and never out of the plot', () => {
    expect(paintedIn(area('standard', [2, 4]).paths, red)).toEqual(['M125,128 L175,116 L175,140 L125,140 Z'])
    expect(paintedIn(area('standard', [2, 14]).paths, red)).toEqual(['M125,128 L175,80 L175,140 L125,140 Z'])
    expect(paintedIn(area('standard', [2, '', 4]).paths, red)).toEqual([
      'M116.7,128 L150,140 L183.3,116 L183.3,140 L150,140 L116.7,140 Z',
    ])
    expect(paintedIn(area('stacked', [2, 4], [6, 2]).paths, blue)).toEqual(['M125,92 L175,104 L175,116 L125,128 Z'])
  })

  test('have labels in the middle of their height, for the points that have a value', () => {
    const { texts } = area('standard', [2, '', 4])
    const label = (x: number, y: number) => tenths(x - DIGIT / 2, y - LINE / 2 + ASCENT)
    expect(placesOf(texts)).toEqual({ 2: label(100 + 100 / 6, 134), 4: label(100 + 500 / 6, 128) })
  })
})

describe('error bars', () => {
  const errors = (inside: string, direction = 'y') =>
    `<c:errBars><c:errDir val="${direction}"/>${inside}${look(undefined, red)}</c:errBars>`
  const fixed = (type: string, value = 1) =>
    `<c:errBarType val="${type}"/><c:errValType val="fixedVal"/><c:val val="${value}"/>`
  const bars = (direction: string, grouping: string, ...lists: number[][]) =>
    drawn(
      `<c:barChart><c:barDir val="${direction}"/><c:grouping val="${grouping}"/>${lists.map((list, at) => series(at, data(list), look(blue) + errors(fixed('both')))).join('')}<c:gapWidth val="100"/>${grouping === 'stacked' ? '<c:overlap val="100"/>' : ''}${ids}</c:barChart>` +
        (direction === 'col'
          ? hiddenAxes
          : axis('catAx', 1, 'l', hidden) + axis('valAx', 2, 'b', hidden, range(0, 10))),
    ).paths

  test('are in the middle of each column, with strokes of 5 pt across their ends', () => {
    // Two columns and a gap of one on 100 pt.
    expect(paintedIn(bars('col', 'clustered', [4], [8]), red)).toEqual([
      'M133.3,122 L133.3,110',
      'M130.8,122 L135.8,122',
      'M130.8,110 L135.8,110',
      'M166.7,98 L166.7,86',
      'M164.2,98 L169.2,98',
      'M164.2,86 L169.2,86',
    ])
  })

  test('lie where the bars do', () => {
    expect(paintedIn(bars('bar', 'clustered', [4]), red)).toEqual([
      'M130,110 L150,110',
      'M130,107.5 L130,112.5',
      'M150,107.5 L150,112.5',
    ])
  })

  test('are at the end of each part of a stack', () => {
    expect(paintedIn(bars('col', 'stacked', [2], [5]), red).filter((path) => path.startsWith('M150'))).toEqual([
      'M150,134 L150,122',
      'M150,104 L150,92',
    ])
  })

  test('have strokes only at the ends that they have', () => {
    const scatter = (inside: string, direction: string) =>
      paintedIn(
        drawn(
          `<c:scatterChart><c:scatterStyle val="lineMarker"/>${series(0, points([4], [5]), quiet + errors(inside, direction))}${ids}</c:scatterChart>${valueAxes}`,
        ).paths,
        red,
      )
    expect(scatter(fixed('plus'), 'y')).toEqual(['M140,110 L140,104', 'M137.5,104 L142.5,104'])
    expect(scatter(fixed('minus'), 'y')).toEqual(['M140,116 L140,110', 'M137.5,116 L142.5,116'])
    expect(scatter(fixed('both', 2), 'x')).toEqual([
      'M120,110 L160,110',
      'M120,107.5 L120,112.5',
      'M160,107.5 L160,112.5',
    ])
    expect(scatter(`${fixed('both')}<c:noEndCap val="1"/>`, 'x')).toEqual(['M130,110 L150,110'])
  })

  test('are cut at the edge of the plot, and missing where there is no value', () => {
    const { frames, paths } = lineChart(
      series(0, data([9, '', 5]), quiet + errors(`${fixed('plus', 3)}<c:noEndCap val="1"/>`)),
    )
    expect(paintedIn(paths, red)).toEqual(['M116.7,86 L116.7,68', 'M183.3,110 L183.3,92'])
    expect(JSON.stringify(frames)).toContain('"kind":"clip","x":50,"y":30,"width":100,"height":60')
  })

  test('of a single value have no deviation, and a stated one none beyond those listed', () => {
    const only = (inside: string, list: number[]) =>
      paintedIn(
        lineChart(series(0, data(list), quiet + errors(`<c:errBarType val="both"/>${inside}<c:noEndCap val="1"/>`)))
          .paths,
        red,
      )
    expect(only('<c:errValType val="stdDev"/><c:val val="1"/>', [5])).toEqual(['M150,110 L150,110'])
    expect(only('<c:errValType val="stdErr"/>', [5])).toEqual(['M150,110 L150,110'])
    expect(
      only(
        `<c:errValType val="cust"/><c:plus>${cache('num', [1])}</c:plus><c:minus>${cache('num', [-2])}</c:minus>`,
        [5, 5],
      ),
    ).toEqual(['M125,122 L125,104', 'M175,110 L175,110'])
    expect(only('<c:errValType val="percentage"/><c:val val="40"/>', [5, -5])[0]).toBe('M125,122 L125,98')
  })
})

describe('a trend', () => {
  const trend = (inside: string, kind = 'linear') =>
    `<c:trendline>${look(undefined, red)}<c:trendlineType val="${kind}"/>${inside}</c:trendline>`
  const said = '<c:dispRSqr val="1"/><c:dispEq val="1"/>'
  const scatter = (inside: string, x: readonly number[] = [1, 5, 9], y: readonly number[] = [2, 4, 6]) =>
    drawn(
      `<c:scatterChart><c:scatterStyle val="lineMarker"/>${series(0, points(x, y), quiet + inside)}${ids}</c:scatterChart>${valueAxes}`,
    )

  test('over columns and lines counts the categories from one', () => {
    const columns = drawn(
      `<c:barChart><c:barDir val="col"/>${series(0, data([2, 4, 6]), look(blue) + trend(''))}${ids}</c:barChart>${hiddenAxes}`,
    )
    expect(paintedIn(columns.paths, red)).toEqual(['M116.7,128 L183.3,104'])
    expect(paintedIn(lineChart(series(0, data([2, '', 6]), quiet + trend(''))).paths, red)).toEqual([
      'M116.7,128 L183.3,104',
    ])
    const lying = drawn(
      `<c:barChart><c:barDir val="bar"/>${series(0, data([2, 4, 6]), look(blue) + trend(''))}${ids}</c:barChart>${axis('catAx', 1, 'l', hidden)}${axis('valAx', 2, 'b', hidden, range(0, 10))}`,
    )
    expect(paintedIn(lying.paths, red)).toEqual(['M120,130 L160,90'])
  })

  test('of what is stacked is not drawn', () => {
    const stacked = series(0, data([2, 4, 6]), look(undefined, blue) + trend(''))
    expect(paintedIn(lineChart(stacked, '', hiddenAxes, 'stacked').paths, red)).toEqual([])
    expect(paintedIn(lineChart(stacked).paths, red)).toHaveLength(1)
  })

  test('without a line has its equation alone, and one of an average neither', () => {
    const none = scatter(`<c:trendline>${look()}<c:trendlineType val="linear"/><c:dispEq val="1"/></c:trendline>`)
    expect([none.paths, none.texts.map((text) => text.replace(/^\S+ /, ''))]).toEqual([[], ['y = 0.5x + 1.5']])
    const average = scatter(trend(`<c:period val="2"/>${said}`, 'movingAvg'))
    expect([paintedIn(average.paths, red), average.texts]).toEqual([['M150,122 L190,110'], []])
    // An average of all points is one of them, which makes no line.
    expect(paintedIn(scatter(trend('<c:period val="3"/>', 'movingAvg')).paths, red)).toEqual([])
  })

  test('has its function and how well it fits above its end, and both within the plot', () => {
    const low = scatter(trend(said), [1, 5, 9], [2, 2.5, 3])
    const [equation, fit] = Object.values(placesOf(low.texts))
    // Its end is at (190, 122): two lines end 3 pt above it, and the longer one there.
    const width = widthOf('y = 0.125x + 1.875')
    expect(equation).toEqual([expect.closeTo(190 - width, 0), expect.closeTo(122 - 3 - 2 * LINE + ASCENT, 0)])
    const shorter = 190 - width / 2 - widthOf('R² = 1') / 2
    expect(fit).toEqual([expect.closeTo(shorter, 0), expect.closeTo(122 - 3 - LINE + ASCENT, 0)])
    const top = scatter(trend('<c:dispEq val="1"/>'), [1, 5, 9], [1, 5, 9])
    expect(top.texts).toHaveLength(1)
    // It would begin at 80 + 6 - 14.25: the plot begins at 80.
    expect(Number(top.texts[0]?.split(' ')[0]?.split(',')[1])).toBeCloseTo(80 + ASCENT, 1)
    // Beyond the right and the lower edge, the label stays inside of them.
    const beyond = scatter(trend('<c:forward val="3"/><c:dispEq val="1"/>'), [1, 5, 9], [9, 5, 1])
    expect(Number(beyond.texts[0]?.split(' ')[0]?.split(',')[1])).toBeCloseTo(140 - 3 - LINE + ASCENT, 0)
    const left = scatter(trend('<c:dispEq val="1"/>'), [0.1, 0.2, 0.3], [2, 4, 6])
    expect(Number(left.texts[0]?.split(',')[0])).toBe(100)
  })

  test('is cut at the edge of the plot', () => {
    const { frames } = scatter(trend('<c:forward val="30"/>'))
    expect(JSON.stringify(frames)).toContain('"kind":"clip","x":50,"y":30,"width":100,"height":60')
    expect(JSON.stringify(scatter('').frames)).not.toContain('"clip","x":50,"y":30')
  })
})
