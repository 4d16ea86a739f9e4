/**
 * What cases reach of a source: engines record it, reports show it. An engine records nothing unless it was built to
 * watch; see the engines' `watch` files.
 */

/** Something of a source that a case either reaches or doesn't. */
export interface CoveragePoint {
  /** JSON Pointer into the source, or the place of a tag: `word/document.xml#12:5`. */
  place: string
  /** 1-based, in sources that are text. */
  line?: number
  /** The source there, as its author sees it. */
  excerpt: string
  /** The same without the words that say which of its tags is meant, where there are some. */
  around?: string
  /** What to say of it while no case reaches it: `is never true`. */
  gap: string
  /** Only an input that is refused can reach it. */
  byRefusal: boolean
  /** A case can reach this point only through one of these; empty if every case can. */
  inside: readonly number[]
}

/** The points of one source, and those that were reached since they were last taken. */
export class Coverage {
  readonly points: CoveragePoint[] = []
  private readonly hits = new Set<number>()

  /** Adds a point and gives its number. */
  add(point: Omit<CoveragePoint, 'byRefusal' | 'inside'> & Partial<CoveragePoint>): number {
    return this.points.push({ byRefusal: false, inside: [], ...point }) - 1
  }

  hit(point: number | undefined): void {
    if (point !== undefined) this.hits.add(point)
  }

  /** The numbers of the points that were reached since the last call, sorted. */
  take(): number[] {
    const taken = [...this.hits].sort((one, other) => one - other)
    this.hits.clear()
    return taken
  }
}

/** How many items a list may have. */
export interface ItemBounds {
  min: number
  max: number
}

/** What is reported of a loop that never had this many items. */
export const itemGaps = [
  ['none', 'never has no item'],
  ['one', 'never has exactly one item'],
  ['several', 'never has several items'],
] as const

/** Which counts that coverage distinguishes are possible for a list within bounds; other counts need no case. */
export function possibleCounts({ min, max }: ItemBounds): Record<ReturnType<typeof itemCount>, boolean> {
  return { none: min === 0, one: min <= 1 && max >= 1, several: max >= 2 }
}

/** How many items a loop had, as far as coverage tells them apart. */
export function itemCount(count: number): 'none' | 'one' | 'several' {
  return count === 0 ? 'none' : count === 1 ? 'one' : 'several'
}
