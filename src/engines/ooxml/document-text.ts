/** The text of a document as lines, for people and tools that compare documents without looking at pages. */
import { type Outcome, succeed } from '../../core/finding.ts'
import { type OoxmlPackage, openPackage } from './package.ts'
import { childElements, textOf, type XmlElement } from './xml.ts'

/**
 * The text of a DOCX: one line per paragraph, and per table row with ` | ` between cells; then headers, footers,
 * footnotes and endnotes, each part below a line with its name. Includes results of fields and inserted text; leaves out
 * deleted text, codes of fields, labels of lists, blank lines and blanks at line ends.
 */
export function documentText(docx: Uint8Array): Outcome<string> {
  const opened = openPackage(docx, 'ignored')
  return opened.ok ? packageText(opened.value) : opened
}

/** The same of a document that is open already; the trees of its parts stay with it. */
export function packageText(container: OoxmlPackage): Outcome<string> {
  let text = ''
  for (const part of readParts(container)) {
    const root = container.readXml(part)
    if (!root.ok) return root
    const lines = linesOf(root.value).filter((line) => line !== '')
    if (lines.length === 0) continue
    if (part !== container.mainPart) text += `\n--- ${partName(part)}\n`
    text += lines.map((line) => `${line}\n`).join('')
  }
  return succeed(text)
}

/** The parts whose text people read: the document, then headers, footers and notes. */
export function readParts(container: OoxmlPackage): string[] {
  const { mainPart, parts } = container
  const isRead = (part: string) => {
    const type = (container.contentType(part) ?? '').toLowerCase()
    return part !== mainPart && partTypes.some((end) => type.endsWith(end))
  }
  return [mainPart, ...parts.filter(isRead)]
}

/**
 * The tables of a DOCX, part by part in the order of `documentText`: rows of cells, each cell its paragraphs as lines.
 * A nested table comes after the one around it.
 */
export function documentTables(docx: Uint8Array): Outcome<string[][][]> {
  const opened = openPackage(docx, 'ignored')
  if (!opened.ok) return opened
  const tables: string[][][] = []
  for (const part of readParts(opened.value)) {
    const root = opened.value.readXml(part)
    if (!root.ok) return root
    tables.push(...tablesOf(root.value))
  }
  return succeed(tables)
}

function tablesOf(element: XmlElement): string[][][] {
  return childElements(element).flatMap((child) => {
    if (skipped.has(child.name)) return []
    if (child.name !== 'w:tbl') return tablesOf(child)
    const rows = rowsOf(child).map((row) => cellsOf(row).map((cell) => linesOf(cell).filter(Boolean).join('\n')))
    return [rows, ...tablesOf(child)]
  })
}

/** Tables may have their rows inside of content controls. */
function rowsOf(element: XmlElement): XmlElement[] {
  return childElements(element).flatMap((child) => {
    if (child.name === 'w:tr') return [child]
    return child.name === 'w:sdt' || child.name === 'w:sdtContent' ? rowsOf(child) : []
  })
}

/** `header1` of `word/header1.xml`. */
export function partName(part: string): string {
  return part.replace(/^.*\//, '').replace(/\.xml$/, '')
}

const partTypes = [
  'wordprocessingml.header+xml',
  'wordprocessingml.footer+xml',
  'wordprocessingml.footnotes+xml',
  'wordprocessingml.endnotes+xml',
]

/** Content that is no part of what a reader sees, or that is there a second time. */
export const skipped: ReadonlySet<string> = new Set([
  'w:del',
  'w:moveFrom',
  'w:instrText',
  'w:delText',
  'w:pPr',
  'w:rPr',
  'mc:Fallback',
  'w:sdtPr',
])

export const signs: Readonly<Record<string, string>> = {
  'w:tab': '\t',
  'w:br': '\n',
  'w:cr': '\n',
  'w:noBreakHyphen': '\u2011',
}

function linesOf(element: XmlElement): string[] {
  return childElements(element).flatMap((child) => {
    if (skipped.has(child.name)) return []
    if (child.name === 'w:p') return linesOfParagraph(child)
    if (child.name === 'w:tr') return [rowOf(child)]
    return linesOf(child)
  })
}

function rowOf(row: XmlElement): string {
  const cells = cellsOf(row).map((cell) => linesOf(cell).filter(Boolean).join(' / '))
  return cells.join(' | ').trimEnd()
}

/** Rows may have their cells inside of content controls. */
export function cellsOf(element: XmlElement): XmlElement[] {
  return childElements(element).flatMap((child) => {
    if (child.name === 'w:tc') return [child]
    return child.name === 'w:sdt' || child.name === 'w:sdtContent' ? cellsOf(child) : []
  })
}

/** The paragraph's own lines, then those of the text boxes that it anchors. */
function linesOfParagraph(paragraph: XmlElement): string[] {
  const boxes: XmlElement[] = []
  const text = runText(paragraph, boxes)
  return [...text.split('\n').map((line) => line.trimEnd()), ...boxes.flatMap(linesOf)]
}

function runText(element: XmlElement, boxes: XmlElement[]): string {
  let text = ''
  for (const child of childElements(element)) {
    if (skipped.has(child.name)) continue
    if (child.name === 'w:txbxContent') boxes.push(child)
    else if (child.name === 'w:t' || child.name === 'm:t') text += textOf(child)
    else if (child.name === 'w:sym') text += symbolOf(child)
    else text += signs[child.name] ?? runText(child, boxes)
  }
  return text
}

export function symbolOf(symbol: XmlElement): string {
  const code = Number.parseInt(symbol.attributes['w:char'] ?? '', 16)
  return Number.isInteger(code) && code > 0 && code <= 0xffff ? String.fromCharCode(code) : ''
}
