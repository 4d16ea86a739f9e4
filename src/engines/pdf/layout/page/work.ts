import type { OutlineEntry } from '../../frame/frame.ts'
import type { Context } from '../context.ts'
import type { BlockBox, Slice } from '../slice.ts'
import type { BlocksLeft } from '../stack.ts'
import { noteFrames } from './note-bands.ts'
import type { OpenPage, Region } from './open-page.ts'

/**
 * The remaining work and where it goes. With the lengths of the lists collected so far it makes a checkpoint; restoring
 * one is the only way to rewind. Notes are not part of it: once placed they stay, so nothing that brings notes to a
 * page is ever placed twice.
 */
export interface Work {
  /** The page being filled: the last one there is. */
  page: OpenPage
  sectionIndex: number
  /** A break that the text asks for, taken as soon as more text follows. */
  pendingBreak: 'page' | 'column' | undefined
  /** How many lines were counted since the count last began. */
  lines: number
  /** The column that the slices to be placed were laid out for. */
  laidFor: { page: OpenPage; column: number } | undefined
  /** The block above the next one; the space below it meets the next one's space above. */
  above: BlockBox | undefined
  /** The block that was laid out last, even if on another page. */
  last: BlockBox | undefined
  /** There are as many pages as there may be; the rest is left out. */
  truncated: boolean
}

export function startOn(page: OpenPage): Work {
  return {
    page,
    sectionIndex: page.sectionIndex,
    pendingBreak: undefined,
    lines: 0,
    laidFor: undefined,
    above: undefined,
    last: undefined,
    truncated: false,
  }
}

/** The rest of some blocks. Lines and rows before `resume` are already placed. */
export interface Remainder {
  readonly left: BlocksLeft
  /** Where to resume inside the next block: at a line's first entry, or else at a slice. */
  readonly resume: { readonly slice: number; readonly entry: number | undefined } | undefined
}

/** A moment of a pass that it can go back to. */
export interface Checkpoint extends Remainder {
  readonly work: Work
  readonly region: Region
  readonly heldBytes: number
  readonly pages: number
  readonly outline: number
  readonly body: number
  readonly front: number
  readonly behind: number
  readonly exclusions: number
  /** How many frames of notes the page had: they are not taken back. */
  readonly notes: number
}

/** Lists that grow while pages are filled, and are cut back at a checkpoint. */
export interface Growing {
  readonly context: Context
  readonly pages: OpenPage[]
  readonly outline: OutlineEntry[]
}

export function checkpoint({ context, pages, outline }: Growing, work: Work, remainder: Remainder): Checkpoint {
  const { page } = work
  return {
    left: remainder.left,
    resume: remainder.resume,
    work: { ...work },
    region: { ...page.region },
    heldBytes: context.held.bytes,
    pages: pages.length,
    outline: outline.length,
    body: page.body.length,
    front: page.front.length,
    behind: page.behind.length,
    exclusions: page.exclusions.length,
    notes: noteFrames(page),
  }
}

/** Goes back to a checkpoint. Structure nodes added since then stay: nodes without content are not written. */
export function restore({ context, pages, outline }: Growing, work: Work, saved: Checkpoint): void {
  Object.assign(work, saved.work)
  const { page } = work
  page.region = { ...saved.region }
  page.body.length = saved.body
  page.front.length = saved.front
  page.behind.length = saved.behind
  page.exclusions.length = saved.exclusions
  pages.length = saved.pages
  outline.length = saved.outline
  context.held.backTo(saved.heldBytes)
}

/** Where a slice comes from: resume there to lay it out once more, for another column or page. */
export interface Origin extends Remainder {
  /** The width of the column that it was laid out for. */
  readonly width: number
  /** The page that it was laid out for, if it shows that page's number. */
  readonly page: OpenPage | undefined
}

/** The origins of slices that wait for their place. */
export type Origins = Map<Slice, Origin>
