import type { XmlElement } from '../../ooxml/xml.ts'
import { attributeSpan, lastIndexFrom, wholeAttributeSpan } from '../scan/source.ts'
import type { FreshCounter, Item } from './items.ts'
import { cut } from './segments.ts'

/** A stretch of the source that is written more than once: the body of a loop, or a note that loops refer to. */
interface Repeated {
  start: number
  end: number
  /** The repeated stretch around it. */
  outer: Repeated | undefined
}

/**
 * Plans what must differ between the copies a loop makes (ECMA-376 part 1: 20.4.2.5 drawing ids, 17.13.6.2 bookmark ids
 * and names, 17.11 notes), and removes ids that Word assigns again when they are missing (w14:paraId, content control
 * ids). `notes` names the notes that can be copied (`footnote:2`).
 */
export function planFreshIds(
  root: XmlElement,
  source: string,
  items: Item[],
  notes: ReadonlySet<string>,
): { planned: Item[]; copiedNotes: Set<string> } {
  const repeated = items
    .filter((item) => (item.kind === 'block' && item.test.kind === 'each') || item.kind === 'extract')
    .map(({ start, end }): Repeated => ({ start, end, outer: undefined }))
  if (repeated.length === 0) return { planned: [], copiedNotes: new Set() }
  const planner = new IdPlanner(source, repeated, notes)
  planner.walk(root)
  return planner
}

/** A comment has one anchor; the first copy keeps it. */
const commentAnchors = new Set(['w:commentRangeStart', 'w:commentRangeEnd', 'w:commentReference'])

class IdPlanner {
  readonly planned: Item[] = []
  readonly copiedNotes = new Set<string>()
  private readonly opened = new Map<string, Repeated | undefined>()

  constructor(
    private readonly source: string,
    private readonly repeated: Repeated[],
    private readonly notes: ReadonlySet<string>,
  ) {
    repeated.sort((a, b) => a.start - b.start || b.end - a.end)
    let around: Repeated | undefined
    for (const one of repeated) {
      while (around !== undefined && around.end < one.end) around = around.outer
      one.outer = around
      around = one
    }
  }

  walk(element: XmlElement): void {
    const last = lastIndexFrom(this.repeated, ({ start }) => start, element.start)
    let inner = last < 0 ? undefined : this.repeated[last]
    while (inner !== undefined && inner.end < element.end) inner = inner.outer
    this.note(element, inner)
    // Look at the children only if another stretch begins or ends inside the element.
    const next = this.repeated[last + 1]
    const holdsOne =
      inner !== undefined || (next !== undefined && next.start < element.end) || this.isCut(element, last)
    if (!holdsOne && !this.hasMarks(element)) return
    for (const child of element.children) if (child.kind === 'element') this.walk(child)
  }

  /** Whether a stretch that began before the element ends inside it. */
  private isCut(element: XmlElement, last: number): boolean {
    let at = last < 0 ? undefined : this.repeated[last]
    while (at !== undefined && at.end <= element.start) at = at.outer
    return at !== undefined
  }

  /** Bookmarks may open outside a loop and close inside it, so elements outside count if they may hold one. */
  private hasMarks(element: XmlElement): boolean {
    if (element.children.length === 0) return false
    // The walk goes forward: search again only when the last mark found is behind.
    if (this.nextMark < element.openEnd) {
      const at = this.source.indexOf('bookmark', element.openEnd)
      this.nextMark = at < 0 ? this.source.length : at
    }
    return this.nextMark < element.closeStart
  }

  private nextMark = -1

  private note(element: XmlElement, loop: Repeated | undefined): void {
    const { name } = element
    if (name === 'w:bookmarkStart') this.opened.set(element.attributes['w:id'] ?? '', loop)
    if (loop === undefined && name !== 'w:bookmarkEnd') return
    if (name === 'wp:docPr') this.fresh(element, 'id', 'drawing')
    else if (name === 'w:bookmarkStart') {
      this.fresh(element, 'w:id', 'bookmark')
      this.fresh(element, 'w:name', 'bookmarkName', element.attributes['w:id'] ?? '')
    } else if (name === 'w:bookmarkEnd') this.noteBookmarkEnd(element, loop)
    else if (commentAnchors.has(name)) {
      const { start, end } = element
      this.planned.push({ kind: 'once', start, end, text: this.source.slice(start, end) })
    } else if (name === 'w:footnoteReference' || name === 'w:endnoteReference') this.copyNote(element)
    else if (name === 'w:p' || name === 'w:tr') {
      this.dropAttribute(element, 'w14:paraId')
      this.dropAttribute(element, 'w14:textId')
    } else if (name === 'w:sdtPr') {
      for (const child of element.children) {
        if (child.kind === 'element' && child.name === 'w:id') this.planned.push(cut(child))
      }
    }
  }

  /** A bookmark that does not begin and end in the same loop has no meaning in the copies; its end would be an orphan. */
  private noteBookmarkEnd(element: XmlElement, loop: Repeated | undefined): void {
    const id = element.attributes['w:id'] ?? ''
    const from = this.opened.has(id) ? this.opened.get(id) : null
    if (loop === undefined && !from) return
    if (from === loop) this.fresh(element, 'w:id', 'bookmarkEnd')
    else this.planned.push(cut(element))
  }

  /** Every copy of the reference gets a note of its own, filled with the values of its turn. */
  private copyNote(element: XmlElement): void {
    const kind = element.name === 'w:footnoteReference' ? 'footnote' : 'endnote'
    const note = `${kind}:${element.attributes['w:id']}`
    const span = attributeSpan(element, 'w:id', this.source)
    if (span === undefined || !this.notes.has(note)) return
    this.copiedNotes.add(note)
    this.planned.push({ kind: 'note', ...span, note })
  }

  private fresh(element: XmlElement, attribute: string, counter: FreshCounter, slot?: string): void {
    const span = attributeSpan(element, attribute, this.source)
    const text = element.attributes[attribute]
    if (span === undefined || text === undefined) return
    this.planned.push({ kind: 'fresh', ...span, counter, slot: slot ?? text, text })
  }

  private dropAttribute(element: XmlElement, name: string): void {
    if (element.attributes[name] === undefined) return
    const span = wholeAttributeSpan(element, name, this.source)
    if (span !== undefined) this.planned.push(cut(span))
  }
}
