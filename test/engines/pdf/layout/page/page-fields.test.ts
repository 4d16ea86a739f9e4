import { describe, expect, spyOn, test } from 'bun:test'
import type { Inline } from '../../../../../src/engines/pdf/model/document.ts'
import { Cascade } from '../../../../../src/engines/pdf/style/cascade.ts'
import { layoutOf, p, smallSection, textFrames, wordDocument } from '../../word.ts'

const lines = (count: number) => Array.from({ length: count }, (_, index) => p(`Line ${index + 1}`)).join('')

/** 60 lines over a footer that says how many pages there are, several times, and says something else until then. */
function numbered(stored: string, more = '') {
  const count = `<w:fldSimple w:instr="NUMPAGES"><w:r><w:t>${stored}</w:t></w:r></w:fldSimple>`
  return wordDocument(lines(60), {
    section: `<w:footerReference w:type="default" r:id="footer1"/>${smallSection}`,
    footers: { footer1: `<w:p>${more}${count.repeat(6)}</w:p>` },
  })
}

/** What is on each page, the footer last. */
function pagesOf(docx: Uint8Array): string[][] {
  return layoutOf(docx).pages.map((page) => {
    const frames = textFrames(page)
    const footer = frames.filter(({ node }) => node === -1).map(({ text }) => text)
    return [...frames.filter(({ node }) => node !== -1).map(({ text }) => text), footer.join('')]
  })
}

/** How often the first of the lines is laid out. */
function passesOf(docx: Uint8Array): number {
  const bases = spyOn(Cascade.prototype, 'runBase')
  try {
    layoutOf(docx)
    const isFirst = (inline: Inline | undefined) => inline?.kind === 'text' && inline.text === 'Line 1'
    return bases.mock.calls.filter(([{ content }]) => isFirst(content[0])).length
  } finally {
    bases.mockRestore()
  }
}

const stretched = 'W '.repeat(32).trim()

describe('a footer with the number of pages', () => {
  test('takes the room that the number needs, not that of the stored result', () => {
    const pages = pagesOf(numbered(stretched))
    expect(pages.map((page) => page.length)).toEqual([27, 27, 9])
    expect(pages.map((page) => page.at(-1))).toEqual(Array(3).fill('333333'))
    expect(pages).toEqual(pagesOf(numbered('1')))
  })

  test('lays the text out again only if the number can make the footer higher or lower', () => {
    expect(passesOf(numbered('1'))).toBe(1)
    expect(passesOf(numbered(stretched))).toBe(2)
    // What it quotes of the pages before is known while they are laid out, and not to be had afterwards.
    const quote = '<w:fldSimple w:instr="STYLEREF Title"><w:r><w:t>?</w:t></w:r></w:fldSimple>'
    expect(passesOf(numbered('1', quote))).toBe(2)
  })
})

describe('a footer', () => {
  /** The first frame of the footer of each page. */
  const firsts = (footer: string) => {
    const section = `<w:footerReference w:type="default" r:id="footer1"/>${smallSection}`
    const { pages } = layoutOf(wordDocument(lines(60), { section, footers: { footer1: footer } }))
    return pages.map((page) => textFrames(page).find(({ node }) => node === -1)!)
  }

  test('in which nothing depends on the page is laid out once, and shared by all pages', () => {
    const [first, ...others] = firsts(p('Page 1'))
    expect(others.map((frame) => frame === first)).toEqual([true, true])
  })

  test('with a field is laid out for each page', () => {
    const number = '<w:fldSimple w:instr="PAGE"><w:r><w:t>0</w:t></w:r></w:fldSimple>'
    expect(firsts(`<w:p>${number}</w:p>`).map(({ text }) => text)).toEqual(['1', '2', '3'])
  })
})

test('notes that begin again on each page cost a second pass, and no third one', () => {
  const notes = [1, 2].map((id) => `<w:footnote w:id="${id}">${p('note')}</w:footnote>`).join('')
  const referring = (id: number) => `<w:p><w:r><w:footnoteReference w:id="${id}"/></w:r></w:p>`
  const restart = (rule: string) => `<w:footnotePr><w:numRestart w:val="${rule}"/></w:footnotePr>`
  const docx = (rule: string) =>
    wordDocument(referring(1) + lines(30) + referring(2), { footnotes: notes, settings: restart(rule) })
  expect(passesOf(docx('eachPage'))).toBe(2)
  expect(passesOf(docx('continuous'))).toBe(1)
})

describe('the number of pages of a section', () => {
  const field = (code: string) => `<w:fldSimple w:instr="${code}"><w:r><w:t>?</w:t></w:r></w:fldSimple>`
  const footers = { footer1: `<w:p>${field('SECTIONPAGES')}<w:r><w:t>of</w:t></w:r>${field('NUMPAGES')}</w:p>` }
  const section = `<w:footerReference w:type="default" r:id="footer1"/>${smallSection}`
  const ended = `<w:p><w:pPr><w:sectPr>${section}</w:sectPr></w:pPr></w:p>`

  test('counts those of its own section, and that of the document counts all', () => {
    const pages = pagesOf(wordDocument(lines(60) + ended + lines(30), { section, footers }))
    expect(pages.map((page) => page.at(-1))).toEqual(['3of5', '3of5', '3of5', '2of5', '2of5'])
  })

  test('has the format that the field asks for, in the text as well', () => {
    const roman = `<w:p>${field('SECTIONPAGES \\* ROMAN')}${field('NUMPAGES \\* roman')}${field('SECTIONPAGES')}</w:p>`
    const [first] = pagesOf(wordDocument(roman + lines(30) + ended + lines(30), { section, footers }))
    expect(first![0]).toBe('IIiv2')
  })
})

test('a reference to a page shows the page of its bookmark, however far ahead that is', () => {
  const reference = '<w:p><w:fldSimple w:instr="PAGEREF there"><w:r><w:t>9</w:t></w:r></w:fldSimple></w:p>'
  const unknown = reference.replace('there', 'nowhere')
  const there =
    '<w:p><w:bookmarkStart w:id="1" w:name="there"/><w:r><w:t>target</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>'
  const section = `${smallSection}<w:pgNumType w:fmt="lowerRoman" w:start="4"/>`
  const [first] = pagesOf(wordDocument(reference + unknown + lines(60) + there, { section }))
  expect(first!.slice(0, 2)).toEqual(['vi', '9'])
})
