import { describe, expect, test } from 'bun:test'
import { plainPng } from './documents.ts'
import { dump, dumpShapes, layoutOf, p, renderingOf, textFrames, wordDocument } from './word.ts'

/* The small page: text from 50 to 250 pt across. Cells have 5.4 pt of padding; Courier New 10 pt has 6.001 pt a character. */
const mono = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>'
const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`
const text = (content: string, properties = '') => cell(p(content, '', mono), properties)
const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`
const table = (grid: number[], properties: string, ...rows: string[]) =>
  `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${grid.map((width) => `<w:gridCol w:w="${width * 20}"/>`).join('')}</w:tblGrid>${rows.join('')}</w:tbl>`
const wide = (points: number) => `<w:tcW w:w="${points * 20}" w:type="dxa"/>`
const span = (columns: number) => `<w:gridSpan w:val="${columns}"/>`
const fixed = '<w:tblLayout w:type="fixed"/>'
const total = (points: number) => `<w:tblW w:w="${points * 20}" w:type="dxa"/>`
const version = (mode: number) =>
  `<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${mode}"/></w:compat>`
const pageOf = (body: string, parts: Parameters<typeof wordDocument>[1] = {}) =>
  layoutOf(wordDocument(body, parts)).pages[0]!
/** Where the texts of a page begin, from left to right. */
const xs = (body: string, parts: Parameters<typeof wordDocument>[1] = {}) =>
  dump(pageOf(body, parts)).map((line) => Number(line.split(',')[0]))

describe('a table lies', () => {
  const two = row(text('a'), text('b'))
  const at = (properties: string, parts: Parameters<typeof wordDocument>[1] = {}) =>
    xs(table([60, 40], `${fixed}${properties}`, two), parts)
  const indent = (points: number) => `<w:tblInd w:w="${points * 20}" w:type="dxa"/>`

  test('at the margin, by its indent, in the middle or at the right', () => {
    expect(at('')).toEqual([55.4, 115.4])
    expect(at(indent(10))).toEqual([65.4, 125.4])
    expect(at(indent(-10))).toEqual([45.4, 105.4])
    expect(at('<w:jc w:val="center"/>')).toEqual([105.4, 165.4])
    expect(at('<w:jc w:val="right"/>')).toEqual([155.4, 215.4])
    // An indent says nothing of a table that is aligned.
    expect(at(`<w:jc w:val="right"/>${indent(10)}`)).toEqual([155.4, 215.4])
  })

  test('with its text at the margin before Word 2013', () => {
    expect(at('', { settings: version(14) })).toEqual([50, 110])
    expect(at(indent(10), { settings: version(14) })).toEqual([60, 120])
    expect(at('', { settings: version(15) })).toEqual([55.4, 115.4])
    const margins = '<w:tblCellMar><w:left w:w="200" w:type="dxa"/></w:tblCellMar>'
    expect(at(margins, { settings: version(14) })).toEqual([50, 110])
    expect(at(margins)).toEqual([60, 120])
  })

  test('from the right, with its first column there, where it reads so', () => {
    expect(at('<w:bidiVisual/>')).toEqual([195.4, 155.4])
    expect(at(`<w:bidiVisual/>${indent(10)}`)).toEqual([185.4, 145.4])
    const own = '<w:tcMar><w:left w:w="200" w:type="dxa"/><w:right w:w="40" w:type="dxa"/></w:tcMar>'
    // The margins of a cell change sides with it.
    expect(xs(table([60, 40], `${fixed}<w:bidiVisual/>`, row(text('a', own), text('b'))))).toEqual([192, 155.4])
  })

  test('in a cell no further left than that, and hangs in none', () => {
    const nested = (properties: string, mode: number) =>
      xs(table([150], fixed, row(cell(`${table([60, 40], `${fixed}${properties}`, two)}<w:p/>`))), {
        settings: version(mode),
      }).slice(0, 2)
    expect(nested('', 15)).toEqual([60.8, 120.8])
    expect(nested(indent(-10), 15)).toEqual([60.8, 120.8])
    expect(nested(indent(10), 15)).toEqual([70.8, 130.8])
    expect(nested('', 14)).toEqual([55.4, 115.4])
  })
})

test('the own right border of a table’s first cell keeps the text of all cells from the grid', () => {
  const ends = (properties: string) => {
    const [first, second] = [properties, ''].map((own) => cell(p('a', '<w:jc w:val="right"/>'), own))
    const body = table([60, 40], fixed, row(first!, second!))
    return textFrames(pageOf(body)).map((frame) => Math.round((frame.x + frame.width) * 10) / 10)
  }
  const border = '<w:tcBorders><w:right w:val="single" w:sz="96" w:color="000000"/></w:tcBorders>'
  expect(ends('')).toEqual([104.6, 144.6])
  // Half of 12 pt is more than the 5.4 pt of the margin.
  expect(ends(border)).toEqual([104, 144])
})

describe('the columns of a table', () => {
  test('that nothing gives a width share what a fixed table leaves, and have two points of nothing', () => {
    const three = row(text('a', wide(40)), text('b'), text('c'), text('d'))
    expect(xs(table([], `${fixed}${total(100)}`, three))).toEqual([55.4, 95.4, 115.4, 135.4])
    expect(xs(table([], `${fixed}${total(40)}`, three))).toEqual([55.4, 95.4, 97.4, 99.4])
    // A third of the text, as three columns state no width.
    expect(xs(table([10, 0, 20], fixed, row(text('a'), text('b'), text('c'))))).toEqual([55.4, 65.4, 132.1])
    // What one cell asks for wins over a grid that fills the table.
    expect(xs(table([10, 30, 20], `${fixed}${total(60)}`, three.replace(text('d'), '')))).toEqual([55.4, 95.4, 125.4])
  })

  test('that a row skips count before its first cell', () => {
    const skipping = `<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${text('c')}</w:tr>`
    expect(xs(table([60, 40], fixed, row(text('a'), text('b')), skipping))).toEqual([55.4, 115.4, 115.4])
  })

  test('under a cell over several of them are parts of it', () => {
    const rows = [row(text('a', span(2)), text('b')), row(text('c'), text('d'), text('e'))]
    expect(xs(table([30, 40, 50], fixed, ...rows))).toEqual([55.4, 125.4, 55.4, 85.4, 125.4])
    // A cell that reaches over more columns than there are makes the grid wider.
    expect(xs(table([30], `${fixed}${total(90)}`, row(text('a', span(2)), text('b')), row(text('c'))))[1]).toBe(115.4)
  })

  test('hold the last half point of a word over several of them', () => {
    // Ten characters and the padding are 70.8 pt; the columns of five have 35 pt each, their words and 5 pt of padding.
    const narrow = '<w:tblCellMar><w:left w:w="50" w:type="dxa"/><w:right w:w="50" w:type="dxa"/></w:tblCellMar>'
    const rows = (long: number) => [
      row(text('aaaaa'), text('bbbbb'), text('c')),
      row(text('d'.repeat(long), span(2)), text('e')),
    ]
    const last = (long: number) => Math.max(...xs(table([], narrow, ...rows(long))))
    // Two columns of 35.1 pt hold ten characters and 5 pt, and eleven but for 0.9 pt.
    expect(last(10)).toBeCloseTo(52.5 + 70.2, 1)
    expect(last(11)).toBeCloseTo(52.5 + 71.1, 1)
  })

  test('are as wide as a missing character is, where their content has one', () => {
    const width = (content: string) => {
      const [first, second] = xs(table([], '', row(text(content), text('b'))))
      return Math.round((second! - first!) * 10) / 10
    }
    // Four characters and the padding on either side; the box for a missing one is as wide as a letter.
    expect(width('aaaa')).toBe(34.9)
    expect(width('aaa\u{e123}')).toBe(34.9)
  })

  test('beyond the greatest number are left out, and that is reported', () => {
    const body = table([], fixed, row(...Array.from({ length: 258 }, (_, at) => text(`c${at}`, wide(5)))))
    const { report } = renderingOf(wordDocument(body))
    expect(report.filter(({ code }) => code === 'render.table_wide')).toHaveLength(1)
    const marks = new Set(textFrames(pageOf(body)).map(({ text: shown }) => shown.trim()))
    expect(marks.has('c')).toBe(true)
  })
})

test('the one footnote of text that is turned is at the foot of its page', () => {
  const turned = '<w:textDirection w:val="btLr"/>'
  const note = '<w:p><w:r><w:t>a</w:t></w:r><w:r><w:footnoteReference w:id="1"/></w:r></w:p>'
  const footnotes = '<w:footnote w:id="1"><w:p><w:r><w:t>note</w:t></w:r></w:p></w:footnote>'
  const lines = dump(pageOf(table([60, 40], fixed, row(cell(note, turned), text('b'))), { footnotes }))
  expect(lines.at(-1)).toBe('50.0,347.9 note')
})

describe('the room around an object', () => {
  const media = { 'dot.png': plainPng(4, 4, [255, 0, 0]) }
  const picture = (degrees: number, [left, top, right, bottom]: number[]) =>
    `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="508000"/><wp:effectExtent l="${left! * 12_700}" t="${top! * 12_700}" r="${right! * 12_700}" b="${bottom! * 12_700}"/><wp:docPr id="1" name="x"/>` +
    `<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill><a:blip r:embed="dot"/></pic:blipFill><pic:spPr><a:xfrm rot="${degrees * 60_000}"/></pic:spPr></pic:pic></a:graphicData></a:graphic>` +
    `</wp:inline></w:drawing></w:r><w:r><w:t>b</w:t></w:r></w:p>`
  const placed = (degrees: number, room: number[], settings = version(15)) => {
    const page = pageOf(picture(degrees, room), { media, settings })
    const image = dumpShapes(page).find((shape) => shape.startsWith('image'))
    return `${image} ${dump(page)[0]}`
  }

  test('is a part of its line, and turned pictures take the room that they lie in', () => {
    // 100 × 40 pt, and 1, 2, 3 and 4 pt around it.
    expect(placed(10, [1, 2, 3, 4])).toBe('image 51.0,52.0 100.0×40.0 154.0,96.0 b')
    // An upright picture has none without effects.
    expect(placed(0, [1, 2, 3, 4])).toBe('image 50.0,50.0 100.0×40.0 150.0,90.0 b')
    expect(placed(44, [1, 2, 3, 4])).toBe('image 51.0,52.0 100.0×40.0 154.0,96.0 b')
    expect(placed(135, [1, 2, 3, 4])).toBe('image 51.0,52.0 100.0×40.0 154.0,96.0 b')
    for (const degrees of [45, 90, 134, 270])
      expect(placed(degrees, [1, 2, 3, 4])).toBe('image 21.0,82.0 100.0×40.0 94.0,156.0 b')
    expect(placed(90, [1, 2, 3, 4], version(12))).toBe('image 51.0,52.0 100.0×40.0 154.0,96.0 b')
    expect(placed(90, [1, 2, 3, 4], version(14))).toBe('image 21.0,82.0 100.0×40.0 94.0,156.0 b')
  })
})

describe('a heading in the outline', () => {
  test('has its text up to the run with which it becomes a thousand characters long', () => {
    const runs = (length: number, count: number) =>
      `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>${`<w:r><w:t>${'a'.repeat(length)}</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>${'b'.repeat(length)}</w:t></w:r>`.repeat(count)}</w:p>`
    const title = (length: number, count: number) =>
      layoutOf(wordDocument(runs(length, count))).outline[0]!.title.length
    expect(title(100, 2)).toBe(400)
    expect(title(500, 2)).toBe(1_000)
    expect(title(499, 2)).toBe(3 * 499)
  })
})

test('a hidden paragraph takes no room, and what refers to it finds it', () => {
  const hidden =
    '<w:p><w:pPr><w:spacing w:before="400" w:after="400"/><w:rPr><w:vanish/></w:rPr></w:pPr><w:bookmarkStart w:id="1" w:name="there"/><w:bookmarkEnd w:id="1"/><w:r><w:rPr><w:vanish/></w:rPr><w:t>x</w:t></w:r></w:p>'
  const page = pageOf(p('a') + hidden + p('b'))
  expect(dump(page)).toEqual(['50.0,59.4 a', '50.0,70.9 b'])
  const [found] = page.frames.filter((frame) => frame.kind === 'destination')
  expect(found?.kind === 'destination' && [found.name, Math.round(found.y * 10) / 10]).toEqual(['there', 61.5])
  // Its mark alone makes it a line.
  expect(dump(pageOf(p('a') + hidden.replace('<w:rPr><w:vanish/></w:rPr></w:pPr>', '</w:pPr>') + p('b')))[1]).toBe(
    '50.0,122.4 b',
  )
})

test('groups of a drawing are drawn as deep as the limit says, and no deeper', () => {
  const shape =
    '<wps:wsp><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="100" cy="100"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></wps:spPr></wps:wsp>'
  const frame =
    '<a:xfrm><a:off x="0" y="0"/><a:ext cx="100" cy="100"/><a:chOff x="0" y="0"/><a:chExt cx="100" cy="100"/></a:xfrm>'
  const nested = (depth: number): string =>
    depth === 0 ? shape : `<wpg:grpSp><wpg:grpSpPr>${frame}</wpg:grpSpPr>${nested(depth - 1)}</wpg:grpSp>`
  const drawn = (depth: number) => {
    const body = `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="508000"/><wp:docPr id="1" name="g"/><a:graphic><a:graphicData uri="x"><wpg:wgp><wpg:grpSpPr>${frame}</wpg:grpSpPr>${nested(depth)}</wpg:wgp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
    return JSON.stringify(pageOf(body).frames).split('FF0000').length - 1
  }
  expect([drawn(0), drawn(15), drawn(16)]).toEqual([1, 1, 0])
})
