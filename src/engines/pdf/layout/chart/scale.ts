import { limits } from '../../../../core/limits.ts'
import type { Axis } from '../../model/chart.ts'

/** What a value axis shows: its ends and the distance of its ticks. */
export interface Scale {
  min: number
  max: number
  step: number
  /** Base of a logarithmic axis; the other members are then exponents. */
  log: number | undefined
}

/** The most and the fewest intervals of an axis that chooses its own, as in LibreOffice. */
export const MOST_INTERVALS = 10
const LEAST_INTERVALS = 2

/** The intervals of an axis that has room for this many labels. */
export function intervalsWithin(labels: number): number {
  return Math.max(LEAST_INTERVALS, Math.min(MOST_INTERVALS, Math.floor(labels)))
}

/** Fixed by the algorithm: each step that is tried is at least twice the one before. */
const MAX_TRIES = 24

/** The least and the greatest of some values. */
export interface Range {
  min: number
  max: number
}

/** What an axis needs to choose its own ends and steps. */
export interface ScaleWish {
  /** It has at most as many intervals. */
  intervals: number
  /** Values that differ much are seen from zero. */
  fromZero: boolean
  /** Values keep away from the ends. */
  clear: boolean
  isPercent: boolean
}

/** A scale that holds the values and begins and ends at ticks; the ends and steps that the axis states stay. */
export function scaleFor(values: Range, axis: Axis | undefined, wish: ScaleWish): Scale {
  if (axis?.logBase !== undefined && axis.logBase > 1 && !wish.isPercent) return logScale(values, axis, axis.logBase)
  const known = Number.isFinite(values.min) && Number.isFinite(values.max)
  const seen = wish.isPercent ? { min: Math.min(0, values.min), max: 1 } : known ? values : { min: 0, max: 1 }
  let low = axis?.min ?? seen.min
  let high = axis?.max ?? seen.max
  if (low > high) {
    if (axis?.max === undefined || axis.min !== undefined) high = low
    else low = high
  }
  const stated = axis?.majorUnit
  const step = stated !== undefined && stated > 0 && (high - low) / stated <= limits.chartTicks ? stated : undefined
  const [freeLow, freeHigh] = [axis?.min === undefined, axis?.max === undefined]
  // Below zero everything is as above it, mirrored.
  if (low < 0 && high <= 0) {
    const mirrored = { low: -high, high: -low, freeLow: freeHigh, freeHigh: freeLow }
    const { min, max, ...rest } = linearScale(mirrored, step, wish)
    return { ...rest, min: -max || 0, max: -min || 0 }
  }
  return linearScale({ low, high, freeLow, freeHigh }, step, wish)
}

/** The values that a scale has to hold, and which of its ends may move beyond them. */
interface Ends {
  low: number
  high: number
  freeLow: boolean
  freeHigh: boolean
}

function linearScale(ends: Ends, stated: number | undefined, wish: ScaleWish): Scale {
  const [from, to] = spanOf(ends, wish)
  let step = stated ?? niceStep((to - from) / wish.intervals)
  let scale = steppedScale(ends, [from, to], step, wish)
  for (let tries = 1; tries < MAX_TRIES; tries++) {
    if (stated !== undefined || scale.intervals <= wish.intervals) break
    step = niceStep(step * 1.01)
    scale = steppedScale(ends, [from, to], step, wish)
  }
  const { min, max } = scale
  return { min, max, step, log: undefined }
}

/** The range of values to show: from zero if there are several and they differ much. */
function spanOf({ low, high, freeLow, freeHigh }: Ends, { fromZero }: ScaleWish): [from: number, to: number] {
  let [from, to] = [low, high]
  if (freeLow && from > 0 && fromZero) {
    // Values that differ by more than a sixth are shown from zero; closer ones get half of their range below them.
    if (from === to || from / to < 5 / 6) from = 0
    else from -= (to - from) / 2
  }
  if (from === to) {
    if (freeHigh || !freeLow) to = to === 0 ? 1 : 2 * to
    else from = from === 0 ? -1 : from / 2
  }
  return [from, to]
}

/** The scale of a step: free ends are moved out to ticks, and one further where a value would touch them. */
function steppedScale(
  { low, high, freeLow, freeHigh }: Ends,
  [from, to]: readonly [number, number],
  step: number,
  { clear, isPercent }: ScaleWish,
): Range & { intervals: number } {
  const base = !freeLow ? from : !freeHigh ? to : 0
  let [min, max] = [from, to]
  const isNear = clear && !isPercent
  if (freeLow) {
    min = base + Math.floor((from - base) / step + TOLERANCE) * step
    if (isNear && min !== 0 && (max - low) / (max - min) > 20 / 21) min -= step
  }
  if (freeHigh) {
    max = base + Math.ceil((to - base) / step - TOLERANCE) * step
    if (isNear && max !== 0 && (high - min) / (max - min) > 20 / 21) max += step
  }
  const ends = { min: exact(min, step), max: exact(max, step) }
  const intervals = Math.floor((max - min) / step + TOLERANCE)
  return { ...(ends.max > ends.min ? ends : { min, max }), intervals }
}

const TOLERANCE = 1e-9

/** A multiple of a step without the rounding error of a sum. */
function exact(value: number, step: number): number {
  return Math.abs(value) < step * TOLERANCE ? 0 : Number(value.toPrecision(15))
}

/** The next of 1, 2 and 5 times a power of ten. */
function niceStep(wanted: number): number {
  if (!(wanted > 0) || !Number.isFinite(wanted)) return 1
  const power = 10 ** Math.floor(Math.log10(wanted) + TOLERANCE)
  const share = wanted / power
  if (share <= 1 + TOLERANCE) return power
  if (share <= 2 + TOLERANCE) return 2 * power
  return share <= 5 + TOLERANCE ? 5 * power : 10 * power
}

function logScale(values: Range, axis: Axis, log: number): Scale {
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
  const count = Math.min(limits.chartTicks, Math.floor((max - min) / step + 1e-6))
  for (let index = 0; index <= count; index++) {
    const value = min + index * step
    ticks.push(Math.abs(value) < step * 1e-9 ? 0 : Number(value.toPrecision(15)))
  }
  return ticks
}

/** The place of a value on a scale: 0 at its start, 1 at its end. */
export function shareOf(value: number, { min, max, log }: Scale): number {
  const at = log === undefined ? value : value > 0 ? Math.log(value) / Math.log(log) : min
  return (at - min) / (max - min)
}

/** The value at a tick. */
export function tickValue(tick: number, { log }: Scale): number {
  return log === undefined ? tick : log ** tick
}
