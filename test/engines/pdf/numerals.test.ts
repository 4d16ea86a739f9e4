import { describe, expect, test } from 'bun:test'
import { dump, layoutOf, p, smallSection, wordDocument } from './word.ts'

describe('numbers in documents', () => {
  const item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
  const numbering = (format: string) =>
    `<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="9"/>${format}<w:lvlText w:val="%1."/><w:suff w:val="space"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`
  const labels = (format: string) =>
    dump(layoutOf(wordDocument(p('a', item) + p('b', item), { numbering: numbering(format) })).pages[0]!).map((line) =>
      line.replace(/^\S+ /, ''),
    )

  test('lists count in their format', () => {
    expect(labels('<w:numFmt w:val="lowerRoman"/>')).toEqual(['ix.', 'a', 'x.', 'b'])
  })

  test('a custom format beside an older one is used', () => {
    const beside =
      '<mc:AlternateContent><mc:Choice Requires="w14"><w:numFmt w:val="custom" w:format="0001, 0002, 0003, ..."/></mc:Choice><mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent>'
    expect(labels(beside)).toEqual(['0009.', 'a', '0010.', 'b'])
  })

  test('fields count as their switch says, or else as their section does', () => {
    const field = (code: string) => `<w:p><w:fldSimple w:instr="${code}"><w:r><w:t>?</w:t></w:r></w:fldSimple></w:p>`
    const body = [' PAGE ', ' PAGE \\* CardText ', ' NUMPAGES \\* Ordinal ', ' PAGE \\* roman '].map(field).join('')
    const section = `${smallSection}<w:pgNumType w:fmt="upperLetter" w:start="3"/>`
    expect(dump(layoutOf(wordDocument(body, { section })).pages[0]!).map((line) => line.split(' ')[1])).toEqual([
      'C',
      'three',
      '1st',
      'iii',
    ])
  })
})
