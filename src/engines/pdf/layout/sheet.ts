import type { Block, DocumentModel, Paragraph, Section } from '../read/model.ts'
import { ARTIFACT, type Frame } from './frame.ts'
import { edge } from './paragraph.ts'

/** The fixed geometry of a sheet: sections, text area, columns, and what is drawn around the text. */
export interface Column {
  x: number
  width: number
}

export function splitSections(model: DocumentModel): { section: Section; blocks: Block[] }[] {
  const sections: { section: Section; blocks: Block[] }[] = []
  let blocks: Block[] = []
  for (const block of model.body) {
    blocks.push(block)
    if (block.kind === 'paragraph' && block.section) {
      sections.push({ section: block.section, blocks })
      blocks = []
    }
  }
  if (blocks.length > 0 || sections.length === 0) sections.push({ section: model.lastSection, blocks })
  return sections
}

/** The empty paragraph at a section's end that Word shows no line for: its mark is the section break itself. */
export function sectionMark(blocks: readonly Block[]): Paragraph | undefined {
  const last = blocks.at(-1)
  if (blocks.length < 2 || last?.kind !== 'paragraph' || !last.section || last.props.pageBreakBefore) return undefined
  return last.content.some((inline) => inline.kind !== 'bookmark') ? undefined : last
}

export function textWidth(section: Section): number {
  const { margins } = section
  return Math.max(24, section.width - margins.left - margins.right - margins.gutter)
}

export function columnsOf(section: Section): Column[] {
  const left = section.margins.left + section.margins.gutter
  const width = textWidth(section)
  if (Array.isArray(section.columns)) {
    let x = left
    return section.columns.map((column) => {
      const placed = { x, width: column.width }
      x += column.width + column.space
      return placed
    })
  }
  const { count, space } = section.columns
  const each = Math.max(8, (width - space * (count - 1)) / count)
  return Array.from({ length: count }, (_, index) => ({ x: left + index * (each + space), width: each }))
}

export function columnRules(columns: readonly Column[], top: number, bottom: number): Frame[] {
  const rules: Frame[] = []
  for (let index = 1; index < columns.length; index++) {
    const before = columns[index - 1]!
    const x = (before.x + before.width + columns[index]!.x) / 2
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
  if (borders.top?.width) frames.push(...edge(borders.top, left, top, right, top))
  if (borders.bottom?.width) frames.push(...edge(borders.bottom, left, bottom, right, bottom))
  if (borders.left?.width) frames.push(...edge(borders.left, left, top, left, bottom))
  if (borders.right?.width) frames.push(...edge(borders.right, right, top, right, bottom))
  return frames
}

/** Copies for repeated matter: the text is an artifact there, and links and destinations are not repeated. */
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
