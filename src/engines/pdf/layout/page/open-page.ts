import type { Frame, Page } from '../../frame/frame.ts'
import type { Section } from '../../model/document.ts'
import type { Exclusion } from '../paragraph/wrap.ts'
import type { PageGeometry } from './anchors.ts'
import type { NoteBand } from './note-bands.ts'
import type { Column } from './sheet.ts'

/** A page while it is being filled. */
export interface OpenPage {
  page: Page
  section: Section
  sectionIndex: number
  firstOfSection: boolean
  top: number
  bottom: number
  columns: Column[]
  column: number
  /** Where the current columns begin: below a continuous section break that is not the page's top. */
  regionTop: number
  regionBottom: number
  y: number
  /** Nothing stands in the current column yet. */
  fresh: boolean
  /** The column was reached by running over, so space before its first paragraph is dropped. */
  natural: boolean
  behind: Frame[]
  body: Frame[]
  front: Frame[]
  /** What stands at the foot of the page: of each section with columns of its own, from top to bottom. */
  notes: NoteBand[]
  closing: { frames: Frame[]; x: number; y: number } | undefined
  number: number
  exclusions: Exclusion[]
  /** While columns are balanced: where they end, above the page's own bottom. */
  columnLimit: number
  /** How far the document grid moves the body down from the top margin, and up from the bottom one. */
  gridShift: number
  gridRest: number
}

/** The areas of a page that floating objects are positioned against. */
export function geometryOf(page: OpenPage, column: Column, paragraphTop: number): PageGeometry {
  const { section } = page
  return {
    pageWidth: section.width,
    pageHeight: section.height,
    left: section.margins.left + section.margins.gutter,
    right: section.width - section.margins.right,
    // The margins are those of the section, wherever the grid begins.
    top: page.top - page.gridShift,
    bottom: page.bottom + page.gridRest,
    columnLeft: column.x,
    columnRight: column.x + column.width,
    paragraphTop,
  }
}

/** The lines of a document grid stand in the middle of the page's text area, which holds whole lines only. */
export function fitToGrid(open: OpenPage, pitch: number): void {
  const height = Math.round((open.bottom - open.top) * 20)
  const lines = Math.floor(height / Math.round(pitch * 20))
  if (lines < 1) return
  const rest = height - lines * Math.round(pitch * 20)
  open.gridShift = Math.floor(rest / 2) / 20
  open.gridRest = rest / 20 - open.gridShift
  open.top += open.gridShift
  open.bottom = open.top + (height - rest) / 20
}
