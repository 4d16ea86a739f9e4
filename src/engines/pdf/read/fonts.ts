import { limits } from '../../../core/limits.ts'
import { relationshipType } from '../../ooxml/namespaces.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { FontSource } from '../font/library.ts'

/** Bytes at a file's beginning that the key obfuscates (17.8.1). */
const OBFUSCATED_BYTES = 32

const styles = [
  ['w:embedRegular', false, false],
  ['w:embedBold', true, false],
  ['w:embedItalic', false, true],
  ['w:embedBoldItalic', true, true],
] as const

/**
 * The fonts that the document carries (17.8.3), under the names by which its text asks for them. A file is read when a
 * run first needs it. The font library reports a damaged one, and one whose licence forbids embedding.
 */
export function readEmbeddedFonts(container: OoxmlPackage, fontTable: string | undefined): FontSource[] {
  const table = fontTable === undefined ? undefined : container.readXml(fontTable)
  if (fontTable === undefined || !table?.ok) return []
  const sources: FontSource[] = []
  for (const font of childElements(table.value, 'w:font')) {
    const family = font.attributes['w:name']
    if (!family) continue
    for (const [name, bold, italic] of styles) {
      const embedded = childNamed(font, name)
      const part = embedded && partOf(container, fontTable, embedded)
      if (!part || sources.length >= limits.renderEmbeddedFonts) continue
      const key = embedded.attributes['w:fontKey'] ?? ''
      sources.push({ family, bold, italic, read: () => plainFont(container, part, key) })
    }
  }
  return sources
}

function partOf(container: OoxmlPackage, fontTable: string, element: XmlElement): string | undefined {
  const id = element.attributes['r:id']
  const relation = container.relationships(fontTable).find((candidate) => candidate.id === id)
  return relation && !relation.external && relation.type === relationshipType('font') ? relation.target : undefined
}

/** Restores an obfuscated font: its first 32 bytes were XORed with the key's 16 bytes in reverse order, twice. */
function plainFont(container: OoxmlPackage, part: string, key: string): Uint8Array {
  const read = container.readBytes(part)
  if (!read.ok) return new Uint8Array(0)
  const digits = key.replace(/[^0-9A-Fa-f]/g, '')
  if (digits.length !== 32) return read.value
  const bytes = new Uint8Array(read.value)
  for (let at = 0; at < Math.min(OBFUSCATED_BYTES, bytes.length); at++) {
    const digit = 30 - (at % 16) * 2
    bytes[at] = (bytes[at] ?? 0) ^ Number.parseInt(digits.slice(digit, digit + 2), 16)
  }
  return bytes
}
