import { describe, expect, test } from 'bun:test'
import { compileTemplate } from '../../../src/engines/docx/docx.ts'
import { cpuMsOf } from '../../support/cpu.ts'
import { integrityFaults } from './integrity.ts'
import {
  compiled,
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

const findings = (body: string, parts: Record<string, string> = {}) => {
  const template = compileTemplate(wordPackage(body, parts))
  return template.ok ? [] : template.findings.map(({ code, path, message }) => `${code} ${path} ${message}`)
}
const run = (inner: string) => `<w:r>${inner}</w:r>`
const picture = run('<w:drawing><wp:inline/></w:drawing>')

describe('a comment', () => {
  test('leaves nothing of itself in a line', () => {
    expect(composedLines(p('a{{! why }}b'), {})).toEqual(['ab'])
    expect(composedLines(p('a{{! wh', 'y “it', '’s }}b{{ ! x}}', 'c'), {})).toEqual(['abc'])
    expect(composedLines(p('{{#if /x}}{{! only if }}y{{#end}}.'), { x: 1 })).toEqual(['y.'])
    expect(composedBody(p('{{!}}x'), {})).not.toContain('!')
  })

  test('may hold tags, quotes and braces', () => {
    const body = p('a{{! {{/gone}} "half {{#if /broken &amp;&amp;}} {{nonsense}} }}b')
    expect(composedLines(body, {})).toEqual(['ab'])
    expect(compiled(wordPackage(body))).toMatchObject({ bindings: [], tags: [], findings: [] })
    expect(composedLines(p('a{{!-- }} {{ {{/x --}}b{{!– dashes of Word }} –}}c'), {})).toEqual(['abc'])
  })

  test('goes with its paragraph if nothing else is in it', () => {
    expect(composedLines(p('x') + p(' {{! note }} {{! and }}') + p('y'), {})).toEqual(['x', 'y'])
    expect(composedLines(p('x') + p('{{! note }}{{#if /a}}') + p('A') + p('{{#end}}{{! note }}') + p('y'), {})).toEqual(
      ['x', 'y'],
    )
    expect(composedLines(p('x') + p('{{! note }}{{#if /a}}A{{#end}}') + p('y'), {})).toEqual(['x', 'y'])
  })

  test('leaves a cell, a header and a text its last paragraph', () => {
    expect(composedBody(tbl(tr('{{! note }}', 'b')), {})).toMatch(/<w:tc><w:p>.*<\/w:p><\/w:tc><w:tc>/)
    expect(composedLines(tbl(tr(p('{{! note }}') + p('a'))), {})).toEqual(['a'])
    const header = { 'word/header1.xml': wordPart('hdr', p('{{! note }}')) }
    expect(linesOf(partText(composedPackage(wordPackage(p('x'), header), {}), 'word/header1.xml'))).toEqual([''])
  })

  test('beside the tag of a loop over rows leaves the cell its paragraph', () => {
    const body = tbl(tr('{{#each /l}}{{! every party }}', '{{.}}{{#end}}'))
    const composed = composedPackage(wordPackage(body), { l: [1, 2] })
    expect(integrityFaults(composed)).toEqual([])
    expect(linesOf(partText(composed, 'word/document.xml'))).toEqual(['', '1', '', '2'])
    expect(
      composedLines(tbl(tr(p('{{! note }}') + p('{{#each /l}}{{! every party }}'), '{{.}}{{#end}}')), { l: [1] }),
    ).toEqual(['', '1'])
  })

  test('of a cell that has a mark behind it leaves the cell its paragraph', () => {
    for (const before of ['', tbl(tr('x'))]) {
      for (const text of ['{{! note }}', '{{#if /a}}A{{#end}}']) {
        const cell = `<w:tc>${before}${p(text)}<w:bookmarkEnd w:id="4"/></w:tc>`
        const composed = composedPackage(wordPackage(`<w:tbl><w:tblPr/><w:tr>${cell}</w:tr></w:tbl>`), { a: false })
        expect(integrityFaults(composed)).toEqual([])
      }
    }
    // As it was: the one before it ends the cell.
    const two = `<w:tc>${p('x')}${p('{{! note }}')}<w:bookmarkEnd w:id="4"/></w:tc>`
    expect(composedLines(`<w:tbl><w:tblPr/><w:tr>${two}</w:tr></w:tbl>`, {})).toEqual(['x'])
  })

  test('beside another paragraph that goes leaves a cell or header one of them', () => {
    const end = '<w:bookmarkEnd w:id="4"/>'
    const goes = ['{{! note }}', '{{#if /a}}A{{#end}}', '{{#each /l}}{{.}}{{#end}}']
    const inRow = (cell: string) => tbl(`<w:tr><w:tc>${p('{{#if /b}}')}${p('x')}</w:tc><w:tc>${cell}</w:tc></w:tr>`)
    for (const first of goes) {
      for (const last of ['{{! note }}', '{{#end}}']) {
        for (const mark of ['', end]) {
          // The second one belongs to a block over rows, which begins in the row's other cell.
          const cell = p(first) + p(last) + mark
          const body = last === '{{#end}}' ? inRow(cell) : tbl(`<w:tr><w:tc>${cell}</w:tc></w:tr>`)
          for (const a of [false, true]) {
            const data = { a, b: true, l: a ? [1] : [] }
            const composed = composedPackage(wordPackage(body), data)
            expect([first, last, mark, integrityFaults(composed)]).toEqual([first, last, mark, []])
          }
        }
      }
    }
    // And none that nothing asks for: the mark is behind the paragraph that is left.
    const kept = `<w:tc>${p('{{#if /a}}A{{#end}}')}${p('{{! note }}')}${end}</w:tc>`
    expect(composedLines(tbl(`<w:tr>${kept}</w:tr>`), { a: true })).toEqual(['A'])
    const header = wordPart('hdr', p('{{! note }}') + p('{{! other }}') + end)
    const composed = composedPackage(wordPackage(p('x'), { 'word/header1.xml': header }), {})
    expect(integrityFaults(composed)).toEqual([])
    expect(partText(composed, 'word/header1.xml')).toContain('<w:p')
  })

  test('takes pictures along, and keeps the marks beside them, also where nothing else is in its paragraph', () => {
    const pair = '<w:bookmarkStart w:id="2" w:name="b"/><w:bookmarkEnd w:id="2"/>'
    const end = '<w:bookmarkEnd w:id="9"/>'
    const comment = (before: string, marks: string, behind: string) =>
      `<w:p>${run(`<w:t>${before}{{! see</w:t>`)}${marks}${run(`<w:t>here }}${behind}</w:t>`)}</w:p>`
    for (const [before, behind] of [
      ['', ''],
      ['{{rich /h}}', ''],
      ['{{#each /l}}x{{#end}}', '{{#each /l}}y{{#end}}'],
    ] as const) {
      for (const marks of [picture + end + pair, picture + pair + end, end + picture + pair, pair + end + picture]) {
        const composed = composedPackage(wordPackage(comment(before, marks, behind) + p('z')), {
          h: '<p>r</p>',
          l: [1],
        })
        expect(integrityFaults(composed)).toEqual([])
        expect(partText(composed, 'word/document.xml')).toContain(end)
      }
    }
  })

  test('over a whole field takes it along, and keeps a mark in it', () => {
    const mark = (type: string) => run(`<w:fldChar w:fldCharType="${type}"/>`)
    const field = `${mark('begin')}${run('<w:instrText>REF x</w:instrText>')}${mark('separate')}<w:bookmarkEnd w:id="9"/>${run('<w:t>x</w:t>')}`
    const line = `<w:p>${run('<w:t>a{{! see</w:t>')}${field}${mark('end')}${run('<w:t>}}b</w:t>')}</w:p>`
    const lines = `${p('a{{!--')}<w:p>${field}${mark('end')}</w:p>${p('--}}b')}`
    for (const body of [line, lines]) {
      expect(findings(body)).toEqual([])
      expect(composedBody(body, {})).toContain('<w:bookmarkEnd w:id="9"/>')
      expect(composedBody(body, {})).not.toContain('fldChar')
    }
    const half = `${p('a{{!--')}<w:p>${field}</w:p><w:p>${run('<w:t>--}}b</w:t>')}${mark('end')}</w:p>`
    expect(findings(half)).toEqual([expect.stringContaining('inside of a field')])
  })

  test('takes pictures and whole fields in it along', () => {
    const body = `<w:p>${run('<w:t>a{{! see</w:t>')}${picture}${run('<w:rPr><w:b/></w:rPr><w:t>here }}b</w:t>')}</w:p>`
    expect(composedBody(body, {})).toBe(
      '<w:p><w:r><w:t xml:space="preserve">a</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">b</w:t></w:r></w:p>',
    )
    expect(composedLines(`${p('x')}<w:p>${run('<w:t>{{!</w:t>')}${picture}${run('<w:t>}}</w:t>')}</w:p>`, {})).toEqual([
      'x',
    ])
    const mark = (type: string) => run(`<w:fldChar w:fldCharType="${type}"/>`)
    const code = run('<w:instrText>IF {{/bad}}</w:instrText>')
    const text = (inner: string) => run(`<w:t>${inner}</w:t>`)
    const whole = `<w:p>${text('a{{!')}${mark('begin')}${code}${mark('end')}${text('}}b')}</w:p>`
    expect(composedBody(whole, {})).not.toContain('fldChar')
    expect(findings(`<w:p>${text('a{{!')}${mark('begin')}${code}${text('}}b')}${mark('end')}</w:p>`)[0]).toContain(
      'inside of a field',
    )
  })

  test('over paragraphs takes them, with tables and tags between', () => {
    const body = [
      p('before'),
      p('{{! The old terms,'),
      p('{{#each /gone}}'),
      tbl(tr('{{./a}}', '{{#end}}')),
      p('{{/also}} and “these'),
      p('until 2027. }}'),
      p('after'),
    ].join('')
    expect(composedLines(body, {})).toEqual(['before', 'after'])
    expect(compiled(wordPackage(body)).bindings).toEqual([])
    expect(composedBody(body, {})).toBe(p('before') + p('after'))
  })

  test('over paragraphs divides those that have other text', () => {
    const body = p('one {{! gone') + p('gone') + p('gone }} two')
    expect(composedLines(body, {})).toEqual(['one ', ' two'])
    expect(composedLines(p('one{{! gone').replace('</w:p>', `${picture}</w:p>`) + p('}}{{/x}}'), { x: 'X' })).toEqual([
      'one',
      'X',
    ])
    expect(composedBody(p('one{{! gone').replace('</w:p>', `${picture}</w:p>`) + p('}}x'), {})).not.toContain('drawing')
  })

  test('may be inside of a block, and hold one', () => {
    const body = p('{{#each /l}}') + p('{{.}}{{!') + p('{{#if /x}}') + p('}}') + p('{{#end}}')
    expect(composedLines(body, { l: [1, 2] })).toEqual(['1', '2'])
  })

  test('over rows takes them, and an empty table goes', () => {
    const rows = [tr('a', 'b'), tr('{{! c', '{{/c}}'), tr('d', 'e }}'), tr('f', 'g')]
    expect(composedLines(tbl(...rows), {})).toEqual(['a', 'b', 'f', 'g'])
    expect(composedLines(p('x') + tbl(...rows.slice(1, 3)) + p('y'), {})).toEqual(['x', 'y'])
    expect(composedLines(tbl(tr('a', 'b'), tr('{{! c', 'd }}')), {})).toEqual(['a', 'b'])
  })

  test('is refused where it would take other text along, or end outside of its cell', () => {
    expect(findings(tbl(tr('a', '{{! b', 'c }}')))[0]).toMatch(/^docx.misplaced word\/document.xml#2:0 /)
    expect(findings(tbl(tr('{{! b', 'c }}', 'd')))[0]).toMatch(/^docx.misplaced /)
    expect(findings(tbl(tr('{{! b')) + p('c }}'))[0]).toMatch(/^docx.misplaced /)
  })

  test('that never ends is refused with its place', () => {
    expect(findings(p('a {{! b {{ c }}') + p('{{/d}}'))).toEqual([
      'docx.unclosed_tag word/document.xml#1:2 The comment {{! b {{ c }} is never closed.',
    ])
    expect(findings(p('a {{!-- b }}'))).toEqual([
      'docx.unclosed_tag word/document.xml#1:2 The comment {{!-- b }} is never closed.',
    ])
  })

  test('takes along notes that nothing else refers to, with their tags', () => {
    const reference = (id: number) => run(`<w:footnoteReference w:id="${id}"/>`)
    const note = (id: number, text: string) => `<w:footnote w:id="${id}">${p(text)}</w:footnote>`
    const body = `<w:p>${run('<w:t>{{! a</w:t>')}${reference(1)}${run('<w:t>}}</w:t>')}</w:p><w:p>${run('<w:t>{{!</w:t>')}${reference(2)}${run('<w:t>}}b</w:t>')}${reference(2)}</w:p>`
    const parts = {
      'word/footnotes.xml': wordPart('footnotes', note(1, 'secret {{/x}}{{bad') + note(2, 'kept {{/y}}')),
    }
    expect(findings(body, parts)).toEqual([])
    const opened = composedPackage(wordPackage(body, parts), { y: 'Y' })
    expect(linesOf(partText(opened, 'word/footnotes.xml'))).toEqual(['kept Y'])
    expect(integrityFaults(opened)).toEqual([])
  })

  test('leaves halves of bookmarks that continue outside', () => {
    const begin = '<w:bookmarkStart w:id="1" w:name="a"/>'
    const whole = '<w:bookmarkStart w:id="2" w:name="b"/><w:bookmarkEnd w:id="2"/>'
    const body = `${p('{{!')}<w:p>${begin}${whole}${run('<w:t>x</w:t>')}</w:p>${p('}}')}<w:p>${run('<w:t>y</w:t>')}<w:bookmarkEnd w:id="1"/></w:p>`
    const source = composedBody(body, {})
    expect(source.match(/<w:bookmark\w+ w:id="\d"/g)).toEqual(['<w:bookmarkStart w:id="1"', '<w:bookmarkEnd w:id="1"'])
  })

  test('may be in alternative texts and formulas', () => {
    const alt = (text: string) =>
      `<w:p>${run(`<w:drawing><wp:inline><wp:docPr id="1" descr="${text}"/></wp:inline></w:drawing>`)}</w:p>`
    expect(composedBody(alt('a{{! b }}c'), {})).toContain('descr="ac"')
    expect(findings(p('{{! x') + alt('{{nonsense}}') + p('}}'))).toEqual([])
  })

  test('is refused by the first rules, as it was', () => {
    const template = compileTemplate(wordPackage(p('{{! x }}')), 1)
    expect(template).toMatchObject({ ok: false, findings: [{ code: 'docx.unknown_tag' }] })
  })

  test('costs little, however many there are', () => {
    const objects = `${picture}${run('<w:t>{{!</w:t>')}${picture}${run('<w:t>}}x</w:t>')}`
    const line = `<w:p>${objects.repeat(5_000)}</w:p>`
    const over = (p('{{!') + p('}}')).repeat(2_500)
    const rows = tbl((tr('{{!', '}}') + tr('a', 'b')).repeat(2_500))
    expect(cpuMsOf(() => void compiled(wordPackage(line)))).toBeLessThan(3_000)
    expect(cpuMsOf(() => void compiled(wordPackage(over)))).toBeLessThan(3_000)
    expect(cpuMsOf(() => void compiled(wordPackage(rows)))).toBeLessThan(3_000)
  })
})
