/** Equality and exact decimal arithmetic on JSON values, as JSON Schema defines them. */
import { decimalOf, type JsonValue } from '../../core/json.ts'

/** A text that two values share exactly when JSON Schema calls them equal: order of keys and form of numbers don't matter. */
export function identityOf(value: JsonValue): string {
  if (typeof value === 'number') return String(value === 0 ? 0 : value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(identityOf).join(',')}]`
  const members = Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${identityOf(member)}`)
  return `{${members.join(',')}}`
}

/** Both numbers as integers of the same power of ten. */
function aligned(left: number, right: number): [bigint, bigint] {
  const [leftDigits, leftExponent] = decimalOf(String(left))
  const [rightDigits, rightExponent] = decimalOf(String(right))
  const exponent = Math.min(leftExponent, rightExponent)
  const scale = (digits: string, from: number) => BigInt(digits || '0') * 10n ** BigInt(from - exponent)
  return [scale(leftDigits, leftExponent), scale(rightDigits, rightExponent)]
}

/** A double distinguishes a decimal from its neighbours below this many units of its last digit. */
const exactUnits = 1e15

/**
 * Whether a number is an integer times the divisor, in decimals: 19.99 is a multiple of 0.01 although the quotient of
 * the two doubles is no integer. Exponents are at most those of doubles, so the integers stay below 700 digits.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  for (let power = 10; power <= 1e6; power *= 10) {
    const step = Math.round(divisor * power)
    if (step > exactUnits) break
    if (step / power !== divisor) continue
    const units = Math.round(value * power)
    if (Math.abs(units) > exactUnits) break
    // A value with more decimals than the divisor cannot be its multiple.
    return units / power === value && units % step === 0
  }
  const [dividend, step] = aligned(value, divisor)
  return dividend % step === 0n
}

/** The number of Unicode code points, which is what minLength and maxLength count. */
export function codePointLength(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length - 1; at++) {
    const high = text.charCodeAt(at)
    if (high < 0xd800 || high > 0xdbff) continue
    const low = text.charCodeAt(at + 1)
    if (low < 0xdc00 || low > 0xdfff) continue
    length--
    at++
  }
  return length
}
