import { expect, test } from 'bun:test'
import { plainPng } from './documents.ts'
import { p, picture, renderingOf, wordDocument } from './word.ts'

/** Every finding of a report says where a reader meets what it is about. */

const placesOf = (docx: Uint8Array) =>
  renderingOf(docx)
    .report.filter(({ code }) => !code.startsWith('render.font_'))
    .map(({ code, near }) => [code, near])
const newPage = '<w:pageBreakBefore/>'
const small = (content: string) => `<w:p><w:r>${content}</w:r></w:p>`

test('characters that no font has are reported with the page and the line of the first, a script once whatever fonts it names', () => {
  const thai = (text: string, font: string) => p(text, '', `<w:rFonts w:cs="${font}"/>`)
  const body =
    p('one') +
    p('two', newPage) +
    thai('see: กขค here', 'Angsana New') +
    thai('กขค', 'Tahoma') +
    p('three', newPage) +
    p('smile 😀 then 🎉')
  expect(placesOf(wordDocument(body))).toEqual([
    ['render.glyph_missing', { words: 'see: กขค here', page: 2 }],
    ['render.glyph_missing', { words: 'smile 😀 then 🎉', page: 3 }],
  ])
})

test('what is left out while reading is reported with the first words of its paragraph or table, and the page that has them', () => {
  const strange = '<w:strange/>'
  const cell = `<w:tc><w:tcPr/>${p('')}<w:p><w:r><w:t>in a cell</w:t></w:r>${strange}</w:p></w:tc>`
  const body =
    p('one') +
    `<w:p><w:pPr>${newPage}</w:pPr><w:r><w:t>${'words and '.repeat(12)}</w:t></w:r>${strange}</w:p>` +
    `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="3000"/></w:tblGrid><w:tr>${cell.replaceAll('strange', 'stranger')}</w:tr></w:tbl>` +
    `<w:p>${strange.replace('strange', 'strangest')}</w:p>`
  expect(placesOf(wordDocument(body))).toEqual([
    ['render.unsupported', { words: 'words and words and words and words and words and words and…', page: 2 }],
    ['render.unsupported', { words: 'in a cell', page: 2 }],
    // Nothing near it has words.
    ['render.unsupported', undefined],
  ])
})

test('pictures and links are reported with their page, a picture with the words before it', () => {
  const body =
    p('one') +
    p('The logo:', newPage) +
    small(picture('logo', 20, 20)) +
    `<w:p><w:fldSimple w:instr='HYPERLINK "file:///etc/passwd"'><w:r><w:t>the file</w:t></w:r></w:fldSimple></w:p>`
  const media = { 'logo.png': plainPng(4, 4, [0, 0, 0]).slice(0, 40) }
  expect(placesOf(wordDocument(body, { media }))).toEqual([
    ['render.image_unreadable', { words: 'The logo:', page: 2 }],
    ['render.link_dropped', { words: 'the file', page: 2 }],
  ])
})
