import type { Section } from '../read/model.ts'
import type { PageGeometry } from './anchors.ts'
import type { Frame, Page } from './frame.ts'
import type { Column } from './sheet.ts'
import type { Exclusion } from './wrap.ts'

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
  notes: Frame[]
  notesHeight: number
  closing: { frames: Frame[]; x: number; y: number } | undefined
  number: number
  exclusions: Exclusion[]
  /** While columns are balanced: where they end, above the page's own bottom. */
  columnLimit: number
  /** How far the document grid moves the body down from the top margin. */
  gridShift: number
}

/** The areas of a page that floating objects are positioned against. */
export function geometryOf(page: OpenPage, column: Column, paragraphTop: number): PageGeometry {
  const { section } = page
  return {
    pageWidth: section.width,
    pageHeight: section.height,
    left: section.margins.left + section.margins.gutter,
    right: section.width - section.margins.right,
    top: page.top,
    bottom: page.bottom,
    columnLeft: column.x,
    columnRight: column.x + column.width,
    paragraphTop,
  }
}
