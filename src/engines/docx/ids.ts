import type { XmlElement } from '../ooxml/xml.ts'
import type { Item } from './items.ts'
import { attributeSpan } from './scan.ts'

/**
 * Plans what must differ between the copies a loop makes (ECMA-376 part 1: 20.4.2.5 drawing ids, 17.13.6.2 bookmark ids
 * and names), and takes out ids that Word assigns anew when they are missing (w14:paraId, content control ids).
 */
export function planFreshIds(
  root: XmlElement,
  source: string,
  items: Item[],
): { planned: Item[]; notes: XmlElement[] } {
  const loops = items.filter((item) => item.kind === 'block' && item.test.kind === 'each')
  if (loops.length === 0) return { planned: [], notes: [] }
  const planner = new IdPlanner(source, loops)
  planner.walk(root)
  return planner
}

/** A comment has one anchor; the first copy keeps it. */
const commentAnchors = new Set(['w:commentRangeStart', 'w:commentRangeEnd', 'w:commentReference'])

class IdPlanner {
  readonly planned: Item[] = []
  /** References to footnotes and endnotes inside of loops. */
  readonly notes: XmlElement[] = []
  private readonly opened = new Map<string, Item | undefined>()

  constructor(
    private readonly source: string,
    private readonly loops: Item[],
  ) {}

  walk(element: XmlElement): void {
    const loop = this.loopAround(element)
    if (loop === undefined && !this.loops.some((item) => item.start < element.end && item.end > element.start)) {
      this.note(element, undefined)
      if (this.hasMarks(element)) for (const child of element.children) if (child.kind === 'element') this.walk(child)
      return
    }
    this.note(element, loop)
    for (const child of element.children) if (child.kind === 'element') this.walk(child)
  }

  /** Bookmarks may open outside of a loop and close inside of it, so elements outside count when they could hold one. */
  private hasMarks(element: XmlElement): boolean {
    return this.source.slice(element.openEnd, element.closeStart).includes('bookmark')
  }

  private loopAround(element: XmlElement): Item | undefined {
    let inner: Item | undefined
    for (const loop of this.loops) if (loop.start <= element.start && loop.end >= element.end) inner = loop
    return inner
  }

  private note(element: XmlElement, loop: Item | undefined): void {
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
    } else if (name === 'w:footnoteReference' || name === 'w:endnoteReference') this.notes.push(element)
    else if (name === 'w:p' || name === 'w:tr') {
      this.dropAttribute(element, 'w14:paraId')
      this.dropAttribute(element, 'w14:textId')
    } else if (name === 'w:sdtPr') {
      for (const child of element.children) {
        if (child.kind === 'element' && child.name === 'w:id') this.cut(child.start, child.end)
      }
    }
  }

  /** A bookmark that does not begin and end in the same loop has no meaning in the copies; its end would be an orphan. */
  private noteBookmarkEnd(element: XmlElement, loop: Item | undefined): void {
    const id = element.attributes['w:id'] ?? ''
    const from = this.opened.has(id) ? this.opened.get(id) : null
    if (loop === undefined && !from) return
    if (from === loop) this.fresh(element, 'w:id', 'bookmarkEnd')
    else this.cut(element.start, element.end)
  }

  private fresh(
    element: XmlElement,
    attribute: string,
    counter: 'drawing' | 'bookmark' | 'bookmarkEnd' | 'bookmarkName',
    slot = element.attributes[attribute] ?? '',
  ): void {
    const span = attributeSpan(element, attribute, this.source)
    if (span === undefined) return
    this.planned.push({ kind: 'fresh', ...span, counter, slot, text: element.attributes[attribute]! })
  }

  private dropAttribute(element: XmlElement, name: string): void {
    const span = attributeSpan(element, name, this.source)
    if (span === undefined) return
    const written = element.writtenAttributes?.[name] ?? name
    const start = this.source.lastIndexOf(written, span.start)
    this.cut(start, span.end + 1)
  }

  private cut(start: number, end: number): void {
    this.planned.push({ kind: 'cut', start, end, text: '' })
  }
}

/** The greatest drawing and bookmark numbers of a part, above which copies are numbered. */
export function greatestIds(root: XmlElement): { drawing: number; bookmark: number } {
  const greatest = { drawing: 0, bookmark: 0 }
  const walk = (element: XmlElement) => {
    if (element.name === 'wp:docPr') greatest.drawing = Math.max(greatest.drawing, idOf(element.attributes['id']))
    if (element.name === 'w:bookmarkStart')
      greatest.bookmark = Math.max(greatest.bookmark, idOf(element.attributes['w:id']))
    for (const child of element.children) if (child.kind === 'element') walk(child)
  }
  walk(root)
  return greatest
}

/** Ids are signed 32-bit; one near the top is not counted on, so that the numbers after it stay in range. */
function idOf(text: string | undefined): number {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 && id < 2_000_000_000 ? id : 0
}
