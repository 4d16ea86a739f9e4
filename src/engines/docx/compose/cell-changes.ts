/** Tags that change the cell around them. */
import { readColor } from '../../../core/color.ts'
import type { JsonValue } from '../../../core/json.ts'
import type { StepOf } from '../program/ops.ts'

import { colorHint } from '../scan/table-syntax.ts'
import type { Fill } from './cells.ts'
import { type Grid, mergeCount } from './grid.ts'
import { reportMissing, type StepContext } from './step-context.ts'
import { describeExpression, evaluate, isMissing } from './values.ts'

/** Gives the cell, or its row, the colour that the value names. */
export function shadeCell({ color, of, place }: StepOf<'shade'>, context: StepContext, grid: Grid | undefined): void {
  const value = evaluate(color, context.scope)
  if (isMissing(value)) {
    reportMissing({ value: color, place }, context)
    return
  }
  const target = of === 'row' ? grid?.row : grid?.cell
  // Like any text, an empty one leaves what the template has.
  if (target === undefined || value === '') return
  const fill = fillOf(value, context)
  if (fill !== undefined) {
    target.fill = fill
    return
  }
  const message = `${describeExpression(color, context.scope)} is no colour that the template has.`
  context.composition.report('docx.bad_color', place, message, colorHint)
}

function fillOf(value: JsonValue, { composition }: StepContext): Fill | undefined {
  const color = readColor(value)
  if (color === undefined || color.kind === 'rgb') return color
  const digits = composition.template.themeColors.get(color.name)
  return digits === undefined ? undefined : { digits, theme: color.name }
}

/** Notes for the cell which others it is merged with. */
export function mergeCell({ way, by, place }: StepOf<'merge'>, context: StepContext, grid: Grid | undefined): void {
  const cell = grid?.cell
  if (cell === undefined) return
  if (by.kind === 'same') {
    const key = JSON.stringify(by.values.map((value) => evaluate(value, context.scope) ?? null))
    cell.merges[way] = { kind: 'same', key, place }
    return
  }
  const value = evaluate(by.count, context.scope)
  const count = mergeCount(value)
  if (count !== undefined) cell.merges[way] = { kind: 'count', count, place }
  else if (isMissing(value)) reportMissing({ value: by.count, place }, context)
  else {
    const message = `${describeExpression(by.count, context.scope)} is not a number of cells.`
    context.composition.report('docx.bad_merge', place, message, 'Give a whole number from 1 on.')
  }
}
