import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, textOf, type XmlElement } from '../../../ooxml/xml.ts'
import type { Block, Inline, Paragraph } from '../../model/document.ts'
import { present } from '../../model/present.ts'
import type { ParagraphProps, RunProps } from '../../model/properties.ts'
import type { ShapeText } from '../../model/shape.ts'
import type { Theme } from '../theme.ts'
import { attribute, emu, integer, isOn } from '../values.ts'
import { readColor } from './color.ts'

/** How text is placed in its shape (21.1.2.1.1). */
export function readBody(
  element: XmlElement | undefined,
): Pick<ShapeText, 'insets' | 'vertical' | 'centered' | 'autoHeight' | 'wrap' | 'turn'> {
  const inset = (name: string, fallback: number) => Math.max(0, emu(attribute(element, name)) ?? fallback)
  const anchor = attribute(element, 'anchor')
  const direction = attribute(element, 'vert')
  return {
    insets: {
      left: inset('lIns', 7.2),
      top: inset('tIns', 3.6),
      right: inset('rIns', 7.2),
      bottom: inset('bIns', 3.6),
    },
    vertical: anchor === 'ctr' ? 'center' : anchor === 'b' ? 'bottom' : 'top',
    centered: isOn(attribute(element, 'anchorCtr') ?? '0'),
    autoHeight: element !== undefined && childNamed(element, 'a:spAutoFit') !== undefined,
    wrap: attribute(element, 'wrap') !== 'none',
    turn:
      direction === 'vert270'
        ? 270
        : direction === 'vert' || direction === 'eaVert' || direction === 'wordArtVert'
          ? 90
          : 0,
  }
}

/** DrawingML's own paragraphs (21.1.2.2), as in charts and diagrams, in the terms of Word's. */
export function readParagraphs(body: XmlElement, theme: Theme, base: RunProps): Block[] {
  const scale = fontScale(body)
  const blocks = childElements(body, 'a:p')
    .slice(0, limits.renderShapeParagraphs)
    .map((element, index) => readParagraph(element, theme, base, scale, index))
  // The space below the last one does not count if the text is centred.
  const last = blocks.at(-1)
  if (last) last.props = { ...last.props, after: 0 }
  return blocks
}

/** How much smaller the text was made to fit (21.1.2.1.3). */
function fontScale(body: XmlElement): number {
  const properties = childNamed(body, 'a:bodyPr')
  const fit = properties && childNamed(properties, 'a:normAutofit')
  const share = integer(attribute(fit, 'fontScale'))
  return share === undefined ? 1 : Math.max(0.1, Math.min(1, share / 100_000))
}

function readParagraph(element: XmlElement, theme: Theme, base: RunProps, scale: number, index: number): Paragraph {
  const properties = childNamed(element, 'a:pPr')
  const defaults = { ...base, ...readRun(properties && childNamed(properties, 'a:defRPr'), theme, scale) }
  const content: Inline[] = []
  let size = defaults.size ?? 18
  let isFirst = true
  const bullet = properties && childNamed(properties, 'a:buChar')?.attributes.char
  const level = Math.max(0, Math.min(8, integer(attribute(properties, 'lvl')) ?? 0))
  for (const child of childElements(element)) {
    if (child.name === 'a:br') content.push({ kind: 'break', type: 'line', props: defaults })
    if (child.name !== 'a:r' && child.name !== 'a:fld') continue
    const text = childNamed(child, 'a:t')
    const props = { ...defaults, ...readRun(childNamed(child, 'a:rPr'), theme, scale) }
    if (isFirst && bullet) {
      content.push({ kind: 'text', text: bullet.slice(0, 4), props: { ...props, bold: false } }, { kind: 'tab', props })
    }
    if (isFirst) size = props.size ?? size
    isFirst = false
    if (text) content.push({ kind: 'text', text: textOf(text).replace(/[\t\n\r]+/g, ' '), props })
  }
  const end = childNamed(element, 'a:endParaRPr')
  return {
    kind: 'paragraph',
    props: paragraphProps(properties, size, level),
    markProps: { ...defaults, ...(isFirst ? readRun(end, theme, scale) : { size }) },
    content,
    number: index + 1,
  }
}

function paragraphProps(properties: XmlElement | undefined, size: number, level: number): ParagraphProps {
  const align = attribute(properties, 'algn')
  const space = (name: string): number => {
    const element = properties && childNamed(properties, name)
    const points = element && childNamed(element, 'a:spcPts')
    const share = element && childNamed(element, 'a:spcPct')
    if (points) return Math.max(0, (integer(points.attributes.val) ?? 0) / 100)
    return share ? Math.max(0, shareOf(share.attributes.val) ?? 0) * size * 1.2 : 0
  }
  const spacing = properties && childNamed(properties, 'a:lnSpc')
  const exact = spacing && childNamed(spacing, 'a:spcPts')
  const factor = spacing && childNamed(spacing, 'a:spcPct')
  return {
    align: align === 'ctr' ? 'center' : align === 'r' ? 'right' : align === 'just' ? 'justify' : 'left',
    indentLeft: emu(attribute(properties, 'marL')) ?? level * 9,
    indentRight: emu(attribute(properties, 'marR')) ?? 0,
    firstLine: emu(attribute(properties, 'indent')) ?? 0,
    before: space('a:spcBef'),
    after: space('a:spcAft'),
    beforeAuto: false,
    afterAuto: false,
    contextual: false,
    line: exact ? Math.max(1, (integer(exact.attributes.val) ?? 0) / 100) : (shareOf(factor?.attributes.val) ?? 1),
    lineRule: exact ? 'exact' : 'auto',
    widowControl: false,
    snapToGrid: false,
  }
}

function shareOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text) / 100_000
  return Number.isFinite(value) ? Math.min(10, value) : undefined
}

/** Character properties (21.1.2.3.9) in the terms of Word's. */
export function readRun(element: XmlElement | undefined, theme: Theme, scale = 1): RunProps {
  if (!element) return {}
  const { sz, b, i, u, strike, baseline, cap, spc } = element.attributes
  const size = integer(sz)
  const fill = childNamed(element, 'a:solidFill')
  const color = fill && readColor(fill, theme)?.color
  const shift = integer(baseline)
  const spacing = integer(spc)
  const font = themeFont(childNamed(element, 'a:latin')?.attributes.typeface, theme)
  return present<RunProps>({
    fonts: font === undefined ? undefined : { ascii: font, highAnsi: font },
    size: size === undefined ? undefined : Math.max(1, Math.min(1638, (size / 100) * scale)),
    bold: b === undefined ? undefined : isOn(b),
    italic: i === undefined ? undefined : isOn(i),
    underline: u === undefined ? undefined : u === 'none' ? 'none' : u === 'dbl' ? 'double' : 'single',
    strike: strike === undefined ? undefined : strike !== 'noStrike',
    caps: cap === undefined ? undefined : cap === 'all',
    smallCaps: cap === undefined ? undefined : cap === 'small',
    vertical: shift === undefined || shift === 0 ? undefined : shift > 0 ? 'superscript' : 'subscript',
    spacing: spacing === undefined ? undefined : spacing / 100,
    color,
  })
}

/** The family that a typeface names, directly or through the theme (`+mn-lt`). */
export function themeFont(typeface: string | undefined, theme: Theme): string | undefined {
  if (typeface === undefined || typeface === '') return undefined
  if (typeface.startsWith('+mj')) return theme.fonts.get('majorHAnsi')
  if (typeface.startsWith('+mn')) return theme.fonts.get('minorHAnsi')
  return typeface
}
