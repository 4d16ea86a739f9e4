import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import naskh from '@expo-google-fonts/noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf' with { type: 'file' }
import { type PDFDict, PDFName } from 'pdf-lib'
import { embeddedSources } from '../../../src/engines/pdf/font/embedded.ts'
import { createFontLibrary, fontSourcesOf } from '../../../src/engines/pdf/font/library.ts'
import { renderPdf } from '../../../src/engines/pdf/pdf.ts'
import { plainPng } from './documents.ts'
import { chartExhibits } from './gallery/charts.ts'
import { drawingExhibits } from './gallery/drawings.ts'
import { equationExhibits, fraction, run } from './gallery/equations.ts'
import { pageExhibits } from './gallery/pages.ts'
import { shapeExhibits } from './gallery/shapes.ts'
import { cell, row, table, tableExhibits } from './gallery/tables.ts'
import { textExhibits } from './gallery/text.ts'
import { breakages, pdfaBreakages } from './rules/breakages.ts'
import { broken, rules } from './rules/matterhorn.ts'
import { arrayIn, dictIn, openPdf, textIn } from './rules/opened.ts'
import { pdfaRules } from './rules/pdfa.ts'
import { needs, qpdfCheck, save } from './tools.ts'
import { p, picture, renderingOf, smallSection, wordDocument } from './word.ts'

const link = (text: string) =>
  `<w:p><w:fldSimple w:instr='HYPERLINK "https://example.com"'><w:r><w:t>${text}</w:t></w:r></w:fldSimple></w:p>`
const listed = (text: string) => p(text, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')
const noted = (id: number) => `<w:p><w:r><w:t>noted</w:t></w:r><w:r><w:footnoteReference w:id="${id}"/></w:r></w:p>`
const heading = (level: number, text: string) => p(text, `<w:outlineLvl w:val="${level - 1}"/>`)

/** A page with something of all that is tagged. */
function everything(): Uint8Array {
  const body =
    heading(1, 'Your policy') +
    link('the site') +
    heading(2, 'Terms') +
    listed('one') +
    table('', [2_000, 2_000], [row([cell('Name'), cell('Sum')], '<w:tblHeader/>'), row([cell('Ann'), cell('12')])]) +
    noted(1) +
    noted(2) +
    `<w:p><w:r>${picture('logo', 20, 20, 'The logo')}</w:r></w:p>` +
    `<w:p><m:oMath>${fraction(run('a'), run('b'))}</m:oMath></w:p>`
  const note = (id: number) => `<w:footnote w:id="${id}">${p(`note ${id}`)}</w:footnote>`
  return wordDocument(body, {
    media: { 'logo.png': plainPng(2, 2, [0, 0, 0]) },
    numbering:
      '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>',
    footnotes: note(1) + note(2),
    headers: { h1: link('the site, above') },
    section: `<w:headerReference w:type="default" r:id="h1"/>${smallSection}`,
  })
}

const good = renderingOf(everything()).pdf

test('the 87 conditions of the Matterhorn Protocol that a program can decide are all looked at', () => {
  expect(Object.keys(rules)).toHaveLength(87)
  expect(Object.keys(breakages)).toEqual(Object.keys(rules))
})

test('a page with all that is tagged breaks none of them', async () => {
  const file = await openPdf(good)
  expect(broken(file)).toEqual({})
  expect(broken(file, pdfaRules)).toEqual({})
  const roles = new Set(file.elements.map(({ role }) => role))
  for (const role of [
    'H1',
    'H2',
    'P',
    'Link',
    'L',
    'LI',
    'Lbl',
    'LBody',
    'Table',
    'TR',
    'TH',
    'TD',
    'Note',
    'Figure',
    'Formula',
  ])
    expect([role, roles.has(role)]).toEqual([role, true])
})

test('elements with an identifier are found by it', async () => {
  const { root, elements } = await openPdf(good)
  const notes = elements.filter(({ role }) => role === 'Note').map(({ dict }) => textIn(dict, 'ID'))
  const names = arrayIn(dictIn(root, 'IDTree'), 'Names')
  expect(notes.length).toBe(2)
  expect(
    [...Array(names?.size() ?? 0).keys()].filter((at) => at % 2 === 0).map((at) => names?.lookup(at)?.toString()),
  ).toEqual(notes.map((id) => `(${id})`).sort())
  for (const at of [1, 3]) expect(elements.map(({ dict }) => dict)).toContain(names?.lookup(at) as PDFDict)
})

test.each(Object.entries(breakages))('%s is found in a file that breaks it', async (id, change) => {
  const file = await openPdf(good)
  change(file)
  const changed = await openPdf(await file.document.save({ useObjectStreams: false }), 'encrypted too')
  expect(broken(changed)[id]).not.toBeEmpty()
})

test.each(Object.entries(pdfaBreakages))('%s of PDF/A-2 is found in a file that breaks it', async (id, change) => {
  const file = await openPdf(good)
  change(file)
  const changed = await openPdf(await file.document.save({ useObjectStreams: false }), 'encrypted too')
  expect(broken(changed, pdfaRules)[id]).not.toBeEmpty()
})

test('what is about the file as bytes is found too, and no rule of PDF/A-2 is without a file that breaks it', async () => {
  const shifted = Buffer.concat([Buffer.from('%PDF-1.7\n%none\n'), good.subarray(15)])
  expect(broken({ ...(await openPdf(good)), bytes: shifted }, pdfaRules)).toHaveProperty(['6.1.2 header'])
  const behind = Buffer.concat([good, Buffer.from('more\n')])
  expect(broken({ ...(await openPdf(good)), bytes: behind }, pdfaRules)).toHaveProperty(['6.1.3 trailer'])
  expect(Object.keys(pdfaRules).sort()).toEqual([...Object.keys(pdfaBreakages), '6.1.2 header'].sort())
})

test('a font that may only be embedded whole shows no glyph 0 for characters that it lacks', async () => {
  const bytes = Buffer.from(readFileSync(naskh))
  bytes.writeUInt16BE(0x100, bytes.readUInt32BE(bytes.indexOf('OS/2') + 8) + 8)
  const fonts = createFontLibrary([...fontSourcesOf(new Uint8Array(bytes)), ...embeddedSources()])
  const look = '<w:rFonts w:ascii="Noto Naskh Arabic" w:hAnsi="Noto Naskh Arabic" w:cs="Noto Naskh Arabic"/>'
  const drawn = renderPdf(wordDocument(p('سلام \u{1d173} กข \u{20000}', '', look)), { fonts })
  const file = await openPdf(drawn.ok ? drawn.value.pdf : new Uint8Array(0))
  expect(file.fonts.map(({ dict }) => String(dict.get(PDFName.of('BaseFont'))))).toContain('/NotoNaskhArabic-Regular')
  expect(broken(file, pdfaRules)).toEqual({})
})

const gallery = [
  ...[...textExhibits, ...pageExhibits, ...tableExhibits, ...shapeExhibits],
  ...[...drawingExhibits, ...chartExhibits, ...equationExhibits],
]

// They have no titles, so none states PDF/UA-1.
test('no page of the gallery breaks a rule of either standard but the statement that it does not make', async () => {
  const found: Record<string, unknown> = {}
  for (const { name, docx } of gallery) {
    const file = await openPdf(renderingOf(docx).pdf)
    const { '06-002': unclaimed, ...wrong } = { ...broken(file), ...broken(file, pdfaRules) }
    if (Object.keys(wrong).length > 0) found[name] = wrong
    expect([name, unclaimed === undefined]).toEqual([name, file.xmp.includes('<pdfuaid:part>1')])
  }
  expect(found).toEqual({})
}, 60_000)

test.skipIf(!(needs('qpdf') && needs('pdftotext')))(
  'qpdf and poppler read the same files without a complaint',
  () => {
    const complaints: string[] = []
    const files = [
      ['everything', good] as const,
      ...gallery.map(({ name, docx }) => [name, renderingOf(docx).pdf] as const),
    ]
    for (const [name, pdf] of files) {
      if (qpdfCheck('checked.pdf', pdf) !== 0) complaints.push(`qpdf: ${name}`)
      const { stderr } = Bun.spawnSync(['pdftotext', save('checked.pdf', pdf), '-'])
      if (stderr.length > 0) complaints.push(`pdftotext: ${name}: ${stderr}`)
    }
    expect(complaints).toEqual([])
  },
  120_000,
)
