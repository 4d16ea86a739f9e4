/** Check boxes that a tag ticks, in both their states. */
import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { escapeAttribute } from '../../ooxml/xml-write.ts'
import { attributeNames, prefixOf } from '../scan/own-declarations.ts'
import { attributeSpan } from '../scan/source.ts'
import type { CheckItem, CheckTag } from './items.ts'

/** A stretch of the source, and what replaces it. */
interface Edit {
  start: number
  end: number
  text: string
}

/** The signs that Word itself shows in the font MS Gothic. */
const signs = { ticked: '☒', empty: '☐' }
type State = keyof typeof signs

/** The sign in the place of a tag in text. */
export function signInText(tag: CheckTag, range: { start: number; end: number }): CheckItem {
  return { kind: 'check', ...range, tag, ...signs, isInText: true }
}

/** The check box whose text holds the tag; undefined if it shows no sign. */
export function planCheckBox(tag: CheckTag, source: string): CheckItem | undefined {
  const box = tag.paragraph.element
  const [name] = tag.paragraph.pieces[0]?.chain ?? []
  if (name === undefined) return undefined
  const ticked = changed(box, source, [gone(name), ...editsOf(box, 'ticked', source)])
  const empty = changed(box, source, [gone(name), ...editsOf(box, 'empty', source)])
  if (box.name === 'w:sdt' && signRun(box) === undefined) return undefined
  return { kind: 'check', start: box.start, end: box.end, tag, ticked, empty, isInText: false }
}

function editsOf(box: XmlElement, state: State, source: string): Edit[] {
  return box.name === 'w:sdt' ? controlEdits(box, state, source) : fieldEdits(box, state)
}

/** Removed: a data binding, from which Word would take the state, and an id, which a loop would repeat. */
const dropped: ReadonlySet<string> = new Set(['w:id', 'w:dataBinding', 'w15:dataBinding', 'w:showingPlcHdr'])

/** A content control has its state as a property ([MS-DOCX] 2.6.1.5) and its sign as text. */
function controlEdits(box: XmlElement, state: State, source: string): Edit[] {
  const properties = childNamed(box, 'w:sdtPr')
  const checkBox = properties === undefined ? undefined : childNamed(properties, 'w14:checkbox')
  if (properties === undefined || checkBox === undefined) return []
  const edits = childElements(properties)
    .filter(({ name }) => dropped.has(name))
    .map(gone)
  const value = state === 'ticked' ? '1' : '0'
  const checked = childNamed(checkBox, 'w14:checked')
  const span = checked === undefined ? undefined : attributeSpan(checked, 'w14:val', source)
  if (span !== undefined) edits.push({ ...span, text: value })
  else {
    const prefix = prefixOf(checkBox.written)
    const { declares, prefix: own } = attributeNames(prefix, checkBox.uri)
    const stated = `<${prefix}checked${declares} ${own}val="${value}"/>`
    if (checked !== undefined) edits.push({ ...rangeOf(checked), text: stated })
    else edits.push(childAdded(checkBox, stated, source))
  }
  const run = signRun(box)
  return run === undefined ? edits : [...edits, ...signEdits(run, signOf(checkBox, state), source)]
}

interface Sign {
  font: string
  /** The code that the control states: of Unicode, or of a symbol font. */
  code: number
}

function signOf(checkBox: XmlElement, state: State): Sign {
  const stated = childNamed(checkBox, state === 'ticked' ? 'w14:checkedState' : 'w14:uncheckedState')
  const code = Number.parseInt(stated?.attributes['w14:val'] ?? '', 16)
  const isCode = Number.isInteger(code) && code >= 0x20 && code <= 0xfffd && (code < 0xd800 || code > 0xdfff)
  return {
    font: stated?.attributes['w14:font'] ?? 'MS Gothic',
    code: isCode ? code : (signs[state].codePointAt(0) ?? 0),
  }
}

/** The run that shows the sign. */
function signRun(box: XmlElement): XmlElement | undefined {
  const content = childNamed(box, 'w:sdtContent')
  const find = (element: XmlElement): XmlElement | undefined => {
    if (element.name === 'w:r') return childElements(element).some(isSign) ? element : undefined
    for (const child of childElements(element)) {
      const found = find(child)
      if (found !== undefined) return found
    }
    return undefined
  }
  return content === undefined ? undefined : find(content)
}

function isSign({ name }: XmlElement): boolean {
  return name === 'w:t' || name === 'w:sym'
}

const symbolFonts = /^(?:wingdings|webdings|symbol)/i

/** Symbol fonts have their signs in the private area, and Word writes them as `w:sym` (17.3.3.30). */
function signEdits(run: XmlElement, { font, code }: Sign, source: string): Edit[] {
  const [first, ...others] = childElements(run).filter(isSign)
  if (first === undefined) return []
  const prefix = prefixOf(run.written)
  const hex = (number: number) => number.toString(16).toUpperCase().padStart(4, '0')
  const isSymbol = symbolFonts.test(font) || (code >= 0xf000 && code <= 0xf0ff)
  const { declares, prefix: own } = attributeNames(prefix, run.uri)
  const symbol = `<${prefix}sym${declares} ${own}font="${escapeAttribute(font)}" ${own}char="${hex(0xf000 | (code & 0xff))}"/>`
  const text = isSymbol ? symbol : `<${prefix}t>&#x${hex(code)};</${prefix}t>`
  const edits = [{ ...rangeOf(first), text }, ...others.map(gone)]
  return isSymbol ? edits : [...edits, ...fontEdits(run, font, source)]
}

function fontEdits(run: XmlElement, font: string, source: string): Edit[] {
  const prefix = prefixOf(run.written)
  const properties = childNamed(run, 'w:rPr')
  const fonts = properties === undefined ? undefined : childNamed(properties, 'w:rFonts')
  if (fonts?.attributes['w:ascii'] === font && fonts.attributes['w:eastAsia'] === font) return []
  const { declares, prefix: own } = attributeNames(prefix, run.uri)
  const slots = ['ascii', 'hAnsi', 'eastAsia', 'cs'].map((slot) => `${own}${slot}="${escapeAttribute(font)}"`)
  const written = `<${prefix}rFonts${declares} ${own}hint="eastAsia" ${slots.join(' ')}/>`
  if (fonts !== undefined) return [{ ...rangeOf(fonts), text: written }]
  if (properties === undefined) return [childAdded(run, `<${prefix}rPr>${written}</${prefix}rPr>`, source)]
  const style = childNamed(properties, 'w:rStyle')
  return style === undefined
    ? [childAdded(properties, written, source)]
    : [{ start: style.end, end: style.end, text: written }]
}

/** A form field's box (17.16.7): its size, its default, and its state. */
function fieldEdits(box: XmlElement, state: State): Edit[] {
  const data = childNamed(box, 'w:ffData')
  const checkBox = data === undefined ? undefined : childNamed(data, 'w:checkBox')
  if (checkBox === undefined) return []
  const prefix = prefixOf(checkBox.written)
  const { declares, prefix: own } = attributeNames(prefix, checkBox.uri)
  const text = `<${prefix}checked${declares} ${own}val="${state === 'ticked' ? '1' : '0'}"/>`
  const checked = childNamed(checkBox, 'w:checked')
  if (checked !== undefined) return [{ ...rangeOf(checked), text }]
  if (checkBox.openEnd < checkBox.end) return [{ start: checkBox.closeStart, end: checkBox.closeStart, text }]
  return [{ ...rangeOf(checkBox), text: `<${checkBox.written}>${text}</${checkBox.written}>` }]
}

function changed(element: XmlElement, source: string, edits: readonly Edit[]): string {
  let text = ''
  let at = element.start
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < at) continue
    text += source.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return text + source.slice(at, element.end)
}

/** Puts XML in front of the children of an element. */
function childAdded(parent: XmlElement, xml: string, source: string): Edit {
  if (parent.openEnd < parent.end) return { start: parent.openEnd, end: parent.openEnd, text: xml }
  const open = source.slice(parent.start, parent.end).replace(/\s*\/>$/, '>')
  return { ...rangeOf(parent), text: `${open}${xml}</${parent.written}>` }
}

function rangeOf({ start, end }: XmlElement): { start: number; end: number } {
  return { start, end }
}

function gone(element: XmlElement): Edit {
  return { ...rangeOf(element), text: '' }
}
