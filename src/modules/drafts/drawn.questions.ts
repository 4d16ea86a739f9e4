/**
 * Questions whose answers need pages to be laid out. Only the judge's worker loads this file: the layout engine would stay in
 * the memory of the process that serves requests.
 */
import { limits } from '../../core/limits.ts'
import { changedRegions, pairPages, type Region } from '../../engines/pdf/draw/page-regions.ts'
import { embeddedFonts } from '../../engines/pdf/font/embedded.ts'
import { drawDocx } from '../../engines/pdf/pdf.ts'

/** Which pages of a document look otherwise than in another one. */
export interface ChangedPages {
  /** How many pages each of the two has. */
  before: number
  after: number
  /** Numbers, from 1, of the pages that look like none of the other document's. */
  changed: number[]
}

/** Pages that differ, beside each other, with the places that changed. */
export interface ComparedPages {
  before: number
  after: number
  pairs: { before?: ComparedPage; after?: ComparedPage }[]
  left_out?: number
}

interface ComparedPage {
  number: number
  width: number
  height: number
  svg: string
  regions: Region[]
}

export const drawnQuestions = {
  /** Undefined where one of the two is no document that can be drawn. Drawn with the fonts of the executable. */
  changedPages({ before, after }: { before: Uint8Array; after: Uint8Array }): ChangedPages | undefined {
    const [old, young] = [drawn(before), drawn(after)]
    if (!old.ok || !young.ok) return undefined
    const known = new Set(old.value.pages.map(({ svg }) => svg))
    const changed = young.value.pages.flatMap(({ svg }, index) => (known.has(svg) ? [] : [index + 1]))
    return { before: old.value.totalPages, after: young.value.totalPages, changed }
  },

  /** The pages that differ beside each other, with the places that changed; undefined as above. */
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

function drawn(docx: Uint8Array) {
  return drawDocx(docx, { fonts: embeddedFonts() })
}
