import { describe, expect, test } from 'bun:test'
import { formatNumber } from '../../../src/engines/pdf/chart/number-format.ts'
import { scaleFor, ticksOf } from '../../../src/engines/pdf/chart/scale.ts'
import { dumpPaths, dumpTexts, layoutOf, namespaces, renderingOf, wordDocument } from './word.ts'

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
  `<c:chartSpace ${namespaces}><c:chart>${around}<c:plotArea><c:layout/>${plot}</c:plotArea></c:chart></c:chartSpace>`

/** A chart of 200 × 120 pt whose upper left is at 50, 50. */
function document(chart: string, alt = ''): Uint8Array {
  const drawing =
    `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="2540000" cy="1524000"/><wp:docPr id="1" name="c" descr="${alt}"/><a:graphic><a:graphicData uri="x">` +
    '<c:chart r:id="chart"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
  return wordDocument(drawing, {
    others: { 'charts/chart1.xml': chart },
    extraRelationships:
      '<Relationship Id="chart" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart" Target="charts/chart1.xml"/>',
  })
}

const framesOf = (chart: string) => layoutOf(document(chart)).pages[0]!.frames
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

  test('stand on their axis, as high as their values, side by side', () => {
    const paths = dumpPaths(framesOf(chart))
    const [first, second] = boxes(paths, '110000')
    const [third] = boxes(paths, '220000')
    expect(second!.height / first!.height).toBeCloseTo(2, 0)
    expect(third!.height / first!.height).toBeCloseTo(3, 0)
    expect(first!.left + first!.width).toBeCloseTo(third!.left, 0)
    expect(first!.top + first!.height).toBeCloseTo(third!.top + third!.height, 0)
  })

  test('have labels of their categories below and of their values beside, and no more', () => {
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

  test('lie where the chart says bars, the first category at the bottom', () => {
    const lying = space(
      `<c:barChart><c:barDir val="bar"/><c:grouping val="clustered"/>${series(1, [1, 2])}${axisIds}</c:barChart>${axes.replace('val="b"', 'val="x"').replace('val="l"', 'val="b"').replace('val="x"', 'val="l"')}`,
    )
    const [first, second] = boxes(dumpPaths(framesOf(lying)), '110000')
    expect(second!.width / first!.width).toBeCloseTo(2, 0)
    expect(first!.top).toBeGreaterThan(second!.top)
  })

  test('stack on each other, and to a hundred percent', () => {
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

  test('run backwards where an axis is reversed', () => {
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

  test('below zero grow downwards from the axis', () => {
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

  test('the title stands in the middle above, and the plot makes room for it', () => {
    const without = boxes(dumpPaths(framesOf(space(plot))), '110000')[0]!
    const frames = framesOf(space(plot, title))
    const [x] = dumpTexts(frames)[0]!.split(',')
    expect(dumpTexts(frames)[0]).toEndWith('A title')
    expect(Number(x)).toBeWithin(130, 145)
    expect(boxes(dumpPaths(frames), '110000')[0]!.height).toBeLessThan(without.height - 5)
  })

  test('a title without text is the name of the only series', () => {
    expect(dumpTexts(framesOf(space(plot, '<c:title/>')))[0]).toEndWith('S2')
  })

  test('the legend names every series beside its colour', () => {
    const chart = space(plot).replace('</c:plotArea>', '</c:plotArea><c:legend><c:legendPos val="r"/></c:legend>')
    const frames = framesOf(chart)
    expect(dumpTexts(frames).some((text) => text.endsWith(' S2'))).toBe(true)
    expect(boxes(dumpPaths(frames), '110000').length).toBe(3)
  })

  test('data labels show the values, in the format that they state', () => {
    const labels =
      '<c:dLbls><c:numFmt formatCode="0.00" sourceLinked="0"/><c:showVal val="1"/><c:showCatName val="0"/></c:dLbls>'
    const chart = space(`<c:barChart><c:barDir val="col"/>${series(1, [1, 2], labels)}${axisIds}</c:barChart>${axes}`)
    const texts = dumpTexts(framesOf(chart)).map((line) => line.split(' ')[1])
    expect(texts).toContain('1.00')
    expect(texts).toContain('2.00')
  })

  test('all of it is one figure, described by its own words or by what it shows', () => {
    const described = layoutOf(document(space(plot), 'Growth')).structure.filter((node) => node.type === 'Figure')
    expect(described).toMatchObject([{ alt: 'Growth' }])
    const plain = layoutOf(document(space(plot, title))).structure.filter((node) => node.type === 'Figure')
    expect(plain).toMatchObject([{ alt: 'Column chart: A title (S2)' }])
  })
})

describe('other kinds', () => {
  test('pies have a slice for each value, in colours of their own', () => {
    const chart = space(`<c:pieChart><c:varyColors val="1"/>${series(1, [1, 1, 2])}</c:pieChart>`)
    const slices = dumpPaths(framesOf(chart)).filter((path) => path.includes('C') && path.includes('fill'))
    expect(slices.length).toBe(3)
    expect(new Set(slices.map((path) => path.slice(-6))).size).toBe(3)
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

  test('scattered points stand by both of their values', () => {
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

  test('what is drawn as something simpler is reported, and what is no chart is a labelled box', () => {
    const solid = renderingOf(document(space(`<c:bar3DChart>${series(1, [1])}${axisIds}</c:bar3DChart>${axes}`)))
    expect(solid.report.some((finding) => finding.path === 'word/charts/chart1.xml#c:bar3DChart')).toBe(true)
    const none = document('<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"/>')
    expect(renderingOf(none).report.some((finding) => finding.path === 'word/document.xml#c:chart')).toBe(true)
    expect(dumpTexts(layoutOf(none).pages[0]!.frames)[0]).toEndWith('c:chart')
  })
})

describe('scales', () => {
  const scale = (min: number, max: number) => {
    const found = scaleFor({ min, max }, undefined, false)
    return [found.min, found.max, found.step]
  }

  test('begin at zero unless values are close to each other, and leave room above', () => {
    expect(scale(1.8, 5)).toEqual([0, 6, 1])
    expect(scale(0, 12.3)).toEqual([0, 14, 2])
    expect(scale(95, 100)).toEqual([94, 101, 1])
    expect(scale(-3, 4)).toEqual([-4, 5, 1])
  })

  test('have a bounded number of ticks whatever the values are', () => {
    for (const [min, max] of [
      [0, 1e300],
      [-1e-300, 1e-300],
      [5, 5],
      [0, 0],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      [1e15, 1e15 + 1],
    ] as const) {
      const ticks = ticksOf(scaleFor({ min, max }, undefined, false))
      expect(ticks.length).toBeWithin(2, 1_001)
      expect(ticks.every((tick) => Number.isFinite(tick))).toBe(true)
    }
  })
})

describe('number formats', () => {
  test('numbers, percentages, thousands, literals, sections and exponents', () => {
    expect(formatNumber(4.4000000000000004, 'General')).toBe('4.4')
    expect(formatNumber(1234567.891, '#,##0.00')).toBe('1,234,567.89')
    expect(formatNumber(0.256, '0%')).toBe('26%')
    expect(formatNumber(-5, '0;(0)')).toBe('(5)')
    expect(formatNumber(5, '"EUR" 0.0')).toBe('EUR 5.0')
    expect(formatNumber(1_500_000, '0.0,,"M"')).toBe('1.5M')
    expect(formatNumber(12_345, '0.00E+00')).toBe('1.23E+04')
    expect(formatNumber(-0.001, '0')).toBe('0')
  })

  test('dates count from 1900', () => {
    expect(formatNumber(37_261, 'm/d/yyyy')).toBe('1/5/2002')
    expect(formatNumber(45_000.5, 'yyyy-mm-dd hh:mm')).toBe('2023-03-15 12:00')
    expect(formatNumber(1, 'd mmm yy')).toBe('1 Jan 00')
  })

  test('codes that make no sense are no danger', () => {
    for (const code of ['"', '[', '\\', '0'.repeat(10_000), '#'.repeat(300), 'E+', '%%%%%%', ',,,,,,,,,', '_', '*'])
      expect(typeof formatNumber(1_234.5, code)).toBe('string')
  })
})

describe('hostile charts', () => {
  test('a million points, of which the first ones are drawn and the rest reported', () => {
    const point = (index: number) => `<c:pt idx="${index}"><c:v>${index % 7}</c:v></c:pt>`
    const points = Array.from({ length: 120_000 }, (_, index) => point(index)).join('')
    const huge = `<c:ser><c:idx val="0"/><c:val><c:numRef><c:numCache><c:ptCount val="4000000000"/>${points}</c:numCache></c:numRef></c:val></c:ser>`
    const { report, pages } = renderingOf(document(space(`<c:lineChart>${huge}${axisIds}</c:lineChart>${axes}`)))
    expect(pages).toBe(1)
    expect(report.some((finding) => finding.code === 'render.chart_points')).toBe(true)
  })

  test('numbers and references that mean nothing leave a page that can be opened', () => {
    for (const value of ['NaN', '1e999', '-1e999', '', 'x', '99999999999999999999']) {
      const broken = space(
        `<c:barChart><c:barDir val="${value}"/>${series(1, [value, value])}<c:gapWidth val="${value}"/><c:overlap val="${value}"/>${axisIds}</c:barChart>` +
          `<c:catAx><c:axId val="1"/><c:crossAx val="1"/><c:crossesAt val="${value}"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling><c:min val="${value}"/><c:max val="${value}"/><c:logBase val="${value}"/></c:scaling><c:majorUnit val="${value}"/></c:valAx>`,
        `<c:title><c:layout><c:manualLayout><c:x val="${value}"/><c:y val="${value}"/></c:manualLayout></c:layout></c:title>`,
      )
      const { pdf } = renderingOf(document(broken))
      expect(Buffer.from(pdf).toString('latin1')).not.toContain('NaN')
    }
  })

  test('an axis of millions of steps has as many ticks as can be drawn', () => {
    const fine = axes.replace('<c:crossAx val="1"/>', '<c:majorUnit val="0.0000001"/><c:crossAx val="1"/>')
    const frames = framesOf(space(`<c:barChart>${series(1, [1, 2])}${axisIds}</c:barChart>${fine}`))
    expect(dumpPaths(frames).length).toBeLessThan(2_500)
  })
})
