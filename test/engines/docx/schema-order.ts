import { childElements, type XmlElement } from '../../../src/engines/ooxml/xml.ts'
import { parseXml } from '../../../src/engines/ooxml/xml-parser.ts'

/**
 * The sequences of ECMA-376 part 1 (annex A) for the elements that composing writes or changes. Word refuses a file, or
 * offers to repair it, where children are in another order or are missing.
 */
const sequences: Record<string, string> = {
  'w:pPr':
    'pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment textboxTightWrap outlineLvl divId cnfStyle rPr sectPr pPrChange',
  'w:rPr':
    'ins del moveFrom moveTo rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang eastAsianLayout specVanish oMath rPrChange',
  'w:numPr': 'ilvl numId numberingChange ins',
  'w:tblPr':
    'tblStyle tblpPr tblOverlap bidiVisual tblStyleRowBandSize tblStyleColBandSize tblW jc tblCellSpacing tblInd tblBorders shd tblLayout tblCellMar tblLook tblCaption tblDescription tblPrChange',
  'w:tcPr':
    'cnfStyle tcW gridSpan hMerge vMerge tcBorders shd noWrap tcMar textDirection tcFitText vAlign hideMark headers cellIns cellDel cellMerge tcPrChange',
  'w:tbl': 'tblPr tblGrid *',
  'w:tr': 'tblPrEx trPr *',
  'w:tc': 'tcPr *',
  'w:p': 'pPr *',
  'w:r': 'rPr *',
  'w:numbering': 'numPicBullet abstractNum num numIdMacAtCleanup',
  'w:abstractNum': 'nsid multiLevelType tmpl name styleLink numStyleLink lvl',
  'w:num': 'abstractNumId lvlOverride',
  'w:lvlOverride': 'startOverride lvl',
  'w:lvl': 'start numFmt lvlRestart pStyle isLgl suff lvlText lvlPicBulletId legacy lvlJc pPr rPr',
  'w:settings':
    'writeProtection view zoom removePersonalInformation removeDateAndTime doNotDisplayPageBoundaries displayBackgroundShape printPostScriptOverText printFractionalCharacterWidth printFormsData embedTrueTypeFonts embedSystemFonts saveSubsetFonts saveFormsData mirrorMargins alignBordersAndEdges bordersDoNotSurroundHeader bordersDoNotSurroundFooter gutterAtTop hideSpellingErrors hideGrammaticalErrors activeWritingStyle proofState formsDesign attachedTemplate linkStyles stylePaneFormatFilter stylePaneSortMethod documentType mailMerge revisionView trackRevisions doNotTrackMoves doNotTrackFormatting documentProtection autoFormatOverride styleLockTheme styleLockQFSet defaultTabStop autoHyphenation consecutiveHyphenLimit hyphenationZone doNotHyphenateCaps showEnvelope summaryLength clickAndTypeStyle defaultTableStyle evenAndOddHeaders * updateFields hdrShapeDefaults footnotePr endnotePr compat docVars rsids *',
  'wp:inline': 'extent effectExtent docPr cNvGraphicFramePr graphic',
  'w:body': '* sectPr',
}

/** These must not be empty, and must end with a paragraph. */
const endWithParagraph = new Set(['w:tc', 'w:hdr', 'w:ftr', 'w:txbxContent', 'w:footnote', 'w:endnote', 'w:comment'])
const rangeMarks = /^w:(?:bookmark|commentRange|perm|moveFromRange|moveToRange|customXml)\w*(?:Start|End)$/

/** What Word would have to repair in a part: each as a sentence; nothing for a part in order. */
export function schemaFaults(xml: string): string[] {
  const root = parseXml(xml)
  if (!root.ok) return [root.findings[0]!.message]
  const faults: string[] = []
  const ids = new Map<string, Set<string>>()
  walk(root.value, faults, ids, undefined)
  return faults
}

function walk(
  element: XmlElement,
  faults: string[],
  ids: Map<string, Set<string>>,
  parent: XmlElement | undefined,
): void {
  const children = childElements(element)
  const sequence = sequences[element.name]
  if (sequence !== undefined) checkSequence(element, children, sequence.split(' '), faults)
  // Settings name the separators in elements of the same name as notes.
  const isText = !/^w:(?:foot|end)notePr$/.test(parent?.name ?? '')
  if (endWithParagraph.has(element.name) && isText) {
    const last = children.filter(({ name }) => !rangeMarks.test(name)).at(-1)
    if (last?.name !== 'w:p' && last?.name !== 'w:sdt') faults.push(`${element.name} does not end with a paragraph`)
  }
  if (element.name === 'w:tbl' && !children.some(({ name }) => /^w:(?:tr|sdt|customXml|ins|del)$/.test(name))) {
    faults.push('a table has no rows')
  }
  if (element.name === 'w:tr' && !children.some(({ name }) => /^w:(?:tc|sdt|customXml)$/.test(name))) {
    faults.push('a row has no cells')
  }
  if (element.name === 'w:r' && parent?.name === 'w:r') faults.push('a run is in a run')
  if (element.name === 'w:p' && parent !== undefined && /^w:(?:p|r)$/.test(parent.name)) {
    faults.push(`a paragraph is in ${parent.name}`)
  }
  if (element.name === 'w:hyperlink' && parent?.name === 'w:hyperlink') faults.push('a link is in a link')
  // Twins of the same text box have the same ids by design.
  if (element.name !== 'mc:Fallback') {
    checkUnique(element, ids, faults)
    for (const child of children) walk(child, faults, ids, element)
  }
}

function checkSequence(element: XmlElement, children: XmlElement[], sequence: string[], faults: string[]): void {
  let at = 0
  for (const child of children) {
    const local = child.name.slice(child.name.indexOf(':') + 1)
    if (!/^(?:w|wp|a):/.test(child.name) || rangeMarks.test(child.name)) continue
    const rank = sequence.indexOf(local, at)
    const any = sequence.indexOf('*', at)
    if (rank >= 0) at = rank
    else if (any < 0 || sequence.includes(local)) faults.push(`${child.name} is too late, or twice, in ${element.name}`)
    else at = any
  }
}

const uniqueIds: Record<string, string> = {
  'wp:docPr': 'id',
  'w:bookmarkStart': 'w:id',
  'w:footnote': 'w:id',
  'w:endnote': 'w:id',
  'w:num': 'w:numId',
  'w:abstractNum': 'w:abstractNumId',
}

function checkUnique(element: XmlElement, ids: Map<string, Set<string>>, faults: string[]): void {
  const attribute = uniqueIds[element.name]
  const id = attribute === undefined ? undefined : element.attributes[attribute]
  if (id === undefined) return
  const seen = ids.get(element.name) ?? new Set()
  if (seen.has(id)) faults.push(`two ${element.name} have the id ${id}`)
  ids.set(element.name, seen.add(id))
}
