import type { Finding } from '../core/finding.ts'
import { markPlaces } from '../engines/docx/annotate.ts'
import type { FontLibrary } from '../engines/pdf/font/library.ts'
import { drawDocx } from '../engines/pdf/pdf.ts'

/**
 * Adds to findings the page of their place, in the template as it is, with tags instead of values. Long templates aren't laid out
 * for that, and without layout there are no pages.
 */
export function withPages(template: Uint8Array, findings: readonly Finding[], fonts: () => FontLibrary): Finding[] {
  const places = [...new Set(findings.flatMap(({ near, path }) => (near === undefined ? [] : (path ?? []))))]
  const marked = places.length === 0 ? undefined : markPlaces(template, places)
  const drawn = marked === undefined ? undefined : drawDocx(marked.bytes, { fonts: fonts() })
  if (marked === undefined || !drawn?.ok) return [...findings]
  const pages = new Map<string, number>()
  drawn.value.pages.forEach(({ marks }, index) => {
    for (const { mark } of marks) {
      const place = marked.places[mark]
      if (place !== undefined && !pages.has(place)) pages.set(place, index + 1)
    }
  })
  return findings.map((finding) => {
    const page = pages.get(finding.path ?? '')
    return finding.near === undefined || page === undefined ? finding : { ...finding, near: { ...finding.near, page } }
  })
}
