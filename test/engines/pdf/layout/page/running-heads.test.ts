import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../../src/core/limits.ts'
import { layoutOf, p, smallSection, textFrames, wordDocument } from '../../word.ts'

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

  test('shows the words in a character style, a stretch of them as a whole', () => {
    const key = '<w:style w:type="character" w:styleId="Key"><w:name w:val="Key Word"/><w:rPr><w:b/></w:rPr></w:style>'
    const word = (text: string, more = '') =>
      `<w:r><w:rPr><w:rStyle w:val="Key"/>${more}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
    const plain = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
    const text =
      p('preface') +
      `<w:p><w:pPr>${next}</w:pPr>${plain('of ')}${word('alpha ')}${word('beta', '<w:i/>')}${plain(' and ')}${word('gamma')}</w:p>` +
      p('text', next)
    const parts = { styles: styles + key }
    expect(headers('STYLEREF &quot;key word&quot;', text, parts)).toEqual(['alpha beta', 'alpha beta', 'gamma'])
    expect(headers('STYLEREF &quot;Key Word&quot; \\l', text, parts)).toEqual(['alpha beta', 'gamma', 'gamma'])
    expect(headers('STYLEREF &quot;Key Word&quot;', p('none'), parts)).toEqual(['Error! No text of specified style.'])
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

  test('shows what a reader sees of the paragraph: no hidden text, fields as they are, blanks for tabs and breaks', () => {
    const run = (content: string, look = '') => `<w:r><w:rPr>${look}</w:rPr>${content}</w:r>`
    const text = (words: string, look = '') => run(`<w:t xml:space="preserve">${words}</w:t>`, look)
    const ruby =
      '<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>guide</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>base</w:t></w:r></w:rubyBase></w:ruby></w:r>'
    const content =
      text(' a') +
      text('hidden', '<w:vanish/>') +
      run('<w:tab/>') +
      text('b') +
      run('<w:br/>') +
      field('PAGEREF nowhere').replace('Error! No text of specified style.', '7') +
      ruby +
      text('. ')
    const made = `<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr>${content}</w:p>`
    expect(headers('STYLEREF &quot;Heading 1&quot;', made)).toEqual(['a b 7base.'])
    const long = headers('STYLEREF &quot;Heading 1&quot;', heading('x'.repeat(limits.renderRunningHeadChars + 9)))
    expect(long[0]!.length).toBe(limits.renderRunningHeadChars)
  })

  test('finds its style by the name or the identifier, and by its number among headings', () => {
    const named = '<w:style w:type="paragraph" w:styleId="T1"><w:name w:val="Chapter Title"/></w:style>'
    const other = '<w:style w:type="character" w:styleId="C1"><w:name w:val="Marked"/></w:style>'
    const body = p('named', '<w:pStyle w:val="T1"/>') + p('second', '<w:pStyle w:val="H2"/>')
    const shown = (name: string) => headers(`STYLEREF &quot;${name}&quot;`, body, { styles: styles + named + other })[0]
    expect(['chapter title', 'Chapter Title', 'T1', '2', 'H2'].map(shown)).toEqual([
      ...['named', 'named', 'named', 'second', 'second'],
    ])
    expect(shown('Marked')).toStartWith('Error!')
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
