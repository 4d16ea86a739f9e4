import { beforeAll, describe, expect, test } from 'bun:test'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { limits } from '../../../src/core/limits.ts'
import { embeddedFonts } from '../../../src/engines/pdf/font/embedded.ts'
import { renderPdf } from '../../../src/engines/pdf/pdf.ts'
import { letterDocx, plainPng } from './documents.ts'
import { layoutOf, p, picture, renderingOf, textFrames, wordDocument } from './word.ts'

/** Bad input is never thrown: it fails with findings or renders with a report. */
function attempt(docx: Uint8Array) {
  const outcome = renderPdf(docx, { fonts: embeddedFonts() })
  if (!outcome.ok) {
    expect(outcome.findings.length).toBeGreaterThan(0)
    for (const finding of outcome.findings) expect(finding.code).toMatch(/^[a-z][a-z0-9_.:-]{0,63}$/)
  } else {
    expect(Buffer.from(outcome.value.pdf.subarray(0, 8)).toString('latin1')).toBe('%PDF-1.7')
    for (const finding of outcome.value.report) expect(finding.severity).toBe('warning')
  }
  return outcome
}

/** A small deterministic generator, so that a failing mutant can be found again by its seed. */
function random(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 1) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296
  }
}

let letter: Uint8Array

beforeAll(async () => {
  letter = await letterDocx()
})

describe('mutated documents', () => {
  test('fail or render with bytes of the archive changed at random', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const next = random(seed)
      const copy = letter.slice()
      for (let change = 0; change < 8; change++) copy[Math.floor(next() * copy.length)] = Math.floor(next() * 256)
      attempt(copy)
    }
  })

  test('fail or render with numbers, names and pieces of the parts changed at random', () => {
    const files = unzipSync(letter)
    const names = [
      'word/document.xml',
      'word/styles.xml',
      'word/numbering.xml',
      'word/settings.xml',
      'word/footer1.xml',
    ]
    for (let seed = 1; seed <= 60; seed++) {
      const next = random(seed)
      const changed: Record<string, Uint8Array> = { ...files }
      for (const name of names) {
        if (!files[name] || next() < 0.4) continue
        let xml = new TextDecoder().decode(files[name])
        xml = xml.replace(/"(-?\d+)"/g, (match) => {
          const roll = next()
          if (roll > 0.1) return match
          return `"${['-1', '0', '999999999', '-2147483648', 'NaN', '', '1e9', '65536'][Math.floor(roll * 80)]}"`
        })
        xml = xml.replace(/<w:(\w+)\/>/g, (match) => (next() < 0.05 ? '' : match))
        changed[name] = strToU8(xml)
      }
      attempt(zipSync(changed, { level: 0 }))
    }
  })

  test('fail with a finding if they are empty, truncated or foreign', () => {
    for (const bytes of [new Uint8Array(0), letter.slice(0, 900), new TextEncoder().encode('%PDF-1.7 no document')]) {
      expect(attempt(bytes).ok).toBe(false)
    }
  })
})

describe('circular documents', () => {
  test('styles that are based on each other end, and are reported', () => {
    const styles =
      '<w:style w:type="paragraph" w:styleId="A"><w:name w:val="A"/><w:basedOn w:val="B"/></w:style><w:style w:type="paragraph" w:styleId="B"><w:name w:val="B"/><w:basedOn w:val="A"/></w:style>'
    expect(
      renderingOf(wordDocument(p('x', '<w:pStyle w:val="A"/>'), { styles })).report.map((finding) => finding.code),
    ).toContain('render.style_cycle')
  })

  test('numbering that links to itself through styles ends', () => {
    const styles =
      '<w:style w:type="numbering" w:styleId="N"><w:name w:val="N"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    const numbering =
      '<w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="N"/></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    expect(
      renderingOf(wordDocument(p('x', '<w:numPr><w:numId w:val="1"/></w:numPr>'), { styles, numbering })).pages,
    ).toBe(1)
  })

  test('a level whose own paragraph properties name a numbering ends', () => {
    const numbering =
      '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:lvlText w:val="%1"/><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    expect(
      renderingOf(wordDocument(p('x', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'), { numbering }))
        .pages,
    ).toBe(1)
  })

  test('a footnote that refers to itself ends', () => {
    const note = '<w:footnote w:id="1"><w:p><w:r><w:t>n</w:t><w:footnoteReference w:id="1"/></w:r></w:p></w:footnote>'
    expect(
      renderingOf(wordDocument('<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>', { footnotes: note })).pages,
    ).toBe(1)
  })
})

describe('oversized documents', () => {
  const cell = (inner: string) => `<w:tc><w:tcPr/>${inner}<w:p/></w:tc>`

  test('a table 10,000 columns wide is cut and reported', () => {
    const row = `<w:tr>${'<w:tc><w:p/></w:tc>'.repeat(10_000)}</w:tr>`
    const rendering = renderingOf(wordDocument(`<w:tbl><w:tblPr/><w:tblGrid/>${row}</w:tbl>`))
    expect(rendering.report.map((finding) => finding.code)).toContain('render.table_wide')
  })

  test('tables nested deeper than the limit are cut and reported, and the outer ones drawn', () => {
    let body = p('innermost')
    for (let depth = 0; depth < 70; depth++) body = `<w:tbl><w:tblPr/><w:tblGrid/><w:tr>${cell(body)}</w:tr></w:tbl>`
    const outcome = attempt(wordDocument(p('outside') + body))
    const codes = outcome.ok
      ? outcome.value.report.map((finding) => finding.code)
      : outcome.findings.map((finding) => finding.code)
    expect(codes.some((code) => code === 'render.nesting' || code.startsWith('xml.'))).toBe(true)
  })

  test('stop at the page limit and report it', () => {
    const body = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'.repeat(limits.renderPages + 5)
    const rendering = renderingOf(wordDocument(body))
    expect(rendering.pages).toBe(limits.renderPages)
    expect(rendering.report.map((finding) => finding.code)).toContain('render.pages_limit')
  })

  test('keep the words of the last page at the limit, whatever side of the sheet the next section asks for', () => {
    const breaks = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'.repeat(limits.renderPages - 1)
    const words = '<w:p><w:pPr><w:sectPr/></w:pPr><w:r><w:t>the last words</w:t></w:r></w:p>'
    const section = `<w:type w:val="${limits.renderPages % 2 === 0 ? 'oddPage' : 'evenPage'}"/>`
    const { pages } = layoutOf(wordDocument(breaks + words + p('beyond'), { section }))
    const shown = pages.slice(-1).flatMap((page) => textFrames(page).map(({ text }) => text))
    expect([pages.length, shown]).toEqual([limits.renderPages, ['the last words']])
  })

  test('a layout over its memory budget fails, and names the page and the part that it reached', () => {
    const words = 'harbour '.repeat(400)
    const fonts = embeddedFonts()
    const body = wordDocument(Array.from({ length: 60 }, () => p(words)).join(''))
    const table = wordDocument(`<w:tbl><w:tblPr/><w:tblGrid/>${`<w:tr>${cell(p('1'))}</w:tr>`.repeat(500)}</w:tbl>`)
    const within = renderPdf(body, { fonts, layoutBytes: 20_000_000 })
    expect(within.ok && within.value.pages).toBeGreaterThan(20)
    const over = renderPdf(body, { fonts, layoutBytes: 600_000 })
    expect(over.ok ? [] : over.findings).toMatchObject([
      { code: 'render.memory', severity: 'error', path: 'word/document.xml', hint: expect.stringContaining('Divide') },
    ])
    const reached = Number(!over.ok && /page (\d+)/.exec(over.findings[0]!.message)?.[1])
    expect(reached).toBeGreaterThan(5)
    expect(reached).toBeLessThan(within.ok ? within.value.pages : 0)
    // A table is laid out before its first row is on a page, so it has to be stopped there.
    const rows = renderPdf(table, { fonts, layoutBytes: 300_000 })
    expect(rows.ok ? [] : rows.findings.map((finding) => finding.code)).toEqual(['render.memory'])
  })

  test('content that a header repeats on every page counts, and is named as the part that is too large', () => {
    const docx = wordDocument('<w:p><w:r><w:br w:type="page"/></w:r></w:p>'.repeat(100), {
      headers: { header1: p('harbour '.repeat(200)) },
      section:
        '<w:headerReference w:type="default" r:id="header1"/><w:pgSz w:w="12000" w:h="16000"/><w:pgMar w:top="1000" w:right="1000" w:bottom="1000" w:left="1000" w:header="400" w:footer="400" w:gutter="0"/>',
    })
    const over = renderPdf(docx, { fonts: embeddedFonts(), layoutBytes: 600_000 })
    expect(over.ok ? [] : over.findings).toMatchObject([{ code: 'render.memory', path: 'word/header1.xml' }])
  })

  test('margins larger than the page, too wide text and an enormous size still make pages', () => {
    const section =
      '<w:pgSz w:w="2000" w:h="2000"/><w:pgMar w:top="9000" w:right="9000" w:bottom="9000" w:left="9000" w:header="9000" w:footer="0" w:gutter="0"/>'
    expect(renderingOf(wordDocument(p('Unbreakable'.repeat(40)), { section })).pages).toBeGreaterThan(0)
    expect(renderingOf(wordDocument(p('Big', '', '<w:sz w:val="99999999"/>'))).pages).toBeGreaterThan(0)
  })

  test('a word longer than its line is broken inside, and loses nothing', () => {
    const frames = textFrames(layoutOf(wordDocument(p('x'.repeat(200)))).pages[0]!)
    expect(frames.length).toBeGreaterThan(3)
    expect(frames.map((frame) => frame.text).join('')).toBe('x'.repeat(200))
  })
})

describe('false pictures', () => {
  const render = (bytes: Uint8Array) =>
    renderingOf(wordDocument(`<w:p><w:r>${picture('logo', 40, 40)}</w:r></w:p>`, { media: { 'logo.png': bytes } }))
  const unreadable = (bytes: Uint8Array) => render(bytes).report.map((finding) => finding.code)

  test('with a wrong size are replaced by a box and reported', () => {
    const bytes = plainPng(4, 4, [1, 2, 3])
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(16, 5_000)
    expect(unreadable(bytes)).toContain('render.image_unreadable')
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(16, 4_000_000_000)
    expect(unreadable(bytes)).toContain('render.image_unreadable')
  })

  test('of a wrong type are recognised by their bytes', () => {
    expect(unreadable(new TextEncoder().encode('GIF89a pretending'))).toContain('render.image_unreadable')
    const jpeg = new Uint8Array([
      0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 4, 0, 4, 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff, 0xd9,
    ])
    expect(unreadable(jpeg)).not.toContain('render.image_unreadable')
    expect(unreadable(jpeg.slice(0, 8))).toContain('render.image_unreadable')
  })

  test('that are missing leave a labelled box and a report', () => {
    const rendering = renderingOf(wordDocument(`<w:p><w:r>${picture('nowhere', 40, 40)}</w:r></w:p>`))
    expect(rendering.pages).toBe(1)
    expect(rendering.report.map((finding) => finding.code)).toEqual(['render.image_unreadable'])
  })
})
