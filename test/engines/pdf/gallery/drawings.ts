import { discPng, plainPng } from '../documents.ts'
import { namespaces, p } from '../word.ts'
import { type Exhibit, exhibit, para, r, words } from './pieces.ts'

const emu = (points: number) => Math.round(points * 12700)
const drawn = (
  content: string,
  width: number,
  height: number,
  at?: { x: number; y: number; wrap: string; behind?: boolean },
) => {
  const inside = `<wp:docPr id="1" name="drawn" descr="A drawing"/><a:graphic><a:graphicData uri="x">${content}</a:graphicData></a:graphic>`
  const extent = `<wp:extent cx="${emu(width)}" cy="${emu(height)}"/>`
  if (at === undefined) return `<w:r><w:drawing><wp:inline>${extent}${inside}</wp:inline></w:drawing></w:r>`
  const offset = (axis: 'H' | 'V', value: number) =>
    `<wp:position${axis} relativeFrom="${axis === 'H' ? 'column' : 'paragraph'}"><wp:posOffset>${emu(value)}</wp:posOffset></wp:position${axis}>`
  return (
    `<w:r><w:drawing><wp:anchor behindDoc="${at.behind ? 1 : 0}" distL="63500" distR="63500" distT="0" distB="0" simplePos="0" relativeHeight="1" locked="0" layoutInCell="1" allowOverlap="1">` +
    `<wp:simplePos x="0" y="0"/>${offset('H', at.x)}${offset('V', at.y)}${extent}<wp:${at.wrap}/>${inside}</wp:anchor></w:drawing></w:r>`
  )
}
const pictureOf = (id: string, options = { crop: '', transform: '', outline: '' }) =>
  `<pic:pic><pic:blipFill><a:blip r:embed="${id}"/>${options.crop}</pic:blipFill><pic:spPr><a:xfrm${options.transform}/><a:prstGeom prst="rect"/>${options.outline}</pic:spPr></pic:pic>`
const solid = (color: string) => `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill>`
const shapeOf = (preset: string, look: string, text = '', transform = '') =>
  `<wps:wsp><wps:spPr><a:xfrm${transform}/><a:prstGeom prst="${preset}"><a:avLst/></a:prstGeom>${look}</wps:spPr>${text === '' ? '' : `<wps:txbx><w:txbxContent>${text}</w:txbxContent></wps:txbx>`}<wps:bodyPr/></wps:wsp>`
const media = { 'disc.png': discPng(48, [31, 78, 121]), 'plain.png': plainPng(8, 8, [196, 89, 17]) }
const cached = (kind: 'str' | 'num', values: readonly (string | number)[]) =>
  `<c:${kind}Ref><c:${kind}Cache>${kind === 'num' ? '<c:formatCode>#,##0</c:formatCode>' : ''}<c:ptCount val="${values.length}"/>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache></c:${kind}Ref>`
const series = (index: number, name: string, color: string | undefined, values: readonly number[], look = '') =>
  `<c:ser><c:idx val="${index}"/><c:order val="${index}"/><c:tx>${cached('str', [name])}</c:tx>${color === undefined ? '' : `<c:spPr>${solid(color)}<a:ln w="28575">${solid(color)}</a:ln></c:spPr>`}${look}` +
  `<c:cat>${cached('str', ['North', 'South', 'East', 'West'])}</c:cat><c:val>${cached('num', values)}</c:val></c:ser>`
const axes =
  '<c:catAx><c:axId val="1"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:axPos val="b"/><c:crossAx val="2"/></c:catAx>' +
  '<c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:axPos val="l"/><c:majorGridlines/><c:numFmt formatCode="#,##0" sourceLinked="0"/><c:crossAx val="1"/></c:valAx>'
const axisIds = '<c:axId val="1"/><c:axId val="2"/>'
function chart(name: string, plot: string): Exhibit {
  const title =
    '<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>Premiums by region</a:t></a:r></a:p></c:rich></c:tx></c:title>'
  const space = `<c:chartSpace ${namespaces}><c:chart>${title}<c:plotArea><c:layout/>${plot}</c:plotArea><c:legend><c:legendPos val="b"/></c:legend></c:chart></c:chartSpace>`
  return exhibit(name, para('', drawn('<c:chart r:id="chart"/>', 280, 200)), {
    others: { 'charts/chart1.xml': space },
    extraRelationships:
      '<Relationship Id="chart" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart" Target="charts/chart1.xml"/>',
  })
}

export const drawingExhibits: readonly Exhibit[] = [
  exhibit(
    'pictures',
    para(
      '',
      r('In line '),
      drawn(pictureOf('disc'), 36, 36),
      r(' with text, cropped '),
      drawn(pictureOf('disc', { crop: '<a:srcRect r="50000"/>', transform: '', outline: '' }), 18, 36),
      r(', turned '),
      drawn(pictureOf('plain', { crop: '', transform: ' rot="1800000"', outline: '' }), 30, 20),
      r(' and framed '),
      drawn(
        pictureOf('plain', { crop: '', transform: '', outline: `<a:ln w="25400">${solid('1F4E79')}</a:ln>` }),
        30,
        20,
      ),
      r('.'),
    ) +
      para(
        '',
        drawn(pictureOf('disc'), 60, 60, { x: 0, y: 6, wrap: 'wrapSquare wrapText="bothSides"' }),
        r(words.repeat(2)),
      ) +
      para(
        '',
        drawn(pictureOf('disc'), 60, 60, { x: 110, y: -10, wrap: 'wrapNone', behind: true }),
        r('This line runs over the disc, which lies behind it.'),
      ) +
      para(
        '',
        drawn(pictureOf('plain'), 120, 16, { x: 60, y: 16, wrap: 'wrapTopAndBottom' }),
        r('Above and below a picture that takes the whole width.'),
      ),
    { media },
  ),
  exhibit(
    'shapes and text boxes',
    para(
      '',
      ...['roundRect', 'ellipse', 'rightArrow', 'star5', 'cloudCallout', 'cube'].map((preset, at) =>
        drawn(
          shapeOf(
            preset,
            `${solid(['4472C4', 'ED7D31', '70AD47', 'FFC000', '5B9BD5', 'A5A5A5'][at]!)}<a:ln w="12700">${solid('404040')}</a:ln>`,
          ),
          44,
          36,
        ),
      ),
    ) +
      para(
        '',
        drawn(
          shapeOf(
            'rect',
            `${solid('F2F6FA')}<a:ln w="12700">${solid('1F4E79')}</a:ln>`,
            p('Text in a box with its own paragraphs', '<w:jc w:val="center"/>') + p('and a second one'),
          ),
          130,
          60,
          { x: 140, y: 8, wrap: 'wrapSquare wrapText="bothSides"' },
        ),
        r(words),
      ) +
      para(
        '',
        drawn(
          shapeOf(
            'rect',
            `<a:gradFill><a:gsLst><a:gs pos="0"><a:srgbClr val="1F4E79"/></a:gs><a:gs pos="100000"><a:srgbClr val="DDEBF7"/></a:gs></a:gsLst><a:lin ang="0"/></a:gradFill>`,
            '',
            ' rot="600000"',
          ),
          100,
          24,
        ),
      ),
  ),
  exhibit(
    'groups and VML',
    para(
      '',
      drawn(
        `<wpg:wgp><wpg:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${emu(120)}" cy="${emu(60)}"/><a:chOff x="0" y="0"/><a:chExt cx="120" cy="60"/></a:xfrm></wpg:grpSpPr>${[0, 40, 80].map((x, at) => `<wps:wsp><wps:spPr><a:xfrm><a:off x="${x}" y="${at * 12}"/><a:ext cx="36" cy="36"/></a:xfrm><a:prstGeom prst="ellipse"><a:avLst/></a:prstGeom>${solid(['4472C4', 'ED7D31', '70AD47'][at]!)}</wps:spPr><wps:bodyPr/></wps:wsp>`).join('')}</wpg:wgp>`,
        120,
        60,
      ),
    ) +
      '<w:p><w:r><w:pict><v:roundrect style="width:120pt;height:40pt" arcsize="0.25" fillcolor="#ddebf7" strokecolor="#1f4e79" strokeweight="1.5pt"><v:textbox><w:txbxContent>' +
      `${p('A box in VML')}</w:txbxContent></v:textbox></v:roundrect></w:pict></w:r></w:p>` +
      '<w:p><w:r><w:pict><v:line from="0,10pt" to="200pt,30pt" strokecolor="#c00000" strokeweight="2pt"><v:stroke dashstyle="dash" endarrow="block"/></v:line></w:pict></w:r></w:p>',
  ),
  chart(
    'column chart',
    `<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/>${series(0, '2023', '4472C4', [1200, 850, 430, 990])}${series(1, '2024', 'ED7D31', [1350, 910, 610, 720])}<c:gapWidth val="80"/>${axisIds}</c:barChart>${axes}`,
  ),
  chart(
    'line chart',
    `<c:lineChart><c:grouping val="standard"/>${series(0, 'Claims', '4472C4', [12, 19, 7, 15])}${series(1, 'Visits', '70AD47', [8, 11, 14, 9])}${axisIds}</c:lineChart>${axes}`,
  ),
  chart(
    'pie chart',
    `<c:pieChart><c:varyColors val="1"/>${series(0, 'Share', undefined, [45, 25, 20, 10], '<c:dLbls><c:showPercent val="1"/></c:dLbls>')}</c:pieChart>`,
  ),
]
