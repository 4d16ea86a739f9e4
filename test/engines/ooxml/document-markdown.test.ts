import { expect, test } from 'bun:test'
import { sha256Hex } from '../../../src/core/hash.ts'
import { documentMarkdown, reviewTextOf } from '../../../src/engines/ooxml/document-markdown.ts'
import { p, tr, wordPackage, wordPart } from '../docx/word-package.ts'

function markdownOf(body: string, parts: Record<string, string> = {}): string {
  const outcome = documentMarkdown(wordPackage(body, parts))
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
  return outcome.value
}

const styled = (properties: string, text: string) =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const style = (id: string, content: string) => `<w:style w:type="paragraph" w:styleId="${id}">${content}</w:style>`

test('has paragraphs with their tags unfilled, also those that are cut into runs', () => {
  expect(markdownOf(p('Dear {{/na', 'me}},') + p('') + p('{{#each /list}}'))).toBe(
    'Dear {{/name}},\n\n{{#each /list}}\n',
  )
})

test('has headings by the outline, by the names of styles, and by what those are based on', () => {
  const styles = wordPart(
    'styles',
    [
      style('berschrift2', '<w:name w:val="Heading 2"/>'),
      style('Own', '<w:name w:val="Own"/><w:basedOn w:val="berschrift2"/>'),
      style('Titel', '<w:name w:val="Title"/>'),
      style('A', '<w:name w:val="A"/><w:basedOn w:val="B"/>'),
      style('B', '<w:name w:val="B"/><w:basedOn w:val="A"/>'),
    ].join(''),
  )
  const body = [
    styled('<w:pStyle w:val="Titel"/>', 'Title'),
    styled('<w:pStyle w:val="Own"/>', 'Second'),
    styled('<w:outlineLvl w:val="8"/>', 'Deep'),
    styled('<w:pStyle w:val="Own"/><w:outlineLvl w:val="9"/>', 'Body'),
    styled('<w:pStyle w:val="A"/>', 'In a circle'),
  ].join('')
  expect(markdownOf(body, { 'word/styles.xml': styles })).toBe(
    '# Title\n\n## Second\n\n###### Deep\n\nBody\n\nIn a circle\n',
  )
})

test('has items of lists, indented by their level, and as many as stand together in one list', () => {
  const item = (level: number, text: string) =>
    styled(`<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="3"/></w:numPr>`, text)
  const none = styled('<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>', 'none')
  expect(markdownOf(item(0, 'one') + item(1, 'two') + none + item(0, 'three'))).toBe(
    '- one\n  - two\n\nnone\n\n- three\n',
  )
})

test('has tables with a head, cells with several paragraphs, bars in cells, and rows of unequal length', () => {
  const table = `<w:tbl>${tr('a', p('b') + p('c'))}${tr('x | y')}</w:tbl>`
  expect(markdownOf(table)).toBe('| a | b<br>c |\n| --- | --- |\n| x \\| y |  |\n')
  const nested = `<w:tbl>${tr(`<w:tbl>${tr('in')}</w:tbl>${p('out')}`)}</w:tbl>`
  expect(markdownOf(nested)).toBe('| \\| in \\|<br>\\| --- \\|<br>out |\n| --- |\n')
})

test('takes no text for Markdown that only looks like it', () => {
  for (const [text, written] of [
    ['# no heading', '\\# no heading'],
    ['- no item', '\\- no item'],
    ['-5 degrees', '-5 degrees'],
    ['12. no item', '12\\. no item'],
    ['---', '\\---'],
    ['*', '\\*'],
    ['1.5 is a number', '1.5 is a number'],
  ] as const) {
    expect([text, markdownOf(p(text))]).toEqual([text, `${written}\n`])
  }
})

test('has breaks of lines and pages, descriptions of pictures, and text boxes as quotations', () => {
  const run = (content: string) => `<w:p><w:r>${content}</w:r></w:p>`
  expect(markdownOf(run('<w:t>a</w:t><w:br/><w:t>b</w:t><w:br w:type="page"/><w:t>c</w:t>'))).toBe(
    'a\\\nb\\\n(page break)\\\nc\n',
  )
  const picture = (description: string) =>
    run(`<w:drawing><wp:inline><wp:docPr id="1" name="x" descr="${description}"/></wp:inline></w:drawing>`)
  expect(markdownOf(picture('A  logo') + picture(''))).toBe('![A logo]\n')
  expect(markdownOf(run(`<w:t>anchor</w:t><w:txbxContent>${p('one')}${p('two')}</w:txbxContent>`))).toBe(
    'anchor\n\n> one\n>\n> two\n',
  )
})

test('puts headers and footers below headings of their names, and leaves out what is deleted', () => {
  const parts = { 'word/header1.xml': wordPart('hdr', p('Top {{/page}}')), 'word/footer1.xml': wordPart('ftr', p('')) }
  const gone = '<w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:r><w:t>new</w:t></w:r></w:p>'
  expect(markdownOf(gone, parts)).toBe('new\n\n###### header1\n\nTop {{/page}}\n')
})

test('of a document that changed without its text, the review text still changes, by the hash', () => {
  const one = wordPackage(p('text'))
  const other = wordPackage(p('text'), { 'word/settings.xml': wordPart('settings', '') })
  const text = reviewTextOf('letter.docx', one)
  expect(text).toContain(sha256Hex(one))
  expect(reviewTextOf('letter.docx', one)).toBe(text)
  expect(reviewTextOf('letter.docx', other)).not.toBe(text)
  expect(reviewTextOf('letter.docx', new Uint8Array([1, 2]))).toMatch(/^<!-- .* -->\n$/)
})

test('has the tags of chains, comments, objects, members and what is kept together, as their authors wrote them', () => {
  const body = [
    p('{{#if /kind = “a” and /n &lt; 3}}A{{#el', 'se if /kind in ["b", "c"]}}B{{#else}}C{{#end}}'),
    p('{{! Legal: *confirm* | this }}'),
    p('{{!-- over'),
    p('- several {{/old}}'),
    p('paragraphs --}}'),
    p('{{#with /customer/address}}{{./city}}{{#else}}none{{#end}}'),
    p('{{#keep}}'),
    `<w:tbl>${tr('{{#each /rates}}{{@name}}', '{{./price | number "0.00"}}{{#end}}')}${tr('{{#else if /b}}', '')}</w:tbl>`,
    p('{{#end}}'),
  ].join('')
  expect(markdownOf(body).split('\n\n')).toEqual([
    '{{#if /kind = “a” and /n < 3}}A{{#else if /kind in ["b", "c"]}}B{{#else}}C{{#end}}',
    '{{! Legal: *confirm* | this }}',
    '{{!-- over',
    '\\- several {{/old}}',
    'paragraphs --}}',
    '{{#with /customer/address}}{{./city}}{{#else}}none{{#end}}',
    '{{#keep}}',
    '| {{#each /rates}}{{@name}} | {{./price \\| number "0.00"}}{{#end}} |\n| --- | --- |\n| {{#else if /b}} |  |',
    '{{#end}}\n',
  ])
})
