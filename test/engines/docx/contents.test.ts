import { describe, expect, test } from 'bun:test'
import { withoutMarks } from '../../../src/core/marks.ts'
import { composeMarked, composeTemplate } from '../../../src/engines/docx/docx.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import { layoutOf, textFrames } from '../pdf/word.ts'
import { integrityFaults } from './integrity.ts'
import { compiled, composedPackage, linesOf, p, partText, wordPackage, wordPart } from './word-package.ts'

const style = (id: string, name: string, properties = '') =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${properties}</w:style>`
const outline = (level: number) => `<w:pPr><w:outlineLvl w:val="${level}"/></w:pPr>`
const styles = wordPart(
  'styles',
  style('Titre1', 'heading 1', `<w:pPr><w:numPr><w:numId w:val="7"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr>`) +
    style(
      'Titre2',
      'heading 2',
      `<w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="7"/></w:numPr><w:outlineLvl w:val="1"/></w:pPr>`,
    ) +
    style('Plain1', 'Plain Heading', outline(0)) +
    style('TOC1', 'toc 1') +
    style('TOC2', 'toc 2'),
)
const level = (index: number, format: string, text: string) =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
const numbering = wordPart(
  'numbering',
  `<w:abstractNum w:abstractNumId="3">${level(0, 'upperRoman', '%1.')}${level(1, 'decimal', '%1.%2')}</w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num>`,
)
const parts = { 'word/styles.xml': styles, 'word/numbering.xml': numbering }

const run = (text: string, look = '') => `<w:r>${look}<w:t xml:space="preserve">${text}</w:t></w:r>`
const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const code = (text: string) => `<w:r><w:instrText xml:space="preserve"> ${text} </w:instrText></w:r>`
const heading = (id: string, text: string) => `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr>${run(text)}</w:p>`
const look = '<w:rPr><w:color w:val="AA0000"/></w:rPr>'

/** An entry as Word writes it. */
function entry(id: string, anchor: string, text: string, page: string, before = '', after = ''): string {
  const pages = `<w:r><w:tab/></w:r>${mark('begin')}${code(`PAGEREF ${anchor} \\h`)}${mark('separate')}${run(page)}${mark('end')}`
  const properties = `<w:pPr><w:pStyle w:val="${id}"/><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="8000"/></w:tabs></w:pPr>`
  return `<w:p>${properties}${before}<w:hyperlink w:anchor="${anchor}" w:history="1">${run(text, look)}${pages}</w:hyperlink>${after}</w:p>`
}

/** A table of contents as Word writes it: the field begins in the first entry and ends in a paragraph of its own. */
function contents(instruction: string, ...entries: ((head: string) => string)[]): string {
  const head = mark('begin') + code(instruction) + mark('separate')
  return `${entries.map((one, index) => one(index === 0 ? head : '')).join('')}<w:p>${mark('end')}</w:p>`
}

function composedMain(body: string, data: Parameters<typeof composedPackage>[1], more: Record<string, string> = parts) {
  const opened = composedPackage(wordPackage(body, more), data)
  expect(integrityFaults(opened)).toEqual([])
  return partText(opened, 'word/document.xml')
}

const chapters = [
  { title: 'Duties', parts: ['Payment', 'Notice'] },
  { title: 'Cover &amp; limits'.replace('&amp;', '&'), parts: [] },
]
const loops =
  p('{{#each /chapters}}') +
  heading('Titre1', '{{./title}}') +
  p('{{#each ./parts}}') +
  heading('Titre2', '{{.}}') +
  p('{{#end}}') +
  p('text') +
  p('{{#end}}')

describe('the table of contents', () => {
  test('lists the headings that loops made, with their numbers, in the look of the template’s entries', () => {
    const table = contents(
      'TOC \\o "1-3" \\h \\z \\u',
      (head) => entry('TOC1', '_Toc1', '{{./title}}', '4', head),
      () => entry('TOC2', '_Toc2', '{{.}}', '5'),
    )
    const source = composedMain(table + loops, { chapters })
    const lines = linesOf(source)
    expect(lines.slice(0, 5)).toEqual([
      'I.\tDuties\t1',
      'I.1\tPayment\t1',
      'I.2\tNotice\t1',
      'II.\tCover & limits\t1',
      '',
    ])
    const field = source.slice(source.indexOf('<w:body>'), source.indexOf('text</w:t>'))
    expect(field.match(/<w:pStyle w:val="TOC[12]"\/><w:tabs>/g)).toHaveLength(4)
    expect(field).toContain(`${look}<w:t xml:space="preserve">Duties`)
    // The field is still one that Word can make anew, and it is asked to.
    expect(source.match(/TOC \\o "1-3" \\h/g)).toHaveLength(1)
    expect(source.match(/fldCharType="begin"/g)).toHaveLength(5)
    expect(source.match(/fldCharType="end"/g)).toHaveLength(5)
    // Every entry leads to a bookmark of its own, around its heading.
    const anchors = [...source.matchAll(/w:anchor="([^"]*)"/g)].map((match) => match[1]!)
    expect(new Set(anchors).size).toBe(4)
    for (const anchor of anchors) {
      expect(source).toContain(`PAGEREF ${anchor} \\h`)
      expect(source.match(new RegExp(`<w:bookmarkStart [^>]*w:name="${anchor}"`, 'g'))).toHaveLength(1)
    }
    const starts = [...source.matchAll(/<w:bookmarkStart w:id="(\d+)"/g)].map((match) => match[1])
    expect(starts).toEqual([...source.matchAll(/<w:bookmarkEnd w:id="(\d+)"/g)].map((match) => match[1]))
    expect(new Set(starts).size).toBe(4)
  })

  test('is unchanged if it lists the headings already', () => {
    const bookmark = '<w:bookmarkStart w:id="1" w:name="_Toc1"/>'
    const table = contents('TOC \\o "1-1" \\h', (head) => entry('TOC1', '_Toc1', 'I. Terms of {{/a}}', '4', head))
    const body = `${table}<w:p><w:pPr><w:pStyle w:val="Titre1"/></w:pPr>${bookmark}${run('Terms of {{/a}}')}<w:bookmarkEnd w:id="1"/></w:p>`
    expect(composedMain(body, { a: 'use' })).toContain(table.replace('{{/a}}', 'use'))
  })

  test('is the same in a preview, whose values are marked', () => {
    const table = contents('TOC \\o "1-1" \\h', (head) => entry('TOC1', '_Toc1', 'I. Terms of {{/a}}', '4', head))
    const body = table + heading('Titre1', 'Terms of {{/a}}') + heading('Titre1', '{{/a}}')
    for (const kept of [body, body.slice(0, body.lastIndexOf('<w:p>'))]) {
      const template = compiled(wordPackage(kept, parts))
      const marked = composeMarked(template, { a: 'use' })
      const plain = composeTemplate(template, { a: 'use' })
      if (!marked.ok || !plain.ok) throw new Error('not composed')
      const textOf = (bytes: Uint8Array) => {
        const opened = openPackage(bytes)
        return opened.ok ? withoutMarks(partText(opened.value, 'word/document.xml')) : ''
      }
      expect(textOf(marked.value.bytes)).toBe(textOf(plain.value))
    }
  })

  test('takes along what the template’s entries are written with, where they declare it themselves', () => {
    const uri = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
    const table = contents('TOC \\o "1-1" \\h', (head) => entry('TOC1', '_Toc5', 'Old', '12', head))
    const ended = table.replace(/<\/w:p><w:p>(.*)<\/w:p>$/, '$1</w:p>')
    const body = heading('Titre1', 'First') + heading('Titre1', '{{/a}}')
    const plain = (source: string) => source.replaceAll(/ xmlns:x="[^"]*"/g, '').replaceAll(/(<\/?| )x:/g, '$1w:')
    const usual = composedMain(ended + body, { a: 'Second' })
    expect(linesOf(usual).slice(0, 3)).toEqual(['I.\tFirst\t1', 'II.\tSecond\t1', 'First'])
    const inRuns = ended
      .replace('<w:p>', `<w:p xmlns:x="${uri}">`)
      .replaceAll(/<w:(jc|tabs|color|fldChar|instrText)\b/g, '<x:$1')
      .replaceAll(/<\/w:(tabs|instrText)>/g, '</x:$1>')
    const inLinks = ended
      .replace('<w:hyperlink', `<w:hyperlink xmlns:x="${uri}"`)
      .replaceAll(look, look.replaceAll('w:', 'x:'))
    for (const own of [inRuns, inLinks]) expect(plain(composedMain(own + body, { a: 'Second' }))).toBe(usual)
  })

  test('uses existing bookmarks of headings, and the page that was known for them', () => {
    const table = contents('TOC \\o "1-1" \\h', (head) => entry('TOC1', '_Toc5', 'Old', '12', head))
    const body = `${table}${heading('Titre1', 'First')}<w:p><w:pPr><w:pStyle w:val="Titre1"/></w:pPr><w:bookmarkStart w:id="5" w:name="_Toc5"/>${run('{{/a}}')}<w:bookmarkEnd w:id="5"/></w:p>`
    const source = composedMain(body, { a: 'Second' })
    expect(linesOf(source).slice(0, 2)).toEqual(['I.\tFirst\t1', 'II.\tSecond\t12'])
    expect(source.match(/w:anchor="_Toc5"/g)).toHaveLength(1)
    expect(source.match(/w:name="_Toc5"/g)).toHaveLength(1)
  })

  test('is filled if the template has no entries yet, as other programs write it', () => {
    // The docx package: everything before the end mark in one run.
    const empty = `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>TOC \\h \\o "1-2"</w:instrText><w:fldChar w:fldCharType="separate"/></w:r></w:p><w:p>${mark('end')}</w:p>`
    const section =
      '<w:sectPr><w:pgSz w:w="12000" w:h="16000"/><w:pgMar w:left="1000" w:right="1000" w:top="1" w:bottom="1"/></w:sectPr>'
    const source = composedMain(empty + loops + section, { chapters })
    expect(linesOf(source).slice(0, 4)).toEqual([
      'I.\tDuties\t1',
      'I.1\tPayment\t1',
      'I.2\tNotice\t1',
      'II.\tCover & limits\t1',
    ])
    expect(source).toContain(
      '<w:pStyle w:val="TOC2"/><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="10000"/></w:tabs>',
    )
    // LibreOffice: the field ends in the last entry.
    const last = `<w:p>${mark('begin')}${code('TOC \\o "1-1"')}${mark('separate')}${run('Old 1')}${mark('end')}</w:p>`
    const other = composedMain(last + loops, { chapters })
    expect(linesOf(other).slice(0, 3)).toEqual(['I.\tDuties\t1', 'II.\tCover & limits\t1', 'I.Duties'.slice(2)])
    expect(other).not.toContain('<w:hyperlink')
  })

  test.each([
    ['\\o "2-2"', ['I.1\tPayment\t1', 'I.2\tNotice\t1']],
    ['\\t "Plain Heading,1"', ['Appendix\t1']],
    ['\\o "1-1" \\u', ['I.\tDuties\t1', 'II.\tCover & limits\t1', 'Appendix\t1', 'Own\t1']],
    ['\\o "1-1" \\n', ['I.\tDuties', 'II.\tCover & limits']],
    ['\\o "1-1" \\p " – "', ['I.\tDuties – 1', 'II.\tCover & limits – 1']],
  ])('lists the headings that %s asks for', (switches, expected) => {
    const table = contents(`TOC ${switches}`, (head) => `<w:p>${head}${run('Old 1')}</w:p>`)
    const own = `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>${run('Own')}</w:p>`
    const source = composedMain(table + loops + heading('Plain1', 'Appendix') + own, { chapters })
    expect(linesOf(source).slice(0, expected.length + 1)).toEqual([...expected, ''])
  })

  test.each(['\\c "Figure"', '\\b part', '\\f x', '\\l 1-2'])(
    'is unchanged with %s, which lists other things',
    (switches) => {
      const table = contents(`TOC ${switches}`, (head) => `<w:p>${head}${run('Old 1')}</w:p>`)
      expect(composedMain(table + loops, { chapters })).toContain(table)
    },
  )

  test('skips the number of a bullet', () => {
    const own = {
      ...parts,
      'word/numbering.xml': numbering.replace(level(0, 'upperRoman', '%1.'), level(0, 'bullet', '•')),
    }
    const table = contents('TOC \\o "1-1"', (head) => `<w:p>${head}${run('Old 1')}</w:p>`)
    expect(linesOf(composedMain(table + heading('Titre1', 'A{{/x}}'), { x: '' }, own))[0]).toBe('A\t1')
  })

  /** Lines of a table made anew for what the body brings. */
  const linesFor = (switches: string, body: string, more: Record<string, string> = parts) => {
    const table = contents(`TOC ${switches}`, (head) => `<w:p>${head}${run('Old 1')}</w:p>`)
    const lines = linesOf(composedMain(table + body + p('{{/x}}'), { x: 'END' }, more))
    return lines.slice(0, lines.indexOf(''))
  }
  const outlined = (text: string, at: number | string) =>
    `<w:p><w:pPr><w:outlineLvl w:val="${at}"/></w:pPr>${run(text)}</w:p>`

  test('lists outline levels up to the last one requested, and never body text', () => {
    const body = outlined('a', 0) + outlined('b', 1) + outlined('c', 2) + outlined('d', 8) + outlined('e', 9)
    expect(linesFor('\\o "1-2" \\u', body)).toEqual(['a\t1', 'b\t1'])
    expect(linesFor('\\o "2-3" \\u', body)).toEqual(['b\t1', 'c\t1'])
    expect(linesFor('\\u', body)).toEqual(['a\t1', 'b\t1', 'c\t1', 'd\t1'])
    expect(linesFor('\\o "odd" \\u', body)).toEqual(['a\t1', 'b\t1', 'c\t1', 'd\t1'])
  })

  test('lists all headings if no switch selects some, and none by outline alone', () => {
    const body = heading('Titre1', 'a') + heading('Titre2', 'b') + outlined('c', 0)
    expect(linesFor('', body)).toEqual(['I.\ta\t1', 'I.1\tb\t1'])
    expect(linesFor('\\h', body)).toEqual(['I.\ta\t1', 'I.1\tb\t1'])
  })

  test('finds styles by their names in any case, on the level that the field gives them', () => {
    const body = heading('Plain1', 'a') + heading('Titre1', 'b')
    expect(linesFor('\\t "PLAIN heading;2;heading 1,3"', body)).toEqual(['a\t1', 'I.\tb\t1'])
    expect(linesFor('\\t "Plain Heading,0"  \\o "1-1"', body)).toEqual(['I.\tb\t1'])
    expect(linesFor('\\t "Plain Heading,10" \\o "1-1"', body)).toEqual(['I.\tb\t1'])
    expect(linesFor('\\t "Plain Heading,9"', body)).toEqual(['a\t1'])
  })

  test('leaves out page numbers only on the levels that the field names', () => {
    const body = heading('Titre1', 'a') + heading('Titre2', 'b')
    expect(linesFor('\\o "1-2" \\n "2-2"', body)).toEqual(['I.\ta\t1', 'I.1\tb'])
    expect(linesFor('\\o "1-2" \\n "1-1"', body)).toEqual(['I.\ta', 'I.1\tb\t1'])
    expect(linesFor('\\o 2-2 \\n 1-9', body)).toEqual(['I.1\tb'])
  })

  test('reads a heading as a reader does: without deleted, hidden or drawn text', () => {
    const parts = [
      run('a'),
      '<w:r><w:tab/></w:r>',
      '<w:del><w:r><w:t>no</w:t></w:r></w:del>',
      '<w:moveFrom><w:r><w:t>no</w:t></w:r></w:moveFrom>',
      '<w:r><w:pict><w:t>no</w:t></w:pict></w:r>',
      '<w:r><w:drawing><w:t>no</w:t></w:drawing></w:r>',
      '<w:r><mc:AlternateContent><w:t>no</w:t></mc:AlternateContent></w:r>',
      `<w:r><w:txbxContent>${p('no')}</w:txbxContent></w:r>`,
      '<w:r><w:instrText>no</w:instrText></w:r>',
      '<w:ins>'.concat(run('b'), '</w:ins>'),
      '<w:r><w:noBreakHyphen/></w:r>',
      run('c  \n d'),
      '<w:r><w:br/></w:r>',
      run('e'),
      '<w:r><w:cr/></w:r>',
      run('f'),
    ]
    const body = `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>${parts.join('')}</w:p>`
    expect(linesFor('\\u', body)).toEqual(['a b-c d e f\t1'])
    expect(linesFor('\\u', outlined('x', 0) + outlined('  ', 0))).toEqual(['x\t1'])
  })

  test('finds headings in cells and controls, and none in deleted text or the second form of a text box', () => {
    const inner = outlined('a', 0)
    const found = [
      `<w:tbl><w:tblPr/><w:tr><w:tc>${inner}</w:tc></w:tr></w:tbl>`,
      `<w:sdt><w:sdtPr/><w:sdtContent>${inner}</w:sdtContent></w:sdt>`,
    ]
    for (const body of found) expect(linesFor('\\u', body)).toEqual(['a\t1'])
    const passed = ['w:del', 'w:moveFrom', 'mc:Fallback', 'w:sdtPr', 'w:tblPr', 'w:tblGrid', 'w:trPr', 'w:tcPr']
    for (const name of passed) {
      const table = contents('TOC \\u', (head) => `<w:p>${head}${run('Old 1')}</w:p>`)
      const opened = composedPackage(
        wordPackage(`${table}${outlined('b', 0)}<${name}>${inner}</${name}>${p('{{/x}}')}`, parts),
        { x: '' },
      )
      expect([name, ...linesOf(partText(opened, 'word/document.xml')).slice(0, 2)]).toEqual([name, 'b\t1', ''])
    }
  })

  test('cuts a heading after 500 characters, never inside a character', () => {
    expect(linesFor('\\u', outlined('x'.repeat(500), 0))).toEqual([`${'x'.repeat(500)}\t1`])
    expect(linesFor('\\u', outlined('x'.repeat(501), 0))).toEqual([`${'x'.repeat(499)}…\t1`])
    expect(linesFor('\\u', outlined(`${'x'.repeat(498)}😀xx`, 0))).toEqual([`${'x'.repeat(498)}…\t1`])
  })

  test('counts numbered paragraphs that are not headings, and uses a paragraph’s own number', () => {
    const numbered = (text: string, at: number, id: string, more = '') =>
      `<w:p><w:pPr>${more}<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr></w:pPr>${run(text)}</w:p>`
    const one = '<w:pStyle w:val="Titre1"/>'
    const body =
      numbered('plain', 0, '7') + heading('Titre1', 'a') + numbered('b', 1, '7', one) + numbered('c', 0, '0', one)
    expect(linesFor('\\o "1-1"', body)).toEqual(['II.\ta\t1', 'II.1\tb\t1', 'c\t1'])
    expect(linesFor('\\o "1-1"', numbered('d', 99, '7', one) + numbered('e', -1, '7', one))).toEqual([
      'd\t1',
      'I.\te\t1',
    ])
  })

  test('is unchanged if its extent is unclear', () => {
    const field = mark('begin') + code('TOC \\u') + mark('separate')
    const kept = [
      `<w:p>${mark('begin') + code('TOC \\u') + run('x')}</w:p>`,
      `<w:p>${field}${run('Old 1')}</w:p><w:tbl><w:tblPr/><w:tr><w:tc>${p('y')}</w:tc></w:tr></w:tbl><w:p>${mark('end')}</w:p>`,
      `<w:tbl><w:tblPr/><w:tr><w:tc><w:p>${field}${run('Old 1')}</w:p></w:tc></w:tr></w:tbl><w:p>${mark('end')}</w:p>`,
      `<w:p><w:hyperlink w:anchor="x">${field}</w:hyperlink>${run('Old 1')}${mark('end')}</w:p>`,
      `<w:p><w:fldSimple w:instr="TOC \\u">${run('Old 1')}</w:fldSimple></w:p>`,
    ]
    for (const table of kept) {
      const source = composedMain(table + outlined('a{{/x}}', 0), { x: '' })
      expect([table, source.includes(table)]).toEqual([table, true])
    }
    expect(composedMain(`<w:p>${field}${run('Old 1')}${mark('end')}</w:p>${p('{{/x}}')}`, { x: '' })).toContain('Old 1')
  })

  test('is rebuilt up to four times in a document, each time without the entries of the others', () => {
    const table = contents(
      'TOC \\u',
      (head) => `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>${head}${run('Old 1')}</w:p>`,
    )
    const two = linesOf(composedMain(table.repeat(2) + outlined('a{{/x}}', 0), { x: '' }))
    expect(two.slice(0, 4)).toEqual(['a\t1', '', 'a\t1', ''])
    const plain = table.replace('<w:outlineLvl w:val="0"/>', '<w:keepNext/>')
    const five = linesOf(composedMain(plain.repeat(5) + outlined('a{{/x}}', 0), { x: '' }))
    expect(five.filter((line) => line === 'a\t1')).toHaveLength(4)
    expect(five.filter((line) => line === 'Old 1')).toHaveLength(1)
  })

  test('gives entries of a level without a model that level’s style, or an indent and a tab at the margin', () => {
    const table = contents('TOC \\o "1-2"', (head) => entry('TOC1', '_Toc1', 'Old', '4', head))
    const body = heading('Titre1', 'a{{/x}}') + heading('Titre2', 'b')
    const section = (width: number, left: number) =>
      `<w:sectPr><w:pgSz w:w="${width}" w:h="9000"/><w:pgMar w:left="${left}" w:right="1000"/></w:sectPr>`
    const source = composedMain(table + body + section(10_000, 500), { x: '' })
    expect(source).toContain(
      '<w:pPr><w:pStyle w:val="TOC2"/><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="8500"/></w:tabs></w:pPr>',
    )
    const bare = { ...parts, 'word/styles.xml': styles.replace(style('TOC2', 'toc 2'), '') }
    expect(composedMain(table + body + section(2_000, 500), { x: '' }, bare)).toContain(
      '<w:pPr><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9026"/></w:tabs><w:ind w:left="220"/></w:pPr>',
    )
    expect(composedMain(table + body, { x: '' }, bare)).toContain('w:pos="9026"')
    // The first level has no indent.
    const second = contents('TOC \\o "1-2"', (head) => entry('TOC2', '_Toc1', 'Old', '4', head))
    const first = { ...parts, 'word/styles.xml': styles.replace(style('TOC1', 'toc 1'), '') }
    expect(composedMain(second + body, { x: '' }, first)).toContain(
      '<w:pPr><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9026"/></w:tabs></w:pPr>',
    )
    // The section that the table itself is in counts, not the last one.
    const own = `<w:p><w:pPr>${section(7_000, 1_000)}</w:pPr></w:p>`
    expect(composedMain(table + own + body + section(10_000, 500), { x: '' }, bare)).toContain('w:pos="5000"')
  })

  test('puts new bookmarks around headings, with names and numbers not used before', () => {
    const table = contents('TOC \\u \\h', (head) => `<w:p>${head}${run('Old 1')}</w:p>`)
    const taken = '<w:bookmarkStart w:id="12" w:name="_TocQuire1"/><w:bookmarkEnd w:id="12"/>'
    const source = composedMain(`${table}<w:p>${taken}${run('x')}</w:p>${outlined('a{{/x}}', 0)}${outlined('b', 0)}`, {
      x: '',
    })
    expect(source).toContain(
      `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:bookmarkStart w:id="13" w:name="_TocQuire2"/>${run('a').replace('<w:t xml', '<w:t xml')}<w:bookmarkEnd w:id="13"/></w:p>`.replace(
        '>a<',
        '>a<',
      ),
    )
    expect(source).toContain('<w:bookmarkStart w:id="14" w:name="_TocQuire3"/>')
    expect([...source.matchAll(/PAGEREF (\w+)/g)].map(([, name]) => name)).toEqual(['_TocQuire2', '_TocQuire3'])
    expect(source).toContain('<w:hyperlink w:anchor="_TocQuire2" w:history="1">')
  })

  test('recognises another program’s reference mark too', () => {
    const table = contents('TOC \\u \\h', (head) => `<w:p>${head}${run('Old 1')}</w:p>`)
    const body = `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:bookmarkStart w:id="1" w:name="own"/><w:bookmarkStart w:id="2" w:name="__RefHeading___1"/>${run('a{{/x}}')}<w:bookmarkEnd w:id="2"/><w:bookmarkEnd w:id="1"/></w:p>`
    expect(composedMain(table + body, { x: '' })).toContain('w:anchor="__RefHeading___1"')
  })

  test('copies no properties over 2,000 characters, which would repeat in every entry', () => {
    const long = (chars: number) => `<w:rPr><w:lang w:val="${'x'.repeat(chars)}"/></w:rPr>`
    const table = (chars: number) =>
      contents('TOC \\u', (head) => `<w:p>${head}${run('Old', long(chars))}${run('1')}</w:p>`)
    const looks = (chars: number) =>
      composedMain(table(chars) + outlined('a{{/x}}', 0) + outlined('b', 0), { x: '' }).split('x'.repeat(chars))
        .length - 1
    expect(looks(100)).toBe(2)
    expect(looks(2_000)).toBe(0)
  })

  test('stays as it is where its entries would have more than four million characters', () => {
    const wide = `<w:rPr><w:lang w:val="${'x'.repeat(1_900)}"/></w:rPr>`
    const table = contents('TOC \\u', (head) => `<w:p>${head}${run('Old', wide)}${run(' 1', wide)}</w:p>`)
    const body = table + p('{{#each /l}}') + outlined('a', 0) + p('{{#end}}')
    const lines = (count: number) => linesOf(composedMain(body, { l: Array(count).fill(1) }))[0]
    expect([lines(200), lines(300)]).toEqual(['a\t1', 'Old 1'])
  })

  test('writes numbers in words in the language of the document', () => {
    const own = {
      'word/styles.xml': styles.replace(
        /(<w:styles[^>]*>)/,
        '$1<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault></w:docDefaults>',
      ),
      'word/numbering.xml': numbering.replace(level(0, 'upperRoman', '%1.'), level(0, 'cardinalText', '%1')),
    }
    const first = (more: Record<string, string>) => linesFor('\\o "1-1"', heading('Titre1', 'a'), more)[0]
    expect(first(own)).toBe('Eins\ta\t1')
    expect(first({ ...own, 'word/styles.xml': styles })).toBe('One\ta\t1')
  })

  test('numbers headings as the PDF does: linked styles, links of definitions, restarts, decimals only', () => {
    const linked = (id: string, more: string) =>
      style(
        id,
        `heading ${id.slice(1)}`,
        `<w:pPr><w:numPr>${more}</w:numPr><w:outlineLvl w:val="${Number(id.slice(1)) - 1}"/></w:pPr>`,
      )
    const of = (index: number, text: string, more: string) =>
      `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/>${more}<w:pStyle w:val="H${index + 1}"/><w:lvlText w:val="${text}"/></w:lvl>`
    const own = {
      'word/styles.xml': wordPart(
        'styles',
        `<w:style w:type="numbering" w:styleId="Outline"><w:name w:val="Outline"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>${linked('H1', '<w:numId w:val="2"/>')}${linked('H2', '<w:numId w:val="2"/>')}${linked('H3', '<w:numId w:val="2"/>')}`,
      ),
      'word/numbering.xml': wordPart(
        'numbering',
        `<w:abstractNum w:abstractNumId="1">${of(0, '%1.', '')}${of(1, '%1.%2', '<w:isLgl/>')}${of(2, '(%3)', '<w:lvlRestart w:val="1"/>')}</w:abstractNum><w:abstractNum w:abstractNumId="2"><w:numStyleLink w:val="Outline"/></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>`,
      ),
    }
    const table = contents('TOC \\o "1-3"', (head) => `<w:p>${head}${run('Old 1')}</w:p>`)
    const body =
      table +
      ['H1 a', 'H2 b', 'H3 c', 'H2 d', 'H3 e', 'H1 f', 'H3 g']
        .map((one) => heading(one.slice(0, 2), `${one.slice(3)}{{/x}}`))
        .join('')
    const composed = composeTemplate(compiled(wordPackage(body, own)), { x: '' })
    if (!composed.ok) throw new Error(JSON.stringify(composed.findings))
    const opened = openPackage(composed.value)
    const lines = opened.ok ? linesOf(partText(opened.value, 'word/document.xml')) : []
    const numbered = ['I. a', '1.1 b', '(I) c', '1.2 d', '(II) e', 'II. f', '(I) g']
    expect(lines.slice(0, 7).map((line) => line.replace(/\t1$/, '').replace('\t', ' '))).toEqual(numbered)
    const shown = textFrames(layoutOf(composed.value).pages[0]!).map(({ text }) => text)
    const labels = shown.filter((text) => /^[IV1-9.()]+$/.test(text.trim())).map((text) => text.trim())
    expect(labels.slice(-7)).toEqual(numbered.map((line) => line.split(' ')[0]!))
  })

  test('shows in the PDF the right pages of headings that a loop made', () => {
    const table = contents('TOC \\o "1-1" \\h', (head) => entry('TOC1', '_Toc1', '{{./title}}', '9', head))
    const body =
      table +
      p('{{#each /chapters}}') +
      `<w:p><w:pPr><w:pStyle w:val="Plain1"/><w:pageBreakBefore/></w:pPr>${run('{{./title}}')}</w:p>` +
      p('{{#end}}')
    const bytes = wordPackage(body.replace('\\o "1-1"', '\\u'), parts)
    const composed = composeTemplate(compiled(bytes), { chapters: ['A', 'B', 'C'].map((title) => ({ title })) })
    if (!composed.ok) throw new Error(JSON.stringify(composed.findings))
    const layout = layoutOf(composed.value)
    expect(layout.pages).toHaveLength(4)
    const shown = textFrames(layout.pages[0]!)
      .map(({ text }) => text)
      .join('')
    expect(shown.replace(/[.\s]+/g, ' ').trim()).toBe('A 2B 3C 4')
  })
})
