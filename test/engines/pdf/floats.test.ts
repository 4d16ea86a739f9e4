import { describe, expect, test } from 'bun:test'
import { dump, layoutOf, p, smallSection, wordDocument } from './word.ts'

/** Where floating tables stand: text from 50 to 250 pt across and from 50 to 350 pt down, Arial 10 pt. */
const linesOf = (body: string, section = smallSection) => dump(layoutOf(wordDocument(body, { section })).pages[0]!)
const table = (position: string, width = '', text = 'cell') =>
  `<w:tbl><w:tblPr><w:tblpPr ${position}/>${width}</w:tblPr><w:tblGrid><w:gridCol w:w="4200"/></w:tblGrid><w:tr><w:tc>${p(text)}</w:tc></w:tr></w:tbl>`

describe('a floating table', () => {
  test('stands between the margins, not on the page, where it names no vertical anchor', () => {
    const bottom = table('w:horzAnchor="margin" w:tblpYSpec="bottom"')
    expect(linesOf(bottom + p('text'))).toContain('55.4,347.9 cell')
    const stated = table('w:horzAnchor="margin" w:vertAnchor="page" w:tblpYSpec="bottom"')
    expect(linesOf(stated + p('text'))).toContain('55.4,397.9 cell')
  })

  test('as wide as a share of the text is centred by that width, whatever its grid says', () => {
    const position = 'w:horzAnchor="margin" w:tblpXSpec="center" w:tblpY="2000"'
    expect(linesOf(table(position) + p('text'))).toContain('50.4,159.4 cell')
    expect(linesOf(table(position, '<w:tblW w:w="5000" w:type="pct"/>') + p('text'))).toContain('55.4,159.4 cell')
    expect(linesOf(table(position, '<w:tblW w:w="2500" w:type="pct"/>') + p('text'))).toContain('105.4,159.4 cell')
  })

  test('keeps to the margins where a document grid makes the text begin lower and end higher', () => {
    const grid = `${smallSection}<w:docGrid w:type="lines" w:linePitch="360"/>`
    const position = (place: string) => table(`w:horzAnchor="margin" w:tblpYSpec="${place}"`)
    // 300 pt hold 16 lines of 18 pt; 12 pt are left, half of them above.
    expect(linesOf(p('text'), grid)).toEqual([expect.stringMatching(/^50\.0,(6[5-9]|7)/)])
    expect(linesOf(position('top') + p('text'), grid)).toContain('55.4,59.4 cell')
    expect(linesOf(position('bottom') + p('text'), grid)).toContain('55.4,347.9 cell')
  })

  test('has its text where it says, until the mode of Word 2013 and without one, but not beyond the page', () => {
    const cellOf = (position: string, settings: string) => {
      const docx = wordDocument(table(`w:vertAnchor="page" w:tblpY="4000" ${position}`) + p('text'), { settings })
      return dump(layoutOf(docx).pages[0]!).find((line) => line.endsWith('cell'))
    }
    const modern =
      '<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>'
    expect(cellOf('w:horzAnchor="margin"', '<w:compat/>')).toBe('50.0,209.4 cell')
    expect(cellOf('w:horzAnchor="margin"', modern)).toBe('55.4,209.4 cell')
    expect(cellOf('w:horzAnchor="page"', '<w:compat/>')).toBe('5.4,209.4 cell')
    expect(cellOf('w:horzAnchor="margin" w:tblpXSpec="left"', '<w:compat/>')).toBe('55.4,209.4 cell')
  })
})
