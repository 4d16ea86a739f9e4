/** Where paragraphs are divided between the loops that repeat them. */
import type { XmlElement } from '../../ooxml/xml.ts'
import { chainOf, type LocatedTag } from '../scan/tags.ts'
import type { Item } from './items.ts'
import { hasSectionBreak } from './properties.ts'
import { cutExceptMarksIn } from './range-marks.ts'
import { segmentsOf } from './segments.ts'

/**
 * How a tag splits its paragraph where one list item holds several loops. Between the texts of two loops, the first tag
 * closes the item and the last one opens it again.
 */
export interface Joint {
  closes: boolean
  opens: boolean
  /** The next tag, if nothing is seen before it. */
  next?: LocatedTag
}

export const wholeJoint: Joint = { closes: true, opens: true }

/** Inline elements that may be closed and opened again at a block's boundary without changing what they mean. */
const splittable = new Set([
  'w:t',
  'w:r',
  'w:p',
  'w:hyperlink',
  'w:ins',
  'w:moveTo',
  'w:smartTag',
  'w:customXml',
  'w:bdo',
  'w:dir',
  'a:t',
  'a:r',
  'm:t',
  'm:r',
])

/** Whether everything between the tag and `common` may be closed at the tag and opened again. */
export function mayDivide(tag: LocatedTag, common: XmlElement): boolean {
  for (const element of chainOf(tag)) {
    if (element === common) return true
    if (!splittable.has(element.name) || (element.name === 'w:p' && hasSectionBreak(element))) return false
  }
  return true
}

/** The joints of the tags of one paragraph that begin, divide and end loops around all its text. */
export function jointsOf(
  tags: readonly LocatedTag[],
  isVisible: (from: number, to: number) => boolean,
): Map<LocatedTag, Joint> {
  const joints = new Map<LocatedTag, Joint>()
  for (const [index, tag] of tags.entries()) {
    const next = tags[index + 1]
    if (next === undefined || isVisible(tag.to, next.from)) continue
    if (!isVisible(0, tag.from) || !isVisible(next.to, next.paragraph.text.length)) continue
    joints.set(tag, { closes: joints.get(tag)?.closes ?? true, opens: false, next })
    joints.set(next, { closes: false, opens: true })
  }
  return joints
}

/** Takes out what is between the tags of a joint, except marks that pair up across paragraphs. */
export function cutJoints(joints: ReadonlyMap<LocatedTag, Joint>, source: string): Item[] {
  return [...joints].flatMap(([tag, { next }]): Item[] => {
    if (next === undefined) return []
    const [{ end: start }] = segmentsOf(tag, source)
    const [{ start: end }] = segmentsOf(next, source)
    return start === end ? [] : cutExceptMarksIn(tag.paragraph.element, { start, end }, source)
  })
}
