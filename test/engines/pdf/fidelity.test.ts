import { describe, expect, test } from 'bun:test'
import { plainPng } from './documents.ts'
import { dump, dumpPaths, layoutOf, p, picture, renderingOf, smallSection, wordDocument } from './word.ts'

/*
 * What comparing pages with LibreOffice's brought to light. The small page: text from 50 to 250 pt across, starting
 * 50 pt down; Arial 10 pt has a line pitch of 11.5 pt and its first baseline 9.4 pt below the line's top.
 */
const pageOf = (body: string, parts: Parameters<typeof wordDocument>[1] = {}) =>
  layoutOf(wordDocument(body, parts)).pages

describe('space', () => {
  test('the first paragraph of a page has no space above it, unless it begins a section or an older mode asks for it', () => {
    const broken = '<w:p><w:pPr><w:spacing w:after="400"/></w:pPr><w:r><w:br w:type="page"/></w:r></w:p>'
    const space = '<w:spacing w:before="200"/>'
    expect(dump(pageOf(`${broken}${p('next', space)}`)[1]!)).toEqual(['50.0,59.4 next'])
    const asked = p('one') + p('two', `<w:pageBreakBefore/>${space}`)
    expect(dump(pageOf(asked)[1]!)).toEqual(['50.0,59.4 two'])
    expect(dump(pageOf(asked, { settings: '<w:compat/>' })[1]!)).toEqual(['50.0,69.4 two'])
    const section = `<w:p><w:pPr><w:sectPr>${smallSection}</w:sectPr></w:pPr></w:p>`
    expect(dump(pageOf(p('one') + section + p('two', space))[1]!)).toEqual(['50.0,69.4 two'])
  })

  test('the empty paragraph that ends a section takes no line, unless it is the only one', () => {
    const end = `<w:p><w:pPr><w:sectPr>${smallSection}</w:sectPr></w:pPr></w:p>`
    const continuous = { section: `<w:type w:val="continuous"/>${smallSection}` }
    expect(dump(pageOf(p('one') + end + p('two'), continuous)[0]!)).toEqual(['50.0,59.4 one', '50.0,70.9 two'])
    expect(dump(pageOf(end + p('two'), continuous)[0]!)).toEqual(['50.0,70.9 two'])
    const full = Array.from({ length: 26 }, (_, index) => p(`l${index}`)).join('')
    expect(pageOf(full + end + p('two'))).toHaveLength(2)
    const level = '<w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    const numbering = `<w:abstractNum w:abstractNumId="1">${level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`
    const item = end.replace('<w:sectPr>', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:sectPr>')
    expect(dump(pageOf(p('one') + item + p('two'), { ...continuous, numbering })[0]!)).toEqual([
      '50.0,59.4 one',
      '50.0,70.9 two',
    ])
    const marked = end.replace('</w:pPr></w:p>', '</w:pPr><w:r><w:t>end</w:t></w:r></w:p>')
    expect(dump(pageOf(p('one') + marked + p('two'), continuous)[0]!)).toEqual([
      '50.0,59.4 one',
      '50.0,70.9 end',
      '50.0,82.4 two',
    ])
  })

  test('a page break at the start of a paragraph leaves no line of it on the page above', () => {
    const full = Array.from({ length: 26 }, (_, index) => p(`l${index}`)).join('')
    const begins =
      '<w:p><w:pPr><w:spacing w:before="200"/></w:pPr><w:r><w:br w:type="page"/><w:t>next</w:t></w:r></w:p>'
    const pages = pageOf(full + begins)
    expect(pages).toHaveLength(2)
    expect(dump(pages[1]!)).toEqual(['50.0,59.4 next'])
    // A paragraph that is nothing but the break stays above it.
    const alone = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    expect(pageOf(p('one') + alone + p('two')).map((page) => dump(page))).toEqual([
      ['50.0,59.4 one'],
      ['50.0,59.4 two'],
    ])
  })

  test('a paragraph with a deleted mark is joined with the next one in the final text', () => {
    const deleted = (text: string) =>
      `<w:p><w:pPr><w:rPr><w:del w:id="1" w:author="a"/></w:rPr></w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
    expect(dump(pageOf(deleted('one ') + p('two', '<w:jc w:val="right"/>') + p('three'))[0]!)).toEqual([
      '215.0,59.4 one two',
      '50.0,70.9 three',
    ])
    const gone =
      '<w:p><w:pPr><w:rPr><w:del w:id="1" w:author="a"/></w:rPr></w:pPr><w:del w:id="2" w:author="a"><w:r><w:delText>x</w:delText></w:r></w:del></w:p>'
    expect(dump(pageOf(p('one') + gone + p('two'))[0]!)).toEqual(['50.0,59.4 one', '50.0,70.9 two'])
  })

  test('the spaces of two paragraphs combine across a section break on a page as they do elsewhere', () => {
    const end = `<w:p><w:pPr><w:spacing w:after="200"/><w:sectPr>${smallSection}</w:sectPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p>`
    const [page] = pageOf(end + p('two', '<w:spacing w:before="100"/>'), {
      section: `<w:type w:val="continuous"/>${smallSection}`,
    })
    expect(dump(page!)).toEqual(['50.0,59.4 one', '50.0,80.9 two'])
  })

  test('automatic spacing disappears between items of the same list, and only there', () => {
    const level =
      '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/><w:suff w:val="space"/></w:lvl>'
    const numbering = `<w:abstractNum w:abstractNumId="1">${level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`
    const auto = '<w:spacing w:beforeAutospacing="1" w:afterAutospacing="1"/>'
    const item = `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>${auto}`
    const baselines = dump(pageOf(p('a', item) + p('b', item) + p('c', auto), { numbering })[0]!)
      .filter((line) => /[abc]$/.test(line))
      .map((line) => line.split(/[, ]/)[1])
    expect(baselines).toEqual(['59.4', '70.9', '96.4'])
    const plain = item.replace(auto, '<w:spacing w:before="40"/>')
    const mixed = dump(pageOf(p('a', item) + p('b', plain), { numbering })[0]!).filter((line) => /[ab]$/.test(line))
    expect(mixed.map((line) => line.split(/[, ]/)[1])).toEqual(['59.4', '72.9'])
  })

  test('an explicit space replaces automatic spacing from a style', () => {
    const styles =
      '<w:style w:type="paragraph" w:styleId="Web"><w:name w:val="Web"/><w:pPr><w:spacing w:before="100" w:beforeAutospacing="1" w:after="100" w:afterAutospacing="1"/></w:pPr></w:style>'
    const web = '<w:pStyle w:val="Web"/>'
    const stated = `${web}<w:spacing w:before="0" w:after="0"/>`
    expect(dump(pageOf(p('a', stated) + p('b', stated) + p('c', web), { styles })[0]!)).toEqual([
      '50.0,59.4 a',
      '50.0,70.9 b',
      '50.0,96.4 c',
    ])
  })

  test('line heights are whole twips, so that no error adds up over a page', () => {
    // 10.5 pt of Arial are 241.5 twips high, of which text and gap make 235 and 7; the difference 19 times is half a point.
    const lines = Array.from({ length: 20 }, (_, index) => p(`l${index}`, '', '<w:sz w:val="21"/>')).join('')
    const last = dump(pageOf(lines)[0]!)[19]!
    expect(last).toBe('50.0,289.8 l19')
  })

  test('line spacing on a line of pictures adds its share of the text’s height, not of the picture’s', () => {
    const body = `<w:p><w:pPr><w:spacing w:line="480" w:lineRule="auto"/></w:pPr><w:r>${picture('image1', 100, 100)}</w:r></w:p>${p('below')}`
    const [page] = pageOf(body, { media: { 'image1.png': plainPng(2, 2, [0, 0, 0]) } })
    expect(dump(page!)).toEqual(['50.0,170.9 below'])
  })

  test('the last line of a page can lose the line spacing below it, but not its text', () => {
    // 26 lines of 11.5 pt are 299 pt; of the 300 pt page text area one more point is free.
    const double = '<w:spacing w:line="480" w:lineRule="auto"/><w:widowControl w:val="0"/>'
    const lines = Array.from({ length: 14 }, (_, index) => p(`l${index}`, double)).join('')
    const pages = pageOf(lines)
    // Thirteen lines of 23 pt are 299 pt; a fourteenth does not fit with or without its spacing.
    expect(dump(pages[0]!)).toHaveLength(13)
    expect(dump(pages[1]!)).toEqual(['50.0,59.4 l13'])
    const tighter = Array.from({ length: 13 }, (_, index) => p(`l${index}`, double)).join('')
    const short = smallSection.replace('w:bottom="1000"', 'w:bottom="1200"')
    // Ten points less: the thirteenth line still fits without the 11.5 pt below its text.
    expect(pageOf(tighter, { section: short })).toHaveLength(1)
  })
})

describe('edges', () => {
  test('a negative indent extends into the margin', () => {
    expect(dump(pageOf(p('out', '<w:ind w:left="-400"/>'))[0]!)).toEqual(['30.0,59.4 out'])
  })

  test('text follows a right tab into the margin instead of wrapping', () => {
    const tabbed = `<w:p><w:pPr><w:tabs><w:tab w:val="right" w:pos="4200"/></w:tabs></w:pPr><w:r><w:t>Title</w:t><w:tab/><w:t>12</w:t></w:r></w:p>`
    const lines = dump(pageOf(tabbed)[0]!)
    expect(lines.map((line) => line.split(/[, ]/)[1])).toEqual(['59.4', '59.4'])
    expect(lines[1]).toBe('248.9,59.4 12')
  })

  test('a tab at the end of a paragraph opens no line for a stop outside the column', () => {
    const tabbed = (end: string) =>
      `<w:p><w:pPr><w:tabs><w:tab w:val="right" w:pos="4000"/></w:tabs></w:pPr><w:r><w:t>Title</w:t><w:tab/><w:t>1</w:t><w:tab/>${end}</w:r></w:p>${p('after')}`
    expect(dump(pageOf(tabbed(''))[0]!).at(-1)).toBe('50.0,70.9 after')
    expect(dump(pageOf(tabbed('<w:t>x</w:t>'))[0]!).at(-1)).toBe('50.0,82.4 after')
  })

  test('a gutter at the top moves the text down, not to the right', () => {
    const settings = '<w:gutterAtTop/>'
    const section = smallSection.replace('w:gutter="0"', 'w:gutter="400"')
    expect(dump(pageOf(p('x'), { settings, section })[0]!)).toEqual(['50.0,79.4 x'])
    expect(dump(pageOf(p('x'), { section })[0]!)).toEqual(['70.0,59.4 x'])
  })

  test('a table in a document older than Word 2013 is wider than the text by its outer padding', () => {
    const cell = (text: string) => `<w:tc>${p(text)}</w:tc>`
    const table = `<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/></w:tblPr><w:tblGrid><w:gridCol w:w="2108"/><w:gridCol w:w="2108"/></w:tblGrid><w:tr>${cell('a')}${cell('b')}</w:tr></w:tbl>`
    const old =
      '<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="14"/></w:compat>'
    expect(dump(pageOf(table + p('x'), { settings: old })[0]!).slice(0, 2)).toEqual(['50.0,59.4 a', '155.4,59.4 b'])
    expect(dump(pageOf(table + p('x'))[0]!).slice(0, 2)).toEqual(['55.4,59.4 a', '155.4,59.4 b'])
  })
})

describe('floating content', () => {
  test('a frame is at its stated place, and the text flows around it', () => {
    const frame = p(
      'framed',
      '<w:framePr w:w="1600" w:wrap="around" w:vAnchor="text" w:hAnchor="text" w:x="0" w:y="0"/>',
    )
    const [page] = pageOf(frame + p('beside'))
    expect(dump(page!)).toEqual(expect.arrayContaining(['50.0,59.4 framed', '130.0,59.4 beside']))
  })

  test('neighbours in one frame stay together, and without an anchor paragraph they stay in the flow', () => {
    const at = '<w:framePr w:w="1600" w:hAnchor="page" w:vAnchor="page" w:x="200" w:y="200"/>'
    const [page] = pageOf(p('one', at) + p('two', at) + p('text'))
    expect(dump(page!)).toEqual(expect.arrayContaining(['10.0,19.4 one', '10.0,30.9 two', '50.0,59.4 text']))
    expect(dump(pageOf(p('alone', at))[0]!)).toEqual(['50.0,59.4 alone'])
  })

  test('a frame from a style applies, except for what the paragraph sets itself', () => {
    const styles =
      '<w:style w:type="paragraph" w:styleId="A"><w:name w:val="A"/><w:pPr><w:framePr w:w="1600" w:wrap="around" w:vAnchor="text" w:hAnchor="page" w:x="200" w:y="0"/></w:pPr></w:style>' +
      '<w:style w:type="paragraph" w:styleId="B"><w:name w:val="B"/><w:basedOn w:val="A"/><w:pPr><w:framePr w:y="400"/></w:pPr></w:style>' +
      '<w:style w:type="paragraph" w:styleId="C"><w:name w:val="C"/><w:basedOn w:val="B"/><w:pPr><w:framePr w:xAlign="left"/></w:pPr></w:style>'
    const framed = (properties: string) =>
      dump(pageOf(p('framed', properties) + p('text'), { styles })[0]!).find((line) => line.includes('framed'))
    expect(framed('<w:pStyle w:val="A"/>')).toBe('10.0,59.4 framed')
    expect(framed('<w:pStyle w:val="B"/>')).toBe('10.0,79.4 framed')
    expect(framed('<w:pStyle w:val="B"/><w:framePr w:x="600"/>')).toBe('30.0,79.4 framed')
    expect(framed('<w:pStyle w:val="B"/><w:framePr w:xAlign="left"/>')).toBe('0.0,79.4 framed')
    expect(framed('<w:pStyle w:val="C"/>')).toBe('0.0,79.4 framed')
    expect(framed('<w:pStyle w:val="C"/><w:framePr w:x="600"/>')).toBe('30.0,79.4 framed')
  })

  test('a floating table leaves the flow, unless it would run off its page, which is reported', () => {
    const row = `<w:tr><w:tc>${p('cell')}</w:tc></w:tr>`
    const table = (rows: number) =>
      `<w:tbl><w:tblPr><w:tblpPr w:horzAnchor="page" w:vertAnchor="page" w:tblpX="3000" w:tblpY="4000"/></w:tblPr><w:tblGrid><w:gridCol w:w="1000"/></w:tblGrid>${row.repeat(rows)}</w:tbl>`
    const [floating] = pageOf(table(1) + p('text'))
    expect(dump(floating!)).toEqual(expect.arrayContaining(['50.0,59.4 text', '155.4,209.4 cell']))
    const rowsOf = (rows: number, settings?: string) =>
      pageOf(table(rows) + p('text'), settings === undefined ? {} : { settings }).map((page) => {
        const cells = dump(page).filter((line) => line.endsWith('cell'))
        return `${cells.length} from ${cells[0]}`
      })
    // It ends with the text at 350 pt, and before Word 2013 with the page at 400 pt.
    expect(rowsOf(13)).toEqual(['13 from 155.4,209.4 cell'])
    expect(rowsOf(14)).toEqual(['13 from 155.4,209.4 cell', '1 from 155.4,59.4 cell'])
    expect(rowsOf(17, '<w:compat/>')).toEqual(['17 from 150.0,209.4 cell'])
    expect(rowsOf(18, '<w:compat/>')).toHaveLength(2)
    const long = wordDocument(table(18) + p('text'))
    expect(renderingOf(long).report.map(({ path }) => path)).toContain('word/document.xml#w:tblpPr')
  })

  test('numbered paragraphs in text boxes keep their numbers', () => {
    const level =
      '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/><w:suff w:val="space"/></w:lvl>'
    const numbering = `<w:abstractNum w:abstractNumId="1">${level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`
    const item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    const frame = p('boxed', `<w:framePr w:w="1600" w:hAnchor="page" w:vAnchor="page" w:x="200" w:y="200"/>${item}`)
    const texts = dump(pageOf(frame + p('text'), { numbering })[0]!).join(' ')
    expect(texts).toContain('1.')
  })

  test('rectangles and lines use the theme’s colours or their own', () => {
    const shape = (geometry: string, flip: string) =>
      `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="254000"/><wp:docPr id="1" name="s"/><a:graphic><a:graphicData uri="x"><wps:wsp><wps:spPr><a:xfrm${flip}/><a:prstGeom prst="${geometry}"/><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill><a:ln w="12700"><a:solidFill><a:srgbClr val="0000FF"/></a:solidFill></a:ln></wps:spPr></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
    const paths = (geometry: string, flip: string) => dumpPaths(pageOf(shape(geometry, flip))[0]!.frames)
    expect(paths('rect', '')).toEqual(['M50,50 L150,50 L150,70 L50,70 Z fill FF0000 stroke 0000FF 1'])
    expect(paths('line', '')).toEqual(['M50,50 L150,70 stroke 0000FF 1'])
    expect(paths('line', ' flipV="1"')).toEqual(['M50,70 L150,50 stroke 0000FF 1'])
  })
})
