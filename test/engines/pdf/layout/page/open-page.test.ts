import { describe, expect, test } from 'bun:test'
import type { Frame } from '../../../../../src/engines/pdf/frame/frame.ts'
import {
  besideFloats,
  drawBeside,
  leadOf,
  nextRoom,
  repeatedRows,
  roomOn,
  spaceAbove,
} from '../../../../../src/engines/pdf/layout/page/compose.ts'
import {
  FieldGuesses,
  fieldsOn,
  type Known,
  knownOf,
  valueFrom,
} from '../../../../../src/engines/pdf/layout/page/fields.ts'
import {
  drawFloats,
  isMovedByOwn,
  keepFree,
  landingOf,
  wayAround,
} from '../../../../../src/engines/pdf/layout/page/floats.ts'
import {
  allNotesHeight,
  noteArea,
  noteFrames,
  noteRoom,
  notesHeight,
  openArea,
  placedNotes,
  sameColumns,
} from '../../../../../src/engines/pdf/layout/page/note-bands.ts'
import { noteRule } from '../../../../../src/engines/pdf/layout/page/notes.ts'
import { columnOf, geometryOf, type OpenPage } from '../../../../../src/engines/pdf/layout/page/open-page.ts'
import { columnAt, paper, sectionMark } from '../../../../../src/engines/pdf/layout/page/sheet.ts'
import { closeColumn, isUntouched } from '../../../../../src/engines/pdf/layout/page/turn.ts'
import { startOn, type Work } from '../../../../../src/engines/pdf/layout/page/work.ts'
import type { Exclusion } from '../../../../../src/engines/pdf/layout/paragraph/wrap.ts'
import type { AnchoredObject, Slice } from '../../../../../src/engines/pdf/layout/slice.ts'
import { compatibilityOf } from '../../../../../src/engines/pdf/model/compatibility.ts'
import type { Anchor, Block, Paragraph, Section } from '../../../../../src/engines/pdf/model/document.ts'

const modern = compatibilityOf(15)

/* Pages made by hand: 300 × 400 pt with margins of 50 pt, and two columns of 90 pt with 20 pt between them. */
const section: Section = {
  ...{ type: 'nextPage', width: 300, height: 400, titlePage: false, headers: {}, footers: {} },
  margins: { top: 50, right: 50, bottom: 50, left: 50, header: 20, footer: 20, gutter: 0 },
  ...{ pageNumberFormat: 'decimal', columns: { count: 2, space: 20 }, columnLine: false, vertical: 'top' },
  ...{ gridPitch: 0, gridSpace: 0, borderOffset: 'text', footnotes: {}, endnotes: {}, linesRunDown: false },
}
const columns = [
  { x: 50, width: 90 },
  { x: 160, width: 90 },
]
function pageOf(region: Partial<OpenPage['region']> = {}, changes: Partial<OpenPage> = {}): OpenPage {
  return {
    page: { width: 300, height: 400, number: 1, label: '1', frames: [] },
    ...{ index: 0, section, sectionIndex: 0, firstOfSection: false, number: 1 },
    ...{ isBlank: false, top: 50, bottom: 350 },
    region: {
      ...{ columns, column: 0, top: 50, bottom: 50, limit: Number.POSITIVE_INFINITY, y: 50, fresh: true },
      ...{ natural: false, closing: undefined },
      ...region,
    },
    ...{ behind: [], body: [], front: [], notes: [], exclusions: [] },
    ...changes,
  }
}
const workOn = (page: OpenPage, changes: Partial<Work> = {}): Work => ({ ...startOn(page), ...changes })
const mark = (name: string, y = 0): Frame => ({ kind: 'destination', x: 0, y, name })
const slice = (changes: Partial<Slice> = {}): Slice => ({ before: 6, height: 10, frames: [], stick: false, ...changes })
const object = (anchor: Partial<Anchor> = {}): AnchoredObject => ({
  ...{ width: 30, height: 40, frames: [mark('o')] },
  anchor: {
    ...{ wrap: 'square', sides: 'both', behind: false, margins: { left: 1, right: 2, top: 3, bottom: 4 } },
    horizontal: { from: 'column', offset: 5 },
    vertical: { from: 'paragraph', offset: 7 },
    ...anchor,
  },
})
const marksOf = (frames: readonly Frame[]) =>
  frames.flatMap((frame) => (frame.kind === 'destination' ? [`${frame.name} ${frame.x},${frame.y}`] : []))
/** Notes of so many points at the foot of each column. */
const addNotes = (page: OpenPage, heights: readonly number[], of = page.region.columns) => {
  for (const [index, height] of heights.entries()) {
    const area = openArea(page, of, index)
    area.height = height
    if (height > 0) area.frames.push(mark(`n${page.notes.length}${index}`))
  }
}

describe('the room of a page', () => {
  test('ends where its notes begin, or where balanced columns end', () => {
    const page = pageOf({ y: 70 })
    expect([roomOn(page), nextRoom(page)]).toEqual([280, 300])
    addNotes(page, [20, 30])
    expect([roomOn(page), nextRoom(page)]).toEqual([260, 270])
    page.region.limit = 200
    expect([roomOn(page), nextRoom(page)]).toEqual([130, 150])
    page.region.column = 1
    page.region.limit = 340
    // Behind the last column comes a page of its own.
    expect([roomOn(page), nextRoom(page)]).toEqual([250, 300])
    page.region.top = 100
    expect(nextRoom(page)).toBe(300)
    page.region.column = 0
    expect(nextRoom(page)).toBe(220)
  })

  test('is what floating objects are placed against, with the column that they are in', () => {
    const page = pageOf({ column: 1 })
    expect(geometryOf(page, columnOf(page), 123)).toEqual({
      ...{ pageWidth: 300, pageHeight: 400, left: 50, right: 250, top: 50, bottom: 350 },
      ...{ columnLeft: 160, columnRight: 250, paragraphTop: 123 },
    })
    const bound = pageOf({}, { section: { ...section, margins: { ...section.margins, gutter: 9 } } })
    expect(geometryOf(bound, columnOf(bound), 0).left).toBe(59)
    expect(() => columnAt(columns, 2)).toThrow('there is no column 2 among 2')
  })

  test('is untouched until something is in its first column', () => {
    expect(isUntouched(pageOf())).toBe(true)
    expect(isUntouched(pageOf({ fresh: false }))).toBe(false)
    expect(isUntouched(pageOf({ column: 1 }))).toBe(false)
    expect(isUntouched(pageOf({}, { body: [mark('a')] }))).toBe(false)
  })

  test('has the lower edge of a table drawn once, where its column ends', () => {
    const page = pageOf({ closing: { frames: [mark('edge')], x: 50, y: 90 } })
    closeColumn(page)
    closeColumn(page)
    expect(marksOf(page.body)).toEqual(['edge 50,90'])
  })

  test('is painted where its paper is not white', () => {
    expect([paper(section, undefined), paper(section, 'FFFFFF')]).toEqual([[], []])
    expect(paper(section, 'FFFFFE')).toEqual([{ kind: 'box', x: 0, y: 0, width: 300, height: 400, color: 'FFFFFE' }])
  })
})

describe('the space above a slice', () => {
  test('is its own, but at the top of a page that of what comes there', () => {
    const space = (region: Partial<OpenPage['region']>, changes: Partial<Slice> = {}) =>
      spaceAbove(workOn(pageOf(region)), slice(changes))
    expect(space({ fresh: false })).toBe(6)
    expect(space({ natural: true })).toBe(0)
    expect(space({ natural: false })).toBe(6)
    expect(space({ natural: false }, { beforeAtTop: 2 })).toBe(2)
    expect(space({ natural: true }, { repeat: [slice({ height: 12 }), slice({ height: 15 })] })).toBe(27)
    expect(space({ natural: false }, { repeat: [slice({ height: 12 })] })).toBe(6)
  })

  test('holds how far it moved below an object, in the column that it was laid out for', () => {
    const page = pageOf({ natural: true })
    const lead = (laidFor: Work['laidFor']) => leadOf(workOn(page, { laidFor }), slice({ lead: 9 }))
    expect([
      lead({ page, column: 0 }),
      lead({ page, column: 1 }),
      lead({ page: pageOf(), column: 0 }),
      lead(undefined),
    ]).toEqual([9, 0, 0, 0])
    expect(spaceAbove(workOn(page, { laidFor: { page, column: 0 } }), slice({ lead: 9 }))).toBe(9)
    expect(leadOf(workOn(page, { laidFor: { page, column: 0 } }), slice())).toBe(0)
  })

  test('is that of repeated rows unless they would take half of the page', () => {
    const page = pageOf()
    const rows = (height: number) => [slice({ height: height / 2 }), slice({ height: height / 2 })]
    expect(repeatedRows(page, slice({ repeat: rows(150) }))).toHaveLength(2)
    expect(repeatedRows(page, slice({ repeat: rows(151) }))).toEqual([])
    expect(repeatedRows(page, slice({ repeat: rows(100), isRepeated: true }))).toEqual([])
    expect(repeatedRows(page, slice())).toEqual([])
  })
})

describe('the floating objects of a page', () => {
  const area: Exclusion = { left: 40, right: 120, top: 100, bottom: 150, whole: false, sides: 'both' }

  test('move the lines of the column that they are in', () => {
    const page = pageOf()
    expect(wayAround(page, 90)).toBeUndefined()
    page.exclusions.push({ ...area, whole: true })
    // 90 pt down, and lines of 12 pt: the first would end at 102.
    expect(wayAround(page, 90)!(0, 12)).toEqual({ left: 0, right: 0, skip: 60 })
    expect(wayAround(page, 90)!(0, 10)).toEqual({ left: 0, right: 0, skip: 0 })
    expect(wayAround(page, 90)!(5, 10)).toEqual({ left: 0, right: 0, skip: 55 })
    page.region.column = 1
    expect(wayAround(page, 90)!(0, 12)).toEqual({ left: 0, right: 0, skip: 0 })
    // A picture that begins the line counts with its own height.
    page.region.column = 0
    expect(wayAround(page, 50)!(0, 12, { width: 10, height: 60 }).skip).toBe(100)
  })

  test('land in the text flow where they reach below the text, or below the page if that places them outside of it', () => {
    const page = pageOf()
    const landing = (anchor: Partial<Anchor>, top: number, version = 15) =>
      landingOf(page, object(anchor), top, compatibilityOf(version))
    expect([landing({}, 303), landing({}, 303.1)?.below]).toEqual([undefined, 7])
    const onPage = (offset: number): Partial<Anchor> => ({ vertical: { from: 'page', offset } })
    expect([landing(onPage(360), 0), landing(onPage(361), 0)?.below]).toEqual([undefined, 361])
    // In the text, they end with it; before Word 2013, and where they begin above what is still to come, with the page.
    expect([landing(onPage(310), 100), landing(onPage(311), 100)?.below]).toEqual([undefined, 211])
    expect([landing(onPage(311), 100, 14), landing(onPage(311), 311.1)]).toEqual([undefined, undefined])
  })

  test('keep text away if they have any beside them', () => {
    const page = pageOf({ column: 1 })
    expect(keepFree(page, [object({ wrap: 'none' })], 100)).toBe(false)
    expect(page.exclusions).toEqual([])
    expect(keepFree(page, [object({ wrap: 'none' }), object()], 100)).toBe(true)
    expect(page.exclusions).toEqual([{ left: 164, right: 197, top: 104, bottom: 151, whole: false, sides: 'both' }])
  })

  test('are behind the text or in front of it, in their column', () => {
    const page = pageOf({ column: 1 })
    drawFloats(page, [object(), object({ behind: true })], 100)
    expect([marksOf(page.front), marksOf(page.behind)]).toEqual([['o 165,107'], ['o 165,107']])
    const own = pageOf({ y: 100 })
    const laidFor = { page: own, column: 0 }
    drawBeside(workOn(own, { laidFor }), slice({ lead: 30, anchors: [object()] }))
    drawBeside(workOn(own, { laidFor }), slice({ lead: 30 }))
    expect(marksOf(own.front)).toEqual(['o 55,77'])
  })

  test('of a paragraph alone move its line if no other does, and all end on the page', () => {
    const moved = (exclusions: Exclusion[], own: number) => {
      const page = pageOf()
      page.exclusions.push(...exclusions)
      return isMovedByOwn(page, own, 95, 12)
    }
    const whole = { ...area, whole: true }
    expect(moved([whole], 0)).toBe(true)
    expect(moved([whole], 1)).toBe(false)
    expect(moved([{ ...whole, top: 110, bottom: 140 }, whole], 1)).toBe(true)
    expect(moved([{ ...whole, bottom: 400 }], 0)).toBe(true)
    expect(moved([{ ...whole, bottom: 401 }], 0)).toBe(false)
    // That an earlier one in another column ends below the page doesn't matter.
    expect(moved([{ ...whole, left: 170, right: 200, bottom: 401 }, whole], 1)).toBe(true)
  })

  test('are asked for where the next block begins', () => {
    const gap = { below: 6, atTop: 4 }
    /** How far down the first line is taken to be, by when it meets an area that begins at 100. */
    const top = (region: Partial<OpenPage['region']>, waiting?: number) => {
      const page = pageOf(region)
      page.exclusions.push({ ...area, top: 0, bottom: 300, whole: true })
      return 300 - besideFloats(workOn(page), waiting, modern).wrap!(gap)!(0, 10).skip
    }
    expect(top({ y: 80, fresh: false })).toBe(86)
    expect(top({ y: 50, fresh: true })).toBe(54)
    expect(top({ y: 50, fresh: true, natural: true })).toBe(50)
    expect(top({ y: 80, fresh: false }, 25)).toBe(111)
    expect(top({ y: 80, fresh: true, natural: true }, 25)).toBe(111)
  })

  test('wait for the next page where a break is still to be taken', () => {
    const page = pageOf()
    page.exclusions.push(area)
    const gap = { below: 0, atTop: 0 }
    const beside = besideFloats(workOn(page, { pendingBreak: 'page' }), undefined, modern)
    expect(beside.wrap!(gap)).toBeUndefined()
    expect(beside.float!([object()], gap)).toBe(false)
    expect(page.exclusions).toHaveLength(1)
    const now = besideFloats(workOn(page), undefined, modern)
    expect(now.float!([object()], gap)).toBe(true)
    expect(page.exclusions).toHaveLength(2)
    expect(now.landing!(object(), gap)).toBeUndefined()
    expect(now.landing!(object({ vertical: { from: 'paragraph', offset: 261 } }), gap)).toMatchObject({ below: 261 })
  })
})

describe('the notes of a page', () => {
  const other = [{ x: 50, width: 200 }]

  test('are in one band for columns in the same places', () => {
    expect(
      sameColumns(
        columns,
        columns.map((column) => ({ ...column })),
      ),
    ).toBe(true)
    expect(sameColumns(columns, [columns[0]!])).toBe(false)
    expect(sameColumns(columns, [columns[0]!, { x: 161, width: 90 }])).toBe(false)
    expect(sameColumns(columns, [columns[0]!, { x: 160, width: 91 }])).toBe(false)
    const page = pageOf()
    const area = openArea(page, columns, 1)
    expect(openArea(page, columns, 1)).toBe(area)
    expect(openArea(page, columns, 0)).not.toBe(area)
    expect(page.notes).toHaveLength(1)
    openArea(page, other, 0)
    expect(page.notes).toHaveLength(2)
    expect(() => openArea(page, other, 1)).toThrow('there are no notes of column 1 among 1')
  })

  test('take the room of their column, and that of other sections from all', () => {
    const page = pageOf({ y: 70 })
    expect([notesHeight(page, 0), allNotesHeight(page), noteRoom(page), noteFrames(page)]).toEqual([0, 0, 280, 0])
    expect(noteArea(page)).toBeUndefined()
    addNotes(page, [15], other)
    addNotes(page, [20, 30])
    expect([0, 1].map((column) => notesHeight(page, column))).toEqual([35, 45])
    expect([allNotesHeight(page), noteRoom(page), noteFrames(page)]).toEqual([45, 265, 3])
    expect(noteArea(page)?.height).toBe(20)
    page.region = { ...page.region, columns: other }
    // Those of columns that are no longer filled are in the way of all.
    expect([notesHeight(page, 0), noteRoom(page)]).toEqual([45, 235])
    expect(noteArea(page)).toBeUndefined()
    const empty = pageOf()
    addNotes(empty, [0, 10])
    expect(noteArea(empty)).toBeUndefined()
  })

  test('end level at the foot of the page, or begin level right below the text', () => {
    const placed = (top: number | undefined) => {
      const page = pageOf()
      addNotes(page, [15], other)
      addNotes(page, [20, 30])
      return marksOf(placedNotes(page, top)).map((one) => one.split(',')[1])
    }
    // From 45 pt above 350: a band of 15 pt, then one of 30 pt, whose first column has 20 pt.
    expect(placed(undefined)).toEqual(['305', '330', '320'])
    expect(placed(100)).toEqual(['100', '115', '115'])
  })

  test('are below a rule of two inches, or as wide as their column', () => {
    const line = { kind: 'line', width: 0.5, color: '000000', dash: 'solid' } as const
    expect(noteRule({ x: 50, width: 200 }, 30)).toEqual({ ...line, x1: 50, y1: 25, x2: 194, y2: 25 })
    expect(noteRule({ x: 50, width: 90 }, 30)).toEqual({ ...line, x1: 50, y1: 25, x2: 140, y2: 25 })
  })
})

describe('the fields of a page', () => {
  const known: Known = {
    ...{ total: 12, sectionPages: [3, 9], bookmarks: new Map([['here', 'iv']]) },
    ...{ notePages: new Map(), language: 'en-GB' },
  }
  const asked = { kind: 'NUMPAGES', argument: '', section: 1, format: '' } as const

  test('count the pages of the document and of each section', () => {
    const pages = [0, 0, 1, 1, 1].map((sectionIndex, index) => pageOf({}, { sectionIndex, index }))
    const facts = knownOf(pages, new Map(), new Map([['7', pages[3]!]]), 'de-DE')
    expect(facts).toEqual({
      ...{ total: 5, sectionPages: [2, 3], bookmarks: new Map(), notePages: new Map([['7', 3]]), language: 'de-DE' },
    })
    expect(valueFrom(known, asked)).toBe('12')
    expect(valueFrom(known, { ...asked, format: 'upperRoman' })).toBe('XII')
    expect(valueFrom(known, { ...asked, kind: 'SECTIONPAGES' })).toBe('9')
    expect(valueFrom(known, { ...asked, kind: 'SECTIONPAGES', section: 5, format: 'lowerRoman' })).toBe('i')
    expect(valueFrom(known, { ...asked, kind: 'PAGEREF', argument: 'here' })).toBe('iv')
    expect(valueFrom(known, { ...asked, kind: 'PAGEREF', argument: 'there' })).toBeUndefined()
  })

  test('show the number of their page in its section’s format, or in their own', () => {
    const page = pageOf({}, { number: 4, sectionIndex: 2, section: { ...section, pageNumberFormat: 'lowerRoman' } })
    const sources = {
      quote: (style: string, switches: string) => `${style} ${switches}`,
      ahead: (given: { kind: string; argument: string; section: number; format: string }) =>
        `${given.kind} ${given.argument} ${given.section} ${given.format}`,
    }
    const fields = fieldsOn(() => page, 'en-GB', sources)
    const value = (field: 'PAGE' | 'STYLEREF' | 'NUMPAGES', format = '') =>
      fields.valueOf({ kind: 'field', field, argument: 'x', format, stored: '?', props: {} })
    expect([value('PAGE'), value('PAGE', 'upperLetter')]).toEqual(['iv', 'D'])
    expect([value('STYLEREF', 'l'), value('NUMPAGES', 'f')]).toEqual(['x l', 'NUMPAGES x 2 f'])
  })

  test('are guessed from the pass before, and wrong if any was given another value', () => {
    const guesses = new FieldGuesses(known)
    expect(guesses.value(asked)).toBe('12')
    expect(guesses.value({ ...asked, kind: 'SECTIONPAGES' })).toBe('9')
    expect(guesses.wereWrong(known)).toBe(false)
    expect(guesses.wereWrong({ ...known, total: 13 })).toBe(true)
    expect(guesses.wereWrong({ ...known, sectionPages: [3, 8] })).toBe(true)
    expect(guesses.wereWrong({ ...known, sectionPages: [2, 9] })).toBe(false)
    expect(guesses.isQuoting).toBe(false)
    const first = new FieldGuesses(undefined)
    expect(first.wereWrong(known)).toBe(false)
    expect(first.value(asked)).toBeUndefined()
    expect(first.wereWrong(known)).toBe(true)
    const unknown = new FieldGuesses(undefined)
    unknown.value({ ...asked, kind: 'PAGEREF', argument: 'there' })
    expect(unknown.wereWrong(known)).toBe(false)
  })
})

describe('the end of a section', () => {
  const paragraph = (changes: Partial<Paragraph> = {}): Paragraph => ({
    ...{ kind: 'paragraph', props: {}, markProps: {}, content: [], number: 1 },
    ...changes,
  })
  test('is no line if its paragraph is bare and has text above it', () => {
    const last = paragraph({ section })
    const marks = (...blocks: Block[]) => sectionMark(blocks) === blocks.at(-1)
    expect(marks(paragraph(), last)).toBe(true)
    expect(marks(last)).toBe(false)
    expect(marks(paragraph(), paragraph())).toBe(false)
    expect(marks(paragraph(), paragraph({ section, props: { pageBreakBefore: true } }))).toBe(true)
    expect(marks(paragraph(), paragraph({ section, fieldMark: true }))).toBe(false)
    const text = { kind: 'text', text: 'x', props: {} } as const
    const bookmark = { kind: 'bookmark', name: 'x', props: {} } as const
    expect(marks(paragraph(), paragraph({ section, content: [bookmark, text] }))).toBe(false)
    expect(marks(paragraph(), paragraph({ section, content: [bookmark] }))).toBe(true)
  })
})
