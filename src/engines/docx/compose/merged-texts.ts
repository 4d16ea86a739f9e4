/** Texts that merging takes out of a table, to be reported to the author. */
import type { Cell } from './cells.ts'
import type { Composition } from './composition.ts'

export class MergedTexts {
  /** The first text, and how many cells have one, by the tag that asks for the merging. */
  private readonly lost = new Map<string, { text: string; cells: number }>()

  /** Looks at a cell that becomes one with another, which is the one that is shown. */
  note(place: string, shown: Cell, gone: Cell): void {
    if (gone.content === shown.content) return
    const text = textOf(gone)
    if (text === '' || text === textOf(shown)) return
    const known = this.lost.get(place)
    if (known === undefined) this.lost.set(place, { text, cells: 1 })
    else known.cells++
  }

  tell(composition: Composition): void {
    for (const [place, { text, cells }] of this.lost) {
      const shown = text.length <= 40 ? text : `${text.slice(0, 39)}…`
      const others = cells === 1 ? '' : ` and ${cells - 1} more`
      const message = `Merging cells takes out the text “${shown}”${others}: only that of the first cell is shown.`
      composition.remark('docx.merged_text', place, message, hint)
    }
  }
}

const hint = 'Merge cells that say the same, and write what differs into another column.'

function textOf({ content }: Cell): string {
  return content
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
