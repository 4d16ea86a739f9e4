import type { Finding } from '../../../core/finding.ts'
import type { Reading } from '../../../core/reading.ts'
import { type FieldCode, fieldKeyword, findFields } from '../../ooxml/fields.ts'
import type { XmlElement, XmlText } from '../../ooxml/xml.ts'
import { type Paragraph, type Piece, placeOf } from './paragraphs.ts'
import { attributeSpan, isInRanges } from './source.ts'
import { type LocatedTag, scanTags, type TaggedText } from './tags.ts'

/** How a value is written in the address of a HYPERLINK field. */
export interface FieldForm {
  kind: 'field'
  /** Whether the address begins with the value, so that it is no mere parameter. */
  isWhole: boolean
  /** The rest of the code, behind the value. */
  after: string
}

/** A field whose code holds tags that can be filled. */
export interface ScannedField {
  text: TaggedText
  forms: Map<LocatedTag, FieldForm>
}

/**
 * Finds the tags in field codes. A code is an instruction to Word, and a value in it could make Word do anything. Only
 * the address of a HYPERLINK takes values, percent-encoded; all other tags are findings.
 */
export function scanFields(
  { part, paragraphs, comments = [] }: TaggedText,
  root: XmlElement,
  source: string,
  findings: Finding[],
  reading: Reading,
): ScannedField[] {
  if (!source.includes('instr')) return []
  const numbers = new Map(paragraphs.map(({ element, number }) => [element, number]))
  const found: ScannedField[] = []
  for (const field of findFields(root)) {
    if (!field.written.includes('{{') || isInRanges(comments, field.element.start)) continue
    const paragraph = paragraphOf(field, source, numbers)
    if (paragraph !== undefined) found.push(scanField(field, scanTags(part, [paragraph], findings, reading), findings))
  }
  return found
}

function scanField({ written }: FieldCode, text: TaggedText, findings: Finding[]): ScannedField {
  const argument = fieldKeyword(written) === 'HYPERLINK' ? firstArgument(written, text.tags) : undefined
  const forms: ScannedField['forms'] = new Map()
  for (const tag of text.tags) {
    if (argument === undefined || tag.from < argument.from || tag.to > argument.to || tag.syntax.kind !== 'text') {
      findings.push(tagInField(placeOf(text.part, tag.paragraph, tag.from), tag.raw))
      continue
    }
    const after = written.slice(tag.to, argument.to).replace(/\{\{.*?\}\}/g, '')
    forms.set(tag, { kind: 'field', isWhole: tag.from === argument.from, after })
  }
  return { text: { ...text, tags: [...forms.keys()] }, forms }
}

function tagInField(path: string, raw: string): Finding {
  return {
    code: 'docx.tag_in_field',
    severity: 'error',
    message: `${raw} is inside a field code.`,
    hint: 'Only the address of a HYPERLINK takes values; put the tag into the text that the field shows, or beside it.',
    path,
  }
}

function paragraphOf(field: FieldCode, source: string, numbers: Map<XmlElement, number>): Paragraph | undefined {
  const pieces: Piece[] = []
  let text = ''
  for (const { node, element } of field.pieces) {
    pieces.push({ from: text.length, text: node.text, node, chain: [element] })
    text += node.text
  }
  if (field.element.name === 'w:fldSimple') {
    const span = attributeSpan(field.element, 'w:instr', source)
    if (span === undefined) return undefined
    text = field.written
    const node: XmlText = { kind: 'text', text, ...span }
    pieces.push({ from: 0, text, node, chain: [field.element] })
  }
  const number = field.paragraph === undefined ? 1 : (numbers.get(field.paragraph) ?? 1)
  return { form: { kind: 'plain' }, element: field.element, number, pieces, text, ancestors: [], objects: [] }
}

/** The quoted text behind the keyword; quotes inside tags do not end it. */
function firstArgument(code: string, tags: LocatedTag[]): { from: number; to: number } | undefined {
  const open = /^\s*HYPERLINK\s+"/i.exec(code)
  if (open === null) return undefined
  const from = open[0].length
  for (let at = from; at < code.length; at++) {
    const tag = tags.find((one) => one.from === at)
    if (tag !== undefined) at = tag.to - 1
    else if (code[at] === '"') return { from, to: at }
  }
  return undefined
}
