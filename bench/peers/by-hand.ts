/**
 * Peers' templates whose tags no rule translates, as an author would write them in Quire: paragraphs by their whole text, in
 * document order, and the data for both.
 */
import { TemplateHandler } from 'easy-template-x'
import type { JsonObject } from '../../src/core/json.ts'

export interface ByHand {
  /** A paragraph's text, with runs of spaces as one, and its replacement. */
  lines: readonly (readonly [theirs: string, ours: string])[]
  data: JsonObject
  /** The peer's data, if it differs. */
  theirs?: Record<string, unknown>
  /** How to call the peer for this template. */
  fill?: ((template: Uint8Array, data: unknown) => Promise<Uint8Array>) | undefined
}

/** A picture of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const picture = () => ({ width: 3, height: 3, data: pixel, extension: '.png' })

/** Pictures that the peer's functions return, and that Quire finds in the data. */
function pictures(...calls: string[]): ByHand {
  const names = [
    'image',
    'injectImg',
    'getImage',
    'getImage45',
    'getImage180',
    'svgImgFile',
    'svgImgStr',
    'injectSvg',
    'qr',
    'tile',
  ]
  return {
    lines: calls.map((call) => [`+++IMAGE ${call}+++`, '{{image /picture}}'] as const),
    data: { picture: pixel },
    theirs: { ...Object.fromEntries(names.map((name) => [name, picture])), cv: { ProfilePicture: { url: '' } } },
  }
}

const two = (item: (number: number) => JsonObject) => [item(1), item(2)]

/** A handler of easy-template-x with other delimiters. */
function signed(tagStart: string, tagEnd: string, containerTagOpen: string, containerTagClose: string): ByHand['fill'] {
  const delimiters = { tagStart, tagEnd, containerTagOpen, containerTagClose }
  return async (template, data) =>
    new TemplateHandler({ delimiters }).process(Buffer.from(template), data as Record<string, string>)
}

const props = two((number) => ({ simple_prop: `item ${number}` }))
const loopProp = { loop_prop: props }
const values = (name: string) => two((number) => ({ val: `${name} ${number}` }))
const companies = two((number) => ({ name: `Company ${number}` }))
const flags = { yes: true, no: false }
const links = (name: string) => two((number) => ({ name: `${name} ${number}`, url: `https://example.org/${number}` }))

function etx(name: string): string {
  return `easy-template-x test/fixtures/files/${name}.docx`
}

function report(name: string): string {
  return `docx-templates src/__tests__/fixtures/${name}.docx`
}

function docxtpl(name: string): string {
  return `python-docx-template tests/templates/${name}.docx`
}

export const byHand: Readonly<Record<string, ByHand>> = {
  [etx('loop - nested with condition')]: {
    lines: [
      ['{# teams}', '{{#each /teams}}'],
      ['{# display}', '{{#if ./display}}'],
      ['{name}:', '{{./name}}:'],
      // The text that ends each item is moved into the loop, so that the loop is the list's whole item.
      [
        '{# members}First Name: {name}, Last Name: {surname}{/ members};',
        '{{#each ./members}}First Name: {{./name}}, Last Name: {{./surname}};{{#end}}',
      ],
      ['{/}', '{{#end}}'],
      ['{/ teams}', '{{#end}}'],
    ],
    data: {
      teams: [true, false].map((display, index) => ({
        display,
        name: `Team ${index}`,
        members: two((number) => ({ name: `A${number}`, surname: `B${number}` })),
      })),
    },
  },
  [etx('loop - paragraph - multi line - without loopOver')]: {
    // The peer continues in the paragraph in which the last iteration ended; Quire repeats whole paragraphs.
    lines: [
      ['Before1 {#loop_prop} After1', 'Before1 After1'],
      ['Before2 {simple_prop} After2', '{{#each /loop_prop}}Before2 {{./simple_prop}} After2'],
      ['Before3 {/loop_prop} After3', 'Before3 {{#if @last}}After3{{#else}}After1{{#end}}{{#end}}'],
    ],
    data: loopProp,
  },
  [etx('loop - paragraph - multi line - with loopOver')]: {
    lines: [
      ['Before1 {#loop_prop [loopOver: “paragraph”]} After1', '{{#each /loop_prop}}Before1 After1'],
      ['Before2 {simple_prop} After2', 'Before2 {{./simple_prop}} After2'],
      ['Before3 {/loop_prop} After3', 'Before3 After3{{#end}}'],
    ],
    data: loopProp,
  },
  [etx('loop - table - columns with style')]: {
    lines: [
      ['{#Students}{Name}', '{{#each /Students columns}}{{./Name}}{{#end}}'],
      ['{MathGrade}', '{{#each /Students columns}}{{./MathGrade}}{{#end}}'],
      ['{ScienceGrade}', '{{#each /Students columns}}{{./ScienceGrade}}{{#end}}'],
      ['{HistoryGrade}{/}', '{{#each /Students columns}}{{./HistoryGrade}}{{#end}}'],
    ],
    data: {
      Students: two((number) => ({
        Name: `Ann ${number}`,
        MathGrade: 'A',
        ScienceGrade: 'B',
        HistoryGrade: `${number}`,
      })),
    },
  },
  [etx('loop - table - columns')]: {
    lines: [
      ['{#loop}{prop1}', '{{#each /loop columns}}{{./prop1}}{{#end}}'],
      ['Repeat me', '{{#each /loop columns}}Repeat me{{#end}}'],
      ['{prop2}', '{{#each /loop columns}}{{./prop2}}{{#end}}'],
      ['{/loop}', '{{#each /loop columns}}{{#end}}'],
    ],
    data: { loop: two((number) => ({ prop1: `a ${number}`, prop2: `b ${number}` })) },
  },
  [etx('loop - table - loopOver')]: {
    lines: [
      ['{#loop1}{val}{/loop1}', '{{#each /loop1}}{{./val}}{{#end}}'],
      ['{#loop2}{val}{/loop2}', '{{#each /loop2}}{{./val}}{{#end}}'],
      // A row repeats if the loop begins in one of its cells and ends in another.
      ['[Row2]', '{{#each /loop3}}[Row2]'],
      ['{#loop3 [loopOver: “row”]}{val}{/loop3}', '{{./val}}{{#end}}'],
      ['{#loop4 [loopOver: “content”]}{val}{/loop4}', '{{#each /loop4}}{{./val}}{{#end}}'],
    ],
    data: { loop1: values('a'), loop2: values('b'), loop3: values('c'), loop4: values('d') },
  },
  [etx('custom delimiters')]: {
    lines: [
      ['{{>> Students}}Student name: {{Student Name}}', '{{#each /Students}}Student name: {{./"Student Name"}}'],
      ['{{>> Groups}}{{Group Name}}', '{{#each ./Groups}}{{./"Group Name"}}'],
      ['Grade: {{Evaluation: Grade}}', 'Grade: {{./"Evaluation: Grade"}}'],
      ['Comments: {{Evaluation: Teacher Comments}}', 'Comments: {{./"Evaluation: Teacher Comments"}}'],
      ['{{<< Groups}}', '{{#end}}'],
      ['{{@New Page}}', '{{pagebreak}}'],
      ['{{<< Students}}', '{{#end}}'],
    ],
    data: {
      Students: two((number) => ({
        'Student Name': `Ann ${number}`,
        Groups: two((group) => ({
          'Group Name': `Group ${group}`,
          'Evaluation: Grade': 'A',
          'Evaluation: Teacher Comments': 'None',
        })),
      })),
    },
    theirs: {
      Students: [1, 2].map((number) => ({
        'Student Name': `Ann ${number}`,
        Groups: [1, 2].map((group) => ({
          'Group Name': `Group ${group}`,
          'Evaluation: Grade': 'A',
          'Evaluation: Teacher Comments': 'None',
        })),
        'New Page': { _type: 'rawXml', xml: '<w:br w:type="page"/>' },
      })),
    },
    fill: signed('{{', '}}', '>>', '<<'),
  },
  [etx('loop - custom delimiters')]: {
    lines: [
      ['{>>> loop_prop}', '{{#each /loop_prop}}'],
      ['{simple_prop}!', '{{./simple_prop}}!'],
      ['{<<< loop_prop}', '{{#end}}'],
    ],
    data: loopProp,
    fill: signed('{', '}', '>>>', '<<<'),
  },
  [report('for1inline')]: {
    lines: [
      [
        '+++FOR company IN companies+++{{+++INS $company.name+++}}+++END-FOR company+++',
        '{{#each /companies}}{{"{{"}}{{./name}}}}{{#end}}',
      ],
    ],
    data: { companies },
  },
  [report('for1inlineWithSpaces')]: {
    lines: [
      [
        '+++FOR company IN companies+++{{+++INS $company.name+++}} +++END-FOR company+++ .',
        '{{#each /companies}}{{"{{"}}{{./name}}}} {{#end}} .',
      ],
    ],
    data: { companies },
  },
  [report('if')]: {
    lines: [
      ['+++ IF 4 > 3 +++', '{{#if /four > 3}}'],
      ['+++ END-IF +++', '{{#end}}'],
      ['+++ IF 4 < 3 +++', '{{#if /four < 3}}'],
      ['+++ END-IF +++', '{{#end}}'],
    ],
    data: { four: 4 },
  },
  [report('if2')]: {
    lines: [
      ['+++ IF 4 > 3 +++', '{{#if /four > 3}}'],
      ['+++ IF true +++Line 2+++ END-IF +++', '{{#if /yes}}Line 2{{#end}}'],
      ['+++ END-IF +++', '{{#end}}'],
      ['+++ IF 4 > 3 +++', '{{#if /four > 3}}'],
      ['+++ IF false +++Line 2+++ END-IF +++', '{{#if /no}}Line 2{{#end}}'],
      ['+++ END-IF +++', '{{#end}}'],
      ['+++ IF 4 < 3 +++', '{{#if /four < 3}}'],
      ['+++ IF true +++Line 2+++ END-IF +++', '{{#if /yes}}Line 2{{#end}}'],
      ['+++ END-IF +++', '{{#end}}'],
    ],
    data: { four: 4, ...flags },
  },
  [report('ifInline')]: {
    lines: [
      [
        '+++ IF 4 > 3 +++Should appear in the output+++ END-IF +++',
        '{{#if /four > 3}}Should appear in the output{{#end}}',
      ],
      [
        '+++ IF 4 < 3 +++Should not appear in the output+++ END-IF +++',
        '{{#if /four < 3}}Should not appear in the output{{#end}}',
      ],
    ],
    data: { four: 4 },
  },
  [report('if-row1')]: {
    lines: [
      ['+++IF true+++', '{{#if /yes}}'],
      ['+++END-IF+++', '{{#end}}'],
      ['+++IF false+++', '{{#if /no}}'],
      ['+++END-IF+++', '{{#end}}'],
    ],
    data: flags,
  },
  [report('links')]: {
    lines: [
      ["+++LINK ({ url: 'http://www.apple.com', label: 'Apple' })+++", '{{rich /labelled}}'],
      ["+++LINK ({ url: 'http://www.apple.com' })+++", '{{rich /plain format=markdown}}'],
    ],
    data: { labelled: '[Apple](http://www.apple.com)', plain: '<http://www.apple.com>' },
  },
  [report('link-regression-issue-83')]: {
    lines: [
      ['+++FOR company IN companies+++', '{{#each /companies}}'],
      ['+++INS $company.name+++', '{{./name}}'],
      ["+++LINK ({ url: 'http://www.test.com', label: 'Link' })+++", '{{rich /link}}'],
      ['+++END-FOR company+++', '{{#end}}'],
    ],
    data: { companies, link: '[Link](http://www.test.com)' },
  },
  [report('link-regression-issue-133')]: {
    lines: [1, 2, 3].flatMap(() => [
      ['+++FOR link IN links+++', '{{#each /links}}'] as const,
      ['+++LINK ({ url: $link.url, label: $link.name })+++', '{{rich ./text}}'] as const,
      ['+++END-FOR link+++', '{{#end}}'] as const,
    ]),
    data: { links: links('Page').map(({ name, url }) => ({ text: `[${name}](${url})` })) },
    theirs: { links: links('Page') },
  },
  [report('for1alias')]: {
    lines: [
      ['+++ALIAS name INS $company.name+++', '{{! name: the name of the company }}'],
      ['+++FOR company IN companies+++', '{{#each /companies}}'],
      ['+++*name+++', '{{./name}}'],
      ['+++END-FOR company+++', '{{#end}}'],
    ],
    data: { companies },
  },
  [report('forOverObjectKeys')]: {
    lines: [
      ['+++FOR name IN Object.keys(companies)+++', '{{#each /companies}}'],
      ['+++INS $name+++', '{{@name}}'],
      ['+++END-FOR name+++', '{{#end}}'],
      ['+++FOR name IN Object.values(companies)+++', '{{#each /companies}}'],
      ['+++INS $name+++', '{{.}}'],
      ['+++END-FOR name+++', '{{#end}}'],
    ],
    data: { companies: { one: 'First', two: 'Second' } },
  },
  [report('insertArray')]: {
    lines: [
      ['+++companies+++', '{{#each /companies}}{{.}}{{#if not @last}},{{#end}}{{#end}}'],
      ['+++[1,2,3]+++', '{{#each /numbers}}{{.}}{{#if not @last}},{{#end}}{{#end}}'],
    ],
    data: { companies: ['One', 'Two'], numbers: [1, 2, 3] },
  },
  [report('nonAlphaCommandNames1')]: {
    lines: ['+++', '+++=', '+++INS '].flatMap((sign) =>
      ['姓名', '标题'].map((name) => [`${sign}${name}+++`, `{{/${name}}}`] as const),
    ),
    data: { 姓名: 'Name', 标题: 'Title' },
  },
  [report('noQuerySimpleInserts')]: {
    lines: [
      ['+++INS a+++', '{{/a}}'],
      ['+++ins b+++', '{{/b}}'],
    ],
    data: { a: 'first', b: 'second' },
  },
  [report('imageSimple')]: pictures('injectImg()'),
  [report('imageHeader')]: pictures('image()', 'image()'),
  [report('imageRotation')]: pictures('getImage()', 'getImage45()', 'getImage180()'),
  [report('imagesSVG')]: pictures('svgImgFile()', 'svgImgStr()'),
  [report('imageExisting')]: pictures('getImage(cv.ProfilePicture.url)', 'getImage(cv.ProfilePicture.url)'),
  [report('imageBase64')]: pictures("qr('http://guigrpa.github.com')"),
  [report('imageInShapeInFooter')]: pictures('injectSvg()', 'injectSvg()', 'injectSvg()', 'injectSvg()'),
  [report('existingUppercaseJPEGExtension')]: pictures('injectImg()'),
  'docx-templates examples/example-node/images-qr.docx': pictures("qr('http://guigrpa.github.com')"),
  'docx-templates examples/example-webpack/templates/images-qr.docx': pictures("qr('http://guigrpa.github.com')"),
  'docx-templates examples/example-node/images-tiles.docx': pictures(
    ...['tile(1, 0, 0)', 'tile(1, 1, 0)', 'tile(1, 0, 1)', 'tile(1, 1, 1)'],
  ),
  'docx-templates examples/example-webpack/templates/images-tiles.docx': pictures(
    ...['tile(1, 0, 0)', 'tile(1, 1, 0)', 'tile(1, 0, 1)', 'tile(1, 1, 1)'],
  ),
  'carbone test/datasets/test_docx_refresh_table_of_content.docx': {
    lines: [
      ['{d.flag:ifNEM():showBegin()}', '{{#if /flag is not empty}}'],
      ['{d.flag:ifNEM():showEnd()}', '{{#end}}'],
    ],
    data: { flag: 'yes' },
  },
  'carbone test/datasets/test_word_A.docx': {
    lines: [
      ['Hello {d.name}', 'Hello {{/name}}'],
      ['{d.todos[i].title}', '{{#each /todos}}{{./title}}'],
      ['{d.todos[i].desc}', '{{./desc}}'],
      ['{d.todos[i].priority}', '{{./priority}}{{#end}}'],
      // The row that only marks the end of the example.
      ['{d.todos[i+1].title}', '{{! the next row'],
      ['{d.todos[i+1].desc}', 'is made by'],
      ['{d.todos[i+1].priority}', 'the loop }}'],
      ['{d.companyName}', '{{/companyName}}'],
      ['{d.companyAddress}', '{{/companyAddress}}'],
    ],
    data: {
      ...{ name: 'Ann', companyName: 'Lenz', companyAddress: 'Bern' },
      todos: two((number) => ({ title: `Task ${number}`, desc: 'To do', priority: '1' })),
    },
  },
  'carbone test/datasets/test_word_render_A.docx': {
    lines: ['field1', 'field2', 'author1', 'author2'].map((name, index) => [
      `{${index < 2 ? 'd' : 'c'}.${name}}`,
      `{{/${name}}}`,
    ]),
    data: { field1: 'one', field2: 'two', author1: 'Ann', author2: 'Ben' },
  },
  [docxtpl('cellbg_tpl')]: {
    lines: [
      ['{%tr for a in alerts %}', '{{#each /alerts}}'],
      ['{{ a.date }}', '{{./date}}'],
      ['{% cellbg a.bg %}{{ a.type }}', '{{shade ./bg}}{{./type}}'],
      ['{{r a.desc }}', '{{rich ./desc}}'],
      ['{%tr endfor %}', '{{#end}}'],
    ],
    data: {
      alerts: two((number) => ({ date: `2026-03-0${number}`, bg: '#FFDD00', type: 'Fire', desc: 'A **fire**' })),
    },
  },
  [docxtpl('comments_tpl')]: {
    lines: [
      [
        'It should be possible to use jinja hash syntax {# like this one #} for comments inline.',
        'It should be possible to use jinja hash syntax {{! like this one }} for comments inline.',
      ],
      ['{#p like this one #}', '{{! like this one }}'],
      ['{#tr this row should be removed entirely #}', '{{! this row should be'],
      ['And this as well', 'removed entirely }}'],
      ['{#tc since this is a cell comment#}', '{{! since this is a comment of the cell’s text }}'],
    ],
    data: {},
  },
  [docxtpl('vertical_merge_tpl')]: {
    lines: [
      ['{%tr for i in items %}', '{{#each /items}}'],
      ['{% vm %}{{category}}', '{{/category}}{{merge down same /category}}'],
      ['{{ i.desc }}', '{{./desc}}'],
      ['{{ i.qty }}', '{{./qty}}'],
      ['{{ i.price }}', '{{./price}}'],
      ['{%tr endfor %}', '{{#end}}'],
      ['{{total_price}}', '{{/total_price}}'],
    ],
    data: {
      category: 'Books',
      total_price: '10',
      items: two((number) => ({ desc: `B${number}`, qty: 1, price: '5' })),
    },
  },
  [docxtpl('header_footer_entities_tpl')]: {
    lines: [
      ['{{title}}', '{{/title}}'],
      ['{{unknowvar|default("Testé&xx;")}}', '{{/unknowvar | default "Testé&xx;"}}'],
      ['{{unknowvar|default("Testé")}}', '{{/unknowvar | default "Testé"}}'],
    ],
    data: { title: 'Title' },
  },
  [docxtpl('get_undeclared_variables')]: {
    lines: [
      ['Hello {{ name }}!', 'Hello {{/name}}!'],
      ['Your age is {{ age }} years old.', 'Your age is {{/age}} years old.'],
      ['Your email is {{ email }}.', 'Your email is {{/email}}.'],
      [
        '{% if is_student %}You are a student.{% else %}You are not a student.{% endif %}',
        '{{#if /is_student}}You are a student.{{#else}}You are not a student.{{#end}}',
      ],
      [
        '{% if has_degree %}You have a degree in {{ degree_field }}.{% endif %}',
        '{{#if /has_degree}}You have a degree in {{/degree_field}}.{{#end}}',
      ],
      ['{% for skill in skills %}- {{ skill }}{% endfor %}', '{{#each /skills}}- {{.}}{{#end}}'],
      ['{% if projects %}', '{{#if /projects}}'],
      [
        '{% for project in projects %} - {{ project.name }} ({{ project.year }})',
        '{{#each /projects}} - {{./name}} ({{./year}})',
      ],
      ['Description: {{ project.description }}', 'Description: {{./description}}'],
      ['{% endfor %}', '{{#end}}'],
      ['{% endif %}', '{{#end}}'],
      ['Generated on {{ generation_date }} by {{ author }}', 'Generated on {{/generation_date}} by {{/author}}'],
      [
        'Document for {{ company_name }} - Page {{ page_number }}',
        'Document for {{/company_name}} - Page {{/page_number}}',
      ],
    ],
    data: {
      ...{ name: 'Ann', age: 30, email: 'ann@example.org', is_student: false, has_degree: true },
      ...{
        degree_field: 'Law',
        skills: ['French'],
        generation_date: '2026-03-01',
        author: 'Ben',
        company_name: 'Lenz',
      },
      page_number: 1,
      projects: two((number) => ({ name: `P${number}`, year: 2026, description: 'One' })),
    },
  },
}
