import { describe, expect, spyOn, test } from 'bun:test'
import { Cascade } from '../../../src/engines/pdf/style/cascade.ts'
import { layoutOf, p, smallSection, textFrames, wordDocument } from './word.ts'

const lines = (count: number) => Array.from({ length: count }, (_, index) => p(`Line ${index + 1}`)).join('')

/** 60 lines over a footer that says how many pages there are, several times, and says something else until then. */
function numbered(stored: string, more = '') {
  const count = `<w:fldSimple w:instr="NUMPAGES"><w:r><w:t>${stored}</w:t></w:r></w:fldSimple>`
  return wordDocument(lines(60), {
    section: `<w:footerReference w:type="default" r:id="footer1"/>${smallSection}`,
    footers: { footer1: `<w:p>${more}${count.repeat(6)}</w:p>` },
  })
}

/** What stands on each page, the footer last. */
function pagesOf(docx: Uint8Array): string[][] {
  return layoutOf(docx).pages.map((page) => {
    const frames = textFrames(page)
    const footer = frames.filter(({ node }) => node === -1).map(({ text }) => text)
    return [...frames.filter(({ node }) => node !== -1).map(({ text }) => text), footer.join('')]
  })
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
    const bases = spyOn(Cascade.prototype, 'runBase')
    try {
      const layouts = (docx: Uint8Array) => {
        bases.mockClear()
        layoutOf(docx)
        return bases.mock.calls.filter(([{ content }]) => content[0]?.kind === 'text' && content[0].text === 'Line 1')
          .length
      }
      expect(layouts(numbered('1'))).toBe(1)
      expect(layouts(numbered(stretched))).toBe(2)
      // What it quotes of the pages before is known while they are laid out, and not to be had afterwards.
      const quote = '<w:fldSimple w:instr="STYLEREF Title"><w:r><w:t>?</w:t></w:r></w:fldSimple>'
      expect(layouts(numbered('1', quote))).toBe(2)
    } finally {
      bases.mockRestore()
    }
  })
})
