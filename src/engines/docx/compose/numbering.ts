import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { relatedPart } from '../scan/parts.ts'

/** The numbering part of a template (ECMA-376 part 1, 17.9), as far as new lists need it. */
export interface NumberingSource {
  /** Undefined where the template has no lists at all. */
  part: string | undefined
  text: string
  /** Offsets at which new definitions and new lists belong; the schema wants all of the former first. */
  abstractsAt: number
  listsAt: number
  greatestAbstract: number
  greatestList: number
  lists: ReadonlyMap<string, ListSource>
}

interface ListSource {
  abstractId: string
  /** First numbers of the levels, 0 to 8. */
  starts: number[]
  /** `w:lvl` of the list's own overrides, by level. */
  levels: Map<number, string>
}

/** `uri` is the WordprocessingML namespace of the main document, strict or transitional. */
export function readNumbering(opened: OoxmlPackage, uri: string): NumberingSource {
  const part = relatedPart(opened, 'numbering')
  const document = part === undefined ? undefined : opened.readXmlDocument(part)
  if (part === undefined || document === undefined || !document.ok) {
    const text = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="${uri}"></w:numbering>`
    const at = text.lastIndexOf('</')
    return { part: undefined, text, abstractsAt: at, listsAt: at, ...greatestOf([], []), lists: new Map() }
  }
  const { root, source } = document.value
  const abstracts = new Map<string, XmlElement>()
  for (const abstract of childElements(root, 'w:abstractNum')) {
    abstracts.set(abstract.attributes['w:abstractNumId'] ?? '', abstract)
  }
  const numbers = childElements(root, 'w:num')
  const lists = new Map<string, ListSource>()
  for (const list of numbers) lists.set(list.attributes['w:numId'] ?? '', readList(list, abstracts, source))
  const isEmpty = root.openEnd === root.end
  // A root that closes itself is opened, so that there is something to insert into.
  const text = isEmpty
    ? `${source.slice(0, root.end).replace(/\s*\/>$/, '>')}</${root.written}>${source.slice(root.end)}`
    : source
  const end = isEmpty ? text.lastIndexOf(`</${root.written}>`) : root.closeStart
  const after = childElements(root).find((child) => child.name === 'w:numIdMacAtCleanup')?.start ?? end
  return {
    part,
    text,
    abstractsAt: numbers[0]?.start ?? after,
    listsAt: after,
    ...greatestOf(abstracts.keys(), lists.keys()),
    lists,
  }
}

function greatestOf(abstracts: Iterable<string>, lists: Iterable<string>) {
  return { greatestAbstract: greatest(abstracts), greatestList: greatest(lists) }
}

function greatest(ids: Iterable<string>): number {
  let most = 0
  for (const id of ids) {
    const number = Number(id)
    // One near the top of 32 bits is not counted on, so that the numbers after it stay in range.
    if (Number.isSafeInteger(number) && number > most && number < 2_000_000_000) most = number
  }
  return most
}

function readList(list: XmlElement, abstracts: Map<string, XmlElement>, source: string): ListSource {
  const abstractId = childNamed(list, 'w:abstractNumId')?.attributes['w:val'] ?? '0'
  const starts = Array.from({ length: 9 }, () => 1)
  const abstract = abstracts.get(abstractId)
  for (const level of abstract === undefined ? [] : childElements(abstract, 'w:lvl')) {
    const start = Number(childNamed(level, 'w:start')?.attributes['w:val'] ?? 0)
    const index = Number(level.attributes['w:ilvl'] ?? 0)
    if (index >= 0 && index < 9 && Number.isInteger(start)) starts[index] = start
  }
  const levels = new Map<number, string>()
  for (const override of childElements(list, 'w:lvlOverride')) {
    const index = Number(override.attributes['w:ilvl'] ?? 0)
    const start = childNamed(override, 'w:startOverride')?.attributes['w:val']
    if (start !== undefined && index >= 0 && index < 9) starts[index] = Number(start) || 0
    const level = childNamed(override, 'w:lvl')
    if (level !== undefined) levels.set(index, source.slice(level.start, level.end))
  }
  return { abstractId, starts, levels }
}

/** The lists that one composition adds: restarted copies of the template's own, and those of rich text. */
export class NumberingGains {
  private readonly abstracts: string[] = []
  private readonly lists: string[] = []
  private abstractIds: { bullets: number; numbers: number } | undefined
  private bulletList: string | undefined

  constructor(
    private readonly source: NumberingSource,
    private readonly uri: string,
  ) {}

  get isEmpty(): boolean {
    return this.lists.length === 0
  }

  /** A copy of a list that counts from its beginning again; the same id for a list the template doesn't define. */
  restart(numId: string): string {
    const list = this.source.lists.get(numId)
    if (list === undefined) return numId
    const overrides = list.starts.map((start, level) => {
      const own = list.levels.get(level) ?? ''
      return `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/>${own}</w:lvlOverride>`
    })
    return this.addList(list.abstractId, overrides.join(''))
  }

  /** The list of all bullets; Word keeps its levels apart. */
  bullets(): string {
    this.bulletList ??= this.addList(this.definitions().bullets, '')
    return this.bulletList
  }

  /** A new list of numbers whose given level begins with `start`. */
  numbers(level: number, start: number): string {
    const override = `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/></w:lvlOverride>`
    return this.addList(this.definitions().numbers, override)
  }

  private addList(abstractId: string | number, overrides: string): string {
    const id = String(this.source.greatestList + this.lists.length + 1)
    this.lists.push(
      `<w:num xmlns:w="${this.uri}" w:numId="${id}"><w:abstractNumId w:val="${abstractId}"/>${overrides}</w:num>`,
    )
    return id
  }

  private definitions(): { bullets: number; numbers: number } {
    if (this.abstractIds === undefined) {
      const bullets = this.source.greatestAbstract + 1
      this.abstractIds = { bullets, numbers: bullets + 1 }
      this.abstracts.push(
        this.abstractXml(bullets, (level) => ['bullet', ['•', '◦', '▪'][level % 3]!]),
        this.abstractXml(bullets + 1, (level) => [
          ['decimal', 'lowerLetter', 'lowerRoman'][level % 3]!,
          `%${level + 1}.`,
        ]),
      )
    }
    return this.abstractIds
  }

  private abstractXml(id: number, describe: (level: number) => [format: string, text: string]): string {
    let levels = ''
    for (let level = 0; level < 9; level++) {
      const [format, text] = describe(level)
      levels +=
        `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>` +
        `<w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${listIndentTwips * (level + 1)}" w:hanging="360"/></w:pPr></w:lvl>`
    }
    return `<w:abstractNum xmlns:w="${this.uri}" w:abstractNumId="${id}"><w:multiLevelType w:val="hybridMultilevel"/>${levels}</w:abstractNum>`
  }

  /** The whole part with what was added. */
  text(): string {
    const { text, abstractsAt, listsAt } = this.source
    const [definitions, lists] = [this.abstracts.join(''), this.lists.join('')]
    return text.slice(0, abstractsAt) + definitions + text.slice(abstractsAt, listsAt) + lists + text.slice(listsAt)
  }
}

/** Half an inch a level, as Word's own lists have it. */
export const listIndentTwips = 720
