import type { Finding } from '../../../core/finding.ts'
import type { Reading } from '../../../core/reading.ts'
import { relationshipType } from '../../ooxml/namespaces.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, type XmlElement, type XmlText } from '../../ooxml/xml.ts'
import { type Paragraph, placeOf } from './paragraphs.ts'
import { relationshipPart } from './parts.ts'
import { type LocatedTag, scanTags, type TaggedText } from './tags.ts'

/** A hyperlink relationship whose target holds tags. Composing replaces it: one relationship for every address. */
export interface LinkTemplate {
  id: string
  /** The target, with braces as braces. */
  address: string
  /** The target's place in the relationship part. */
  place: string
  text: TaggedText
  /** The tags that may be in an address, in order. */
  values: AddressTag[]
}

export type AddressTag = LocatedTag<Extract<LocatedTag['syntax'], { kind: 'text' }>>

/** The hyperlinks of a part whose targets hold tags. Word writes braces in addresses as `%7B` and `%7D`. */
export function findLinkTemplates(
  opened: OoxmlPackage,
  part: string,
  findings: Finding[],
  reading: Reading,
): LinkTemplate[] {
  if (!opened.relationships(part).some(({ external, target }) => external && /\{|%7b/i.test(target))) return []
  const name = relationshipPart(opened, part)
  const relations = opened.readXml(name)
  if (!relations.ok) return []
  const found: LinkTemplate[] = []
  for (const [index, element] of childElements(relations.value, 'Relationship').entries()) {
    if (element.attributes.TargetMode !== 'External') continue
    if (!(element.attributes.Type ?? '').endsWith(hyperlinkEnding)) continue
    const address = plainTarget(element.attributes.Target ?? '')
    if (!address.includes('{{')) continue
    const paragraph = paragraphOf(element, index + 1, address)
    const text = scanTags(name, [paragraph], findings, reading)
    const values = addressTags(text, findings)
    found.push({ id: element.attributes.Id ?? '', address, place: placeOf(name, paragraph, 0), text, values })
  }
  return found
}

/** The end of the relationship type, strict and transitional alike. */
const hyperlinkEnding = relationshipType('hyperlink').slice(-'/hyperlink'.length)

/** Braces as braces, and what is between them decoded; the rest of the address stays as it is. */
function plainTarget(target: string): string {
  return target
    .replace(/%7b/gi, '{')
    .replace(/%7d/gi, '}')
    .replace(/\{\{.*?\}\}/g, (tag) => {
      try {
        return decodeURIComponent(tag)
      } catch {
        return tag
      }
    })
}

function paragraphOf(element: XmlElement, number: number, text: string): Paragraph {
  const node: XmlText = { kind: 'text', text, start: 0, end: text.length }
  return {
    form: { kind: 'plain' },
    element,
    number,
    pieces: [{ from: 0, text, node, chain: [element] }],
    text,
    ancestors: [],
    objects: [],
  }
}

function addressTags({ part, tags }: TaggedText, findings: Finding[]): AddressTag[] {
  return tags.filter((tag): tag is AddressTag => {
    if (tag.syntax.kind === 'text') return true
    findings.push({
      code: 'docx.misplaced',
      severity: 'error',
      message: `${tag.raw} cannot be in the address of a link.`,
      hint: 'Only values can; put #if or #each around the link itself.',
      path: placeOf(part, tag.paragraph, tag.from),
    })
    return false
  })
}
