/**
 * Questions whose answers need pages to be laid out. Only the judge's worker loads this file: the layout engine would stay in
 * the memory of the process that serves requests.
 */
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

export const drawnQuestions = {
  /** Undefined where one of the two is no document that can be drawn. Drawn with the fonts of the executable. */
  changedPages({ before, after }: { before: Uint8Array; after: Uint8Array }): ChangedPages | undefined {
    const [old, young] = [drawn(before), drawn(after)]
    if (!old.ok || !young.ok) return undefined
    const known = new Set(old.value.pages.map(({ svg }) => svg))
    const changed = young.value.pages.flatMap(({ svg }, index) => (known.has(svg) ? [] : [index + 1]))
    return { before: old.value.totalPages, after: young.value.totalPages, changed }
  },
}

function drawn(docx: Uint8Array) {
  return drawDocx(docx, { fonts: embeddedFonts() })
}
