import { describe, expect, test } from 'bun:test'
import type { Reading } from '../../../src/core/reading.ts'
import { compileTemplate, composeTemplate } from '../../../src/engines/docx/docx.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import { features } from './features.ts'
import { linesOf, p, partText, tbl, tr, wordPackage } from './word-package.ts'

/** A template that was frozen before conditions had a grammar. */
function composedUnder(reading: Reading, body: string, data: object) {
  const template = compileTemplate(wordPackage(body), reading)
  if (!template.ok) return template.findings.map(({ code }) => code)
  const composed = composeTemplate(template.value, JSON.parse(JSON.stringify(data)))
  if (!composed.ok) return composed.findings.map(({ code }) => code)
  const opened = openPackage(composed.value)
  if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
  return linesOf(partText(opened.value, 'word/document.xml'))
}
const first = (body: string, data: object) => composedUnder(1, body, data)
const yes = (condition: string) => p(`{{#if ${condition}}}yes{{#else}}no{{#end}}`)
const item = (text: string) =>
  `<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`

/** Golden documents of tags that the first rules did not know. */
const later = new Set([
  'cells and columns',
  'chains',
  'charts',
  'check boxes',
  'comments',
  'kept together',
  'objects and members',
])

describe('a version frozen under the first rules prints what it printed then', () => {
  test.each<[string, string]>([
    ['/kind="a"', 'no'],
    ['/total&gt;3', 'no'],
    ['/flag and /total &gt; 3', 'no'],
    ['/flag or /x', 'no'],
    ['/flag &amp;&amp; /flag', 'no'],
    ['not /flag and /x', 'yes'],
    ['/kind in ["a"]', 'no'],
    ['/kind is empty', 'no'],
    ['/kind = “a”', 'yes'],
    ['/kind = “it’s”', 'no'],
    ['/first name = "Ada"', 'yes'],
    ['not /total &lt; 3', 'yes'],
  ])('of the condition %s', (condition, answer) => {
    const data = { kind: 'a', total: 5, flag: true, 'first name': 'Ada' }
    expect(first(yes(condition), data)).toEqual([answer])
  })

  test('of formats, options and texts', () => {
    expect(first(p('{{/d | date "dd/mm/yyyy"}}'), { d: '2026-03-01' })).toEqual(['01/00/2026'])
    expect(first(p('{{/a | default "x" | upper}} {{/b | upper | default "y"}}'), { b: 'b' })).toEqual(['x B'])
    expect(first(p('{{/d | date "hh:mm"}}'), { d: '2026-03-01T15:30' })).toEqual(['03:30'])
    expect(first(p(`{{/n | number "0 'it''s'"}}`), { n: 5 })).toEqual(['5 its'])
    expect(first(p('{{\'„x“\'}} {{/a b | default "–"}}'), {})).toEqual(['"x" –'])
    expect(first(p('{{/a | default "x”}} said "hello" {{/b}}'), { b: 1 })).toEqual(['x said "hello" 1'])
    expect(first(p('{{qr /a size=1cm nonsense}}'), { a: 'x' })).toHaveLength(1)
  })

  test('of locales', () => {
    const total = { total: 1234567.5 }
    const printed = (tag: string, reading: Reading) =>
      composedUnder(reading, p(`{{/total | number "#,##0.00" "${tag}"}}`), total)
    expect(printed('en-IN', 1)).toEqual(['1,234,567.50'])
    expect(printed('en-IN', 2)).toEqual(['12,34,567.50'])
    expect(printed('pt-AO', 1)).toEqual(['1.234.567,50'])
    expect(printed('pt-AO', 2)).toEqual(['1\u00a0234\u00a0567,50'])
    expect(printed('de-XX', 1)).toEqual(['1.234.567,50'])
    expect(printed('de-XX', 2)).toEqual(['docx.unknown_locale'])
    for (const tag of ['de-DE', 'de-CH', 'en-US', 'fr-CA']) expect(printed(tag, 1)).toEqual(printed(tag, 2))
  })

  test('of loops in list items', () => {
    const nested = '{{#each /a}}{{#each ./b}}{{.}}{{#end}}{{#end}}'
    const data = { a: [{ b: [1, 2] }, { b: [3] }], none: [] }
    expect(first(item(nested), data)).toEqual(['12', '3'])
    expect(first(item('{{#each /a}}{{@index}}{{#else}}none{{#end}}'), data)).toEqual(['12'])
    expect(first(item('{{#each /a}}{{@index}}{{#end}}'), data)).toEqual(['1', '2'])
    expect(composedUnder(2, item(nested), data)).toEqual(['1', '2', '3'])
  })

  test('of loops in list items beside the end of a block around several, which glued the items until the sixth rules', () => {
    const two = item('{{#each /a}}Hi') + item('{{#each ./b}}{{.}}{{#end}}{{#end}}')
    const data = { a: [{ b: [1, 2] }, { b: [3] }, { b: [] }] }
    expect(composedUnder(5, two, data)).toEqual(['Hi', '12', 'Hi', '3', 'Hi'])
    expect(composedUnder(6, two, data)).toEqual(['Hi', '1', '2', 'Hi', '3', 'Hi'])
    expect(compileTemplate(wordPackage(two), 5).findings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'docx.earlier_reading word/document.xml#2:0',
    ])
    const first = item('{{#each /a}}{{#each ./b}}{{.}}{{#end}}') + item('–{{#end}}')
    expect(composedUnder(6, first, data)).toEqual(['1', '2', '–', '3', '–', '–'])
    // Text beside the loop stays in one item with it.
    const beside = item('{{#each /a}}Hi') + item('{{#each ./b}}{{.}}{{#end}};{{#end}}')
    for (const reading of [5, 6] as const)
      expect(composedUnder(reading, beside, data)).toEqual(['Hi', '12;', 'Hi', '3;', 'Hi', ';'])
    const flag = item('{{#if /a}}x') + item('{{#if /a}}{{#each /a/0/b}}{{.}}{{#end}}{{#end}}{{#end}}')
    expect(composedUnder(6, flag, data)).toEqual(['x', '1', '2'])
  })

  test('of {{#else}} and {{#end}} in one paragraph or row, which were printed until the third rules', () => {
    const shared = p('{{#if /n}}') + p('N') + p('{{#else}}{{#end}}') + p('z')
    const rows = tbl(tr('{{#if /n}}', ''), tr('N', ''), tr('{{#else}}', '{{#end}}'), tr('z', ''))
    for (const reading of [1, 2] as const) {
      expect(composedUnder(reading, shared, { n: 1 })).toEqual(['N', '{{#else}}{{#end}}', 'z'])
      expect(composedUnder(reading, shared, { n: 0 })).toEqual(['{{#else}}{{#end}}', 'z'])
      expect(composedUnder(reading, rows, { n: 0 })).toEqual(['{{#else}}', '{{#end}}', 'z', ''])
    }
    expect(composedUnder(3, shared, { n: 1 })).toEqual(['N', 'z'])
    expect(composedUnder(3, shared, { n: 0 })).toEqual(['z'])
    expect(composedUnder(3, rows, { n: 0 })).toEqual(['z', ''])
    // These tags are no older than the third rules, so no version prints them.
    const chain = p('{{#if /n}}') + p('N') + p('{{#else if /m}}') + p('M') + p('{{#else}}{{#end}}') + p('z')
    const object = p('{{#with /n}}') + p('N') + p('{{#else}}{{#end}}') + p('z')
    for (const body of [chain, object]) expect(composedUnder(2, body, {})).toEqual(['z'])
  })

  test('refuses the tags that came later, as it did then', () => {
    const refused = features.filter(({ template }) => !compileTemplate(template, 1).ok).map(({ name }) => name)
    expect(new Set(refused)).toEqual(later)
  })

  test('of every golden document', () => {
    for (const { name, template, data } of features) {
      if (later.has(name)) continue
      const bytes = ([1, 2, 3] as const).map((reading) => {
        const compiled = compileTemplate(template, reading)
        const composed = compiled.ok ? composeTemplate(compiled.value, data) : compiled
        if (!composed.ok) throw new Error(`${name}: ${JSON.stringify(composed.findings)}`)
        return Buffer.from(composed.value).toString('base64')
      })
      expect([name, new Set(bytes).size]).toEqual([name, 1])
    }
  })
})

describe('a version frozen under the first rules', () => {
  const warned = (body: string) => {
    const template = compileTemplate(wordPackage(body), 1)
    return template.findings.map(({ code, severity, path, message }) => ({ code, severity, path, message }))
  }

  test('has a warning at each tag that means something else today, or nothing', () => {
    expect(warned(p('{{/a}} {{#if /a and /b}}x{{#end}} {{/d | date "mm.yyyy"}} {{#if /a = “b”}}{{#end}}'))).toEqual([
      {
        code: 'docx.earlier_reading',
        severity: 'warning',
        path: 'word/document.xml#1:7',
        message:
          '{{#if /a and /b}} is read by the rules under which this version was frozen; today it is refused or means something else.',
      },
      {
        code: 'docx.earlier_reading',
        severity: 'warning',
        path: 'word/document.xml#1:34',
        message:
          '{{/d | date "mm.yyyy"}} is read by the rules under which this version was frozen; today it is refused or means something else.',
      },
    ])
  })

  test('has a warning at a locale that is another one today, and none where it is written alike', () => {
    for (const [pattern, tag, count] of [
      ['#,##0', 'en-IN', 1],
      ['0', 'en-IN', 0],
      ['0', 'de-XX', 1],
      ['#,##0', 'de-DE', 0],
      ['#,##0', 'de-LU', 0],
    ] as const) {
      expect([pattern, tag, warned(p(`{{/a | number "${pattern}" "${tag}"}}`)).length]).toEqual([pattern, tag, count])
    }
  })

  test('has one at a format whose locale writes otherwise since the sixth rules, and so do all before them', () => {
    const tags = (
      ['number "#,##0" "de-CH"', 'number "0.0" "de-CH"', 'date "EEE, d.M." "de"', 'date "MMMM" "de"'] as const
    ).map((format) => `{{/a | ${format}}}`)
    for (const reading of [1, 2, 5, 6] as const) {
      const { findings } = compileTemplate(wordPackage(tags.map((tag) => p(tag)).join('')), reading)
      const paths = findings.flatMap(({ code, path }) => (code === 'docx.earlier_reading' ? [path] : []))
      expect(paths).toEqual(reading === 6 ? [] : ['word/document.xml#1:0', 'word/document.xml#3:0'])
    }
    expect(composedUnder(5, p('{{/a | number "#,##0" "de-CH"}}'), { a: 1234 })).toEqual(['1’234'])
    expect(composedUnder(6, p('{{/a | number "#,##0" "de-CH"}}'), { a: 1234 })).toEqual(["1'234"])
  })

  test('has a warning at a list item of which a loop repeats something else today', () => {
    for (const [text, count] of [
      ['{{#each /a}}{{#each ./b}}{{.}}{{#end}}{{#end}}', 1],
      ['{{#each /a}}{{.}}{{#else}}none{{#end}}', 1],
      ['{{#each /a}}{{.}}{{#end}}', 0],
      ['all: {{#each /a}}{{#each ./b}}{{.}}{{#end}}{{#end}}', 0],
    ] as const) {
      expect([text, warned(item(text)).map(({ code, path }) => `${code} ${path}`)]).toEqual([
        text,
        count === 0 ? [] : ['docx.earlier_reading word/document.xml#1:0'],
      ])
    }
  })

  test('has a warning at an {{#else}} that it prints, and none has been added for today’s rules', () => {
    const body = p('{{#if /n}}') + p('N') + p('{{#else}}{{#end}}')
    const found = ([1, 2, 3] as const).map((reading) => compileTemplate(wordPackage(body), reading).findings)
    const places = found.map((findings) => findings.map(({ code, path }) => `${code} ${path}`))
    const warning = 'docx.earlier_reading word/document.xml#3:0'
    expect(places).toEqual([[warning], [warning], []])
  })

  test('has no warning for tags that mean the same', () => {
    const tags = [
      '{{/a b}}',
      '{{/n | number "0" | default "–"}}',
      '{{#if not /a = 1}}{{#end}}',
      '{{image /a width=1cm}}',
    ]
    expect(warned(tags.map((tag) => p(tag)).join(''))).toEqual([])
    for (const { name, template } of features) {
      if (later.has(name)) continue
      expect([name, compileTemplate(template, 1).findings]).toEqual([name, compileTemplate(template).findings])
    }
  })
})
