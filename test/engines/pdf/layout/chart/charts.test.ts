import { describe, expect, test } from 'bun:test'
import { intervalsWithin, scaleFor, ticksOf } from '../../../../../src/engines/pdf/layout/chart/scale.ts'
import { formatNumber } from '../../../../../src/engines/pdf/model/number-format.ts'
import { chartColors } from '../../../../../src/engines/pdf/read/chart/colors.ts'
import type { PaintSource } from '../../../../../src/engines/pdf/read/drawing/paint.ts'
import { chartDocument, chartSpace, dumpPaths, dumpTexts, layoutOf, renderingOf, textFrames } from '../../word.ts'

const cache = (kind: 'str' | 'num', values: readonly (string | number)[]) =>
  `<c:${kind}Ref><c:${kind}Cache>${kind === 'num' ? '<c:formatCode>General</c:formatCode>' : ''}<c:ptCount val="${values.length}"/>` +
  `${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache></c:${kind}Ref>`

const series = (index: number, values: readonly (string | number)[], inside = '') =>
  `<c:ser><c:idx val="${index}"/><c:order val="${index}"/><c:tx>${cache('str', [`S${index + 1}`])}</c:tx><c:spPr><a:solidFill><a:srgbClr val="${index}${index}0000"/></a:solidFill></c:spPr>${inside}` +
  `<c:cat>${cache(
    'str',
    values.map((_, at) => `C${at + 1}`),
  )}</c:cat><c:val>${cache('num', values)}</c:val></c:ser>`

const axes =
  '<c:catAx><c:axId val="1"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:axPos val="b"/><c:majorTickMark val="none"/><c:crossAx val="2"/></c:catAx>' +
  '<c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:axPos val="l"/><c:majorGridlines/><c:majorTickMark val="none"/><c:crossAx val="1"/></c:valAx>'
const axisIds = '<c:axId val="1"/><c:axId val="2"/>'

const space = (plot: string, around = '') =>
  chartSpace(`<c:chart>${around}<c:plotArea><c:layout/>${plot}</c:plotArea></c:chart>`)

const framesOf = (chart: string) => layoutOf(chartDocument(chart)).pages[0]!.frames
const boxes = (paths: readonly string[], color: string) =>
  paths
    .filter((path) => path.includes(`fill ${color}`))
    .map((path) => [...path.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const))
    .map((points) => {
      const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
      const [left, top] = [Math.min(...xs), Math.min(...ys)]
      return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
    })

describe('column charts', () => {
  const chart = space(
    `<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/>${series(1, [1, 2])}${series(2, [3, 4])}<c:gapWidth val="100"/>${axisIds}</c:barChart>${axes}`,
  )

  test('have titles of 18 points, or a fifth larger than the chart’s own text size', () => {
    const size = (text: string) => {
      const titled = chart.replace('<c:plotArea>', '<c:title/><c:plotArea>').replace('</c:chart>', `</c:chart>${text}`)
      return textFrames(layoutOf(chartDocument(titled)).pages[0]!).find((frame) => frame.text === 'Chart Title')?.look
        .size
    }
    expect(size('')).toBe(18)
    const stated = '<c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1000"/></a:pPr></a:p></c:txPr>'
    expect(size(stated)).toBeCloseTo(12, 5)
  })

  test('start at their axis, as high as their values, side by side', () => {
    const paths = dumpPaths(framesOf(chart))
    const [first, second] = boxes(paths, '110000')
    const [third] = boxes(paths, '220000')
    expect(second!.height / first!.height).toBeCloseTo(2, 0)
    expect(third!.height / first!.height).toBeCloseTo(3, 0)
    expect(first!.left + first!.width).toBeCloseTo(third!.left, 0)
    expect(first!.top + first!.height).toBeCloseTo(third!.top + third!.height, 0)
  })

  test('have category labels below and value labels beside, and no others', () => {
    const texts = dumpTexts(framesOf(chart)).map((line) => line.split(' ')[1])
    expect(texts.sort()).toEqual(['0', '1', '2', '3', '4', '5', 'C1', 'C2'].filter((text) => texts.includes(text)))
    expect(texts).toContain('C2')
    const place = (label: string) =>
      Number(
        dumpTexts(framesOf(chart))
          .find((line) => line.endsWith(` ${label}`))
          ?.split(',')[0],
      )
    expect(place('C1')).toBeLessThan(place('C2'))
    expect(texts).toContain('0')
  })

  test('are horizontal if the chart says bars, with the first category at the bottom', () => {
    const lying = space(
      `<c:barChart><c:barDir val="bar"/><c:grouping val="clustered"/>${series(1, [1, 2])}${axisIds}</c:barChart>${axes.replace('val="b"', 'val="x"').replace('val="l"', 'val="b"').replace('val="x"', 'val="l"')}`,
    )
    const [first, second] = boxes(dumpPaths(framesOf(lying)), '110000')
    expect(second!.width / first!.width).toBeCloseTo(2, 0)
    expect(first!.top).toBeGreaterThan(second!.top)
  })

  test('stack on each other, up to a hundred percent too', () => {
    const stacked = (grouping: string) =>
      space(
        `<c:barChart><c:barDir val="col"/><c:grouping val="${grouping}"/>${series(1, [1, 2])}${series(2, [3, 2])}<c:overlap val="100"/>${axisIds}</c:barChart>${axes}`,
      )
    const paths = dumpPaths(framesOf(stacked('stacked')))
    const [low] = boxes(paths, '110000')
    const [high] = boxes(paths, '220000')
    expect(high!.top + high!.height).toBeCloseTo(low!.top, 0)
    expect(high!.left).toBeCloseTo(low!.left, 0)
    const texts = dumpTexts(framesOf(stacked('percentStacked'))).join('\n')
    expect(texts).toContain('100%')
  })

  test('run backwards if an axis is reversed', () => {
    const reversed = chart.replace(
      '<c:axId val="1"/><c:scaling><c:orientation val="minMax"/>',
      '<c:axId val="1"/><c:scaling><c:orientation val="maxMin"/>',
    )
    const [first, second] = boxes(dumpPaths(framesOf(reversed)), '110000')
    expect(first!.left).toBeGreaterThan(second!.left)
    const hanging = chart.replace(
      '<c:axId val="2"/><c:scaling><c:orientation val="minMax"/>',
      '<c:axId val="2"/><c:scaling><c:orientation val="maxMin"/>',
    )
    const [down, further] = boxes(dumpPaths(framesOf(hanging)), '110000')
    expect(down!.top).toBeCloseTo(further!.top, 0)
    expect(further!.height).toBeGreaterThan(down!.height)
  })

  test('grow downwards from the axis below zero', () => {
    const negative = space(
      `<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/>${series(1, [2, -2])}${axisIds}</c:barChart>${axes}`,
    )
    const [up, down] = boxes(dumpPaths(framesOf(negative)), '110000')
    expect(up!.top + up!.height).toBeCloseTo(down!.top, 0)
    expect(dumpTexts(framesOf(negative)).some((text) => / -\d/.test(text))).toBe(true)
  })
})

describe('around the plot', () => {
  const plot = `<c:barChart><c:barDir val="col"/>${series(1, [1, 2])}${axisIds}</c:barChart>${axes}`
  const title =
    '<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:rPr sz="1000" b="0"/><a:t>A title</a:t></a:r></a:p></c:rich></c:tx></c:title>'

  test('the title is centred above, and the plot makes room for it', () => {
    const without = boxes(dumpPaths(framesOf(space(plot))), '110000')[0]!
    const frames = framesOf(space(plot, title))
    const [x] = dumpTexts(frames)[0]!.split(',')
    expect(dumpTexts(frames)[0]).toEndWith('A title')
    expect(Number(x)).toBeWithin(130, 145)
    expect(boxes(dumpPaths(frames), '110000')[0]!.height).toBeLessThan(without.height - 5)
  })

  test('a title without text shows the name of the only series', () => {
    expect(dumpTexts(framesOf(space(plot, '<c:title/>')))[0]).toEndWith('S2')
  })

  test('the legend names every series beside its colour', () => {
    const chart = space(plot).replace('</c:plotArea>', '</c:plotArea><c:legend><c:legendPos val="r"/></c:legend>')
    const frames = framesOf(chart)
    expect(dumpTexts(frames).some((text) => text.endsWith(' S2'))).toBe(true)
    expect(boxes(dumpPaths(frames), '110000').length).toBe(3)
  })

  test('data labels show the values in their own format', () => {
    const labels =
      '<c:dLbls><c:numFmt formatCode="0.00" sourceLinked="0"/><c:showVal val="1"/><c:showCatName val="0"/></c:dLbls>'
    const chart = space(`<c:barChart><c:barDir val="col"/>${series(1, [1, 2], labels)}${axisIds}</c:barChart>${axes}`)
    const texts = dumpTexts(framesOf(chart)).map((line) => line.split(' ')[1])
    expect(texts).toContain('1.00')
    expect(texts).toContain('2.00')
  })

  test('everything is one figure, described by its own words or by what it shows', () => {
    const described = layoutOf(chartDocument(space(plot), 'Growth')).structure.filter((node) => node.type === 'Figure')
    expect(described).toMatchObject([{ alt: 'Growth' }])
    const plain = layoutOf(chartDocument(space(plot, title))).structure.filter((node) => node.type === 'Figure')
    expect(plain).toMatchObject([{ alt: 'Column chart: A title (S2)' }])
  })
})

describe('other kinds', () => {
  test('pies have a slice for each value, each in its own colour', () => {
    const chart = space(`<c:pieChart><c:varyColors val="1"/>${series(1, [1, 1, 2])}</c:pieChart>`)
    const slices = dumpPaths(framesOf(chart)).filter((path) => path.includes('C') && path.includes('fill'))
    expect(slices.length).toBe(3)
    expect(new Set(slices.map((path) => path.slice(-6))).size).toBe(3)
  })

  test('lines can lead to a point that has its own line style', () => {
    const own =
      '<c:dPt><c:idx val="1"/><c:spPr><a:ln w="12700"><a:solidFill><a:srgbClr val="ABCDEF"/></a:solidFill></a:ln></c:spPr></c:dPt>'
    const chart = space(`<c:lineChart>${series(1, [1, 2, 3], own)}${axisIds}</c:lineChart>${axes}`)
    const segments = dumpPaths(framesOf(chart)).filter((path) => path.includes('stroke ABCDEF'))
    expect(segments).toHaveLength(1)
    expect(segments[0]!.match(/[ML]/g)).toHaveLength(2)
  })

  test('lines run through their points with markers, and break where a value is missing', () => {
    const line = (values: readonly (string | number)[]) =>
      dumpPaths(
        framesOf(
          space(
            `<c:lineChart><c:grouping val="standard"/>${series(1, values)}<c:marker val="1"/>${axisIds}</c:lineChart>${axes}`,
          ),
        ),
      ).filter((path) => /stroke .* 2\.3$/.test(path))
    expect(line([1, 2, 3]).map((path) => path.replace(/[^ML]/g, ''))).toEqual(['MLL'])
    expect(line([1, 2, '', 3, 4]).length).toBe(1)
    expect(line([1, 2, 'x', 3, 4]).map((path) => path.replace(/[^ML]/g, ''))).toEqual(['ML', 'ML'])
  })

  test('scatter points are placed by both of their values', () => {
    const points = `<c:ser><c:idx val="0"/><c:marker><c:symbol val="square"/></c:marker><c:xVal>${cache('num', [0, 10])}</c:xVal><c:yVal>${cache('num', [0, 5])}</c:yVal></c:ser>`
    const valueAxes = axes.replace('<c:catAx>', '<c:valAx>').replace('</c:catAx>', '</c:valAx>')
    const chart = space(
      `<c:scatterChart><c:scatterStyle val="lineMarker"/>${points}${axisIds}</c:scatterChart>${valueAxes}`,
    )
    const texts = dumpTexts(framesOf(chart)).map((line) => line.split(' ')[1])
    expect(texts).toContain('10')
    expect(dumpPaths(framesOf(chart)).some((path) => /^M[^L]+L[^L]+ stroke/.test(path))).toBe(true)
  })

  test('areas, doughnuts, bubbles and nets are drawn too', () => {
    for (const plot of [
      `<c:areaChart><c:grouping val="stacked"/>${series(1, [1, 2])}${axisIds}</c:areaChart>${axes}`,
      `<c:doughnutChart>${series(1, [1, 2])}</c:doughnutChart>`,
      `<c:radarChart><c:radarStyle val="filled"/>${series(1, [1, 2, 3])}${axisIds}</c:radarChart>${axes}`,
      `<c:bubbleChart><c:ser><c:idx val="0"/><c:xVal>${cache('num', [1, 2])}</c:xVal><c:yVal>${cache('num', [1, 2])}</c:yVal><c:bubbleSize>${cache('num', [1, 4])}</c:bubbleSize></c:ser>${axisIds}</c:bubbleChart>${axes.replaceAll('catAx', 'valAx')}`,
    ]) {
      expect(dumpPaths(framesOf(space(plot))).filter((path) => path.includes('fill')).length).toBeGreaterThan(1)
    }
  })

  test('a pie of a pie shows its last points in a second pie, and one slice for them in the first', () => {
    const labels = '<c:dLbls><c:showVal val="1"/><c:showPercent val="0"/></c:dLbls>'
    const pie = (inside: string) =>
      chartDocument(
        space(
          `<c:ofPieChart><c:ofPieType val="pie"/><c:varyColors val="1"/>${series(1, [6, 4, 3, 2], labels).replace(/<c:spPr>.*?<\/c:spPr>/, '')}<c:gapWidth val="100"/><c:secondPieSize val="50"/>${inside}</c:ofPieChart>`,
        ),
      )
    const texts = (docx: Uint8Array) =>
      new Map(
        dumpTexts(layoutOf(docx).pages[0]!.frames).map((line): [string, number[]] => {
          const [place = '', text = ''] = line.split(' ')
          return [text, place.split(',').map(Number)]
        }),
      )
    const found = texts(pie('<c:splitType val="pos"/><c:splitPos val="2"/>'))
    expect([...found.keys()].sort()).toEqual(['2', '3', '4', '5', '6'])
    // The slice of both is nearest to them, and both are to the right of all others.
    const x = (text: string) => found.get(text)![0]!
    expect(Math.min(x('2'), x('3'))).toBeGreaterThan(x('5'))
    expect(x('5')).toBeGreaterThan(Math.max(x('4'), x('6')))
    expect(found.get('5')![1]!).toBeCloseTo(113.4, 0)
    const count = (inside: string) =>
      dumpPaths(layoutOf(pie(inside)).pages[0]!.frames).filter((path) => path.includes('fill')).length
    const byValue = '<c:splitType val="val"/><c:splitPos val="5"/>'
    expect(texts(pie(byValue)).has('9')).toBe(true)
    expect(count(byValue)).toBe(count('<c:splitType val="pos"/><c:splitPos val="2"/>'))
    // Half a turn and more of the second pie is the third point's, to the right of the middle.
    expect(x('3')).toBeGreaterThan(x('2'))
    const both = (first: number, second: number) =>
      `<c:splitType val="cust"/><c:custSplit><c:secondPiePt val="${first}"/><c:secondPiePt val="${second}"/></c:custSplit>`
    expect(texts(pie(both(0, 1))).has('10')).toBe(true)
    expect(texts(pie('<c:splitType val="pos"/><c:splitPos val="3"/>')).has('9')).toBe(true)
    // Below a quarter of 15 are 3 and 2.
    expect(texts(pie('<c:splitType val="percent"/><c:splitPos val="25"/>')).has('5')).toBe(true)
    expect(texts(pie('<c:splitType val="percent"/><c:splitPos val="15"/>')).has('5')).toBe(false)
    expect(renderingOf(pie('')).report.some(({ path }) => path?.endsWith('c:ofPieChart'))).toBe(false)
    // Slices that are pulled out stay within the chart.
    const pulled = dumpPaths(
      layoutOf(
        chartDocument(
          space(
            `<c:ofPieChart><c:ofPieType val="bar"/><c:varyColors val="1"/>${series(1, [6, 4, 3, 2], '<c:explosion val="40"/>')}</c:ofPieChart>`,
          ),
        ),
      ).pages[0]!.frames,
    )
    const xs = pulled.flatMap((path) => [...path.matchAll(/[MLC ](-?[\d.]+),/g)].map(([, x]) => Number(x)))
    expect(Math.min(...xs)).toBeGreaterThanOrEqual(50)
    expect(Math.max(...xs)).toBeLessThanOrEqual(250)
  })

  test('a bar of a pie has its own size and distance, stacks its points and shows their share of the whole', () => {
    const chart = (inside: string, values = [6, 4, 3, 2]) =>
      framesOf(
        space(
          `<c:ofPieChart><c:ofPieType val="bar"/><c:varyColors val="1"/>${series(1, values, '<c:dLbls><c:showPercent val="1"/></c:dLbls>').replace(/<c:spPr>.*?<\/c:spPr>/, '')}${inside}</c:ofPieChart>`,
        ),
      )
    const shape = (gap: number, size: number) => {
      const paths = dumpPaths(chart(`<c:gapWidth val="${gap}"/><c:secondPieSize val="${size}"/>`))
      const [upper, lower] = [boxes(paths, '9BBB59')[0]!, boxes(paths, '8064A2')[0]!]
      const middle = Number(/L(-?[\d.]+),\S+ Z fill 4F81BD/.exec(paths.join('|'))![1])
      return { upper, lower, away: (upper.left - middle) / upper.width }
    }
    const { upper, lower, away } = shape(100, 50)
    expect(upper.height / lower.height).toBeCloseTo(3 / 2, 1)
    expect([lower.left, lower.top]).toEqual([upper.left, upper.top + upper.height])
    expect((upper.height + lower.height) / upper.width).toBeCloseTo(2, 1)
    // In radii of the pie it is half one wide, and one and half a gap away.
    expect(away).toBeCloseTo(3, 1)
    expect(shape(200, 50).away).toBeCloseTo(4, 1)
    expect(shape(100, 100).away).toBeCloseTo(2, 1)
    const told = dumpTexts(chart('')).map((text) => text.split(' ')[1])
    expect(told.sort()).toEqual(['13%', '20%', '27%', '33%', '40%'])
    // Where nothing is said, a third of the points: 3 and 1 of 25.
    expect(dumpTexts(chart('', [9, 7, 5, 3, 1])).map((text) => text.split(' ')[1])).toContain('16%')
    const strokes = (inside: string) =>
      dumpPaths(chart(inside)).filter((path) => path.includes(' stroke 000000')).length
    expect(strokes('<c:serLines/>')).toBe(strokes('') + 2)
  })

  test('a simplified chart is reported, and an unreadable one becomes a labelled box', () => {
    const isReported = (kind: string) =>
      renderingOf(chartDocument(space(`<${kind}>${series(1, [1])}${axisIds}</${kind}>${axes}`))).report.some(
        (finding) => finding.path === `word/charts/chart1.xml#${kind}`,
      )
    const kinds = ['c:area3DChart', 'c:line3DChart', 'c:surfaceChart', 'c:surface3DChart', 'c:bar3DChart']
    expect(kinds.filter(isReported)).toEqual(kinds.slice(0, 4))
    const none = chartDocument('<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"/>')
    expect(renderingOf(none).report.some((finding) => finding.path === 'word/document.xml#c:chart')).toBe(true)
    expect(dumpTexts(layoutOf(none).pages[0]!.frames)[0]).toEndWith('c:chart')
  })
})

describe('colours', () => {
  const source = {
    theme: { colors: new Map([['accent1', '336699']]) },
    partOf: () => undefined,
  } as unknown as PaintSource
  const colors = (style: number | undefined, count: number) => {
    const found = chartColors(style, count, source)
    return Array.from({ length: count }, (_, at) => found.color(at))
  }

  test('are the theme’s accents, with darker and lighter ones for further series', () => {
    expect(colors(undefined, 2)).toEqual(['336699', 'C0504D'])
    const [first, , , , , , seventh] = colors(2, 7)
    const light = (color: string) => Number.parseInt(color.slice(2, 4), 16)
    expect(light(first!)).toBeLessThan(light('336699'))
    expect(light(seventh!)).toBeGreaterThan(light('336699'))
  })

  test('of a style with one accent run from its shades to its tints', () => {
    const [dark, own, pale] = colors(3, 3)
    expect(own).toBe('336699')
    expect(Number.parseInt(dark!.slice(0, 2), 16)).toBeLessThan(0x33)
    expect(Number.parseInt(pale!.slice(0, 2), 16)).toBeGreaterThan(0x33)
    expect(colors(11, 1)).toEqual(['336699'])
    expect(new Set(colors(1, 3).map((color) => color.slice(0, 2) === color.slice(4)))).toEqual(new Set([true]))
    expect(colors(999, 2)).toEqual(colors(2, 2))
    expect(colors(4, 1)).toEqual(['C0504D'])
    // On the dark ground of the last row the first gray is nearly white.
    expect(colors(41, 1)[0]! > colors(1, 1)[0]!).toBe(true)
  })

  test('come with thin lines in the first row of styles and thick lines in the fourth', () => {
    expect([2, 10, 26, 42].map((style) => chartColors(style, 1, source).lineWidth)).toEqual([2.25, 3.75, 5.25, 3.75])
  })

  test('follow the style that the chart names, old or new', () => {
    const plot = `<c:barChart><c:barDir val="col"/>${series(1, [1, 2]).replace(/<c:spPr>.*?<\/c:spPr>/, '')}${axisIds}</c:barChart>${axes}`
    const fills = (style: string) =>
      dumpPaths(framesOf(space(plot).replace('<c:chart>', `${style}<c:chart>`))).flatMap((path) =>
        path.includes('stroke') ? [] : [path.slice(-6)],
      )
    const older = fills('<c:style val="8"/>')
    expect(older).toHaveLength(2)
    // The second of two series is the second accent as it is.
    expect(fills('')).toEqual(['C0504D', 'C0504D'])
    expect(older).not.toEqual(fills(''))
    const newer = '<mc:AlternateContent><mc:Fallback><c:style val="8"/></mc:Fallback></mc:AlternateContent>'
    expect(fills(newer)).toEqual(older)
    const points = (style: string) =>
      dumpPaths(
        framesOf(
          space(
            `<c:pieChart><c:varyColors val="1"/>${series(0, [1, 2]).replace(/<c:spPr>.*?<\/c:spPr>/, '')}</c:pieChart>`,
          ).replace('<c:chart>', `${style}<c:chart>`),
        ),
      ).map((path) => /fill (\w+)/.exec(path)?.[1])
    expect(points('')).toContain('C0504D')
    expect(points('<c:style val="8"/>')).not.toContain('C0504D')
  })
})

describe('scales', () => {
  const wish = { intervals: 10, fromZero: true, clear: true, isPercent: false }
  const scale = (min: number, max: number, stated: Partial<typeof wish> = {}) => {
    const found = scaleFor({ min, max }, undefined, { ...wish, ...stated })
    return [found.min, found.max, found.step]
  }

  test('start at zero unless values are close to each other, and leave room above', () => {
    expect(scale(1.8, 5)).toEqual([0, 6, 1])
    expect(scale(0, 12.3)).toEqual([0, 14, 2])
    // Half of the range of close values is seen below them.
    expect(scale(95, 100)).toEqual([92, 101, 1])
    expect(scale(-3, 4)).toEqual([-4, 5, 1])
    expect(scale(-12.3, 0)).toEqual([-14, 0, 2])
  })

  test('of depth and of shares end where their values do, and scales across need not start at zero', () => {
    expect(scale(0, 44)).toEqual([0, 50, 5])
    expect(scale(0, 44, { clear: false })).toEqual([0, 45, 5])
    expect(scale(0, 1, { isPercent: true })).toEqual([0, 1, 0.1])
    expect(scale(0.7, 2.6, { fromZero: false })).toEqual([0.5, 3, 0.5])
  })

  test('have no more intervals than fit', () => {
    expect(scale(0, 14.4, { intervals: 8 })).toEqual([0, 16, 2])
    expect(scale(0, 14.4, { intervals: 7 })).toEqual([0, 20, 5])
    expect(scale(0, 1, { isPercent: true, intervals: 4 })).toEqual([0, 1, 0.5])
    expect(intervalsWithin(3.9)).toBe(3)
    expect(intervalsWithin(0.5)).toBe(2)
    expect(intervalsWithin(40)).toBe(10)
  })

  test('have a bounded number of ticks for any values', () => {
    for (const [min, max] of [
      [0, 1e300],
      [-1e-300, 1e-300],
      [5, 5],
      [0, 0],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      [1e15, 1e15 + 1],
    ] as const) {
      const ticks = ticksOf(scaleFor({ min, max }, undefined, wish))
      expect(ticks.length).toBeWithin(2, 1_001)
      expect(ticks.every((tick) => Number.isFinite(tick))).toBe(true)
    }
  })
})

describe('number formats', () => {
  test('show numbers, percentages, thousands, literals, sections and exponents', () => {
    expect(formatNumber(4.4000000000000004, 'General')).toBe('4.4')
    expect(formatNumber(1234567.891, '#,##0.00')).toBe('1,234,567.89')
    expect(formatNumber(0.256, '0%')).toBe('26%')
    expect(formatNumber(-5, '0;(0)')).toBe('(5)')
    expect(formatNumber(5, '"EUR" 0.0')).toBe('EUR 5.0')
    expect(formatNumber(1_500_000, '0.0,,"M"')).toBe('1.5M')
    expect(formatNumber(12_345, '0.00E+00')).toBe('1.23E+04')
    expect(formatNumber(-0.001, '0')).toBe('0')
  })

  test('count dates from 1900', () => {
    expect(formatNumber(37_261, 'm/d/yyyy')).toBe('1/5/2002')
    expect(formatNumber(45_000.5, 'yyyy-mm-dd hh:mm')).toBe('2023-03-15 12:00')
    expect(formatNumber(1, 'd mmm yy')).toBe('1 Jan 00')
  })

  test('accept nonsense codes without harm', () => {
    for (const code of ['"', '[', '\\', '0'.repeat(10_000), '#'.repeat(300), 'E+', '%%%%%%', ',,,,,,,,,', '_', '*'])
      expect(typeof formatNumber(1_234.5, code)).toBe('string')
  })
})

describe('hostile charts', () => {
  test('draw the first of a million points and report the rest', () => {
    const point = (index: number) => `<c:pt idx="${index}"><c:v>${index % 7}</c:v></c:pt>`
    const points = Array.from({ length: 120_000 }, (_, index) => point(index)).join('')
    const huge = `<c:ser><c:idx val="0"/><c:val><c:numRef><c:numCache><c:ptCount val="4000000000"/>${points}</c:numCache></c:numRef></c:val></c:ser>`
    const { report, pages } = renderingOf(chartDocument(space(`<c:lineChart>${huge}${axisIds}</c:lineChart>${axes}`)))
    expect(pages).toBe(1)
    expect(report.some((finding) => finding.code === 'render.chart_points')).toBe(true)
  })

  test('leave a readable page if their numbers and references mean nothing', () => {
    for (const value of ['NaN', '1e999', '-1e999', '', 'x', '99999999999999999999']) {
      const broken = space(
        `<c:barChart><c:barDir val="${value}"/>${series(1, [value, value])}<c:gapWidth val="${value}"/><c:overlap val="${value}"/>${axisIds}</c:barChart>` +
          `<c:catAx><c:axId val="1"/><c:crossAx val="1"/><c:crossesAt val="${value}"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling><c:min val="${value}"/><c:max val="${value}"/><c:logBase val="${value}"/></c:scaling><c:majorUnit val="${value}"/></c:valAx>`,
        `<c:title><c:layout><c:manualLayout><c:x val="${value}"/><c:y val="${value}"/></c:manualLayout></c:layout></c:title>`,
      )
      const { pdf } = renderingOf(chartDocument(broken))
      expect(Buffer.from(pdf).toString('latin1')).not.toContain('NaN')
    }
  })

  test('get only as many ticks as can be drawn on an axis of millions of steps', () => {
    const fine = axes.replace('<c:crossAx val="1"/>', '<c:majorUnit val="0.0000001"/><c:crossAx val="1"/>')
    const frames = framesOf(space(`<c:barChart>${series(1, [1, 2])}${axisIds}</c:barChart>${fine}`))
    expect(dumpPaths(frames).length).toBeLessThan(2_500)
  })
})
