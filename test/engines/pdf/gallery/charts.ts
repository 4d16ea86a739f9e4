import { namespaces } from '../word.ts'
import { type Exhibit, exhibit, para } from './pieces.ts'

/** A chart for every kind of plot, each with what may be beside and on it. */

const solid = (color: string) => `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill>`
const look = (fill: string, line = '') =>
  `<c:spPr>${fill}${line === '' ? '' : `<a:ln w="12700">${line}</a:ln>`}</c:spPr>`
const gradient = `<a:gradFill><a:gsLst><a:gs pos="0"><a:srgbClr val="4472C4"/></a:gs><a:gs pos="100000"><a:srgbClr val="DDEBF7"/></a:gs></a:gsLst><a:lin ang="5400000"/></a:gradFill>`
const font = (size: number, rotation?: number) =>
  `<c:txPr><a:bodyPr${rotation === undefined ? '' : ` rot="${rotation * 60_000}"`}/><a:p><a:pPr><a:defRPr sz="${size * 100}" b="0"><a:latin typeface="Arial"/></a:defRPr></a:pPr></a:p></c:txPr>`
const cache = (kind: 'str' | 'num', values: readonly (string | number | undefined)[], format = 'General') =>
  `<c:${kind}Ref><c:${kind}Cache>${kind === 'num' ? `<c:formatCode>${format}</c:formatCode>` : ''}<c:ptCount val="${values.length}"/>${values
    .map((value, at) => (value === undefined ? '' : `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`))
    .join('')}</c:${kind}Cache></c:${kind}Ref>`

interface Data {
  name?: string
  names?: readonly string[]
  values: readonly (number | undefined)[]
  x?: readonly number[]
  sizes?: readonly number[]
  format?: string
  /** In the order of the schema: look, marker, points, labels, trends, errors. */
  more?: string
  after?: string
}
const regions = ['North', 'South', 'East', 'West']
const series = (data: readonly Data[]) =>
  data
    .map(({ name = '', names = regions, values, x, sizes, format = 'General', more = '', after = '' }, at) => {
      const title = name === '' ? '' : `<c:tx>${cache('str', [name])}</c:tx>`
      const points = x
        ? `<c:xVal>${cache('num', x)}</c:xVal><c:yVal>${cache('num', values, format)}</c:yVal>`
        : `<c:cat>${cache('str', names)}</c:cat><c:val>${cache('num', values, format)}</c:val>`
      const size = sizes ? `<c:bubbleSize>${cache('num', sizes)}</c:bubbleSize>` : ''
      return `<c:ser><c:idx val="${at}"/><c:order val="${at}"/>${title}${more}${points}${size}${after}</c:ser>`
    })
    .join('')
const labels = (shown: readonly string[], position = '', more = '') =>
  `<c:dLbls>${more}${position === '' ? '' : `<c:dLblPos val="${position}"/>`}${shown.map((one) => `<c:show${one} val="1"/>`).join('')}</c:dLbls>`
const marker = (symbol: string, size: number, own = '') =>
  `<c:marker><c:symbol val="${symbol}"/><c:size val="${size}"/>${own}</c:marker>`
const point = (at: number, inside: string) => `<c:dPt><c:idx val="${at}"/>${inside}</c:dPt>`

interface AxisOptions {
  scaling?: string
  grid?: string
  title?: string
  ticks?: string
  labels?: string
  more?: string
}
const title = (text: string, more = '') =>
  `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="900"/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p></c:rich></c:tx>${more}</c:title>`
const axis = (kind: 'cat' | 'val' | 'ser', id: number, crosses: number, position: string, options: AxisOptions = {}) =>
  `<c:${kind}Ax><c:axId val="${id}"/><c:scaling>${options.scaling ?? ''}</c:scaling><c:axPos val="${position}"/>${options.grid ?? ''}${options.title ? title(options.title) : ''}` +
  `<c:majorTickMark val="${options.ticks ?? 'out'}"/><c:tickLblPos val="${options.labels ?? 'nextTo'}"/>${options.more ?? ''}<c:crossAx val="${crosses}"/></c:${kind}Ax>`
const grid = '<c:majorGridlines/>'
const columns = (options: AxisOptions = {}, values: AxisOptions = {}) =>
  axis('cat', 1, 2, 'b', options) + axis('val', 2, 1, 'l', { grid, ...values })
const scattered = (options: AxisOptions = {}) => axis('val', 1, 2, 'b', options) + axis('val', 2, 1, 'l', { grid })
const ids = '<c:axId val="1"/><c:axId val="2"/>'
const legend = (position: string, more = '') => `<c:legend><c:legendPos val="${position}"/>${more}</c:legend>`

interface Around {
  /** Before the plot area: titles, views and walls. */
  before?: string
  layout?: string
  legend?: string
  style?: number
  own?: string
}
function chart(name: string, plots: string, around: Around = {}): Exhibit {
  const style = around.style === undefined ? '' : `<c:style val="${around.style}"/>`
  const inside = `${around.before ?? ''}<c:plotArea>${around.layout ?? ''}${plots}</c:plotArea>${around.legend ?? ''}`
  const space = `<c:chartSpace ${namespaces}>${style}<c:chart>${inside}</c:chart>${around.own ?? ''}${font(8)}</c:chartSpace>`
  const graphic = '<a:graphic><a:graphicData uri="x"><c:chart r:id="chart"/></a:graphicData></a:graphic>'
  const drawing = `<w:drawing><wp:inline><wp:extent cx="3556000" cy="2286000"/><wp:docPr id="1" name="c"/>${graphic}</wp:inline></w:drawing>`
  return exhibit(name, para('', `<w:r>${drawing}</w:r>`), {
    others: { 'charts/chart1.xml': space },
    extraRelationships:
      '<Relationship Id="chart" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart" Target="charts/chart1.xml"/>',
  })
}

const stacked = [
  { name: 'Fire', values: [12, 7, 9, -4] },
  { name: 'Water', values: [5, -6, 8, 3], more: labels(['Val']) },
  { name: 'Storm', values: [3, 6, undefined, 5], more: look(gradient, solid('1F4E79')) },
]
const errors = (kind: string, type: string, more = '') =>
  `<c:errBars>${more}<c:errBarType val="${type}"/><c:errValType val="${kind}"/><c:noEndCap val="0"/><c:val val="2"/></c:errBars>`
const trend = (kind: string, more = '') =>
  `<c:trendline><c:spPr><a:ln w="12700">${solid('C00000')}</a:ln></c:spPr><c:trendlineType val="${kind}"/>${more}</c:trendline>`

export const chartExhibits: readonly Exhibit[] = [
  chart(
    'stacked columns with labels and a legend',
    `<c:barChart><c:barDir val="col"/><c:grouping val="stacked"/>${series(stacked)}<c:gapWidth val="60"/><c:overlap val="100"/>${ids}</c:barChart>${columns({ labels: 'low', title: 'Region' }, { title: 'Claims' })}`,
    { legend: legend('r', look(solid('F2F2F2'), solid('7F7F7F'))), before: title('Claims by region and cause') },
  ),
  chart(
    'lying bars with labels in every place',
    `<c:barChart><c:barDir val="bar"/><c:grouping val="clustered"/>${series([
      { name: 'Base', values: [9, -5, 7], names: ['One', 'Two', 'Three'], more: labels(['Val'], 'inBase') },
      { name: 'End', values: [6, 8, -3], names: ['One', 'Two', 'Three'], more: labels(['Val'], 'inEnd') },
      { name: 'Out', values: [4, -7, 5], names: ['One', 'Two', 'Three'], more: labels(['Val', 'SerName'], 'outEnd') },
    ])}<c:gapWidth val="40"/><c:overlap val="-10"/>${ids}</c:barChart>${axis('cat', 1, 2, 'l', { scaling: '<c:orientation val="maxMin"/>', ticks: 'cross' })}${axis('val', 2, 1, 'b', { grid, ticks: 'in' })}`,
    { legend: legend('t') },
  ),
  chart(
    'columns in percent on turned names and a table of the data',
    `<c:barChart><c:barDir val="col"/><c:grouping val="percentStacked"/>${series([
      { name: 'Paid', values: [40, 20, 35, 10] },
      { name: 'Open', values: [10, 30, 5, 25], format: '0.0' },
    ])}<c:overlap val="100"/>${ids}</c:barChart>${columns()}<c:dTable><c:showHorzBorder val="1"/><c:showVertBorder val="1"/><c:showOutline val="1"/><c:showKeys val="1"/></c:dTable>`,
  ),
  chart(
    'names that are turned, and values on a scale of powers',
    `<c:barChart><c:barDir val="col"/><c:varyColors val="1"/>${series([
      {
        name: 'Visits',
        names: ['Administration', 'Underwriting', 'Investigation', 'Reinsurance', 'Correspondence', 'Subsidiaries'],
        values: [3, 40, 900, 12, 150, 5_000],
        more: point(1, look(solid('FFC000'), solid('7F6000'))),
      },
    ])}${ids}</c:barChart>${columns({}, { scaling: '<c:logBase val="10"/>', more: '<c:numFmt formatCode="#,##0" sourceLinked="0"/>' })}`,
  ),
  chart(
    'columns in depth, in rows behind each other',
    `<c:bar3DChart><c:barDir val="col"/><c:grouping val="standard"/>${series([
      { name: 'Near', values: [4, 6, 5, 7] },
      { name: 'Far', values: [7, 8, 9, 6] },
    ])}<c:gapWidth val="80"/><c:gapDepth val="60"/>${ids}<c:axId val="3"/></c:bar3DChart>${columns()}${axis('ser', 3, 1, 'b')}`,
    {
      before: `<c:view3D><c:rotX val="20"/><c:rotY val="25"/><c:depthPercent val="120"/></c:view3D><c:floor>${look(solid('D9D9D9'))}</c:floor><c:sideWall>${look(solid('F2F2F2'))}</c:sideWall><c:backWall>${look(solid('FAFAFA'), solid('A6A6A6'))}</c:backWall>`,
    },
  ),
  chart(
    'lying bars in depth',
    `<c:bar3DChart><c:barDir val="bar"/><c:grouping val="clustered"/>${series([
      { name: 'First', values: [4, 6, 5, 7], more: labels(['Val']) },
      { name: 'Second', values: [7, 3, 9, 6] },
    ])}${ids}</c:bar3DChart>${axis('cat', 1, 2, 'l')}${axis('val', 2, 1, 'b', { grid })}`,
  ),
  chart(
    'lines with signs, smooth lines and gaps',
    `<c:lineChart><c:grouping val="standard"/>${series(
      ['diamond', 'square', 'triangle', 'x', 'star', 'plus', 'dash', 'dot', 'circle'].map((symbol, at) => ({
        name: symbol,
        values: [at + 1, at + 2.5, at === 3 ? undefined : at + 1, at + 2],
        more: marker(symbol, 5 + at / 2),
        after: at % 2 === 1 ? '<c:smooth val="1"/>' : '',
      })),
    )}${ids}</c:lineChart>${columns({ ticks: 'none' })}`,
    { legend: legend('r') },
  ),
  chart(
    'prices with high and low, and lines down to the axis',
    `<c:lineChart><c:grouping val="standard"/>${series([
      { name: 'Open', values: [10, 14, 12, 9] },
      { name: 'Close', values: [13, 11, 15, 9], more: labels(['Val'], 't', look(solid('FFF2CC'))) },
    ])}<c:dropLines/><c:hiLowLines/><c:upDownBars><c:gapWidth val="150"/><c:upBars>${look(solid('FFFFFF'))}</c:upBars><c:downBars>${look(solid('404040'))}</c:downBars></c:upDownBars>${ids}</c:lineChart>${columns()}`,
  ),
  chart(
    'areas and columns on two pairs of axes',
    `<c:barChart><c:barDir val="col"/>${series([{ name: 'Cases', values: [120, 340, 260, 180] }])}${ids}</c:barChart>` +
      `<c:areaChart><c:grouping val="stacked"/>${series([
        { name: 'Low', values: [0.2, 0.4, 0.3, 0.5], format: '0%' },
        { name: 'High', values: [0.3, 0.2, 0.4, 0.1], format: '0%', more: labels(['Val']) },
      ])}<c:axId val="4"/><c:axId val="5"/></c:areaChart>${columns()}` +
      `${axis('cat', 4, 5, 'b', { more: '<c:delete val="1"/>' })}${axis('val', 5, 4, 'r', { title: 'Share', more: '<c:crosses val="max"/>' })}`,
    { legend: legend('b', `<c:legendEntry><c:idx val="1"/><c:delete val="1"/></c:legendEntry>${font(7)}`) },
  ),
  chart(
    'trends through scattered points',
    `<c:scatterChart><c:scatterStyle val="marker"/>${series([
      {
        name: 'Line',
        x: [1, 2, 4, 5, 7],
        values: [3, 5, 6, 9, 11],
        more: `<c:spPr><a:ln><a:noFill/></a:ln></c:spPr>${trend('linear', '<c:forward val="1"/><c:backward val="0.5"/><c:dispRSqr val="1"/><c:dispEq val="1"/>')}${trend('movingAvg', '<c:period val="2"/>')}`,
      },
      {
        name: 'Curve',
        x: [1, 2, 3, 5, 7],
        values: [14, 9, 7, 10, 17],
        more: `<c:spPr><a:ln><a:noFill/></a:ln></c:spPr>${trend('poly', '<c:order val="3"/><c:dispEq val="1"/>')}`,
      },
      {
        name: 'Power',
        x: [1, 2, 3, 5, 7],
        values: [1, 3, 4, 6, 7],
        more: `<c:spPr><a:ln><a:noFill/></a:ln></c:spPr>${trend('power')}${trend('log')}${trend('exp', '<c:intercept val="1.5"/><c:dispEq val="1"/>')}`,
      },
    ])}${ids}</c:scatterChart>${scattered()}`,
    { legend: legend('r') },
  ),
  chart(
    'error bars along both axes',
    `<c:scatterChart><c:scatterStyle val="lineMarker"/>${series([
      {
        name: 'Measured',
        x: [1, 3, 6, 8],
        values: [5, 9, 7, 12],
        more: `${errors('fixedVal', 'both', '<c:errDir val="x"/>')}${errors('stdDev', 'plus', '<c:errDir val="y"/>')}`,
      },
      { name: 'Told', x: [2, 4, 5, 9], values: [14, 16, 13, 18], more: errors('stdErr', 'minus') },
    ])}${ids}</c:scatterChart>${scattered({ ticks: 'cross', more: '<c:crossesAt val="4"/>' })}`,
  ),
  chart(
    'error bars of bars',
    `<c:barChart><c:barDir val="bar"/>${series([{ name: 'Cost', values: [5, 9, 7, 12], more: errors('percentage', 'both') }])}${ids}</c:barChart>${axis('cat', 1, 2, 'l')}${axis('val', 2, 1, 'b', { scaling: '<c:max val="14"/><c:min val="0"/>', more: '<c:majorUnit val="7"/>' })}`,
  ),
  chart(
    'bubbles whose areas are sizes',
    `<c:bubbleChart>${series([
      { name: 'Small', x: [1, 2, 4], values: [3, 8, 5], sizes: [1, 4, 9], more: labels(['Val'], 'ctr') },
      { name: 'Large', x: [3, 5, 6], values: [9, 2, 7], sizes: [16, 2, 25], more: labels(['Val'], 'l') },
    ])}${ids}</c:bubbleChart>${scattered()}`,
  ),
  chart(
    'a net, and one that is filled',
    `<c:radarChart><c:radarStyle val="marker"/>${series([
      { name: 'Before', names: ['Speed', 'Care', 'Price', 'Reach', 'Tone'], values: [3, 5, 2, 4, 4] },
      { name: 'After', names: ['Speed', 'Care', 'Price', 'Reach', 'Tone'], values: [5, 4, 4, 5, 3] },
    ])}${ids}</c:radarChart>${columns()}`,
    { legend: legend('tr') },
  ),
  chart(
    'rings with labels and slices pulled out',
    `<c:doughnutChart><c:varyColors val="1"/>${series([
      { name: 'In', values: [4, 3, 2, 1], more: labels(['Percent']) },
      {
        name: 'Out',
        values: [1, 2, 3, 4],
        more: `${point(2, '<c:explosion val="20"/>')}${labels(['CatName', 'Val'])}`,
      },
    ])}<c:firstSliceAng val="30"/><c:holeSize val="40"/></c:doughnutChart>`,
    { legend: legend('l') },
  ),
  chart(
    'a pie in depth with labels outside',
    `<c:pie3DChart><c:varyColors val="1"/>${series([
      {
        name: 'Share',
        values: [5, 3, 2, 1],
        more: `${point(0, '<c:explosion val="15"/>')}${labels(['CatName', 'Percent'], 'outEnd')}`,
      },
    ])}</c:pie3DChart>`,
    { before: '<c:view3D><c:rotX val="40"/></c:view3D>' },
  ),
  chart(
    'a pie with a pie beside it',
    `<c:ofPieChart><c:ofPieType val="pie"/><c:varyColors val="1"/>${series([
      { name: 'Share', names: ['A', 'B', 'C', 'D', 'E'], values: [40, 30, 14, 10, 6], more: labels(['Val'], 'inEnd') },
    ])}<c:gapWidth val="80"/><c:splitType val="pos"/><c:splitPos val="3"/><c:secondPieSize val="60"/><c:serLines/></c:ofPieChart>`,
  ),
  chart(
    'a pie with a bar beside it',
    `<c:ofPieChart><c:ofPieType val="bar"/><c:varyColors val="1"/>${series([
      { name: 'Share', names: ['A', 'B', 'C', 'D', 'E'], values: [40, 30, 14, 10, 6], more: labels(['Percent']) },
    ])}<c:gapWidth val="60"/><c:splitType val="val"/><c:splitPos val="12"/><c:serLines/></c:ofPieChart>`,
  ),
  chart(
    'places that the document states, on a dark ground',
    `<c:barChart><c:barDir val="col"/>${series([{ name: 'Sum', values: [3, 5, 4, 6] }])}${ids}</c:barChart>${columns()}`,
    {
      style: 42,
      layout:
        '<c:layout><c:manualLayout><c:layoutTarget val="inner"/><c:xMode val="edge"/><c:yMode val="edge"/><c:x val="0.2"/><c:y val="0.3"/><c:w val="0.6"/><c:h val="0.5"/></c:manualLayout></c:layout>',
      before: title(
        'A title at the side',
        '<c:layout><c:manualLayout><c:xMode val="edge"/><c:yMode val="edge"/><c:x val="0.05"/><c:y val="0.05"/></c:manualLayout></c:layout>',
      ),
      legend: legend(
        'r',
        '<c:layout><c:manualLayout><c:xMode val="edge"/><c:yMode val="edge"/><c:x val="0.82"/><c:y val="0.1"/><c:w val="0.17"/></c:manualLayout></c:layout>',
      ),
    },
  ),
]
