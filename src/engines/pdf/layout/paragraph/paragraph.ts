import { type Frame, moveFrames } from '../../frame/frame.ts'
import type { Paragraph } from '../../model/document.ts'
import type { Border, Borders, RunProps } from '../../model/properties.ts'
import type { ParagraphStyle } from '../../style/cascade.ts'
import type { CellInheritance } from '../../style/table-format.ts'
import { addNode, type Context } from '../context.ts'
import type { BlockBox, Slice } from '../slice.ts'
import { edge, extentOf } from './border.ts'
import { collectInlines } from './inline.ts'
import { breakLines } from './line.ts'
import { spaceBelowCell } from './measure.ts'
import { Kind, type Plan } from './plan.ts'
import type { GiveWay, Line, LineSettings } from './set-line.ts'

export interface ParagraphPlace {
  width: number
  parent: number
  cell?: CellInheritance | undefined
  /** The colour behind the paragraph. */
  background?: string | undefined
  /** The adjacent paragraphs of the story, which share borders with it. */
  previous?: Paragraph | undefined
  next?: Paragraph | undefined
  /** List that the previous block belongs to, so that items of one list share its node. */
  openList?: { list: string; node: number } | undefined
  /** An empty paragraph that is there only to end its cell. */
  closing?: boolean
  /** The last block of its story, which takes its line even where it is hidden. */
  last?: boolean
  /** See `LineSettings.from`. */
  from?: number | undefined
  /** See `LineSettings.giveWay`. */
  giveWay?: GiveWay | undefined
}

export interface ParagraphBox extends BlockBox {
  /** The list that the paragraph is an item of. */
  list?: { list: string; node: number }
}

/** Automatic spacing in points: as in browsers, and in documents that ask for fixed spacing instead. */
const AUTOMATIC_SPACE = 14
const FIXED_AUTOMATIC_SPACE = 5

/** Lays a paragraph out into one slice a line. */
export function layoutParagraph(context: Context, paragraph: Paragraph, place: ParagraphPlace): ParagraphBox {
  const style = context.cascade.paragraph(paragraph, place.cell)
  const background = style.shading ?? place.background
  const nodes = openNodes(context, paragraph, style, place)
  const plan = collectInlines(context, paragraph, {
    cell: place.cell,
    background,
    node: nodes.body,
    labelNode: nodes.label,
    width: place.width - style.left - style.right,
  })
  const lines = breakLines({ plan, style, settings: lineSettings(context, place) })
  const lastLine = lines.at(-1)
  if (place.cell && place.last && lastLine) endCell(context, paragraph, place.cell, style, lastLine)
  const hidden = isHidden(plan)
  context.lists.giveBack(plan)
  const above = place.from ? 1 : 0
  const slices: Slice[] = []
  for (const line of lines) slices.push(sliceOf(line, slices.length + above, lines.length + above, style))
  if (place.cell && style.before > 0) for (const slice of slices) slice.beforeAtTop = slice.before + style.before
  context.held.slices(slices)
  const first = slices[0]
  if (first && !place.from) {
    if (style.pageBreakBefore && paragraph !== context.sectionMark) first.pageBreakBefore = true
    if (!place.cell && !context.artifact) first.begins = { paragraph, style: style.styleId }
    const title = plan.text.trim()
    if (style.outline < 9 && !context.artifact && title !== '') first.heading = { title, level: style.outline }
  }
  if (paragraph === context.sectionMark || (hidden && !place.last)) return collapsed(slices, 0)
  if (place.closing) return collapsed(slices, LEAST_HEIGHT)
  if (style.shading || style.borders) decorate(context, slices, style, place)
  const automatic = context.model.settings.addSpacing ? FIXED_AUTOMATIC_SPACE : AUTOMATIC_SPACE
  const box: ParagraphBox = {
    slices,
    before: style.beforeAuto ? automatic : style.before,
    after: style.afterAuto ? automatic : style.after,
    styleId: style.styleId,
    contextual: style.contextual,
    listId: context.labels.get(paragraph)?.list,
    beforeAuto: style.beforeAuto,
    afterAuto: style.afterAuto,
  }
  if (nodes.list) box.list = nodes.list
  return box
}

function lineSettings({ model, gridPitch }: Context, { width, from, giveWay }: ParagraphPlace): LineSettings {
  const { defaultTab, doNotExpandShiftReturn, compatibility, hyphens } = model.settings
  return {
    width,
    defaultTab,
    gridPitch,
    expandBrokenLines: !doNotExpandShiftReturn,
    squeezeBlanks: compatibility.squeezesBlanks,
    hyphens,
    from,
    giveWay,
  }
}

/** A run that states nothing: text as the paragraph's style has it. */
const unstated: RunProps = {}

function endCell(
  context: Context,
  paragraph: Paragraph,
  cell: CellInheritance,
  style: ParagraphStyle,
  line: Line,
): void {
  if (line.slack <= 0) return
  const { look } = context.cascade.text(context.cascade.runBase(paragraph, cell), unstated, undefined)
  const slack = spaceBelowCell(style, look.size)
  line.height += slack - line.slack
  line.slack = slack
}

/** True when a paragraph has nothing but hidden text, and its mark is hidden, too (17.3.2.41). */
function isHidden(plan: Plan): boolean {
  if (!plan.markStyle.hidden) return false
  for (let at = plan.labelLength; at < plan.length; at++) if (plan.kind(at) !== Kind.mark) return false
  return true
}

/** One twip: what an empty paragraph takes that only ends its cell. */
const LEAST_HEIGHT = 0.05

/** A paragraph that only ends its section or cell prints nothing, unless something is in it. */
function collapsed(slices: Slice[], height: number): BlockBox {
  for (const slice of slices) {
    slice.before = 0
    slice.height = height
    slice.stick = false
    slice.frames = slice.frames.filter((frame) => frame.kind === 'destination')
  }
  return {
    slices,
    before: 0,
    after: 0,
    styleId: undefined,
    contextual: false,
    beforeAuto: false,
    afterAuto: false,
    collapsed: true,
  }
}

function openNodes(context: Context, paragraph: Paragraph, style: ParagraphStyle, place: ParagraphPlace) {
  const label = context.labels.get(paragraph)
  if (style.outline < 9) {
    const node = addNode(context, { type: `H${Math.min(style.outline, 5) + 1}`, parent: place.parent })
    return { body: node, label: node, list: undefined }
  }
  if (!label) {
    const node = addNode(context, { type: 'P', parent: place.parent })
    return { body: node, label: node, list: undefined }
  }
  const list =
    place.openList?.list === label.list
      ? place.openList
      : { list: label.list, node: addNode(context, { type: 'L', parent: place.parent }) }
  const item = addNode(context, { type: 'LI', parent: list.node })
  const labelNode = addNode(context, { type: 'Lbl', parent: item })
  return { body: addNode(context, { type: 'LBody', parent: item }), label: labelNode, list }
}

function sliceOf(line: Line, index: number, count: number, style: ParagraphStyle): Slice {
  const last = index === count - 1
  const together = style.keepLines || (style.widowControl && (index === 0 || index === count - 2))
  const slice: Slice = {
    before: line.lead,
    height: line.height,
    entry: line.from,
    frames: line.frames,
    stick: line.breakAfter ? false : last ? style.keepNext : together,
  }
  if (line.lead > 0) slice.lead = line.lead
  if (line.slack > 0) slice.slack = line.slack
  if (!style.suppressLineNumbers) slice.baseline = line.baseline
  if (line.breakAfter) slice.breakAfter = line.breakAfter
  if (line.anchors) slice.anchors = line.anchors
  if (line.notes) slice.notes = line.notes
  return slice
}

/** How far shading and rules reach beyond the text on a side without a border, except in cells: a fiftieth of an inch. */
const BEYOND = 1.44

/** Shading and borders, drawn line by line so that they follow the paragraph over a page break. */
function decorate(context: Context, slices: Slice[], style: ParagraphStyle, place: ParagraphPlace): void {
  const borders = style.borders ?? {}
  const start = Math.min(style.left, style.left + style.firstLine)
  const reach = (border: Border | undefined) =>
    border && border.width > 0 ? border.space + extentOf(border) / 2 : place.cell ? 0 : BEYOND
  const left = (style.bidi ? style.right : start) - reach(borders.left)
  const right = place.width - (style.bidi ? start : style.right) + reach(borders.right)
  const joinAbove = place.from || joins(context, style, place.previous, place.cell)
  const joinBelow = joins(context, style, place.next, place.cell)
  const top = joinAbove ? undefined : visible(borders.top)
  const bottom = joinBelow ? visible(borders.between) : visible(borders.bottom)
  const [above, below] = [top ? extentOf(top) : 0, bottom ? extentOf(bottom) : 0]
  const lastIndex = slices.length - 1
  for (const [index, slice] of slices.entries()) {
    const topSpace = index === 0 && top ? top.space + above : 0
    const bottomSpace = index === lastIndex && bottom ? bottom.space + below : 0
    if (topSpace > 0) {
      moveFrames(slice.frames, 0, topSpace)
      if (slice.baseline !== undefined) slice.baseline += topSpace
    }
    slice.height += topSpace + bottomSpace
    const lines: Frame[] = []
    if (index === 0 && top) lines.push(...edge(top, { x1: left, y1: above / 2, x2: right, y2: above / 2 }))
    if (index === lastIndex && bottom)
      lines.push(...edge(bottom, { x1: left, y1: slice.height - below / 2, x2: right, y2: slice.height - below / 2 }))
    const leftBorder = visible(borders.left)
    const rightBorder = visible(borders.right)
    if (leftBorder) lines.push(...edge(leftBorder, { x1: left, y1: 0, x2: left, y2: slice.height }))
    if (rightBorder) lines.push(...edge(rightBorder, { x1: right, y1: 0, x2: right, y2: slice.height }))
    if (style.shading) {
      const { height } = slice
      slice.frames.unshift({ kind: 'box', x: left, y: 0, width: right - left, height, color: style.shading })
    }
    slice.frames.push(...lines)
  }
}

function visible(border: Border | undefined): Border | undefined {
  return border && border.width > 0 && border.style !== 'none' ? border : undefined
}

function joins(
  context: Context,
  style: ParagraphStyle,
  neighbour: Paragraph | undefined,
  cell: CellInheritance | undefined,
): boolean {
  if (!neighbour || !style.borders) return false
  const other = context.cascade.paragraph(neighbour, cell)
  return other.left === style.left && other.right === style.right && sameBorders(other.borders, style.borders)
}

function sameBorders(a: Borders | undefined, b: Borders): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b)
}
