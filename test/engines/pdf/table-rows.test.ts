import { describe, expect, test } from 'bun:test'
import type { StructureNode } from '../../../src/engines/pdf/frame/frame.ts'
import { dump, dumpShapes, dumpTexts, layoutOf, p, textFrames, wordDocument } from './word.ts'

/*
 * The small page: text from 50 to 250 pt across and from 50 to 350 pt down; a line of Arial 10 pt is 11.5 pt high, its
 * baseline 9.4 pt down; 26 lines fill the page. A cell has 5.4 pt of padding at its sides.
 */
const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`
const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`
const rowOf = (properties: string, ...cells: string[]) => `<w:tr><w:trPr>${properties}</w:trPr>${cells.join('')}</w:tr>`
const table = (grid: number[], properties: string, ...rows: string[]) =>
  `<w:tbl><w:tblPr><w:tblLayout w:type="fixed"/>${properties}</w:tblPr><w:tblGrid>${grid.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>${rows.join('')}</w:tbl>`
const pagesOf = (body: string, parts: Parameters<typeof wordDocument>[1] = {}) =>
  layoutOf(wordDocument(body, parts)).pages.map((page) => dump(page))
const lines = (count: number, name = 'l') => Array.from({ length: count }, (_, index) => p(`${name}${index}`)).join('')
const starts = '<w:vMerge w:val="restart"/>'
const continues = '<w:vMerge/>'

describe('the structure of a table', () => {
  /** The rows of a table as their cells are read out: kind, spans and scope. */
  const rowsOf = (body: string) => {
    const { structure } = layoutOf(wordDocument(body))
    const cellsOf = (parent: number) =>
      structure.filter((node) => node.parent === parent && /^T[HD]$/.test(node.type)).map(shown)
    return structure.flatMap(({ type }, index) => (type === 'TR' ? [cellsOf(index).join(' ')] : []))
  }
  const shown = ({ type, columnSpan, rowSpan, scope }: StructureNode) =>
    [type, columnSpan && `c${columnSpan}`, rowSpan && `r${rowSpan}`, scope].filter(Boolean).join('-')

  test('says how many rows and columns a merged cell takes, and nothing of others', () => {
    const body = table(
      [1000, 1000, 1000],
      '',
      row(cell(p('a'), starts), cell(p('b'), '<w:gridSpan w:val="2"/>')),
      row(cell(p(''), continues), cell(p('c')), cell(p('d'), starts)),
      row(cell(p(''), continues), cell(p('e')), cell(p('f'), starts)),
    )
    expect(rowsOf(body)).toEqual(['TD-r3 TD-c2', 'TD TD', 'TD TD'])
  })

  test('counts columns that a row leaves out at its sides as empty cells, and there are no others', () => {
    const body = table(
      [1000, 1000, 1000, 1000],
      '',
      row(cell(p('a')), cell(p('b')), cell(p('c')), cell(p('d'))),
      rowOf('<w:gridBefore w:val="2"/>', cell(p('e')), cell(p('f'))),
      rowOf('<w:gridBefore w:val="1"/><w:gridAfter w:val="1"/>', cell(p('g'), '<w:gridSpan w:val="2"/>')),
      row(cell(p('h'))),
    )
    expect(rowsOf(body)).toEqual(['TD TD TD TD', 'TD-c2 TD TD', 'TD TD-c2 TD', 'TD TD-c3'])
  })

  test('heads the columns with the rows that are repeated', () => {
    const head = rowOf('<w:tblHeader/>', cell(p('h')), cell(p('i')))
    expect(rowsOf(table([1000, 1000], '', head, row(cell(p('a')), cell(p('b')))))).toEqual([
      'TH-Column TH-Column',
      'TD TD',
    ])
  })
})

describe('header rows', () => {
  const head = (text: string) => rowOf('<w:tblHeader/>', cell(p(text)))
  const words = (pages: string[][]) => pages.map((page) => page.map((line) => line.split(' ')[1]))

  test('are never alone at the bottom of a page', () => {
    const body = (above: number) => lines(above) + table([2000], '', head('h'), row(cell(p('a'))), row(cell(p('b'))))
    expect(words(pagesOf(body(25)))[1]).toEqual(['h', 'a', 'b'])
    expect(words(pagesOf(body(24))).map((page) => page.slice(-2))).toEqual([
      ['h', 'a'],
      ['h', 'b'],
    ])
  })

  test('are repeated on each page of their table, unless they would take half of it', () => {
    const body = (heads: number) =>
      table(
        [2000],
        '',
        ...Array.from({ length: heads }, (_, at) => head(`h${at}`)),
        ...Array.from({ length: 30 }, (_, at) => row(cell(p(`r${at}`)))),
      )
    const twelve = words(pagesOf(body(13)))
    expect(twelve.map((page) => [page.length, page[0], page[13]])).toEqual([
      [26, 'h0', 'r0'],
      [26, 'h0', 'r13'],
      [17, 'h0', 'r26'],
    ])
    const fourteen = words(pagesOf(body(14)))
    expect(fourteen.map((page) => [page.length, page[0]])).toEqual([
      [26, 'h0'],
      [18, 'r12'],
    ])
  })

  test('that are all a table has do not repeat, and the last counts as its body', () => {
    const body = table([2000], '', ...Array.from({ length: 30 }, (_, at) => head(`h${at}`)))
    expect(words(pagesOf(body))[1]!.at(-1)).toBe('h29')
  })
})

describe('a row of exact height', () => {
  const exact = (points: number, content: string, properties = '') =>
    rowOf(`<w:trHeight w:val="${points * 20}" w:hRule="exact"/>`, cell(content, properties))

  test('cuts off what runs over it, and leaves out the lines that begin below it', () => {
    const [page] = layoutOf(wordDocument(table([2000], '', exact(15, lines(4)), row(cell(p('next')))))).pages
    expect(dump(page!)).toEqual(['55.4,59.4 l0', '55.4,70.9 l1', '55.4,74.4 next'])
    const clips = page!.frames.flatMap((frame) =>
      frame.kind === 'clip' ? [[frame.x, frame.y, frame.width, frame.height]] : [],
    )
    expect(clips).toEqual([[50, 50, 100, 15]])
    const [fitting] = layoutOf(wordDocument(table([2000], '', exact(23, lines(2))))).pages
    expect(fitting!.frames.some(({ kind }) => kind === 'clip')).toBe(false)
  })

  test('is never cut, even where it runs over the page', () => {
    const pages = pagesOf(lines(20) + table([2000], '', exact(100, lines(8, 'e'))) + p('after'))
    expect(pages[0]).toHaveLength(20)
    expect(pages[1]!.at(-1)).toBe('50.0,159.4 after')
  })
})

describe('automatic text', () => {
  const dark = '<w:shd w:val="clear" w:fill="000000"/>'
  const colours = (body: string) =>
    Object.fromEntries(textFrames(layoutOf(wordDocument(body)).pages[0]!).map(({ text, look }) => [text, look.color]))

  test('is white on the dark ground of its own cell and of the cell around its table', () => {
    const nested = table([1000], '', row(cell(p('inner'))))
    const light = table([1000], '', row(cell(p('light'), '<w:shd w:val="clear" w:fill="FFFFFF"/>')))
    const body = table([3000, 1000], '', row(cell(`${p('dark')}${nested}${light}<w:p/>`, dark), cell(p('plain'))))
    expect(colours(body)).toEqual({ dark: 'FFFFFF', inner: 'FFFFFF', light: '000000', plain: '000000' })
  })
})

test('the lower edge of a table takes the room of its last row’s border, and not of its first one’s', () => {
  const edge = (size: number) => `<w:tcBorders><w:bottom w:val="single" w:sz="${size}" w:color="000000"/></w:tcBorders>`
  const after = (first: number, last: number) =>
    pagesOf(table([2000], '', row(cell(p('a'), edge(first))), row(cell(p('b'), edge(last)))) + p('after'))[0]
  // Borders of 6 and 1 pt: one is between the rows, the other below them.
  expect(after(48, 8)).toEqual(['55.4,59.4 a', '55.4,76.9 b', '50.0,89.4 after'])
  expect(after(8, 48)).toEqual(['55.4,59.4 a', '55.4,71.9 b', '50.0,89.4 after'])
})

describe('a cell merged over rows', () => {
  test('makes its last row higher by what it lacks, its own margins included', () => {
    const margins = '<w:tcMar><w:top w:w="200" w:type="dxa"/><w:bottom w:w="100" w:type="dxa"/></w:tcMar>'
    const body = (properties: string) =>
      table(
        [1000, 1000],
        '',
        row(cell(lines(5), starts + properties), cell(p('a'))),
        row(cell(p(''), continues), cell(p('b'))),
      ) + p('after')
    const after = (properties: string) => Number(pagesOf(body(properties))[0]!.at(-1)!.split(/[, ]/)[1])
    expect(after('')).toBeCloseTo(50 + 5 * 11.5 + 9.4, 1)
    // The first row is as much higher by the margins: they count for all of its cells.
    expect(after(margins)).toBeCloseTo(50 + 15 + 5 * 11.5 + 9.4, 1)
  })

  test('that is aligned to its middle or foot has each line on the page of the row beside it', () => {
    const merged = (align: string, rows: number) =>
      table(
        [1000, 1000],
        '',
        row(cell(p('m'), `${starts}<w:vAlign w:val="${align}"/>`), cell(lines(2, 'a'))),
        ...Array.from({ length: rows - 1 }, (_, at) => row(cell(p(''), continues), cell(lines(2, 'bcd'[at])))),
      )
    const pageOf = (align: string, above: number) =>
      pagesOf(lines(above) + merged(align, 4)).findIndex((page) => page.some((line) => line.endsWith(' m')))
    // Four rows of two lines: two rows are on the first page below 22 lines, one below 24.
    expect(['top', 'center', 'bottom'].map((align) => pageOf(align, 22))).toEqual([0, 0, 1])
    expect(['top', 'center', 'bottom'].map((align) => pageOf(align, 24))).toEqual([0, 1, 1])
    const [page] = pagesOf(merged('bottom', 4))
    expect(page!.find((line) => line.endsWith(' m'))).toBe('55.4,139.9 m')
    const [centred] = pagesOf(merged('center', 4))
    expect(centred!.find((line) => line.endsWith(' m'))).toBe('55.4,99.7 m')
  })
})

test('footnotes of text that is turned are at the foot of the page in the order of their references', () => {
  const reference = (id: number) => `<w:p><w:r><w:t>see</w:t></w:r><w:r><w:footnoteReference w:id="${id}"/></w:r></w:p>`
  const footnotes = [1, 2].map((id) => `<w:footnote w:id="${id}">${p(`n${id}`)}</w:footnote>`).join('')
  const turned = cell(reference(1) + reference(2), '<w:textDirection w:val="btLr"/>')
  const { pages } = layoutOf(wordDocument(table([1000, 1000], '', row(turned, cell(p('a')))), { footnotes }))
  const notes = dumpTexts(pages[0]!.frames).filter((line) => / n\d$/.test(line))
  expect(notes).toEqual(['50.0,336.4 n1', '50.0,347.9 n2'])
})

test('lines of turned text are as long as their row is high without the margins of the cell', () => {
  const mono = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>'
  const margins = '<w:tcMar><w:top w:w="200" w:type="dxa"/><w:bottom w:w="100" w:type="dxa"/></w:tcMar>'
  const turned = cell(p('aa bb cc dd ee', '', mono), `${margins}<w:textDirection w:val="btLr"/>`)
  const linesOf = (height: string) =>
    dumpTexts(layoutOf(wordDocument(table([1500, 1000], '', rowOf(height, turned, cell(p('x')))))).pages[0]!.frames)
      .filter((line) => !line.endsWith('x'))
      .map((line) => line.split(' ').slice(1).join(' '))
  const high = (points: number, rule: string) => `<w:trHeight w:val="${points * 20}" w:hRule="${rule}"/>`
  // Five characters take 30.01 pt and eight 48.01, the margins 15.
  expect(linesOf(high(46, 'exact'))).toEqual(['aa bb', 'cc dd', 'ee'])
  expect(linesOf(high(44, 'exact'))).toEqual(['aa', 'bb', 'cc', 'dd', 'ee'])
  expect(linesOf(high(64, 'exact'))).toEqual(['aa bb cc', 'dd ee'])
  expect(linesOf(high(45, 'atLeast'))).toEqual(['aa bb cc dd ee'])
})

test('a row keeps with the next if the first paragraph of its first cell does', () => {
  const kept = (properties: string, other = '') => row(cell(p('a', properties)), cell(p('x', other)))
  const body = (first: string) => lines(25) + table([1000, 1000], '', first, row(cell(p('b')), cell(p('y'))))
  const second = (first: string) => pagesOf(body(first))[1]!.map((line) => line.split(' ')[1])
  expect(second(kept('<w:keepNext/>'))).toEqual(['a', 'x', 'b', 'y'])
  expect(second(kept('', '<w:keepNext/>'))).toEqual(['b', 'y'])
  // The last row keeps with nothing.
  const last = lines(25) + table([1000], '', row(cell(p('a', '<w:keepNext/>')))) + p('after')
  expect(pagesOf(last)[1]!.map((line) => line.split(' ')[1])).toEqual(['after'])
})

test('the shading of a row’s exceptions and of a cell are boxes as large as the cell, and automatic shading is none', () => {
  const shaded = (color: string) => `<w:shd w:val="clear" w:fill="${color}"/>`
  const body = table(
    [1000, 2000],
    shaded('111111'),
    row(cell(p('a'), shaded('222222')), cell(p('b'))),
    row(cell(p('c'), shaded('auto')), cell(p('d'), shaded('333333'))),
  )
  const [page] = layoutOf(wordDocument(body)).pages
  expect(dumpShapes(page!)).toEqual([
    'box 50.0,50.0 50.0×11.5',
    'box 100.0,50.0 100.0×11.5',
    'box 100.0,61.5 100.0×11.5',
  ])
  const colours = page!.frames.flatMap((frame) => (frame.kind === 'box' ? [frame.color] : []))
  expect(colours).toEqual(['222222', '111111', '333333'])
})

test('the outer borders of a table are at its sides only, and the inner ones between its cells', () => {
  const all = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map(
    (edge, at) => `<w:${edge} w:val="single" w:sz="8" w:color="00000${at}"/>`,
  )
  const cells = () => row(cell(p('a')), cell(p('b')), cell(p('c')))
  const body = table([1000, 1000, 1000], `<w:tblBorders>${all.join('')}</w:tblBorders>`, cells(), cells(), cells())
  const drawn = layoutOf(wordDocument(body)).pages[0]!.frames.flatMap((frame) =>
    frame.kind === 'line'
      ? [`${frame.color.at(-1)} ${frame.x1 === frame.x2 ? `x ${frame.x1}` : `y ${frame.y1.toFixed(1)}`}`]
      : [],
  )
  // Rows of 11.5 pt below borders of one; the grid begins in the middle of the left one.
  expect([...new Set(drawn)].toSorted()).toEqual([
    '0 y 50.5',
    '1 x 50.5',
    '2 y 88.0',
    '3 x 200.5',
    '4 y 63.0',
    '4 y 75.5',
    '5 x 100.5',
    '5 x 150.5',
  ])
})

test('a row is as high as an object that floats beside its second paragraph reaches', () => {
  const box =
    '<w:r><w:drawing><wp:anchor distT="0" distB="0" distL="0" distR="0" behindDoc="0" layoutInCell="1"><wp:positionH relativeFrom="column"><wp:posOffset>0</wp:posOffset></wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV><wp:extent cx="254000" cy="508000"/><wp:wrapSquare wrapText="bothSides"/><wp:docPr id="1" name="x"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:spPr><a:prstGeom prst="rect"/></wps:spPr><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r>'
  const content = `${p('a')}<w:p>${box}<w:r><w:t>b</w:t></w:r></w:p>`
  const [page] = pagesOf(table([3000], '', row(cell(content)), row(cell(p('next')))))
  // A line of 11.5 pt, and 40 pt of the object.
  expect(page!.at(-1)).toBe('55.4,110.9 next')
})

test('a row that makes an exception of one property has all others of its table', () => {
  const margins = '<w:tblCellMar><w:left w:w="400" w:type="dxa"/></w:tblCellMar>'
  const edges = '<w:tblBorders><w:top w:val="single" w:sz="8"/><w:left w:val="single" w:sz="8"/></w:tblBorders>'
  const excepted = (exception: string) => `<w:tr><w:tblPrEx>${exception}</w:tblPrEx>${cell(p('a'))}</w:tr>`
  const drawn = (exception: string) => {
    const [page] = layoutOf(wordDocument(table([2000], `${edges}${margins}`, excepted(exception)))).pages
    return [
      dump(page!)[0]!.split(',')[0],
      dumpShapes(page!)
        .map((shape) => shape.split(' ')[0]!)
        .join(' '),
    ]
  }
  const shading = '<w:shd w:val="clear" w:fill="EEEEEE"/>'
  expect(drawn('')).toEqual(['70.5', 'line line'])
  expect(drawn(shading)).toEqual(['70.5', 'box line line'])
  expect(drawn('<w:tblBorders><w:bottom w:val="single" w:sz="8"/></w:tblBorders>')).toEqual(['70.5', 'line line line'])
  expect(drawn('<w:tblCellMar><w:left w:w="200" w:type="dxa"/></w:tblCellMar>')).toEqual(['60.5', 'line line'])
})

describe('a cell that continues a merge which nothing above it began', () => {
  const grid = [1000, 1000]
  const texts = (...rows: string[]) =>
    dumpTexts(layoutOf(wordDocument(table(grid, '', ...rows) + p('after'))).pages[0]!.frames).map((line) =>
      line.replace(/^\S+ /, ''),
    )

  test('begins it, and its text is shown', () => {
    const first = row(cell(p('orphan'), continues), cell(p('b')))
    expect(texts(first)).toEqual(['orphan', 'b', 'after'])
    expect(texts(row(cell(p('a')), cell(p('b'))), first)).toEqual(['a', 'b', 'orphan', 'b', 'after'])
    // The row in which it began was deleted, with the change tracked.
    const deleted = rowOf('<w:del w:id="1"/>', cell(p('gone'), starts), cell(p('x')))
    expect(texts(deleted, first)).toEqual(['orphan', 'b', 'after'])
    // Skipped columns count: the merge above is another column's.
    const above = row(cell(p('a'), starts), cell(p('b')))
    const skipping = rowOf('<w:gridBefore w:val="1"/>', cell(p('orphan'), continues))
    expect(texts(above, skipping)).toEqual(['a', 'b', 'orphan', 'after'])
  })

  test('is continued by those below it', () => {
    const orphan = row(cell(p('orphan'), continues), cell(p('b')))
    const below = row(cell(p(''), continues), cell(p('c')))
    const { structure } = layoutOf(wordDocument(table(grid, '', orphan, below)))
    expect(structure.filter(({ type }) => type === 'TD').map(({ rowSpan }) => rowSpan)).toEqual([
      ...[2, undefined, undefined],
    ])
    const merged = row(cell(p('a'), starts), cell(p('b')))
    expect(texts(merged, row(cell(p('hidden'), continues), cell(p('c'))))).toEqual(['a', 'b', 'c', 'after'])
  })
})
