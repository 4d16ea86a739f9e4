import { describe, expect, test } from 'bun:test'
import { unzipSync, zipSync } from 'fflate'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import { embeddedFonts } from '../../../src/engines/pdf/font/embedded.ts'
import { renderPdf } from '../../../src/engines/pdf/pdf.ts'
import { png } from './documents.ts'
import { dump, dumpShapes, layoutOf, p, renderingOf, wordDocument } from './word.ts'

/** Macros, controls and embedded objects: drawn by what is stored for them, never run, and no reason to refuse a document. */

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relation = (id: string, word: string, target: string) =>
  `<Relationship Id="${id}" Type="${office}/${word}" Target="${target}"/>`
const image = '<v:shape id="s" style="width:60pt;height:30pt"><v:imagedata r:id="pic"/></v:shape>'
const media = { 'pic.png': png(2, 2, 2, Buffer.from([0, 255, 0, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0])) }

function holding(object: string, relations: string): Uint8Array {
  return wordDocument(`<w:p><w:r><w:t>Before </w:t></w:r><w:r>${object}</w:r></w:p>${p('After')}`, {
    media,
    extraRelationships: relation('pic', 'image', 'media/pic.png') + relations,
  })
}

/** A document with its content types or parts changed. */
function changed(docx: Uint8Array, change: (text: string) => string, parts: Record<string, string> = {}): Uint8Array {
  const files = unzipSync(docx)
  const types = '[Content_Types].xml'
  files[types] = new TextEncoder().encode(change(new TextDecoder().decode(files[types])))
  for (const [name, content] of Object.entries(parts)) files[name] = new TextEncoder().encode(content)
  return zipSync(files)
}

const remarks = (docx: Uint8Array) =>
  renderingOf(docx)
    .report.filter(({ code }) => code.startsWith('ooxml.'))
    .map(({ code, severity, path }) => `${severity} ${code} ${path}`)

describe('rendering', () => {
  test.each(['document.macroEnabled', 'template.macroEnabledTemplate'])('ignores the macros of a %s', (kind) => {
    const docm = changed(
      wordDocument(p('Text'), { extraRelationships: relation('vba', 'vbaProject', 'vbaProject.bin') }),
      (types) =>
        types
          .replace('vnd.openxmlformats-officedocument.wordprocessingml.document.main', `vnd.ms-word.${kind}.main`)
          .replace(
            '<Override',
            '<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/><Override',
          ),
      { 'word/vbaProject.bin': 'x', 'word/vbaData.xml': '<x/>' },
    )
    expect(dump(layoutOf(docm).pages[0]!)).toEqual(['50.0,59.4 Text'])
    expect(remarks(docm)).toEqual(['warning ooxml.active_content word/document.xml'])
    expect(openPackage(docm).ok).toBe(false)
  })

  test.each([
    [
      'an embedded object',
      `<w:object>${image}<o:OLEObject Type="Embed" ProgID="Excel.Sheet.12" r:id="ole"/></w:object>`,
    ],
    ['a control', `<w:object>${image}<w:control r:id="ole" w:name="CheckBox1"/></w:object>`],
    ['a control without a place in the line', `<w:pict>${image}<w:control r:id="ole" w:name="CheckBox1"/></w:pict>`],
  ])('draws %s by the picture that is stored for it', (_, object) => {
    for (const word of ['oleObject', 'control']) {
      const docx = holding(object, relation('ole', word, 'embeddings/ole.bin'))
      expect(dumpShapes(layoutOf(docx).pages[0]!)).toEqual(['image 79.5,50.0 60.0×30.0'])
      expect(remarks(docx)).toEqual(['warning ooxml.active_content word/document.xml'])
      expect(openPackage(docx).ok).toBe(false)
    }
  })

  test('draws an embedded object whose picture is a drawing', () => {
    const drawing =
      '<w:drawing><wp:inline><wp:extent cx="762000" cy="381000"/><wp:docPr id="1" name="x"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill><a:blip r:embed="pic"/></pic:blipFill><pic:spPr/></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>'
    const docx = holding(`<w:object>${drawing}<w:objectEmbed r:id="ole"/></w:object>`, '')
    expect(dumpShapes(layoutOf(docx).pages[0]!)).toEqual(['image 79.5,50.0 60.0×30.0'])
  })

  test('shows the stored result of a field that starts programs', () => {
    const field = '<w:fldSimple w:instr=" DDEAUTO cmd x "><w:r><w:t>stored</w:t></w:r></w:fldSimple>'
    const docx = wordDocument(`<w:p>${field}</w:p>`)
    expect(dump(layoutOf(docx).pages[0]!)).toEqual(['50.0,59.4 stored'])
    expect(remarks(docx)).toEqual(['warning ooxml.dde word/document.xml#1:0'])
    expect(openPackage(docx).ok).toBe(false)
  })

  test('still refuses the package of a workbook with macros', () => {
    const workbook = changed(wordDocument(p('x')), (types) =>
      types.replace(
        'vnd.openxmlformats-officedocument.wordprocessingml.document.main',
        'vnd.ms-excel.sheet.macroEnabled.main',
      ),
    )
    const outcome = renderPdf(workbook, { fonts: embeddedFonts() })
    expect(outcome.ok ? [] : outcome.findings.map(({ code }) => code)).toContain('ooxml.not_word')
  })
})
