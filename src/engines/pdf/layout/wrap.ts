import type { AnchoredObject } from './context.ts'

/** The part of a page that a floating object keeps text out of, its distances included; page coordinates. */
export interface Exclusion {
  left: number
  right: number
  top: number
  bottom: number
  /** No text beside it at all. */
  whole: boolean
}

/** What a floating object keeps text out of where it stands at a place. */
export function exclusionOf({ anchor, width, height }: AnchoredObject, at: { x: number; y: number }): Exclusion {
  const { margins, wrap } = anchor
  return {
    left: at.x - margins.left,
    right: at.x + width + margins.right,
    top: at.y - margins.top,
    bottom: at.y + height + margins.bottom,
    whole: wrap === 'topAndBottom',
  }
}

/** How a line has to give way: what it loses at its sides, and how far it moves down first. */
export interface Intrusion {
  left: number
  right: number
  skip: number
}

/** Word sets no text in gaps narrower than an inch beside a floating object. */
const NARROWEST = 72
/** A page holds few floating objects; a line that still finds no place after that many moves stays where it is. */
const MOVES = 20

/** Finds the place of a line of the given height at `y` between the edges of its column. */
export function giveWay(
  exclusions: readonly Exclusion[],
  columnLeft: number,
  columnRight: number,
  y: number,
  height: number,
): Intrusion {
  let at = y
  for (let move = 0; move < MOVES; move++) {
    let left = 0
    let right = 0
    let below: number | undefined
    for (const area of exclusions) {
      if (
        area.bottom <= at + 0.01 ||
        area.top >= at + height - 0.01 ||
        area.right <= columnLeft ||
        area.left >= columnRight
      )
        continue
      const before = area.left - columnLeft
      const after = columnRight - area.right
      if (area.whole || Math.max(before, after) < Math.min(NARROWEST, (columnRight - columnLeft) / 2))
        below = Math.max(below ?? 0, area.bottom)
      else if (after >= before) left = Math.max(left, area.right - columnLeft)
      else right = Math.max(right, columnRight - area.left)
    }
    if (below === undefined && columnRight - columnLeft - left - right < NARROWEST / 2 && left + right > 0) {
      below = Math.min(...exclusions.filter((area) => area.bottom > at + 0.01).map((area) => area.bottom))
    }
    if (below === undefined || below <= at) return { left, right, skip: at - y }
    at = below
  }
  return { left: 0, right: 0, skip: 0 }
}
