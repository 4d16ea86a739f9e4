import { describe, expect, test } from 'bun:test'
import { ARTIFACT, type Frame } from '../../../../../src/engines/pdf/frame/frame.ts'
import { type PageGeometry, placeAnchored } from '../../../../../src/engines/pdf/layout/page/anchors.ts'
import {
  columnRules,
  columnsOf,
  pageBorders,
  structuredCopy,
  textWidth,
} from '../../../../../src/engines/pdf/layout/page/sheet.ts'
import { sectionForText } from '../../../../../src/engines/pdf/layout/page/vertical.ts'
import type { Anchor, Section } from '../../../../../src/engines/pdf/model/document.ts'
import type { Border } from '../../../../../src/engines/pdf/model/properties.ts'
import { dump, dumpPaths, dumpShapes, layoutOf, p, smallSection, textFrames, wordDocument } from '../../word.ts'

/** 300 × 400 pt with margins of 50 pt. */
const sheet: Section = {
  type: 'nextPage',
  width: 300,
  height: 400,
  margins: { top: 50, right: 50, bottom: 50, left: 50, header: 20, footer: 20, gutter: 0 },
  titlePage: false,
  headers: {},
  footers: {},
  pageNumberFormat: 'decimal',
  columns: { count: 1, space: 0 },
  columnLine: false,
  vertical: 'top',
  gridPitch: 0,
  gridSpace: 0,
  borderOffset: 'text',
  footnotes: {},
  endnotes: {},
  linesRunDown: false,
}
const margins = (changes: Partial<Section['margins']>): Section => ({
  ...sheet,
  margins: { ...sheet.margins, ...changes },
})

describe('the columns of a section', () => {
  test('are the text between the margins where there is one, inside of the gutter', () => {
    expect(columnsOf(sheet)).toEqual([{ x: 50, width: 200 }])
    expect(columnsOf(margins({ gutter: 30 }))).toEqual([{ x: 80, width: 170 }])
  })

  test('are never narrower than 24 points, whatever the margins leave', () => {
    expect(textWidth(margins({ right: 240 }))).toBe(24)
    expect(textWidth(margins({ right: 220 }))).toBe(30)
  })

  test('are equally wide in whole twips except for the last, which ends at the margin', () => {
    // Half a gap of 425 twips is 375 hundredths of a millimetre, 213 twips: 4000 - 2 · 426 twips make three times 1049 1/3.
    const columns = columnsOf({ ...sheet, columns: { count: 3, space: 21.25 } })
    expect(columns).toEqual([
      { x: 50, width: 52.45 },
      { x: 50 + 73.75, width: 52.45 },
      { x: 50 + 147.5, width: 52.5 },
    ])
    const last = columns[2]!
    expect(last.x + last.width).toBe(250)
  })

  test('are at least 8 points wide, even if they run over the margin', () => {
    const columns = columnsOf({ ...sheet, columns: { count: 2, space: 198 } })
    expect(columns.map(({ width }) => width)).toEqual([8, 8])
  })

  test('of stated widths share the text by what they and their gaps are of the whole', () => {
    const columns = columnsOf({
      ...margins({ left: 40, gutter: 10 }),
      columns: [
        { width: 120, space: 20 },
        { width: 60, space: 50 },
      ],
    })
    // In hundredths of a millimetre 4233 + 353 and 353 + 2117 of 7056; the first share is 42594 of 65535, so 2599 of 4000 twips.
    expect(columns).toEqual([
      { x: 50, width: (2599 - 200) / 20 },
      { x: 50 + (2599 + 200) / 20, width: (1401 - 200) / 20 },
    ])
  })

  test('of stated widths are at least 4 points wide', () => {
    const columns = columnsOf({
      ...sheet,
      columns: [
        { width: 0, space: 0 },
        { width: 60, space: 0 },
      ],
    })
    expect(columns.map(({ width }) => width)).toEqual([4, 60])
  })

  test('have a rule in the middle of each gap, from their top to their bottom', () => {
    const columns = [
      { x: 50, width: 50 },
      { x: 110, width: 40 },
      { x: 170, width: 80 },
    ]
    expect(columnRules(columns, 60, 300)).toEqual(
      [105, 160].map((x) => ({
        kind: 'line',
        x1: x,
        y1: 60,
        x2: x,
        y2: 300,
        width: 0.5,
        color: '000000',
        dash: 'solid',
      })),
    )
    expect(columnRules([{ x: 50, width: 200 }], 60, 300)).toEqual([])
  })
})

describe('the borders of a page', () => {
  const border = (space: number, width = 1): Border => ({ style: 'single', width, space, color: '000000' })
  const lines = (section: Section) =>
    pageBorders(section).flatMap((frame) => (frame.kind === 'line' ? [[frame.x1, frame.y1, frame.x2, frame.y2]] : []))
  const borders = { top: border(5), bottom: border(6), left: border(7), right: border(8) }

  test('are as far from the text as each says', () => {
    expect(lines({ ...sheet, borders })).toEqual([
      [43, 45, 258, 45],
      [43, 356, 258, 356],
      [43, 45, 43, 356],
      [258, 45, 258, 356],
    ])
  })

  test('are as far from the edges of the page as each says, where they are told from there', () => {
    expect(lines({ ...sheet, borders, borderOffset: 'page' })).toEqual([
      [7, 5, 292, 5],
      [7, 394, 292, 394],
      [7, 5, 7, 394],
      [292, 5, 292, 394],
    ])
  })

  test('stay on the page where the margin is less than their distance, and ignore a margin’s sign', () => {
    expect(lines({ ...margins({ left: 3, top: -50, bottom: -50 }), borders })[0]).toEqual([0, 45, 258, 45])
    expect(lines({ ...margins({ bottom: -50 }), borders })[1]?.[1]).toBe(356)
  })

  test('are drawn only where they have a width', () => {
    expect(lines({ ...sheet, borders: { ...borders, top: border(5, 0), left: border(7, 0) } })).toHaveLength(2)
    expect(lines({ ...sheet, borders: { right: border(8) } })).toEqual([[258, 50, 258, 350]])
    expect(pageBorders(sheet)).toEqual([])
  })
})

test('a page whose lines run down is laid out on its side: its right margin is the top, its gutter is at the bottom', () => {
  const down = { ...margins({ top: -10, right: 20, bottom: -30, left: 40, gutter: 5 }), linesRunDown: true }
  const lying = sectionForText(down)
  expect([lying.width, lying.height]).toEqual([400, 300])
  expect(lying.margins).toEqual({ top: 20, right: 30, bottom: 45, left: 10, header: 0, footer: 0, gutter: 0 })
  expect(lying.sheet).toBe(down)
  expect(sectionForText(sheet)).toBe(sheet)
})

describe('a floating object', () => {
  const page: PageGeometry = {
    ...{ pageWidth: 300, pageHeight: 400, left: 40, right: 240, top: 60, bottom: 350 },
    ...{ columnLeft: 150, columnRight: 240, paragraphTop: 100 },
  }
  const at = (horizontal: Anchor['horizontal'], vertical: Anchor['vertical']) => {
    const anchor: Anchor = {
      ...{ behind: false, wrap: 'none', horizontal, vertical },
      margins: { left: 0, top: 0, right: 0, bottom: 0 },
    }
    const { x, y } = placeAnchored({ anchor, width: 20, height: 10, frames: [] }, page)
    return [x, y]
  }

  test.each([
    ['page', 0, 300, 0, 400],
    ['margin', 40, 240, 60, 350],
    ['leftMargin', 0, 40, 100, 350],
    ['insideMargin', 0, 40, 0, 60],
    ['rightMargin', 240, 300, 100, 350],
    ['outsideMargin', 240, 300, 350, 400],
    ['topMargin', 150, 240, 0, 60],
    ['bottomMargin', 150, 240, 350, 400],
    ['column', 150, 240, 100, 350],
    ['paragraph', 150, 240, 100, 350],
  ])('that is placed by %s keeps to that area', (from, left, right, top, bottom) => {
    const both = (place: { offset: number; align?: string; share?: number }) =>
      at({ from, ...place }, { from, ...place })
    expect(both({ offset: 7 })).toEqual([left + 7, top + 7])
    expect(both({ offset: 7, align: 'center' })).toEqual([(left + right) / 2 - 10, (top + bottom) / 2 - 5])
    expect(both({ offset: 7, align: 'inside' })).toEqual([left, top])
    expect(both({ offset: 7, align: 'outside' })).toEqual([right - 20, bottom - 10])
    expect(both({ offset: 7, share: 0.25 })).toEqual([left + (right - left) / 4, top + (bottom - top) / 4])
  })

  test('is aligned to the left and right sideways, and to the top and bottom upright', () => {
    const aligned = (across: string, down: string) =>
      at({ from: 'margin', offset: 7, align: across }, { from: 'margin', offset: 7, align: down })
    expect(aligned('left', 'top')).toEqual([40, 60])
    expect(aligned('right', 'bottom')).toEqual([220, 340])
    // Sides of the other axis say nothing.
    expect(aligned('bottom', 'right')).toEqual([47, 67])
  })
})

describe('the copy of repeated rows', () => {
  const outline = { ops: 'ML', points: new Float64Array([0, 0, 5, 5]) } as unknown as Extract<
    Frame,
    { kind: 'path' }
  >['outline']
  const path: Frame = { kind: 'path', x: 1, y: 2, outline, evenOdd: false, node: 4 }
  const line: Frame = { kind: 'line', x1: 0, y1: 0, x2: 9, y2: 0, width: 1, color: '000000', dash: 'solid' }
  const [text] = textFrames(layoutOf(wordDocument(p('head'))).pages[0]!)

  test('shows all that the rows show, as nothing that is read out again', () => {
    const box: Frame = { kind: 'box', x: 0, y: 0, width: 9, height: 9, color: 'FF0000' }
    const crop = { left: 0, top: 0, right: 0, bottom: 0 }
    const image: Frame = { kind: 'image', x: 0, y: 0, width: 9, height: 9, part: 'a.png', crop, rotation: 0, node: 3 }
    expect(structuredCopy([text!, path, image, box, line])).toEqual([
      { ...text!, node: ARTIFACT },
      { ...path, node: ARTIFACT },
      { ...image, node: ARTIFACT },
      box,
      line,
    ])
  })

  test('goes into clips and groups, and moves apart from the original', () => {
    const clip: Frame = { kind: 'clip', x: 0, y: 0, width: 9, height: 9, frames: [path] }
    const group: Frame = {
      kind: 'group',
      x: 0,
      y: 0,
      matrix: [1, 0, 0, 1, 0, 0],
      figure: { node: 7, width: 9, height: 9 },
      frames: [clip, line],
    }
    const [copy] = structuredCopy([group])
    const copied = { ...clip, frames: [{ ...path, node: ARTIFACT }] }
    expect(copy).toEqual({ kind: 'group', x: 0, y: 0, matrix: [1, 0, 0, 1, 0, 0], frames: [copied, line] })
    expect(copy?.kind === 'group' && copy.frames[1]).not.toBe(line)
  })

  test('repeats neither links nor destinations', () => {
    const link: Frame = {
      kind: 'link',
      x: 0,
      y: 0,
      width: 9,
      height: 9,
      link: { kind: 'uri', uri: 'https://example.com' },
      text: 'n',
      node: 1,
    }
    expect(structuredCopy([{ kind: 'destination', x: 0, y: 0, name: 'n' }, link])).toEqual([])
  })

  test('draws the text of a header row that is cut at its stated height', () => {
    const cell = (text: string) => `<w:tc><w:tcPr/>${p(text)}${p(`${text}2`)}</w:tc>`
    const head = `<w:tr><w:trPr><w:tblHeader/><w:trHeight w:val="300" w:hRule="exact"/></w:trPr>${cell('head')}</w:tr>`
    const rows = Array.from({ length: 15 }, (_, index) => `<w:tr>${cell(`r${index}`)}</w:tr>`).join('')
    const table = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid>${head}${rows}</w:tbl><w:p/>`
    const pages = layoutOf(wordDocument(table)).pages
    expect(pages.map((page) => dump(page)[0])).toEqual(['55.4,59.4 head', '55.4,59.4 head'])
    expect(pages.map((page) => dump(page)[2]!.split(' ')[1])).toEqual(['r0', 'r12'])
    expect([dumpShapes(pages[0]!), dumpPaths(pages[0]!.frames)]).toEqual([[], []])
  })
})

test('the text of a page that lies on its side reaches to the edges where there are no margins', () => {
  // 26 lines of 11.499 pt are 298.97 pt high: 300 pt hold them with nothing above, and with 1 pt above or below as well.
  const section = (left: number, right: number) =>
    smallSection.replace('w:right="1000"', `w:right="${right}"`).replace('w:left="1000"', `w:left="${left}"`) +
    '<w:textDirection w:val="tbRl"/>'
  const body = Array.from({ length: 26 }, (_, index) => p(`l${index}`)).join('')
  const count = (left: number, right: number) =>
    layoutOf(wordDocument(body, { section: section(left, right) })).pages.length
  expect(count(0, 20)).toBe(1)
  expect(count(0, 21)).toBe(2)
  expect(count(20, 0)).toBe(1)
  expect(count(10, 10)).toBe(1)
  expect(count(10, 11)).toBe(2)
})
