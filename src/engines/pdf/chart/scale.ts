import type { Axis } from './model.ts'

/** What a value axis shows: its ends and the distance of its ticks. */
export interface Scale {
  min: number
  max: number
  step: number
  /** Base of a logarithmic axis; the other members are then exponents. */
  log: number | undefined
}

/** Intervals of an axis that chooses its own, as many as LibreOffice has at most. */
const MAX_INTERVALS = 10
/** Ticks of an axis whose steps the document states. */
const MAX_TICKS = 1_000

/** A scale that holds the values and begins and ends at ticks; the ends and steps that the axis states stay. */
export function scaleFor(values: { min: number; max: number }, axis: Axis | undefined, isPercent: boolean): Scale {
  if (isPercent)
    return {
      min: axis?.min ?? Math.min(0, values.min),
      max: axis?.max ?? 1,
      step: axis?.majorUnit ?? 0.1,
      log: undefined,
    }
  const log = axis?.logBase
  if (log !== undefined && log > 1) return logScale(values, axis!, log)
  let { min, max } = values
  if (!Number.isFinite(min) || !Number.isFinite(max)) [min, max] = [0, 1]
  if (min === max) [min, max] = max > 0 ? [0, max] : min < 0 ? [min, 0] : [0, 1]
  // Values that differ by more than a sixth of the largest are seen from 0; close ones would look all the same.
  if (axis?.min === undefined && min > 0 && min / max < 5 / 6) min = 0
  if (axis?.max === undefined && max < 0 && max / min < 5 / 6) max = 0
  const low = axis?.min ?? min
  let high = axis?.max ?? max
  if (!(high > low)) high = low + 1
  const stated = axis?.majorUnit
  if (stated !== undefined && stated > 0 && (high - low) / stated <= MAX_TICKS)
    return fitted(low, high, values, axis, stated)
  let unit = niceStep((high - low) / MAX_INTERVALS)
  for (let tries = 0; tries < 6; tries++) {
    const scale = fitted(low, high, values, axis, unit)
    if ((scale.max - scale.min) / unit <= MAX_INTERVALS + 1e-9) return scale
    unit = niceStep(unit * 1.01)
  }
  return fitted(low, high, values, axis, unit)
}

function fitted(
  low: number,
  high: number,
  values: { min: number; max: number },
  axis: Axis | undefined,
  step: number,
): Scale {
  const tolerance = 1e-9
  let min = axis?.min ?? Math.floor(low / step + tolerance) * step
  let max = axis?.max ?? Math.ceil(high / step - tolerance) * step
  // A value nearer to the end than a twentieth of the axis gets another interval.
  if (axis?.max === undefined && max !== 0 && (max - values.max) / (max - min) < 1 / 20) max += step
  if (axis?.min === undefined && min !== 0 && (values.min - min) / (max - min) < 1 / 20) min -= step
  return { min, max, step, log: undefined }
}

/** The next of 1, 2 and 5 times a power of ten. */
function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted))
  const share = wanted / power
  const tolerance = 1e-9
  if (share <= 1 + tolerance) return power
  if (share <= 2 + tolerance) return 2 * power
  return share <= 5 + tolerance ? 5 * power : 10 * power
}

function logScale(values: { min: number; max: number }, axis: Axis, log: number): Scale {
  const exponent = (value: number) => Math.log(value) / Math.log(log)
  const positive = values.max > 0 ? values.max : 1
  const lowest = values.min > 0 ? values.min : Math.min(1, positive)
  const min = axis.min !== undefined && axis.min > 0 ? exponent(axis.min) : Math.floor(exponent(lowest) + 1e-9)
  const max = axis.max !== undefined && axis.max > 0 ? exponent(axis.max) : Math.ceil(exponent(positive) - 1e-9)
  return { min, max: Math.max(min + 1, Math.min(min + 300, max)), step: 1, log }
}

/** The ticks of a scale, in ascending order. */
export function ticksOf({ min, max, step }: Scale): number[] {
  const ticks: number[] = []
  const count = Math.min(MAX_TICKS, Math.floor((max - min) / step + 1e-6))
  for (let index = 0; index <= count; index++) {
    const value = min + index * step
    ticks.push(Math.abs(value) < step * 1e-9 ? 0 : Number(value.toPrecision(12)))
  }
  return ticks
}

/** Where a value stands on a scale: 0 at its beginning, 1 at its end. */
export function shareOf(value: number, { min, max, log }: Scale): number {
  const at = log === undefined ? value : value > 0 ? Math.log(value) / Math.log(log) : min
  return (at - min) / (max - min)
}

/** The value that a tick stands for. */
export function tickValue(tick: number, { log }: Scale): number {
  return log === undefined ? tick : log ** tick
}
