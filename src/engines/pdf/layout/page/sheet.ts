import { ARTIFACT, type Frame } from '../../frame/frame.ts'
import type { Block, DocumentModel, Paragraph, Section } from '../../model/document.ts'
import { edge } from '../paragraph/border.ts'
import { sectionForText } from './vertical.ts'

/** The fixed geometry of a sheet: sections, text area, columns, and what is drawn around the text. */
export interface Column {
  x: number
  width: number
}

export function columnAt(columns: readonly Column[], index: number): Column {
  const column = columns[index]
  if (!column) throw new Error(`there is no column ${index} among ${columns.length}`)
  return column
}

/** A section as its text is laid out, and the blocks in it. */
export interface SectionBlocks {
  readonly section: Section
  readonly blocks: readonly Block[]
}

export function splitSections(model: DocumentModel): [SectionBlocks, ...SectionBlocks[]] {
  const ended: SectionBlocks[] = []
  let blocks: Block[] = []
  for (const block of model.body) {
    blocks.push(block)
    if (block.kind === 'paragraph' && block.section) {
      ended.push({ section: sectionForText(block.section), blocks })
      blocks = []
    }
  }
  const last = { section: sectionForText(model.lastSection), blocks }
  const [first, ...others] = ended
  if (!first) return [last]
  return blocks.length > 0 ? [first, ...others, last] : [first, ...others]
}

/**
 * The empty paragraph at a section's end that Word shows no line for, since its mark is the section break itself. It
 * begins no page either, even if it asks for one.
 */
export function sectionMark(blocks: readonly Block[]): Paragraph | undefined {
  const last = blocks.at(-1)
  if (blocks.length < 2 || last?.kind !== 'paragraph' || !last.section) return undefined
  if (last.fieldMark) return undefined
  return last.content.some((inline) => inline.kind !== 'bookmark') ? undefined : last
}

export function textWidth(section: Section): number {
  const { margins } = section
  return Math.max(24, section.width - margins.left - margins.right - margins.gutter)
}

/**
 * The columns of a section in whole twips. The gap between two columns is two halves, each rounded down to hundredths
 * of a millimetre. Equal columns share what the gaps leave, rounded down; the last column takes the remainder.
 */
export function columnsOf(section: Section): Column[] {
  const left = section.margins.left + section.margins.gutter
  const width = textWidth(section)
  if (Array.isArray(section.columns)) return statedColumns(section.columns, left)
  const { count, space } = section.columns
  const half = toTwips(Math.floor(toHundredths(space * 20) / 2))
  const whole = Math.round(width * 20)
  const each = Math.max(LEAST_COLUMN, Math.floor((whole - 2 * half * (count - 1)) / count))
  return Array.from({ length: count }, (_, index) => {
    const from = index * (each + 2 * half)
    return { x: left + from / 20, width: (index === count - 1 ? Math.max(each, whole - from) : each) / 20 }
  })
}

/** Eight points, in twips. */
const LEAST_COLUMN = 160

/** The whole that columns of stated widths are shares of, gaps included. */
const WHOLE_SHARE = 65_535

/** Columns of stated widths, by way of their shares of the whole; rounded like equal ones. */
function statedColumns(stated: readonly { width: number; space: number }[], left: number): Column[] {
  const last = stated.length - 1
  let before = 0
  const measured = stated.map(({ width, space }, index) => {
    const gap = index === last ? 0 : space * 20
    const after = Math.floor(toHundredths(gap) / 2)
    const column = {
      width: toHundredths(width * 20),
      before,
      after,
      twips: Math.round(width * 20) + Math.round(gap),
      hundredths: toHundredths(width * 20) + toHundredths(gap),
    }
    before = after
    return column
  })
  const twips = measured.reduce((sum, column) => sum + column.twips, 0)
  const hundredths = measured.reduce((sum, column) => sum + column.hundredths, 0)
  let from = 0
  return measured.map((column, index) => {
    const share = Math.floor(((column.width + column.before + column.after) * WHOLE_SHARE) / hundredths)
    const whole = index === last ? twips - from : Math.floor((share * twips) / WHOLE_SHARE)
    const inset = toTwips(column.before)
    const x = left + (from + inset) / 20
    from += whole
    return { x, width: Math.max(LEAST_COLUMN / 2, whole - inset - toTwips(column.after)) / 20 }
  })
}

/** Hundredths of a millimetre for this many twips, and back. */
function toHundredths(twips: number): number {
  return Math.round((twips * 127) / 72)
}

function toTwips(hundredths: number): number {
  return Math.round((hundredths * 72) / 127)
}

export function columnRules(columns: readonly Column[], top: number, bottom: number): Frame[] {
  const rules: Frame[] = []
  for (const [index, after] of columns.slice(1).entries()) {
    const before = columnAt(columns, index)
    const x = (before.x + before.width + after.x) / 2
    rules.push({ kind: 'line', x1: x, y1: top, x2: x, y2: bottom, width: 0.5, color: '000000', dash: 'solid' })
  }
  return rules
}

export function pageBorders(section: Section): Frame[] {
  const { borders, margins } = section
  if (!borders) return []
  const fromPage = section.borderOffset === 'page'
  const offset = (name: 'top' | 'bottom' | 'left' | 'right', margin: number) => {
    const space = borders[name]?.space ?? 0
    return fromPage ? space : Math.max(0, margin - space)
  }
  const left = offset('left', margins.left)
  const right = section.width - offset('right', margins.right)
  const top = offset('top', Math.abs(margins.top))
  const bottom = section.height - offset('bottom', Math.abs(margins.bottom))
  const frames: Frame[] = []
  if (borders.top?.width) frames.push(...edge(borders.top, { x1: left, y1: top, x2: right, y2: top }))
  if (borders.bottom?.width) frames.push(...edge(borders.bottom, { x1: left, y1: bottom, x2: right, y2: bottom }))
  if (borders.left?.width) frames.push(...edge(borders.left, { x1: left, y1: top, x2: left, y2: bottom }))
  if (borders.right?.width) frames.push(...edge(borders.right, { x1: right, y1: top, x2: right, y2: bottom }))
  return frames
}

/** Copies frames for repeated matter: text becomes an artifact; links and destinations are dropped. */
export function structuredCopy(frames: readonly Frame[]): Frame[] {
  const copies: Frame[] = []
  for (const frame of frames) {
    if (frame.kind === 'text' || frame.kind === 'image') copies.push({ ...frame, node: ARTIFACT })
    else if (frame.kind === 'path') copies.push({ ...frame, node: ARTIFACT })
    else if (frame.kind === 'clip') copies.push({ ...frame, frames: structuredCopy(frame.frames) })
    else if (frame.kind === 'group') {
      const { figure, ...group } = frame
      copies.push({ ...group, frames: structuredCopy(frame.frames) })
    } else if (frame.kind === 'box' || frame.kind === 'line') copies.push({ ...frame })
  }
  return copies
}

/** The background of a page that is not white. */
export function paper({ width, height }: Section, color: string | undefined): Frame[] {
  return color === undefined || color === 'FFFFFF' ? [] : [{ kind: 'box', x: 0, y: 0, width, height, color }]
}
