import type { JsonValue } from '../../../src/core/json.ts'
import { writeZip } from '../../../src/engines/ooxml/zip-writer.ts'
import { chartPackage, drawing } from './chart-package.ts'
import { p, tbl, tr, wordPackage } from './word-package.ts'

/** Small files, or small data, that would take much to read or to compose. */
type Bomb = [name: string, make: (size: number) => Made]

interface Made {
  bytes: Uint8Array
  data?: JsonValue
  /** What it includes, by slug. */
  fragments?: Record<string, Uint8Array>
}

const body = (xml: string) => ({ bytes: wordPackage(xml) })
const many = (text: string, count: number) => text.repeat(count)
const lists = (width: number, depth: number): JsonValue =>
  depth === 0 ? 'x' : Array.from({ length: width }, () => lists(width, depth - 1))
const nested = (depth: number) =>
  p('{{#each /l}}') + many(p('{{#each .}}'), depth - 1) + p('x') + many(p('{{#end}}'), depth)
/** From 1,000 to 10,000,000, by the round. */
const sizeOf = (round: number) => Math.round(10 ** (3 + ((round * 7) % 9) / 2))
const field = (inner: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r>${inner}<w:r><w:fldChar w:fldCharType="end"/></w:r>`

const box = (tag: string) =>
  `<w:p><w:sdt><w:sdtPr><w:alias w:val="${tag}"/><w14:checkbox><w14:checked w14:val="0"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>☐</w:t></w:r></w:sdtContent></w:sdt></w:p>`

/** Long and different, or nothing that comes of it could be opened again for its ratio. */
const labelOf = (index: number) => many(((index + 1) * 48_271).toString(36) + ((index + 7) ** 5).toString(36), 100)

const kinds: Bomb[] = [
  ['empty elements', (size) => body(many('<w:p/>', size))],
  ['runs in one paragraph', (size) => body(`<w:p>${many('<w:r><w:t>a</w:t></w:r>', size / 5)}</w:p>`)],
  ['kept paragraphs', (size) => body(p('{{#keep}}') + many('<w:p/>', size) + p('{{#end}}'))],
  ['one long text', (size) => body(p(many('lorem ipsum ', size * 2)))],
  ['one long attribute', (size) => body(`<w:p w:x="${many('y', size * 9)}"/>`)],
  [
    'attributes',
    (size) => body(`<w:p ${Array.from({ length: size / 20 }, (_, index) => `a${index}="1"`).join(' ')}/>`),
  ],
  ['namespaces', (size) => body(many('<x:y xmlns:x="urn:x"/>', size / 4) + p('{{/a}}'))],
  ['nested namespaces', () => body(many('<w:p xmlns:x="urn:x">', 200) + many('</w:p>', 200))],
  ['depth', (size) => body(many('<w:sdt>', size) + p('{{/a}}') + many('</w:sdt>', size))],
  ['nested tables', () => body(many('<w:tbl><w:tr><w:tc>', 80) + p('{{/a}}') + many('</w:tc></w:tr></w:tbl>', 80))],
  ['references', (size) => body(p(many('&amp;', size)))],
  ['tags', (size) => body(p(many('{{/a}}', Math.min(20_000, size / 10))))],
  ['tags in runs', (size) => body(p(...Array.from({ length: Math.min(19_000, size / 10) }, () => '{{/a}}')))],
  ['loops in a paragraph', (size) => body(p(many('{{#each /l}}x{{#end}}', Math.min(9_000, size / 20))))],
  ['conditions', (size) => body(many(p('{{#if /a}}') + p('x') + p('{{#end}}'), Math.min(9_000, size / 20)))],
  ['open braces', (size) => body(p(many('{{', size)))],
  ['quotes', (size) => body(p(`{{${many('"', size)}`))],
  ['pipes', (size) => body(p(`{{/a${many(' | upper', size / 10)}}}`))],
  [
    'fields inside fields',
    (size) => body(`<w:p>${many('<w:r><w:fldChar w:fldCharType="begin"/></w:r>', size / 5)}</w:p>`),
  ],
  ['fields', (size) => body(`<w:p>${many(field('<w:r><w:instrText>PAGE</w:instrText></w:r>'), size / 10)}</w:p>`)],
  [
    'quoted fields',
    (size) => body(`<w:p>${field(`<w:r><w:instrText>QUOTE ${many('68 ', size)}</w:instrText></w:r>`)}</w:p>`),
  ],
  [
    'bookmarks in a loop',
    (size) => ({
      ...body(
        p('{{#each /l}}') +
          many('<w:bookmarkStart w:id="1" w:name="a"/><w:bookmarkEnd w:id="1"/>', size / 50) +
          p('{{#end}}'),
      ),
      data: { l: lists(9, 1) },
    }),
  ],
  [
    'rows',
    (size) =>
      body(tbl(...Array.from({ length: Math.min(9_000, size / 20) }, () => tr('{{#each /l}}{{.}}', '{{#end}}')))),
  ],
  ['loops that multiply', () => ({ ...body(nested(4)), data: { l: lists(40, 4) } })],
  [
    'long loops',
    () => ({ ...body(p('{{#each /l}}') + p(many('lorem ', 2_000)) + p('{{#end}}')), data: { l: lists(20_000, 1) } }),
  ],
  [
    'rich text',
    (size) => ({
      ...body(p('{{rich /x}}')),
      data: {
        x: many(['<p>', '<ul><li>', '**a', '> ', '[', '|a', '<table><tr><td rowspan=9 colspan=9>'][size % 7]!, 20_000),
      },
    }),
  ],
  [
    'rich text in a loop',
    () => ({ ...body(p('{{#each /l}}{{rich /x}}{{#end}}')), data: { l: lists(2_000, 1), x: many('* a\n', 1_000) } }),
  ],
  [
    'a picture in a loop',
    () => ({ ...body(p('{{#each /l}}{{image /x}}{{#end}}')), data: { l: lists(3_000, 1), x: many('A', 2_000_000) } }),
  ],
  [
    'codes',
    () => ({
      ...body(p('{{#each /l}}{{qr .}}{{#end}}')),
      data: { l: Array.from({ length: 300 }, (_, index) => many(String(index), 300)) },
    }),
  ],
  [
    'tables of contents',
    (size) => {
      const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
      const look = `<w:rPr><w:rFonts w:ascii="${many('x', 1_500)}"/></w:rPr>`
      const entry = `<w:r>${look}<w:t>${many('i', 20_000)}</w:t></w:r>`
      const table = `<w:p>${mark('begin')}<w:r><w:instrText> TOC \\u </w:instrText></w:r>${mark('separate')}${entry}${mark('end')}</w:p>`
      const heading = `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>{{.}}</w:t></w:r></w:p>`
      // Different headings, or nothing that comes of it could be opened again for its ratio.
      const titles = Array.from({ length: Math.min(size, 4_900) }, (_, index) =>
        many(((index + 1) * 48_271).toString(36) + ((index + 7) ** 5).toString(36), 25),
      )
      return { ...body(many(table, 8) + p('{{#each /l}}') + heading + p('{{#end}}')), data: { l: titles } }
    },
  ],
  [
    'entities',
    () => ({
      bytes: wordPackage('', { 'word/document.xml': `<!DOCTYPE x [<!ENTITY a "${many('b', 1000)}">]><x>&a;</x>` }),
    }),
  ],
  [
    'parts',
    (size) => ({
      bytes: wordPackage(
        p('{{/a}}'),
        Object.fromEntries(Array.from({ length: size / 300 }, (_, index) => [`word/x${index}.xml`, '<x/>'])),
      ),
    }),
  ],
  [
    'relationships',
    (size) => ({
      bytes: wordPackage(p('{{/a}}'), {
        'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Array.from({ length: size / 10 }, (_, index) => `<Relationship Id="r${index}" Type="x/hyperlink" Target="https://x/{{/a}}" TargetMode="External"/>`).join('')}</Relationships>`,
      }),
    }),
  ],
  ['check boxes', (size) => body(many(box('{{check /a}}'), Math.min(9_000, size / 20)))],
  [
    'check boxes in a loop',
    () => ({
      ...body(p('{{#each /l}}') + many(box('{{check .}}'), 200) + p('{{#end}}')),
      data: { l: lists(3_000, 1) },
    }),
  ],
  [
    'conditions of check boxes',
    (size) => body(box(`{{check ${many('not (', 15)}/a${many(' and /a', Math.min(250, size / 10))}${many(')', 15)}}}`)),
  ],
  [
    'cells merged down',
    (size) => ({
      ...body(tbl(tr('{{#each /l}}{{.}}{{merge down same .}}', 'x{{merge across count 1}}{{#end}}'))),
      data: { l: Array.from({ length: Math.min(size, 9_000) }, () => 'y') },
    }),
  ],
  [
    'cells merged by counts',
    (size) => body(tbl(...Array.from({ length: Math.min(3_000, size / 10) }, () => tr('{{merge down count 3}}', 'x')))),
  ],
  [
    'columns that multiply',
    () => ({
      ...body(tbl(tr('{{#each /l}}x', '{{#each . columns}}{{#each . columns}}{{.}}{{#end}}{{#end}}{{#end}}'))),
      data: { l: lists(40, 3) },
    }),
  ],
  [
    'rows of columns',
    () => ({
      ...body(tbl(tr('{{#each /l}}x{{shade "#FFE699" row}}', '{{#each . columns}}{{.}}{{#end}}{{#end}}'))),
      data: { l: Array.from({ length: 300 }, () => lists(60, 1)) },
    }),
  ],
  [
    'points of a chart',
    (size) => ({
      bytes: chartPackage(drawing('{{chart /l by ./n show ./a ./b}}')),
      data: {
        l: Array.from({ length: Math.min(size, 20_000) }, (_, index) => ({ n: `n${index}`, a: index, b: -index })),
      },
    }),
  ],
  [
    'long labels of a chart',
    () => ({
      bytes: chartPackage(drawing('{{chart /l by ./n show ./a ./b}}')),
      data: { l: Array.from({ length: 4_000 }, (_, index) => ({ n: labelOf(index), a: 1, b: 2 })) },
    }),
  ],
  [
    'fragments that multiply',
    () => ({
      ...body(many(p('{{> f0}}'), 4)),
      fragments: Object.fromEntries(
        Array.from({ length: 8 }, (_, depth) => [
          `f${depth}`,
          wordPackage(many(p(depth < 7 ? `{{> f${depth + 1}}}` : 'x'), 4)),
        ]),
      ),
    }),
  ],
  [
    'a fragment many times',
    (size) => ({
      ...body(many(p('{{> f}}'), Math.min(size, 3_000))),
      fragments: { f: wordPackage(many(p('lorem {{/a}}'), 200)) },
    }),
  ],
  [
    'kept blocks',
    (size) =>
      body(
        many(p('{{#keep}}') + p('x') + p('{{#end}}'), Math.min(5_000, size / 20)) +
          many(p('{{#keep}}'), 30) +
          many(p('{{#end}}'), 30),
      ),
  ],
  [
    'kept blocks in a loop',
    () => ({
      ...body(p('{{#each /l}}') + many(p('{{#keep}}') + p('x') + p('{{#end}}'), 100) + p('{{#end}}')),
      data: { l: lists(3_000, 1) },
    }),
  ],
  [
    'objects around objects',
    () => ({ ...body(many(p('{{#with /a}}'), 32) + p('{{./b}}') + many(p('{{#end}}'), 32)), data: { a: { b: 'x' } } }),
  ],
  [
    'objects in a loop',
    () => ({
      ...body(p('{{#each /l}}{{#with .}}{{#with ./o}}{{./p}}{{#end}}{{#end}}{{#end}}')),
      data: { l: Array.from({ length: 20_000 }, () => ({ o: { p: many('x', 20) } })) },
    }),
  ],
  ['zeros', (size) => ({ bytes: writeZip([{ name: 'word/document.xml', data: new Uint8Array(size * 10) }]) })],
]

/** The bomb of a number; kinds take turns, and each comes in several sizes. */
export function bomb(index: number): Required<Made> & { name: string } {
  const [name, make] = kinds[index % kinds.length]!
  const { bytes, data, fragments = {} } = make(sizeOf(Math.floor(index / kinds.length) + (index % 5)))
  return { name: `bomb ${index}: ${name}`, bytes, data: data ?? { a: 'x', l: ['y'] }, fragments }
}

export const kindsOfBombs = kinds.length
