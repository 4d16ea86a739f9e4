import { type List, type ListLevel, levelsOfList } from './numbering.ts'
import { formatNumber } from './numerals.ts'

/**
 * Counts the numbered paragraphs of a story in document order (ECMA-376 part 1, 17.9). Lists of the same definition
 * share its counters, unless a list overrides the start.
 */
export class ListCounters {
  private readonly counters = new Map<string, (number | undefined)[]>()
  private readonly overridden = new Set<string>()

  /** @param language of numbers in words, where a level names none */
  constructor(private readonly language: string) {}

  /** Counts one more paragraph of a list and level, and returns its label; undefined if the list has no such level. */
  next(id: string, list: List, at: number): string | undefined {
    const level = list.levels[at]
    if (level === undefined) return undefined
    const values = this.counters.get(list.shared) ?? []
    this.counters.set(list.shared, values)
    values[at] = this.startOf(id, list, at) ?? (values[at] === undefined ? level.start : values[at] + 1)
    for (let above = 0; above < at; above++) values[above] ??= list.levels[above]?.start ?? 1
    for (let below = at + 1; below < levelsOfList; below++) {
      if (restarts(list.levels[below], at)) values[below] = undefined
    }
    return labelText(level, list.levels, values, level.language ?? this.language)
  }

  /** The overridden start of a level, once. */
  private startOf(id: string, { startOverrides }: List, at: number): number | undefined {
    const override = startOverrides.get(at)
    const key = `${id} ${at}`
    if (override === undefined || this.overridden.has(key)) return undefined
    this.overridden.add(key)
    return override
  }
}

/** Whether a level restarts after a paragraph of the level `at` above it. */
function restarts(level: ListLevel | undefined, at: number): boolean {
  const after = level?.restartAfter
  return after === undefined || (after !== 0 && at < after)
}

function labelText(
  level: ListLevel,
  levels: readonly (ListLevel | undefined)[],
  values: readonly (number | undefined)[],
  language: string,
): string {
  if (level.format === 'bullet') return level.text
  return level.text.replace(/%([1-9])/g, (_, digit: string) => {
    const index = Number(digit) - 1
    const source = levels[index]
    const format = level.legal ? 'decimal' : (source?.format ?? 'decimal')
    return formatNumber(values[index] ?? source?.start ?? 1, format, language)
  })
}
