import { type List, type Lists, levelsOfList } from '../../ooxml/numbering.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, childNamed, type XmlDocument, type XmlElement } from '../../ooxml/xml.ts'
import { idOf } from '../scan/ids.ts'
import { relatedPart } from '../scan/parts.ts'

/** The numbering part of a template (ECMA-376 part 1, 17.9), as far as new lists need it. */
export interface NumberingSource {
  /** Undefined if the template has no lists at all. */
  part: string | undefined
  text: string
  /** Offsets for new definitions and new lists; the schema wants all definitions before the lists. */
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
  levels: ReadonlyMap<number, string>
}

/**
 * Reads the numbering part.
 * @param lists the template's lists
 * @param uri the WordprocessingML namespace of the main document, strict or transitional
 */
export function readNumbering(opened: OoxmlPackage, lists: Lists, uri: string): NumberingSource {
  const part = relatedPart(opened, 'numbering')
  const document = part === undefined ? undefined : opened.readXmlDocument(part)
  if (part === undefined || document === undefined || !document.ok) {
    const text = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="${uri}"></w:numbering>`
    const at = text.lastIndexOf('</')
    const none = { greatestAbstract: 0, greatestList: 0, lists: new Map() }
    return { part: undefined, text, abstractsAt: at, listsAt: at, ...none }
  }
  const { root, source } = document.value
  const { text, end } = withEndTag(document.value)
  const elements = childElements(root, 'w:num')
  const after = childElements(root, 'w:numIdMacAtCleanup')[0]?.start ?? end
  const abstracts = childElements(root, 'w:abstractNum').map((element) => element.attributes['w:abstractNumId'])
  const sources = new Map(elements.map((element) => [element.attributes['w:numId'] ?? '', element]))
  return {
    part,
    text,
    abstractsAt: elements[0]?.start ?? after,
    listsAt: after,
    greatestAbstract: greatest(abstracts),
    greatestList: greatest(sources.keys()),
    lists: new Map([...sources].map(([id, element]) => [id, listSource(element, lists.get(id), source)])),
  }
}

/** The part's text and the offset of its end tag. A self-closing root gets an end tag, to have room for insertions. */
function withEndTag({ root, source }: XmlDocument): { text: string; end: number } {
  if (root.openEnd !== root.end) return { text: source, end: root.closeStart }
  const open = source.slice(0, root.end).replace(/\s*\/>$/, '>')
  return { text: `${open}</${root.written}>${source.slice(root.end)}`, end: open.length }
}

function greatest(ids: Iterable<string | undefined>): number {
  let most = 0
  for (const id of ids) most = Math.max(most, idOf(id))
  return most
}

function listSource(element: XmlElement, list: List | undefined, source: string): ListSource {
  const levels = new Map<number, string>()
  for (const override of childElements(element, 'w:lvlOverride')) {
    const level = childNamed(override, 'w:lvl')
    if (level === undefined) continue
    levels.set(Number(override.attributes['w:ilvl'] ?? 0), source.slice(level.start, level.end))
  }
  const starts = Array.from({ length: levelsOfList }, (_, index) => {
    return list?.startOverrides.get(index) ?? list?.levels[index]?.start ?? 1
  })
  return { abstractId: childNamed(element, 'w:abstractNumId')?.attributes['w:val'] ?? '0', starts, levels }
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

  /** A copy of a list that restarts its counting; the same id for a list the template doesn't define. */
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
        this.abstractXml(bullets, (level) => ['bullet', bulletSigns.charAt(level % bulletSigns.length)]),
        this.abstractXml(bullets + 1, (level) => [
          numberFormats[level % numberFormats.length] ?? 'decimal',
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

/** Signs for the levels of new lists, over and over. */
const bulletSigns = '•◦▪'
const numberFormats = ['decimal', 'lowerLetter', 'lowerRoman']

/** Half an inch a level, as Word's own lists have it. */
export const listIndentTwips = 720
