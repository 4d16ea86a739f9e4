import { limits } from '../../../core/limits.ts'
import { levelOfStyle } from '../../ooxml/numbering.ts'
import type { Font, FontLibrary, FontMatch } from '../font/library.ts'
import { measuredStyles } from '../font/measured.ts'
import { isFullWidth, isSymbolFamily } from '../font/symbols.ts'
import type { TextLook } from '../frame/frame.ts'
import type { Numbering, NumberingLevel, Paragraph, Settings, StyleDefinition, Styles } from '../model/document.ts'
import type {
  Border,
  Borders,
  EmphasisMark,
  FontNames,
  Indents,
  ParagraphProps,
  RunProps,
  TableProps,
  TabStop,
  Underline,
} from '../model/properties.ts'
import type { Report } from '../report.ts'
import { emWide, wordsFallback } from '../text/em-wide.ts'
import { LATIN_SAMPLE, type Slot, sampleOfLanguage } from '../text/script.ts'
import { lineMetrics, positionOf, raised } from './line-metrics.ts'
import type { CellInheritance, TableFormat } from './table-format.ts'

/** Marks of emphasis make a line higher by this share of its text, as in LibreOffice. */
const EMPHASIS_SHARE = 0.25

/** The look of text with all inheritance resolved. Objects are shared: equal looks are the same object. */
export interface TextStyle {
  look: TextLook
  /** The family the document asked for; `symbolic` when its codes are not Unicode characters. */
  family: string
  symbolic: boolean
  /**
   * Runs that read from right to left, runs wholly in the complex-script font, the East Asian hint, and a font of its
   * own for characters beyond ASCII: if any is set, `Cascade.slot` matters.
   */
  rtl: boolean
  complex: boolean
  eastAsiaHint: boolean
  splitLatin: boolean
  /** How the font was found; see `FontMatch`. */
  by: FontMatch['by']
  /** Line metrics in points: ascent includes the gap, so the first baseline is at `ascent`. */
  ascent: number
  descent: number
  rise: number
  /** The part of the rise that makes a line higher: raised text does, superscripts do not. */
  position: number
  spacing: number
  kern: boolean
  caps: boolean
  smallCaps: boolean
  hidden: boolean
  bold: boolean
  italic: boolean
  underline: Underline
  underlineColor: string
  strike: 'none' | 'single' | 'double'
  emphasis: EmphasisMark
  /** Height in points of the room for emphasis marks, included in the ascent or the descent. */
  emphasisRoom: number
  /** Background behind the glyphs, from highlight or run shading. */
  background: string | undefined
  /** The box around runs that have equal borders. */
  border: Border | undefined
}

export interface ParagraphStyle {
  styleId: string | undefined
  align: 'left' | 'right' | 'center' | 'justify'
  lastLineToo: boolean
  left: number
  right: number
  firstLine: number
  before: number
  after: number
  beforeAuto: boolean
  afterAuto: boolean
  line: number
  lineRule: 'auto' | 'exact' | 'atLeast'
  contextual: boolean
  keepNext: boolean
  keepLines: boolean
  pageBreakBefore: boolean
  widowControl: boolean
  snapToGrid: boolean
  /** Everything is measured from the right: `left` and `align: 'left'` mean the right. */
  bidi: boolean
  kinsoku: boolean
  overflowPunctuation: boolean
  autoSpaceLatin: boolean
  autoSpaceDigits: boolean
  suppressHyphens: boolean
  suppressLineNumbers: boolean
  tabs: TabStop[]
  numberingId: string | undefined
  numberingLevel: number
  borders: Borders | undefined
  shading: string | undefined
  outline: number
}

export interface RunBase {
  inherited: RunProps
  /** Toggles that table style and paragraph style both turn on, so that they cancel each other (17.7.3). */
  toggles: ReadonlySet<ToggleName>
  texts: Map<RunProps, Map<string, TextStyle>>
}

const toggleNames = ['bold', 'italic', 'complexBold', 'complexItalic', 'caps', 'smallCaps', 'strike', 'hidden'] as const

type ToggleName = (typeof toggleNames)[number]

const noInheritance: CellInheritance = { paragraph: {}, run: {}, background: undefined, ofStyle: false }

/**
 * Resolves the stated properties into those that are drawn: document defaults → table style → paragraph style →
 * numbering → character style → direct formatting (17.7.2). Everything but direct formatting is resolved once and kept.
 */
export class Cascade {
  private readonly chains = new Map<string, StyleDefinition[]>()
  private readonly paragraphBases = new Map<CellInheritance, Map<string, ParagraphProps>>()
  private readonly runBases = new Map<CellInheritance, Map<string, RunBase>>()
  private readonly drawn = new WeakSet<TextStyle>()
  private readonly derived = new Map<TextStyle, Map<string, TextStyle>>()

  constructor(
    readonly styles: Styles,
    readonly numbering: Numbering,
    private readonly fonts: FontLibrary,
    private readonly report: Report,
    private readonly settings: Pick<Settings, 'tableStyleSize' | 'compressesPunctuation'>,
  ) {}

  /** The formats of tables, by their properties: most tables of a document share them. */
  readonly tables = new Map<TableProps, TableFormat>()
  private readonly inheritances = new Map<string, CellInheritance>()

  /** One object for all cells under the same conditions of one table style, whatever table they are in. */
  shared(key: string, inheritance: CellInheritance): CellInheritance {
    const known = this.inheritances.get(key)
    if (!known) this.inheritances.set(key, inheritance)
    return known ?? inheritance
  }

  /** A style and its ancestors, the oldest first. */
  chain(id: string | undefined): StyleDefinition[] {
    if (id === undefined) return []
    let chain = this.chains.get(id)
    if (chain) return chain
    chain = []
    const seen = new Set<string>()
    let current = this.styles.byId.get(id)
    while (current && chain.length < limits.renderStyleDepth) {
      if (seen.has(current.id)) {
        this.report.add(
          'render.style_cycle',
          `Style ${current.id} is based on itself.`,
          `styles#${current.id}`,
          'Base it on another style.',
        )
        break
      }
      seen.add(current.id)
      chain.unshift(current)
      current = current.basedOn === undefined ? undefined : this.styles.byId.get(current.basedOn)
    }
    this.chains.set(id, chain)
    return chain
  }

  /** The language of text that names none, as a BCP 47 tag. */
  get language(): string {
    return this.styles.docRun.language ?? 'en'
  }

  private styleOf(paragraph: Paragraph): string | undefined {
    const own = paragraph.props.style
    return own !== undefined && this.styles.byId.get(own)?.type === 'paragraph' ? own : this.styles.defaultParagraph
  }

  /** The reader shares equal property objects, so most paragraphs of a document are found here. */
  private readonly paragraphs = new Map<CellInheritance, Map<ParagraphProps, ParagraphStyle>>()

  paragraph(paragraph: Paragraph, cell: CellInheritance = noInheritance): ParagraphStyle {
    let known = this.paragraphs.get(cell)
    if (!known) {
      known = new Map()
      this.paragraphs.set(cell, known)
    }
    let style = known.get(paragraph.props)
    if (!style) {
      style = this.resolveParagraph(paragraph, cell)
      known.set(paragraph.props, style)
    }
    return style
  }

  private resolveParagraph(paragraph: Paragraph, cell: CellInheritance): ParagraphStyle {
    const styleId = this.styleOf(paragraph)
    const merged: ParagraphProps = { ...this.paragraphBase(styleId, cell) }
    this.mergeParagraph(merged, paragraph.props, undefined)
    // Word takes this default from the styles: with styles but no default one, unstyled paragraphs have no space
    // between scripts.
    const isSpaced = styleId !== undefined || this.styles.byId.size === 0
    return {
      styleId,
      align: merged.align ?? 'left',
      lastLineToo: merged.lastLineToo ?? false,
      left: merged.indentLeft ?? 0,
      right: merged.indentRight ?? 0,
      firstLine: merged.firstLine ?? 0,
      before: Math.max(0, merged.before ?? 0),
      after: Math.max(0, merged.after ?? 0),
      beforeAuto: merged.beforeAuto ?? false,
      afterAuto: merged.afterAuto ?? false,
      line: merged.line ?? 1,
      lineRule: merged.line === undefined ? 'auto' : (merged.lineRule ?? 'auto'),
      contextual: merged.contextual ?? false,
      keepNext: merged.keepNext ?? false,
      keepLines: merged.keepLines ?? false,
      pageBreakBefore: merged.pageBreakBefore ?? false,
      widowControl: merged.widowControl ?? true,
      snapToGrid: merged.snapToGrid ?? true,
      bidi: merged.bidi ?? false,
      kinsoku: merged.kinsoku ?? true,
      overflowPunctuation: (merged.overflowPunctuation ?? true) && this.settings.compressesPunctuation,
      autoSpaceLatin: merged.autoSpaceLatin ?? isSpaced,
      autoSpaceDigits: merged.autoSpaceDigits ?? isSpaced,
      suppressHyphens: merged.suppressHyphens ?? false,
      suppressLineNumbers: merged.suppressLineNumbers ?? false,
      tabs: merged.tabs ?? [],
      numberingId: merged.numberingId === '0' ? undefined : merged.numberingId,
      numberingLevel: Math.max(0, Math.min(8, merged.numberingLevel ?? 0)),
      borders: merged.borders,
      shading: merged.shading === 'auto' ? undefined : merged.shading,
      outline: merged.outline ?? this.headingLevel(styleId),
    }
  }

  /** Word's own heading styles are headings by their names, even if a generator leaves the outline level out. */
  private headingLevel(styleId: string | undefined): number {
    for (const style of this.chain(styleId).toReversed()) {
      const level = /^heading ([1-9])$/i.exec(style.name)?.[1]
      if (level !== undefined) return Number(level) - 1
    }
    return 9
  }

  private paragraphBase(styleId: string | undefined, cell: CellInheritance): ParagraphProps {
    let bases = this.paragraphBases.get(cell)
    if (!bases) {
      bases = new Map()
      this.paragraphBases.set(cell, bases)
    }
    const key = styleId ?? ''
    let base = bases.get(key)
    if (!base) {
      base = {}
      this.mergeParagraph(base, this.styles.docParagraph, undefined)
      this.mergeParagraph(base, cell.paragraph, undefined)
      for (const style of this.chain(styleId)) this.mergeParagraph(base, style.paragraph, style.id)
      bases.set(key, base)
    }
    return base
  }

  /**
   * Lays one layer over another. A layer that names a numbering also brings that level's indents, below its own; one
   * that removes the numbering (`w:numId` 0) removes these indents, too.
   */
  private mergeParagraph(base: ParagraphProps, layer: ParagraphProps, styleId: string | undefined): void {
    if (layer.numberingId !== undefined || layer.numberingLevel !== undefined) {
      const id = layer.numberingId ?? base.numberingId
      const level = this.levelIndex(
        id,
        layer.numberingLevel ?? (styleId === undefined ? base.numberingLevel : undefined),
        styleId,
      )
      const definition = this.level(id, level)
      if (definition) {
        const unnumbered = base.unnumbered ?? statedIndents(base)
        this.mergeParagraph(base, definition.paragraph, undefined)
        base.unnumbered = unnumbered
      } else if (layer.numberingId === '0' && base.unnumbered) {
        delete base.indentLeft
        delete base.indentRight
        delete base.firstLine
        Object.assign(base, base.unnumbered)
      }
      base.numberingLevel = level
    }
    const tabs = layer.tabs ? mergeTabs(base.tabs ?? [], layer.tabs) : base.tabs
    const borders = layer.borders ? { ...base.borders, ...layer.borders } : base.borders
    const level = base.numberingLevel
    if (layer.align !== undefined) delete base.lastLineToo
    // A space that a layer states takes the place of automatic spacing below it.
    if (layer.before !== undefined && layer.beforeAuto === undefined) delete base.beforeAuto
    if (layer.after !== undefined && layer.afterAuto === undefined) delete base.afterAuto
    Object.assign(base, layer)
    if (base.unnumbered) base.unnumbered = { ...base.unnumbered, ...statedIndents(layer) }
    if (tabs) base.tabs = tabs
    if (borders) base.borders = borders
    if (level !== undefined && layer.numberingId !== undefined) base.numberingLevel = level
  }

  private levelIndex(id: string | undefined, stated: number | undefined, styleId: string | undefined): number {
    if (stated !== undefined) return Math.max(0, Math.min(8, stated))
    if (styleId === undefined) return 0
    return levelOfStyle(id === undefined ? undefined : this.numbering.instances.get(id), styleId)
  }

  level(id: string | undefined, index: number): NumberingLevel | undefined {
    return id === undefined ? undefined : this.numbering.instances.get(id)?.levels[index]
  }

  /** The base of the paragraph's runs; pass it to `text`. */
  runBase(paragraph: Paragraph, cell: CellInheritance = noInheritance): RunBase {
    let bases = this.runBases.get(cell)
    if (!bases) {
      bases = new Map()
      this.runBases.set(cell, bases)
    }
    const styleId = this.styleOf(paragraph)
    const key = styleId ?? ''
    let base = bases.get(key)
    if (!base) {
      const inherited: RunProps = {}
      mergeRun(inherited, this.styles.docRun)
      mergeRun(inherited, cell.run)
      const own: RunProps = {}
      for (const style of this.chain(styleId)) mergeRun(own, style.run)
      if (
        this.settings.tableStyleSize &&
        cell.ofStyle &&
        styleId === this.styles.defaultParagraph &&
        isUsualSize(own.size)
      )
        delete own.size
      mergeRun(inherited, own)
      const differs = (name: ToggleName) => (cell.run[name] ?? false) !== (own[name] ?? false)
      const toggles: ReadonlySet<ToggleName> = new Set(toggleNames.filter(differs))
      base = { inherited, toggles, texts: new Map() }
      bases.set(key, base)
    }
    return base
  }

  /** The look of a run; `background` is the colour behind it, which decides what `auto` means. */
  text(base: RunBase, run: RunProps, background: string | undefined): TextStyle {
    let byBackground = base.texts.get(run)
    if (!byBackground) {
      byBackground = new Map()
      base.texts.set(run, byBackground)
    }
    const key = background ?? ''
    let style = byBackground.get(key)
    if (!style) {
      style = this.resolveText(base, run, background)
      byBackground.set(key, style)
    }
    return style
  }

  private resolveText(base: RunBase, run: RunProps, background: string | undefined): TextStyle {
    const merged: RunProps = { ...base.inherited }
    const character: RunProps = {}
    const id = run.style ?? this.styles.defaultCharacter
    for (const style of this.chain(id)) mergeRun(character, style.run)
    mergeRun(merged, character)
    mergeRun(merged, run)
    for (const name of toggleNames) {
      const inherited = this.styles.docRun[name] === true || base.toggles.has(name) !== (character[name] ?? false)
      merged[name] = run[name] ?? inherited
    }
    return this.textStyle(merged, background)
  }

  private readonly origins = new WeakMap<TextStyle, { props: RunProps; background: string | undefined }>()

  /** The same run in the font, size and weight for another kind of character; `sample` is a character that the font should have. */
  slot(style: TextStyle, slot: Slot, sample: number): TextStyle {
    const origin = this.origins.get(style)
    if (slot === 'ascii' || !origin) return style
    let slots = this.derived.get(style)
    if (!slots) {
      slots = new Map()
      this.derived.set(style, slots)
    }
    // Digits and blanks of right-to-left text are drawn as the letters around them, in a font of their script.
    const isNeutral = slot === 'complex' && sample === LATIN_SAMPLE
    const wanted = isNeutral ? (sampleOfLanguage(origin.props.languageComplex ?? '') ?? sample) : sample
    const key = `${slot} ${wanted}`
    let derived = slots.get(slot) ?? slots.get(key)
    if (!derived) {
      derived = this.textStyle(origin.props, origin.background, slot, wanted)
      // A font found by its own name or by its twin's is used for all scripts.
      slots.set(slot === 'highAnsi' || derived.by === 'family' || derived.by === 'twin' ? slot : key, derived)
    }
    return derived
  }

  private textStyle(props: RunProps, background: string | undefined, slot: Slot = 'ascii', sample?: number): TextStyle {
    const latin = props.fonts?.ascii ?? props.fonts?.highAnsi ?? 'Times New Roman'
    const isComplex = slot === 'complex'
    const family = familyOf(props.fonts ?? {}, slot) ?? (sample === undefined ? latin : 'Times New Roman')
    const bold = (isComplex ? props.complexBold : props.bold) ?? false
    const italic = (isComplex ? props.complexItalic : props.italic) ?? false
    const fullSize = (isComplex ? props.complexSize : props.size) ?? 10
    const shading = props.highlight !== undefined && props.highlight !== 'none' ? props.highlight : props.shading
    const own = shading === undefined || shading === 'auto' ? undefined : shading
    const color = props.color === undefined || props.color === 'auto' ? readableOn(own ?? background) : props.color
    const match = this.fonts.match(family, { bold, italic }, sample)
    if (!match) throw new NoFonts()
    const font = match.by === 'lookalike' && sample !== undefined ? emWide(match.font, sample, family) : match.font
    const kernFrom = props.kernFrom ?? 0
    const line = slot === 'eastAsia' ? lineFont(font, family, sample ?? 0, props.languageEastAsia ?? '') : font
    const metrics = lineMetrics(line, fullSize)
    const emphasis = props.emphasis ?? 'none'
    const emphasisRoom = emphasis === 'none' ? 0 : (metrics.ascent + metrics.descent) * EMPHASIS_SHARE
    const { size, shift } = raised(font, fullSize, metrics, props.vertical)
    const position = positionOf(props.position ?? 0, fullSize, metrics)
    const highAnsi = props.fonts?.highAnsi
    const language =
      (isComplex ? props.languageComplex : slot === 'eastAsia' ? props.languageEastAsia : props.language) ?? ''
    const style: TextStyle = {
      look: { font, size, color, scale: font.scale * (props.scale ?? 1), language },
      family,
      symbolic: isSymbolFamily(family),
      rtl: props.rtl ?? false,
      complex: (props.rtl ?? false) || (props.complex ?? false),
      eastAsiaHint: props.fonts?.eastAsiaHint ?? false,
      splitLatin: highAnsi !== undefined && highAnsi !== latin,
      by: match.by,
      // Raised and lowered text is smaller but leaves the line as high as the text around it.
      ascent: metrics.ascent + (emphasis === 'underDot' ? 0 : emphasisRoom),
      descent: metrics.descent + (emphasis === 'underDot' ? emphasisRoom : 0),
      rise: shift + position,
      position,
      spacing: props.spacing ?? 0,
      // ECMA-376 part 1, 17.3.2.19: from the size stated on.
      kern: kernFrom > 0 && fullSize >= kernFrom,
      caps: props.caps ?? false,
      smallCaps: (props.smallCaps ?? false) && !(props.caps ?? false),
      hidden: props.hidden ?? false,
      bold,
      italic,
      underline: props.underline ?? 'none',
      underlineColor:
        props.underlineColor === undefined || props.underlineColor === 'auto' ? color : props.underlineColor,
      strike: props.doubleStrike ? 'double' : props.strike ? 'single' : 'none',
      emphasis,
      emphasisRoom,
      background: own,
      border: props.border && props.border.width > 0 && props.border.style !== 'none' ? props.border : undefined,
    }
    this.origins.set(style, { props, background })
    return style
  }

  /** Reports the font of a style that draws text, when it replaces another. */
  noteDrawn(style: TextStyle): void {
    if (this.drawn.has(style)) return
    this.drawn.add(style)
    const { family, by } = style
    this.report.drawnWith({ family, drawnWith: style.look.font.face.family, use: by })
    const trouble = this.fonts.trouble(family, style)
    if (trouble) {
      this.report.add(
        trouble === 'unreadable' ? 'render.font_unreadable' : 'render.font_restricted',
        trouble === 'unreadable'
          ? `A font file of ${family} is no usable font.`
          : `The licence of a font file of ${family} forbids to embed it (OS/2 fsType).`,
        `font#${family}`,
        trouble === 'unreadable'
          ? 'Replace the file.'
          : 'Get a licence for embedding, or set the text in another font.',
      )
    }
    if (by === 'family') return
    if (!style.symbolic) {
      const name = style.look.font.face.family
      const [code, how] = replacements[by]
      this.report.add(
        code,
        `Font ${family} is drawn with ${name}, ${how}.`,
        `font#${family}`,
        `To draw it as it is, embed ${family} in the document, or add its file to the folders of QUIRE_FONTS.`,
      )
    }
  }

  /** The same style in another face or size: a fallback font, small capitals. */
  variant(style: TextStyle, font: Font | undefined, sizeFactor: number): TextStyle {
    const face = font ?? style.look.font
    if (font !== undefined && font.face.family !== style.look.font.face.family) {
      this.report.drawnWith({ family: font.face.family, drawnWith: font.face.family, use: 'borrowed' })
    }
    const key = `${face.id} ${face.scale} ${sizeFactor}`
    let variants = this.derived.get(style)
    if (!variants) {
      variants = new Map()
      this.derived.set(style, variants)
    }
    let variant = variants.get(key)
    if (!variant) {
      const size = style.look.size * sizeFactor
      const scale = (style.look.scale / style.look.font.scale) * face.scale
      const isForeign = font?.isSupplement === true && !style.symbolic && !isFullWidth(style.family)
      const ascent = isForeign ? Math.max(style.ascent, size * SYMBOL_ASCENT) : style.ascent
      variant = { ...style, ascent, look: { ...style.look, font: face, size, scale } }
      variants.set(key, variant)
    }
    return variant
  }

  fallbackFont(codePoint: number, style: TextStyle): Font | undefined {
    const font = this.fonts.fallback(codePoint, style)
    return font && emWide(font, codePoint, style.family)
  }
}

/** The font that decides the line's height: Word's own fallback, if the font that the document names lacks the script. */
function lineFont(
  font: Font,
  family: string,
  sample: number,
  language: string,
): Pick<Font, 'ascent' | 'descent' | 'gap'> {
  const fallback = wordsFallback(family, sample, language)
  const measured = fallback === undefined ? undefined : measuredStyles(fallback)[0]?.metrics
  return measured ? { ascent: measured[0], descent: measured[1], gap: measured[2] } : font
}

function familyOf(fonts: FontNames, slot: Slot): string | undefined {
  if (slot === 'ascii') return fonts.ascii ?? fonts.highAnsi
  if (slot === 'highAnsi') return fonts.highAnsi ?? fonts.ascii
  return slot === 'eastAsia' ? fonts.eastAsia : fonts.complex
}

function statedIndents({ indentLeft, indentRight, firstLine }: ParagraphProps): Indents {
  return {
    ...(indentLeft !== undefined && { indentLeft }),
    ...(indentRight !== undefined && { indentRight }),
    ...(firstLine !== undefined && { firstLine }),
  }
}

/** What the report says of a font that replaces another. */
const replacements = {
  twin: ['render.font_twin', 'its metric twin, so lines break in the same places'],
  measured: [
    'render.font_measured',
    'set at its own widths as measured in files made by Word, so lines break in the same places as far as its characters were measured',
  ],
  lookalike: [
    'render.font_substituted',
    'the nearest available; its widths are guessed, and lines may break elsewhere',
  ],
} as const

/**
 * Ascent of a line with a sign that its font lacks: Word takes such signs from Segoe UI Symbol. The descent stays that
 * of the text.
 */
const SYMBOL_ASCENT = 1.0791

/** Raised when the library is empty, and turned into a finding by `renderPdf`: without any font nothing can be drawn. */
export class NoFonts extends Error {}

/** Whether Word treats this size, in points, as unstated in a table. */
function isUsualSize(size: number | undefined): boolean {
  return size === 11 || size === 12
}

export function mergeRun(base: RunProps, layer: RunProps): void {
  const fonts = layer.fonts ? { ...base.fonts, ...layer.fonts } : base.fonts
  Object.assign(base, layer)
  if (fonts) base.fonts = fonts
}

function mergeTabs(base: readonly TabStop[], layer: readonly TabStop[]): TabStop[] {
  const near = (a: TabStop, b: TabStop) => Math.abs(a.position - b.position) < 0.5
  const kept = base.filter((stop) => !layer.some((other) => near(stop, other)))
  return [...kept, ...layer.filter((stop) => stop.kind !== 'clear')].sort((a, b) => a.position - b.position)
}

/** Automatic text colour: black, or white on a background too dark for it, as Word decides by luminance. */
export function readableOn(background: string | undefined): string {
  if (background === undefined || background === 'auto') return '000000'
  const channel = (at: number) => Number.parseInt(background.slice(at, at + 2), 16) || 0
  const [red, green, blue] = [channel(0), channel(2), channel(4)]
  return red * 0.299 + green * 0.587 + blue * 0.114 < 60 ? 'FFFFFF' : '000000'
}
