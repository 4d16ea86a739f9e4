import { describe, expect, test } from 'bun:test'
import { dumpPaths, dumpTexts, layoutOf, renderingOf, wordDocument } from './word.ts'

const pict = (content: string) => `<w:p><w:r><w:pict>${content}</w:pict></w:r></w:p>`
const box = 'width:100pt;height:40pt'
const framesOf = (content: string) => layoutOf(wordDocument(pict(content))).pages[0]!.frames
const pathsOf = (content: string) => dumpPaths(framesOf(content))

describe('VML', () => {
  test('rectangles, ovals, round rectangles and lines are read from their own elements', () => {
    expect(pathsOf(`<v:rect style="${box}" fillcolor="#f00" strokecolor="blue" strokeweight="2pt"/>`)).toEqual([
      'M50,50 L150,50 L150,90 L50,90 Z fill FF0000 stroke 0000FF 2',
    ])
    expect(pathsOf(`<v:oval style="${box}" filled="f"/>`)[0]).toMatch(/^M150,70 C.* Z stroke 000000 0\.8$/)
    expect(pathsOf(`<v:roundrect style="${box}" arcsize="0.25" stroked="f"/>`)[0]).toStartWith('M50,60 C')
    expect(pathsOf('<v:line from="0,40pt" to="100pt,0" strokecolor="red [3204]"/>')).toEqual([
      'M50,90 L150,50 stroke FF0000 0.8',
    ])
  })

  test('paths use the units of their coordinate size, and formulas and adjustments of their type', () => {
    const type =
      '<v:shapetype id="t" coordsize="200,100" adj="50" path="m,l@0,,@0@1xe"><v:formulas><v:f eqn="val #0"/><v:f eqn="sum height 0 #0"/></v:formulas></v:shapetype>'
    const own = `<v:shape type="#t" style="${box}" stroked="f" fillcolor="lime"/>`
    expect(pathsOf(type + own)).toEqual(['M50,50 L75,50 L75,70 Z fill 00FF00'])
    const adjusted = `<v:shape type="#t" adj="100" style="${box}" stroked="f" fillcolor="lime"/>`
    expect(pathsOf(type + adjusted)).toEqual(['M50,50 L100,50 L100,50 Z fill 00FF00'])
    const later = layoutOf(wordDocument(pict(type + own) + pict(own))).pages[0]!.frames
    expect(dumpPaths(later)[1]).toBe('M50,90 L75,90 L75,110 Z fill 00FF00')
  })

  test('arcs, quarter ellipses and curves are drawn, and parts without fill or stroke are respected', () => {
    const shape = (path: string) =>
      pathsOf(`<v:shape coordsize="100,40" style="${box}" path="${path}" fillcolor="red"/>`)[0]
    expect(shape('m0,20qx50,0,100,20l100,40xe')).toStartWith('M50,70 C77.6,70 100,61 100,50 C100,61 ')
    expect(shape('al50,20,50,20,0,23592960xe')).toStartWith('M150,70 C')
    expect(shape('wr0,0,100,40,0,20,100,20nfe')).toMatch(/^M50,70 C.* stroke/)
    expect(shape('m100,20at0,0,100,40,100,20,0,20e')).toStartWith(
      'M150,70 L150,70 C150,59 127.6,50 100,50 C72.4,50 50,59 50,70 ',
    )
    expect(shape('m0,0c10,10,20,20,30,30nse')).toBe('M50,50 C60,60 70,70 80,80 fill FF0000')
    expect(shape('m10,10r5,5e')).toStartWith('M60,60 L65,65 ')
  })

  test('groups place their members by the group’s coordinates', () => {
    const member = '<v:rect style="position:absolute;left:150;top:0;width:50;height:100" fillcolor="red" stroked="f"/>'
    const line = '<v:line from="100,0" to="200,100"/>'
    expect(
      pathsOf(`<v:group style="${box}" coordorigin="100,0" coordsize="100,100">${member}${line}</v:group>`),
    ).toEqual(['M100,50 L150,50 L150,90 L100,90 Z fill FF0000', 'M50,50 L150,90 stroke 000000 0.8'])
  })

  test('a watermark is text, stretched to its box and turned', () => {
    const mark = `<v:shape style="${box};rotation:315" fillcolor="silver" stroked="f"><v:fill opacity=".5"/><v:textpath style="font-family:&quot;Arial&quot;" string="DRAFT"/></v:shape>`
    const frames = framesOf(mark)
    expect(dumpTexts(frames)[0]).toEndWith(' DRAFT')
    const drawn = JSON.stringify(frames)
    expect(drawn).toContain('"color":"E0E0E0"')
    expect(drawn).not.toContain('"path"')
  })

  test('WordArt has a line around its letters, unless it says that it has none', () => {
    const art = (stroke: string) =>
      framesOf(
        `<v:shape style="${box}"${stroke}><v:textpath style="font-family:&quot;Arial&quot;" string="Sale"/></v:shape>`,
      )
    const text = (stroke: string) => JSON.stringify(art(stroke))
    const [group] = art('')
    const inner = JSON.stringify(group)
    const [across, , , down] = JSON.parse(/"matrix":(\[(?!1,0,0,1,)[^\]]+\])/.exec(inner)![1]!) as number[]
    const width = Number(/"outline":{"color":"000000","width":([\d.]+)/.exec(inner)![1])
    // Stretched with its letters, the line is as wide as it says.
    expect(width * Math.sqrt(across! * down!)).toBeCloseTo(0.75, 5)
    expect(Math.abs(across! * down! - 1)).toBeGreaterThan(0.05)
    expect(text('')).toContain('"color":"FFFFFF"')
    expect(text(' stroked="f"')).not.toContain('"outline":{"color"')
    // Letters that have nothing but their line are drawn in its colour.
    expect(text(' filled="f" strokecolor="#336699"')).toContain('"color":"336699"')
    expect(text(' filled="f" stroked="f"')).not.toContain('Sale')
  })

  test('text boxes keep their insets, and centre their text if they say so', () => {
    const textbox = (style: string, inset: string) =>
      `<v:rect style="${box};${style}"><v:textbox inset="${inset}"><w:txbxContent><w:p><w:r><w:t>Inside</w:t></w:r></w:p></w:txbxContent></v:textbox></v:rect>`
    expect(dumpTexts(framesOf(textbox('', '0,0,0,0')))).toEqual(['50.0,59.4 Inside'])
    expect(dumpTexts(framesOf(textbox('v-text-anchor:middle', '10pt,0,0,0')))).toEqual(['60.0,73.7 Inside'])
  })

  test('two colours make a gradient, and hidden or switched-off parts are not drawn', () => {
    const gradient = `<v:rect style="${box}" fillcolor="red" stroked="f"><v:fill type="gradient" color2="blue"/></v:rect>`
    expect(pathsOf(gradient)[0]).toEndWith('fill linear')
    expect(pathsOf(`<v:rect style="${box};visibility:hidden"/>`)).toEqual([])
    expect(pathsOf(`<v:rect style="${box}" filled="f"><v:stroke on="f"/></v:rect>`)).toEqual([])
    expect(pathsOf(`<v:rect style="${box}"><v:fill on="f"/></v:rect>`)[0]).not.toContain('fill')
  })

  test('a horizontal rule is as wide as its column, and its line is as high as a line of text', () => {
    const rule = '<v:rect style="width:0;height:2pt" o:hr="t" fillcolor="gray" stroked="f"/>'
    const { frames } = layoutOf(wordDocument(`${pict(rule)}<w:p><w:r><w:t>After</w:t></w:r></w:p>`)).pages[0]!
    const [drawn] = dumpPaths(frames)
    expect(drawn).toMatch(/^M50,59\.5 L250,59\.5 .* fill 808080$/)
    expect(dumpTexts(frames)).toEqual(['50.0,70.9 After'])
  })

  test('check boxes of form fields are drawn, with a cross if they are checked', () => {
    const field = (checked: string) =>
      `<w:p><w:r><w:rPr><w:sz w:val="20"/></w:rPr><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:sizeAuto/>${checked}</w:checkBox></w:ffData></w:fldChar></w:r>` +
      '<w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
    const steps = (checked: string) =>
      dumpPaths(layoutOf(wordDocument(field(checked))).pages[0]!.frames).map((path) => path.replace(/[^MLZ]/g, ''))
    expect(steps('')).toEqual(['MLLLZ'])
    expect(steps('<w:checked/>')).toEqual(['MLLLZMLML'])
    expect(steps('<w:default w:val="0"/>')).toEqual(['MLLLZ'])
  })

  test('hostile paths, formulas and sizes still leave a readable file', () => {
    const hostile = [
      `<v:shape style="${box}" path="${'l@9,#9'.repeat(200_000)}"/>`,
      `<v:shape style="width:1e99pt;height:-5pt" path="m0,0l${'9'.repeat(400)},1e"/>`,
      `<v:shape coordsize="0,0" style="${box}" path="ae,,,,,xe at0,0,0,0,0,0,0,0 qx qb"/>`,
      `<v:polyline points="${'1,2 '.repeat(80_000)}" style="${box}"/>`,
      '<v:group style="width:10pt;height:10pt">'.repeat(30) + '</v:group>'.repeat(30),
    ]
    for (const content of hostile) {
      const { pdf } = renderingOf(wordDocument(pict(content)))
      expect(Buffer.from(pdf).toString('latin1')).not.toContain('NaN')
    }
  })
})
