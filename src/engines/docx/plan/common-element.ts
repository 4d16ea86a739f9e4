import type { XmlElement } from '../../ooxml/xml.ts'
import { chainOf, type LocatedTag } from '../scan/tags.ts'

/** The innermost element that holds all of the tags. */
export function commonElement(tags: readonly LocatedTag[]): XmlElement {
  const chains = tags.map((tag) => chainOf(tag).toReversed())
  const [first = []] = chains
  const apart = first.findIndex((element, depth) => chains.some((chain) => chain[depth] !== element))
  const common = first[apart < 0 ? first.length - 1 : apart - 1]
  if (common === undefined) throw new Error('two tags of one part have no element in common')
  return common
}

/** The child of `common` that holds the tag, or `common` itself if the tag is directly in it. */
export function childWith(tag: LocatedTag, common: XmlElement): XmlElement {
  const chain = chainOf(tag)
  return chain[chain.indexOf(common) - 1] ?? common
}
