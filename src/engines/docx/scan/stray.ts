import type { Finding } from '../../../core/finding.ts'
import type { XmlDocument, XmlElement } from '../../ooxml/xml.ts'
import { type Paragraph, paragraphBefore, placeOf } from './paragraphs.ts'
import { isInRanges, TagSearch } from './source.ts'
import type { TaggedText } from './tags.ts'

/** Text that nobody reads, or that has findings of its own. */
const unread = new Set(['w:delText', 'w:delInstrText', 'w:del', 'w:moveFrom'])

/**
 * Reports brace pairs where no tag can work, such as in prompts of content controls: refusing them beats printing them.
 * `others` are the texts of the part that aren't in its paragraphs.
 */
export function reportStrayTags(
  { root, source }: XmlDocument,
  { part, paragraphs, comments = [] }: TaggedText,
  others: readonly TaggedText[],
  findings: Finding[],
): void {
  const read = [...paragraphs, ...others.flatMap((text) => text.paragraphs)]
  const known = new Set(read.filter(({ isPlain }) => !isPlain).flatMap(nodesOf))
  const search = new TagSearch(source)
  const walk = (element: XmlElement) => {
    if (unread.has(element.name) || !search.mayHoldTags(element)) return
    for (const child of element.children) {
      if (child.kind === 'element') walk(child)
      else if (child.text.includes('{{') && !known.has(child) && !isInRanges(comments, child.start)) {
        const paragraph = paragraphBefore(paragraphs, child.start) ?? paragraphs[0]
        findings.push({
          code: 'docx.misplaced',
          severity: 'error',
          message: `A tag is in ${element.name}, where none can be filled.`,
          hint: 'Move it to ordinary text.',
          path: paragraph === undefined ? part : placeOf(part, paragraph, 0),
        })
      }
    }
  }
  walk(root)
}

function nodesOf({ pieces }: Paragraph) {
  return pieces.map(({ node }) => node)
}
