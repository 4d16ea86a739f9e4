import { expect, test } from 'bun:test'
import { dump, dumpTexts, layoutOf, p, smallSection, wordDocument } from '../../word.ts'

/* The small page: text from 50 to 250 pt across, starting 50 pt down; a line is 11.5 pt high, its baseline 9.4 pt down. */
const pagesOf = (body: string, parts: Parameters<typeof wordDocument>[1] = {}) =>
  layoutOf(wordDocument(body, parts)).pages.map((page) => dump(page))
const older = { settings: '<w:compat/>' }

test('a paragraph that asks for a new page gets one, even below a heading that keeps with the next', () => {
  const body = p('heading', '<w:keepNext/>') + p('next', '<w:pageBreakBefore/>') + p('after')
  expect(pagesOf(body)).toEqual([['50.0,59.4 heading'], ['50.0,59.4 next', '50.0,70.9 after']])
})

test('at the top of a page, a space counts only as far as it exceeds the one before the break', () => {
  const body = (after: number, rest = '') =>
    p('one', `<w:spacing w:after="${after}"/>`) + p('two', `<w:pageBreakBefore/>${rest}<w:spacing w:before="200"/>`)
  expect(pagesOf(body(0), older)[1]).toEqual(['50.0,69.4 two'])
  expect(pagesOf(body(80), older)[1]).toEqual(['50.0,65.4 two'])
  expect(pagesOf(body(400), older)[1]).toEqual(['50.0,59.4 two'])
  const section = `<w:p><w:pPr><w:spacing w:after="80"/><w:sectPr>${smallSection}</w:sectPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p>`
  expect(pagesOf(section + p('two', '<w:spacing w:before="200"/>'))[1]).toEqual(['50.0,65.4 two'])
  expect(pagesOf(p('first', '<w:spacing w:before="200"/>'))[0]).toEqual(['50.0,69.4 first'])
})

test('contextual spacing works across a break, and a table before it does not reduce the space', () => {
  const styles =
    '<w:style w:type="paragraph" w:styleId="L"><w:name w:val="L"/><w:pPr><w:spacing w:before="200"/><w:contextualSpacing/></w:pPr></w:style>'
  const item = (text: string, more = '') => p(text, `<w:pStyle w:val="L"/>${more}`)
  const parts = { ...older, styles }
  expect(pagesOf(item('one') + item('two', '<w:pageBreakBefore/>'), parts)[1]).toEqual(['50.0,59.4 two'])
  expect(pagesOf(p('one') + item('two', '<w:pageBreakBefore/>'), parts)[1]).toEqual(['50.0,69.4 two'])
  const cell = p('cell', '<w:spacing w:after="400"/>')
  const table = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc><w:tcPr/>${cell}</w:tc></w:tr></w:tbl>`
  expect(pagesOf(table + item('two', '<w:pageBreakBefore/>'), parts)[1]).toEqual(['50.0,69.4 two'])
})

test('a column break keeps the space of the next paragraph before Word 2013’s mode, and a page break never does', () => {
  const columns = { section: `${smallSection}<w:cols w:num="2" w:space="200"/>` }
  const broken = (type: string) =>
    `<w:p><w:r><w:t>one</w:t><w:br w:type="${type}"/></w:r></w:p>${p('two', '<w:spacing w:before="200"/>')}`
  expect(pagesOf(broken('column'), { ...columns, ...older })[0]![1]).toEndWith(',69.4 two')
  expect(pagesOf(broken('column'), columns)[0]![1]).toEndWith(',59.4 two')
  // Where no column is left, a column break leads to the next page.
  expect(pagesOf(broken('column'), older)[1]).toEqual(['50.0,69.4 two'])
  expect(pagesOf(broken('column'))[1]).toEqual(['50.0,59.4 two'])
  expect(pagesOf(broken('page'), older)[1]).toEqual(['50.0,59.4 two'])
})

test('a page number in a paragraph that asks for a new page is that of the new page', () => {
  const number = '<w:fldSimple w:instr="PAGE"><w:r><w:t>?</w:t></w:r></w:fldSimple>'
  const asking = (content: string) => `<w:p><w:pPr><w:pageBreakBefore/></w:pPr>${content}</w:p>`
  const shown = (first: string, content = number) =>
    pagesOf(first + asking(content) + asking(content)).map((page) => page.map((line) => line.split(' ')[1]).join())
  expect(shown(p('a'))).toEqual(['a', '2', '3'])
  // The heading stays where it is; nothing is placed twice.
  expect(shown(p('a', '<w:keepNext/>'))).toEqual(['a', '2', '3'])
  expect(shown('')).toEqual(['1', '2'])
  const guided = `<w:r><w:ruby><w:rubyPr/><w:rt>${number}</w:rt><w:rubyBase><w:r><w:t>b</w:t></w:r></w:rubyBase></w:ruby></w:r>`
  expect(shown(p('a'), guided)[1]!.split(',').toSorted()).toEqual(['2', 'b'])
  const table = `<w:tbl><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc><w:p>${number}</w:p></w:tc></w:tr></w:tbl><w:p/>`
  const box = (inside: string) =>
    '<w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="635000"/><wp:docPr id="1" name="x"/><a:graphic><a:graphicData uri="x"><wps:wsp><wps:spPr/>' +
    `<wps:txbx><w:txbxContent>${inside}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
  const inBoxes = (inside: string) =>
    layoutOf(wordDocument(p('a') + asking(box(inside)))).pages.map((page) =>
      dumpTexts(page.frames)
        .map((line) => line.split(' ')[1])
        .join(),
    )
  expect(inBoxes(`<w:p>${number}</w:p>`)).toEqual(['a', '2'])
  expect(inBoxes(table)).toEqual(['a', '2'])
})

test('a break behind the last text opens no page, and one before more text opens one', () => {
  const broken = (type: string) => `<w:p><w:r><w:t>a</w:t><w:br w:type="${type}"/></w:r></w:p>`
  const section = (kind: string) =>
    `<w:p><w:pPr><w:sectPr><w:type w:val="${kind}"/>${smallSection}</w:sectPr></w:pPr><w:r><w:t>a</w:t><w:br w:type="page"/></w:r></w:p>`
  for (const type of ['page', 'column']) expect(pagesOf(broken(type))).toEqual([['50.0,59.4 a']])
  expect(pagesOf(broken('page') + p(''))).toHaveLength(2)
  // The break and that of the section are one.
  const next = { section: `<w:type w:val="nextPage"/>${smallSection}` }
  expect(pagesOf(section('nextPage') + p('b'), next)).toEqual([['50.0,59.4 a'], ['50.0,59.4 b']])
  const continuous = { section: `<w:type w:val="continuous"/>${smallSection}` }
  expect(pagesOf(section('nextPage') + p('b'), continuous)).toEqual([['50.0,59.4 a'], ['50.0,59.4 b']])
})

test('a page number is that of the page where its line ends up', () => {
  const number = '<w:fldSimple w:instr="PAGE"><w:r><w:t>?</w:t></w:r></w:fldSimple>'
  const line = (name: string) => `<w:r><w:t>${name}</w:t></w:r>${number}`
  const filling = (count: number) => Array.from({ length: count }, () => p('x')).join('')
  const shown = (count: number, body: string, parts: Parameters<typeof wordDocument>[1] = {}) =>
    layoutOf(wordDocument(filling(count) + body + p('end'), parts)).pages.map((page) => {
      const texts = dump(page).map((one) => one.split(' ')[1])
      return texts.filter((text) => text !== 'x' && text !== 'end').join('')
    })
  const one = `<w:p>${line('a')}</w:p>`
  expect(shown(25, one)).toEqual(['a1', ''])
  expect(shown(26, one)).toEqual(['', 'a2'])
  // Below a heading that keeps with it, and in a table.
  expect(shown(25, p('h', '<w:keepNext/>') + one)).toEqual(['', 'ha2'])
  const table = `<w:tbl><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc>${one}</w:tc></w:tr></w:tbl>`
  expect(shown(25, table)).toEqual(['a1', ''])
  expect(shown(26, table)).toEqual(['', 'a2'])
  // In lines of a paragraph that runs over to the next page, and to the next column of one.
  const long = `<w:p>${['a', 'b', 'c', 'd'].map(line).join('<w:r><w:br/></w:r>')}</w:p>`
  expect(shown(24, long)).toEqual(['a1b1', 'c2d2'])
  const columns = `${smallSection}<w:cols w:num="2" w:space="400"/>`
  expect(shown(24, long, { section: columns })).toEqual(['a1b1c1d1'])
  expect(shown(50, long, { section: columns })).toEqual(['a1b1', 'c2d2'])
})

test('a page that a break began is also the page of a paragraph that asks for one, which keeps its space before Word 2013’s mode', () => {
  const broken = '<w:p><w:r><w:t>one</w:t><w:br w:type="page"/></w:r></w:p>'
  const asking = p('two', '<w:pageBreakBefore/><w:spacing w:before="200"/>')
  expect(pagesOf(broken + asking, older)).toEqual([['50.0,59.4 one'], ['50.0,69.4 two']])
  expect(pagesOf(broken + asking)).toEqual([['50.0,59.4 one'], ['50.0,59.4 two']])
})

test('lines that keep together go to a page that holds them, though their section began further down', () => {
  const lines = (count: number, name: string, properties = '') =>
    Array.from({ length: count }, (_, index) => p(`${name}${index}`, properties)).join('')
  const opening = `<w:p><w:pPr><w:sectPr>${smallSection}</w:sectPr></w:pPr><w:r><w:t>end</w:t></w:r></w:p>`
  const section = `<w:type w:val="continuous"/>${smallSection}`
  // 26 lines fit a page; the section begins below eleven, and its heading takes one more.
  const pages = (kept: number) => {
    const body = lines(10, 'a') + opening + p('head') + lines(kept - 1, 'k', '<w:keepNext/>') + p('last')
    return pagesOf(body, { section }).map((page) => page.map((line) => line.split(' ')[1]))
  }
  expect(pages(14)).toHaveLength(1)
  expect(pages(15).map((page) => [page.length, page.at(-1)])).toEqual([
    [12, 'head'],
    [15, 'last'],
  ])
  expect(pages(26).map((page) => page.length)).toEqual([12, 26])
  // More than a page holds is set as it comes.
  expect(pages(27)[0]!.length).toBe(26)
})

test('lines that keep together and fill a page to its foot go to the next one together, and longer ones do not', () => {
  const kept = (points: number) =>
    p('k', `<w:keepNext/><w:spacing w:line="${points * 20}" w:lineRule="exact"/>`).repeat(2) +
    p('e', `<w:spacing w:line="${points * 20}" w:lineRule="exact"/>`)
  const shown = (points: number) =>
    pagesOf(p('a') + kept(points)).map((page) => page.map((line) => line.split(' ')[1]).join(''))
  // A page has 300 pt.
  expect(shown(100)).toEqual(['a', 'kke'])
  expect(shown(101)).toEqual(['akk', 'e'])
})

test('a section that begins on an odd or even page leaves the one before it empty where that is not its side', () => {
  const next = (type: string, start = '') => `<w:type w:val="${type}"/>${smallSection}${start}`
  const opening = (properties = smallSection) => `<w:p><w:pPr><w:sectPr>${properties}</w:sectPr></w:pPr></w:p>`
  const lengths = (pages: number, type: string, start = '') => {
    const body = p('a', '<w:pageBreakBefore/>').repeat(pages)
    return pagesOf(body + opening() + p('z'), { section: next(type, start) }).map((page) => page.length)
  }
  expect(lengths(1, 'oddPage')).toEqual([1, 0, 1])
  expect(lengths(2, 'oddPage')).toEqual([1, 1, 1])
  expect(lengths(1, 'evenPage')).toEqual([1, 1])
  expect(lengths(2, 'evenPage')).toEqual([1, 1, 0, 1])
  expect(lengths(1, 'nextPage')).toEqual([1, 1])
})

test('a section that restarts its numbers leaves a page empty if both sides have headers and the side is the same', () => {
  const headed = `<w:headerReference w:type="default" r:id="h"/><w:headerReference w:type="even" r:id="h"/>${smallSection}`
  const shown = (pages: number, start: number, settings = '<w:evenAndOddHeaders/>') => {
    const body = p('a', '<w:pageBreakBefore/>').repeat(pages)
    const opening = `<w:p><w:pPr><w:sectPr>${headed}</w:sectPr></w:pPr></w:p>`
    const section = `${headed}<w:pgNumType w:start="${start}"/>`
    const parts = { section, settings, headers: { h: p('H') } }
    return pagesOf(body + opening + p('z'), parts).map((page) => page.map((line) => line.at(-1)).join(''))
  }
  // Page iii, then page 1: Word's PDF has a page between them on which there is nothing, not even a header.
  expect(shown(3, 1)).toEqual(['Ha', 'Ha', 'Ha', '', 'Hz'])
  expect(shown(2, 1)).toEqual(['Ha', 'Ha', 'Hz'])
  expect(shown(2, 2)).toEqual(['Ha', 'Ha', '', 'Hz'])
  expect(shown(3, 1, '')).toEqual(['Ha', 'Ha', 'Ha', 'Hz'])
})

test('a continuous section on paper of another size or direction begins a page', () => {
  const opening = (properties = smallSection) =>
    `${p('a')}<w:p><w:pPr><w:sectPr>${properties}</w:sectPr></w:pPr></w:p>${p('b')}`
  const section = `<w:type w:val="continuous"/>${smallSection}`
  expect(pagesOf(opening(), { section })).toHaveLength(1)
  expect(pagesOf(opening(smallSection.replace('w:w="6000"', 'w:w="6020"')), { section })).toHaveLength(2)
  expect(pagesOf(opening(smallSection.replace('w:h="8000"', 'w:h="8020"')), { section })).toHaveLength(2)
  // A page that lies on its side is as wide as the other is high.
  const square = smallSection.replace('w:h="8000"', 'w:h="6000"')
  const turned = `${square}<w:textDirection w:val="tbRl"/>`
  expect(pagesOf(opening(turned), { section: `<w:type w:val="continuous"/>${square}` })).toHaveLength(2)
})
