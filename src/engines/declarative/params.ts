/**
 * Parameters that a transformer may declare, submitted beside the input. Requests check them, so this loads none of the
 * language.
 */
import type { JsonValue } from '../../core/json.ts'
import { parseDate, parseDateTime } from '../../core/locale/calendar.ts'

export const paramTypes = ['string', 'boolean', 'decimal', 'date', 'datetime'] as const
export type ParamType = (typeof paramTypes)[number]

const checks: Record<ParamType, (value: JsonValue) => boolean> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  decimal: (value) => typeof value === 'number',
  date: (value) => typeof value === 'string' && parseDate(value) !== undefined,
  datetime: (value) => typeof value === 'string' && parseDateTime(value) !== undefined,
}

/** Whether a value may be handed in for a param of this type. */
export function isParamValue(type: ParamType, value: JsonValue): boolean {
  return checks[type](value)
}
