/**
 * Questions that need pages laid out. Only the judge's worker loads this file, so that the layout engine stays out of the memory
 * of the process that serves requests.
 */
import { canonicalHash } from '../../core/canonical.ts'
import { sha256Hex } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import type { Change } from '../../core/line-difference.ts'
import { sizeOf } from '../../engines/pdf/draw/page-difference.ts'
import { changedRegions, pairPages, type Region } from '../../engines/pdf/draw/page-regions.ts'
import { embeddedFonts } from '../../engines/pdf/font/embedded.ts'
import { drawDocx } from '../../engines/pdf/pdf.ts'
import { compareMade, expectationsOf, type Failure, type MadeNode } from '../../suite/compare.ts'

/** Pages of a document that look different from another document's. */
export interface ChangedPages {
  /** How many pages each document has. */
  before: number
  after: number
  /** Numbers, from 1, of pages that look like no page of the other document. */
  changed: number[]
}

/** Differing pages, paired, with the regions that changed. */
export interface ComparedPages {
  before: number
  after: number
  pairs: { before?: ComparedPage; after?: ComparedPage }[]
  left_out?: number
}

export interface ComparedPage {
  number: number
  width: number
  height: number
  svg: string
  regions: Region[]
}

/** What a case made, to be compared with what is expected. */
export interface CaseComparison {
  made: readonly MadeNode[]
  /** The folder of the expected files, relative to the project's. */
  folder: string
  /** Expected files by their path within that folder. */
  expected: readonly (readonly [file: string, text: string])[]
  /** Whether to return pictures of differing pages. */
  pictures: boolean
}

export interface ComparedCase {
  failures: CaseFailure[]
  /** The files that would be expected from now on, by their path within the folder. */
  made: (readonly [file: string, text: string])[]
  /** Equal for equal files. */
  madeHash: string
}

export type CaseFailure =
  | { kind: 'text'; file: string; changes: readonly Change[] }
  | { kind: 'page'; file: string; page: number; before?: ComparedPage; after?: ComparedPage }
  | { kind: 'other'; file: string; message: string }

export const drawnQuestions = {
  /** How a case differs from what is expected, and what it made in the form of expected files. */
  comparedCase({ made, folder, expected, pictures }: CaseComparison): ComparedCase {
    const failures = compareMade(made, { folder, files: new Map(expected) }, { tolerance: limits.suiteTolerancePt })
    const files = [...expectationsOf(made)]
    let drawnPages = 0
    return {
      failures: failures.map((failure) =>
        failure.kind === 'page' ? pageFailure(failure, pictures && ++drawnPages <= limits.comparedPages) : failure,
      ),
      made: files,
      madeHash: canonicalHash(files.map(([file, text]) => [file, sha256Hex(text)])),
    }
  },

  /** Undefined if either one isn't a document that can be drawn. Uses the fonts of the executable. */
  changedPages({ before, after }: { before: Uint8Array; after: Uint8Array }): ChangedPages | undefined {
    const [old, young] = [drawn(before), drawn(after)]
    if (!old.ok || !young.ok) return undefined
    const known = new Set(old.value.pages.map(({ svg }) => svg))
    const changed = young.value.pages.flatMap(({ svg }, index) => (known.has(svg) ? [] : [index + 1]))
    return { before: old.value.totalPages, after: young.value.totalPages, changed }
  },

  /** Differing pages, paired, with the regions that changed; undefined as for `changedPages`. */
  comparedPages({ before, after }: { before: Uint8Array; after: Uint8Array }): ComparedPages | undefined {
    const [old, young] = [drawn(before), drawn(after)]
    if (!old.ok || !young.ok) return undefined
    const [left, right] = [old.value.pages, young.value.pages]
    const svgOf = ({ svg }: { svg: string }) => svg
    const changed = pairPages(left.map(svgOf), right.map(svgOf)).filter(({ isSame }) => !isSame)
    const pairs = changed.slice(0, limits.comparedPages).map((pair) => {
      const [was, is] = [left[pair.before ?? -1], right[pair.after ?? -1]]
      const regions = was && is ? changedRegions(was.svg, is.svg) : { before: [], after: [] }
      const side = (page: typeof was, number: number | undefined, marks: Region[]) =>
        page && { number: (number ?? 0) + 1, width: page.width, height: page.height, svg: page.svg, regions: marks }
      const [first, second] = [side(was, pair.before, regions.before), side(is, pair.after, regions.after)]
      return { ...(first === undefined ? {} : { before: first }), ...(second === undefined ? {} : { after: second }) }
    })
    const more = changed.length - pairs.length
    const counts = { before: old.value.totalPages, after: young.value.totalPages }
    return { ...counts, pairs, ...(more === 0 ? {} : { left_out: more }) }
  },
}

function pageFailure(
  { file, page, expected, actual }: Extract<Failure, { kind: 'page' }>,
  isShown: boolean,
): CaseFailure {
  if (!isShown) return { kind: 'page', file, page }
  const regions = changedRegions(expected, actual)
  const side = (svg: string, marks: Region[]): ComparedPage => {
    const [, , width = 0, height = 0] = sizeOf(svg).split(' ').map(Number)
    return { number: page, width, height, svg, regions: marks }
  }
  return { kind: 'page', file, page, before: side(expected, regions.before), after: side(actual, regions.after) }
}

function drawn(docx: Uint8Array) {
  return drawDocx(docx, { fonts: embeddedFonts() })
}
