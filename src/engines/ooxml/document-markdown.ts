/** A document as Markdown for reviews: what a reader of a template sees, beside the binary file that holds it. */
import { type Outcome, succeed } from '../../core/finding.ts'
import { sha256Hex } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import { cellsOf, partName, readParts, signs, skipped, symbolOf } from './document-text.ts'
import { relationshipType } from './namespaces.ts'
import { type OoxmlPackage, openPackage } from './package.ts'
import { childElements, childNamed, textOf, type XmlElement } from './xml.ts'

/**
 * The text of a DOCX with its tags unfilled: headings, list items and tables; then headers, footers, footnotes and
 * endnotes, each below a heading with the part's name. A picture becomes its alternative text. The same document gives
 * the same text.
 */
export function documentMarkdown(docx: Uint8Array): Outcome<string> {
  const opened = openPackage(docx, 'ignored')
  if (!opened.ok) return opened
  const container = opened.value
  const writer = new Writer(readParagraphStyles(container))
  const blocks: string[] = []
  for (const part of readParts(container)) {
    const root = container.readXml(part)
    if (!root.ok) return root
    const written = writer.blocksOf(root.value)
    if (written.length > 0 && part !== container.mainPart) blocks.push(`###### ${partName(part)}`)
    blocks.push(...written)
  }
  return succeed(`${blocks.join('\n\n')}\n`)
}

/**
 * The file beside a template, `letter.docx.md`: its text, below the hash of the whole file, so that a review sees
 * changes of pictures or formats too. For a file that isn't a DOCX, only the hash.
 *
 * @param name the template's file, without folders
 */
export function reviewTextOf(name: string, docx: Uint8Array): string {
  const text = documentMarkdown(docx)
  const head = `<!-- What ${name} says, for reviews; quire check --fix writes it anew. SHA-256 of the file: ${sha256Hex(docx)} -->`
  return text.ok ? `${head}\n\n${text.value}` : `${head}\n`
}

interface ParagraphStyle {
  /** 1 to 9, as Word counts the levels of an outline. */
  heading?: number
  isListed: boolean
}

type ParagraphStyles = ReadonlyMap<string, ParagraphStyle>

/** Markdown has six levels of headings. */
const deepestHeading = 6
/** Deepest indentation of list items, however deep Word nests them. Deeper text would become a code block. */
const deepestItem = 8

/** @returns styles of paragraphs by id, with what they inherit */
function readParagraphStyles(container: OoxmlPackage): ParagraphStyles {
  const relations = container.relationships(container.mainPart)
  const part = relations.find(({ type, external }) => type === relationshipType('styles') && !external)?.target
  const root = part === undefined ? undefined : container.readXml(part)
  if (root === undefined || !root.ok) return new Map()
  const styles = new Map(childElements(root.value, 'w:style').map((style) => [style.attributes['w:styleId'], style]))
  const found = new Map<string, ParagraphStyle>()
  for (const [id, style] of styles) {
    if (id === undefined) continue
    let heading: number | undefined
    let isListed = false
    let at: XmlElement | undefined = style
    for (let base = 0; at !== undefined && base < limits.styleBasedOnDepth; base++) {
      const properties = childNamed(at, 'w:pPr')
      heading ??= headingOf(at, properties)
      isListed ||= hasList(properties)
      at = styles.get(valOf(at, 'w:basedOn') ?? '')
    }
    found.set(id, { isListed, ...(heading === undefined ? {} : { heading }) })
  }
  return found
}

function headingOf(style: XmlElement, properties: XmlElement | undefined): number | undefined {
  const outline = headingOfOutline(properties && valOf(properties, 'w:outlineLvl'))
  if (outline !== undefined) return outline
  const name = (valOf(style, 'w:name') ?? '').toLowerCase()
  if (name === 'title') return 1
  const digits = /^heading ([1-9])$/.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Word counts levels from 0; 9 says that the paragraph is text. */
function headingOfOutline(level: string | undefined): number | undefined {
  return level !== undefined && /^[0-8]$/.test(level) ? Number(level) + 1 : undefined
}

function hasList(properties: XmlElement | undefined): boolean {
  const numbering = properties && childNamed(properties, 'w:numPr')
  const id = numbering && valOf(numbering, 'w:numId')
  return id !== undefined && id !== '0'
}

function valOf(element: XmlElement, name: string): string | undefined {
  return childNamed(element, name)?.attributes['w:val']
}

class Writer {
  constructor(private readonly styles: ParagraphStyles) {}

  /** Paragraphs and tables below an element, each as its lines. */
  blocksOf(element: XmlElement): string[] {
    const blocks: string[] = []
    let items: string[] = []
    const endList = () => {
      if (items.length > 0) blocks.push(items.join('\n'))
      items = []
    }
    for (const child of this.#contentOf(element)) {
      if (child.name === 'w:tbl') {
        endList()
        const table = this.#tableOf(child)
        if (table !== '') blocks.push(table)
        continue
      }
      const { text, boxes } = inlineOf(child)
      const { heading, level } = this.#placeOf(child)
      if (text !== '' && level !== undefined) {
        items.push(`${'  '.repeat(level)}- ${text.replaceAll('\n', `\n${'  '.repeat(level + 1)}`)}`)
      } else {
        endList()
        if (text !== '' && heading !== undefined) {
          blocks.push(`${'#'.repeat(Math.min(heading, deepestHeading))} ${text.replaceAll('\n', ' ')}`)
        } else if (text !== '') blocks.push(text.split('\n').map(asText).join('\\\n'))
      }
      for (const box of boxes) {
        endList()
        const quoted = this.blocksOf(box).join('\n\n')
        if (quoted !== '') blocks.push(quoted.replace(/^/gm, '> ').replace(/[ ]+$/gm, ''))
      }
    }
    endList()
    return blocks
  }

  /** Paragraphs and tables in order, unwrapped from content controls and other containers. */
  #contentOf(element: XmlElement): XmlElement[] {
    return childElements(element).flatMap((child) => {
      if (skipped.has(child.name)) return []
      return child.name === 'w:p' || child.name === 'w:tbl' ? [child] : this.#contentOf(child)
    })
  }

  #placeOf(paragraph: XmlElement): { heading: number | undefined; level: number | undefined } {
    const properties = childNamed(paragraph, 'w:pPr')
    const style = this.styles.get((properties && valOf(properties, 'w:pStyle')) ?? '')
    const numbering = properties && childNamed(properties, 'w:numPr')
    const isListed = numbering === undefined ? (style?.isListed ?? false) : hasList(properties)
    const depth = Number((numbering && valOf(numbering, 'w:ilvl')) ?? 0)
    const level = Number.isInteger(depth) ? Math.min(Math.max(depth, 0), deepestItem) : 0
    const own = properties && valOf(properties, 'w:outlineLvl')
    const heading = own === undefined ? style?.heading : headingOfOutline(own)
    return { heading, level: isListed && heading === undefined ? level : undefined }
  }

  /** The first row as the table's head, which Markdown's tables must have. */
  #tableOf(table: XmlElement): string {
    const rows = rowsOf(table).map((row) => cellsOf(row).map((cell) => this.#cellOf(cell)))
    const width = Math.max(0, ...rows.map((row) => row.length))
    if (rows.every((row) => row.every((cell) => cell === ''))) return ''
    const lines = rows.map((row) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? '').join(' | ')} |`)
    return [lines[0], `|${' --- |'.repeat(width)}`, ...lines.slice(1)].join('\n')
  }

  #cellOf(cell: XmlElement): string {
    const text = this.blocksOf(cell).join('\n')
    return text.replace(/\\?\n/g, '<br>').replaceAll('|', '\\|').trim()
  }
}

/** Rows may be inside of content controls. */
function rowsOf(element: XmlElement): XmlElement[] {
  return childElements(element).flatMap((child) => {
    if (child.name === 'w:tr') return [child]
    return child.name === 'w:sdt' || child.name === 'w:sdtContent' ? rowsOf(child) : []
  })
}

/** A paragraph's own text, and the text boxes that it anchors. */
function inlineOf(paragraph: XmlElement): { text: string; boxes: XmlElement[] } {
  const boxes: XmlElement[] = []
  const text = textIn(paragraph, boxes)
  const lines = text.split('\n').map((line) => line.trim())
  return { text: lines.join('\n').replace(/^\n+|\n+$/g, ''), boxes }
}

function textIn(element: XmlElement, boxes: XmlElement[]): string {
  let text = ''
  for (const child of childElements(element)) {
    if (skipped.has(child.name)) continue
    if (child.name === 'w:txbxContent') boxes.push(child)
    else if (child.name === 'w:t' || child.name === 'm:t') text += textOf(child)
    else if (child.name === 'w:sym') text += symbolOf(child)
    else if (child.name === 'w:br' && child.attributes['w:type'] === 'page') text += '\n(page break)\n'
    else if (child.name === 'wp:docPr') text += pictureOf(child)
    else text += child.name === 'w:tab' ? ' ' : (signs[child.name] ?? textIn(child, boxes))
  }
  return text
}

/** The alternative text that the author wrote, if any (`descr`); text boxes have only a generated name. */
function pictureOf({ attributes }: XmlElement): string {
  const description = (attributes.descr ?? '').replace(/\s+/g, ' ').trim()
  return description === '' ? '' : `![${description}]`
}

/** Escapes text that Markdown would read as a heading, list item, quotation or rule. */
function asText(line: string): string {
  return line.replace(/^(?:#|[-+*>=|](?=\s|$|[-*>=|])|\d+[.)](?=\s))/, (start) =>
    start.length > 1 ? `${start.slice(0, -1)}\\${start.slice(-1)}` : `\\${start}`,
  )
}
