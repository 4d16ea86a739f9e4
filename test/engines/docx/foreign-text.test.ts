import { describe, expect, test } from 'bun:test'
import { compileTemplate } from '../../../src/engines/docx/docx.ts'
import { foreignTexts } from '../../../src/engines/docx/scan/foreign-text.ts'
import { compiled, composedLines, p, wordPackage, wordPart } from './word-package.ts'

const hintsOf = (text: string) => [...foreignTexts(text)].map(({ raw, hint }) => `${raw} ${hint}`)
const found = (body: string, parts: Record<string, string> = {}) => {
  const { findings } = compileTemplate(wordPackage(body, parts))
  return findings.map(({ code, severity, path, hint }) => `${severity} ${code} ${path} ${hint}`)
}
const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const complexField = (name: string) =>
  `<w:p>${mark('begin')}<w:r><w:instrText xml:space="preserve"> MERGEFIELD ${name} \\* MERGEFORMAT </w:instrText></w:r>${mark('separate')}<w:r><w:t>«${name}»</w:t></w:r>${mark('end')}</w:p>`

describe('text that another language would fill', () => {
  test.each<[language: string, text: string, hint: string]>([
    ['docxtemplater', '{first_name}', 'Write {{/first_name}} for the value named first_name; inside of a block'],
    [
      'docxtemplater',
      '{customer.name}',
      'Write {{/customer/name}}, or {{/customer.name}} for the value named customer.name.',
    ],
    [
      'docxtemplater',
      '{#lines}',
      'Write {{#each /lines}} for a list, {{#with /lines}} for an object, or {{#if /lines}} for a flag.',
    ],
    ['docxtemplater', '{^paid}', 'Write {{#if not /paid}}, or {{#else}} before the end of the block.'],
    ['docxtemplater', '{/lines}', 'Write {{#end}}.'],
    ['docxtemplater', '{%logo}', 'Write {{image /logo}}.'],
    ['docxtemplater', '{@raw}', 'Write {{rich /raw}}.'],
    ['Carbone', '{d.lines[i].name}', 'Write {{./name}}, or {{/d.lines[i].name}} for the value named d.lines[i].name.'],
    ['Carbone', '{d.total:formatN(2)}', 'Write {{/total}}, with formats behind bars'],
    ['Jinja', '{% if customer.paid %}', 'Write {{#if /customer/paid}}.'],
    ['Jinja', '{%- for line in order.lines -%}', 'Write {{#each /order/lines}}: the members of its items are ./name.'],
    ['Jinja', '{% else %}', 'Write {{#else}}.'],
    ['Jinja', '{% elif paid %}', 'Write {{#else if /paid}}.'],
    ['Jinja', '{% endfor %}', 'Write {{#end}}.'],
    ['docx-templates', '+++INS customer.name+++', 'Write {{/customer/name}}.'],
    ['docx-templates', '+++= $line.text +++', 'Write {{./text}}.'],
    ['docx-templates', '+++customer.name+++', 'Write {{/customer/name}}.'],
    [
      'docx-templates',
      '+++FOR line IN order.lines+++',
      'Write {{#each /order/lines}}: the members of its items are ./name.',
    ],
    ['docx-templates', '+++END-FOR line+++', 'Write {{#end}}.'],
    ['docx-templates', '+++IF paid+++', 'Write {{#if /paid}} … {{#end}}.'],
    ['docx-templates', '+++INS $idx+++', 'Write {{@index}}, the number of the item from 1.'],
    ['docx-templates', '+++= a + b+++', 'Templates don’t calculate. Let the transformer make the value'],
    ['docx-templates', '+++IMAGE logo()+++', 'Write {{image /picture width=3cm}}.'],
    ['docx-templates', '+++EXEC a = 3;+++', 'Templates don’t calculate.'],
    ['docxtemplater', '{größe}', 'Write {{/größe}} for the value named größe'],
    ['Word', '«First_Name»', 'Write {{/First_Name}}.'],
    ['Word', '«FirstName»', 'Write {{/FirstName}}.'],
  ])('of %s, %s, is answered with what Quire has for it', (_, text, hint) => {
    expect(hintsOf(`a ${text} b`)).toHaveLength(1)
    expect(hintsOf(`a ${text} b`)[0]).toStartWith(`${text} ${hint}`)
  })

  test.each([
    '«Bonjour», dit-il, et «non»',
    'the set {x}, {1, 2} and {} of f{x}',
    '{two words} {a-b} {"a": 1} { blank }',
    'f(x) {% of %} 5 {%}',
    '{{{name}}} {{name}}',
  ])('is not seen in %s', (text) => {
    expect(hintsOf(text)).toEqual([])
  })

  test('has names of several words where no tag of Quire is beside it, and commands over paragraphs', () => {
    const hints = (body: string) => found(body).map((one) => one.replace(/^.*document.xml/, ''))
    expect(hints(p('{#order lines}') + p('{my body}{/order lines}'))).toEqual([
      '#1:0 Write {{#each /"order lines"}} for a list, {{#with /"order lines"}} for an object, or {{#if /"order lines"}} for a flag.',
      '#2:0 Write {{/"my body"}}.',
      '#2:9 Write {{#end}}.',
    ])
    expect(hints(p('{please fill in} {{/a}}'))).toEqual([])
    expect(hints(p('+++HTML `') + p('<b>x</b>`+++'))).toEqual(['#1:0 Write {{rich /text format=html}}.'])
    expect(hints(p('C+++, a +++ b, +++'))).toEqual([])
  })

  test('is a warning with its place, once a part, and is printed as it is', () => {
    const body = p('Dear {', 'name}') + p('again {name} and {{/a}}')
    expect(found(body)).toEqual([
      'warning docx.foreign_text word/document.xml#1:5 Write {{/name}} for the value named name; inside of a block, {{./name}} for a member of its item.',
    ])
    expect(composedLines(body, { a: 1 })).toEqual(['Dear {name}', 'again {name} and 1'])
  })

  test('is a merge field, in a part without braces too', () => {
    const hint = 'Write {{/First}} in the place of the field.'
    expect(found(p('x') + complexField('First'))).toEqual([`warning docx.foreign_text word/document.xml#2:0 ${hint}`])
    const simple = '<w:p><w:fldSimple w:instr=" MERGEFIELD First "><w:r><w:t>«First»</w:t></w:r></w:fldSimple></w:p>'
    expect(found(simple)).toEqual([`warning docx.foreign_text word/document.xml#1:0 ${hint}`])
    expect(found(p('Write MERGEFIELD First, or instrText'))).toEqual([])
    expect(found(p('x'), { 'word/footer1.xml': wordPart('ftr', p('{page_no}')) })).toEqual([
      'warning docx.foreign_text word/footer1.xml#1:0 Write {{/page_no}} for the value named page_no; inside of a block, {{./page_no}} for a member of its item.',
    ])
  })

  test('is found in document properties, too', () => {
    const core =
      '<cp:coreProperties xmlns:cp="urn:cp" xmlns:dc="urn:dc"><dc:title>{title}</dc:title></cp:coreProperties>'
    const [first, ...others] = found(p('x'), { 'docProps/core.xml': core })
    expect(first).toStartWith(
      'warning docx.foreign_text docProps/core.xml#1:0 Write {{/title}} for the value named title',
    )
    expect(others).toEqual([])
  })

  test('is not looked for in comments and in tags', () => {
    expect(found(p('{{! {name} }}a{{"{name}"}}{{/x | default "{name}"}}'))).toEqual([])
    expect(found(p('{{! a') + p('{name}') + p('b }}') + p('c'))).toEqual([])
  })

  test('changes nothing of what is made of the template', () => {
    const { bindings, tags } = compiled(wordPackage(p('{name} {{/a}} «First_Name»')))
    expect([bindings.length, tags.length]).toEqual([1, 1])
  })

  test('takes time in proportion to the text, whatever is in it', () => {
    for (const text of ['{a', '{a.', '{a[', '{a:b(', '{%-a ', '«a', '{#', '{a[b]']) {
      expect(hintsOf(text.repeat(200_000))).toEqual([])
    }
    const field = `<w:p><w:r><w:instrText>${'instrText MERGEFIELD '.repeat(50_000)}</w:instrText></w:r></w:p>`
    expect(found(field)).toEqual([])
  })
})
