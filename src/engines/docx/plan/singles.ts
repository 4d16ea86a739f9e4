/** Tags outside paragraphs, which have no neighbours to build blocks with. */
import type { Finding } from '../../../core/finding.ts'
import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { placeOf } from '../scan/paragraphs.ts'
import { attributeSpan, wholeAttributeSpan } from '../scan/source.ts'
import { isSilentTag, type LocatedTag, type TaggedText } from '../scan/tags.ts'
import { planCheckBox } from './check-boxes.ts'
import type { BlipRest, CheckTag, HoleTag, Item } from './items.ts'
import { noListItems } from './list-items.ts'
import { placeTags } from './place.ts'
import { segmentsOf } from './segments.ts'

/** Plans the tags of an attribute, a formula or an element that only holds text. */
export function planSingle(single: TaggedText, source: string, findings: Finding[]): Item[] {
  const placeholder = placeholderOf(single, source)
  if (placeholder !== undefined) return placeholder
  const [first] = single.tags
  if (first !== undefined && isCheckBox(first)) return planBoxTags(single, source, findings)
  const tags = single.tags.filter((tag) => {
    if (tag.syntax.kind === 'text' || tag.syntax.kind === 'check' || isSilentTag(tag)) return true
    findings.push({
      code: 'docx.misplaced',
      severity: 'error',
      message: `${tag.raw} cannot be in text without formatting.`,
      hint: 'Put it into a paragraph, or alone into the alternative text of the picture it replaces.',
      path: placeOf(single.part, tag.paragraph, tag.from),
    })
    return false
  })
  return placeTags({ ...single, tags }, source, findings, noListItems)
}

function isCheckBox({ paragraph: { element } }: LocatedTag): boolean {
  return element.name === 'w:sdt' || element.name === 'w:fldChar'
}

function planBoxTags({ part, tags }: TaggedText, source: string, findings: Finding[]): Item[] {
  const [tag] = tags
  if (tag === undefined) return []
  const isAlone = isCheck(tag) && tag.raw === tag.paragraph.text.trim()
  const item = isAlone ? planCheckBox(tag, source) : undefined
  if (item !== undefined) return [item]
  findings.push({
    code: 'docx.misplaced',
    severity: 'error',
    message: isAlone ? 'The check box shows no sign.' : `${tag.raw} cannot be in the name or the help of a check box.`,
    hint: isAlone ? 'Insert the check box anew.' : 'Write {{check /flag}} there, and nothing beside it.',
    path: placeOf(part, tag.paragraph, tag.from),
  })
  return []
}

function isCheck(tag: LocatedTag): tag is CheckTag {
  return tag.syntax.kind === 'check'
}

/** A picture whose alternative text is nothing but a picture tag keeps its box and gets another image. */
function placeholderOf({ tags }: TaggedText, source: string): Item[] | undefined {
  const [tag] = tags
  if (tag === undefined || tags.length !== 1 || !isPicture(tag) || tag.raw !== tag.paragraph.text.trim()) {
    return undefined
  }
  const { element, ancestors } = tag.paragraph
  const picture = pictureOf(element, ancestors)
  const reference = picture === undefined ? undefined : attributeSpan(picture.element, picture.attribute, source)
  const node = segmentsOf(tag, source)[0].piece.node
  if (picture === undefined || reference === undefined || node === undefined) return undefined
  const rest = picture.element.name === 'a:blip' ? blipRest(picture.element, reference.end, source) : undefined
  const form = { kind: 'embed' as const, ...(rest === undefined ? {} : { rest }) }
  const span = rest === undefined ? reference : { start: reference.start, end: picture.element.end }
  return [
    { kind: 'cut', start: node.start, end: node.end, text: '' },
    // LibreOffice writes the text twice, beside the drawing and in the picture; the second hole is void.
    { kind: 'hole', ...span, tag, form },
  ]
}

/**
 * The source of an `a:blip` from an offset on, without the placeholder's SVG drawing, which Word would show instead of
 * the new picture, and without a linked file.
 */
function blipRest(blip: XmlElement, from: number, source: string): BlipRest {
  const list = childNamed(blip, 'a:extLst')
  const isSvg = (one: XmlElement) => childElements(one).some(({ name }) => /(?:^|:)svgBlip$/.test(name))
  const svg = list && childElements(list).find(isSvg)
  const isList = list !== undefined && list.closeStart > list.openEnd
  const gone = [wholeAttributeSpan(blip, 'r:link', source), isList ? svg : list]
  const piece = (start: number, end: number) => {
    let text = ''
    let at = start
    for (const span of gone) {
      if (span === undefined || span.start < start || span.end > end) continue
      text += source.slice(at, span.start)
      at = span.end
    }
    return text + source.slice(at, end)
  }
  const plain = piece(from, blip.end)
  if (blip.closeStart === blip.end) {
    return { plain, opening: plain.replace(/\/>$/, '>'), closing: `</${blip.written}>`, isList }
  }
  const place = isList ? list.closeStart : blip.closeStart
  return { plain, opening: piece(from, place), closing: source.slice(place, blip.end), isList }
}

function isPicture(tag: LocatedTag): tag is HoleTag {
  const { kind } = tag.syntax
  return kind === 'image' || kind === 'qr' || kind === 'barcode'
}

/** The reference to the image in the drawing (or VML shape) whose alternative text an element carries. */
function pictureOf(
  element: XmlElement,
  ancestors: XmlElement[],
): { element: XmlElement; attribute: string } | undefined {
  const isVml = element.name === 'v:shape'
  const holder = isVml ? element : ancestors.find(({ name }) => holdersOfPictures.has(name))
  const found = holder === undefined ? undefined : descendantNamed(holder, isVml ? 'v:imagedata' : 'a:blip')
  return found === undefined ? undefined : { element: found, attribute: isVml ? 'r:id' : 'r:embed' }
}

function descendantNamed(element: XmlElement, name: string): XmlElement | undefined {
  if (element.name === name) return element
  for (const child of element.children) {
    const hit = child.kind === 'element' ? descendantNamed(child, name) : undefined
    if (hit !== undefined) return hit
  }
  return undefined
}

const holdersOfPictures = new Set(['wp:inline', 'wp:anchor', 'pic:pic'])
