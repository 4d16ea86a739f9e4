import { limits } from '../../../core/limits.ts'
import type { FieldCode } from '../../ooxml/fields.ts'
import { childElements, type XmlElement } from '../../ooxml/xml.ts'
import { carrier, elementsAround } from '../scan/own-declarations.ts'
import { resultText } from './contents-text.ts'

/** A field TOC whose marks are in paragraphs of one parent, as Word and others write it. */
export interface Table {
  switches: Switches
  /** Source range of the paragraphs with the entries. */
  start: number
  end: number
  entries: XmlElement[]
  /** The runs up to the mark that separates the instruction from the result. */
  head: string
  /** The run with the end mark, if that is in the last entry. */
  tail: string
  /** An element of one entry for use in another: with the declarations it needs from the elements around it. */
  carried(element: XmlElement): string
}

export interface Switches {
  /** Levels of built-in headings; undefined if they are not asked for. */
  builtIn: { from: number; to: number } | undefined
  usesOutline: boolean
  /** Levels by the lower-cased name of the style. */
  styles: ReadonlyMap<string, number>
  isLinked: boolean
  /** Levels without page numbers. */
  withoutPages: { from: number; to: number } | undefined
  separator: string | undefined
}

export function tableOf(field: FieldCode, root: XmlElement, source: string): Table | undefined {
  const { element, end, paragraph } = field
  if (end === undefined || paragraph === undefined) return undefined
  const switches = readSwitches(field.code)
  const outside = elementsAround(root, paragraph)
  const [parent] = outside
  if (switches === undefined || parent === undefined) return undefined
  const siblings = parent.children.filter((child) => child.kind === 'element')
  const first = siblings.indexOf(paragraph)
  const last = siblings.findIndex((one) => one.start < end && one.end >= end)
  if (first < 0 || last < first || siblings.slice(first, last + 1).some(({ name }) => name !== 'w:p')) return undefined
  const separate = runWith(
    paragraph,
    (mark) => mark.attributes['w:fldCharType'] === 'separate' && mark.start > element.start,
  )
  const closing = siblings[last]
  const endRun = closing && runWith(closing, (mark) => mark.end === end)
  if (separate === undefined || closing === undefined || endRun === undefined || holdsText(separate)) return undefined
  const fromFirst = carrier([paragraph], outside)
  const opening = childElements(paragraph).filter(({ name, end }) => name !== 'w:pPr' && end <= separate.end)
  const entries = siblings.slice(first, last + 1)
  const isEndAlone = last > first && !holdsText(closing)
  if (isEndAlone) entries.pop()
  return {
    switches,
    start: paragraph.start,
    end: entries.at(-1)?.end ?? paragraph.end,
    entries: entries.filter((entry) => resultText(entry, separate).trim() !== ''),
    head: opening.map((one) => fromFirst(one, source)).join(''),
    tail: isEndAlone ? '' : carrier([closing], outside)(endRun, source),
    carried: (one) => {
      const entry = entries.find(({ start, end }) => start <= one.start && end >= one.end)
      return carrier(entry === undefined ? [] : elementsAround(entry, one), outside)(one, source)
    },
  }
}

/** The run, directly in the paragraph, that holds the mark. */
function runWith(paragraph: XmlElement, isIt: (mark: XmlElement) => boolean): XmlElement | undefined {
  for (const run of paragraph.children) {
    if (run.kind === 'text' || run.name !== 'w:r') continue
    if (run.children.some((mark) => mark.kind === 'element' && mark.name === 'w:fldChar' && isIt(mark))) return run
  }
  return undefined
}

export function holdsText(element: XmlElement): boolean {
  return element.children.some((child) => child.kind === 'element' && (child.name === 'w:t' || holdsText(child)))
}

/** Undefined for tables that this does not build: of figures, of marked entries, of a part of the document. */
function readSwitches(code: string): Switches | undefined {
  const switches = new Map<string, string>()
  for (const [, name = '', quoted, plain] of code
    .slice(0, limits.contentsPropertiesChars)
    .matchAll(/\\([a-z])(?:\s*"([^"]*)"|\s+([^\s\\"]+))?/gi)) {
    switches.set(name.toLowerCase(), quoted ?? plain ?? '')
  }
  if (['a', 'b', 'c', 'f', 'l'].some((name) => switches.has(name))) return undefined
  const styles = new Map<string, number>()
  const words = (switches.get('t') ?? '').split(/[,;]/)
  for (let name = words.shift(), level = words.shift(); name !== undefined && level !== undefined; ) {
    if (/^\s*[1-9]\s*$/.test(level)) styles.set(name.trim().toLowerCase(), Number(level))
    name = words.shift()
    level = words.shift()
  }
  const usesOutline = switches.has('u')
  const levels = switches.get('o')
  const unpaged = switches.get('n')
  const isPlain = levels === undefined && !usesOutline && styles.size === 0
  return {
    builtIn: levels === undefined ? (isPlain ? { from: 1, to: 9 } : undefined) : rangeOf(levels),
    usesOutline,
    styles,
    isLinked: switches.has('h'),
    withoutPages: unpaged === undefined ? undefined : rangeOf(unpaged),
    separator: switches.get('p'),
  }
}

function rangeOf(text: string): { from: number; to: number } {
  const match = /^\s*([1-9])\s*-\s*([1-9])\s*$/.exec(text)
  return match === null ? { from: 1, to: 9 } : { from: Number(match[1]), to: Number(match[2]) }
}
