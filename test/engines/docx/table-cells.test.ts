import { describe, expect, test } from 'bun:test'
import { checkAgainstContract } from '../../../src/commands/check-template.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import { compileTemplate, composeTemplate, watchTemplate } from '../../../src/engines/docx/docx.ts'
import { tagChanges } from '../../../src/project/mutation/tag-changes.ts'
import { schemaFaults } from './schema-order.ts'
import {
  compileCodes,
  compiled,
  composeCodes,
  composedBody,
  composedPackage,
  linesOf,
  p,
  partText,
  tbl,
  tr,
  wordPackage,
} from './word-package.ts'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const theme = (colors: string) =>
  `<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="x"><a:themeElements><a:clrScheme name="x">${colors}</a:clrScheme></a:themeElements></a:theme>`
const withTheme = {
  'word/theme/theme1.xml': theme(
    '<a:dk1><a:sysClr val="windowText" lastClr="101010"/></a:dk1><a:accent2><a:srgbClr val="ed7d31"/></a:accent2>',
  ),
  'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="t" Type="${office}/theme" Target="theme/theme1.xml"/></Relationships>`,
}

/** A table with a grid: cells have the widths of their columns, or no properties where `cells` holds XML of its own. */
const table = (widths: number[], ...rows: string[][]) =>
  tbl(
    ...rows.map((cells) =>
      tr(...cells).replace(/<w:tc><w:p>/g, '<w:tc><w:tcPr><w:tcW w:w="0" w:type="dxa"/></w:tcPr><w:p>'),
    ),
  )
    .replace(
      '<w:tblPr/>',
      `<w:tblPr/><w:tblGrid>${widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>`,
    )
    .replace(/<w:tr>.*?<\/w:tr>/g, (row) => {
      let column = 0
      return row.replace(/w:w="0"/g, () => `w:w="${widths[column++]}"`)
    })

/** Each row as its cells: text, span, vertical merge, fill and width, as far as they are there. */
const cells = (xml: string) =>
  [...xml.matchAll(/<w:tr[ >].*?<\/w:tr>/g)].map(([row]) =>
    [...row.matchAll(/<w:tc>(.*?)<\/w:tc>/g)].map(([, cell = '']) => {
      const found = (pattern: RegExp) => pattern.exec(cell)?.[1]
      const merge = cell.includes('<w:vMerge/>') ? '^' : cell.includes('w:val="restart"') ? 'v' : ''
      const [span, fill] = [found(/<w:gridSpan w:val="(\d+)"/), found(/w:fill="(\w+)"/)]
      return `${linesOf(cell).join('/')}${span === undefined ? '' : ` ×${span}`}${merge}${fill === undefined ? '' : ` ${fill}`}`
    }),
  )
const widthsOf = (xml: string) => [...xml.matchAll(/<w:gridCol w:w="(\d+)"\/>/g)].map(([, width]) => Number(width))
const cellWidths = (xml: string) =>
  [...xml.matchAll(/<w:tr>.*?<\/w:tr>/g)].map(([row]) =>
    [...row.matchAll(/<w:tcW w:w="(\d+)" w:type="(\w+)"/g)].map(([, width]) => Number(width)),
  )
const composed = (body: string, data: JsonValue) => {
  const xml = composedBody(body, data)
  const whole = partText(composedPackage(wordPackage(body), data), 'word/document.xml')
  expect(schemaFaults(whole)).toEqual([])
  return xml
}
const messages = (body: string, data: JsonValue) => {
  const result = composeTemplate(compiled(wordPackage(body)), data)
  return result.ok ? [] : result.findings.map(({ code, path, message }) => `${code} ${path?.slice(17)} ${message}`)
}

describe('shade', () => {
  test('gives its cell, or the cells of its row, the colour that the data names', () => {
    const body = table(
      [100, 100],
      ['{{#each /l}}{{shade ./c}}{{./a}}', 'b{{#end}}'],
      ['{{shade /row row}}c', 'd{{shade "#00ff00"}}'],
    )
    const data = {
      l: [
        { a: 1, c: '#ff0000' },
        { a: 2, c: '#0000FF' },
      ],
      row: '#eeeeee',
    }
    expect(cells(composed(body, data))).toEqual([
      ['1 FF0000', 'b'],
      ['2 0000FF', 'b'],
      ['c EEEEEE', 'd 00FF00'],
    ])
  })

  test('takes the place of the template’s colour, among the other properties, and leaves it for empty text', () => {
    const own =
      '<w:tc><w:tcPr><w:tcW w:w="9" w:type="dxa"/><w:shd w:val="pct10" w:color="FF0000" w:fill="123456"/><w:vAlign w:val="center"/></w:tcPr>'
    const body = tbl(tr('{{shade /c}}x').replace('<w:tc>', own))
    expect(composed(body, { c: '#abcdef' })).toContain(
      '<w:tcPr><w:tcW w:w="9" w:type="dxa"/><w:shd w:val="clear" w:color="auto" w:fill="ABCDEF"/><w:vAlign w:val="center"/></w:tcPr>',
    )
    expect(composed(body, { c: '' })).toContain(own)
  })

  test('depends on the blocks around it, and of two the last counts', () => {
    const body = tbl(tr('{{shade "#ffffff"}}{{#if /late}}{{shade "#ff0000"}}{{#end}}x'))
    expect(cells(composed(body, { late: true }))).toEqual([['x FF0000']])
    expect(cells(composed(body, {}))).toEqual([['x FFFFFF']])
  })

  test('knows the colours of the theme', () => {
    const bytes = wordPackage(tbl(tr('{{shade /c}}x')), withTheme)
    const xml = (c: string) => partText(composedPackage(bytes, { c }), 'word/document.xml')
    expect(xml('accent2')).toContain('w:fill="ED7D31" w:themeFill="accent2"/>')
    expect(xml('text1')).toContain('w:fill="101010" w:themeFill="text1"/>')
    const lacking = composeTemplate(compiled(bytes), { c: 'accent1' })
    expect(lacking.findings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'docx.bad_color word/document.xml#1:0',
    ])
  })

  test('refuses what is no colour, in the data and in the tag', () => {
    const body = tbl(tr('a', '{{shade /c}}x'))
    for (const c of ['red', '#fff', '#12345g', '123456', 5, true, ['#ffffff'], 'url(#x)', '#ffffff"/>']) {
      expect(composeCodes(body, { c })).toEqual(['docx.bad_color word/document.xml#2:0'])
    }
    expect(composeCodes(body, {})).toEqual(['docx.missing_value word/document.xml#2:0'])
    expect(compileCodes(wordPackage(tbl(tr('{{shade "red"}}'))))).toEqual(['docx.bad_color word/document.xml#1:0'])
    expect(compileCodes(wordPackage(tbl(tr('{{shade /c column}}'))))).toEqual(['docx.bad_option word/document.xml#1:0'])
    expect(compileCodes(wordPackage(p('{{shade /c}}')))).toEqual(['docx.misplaced word/document.xml#1:0'])
  })

  test('is about the innermost table', () => {
    const xml = composed(tbl(tr('a', tbl(tr('{{shade /c}}in')) + p('b'))), { c: '#ff0000' })
    expect(xml.match(/FF0000/g)).toHaveLength(1)
    expect(xml).toContain('<w:tc><w:tcPr><w:shd w:val="clear" w:color="auto" w:fill="FF0000"/></w:tcPr><w:p>')
  })

  test('needs a value that the contract says is a colour', () => {
    const faults = (c: JsonValue) => {
      const contract = { type: 'object', properties: { c }, required: ['c'] }
      const { bindings } = compiled(wordPackage(tbl(tr('{{shade /c}}x'))))
      return checkAgainstContract(bindings, contract).map(({ message }) => message)
    }
    expect(faults({ type: 'string' })).toEqual([])
    expect(faults({ enum: ['#FF0000', 'accent1'] })).toEqual([])
    expect(faults({ enum: ['red', 'green'] })).toHaveLength(1)
    expect(faults({ type: 'number' })).toHaveLength(1)
  })
})

describe('merge', () => {
  const lines = [
    { d: 'A', t: 1, n: 'x' },
    { d: 'A', t: 1, n: 'y' },
    { d: 'A', t: 2, n: 'z' },
    { d: 'B', t: 2, n: 'u' },
  ]
  const rows = (first: string, second: string) =>
    table([100, 100, 100], [`{{#each /l}}{{./d}}${first}`, `{{./t}}${second}`, '{{./n}}{{#end}}'])

  test('makes cells below each other one where values are equal', () => {
    expect(cells(composed(rows('{{merge down same ./d}}', '{{merge down same ./d ./t}}'), { l: lines }))).toEqual([
      ['Av', '1v', 'x'],
      ['^', '^', 'y'],
      ['^', '2', 'z'],
      ['B', '2', 'u'],
    ])
    expect(cells(composed(rows('', '{{merge down same ./t}}'), { l: lines })).map(([, cell]) => cell)).toEqual([
      '1v',
      '^',
      '2v',
      '^',
    ])
    expect(cells(composed(rows('{{merge down same ./gone}}', ''), { l: lines })).map(([cell]) => cell)).toEqual([
      'Av',
      '^',
      '^',
      '^',
    ])
  })

  test('ends at a row without the tag', () => {
    const body = table([100, 100], ['{{#each /g}}{{merge down same ./k}}{{./k}}', 'x'], ['sum', 'y{{#end}}'])
    expect(cells(composed(body, { g: [{ k: 1 }, { k: 1 }] })).map(([cell]) => cell)).toEqual(['1', 'sum', '1', 'sum'])
  })

  test('leaves apart what other tags have left, and cells of other columns', () => {
    const tags = table([100, 100], ['{{merge down same /k}}a', 'x'], ['{{merge down same /k}}b', 'y'])
    expect(cells(composed(tags, { k: 1 }))).toEqual([
      ['a', 'x'],
      ['b', 'y'],
    ])
    const wide = '{{#each /l}}{{merge across count ./n}}{{merge down same ./k}}{{./k}}'
    const l = [1, 2].map((n) => ({ n, k: 1 }))
    expect(cells(composed(table([100, 100], [wide, 'x{{#end}}']), { l }))).toEqual([['1', 'x'], ['1 ×2']])
  })

  test('makes as many cells one as the data says', () => {
    const down = table([100, 100], ['{{merge down count /n}}a', 'b'], ['c', 'd'], ['e', 'f'])
    expect(cells(composed(down, { n: 2 }))).toEqual([
      ['av', 'b'],
      ['^', 'd'],
      ['e', 'f'],
    ])
    expect(composed(down, { n: 1 })).not.toContain('vMerge')
    const across = table(
      [100, 200, 300],
      ['{{merge across count 2}}a', 'b', 'c'],
      ['d', '{{merge across count /n}}e', 'f'],
    )
    const xml = composed(across, { n: '2' })
    expect(cells(xml)).toEqual([
      ['a ×2', 'c'],
      ['d', 'e ×2'],
    ])
    expect(cellWidths(xml)).toEqual([
      [300, 300],
      [100, 500],
    ])
    const both = table([100, 100, 100], ['{{merge across count 2}}{{merge down count 2}}a', 'b', 'c'], ['d', 'e', 'f'])
    expect(cells(composed(both, {}))).toEqual([
      ['a ×2v', 'c'],
      [' ×2^', 'f'],
    ])
  })

  test('makes neighbours in a row one where values are equal', () => {
    const body = table(
      [300, 300],
      ['x', '{{#each /q columns}}{{./y}}{{merge across same ./y}}{{#end}}'],
      ['y', '{{#each /q columns}}{{./q}}{{#end}}'],
    )
    const q = [
      { y: 1, q: 'a' },
      { y: 1, q: 'b' },
      { y: 2, q: 'c' },
    ]
    expect(cells(composed(body, { q }))).toEqual([
      ['x', '1 ×2', '2'],
      ['y', 'a', 'b', 'c'],
    ])
  })

  test('keeps the colour of the first cell for all of them', () => {
    const body = rows('{{merge down same ./d}}{{shade ./c}}', '')
    const l = lines.map((line, index) => ({ ...line, c: `#00000${index}` }))
    expect(cells(composed(body, { l })).map(([cell]) => cell)).toEqual([
      'Av 000000',
      '^ 000000',
      '^ 000000',
      'B 000003',
    ])
  })

  test('reports each text that merging takes out, once a tag', () => {
    const told = (body: string, data: JsonValue) => {
      const result = composeTemplate(compiled(wordPackage(body)), data)
      if (!result.ok) throw new Error(JSON.stringify(result.findings))
      return result.findings.map(({ code, severity, path, message }) => [code, severity, path?.slice(18), message])
    }
    const text = (lost: string) => `Merging cells takes out the text “${lost}: only that of the first cell is shown.`
    const down = table([100, 100], ['{{#each /l}}{{./t}}{{merge down same ./k}}', 'x{{#end}}'])
    const lines = ['a', 'a', 'b', '', 'c'].map((t) => ({ k: 1, t }))
    expect(told(down, { l: lines })).toEqual([['docx.merged_text', 'warning', '1:19', text('b” and 1 more')]])
    expect(told(down, { l: lines.slice(0, 2) })).toEqual([])
    const block = table(
      [100, 100, 100],
      ['{{merge across count 2}}{{merge down count 2}}a', 'a', 'c'],
      ['', 'long '.repeat(20), 'f'],
    )
    expect(told(block, {})).toEqual([
      ['docx.merged_text', 'warning', '1:24', text(`${'long '.repeat(20).slice(0, 39)}…”`)],
    ])
    expect(told(table([100, 100], ['{{merge across count 2}}a', 'b']), {})).toEqual([
      ['docx.merged_text', 'warning', '1:0', text('b”')],
    ])
  })

  test('refuses an invalid count, or one more than there is', () => {
    const body = table([100, 100], ['{{merge down count /n}}a', 'b'], ['c', 'd'])
    expect(messages(body, { n: 3 })).toEqual([
      'docx.bad_merge #1:0 3 rows cannot become one: from here on there are 2.',
    ])
    for (const n of [0, -1, 1.5, 'x', true])
      expect(messages(body, { n })).toEqual(['docx.bad_merge #1:0 /n is not a number of cells.'])
    expect(composeCodes(body, {})).toEqual(['docx.missing_value word/document.xml#1:0'])
    expect(messages(table([100, 100], ['a', '{{merge across count 2}}b']), {})).toEqual([
      'docx.bad_merge #2:0 2 cells cannot become one: from here on there is 1.',
    ])
    const uneven = tbl(
      tr('{{merge down count 2}}a', 'b'),
      tr('c').replace('<w:tc>', '<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>'),
    )
    expect(messages(uneven, {})).toEqual(['docx.bad_merge #1:0 The cells below are not in line with this one.'])
    for (const tag of [
      'merge',
      'merge down',
      'merge down /a',
      'merge down count 2 3',
      'merge up same /a',
      'merge down same',
      'merge down same a',
    ]) {
      expect([tag, compileCodes(wordPackage(tbl(tr(`{{${tag}}}`)))).length]).toEqual([tag, 1])
    }
  })
})

describe('a loop over columns', () => {
  const body = table(
    [200, 300, 100],
    ['', '{{#each /months columns}}{{.}}{{#end}}', 'Sum'],
    ['{{#each /rows}}{{./name}}', '{{#each ./values columns}}{{.}}{{#end}}', '{{./sum}}{{#end}}'],
  )
  const data = {
    months: ['Jan', 'Feb', 'Mar'],
    rows: [
      { name: 'a', values: [1, 2, 3], sum: 6 },
      { name: 'b', values: [4, 5, 6], sum: 15 },
    ],
  }

  test('repeats cells of rows, inside of a loop over rows too', () => {
    expect(cells(composed(body, data))).toEqual([
      ['', 'Jan', 'Feb', 'Mar', 'Sum'],
      ['a', '1', '2', '3', '6'],
      ['b', '4', '5', '6', '15'],
    ])
  })

  test('shares the columns’ width among the copies, so that the table keeps its own', () => {
    const xml = composed(body, data)
    expect(widthsOf(xml)).toEqual([200, 100, 100, 100, 100])
    expect(cellWidths(xml)).toEqual([0, 1, 2].map(() => [200, 100, 100, 100, 100]))
    const seven = composed(body, { months: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], rows: [] })
    expect(widthsOf(seven)).toEqual([200, 43, 43, 43, 42, 43, 43, 43, 100])
  })

  test('over two columns repeats both in proportion', () => {
    const pairs = table([100, 200, 100], ['', '{{#each /m columns}}{{./a}}', '{{./b}}{{#end}}'], ['x', 'y', 'z'])
    const xml = composed(pairs, {
      m: [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    })
    expect(cells(xml)).toEqual([
      ['', '1', '2', '3', '4'],
      ['x', 'y', 'z ×3'],
    ])
    expect(widthsOf(xml)).toEqual([100, 100, 50, 100, 50])
  })

  test('lets rows without it go over all copies', () => {
    const spanned = '<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>'
    const title = table([100, 100], ['a', '{{#each /m columns}}{{.}}{{#end}}']).replace(
      '<w:tr>',
      `<w:tr>${spanned}${p('Title')}</w:tc></w:tr><w:tr>`,
    )
    expect(cells(composed(title, { m: [1, 2, 3] }))).toEqual([['Title ×4'], ['a', '1', '2', '3']])
    expect(cells(composed(title, { m: [1] }))).toEqual([['Title ×2'], ['a', '1']])
    const xml = composed(title, { m: [] })
    expect(cells(xml)).toEqual([['Title'], ['a']])
    expect(widthsOf(xml)).toEqual([200])
  })

  test('that leaves no cell leaves no row, and no table', () => {
    const only = p('x') + table([100], ['{{#each /m columns}}{{.}}{{#end}}']) + p('y')
    expect(linesOf(composed(only, { m: [] }))).toEqual(['x', 'y'])
    expect(composed(only, { m: [] })).not.toContain('w:tbl')
  })

  test('may be nested, and be in several columns side by side', () => {
    const years = table(
      [100, 300, 100],
      [
        '',
        '{{#each /y columns}}{{#each ./q columns}}{{../name}}{{merge across same ../name}}{{#end}}{{#end}}',
        '{{#each /z columns}}{{.}}{{#end}}',
      ],
      ['', '{{#each /y columns}}{{#each ./q columns}}{{.}}{{#end}}{{#end}}', 'Z'],
    )
    const xml = composed(years, {
      y: [
        { name: 'A', q: [1, 2] },
        { name: 'B', q: [3] },
      ],
      z: ['p', 'q'],
    })
    expect(cells(xml)).toEqual([
      ['', 'A ×2', 'B', 'p', 'q'],
      ['', '1', '2', '3', 'Z ×2'],
    ])
    expect(widthsOf(xml)).toEqual([100, 100, 100, 100, 50, 50])
  })

  test('inside of one over several cells repeats its own', () => {
    const inner = '{{#each /y columns}}{{./name}}'
    const body = table([100, 200], [inner, '{{#each ./q columns}}{{.}}{{#end}}{{#end}}'], ['x', 'y'])
    const y = [
      { name: 'A', q: [1, 2] },
      { name: 'B', q: [] },
    ]
    expect(cells(composed(body, { y }))).toEqual([
      ['A', '1', '2', 'B'],
      ['x', 'y ×3'],
    ])
  })

  test('keeps rows together that a block says', () => {
    const kept = table(
      [100, 100],
      ['{{#keep}}', ''],
      ['{{#each /m columns}}{{.}}{{#end}}', 'x'],
      ['a', 'b'],
      ['{{#end}}', ''],
      ['c', 'd'],
    )
    expect(composed(kept, { m: [1, 2] }).match(/<w:cantSplit\/>/g)).toHaveLength(2)
    expect(composed(kept, { m: [1, 2] }).match(/<w:keepNext\/>/g)).toHaveLength(3)
  })

  test('refuses rows of other lengths, and more columns than Word has', () => {
    const short = { ...data, rows: [{ name: 'a', values: [1, 2], sum: 1 }] }
    expect(messages(body, short)).toEqual([
      'docx.uneven_columns #5:0 This loop makes 2 columns, and one in a row above makes 3.',
    ])
    const many = { months: Array(62).fill('x'), rows: [] }
    expect(messages(body, many)).toEqual(['docx.too_many_columns #2:0 The table gets 64 columns.'])
    expect(messages(body, { months: Array(61).fill('x'), rows: [] })).toEqual([])
  })

  test('is refused over several rows, outside of tables, with another part, and over other columns than a row above', () => {
    const codes = (inner: string) => compileCodes(wordPackage(inner))
    expect(codes(p('{{#each /m columns}}{{.}}{{#end}}'))).toEqual(['docx.misplaced word/document.xml#1:0'])
    expect(codes(tbl(tr('{{#each /m columns}}', 'a'), tr('b', '{{#end}}')))).toEqual([
      'docx.misplaced word/document.xml#1:0',
    ])
    expect(codes(tbl(tr('{{#each /m columns}}{{.}}{{#else}}x{{#end}}', 'a')))).toEqual([
      'docx.unbalanced word/document.xml#1:25',
    ])
    expect(
      codes(tbl(tr('{{#each /m columns}}a', 'b{{#end}}', 'c'), tr('x', '{{#each /m columns}}a', 'b{{#end}}'))),
    ).toEqual(['docx.misplaced word/document.xml#5:0'])
    expect(codes(tbl(tr('{{#each /m rows}}{{.}}{{#end}}', 'a')))).toEqual(['docx.bad_option word/document.xml#1:0'])
  })

  test('is refused inside of a block in the same cell, which it would repeat, and taken inside of one around the row', () => {
    const refused = ['docx.misplaced word/document.xml#1:0']
    const codes = (inner: string) => compileCodes(wordPackage(inner))
    const loop = '{{#each ./v columns}}{{.}}{{#end}}'
    expect(codes(tbl(tr(`{{#each /l}}${loop}{{#end}}`, 'a')))).toEqual(refused)
    expect(codes(tbl(tr(`{{#if /l}}x${loop}{{#else}}y{{#end}}`, 'a')))).toEqual(refused)
    expect(codes(tbl(tr(`{{#each /l}}${loop}`, 'a{{#end}}')))).toEqual([])
    expect(codes(tbl(tr(`{{#each /l}}${table([100], [loop])}{{#end}}`, 'a')))).toEqual([])
    expect(codes(tbl(tr(`{{#each /l}}{{.}}{{#end}}{{#each /v columns}}{{.}}{{#end}}`, 'a')))).toEqual([])
  })

  test('binds its list like any other loop', () => {
    expect(compiled(wordPackage(body)).bindings.map(({ pointer, shape }) => `${pointer} ${shape}`)).toEqual([
      '/months list',
      '/months/* scalar',
      '/rows list',
      '/rows/*/name scalar',
      '/rows/*/values list',
      '/rows/*/values/* scalar',
      '/rows/*/sum scalar',
    ])
  })
})

describe('tags of cells', () => {
  test('are counted for coverage, and dropped by mutation', () => {
    const template = wordPackage(tbl(tr('{{#if /a}}{{shade /c}}{{merge down count 1}}{{#end}}x')))
    const watched = watchTemplate(template)
    if (!watched.ok) throw new Error(JSON.stringify(watched.findings))
    watched.value.compose({ a: false })
    expect(watched.value.coverage.points.map(({ gap }) => gap)).toEqual([
      'is never true',
      'is never false',
      'is never reached',
      'is never reached',
    ])
    expect(watched.value.coverage.take()).toHaveLength(1)
    const tags = compiled(template).tags
    expect(tags.flatMap((tag) => tagChanges(tag, tags).map(({ raw }) => raw))).toEqual([
      '{{#if not (/a)}}',
      '{{""}}',
      '{{""}}',
    ])
  })

  test('are not known to the first rules', () => {
    for (const tag of ['{{shade /c}}', '{{merge down same /a}}']) {
      expect(compileTemplate(wordPackage(tbl(tr(tag))), 1).ok).toBe(false)
    }
  })

  test('leave a paragraph in cells whose own blocks print nothing', () => {
    const cell = p('{{#if /a}}') + p('A') + p('{{#end}}')
    const body = tbl(tr(cell, '{{shade "#ff0000"}}b'), tr('{{#each /l columns}}{{.}}{{#end}}', 'd'))
    for (const [a, lines] of [
      [true, ['A', 'b', '1', 'd']],
      [false, ['', 'b', '1', 'd']],
    ] as const) {
      const source = partText(composedPackage(wordPackage(body), { a, l: [1] }), 'word/document.xml')
      expect(schemaFaults(source)).toEqual([])
      expect(linesOf(source)).toEqual([...lines])
    }
  })

  test('leave the XML of other cells and tables as it is', () => {
    const other = tbl(tr('a', 'b'))
    const cell =
      '<w:tc w:rsidR="1"><w:tcPr ><w:tcW w:w="5000" w:type="pct"/></w:tcPr><!-- x --><w:p><w:r><w:t>y</w:t></w:r></w:p></w:tc>'
    const body = `${other}${p('')}${tbl(`<w:tr>${cell}${tr('{{shade "#ff0000"}}z').slice(6)}`)}`
    const xml = composed(body, {})
    expect(xml).toContain(other)
    expect(xml).toContain(cell)
  })
})
