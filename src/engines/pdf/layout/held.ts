import type { Frame } from '../frame/frame.ts'
import type { Slice } from './slice.ts'

/**
 * Memory in bytes per character, positioned glyph, shift, frame, outline point and structure node until the file is
 * written, the writer's share included: fitted to the resident memory of reports of 200 to 1,000 pages.
 */
const CHARACTER_BYTES = 4
const GLYPH_BYTES = 22
const SHIFT_BYTES = 8
const FRAME_BYTES = 300
const POINT_BYTES = 22
const NODE_BYTES = 1_100
/** A cell's own box, its background and borders. */
const CELL_BYTES = 900

/** Thrown once a layout holds more than it may; names how far it came. */
export class OverBudget extends Error {
  constructor(
    readonly page: number,
    readonly part: string,
  ) {
    super(`layout is over its memory budget on page ${page}`)
  }
}

interface Budget {
  bytes: number
  readonly maxBytes: number
  page: number
}

/**
 * Adds up the memory that a layout holds, and throws `OverBudget` above the limit. Pages count by their content, not by
 * their number.
 */
export class Held {
  private constructor(
    private readonly budget: Budget,
    readonly part: string,
  ) {}

  static upTo(maxBytes: number): Held {
    return new Held({ bytes: 0, maxBytes, page: 1 }, 'word/document.xml')
  }

  /** The same sum for content of another package part, which a fault then names. */
  of(part: string): Held {
    return part === this.part ? this : new Held(this.budget, part)
  }

  get bytes(): number {
    return this.budget.bytes
  }

  /** Forgets what was held since the sum was `bytes`: the layout goes back to where it was then. */
  backTo(bytes: number): void {
    this.budget.bytes = bytes
  }

  /** Records which page is being filled, counted from 1. */
  reach(page: number): void {
    this.budget.page = page
  }

  node(): void {
    this.take(NODE_BYTES)
  }

  cell(): void {
    this.take(CELL_BYTES)
  }

  slices(slices: readonly Slice[]): void {
    let bytes = 0
    for (const slice of slices) {
      bytes += sizeOf(slice.frames)
      if (slice.anchors) for (const object of slice.anchors) bytes += sizeOf(object.frames)
    }
    this.take(bytes)
  }

  frames(frames: readonly Frame[]): void {
    this.take(sizeOf(frames))
  }

  /** Counts frames that a page shares with earlier pages: the file holds them once more. */
  again(bytes: number): void {
    this.take(bytes)
  }

  private take(bytes: number): void {
    const { budget } = this
    budget.bytes += bytes
    if (budget.bytes > budget.maxBytes) throw new OverBudget(budget.page, this.part)
  }
}

function sizeOf(frames: readonly Frame[]): number {
  let bytes = frames.length * FRAME_BYTES
  for (const frame of frames) {
    if (frame.kind === 'text') {
      bytes += frame.text.length * CHARACTER_BYTES
      if (frame.glyphs) bytes += frame.glyphs.length * GLYPH_BYTES
      if (frame.shifts) bytes += frame.shifts.length * SHIFT_BYTES
    } else if (frame.kind === 'path') bytes += frame.outline.points.length * POINT_BYTES
    else if (frame.kind === 'clip' || frame.kind === 'group') bytes += sizeOf(frame.frames)
  }
  return bytes
}
