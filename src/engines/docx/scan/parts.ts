/** Which parts of a package matter to a template. */
import { relationshipType } from '../../ooxml/namespaces.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'

/** `word` has paragraphs of WordprocessingML; in a `leaf` single elements hold the text. */
export type PartKind = 'word' | 'leaf'

/** Kinds of parts whose text a reader sees, by the end of their content type. */
const kindsByType: [suffix: string, kind: PartKind][] = [
  ['wordprocessingml.document.main+xml', 'word'],
  ['wordprocessingml.template.main+xml', 'word'],
  ['wordprocessingml.header+xml', 'word'],
  ['wordprocessingml.footer+xml', 'word'],
  ['wordprocessingml.footnotes+xml', 'word'],
  ['wordprocessingml.endnotes+xml', 'word'],
  ['wordprocessingml.comments+xml', 'word'],
  ['package.core-properties+xml', 'leaf'],
  ['officedocument.extended-properties+xml', 'leaf'],
  ['officedocument.custom-properties+xml', 'leaf'],
  ['drawingml.chart+xml', 'leaf'],
  ['drawingml.diagramData+xml', 'leaf'],
  ['drawingml.diagramDrawing+xml', 'leaf'],
]

/** The parts that may hold tags, the main document first, then in the order of the archive. */
export function textualParts(opened: OoxmlPackage): { part: string; kind: PartKind }[] {
  const found: { part: string; kind: PartKind }[] = []
  for (const part of opened.parts) {
    const type = (opened.contentType(part) ?? '').toLowerCase()
    const kind = kindsByType.find(([suffix]) => type.endsWith(suffix.toLowerCase()))?.[1]
    if (kind !== undefined) found.push({ part, kind })
  }
  const main = found.findIndex(({ part }) => part === opened.mainPart)
  if (main > 0) found.unshift(...found.splice(main, 1))
  return found
}

/** The relationship part of a part, whether or not the package has it. */
export function relationshipPart(opened: OoxmlPackage, part: string): string {
  const slash = part.lastIndexOf('/') + 1
  const wanted = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`
  return opened.parts.find((other) => other.toLowerCase() === wanted.toLowerCase()) ?? wanted
}

/** The part that the main document is related to by the given word, whatever its name. */
export function relatedPart(opened: OoxmlPackage, word: string): string | undefined {
  const type = relationshipType(word)
  return opened.relationships(opened.mainPart).find((relation) => relation.type === type && !relation.external)?.target
}
