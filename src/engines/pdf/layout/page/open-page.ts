import type { Frame, Page } from '../../frame/frame.ts'
import type { Section } from '../../model/document.ts'
import type { Exclusion } from '../paragraph/wrap.ts'
import type { PageGeometry } from './anchors.ts'
import { type Column, columnAt } from './sheet.ts'

/**
 * A page while it is being filled. Its lists of frames and exclusions only grow, so their lengths tell how full the
 * page was at a checkpoint.
 */
export interface OpenPage {
  readonly page: Page
  /** Its place among the pages, from 0. */
  readonly index: number
  readonly section: Section
  readonly sectionIndex: number
  readonly firstOfSection: boolean
  readonly number: number
  /** It is only there to bring the next page to the other side of the sheet; not even a header is on it. */
  isBlank: boolean
  top: number
  bottom: number
  region: Region
  readonly behind: Frame[]
  readonly body: Frame[]
  readonly front: Frame[]
  /** The footnotes: of each section with columns of its own, from top to bottom. */
  readonly notes: NoteBand[]
  readonly exclusions: Exclusion[]
}

/** The part of a page that the current section fills: its columns, and how far they are filled. */
export interface Region {
  readonly columns: readonly Column[]
  /** Which column is being filled. */
  column: number
  /** Where the columns begin: the page's top, or below a continuous section break. */
  top: number
  /** How far down the text of the page reaches. */
  bottom: number
  /** Where columns that are balanced end, above the page's own bottom. */
  limit: number
  /** Where the next slice goes. */
  y: number
  /** The current column is still empty. */
  fresh: boolean
  /** The text ran over to this column without a break, which drops the space above its first paragraph. */
  natural: boolean
  /** A table's lower edge, drawn when the column ends or anything but the table's next row follows. */
  closing: { frames: Frame[]; x: number; y: number } | undefined
}

/** The footnotes of columns that are side by side. */
export interface NoteBand {
  columns: readonly Column[]
  /** By the column of their references. */
  areas: NoteArea[]
}

/** The footnotes of one column. The area begins at y = 0 and moves to the foot of the page when the page is finished. */
export interface NoteArea {
  frames: Frame[]
  height: number
  /** Space that the last note asks for below itself; used only if another one follows. */
  tail: { slack: number; after: number }
}

/** The column being filled. */
export function columnOf({ region }: OpenPage): Column {
  return columnAt(region.columns, region.column)
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
