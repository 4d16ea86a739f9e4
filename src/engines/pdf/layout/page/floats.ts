/** The floating objects of a page that is being filled: their places, and how text moves around them. */

import { moveFrames } from '../../frame/frame.ts'
import type { Compatibility } from '../../model/compatibility.ts'
import { exclusionOf, giveWay, type Opening } from '../paragraph/wrap.ts'
import type { AnchoredObject, Landing } from '../slice.ts'
import { placeAnchored } from './anchors.ts'
import { columnOf, geometryOf, type OpenPage } from './open-page.ts'

/** How the lines of a paragraph at `top` flow around floating objects; undefined if there are none. */
export function wayAround(page: OpenPage, top: number) {
  const { exclusions } = page
  if (exclusions.length === 0) return undefined
  const { x, width } = columnOf(page)
  return (offset: number, height: number, opening?: Opening) =>
    giveWay(exclusions, { left: x, right: x + width }, { top: top + offset, height, opening })
}

/**
 * Where a floating table of a paragraph at `top` lands in the text flow; undefined if it stays where it floats. It lands
 * if it would reach below the text of its page. Before Word 2013, a table placed by the page lands only if it would reach
 * below the page.
 */
export function landingOf(
  page: OpenPage,
  object: AnchoredObject,
  top: number,
  { endsFloatingTablesWithText }: Compatibility,
): Landing | undefined {
  const column = columnOf(page)
  const { x, y } = placeAnchored(object, geometryOf(page, column, top))
  // Text that flows on takes no table that begins above it, or in the margin below.
  const isInText = y >= top && y < page.bottom
  const withText = object.anchor.vertical.from === 'paragraph' || (endsFloatingTablesWithText && isInText)
  if (y + object.height <= (withText ? page.bottom : page.section.height) + 0.01) return undefined
  return { below: Math.max(0, y - top), left: x - column.x }
}

/** Keeps text away from the objects of a paragraph at `top`; true if there are any that text flows around. */
export function keepFree(page: OpenPage, objects: readonly AnchoredObject[], top: number): boolean {
  const floating = objects.filter(({ anchor }) => anchor.wrap !== 'none')
  for (const object of floating)
    page.exclusions.push(exclusionOf(object, placeAnchored(object, geometryOf(page, columnOf(page), top))))
  return floating.length > 0
}

/** True if only the page's exclusions from index `own` on move a line at `top` down, and all of these end on the page. */
export function isMovedByOwn(page: OpenPage, own: number, top: number, height: number): boolean {
  const { exclusions, section } = page
  if (exclusions.slice(own).some(({ bottom }) => bottom > section.height)) return false
  const { x, width } = columnOf(page)
  return giveWay(exclusions.slice(0, own), { left: x, right: x + width }, { top, height }).skip <= 0
}

/** Draws the objects of a paragraph at `top`, behind the text or in front of it. */
export function drawFloats(page: OpenPage, objects: readonly AnchoredObject[], top: number): void {
  for (const object of objects) {
    const { x, y } = placeAnchored(object, geometryOf(page, columnOf(page), top))
    moveFrames(object.frames, x, y)
    const target = object.anchor.behind ? page.behind : page.front
    target.push(...object.frames)
  }
}
