import { describe, expect, test } from 'bun:test'
import { FieldFinder, fieldKeyword, findFields, startsPrograms } from '../../../src/engines/ooxml/fields.ts'
import { childElements } from '../../../src/engines/ooxml/xml.ts'
import { parseXml } from '../../../src/engines/ooxml/xml-parser.ts'

const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const code = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`
const begin = mark('begin')
const separate = mark('separate')
const end = mark('end')

function root(content: string) {
  const parsed = parseXml(
    `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${content}</w:document>`,
  )
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings))
  return parsed.value
}
const fields = (content: string) => findFields(root(content))
const p = (content: string) => `<w:p>${content}</w:p>`

describe('fields', () => {
  test('have the code between their begin and their separator or end', () => {
    const found = fields(p(`${begin + code(' PA') + code('GE ') + separate + code('no')}<w:r><w:t>1</w:t></w:r>${end}`))
    expect(found).toMatchObject([{ written: ' PAGE ', code: ' PAGE ', isComputed: false }])
    expect(found[0]?.pieces.map(({ text, node }) => `${text}|${node.text}`)).toEqual([' PA| PA', 'GE |GE '])
    expect(fields(p(begin + code('DATE') + end))).toMatchObject([{ written: 'DATE' }])
    expect(fields(p(code('no') + end + separate))).toEqual([])
  })

  test('can span paragraphs, and know where they start and end', () => {
    const source = root(p(begin + code('TOC')) + p(`${separate}<w:r/>`) + p(end))
    const [field] = findFields(source)
    const [first, , last] = childElements(source)
    expect(field?.paragraph).toBe(first)
    expect(field?.end).toBe((last?.end ?? 0) - '</w:r></w:p>'.length)
    expect(findFields(root(p(begin + code('TOC'))))[0]?.end).toBeUndefined()
  })

  test('inside others are found in the order in which they start', () => {
    const found = fields(
      p(
        begin +
          code('IF ') +
          begin +
          code('DATE') +
          separate +
          end +
          code(' x') +
          separate +
          begin +
          code('PAGE') +
          end +
          end,
      ),
    )
    expect(found.map(({ written }) => written)).toEqual(['IF  x', 'DATE', 'PAGE'])
    expect(found.map(({ code }) => code)).toEqual(['IF  x', 'DATE', 'PAGE'])
  })

  test('that are simple have their code in an attribute, and can contain others', () => {
    const found = fields(p(`<w:fldSimple w:instr="PAGE">${begin}${code('DATE')}${end}</w:fldSimple><w:fldSimple/>`))
    expect(found).toMatchObject([
      { written: 'PAGE', code: 'PAGE', pieces: [] },
      { written: 'DATE' },
      { written: '', code: '' },
    ])
    expect(found[0]?.end).toBe(found[0]?.element.end)
  })

  test('do not reach into a text box, or out of it', () => {
    const box = (content: string) => `<w:r><w:txbxContent>${p(content)}</w:txbxContent></w:r>`
    const found = fields(p(begin + code('A') + box(code('no') + begin + code('B') + end + end) + code('C') + end))
    expect(found.map(({ written }) => written)).toEqual(['AC', 'B'])
  })

  test('are found up to 64 levels deep', () => {
    expect(fields(p(begin.repeat(70)))).toHaveLength(64)
    const found = fields(p(begin.repeat(70) + code('X') + end.repeat(70) + begin + code('Y') + end))
    expect(found).toHaveLength(65)
    expect(found[64]?.written).toBe('Y')
  })

  test('are found element by element as in the whole part', () => {
    const content = p(begin + code('TOC')) + p(end) + p(begin + code('PAGE') + end)
    const finder = new FieldFinder()
    for (const child of childElements(root(content))) finder.add(child)
    expect(finder.found.map(({ written }) => written)).toEqual(fields(content).map(({ written }) => written))
  })
})

describe('what a field does', () => {
  test.each([
    [' page \\* x', 'PAGE'],
    ['HYPERLINK"x"', 'HYPERLINK'],
    ['TOC\\o', 'TOC'],
    ['', ''],
    ['"x"', ''],
  ])('%p is named by its first word', (written, keyword) => {
    expect(fieldKeyword(written)).toBe(keyword)
  })

  const quote = (text: string) => begin + code(text) + separate + end
  const starts = (content: string) => fields(p(begin + content + end)).some(startsPrograms)

  test('can start a program, even if other fields put the word together', () => {
    for (const content of [
      code('DDE x'),
      code(' ddeAuto x'),
      quote('QUOTE 68 68 69') + code(' x'),
      quote('quote "DDE"') + code(' x'),
      quote('QUOTE DDE') + code(' x'),
      code('D') + quote('QUOTE "D"') + code('E x'),
      quote('REF a') + code(' x'),
      code('XDDE') + quote('REF a'),
      `<w:fldSimple w:instr="QUOTE 68"/>${code('DE x')}`,
    ]) {
      expect([content.replace(/<[^>]*>/g, ''), starts(content)]).toEqual([content.replace(/<[^>]*>/g, ''), true])
    }
  })

  test('is harmless if only its arguments are put together, or if the word is only text', () => {
    for (const content of [
      code('QUOTE "DDE"'),
      code('IF ') + quote('QUOTE "DDE"') + code(' = 1'),
      code('DDEX x'),
      code('REF DDE'),
    ]) {
      expect([content.replace(/<[^>]*>/g, ''), starts(content)]).toEqual([content.replace(/<[^>]*>/g, ''), false])
    }
  })

  test('includes the results of QUOTE fields in its code: numbers as characters, texts and words', () => {
    const of = (inner: string) => fields(p(begin + code('A ') + quote(inner) + end))[0]?.code
    expect(of('QUOTE 72 105 "!" you')).toBe('A Hi!you')
    expect(of('QUOTE "a b" 123456')).toBe('A a b123456')
    expect(of('QUOTE ')).toBe('A ')
    expect(of('DATE 65')).toBe('A ')
  })
})
