import type { Finding } from '../../core/finding.ts'
import type { XmlDocument, XmlElement } from '../ooxml/xml.ts'
import type { Item } from './items.ts'
import { collectParagraphs, type Paragraph, placeOf } from './scan.ts'

/** Field codes are instructions to Word: a value in one could say anything, so tags there are refused. */
export function reportFieldTags(part: string, paragraphs: Paragraph[], findings: Finding[]): void {
  for (const paragraph of paragraphs) {
    if (!fieldCode(paragraph.element).includes('{{')) continue
    findings.push({
      code: 'docx.tag_in_field',
      severity: 'error',
      message: 'A tag stands inside of a field code.',
      hint: 'Put the tag into the text that the field shows, or next to the field.',
      path: placeOf(part, paragraph, 0),
    })
  }
}

function fieldCode(element: XmlElement): string {
  let code = ''
  for (const child of element.children) {
    if (child.kind === 'text') continue
    if (child.name === 'w:instrText')
      code += child.children.map((node) => (node.kind === 'text' ? node.text : '')).join('')
    else if (child.name === 'w:fldChar') code += '\n'
    else if (child.name === 'w:fldSimple') code += `\n${child.attributes['w:instr'] ?? ''}\n${fieldCode(child)}`
    else if (child.name !== 'w:txbxContent') code += fieldCode(child)
  }
  return code
}

/** DDE fields start programs on the reader's machine; a template with one is refused. */
export function reportDataLinks(part: string, document: XmlDocument, findings: Finding[]): void {
  if (!document.source.includes('instr')) return
  for (const paragraph of collectParagraphs(document.root)) {
    if (!/(?:^|\n)\s*DDE(?:AUTO)?\b/i.test(fieldCode(paragraph.element))) continue
    findings.push({
      code: 'docx.dde',
      severity: 'error',
      message: 'The document holds a DDE field, which can start programs.',
      hint: 'Remove the field (Alt+F9 shows field codes).',
      path: placeOf(part, paragraph, 0),
    })
  }
}

/** A block may hold whole fields only: half of one would leave its begin or its end mark without the other. */
export function reportDividedFields(part: string, root: XmlElement, items: Item[], findings: Finding[]): void {
  const marks = fieldMarks(root)
  if (marks.length === 0) return
  for (const item of items) {
    if (item.kind !== 'block') continue
    const { start, end, middle, tag } = item
    const isWhole =
      middle === undefined
        ? isBalanced(marks, start, end)
        : isBalanced(marks, start, middle.start) && isBalanced(marks, middle.end, end)
    if (isWhole) continue
    findings.push({
      code: 'docx.misplaced',
      severity: 'error',
      message: `${tag.raw} begins or ends inside of a field.`,
      hint: 'Put both tags of the block inside of the text of the field, or both outside of it.',
      path: placeOf(part, tag.paragraph, tag.from),
    })
  }
}

interface FieldMark {
  offset: number
  step: 1 | -1
}

/** Begin and end marks of complex fields (ECMA-376 part 1, 17.16.18), in document order. */
function fieldMarks(root: XmlElement): FieldMark[] {
  const marks: FieldMark[] = []
  const walk = (element: XmlElement) => {
    const type = element.name === 'w:fldChar' ? element.attributes['w:fldCharType'] : undefined
    if (type === 'begin' || type === 'end') marks.push({ offset: element.start, step: type === 'begin' ? 1 : -1 })
    for (const child of element.children) if (child.kind === 'element') walk(child)
  }
  walk(root)
  return marks
}

function isBalanced(marks: FieldMark[], start: number, end: number): boolean {
  let depth = 0
  for (const { offset, step } of marks) {
    if (offset < start || offset >= end) continue
    depth += step
    if (depth < 0) return false
  }
  return depth === 0
}
