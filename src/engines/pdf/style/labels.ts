import { ListCounters } from '../../ooxml/list-labels.ts'
import type { Block, NumberingLevel, Paragraph } from '../model/document.ts'
import { storiesOf } from '../model/stories.ts'
import type { Cascade } from './cascade.ts'

export interface Label {
  text: string
  level: NumberingLevel
  /** Nesting depth for the structure tree, and the list it belongs to. */
  depth: number
  list: string
}

/** The labels of all numbered paragraphs of a story. */
export function numberParagraphs(blocks: readonly Block[], cascade: Cascade): Map<Paragraph, Label> {
  const labels = new Map<Paragraph, Label>()
  const counters = new ListCounters(cascade.language)
  visitParagraphs(blocks, (paragraph) => {
    const { numberingId: id, numberingLevel: at } = cascade.paragraph(paragraph)
    const list = id === undefined ? undefined : cascade.numbering.instances.get(id)
    const level = list?.levels[at]
    if (id === undefined || list === undefined || level === undefined) return
    const text = counters.next(id, list, at) ?? ''
    labels.set(paragraph, { text, level, depth: at, list: list.shared })
  })
  return labels
}

/** Every paragraph of a story in document order, those of tables, text boxes and shapes included. */
export function visitParagraphs(blocks: readonly Block[], each: (paragraph: Paragraph) => void): void {
  for (const block of blocks) {
    if (block.kind === 'paragraph') {
      each(block)
      for (const inline of block.content) for (const story of storiesOf(inline)) visitParagraphs(story, each)
    } else for (const row of block.rows) for (const cell of row.cells) visitParagraphs(cell.blocks, each)
  }
}
