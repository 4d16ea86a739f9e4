import { formatNumber } from '../../ooxml/numerals.ts'
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

/**
 * Counts every numbered paragraph of a story in document order (17.9). Counters belong to the abstract definition, so
 * that instances of it go on counting, except where an instance overrides the start.
 */
export function numberParagraphs(blocks: readonly Block[], cascade: Cascade): Map<Paragraph, Label> {
  const labels = new Map<Paragraph, Label>()
  const counters = new Map<string, (number | undefined)[]>()
  const overridden = new Set<string>()
  visitParagraphs(blocks, (paragraph) => {
    const style = cascade.paragraph(paragraph)
    const instance = style.numberingId === undefined ? undefined : cascade.numbering.instances.get(style.numberingId)
    const level = instance?.levels[style.numberingLevel]
    if (!instance || !level || style.numberingId === undefined) return
    const at = style.numberingLevel
    const values = counters.get(instance.shared) ?? []
    counters.set(instance.shared, values)
    const override = instance.startOverrides.get(at)
    const overrideKey = `${style.numberingId} ${at}`
    if (override !== undefined && !overridden.has(overrideKey)) {
      overridden.add(overrideKey)
      values[at] = override
    } else values[at] = values[at] === undefined ? level.start : values[at] + 1
    for (let above = 0; above < at; above++) values[above] ??= instance.levels[above]?.start ?? 1
    for (let below = at + 1; below < 9; below++) {
      const restart = instance.levels[below]?.restartAfter
      if (restart === 0 || (restart !== undefined && at >= restart)) continue
      values[below] = undefined
    }
    labels.set(paragraph, {
      text: labelText(level, instance.levels, values, cascade.language),
      level,
      depth: at,
      list: instance.shared,
    })
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

function labelText(
  level: NumberingLevel,
  levels: readonly (NumberingLevel | undefined)[],
  values: readonly (number | undefined)[],
  language: string,
): string {
  if (level.format === 'bullet') return level.text
  return level.text.replace(/%([1-9])/g, (_, digit: string) => {
    const index = Number(digit) - 1
    const source = levels[index]
    const format = level.legal ? 'decimal' : (source?.format ?? 'decimal')
    return formatNumber(values[index] ?? source?.start ?? 1, format, level.run.language ?? language)
  })
}
