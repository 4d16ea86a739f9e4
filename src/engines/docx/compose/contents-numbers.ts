import { ListCounters } from '../../ooxml/list-labels.ts'
import { type Lists, readLists } from '../../ooxml/numbering.ts'
import { parseXml } from '../../ooxml/xml-parser.ts'
import type { Styles } from '../scan/styles.ts'

/** Counts numbered paragraphs in document order, for the numbers that a table of contents repeats. */
export class ParagraphNumbers {
  private readonly lists: Lists
  private readonly counters: ListCounters

  /** @param numbering the numbering part of the composed document */
  constructor(numbering: string, styles: Pick<Styles, 'listOf' | 'language'>) {
    const parsed = parseXml(numbering)
    this.lists = parsed.ok ? readLists(parsed.value, styles.listOf, (level) => level) : new Map()
    this.counters = new ListCounters(styles.language)
  }

  /** The label of the next paragraph of that list and level; empty for bullets, and if there is no such list. */
  next(numId: string, level: number): string {
    const list = this.lists.get(numId)
    const label = list === undefined ? undefined : this.counters.next(numId, list, level)
    return list?.levels[level]?.format === 'bullet' ? '' : (label ?? '')
  }
}
