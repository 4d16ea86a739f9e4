/** Text of a template as another takes it: what it refers to renumbered and renamed. */
import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { escapeText } from '../../ooxml/xml-write.ts'
import type { NoteKind } from '../scan/notes.ts'
import { wholeAttributeSpan } from '../scan/source.ts'
import { type Edit, edited } from './edits.ts'
import { replaceAttribute, withDeclarations } from './looks.ts'
import type { CopyMarks } from './marks.ts'

export interface CopyTask {
  source: string
  /** Blocks, in the order of the source. */
  elements: readonly XmlElement[]
  /** For stretches that are copied in another way: nothing in them is looked at. */
  edits: Edit[]
  /** Prefixes that mean something else where the text goes. */
  declarations: string
  marks: CopyMarks
  styleOf(id: string): string
  listOf(id: string): string
  /** Undefined for an id that refers to nothing. */
  relationOf(id: string): string | undefined
  noteOf(kind: NoteKind, id: string): string | undefined
  refuse(code: string, message: string, hint: string): void
}

/** The elements' text for another document. */
export function copyText(task: CopyTask): string {
  const taken = task.edits.map(({ start, end }) => ({ start, end }))
  const copy = new TextCopy(task, taken)
  for (const element of task.elements) copy.collectNames(element)
  for (const element of task.elements) copy.walk(element)
  const sorted = task.edits.toSorted((a, b) => a.start - b.start)
  let next = 0
  return task.elements
    .map((element) => {
      const from = next
      while ((sorted[next]?.start ?? element.end) < element.end) next++
      return copy.textOf(element, sorted.slice(from, next))
    })
    .join('')
}

/** Comments stay with the template: their text is for its authors. */
const dropped = new Set(['w:commentRangeStart', 'w:commentRangeEnd', 'w:commentReference', 'w:annotationRef'])
const namedStyles = new Set(['w:pStyle', 'w:rStyle', 'w:tblStyle'])
/** Ids that Word gives again where they are missing. */
const forgotten = ['w14:paraId', 'w14:textId']

class TextCopy {
  private readonly names = new Map<string, string>()

  constructor(
    private readonly task: CopyTask,
    private readonly taken: readonly { start: number; end: number }[],
  ) {}

  collectNames(element: XmlElement): void {
    const name = element.attributes['w:name']
    if (element.name === 'w:bookmarkStart' && name !== undefined) this.names.set(name, this.task.marks.name(name))
    for (const child of element.children) if (child.kind === 'element') this.collectNames(child)
  }

  walk(element: XmlElement): void {
    if (this.taken.some(({ start, end }) => element.start >= start && element.end <= end)) return
    if (dropped.has(element.name)) {
      this.task.edits.push({ start: element.start, end: element.end, text: '' })
      return
    }
    this.note(element)
    for (const child of element.children) if (child.kind === 'element') this.walk(child)
  }

  textOf(element: XmlElement, edits: readonly Edit[]): string {
    const { source, declarations } = this.task
    const text = edited(source, element, edits)
    const isCopied = !this.taken.some(({ start, end }) => element.start >= start && element.end <= end)
    // Of the ends of a comment nothing is left that could declare anything.
    return isCopied && text !== '' ? withDeclarations(text, element, declarations) : text
  }

  private note(element: XmlElement): void {
    const { task } = this
    const { name, attributes } = element
    const value = attributes['w:val'] ?? ''
    if (namedStyles.has(name)) this.replace(element, 'w:val', task.styleOf(value))
    else if (name === 'w:numId') this.replace(element, 'w:val', task.listOf(value))
    else if (name === 'wp:docPr') this.replace(element, 'id', String(task.marks.drawing()))
    else if (name === 'w:bookmarkStart' || name === 'w:bookmarkEnd') this.noteBookmark(element)
    else if (name === 'w:footnoteReference' || name === 'w:endnoteReference') this.noteReference(element)
    else if (name === 'w:sectPr') task.refuse('docx.fragment_content', sectionMessage, sectionHint)
    else if (name === 'w:instrText') this.noteField(element)
    else if (name === 'w:sdtPr') this.forgetId(element)
    if (name === 'w:hyperlink' && attributes['w:anchor'] !== undefined) {
      this.replace(element, 'w:anchor', this.names.get(attributes['w:anchor']) ?? attributes['w:anchor'])
    }
    if (name === 'w:fldSimple' && attributes['w:instr'] !== undefined) {
      this.replace(element, 'w:instr', this.renamed(attributes['w:instr']))
    }
    for (const attribute of forgotten) {
      const span = attributes[attribute] === undefined ? undefined : wholeAttributeSpan(element, attribute, task.source)
      if (span !== undefined) task.edits.push({ ...span, text: '' })
    }
    for (const [attribute, id] of Object.entries(attributes)) {
      if (!attribute.startsWith('r:')) continue
      const fresh = task.relationOf(id)
      if (fresh !== undefined) this.replace(element, attribute, fresh)
    }
  }

  private forgetId(properties: XmlElement): void {
    const id = childNamed(properties, 'w:id')
    if (id !== undefined) this.task.edits.push({ start: id.start, end: id.end, text: '' })
  }

  private noteBookmark(element: XmlElement): void {
    const { marks } = this.task
    this.replace(element, 'w:id', String(marks.bookmark(element.attributes['w:id'] ?? '')))
    const name = element.attributes['w:name']
    if (name !== undefined) this.replace(element, 'w:name', this.names.get(name) ?? name)
  }

  private noteReference(element: XmlElement): void {
    const kind = element.name === 'w:footnoteReference' ? 'footnote' : 'endnote'
    const fresh = this.task.noteOf(kind, element.attributes['w:id'] ?? '')
    if (fresh !== undefined) this.replace(element, 'w:id', fresh)
    else this.task.edits.push({ start: element.start, end: element.end, text: '' })
  }

  private noteField(element: XmlElement): void {
    for (const child of element.children) {
      if (child.kind !== 'text') continue
      const text = this.renamed(child.text)
      if (text !== child.text) this.task.edits.push({ start: child.start, end: child.end, text: escapeText(text) })
    }
  }

  /** A field's code with the bookmarks' names of this copy: `REF terms \h`. */
  private renamed(code: string): string {
    return code.replace(/^(\s*(?:REF|PAGEREF|NOTEREF|HYPERLINK\s+\\l)\s+"?)([^\s"\\]+)/i, (whole, before, name) => {
      const fresh = this.names.get(name)
      return fresh === undefined ? whole : `${before}${fresh}`
    })
  }

  private replace(element: XmlElement, attribute: string, value: string): void {
    if (element.attributes[attribute] !== value)
      replaceAttribute(this.task.edits, element, attribute, value, this.task.source)
  }
}

export const sectionMessage = 'It has a section of its own.'
export const sectionHint =
  'Take the section break out: pages, headers and footers are those of the template that includes it.'
