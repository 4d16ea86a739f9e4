/** What floats on a page that is being filled: where it stands, and how the text gives way to it. */

import { moveFrames } from '../../frame/frame.ts'
import { exclusionOf, giveWay, type Opening } from '../paragraph/wrap.ts'
import type { AnchoredObject } from '../slice.ts'
import { placeAnchored } from './anchors.ts'
import { geometryOf, type OpenPage } from './open-page.ts'
import type { Column } from './sheet.ts'

/** Where a paragraph's lines meet what floats on the page, when it comes to stand at `top`; undefined where nothing does. */
export function wayAround({ exclusions }: OpenPage, { x, width }: Column, top: number) {
  if (exclusions.length === 0) return undefined
  return (offset: number, height: number, opening?: Opening) =>
    giveWay(exclusions, x, x + width, top + offset, height, opening)
}

/** True when an object would reach below the text of its page, or below the page if its place is one of the page. */
export function runsOff(page: OpenPage, column: Column, object: AnchoredObject, top: number): boolean {
  const { y } = placeAnchored(object, geometryOf(page, column, top))
  const end = object.anchor.vertical.from === 'paragraph' ? page.bottom : page.section.height
  return y + object.height > end + 0.01
}

/** Keeps text out of where the objects of a paragraph at `top` stand; true when there are any that text gives way to. */
export function keepFree(page: OpenPage, column: Column, objects: readonly AnchoredObject[], top: number): boolean {
  const floating = objects.filter(({ anchor }) => anchor.wrap !== 'none')
  for (const object of floating)
    page.exclusions.push(exclusionOf(object, placeAnchored(object, geometryOf(page, column, top))))
  return floating.length > 0
}

/** True when what moves a line at `top` down are the page's exclusions from `own` on alone, and all of them end on the page. */
export function isMovedByOwn(page: OpenPage, own: number, top: number, height: number): boolean {
  const { exclusions, section } = page
  if (exclusions.slice(own).some(({ bottom }) => bottom > section.height)) return false
  const { x, width } = page.columns[page.column]!
  return giveWay(exclusions.slice(0, own), x, x + width, top, height).skip <= 0
}

/** Draws the objects of a paragraph at `top`, behind the text or in front of it. */
export function drawFloats(page: OpenPage, column: Column, objects: readonly AnchoredObject[], top: number): void {
  for (const object of objects) {
    const { x, y } = placeAnchored(object, geometryOf(page, column, top))
    moveFrames(object.frames, x, y)
    const target = object.anchor.behind ? page.behind : page.front
    target.push(...object.frames)
  }
}
