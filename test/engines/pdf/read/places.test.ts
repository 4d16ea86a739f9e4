import { describe, expect, test } from 'bun:test'
import { dump, layoutOf, p, renderingOf, wordDocument } from '../word.ts'

/** Content in places where files have it, though most documents do not: none of it is lost. */

const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
const paragraph = (content: string) => `<w:p>${content}</w:p>`
const choice = (content: string, fallback: string) =>
  `<mc:AlternateContent><mc:Choice Requires="wps">${content}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`
const row = (text: string) => `<w:tr>${cell(text)}</w:tr>`
const cell = (text: string) => `<w:tc>${p(text)}</w:tc>`

/** The texts of the first page, and the remarks about elements that are left out. */
function shown(body: string): string[] {
  const docx = wordDocument(body)
  const texts = dump(layoutOf(docx).pages[0]!).map((line) => line.slice(line.indexOf(' ') + 1))
  const { report } = renderingOf(docx)
  return [...texts, ...report.filter(({ code }) => code === 'render.unsupported').map(({ message }) => message)]
}

describe('text is drawn', () => {
  test.each(['w:hyperlink', 'w:ins', 'w:fldSimple', 'w:smartTag', 'w:customXml', 'w:moveTo', 'w:bdo', 'w:dir', 'w:r'])(
    'directly in %s',
    (name) => {
      const outer = `<${name} w:instr="X"><w:t>direct</w:t></${name}>`
      expect(shown(paragraph(outer))).toEqual(['direct'])
    },
  )

  test('directly in a paragraph and in a content control', () => {
    expect(shown(paragraph('<w:t>direct</w:t>'))).toEqual(['direct'])
    expect(shown(paragraph('<w:sdt><w:sdtContent><w:t>direct</w:t></w:sdtContent></w:sdt>'))).toEqual(['direct'])
  })

  test('in runs, links and insertions inside a run', () => {
    const inner = `${run('a')}<w:hyperlink>${run('b')}</w:hyperlink><w:ins>${run('c')}</w:ins>`
    const control = `<w:sdt><w:sdtContent>${run('d')}</w:sdtContent></w:sdt>`
    expect(shown(paragraph(`<w:r>${inner}${control}</w:r>`)).join('')).toBe('abcd')
  })

  test('between paragraphs, where neighbours share a paragraph of their own', () => {
    const link = `<w:hyperlink>${run('b')}</w:hyperlink>`
    const lines = dump(layoutOf(wordDocument(run('a') + link + p('c') + run('d'))).pages[0]!)
    expect(lines.map((line) => line.split(',')[1])).toEqual(['59.4 ab', '70.9 c', '82.4 d'])
    expect(shown(`<w:tbl><w:tr><w:tc>${run('in a cell')}</w:tc></w:tr></w:tbl>`)).toEqual(['in a cell'])
    expect(shown(`<w:sdt><w:sdtContent>${run('in a control')}</w:sdtContent></w:sdt>`)).toEqual(['in a control'])
  })
})

describe('of alternate content the choice is drawn', () => {
  const table = (rows: string) => `<w:tbl>${rows}</w:tbl>`
  test.each([
    ['around paragraphs', choice(p('choice'), p('fallback'))],
    ['around a table', choice(table(row('choice')), p('fallback'))],
    ['around rows', table(choice(row('choice'), row('fallback')))],
    ['around cells', table(`<w:tr>${choice(cell('choice'), cell('fallback'))}</w:tr>`)],
    ['in a cell', table(`<w:tr><w:tc>${choice(p('choice'), p('fallback'))}</w:tc></w:tr>`)],
    ['around runs', paragraph(choice(run('choice'), run('fallback')))],
    ['in a link', paragraph(`<w:hyperlink>${choice(run('choice'), run('fallback'))}</w:hyperlink>`)],
    ['in a run', paragraph(`<w:r>${choice('<w:t>choice</w:t>', '<w:t>fallback</w:t>')}</w:r>`)],
    ['in another', choice(choice(p('choice'), p('no')), p('fallback'))],
  ])('%s', (_, body) => {
    expect(shown(body)).toEqual(['choice'])
  })

  test('in properties of runs, paragraphs and cells', () => {
    const hidden = `<w:r><w:rPr>${choice('<w:vanish/>', '')}</w:rPr><w:t>hidden</w:t></w:r>`
    expect(shown(paragraph(hidden + run('seen')))).toEqual(['seen'])
    const right = p('x', choice('<w:jc w:val="right"/>', '<w:jc w:val="center"/>'))
    expect(dump(layoutOf(wordDocument(right)).pages[0]!)).toEqual(['245.0,59.4 x'])
  })
})

test('elements of unknown vocabularies are what the root says: their content, nothing, or a remark', () => {
  const attributes = 'xmlns:q="urn:q" xmlns:u="urn:u" mc:Ignorable="q" mc:ProcessContent="q:shown"'
  const body =
    `<q:shown>${p('block')}</q:shown><q:gone>${p('no')}</q:gone>` +
    paragraph(`<q:shown>${run('inline')}</q:shown><q:gone>${run('no')}</q:gone><u:other>${run('no')}</u:other>`)
  const { report, ...rest } = renderingOf(wordDocument(body, { root: attributes }))
  expect(rest.pages).toBe(1)
  const texts = dump(layoutOf(wordDocument(body, { root: attributes })).pages[0]!)
  expect(texts).toEqual(['50.0,59.4 block', '50.0,70.9 inline'])
  expect(report.filter(({ code }) => code === 'render.unsupported').map(({ message }) => message)).toEqual([
    'u:other is not supported; it is left out.',
  ])
})

test.each([
  ['between paragraphs', (mark: string) => mark + p('Target')],
  ['between rows', (mark: string) => `<w:tbl>${mark}${row('Target')}</w:tbl>`],
  ['between cells', (mark: string) => `<w:tbl><w:tr>${mark}${cell('Target')}</w:tr></w:tbl>`],
])('a bookmark %s is that of the next paragraph', (_, place) => {
  const field = '<w:fldSimple w:instr=" PAGEREF here "><w:r><w:t>stored</w:t></w:r></w:fldSimple>'
  const mark = '<w:bookmarkStart w:id="1" w:name="here"/><w:bookmarkEnd w:id="1"/>'
  const body = paragraph(field) + p('', '<w:pageBreakBefore/>') + place(mark)
  expect(dump(layoutOf(wordDocument(body)).pages[0]!)).toEqual(['50.0,59.4 2'])
})
