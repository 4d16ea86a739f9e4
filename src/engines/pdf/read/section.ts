import { numberFormat } from '../../ooxml/numbering.ts'
import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { HeaderKind, LineNumbers, NoteNumbering, Section } from '../model/document.ts'
import { present } from '../model/present.ts'
import { readBorders } from './properties.ts'
import { lineDirections } from './table-properties.ts'
import type { Theme } from './theme.ts'
import { childValue, integer, isOn, toggle, twips } from './values.ts'

/** Letter paper with one-inch margins: what Word assumes if a section says nothing. */
export function defaultSection(): Section {
  return {
    type: 'nextPage',
    width: 612,
    height: 792,
    margins: { top: 72, right: 72, bottom: 72, left: 72, header: 36, footer: 36, gutter: 0 },
    titlePage: false,
    headers: {},
    footers: {},
    pageNumberFormat: 'decimal',
    columns: { count: 1, space: 36 },
    columnLine: false,
    vertical: 'top',
    gridPitch: 0,
    gridSpace: 0,
    borderOffset: 'text',
    footnotes: {},
    endnotes: {},
    linesRunDown: false,
  }
}

const headerKinds: readonly HeaderKind[] = ['default', 'first', 'even']

/** Section properties (17.6). Headers a section does not name are inherited from the one before it (17.10.5). */
export function readSection(
  element: XmlElement,
  previous: Section | undefined,
  theme: Theme,
  partOf: (id: string) => string | undefined,
): Section {
  const section = defaultSection()
  section.headers = { ...previous?.headers }
  section.footers = { ...previous?.footers }
  for (const child of childElements(element)) {
    if (child.name !== 'w:headerReference' && child.name !== 'w:footerReference') continue
    const stated = child.attributes['w:type'] ?? 'default'
    const kind = headerKinds.find((known) => known === stated)
    const part = partOf(child.attributes['r:id'] ?? '')
    if (kind === undefined || part === undefined) continue
    if (child.name === 'w:headerReference') section.headers[kind] = part
    else section.footers[kind] = part
  }
  const size = childNamed(element, 'w:pgSz')?.attributes ?? {}
  // Word's own bounds of a page side are 0.1 and 22 inches; larger ones come from plotters and are harmless.
  const side = (text: string | undefined, fallback: number) => Math.max(36, Math.min(5_000, twips(text) ?? fallback))
  section.width = side(size['w:w'], section.width)
  section.height = side(size['w:h'], section.height)
  const margins = childNamed(element, 'w:pgMar')?.attributes ?? {}
  for (const name of ['top', 'right', 'bottom', 'left', 'header', 'footer', 'gutter'] as const) {
    section.margins[name] = twips(margins[`w:${name}`]) ?? section.margins[name]
  }
  const type = childValue(element, 'w:type')
  if (type === 'continuous' || type === 'evenPage' || type === 'oddPage' || type === 'nextColumn') section.type = type
  section.titlePage = toggle(element, 'w:titlePg') ?? false
  const numbers = childNamed(element, 'w:pgNumType')?.attributes ?? {}
  const start = integer(numbers['w:start'])
  if (start !== undefined) section.pageNumberStart = start
  section.pageNumberFormat = numbers['w:fmt'] ?? 'decimal'
  readColumns(childNamed(element, 'w:cols'), section)
  const vertical = childValue(element, 'w:vAlign')
  if (vertical === 'center' || vertical === 'bottom' || vertical === 'both') section.vertical = vertical
  section.linesRunDown = lineDirections[childValue(element, 'w:textDirection') ?? ''] === 'down'
  const grid = childNamed(element, 'w:docGrid')?.attributes ?? {}
  if (grid['w:type'] === 'lines' || grid['w:type'] === 'linesAndChars')
    section.gridPitch = Math.max(0, twips(grid['w:linePitch']) ?? 0)
  // In 1/4096 of a point (17.6.5).
  section.gridSpace = grid['w:type'] === 'linesAndChars' ? (integer(grid['w:charSpace']) ?? 0) / 4096 : 0
  const numbered = readLineNumbers(childNamed(element, 'w:lnNumType'))
  if (numbered) section.lineNumbers = numbered
  const borders = childNamed(element, 'w:pgBorders')
  const read = readBorders(borders, theme)
  if (read) section.borders = read
  if (borders?.attributes['w:offsetFrom'] === 'page') section.borderOffset = 'page'
  section.footnotes = readNoteNumbering(childNamed(element, 'w:footnotePr'))
  section.endnotes = readNoteNumbering(childNamed(element, 'w:endnotePr'))
  return section
}

export function readNoteNumbering(element: XmlElement | undefined): Partial<NoteNumbering> {
  if (!element) return {}
  const format = childNamed(element, 'w:numFmt')
  const restart = childValue(element, 'w:numRestart')
  return present<Partial<NoteNumbering>>({
    format: format && numberFormat(format),
    start: integer(childValue(element, 'w:numStart')),
    restart: restart === 'eachSect' || restart === 'eachPage' || restart === 'continuous' ? restart : undefined,
  })
}

/** Without `countBy` no number is shown. */
function readLineNumbers(element: XmlElement | undefined): LineNumbers | undefined {
  const countBy = integer(element?.attributes['w:countBy'])
  if (!element || countBy === undefined || countBy < 1) return undefined
  const restart = element.attributes['w:restart']
  return {
    countBy: Math.min(countBy, 100),
    start: Math.max(0, integer(element.attributes['w:start']) ?? 0) + 1,
    distance: Math.max(0, twips(element.attributes['w:distance']) ?? 0),
    restart: restart === 'newSection' || restart === 'continuous' ? restart : 'newPage',
  }
}

function readColumns(element: XmlElement | undefined, section: Section): void {
  if (!element) return
  const space = Math.max(0, twips(element.attributes['w:space']) ?? 36)
  section.columnLine = element.attributes['w:sep'] !== undefined && isOn(element.attributes['w:sep'])
  const equal = element.attributes['w:equalWidth']
  const listed = childElements(element, 'w:col').slice(0, 45)
  if (equal !== undefined && !isOn(equal) && listed.length > 0) {
    section.columns = listed.map((column) => ({
      width: Math.max(4, twips(column.attributes['w:w']) ?? 72),
      space: Math.max(0, twips(column.attributes['w:space']) ?? 0),
    }))
  } else {
    section.columns = { count: Math.max(1, Math.min(45, integer(element.attributes['w:num']) ?? 1)), space }
  }
}
