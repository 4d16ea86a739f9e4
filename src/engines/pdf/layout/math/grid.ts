import type { Formula } from '../../model/equation.ts'
import { assemble, axisOf, emOf, type MathBox, type Placed, type Setting } from './box.ts'

/** The gap between a matrix's columns, the gap between its rows, and the smallest pitch of rows; in ems. */
const COLUMN_GAP = 1
const ROW_GAP = 0.2
const ROW_PITCH = 1.2

export function matrix(formula: Extract<Formula, { kind: 'matrix' }>, setting: Setting): MathBox {
  const rows = formula.rows.map((row) => row.map((cell) => setting.set(cell, setting)))
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(0, ...rows.map((row) => row[column]?.width ?? 0)),
  )
  const gap = COLUMN_GAP * emOf(setting)
  const lefts = widths.map((_, column) => widths.slice(0, column).reduce((sum, width) => sum + width + gap, 0))
  const baselines = baselinesOf(rows, setting)
  const parts = rows.flatMap((row, index) =>
    row.map((box, column): Placed => {
      const spare = (widths[column] ?? 0) - box.width
      const align = formula.align[column] ?? 'center'
      const inside = align === 'left' ? 0 : align === 'right' ? spare : spare / 2
      return { box, x: (lefts[column] ?? 0) + inside, y: baselines[index] ?? 0 }
    }),
  )
  return assemble(parts, widths.reduce((sum, width) => sum + width, 0) + gap * Math.max(0, count - 1))
}

/** Lines below each other, aligned at their marks, else at their left. */
export function stack(formula: Extract<Formula, { kind: 'stack' }>, setting: Setting): MathBox {
  const boxes = formula.rows.map((row) => setting.set(row, setting))
  const mark = Math.max(0, ...boxes.map(({ align }) => align ?? 0))
  const baselines = baselinesOf(
    boxes.map((box) => [box]),
    setting,
  )
  const parts = boxes.map(
    (box, index): Placed => ({ box, x: box.align === undefined ? 0 : mark - box.align, y: baselines[index] ?? 0 }),
  )
  return assemble(parts, Math.max(0, ...parts.map(({ box, x }) => x + box.width)))
}

/** The rows' baselines, so that all of them together are centred on the axis. */
function baselinesOf(rows: readonly (readonly MathBox[])[], setting: Setting): number[] {
  const em = emOf(setting)
  const heights = rows.map((row) => ({
    ascent: Math.max(0, ...row.map(({ ascent }) => ascent)),
    descent: Math.max(0, ...row.map(({ descent }) => descent)),
  }))
  const baselines: number[] = []
  for (const [index, { ascent }] of heights.entries()) {
    const above = heights[index - 1]
    const previous = baselines.at(-1)
    if (!above || previous === undefined) baselines.push(0)
    else baselines.push(previous + Math.max(ROW_PITCH * em, above.descent + ROW_GAP * em + ascent))
  }
  const top = -(heights[0]?.ascent ?? 0)
  const bottom = (baselines.at(-1) ?? 0) + (heights.at(-1)?.descent ?? 0)
  const shift = -(top + bottom) / 2 - axisOf(setting)
  return baselines.map((y) => y + shift)
}
