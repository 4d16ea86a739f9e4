import { describe, expect, test } from 'bun:test'
import type { Frame, LineFrame } from '../../../src/engines/pdf/frame/frame.ts'
import { edge, extentOf } from '../../../src/engines/pdf/layout/paragraph/border.ts'
import { cellEdges, stronger } from '../../../src/engines/pdf/layout/table/borders.ts'
import type { Border } from '../../../src/engines/pdf/model/properties.ts'
import { plainPng } from './documents.ts'
import { dump, layoutOf, p, picture, type WordParts, wordDocument } from './word.ts'

const border = (style: string, width = 1, color = '000000'): Border => ({ style, width, color, space: 0 })

type Stroke = [at: number, width: number, dash: LineFrame['dash']]

describe('the strokes of a border', () => {
  /** Offsets of the strokes' middles from the border's own, and their widths. */
  const strokes = (style: string, width: number) =>
    edge(border(style, width), { x1: 10, y1: 20, x2: 30, y2: 20 })
      .filter((frame) => frame.kind === 'line')
      .map(({ y1, width, dash }): Stroke => [Number((y1 - 20).toFixed(3)), Number(width.toFixed(3)), dash])
  test.each<[string, number, number, Stroke[]]>([
    ['single', 2, 2, [[0, 2, 'solid']]],
    ['thick', 2, 2, [[0, 2, 'solid']]],
    [
      'double',
      2,
      6,
      [
        [-2, 2, 'solid'],
        [2, 2, 'solid'],
      ],
    ],
    [
      'wavyDouble',
      1,
      3,
      [
        [-1, 1, 'solid'],
        [1, 1, 'solid'],
      ],
    ],
    [
      'triple',
      1,
      5,
      [
        [-2, 1, 'solid'],
        [0, 1, 'solid'],
        [2, 1, 'solid'],
      ],
    ],
    // Three quarters of a point, a gap, and the other stroke 0.35 pt narrower than the border.
    [
      'outset',
      2,
      4.05,
      [
        [-1.65, 0.75, 'solid'],
        [1.2, 1.65, 'solid'],
      ],
    ],
    [
      'inset',
      2,
      4.05,
      [
        [-1.2, 1.65, 'solid'],
        [1.65, 0.75, 'solid'],
      ],
    ],
    [
      'threeDEmboss',
      2,
      4,
      [
        [-1.5, 1, 'solid'],
        [1.5, 1, 'solid'],
      ],
    ],
    [
      'thinThickSmallGap',
      2,
      3.5,
      [
        [-1.375, 0.75, 'solid'],
        [0.75, 2, 'solid'],
      ],
    ],
    [
      'thickThinMediumGap',
      2,
      4,
      [
        [-1, 2, 'solid'],
        [1.5, 1, 'solid'],
      ],
    ],
    [
      'thinThickLargeGap',
      2,
      4.25,
      [
        [-1.75, 0.75, 'solid'],
        [1.125, 2, 'solid'],
      ],
    ],
    [
      'thinThickThinSmallGap',
      2,
      5,
      [
        [-2.125, 0.75, 'solid'],
        [0, 2, 'solid'],
        [2.125, 0.75, 'solid'],
      ],
    ],
    ['dotted', 1, 1, [[0, 1, 'dotted']]],
    ['dashed', 1, 1, [[0, 1, 'dashed']]],
    ['dashSmallGap', 1, 1, [[0, 1, 'dashed']]],
    ['dotDash', 1, 1, [[0, 1, 'dashed']]],
    ['dashDotStroked', 3, 3, [[0, 3, 'dashed']]],
    ['unheardOf', 1, 1, [[0, 1, 'solid']]],
  ])('of style %s and %d pt take %d pt', (style, width, extent, expected) => {
    expect(extentOf(border(style, width))).toBeCloseTo(extent, 6)
    expect(strokes(style, width)).toEqual(expected)
  })

  test('are never less than nothing wide', () => {
    expect(extentOf(border('outset', 0.25))).toBe(0.75)
    expect(extentOf(border('inset', 0.25))).toBe(0.75)
  })

  test('are beside each other where the border runs down, and have its colour', () => {
    const line = (x: number): Frame => ({
      kind: 'line',
      x1: x,
      y1: 5,
      x2: x,
      y2: 9,
      width: 1,
      color: 'FF0000',
      dash: 'solid',
    })
    expect(edge(border('double', 1, 'FF0000'), { x1: 10, y1: 5, x2: 10, y2: 9 })).toEqual([line(9), line(11)])
    const [automatic] = edge(border('single', 1, 'auto'), { x1: 10, y1: 5, x2: 10, y2: 9 })
    expect(automatic).toEqual({ ...line(10), color: '000000' } as Frame)
    const [dashed] = edge(border('dashed', 1, 'auto'), { x1: 10, y1: 5, x2: 10, y2: 9 })
    expect(dashed).toEqual({ ...line(10), color: '000000', dash: 'dashed' } as Frame)
  })
})

describe('the border between two cells', () => {
  test.each<[string, Border | undefined, Border | undefined, 'first' | 'second']>([
    ['is one rather than none', border('single'), undefined, 'first'],
    ['is one rather than none, whichever comes first', undefined, border('single'), 'second'],
    ['is one that is drawn rather than one without a width', border('single', 0), border('single', 1), 'second'],
    ['is one that is drawn rather than one of no style', border('none', 9), border('single', 1), 'second'],
    ['is the wider one', border('single', 2), border('single', 3), 'second'],
    [
      'is double rather than single of less than three times its width',
      border('double', 1),
      border('single', 2.9),
      'first',
    ],
    [
      'is single rather than double of less than a third of its width',
      border('double', 1),
      border('single', 3.1),
      'second',
    ],
    ['counts thin and thick as three', border('thinThickSmallGap', 1), border('single', 2.9), 'first'],
    ['counts thick and thin as three', border('thickThinSmallGap', 1), border('single', 3.1), 'second'],
    ['counts triple as five', border('triple', 1), border('single', 4.9), 'first'],
    ['counts triple as no more than five', border('triple', 1), border('single', 5.1), 'second'],
    ['counts dots as one', border('dotted', 1), border('single', 1.1), 'second'],
    ['is the darker of two alike', border('single', 1, '808080'), border('single', 1, '000000'), 'second'],
    ['counts green twice', border('single', 1, '00FF00'), border('single', 1, 'FF00F0'), 'second'],
    ['counts red and blue once', border('single', 1, 'FF0000'), border('single', 1, '008100'), 'first'],
    ['counts blue as red', border('single', 1, '0000FF'), border('single', 1, '007000'), 'second'],
    ['is automatic before any colour', border('single', 1, '010101'), border('single', 1, 'auto'), 'second'],
    ['is the first of two alike', border('single', 1, 'FF0000'), border('single', 1, '0000FF'), 'first'],
  ])('%s', (_, a, b, winner) => {
    expect(stronger(a, b)).toBe((winner === 'first' ? a : b)!)
  })

  test('is none where neither is drawn', () => {
    expect(stronger(undefined, undefined)).toBeUndefined()
    expect(stronger(border('none', 3), border('single', 0))).toBeUndefined()
    const none = border('none', 3)
    expect(stronger(none, none)).toBeUndefined()
  })
})

test('a cell’s edge is its own, else that of its style’s condition, else the table’s: outer at its sides, inner inside', () => {
  const named = (name: string) => border(name)
  const outer = { top: named('t'), bottom: named('b'), left: named('l'), right: named('r') }
  const table = { borders: { ...outer, insideH: named('h'), insideV: named('v') } }
  const styles = (
    own: Parameters<typeof cellEdges>[0],
    condition: Parameters<typeof cellEdges>[1],
    at: Partial<Record<string, boolean>>,
  ) => {
    const place = { top: false, bottom: false, left: false, right: false, ...at }
    const edges = cellEdges(own, condition, table, place)
    return [edges.top, edges.bottom, edges.left, edges.right].map((one) => one?.style).join(' ')
  }
  expect(styles(undefined, {}, {})).toBe('h h v v')
  expect(styles(undefined, {}, { top: true })).toBe('t h v v')
  expect(styles(undefined, {}, { bottom: true })).toBe('h b v v')
  expect(styles(undefined, {}, { left: true })).toBe('h h l v')
  expect(styles(undefined, {}, { right: true })).toBe('h h v r')
  const four = (name: string) => ({ top: named(name), bottom: named(name), left: named(name), right: named(name) })
  expect(styles(undefined, four('c'), { top: true, left: true })).toBe('c c c c')
  expect(styles(four('o'), four('c'), { top: true })).toBe('o o o o')
})

/* Courier New 10 pt: a character is 6 pt wide. Cells have 5.4 pt of padding at their sides; the text is 200 pt wide. */
describe('the columns of a table that fits its content', () => {
  const mono = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>'
  const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`
  const text = (content: string, properties = '', paragraph = '') => cell(p(content, paragraph, mono), properties)
  const wide = (points: number) => `<w:tcW w:w="${points * 20}" w:type="dxa"/>`
  const table = (rows: string[], properties = '', grid: number[] = []) =>
    `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${grid.map((width) => `<w:gridCol w:w="${width * 20}"/>`).join('')}</w:tblGrid>` +
    `${rows.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`
  const total = (points: number) => `<w:tblW w:w="${points * 20}" w:type="dxa"/>`
  /** The widths of all columns but the last, by where the last row's cells begin. */
  const widths = (body: string, parts: WordParts = {}) => {
    const marked = `<w:tr>${'<w:tc><w:p><w:r><w:t>|</w:t></w:r></w:p></w:tc>'.repeat(3)}</w:tr>`
    const media = { 'dot.png': plainPng(2, 2, [0, 0, 9]) }
    const end = body.lastIndexOf('</w:tbl>')
    const docx = wordDocument(body.slice(0, end) + marked + body.slice(end), { media, ...parts })
    const lines = dump(layoutOf(docx).pages[0]!)
    const edges = lines.filter((line) => line.endsWith('|')).map((line) => Number(line.split(',')[0]))
    return [edges[1]! - edges[0]!, edges[2]! - edges[1]!].map((width) => Math.round(width * 10) / 10)
  }
  const last = text('c')

  test('are as wide as their longest line where all fit', () => {
    expect(widths(table([text('aaaa') + text('bb') + last]))).toEqual([34.9, 22.9])
    expect(widths(table([text('aaaa a') + text('bb') + last, text('a') + text('bbb') + last]))).toEqual([46.9, 28.9])
  })

  test('of a table whose width is stated as zero are those of one that states none', () => {
    expect(widths(table([text('aaaa') + text('bb') + last], total(0)))).toEqual([34.9, 22.9])
  })

  test('of a wider table share what is left by their widths, those with a width of their own keep it', () => {
    // 34.9, 22.9 and 16.9 pt of 149.4.
    const row = text('aaaa') + text('bb') + last
    expect(widths(table([row], total(149.4)))).toEqual([69.8, 45.8])
    const stated = text('aaaa', wide(40)) + text('bb') + last
    // 40 pt, and 22.9 and 16.9 pt more than twice as wide.
    expect(widths(table([stated], total(40 + 2 * 39.8)))).toEqual([40, 45.8])
    const all = text('aaaa', wide(40)) + text('bb', wide(20)) + text('c', wide(20))
    expect(widths(table([all], total(165.6)))).toEqual([80, 45.6])
  })

  test('are never narrower than their longest word, whatever width they state', () => {
    expect(widths(table([text('aaaa aaaaaa', wide(20)) + text('bb', wide(60)) + last]))).toEqual([46.8, 60])
    // A word ends at a blank or behind a hyphen, not between letters and digits.
    expect(widths(table([text('a1b2c3 a', wide(20)) + text('bbb-cccc', wide(20)) + last]))).toEqual([46.8, 34.8])
  })

  test('of a table too wide give up what they have above their longest words', () => {
    // Lines of 264, 114 and 6 pt; words of 24, 24 and 6. Together 416.7 with the padding, 216.7 too many.
    const row = text('aaaa '.repeat(9).trim()) + text('bbbb '.repeat(4).trim()) + last
    const [first, second] = widths(table([row]))
    const share = (274.9 + 124.9 + 16.9 - 200) / (240.1 + 90.1 + 0.1)
    expect(first).toBeCloseTo(274.9 - 240.1 * share, 0)
    expect(second).toBeCloseTo(124.9 - 90.1 * share, 0)
  })

  test('of words too long for the table are all narrower by the same factor', () => {
    const row = text('a'.repeat(20)) + text('b'.repeat(15)) + last
    const factor = 200 / (130.8 + 100.8 + 16.8)
    const [first, second] = widths(table([row]))
    expect(first).toBeCloseTo(130.8 * factor, 0)
    expect(second).toBeCloseTo(100.8 * factor, 0)
  })

  test('hold a line that may not wrap', () => {
    const long = 'aaaa '.repeat(4).trim()
    const filler = text('bbbb '.repeat(9).trim()) + last
    expect(widths(table([text(long, '<w:noWrap/>') + filler]))[0]).toBe(124.9)
    expect(widths(table([text(long) + filler]))[0]).toBeLessThan(70)
  })

  test('count the margins of a cell and its indents', () => {
    const margin = '<w:tcMar><w:left w:w="300" w:type="dxa"/></w:tcMar>'
    expect(widths(table([text('aaaa', margin) + text('bb') + last]))[0]).toBe(24.1 + 15 + 5.4)
    const both = '<w:tcMar><w:left w:w="300" w:type="dxa"/><w:right w:w="200" w:type="dxa"/></w:tcMar>'
    expect(widths(table([text('aaaa', both) + text('bb') + last]))[0]).toBe(24.1 + 15 + 10)
    const indented = '<w:ind w:left="200" w:right="100" w:firstLine="60"/>'
    expect(widths(table([text('aaaa', '', indented) + text('bb') + last]))[0]).toBe(34.9 + 10 + 5 + 3)
  })

  test('have the room of a label in its indent, as in Word', () => {
    const numbering =
      '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>' +
      '<w:lvlText w:val="%1"/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum>' +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    const listed = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    expect(widths(table([text('aaaa', '', listed) + text('bb') + last]), { numbering })[0]).toBe(34.9 + 36)
  })

  test('hold a tab, a picture and a line between two breaks', () => {
    const run = (content: string) => cell(`<w:p><w:r><w:rPr>${mono}</w:rPr>${content}</w:r></w:p>`)
    expect(widths(table([run('<w:t>aa</w:t><w:tab/><w:t>a</w:t>') + text('bb') + last]))[0]).toBe(12 + 36 + 6 + 10.9)
    expect(widths(table([run('<w:t>aa</w:t><w:br/><w:t>aaa</w:t><w:br/><w:t>a</w:t>') + text('bb') + last]))[0]).toBe(
      28.9,
    )
    expect(widths(table([run(picture('dot', 50, 5)) + text('bb') + last]))[0]).toBe(60.9)
  })

  test('of a nested table hold its grid', () => {
    const nested = (points: number) => cell(`${table([text('n')], '', [points])}<w:p/>`)
    expect(widths(table([nested(60) + text('bb') + last]))[0]).toBeCloseTo(70.8, 1)
  })

  test('under a cell over several of them make up its width together', () => {
    const spanning = text('a'.repeat(10), '<w:gridSpan w:val="2"/>') + last
    // 70.8 pt of the word and its padding, and a tenth for the line: what the two lack is shared equally.
    for (const width of widths(table([spanning]))) expect(width).toBeCloseTo(35.45, 0)
    const stated = text('a', `<w:gridSpan w:val="2"/>${wide(100)}`) + last
    expect(widths(table([stated, text('a', wide(30)) + text('b') + last]))).toEqual([30, 70])
    expect(widths(table([stated]))).toEqual([50, 50])
    const shared = text('a', `<w:gridSpan w:val="2"/>${wide(100)}`) + last
    expect(widths(table([shared], '', [60, 20, 0]))).toEqual([75, 25])
  })

  test('give up a stored grid that has no room for a word over several of them', () => {
    const spanning = text('a'.repeat(10), '<w:gridSpan w:val="2"/>') + last
    expect(widths(table([spanning], '', [40, 35, 20]))).toEqual([40, 35])
    const [first, second] = widths(table([spanning], '', [20, 20, 20]))
    expect(first! + second!).toBeGreaterThanOrEqual(70.7)
  })

  test('in percent are shares of the table', () => {
    const percent = (value: number) => `<w:tcW w:w="${value * 50}" w:type="pct"/>`
    const row = text('a', percent(50)) + text('b', percent(30)) + text('c', percent(20))
    expect(widths(table([row], total(150)))).toEqual([75, 45])
    expect(widths(table([row], '<w:tblW w:w="2500" w:type="pct"/>'))).toEqual([50, 30])
  })

  test('of a fixed table are what cells state, else the grid, else equal shares of what is left', () => {
    const fixed = '<w:tblLayout w:type="fixed"/>'
    const row = text('a', wide(40)) + text('b') + last
    expect(widths(table([row], fixed, [10, 30, 20]))).toEqual([40, 30])
    expect(widths(table([row], `${fixed}${total(100)}`))).toEqual([40, 30])
    expect(widths(table([row], fixed))).toEqual([40, 80])
    // In percent of the text, all of them together fill it.
    expect(widths(table([row], `${fixed}<w:tblW w:w="5000" w:type="pct"/>`, [10, 30, 10]))).toEqual([100, 75])
  })
})
