import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { carrier } from '../scan/own-declarations.ts'

/** Properties of a run or paragraph as XML, by the name Office gives them (`w:jc`). */
export type Properties = ReadonlyMap<string, string>

/** The order of ECMA-376 part 1, 17.3.1.26 (CT_PPr); Word calls a file corrupt that has another. */
const paragraphOrder =
  'pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment textboxTightWrap outlineLvl divId cnfStyle rPr sectPr pPrChange'.split(
    ' ',
  )

/** 17.3.2.28 (EG_RPrBase). */
const runOrder =
  'rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang eastAsianLayout specVanish oMath'.split(
    ' ',
  )

/** 17.4.70 (CT_TcPr). */
const cellOrder =
  'cnfStyle tcW gridSpan hMerge vMerge tcBorders shd noWrap tcMar textDirection tcFitText vAlign hideMark headers cellIns cellDel cellMerge tcPrChange'.split(
    ' ',
  )

const ranks = {
  paragraph: new Map(paragraphOrder.map((name, rank) => [`w:${name}`, rank])),
  run: new Map(runOrder.map((name, rank) => [`w:${name}`, rank])),
  cell: new Map(cellOrder.map((name, rank) => [`w:${name}`, rank])),
}

/**
 * The children of a `w:pPr` or `w:rPr` by name, without tracked changes of properties. Each child declares the prefixes
 * that it takes from `left`.
 *
 * @param left elements around it that are dropped, innermost first; `around` are those around these
 */
export function readProperties(
  element: XmlElement | undefined,
  source: string,
  { left, around }: { left: readonly XmlElement[]; around: readonly XmlElement[] } = { left: [], around: [] },
): Map<string, string> {
  const found = new Map<string, string>()
  if (element === undefined) return found
  const carriedOut = carrier([element, ...left], around)
  for (const child of element.children) {
    if (child.kind === 'text' || child.name === 'w:pPrChange' || child.name === 'w:rPrChange') continue
    found.set(child.name, carriedOut(child, source))
  }
  return found
}

const names = { paragraph: 'pPr', run: 'rPr', cell: 'tcPr' }

/** The properties in the schema's order; those the schema doesn't know (extensions) come last, as Word writes them. */
export function writeProperties(kind: keyof typeof names, properties: Properties, prefix = 'w:'): string {
  const rank = ranks[kind]
  const sorted = [...properties].sort(([a], [b]) => (rank.get(a) ?? 99) - (rank.get(b) ?? 99))
  const inner = sorted.map(([, xml]) => xml).join('')
  const name = prefix + names[kind]
  return inner === '' ? '' : `<${name}>${inner}</${name}>`
}

/** Offset in the source at which a new child belongs, by the rank of those that are there. */
export function placeFor(parent: XmlElement, name: string): number {
  const rank = ranks.paragraph.get(name) ?? 99
  for (const child of parent.children) {
    if (child.kind === 'element' && (ranks.paragraph.get(child.name) ?? 99) > rank) return child.start
  }
  return parent.closeStart
}

/** Whether a paragraph ends a section. */
export function hasSectionBreak(paragraph: XmlElement): boolean {
  const properties = childNamed(paragraph, 'w:pPr')
  return properties !== undefined && childNamed(properties, 'w:sectPr') !== undefined
}
