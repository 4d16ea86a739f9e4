import { describe, expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { composeTemplate } from '../../../src/engines/docx/docx.ts'
import {
  compileCodes,
  compiled,
  composeCodes,
  composedBody,
  composedLines,
  composedPackage,
  linesOf,
  p,
  partText,
  tbl,
  tr,
  wordPackage,
  wordPart,
} from './word-package.ts'

const data = {
  lines: [
    { a: 'x', on: true, sub: [1, 2] },
    { a: 'y', on: false, sub: [] },
  ],
  none: [],
  yes: true,
  no: false,
  total: 1200,
  limit: '1000.0',
}

test('a loop over paragraphs removes the paragraphs that held only its tags', () => {
  const body = p('before') + p('{{#each /lines}}') + p('{{@index}}/{{@count}} {{./a}}') + p('{{#end}}') + p('after')
  expect(composedLines(body, data)).toEqual(['before', '1/2 x', '2/2 y', 'after'])
})

test('tags at the edges of filled paragraphs repeat those paragraphs whole', () => {
  expect(composedLines(p('{{#each /lines}}one {{./a}}') + p('two{{#end}}') + p('end'), data)).toEqual([
    'one x',
    'two',
    'one y',
    'two',
    'end',
  ])
})

test('a loop inside one paragraph repeats text and keeps the formatting of each run', () => {
  expect(composedLines(p('({{#each /lines}}{{./a}}{{#if @last}}{{#else}}, {{#end}}{{#end}})'), data)).toEqual([
    '(x, y)',
  ])
  const bold = (text: string) => `<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
  const body = composedBody(`<w:p>${bold('A {{#each /lines}}b')}<w:r><w:t>c {{#end}} D</w:t></w:r></w:p>`, data)
  expect(body).toBe(
    `<w:p>${bold('A ')}${bold('b')}<w:r><w:t xml:space="preserve">c </w:t></w:r>${bold('b')}<w:r><w:t xml:space="preserve">c </w:t></w:r><w:r><w:t xml:space="preserve"> D</w:t></w:r></w:p>`,
  )
})

test('a loop with its tags in two cells of a row repeats the row', () => {
  const table = tbl(tr('Head', 'Sum'), tr('{{#each /lines}}{{./a}}', '{{@index}}{{#end}}'), tr('Foot', ''))
  expect(composedLines(table, data)).toEqual(['Head', 'Sum', 'x', '1', 'y', '2', 'Foot', ''])
})

test('rows that hold only the tags of a loop disappear', () => {
  const table = tbl(tr('H', ''), tr('{{#each /lines}}', ''), tr('{{./a}}', '{{@first}}'), tr('{{#end}}', ''))
  expect(composedLines(table, data)).toEqual(['H', '', 'x', 'true', 'y', 'false'])
})

test('a table that loses all of its rows disappears, because Word cannot open one without rows', () => {
  const table = tbl(tr('{{#each /none}}{{./a}}', '{{#end}}'))
  expect(composedBody(table + p('x'), data)).toBe(p('x'))
})

test('whole tables, with loops of rows inside, repeat between paragraphs', () => {
  const body = p('{{#each /lines}}') + tbl(tr('{{#each ./sub}}{{../a}}', '{{.}}{{#end}}')) + p('-') + p('{{#end}}')
  expect(composedLines(body, data)).toEqual(['x', '1', 'x', '2', '-', '-'])
})

test('nested loops whose tags share a paragraph nest in the order written', () => {
  const body = p('{{#each /lines}}{{#each ./sub}}') + p('{{../a}}{{.}}') + p('{{#end}}{{#end}}')
  expect(composedLines(body, data)).toEqual(['x1', 'x2'])
})

test('a loop in a cell leaves the cell with a paragraph, whatever the data', () => {
  const body = tbl(tr(p('{{#each /none}}') + p('{{./a}}') + p('{{#end}}')))
  expect(composedBody(body, data)).toContain('<w:tc><w:p/></w:tc>')
  const full = tbl(tr(p('{{#each /lines}}') + p('{{./a}}') + p('{{#end}}')))
  expect(composedLines(full, data)).toEqual(['x', 'y'])
})

test('a paragraph that holds only a condition leaves no empty line when it is false', () => {
  const body =
    p('1') +
    p('{{#if /no}}gone{{#end}}') +
    p('{{#each /none}}gone{{#end}}') +
    p('{{#if /no}}a{{#end}} {{#if /yes}}b{{#end}}') +
    p('2')
  expect(composedLines(body, data)).toEqual(['1', ' b', '2'])
})

test('a document grows up to its bound, and one beyond it is refused once', () => {
  const template = compiled(wordPackage(p('{{#each /l}}{{/t}}{{#end}}') + p('{{/t}}')))
  const made = (length: number) =>
    composeTemplate(template, { t: 'x'.repeat(2 ** 20), l: Array(length).fill(1) }, 'none')
  const small = made(10)
  expect(small.ok && small.value.length).toBe(0)
  expect(made(17).findings.map(({ code, path, message }) => `${code} ${path}: ${message}`)).toEqual([
    `docx.too_large : The document grows over ${limits.composeChars} characters.`,
  ])
})

test('a part has up to 12,000 tags', () => {
  const most = p('{{/a}}'.repeat(limits.templateTags))
  expect(compileCodes(wordPackage(most))).toEqual([])
  expect(compileCodes(wordPackage(most + p('{{/a}}')))).toEqual(['docx.too_many_tags word/document.xml'])
})

test.each(['footnote', 'endnote'] as const)('a %s whose blocks are all empty keeps a paragraph', (kind) => {
  const note = (id: number, content: string) => `<w:${kind} w:id="${id}">${content}</w:${kind}>`
  const inBlocks = p('{{#if /a}}') + p('x') + p('{{#end}}')
  const parts = {
    [`word/${kind}s.xml`]: wordPart(
      `${kind}s`,
      note(2, inBlocks) + note(3, p('{{#if /a}}x{{#end}}')) + note(4, p('y') + inBlocks),
    ),
  }
  const opened = composedPackage(wordPackage(p('text'), parts), { a: false })
  const notes = partText(opened, `word/${kind}s.xml`)
  expect(
    [...notes.matchAll(/w:id="(\d)">(.*?)<\/w:(?:foot|end)note>/g)].map(([, id, content]) => [
      id,
      linesOf(content ?? ''),
    ]),
  ).toEqual([
    ['2', ['']],
    ['3', ['']],
    ['4', ['y']],
  ])
})

test('the last paragraph of a cell stays, even when nothing is left in it', () => {
  expect(composedLines(tbl(tr('{{#if /no}}gone{{#end}}')), data)).toEqual([''])
})

test('else works within a line, over paragraphs and over rows', () => {
  expect(composedLines(p('{{#if /no}}A{{#else}}B{{#end}}'), data)).toEqual(['B'])
  expect(composedLines(p('{{#if /yes}}') + p('A') + p('{{#else}}') + p('B') + p('{{#end}}'), data)).toEqual(['A'])
  expect(composedLines(p('{{#each /none}}') + p('A') + p('{{#else}}') + p('none') + p('{{#end}}'), data)).toEqual([
    'none',
  ])
  const table = tbl(tr('{{#if /no}}', ''), tr('A', ''), tr('{{#else}}', ''), tr('B', ''), tr('{{#end}}', ''))
  expect(composedLines(table, data)).toEqual(['B', ''])
})

test('conditions compare with literals and pointers, numbers by value', () => {
  const cases: [string, boolean][] = [
    ['/total > 1000', true],
    ['/total &gt;= 1200.00', true],
    ['/total &lt; /limit', false],
    ['/limit = 1000', true],
    ['/lines/0/a = "x"', true],
    ['/lines/0/a != “x”', false],
    ['/missing > 3', false],
    ['/missing = null', true],
    ['/missing', false],
    ['not /missing', true],
    ['/no = false', true],
    ['/none', false],
  ]
  for (const [condition, expected] of cases) {
    expect([condition, composedLines(p(`{{#if ${condition}}}Y{{#else}}N{{#end}}`), data)]).toEqual([
      condition,
      [expected ? 'Y' : 'N'],
    ])
  }
})

test('text around a block across paragraphs stays outside it', () => {
  const body = p('pre {{#each /lines}}a') + p('b{{#end}} post')
  expect(composedLines(body, data)).toEqual(['pre ', 'a', 'b', 'a', 'b', ' post'])
  expect(composedLines(body, { lines: [] })).toEqual(['pre ', ' post'])
})

test('unbalanced and misplaced blocks are located findings', () => {
  expect(compileCodes(wordPackage(p('{{#end}}') + p('{{#if /a}}') + p('{{#else}}')))).toEqual([
    'docx.unbalanced word/document.xml#1:0',
    'docx.unbalanced word/document.xml#2:0',
  ])
  expect(compileCodes(wordPackage(tbl(tr('{{#each /lines}}')) + p('{{#end}}')))).toEqual([
    'docx.misplaced word/document.xml#1:0',
  ])
  expect(compileCodes(wordPackage(p('{{@index}} {{../a}}')))).toEqual([
    'docx.outside_loop word/document.xml#1:0',
    'docx.outside_loop word/document.xml#1:11',
  ])
})

test('overlapping blocks are refused if one of them takes whole rows', () => {
  const table = tbl(tr(p('{{#if /yes}}') + p('{{#each /lines}}{{#end}}x'), '{{#end}}'), tr('y'))
  expect(compileCodes(wordPackage(table))).toEqual([])
  const crossing = tbl(tr('{{#each /lines}}a', 'b'), tr('{{#if /yes}}c{{#end}}', 'd{{#end}}'))
  expect(compileCodes(wordPackage(crossing))).toEqual([])
})

test('a missing list is a finding, unless the loop is inside an if', () => {
  const loop = p('{{#each /missing}}') + p('x') + p('{{#end}}')
  expect(composeCodes(loop, {})).toEqual(['docx.missing_value word/document.xml#1:0'])
  expect(composeCodes(p('{{#if /missing}}') + loop + p('{{#end}}'), {})).toEqual([])
  expect(composeCodes(loop, { missing: 'text' })).toEqual(['docx.not_a_list word/document.xml#1:0'])
  expect(composeCodes(p('{{#each /missing}}x{{#end}}'), {})).toEqual(['docx.missing_value word/document.xml#1:0'])
})

test('bookmarks, drawings and content controls in loops get new ids', () => {
  const inner =
    '<w:p w14:paraId="0A"><w:bookmarkStart w:id="4" w:name="mark"/><w:r><w:drawing><wp:inline><wp:docPr id="9" name="n"/></wp:inline></w:drawing></w:r><w:bookmarkEnd w:id="4"/></w:p><w:sdt><w:sdtPr><w:id w:val="55"/></w:sdtPr><w:sdtContent><w:p/></w:sdtContent></w:sdt>'
  const body = composedBody(p('{{#each /lines}}') + inner + p('{{#end}}'), data)
  const drawings = [...body.matchAll(/<wp:docPr id="(\d+)"/g)].map((match) => match[1])
  expect(new Set(drawings).size).toBe(2)
  expect([...body.matchAll(/bookmark(?:Start|End) w:id="(\d+)"/g)].map((match) => match[1])).toEqual([
    '5',
    '5',
    '6',
    '6',
  ])
  expect(body).toContain('w:name="mark"')
  expect(body).toContain('w:name="mark_2"')
  expect(body).not.toContain('paraId')
  expect(body).not.toContain('<w:id ')
})

test('a section break in a paragraph of tags is kept', () => {
  const section = '<w:p><w:pPr><w:sectPr/></w:pPr><w:r><w:t>{{#end}}</w:t></w:r></w:p>'
  expect(composedBody(p('{{#each /lines}}') + p('x') + section, data).match(/<w:sectPr\/>/g)).toHaveLength(2)
})

test('a page break tag breaks the page at its place', () => {
  expect(composedBody(p('a{{pagebreak}}b'), data)).toBe(
    '<w:p><w:r><w:t xml:space="preserve">a</w:t><w:br w:type="page"/><w:t xml:space="preserve">b</w:t></w:r></w:p>',
  )
})

test('a block around a single value shows or hides that value', () => {
  expect(composedLines(p('a {{#if /no}}{{/total}}{{#end}} b'), data)).toEqual(['a  b'])
  expect(composedLines(p('{{#each /lines}}{{./a}}{{#end}}'), data)).toEqual(['xy'])
  expect(composedLines(p('{{#if /no}}{{/total}}{{#else}}{{/limit}}{{#end}}'), data)).toEqual(['1000.0'])
})

test('a loop around the whole text of a list item repeats the item', () => {
  const item =
    '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>{{#each /lines}}{{./a}}{{#end}}</w:t></w:r></w:p>'
  expect(composedLines(item + p('end'), data)).toEqual(['x', 'y', 'end'])
  expect(composedBody(item, data).match(/<w:numId/g)).toHaveLength(2)
  expect(composedBody(p('a') + item, { lines: [] })).toBe(p('a'))
})

describe('in a list item, blocks around its whole text repeat the item', () => {
  const numbered = (text: string, properties = '<w:numPr><w:numId w:val="1"/></w:numPr>') =>
    `<w:p><w:pPr>${properties}</w:pPr>${text
      .split('^')
      .map((piece) => `<w:r><w:t>${piece}</w:t></w:r>`)
      .join('')}</w:p>`
  const orders = {
    on: true,
    off: false,
    none: [],
    some: ['x', 'y'],
    more: ['z'],
    orders: [{ lines: ['a', 'b'] }, { lines: [] }, { lines: ['c'] }],
  }
  const items = (text: string, properties?: string) =>
    composedLines(p('-') + numbered(text, properties), orders).slice(1)

  test.each<[string, string[]]>([
    ['{{#each /orders}}{{#each ./lines}}{{.}}{{#end}}{{#end}}', ['a', 'b', 'c']],
    ['{{#each /orders}}^{{#each ./lines}}^no. ^{{.}}^{{#end}}^{{#end}}', ['no. a', 'no. b', 'no. c']],
    ['{{#if /on}}{{#each /orders}}{{#each ./lines}}{{.}}{{#end}}{{#end}}{{#end}}', ['a', 'b', 'c']],
    ['{{#if /off}}{{#each /orders}}{{#each ./lines}}{{.}}{{#end}}{{#end}}{{#end}}', []],
    ['{{#each /orders}}{{#if ./lines}}{{#each ./lines}}{{.}}{{#end}}{{#end}}{{#end}}', ['a', 'b', 'c']],
    ['{{#each /orders}}{{#each ./lines}}{{.}}{{#else}}none{{#end}}{{#end}}', ['a', 'b', 'none', 'c']],
    ['{{#each /none}}{{.}}{{#else}}none{{#end}}', ['none']],
    ['{{#each /orders}}{{#if ./lines}}{{@index}}{{#else}}-{{#end}}{{#end}}', ['1', '-', '3']],
    ['{{#each /some}}{{.}}{{#end}}{{#each /more}}{{.}}{{#end}}', ['x', 'y', 'z']],
    ['{{#each /some}}{{.}}{{#end}} ^ {{#each /none}}{{.}}{{#end}}^{{#each /more}}{{.}}{{#end}}', ['x', 'y', 'z']],
    ['{{#each /none}}{{.}}{{#end}}{{#each /none}}{{.}}{{#end}}', []],
    ['{{#each /none}}{{.}}{{#else}}none{{#end}}{{#each /some}}{{.}}{{#end}}', ['none', 'x', 'y']],
    [
      '{{#each /orders}}{{#each ./lines}}{{.}}{{#end}}{{#each ./lines}}{{.}}{{.}}{{#end}}{{#end}}',
      ['a', 'b', 'aa', 'bb', 'c', 'cc'],
    ],
    [
      '{{#each /orders}}{{#each ./lines}}{{.}}{{#end}}{{#end}}^{{#each /some}}no. {{.}}{{#end}}',
      ['a', 'b', 'c', 'no. x', 'no. y'],
    ],
    [
      '{{#if /on}}{{#each /some}}{{.}}{{#end}}{{#end}}{{#if /off}}{{#each /some}}{{.}}{{#end}}{{#end}}{{#each /more}}{{.}}{{#end}}',
      ['x', 'y', 'z'],
    ],
    ['{{#each /some}}{^{.}}{{#en^d}}^{{#ea^ch /more}}{{.}}^{{#e^nd}}', ['x', 'y', 'z']],
  ])('as %s does', (text, lines) => {
    expect(items(text)).toEqual(lines)
  })

  test('and leave text in one item with what is beside them', () => {
    expect(items('{{#each /orders}}x{{#each ./lines}}{{.}}{{#end}}{{#end}}')).toEqual(['xab', 'x', 'xc'])
    expect(items('{{#each /orders}}{{#each ./lines}}{{.}}{{#end}};{{#end}}')).toEqual(['ab;', ';', 'c;'])
    expect(items('all: {{#each /orders}}{{#each ./lines}}{{.}}{{#end}}{{#end}}')).toEqual(['all: abc'])
    expect(items('{{#if /on}}{{#if /on}}x{{#end}}{{#end}}')).toEqual(['x'])
    expect(items('{{#each /some}}{{.}}{{#end}}, {{#each /more}}{{.}}{{#end}}')).toEqual(['xy, z'])
    expect(items('{{#each /some}}{{.}}{{#end}}{{#if /on}}{{/on}}{{#end}}')).toEqual(['xytrue'])
  })

  test('also side by side, with all marks between them, and with a paragraph left in a cell', () => {
    const mark = '<w:bookmarkStart w:id="0" w:name="m"/><w:bookmarkEnd w:id="0"/>'
    const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
    const properties = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
    const item = (list: string) =>
      `<w:p>${properties}${run(`{{#each /${list}}}{{.}}{{#end}}`)}${mark}${run(`{{#each /${list}}}{{.}}{{#end}}`)}</w:p>`
    expect(composedBody(p('-') + item('more'), orders).match(/<w:bookmark(Start|End) /g)).toHaveLength(2)
    const cell = `<w:tbl><w:tr><w:tc><w:tcPr/>${item('none')}</w:tc></w:tr></w:tbl>`
    expect(composedBody(cell + p('-'), orders)).toContain('<w:tcPr/><w:bookmarkStart')
    expect(composedBody(cell + p('-'), orders)).toContain('<w:p/></w:tc>')
  })

  test('and where a sign beside them prevents it, text that is glued together is warned of', () => {
    const warnings = (text: string, properties?: string) =>
      compiled(wordPackage(numbered(text, properties))).findings.map(({ code, severity }) => `${severity} ${code}`)
    const glued = ['warning docx.glued_items']
    expect(warnings('{{#each /some}}{{.}}{{#end}};')).toEqual(glued)
    expect(warnings('({{#each /some}}Name: {{.}}{{#end}})')).toEqual(glued)
    for (const fine of [
      '{{#each /some}}{{.}};{{#end}}',
      '{{#each /some}}{{.}}{{#end}}',
      '{{#each /some}}{{.}}, {{#end}};',
      '{{#each /some}}{{.}}{{#if not @last}}, {{#end}}{{#end}};',
      'all: {{#each /some}}{{.}}{{#end}};',
      '{{#if /on}}{{/on}}{{#end}};',
    ]) {
      expect([fine, warnings(fine)]).toEqual([fine, []])
    }
    expect(warnings('{{#each /some}}{{.}}{{#end}};', '<w:jc w:val="both"/>')).toEqual([])
  })

  test('where the style numbers it, and not where a list is switched off', () => {
    const loop = '{{#each /orders}}{{#each ./lines}}{{.}}{{#end}}{{#end}}'
    expect(items(loop, '<w:numPr><w:numId w:val="0"/></w:numPr>')).toEqual(['abc'])
    const styles = wordPart(
      'styles',
      '<w:style w:type="paragraph" w:styleId="Bullet"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>',
    )
    const bytes = wordPackage(numbered(loop, '<w:pStyle w:val="Bullet"/>'), { 'word/styles.xml': styles })
    expect(linesOf(partText(composedPackage(bytes, orders), 'word/document.xml'))).toEqual(['a', 'b', 'c'])
  })
})

test('nesting is limited, so that no template exhausts the stack', () => {
  const depth = limits.templateBlockDepth
  expect(composedLines(p('{{#if /yes}}'.repeat(depth), 'x', '{{#end}}'.repeat(depth)), data)).toEqual(['x'])
  const body = p('{{#if /yes}}').repeat(5_000) + p('{{#end}}').repeat(5_000)
  expect(compileCodes(wordPackage(body))).toEqual([`docx.too_deep word/document.xml#${depth + 1}:0`])
})

test('a bookmark that starts beside the tag of a loop is not repeated with it', () => {
  const opening = '<w:p><w:bookmarkStart w:id="0" w:name="top"/><w:r><w:t>{{#each /lines}}</w:t></w:r></w:p>'
  const closing = '<w:p><w:r><w:t>{{#end}}</w:t></w:r><w:bookmarkEnd w:id="0"/></w:p>'
  const body = composedBody(opening + p('{{./a}}') + closing, data)
  expect(body).toBe(`<w:bookmarkStart w:id="0" w:name="top"/>${p('x')}${p('y')}<w:bookmarkEnd w:id="0"/>`)
})

test('a comment in a loop keeps one anchor', () => {
  const inner =
    '<w:p><w:commentRangeStart w:id="1"/><w:r><w:t>a</w:t></w:r><w:commentRangeEnd w:id="1"/><w:r><w:commentReference w:id="1"/></w:r></w:p>'
  const result = composedBody(p('{{#each /lines}}') + inner + p('{{#end}}'), data)
  for (const anchor of ['commentRangeStart', 'commentRangeEnd', 'commentReference']) {
    expect(result.match(new RegExp(`<w:${anchor} `, 'g'))).toHaveLength(1)
  }
})

test('tags in their own runs leave no empty runs behind', () => {
  const body = composedBody(p('a', '{{#each /lines}}', 'b', '{{#end}}', 'c'), data)
  const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
  expect(body).toBe(`<w:p>${run('a')}${run('b')}${run('b')}${run('c')}</w:p>`)
})

test('a block can contain whole fields, and is refused if it would split one', () => {
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
  const code = '<w:r><w:instrText>PAGE</w:instrText></w:r>'
  const field = (result: string) => `${mark('begin')}${code}${mark('separate')}${result}${mark('end')}`
  const paragraph = (content: string) => wordPackage(`<w:p>${content}</w:p>`)
  expect(compileCodes(paragraph(run('{{#if /a}}') + field(run('1')) + run('{{#end}}')))).toEqual([])
  expect(compileCodes(paragraph(field(run('{{#if /a}}1{{#end}}'))))).toEqual([])
  expect(compileCodes(paragraph(field(run('{{#if /a}}1')) + run('2{{#end}}')))).toEqual([
    'docx.misplaced word/document.xml#1:0',
  ])
  expect(compileCodes(paragraph(field(run('{{#if /a}}1')) + field(run('2{{#end}}'))))).toEqual([
    'docx.misplaced word/document.xml#1:0',
  ])
  expect(compileCodes(paragraph(run('{{#each /a}}') + field(run('x{{#end}}y'))))).toEqual([
    'docx.misplaced word/document.xml#1:0',
  ])
  // As many fields are open at its end as at its beginning, but not the same one.
  const nested = run('{{#if /a}}') + field(run('1'))
  expect(compileCodes(paragraph(field(nested) + field(run('2{{#end}}'))))).toEqual([
    'docx.misplaced word/document.xml#1:0',
  ])
})

test('a content control that loses all paragraphs keeps an empty one', () => {
  const control = `<w:sdt><w:sdtPr/><w:sdtContent>${p('{{#if /no}}') + p('x') + p('{{#end}}')}</w:sdtContent></w:sdt>`
  expect(composedBody(control, data)).toContain('<w:sdtContent><w:p/></w:sdtContent>')
})
