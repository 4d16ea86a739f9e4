/** Collects what a chart shows from the data. */
import { Decimal } from '../../../core/decimal.ts'
import type { JsonValue } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import { parseCivil } from '../../../core/locale/calendar.ts'
import { hasIllegalCharacter } from '../../ooxml/xml-write.ts'
import type { StepOf } from '../program/ops.ts'
import type { Expression } from '../scan/expression.ts'
import type { FilledChart } from './filled-chart.ts'
import { reportMissing, type StepContext } from './step-context.ts'
import { describeExpression, evaluate, type Frame, isMissing, scalarText, turnsOf } from './values.ts'
import { cellTaken } from './workbook.ts'

/** Notes the data for the chart's part, which is written when all is known. */
export function fillChart(op: StepOf<'chart'>, context: StepContext): void {
  const { composition, scope } = context
  const { form, place } = op
  const value = evaluate(op.list, scope)
  const list = turnsOf(value)
  const pointer = describeExpression(op.list, scope)
  if (list === undefined) {
    const code = isMissing(value) ? 'docx.missing_value' : 'docx.not_a_list'
    const what = isMissing(value) ? 'is missing' : 'is neither a list nor an object'
    composition.report(code, place, `${pointer} ${what}, and the chart shows its items.`, 'Give a list of items.')
    return
  }
  const { items, turns } = list
  if (items.length * op.values.length > limits.renderChartPoints) {
    const message = `${pointer} gives the chart more than ${limits.renderChartPoints} points.`
    composition.report('docx.too_many_items', place, message, 'Hand in a shorter list.')
    return
  }
  const chart: FilledChart = { form, categories: [], series: op.values.map(() => []) }
  const parent = scope.frame
  const frame: Frame = { item: null, index: 0, count: items.length, parent, pointer, turns }
  scope.frame = frame
  for (const [index, item] of items.entries()) {
    if (!composition.mayIterate(place)) break
    frame.index = index
    frame.item = item
    chart.categories.push(categoryOf(op, context) ?? '')
    for (const [number, value] of op.values.entries()) chart.series[number]?.push(pointOf(value, op, context))
  }
  scope.frame = parent
  composition.charts.set(form.part, chart)
  const taken = form.workbook === undefined ? undefined : cellTaken(form.workbook, items.length)
  if (taken === undefined) return
  const message = `The ${items.length} items of ${pointer} take the place of what the cell ${taken} of the chart’s workbook holds.`
  composition.remark('docx.chart_cells', place, message, 'Put what is not the chart’s into columns beside its data.')
}

function categoryOf({ category, form, place }: StepOf<'chart'>, context: StepContext): string | number | undefined {
  const value = evaluate(category, context.scope)
  if (isMissing(value)) {
    reportMissing({ value: category, place }, context)
    return undefined
  }
  const read = form.categories === 'number' ? numberOf(value, form.isFrom1904) : scalarText(value)
  if (read === undefined) {
    const what = form.categories === 'number' ? 'neither a number nor a date' : 'not a single value'
    reportValue(category, what, place, context)
  }
  if (typeof read === 'string' && hasIllegalCharacter(read)) {
    const message = 'The value holds a control character that a document cannot carry.'
    context.composition.report('docx.illegal_character', place, message, 'Remove it from the data.')
  }
  return read
}

function pointOf(value: Expression, { place }: StepOf<'chart'>, context: StepContext): number | undefined {
  const found = evaluate(value, context.scope)
  if (isMissing(found)) return undefined
  const number = numberOf(found)
  if (number === undefined) reportValue(value, 'not a number', place, context)
  return number
}

function reportValue(value: Expression, what: string, place: string, { composition, scope }: StepContext): void {
  const message = `${describeExpression(value, scope)} is ${what}.`
  composition.report('docx.bad_value', place, message, 'Give what the chart can show there.')
}

/** Days from 30 December 1899 to the beginning of 1970, and to that of 1904, where some workbooks begin. */
const daysTo1970 = 25_569
const daysTo1904 = 1_462

/** A number; with `isFrom1904` also a date, as spreadsheets count days. */
function numberOf(value: JsonValue, isFrom1904?: boolean): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const number = Decimal.parse(value)
  if (number !== undefined) return Number(value)
  const date = isFrom1904 === undefined ? undefined : parseCivil(value)
  if (date === undefined) return undefined
  const days = Date.UTC(date.year, date.month - 1, date.day) / 86_400_000 + daysTo1970
  return isFrom1904 === true ? days - daysTo1904 : days
}
