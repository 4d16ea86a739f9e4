import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { BulletPicture, Numbering, NumberingLevel } from '../model/document.ts'
import { present } from '../model/present.ts'
import { readBulletPictures } from './picture-bullet.ts'
import { readParagraphProps, readRunProps } from './properties.ts'
import type { Theme } from './theme.ts'
import { childValue, integer, toggle } from './values.ts'

type Levels = (NumberingLevel | undefined)[]
type Pictures = ReadonlyMap<string, BulletPicture>

/** The numbering part (17.9). A `numStyleLink` is followed through `styleLinks`, at most once: chains of them are cyclic. */
export function readNumbering(
  root: XmlElement | undefined,
  theme: Theme,
  numberingOfStyle: (style: string) => string | undefined,
): Numbering {
  const numbering: Numbering = { instances: new Map() }
  if (!root) return numbering
  const pictures = readBulletPictures(root)
  const abstracts = new Map<string, { levels: Levels; link: string | undefined }>()
  for (const element of childElements(root, 'w:abstractNum')) {
    const levels: Levels = []
    for (const level of childElements(element, 'w:lvl')) placeLevel(levels, level, theme, pictures)
    abstracts.set(element.attributes['w:abstractNumId'] ?? '', { levels, link: childValue(element, 'w:numStyleLink') })
  }
  const abstractOf = new Map<string, string>()
  for (const element of childElements(root, 'w:num')) {
    abstractOf.set(element.attributes['w:numId'] ?? '', childValue(element, 'w:abstractNumId') ?? '')
  }
  for (const element of childElements(root, 'w:num')) {
    const id = element.attributes['w:numId'] ?? ''
    let shared = abstractOf.get(id) ?? ''
    const link = abstracts.get(shared)?.link
    const linked = link === undefined ? undefined : numberingOfStyle(link)
    if (linked !== undefined) shared = abstractOf.get(linked) ?? shared
    const levels = [...(abstracts.get(shared)?.levels ?? [])]
    const startOverrides = new Map<number, number>()
    for (const override of childElements(element, 'w:lvlOverride')) {
      const index = integer(override.attributes['w:ilvl'])
      if (index === undefined || index < 0 || index > 8) continue
      const start = integer(childValue(override, 'w:startOverride'))
      if (start !== undefined) startOverrides.set(index, start)
      const level = childNamed(override, 'w:lvl')
      if (level) placeLevel(levels, level, theme, pictures, index)
    }
    numbering.instances.set(id, { shared, levels, startOverrides })
  }
  return numbering
}

/** A number format as `formatNumber` takes it: of a custom one (`001, 002, …`) its first number. */
export function numberFormat(element: XmlElement | undefined): string {
  const format = element?.attributes['w:val'] ?? 'decimal'
  return format === 'custom' ? (/^0*1(?=,|$)/.exec(element?.attributes['w:format'] ?? '')?.[0] ?? 'decimal') : format
}

/** Custom formats came later than the standard: Word writes them beside the nearest that was there before. */
function customFormat(level: XmlElement): XmlElement | undefined {
  const alternatives = childNamed(level, 'mc:AlternateContent')
  const choice = alternatives && childNamed(alternatives, 'mc:Choice')
  return choice && childNamed(choice, 'w:numFmt')
}

function placeLevel(
  levels: Levels,
  element: XmlElement,
  theme: Theme,
  pictures: Pictures,
  at = integer(element.attributes['w:ilvl']),
): void {
  if (at === undefined || at < 0 || at > 8) return
  const suffix = childValue(element, 'w:suff')
  const align = childValue(element, 'w:lvlJc')
  const paragraph = readParagraphProps(childNamed(element, 'w:pPr'), theme)
  // A level belongs to its numbering already; naming one here could only lead round in a circle.
  delete paragraph.numberingId
  delete paragraph.numberingLevel
  levels[at] = {
    start: integer(childValue(element, 'w:start')) ?? 0,
    format: numberFormat(childNamed(element, 'w:numFmt') ?? customFormat(element)),
    text: (childValue(element, 'w:lvlText') ?? '').slice(0, 255),
    suffix: suffix === 'space' || suffix === 'nothing' ? suffix : 'tab',
    align: align === 'center' ? 'center' : align === 'right' || align === 'end' ? 'right' : 'left',
    legal: toggle(element, 'w:isLgl') ?? false,
    paragraph,
    run: readRunProps(childNamed(element, 'w:rPr'), theme),
    ...present<{ restartAfter?: number; style?: string; picture?: BulletPicture }>({
      restartAfter: integer(childValue(element, 'w:lvlRestart')),
      style: childValue(element, 'w:pStyle'),
      picture: pictures.get(childValue(element, 'w:lvlPicBulletId') ?? ''),
    }),
  }
}
