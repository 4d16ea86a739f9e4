import { beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '../../../src/core/limits.ts'
import { embeddedFonts } from '../../../src/engines/pdf/font/embedded.ts'
import { createFontLibrary } from '../../../src/engines/pdf/font/library.ts'
import { glyphsOf } from '../../../src/engines/pdf/frame/frame.ts'
import { type Rendering, renderPdf } from '../../../src/engines/pdf/pdf.ts'
import { temporaryFolder } from '../../support/database.ts'
import { discPng, letterDocx, plainPng, reportDocx } from './documents.ts'
import { layoutOf, p, picture, renderingOf, smallSection, textFrames, wordDocument } from './word.ts'

const folder = temporaryFolder('quire-pdf-')
const inCi = process.env.CI === 'true'

/** Skipped with the tool's name where it is missing, never in CI. */
function needs(tool: string): boolean {
  if (inCi || Bun.which(tool)) return true
  process.stderr.write(`SKIPPED: ${tool} is not installed, so its tests of the PDF engine do not run.\n`)
  return false
}

const qpdf = needs('qpdf')
const poppler = needs('pdftotext')

function save(name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

function run(...command: string[]): { code: number; out: string } {
  const result = Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })
  return { code: result.exitCode, out: result.stdout.toString() + result.stderr.toString() }
}

/** The page as gray pixels: 0 is black. */
function pixels(path: string, page: number, dpi: number) {
  const result = Bun.spawnSync(['pdftoppm', '-gray', '-r', `${dpi}`, '-f', `${page}`, '-l', `${page}`, path], {
    stdout: 'pipe',
  })
  const bytes = new Uint8Array(result.stdout)
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(Buffer.from(bytes.subarray(0, 40)).toString('latin1'))!
  const width = Number(head[1])
  const data = bytes.subarray(head[0].length)
  return {
    /** Share of dark pixels in a rectangle given in points. */
    ink(x: number, y: number, w: number, h: number): number {
      const scale = dpi / 72
      let dark = 0
      let count = 0
      for (let row = Math.floor(y * scale); row < (y + h) * scale; row++) {
        for (let column = Math.floor(x * scale); column < (x + w) * scale; column++) {
          count++
          if (data[row * width + column]! < 128) dark++
        }
      }
      return dark / count
    },
  }
}

let letter: Uint8Array
let report: Uint8Array
let letterPdf: Rendering
let reportPdf: Rendering

beforeAll(async () => {
  letter = await letterDocx()
  report = await reportDocx(6)
  letterPdf = renderingOf(letter)
  reportPdf = renderingOf(report)
  save('letter.pdf', letterPdf.pdf)
  save('report.pdf', reportPdf.pdf)
})

describe('rendering', () => {
  test('is byte-identical when repeated, with other documents in between', () => {
    expect(Buffer.compare(renderingOf(letter).pdf, letterPdf.pdf)).toBe(0)
    expect(Buffer.compare(renderingOf(report).pdf, reportPdf.pdf)).toBe(0)
  })

  test('differs in its identifier when the content differs', () => {
    const id = (pdf: Uint8Array) => /\/ID\[<([0-9a-f]{32})>/.exec(Buffer.from(pdf).toString('latin1'))?.[1]
    expect(id(letterPdf.pdf)).toBeDefined()
    expect(id(letterPdf.pdf)).not.toBe(id(reportPdf.pdf))
  })

  test('holds no date and no random subset tag', () => {
    const text = Buffer.from(letterPdf.pdf).toString('latin1')
    expect(text).not.toMatch(/CreationDate|ModDate|xmp:CreateDate/)
    expect(text).toContain('<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>')
  })

  test('stays small: a letter with two fonts and a logo under 40 kB', () => {
    expect(letterPdf.pages).toBe(1)
    expect(letterPdf.pdf.length).toBeLessThan(40_000)
  })

  test('reports each substitute font once, and no font that is present', () => {
    const twins = letterPdf.report.filter((finding) => finding.code === 'render.font_twin')
    expect(twins.map((finding) => finding.path)).toEqual(['font#Calibri'])
    const own = renderingOf(wordDocument(p('x', '', '<w:rFonts w:ascii="Carlito"/>')))
    expect(own.report).toEqual([])
    const unknown = renderingOf(wordDocument(p('x', '', '<w:rFonts w:ascii="Nowhere Sans"/>')))
    expect(unknown.report.map((finding) => finding.code)).toEqual(['render.font_substituted'])
  })

  test('reports unsupported content with part and element, and still renders the rest', () => {
    const rendering = renderingOf(
      wordDocument(`${p('before')}<w:p><w:r><w:nonsense/></w:r></w:p><w:altChunk r:id="x"/>${p('after')}`),
    )
    expect(
      rendering.report.filter((finding) => finding.code === 'render.unsupported').map((finding) => finding.path),
    ).toEqual(['word/document.xml#w:nonsense', 'word/document.xml#w:altChunk'])
    expect(rendering.pages).toBe(1)
  })

  test('reports looks of text that it does not draw, once each, and none that are switched off', () => {
    const looks = '<w:outline/><w:shadow w:val="0"/>'
    const { report } = renderingOf(wordDocument(p('a', '', looks) + p('b', '', `<w:b/>${looks}`)))
    expect(report.filter(({ code }) => code === 'render.unsupported').map(({ message }) => message)).toEqual([
      'w:outline is not supported; the text is drawn without it.',
    ])
  })

  test('has garbage collected once it has read a very long part, and not for a shorter one', () => {
    const collections = (partBytes: number) => {
      const filler = `<!--${randomBytes(partBytes / 2).toString('hex')}-->`
      let count = 0
      const outcome = renderPdf(wordDocument(`${p('Text')}${filler}`), {
        fonts: embeddedFonts(),
        collect: () => count++,
      })
      expect(outcome.findings).toEqual([])
      return count
    }
    expect(collections(limits.renderCollectedPartBytes)).toBe(1)
    expect(collections(limits.renderCollectedPartBytes - 65_536)).toBe(0)
  })

  test('fails with a finding if there is no font at all', () => {
    const outcome = renderPdf(letter, { fonts: createFontLibrary([]) })
    expect(outcome.ok).toBe(false)
    expect(outcome.findings.map((finding) => finding.code)).toEqual(['render.no_fonts'])
  })
})

describe.skipIf(!qpdf)('the file', () => {
  test('passes qpdf --check', () => {
    for (const name of ['letter.pdf', 'report.pdf']) {
      const { code, out } = run('qpdf', '--check', join(folder, name))
      expect(out).toContain('No syntax or stream encoding errors found')
      expect(out).not.toContain('WARNING')
      expect(code).toBe(0)
    }
  })

  test('is tagged: headings, lists, tables with header cells, figures with descriptions, one entry per page', () => {
    const { out } = run('qpdf', '--qdf', '--object-streams=disable', join(folder, 'report.pdf'), '-')
    for (const type of ['Document', 'H1', 'H2', 'P', 'L', 'LI', 'Lbl', 'LBody', 'Table', 'TR', 'TH', 'TD'])
      expect(out).toContain(`/S /${type}\n`)
    expect(out).toContain('/Scope /Column')
    expect(out).toContain('/Marked true')
    expect(out).toContain('/DisplayDocTitle true')
    expect(out).toContain('/GTS_PDFA1')
    const letterOut = run('qpdf', '--qdf', '--object-streams=disable', join(folder, 'letter.pdf'), '-').out
    expect(letterOut).toContain('/Alt (Example Mutual logo)')
    expect(letterOut).toContain('/URI (https://example.com/policy)')
    expect(letterOut).toContain('/OBJR')
  })

  test('has an outline made from the headings', () => {
    const { out } = run('qpdf', '--json', '--json-key=outlines', join(folder, 'report.pdf'))
    const { outlines } = JSON.parse(out)
    expect(outlines.map((entry: { title: string }) => entry.title)).toEqual(
      [1, 2, 3, 4, 5, 6].map((site) => `${site}. Site ${site}`),
    )
    expect(outlines[0].kids[0].title).toBe('Findings')
  })

  test('keeps only harmless link targets', () => {
    const link = (id: string) => `<w:p><w:hyperlink r:id="${id}"><w:r><w:t>go ${id}</w:t></w:r></w:hyperlink></w:p>`
    const relation = (id: string, target: string) =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="${target}" TargetMode="External"/>`
    const rendering = renderingOf(
      wordDocument(link('a') + link('b'), {
        extraRelationships: relation('a', 'https://example.com/a(b)') + relation('b', 'javascript:alert(1)'),
      }),
    )
    const { out } = run('qpdf', '--qdf', '--object-streams=disable', save('links.pdf', rendering.pdf), '-')
    expect(out).toContain('https://example.com/a')
    expect(out).not.toContain('javascript')
    expect(rendering.report.map((finding) => finding.code)).toContain('render.link_dropped')
  })
})

describe.skipIf(!poppler)('what a reader sees', () => {
  test('every text is there, on its page', () => {
    const { out } = run('pdftotext', join(folder, 'letter.pdf'), '-')
    for (const text of ['Example Mutual', 'Ms Ada Quill', '€ 1,571.70', 'Page 1 of 1', 'Glass breakage extension'])
      expect(out).toContain(text)
    const pages = run('pdftotext', '-layout', join(folder, 'report.pdf'), '-').out.split('\f')
    expect(pages.length - 1).toBe(reportPdf.pages)
    for (let page = 1; page <= reportPdf.pages; page++)
      expect(pages[page - 1]).toContain(`Page ${page} of ${reportPdf.pages}`)
    const whole = pages.join('')
    for (let site = 1; site <= 6; site++)
      for (let line = 1; line <= 14; line++) expect(whole).toContain(`Position ${site}.${line}`)
  })

  test('every glyph is really drawn: ink in the box of each word', () => {
    const docx = wordDocument(
      ['Calibri', 'Cambria', 'Arial', 'Times New Roman', 'Courier New', 'Georgia']
        .map((family) =>
          p(
            'Ägypten fließt\u00a0über 2029',
            '',
            `<w:rFonts w:ascii="${family}" w:hAnsi="${family}"/><w:sz w:val="32"/>`,
          ),
        )
        .join(''),
    )
    const path = save('glyphs.pdf', renderingOf(docx).pdf)
    const page = pixels(path, 1, 144)
    for (const frame of textFrames(layoutOf(docx).pages[0]!)) {
      let x = frame.x
      for (const [index, glyph] of glyphsOf(frame).entries()) {
        const advance = frame.look.font.face.advance(glyph) * frame.look.size * frame.look.scale
        const ink = page.ink(x, frame.y - frame.look.size * 0.7, advance, frame.look.size * 0.9)
        const blank = /[ \u00a0]/.test(frame.text[index]!)
        if (blank) expect(ink).toBeLessThan(0.05)
        else expect(ink).toBeGreaterThan(0.05)
        x += advance
      }
    }
  })

  test('a picture with alpha shows what is behind it, and an opaque one does not', () => {
    const shade = '<w:shd w:val="clear" w:fill="000000"/><w:spacing w:line="2000" w:lineRule="exact"/>'
    const body = (id: string) => `<w:p><w:pPr>${shade}</w:pPr><w:r>${picture(id, 60, 60)}</w:r></w:p>`
    const media = { 'disc.png': discPng(60, [255, 255, 255]), 'full.png': plainPng(60, 60, [255, 255, 255]) }
    const at = (id: string) => {
      const docx = wordDocument(body(id), { media })
      const image = layoutOf(docx).pages[0]!.frames.find((frame) => frame.kind === 'image')!
      const page = pixels(save(`${id}.pdf`, renderingOf(docx).pdf), 1, 72)
      return { corner: page.ink(image.x + 1, image.y + 1, 4, 4), middle: page.ink(image.x + 25, image.y + 25, 10, 10) }
    }
    expect(at('disc')).toEqual({ corner: 1, middle: 0 })
    expect(at('full')).toEqual({ corner: 0, middle: 0 })
  })

  test('a page of another size keeps that size', () => {
    const section = smallSection.replace('w:w="6000"', 'w:w="12240"').replace('w:h="8000"', 'w:h="15840"')
    const { out } = run('pdfinfo', save('size.pdf', renderingOf(wordDocument(p('x'), { section })).pdf))
    expect(out).toContain('612 x 792 pts (letter)')
  })

  test('the title is the document’s, and the fonts are embedded subsets', () => {
    expect(run('pdfinfo', join(folder, 'letter.pdf')).out).toContain('Policy schedule 2024-0815')
    const { out } = run('pdffonts', join(folder, 'letter.pdf'))
    const rows = out.trim().split('\n').slice(2)
    expect(rows.length).toBeGreaterThan(1)
    for (const row of rows) expect(row).toMatch(/^[A-Z]{6}\+Carlito\S* +CID TrueType +Identity-H +yes yes yes/)
  })
})
