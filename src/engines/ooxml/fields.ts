import { limits } from '../../core/limits.ts'
import type { XmlElement, XmlText } from './xml.ts'

/** The instruction of one field (ECMA-376 part 1, 17.16), complex or simple. */
export interface FieldCode {
  /** The `w:fldChar` that begins it, or the `w:fldSimple`. */
  element: XmlElement
  /** Offset behind its end mark, or behind the simple field; undefined for a field that never ends. */
  end?: number
  /** The paragraph it begins in. */
  paragraph: XmlElement | undefined
  /** The instruction as the field itself has it. */
  written: string
  /** The same with the results of QUOTE fields, which can hide a keyword. */
  code: string
  /** Whether a field inside the instruction makes up part of its keyword. */
  isComputed: boolean
  /** The texts that make up `written`; none for a simple field, whose instruction is an attribute. */
  pieces: { text: string; node: XmlText; element: XmlElement }[]
}

interface OpenField extends FieldCode {
  inCode: boolean
}

/** All fields of a WordprocessingML part, in the order in which they begin. Fields may run over several paragraphs. */
export function findFields(root: XmlElement): FieldCode[] {
  const finder = new FieldFinder()
  for (const child of root.children) if (child.kind === 'element') finder.add(child)
  return finder.found
}

/** Finds the fields of a part that comes element by element, in the order of the document. */
export class FieldFinder {
  readonly found: OpenField[] = []
  private readonly open: OpenField[] = []

  add(element: XmlElement): void {
    enter(element, undefined, this.open, this.found)
  }
}

function walk(element: XmlElement, paragraph: XmlElement | undefined, open: OpenField[], found: OpenField[]): void {
  for (const child of element.children) if (child.kind === 'element') enter(child, paragraph, open, found)
}

function enter(element: XmlElement, paragraph: XmlElement | undefined, open: OpenField[], found: OpenField[]): void {
  switch (element.name) {
    case 'w:fldChar':
      step(element, paragraph, open, found)
      break
    case 'w:instrText':
      addCode(element, open)
      break
    case 'w:fldSimple': {
      const written = element.attributes['w:instr'] ?? ''
      const simple = {
        element,
        paragraph,
        written,
        code: written,
        isComputed: false,
        pieces: [],
        inCode: false,
        end: element.end,
      }
      found.push(simple)
      joinOuter(simple, open)
      walk(element, paragraph, open, found)
      break
    }
    case 'w:txbxContent':
      // A text box is a text of its own; fields don't reach into it.
      walk(element, undefined, [], found)
      break
    default:
      walk(element, element.name === 'w:p' ? element : paragraph, open, found)
  }
}

function step(mark: XmlElement, paragraph: XmlElement | undefined, open: OpenField[], found: OpenField[]): void {
  const type = mark.attributes['w:fldCharType']
  const current = open[open.length - 1]
  if (type === 'begin') {
    const field = { element: mark, paragraph, written: '', code: '', isComputed: false, pieces: [], inCode: true }
    // Hostile files nest endlessly; Word itself stops at 20.
    if (open.length < limits.fieldDepth) found.push(field)
    open.push(field)
  } else if (type === 'separate' && current !== undefined) current.inCode = false
  else if (type === 'end' && current !== undefined) {
    open.pop()
    current.end = mark.end
    joinOuter(current, open)
  }
}

/** Adds what an ended field says to the instruction around it. */
function joinOuter(inner: FieldCode, open: OpenField[]): void {
  const outer = open[open.length - 1]
  if (!outer?.inCode) return
  if (!/^\s*\S+\s/.test(outer.code)) outer.isComputed = true
  outer.code += quoted(inner.code)
}

function addCode(element: XmlElement, open: OpenField[]): void {
  const field = open[open.length - 1]
  if (!field?.inCode) return
  for (const node of element.children) {
    if (node.kind !== 'text') continue
    field.pieces.push({ text: node.text, node, element })
    field.written += node.text
    field.code += node.text
  }
}

/** The result of `QUOTE 68 68 "E"`: numbers are character codes. Results of other fields can't be known here. */
function quoted(code: string): string {
  const [, quote] = /^\s*QUOTE\s+(.*)$/is.exec(code) ?? []
  if (quote === undefined) return ''
  let text = ''
  for (const [, literal, number, word] of quote.matchAll(/"([^"]*)"|(\d{1,5})(?=\s|$)|(\S+)/g)) {
    if (number !== undefined) text += String.fromCharCode(Number(number))
    else text += literal ?? word ?? ''
  }
  return text
}

/** The first word of an instruction, in upper case. */
export function fieldKeyword(code: string): string {
  return /^\s*([^\s"\\]+)/.exec(code)?.[1]?.toUpperCase() ?? ''
}

/** Whether the field can start programs on a reader's machine: DDE, or a keyword that another field computes. */
export function startsPrograms(field: FieldCode): boolean {
  return field.isComputed || /^DDE(?:AUTO)?$/.test(fieldKeyword(field.code))
}
