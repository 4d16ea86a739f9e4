import { describe, expect, test } from 'bun:test'
import type { Frame } from '../../../../../src/engines/pdf/frame/frame.ts'
import { plainPng } from '../../documents.ts'
import { dump, layoutOf, p, renderingOf, wordDocument } from '../../word.ts'

const item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'

function listOf(bullet: string, relation = 'rId1'): Uint8Array {
  const numbering =
    `<w:numPicBullet w:numPicBulletId="7">${bullet}</w:numPicBullet>` +
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="x"/><w:lvlPicBulletId w:val="7"/>' +
    '<w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr><w:rPr><w:sz w:val="60"/></w:rPr></w:lvl></w:abstractNum>' +
    '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
  const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="${relation}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/dot.png"/></Relationships>`
  return wordDocument(p('one', item) + p('', item) + p('after'), {
    numbering,
    media: { 'dot.png': plainPng(2, 1, [0, 0, 255]) },
    others: { '_rels/numbering.xml.rels': relations },
  })
}

const vml =
  '<w:pict><v:shape style="width:22pt;height:11pt" o:bullet="t"><v:imagedata r:id="rId1" o:title=""/></v:shape></w:pict>'
const drawing =
  '<w:drawing><wp:inline><wp:extent cx="254000" cy="127000"/><a:graphic><a:graphicData><a:blip r:embed="rId1"/></a:graphicData></a:graphic></wp:inline></w:drawing>'

function picturesOf(docx: Uint8Array) {
  const frames: readonly Frame[] = layoutOf(docx).pages[0]!.frames
  return frames.flatMap((frame) => (frame.kind === 'image' ? [frame] : []))
}

describe('a level with a picture for its bullet', () => {
  test('shows the picture instead of its text, in its proportions, and keeps lines as high as their text', () => {
    for (const bullet of [vml, drawing]) {
      const docx = listOf(bullet)
      const [first, second] = picturesOf(docx)
      expect([first!.x, first!.width, first!.height]).toEqual([68.5, 15.8, 7.9])
      expect(second!.y - first!.y).toBeCloseTo(11.5, 1)
      expect(dump(layoutOf(docx).pages[0]!)).toEqual(['86.0,59.4 one', '50.0,82.4 after'])
      expect(renderingOf(docx).pages).toBe(1)
    }
  })

  test('shows its text if the package does not hold the picture', () => {
    const docx = listOf(vml, 'rId9')
    expect(picturesOf(docx)).toEqual([])
    expect(dump(layoutOf(docx).pages[0]!).filter((line) => line.endsWith(' x'))).toHaveLength(2)
  })
})
