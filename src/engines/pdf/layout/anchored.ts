import { moveFrames } from '../frame/frame.ts'
import type { Anchor, AxisPosition } from '../model/document.ts'
import type { AnchoredObject, CellRoom, Slice, Stack } from './slice.ts'
import { floatsReach, placeInCell } from './table/cell-floats.ts'

/**
 * Floating objects in stories that are placed as a whole: text boxes, frames, turned cells and notes. For its own
 * objects such a story plays the role of the page, as a cell does.
 */
export function roomOf(width: number): CellRoom {
  return { width, margins: { left: 0, top: 0, right: 0, bottom: 0 } }
}

/** Moves a story's floating objects into the frames of its slices; the story becomes high enough to hold them. */
export function settleAnchored(stack: Stack, width: number): Stack {
  if (!stack.slices.some(({ anchors }) => anchors)) return stack
  const room = roomOf(width)
  const height = Math.max(stack.height, floatsReach(stack.slices, room))
  let y = 0
  for (const slice of stack.slices) {
    y += slice.before
    for (const object of slice.anchors ?? []) settle(slice, object, room, { y, height })
    delete slice.anchors
    y += slice.height
  }
  return { slices: stack.slices, height }
}

function settle(slice: Slice, object: AnchoredObject, room: CellRoom, { y, height }: { y: number; height: number }) {
  const at = placeInCell(object, room, y - (slice.lead ?? 0), height)
  moveFrames(object.frames, at.x, at.y - y)
  slice.frames = object.anchor.behind ? [...object.frames, ...slice.frames] : [...slice.frames, ...object.frames]
}

/** Removes and returns the objects that are positioned on their page, wherever the story is. */
export function takePlacedOnPage(slices: readonly Slice[]): AnchoredObject[] {
  const taken: AnchoredObject[] = []
  for (const slice of slices) {
    if (!slice.anchors) continue
    const kept = slice.anchors.filter(({ anchor }) => !isOnPage(anchor.horizontal) || !isOnPage(anchor.vertical))
    taken.push(...slice.anchors.filter((object) => !kept.includes(object)))
    if (kept.length > 0) slice.anchors = kept
    else delete slice.anchors
  }
  return taken
}

/**
 * The anchor of an object in a story whose place on its page is not known yet. A distance from the page's edge or
 * margin would lead out of the story, so the object goes to its line instead.
 */
export function withinStory(anchor: Anchor): Anchor {
  const horizontal = nearLine(anchor.horizontal, 'column')
  const vertical = nearLine(anchor.vertical, 'paragraph')
  const isSame = horizontal === anchor.horizontal && vertical === anchor.vertical
  return isSame ? anchor : { ...anchor, horizontal, vertical }
}

function nearLine(position: AxisPosition, from: string): AxisPosition {
  const isDistance = position.align === undefined && position.share === undefined
  return isDistance && position.offset !== 0 && isOnPage(position) ? { ...position, from, offset: 0 } : position
}

/** True for an axis that names the page or one of its margins (20.4.3.4, 20.4.3.5). */
function isOnPage({ from }: AxisPosition): boolean {
  return from === 'page' || /margin$/i.test(from)
}
