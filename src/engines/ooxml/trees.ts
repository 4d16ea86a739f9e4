import { fail, type Outcome } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import type { XmlDocument } from './xml.ts'
import { decodeXml, encodingFinding, parseXmlDocument } from './xml-parser.ts'

/** Caches trees of parts by their text. Documents of one template share most parts, and nobody modifies a tree. */
export interface TreeCache {
  /** The value kept under a key, else the one made now; one of too many bytes is not kept. */
  once<T>(key: string, make: () => { value: T; bytes: number }): T
}

/** For packages that are opened once. */
export const noTrees: TreeCache = { once: (_key, make) => make().value }

/** An upper estimate of what a tree takes beside its text, in bytes a character. */
const treeGrowth = 10

/** Parses a part that is not the main one, unless its text was parsed before. */
export function parsePart(input: Uint8Array | string, part: string, trees: TreeCache): Outcome<XmlDocument> {
  const source = typeof input === 'string' ? input : decodeXml(input)
  if (source === undefined) return fail(encodingFinding(part))
  if (source.length > limits.xmlSharedChars) return parseXmlDocument(source, part)
  return trees.once(`${part} ${source}`, () => {
    const value = parseXmlDocument(source, part)
    // Faults are too rare to be worth keeping.
    return { value, bytes: value.ok ? source.length * treeGrowth : Number.POSITIVE_INFINITY }
  })
}
