import { describe, expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { compileTemplate, watchTemplate } from '../../../src/engines/docx/docx.ts'
import { tagChanges } from '../../../src/project/mutation/tag-changes.ts'
import { compiled, composedBody, composedLines, p, tbl, tr, wordPackage } from './word-package.ts'

const letters = ['a', 'b', 'c', 'd'] as const
const chain = (...tags: string[]) =>
  letters.map((k) => tags.map((tag) => composedLines(tag, { k, n: k.charCodeAt(0) - 96 })).join('|'))

describe('a chain of conditions', () => {
  test('prints the first part whose condition holds, in a line', () => {
    const line = p('({{#if /k = "a"}}A{{#else if /k = "b"}}B{{#else if /n > 2 and /n &lt; 4}}C{{#else}}D{{#end}})')
    expect(chain(line)).toEqual(['(A)', '(B)', '(C)', '(D)'])
    const first = p('{{#if /n > 0}}1{{#else if /n > 1}}2{{#else}}3{{#end}}')
    expect(chain(first)).toEqual(['1', '1', '1', '1'])
  })

  test('keeps the formatting of each part', () => {
    const run = (text: string, look = '') => `<w:r>${look}<w:t>${text}</w:t></w:r>`
    const body = `<w:p>${run('{{#if /a}}x{{#else ')}${run('if /b}}y', '<w:rPr><w:b/></w:rPr>')}${run('z{{#end}}')}</w:p>`
    expect(composedBody(body, { b: true })).toContain('<w:rPr><w:b/></w:rPr><w:t xml:space="preserve">y</w:t>')
    expect(composedBody(body, { a: true })).not.toMatch(/[yz]</)
  })

  test('divides a line at its tags, with or without text around them, in one run or several', () => {
    const tags = ['{{#if /k = "a"}}', '{{#else if /k = "b"}}', '{{#else}}', '{{#end}}'] as const
    const parts = ['A', 'B', 'C']
    for (const shown of [parts, ['', 'B', 'C'], ['A', '', 'C'], ['A', 'B', ''], ['', '', 'C'], ['A', '', '']]) {
      for (const [before, after] of [
        ['', ''],
        ['(', ''],
        ['', ')'],
        ['(', ')'],
      ] as const) {
        const texts = [before, ...tags.flatMap((tag, index) => [tag, shown[index] ?? '']), after]
        const expected = shown.map((text) => `${before}${text}${after}`)
        for (const line of [p(texts.join('')), p(...texts.filter((text) => text !== ''))]) {
          const printed = ['a', 'b', 'c'].map((k) =>
            composedLines(p('1') + line + p('2'), { k })
              .slice(1, -1)
              .join('|'),
          )
          expect([line, ...printed]).toEqual([line, ...expected])
        }
      }
    }
  })

  test('divides paragraphs, and its own paragraphs go', () => {
    const body = [
      p('before'),
      p('{{#if /k = "a"}}'),
      p('A'),
      p('{{#else if /k = "b"}}'),
      tbl(tr('B', '{{/n}}')) + p('b'),
      p('{{#else if /k = "c"}}'),
      p('C'),
      p('{{#else}}'),
      p('D'),
      p('{{#end}}'),
      p('after'),
    ].join('')
    expect(letters.map((k) => composedLines(body, { k, n: 2 }))).toEqual([
      ['before', 'A', 'after'],
      ['before', 'B', '2', 'b', 'after'],
      ['before', 'C', 'after'],
      ['before', 'D', 'after'],
    ])
    const inText = p('{{#if /k = "a"}}A') + p('a{{#else if /k = "b"}}B') + p('b{{#else}}C') + p('c{{#end}}')
    expect(letters.slice(0, 3).map((k) => composedLines(inText, { k }))).toEqual([
      ['A', 'a'],
      ['B', 'b'],
      ['C', 'c'],
    ])
  })

  test('divides the rows of a table', () => {
    const rows = (...rest: string[]) =>
      tbl(tr('{{#if /k = "a"}}', ''), tr('A', ''), tr('{{#else if /k = "b"}}', ''), tr('B', ''), ...rest)
    const whole = rows(tr('{{#else}}', ''), tr('C', ''), tr('{{#end}}', ''))
    expect(letters.map((k) => composedLines(whole, { k })[0])).toEqual(['A', 'B', 'C', 'C'])
    // Without {{#else}} all rows may go, and the table with them.
    const open = p('x') + rows(tr('{{#end}}', '')) + p('y')
    expect(letters.map((k) => composedLines(open, { k }))).toEqual([
      ['x', 'A', '', 'y'],
      ['x', 'B', '', 'y'],
      ['x', 'y'],
      ['x', 'y'],
    ])
    const inRows = tbl(
      tr('{{#if /k = "a"}}A', ''),
      tr('{{#else if /k = "b"}}B', ''),
      tr('{{#else if /k = "c"}}C', ''),
      tr('{{#else}}D', ''),
      tr('{{#end}}', ''),
    )
    expect(letters.map((k) => composedLines(inRows, { k })[0])).toEqual(['A', 'B', 'C', 'D'])
  })

  test('is refused in a row that two of its parts would share', () => {
    const body = tbl(tr('{{#if /a}}A', ''), tr('{{#else if /b}}B', '{{#else}}C'), tr('{{#end}}', 'x'))
    expect(compileTemplate(wordPackage(body))).toMatchObject({ ok: false, findings: [{ code: 'docx.misplaced' }] })
  })

  test('leaves no empty line when nothing of it appears', () => {
    const body = p('x') + p('{{#if /a}}A{{#else if /b}}B{{#end}}') + p('y')
    expect(composedLines(body, {})).toEqual(['x', 'y'])
    expect(composedLines(body, { b: 1 })).toEqual(['x', 'B', 'y'])
    expect(composedLines(body, { a: 1 })).toEqual(['x', 'A', 'y'])
  })

  test('may have empty parts', () => {
    expect(chain(p('({{#if /n = 1}}{{#else if /n = 2}}{{#else if /n = 3}}C{{#else}}{{#end}})'))).toEqual([
      '()',
      '()',
      '(C)',
      '()',
    ])
    expect(composedLines(p('{{#if /n}}') + p('N') + p('{{#else}}{{#end}}') + p('z'), { n: 1 })).toEqual(['N', 'z'])
    const body = p('{{#if /n = 1}}{{#else if /n = 2}}') + p('B') + p('{{#else}}{{#end}}') + p('z')
    expect(letters.map((_, n) => composedLines(body, { n: n + 1 }))).toEqual([['z'], ['B', 'z'], ['z'], ['z']])
  })

  test('begins with a loop, whose list is then empty', () => {
    const body = p('{{#each /l}}{{.}}{{#else if /why}}because of {{/why}}{{#else}}nothing{{#end}}')
    expect(composedLines(body, { l: [1, 2] })).toEqual(['12'])
    expect(composedLines(body, { l: [], why: 'rain' })).toEqual(['because of rain'])
    expect(composedLines(body, { l: [] })).toEqual(['nothing'])
  })

  test('nests', () => {
    const body = p('{{#if /a}}{{#if /b}}1{{#else if /c}}2{{#end}}{{#else if /b}}{{#if /c}}3{{#else}}4{{#end}}{{#end}}.')
    const of = (a: boolean, b: boolean, c: boolean) => composedLines(body, { a, b, c })[0]
    expect([of(true, true, false), of(true, false, true), of(false, true, true), of(false, true, false)]).toEqual([
      '1.',
      '2.',
      '3.',
      '4.',
    ])
  })

  test('knows in each part what the conditions before it have proved', () => {
    const { bindings } = compiled(
      wordPackage(p('{{#if not /a}}none{{#else if /b}}{{/a}}{{/b}}{{#else}}{{/a}}{{/b}}{{#end}}')),
    )
    const values = bindings.filter(({ shape }) => shape === 'scalar')
    expect(values.map(({ pointer, required }) => [pointer, required])).toEqual([
      ['/a', false],
      ['/b', false],
      ['/a', false],
      ['/b', true],
    ])
  })

  test('is watched in each of its conditions', () => {
    const outcome = watchTemplate(wordPackage(p('{{#if /a}}A{{#else if /b}}B{{#end}}') + p('x')))
    if (!outcome.ok) throw new Error('refused')
    const { coverage, compose } = outcome.value
    const missed = (...all: object[]) => {
      for (const data of all) compose(JSON.parse(JSON.stringify(data)))
      const reached = new Set(coverage.take())
      return coverage.points.flatMap(({ gap, place }, index) => (reached.has(index) ? [] : [`${place}: ${gap}`]))
    }
    const [first, second] = ['word/document.xml#1:0', 'word/document.xml#1:11']
    expect(missed({ a: true })).toEqual([
      `${first}: is never false`,
      `${second}: is never true`,
      `${second}: is never false`,
    ])
    expect(missed({ b: true })).toEqual([`${first}: is never true`, `${second}: is never false`])
    expect(missed({ a: true }, { b: true }, {})).toEqual([])
  })

  test('is changed by mutation in each of its conditions', () => {
    expect(tagChanges({ kind: 'elseif', raw: '{{#else if /n > 3}}' }, []).map(({ raw }) => raw)).toEqual([
      '{{#else if not (/n > 3)}}',
      '{{#else if /n >= 3}}',
      '{{#else if /n <= 3}}',
      '{{#else if /n > 4}}',
    ])
  })

  const findings = (body: string) => {
    const template = compileTemplate(wordPackage(body))
    return template.ok ? [] : template.findings.map(({ code, message, path }) => `${code} ${path} ${message}`)
  }

  test('is refused out of order, outside a block and with a condition that can’t be read', () => {
    const at = (position: number) => `word/document.xml#1:${position}`
    expect(findings(p('{{#else if /a}}'))).toEqual([`docx.unbalanced ${at(0)} {{#else if /a}} is outside a block.`])
    expect(findings(p('{{#if /a}}{{#else}}{{#else if /b}}{{#end}}'))).toEqual([
      `docx.unbalanced ${at(19)} {{#else if /b}} comes behind {{#else}}.`,
    ])
    expect(findings(p('{{#if /a}}x{{#else if b}}y{{#end}}'))).toEqual([
      `docx.bad_pointer ${at(11)} “b” is neither a pointer nor a value.`,
    ])
    expect(findings(p('{{#if /a}}x{{#else if}}y{{#end}}'))).toEqual([
      `docx.unknown_tag ${at(11)} {{#else if}} is not a tag that Quire knows.`,
    ])
  })

  test('has a bound', () => {
    const many = (count: number) => p(`{{#if /a}}${'{{#else if /b}}'.repeat(count)}{{#end}}`)
    expect(findings(many(limits.templateBranches))).toEqual([])
    expect(findings(many(limits.templateBranches + 1)).map((each) => each.split(' ')[0])).toEqual(['docx.too_deep'])
  })
})
