import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { integrityFaults } from './integrity.ts'
import { compileCodes, composedPackage, linesOf, p, partText, wordPackage } from './word-package.ts'

/** Everything Word may put around a run, or between two, without changing what a reader sees. */
const wrappers: [name: string, before: string, after: string][] = [
  ['nothing', '', ''],
  ['a link', '<w:hyperlink w:anchor="x">', '</w:hyperlink>'],
  ['an insertion', '<w:ins w:id="7" w:author="a">', '</w:ins>'],
  ['moved text', '<w:moveTo w:id="8" w:author="a">', '</w:moveTo>'],
  ['a smart tag', '<w:smartTag w:uri="u" w:element="e">', '</w:smartTag>'],
  ['custom XML', '<w:customXml w:uri="u" w:element="e">', '</w:customXml>'],
  ['a content control', '<w:sdt><w:sdtPr/><w:sdtContent>', '</w:sdtContent></w:sdt>'],
  ['a direction', '<w:bdo w:val="ltr">', '</w:bdo>'],
  ['an embedding', '<w:dir w:val="ltr">', '</w:dir>'],
  ['a simple field', '<w:fldSimple w:instr="QUOTE &quot;x&quot;">', '</w:fldSimple>'],
  ['proofing marks', '<w:proofErr w:type="spellStart"/>', '<w:proofErr w:type="spellEnd"/>'],
  ['a bookmark', '<w:bookmarkStart w:id="1" w:name="b"/>', '<w:bookmarkEnd w:id="1"/>'],
  ['a comment', '<w:commentRangeStart w:id="1"/>', '<w:commentRangeEnd w:id="1"/>'],
  ['a permission', '<w:permStart w:id="1"/>', '<w:permEnd w:id="1"/>'],
  ['deleted text', '<w:del w:id="3" w:author="a"><w:r><w:delText>{{/no}}</w:delText></w:r></w:del>', ''],
  ['a page hint', '<w:r><w:lastRenderedPageBreak/></w:r>', ''],
]

const run = (text: string, properties = '') => `<w:r>${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function linesFor(body: string, data: JsonValue): string[] {
  const opened = composedPackage(wordPackage(body), data)
  expect(integrityFaults(opened)).toEqual([])
  const source = partText(opened, 'word/document.xml')
  return linesOf(source.slice(source.indexOf('<w:body>') + 8)).map((line) => line.replaceAll('{{/no}}', ''))
}

const data = { name: 'Ann & Bob', n: 1234.5, flag: true, list: ['x', 'y'] }

/** Texts of one paragraph, and what they come to. */
const cases: [text: string, lines: string[]][] = [
  ['A {{/name}} B', ['A Ann & Bob B']],
  ['{{/n | number "#,##0.00"}}{{/none | default "}}"}}', ['1,234.50}}']],
  ['({{#each /list}}{{@index}}{{.}}{{#end}})', ['(1x2y)']],
  ['a{{#if /n > 5}}b{{#else}}c{{#end}}d', ['abd']],
]

/** Of the first run, which the others share or don't. */
const looks = ['<w:rPr><w:b/></w:rPr>', '']

describe('a tag means the same in whatever way Word splits it', () => {
  test.each(wrappers)('in two at every position, with %s around the second piece', (wrapper, before, after) => {
    for (const [text, lines, properties] of cases.flatMap(([text, lines]) =>
      looks.map((look) => [text, lines, look] as const),
    )) {
      for (let at = 1; at < text.length; at++) {
        const first = run(escaped(text.slice(0, at)), properties)
        const body = `<w:p>${first}${before}${run(escaped(text.slice(at)))}${after}</w:p>`
        const codes = compileCodes(wordPackage(body))
        if (codes.length > 0) {
          // A block can't begin outside and end inside of what can't be divided; nothing else may be refused.
          expect([wrapper, text.includes('#')]).toEqual([expect.stringMatching(/content control|field/), true])
          for (const code of codes) expect(code).toStartWith('docx.misplaced')
          continue
        }
        const result = linesFor(body, data)
        expect([text, at, ...result]).toEqual([text, at, ...lines])
      }
    }
  })

  test.each(wrappers)('in three at random positions, with %s around the piece in the middle', (_, before, after) => {
    const [text, lines] = cases[0]!
    for (let from = 1; from < text.length - 1; from += 2) {
      for (let to = from + 1; to < text.length; to += 3) {
        const pieces = run(escaped(text.slice(0, from))) + before + run(escaped(text.slice(from, to))) + after
        const result = linesFor(`<w:p>${pieces}${run(escaped(text.slice(to)))}</w:p>`, data)
        expect([from, to, ...result]).toEqual([from, to, ...lines])
      }
    }
  })

  test('into a run for every character', () => {
    for (const [text, lines] of cases) expect(linesFor(p(...[...text].map(escaped)), data)).toEqual(lines)
  })

  test('with two wrappers of any kind, one inside the other', () => {
    const [text, lines] = cases[0]!
    for (const [outer, beforeOuter, afterOuter] of wrappers) {
      for (const [inner, beforeInner, afterInner] of wrappers) {
        if (outer === inner && outer !== 'nothing') continue
        if (`${outer} ${inner}`.includes('link') && /link.*link/.test(`${outer} ${inner}`)) continue
        const body = `<w:p>${run(text.slice(0, 5))}${beforeOuter}${run(text.slice(5, 7))}${beforeInner}${run(text.slice(7, 9))}${afterInner}${afterOuter}${run(text.slice(9))}</w:p>`
        expect([outer, inner, ...linesFor(body, data)]).toEqual([outer, inner, ...lines])
      }
    }
  })

  test('in the paragraphs of a loop, in rows and in rich text alike', () => {
    const halves = (text: string) =>
      Array.from(
        { length: text.length - 1 },
        (_, at) => `<w:p>${run(text.slice(0, at + 1))}${run(text.slice(at + 1))}</w:p>`,
      )
    for (const open of halves('{{#each /list}}')) {
      expect(linesFor(open + p('{{.}}') + p('{{#end}}'), data)).toEqual(['x', 'y'])
    }
    for (const close of halves('{{#end}}')) {
      expect(linesFor(p('{{#each /list}}') + p('{{.}}') + close, data)).toEqual(['x', 'y'])
      const row = `<w:tbl><w:tblPr/><w:tr><w:tc>${p('{{#each /list}}{{.}}')}</w:tc><w:tc>${close}</w:tc></w:tr></w:tbl>`
      expect(linesFor(row, data)).toEqual(['x', '', 'y', ''])
    }
    for (const rich of halves('{{rich /name}}')) expect(linesFor(rich, data)).toEqual(['Ann & Bob'])
  })
})
