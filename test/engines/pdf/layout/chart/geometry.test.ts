import { describe, expect, test } from 'bun:test'
import { chartDocument, chartSpace, dumpPaths, dumpTexts, layoutOf } from '../../word.ts'

/*
 * Where each kind of chart puts its figures. A chart has 200 by 120 pt from (50, 50); a plot with a stated place has 100 by
 * 60 pt from (100, 80), and its middle is at (150, 110). Values run from 0 to 10: 6 pt each upwards, 10 pt each across.
 */
const cache = (kind: 'str' | 'num', values: readonly (string | number)[]) =>
  `<c:${kind}Ref><c:${kind}Cache>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache></c:${kind}Ref>`
const fillOf = (color: string) => `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill>`
const look = (fill?: string, line?: string) =>
  `<c:spPr>${fill === undefined ? '<a:noFill/>' : fillOf(fill)}<a:ln w="12700">${line === undefined ? '<a:noFill/>' : fillOf(line)}</a:ln></c:spPr>`
const [red, blue] = ['FF0000', '0000FF']
const data = (values: readonly number[]) =>
  `<c:cat>${cache(
    'str',
    values.map((_, at) => `C${at}`),
  )}</c:cat><c:val>${cache('num', values)}</c:val>`
const points = (x: readonly number[], y: readonly number[], sizes?: readonly number[]) =>
  `<c:xVal>${cache('num', x)}</c:xVal><c:yVal>${cache('num', y)}</c:yVal>${sizes ? `<c:bubbleSize>${cache('num', sizes)}</c:bubbleSize>` : ''}`
const series = (at: number, values: string, inside = '') =>
  `<c:ser><c:idx val="${at}"/><c:tx>${cache('str', [`S${at}`])}</c:tx>${inside}${values}</c:ser>`
const text =
  '<c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1000" b="0"><a:latin typeface="Arial"/></a:defRPr></a:pPr></a:p></c:txPr>'
const inner =
  '<c:layout><c:manualLayout><c:layoutTarget val="inner"/><c:xMode val="edge"/><c:yMode val="edge"/><c:x val="0.25"/><c:y val="0.25"/><c:w val="0.5"/><c:h val="0.5"/></c:manualLayout></c:layout>'
const axis = (kind: string, id: number, position: string, inside = '', scaling = '') =>
  `<c:${kind}><c:axId val="${id}"/><c:scaling>${scaling}</c:scaling><c:axPos val="${position}"/>${inside}<c:majorTickMark val="none"/></c:${kind}>`
const toTen = '<c:max val="10"/><c:min val="0"/>'
const hidden = '<c:delete val="1"/>'
const ids = '<c:axId val="1"/><c:axId val="2"/>'
const hiddenAxes = axis('catAx', 1, 'b', hidden) + axis('valAx', 2, 'l', hidden, toTen)
const valueAxes = axis('valAx', 1, 'b', hidden, toTen) + axis('valAx', 2, 'l', hidden, toTen)
const marker = (symbol: string) =>
  `<c:marker><c:symbol val="${symbol}"/><c:size val="8"/>${symbol === 'none' ? '' : look(blue)}</c:marker>`
const labels = '<c:dLbls><c:showVal val="1"/></c:dLbls>'

interface Around {
  before?: string
  layout?: string
  after?: string
}
function drawn(plot: string, { before = '', layout = inner, after = '' }: Around = {}) {
  const area = `<c:plotArea>${layout}${plot}${look()}</c:plotArea>`
  const docx = chartDocument(chartSpace(`<c:chart>${before}${area}${after}</c:chart>${look()}${text}`))
  const frames = layoutOf(docx).pages[0]?.frames ?? []
  return { paths: dumpPaths(frames), texts: dumpTexts(frames) }
}

describe('a net', () => {
  test('has a spoke for each category, a ring for each value, and its figure with its signs', () => {
    expect(
      drawn(
        `<c:radarChart>${series(0, data([10, 5, 2.5, 0]), look(undefined, red) + marker('square'))}${ids}</c:radarChart>${axis('catAx', 1, 'b')}${axis('valAx', 2, 'l', `<c:majorGridlines>${look(undefined, '00FF00')}</c:majorGridlines><c:majorUnit val="5"/>`, toTen)}`,
      ),
    ).toEqual({
      paths: [
        'M150,110 L150,110 L150,110 L150,110 Z stroke 00FF00 1',
        'M150,102.1 L157.9,110 L150,117.9 L142.1,110 Z stroke 00FF00 1',
        'M150,94.3 L165.8,110 L150,125.8 L134.3,110 Z stroke 00FF00 1',
        'M150,110 L150,94.3 stroke 878787 0.8',
        'M150,110 L165.8,110 stroke 878787 0.8',
        'M150,110 L150,125.8 stroke 878787 0.8',
        'M150,110 L134.3,110 stroke 878787 0.8',
        'M150,94.3 L157.9,110 L150,113.9 L150,110 Z stroke FF0000 1',
        'M146,90.3 L154,90.3 L154,98.3 L146,98.3 Z fill 0000FF',
        'M153.9,106 L161.9,106 L161.9,114 L153.9,114 Z fill 0000FF',
        'M146,109.9 L154,109.9 L154,117.9 L146,117.9 Z fill 0000FF',
        'M146,106 L154,106 L154,114 L146,114 Z fill 0000FF',
      ],
      texts: [
        '143.8,89.0 C0',
        '168.8,113.4 C1',
        '143.8,137.8 C2',
        '118.8,113.4 C3',
        '141.6,113.4 0',
        '141.6,105.5 5',
        '136.2,97.6 10',
      ],
    })
  })

  test('has three spokes at least, and may be filled', () => {
    expect(
      drawn(
        `<c:radarChart><c:radarStyle val="filled"/>${series(0, data([10, 5]), look(red))}${ids}</c:radarChart>${hiddenAxes}`,
      ),
    ).toEqual({
      paths: [
        'M150,110 L150,94.3 stroke 878787 0.8',
        'M150,110 L163.6,117.9 stroke 878787 0.8',
        'M150,110 L136.4,117.9 stroke 878787 0.8',
        'M150,94.3 L156.8,113.9 L150,110 Z fill FF0000',
      ],
      texts: ['143.8,89.0 C0', '165.4,125.6 C1', '128.7,125.6 3'],
    })
  })
})

describe('a bubble', () => {
  test('has a size as its area, up to a quarter of the plot across, and its label beside it', () => {
    expect(
      drawn(
        `<c:bubbleChart>${series(0, points([2, 5], [4, 8], [4, -1]), look(red) + labels)}${ids}</c:bubbleChart>${valueAxes}`,
      ),
    ).toEqual({
      paths: [
        'M127.5,116 C127.5,120.1 124.1,123.5 120,123.5 C115.9,123.5 112.5,120.1 112.5,116 C112.5,111.9 115.9,108.5 120,108.5 C124.1,108.5 127.5,111.9 127.5,116 Z fill FF0000',
        'M153.8,92 C153.8,94.1 152.1,95.8 150,95.8 C147.9,95.8 146.3,94.1 146.3,92 C146.3,89.9 147.9,88.3 150,88.3 C152.1,88.3 153.8,89.9 153.8,92 Z fill FF0000',
      ],
      texts: ['130.3,119.4 4', '156.6,95.4 8'],
    })
  })

  test('without a size is a quarter of the largest', () => {
    expect(drawn(`<c:bubbleChart>${series(0, points([2], [4]), look(red))}${ids}</c:bubbleChart>${valueAxes}`)).toEqual(
      {
        paths: [
          'M121.9,116 C121.9,117 121,117.9 120,117.9 C119,117.9 118.1,117 118.1,116 C118.1,115 119,114.1 120,114.1 C121,114.1 121.9,115 121.9,116 Z fill FF0000',
        ],
        texts: [],
      },
    )
  })
})

describe('a line', () => {
  const line = (values: readonly number[], inside: string) =>
    drawn(`<c:lineChart>${series(0, data(values), inside)}${ids}</c:lineChart>${hiddenAxes}`)

  test('that is smooth leaves each point in the direction between its neighbours', () => {
    expect(line([0, 10, 5, 5], `${look(undefined, red)}${marker('none')}<c:smooth val="1"/>`)).toEqual({
      paths: [
        'M112.5,140 C116.7,130 129.2,85 137.5,80 C145.8,75 154.2,105 162.5,110 C170.8,115 183.3,110 187.5,110 stroke FF0000 1',
      ],
      texts: [],
    })
  })

  test('has labels beyond the signs of its points', () => {
    expect(line([4, 8], look(undefined, red) + marker('diamond') + labels)).toEqual({
      paths: [
        'M125,116 L175,92 stroke FF0000 1',
        'M125,112 L129,116 L125,120 L121,116 Z fill 0000FF',
        'M175,88 L179,92 L175,96 L171,92 Z fill 0000FF',
      ],
      texts: ['131.8,119.4 4', '181.8,95.4 8'],
    })
  })

  test.each([
    [
      'circle',
      'M154,110 C154,112.2 152.2,114 150,114 C147.8,114 146,112.2 146,110 C146,107.8 147.8,106 150,106 C152.2,106 154,107.8 154,110 Z fill 0000FF',
    ],
    ['triangle', 'M150,106 L154,114 L146,114 Z fill 0000FF'],
    ['x', 'M146,106 L154,114 M146,114 L154,106 stroke 0000FF 0.8'],
    ['plus', 'M146,110 L154,110 M150,106 L150,114 stroke 0000FF 0.8'],
    ['star', 'M146,106 L154,114 M146,114 L154,106 M150,106 L150,114 stroke 0000FF 0.8'],
    ['dash', 'M146,109 L154,109 L154,111 L146,111 Z fill 0000FF'],
    ['dot', 'M150,109 L154,109 L154,111 L150,111 Z fill 0000FF'],
  ])('has the sign %s around its points', (symbol, path) => {
    expect(line([5], look() + marker(symbol)).paths).toEqual([path])
  })
})

describe('areas and rings', () => {
  test('lie on each other, with labels in their middle', () => {
    expect(
      drawn(
        `<c:areaChart><c:grouping val="stacked"/>${series(0, data([2, 4]), look(red) + labels)}${series(1, data([6, 2]), look(blue))}${ids}</c:areaChart>${hiddenAxes}`,
      ),
    ).toEqual({
      paths: ['M125,128 L175,116 L175,140 L125,140 Z fill FF0000', 'M125,92 L175,104 L175,116 L125,128 Z fill 0000FF'],
      texts: ['122.3,137.4 2', '172.3,131.4 4'],
    })
  })

  test('lie around each other, with labels in their bands', () => {
    expect(
      drawn(
        `<c:doughnutChart><c:varyColors val="0"/>${series(0, data([1, 1]), look(red))}${series(1, data([1, 3]), look(blue) + labels)}<c:holeSize val="50"/></c:doughnutChart>`,
      ),
    ).toEqual({
      paths: [
        'M150,87.5 C162.4,87.5 172.5,97.6 172.5,110 C172.5,122.4 162.4,132.5 150,132.5 L150,125 C158.3,125 165,118.3 165,110 C165,101.7 158.3,95 150,95 Z fill FF0000',
        'M150,132.5 C137.6,132.5 127.5,122.4 127.5,110 C127.5,97.6 137.6,87.5 150,87.5 L150,95 C141.7,95 135,101.7 135,110 C135,118.3 141.7,125 150,125 Z fill FF0000',
        'M150,80 C166.6,80 180,93.4 180,110 L172.5,110 C172.5,97.6 162.4,87.5 150,87.5 Z fill 0000FF',
        'M180,110 C180,126.6 166.6,140 150,140 C133.4,140 120,126.6 120,110 C120,93.4 133.4,80 150,80 L150,87.5 C137.6,87.5 127.5,97.6 127.5,110 C127.5,122.4 137.6,132.5 150,132.5 C162.4,132.5 172.5,122.4 172.5,110 Z fill 0000FF',
      ],
      texts: ['165.9,94.8 1', '128.7,131.9 3'],
    })
  })
})

describe('a legend', () => {
  const columns = `<c:barChart><c:barDir val="col"/>${series(0, data([5]), look(red))}${series(1, data([5]), look(blue))}${ids}</c:barChart>${hiddenAxes}`
  const legend = (position: string) => `<c:legend><c:legendPos val="${position}"/></c:legend>`

  test.each([
    [
      'l',
      [
        'M59.3,100 L65.3,100 L65.3,106 L59.3,106 Z fill FF0000',
        'M59.3,114 L65.3,114 L65.3,120 L59.3,120 Z fill 0000FF',
        'M121.3,110 L166.7,110 L166.7,167.6 L121.3,167.6 Z fill FF0000',
        'M166.7,110 L212,110 L212,167.6 L166.7,167.6 Z fill 0000FF',
      ],
      ['68.1,106.3 S0', '68.1,120.4 S1'],
    ],
    [
      't',
      [
        'M125.9,60.7 L131.9,60.7 L131.9,66.7 L125.9,66.7 Z fill FF0000',
        'M153.3,60.7 L159.3,60.7 L159.3,66.7 L153.3,66.7 Z fill 0000FF',
        'M95.1,121.1 L150,121.1 L150,167.6 L95.1,167.6 Z fill FF0000',
        'M150,121.1 L204.9,121.1 L204.9,167.6 L150,167.6 Z fill 0000FF',
      ],
      ['134.8,67.1 S0', '162.1,67.1 S1'],
    ],
    [
      'b',
      [
        'M125.9,157.7 L131.9,157.7 L131.9,163.7 L125.9,163.7 Z fill FF0000',
        'M153.3,157.7 L159.3,157.7 L159.3,163.7 L153.3,163.7 Z fill 0000FF',
        'M95.1,98.9 L150,98.9 L150,145.4 L95.1,145.4 Z fill FF0000',
        'M150,98.9 L204.9,98.9 L204.9,145.4 L150,145.4 Z fill 0000FF',
      ],
      ['134.8,164.1 S0', '162.1,164.1 S1'],
    ],
    [
      'r',
      [
        'M220,100 L226,100 L226,106 L220,106 Z fill FF0000',
        'M220,114 L226,114 L226,120 L220,120 Z fill 0000FF',
        'M88,110 L133.3,110 L133.3,167.6 L88,167.6 Z fill FF0000',
        'M133.3,110 L178.7,110 L178.7,167.6 L133.3,167.6 Z fill 0000FF',
      ],
      ['228.8,106.3 S0', '228.8,120.4 S1'],
    ],
  ])('at %s takes its room there and no more', (position, paths, texts) => {
    expect(drawn(columns, { layout: '', after: legend(position) })).toEqual({ paths, texts })
  })

  test('names the points of a pie whose colours vary, and the series of one whose colours do not', () => {
    const pie = (varies: number) =>
      drawn(`<c:pieChart><c:varyColors val="${varies}"/>${series(0, data([1, 2]))}</c:pieChart>`, {
        after: legend('r'),
      })
    const said = (varies: number) => pie(varies).texts.map((one) => one.split(' ')[1])
    expect([said(1), said(0)]).toEqual([['C0', 'C1'], ['S0']])
  })
})

describe('an axis', () => {
  const title = '<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>T</a:t></a:r></a:p></c:rich></c:tx></c:title>'
  const column = (categories: string, values: string) =>
    drawn(
      `<c:barChart><c:barDir val="col"/>${series(0, data([5]), look(red))}${ids}</c:barChart>${categories}${values}`,
      { layout: '' },
    )

  test('at the left has its title beyond its labels', () => {
    expect(column(axis('catAx', 1, 'b'), axis('valAx', 2, 'l', title, toTen))).toEqual({
      paths: [
        'M98.1,58.4 L98.1,153.1 stroke 878787 0.8',
        'M98.1,153.1 L246,153.1 stroke 878787 0.8',
        'M142.4,105.8 L201.6,105.8 L201.6,153.1 L142.4,153.1 Z fill FF0000',
      ],
      texts: [
        '74.8,113.0 T',
        '89.8,156.5 0',
        '89.8,137.6 2',
        '89.8,118.6 4',
        '89.8,99.7 6',
        '89.8,80.7 8',
        '84.4,61.8 10',
        '165.8,165.0 C0',
      ],
    })
  })

  test('below has its title beyond its labels', () => {
    expect(column(axis('catAx', 1, 'b', title), axis('valAx', 2, 'l', '', toTen))).toEqual({
      paths: [
        'M68.1,58.4 L68.1,124 stroke 878787 0.8',
        'M68.1,124 L246,124 stroke 878787 0.8',
        'M121.4,91.2 L192.6,91.2 L192.6,124 L121.4,124 Z fill FF0000',
      ],
      texts: [
        '147.0,152.8 T',
        '59.8,127.4 0',
        '59.8,114.2 2',
        '59.8,101.1 4',
        '59.8,88.0 6',
        '59.8,74.9 8',
        '54.4,61.8 10',
        '150.8,135.8 C0',
      ],
    })
  })

  test('crosses the other at its end where it says so, with its labels on the outside', () => {
    expect(
      drawn(
        `<c:barChart><c:barDir val="col"/>${series(0, data([5, 2]), look(red))}${ids}</c:barChart>${axis('catAx', 1, 't', `<c:crossAx val="2"/><c:crosses val="max"/>${look(undefined, '111111')}`)}${axis('valAx', 2, 'r', `<c:crossAx val="1"/><c:crosses val="max"/><c:majorUnit val="5"/>${look(undefined, '222222')}`, toTen)}`,
      ),
    ).toEqual({
      paths: [
        'M200,80 L200,140 stroke 222222 1',
        'M100,80 L200,80 stroke 111111 1',
        'M115,110 L135,110 L135,140 L115,140 Z fill FF0000',
        'M165,128 L185,128 L185,140 L165,140 Z fill FF0000',
      ],
      texts: ['202.8,143.4 0', '202.8,113.4 5', '202.8,83.4 10', '118.8,74.9 C0', '168.8,74.9 C1'],
    })
  })
})

test('deep bars that lie are painted from below, each with its end, its upper side and its front', () => {
  const view = '<c:view3D><c:rotX val="15"/><c:rotY val="20"/></c:view3D>'
  const plot = `<c:bar3DChart><c:barDir val="bar"/>${series(0, data([5, 10]), look(red))}${series(1, data([2, 4]), look(blue))}<c:gapWidth val="100"/>${ids}</c:bar3DChart>`
  expect(drawn(plot + hiddenAxes, { before: view })).toEqual({
    paths: [
      'M148.5,124.7 L151.5,122.4 L151.5,131.4 L148.5,133.7 Z fill CC0000',
      'M102.3,124.7 L105.4,122.4 L151.5,122.4 L148.5,124.7 Z fill FF3333',
      'M102.3,124.7 L148.5,124.7 L148.5,133.7 L102.3,133.7 Z fill FF0000',
      'M120.8,115.7 L123.9,113.3 L123.9,122.4 L120.8,124.7 Z fill 0000CC',
      'M102.3,115.7 L105.4,113.3 L123.9,113.3 L120.8,115.7 Z fill 3333FF',
      'M102.3,115.7 L120.8,115.7 L120.8,124.7 L102.3,124.7 Z fill 0000FF',
      'M194.6,97.6 L197.7,95.3 L197.7,104.3 L194.6,106.7 Z fill CC0000',
      'M102.3,97.6 L105.4,95.3 L197.7,95.3 L194.6,97.6 Z fill FF3333',
      'M102.3,97.6 L194.6,97.6 L194.6,106.7 L102.3,106.7 Z fill FF0000',
      'M139.2,88.6 L142.3,86.3 L142.3,95.3 L139.2,97.6 Z fill 0000CC',
      'M102.3,88.6 L105.4,86.3 L142.3,86.3 L139.2,88.6 Z fill 3333FF',
      'M102.3,88.6 L139.2,88.6 L139.2,97.6 L102.3,97.6 Z fill 0000FF',
    ],
    texts: [],
  })
})

describe('what is around a plot', () => {
  const axes = axis('catAx', 1, 'b') + axis('valAx', 2, 'l', '<c:majorUnit val="5"/>', toTen)

  test('is a legend of as many rows as its names need, in columns of one width', () => {
    expect(
      drawn(
        `<c:barChart><c:barDir val="col"/>${[0, 1, 2, 3, 4].map((at) => series(at, data([5]), look(red)).replace(`>S${at}<`, `>Series ${at} wide<`)).join('')}${ids}</c:barChart>${hiddenAxes}`,
        { layout: '', after: '<c:legend><c:legendPos val="b"/></c:legend>' },
      ),
    ).toEqual({
      paths: [
        'M79.3,129.5 L85.3,129.5 L85.3,135.5 L79.3,135.5 Z fill FF0000',
        'M153.3,129.5 L159.3,129.5 L159.3,135.5 L153.3,135.5 Z fill FF0000',
        'M79.3,143.6 L85.3,143.6 L85.3,149.6 L79.3,149.6 Z fill FF0000',
        'M153.3,143.6 L159.3,143.6 L159.3,149.6 L153.3,149.6 Z fill FF0000',
        'M79.3,157.7 L85.3,157.7 L85.3,163.7 L79.3,163.7 Z fill FF0000',
        'M76.2,84.8 L105.7,84.8 L105.7,117.3 L76.2,117.3 Z fill FF0000',
        'M105.7,84.8 L135.2,84.8 L135.2,117.3 L105.7,117.3 Z fill FF0000',
        'M135.2,84.8 L164.8,84.8 L164.8,117.3 L135.2,117.3 Z fill FF0000',
        'M164.8,84.8 L194.3,84.8 L194.3,117.3 L164.8,117.3 Z fill FF0000',
        'M194.3,84.8 L223.8,84.8 L223.8,117.3 L194.3,117.3 Z fill FF0000',
      ],
      texts: [
        '88.2,135.9 Series 0 wide',
        '162.1,135.9 Series 1 wide',
        '88.2,150.0 Series 2 wide',
        '162.1,150.0 Series 3 wide',
        '88.2,164.1 Series 4 wide',
      ],
    })
  })

  test('is a table of its data without keys, as wide as its names need', () => {
    expect(
      drawn(
        `<c:barChart><c:barDir val="col"/>${series(0, data([5, 2]), look(red))}${ids}</c:barChart>${axes}<c:dTable><c:showHorzBorder val="1"/><c:showVertBorder val="1"/><c:showOutline val="1"/><c:showKeys val="0"/></c:dTable>`,
        { layout: '' },
      ),
    ).toEqual({
      paths: [
        'M69.5,58.4 L69.5,133.1 stroke 878787 0.8',
        'M69.5,133.1 L246,133.1 stroke 878787 0.8',
        'M69.5,133.1 L246,133.1 stroke 878787 0.8',
        'M54,150.4 L246,150.4 stroke 878787 0.8',
        'M54,167.6 L246,167.6 stroke 878787 0.8',
        'M54,150.4 L54,167.6 stroke 878787 0.8',
        'M69.5,133.1 L69.5,167.6 stroke 878787 0.8',
        'M246,133.1 L246,167.6 stroke 878787 0.8',
        'M157.8,133.1 L157.8,167.6 stroke 878787 0.8',
        'M96,95.8 L131.3,95.8 L131.3,133.1 L96,133.1 Z fill FF0000',
        'M184.2,118.2 L219.5,118.2 L219.5,133.1 L184.2,133.1 Z fill FF0000',
      ],
      texts: [
        '61.3,136.5 0',
        '61.3,99.1 5',
        '55.8,61.8 10',
        '107.4,145.1 C0',
        '195.6,145.1 C1',
        '110.9,162.4 5',
        '199.2,162.4 2',
        '55.8,162.4 S0',
      ],
    })
  })

  test('is a table of its data with keys, which take room beside its names', () => {
    expect(
      drawn(
        `<c:barChart><c:barDir val="col"/>${series(0, data([5, 2]), look(red))}${ids}</c:barChart>${axes}<c:dTable><c:showHorzBorder val="1"/><c:showVertBorder val="1"/><c:showOutline val="1"/><c:showKeys val="1"/></c:dTable>`,
        { layout: '' },
      ),
    ).toEqual({
      paths: [
        'M81.2,58.4 L81.2,133.1 stroke 878787 0.8',
        'M81.2,133.1 L246,133.1 stroke 878787 0.8',
        'M56.8,156 L62.8,156 L62.8,162 L56.8,162 Z fill FF0000',
        'M81.2,133.1 L246,133.1 stroke 878787 0.8',
        'M54,150.4 L246,150.4 stroke 878787 0.8',
        'M54,167.6 L246,167.6 stroke 878787 0.8',
        'M54,150.4 L54,167.6 stroke 878787 0.8',
        'M81.2,133.1 L81.2,167.6 stroke 878787 0.8',
        'M246,133.1 L246,167.6 stroke 878787 0.8',
        'M163.6,133.1 L163.6,167.6 stroke 878787 0.8',
        'M105.9,95.8 L138.9,95.8 L138.9,133.1 L105.9,133.1 Z fill FF0000',
        'M188.3,118.2 L221.3,118.2 L221.3,133.1 L188.3,133.1 Z fill FF0000',
      ],
      texts: [
        '72.9,136.5 0',
        '72.9,99.1 5',
        '67.5,61.8 10',
        '116.2,145.1 C0',
        '198.6,145.1 C1',
        '119.7,162.4 5',
        '202.1,162.4 2',
        '67.5,162.4 S0',
      ],
    })
  })

  test('is room for half of the label at either end of a level axis', () => {
    expect(
      drawn(
        `<c:barChart><c:barDir val="bar"/>${series(0, data([5]), look(red))}${ids}</c:barChart>${axis('catAx', 1, 'l')}${axis('valAx', 2, 'b', '<c:numFmt formatCode="0.00000"/><c:majorUnit val="10"/>', toTen)}`,
        { layout: '' },
      ),
    ).toEqual({
      paths: [
        'M72,153.1 L225.3,153.1 stroke 878787 0.8',
        'M72,52.4 L72,153.1 stroke 878787 0.8',
        'M72,82.6 L148.6,82.6 L148.6,122.9 L72,122.9 Z fill FF0000',
      ],
      texts: ['54.4,165.0 0.00000', '205.0,165.0 10.00000', '56.7,106.1 C0'],
    })
  })
})

test('a pie beside a pie is joined to the slice that it shows, by lines from its two ends', () => {
  expect(
    drawn(
      `<c:ofPieChart><c:ofPieType val="pie"/><c:varyColors val="0"/>${series(0, data([4, 3, 2, 1]), look(red))}<c:gapWidth val="100"/><c:secondPieSize val="50"/><c:serLines>${look(undefined, '00FF00')}</c:serLines></c:ofPieChart>`,
    ),
  ).toEqual({
    paths: [
      'M145.4,133.1 L185.7,124.3 stroke 00FF00 1',
      'M145.4,86.9 L185.7,95.7 stroke 00FF00 1',
      'M145.4,133.1 C135.4,140.4 121.8,140.4 111.8,133.1 C101.8,125.8 97.6,112.9 101.4,101.2 L128.6,110 Z fill FF0000',
      'M101.4,101.2 C104.2,92.5 111,85.7 119.7,82.8 C128.4,80 138,81.5 145.4,86.9 L128.6,110 Z fill FF0000',
      'M145.4,86.9 C152.8,92.3 157.1,100.9 157.1,110 C157.1,119.1 152.8,127.7 145.4,133.1 L128.6,110 Z fill FF0000',
      'M185.7,95.7 C192.6,95.7 198.6,100.7 199.8,107.5 C201,114.3 197.1,121.1 190.6,123.4 C184.1,125.8 176.8,123.1 173.3,117.1 L185.7,110 Z fill FF0000',
      'M173.3,117.1 C170.8,112.7 170.8,107.3 173.3,102.9 C175.9,98.4 180.6,95.7 185.7,95.7 L185.7,110 Z fill FF0000',
    ],
    texts: [],
  })
})

test('a trend runs from its first point to its last, with its function above its end', () => {
  const trend = `<c:trendline>${look(undefined, '00FF00')}<c:trendlineType val="linear"/><c:dispRSqr val="0"/><c:dispEq val="1"/></c:trendline>`
  expect(
    drawn(
      `<c:scatterChart>${series(0, points([1, 5, 9], [2, 4, 6]), look() + marker('none') + trend)}${ids}</c:scatterChart>${valueAxes}`,
    ),
  ).toEqual({ paths: ['M110,128 L190,104 stroke 00FF00 1'], texts: ['130.9,98.8 y = 0.5x + 1.5'] })
})
