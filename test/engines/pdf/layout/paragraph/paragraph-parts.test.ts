import { describe, expect, test } from 'bun:test'
import type { StructureNode } from '../../../../../src/engines/pdf/frame/frame.ts'
import { type Exclusion, giveWay } from '../../../../../src/engines/pdf/layout/paragraph/wrap.ts'
import { plainPng } from '../../documents.ts'
import { dump, dumpPaths, dumpShapes, layoutOf, p, picture, textFrames, wordDocument } from '../../word.ts'

/* The small page: text from 50 to 250 pt across; Courier New 10 pt has 6 pt a character, Arial 10 pt lines of 11.5 pt. */
const mono = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>'
const pageOf = (body: string, parts: Parameters<typeof wordDocument>[1] = {}) =>
  layoutOf(wordDocument(body, parts)).pages[0]!
const linesOf = (body: string) => dump(pageOf(body))
const run = (content: string, properties = '') => `<w:r><w:rPr>${mono}${properties}</w:rPr>${content}</w:r>`
const words = (text: string) => `<w:t xml:space="preserve">${text}</w:t>`
const paragraph = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`
const tabStops = (...stops: [kind: string, points: number][]) =>
  `<w:tabs>${stops.map(([kind, points]) => `<w:tab w:val="${kind}" w:pos="${points * 20}"/>`).join('')}</w:tabs>`

describe('a line beside a floating object', () => {
  const area: Exclusion = { left: 100, right: 200, top: 50, bottom: 100, whole: false, sides: 'both' }
  const column = { left: 0, right: 400 }
  const beside = (changes: Partial<Exclusion>, top = 60, height = 10, edges = column) =>
    giveWay([{ ...area, ...changes }], edges, { top, height })
  const free = { left: 0, right: 0, skip: 0 }
  const [before, behind] = [
    { left: 0, right: 300 },
    { left: 200, right: 0 },
  ]

  test('gives way only where the two overlap', () => {
    expect(beside({}, 30, 20)).toEqual(free)
    expect(beside({}, 30, 21)).toEqual({ ...before, skip: 0, more: [behind] })
    expect(beside({}, 99, 10)).toEqual({ ...before, skip: 0, more: [behind] })
    expect(beside({}, 100, 10)).toEqual(free)
    expect(beside({ left: -50, right: 0 })).toEqual(free)
    expect(beside({ left: 400, right: 450 })).toEqual(free)
    expect(beside({ left: -50, right: 10 })).toEqual({ left: 10, right: 0, skip: 0 })
  })

  test('is on the sides that the object allows, else on its wider one', () => {
    expect(beside({ sides: 'left' })).toEqual({ ...before, skip: 0 })
    expect(beside({ sides: 'right' })).toEqual({ ...behind, skip: 0 })
    expect(beside({ sides: undefined })).toEqual({ ...behind, skip: 0 })
    expect(beside({ sides: undefined, left: 201, right: 300 })).toEqual({ left: 0, right: 199, skip: 0 })
    expect(beside({ sides: undefined, left: 150, right: 250 })).toEqual({ left: 250, right: 0, skip: 0 })
  })

  test('needs an inch, or half of a narrow column', () => {
    expect(beside({ left: 71 })).toEqual({ ...behind, skip: 0 })
    expect(beside({ left: 72 })).toEqual({ left: 0, right: 328, skip: 0, more: [behind] })
    expect(beside({ right: 329 })).toEqual({ ...before, skip: 0 })
    const narrow = { left: 0, right: 100 }
    expect(beside({ left: 50, right: 90 }, 60, 10, narrow)).toEqual({ left: 0, right: 50, skip: 0 })
    expect(beside({ left: 49, right: 90 }, 60, 10, narrow)).toEqual({ left: 0, right: 0, skip: 40 })
  })

  test('moves below an object that has no text beside it, and below the next one that it then meets', () => {
    expect(beside({ whole: true })).toEqual({ left: 0, right: 0, skip: 40 })
    const two = [
      { ...area, whole: true },
      { ...area, top: 90, bottom: 130, whole: true },
    ]
    expect(giveWay(two, column, { top: 60, height: 10 })).toEqual({ left: 0, right: 0, skip: 70 })
    // A gap that is high enough between the two holds the line.
    const apart = [
      { ...area, whole: true },
      { ...area, top: 110, bottom: 130, whole: true },
    ]
    expect(giveWay(apart, column, { top: 60, height: 10 }).skip).toBe(40)
    expect(giveWay(apart, column, { top: 60, height: 11 }).skip).toBe(70)
  })

  test('has room for what it begins with, as wide and as high as that is', () => {
    const opening = (width: number, height: number, top = 60) =>
      giveWay([area], column, { top, height: 10, opening: { width, height } })
    expect(opening(100, 10)).toEqual({ ...before, skip: 0, more: [behind] })
    expect(opening(101, 10)).toEqual({ ...behind, skip: 0 })
    expect(opening(201, 10)).toEqual({ left: 0, right: 0, skip: 40 })
    expect(opening(201, 40, 20)).toEqual({ left: 0, right: 0, skip: 80 })
    expect(opening(201, 30, 20)).toEqual(free)
  })
})

describe('a tab', () => {
  const places = (content: string, properties = '') =>
    linesOf(paragraph(content, properties)).map((line) => Number(line.split(',')[0]))
  const tab = run('<w:tab/>')

  test('leads to the next stop of the paragraph, else to the next half inch', () => {
    const cells = run(words('aa')) + tab + run(words('b')) + tab + run(words('c'))
    expect(places(cells, tabStops(['left', 40], ['left', 90]))).toEqual([50, 90, 140])
    expect(places(cells, tabStops(['left', 40]))).toEqual([50, 90, 122])
    expect(places(cells)).toEqual([50, 86, 122])
    // Bars are no stops, and text that ends at a stop is beyond it.
    expect(places(cells, tabStops(['bar', 40], ['left', 60]))).toEqual([50, 110, 122])
    expect(places(run(words('a'.repeat(6))) + tab + run(words('b')))).toEqual([50, 122])
  })

  test('in a hanging first line leads to the indent of the others', () => {
    const hanging = '<w:ind w:left="600" w:hanging="600"/>'
    expect(places(run(words('a')) + tab + run(words('b')), hanging)).toEqual([50, 80])
    expect(places(run(words('a')) + tab + run(words('b')), `${tabStops(['left', 20])}${hanging}`)).toEqual([50, 70])
    expect(places(run(words('aaaaaa')) + tab + run(words('b')), hanging)).toEqual([50, 122])
  })

  test('has what follows it end, have its middle or its decimal point at the stop', () => {
    const at = (kind: string, text: string) => places(tab + run(words(text)), tabStops([kind, 100]))[0]
    expect(at('right', 'abcd')).toBeCloseTo(150 - 24, 1)
    expect(at('right', '12.34')).toBeCloseTo(150 - 30, 1)
    expect(at('center', 'abcd')).toBeCloseTo(150 - 12, 1)
    expect(at('center', '12.34')).toBeCloseTo(150 - 15, 1)
    expect(at('decimal', '12.34')).toBeCloseTo(150 - 12, 1)
    expect(at('decimal', '1,234.5')).toBeCloseTo(150 - 30, 1)
    expect(at('decimal', '1234')).toBeCloseTo(150 - 24, 1)
    expect(at('decimal', 'a.b')).toBeCloseTo(150 - 18, 1)
    // Only up to the next tab or break.
    expect(places(tab + run(words('ab')) + tab + run(words('cd')), tabStops(['right', 50], ['right', 100]))).toEqual([
      88, 138,
    ])
    expect(places(tab + run(`${words('ab')}<w:br/>${words('cdef')}`), tabStops(['right', 50]))).toEqual([88, 50])
  })

  test('never draws text back over what is before it, nor over the right margin', () => {
    expect(places(run(words('aaaaaaaa')) + tab + run(words('bbbb')), tabStops(['right', 60]))).toEqual([50, 98])
    // A stop at the margin keeps its text inside: 12 characters end at 250.
    expect(places(tab + run(words('b'.repeat(12))), tabStops(['center', 200]))[0]).toBeCloseTo(250 - 72, 1)
  })
})

describe('the borders of paragraphs', () => {
  const side = (name: string, space: number) =>
    `<w:${name} w:val="single" w:sz="8" w:space="${space}" w:color="000000"/>`
  const bordered = (...sides: string[]) => `<w:pBdr>${sides.join('')}</w:pBdr>`
  const shapes = (body: string) => dumpShapes(pageOf(body))

  test('are as far from the text and its indents as they say', () => {
    const all = bordered(side('top', 1), side('left', 4), side('bottom', 2), side('right', 3))
    const body = p('a', `${all}<w:ind w:left="200" w:right="400"/>`)
    // 11.5 pt of text, 1 and 2 pt of space, and two lines of a point; sides reach half a point beyond their space.
    expect(shapes(body)).toEqual([
      'line 55.5,50.5 233.5,50.5',
      'line 55.5,66.0 233.5,66.0',
      'line 55.5,50.0 55.5,66.5',
      'line 233.5,50.0 233.5,66.5',
    ])
    expect(linesOf(body + p('b'))).toEqual(['60.0,61.4 a', '50.0,75.9 b'])
  })

  test('begin at the first line where that hangs out of the paragraph', () => {
    const hanging = p('a', `${bordered(side('top', 0))}<w:ind w:left="400" w:hanging="200"/>`)
    expect(shapes(hanging)).toEqual(['line 58.6,50.5 251.4,50.5'])
    const indented = p('a', `${bordered(side('top', 0))}<w:ind w:left="400" w:firstLine="200"/>`)
    expect(shapes(indented)).toEqual(['line 68.6,50.5 251.4,50.5'])
  })

  test('of neighbours alike have one line between them, and only if they are as wide', () => {
    const alike = bordered(side('top', 0), side('bottom', 0), side('between', 0))
    const ys = (...bodies: string[]) => shapes(bodies.join('')).map((line) => Number(/,([\d.]+) /.exec(line)![1]))
    expect(ys(p('a', alike), p('b', alike), p('c', alike))).toEqual([50.5, 63, 75.5, 88])
    const narrow = `${alike}<w:ind w:right="200"/>`
    expect(ys(p('a', alike), p('b', narrow))).toEqual([50.5, 63, 64, 76.5])
    const other = bordered(side('top', 0), side('bottom', 0))
    expect(ys(p('a', alike), p('b', other))).toEqual([50.5, 63, 64, 76.5])
    expect(ys(p('a', other), p('b', other))).toEqual([50.5, 74.5])
  })

  test('at the sides run along every line, and the shading behind all of them', () => {
    const text = paragraph(
      run(`${words('a')}<w:br/>${words('b')}`),
      `${bordered(side('left', 0))}<w:shd w:val="clear" w:fill="EEEEEE"/>`,
    )
    const drawn = shapes(text)
    expect(drawn.filter((shape) => shape.startsWith('box'))).toHaveLength(2)
    expect(drawn.filter((shape) => shape.startsWith('line')).map((shape) => shape.split(',')[0])).toEqual([
      'line 49.5',
      'line 49.5',
    ])
  })
})

describe('what readers are told of paragraphs', () => {
  const treeOf = (body: string, numbering = '') => {
    const { structure } = layoutOf(wordDocument(body, numbering === '' ? {} : { numbering }))
    const told = (node: StructureNode, index: number): string => {
      const inside = structure.flatMap((child, at) => (child.parent === index ? [told(child, at)] : []))
      return inside.length > 0 ? `${node.type}(${inside.join(' ')})` : node.type
    }
    return structure.flatMap((node, index) => (node.parent === -1 ? [told(node, index)] : [])).join(' ')
  }

  test('is which of them are headings, six levels deep', () => {
    const levels = [0, 1, 2, 3, 4, 5, 6, 8, 9].map((level) => p('x', `<w:outlineLvl w:val="${level}"/>`)).join('')
    expect(treeOf(levels)).toBe('H1 H2 H3 H4 H5 H6 H6 H6 P')
  })

  test('is which of them are items of one list', () => {
    const level = '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    const numbering = [0, 1]
      .map((id) => `<w:abstractNum w:abstractNumId="${id}">${level}</w:abstractNum>`)
      .concat([1, 2].map((id) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id - 1}"/></w:num>`))
      .join('')
    const item = (id: number, more = '') =>
      p('x', `${more}<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${id}"/></w:numPr>`)
    const told = 'LI(Lbl LBody)'
    expect(treeOf(item(1) + item(1) + item(2), numbering)).toBe(`L(${told} ${told}) L(${told})`)
    expect(treeOf(item(1) + p('x') + item(1), numbering)).toBe(`L(${told}) P L(${told})`)
    // A heading with a number is a heading.
    expect(treeOf(item(1, '<w:outlineLvl w:val="0"/>'), numbering)).toBe('H1')
  })

  test('is the text of each heading, for the outline', () => {
    const { outline } = layoutOf(
      wordDocument(
        p('one', '<w:outlineLvl w:val="0"/>') +
          p('text') +
          p(' two ', '<w:outlineLvl w:val="2"/>') +
          p('', '<w:outlineLvl w:val="1"/>'),
      ),
    )
    expect(outline.map(({ title, level, page, y }) => [title, level, page, Math.round(y * 10) / 10])).toEqual([
      ['one', 0, 0, 50],
      ['two', 2, 0, 73],
    ])
  })
})

describe('extents that a drawing states as shares', () => {
  const shape = (sizes: string) =>
    `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="127000" cy="127000"/><wp:docPr id="1" name="s"/><a:graphic><a:graphicData uri="x"><wps:wsp><wps:spPr><a:prstGeom prst="rect"/><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></wps:spPr></wps:wsp></a:graphicData></a:graphic>${sizes}</wp:inline></w:drawing></w:r></w:p>`
  const extent = (sizes: string) => {
    const numbers = dumpPaths(pageOf(shape(sizes)).frames)[0]!
      .match(/\d+(\.\d+)?/g)!
      .map(Number)
    const [left, top, , , right, bottom] = numbers
    return [right! - left!, Math.round((bottom! - top!) * 10) / 10]
  }
  const wide = (from: string, percent: number) =>
    `<wp14:sizeRelH relativeFrom="${from}"><wp14:pctWidth>${percent * 1_000}</wp14:pctWidth></wp14:sizeRelH>`
  const high = (from: string, percent: number) =>
    `<wp14:sizeRelV relativeFrom="${from}"><wp14:pctHeight>${percent * 1_000}</wp14:pctHeight></wp14:sizeRelV>`

  test('are of the page, of the text or of a margin', () => {
    // A page of 300 × 400 pt with margins of 50.
    expect([extent(wide('page', 50)), extent(wide('margin', 50)), extent(wide('leftMargin', 50))]).toEqual([
      [150, 10],
      [100, 10],
      [25, 10],
    ])
    expect([extent(high('page', 50)), extent(high('margin', 50)), extent(high('topMargin', 50))]).toEqual([
      [10, 200],
      [10, 150],
      [10, 25],
    ])
    expect(extent(wide('rightMargin', 20) + high('bottomMargin', 40))).toEqual([10, 20])
  })
})

test('a picture wider than its cell is as wide as that, and as much less high', () => {
  const media = { 'dot.png': plainPng(4, 4, [255, 0, 0]) }
  const cell = (content: string) =>
    `<w:tbl><w:tblPr><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid><w:gridCol w:w="1216"/></w:tblGrid><w:tr><w:tc><w:tcPr/><w:p><w:r>${content}</w:r></w:p></w:tc></w:tr></w:tbl><w:p/>`
  // 60.8 pt less 10.8 of padding.
  expect(dumpShapes(pageOf(cell(picture('dot', 100, 60)), { media }))).toEqual(['image 55.4,50.0 50.0×30.0'])
  expect(dumpShapes(pageOf(cell(picture('dot', 40, 60)), { media }))).toEqual(['image 55.4,50.0 40.0×60.0'])
})

test('a word that hangs over its line is cut where the room ends, and the rest follows', () => {
  const frames = textFrames(pageOf(paragraph(run(words('a'.repeat(70))))))
  // 33 characters of 6 pt are 198 pt.
  expect(frames.map(({ text }) => text.length)).toEqual([33, 33, 4])
})
