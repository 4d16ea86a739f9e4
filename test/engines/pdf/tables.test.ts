import { describe, expect, test } from 'bun:test'
import { dump, dumpShapes, layoutOf, p, wordDocument } from './word.ts'

/*
 * Tables beside LibreOffice's. The small page: text from 50 to 250 pt across, starting 50 pt down; Arial 10 pt has a
 * line pitch of 11.5 pt and its first baseline 9.4 pt below the line's top; a cell has 5.4 pt of padding at its sides.
 */
const pageOf = (body: string, parts: Parameters<typeof wordDocument>[1] = {}) =>
  layoutOf(wordDocument(body, parts)).pages

const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`
const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`
const table = (grid: number[], properties: string, ...rows: string[]) =>
  `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${grid.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>${rows.join('')}</w:tbl>`
const wide = (twips: number) => `<w:tcW w:w="${twips}" w:type="dxa"/>`

describe('the end of a cell', () => {
  const double = '<w:spacing w:line="480" w:lineRule="auto"/>'
  const large = '<w:sz w:val="40"/>'

  test('line spacing below the last paragraph depends on the size of its style, not of its text', () => {
    const [page] = pageOf(table([2000], '', row(cell(p('big', double, large))), row(cell(p('next')))))
    // 23 pt of text, then 15 percent more than the style's 10 pt; by the text it would be 23 pt once more.
    expect(dump(page!)).toEqual(['55.4,68.8 big', '55.4,93.9 next'])
  })

  test('line spacing between the paragraphs of a cell depends on the text', () => {
    const [page] = pageOf(table([2000], '', row(cell(p('big', double, large) + p('next')))))
    expect(dump(page!)).toEqual(['55.4,68.8 big', '55.4,105.4 next'])
  })
})

describe('the widths of columns', () => {
  const left = (body: string) => dump(pageOf(body)[0]!).map((line) => line.split(',')[0])

  test('the stored grid wins if it fills the table and the cells ask for more than there is', () => {
    const cells = row(cell(p('a'), wide(2000)), cell(p('b'), wide(3600)))
    expect(left(table([1000, 2600], '<w:tblW w:w="3600" w:type="dxa"/>', cells))).toEqual(['55.4', '105.4'])
    // A grid that does not fill the table is out of date.
    expect(left(table([500, 500], '<w:tblW w:w="3600" w:type="dxa"/>', cells))).not.toContain('80.4')
  })

  test('cells of one column that ask for different widths win over the grid, as far as words leave room', () => {
    const cells = [600, 3000].map((width) => row(cell(p('a'), wide(1200)), cell(p('b'), wide(width))))
    // 60 and 150 pt are asked for, and 120 there. A letter and padding take 16.36 pt: both give 51 % of what is beyond.
    expect(left(table([1200, 1200], '<w:tblW w:w="2400" w:type="dxa"/>', ...cells))).toEqual([
      ...['55.4', '93.2'],
      ...['55.4', '93.2'],
    ])
  })

  test('cells that fill the table by themselves win over a grid that says otherwise', () => {
    const cells = row(cell(p('a'), wide(2600)), cell(p('b'), wide(1000)))
    expect(left(table([1000, 2600], '<w:tblW w:w="3600" w:type="dxa"/>', cells))).toEqual(['55.4', '185.4'])
  })

  test('a grid that the cells agree with can extend into the margin', () => {
    const cells = row(cell(p('a'), wide(3000)), cell(p('b'), wide(1200)))
    expect(left(table([3000, 1200], '<w:tblW w:w="0" w:type="auto"/>', cells))).toEqual(['55.4', '205.4'])
  })

  test('a cell over several columns asks for the room of its words from all of them together, not from each', () => {
    const spanning = row(cell(p('Incomprehensibilities'), '<w:gridSpan w:val="2"/>'))
    const body = table([1900, 400], '<w:tblW w:w="2300" w:type="dxa"/>', spanning, row(cell(p('a')), cell(p('b'))))
    expect(left(body)).toEqual(['55.4', '55.4', '150.4'])
  })

  test('columns that merged cells leave a few twips wide stay as narrow', () => {
    const first = row(cell(p('a'), '<w:gridSpan w:val="3"/>'), cell(p('b')))
    const second = row(cell(p('c')), cell(p('d'), '<w:gridSpan w:val="3"/>'))
    const body = table([1000, 10, 10, 980], '<w:tblLayout w:type="fixed"/>', first, second)
    expect(left(body)).toEqual(['55.4', '106.4', '55.4', '105.4'])
  })

  test('a fixed table keeps the grid that fills its width even if its cells ask for more', () => {
    const fixed = '<w:tblW w:w="2000" w:type="dxa"/><w:tblLayout w:type="fixed"/>'
    const cells = (first: number) => row(cell(p('a'), wide(first)), cell(p('b'), wide(1500)))
    expect(left(table([600, 1400], fixed, cells(900)))).toEqual(['55.4', '85.4'])
    // What they can have, they get.
    expect(left(table([600, 1400], fixed, cells(500)))).toEqual(['55.4', '80.4'])
  })

  test('the stored grid includes the space between cells, and their own widths do not', () => {
    const cells = row(cell(p('a'), wide(800)), cell(p('b'), wide(800)))
    const spaced = '<w:tblW w:w="0" w:type="auto"/><w:tblCellSpacing w:w="100" w:type="dxa"/>'
    expect(left(table([1000, 1000], spaced, cells))).toEqual(['55.4', '105.4'])
  })

  test('a column can be narrower than a word that splits at its hyphen', () => {
    const cells = row(cell(p('Turn-Around'), wide(1000)), cell(p('b'), wide(1200)))
    expect(left(table([1000, 1200], '<w:tblW w:w="0" w:type="auto"/>', cells))).toEqual(['55.4', '55.4', '105.4'])
  })
})

describe('borders', () => {
  const all = (style: string, size: number) =>
    `<w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map((edge) => `<w:${edge} w:val="${style}" w:sz="${size}" w:color="000000"/>`).join('')}</w:tblBorders>`
  const one = (style: string, size: number, text = 'a', align = 'left') =>
    table(
      [2000],
      `${all(style, size)}<w:tblW w:w="2000" w:type="dxa"/>`,
      row(cell(p(text, `<w:jc w:val="${align}"/>`))),
    )

  test('have their outer edge at the margin, and the text keeps the cell’s margins from their middle', () => {
    // The grid lines are at 51.5 and 151.5 pt.
    const left = dumpShapes(pageOf(one('single', 24))[0]!)
    expect(left).toContain('line 51.5,50.0 51.5,67.5')
    expect(dump(pageOf(one('single', 24))[0]!)).toEqual(['56.9,62.4 a'])
    const right = dump(pageOf(one('single', 24, 'a', 'right'))[0]!)
    expect(right).toEqual([`${(151.5 - 5.4 - 5.56).toFixed(1)},62.4 a`])
  })

  test('wider than the cell’s margins push the text away, on the right only by what the margins leave', () => {
    // 6 pt on either side of a grid line, which is at 56 pt: more than the margin of 5.4 pt.
    expect(dump(pageOf(one('single', 96))[0]!)).toEqual(['62.0,71.4 a'])
    const right = dump(pageOf(one('single', 96, 'a', 'right'))[0]!)
    expect(right).toEqual([`${(156 - 6 - 5.56).toFixed(1)},71.4 a`])
  })

  test('that are raised or sunken have two strokes, and thick ones are single', () => {
    const top = (style: string) => dump(pageOf(one(style, 16))[0]!)[0]!.split(/[, ]/)[1]
    expect(top('single')).toBe('61.4')
    // One stroke of 0.75 pt, then a gap and a stroke of 1.65 pt.
    expect(top('outset')).toBe('63.5')
    expect(top('inset')).toBe(top('outset'))
    expect(top('threeDEmboss')).toBe('63.4')
    expect(top('thick')).toBe(top('single'))
    const strokes = dumpShapes(pageOf(one('outset', 16))[0]!).slice(0, 2)
    expect(strokes).toEqual(['line 51.0,50.4 153.0,50.4', 'line 51.0,53.2 153.0,53.2'])
  })
})

describe('the margins of cells', () => {
  test('above and below are the largest of the row for all of its cells', () => {
    const margins = '<w:tcMar><w:top w:w="200" w:type="dxa"/><w:bottom w:w="100" w:type="dxa"/></w:tcMar>'
    const body = table([1000, 1000], '', row(cell(p('a')), cell(p('b'), margins)), row(cell(p('c')), cell(p('d'))))
    // 10 pt above, 5 pt below, and nothing of either in the next row.
    expect(dump(pageOf(body)[0]!)).toEqual(['55.4,69.4 a', '105.4,69.4 b', '55.4,85.9 c', '105.4,85.9 d'])
    const low = row(cell(p('a') + p('a2')), cell(p('b'), margins))
    expect(dump(pageOf(table([1000, 1000], '', low) + p('after'))[0]!).at(-1)).toBe('50.0,97.4 after')
  })
})

describe('without a styles part', () => {
  const edges = ['top', 'left', 'bottom', 'right']
  const bordered = (size: number) =>
    `<w:tblBorders>${edges.map((edge) => `<w:${edge} w:val="single" w:sz="${size}"/>`).join('')}</w:tblBorders>`
  const body = (properties: string) => table([2000], properties, row(cell(p('a'))))
  const left = (properties: string, settings = '') => {
    const [page] = pageOf(body(properties), { withoutStyles: true, settings })
    return { text: Number(dump(page!)[0]?.split(',')[0]), lines: dumpShapes(page!) }
  }

  test('the grid begins at the margin, and text keeps half a point from it, or half of a wider border, as in Word', () => {
    expect(left('').text).toBe(50.5)
    expect(left(bordered(4)).text).toBe(50.5)
    expect(left(bordered(16)).text).toBe(51)
    // The left border, with its middle at the margin.
    expect(left(bordered(16)).lines.some((line) => /^line 50\.0,.* 50\.0,/.test(line))).toBe(true)
  })

  test('margins that the table states hold, and since Word 2013 the table is placed as any other', () => {
    const stated = '<w:tblCellMar><w:left w:w="100" w:type="dxa"/></w:tblCellMar>'
    expect(left(stated).text).toBe(50)
    const modern =
      '<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>'
    expect(left('', modern).text).toBe(55.4)
    // An old document that has styles hangs its tables by the margins of cells.
    expect(dump(pageOf(body(''), { settings: '' })[0]!)[0]).toStartWith('50.0,')
  })
})

describe('rows across pages', () => {
  const lines = (count: number, name = 'l') =>
    Array.from({ length: count }, (_, index) => p(`${name}${index}`)).join('')
  const bottom =
    '<w:tblBorders><w:bottom w:val="single" w:sz="48"/><w:insideH w:val="single" w:sz="48"/></w:tblBorders>'

  test('the border below the last row of a page is on that page', () => {
    const body = (above: number) =>
      p('x', `<w:spacing w:line="${above}" w:lineRule="exact"/>`) +
      table([2000], bottom, row(cell(p('a'))), row(cell(p('b'))), row(cell(p('c'))))
    // Two rows and the border between them are 29 pt, the border below takes 6 more.
    expect(dump(pageOf(body(20 * 265))[0]!).map((line) => line.at(-1))).toEqual(['x', 'a', 'b'])
    expect(dump(pageOf(body(20 * 266))[0]!).map((line) => line.at(-1))).toEqual(['x', 'a'])
  })

  test('a row that may split does so where the page ends, whatever widow, orphan and keep settings say', () => {
    const paragraph = `<w:p><w:pPr><w:keepLines/><w:keepNext/></w:pPr><w:r>${'one two'
      .split(' ')
      .map((word) => `<w:t>${word}</w:t>`)
      .join('<w:br/>')}</w:r></w:p>`
    const pages = pageOf(lines(24) + table([2000], '', row(cell(paragraph + p('after')))))
    expect(
      pages.map((page) =>
        dump(page)
          .slice(-3)
          .map((line) => line.split(' ')[1]),
      ),
    ).toEqual([['l23', 'one', 'two'], ['after']])
    const later = pageOf(lines(25) + table([2000], '', row(cell(paragraph + p('after')))))
    expect(dump(later[1]!).map((line) => line.split(' ')[1])).toEqual(['two', 'after'])
    const whole = `<w:tr><w:trPr><w:cantSplit/></w:trPr>${cell(paragraph + p('after'))}</w:tr>`
    expect(dump(pageOf(lines(25) + table([2000], '', whole))[1]!)).toHaveLength(3)
  })

  test('a part of a row has its paragraph’s space above and the cell’s space below, and is aligned separately', () => {
    const spaced = '<w:spacing w:before="80" w:after="120"/>'
    const broken = (words: string) =>
      `<w:p><w:pPr>${spaced}</w:pPr><w:r>${words
        .split(' ')
        .map((word) => `<w:t>${word}</w:t>`)
        .join('<w:br/>')}</w:r></w:p>`
    const parted = row(cell(p('beside'), '<w:vAlign w:val="center"/>'), cell(broken('one two three')))
    const pages = pageOf(lines(23) + table([1000, 1000], '', parted, row(cell(p('next')))))
    // 4 pt and two lines are 27 pt high, of which the one beside leaves 15.5: half of it is above.
    expect(dump(pages[0]!).slice(-3)).toEqual(['55.4,331.6 beside', '105.4,327.9 one', '105.4,339.4 two'])
    expect(dump(pages[1]!)).toEqual(['105.4,63.4 three', '55.4,80.9 next'])
    // Where the other column is the longer, nothing of the first is left to go over.
    const later = pageOf(lines(24) + table([1000, 1000], '', row(cell(broken('one two')), cell(broken('a b c d')))))
    expect(dump(later[1]!)).toEqual(['55.4,63.4 two', '105.4,63.4 b', '105.4,74.9 c', '105.4,86.4 d'])
  })

  test('the text of a merged cell continues on the next page with the rows beside it', () => {
    const merged = (index: number) => (index === 0 ? '<w:vMerge w:val="restart"/>' : '<w:vMerge/>')
    const rows = (content: string) =>
      Array.from({ length: 10 }, (_, index) =>
        row(cell(index === 0 ? content : p(''), merged(index)), cell(lines(4, `r${index}-`))),
      )
    const pages = pageOf(table([1500, 1500], '', ...rows(lines(38, 'm'))))
    expect(pages).toHaveLength(2)
    // The page's text ends at 350 pt; nothing is lost below it.
    const baselines = pages.flatMap((page) => dump(page).map((line) => Number(line.split(/[, ]/)[1])))
    expect(Math.max(...baselines)).toBeLessThan(350)
    expect(baselines).toHaveLength(38 + 40)
    expect(dump(pages[1]!).slice(0, 3)).toEqual(['55.4,59.4 m26', '55.4,70.9 m27', '130.4,59.4 r6-2'])
    // Where it fits on one page, it stays where it was.
    const [page] = pageOf(table([1500, 1500], '', ...rows(lines(6, 'm')).slice(0, 3)))
    const column = dump(page!).filter((line) => / m\d$/.test(line))
    expect(column.map((line) => line.split(/[, ]/)[1])).toEqual(['59.4', '70.9', '82.4', '93.9', '105.4', '116.9'])
  })

  test('the background of a merged cell ends with the rows of a page and continues with those of the next', () => {
    const shaded = '<w:shd w:val="clear" w:fill="AABBCC"/>'
    const other = '<w:shd w:val="clear" w:fill="112233"/>'
    const rows = Array.from({ length: 10 }, (_, index) =>
      row(
        cell(p(index === 0 ? 'm' : ''), index === 0 ? `<w:vMerge w:val="restart"/>${shaded}` : `<w:vMerge/>${other}`),
        cell(lines(4, `r${index}-`)),
      ),
    )
    const pages = pageOf(table([1500, 1500], '', ...rows))
    expect(pages).toHaveLength(2)
    const boxes = pages.map((page) => page.frames.filter((frame) => frame.kind === 'box'))
    expect(boxes.flat().every((box) => box.color === 'AABBCC')).toBe(true)
    // The page's text begins at 50 pt and ends at 350 pt.
    for (const page of boxes) {
      let y = 50
      for (const box of page) {
        expect(box.y).toBeCloseTo(y, 2)
        y += box.height
      }
      expect(y).toBeLessThan(350.01)
      expect(y).toBeGreaterThan(100)
    }
    const high = boxes.flat().reduce((sum, box) => sum + box.height, 0)
    expect(high).toBeCloseTo(40 * 11.5, 1)
  })

  test('a row that turns out not to be cut keeps the space between paragraphs of a table nested in it', () => {
    const nested = table([1000], '', row(cell(p('a', '<w:spacing w:after="400"/>') + p('b'))))
    const high = p('high', '<w:spacing w:line="1200" w:lineRule="exact"/>')
    const outer = table([1500, 1500], '', row(cell(`${nested}<w:p/>`), cell(high)))
    // 24 lines leave room for one line of the nested row, and for none of the cell beside it.
    const pages = pageOf(lines(24) + outer).map((page) => dump(page).map((line) => line.split(',')[1]))
    expect(pages[0]).toHaveLength(24)
    const alone = dump(pageOf(outer)[0]!).map((line) => line.split(',')[1])
    expect(pages[1]).toEqual(alone)
    // The first line is 11.5 pt high, and 20 pt are below it.
    expect(pages[1]!.filter((line) => / [ab]$/.test(line!))).toEqual(['59.4 a', '90.9 b'])
  })

  test('a paragraph that starts a page inside a cell keeps the space above it', () => {
    const pages = pageOf(lines(25) + table([2000], '', row(cell(p('a') + p('b', '<w:spacing w:before="200"/>')))))
    expect(dump(pages[1]!)).toEqual(['55.4,69.4 b'])
  })
})

describe('a floating object in a cell', () => {
  const box = (wrap: string, y = 0) =>
    `<w:r><w:drawing><wp:anchor distT="0" distB="0" distL="0" distR="0" behindDoc="0" layoutInCell="1"><wp:positionH relativeFrom="column"><wp:posOffset>0</wp:posOffset></wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>${y * 12700}</wp:posOffset></wp:positionV><wp:extent cx="${50 * 12700}" cy="${40 * 12700}"/>${wrap}<wp:docPr id="1" name="x"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:spPr><a:prstGeom prst="rect"/><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></wps:spPr><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r>`
  const words = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'
  const cells = (wrap: string, text: string, y = 0) =>
    table(
      [600, 3200],
      '<w:tblLayout w:type="fixed"/>',
      row(cell(p('a')), cell(`<w:p>${box(wrap, y)}<w:r><w:t>${text}</w:t></w:r></w:p>`)),
      row(cell(p('next')), cell(p('b'))),
    )

  test('takes room from the lines beside it, but not from lines below it or in another cell', () => {
    const lines = dump(pageOf(cells('<wp:wrapSquare wrapText="bothSides"/>', `${words} ${words}`))[0]!)
    const starts = lines.filter((line) => !/ (a|next|b)$/.test(line)).map((line) => line.split(',')[0])
    // Four lines of 11.5 pt are beside 40 pt.
    expect(starts.slice(0, 5)).toEqual(['135.4', '135.4', '135.4', '135.4', '85.4'])
    expect(lines[0]).toBe('55.4,59.4 a')
  })

  test('is kept in its row, unless it takes no room at all', () => {
    const next = (wrap: string, y = 0) =>
      dump(pageOf(cells(wrap, 'short', y))[0]!).find((line) => line.endsWith('next'))
    expect(next('<wp:wrapSquare wrapText="bothSides"/>')).toBe('55.4,99.4 next')
    expect(next('<wp:wrapSquare wrapText="bothSides"/>', 10)).toBe('55.4,109.4 next')
    expect(next('<wp:wrapNone/>')).toBe('55.4,70.9 next')
  })

  test('can be a table, which keeps its stated place', () => {
    const nested =
      '<w:tbl><w:tblPr><w:tblpPr w:vertAnchor="text" w:horzAnchor="margin" w:tblpX="400" w:tblpY="100"/></w:tblPr>' +
      `<w:tblGrid><w:gridCol w:w="800"/></w:tblGrid>${row(cell(p('n')))}</w:tbl>`
    const body = table([4000], '', row(cell(`${nested}${p(words)}`)))
    const [page] = pageOf(body)
    const lines = dump(page!)
    // 20 pt from the cell's text and 5 pt below its top, and then the padding of its own.
    expect(lines).toContain('80.8,64.4 n')
    expect(lines.filter((line) => !line.endsWith(' n')).length).toBeGreaterThan(2)
  })
})

test('a hidden row is left out if all of its text is hidden, and shown if some is not', () => {
  const row = (hidden: string, ...looks: string[]) =>
    `<w:tr><w:trPr>${hidden}</w:trPr>${looks.map((look) => `<w:tc><w:p><w:pPr><w:rPr>${look}</w:rPr></w:pPr><w:r><w:rPr>${look}</w:rPr><w:t>cell</w:t></w:r></w:p></w:tc>`).join('')}</w:tr>`
  const table = (...rows: string[]) =>
    `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/></w:tblGrid>${rows.join('')}</w:tbl>${p('behind')}`
  const linesOf = (...rows: string[]) => dump(layoutOf(wordDocument(table(...rows))).pages[0]!)
  const vanish = '<w:vanish/>'
  expect(linesOf(row('<w:hidden/>', vanish, vanish))).toEqual(['50.0,59.4 behind'])
  expect(linesOf(row('<w:hidden/>', vanish, ''))).toHaveLength(2)
  expect(linesOf(row('', vanish, vanish))).not.toContain('50.0,59.4 behind')
  expect(linesOf(row('<w:hidden w:val="0"/>', vanish, vanish))).not.toContain('50.0,59.4 behind')
})
