import { discPng } from '../documents.ts'
import { p } from '../word.ts'
import { type Exhibit, exhibit, para } from './pieces.ts'

/** Shapes of DrawingML and VML with their lines, fills and texts. */

const emu = (points: number) => Math.round(points * 12_700)
const solid = (color: string) => `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill>`
const stops = (...colors: string[]) =>
  `<a:gsLst>${colors.map((color, at) => `<a:gs pos="${Math.round((at * 100_000) / (colors.length - 1))}"><a:srgbClr val="${color}"/></a:gs>`).join('')}</a:gsLst>`
const line = (color: string, width: number, more = '', attributes = '') =>
  `<a:ln w="${emu(width)}"${attributes}>${solid(color)}${more}</a:ln>`
const drawn = (content: string, width: number, height: number, alt = '') =>
  `<w:r><w:drawing><wp:inline><wp:extent cx="${emu(width)}" cy="${emu(height)}"/><wp:docPr id="1" name="x" descr="${alt}"/><a:graphic><a:graphicData uri="x">${content}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`

interface Shape {
  preset?: string
  adjustments?: string
  form?: string
  look?: string
  transform?: string
  text?: string
  body?: string
  style?: string
}
const shape = ({ preset = 'rect', adjustments = '', form, look = '', transform = '<a:xfrm/>', ...more }: Shape) =>
  `<wps:wsp><wps:spPr>${transform}${form ?? `<a:prstGeom prst="${preset}"><a:avLst>${adjustments}</a:avLst></a:prstGeom>`}${look}</wps:spPr>${more.style ?? ''}` +
  `${more.text === undefined ? '' : `<wps:txbx><w:txbxContent>${more.text}</w:txbxContent></wps:txbx>`}${more.body ?? '<wps:bodyPr/>'}</wps:wsp>`
const row = (width: number, height: number, ...shapes: Shape[]) =>
  para('', ...shapes.map((one) => drawn(shape(one), width, height)))
const adjust = (name: string, value: number) => `<a:gd name="${name}" fmla="val ${value}"/>`

const ends = ['triangle', 'arrow', 'stealth', 'diamond', 'oval']
const arrows = ends.map((type, at) => ({
  preset: 'line',
  look: line(
    '1F4E79',
    1 + at / 2,
    `<a:headEnd type="${type}" w="lg" len="sm"/><a:tailEnd type="${ends[(at + 2) % 5]}" w="sm" len="lg"/>`,
  ),
  transform: at % 2 === 0 ? '<a:xfrm/>' : '<a:xfrm flipV="1"/>',
}))
const dashes = ['dot', 'dash', 'lgDash', 'dashDot', 'lgDashDotDot', 'sysDash'].map((dash, at) => ({
  preset: 'bentConnector3',
  look: line(
    '404040',
    2,
    `<a:prstDash val="${dash}"/>${['<a:round/>', '<a:bevel/>', '<a:miter/>'][at % 3]}`,
    ` cap="${['flat', 'rnd', 'sq'][at % 3]}"`,
  ),
}))
const custom =
  `<a:custGeom><a:avLst/><a:gdLst><a:gd name="m" fmla="*/ w 1 2"/><a:gd name="n" fmla="+- h 0 20"/><a:gd name="s" fmla="sin 30 5400000"/></a:gdLst><a:rect l="10" t="10" r="m" b="n"/><a:pathLst>` +
  '<a:path w="100" h="100" fill="lighten"><a:moveTo><a:pt x="0" y="50"/></a:moveTo><a:arcTo wR="50" hR="50" stAng="10800000" swAng="10800000"/><a:lnTo><a:pt x="100" y="100"/></a:lnTo><a:quadBezTo><a:pt x="50" y="60"/><a:pt x="0" y="100"/></a:quadBezTo><a:close/></a:path>' +
  '<a:path fill="none"><a:moveTo><a:pt x="0" y="n"/></a:moveTo><a:cubicBezTo><a:pt x="m" y="0"/><a:pt x="m" y="h"/><a:pt x="w" y="s"/></a:cubicBezTo></a:path></a:pathLst></a:custGeom>'

const story = p('Words in a shape that go over more than one line of it')
const body = (attributes: string, inside = '') => `<wps:bodyPr ${attributes}>${inside}</wps:bodyPr>`
const framed = line('7F7F7F', 0.5)

const child = (x: number, y: number, more: Shape & { turn?: string } = {}) =>
  shape({
    ...more,
    transform: `<a:xfrm${more.turn ?? ''}><a:off x="${x}" y="${y}"/><a:ext cx="40" cy="20"/></a:xfrm>`,
    look: more.look ?? `${solid('C5E0B4')}${framed}`,
  })
const group = (inside: string, tag = 'wgp', box = `<a:off x="0" y="0"/><a:ext cx="${emu(120)}" cy="${emu(60)}"/>`) =>
  `<wpg:${tag}><wpg:grpSpPr><a:xfrm>${box}<a:chOff x="0" y="0"/><a:chExt cx="120" cy="120"/></a:xfrm></wpg:grpSpPr>${inside}</wpg:${tag}>`

const vml = (...elements: string[]) => para('', ...elements.map((one) => `<w:r><w:pict>${one}</w:pict></w:r>`))
const size = (width: number, height: number, more = '') => `style="width:${width}pt;height:${height}pt;${more}"`
const boxText = (text: string, attributes = '') =>
  `<v:textbox ${attributes}><w:txbxContent>${p(text)}</w:txbxContent></v:textbox>`

export const shapeExhibits: readonly Exhibit[] = [
  exhibit(
    'lines with arrows and dashes',
    row(50, 24, ...arrows) +
      row(44, 30, ...dashes) +
      row(50, 24, { preset: 'line', look: '<a:ln w="0"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill></a:ln>' }) +
      row(60, 40, { preset: 'curvedConnector3', look: line('C00000', 2, '<a:tailEnd type="triangle"/>') }),
  ),
  exhibit(
    'fills of shapes',
    row(
      52,
      40,
      { look: `<a:gradFill>${stops('FF0000', '00B050', '0000FF')}<a:lin ang="2700000"/></a:gradFill>` },
      {
        preset: 'ellipse',
        look: `<a:gradFill>${stops('FFFFFF', '1F4E79')}<a:path path="circle"><a:fillToRect l="20000" t="30000" r="80000" b="70000"/></a:path></a:gradFill>`,
      },
      {
        look: '<a:pattFill prst="pct25"><a:fgClr><a:srgbClr val="C00000"/></a:fgClr><a:bgClr><a:srgbClr val="FFFFFF"/></a:bgClr></a:pattFill>',
      },
      { preset: 'star6', look: '<a:blipFill><a:blip r:embed="disc"/></a:blipFill>' },
      { preset: 'can', look: `${solid('FFC000')}${framed}` },
    ) +
      row(
        52,
        40,
        { look: '<a:solidFill><a:srgbClr val="4472C4"><a:alpha val="40000"/></a:srgbClr></a:solidFill>' },
        {
          look: '<a:solidFill><a:schemeClr val="accent2"><a:lumMod val="60000"/><a:lumOff val="40000"/></a:schemeClr></a:solidFill>',
        },
        { look: '<a:solidFill><a:srgbClr val="4472C4"><a:shade val="50000"/></a:srgbClr></a:solidFill>' },
        { look: '<a:solidFill><a:hslClr hue="7200000" sat="60000" lum="50000"/></a:solidFill>' },
        { look: '<a:solidFill><a:prstClr val="tomato"><a:tint val="60000"/></a:prstClr></a:solidFill>' },
      ) +
      row(
        52,
        40,
        { form: custom, look: `${solid('70AD47')}${line('385723', 1)}`, text: p('ab') },
        { preset: 'roundRect', adjustments: adjust('adj', 40_000), look: solid('BDD7EE') },
        { preset: 'chevron', adjustments: adjust('adj', 70_000), look: solid('F8CBAD') },
        { preset: 'bevel', look: solid('A5A5A5') },
        {
          style:
            '<wps:style><a:lnRef idx="2"><a:schemeClr val="accent1"/></a:lnRef><a:fillRef idx="1"><a:schemeClr val="accent6"/></a:fillRef><a:effectRef idx="0"><a:schemeClr val="accent1"/></a:effectRef><a:fontRef idx="minor"><a:schemeClr val="lt1"/></a:fontRef></wps:style>',
          text: p('Styled'),
        },
      ),
    { media: { 'disc.png': discPng(24, [31, 78, 121]) } },
  ),
  exhibit(
    'text in shapes',
    row(
      80,
      50,
      { look: framed, text: story, body: body('anchor="ctr" lIns="0" tIns="0" rIns="0" bIns="0"') },
      { look: framed, text: p('Low'), body: body('anchor="b" lIns="127000"') },
      { look: framed, text: story, body: body('vert="vert"') },
      { look: framed, text: p('Upwards'), body: body('vert="vert270" anchor="ctr"') },
    ) +
      row(
        80,
        20,
        { look: framed, text: story, body: body('', '<a:spAutoFit/>') },
        { look: framed, text: p('A single line that is wide'), body: body('wrap="none"') },
        { look: framed, text: story + story, body: body('') },
      ) +
      row(
        80,
        40,
        { preset: 'ellipse', look: framed, text: p('Round') },
        { look: framed, text: p('Turned'), transform: '<a:xfrm rot="1200000"/>' },
        { look: framed, text: p('On its head'), transform: '<a:xfrm flipV="1"/>' },
      ),
  ),
  exhibit(
    'groups in groups',
    para(
      '',
      drawn(
        group(
          child(0, 0, { text: p('a') }) +
            child(60, 0, { turn: ' rot="5400000"' }) +
            child(0, 60, { turn: ' flipH="1"', preset: 'rightArrow' }) +
            group(
              child(0, 0) + child(60, 90, { preset: 'ellipse' }),
              'grpSp',
              '<a:off x="60" y="60"/><a:ext cx="60" cy="60"/>',
            ),
        ),
        120,
        60,
        'Shapes in groups',
      ),
    ) +
      para(
        '',
        drawn(
          '<pic:pic><pic:blipFill><a:blip r:embed="disc"/><a:srcRect l="10000" t="20000"/></pic:blipFill><pic:spPr><a:xfrm/><a:prstGeom prst="ellipse"><a:avLst/></a:prstGeom>' +
            `${solid('FFF2CC')}${line('C00000', 2)}</pic:spPr></pic:pic>`,
          60,
          40,
        ),
        drawn('<x:unknown xmlns:x="urn:x"/>', 80, 40, 'Unknown'),
      ),
    { media: { 'disc.png': discPng(24, [31, 78, 121]) } },
  ),
  exhibit(
    'shapes of VML',
    vml(
      `<v:rect ${size(50, 30)} fillcolor="#fc0" strokecolor="rgb(0,112,192)" strokeweight="2pt"/>`,
      `<v:oval ${size(50, 30)} fillcolor="teal"><v:fill opacity=".5"/></v:oval>`,
      `<v:roundrect ${size(50, 30)} arcsize="30%" filled="f"><v:stroke dashstyle="shortdashdot" endcap="round" joinstyle="bevel"/></v:roundrect>`,
      `<v:arc ${size(50, 30)} startangle="20" endangle="200" filled="f" strokeweight="1.5pt"/>`,
      `<v:polyline points="0,0,20pt,30pt,50pt,5pt" ${size(50, 30)} filled="f" strokecolor="green"/>`,
    ) +
      vml(
        '<v:line from="0,20pt" to="60pt,0" strokeweight="1.5pt"><v:stroke startarrow="oval" startarrowwidth="wide" endarrow="classic" endarrowlength="long"/></v:line>',
        '<v:line from="60pt,20pt" to="0,0"><v:stroke startarrow="block" endarrow="open"/></v:line>',
        `<v:shape ${size(60, 40)} coordsize="1000,1000" coordorigin="-100,-100" path="m@0,0l800,@1,@2,800xewa0,400,400,800,0,600,400,600e" adj="300,600" fillcolor="#9dc3e6"><v:formulas><v:f eqn="val #0"/><v:f eqn="sum width 0 #1"/><v:f eqn="prod #0 1 3"/></v:formulas></v:shape>`,
        `<v:shape ${size(60, 40)} coordsize="100,100" path="m0,50qx50,0,100,50qy50,100,0,50xnfe m20,20r20,10,10,20t20,-20v10,10,20,-20,20,0al70,70,15,10,0,23592960ar0,0,40,40,40,20,0,20nse" fillcolor="#f4b183"/>`,
        `<v:shapetype id="_x0000_t99" coordsize="21600,21600" o:spt="99" adj="5400" path="m0,0l21600,@0,0,21600xe"><v:stroke joinstyle="miter"/><v:formulas><v:f eqn="val #0"/></v:formulas><v:path textboxrect="0,@0,10800,16200"/></v:shapetype><v:shape type="#_x0000_t99" ${size(60, 40)} adj="10800">${boxText('t', 'inset="0,0,0,0"')}</v:shape>`,
      ) +
      vml(
        `<v:rect ${size(60, 40, 'v-text-anchor:middle')}>${boxText('Middle', 'inset="1pt,2pt,3pt,4pt"')}</v:rect>`,
        `<v:rect ${size(60, 40, 'v-text-anchor:bottom-center')}>${boxText('Low')}</v:rect>`,
        `<v:rect ${size(60, 40)}>${boxText('Aside', 'style="layout-flow:vertical"')}</v:rect>`,
        `<v:rect ${size(60, 40)}>${boxText('Upwards', 'style="layout-flow:vertical;mso-layout-flow-alt:bottom-to-top"')}</v:rect>`,
      ),
  ),
  exhibit(
    'gradients, groups and letters of VML',
    vml(
      `<v:rect ${size(50, 30)} fillcolor="red"><v:fill type="gradient" color2="yellow" angle="-45"/></v:rect>`,
      `<v:rect ${size(50, 30)} fillcolor="red"><v:fill type="gradient" color2="fill darken(100)" focus="50%"/></v:rect>`,
      `<v:rect ${size(50, 30)} fillcolor="#4472c4"><v:fill type="gradient" color2="fill lighten(200)" focus="100%"/></v:rect>`,
      `<v:oval ${size(50, 30)} fillcolor="navy"><v:fill type="gradientRadial" color2="white"/></v:oval>`,
      `<v:rect ${size(50, 30)}><v:fill r:id="disc" type="frame"/></v:rect>`,
    ) +
      vml(
        `<v:group ${size(120, 60, 'rotation:10')} coordsize="1200,600" coordorigin="0,0"><v:rect style="left:0;top:0;width:400;height:300" fillcolor="#ffe699"/><v:oval style="left:500;top:200;width:300;height:300;rotation:90;flip:x" fillcolor="#a9d18e"/><v:line from="0,600" to="1200,300"/><v:group style="left:900;top:0;width:300;height:300" coordsize="10,10"><v:rect style="left:1;top:1;width:5;height:8"/></v:group></v:group>`,
        `<v:shape type="#_x0000_t136" ${size(120, 40)} fillcolor="silver"><v:fill opacity="32768f"/><v:textpath style="font-family:&quot;Arial&quot;;font-weight:bold;font-style:italic" string="DRAFT"/></v:shape>`,
      ) +
      vml(
        `<v:shape ${size(60, 40)} stroked="t" strokecolor="red"><v:imagedata r:id="disc" cropleft="16384f" croptop=".2"/></v:shape>`,
        `<v:rect ${size(0, 1.5)} o:hr="t" o:hrpct="500" fillcolor="gray" stroked="f"/>`,
      ),
    { media: { 'disc.png': discPng(24, [31, 78, 121]) } },
  ),
]
