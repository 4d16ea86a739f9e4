import type { FontSize } from './css.ts'

/** What a stretch of rich text looks like; every mark is a property of Word's runs. */
export interface Marks {
  bold?: true
  italic?: true
  underline?: true
  strike?: true
  code?: true
  highlight?: true
  raised?: 'superscript' | 'subscript'
  /** Six hexadecimal digits. */
  color?: string
  background?: string
  size?: FontSize
  /** Address of a link, as written. */
  link?: string
}

export type RichInline =
  | { kind: 'text'; text: string; marks: Marks }
  | { kind: 'break' }
  | { kind: 'image'; source: string; alternative: string; widthPx?: number; heightPx?: number }

export type RichAlign = 'left' | 'center' | 'right' | 'both'

export interface RichParagraph {
  kind: 'paragraph'
  style: 'body' | 'heading' | 'preformatted' | 'rule'
  /** 1 to 6 for headings, else 0. */
  heading: number
  /** Quotations around it. */
  quotes: number
  /** The list it is an item of, or a further paragraph of one. */
  item?: { list: RichList; level: number; isFirst: boolean }
  align?: RichAlign
  /** Six hexadecimal digits. */
  background?: string
  content: RichInline[]
}

/** Items that count together; a nested list is one of its own. */
export interface RichList {
  isOrdered: boolean
  start: number
}

export interface RichCell {
  isHeader: boolean
  columns: number
  rows: number
  /** Six hexadecimal digits. */
  background?: string
  blocks: RichBlock[]
}

export interface RichTable {
  kind: 'table'
  rows: RichCell[][]
}

export type RichBlock = RichParagraph | RichTable
