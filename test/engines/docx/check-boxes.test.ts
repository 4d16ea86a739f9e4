import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { compileTemplate, composeMarked, watchTemplate } from '../../../src/engines/docx/docx.ts'
import { openForRetagging } from '../../../src/engines/docx/retag.ts'
import { tagChanges } from '../../../src/project/mutation/tag-changes.ts'
import { schemaFaults } from './schema-order.ts'
import {
  compileCodes,
  compiled,
  composedBody,
  composedPackage,
  p,
  partText,
  tbl,
  tr,
  wordPackage,
} from './word-package.ts'

const fonts = '<w:rFonts w:ascii="MS Gothic" w:eastAsia="MS Gothic" w:hAnsi="MS Gothic" w:hint="eastAsia"/>'
const states =
  '<w14:checkedState w14:val="2612" w14:font="MS Gothic"/><w14:uncheckedState w14:val="2610" w14:font="MS Gothic"/>'
/** A check box as Word writes it, in a line. */
const control = (names: string, checkBox = `<w14:checked w14:val="0"/>${states}`) =>
  `<w:sdt><w:sdtPr>${names}<w:id w:val="-7"/><w14:checkbox>${checkBox}</w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:rPr>${fonts}</w:rPr><w:t>☐</w:t></w:r></w:sdtContent></w:sdt>`
const titled = (tag: string) => control(`<w:alias w:val="${tag}"/>`)
const line = (...inner: string[]) => `<w:p>${inner.join('')}</w:p>`
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const field = (help: string, checkBox = '<w:sizeAuto/><w:default w:val="1"/>') =>
  `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="C1"/><w:enabled/><w:calcOnExit w:val="0"/>${help}<w:checkBox>${checkBox}</w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText xml:space="preserve"> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`

/** What a reader sees of the boxes: the state that each states, and its sign. */
const boxes = (xml: string) =>
  [...xml.matchAll(/<w14:checked w14:val="(\d)"\/>.*?(?:<w:t>([^<]*)<\/w:t>|w:char="(\w+)")/g)].map(
    ([, state, sign, char]) => `${state} ${sign ?? char}`,
  )

describe('a check box', () => {
  test('is ticked by the condition in its title or its tag', () => {
    const body = line(titled('{{check /a}}'), run(' A '), control('<w:tag w:val="{{check /kind = &quot;b&quot;}}"/>'))
    const xml = composedBody(body, { a: true, kind: 'c' })
    expect(boxes(xml)).toEqual(['1 &#x2612;', '0 &#x2610;'])
    expect(boxes(composedBody(body, { a: 0, kind: 'b' }))).toEqual(['0 &#x2610;', '1 &#x2612;'])
    expect(xml).not.toContain('{{')
    expect(xml).not.toContain('<w:alias')
    // As a value that is missing is in any other condition.
    expect(boxes(composedBody(body, {}))).toEqual(['0 &#x2610;', '0 &#x2610;'])
  })

  test('takes its signs and their fonts from its own settings', () => {
    const wingdings =
      '<w14:checkedState w14:val="00FE" w14:font="Wingdings"/><w14:uncheckedState w14:val="00A8" w14:font="Wingdings"/>'
    const named = '<w:alias w:val="{{check /a}}"/>'
    const symbols = control(named, `<w14:checked w14:val="1"/>${wingdings}`)
    expect(composedBody(line(symbols), { a: true })).toContain('<w:sym w:font="Wingdings" w:char="F0FE"/>')
    expect(boxes(composedBody(line(symbols), {}))).toEqual(['0 F0A8'])
    const segoe = states.replace('"2612" w14:font="MS Gothic"', '"2713" w14:font="Segoe UI Symbol"')
    const ticked = composedBody(line(control(named, segoe)), { a: 1 })
    expect(ticked).toContain('<w14:checkbox><w14:checked w14:val="1"/><w14:checkedState')
    expect(ticked).toContain('<w:rPr><w:rFonts w:hint="eastAsia" w:ascii="Segoe UI Symbol" w:hAnsi="Segoe UI Symbol"')
    expect(ticked.match(/<w:rPr>/g)).toHaveLength(1)
    expect(composedBody(line(control(named, segoe)), {})).toContain(`<w:rPr>${fonts}</w:rPr><w:t>&#x2610;</w:t>`)
    expect(
      composedBody(line(control(named, '').replace('<w14:checkbox></w14:checkbox>', '<w14:checkbox/>')), { a: 1 }),
    ).toContain('<w14:checkbox><w14:checked w14:val="1"/></w14:checkbox>')
  })

  test('of a form field is ticked by its help texts', () => {
    for (const help of ['helpText', 'statusText']) {
      const body = line(field(`<w:${help} w:type="text" w:val="{{check /a}}"/>`))
      expect(composedBody(body, { a: true })).toContain(
        '<w:calcOnExit w:val="0"/><w:checkBox><w:sizeAuto/><w:default w:val="1"/><w:checked w:val="1"/></w:checkBox>',
      )
      expect(composedBody(body, {})).toContain('<w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>')
    }
    const stated = line(field('<w:helpText w:type="text" w:val="{{check /a}}"/>', '<w:default w:val="0"/><w:checked/>'))
    expect(composedBody(stated, {})).toContain('<w:default w:val="0"/><w:checked w:val="0"/></w:checkBox>')
  })

  test('in a loop is ticked in every turn for itself, around paragraphs and cells too', () => {
    const inLine = p('{{#each /l}}') + line(titled('{{check ./on}}'), run('{{./n}}')) + p('{{#end}}')
    const xml = composedBody(inLine, {
      l: [
        { on: true, n: 1 },
        { on: false, n: 2 },
      ],
    })
    expect(boxes(xml)).toEqual(['1 &#x2612;', '0 &#x2610;'])
    expect(xml).not.toContain('<w:id ')
    const block = titled('{{check /a}}').replace(/<w:r>.*<\/w:r>/, (inner) => line(inner))
    expect(boxes(composedBody(block + p('x'), { a: 1 }))).toEqual(['1 &#x2612;'])
    const row = tbl(tr('{{#each /l}}{{./n}}', line(titled('{{check ./on}}')), '{{#end}}'))
    expect(boxes(composedBody(row, { l: [{ on: 1, n: 1 }] }))).toEqual(['1 &#x2612;'])
    const bytes = wordPackage(inLine + block + line(field('<w:helpText w:val="{{check /a}}"/>')))
    expect(schemaFaults(partText(composedPackage(bytes, { l: [] }), 'word/document.xml'))).toEqual([])
  })

  test('in text is its sign', () => {
    const body = p('{{check /a}} yes {{check not /a}} no')
    expect(composedBody(body, { a: 1 })).toContain('☒ yes ☐ no')
    expect(composedBody(body, {})).toContain('☐ yes ☒ no')
  })

  test('is refused with another tag, with text beside the tag, with two tags, and without a sign', () => {
    const codes = (body: string) => compileCodes(wordPackage(body))
    expect(codes(line(run('A '), titled('{{/a}}')))).toEqual(['docx.misplaced word/document.xml#1:2'])
    expect(codes(line(titled('Paid {{check /a}}')))).toEqual(['docx.misplaced word/document.xml#1:5'])
    const two = control('<w:alias w:val="{{check /a}}"/><w:tag w:val="{{check /b}}"/>')
    expect(codes(p('x') + line(two))).toEqual(['docx.misplaced word/document.xml#2:0'])
    const bare = titled('{{check /a}}').replace(/<w:sdtContent>.*<\/w:sdtContent>/, '<w:sdtContent/>')
    expect(codes(line(bare))).toEqual(['docx.misplaced word/document.xml#1:0'])
    expect(codes(line(titled('{{check /a &amp;&amp; /b}}')))).toEqual(['docx.bad_condition word/document.xml#1:0'])
    expect(codes(line(titled('Paid'), run('{{/a}}')))).toEqual([])
  })

  test('without a tag, and any other content control, stays as it is', () => {
    const other =
      '<w:sdt><w:sdtPr><w:alias w:val="{{/a}}"/></w:sdtPr><w:sdtContent><w:r><w:t>x</w:t></w:r></w:sdtContent></w:sdt>'
    const body = line(titled('Paid'), other, run('{{/a}}'))
    expect(composedBody(body, { a: 1 })).toBe(body.replace('{{/a}}</w:t></w:r></w:p>', '1</w:t></w:r></w:p>'))
  })

  test('is left alone, with a remark, in versions that were frozen before', () => {
    const earlier = compileTemplate(wordPackage(line(run('A '), titled('{{check /a}}'))), 3)
    expect(earlier.ok && earlier.value.bindings).toEqual([])
    expect(earlier.findings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'docx.earlier_reading word/document.xml#1:2',
    ])
    expect(compileTemplate(wordPackage(line(titled('Paid'))), 3).findings).toEqual([])
  })
})

describe('a check tag', () => {
  const body = line(titled('{{check /a = 1}}'), run(' x '), titled('{{check /b}}'), run('{{check /c}}'))
  const template = wordPackage(body)

  test('is bound like a condition, each at a place of its own', () => {
    const bindings = compiled(template).bindings
    expect(
      bindings.map(({ pointer, shape, required, position, use }) => [pointer, shape, required, position, use?.as]),
    ).toEqual([
      ['/a', 'scalar', false, 0, 'equal'],
      ['/b', 'flag', false, 4, 'test'],
      ['/c', 'flag', false, 5, 'test'],
    ])
  })

  test('wants a case of each answer', () => {
    const watched = watchTemplate(wordPackage(line(titled('{{check /a}}'), run('A'))))
    if (!watched.ok) throw new Error(JSON.stringify(watched.findings))
    const gaps = (data: JsonValue) => {
      watched.value.compose(data)
      const reached = watched.value.coverage.take()
      return watched.value.coverage.points.filter((_, index) => !reached.includes(index)).map(({ gap }) => gap)
    }
    expect(watched.value.coverage.points.map(({ gap }) => gap)).toEqual(['is never true', 'is never false'])
    expect([gaps({ a: 1 }), gaps({})]).toEqual([['is never false'], ['is never true']])
  })

  test('is changed by mutation, in a title too', () => {
    const tags = compiled(template).tags
    expect(tags.map(({ kind }) => kind)).toEqual(['check', 'check', 'check'])
    expect(tagChanges({ kind: 'check', raw: '{{check /a = 1}}' }, []).map(({ raw }) => raw)).toEqual([
      '{{check not (/a = 1)}}',
      '{{check /a != 1}}',
      '{{check /a = 2}}',
    ])
    const retag = openForRetagging(template)
    if (!retag.ok) throw new Error('not opened')
    const changed = retag.value('word/document.xml#1:0', '{{check not (/a = "1")}}')
    expect(changed === undefined ? [] : compiled(changed).tags.map(({ raw }) => raw)).toEqual([
      '{{check /c}}',
      '{{check not (/a = "1")}}',
      '{{check /b}}',
    ])
  })

  test('marks its sign for the preview', () => {
    const marked = composeMarked(compiled(template), { a: 1 })
    expect(marked.ok && marked.value.places).toEqual([
      'word/document.xml#1:0',
      'word/document.xml#1:4',
      'word/document.xml#1:5',
    ])
  })
})
