import { describe, expect, test } from 'bun:test'
import { plainPng } from '../../documents.ts'
import {
  dump,
  dumpPaths,
  dumpShapes,
  layoutOf,
  p,
  picture,
  renderingOf,
  smallSection,
  textFrames,
  wordDocument,
} from '../../word.ts'

/*
 * The small page: 300 × 400 pt with margins of 50 pt, headers 20 pt below its top, footers 20 pt above its bottom. Arial
 * 10 pt: a line is 11.5 pt high, its baseline 9.4 pt down; 26 lines fill a page.
 */
const media = { 'dot.png': plainPng(4, 4, [255, 0, 0]) }
const lines = (count: number, name = 'l') => Array.from({ length: count }, (_, index) => p(`${name}${index}`)).join('')
const pagesOf = (body: string, parts: Parameters<typeof wordDocument>[1] = {}) =>
  layoutOf(wordDocument(body, { media, ...parts })).pages
const textsOf = (body: string, parts: Parameters<typeof wordDocument>[1] = {}) =>
  pagesOf(body, parts).map((page) => dump(page))
const floating = (from: string, offset: number, attributes = '', wrap = '<wp:wrapNone/>') =>
  picture('dot', 30, 20, '')
    .replace(
      '<wp:inline>',
      `<wp:anchor ${attributes}><wp:positionH relativeFrom="${from}"><wp:posOffset>${offset * 12_700}</wp:posOffset></wp:positionH>` +
        `<wp:positionV relativeFrom="${from === 'column' ? 'paragraph' : from}"><wp:posOffset>${offset * 12_700}</wp:posOffset></wp:positionV>`,
    )
    .replace('<wp:docPr', `${wrap}<wp:docPr`)
    .replace('</wp:inline>', '</wp:anchor>')
const anchored = (drawing: string, text = 'x') => `<w:p><w:r>${drawing}<w:t>${text}</w:t></w:r></w:p>`

describe('headers and footers', () => {
  const section = (more = '') =>
    `<w:headerReference w:type="default" r:id="h"/><w:footerReference w:type="default" r:id="f"/>${smallSection}${more}`
  const parts = (header: string, footer: string, properties = section()) => ({
    section: properties,
    headers: { h: header },
    footers: { f: footer },
  })

  test('begin at their distance from the top of the page, and end at theirs from its bottom', () => {
    const [page] = textsOf(p('text'), parts(lines(2, 'h'), lines(3, 'f')))
    expect(page).toEqual([
      '50.0,29.4 h0',
      '50.0,40.9 h1',
      // Three lines end 20 pt above the foot: 34.5 pt above 380.
      '50.0,354.9 f0',
      '50.0,366.4 f1',
      '50.0,377.9 f2',
      '50.0,59.4 text',
    ])
  })

  test('that are higher than the margins leave the text less room', () => {
    // Four lines are 46 pt, and end at 66; six are 69 pt, and begin at 311.
    const [first, second] = textsOf(lines(30), parts(lines(4, 'h'), lines(6, 'f')))
    const body = first!.filter((line) => / l\d+$/.test(line))
    expect(body[0]).toBe('50.0,75.4 l0')
    expect(body).toHaveLength(Math.floor((311 - 66) / 11.5))
    expect(second!.find((line) => / l\d+$/.test(line))).toBe('50.0,75.4 l21')
  })

  test('leave margins that are stated as fixed alone', () => {
    const fixed = section().replace('w:top="1000"', 'w:top="-1000"').replace('w:bottom="1000"', 'w:bottom="-1000"')
    const [page] = textsOf(lines(30), parts(lines(4, 'h'), lines(6, 'f'), fixed))
    const body = page!.filter((line) => / l\d+$/.test(line))
    expect([body[0], body.length]).toEqual(['50.0,59.4 l0', 26])
  })

  test('leave a page at least 24 points, however high they are', () => {
    const pages = textsOf(lines(4), parts(lines(20, 'h'), lines(20, 'f')))
    expect(pages.map((page) => page.filter((line) => / l\d$/.test(line)).length)).toEqual([2, 2])
  })

  test('have their floating objects on the page, over the text or behind everything', () => {
    // A header has pictures of its own: that of the document is an empty box there.
    const drawn = (behind: string, from: string, offset: number) =>
      pagesOf(p('text'), parts(anchored(floating(from, offset, `behindDoc="${behind}"`), 'head'), p('foot')))[0]!.frames
    const kinds = (behind: string) =>
      drawn(behind, 'page', 10).map((frame) => (frame.kind === 'text' ? frame.text : frame.kind))
    expect(kinds('1')).toEqual(['path', 'head', 'foot', 'text'])
    expect(kinds('0')).toEqual(['head', 'path', 'foot', 'text'])
    const corner = (from: string, offset: number) => dumpPaths(drawn('0', from, offset))[0]!.split(' ')[0]
    expect(corner('page', 10)).toBe('M10,10')
    expect(corner('column', 5)).toBe('M55,25')
  })

  test('report that their text goes around none of their objects, and name their own part', () => {
    const reported = (wrap: string) => {
      const header = anchored(floating('column', 5, '', wrap), 'head')
      const { report } = renderingOf(wordDocument(p('text'), { media, ...parts(header, p('foot')) }))
      return report.flatMap(({ code, path }) => (code === 'render.wrap' ? [path] : []))
    }
    expect(reported('<wp:wrapSquare wrapText="bothSides"/>')).toEqual(['word/h.xml#wp:anchor'])
    expect(reported('<wp:wrapNone/>')).toEqual([])
  })

  test('begin inside of the gutter', () => {
    const bound = section().replace('w:gutter="0"', 'w:gutter="200"')
    const [page] = textsOf(p('text', '<w:jc w:val="right"/>'), parts(p('head'), p('foot'), bound))
    expect(page!.slice(0, 2).map((line) => line.split(',')[0])).toEqual(['60.0', '60.0'])
  })
})

describe('the text of a page that it does not fill', () => {
  const placed = (align: string, more = '', parts: Parameters<typeof wordDocument>[1] = {}) =>
    textsOf(p('a') + p('b') + more, { section: `${smallSection}<w:vAlign w:val="${align}"/>`, ...parts })[0]!

  test('is at its top, in its middle or at its foot', () => {
    expect(placed('top')).toEqual(['50.0,59.4 a', '50.0,70.9 b'])
    // 300 pt less 23.
    expect(placed('center')).toEqual(['50.0,197.9 a', '50.0,209.4 b'])
    expect(placed('bottom')).toEqual(['50.0,336.4 a', '50.0,347.9 b'])
    // 26 lines leave a point.
    expect(placed('bottom', lines(24)).at(-1)).toBe('50.0,347.9 l23')
    expect(placed('center', lines(24)).at(-1)).toBe('50.0,347.4 l23')
  })

  test('is above the footnotes there', () => {
    const note = '<w:p><w:r><w:t>c</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
    const footnotes = `<w:footnote w:id="2">${p('note')}</w:footnote>`
    const low = placed('bottom', note, { footnotes })
    // A line of note and ten points above it.
    expect(low.find((line) => line.endsWith(' note'))).toBe('50.0,347.9 note')
    expect(low.find((line) => line.endsWith(' c'))).toBe(`50.0,${(350 - 11.5 - 10 - 2.1).toFixed(1)} c`)
  })
})

describe('columns that are balanced', () => {
  const columns = `<w:type w:val="continuous"/>${smallSection}<w:cols w:num="2" w:space="400"/>`
  const end = `<w:p><w:pPr><w:sectPr>${columns}</w:sectPr></w:pPr><w:r><w:t>end</w:t></w:r></w:p>`
  const balanced = (body: string) =>
    layoutOf(wordDocument(body + end + p('after'), { media, section: `<w:type w:val="continuous"/>${smallSection}` }))

  test('have each heading once in the outline, and each floating object once on the page', () => {
    const heading = p('heading', '<w:outlineLvl w:val="0"/>')
    for (const behind of ['0', '1']) {
      const body = lines(3) + heading + anchored(floating('column', 5, `behindDoc="${behind}"`)) + lines(4, 'm')
      const { pages, outline } = balanced(body)
      expect(outline.map(({ title }) => title)).toEqual(['heading'])
      expect(pages).toHaveLength(1)
      expect(dumpShapes(pages[0]!)).toHaveLength(1)
      expect(dump(pages[0]!).filter((line) => / (m|l)\d$/.test(line))).toHaveLength(7)
    }
  })

  test('have the text around an object of theirs only where it is in the end', () => {
    const square = anchored(floating('column', 0, '', '<wp:wrapSquare wrapText="bothSides"/>'), 'beside')
    const { pages } = balanced(lines(5) + square + lines(5, 'm'))
    const [x = 0, y = 0] = /image ([\d.]+),([\d.]+)/.exec(dumpShapes(pages[0]!)[0]!)!.slice(1).map(Number)
    const columnOf = (left: number) => (left > 155 ? 160 : 50)
    const placed = dump(pages[0]!).filter((line) => / (l\d|m\d|beside)$/.test(line))
    expect(placed).toHaveLength(11)
    for (const line of placed) {
      const [left = 0, baseline = 0] = line.split(/[, ]/).slice(0, 2).map(Number)
      // A line is 11.5 pt high, the object 30 pt wide and 20 high.
      const [top, bottom] = [baseline - 9.4, baseline + 2.1]
      const isBeside = columnOf(left) === columnOf(x) && bottom > y + 0.1 && top < y + 19.9
      expect([line, Math.round(left - columnOf(left))]).toEqual([line, isBeside ? 30 : 0])
    }
  })
})

describe('a section that begins', () => {
  const opening = (properties: string, content = '') =>
    `<w:p><w:pPr><w:sectPr>${properties}</w:sectPr></w:pPr>${content}</w:p>`

  test('counts its lines again if it says so, and goes on otherwise', () => {
    const numbered = (restart: string) => `${smallSection}<w:lnNumType w:countBy="1" w:restart="${restart}"/>`
    const numbers = (restart: string) =>
      pagesOf(lines(2) + opening(numbered(restart), '<w:r><w:t>end</w:t></w:r>') + lines(2), {
        section: numbered(restart),
      }).flatMap((page) =>
        textFrames(page)
          .filter(({ x }) => x < 50)
          .map(({ text, x, width }) => [text, Math.round(x + width)]),
      )
    // 18 pt from the text where no distance is stated.
    expect(numbers('newSection')).toEqual(['1', '2', '3', '1', '2'].map((text) => [text, 32]))
    expect(numbers('continuous').map(([text]) => text)).toEqual(['1', '2', '3', '4', '5'])
  })

  test('numbers its pages from where it says, in its own format', () => {
    const paged = (more: string) => `${smallSection}<w:pgNumType ${more}/>`
    const labels = pagesOf(lines(30) + opening(paged('w:start="7"')) + lines(30), {
      section: paged('w:fmt="upperRoman" w:start="3"'),
    }).map(({ label, number }) => [label, number])
    expect(labels).toEqual([
      ['7', 7],
      ['8', 8],
      ['III', 3],
      ['IV', 4],
    ])
    const on = pagesOf(lines(30) + opening(smallSection) + lines(3)).map(({ label }) => label)
    expect(on).toEqual(['1', '2', '3'])
  })

  test('has a rule between its columns as long as its text, if it says so', () => {
    const ruled = `${smallSection}<w:cols w:num="2" w:space="400" w:sep="1"/>`
    const column = '<w:p><w:r><w:br w:type="column"/><w:t>b</w:t></w:r></w:p>'
    const [page] = pagesOf(lines(3) + column, { section: ruled })
    // Three lines, and the one that the break ends.
    expect(dumpShapes(page!)).toEqual(['line 150.0,50.0 150.0,96.0'])
    const [plain] = pagesOf(lines(3) + column, { section: ruled.replace(' w:sep="1"', '') })
    expect(dumpShapes(plain!)).toEqual([])
  })

  test('has that rule on every page, also where the text runs on or a break sends it to the next', () => {
    const ruled = `${smallSection}<w:cols w:num="2" w:space="400" w:sep="1"/>`
    const column = '<w:p><w:r><w:br w:type="column"/><w:t>b</w:t></w:r></w:p>'
    const rulesOf = (body: string) => pagesOf(body, { section: ruled }).map((page) => dumpShapes(page))
    // Twice 26 lines fill the first page.
    const [first] = rulesOf(lines(60))
    expect(first).toEqual(['line 150.0,50.0 150.0,349.0'])
    const broken = rulesOf(`${lines(3)}${column}<w:p><w:r><w:br w:type="page"/></w:r></w:p>${lines(3)}${column}`)
    expect(broken).toEqual(new Array(2).fill(['line 150.0,50.0 150.0,96.0']))
  })
})

describe('a floating table', () => {
  const table = (position: string, rows: number) =>
    `<w:tbl><w:tblPr><w:tblpPr ${position}/></w:tblPr><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid>${Array.from({ length: rows }, (_, at) => `<w:tr><w:tc>${p(`r${at}`)}</w:tc></w:tr>`).join('')}</w:tbl>`

  test('that is placed on the page ends with its text, and before Word 2013 with the page', () => {
    const rowsOf = (rows: number, parts = {}) => {
      const body = table('w:vertAnchor="page" w:horzAnchor="page" w:tblpX="2000" w:tblpY="6000"', rows) + p('text')
      return textsOf(body, parts).map((page) => page.filter((line) => / r\d+$/.test(line)))
    }
    // Below its place are 50 pt of the text, which hold four rows, and 100 pt of the page, which hold eight.
    expect(rowsOf(4).map((page) => page.length)).toEqual([4])
    expect(rowsOf(5)).toMatchObject([{ 0: '105.4,309.4 r0', length: 4 }, ['105.4,59.4 r4']])
    const old = { settings: '<w:compat/>' }
    expect(rowsOf(8, old)).toMatchObject([{ 0: '100.0,309.4 r0', length: 8 }])
    expect(rowsOf(9, old)).toHaveLength(2)
  })
})

test('an object that is placed by the margins is inside of the gutter, and on the page’s other side without one', () => {
  const at = (align: string, gutter: number) => {
    const drawing = floating('margin', 0).replace('<wp:posOffset>0</wp:posOffset>', `<wp:align>${align}</wp:align>`)
    const section = smallSection.replace('w:gutter="0"', `w:gutter="${gutter * 20}"`)
    return dumpShapes(pagesOf(anchored(drawing), { section })[0]!)[0]
  }
  expect(at('left', 0)).toBe('image 50.0,50.0 30.0×20.0')
  expect(at('left', 15)).toBe('image 65.0,50.0 30.0×20.0')
  expect(at('right', 15)).toBe('image 220.0,50.0 30.0×20.0')
})

test('a paragraph that moves on with an object of the page has its text below the object there', () => {
  const object = floating('margin', 0, '', '<wp:wrapTopAndBottom/>')
  const moved = textsOf(lines(26) + anchored(object, 'below'))[1]
  // 20 pt of the object.
  expect(moved).toEqual(['50.0,79.4 below'])
})

test('what is higher than a page is on a page of its own, and nothing is lost after it', () => {
  const high = `<w:p><w:r>${picture('dot', 30, 400)}</w:r></w:p>`
  const pages = pagesOf(p('a') + high + p('b'))
  expect(pages.map((page) => [...dump(page).map((line) => line.split(' ')[1]), ...dumpShapes(page)])).toEqual([
    ['a'],
    ['image 50.0,50.0 30.0×400.0'],
    ['b'],
  ])
})

test('a line moves on with its footnote where the space between two notes leaves it no room', () => {
  const referring = (text: string, id: number) =>
    `<w:p><w:r><w:t>${text}</w:t></w:r><w:r><w:footnoteReference w:id="${id}"/></w:r></w:p>`
  const counts = (after: number) => {
    const notes = [1, 2].map(
      (id) => `<w:footnote w:id="${id}">${p(`n${id}`, `<w:spacing w:after="${after * 20}"/>`)}</w:footnote>`,
    )
    const body = referring('first', 1) + lines(21) + referring('last', 2)
    return textsOf(body, { footnotes: notes.join('') }).map(
      (page) => page.filter((line) => / (first|last|l\d+)$/.test(line)).length,
    )
  }
  // 22 lines, ten points and a note are 274.5 of 300 pt; another line and its note take 23.
  expect(counts(2)).toEqual([23])
  expect(counts(3)).toEqual([22, 1])
})
