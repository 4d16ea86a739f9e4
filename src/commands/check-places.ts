import type { Finding } from '../core/finding.ts'
import type { Fragments } from '../engines/docx/docx.ts'
import { withSurroundings } from '../engines/docx/surroundings.ts'

/**
 * Findings about a template with their places as its author sees them: the heading, the words, and the page, as the
 * executable's own fonts lay it out.
 */
export async function withAuthorsPlaces(
  template: Uint8Array,
  findings: readonly Finding[],
  fragments: Fragments,
): Promise<Finding[]> {
  const located = withSurroundings(template, findings, fragments)
  if (!located.some(({ near }) => near !== undefined)) return located
  const { withPages } = await import('../runner/template-pages.ts')
  const { embeddedFonts } = await import('../engines/pdf/font/embedded.ts')
  return withPages(template, located, embeddedFonts)
}
