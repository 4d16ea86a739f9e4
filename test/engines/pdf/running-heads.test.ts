import { describe, expect, test } from 'bun:test'
import { layoutOf, p, smallSection, textFrames, wordDocument } from './word.ts'

const styles =
  '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>' +
  '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style>'
const field = (instruction: string) =>
  `<w:fldSimple w:instr="${instruction}"><w:r><w:t>Error! No text of specified style.</w:t></w:r></w:fldSimple>`
const heading = (text: string, more = '') => p(text, `<w:pStyle w:val="H1"/>${more}`)
const next = '<w:pageBreakBefore/>'

/** What the header of each page shows. */
function headers(instruction: string, body: string, parts: Parameters<typeof wordDocument>[1] = {}): string[] {
  const layout = layoutOf(
    wordDocument(body, {
      styles,
      section: `<w:headerReference w:type="default" r:id="header1"/>${smallSection}`,
      headers: { header1: `<w:p>${field(instruction)}</w:p>` },
      ...parts,
    }),
  )
  return layout.pages.map((page) =>
    textFrames(page)
      .filter((frame) => frame.node === -1)
      .map((frame) => frame.text)
      .join('')
      .trim(),
  )
}

describe('a header that refers to a style', () => {
  const body =
    p('preface') +
    heading('One', next) +
    heading('Two') +
    p('text', next) +
    heading('Three', next) +
    p('text') +
    heading('Four')

  test('shows its first paragraph on the page, or else the one before, or else the next', () => {
    expect(headers(' STYLEREF &quot;Heading 1&quot; \\* MERGEFORMAT ', body)).toEqual(['One', 'One', 'Two', 'Three'])
    expect(headers('STYLEREF 1', body)).toEqual(['One', 'One', 'Two', 'Three'])
  })

  test('shows the last one on the page if the field asks for it', () => {
    expect(headers('STYLEREF &quot;heading 1&quot; \\l', body)).toEqual(['One', 'Two', 'Two', 'Four'])
  })

  test('shows the number of the paragraph without the full stop after it', () => {
    const numbering =
      '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum>' +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    const item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    const numbered = heading('One', item) + heading('Two', next + item)
    expect(headers('STYLEREF &quot;Heading 1&quot; \\n', numbered, { numbering })).toEqual(['1', '2'])
    expect(headers('STYLEREF &quot;Heading 1&quot;', numbered, { numbering })).toEqual(['One', 'Two'])
  })

  test('keeps the stored result if no paragraph has the style', () => {
    expect(headers('STYLEREF &quot;Heading 2&quot;', body)[0]).toStartWith('Error! No text')
    expect(headers('STYLEREF &quot;Unknown&quot;', body)[0]).toStartWith('Error! No text')
  })
})

test('a symbol field without a result draws its character, and one with a result draws the result', () => {
  const symbol = (result: string) =>
    '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> SYMBOL 211 \\f "Symbol" \\s 20 </w:instrText></w:r>' +
    `${result}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`
  const drawn = (result: string) => {
    const [frame] = textFrames(layoutOf(wordDocument(symbol(result))).pages[0]!)
    return [frame!.text, frame!.look.size]
  }
  expect(drawn('')).toEqual(['©', 20])
  expect(drawn('<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>x</w:t></w:r>')).toEqual(['x', 10])
})
