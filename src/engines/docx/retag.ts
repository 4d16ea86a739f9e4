/** A template with another tag in the place of one of its own. */
import { fail, type Outcome, succeed } from '../../core/finding.ts'
import { newestReading } from '../../core/reading.ts'
import { openPackage } from '../ooxml/package.ts'
import { escapeAttribute, escapeText } from '../ooxml/xml-write.ts'
import { writeZip } from '../ooxml/zip-writer.ts'
import { collectCheckBoxes } from './scan/check-boxes.ts'
import { collectParagraphs, placeOf } from './scan/paragraphs.ts'
import { plainSource } from './scan/scan.ts'
import { collectSingles } from './scan/singles.ts'
import { sourceOffset } from './scan/source.ts'
import { type LocatedTag, scanTags } from './scan/tags.ts'

/**
 * Replaces the text of tags; runs and everything else stay as they are. The new text goes into the run in which the tag began.
 * Alternative texts, formulas and check boxes count as paragraphs; if one of them has the same place as a paragraph, the paragraph
 * wins. Undefined for a place without a tag.
 *
 * @param place as in findings: `word/document.xml#12:5`
 */
export function openForRetagging(bytes: Uint8Array): Outcome<(place: string, raw: string) => Uint8Array | undefined> {
  const opened = openPackage(bytes)
  if (!opened.ok) return fail(...opened.findings)
  const { archive, parts } = opened.value
  const known = new Map<string, ReturnType<typeof read>>()
  function read(part: string) {
    const document = opened.ok ? opened.value.readXmlDocument(part) : opened
    if (!document.ok) return undefined
    const { root, source } = plainSource(document.value)
    const paragraphs = collectParagraphs(root, source)
    const boxes = collectCheckBoxes(root, source, { part, paragraphs, reading: newestReading }, [])
    const singles = [...collectSingles(root, source, paragraphs), ...boxes].map((single) => [single])
    const tags = [...singles, paragraphs].flatMap((text) => scanTags(part, text, [], newestReading).tags)
    return { source, tags: new Map(tags.map((tag) => [placeOf(part, tag.paragraph, tag.from), tag])) }
  }
  return succeed((place, raw) => {
    const part = place.slice(0, place.lastIndexOf('#'))
    if (!known.has(part)) known.set(part, parts.includes(part) ? read(part) : undefined)
    const found = known.get(part)
    const tag = found?.tags.get(place)
    const text = found === undefined || tag === undefined ? undefined : replaced(found.source, tag, raw)
    if (text === undefined) return undefined
    const data = new TextEncoder().encode(text)
    return writeZip(
      parts.flatMap((name) => {
        const entry = name === part ? { name, data } : archive.entry(name)
        return entry === undefined ? [] : [entry]
      }),
    )
  })
}

function replaced(source: string, { paragraph, from, to }: LocatedTag, raw: string): string | undefined {
  let changed = ''
  let at = 0
  let isWritten = false
  const { form, pieces } = paragraph
  for (const { from: begin, text, node } of pieces) {
    const [start, end] = [Math.max(from, begin), Math.min(to, begin + text.length)]
    if (start >= end) continue
    if (node === undefined) return undefined
    const [first, last] = [start, end].map((position) => sourceOffset(node, position - begin, source))
    if (first === undefined || last === undefined) return undefined
    changed +=
      source.slice(at, first) + (isWritten ? '' : form.kind === 'attribute' ? escapeAttribute(raw) : escapeText(raw))
    isWritten = true
    at = last
  }
  return isWritten ? changed + source.slice(at) : undefined
}
