/** What an element says of its look, and what that makes of the marks around it. */
import { clampSize, type Declarations, readColor, readDeclarations, readLegacySize } from './css.ts'
import type { Marks, RichAlign } from './model.ts'

export const noDeclarations: Declarations = Object.freeze({})

/** What CSS and the older attributes for the same say about an element. */
export function declarationsOf(name: string, attributes: Record<string, string>): Declarations {
  const { style, color, size, bgcolor } = attributes
  if (style === undefined && bgcolor === undefined && name !== 'font') return noDeclarations
  const declared = style === undefined ? {} : readDeclarations(style)
  if (name === 'font') {
    if (color !== undefined) declared.color ??= readColor(color)
    if (size !== undefined) declared.size ??= readLegacySize(size)
  }
  if (bgcolor !== undefined) declared.background ??= readColor(bgcolor)
  return declared
}

/** The marks of the surrounding text, plus those that an element declares, minus those that it resets. */
export function styled(outer: Marks, declared: Declarations): Marks {
  const { color, background, size, isBold, isItalic, lines, raised } = declared
  const own: Marks = {}
  if (color !== undefined) own.color = color
  if (background !== undefined) own.background = background
  if (size !== undefined) own.size = size
  if (isBold) own.bold = true
  if (isItalic) own.italic = true
  if (lines?.underline) own.underline = true
  if (lines?.strike) own.strike = true
  if (raised !== undefined && raised !== 'baseline') own.raised = raised
  const marks = addMarks(outer, own)
  if (isBold === false) delete marks.bold
  if (isItalic === false) delete marks.italic
  if (raised === 'baseline') delete marks.raised
  return marks
}

export function addMarks(outer: Marks, inner: Marks): Marks {
  const marks = { ...outer, ...inner }
  const [around, size] = [outer.size, inner.size]
  if (size !== undefined && 'factor' in size && around !== undefined) {
    marks.size =
      'factor' in around
        ? { factor: around.factor * size.factor }
        : { halfPoints: clampSize(around.halfPoints * size.factor) }
  }
  return marks
}

const aligns: Record<string, RichAlign> = { left: 'left', center: 'center', right: 'right', justify: 'both' }

export function alignOf(declared: Declarations, attributes: Record<string, string>): RichAlign | undefined {
  const written = declared.align ?? attributes.align?.toLowerCase() ?? ''
  return Object.hasOwn(aligns, written) ? aligns[written] : undefined
}
