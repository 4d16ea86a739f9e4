/** Numbers that keep bounds and steps exactly, and look like what their property is called. */
import { Decimal } from '../../../core/decimal.ts'
import { isMultipleOf } from '../compare.ts'
import type { Random } from './random.ts'
import { wordsOf } from './text.ts'

export interface NumberDemand {
  isInteger: boolean
  minimum: number
  maximum: number
  exclusiveMinimum: number
  exclusiveMaximum: number
  multiples: readonly number[]
  name: string
}

const lowest = Number.NEGATIVE_INFINITY
const highest = Number.POSITIVE_INFINITY

/** Both bounds of a number; an open bound excludes its own value. */
interface Bounds {
  least: number
  most: number
  isOpenBelow: boolean
  isOpenAbove: boolean
}

/** How a number is drawn: each attempt tries something else; a boundary case wants an extreme. */
interface Draw {
  random: Random
  attempt: number
  extreme: 'least' | 'most' | undefined
}

/** A proposal for a number, or undefined if the bounds leave none; the caller judges it. */
export function proposeNumber(
  demand: NumberDemand,
  random: Random,
  attempt: number,
  extreme: 'least' | 'most' | undefined,
): number | undefined {
  const bounds = boundsOf(demand)
  const { least, most, isOpenBelow, isOpenAbove } = bounds
  if (least > most) return undefined
  const draw = { random, attempt, extreme }
  const step = stepOf(demand)
  if (step !== undefined) return onGrid(step, bounds, demand, draw)
  if (extreme === 'least' && least !== lowest && !isOpenBelow) return least
  if (extreme === 'most' && most !== highest && !isOpenAbove) return most
  return usualNumber(bounds, demand.name, draw) ?? anyNumber(bounds, random)
}

function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: NumberDemand): Bounds {
  return {
    least: Math.max(minimum, exclusiveMinimum),
    most: Math.min(maximum, exclusiveMaximum),
    isOpenBelow: exclusiveMinimum >= minimum && exclusiveMinimum !== lowest,
    isOpenAbove: exclusiveMaximum <= maximum && exclusiveMaximum !== highest,
  }
}

/** A usual value for a property of that name, in the first two attempts and within the bounds. */
function usualNumber(bounds: Bounds, name: string, { random, attempt }: Draw): number | undefined {
  if (attempt >= 2) return undefined
  const { least, most, isOpenBelow, isOpenAbove } = bounds
  const usual = usualRange(name, least, most)
  if (usual.decimals === undefined) {
    const [from, to] = [Math.ceil(usual.least), Math.floor(usual.most)]
    return from <= to && Number.isSafeInteger(from) && Number.isSafeInteger(to) ? random.between(from, to) : undefined
  }
  const [from, to] = [Math.ceil(usual.least * 100), Math.floor(usual.most * 100)]
  // Between two bounds that are close together there may be no whole cent.
  if (from > to || Math.abs(usual.least) >= 1e12 || Math.abs(usual.most) >= 1e12) return undefined
  const value = Number(new Decimal(BigInt(random.between(from, to)), 2).toString())
  const isInside = value >= least && value <= most
  return isInside && !(isOpenBelow && value === least) && !(isOpenAbove && value === most) ? value : undefined
}

function anyNumber({ least, most, isOpenBelow, isOpenAbove }: Bounds, random: Random): number {
  if (least === most) return least
  // Without a short decimal between two bounds, take eighths of the range: they exist down to a double's precision.
  if (least !== lowest && most !== highest) {
    const share = (1 + random.below(7)) / 8
    const value = least + (most - least) * share
    return Number.isFinite(value) ? value : least / 2 + most / 2
  }
  if (least !== lowest) return isOpenBelow ? nextAbove(least) : least + random.below(100)
  if (most !== highest) return isOpenAbove ? -nextAbove(-most) : most - random.below(100)
  return random.below(1_000)
}

function nextAbove(value: number): number {
  const next = value + 1
  return next > value ? next : value + Math.abs(value) / 1_000_000
}

/** The smallest number that all steps divide, as an exact decimal; integers have the step 1. */
function stepOf(demand: NumberDemand): Decimal | undefined {
  const steps = demand.multiples.map(Decimal.fromNumber)
  if (demand.isInteger) steps.push(Decimal.one)
  let common: Decimal | undefined
  for (const step of steps) common = common === undefined ? step : leastCommonMultiple(common, step)
  return common
}

function leastCommonMultiple(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale)
  const a = left.coefficient * 10n ** BigInt(scale - left.scale)
  const b = right.coefficient * 10n ** BigInt(scale - right.scale)
  let [x, y] = [a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return new Decimal((a / x) * b, scale).normalize()
}

/** Which multiples of a step lie within the bounds, and one of them. */
function onGrid(
  step: Decimal,
  { least, most, isOpenBelow, isOpenAbove }: Bounds,
  demand: NumberDemand,
  { random, attempt, extreme }: Draw,
): number | undefined {
  let first = least === lowest ? undefined : quotient(Decimal.fromNumber(least), step, 'up')
  let last = most === highest ? undefined : quotient(Decimal.fromNumber(most), step, 'down')
  if (first !== undefined && isOpenBelow && timesStep(step, first) === least) first += 1n
  if (last !== undefined && isOpenAbove && timesStep(step, last) === most) last -= 1n
  if (first !== undefined && last !== undefined && first > last) return undefined
  if (extreme === 'least' && first !== undefined) return timesStep(step, first)
  if (extreme === 'most' && last !== undefined) return timesStep(step, last)
  const usual = usualRange(demand.name, least, most)
  const from = max(first, quotient(Decimal.fromNumber(usual.least), step, 'up'), last)
  const to = min(last, quotient(Decimal.fromNumber(usual.most), step, 'down'), first)
  const [low, width] = from < to ? [from, to - from] : [to, from - to]
  const draw = attempt === 3 ? 0n : BigInt(random.bits()) % (width + 1n)
  const value = timesStep(step, low + draw)
  return demand.multiples.every((multiple) => isMultipleOf(value, multiple)) ? value : timesStep(step, low)
}

/** The larger of a bound and the usual value, but never beyond `limit`; `min` is the mirror image. */
function max(bound: bigint | undefined, usual: bigint, limit: bigint | undefined): bigint {
  const value = bound !== undefined && bound > usual ? bound : usual
  return limit !== undefined && value > limit ? limit : value
}

function min(bound: bigint | undefined, usual: bigint, limit: bigint | undefined): bigint {
  const value = bound !== undefined && bound < usual ? bound : usual
  return limit !== undefined && value < limit ? limit : value
}

function quotient(value: Decimal, step: Decimal, rounding: 'up' | 'down'): bigint {
  const scale = Math.max(value.scale, step.scale)
  const a = value.coefficient * 10n ** BigInt(scale - value.scale)
  const b = step.coefficient * 10n ** BigInt(scale - step.scale)
  const whole = a / b
  if (a % b === 0n) return whole
  if (rounding === 'up') return a > 0n ? whole + 1n : whole
  return a < 0n ? whole - 1n : whole
}

function timesStep(step: Decimal, count: bigint): number {
  return Number(step.multiply(new Decimal(count, 0)).normalize().toString())
}

interface UsualRange {
  least: number
  most: number
  /** Set if values of that name usually have cents. */
  decimals?: 2
}

const ranges: readonly { name: RegExp; range: UsualRange }[] = [
  { name: /\b(year)\b/, range: { least: 2018, most: 2027 } },
  { name: /\b(month)s?\b/, range: { least: 1, most: 12 } },
  { name: /\b(day)s?\b/, range: { least: 1, most: 28 } },
  { name: /\b(hour)s?\b/, range: { least: 0, most: 23 } },
  { name: /\b(minute|second)s?\b/, range: { least: 0, most: 59 } },
  { name: /\b(age)\b/, range: { least: 18, most: 79 } },
  { name: /\b(port)\b/, range: { least: 1024, most: 49151 } },
  { name: /\b(lat|latitude)\b/, range: { least: 30, most: 47, decimals: 2 } },
  { name: /\b(lon|lng|long|longitude)\b/, range: { least: -120, most: -74, decimals: 2 } },
  { name: /\b(salary|income)\b/, range: { least: 38_000, most: 125_000 } },
  { name: /\b(coverage|limit)\b/, range: { least: 1, most: 1_000 } },
  { name: /\b(rating|stars|score|priority|level|rank)\b/, range: { least: 1, most: 5 } },
  { name: /\b(percent|percentage|pct)\b/, range: { least: 0, most: 100 } },
  { name: /\b(rate|ratio|factor|probability|share)\b/, range: { least: 0, most: 1, decimals: 2 } },
  {
    name: /\b(price|amount|total|subtotal|cost|fee|premium|balance|payment|tax|net|gross|discount|deductible|sum)\b/,
    range: { least: 10, most: 2_500, decimals: 2 },
  },
  { name: /\b(quantity|qty|count|number|items|size|units)\b/, range: { least: 1, most: 12 } },
  { name: /\b(width|height|length|depth)\b/, range: { least: 1, most: 400 } },
  { name: /\b(weight|mass)\b/, range: { least: 1, most: 90, decimals: 2 } },
]

/** Where values of a property of that name usually lie, moved into the bounds when it lies outside. */
function usualRange(name: string, least: number, most: number): UsualRange {
  const text = wordsOf(name).join(' ')
  const named = text === '' ? undefined : ranges.find((candidate) => candidate.name.test(text))?.range
  const usual = named ?? { least: 0, most: 1_000, decimals: 2 }
  const from = Math.max(usual.least, least)
  const to = Math.min(usual.most, most)
  if (from <= to) return { ...usual, least: from, most: to }
  // The bounds are elsewhere: start from the nearer one.
  const anchor = least > usual.most ? least : most
  const width = 1_000
  return least > usual.most
    ? { least: anchor, most: Math.min(most, anchor + width) }
    : { least: Math.max(least, anchor - width), most: anchor }
}
