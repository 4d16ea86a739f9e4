import { placeAnchored } from '../page/anchors.ts'
import { type Exclusion, exclusionOf, giveWay, type Intrusion, type Opening } from '../paragraph/wrap.ts'
import type { AnchoredObject, CellRoom, Gap, Slice } from '../slice.ts'

/**
 * Where an object goes in a cell, measured from the top of the cell's content. Its anchor is in a line `y` below that
 * top; `height` is the cell's.
 */
export function placeInCell(object: AnchoredObject, { width, margins }: CellRoom, y: number, height: number) {
  const left = margins.left
  const right = width - margins.right
  const at = placeAnchored(object, {
    pageWidth: width,
    pageHeight: height,
    left,
    right,
    top: 0,
    bottom: height,
    columnLeft: left,
    columnRight: right,
    paragraphTop: margins.top + y,
  })
  return { x: at.x - left, y: at.y - margins.top }
}

/** Collects what floats in a cell while its blocks are laid out, and moves their lines around it. */
export class CellFloats {
  /** Where the next block begins. */
  y = 0
  private readonly exclusions: Exclusion[] = []

  constructor(
    readonly room: CellRoom,
    /** Width of the cell's content. */
    private readonly width: number,
  ) {}

  readonly wrap = (gap: Gap): ((offset: number, height: number, opening?: Opening) => Intrusion) | undefined => {
    if (this.exclusions.length === 0) return undefined
    const top = this.y + gap.below
    return (offset, height, opening) =>
      giveWay(this.exclusions, { left: 0, right: this.width }, { top: top + offset, height, opening })
  }

  readonly float = (objects: readonly AnchoredObject[], gap: Gap): boolean => {
    let found = false
    for (const object of objects) {
      if (object.anchor.wrap === 'none' || !isKnown(object)) continue
      const at = placeInCell(object, this.room, this.y + gap.below, 0)
      this.exclusions.push(exclusionOf(object, at))
      found = true
    }
    return found
  }
}

/** False if the place follows from the cell's height, which its text decides. */
function isKnown({ anchor: { vertical } }: AnchoredObject): boolean {
  return vertical.share === undefined && (vertical.align === undefined || vertical.align === 'top')
}

/** The bottom of the objects that text moves around: a cell is at least as high. */
export function floatsReach(slices: readonly Slice[], room: CellRoom): number {
  let y = 0
  let reach = 0
  for (const slice of slices) {
    y += slice.before
    for (const object of slice.anchors ?? []) {
      if (object.anchor.wrap === 'none' || !isKnown(object)) continue
      reach = Math.max(reach, placeInCell(object, room, y - (slice.lead ?? 0), 0).y + object.height)
    }
    y += slice.height
  }
  return reach
}
