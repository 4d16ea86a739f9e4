/** The numbers that Word puts before paragraphs (ECMA-376 part 1, 17.9), as a table of contents repeats them. */
import { childElements, childNamed, parseXml, type XmlElement } from '../../ooxml/xml.ts'

interface Level {
  format: string
  /** With `%1` to `%9` for the numbers of the levels. */
  text: string
  start: number
}

interface List {
  abstractId: string
  levels: readonly Level[]
  /** Levels that this list begins anew. */
  overrides: ReadonlyMap<number, number>
}

const levelCount = 9

/** Counts numbered paragraphs in the order of the document. */
export class ParagraphNumbers {
  private readonly lists: ReadonlyMap<string, List>
  private readonly counters = new Map<string, number[]>()
  private readonly seen = new Set<string>()

  /** @param numbering the numbering part of the composed document */
  constructor(numbering: string) {
    const parsed = parseXml(numbering)
    this.lists = parsed.ok ? readLists(parsed.value) : new Map()
  }

  /** What stands before the next paragraph of that list and level; empty for bullets and for lists that are not there. */
  next(numId: string, level: number): string {
    const list = this.lists.get(numId)
    const own = list?.levels[level]
    if (list === undefined || own === undefined) return ''
    const counters = this.counters.get(list.abstractId) ?? list.levels.map(({ start }) => start - 1)
    this.counters.set(list.abstractId, counters)
    if (!this.seen.has(numId)) {
      this.seen.add(numId)
      for (const [index, start] of list.overrides) counters[index] = start - 1
    }
    counters[level] = (counters[level] ?? 0) + 1
    for (let deeper = level + 1; deeper < list.levels.length; deeper++)
      counters[deeper] = list.levels[deeper]!.start - 1
    if (own.format === 'bullet' || own.format === 'none') return ''
    return own.text.replace(/%([1-9])/g, (_, digit: string) => {
      const index = Number(digit) - 1
      const shown = list.levels[index]
      // A level above that no paragraph has had yet shows its first number.
      return shown === undefined ? '' : formatNumber(Math.max(counters[index] ?? 0, shown.start), shown.format)
    })
  }
}

function readLists(root: XmlElement): Map<string, List> {
  const abstracts = new Map<string, Level[]>()
  for (const abstract of childElements(root, 'w:abstractNum')) {
    abstracts.set(abstract.attributes['w:abstractNumId'] ?? '', readLevels(abstract))
  }
  const lists = new Map<string, List>()
  for (const list of childElements(root, 'w:num')) {
    const abstractId = valOf(list, 'w:abstractNumId') ?? ''
    const levels = [...(abstracts.get(abstractId) ?? [])]
    const overrides = new Map<number, number>()
    for (const override of childElements(list, 'w:lvlOverride')) {
      const index = Number(override.attributes['w:ilvl'])
      const start = Number(valOf(override, 'w:startOverride') ?? Number.NaN)
      if (Number.isInteger(start)) overrides.set(index, start)
      const level = childNamed(override, 'w:lvl')
      if (level !== undefined && index >= 0 && index < levels.length) levels[index] = readLevel(level)
    }
    lists.set(list.attributes['w:numId'] ?? '', { abstractId, levels, overrides })
  }
  return lists
}

function readLevels(abstract: XmlElement): Level[] {
  const levels: Level[] = Array.from({ length: levelCount }, () => ({ format: 'none', text: '', start: 1 }))
  for (const level of childElements(abstract, 'w:lvl')) {
    const index = Number(level.attributes['w:ilvl'])
    if (index >= 0 && index < levelCount && Number.isInteger(index)) levels[index] = readLevel(level)
  }
  return levels
}

function readLevel(level: XmlElement): Level {
  const start = Number(valOf(level, 'w:start') ?? 1)
  return {
    format: valOf(level, 'w:numFmt') ?? 'decimal',
    // Repeated before every heading; longer ones are not meant for people.
    text: (valOf(level, 'w:lvlText') ?? '').slice(0, 60),
    start: Number.isInteger(start) && start >= 0 && start < 100_000 ? start : 1,
  }
}

function valOf(element: XmlElement, name: string): string | undefined {
  return childNamed(element, name)?.attributes['w:val']
}

const romans = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
] as const

/** Formats beside these are of other scripts, and shown as decimals. */
function formatNumber(value: number, format: string): string {
  if (format === 'decimalZero') return String(value).padStart(2, '0')
  if (format === 'lowerLetter' || format === 'upperLetter') {
    if (value < 1 || value > 780) return String(value)
    const letters = String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26))
    return format === 'upperLetter' ? letters.toUpperCase() : letters
  }
  if (format === 'lowerRoman' || format === 'upperRoman') {
    if (value < 1 || value > 3_999) return String(value)
    let rest = value
    let text = ''
    for (const [letters, worth] of romans) {
      while (rest >= worth) {
        text += letters
        rest -= worth
      }
    }
    return format === 'upperRoman' ? text.toUpperCase() : text
  }
  return String(value)
}
