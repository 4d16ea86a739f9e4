import type { JsonValue } from '../../../src/core/json.ts'
import { chartPackage, drawing } from './chart-package.ts'
import { p, tbl, tr, wordPackage, wordPart } from './word-package.ts'

/** One small template for each feature, with data. Its composed document is kept as `golden/<name>.docx`. */
export interface Feature {
  name: string
  template: Uint8Array
  data: JsonValue
}

export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const field = (instruction: string, result: string) =>
  `${mark('begin')}<w:r><w:instrText xml:space="preserve">${instruction}</w:instrText></w:r>${mark('separate')}${run(result)}${mark('end')}`
const bordered =
  '<w:tblBorders><w:top w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:insideH w:val="single" w:sz="4" w:space="0" w:color="auto"/></w:tblBorders>'
const grid = (...rows: string[]) =>
  tbl(...rows).replace(
    '<w:tblPr/>',
    `<w:tblPr>${bordered}</w:tblPr><w:tblGrid><w:gridCol w:w="4500"/><w:gridCol w:w="4500"/></w:tblGrid>`,
  )
const numbering = wordPart(
  'numbering',
  '<w:abstractNum w:abstractNumId="3"><w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId="9"><w:abstractNumId w:val="3"/></w:num>',
)
const item = (text: string) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="9"/></w:numPr></w:pPr>${run(text)}</w:p>`
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (inner: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`

const lines = [
  { a: 'x', n: 1, on: true, sub: ['1', '2'] },
  { a: 'y', n: 2.5, on: false, sub: [] },
]

const feature = (name: string, body: string, data: JsonValue, parts: Record<string, string> = {}): Feature => ({
  name,
  template: wordPackage(body, parts),
  data,
})

export const features: readonly Feature[] = [
  feature('values', p('Dear {{/na', 'me}}, {{/n}} {{/flag}} {{/none | default "–"}}{{"{{"}}'), {
    name: 'Ann & <Bob>',
    n: 1e21,
    flag: true,
  }),
  feature('formats', p('{{/n | number "#,##0.00" "de-DE"}} {{/d | date "d MMMM yyyy" "fr-CH"}} {{/t | upper}}'), {
    n: 1234.5,
    d: '2026-03-01',
    t: 'äß',
  }),
  feature('breaks and tabs', p('{{/t}}{{pagebreak}}after'), { t: 'one\ntwo\tthree' }),
  feature('paragraph loop', p('{{#each /lines}}') + p('{{@index}}/{{@count}} {{./a}} {{../z}}') + p('{{#end}}'), {
    lines,
    z: 'Z',
  }),
  feature(
    'cells and columns',
    grid(
      tr('{{shade "#DDEBF7" row}}Name', '{{#each /lines columns}}{{./a}}{{#end}}'),
      tr('{{#each /lines}}{{merge down same ../z}}{{../z}}', '{{#each /lines columns}}{{./n}}{{#end}}{{#end}}'),
      tr('{{merge across count 2}}both', 'gone'),
    ) + p(''),
    { lines, z: 'Z' },
  ),
  {
    name: 'charts',
    template: chartPackage(drawing('{{chart /lines by ./a show ./n}}'), { names: ['Sum {{/z}}'] }),
    data: { lines, z: 'Z' },
  },
  feature(
    'check boxes',
    p('{{#each /lines}}') +
      `<w:p><w:sdt><w:sdtPr><w:alias w:val="{{check ./on}}"/><w14:checkbox><w14:checked w14:val="0"/></w14:checkbox></w:sdtPr><w:sdtContent>${run('☐')}</w:sdtContent></w:sdt>${run(' {{./a}} {{check not ./on}}')}</w:p>` +
      p('{{#end}}'),
    { lines },
  ),
  feature('inline loop', p('({{#each /lines}}{{./a}}{{#if @last}}{{#else}}, {{#end}}{{#end}})'), { lines }),
  feature(
    'rows',
    grid(
      tr('Head', 'Sum'),
      tr('{{#each /lines}}{{./a}}', '{{./n}}{{#end}}'),
      tr('{{#if /none}}', ''),
      tr('gone', ''),
      tr('{{#end}}', ''),
    ) + p(''),
    { lines },
  ),
  feature(
    'nested tables',
    p('{{#each /lines}}') +
      grid(tr('{{./a}}', grid(tr('{{#each ./sub}}{{.}}', '{{../a}}{{#end}}')) + p(''))) +
      p('') +
      p('{{#end}}'),
    { lines },
  ),
  feature('else', p('{{#each /none}}') + p('x') + p('{{#else}}') + p('nothing') + p('{{#end}}'), { none: [] }),
  feature(
    'list items',
    item('{{#each /lines}}{{./a}}{{#end}}') + item('{{#if /no}}x{{#end}}') + p('end'),
    { lines, no: 0 },
    { 'word/numbering.xml': numbering },
  ),
  feature(
    'restarted lists',
    p('{{#each /lines restart}}') + item('{{./a}}') + item('more') + p('{{#end}}'),
    { lines },
    { 'word/numbering.xml': numbering },
  ),
  feature('pictures', p('{{image /i width=2cm}} {{qr /u size=2cm}} {{barcode /b type=ean13}}'), {
    i: png,
    u: 'https://example.org',
    b: '4006381333931',
  }),
  feature('rich blocks', p('before') + p('{{rich /x}}') + p('after'), {
    x: '# Title\n\nA **bold** [link](https://example.org).\n\n1. one\n   - dot\n2. two\n\n|A|B|\n|-|-|\n|1|2|\n\n> quoted',
  }),
  feature('rich line', p('See {{rich /x}}!'), { x: 'the <b>new</b> <a href="https://example.org">terms</a>' }),
  feature(
    'notes in loops',
    `${p('{{#each /lines}}')}<w:p>${run('{{./a}}')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>${p('{{#end}}')}`,
    { lines },
    {
      'word/footnotes.xml': wordPart(
        'footnotes',
        `<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote><w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r>${run(' on {{./a}}')}</w:p></w:footnote>`,
      ),
    },
  ),
  feature('field addresses', `<w:p>${field('HYPERLINK "https://example.org/?q={{/q}}"', '{{/q}}')}</w:p>`, {
    q: 'a "b"',
  }),
  feature(
    'table of contents',
    `<w:p>${field('TOC \\o "1-1" \\h', '{{./stale}}Contents')}</w:p>${p('{{/a}}')}`,
    { a: 'x' },
    { 'word/settings.xml': wordPart('settings', '<w:zoom w:percent="100"/><w:compat/>') },
  ),
  feature('rich colours', p('{{rich /clause}}'), {
    clause:
      '<p style="background:#eee;text-align:right">a <span style="color:#c00;font-size:14pt">red</span> <b style="background-color:yellow">b</b></p><table><tr bgcolor="silver"><td>c</td><td style="background:lime">d</td></tr></table>',
  }),
  feature(
    'contents of loops',
    `<w:p><w:pPr><w:jc w:val="left"/></w:pPr>${field('TOC \\u \\h', 'Old 1')}</w:p>${p('{{#each /lines}}')}<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>${run('{{./a}}')}</w:p>${p('{{#end}}')}`,
    { lines },
  ),
  feature(
    'link addresses',
    `${p('{{#each /lines}}')}<w:p><w:hyperlink r:id="rId4">${run('{{./a}}')}</w:hyperlink></w:p>${p('{{#end}}')}`,
    { lines },
    {
      'word/_rels/document.xml.rels': relations(
        `<Relationship Id="rId4" Type="${office}/hyperlink" Target="https://example.org/%7B%7B./a%7D%7D" TargetMode="External"/>`,
      ),
    },
  ),
  feature(
    'sections',
    `<w:p><w:pPr><w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:pPr>${run('first')}</w:p>${p('{{#if /no}}')}${p('second')}${p('{{#end}}')}<w:sectPr><w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/></w:sectPr>`,
    { no: false },
  ),
  feature(
    'bookmarks and controls',
    `${p('{{#each /lines}}')}<w:p><w:bookmarkStart w:id="4" w:name="mark"/>${run('{{./a}}')}<w:bookmarkEnd w:id="4"/></w:p><w:sdt><w:sdtPr><w:id w:val="55"/></w:sdtPr><w:sdtContent>${p('{{./n}}')}</w:sdtContent></w:sdt>${p('{{#end}}')}`,
    { lines },
  ),
  feature(
    'chains',
    `${p('({{#if /n = 1}}one{{#else if /n = 2}}two{{#else}}many{{#end}})')}${p('{{#if /no}}')}${p('a')}${p('{{#else if /n = 2}}')}${p('b')}${p('{{#end}}')}`,
    {
      n: 2,
      no: false,
    },
  ),
  feature(
    'comments',
    `${p('a{{! in', ' a line }}b')}${p('{{! over')}${grid(tr('{{/gone}}', ''))}${p('paragraphs }}')}${p('end')}`,
    {},
  ),
  feature(
    'objects and members',
    p('{{#with /o}}{{./a}}{{../z}}{{#end}}') +
      grid(tr('{{#each /o}}{{@name}}', '{{.}}{{#end}}')) +
      p('{{#with /no}}x{{#else}}none{{#end}}'),
    { o: { b: 2, a: 1 }, z: 'Z' },
  ),
  feature(
    'kept together',
    p('{{#keep}}') +
      p('{{/t}}') +
      grid(tr('{{#each /lines}}{{./a}}', '{{./n}}{{#end}}')) +
      p('{{#end}}') +
      p('{{#keep}}one{{#end}}'),
    { lines, t: 'T' },
  ),
]
