import { fail, type Outcome, succeed } from '../../../core/finding.ts'
import { relationshipType } from '../../ooxml/namespaces.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, childNamed, textOf, type XmlElement } from '../../ooxml/xml.ts'
import { contentKey, type RenderCache } from '../cache.ts'
import { compatibilityOf } from '../model/compatibility.ts'
import type { Block, DocumentModel, Settings } from '../model/document.ts'
import { isMetafile } from '../model/metafile.ts'
import { present } from '../model/present.ts'
import type { ParagraphProps } from '../model/properties.ts'
import type { Report } from '../report.ts'
import { readEmbeddedFonts } from './fonts.ts'
import { readNumbering } from './numbering.ts'
import { bulletParts } from './picture-bullet.ts'
import { defaultSection, readNoteNumbering } from './section.ts'
import { noteId, StoryReader } from './story.ts'
import { readStyles } from './styles.ts'
import { readTheme, type Theme, type ThemeLanguages, themeColor } from './theme.ts'
import { childValue, integer, toggle, twips } from './values.ts'

/** Elements that mean the same wherever they are, so that equal ones may share their children. */
const properties: ReadonlySet<string> = new Set(['w:pPr', 'w:rPr', 'w:tcPr', 'w:trPr', 'w:tblPr', 'w:tblGrid'])

/**
 * Reads the package into the typed model: body, headers, notes, styles, numbering, settings and pictures. A damaged
 * side part (styles, theme …) is reported and read as empty; only a damaged main part fails.
 */
export function readDocument(container: OoxmlPackage, cache: RenderCache, report: Report): Outcome<DocumentModel> {
  const settings = partOfType(container, 'settings')
  const settingsRoot = settings === undefined ? undefined : readPart(container, settings, report)?.root
  const { theme, styles, numbering } = readLooks(container, cache, report, themeLanguages(settingsRoot))
  let reader: StoryReader | undefined
  const content: Block[] = []
  const visit = (child: XmlElement, source: string) => {
    reader ??= new StoryReader({ container, part: container.mainPart, source, theme, report, styles })
    reader.addBlock(child, content)
  }
  const main = container.visitBody(container.mainPart, visit, properties)
  container.release(container.mainPart)
  if (!main.ok) return main
  if (!childNamed(main.value.root, 'w:body')) {
    return fail({
      code: 'render.no_body',
      severity: 'error',
      message: 'The main document part has no body.',
      hint: 'Open the document in Word and save it again.',
      path: container.mainPart,
    })
  }
  const blocks = reader?.endBlocks(content) ?? []
  const footnotes = readNotes(container, 'footnotes', 'w:footnote', theme, report)
  const endnotes = readNotes(container, 'endnotes', 'w:endnote', theme, report)
  const model: DocumentModel = {
    body: blocks,
    lastSection: reader?.lastSection ?? defaultSection(),
    styles,
    numbering,
    settings: readSettings(settingsRoot),
    stories: new Map(),
    footnotes: footnotes.notes,
    footnoteSeparator: footnotes.separator,
    endnotes: endnotes.notes,
    endnoteSeparator: endnotes.separator,
    media: new Map(),
    bulletParts: bulletParts(container, partOfType(container, 'numbering')),
    fonts: readEmbeddedFonts(container, partOfType(container, 'fontTable')),
    ...readCoreProperties(container),
    language: styles.docRun.language ?? languageOf(settingsRoot),
  }
  for (const relation of container.relationships(container.mainPart)) {
    if (relation.type !== relationshipType('header') && relation.type !== relationshipType('footer')) continue
    const document = relation.external ? undefined : readPart(container, relation.target, report)
    if (!document) continue
    const story = new StoryReader({ container, part: relation.target, source: document.source, theme, report, styles })
    model.stories.set(relation.target, story.readBlocks(document.root))
  }
  const background = readBackground(main.value.root, settingsRoot, theme, container.mainPart, report)
  if (background !== undefined) model.background = background
  readDrawings(container, model)
  if (settingsRoot && toggle(settingsRoot, 'w:gutterAtTop')) moveGutters(model)
  // The styles stay linked to a template, which is not part of the file; of that, only Word's defaults are known.
  if (settingsRoot && toggle(settingsRoot, 'w:linkStyles'))
    model.styles = { ...styles, docParagraph: { ...templateDefaults, ...styles.docParagraph } }
  return succeed(model)
}

/** The colour behind every page (17.2.1), if the document shows it. Word prints it only on request. */
function readBackground(
  root: XmlElement,
  settings: XmlElement | undefined,
  theme: Theme,
  part: string,
  report: Report,
): string | undefined {
  const element = childNamed(root, 'w:background')
  if (!element || !settings || toggle(settings, 'w:displayBackgroundShape') !== true) return undefined
  const fill = childNamed(element, 'v:background')
  if (fill && childNamed(fill, 'v:fill')?.attributes['r:id'] !== undefined)
    report.unsupported(part, 'v:background', 'the page has its colour, and no picture')
  const { attributes } = element
  const color =
    themeColor(theme, attributes['w:themeColor'], attributes['w:themeTint'], attributes['w:themeShade']) ??
    attributes['w:color']
  return color !== undefined && /^[0-9a-f]{6}$/i.test(color) ? color.toUpperCase() : undefined
}

const templateDefaults: ParagraphProps = { after: 10, line: 1.15, lineRule: 'auto' }

/** Pictures that are drawings: the only ones that layout has to look into. */
function readDrawings(container: OoxmlPackage, model: DocumentModel): void {
  for (const part of container.parts) {
    const isSvg = /^word\/.*\.svg$/i.test(part)
    if (!isSvg && !/^word\/.*\.(emf|wmf)$/i.test(part)) continue
    const bytes = readMedia(container, part)
    if (bytes && (isSvg || isMetafile(bytes))) model.media.set(part, bytes)
  }
}

/** Paper bound at its upper edge: the gutter belongs to the top margin then (17.15.1.49). */
function moveGutters(model: DocumentModel): void {
  const sections = new Set([model.lastSection])
  for (const block of model.body) if (block.kind === 'paragraph' && block.section) sections.add(block.section)
  for (const { margins } of sections) {
    margins.top += margins.top < 0 ? -margins.gutter : margins.gutter
    margins.header += margins.gutter
    margins.gutter = 0
  }
}

/** Theme, styles and numbering: the same for every document that comes from one template, and never written to. */
function readLooks(container: OoxmlPackage, cache: RenderCache, report: Report, languages: ThemeLanguages) {
  const parts = ['theme', 'styles', 'numbering'].map((word) => partOfType(container, word))
  const contents = parts.map((part) => (part === undefined ? undefined : readMedia(container, part)))
  const [themePart, stylesPart, numberingPart] = parts
  const before = report.findings.length
  const looks = cache.once(`${contentKey('looks', ...contents)} ${languages.eastAsia} ${languages.complex}`, () => {
    const root = (part: string | undefined) =>
      part === undefined ? undefined : readPart(container, part, report)?.root
    const theme = readTheme(root(themePart), languages)
    const styles = readStyles(root(stylesPart), theme)
    const numberingOfStyle = (id: string) => styles.byId.get(id)?.paragraph.numberingId
    const numbering = readNumbering(root(numberingPart), theme, numberingOfStyle)
    for (const part of parts) if (part !== undefined) container.release(part)
    // Faults have to be reported each time, and are too rare to be worth keeping.
    const bytes = report.findings.length > before ? Number.POSITIVE_INFINITY : LOOKS_GROWTH * sizeOf(contents)
    return { value: { theme, styles, numbering }, bytes }
  })
  return looks
}

function themeLanguages(settings: XmlElement | undefined): ThemeLanguages {
  const attributes = (settings && childNamed(settings, 'w:themeFontLang'))?.attributes ?? {}
  return present<ThemeLanguages>({ eastAsia: attributes['w:eastAsia'], complex: attributes['w:bidi'] })
}

/** The language that the document was started in, kept beside those of its theme's fonts (17.15.1.88). */
function languageOf(settings: XmlElement | undefined): string {
  return (settings && childNamed(settings, 'w:themeFontLang'))?.attributes['w:val'] ?? ''
}

/** A parsed style sheet takes some four times the memory of its XML. */
const LOOKS_GROWTH = 4

function sizeOf(contents: readonly (Uint8Array | undefined)[]): number {
  return contents.reduce((sum, content) => sum + (content?.length ?? 0), 0)
}

/** The bytes of a picture part, read when a frame first needs them. */
export function readMedia(container: OoxmlPackage, part: string): Uint8Array | undefined {
  const bytes = container.readBytes(part)
  return bytes.ok ? bytes.value : undefined
}

function partOfType(container: OoxmlPackage, word: string): string | undefined {
  const relation = container
    .relationships(container.mainPart)
    .find((candidate) => candidate.type === relationshipType(word))
  return relation && !relation.external ? relation.target : undefined
}

function readPart(container: OoxmlPackage, part: string, report: Report) {
  const document = container.readXmlDocument(part)
  if (document.ok) return document.value
  const reason = document.findings[0]?.message ?? 'The part cannot be read.'
  report.add(
    'render.part_unreadable',
    `${reason} The document is rendered without it.`,
    part,
    'Open the document in Word and save it again.',
  )
  return undefined
}

function readNotes(
  container: OoxmlPackage,
  word: string,
  name: string,
  theme: Theme,
  report: Report,
): { notes: Map<string, Block[]>; separator: Block[] | undefined } {
  const notes = new Map<string, Block[]>()
  let separator: Block[] | undefined
  const part = partOfType(container, word)
  const document = part === undefined ? undefined : readPart(container, part, report)
  if (part === undefined || !document) return { notes, separator }
  for (const element of childElements(document.root, name)) {
    const id = noteId(element)
    const isSeparator = element.attributes['w:type'] === 'separator'
    if (id === undefined && !isSeparator) continue
    const blocks = new StoryReader({ container, part, source: document.source, theme, report }).readBlocks(element)
    if (id === undefined) separator = blocks
    else notes.set(id, blocks)
  }
  return { notes, separator }
}

function readSettings(root: XmlElement | undefined): Settings {
  const compat = root && childNamed(root, 'w:compat')
  const compatSetting = (name: string) =>
    compat &&
    childElements(compat, 'w:compatSetting').find((setting) => setting.attributes['w:name'] === name)?.attributes[
      'w:val'
    ]
  const version = integer(compatSetting('compatibilityMode')) ?? 0
  const compatibility = compatibilityOf(version)
  const footnotes = root && childNamed(root, 'w:footnotePr')
  const endnotes = root && childNamed(root, 'w:endnotePr')
  return {
    evenAndOddHeaders: (root && toggle(root, 'w:evenAndOddHeaders')) ?? false,
    defaultTab: Math.max(1, twips(childValue(root, 'w:defaultTabStop')) ?? 36),
    compatibility,
    namesVersion: version > 0,
    tableStyleSize: compatSetting('overrideTableStyleFontSizeAndJustification') !== '1',
    addSpacing: (compat && toggle(compat, 'w:doNotUseHTMLParagraphAutoSpacing')) ?? false,
    gridInTables:
      compatibility.snapsLinesInTables || ((compat && toggle(compat, 'w:adjustLineHeightInTable')) ?? false),
    doNotExpandShiftReturn: (compat && toggle(compat, 'w:doNotExpandShiftReturn')) ?? false,
    compressesPunctuation: /^compress/.test(childValue(root, 'w:characterSpacingControl') ?? ''),
    mirrorMargins: (root && toggle(root, 'w:mirrorMargins')) ?? false,
    footnotes: {
      ...{ format: 'decimal', start: 1, restart: 'continuous' },
      ...readNoteNumbering(footnotes),
      beneathText: childValue(footnotes, 'w:pos') === 'beneathText',
    },
    endnotes: {
      ...{ format: 'lowerRoman', start: 1, restart: 'continuous' },
      ...readNoteNumbering(endnotes),
      atSectionEnd: childValue(endnotes, 'w:pos') === 'sectEnd',
    },
    ...(root && toggle(root, 'w:autoHyphenation') ? { hyphens: readHyphens(root) } : {}),
  }
}

/** A quarter of an inch is the zone where the document names none (17.15.1.53). */
function readHyphens(root: XmlElement): NonNullable<Settings['hyphens']> {
  return {
    zone: Math.max(0, twips(childValue(root, 'w:hyphenationZone')) ?? 18),
    limit: Math.max(0, integer(childValue(root, 'w:consecutiveHyphenLimit')) ?? 0),
    keepCapitals: toggle(root, 'w:doNotHyphenateCaps') ?? false,
  }
}

function readCoreProperties(container: OoxmlPackage): { title: string; author: string; subject: string } {
  const relation = container
    .relationships('')
    .find((candidate) => candidate.type.endsWith('/metadata/core-properties') && !candidate.external)
  const root = relation && container.readXml(relation.target)
  const text = (name: string) => {
    const element = root?.ok ? childNamed(root.value, name) : undefined
    return element ? textOf(element).trim().slice(0, 1_000) : ''
  }
  return { title: text('dc:title'), author: text('dc:creator'), subject: text('dc:subject') }
}
