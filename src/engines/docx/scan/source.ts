/** Finds places in the source of a part, and elements that can't hold tags. */
import type { XmlElement, XmlText } from '../../ooxml/xml.ts'

/** Tells which elements may hold a tag. Ask in the order of the source. */
export class TagSearch {
  /** Offsets of the next brace, and of the next reference that could be one. */
  private nextBrace = -1
  private nextReference = -1

  constructor(private readonly source: string) {}

  /** Each search continues where the last one ended. */
  mayHoldTags(element: XmlElement): boolean {
    if (this.nextBrace < element.start) this.nextBrace = this.find('{', element.start)
    if (this.nextReference < element.start) this.nextReference = this.find('&#', element.start)
    return this.nextBrace < element.end || this.nextReference < element.end
  }

  private find(text: string, from: number): number {
    const at = this.source.indexOf(text, from)
    return at < 0 ? this.source.length : at
  }
}

const attributePatterns = new Map<string, RegExp>()

/** Source offsets of an attribute's value, quotes excluded. */
export function attributeSpan(
  element: XmlElement,
  name: string,
  source: string,
): { start: number; end: number } | undefined {
  const written = element.writtenAttributes?.[name] ?? name
  const tag = source.slice(element.start, element.openEnd)
  let pattern = attributePatterns.get(written)
  if (pattern === undefined) {
    pattern = new RegExp(`\\s${written.replace(/[^\w:-]/g, '\\$&')}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    // A hostile file could use a different name for every element.
    if (attributePatterns.size < 256) attributePatterns.set(written, pattern)
  }
  const match = pattern.exec(tag)
  if (match === null) return undefined
  const value = match[1] ?? match[2] ?? ''
  const end = element.start + match.index + match[0].length - 1
  return { start: end - value.length, end }
}

/** Source offsets of a whole attribute: its name, the sign and the quoted value. */
export function wholeAttributeSpan(
  element: XmlElement,
  name: string,
  source: string,
): { start: number; end: number } | undefined {
  const span = attributeSpan(element, name, source)
  if (span === undefined) return undefined
  const written = element.writtenAttributes?.[name] ?? name
  return { start: source.lastIndexOf(written, span.start), end: span.end + 1 }
}

/** Source offset of a character of a text node. References (`&gt;`) can make the source longer than the text. */
export function sourceOffset(node: XmlText, index: number, source: string): number {
  if (node.end - node.start === node.text.length) return node.start + index
  let at = node.start
  for (let seen = 0; seen < index; ) {
    if (source[at] !== '&') {
      at++
      seen++
      continue
    }
    const stop = source.indexOf(';', at)
    const isAstral = source[at + 1] === '#' && (node.text.codePointAt(seen) ?? 0) > 0xffff
    seen += isAstral ? 2 : 1
    at = stop + 1
  }
  return at
}

/** Index of the last of some sorted things that starts at or before an offset; -1 if none does. */
export function lastIndexFrom<T>(sorted: readonly T[], startOf: (one: T) => number, offset: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    const one = sorted[middle]
    if (one !== undefined && startOf(one) <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Whether one of the ranges contains an offset. Ranges are in source order and don't overlap. */
export function isInRanges(ranges: readonly { start: number; end: number }[], offset: number): boolean {
  const range = ranges[lastIndexFrom(ranges, ({ start }) => start, offset)]
  return range !== undefined && offset < range.end
}
