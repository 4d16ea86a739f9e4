import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { AbsoluteTab } from '../model/document.ts'
import { present } from '../model/present.ts'
import type {
  Border,
  Borders,
  EmphasisMark,
  FontNames,
  ParagraphProps,
  RunProps,
  TabStop,
  Underline,
} from '../model/properties.ts'
import { type Theme, themeColor } from './theme.ts'
import { attribute, childValue, eighths, halfPoints, integer, isOn, toggle, twips } from './values.ts'

const highlights: Record<string, string> = {
  black: '000000',
  blue: '0000FF',
  cyan: '00FFFF',
  green: '00FF00',
  magenta: 'FF00FF',
  red: 'FF0000',
  yellow: 'FFFF00',
  white: 'FFFFFF',
  darkBlue: '000080',
  darkCyan: '008080',
  darkGreen: '008000',
  darkMagenta: '800080',
  darkRed: '800000',
  darkYellow: '808000',
  darkGray: '808080',
  lightGray: 'C0C0C0',
}

/** Run properties (17.3.2) as written; theme fonts and colours are resolved here. */
export function readRunProps(element: XmlElement | undefined, theme: Theme): RunProps {
  if (!element) return {}
  const size = halfPoints(childValue(element, 'w:sz'))
  const complexSize = halfPoints(childValue(element, 'w:szCs'))
  const language = childNamed(element, 'w:lang')?.attributes ?? {}
  const vertical = childValue(element, 'w:vertAlign')
  const scale = integer(childValue(element, 'w:w'))
  const highlight = childValue(element, 'w:highlight')
  const underline = childNamed(element, 'w:u')
  return present<RunProps>({
    style: childValue(element, 'w:rStyle'),
    fonts: readFonts(childNamed(element, 'w:rFonts'), theme),
    bold: toggle(element, 'w:b'),
    italic: toggle(element, 'w:i'),
    complexSize: complexSize === undefined ? undefined : Math.max(1, Math.min(1638, complexSize)),
    complexBold: toggle(element, 'w:bCs'),
    complexItalic: toggle(element, 'w:iCs'),
    rtl: toggle(element, 'w:rtl'),
    complex: toggle(element, 'w:cs'),
    caps: toggle(element, 'w:caps'),
    smallCaps: toggle(element, 'w:smallCaps'),
    strike: toggle(element, 'w:strike'),
    doubleStrike: toggle(element, 'w:dstrike'),
    hidden: toggle(element, 'w:vanish'),
    underline: underline && readUnderline(underline.attributes['w:val']),
    underlineColor: underline && hexColor(underline.attributes['w:color']),
    emphasis: readEmphasis(childValue(element, 'w:em')),
    color: readColor(childNamed(element, 'w:color'), theme),
    // Word's own bounds are 1 to 1638 points.
    size: size === undefined ? undefined : Math.max(1, Math.min(1638, size)),
    highlight: highlight === undefined ? undefined : (highlights[highlight] ?? 'none'),
    shading: readShading(childNamed(element, 'w:shd'), theme),
    position: halfPoints(childValue(element, 'w:position')),
    vertical: vertical === 'superscript' || vertical === 'subscript' || vertical === 'baseline' ? vertical : undefined,
    spacing: twips(childValue(element, 'w:spacing')),
    scale: scale === undefined ? undefined : Math.max(1, Math.min(600, scale)) / 100,
    kernFrom: halfPoints(childValue(element, 'w:kern')),
    language: language['w:val'],
    languageEastAsia: language['w:eastAsia'],
    languageComplex: language['w:bidi'],
    border: readBorder(childNamed(element, 'w:bdr'), theme),
    combine: readCombine(childNamed(element, 'w:eastAsianLayout')),
  })
}

const combineBrackets: Readonly<Record<string, readonly [open: string, close: string]>> = {
  round: ['(', ')'],
  square: ['[', ']'],
  angle: ['<', '>'],
  curly: ['{', '}'],
}

function readCombine(element: XmlElement | undefined): RunProps['combine'] {
  if (!element || !isOn(element.attributes['w:combine'] ?? '0')) return undefined
  const [open, close] = combineBrackets[element.attributes['w:combineBrackets'] ?? ''] ?? ['', '']
  return { id: element.attributes['w:id'] ?? '', open, close }
}

function readFonts(element: XmlElement | undefined, theme: Theme): FontNames | undefined {
  if (!element) return undefined
  const pick = (name: string) => {
    const themed = attribute(element, `w:${name}Theme`) ?? (name === 'cs' ? attribute(element, 'w:cstheme') : undefined)
    return (themed && theme.fonts.get(themed)) || attribute(element, `w:${name}`)
  }
  // The hint for complex scripts adds nothing: the characters already tell.
  const hint = attribute(element, 'w:hint')
  const fonts = present<FontNames>({
    ascii: pick('ascii'),
    highAnsi: pick('hAnsi'),
    eastAsia: pick('eastAsia'),
    complex: pick('cs'),
    eastAsiaHint: hint === undefined || hint === 'cs' ? undefined : hint === 'eastAsia',
  })
  return Object.keys(fonts).length > 0 ? fonts : undefined
}

/** An underline that only states its colour doesn't count: editors write these for text without a line. */
function readUnderline(value: string | undefined): Underline | undefined {
  if (value === undefined) return undefined
  if (value === 'none' || value === 'words') return value
  if (value === 'double' || value === 'wavyDouble') return 'double'
  if (/wav/i.test(value)) return 'wave'
  if (/dotted/i.test(value)) return 'dotted'
  if (/dash|dot/i.test(value)) return 'dash'
  return value === 'thick' ? 'thick' : 'single'
}

function readEmphasis(value: string | undefined): EmphasisMark | undefined {
  return value === undefined ? undefined : (emphasisMarks.find((mark) => mark === value) ?? 'none')
}

const emphasisMarks: readonly EmphasisMark[] = ['none', 'dot', 'comma', 'circle', 'underDot']

function hexColor(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  if (value === 'auto') return 'auto'
  return /^[0-9a-fA-F]{6}$/.test(value) ? value.toUpperCase() : undefined
}

function readColor(element: XmlElement | undefined, theme: Theme): string | undefined {
  if (!element) return undefined
  const { attributes } = element
  return (
    themeColor(theme, attributes['w:themeColor'], attributes['w:themeTint'], attributes['w:themeShade']) ??
    hexColor(attributes['w:val'])
  )
}

/** A shading as one flat colour: patterns are mixed from their two colours by the share they cover. */
export function readShading(element: XmlElement | undefined, theme: Theme): string | undefined {
  if (!element) return undefined
  const { attributes } = element
  const fill =
    themeColor(theme, attributes['w:themeFill'], attributes['w:themeFillTint'], attributes['w:themeFillShade']) ??
    hexColor(attributes['w:fill'])
  const pattern = attributes['w:val'] ?? 'clear'
  if (pattern === 'clear' || pattern === 'nil') return fill ?? 'auto'
  const front = hexColor(attributes['w:color'])
  const share = pattern === 'solid' ? 1 : pattern.startsWith('pct') ? (integer(pattern.slice(3)) ?? 50) / 100 : 0.35
  return mix(
    front === undefined || front === 'auto' ? '000000' : front,
    fill === undefined || fill === 'auto' ? 'FFFFFF' : fill,
    share,
  )
}

function mix(front: string, back: string, share: number): string {
  let result = ''
  for (let at = 0; at < 6; at += 2) {
    const value =
      Number.parseInt(front.slice(at, at + 2), 16) * share + Number.parseInt(back.slice(at, at + 2), 16) * (1 - share)
    result += Math.round(value).toString(16).padStart(2, '0')
  }
  return result.toUpperCase()
}

export function readBorder(element: XmlElement | undefined, theme: Theme): Border | undefined {
  if (!element) return undefined
  const { attributes } = element
  const style = attributes['w:val'] ?? 'single'
  return {
    style: style === 'nil' ? 'none' : style,
    width: style === 'nil' || style === 'none' ? 0 : Math.max(0.25, Math.min(12, eighths(attributes['w:sz']) ?? 0.5)),
    color:
      themeColor(theme, attributes['w:themeColor'], attributes['w:themeTint'], attributes['w:themeShade']) ??
      hexColor(attributes['w:color']) ??
      'auto',
    space: Math.max(0, Math.min(31, integer(attributes['w:space']) ?? 0)),
  }
}

export function readBorders(element: XmlElement | undefined, theme: Theme): Borders | undefined {
  if (!element) return undefined
  const side = (...names: string[]) => {
    for (const name of names) {
      const border = readBorder(childNamed(element, `w:${name}`), theme)
      if (border) return border
    }
    return undefined
  }
  return present<Borders>({
    top: side('top'),
    bottom: side('bottom'),
    left: side('left', 'start'),
    right: side('right', 'end'),
    between: side('between'),
    insideH: side('insideH'),
    insideV: side('insideV'),
  })
}

/** Paragraph properties (17.3.1) as written. */
export function readParagraphProps(element: XmlElement | undefined, theme: Theme): ParagraphProps {
  if (!element) return {}
  const spacing = childNamed(element, 'w:spacing')?.attributes ?? {}
  const indent = childNamed(element, 'w:ind')?.attributes ?? {}
  const numbering = childNamed(element, 'w:numPr')
  const hanging = twips(indent['w:hanging'])
  const firstLine = twips(indent['w:firstLine'])
  const rule = spacing['w:lineRule']
  const lineRule = spacing['w:line'] === undefined ? undefined : rule === 'exact' || rule === 'atLeast' ? rule : 'auto'
  const line = twips(spacing['w:line'])
  const outline = integer(childValue(element, 'w:outlineLvl'))
  const lines = (value: string | undefined) => {
    const hundredths = integer(value)
    return hundredths === undefined || hundredths === 0 ? undefined : hundredths * 0.12
  }
  return present<ParagraphProps>({
    style: childValue(element, 'w:pStyle'),
    align: readAlign(childValue(element, 'w:jc')),
    lastLineToo: /^(distribute|thaiDistribute)$/.test(childValue(element, 'w:jc') ?? '') || undefined,
    indentLeft: twips(indent['w:left'] ?? indent['w:start']),
    indentRight: twips(indent['w:right'] ?? indent['w:end']),
    firstLine: hanging !== undefined ? -hanging : firstLine,
    before: lines(spacing['w:beforeLines']) ?? twips(spacing['w:before']),
    after: lines(spacing['w:afterLines']) ?? twips(spacing['w:after']),
    beforeAuto: spacing['w:beforeAutospacing'] === undefined ? undefined : isOn(spacing['w:beforeAutospacing']),
    afterAuto: spacing['w:afterAutospacing'] === undefined ? undefined : isOn(spacing['w:afterAutospacing']),
    line:
      line === undefined ? undefined : lineRule === 'auto' ? Math.max(0.05, Math.min(132, line / 12)) : Math.abs(line),
    lineRule,
    contextual: toggle(element, 'w:contextualSpacing'),
    keepNext: toggle(element, 'w:keepNext'),
    keepLines: toggle(element, 'w:keepLines'),
    pageBreakBefore: toggle(element, 'w:pageBreakBefore'),
    widowControl: toggle(element, 'w:widowControl'),
    snapToGrid: toggle(element, 'w:snapToGrid'),
    bidi: toggle(element, 'w:bidi'),
    kinsoku: toggle(element, 'w:kinsoku'),
    overflowPunctuation: toggle(element, 'w:overflowPunct'),
    autoSpaceLatin: toggle(element, 'w:autoSpaceDE'),
    autoSpaceDigits: toggle(element, 'w:autoSpaceDN'),
    suppressHyphens: toggle(element, 'w:suppressAutoHyphens'),
    suppressLineNumbers: toggle(element, 'w:suppressLineNumbers'),
    tabs: readTabs(childNamed(element, 'w:tabs')),
    numberingId: childValue(numbering, 'w:numId'),
    numberingLevel: integer(childValue(numbering, 'w:ilvl')),
    borders: readBorders(childNamed(element, 'w:pBdr'), theme),
    shading: readShading(childNamed(element, 'w:shd'), theme),
    outline: outline === undefined ? undefined : Math.max(0, Math.min(9, outline)),
  })
}

function readAlign(value: string | undefined): ParagraphProps['align'] {
  if (value === undefined) return undefined
  if (value === 'center' || value === 'right') return value
  if (value === 'end') return 'right'
  if (value === 'both' || value === 'distribute' || value.endsWith('Kashida') || value === 'thaiDistribute')
    return 'justify'
  return 'left'
}

const leaders: Record<string, TabStop['leader']> = {
  dot: 'dot',
  hyphen: 'hyphen',
  underscore: 'underscore',
  heavy: 'underscore',
  middleDot: 'middleDot',
}

const tabKinds: Record<string, TabStop['kind']> = {
  left: 'left',
  start: 'left',
  num: 'left',
  right: 'right',
  end: 'right',
  center: 'center',
  decimal: 'decimal',
  bar: 'bar',
  clear: 'clear',
}

/** Fixed by Word, which stops at 64 tab stops a paragraph. */
const MAX_TABS = 64

export function readAbsoluteTab({ attributes }: XmlElement): AbsoluteTab {
  const align = attributes['w:alignment']
  return {
    align: align === 'center' || align === 'right' ? align : 'left',
    from: attributes['w:relativeTo'] === 'indent' ? 'indent' : 'margin',
    leader: leaders[attributes['w:leader'] ?? 'none'] ?? 'none',
  }
}

function readTabs(element: XmlElement | undefined): TabStop[] | undefined {
  if (!element) return undefined
  const stops: TabStop[] = []
  for (const child of childElements(element, 'w:tab').slice(0, MAX_TABS)) {
    const position = twips(child.attributes['w:pos'])
    if (position === undefined) continue
    stops.push({
      position,
      kind: tabKinds[child.attributes['w:val'] ?? 'left'] ?? 'left',
      leader: leaders[child.attributes['w:leader'] ?? 'none'] ?? 'none',
    })
  }
  return stops
}
