import type { AnchoredObject } from '../slice.ts'

/** The part of a page that a floating object keeps text out of, its distances included; page coordinates. */
export interface Exclusion {
  left: number
  right: number
  top: number
  bottom: number
  /** No text beside it at all. */
  whole: boolean
  sides: AnchoredObject['anchor']['sides']
}

/** The area that a floating object at a place keeps text out of. */
export function exclusionOf({ anchor, width, height }: AnchoredObject, at: { x: number; y: number }): Exclusion {
  const { margins, wrap, sides } = anchor
  return {
    left: at.x - margins.left,
    right: at.x + width + margins.right,
    top: at.y - margins.top,
    bottom: at.y + height + margins.bottom,
    whole: wrap === 'topAndBottom',
    sides,
  }
}

/** Room for text: how far from either edge of the column it begins. */
export interface Gap {
  left: number
  right: number
}

/** How a line moves around floating objects: the room that it loses at its sides, and how far it moves down first. */
export interface Intrusion extends Gap {
  skip: number
  /** Where the line continues at the same height, further to the right. */
  more?: Gap[]
}

/** Word sets no text in gaps narrower than an inch beside a floating object. */
const NARROWEST = 72
/** A page holds few floating objects; a line that still finds no place after that many moves stays where it is. */
const MOVES = 20

/** An indivisible start of a line: a picture needs its own size beside a floating object. */
export interface Opening {
  width: number
  height: number
}

/** A line that looks for its place. */
export interface Seeker {
  top: number
  height: number
  opening?: Opening | undefined
}

/** Finds the place of a line between the edges of its column. */
export function giveWay(
  exclusions: readonly Exclusion[],
  { left: columnLeft, right: columnRight }: { left: number; right: number },
  { top: y, height: lineHeight, opening }: Seeker,
): Intrusion {
  const height = Math.max(lineHeight, opening?.height ?? 0)
  const least = Math.max(NARROWEST / 2, opening?.width ?? 0)
  const hasRoom = ({ left, right }: Gap) => columnRight - columnLeft - left - right >= least
  let at = y
  for (let move = 0; move < MOVES; move++) {
    let gaps: Gap[] = [{ left: 0, right: 0 }]
    const met: Exclusion[] = []
    let below: number | undefined
    for (const area of exclusions) {
      if (
        area.bottom <= at + 0.01 ||
        area.top >= at + height - 0.01 ||
        area.right <= columnLeft ||
        area.left >= columnRight
      )
        continue
      met.push(area)
      const before = area.left - columnLeft
      const after = columnRight - area.right
      const sides = sidesBeside(area, before, after, Math.min(NARROWEST, (columnRight - columnLeft) / 2))
      if (!sides.left && !sides.right) below = Math.max(below ?? 0, area.bottom)
      // Gaps only shrink: one without room is gone, or each further object would double their number.
      gaps = gaps
        .flatMap(({ left, right }) => [
          ...(sides.left ? [{ left, right: Math.max(right, columnRight - area.left) }] : []),
          ...(sides.right ? [{ left: Math.max(left, area.right - columnLeft), right }] : []),
        ])
        .filter(hasRoom)
    }
    const [first, ...more] = gaps
    if (first) return { ...first, skip: at - y, ...(more.length > 0 ? { more } : {}) }
    at = below ?? Math.min(...met.map(({ bottom }) => bottom))
  }
  return { left: 0, right: 0, skip: 0 }
}

/** The sides of an object that have room enough for text, among those that may have any. */
function sidesBeside({ whole, sides }: Exclusion, before: number, after: number, least: number) {
  const isWider = sides === undefined
  return {
    left: !whole && sides !== 'right' && before >= least && !(isWider && after >= before),
    right: !whole && sides !== 'left' && after >= least && !(isWider && after < before),
  }
}
