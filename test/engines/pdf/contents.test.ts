import { expect, test } from 'bun:test'
import { layoutOf, textFrames, wordDocument } from './word.ts'

const styles =
  '<w:style w:type="character" w:styleId="Lien"><w:name w:val="Hyperlink"/><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr></w:style>' +
  '<w:style w:type="character" w:styleId="Loud"><w:name w:val="Loud"/><w:rPr><w:color w:val="FF0000"/></w:rPr></w:style>'
const run = (text: string, properties = '<w:rStyle w:val="Lien"/>') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
const fieldChar = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const begin = (instruction: string) =>
  `${fieldChar('begin')}<w:r><w:instrText>${instruction}</w:instrText></w:r>${fieldChar('separate')}`
const link = (content: string) => `<w:hyperlink w:anchor="here">${content}</w:hyperlink>`

test('links in a table of contents look plain in all its paragraphs, and links after it do not', () => {
  const body =
    `<w:p>${begin(' TOC \\o "1-3" \\h ')}${link(run('first'))}</w:p>` +
    `<w:p>${link(run('second'))}${run('loud', '<w:rStyle w:val="Loud"/>')}</w:p>` +
    `<w:p>${fieldChar('end')}${link(run('behind'))}</w:p>`
  const { pages } = layoutOf(wordDocument(body, { styles }))
  expect(textFrames(pages[0]!).map(({ text, look }) => [text, look.color])).toEqual([
    ['first', '000000'],
    ['second', '000000'],
    ['loud', 'FF0000'],
    ['behind', '0563C1'],
  ])
  const underlines = pages[0]!.frames.filter((frame) => frame.kind === 'line' || frame.kind === 'box')
  expect(underlines).toHaveLength(1)
})
