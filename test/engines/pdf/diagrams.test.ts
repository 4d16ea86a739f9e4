import { describe, expect, test } from 'bun:test'
import { dumpTexts, layoutOf, namespaces, wordDocument } from './word.ts'

/* A diagram of 200 by 100 pt from (50, 50), as Word stores it when it has drawn it. */
const points = (value: number) => `${value * 12700}`
const transform = (name: string, x: number, y: number, width: number, height: number, turn = 0) =>
  `<${name} rot="${turn * 60_000}"><a:off x="${points(x)}" y="${points(y)}"/><a:ext cx="${points(width)}" cy="${points(height)}"/></${name}>`
const paragraph = (text: string, after = 0) =>
  `<a:p><a:pPr algn="ctr"><a:spcAft><a:spcPts val="${after * 100}"/></a:spcAft></a:pPr><a:r><a:rPr sz="1000"><a:latin typeface="Arial"/></a:rPr><a:t>${text}</a:t></a:r></a:p>`
const shape = (box: string, paragraphs: string, textBox = '') =>
  `<dsp:sp><dsp:spPr>${box}<a:prstGeom prst="rect"/></dsp:spPr><dsp:txBody><a:bodyPr lIns="0" tIns="0" rIns="0" bIns="0" anchor="ctr"/>${paragraphs}</dsp:txBody>${textBox}</dsp:sp>`

function textsOf(...shapes: string[]): string[] {
  const relation = 'http://schemas.microsoft.com/office/2007/relationships/diagramDrawing'
  const model = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData'
  const dsp = 'xmlns:dsp="http://schemas.microsoft.com/office/drawing/2008/diagram"'
  const extension = `<dgm:extLst><a:ext uri="x"><dsp:dataModelExt ${dsp} relId="drawing"/></a:ext></dgm:extLst>`
  const body = `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="${points(200)}" cy="${points(100)}"/><wp:docPr id="1" name="d"/><a:graphic><a:graphicData uri="x"><dgm:relIds r:dm="data"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  const docx = wordDocument(body, {
    others: {
      'diagrams/data1.xml': `<dgm:dataModel ${namespaces}>${extension}</dgm:dataModel>`,
      'diagrams/drawing1.xml': `<dsp:drawing ${namespaces} ${dsp}><dsp:spTree><dsp:grpSpPr/>${shapes.join('')}</dsp:spTree></dsp:drawing>`,
    },
    extraRelationships:
      `<Relationship Id="data" Type="${model}" Target="diagrams/data1.xml"/>` +
      `<Relationship Id="drawing" Type="${relation}" Target="diagrams/drawing1.xml"/>`,
  })
  return dumpTexts(layoutOf(docx).pages[0]!.frames)
}

describe('the text of a diagram', () => {
  const plain = textsOf(shape(transform('a:xfrm', 50, 25, 100, 50), paragraph('text')))

  test('is level in its own box if its shape is turned and the text is turned back', () => {
    // A quarter turn of 50 by 100 pt about (100, 50) fills the same box as 100 by 50 pt.
    const own = transform('dsp:txXfrm', 50, 25, 100, 50, -90)
    expect(textsOf(shape(transform('a:xfrm', 75, 0, 50, 100, 90), paragraph('text'), own))).toEqual(plain)
    const upright = transform('dsp:txXfrm', 50, 25, 100, 50, 180)
    expect(textsOf(shape(transform('a:xfrm', 50, 25, 100, 50, 180), paragraph('text'), upright))).toEqual(plain)
  })

  test('follows its own box, not its shape', () => {
    const own = transform('dsp:txXfrm', 50, 25, 100, 50)
    expect(textsOf(shape(transform('a:xfrm', 0, 0, 20, 100), paragraph('text'), own))).toEqual(plain)
  })

  test('is centred without the space below its last paragraph', () => {
    const box = transform('a:xfrm', 50, 25, 100, 50)
    expect(textsOf(shape(box, paragraph('text', 12)))).toEqual(plain)
    expect(textsOf(shape(box, paragraph('text', 12) + paragraph('text')))).not.toEqual(
      textsOf(shape(box, paragraph('text') + paragraph('text'))),
    )
  })
})
