/** The numbering part of a document (ECMA-376 part 1, 17.9), as composing and rendering both read it. */
import { limits } from '../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from './xml.ts'

/** A level of a list, as far as counting needs it. */
export interface ListLevel {
  /** The first number; 0 if the level says none (17.9.25). */
  start: number
  /** A number format as `formatNumber` takes it. */
  format: string
  /** With `%1` to `%9` for the numbers of the levels. */
  text: string
  /** Restart after this level, counted from 1; undefined for the level above, 0 for never (17.9.10). */
  restartAfter?: number
  /** Whether all numbers in the text are decimals (17.9.4). */
  legal: boolean
  /** The paragraph style that brings this level (17.9.23). */
  style?: string
  /** For numbers in words: a BCP 47 tag. */
  language?: string
}

/** A list (`w:num`), with the levels of its definition or its own. */
export interface List<Level extends ListLevel = ListLevel> {
  /** The definition (`w:abstractNum`) whose counters all its lists share. */
  shared: string
  /** By level, 0 to 8. */
  levels: (Level | undefined)[]
  /** First numbers of the levels that this list restarts. */
  startOverrides: Map<number, number>
}

/** Lists by their ids. */
export type Lists<Level extends ListLevel = ListLevel> = Map<string, List<Level>>

export const levelsOfList = 9

/**
 * Reads all lists. A definition may refer to the list of a numbering style (`w:numStyleLink`), found by `listOfStyle`.
 * Only one such link is followed, since chains of them are cyclic. `complete` adds what the caller needs of a level.
 */
export function readLists<Level extends ListLevel>(
  root: XmlElement,
  listOfStyle: (style: string) => string | undefined,
  complete: (level: ListLevel, element: XmlElement) => Level,
): Lists<Level> {
  const read = (element: XmlElement) => complete(readLevel(element), element)
  const definitions = readDefinitions(root, read)
  const elements = childElements(root, 'w:num')
  const definitionOf = new Map(elements.map((list) => [idOf(list), valOf(list, 'w:abstractNumId') ?? '']))
  const lists: Lists<Level> = new Map()
  for (const element of elements) {
    const own = definitionOf.get(idOf(element)) ?? ''
    const link = definitions.get(own)?.link
    const linked = link === undefined ? undefined : listOfStyle(link)
    const shared = (linked === undefined ? undefined : definitionOf.get(linked)) ?? own
    const list: List<Level> = {
      shared,
      levels: [...(definitions.get(shared)?.levels ?? [])],
      startOverrides: new Map(),
    }
    for (const override of childElements(element, 'w:lvlOverride')) applyOverride(list, override, read)
    lists.set(idOf(element), list)
  }
  return lists
}

function readDefinitions<Level extends ListLevel>(root: XmlElement, read: (element: XmlElement) => Level) {
  const definitions = new Map<string, { levels: (Level | undefined)[]; link: string | undefined }>()
  for (const element of childElements(root, 'w:abstractNum')) {
    const levels: (Level | undefined)[] = []
    for (const level of childElements(element, 'w:lvl')) {
      const index = levelIndex(level)
      if (index !== undefined) levels[index] = read(level)
    }
    definitions.set(element.attributes['w:abstractNumId'] ?? '', { levels, link: valOf(element, 'w:numStyleLink') })
  }
  return definitions
}

/** A list can restart levels (17.9.27), and replace whole levels (17.9.8). */
function applyOverride<Level extends ListLevel>(
  list: List<Level>,
  override: XmlElement,
  read: (element: XmlElement) => Level,
): void {
  const index = levelIndex(override)
  if (index === undefined) return
  const start = integer(valOf(override, 'w:startOverride'))
  if (start !== undefined) list.startOverrides.set(index, start)
  const level = childNamed(override, 'w:lvl')
  if (level !== undefined) list.levels[index] = read(level)
}

function readLevel(element: XmlElement): ListLevel {
  const restartAfter = integer(valOf(element, 'w:lvlRestart'))
  const style = valOf(element, 'w:pStyle')
  const look = childNamed(element, 'w:rPr')
  const language = look && valOf(look, 'w:lang')
  return {
    start: integer(valOf(element, 'w:start')) ?? 0,
    format: numberFormat(childNamed(element, 'w:numFmt') ?? customFormat(element)),
    text: (valOf(element, 'w:lvlText') ?? '').slice(0, limits.listLevelTextChars),
    legal: isOn(childNamed(element, 'w:isLgl')),
    ...(restartAfter === undefined ? {} : { restartAfter }),
    ...(style === undefined ? {} : { style }),
    ...(language === undefined ? {} : { language }),
  }
}

/** A number format for `formatNumber`. A custom one (`001, 002, …`) is named by its first number. */
export function numberFormat(element: XmlElement | undefined): string {
  const format = element?.attributes['w:val'] ?? 'decimal'
  return format === 'custom' ? (/^0*1(?=,|$)/.exec(element?.attributes['w:format'] ?? '')?.[0] ?? 'decimal') : format
}

/** Custom formats are newer than the standard: Word writes them beside the nearest older format. */
function customFormat(level: XmlElement): XmlElement | undefined {
  const alternatives = childNamed(level, 'mc:AlternateContent')
  const choice = alternatives && childNamed(alternatives, 'mc:Choice')
  return choice && childNamed(choice, 'w:numFmt')
}

/** The level of a list that a paragraph style brings; the first if no level names the style. */
export function levelOfStyle(list: List | undefined, style: string): number {
  return Math.max(0, list?.levels.findIndex((level) => level?.style === style) ?? 0)
}

function idOf(list: XmlElement): string {
  return list.attributes['w:numId'] ?? ''
}

function levelIndex(element: XmlElement): number | undefined {
  const index = integer(element.attributes['w:ilvl'])
  return index === undefined || index < 0 || index >= levelsOfList ? undefined : index
}

function valOf(element: XmlElement, name: string): string | undefined {
  return childNamed(element, name)?.attributes['w:val']
}

function integer(text: string | undefined): number | undefined {
  const value = Number.parseInt(text ?? '', 10)
  return Number.isFinite(value) ? value : undefined
}

function isOn(element: XmlElement | undefined): boolean {
  return element !== undefined && !['0', 'false', 'off', 'none'].includes(element.attributes['w:val'] ?? '')
}
