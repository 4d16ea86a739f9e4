/** Pieces of a pattern, as RE2 reads them. */
export interface Piece {
  text: string
  weight: number
  /** Anchors and boundaries, which a quantifier must not follow. */
  isAssertion?: boolean
}

/** Fixed by RE2, which refuses a counter above this: longer ones are written as a sequence. */
const re2CounterMax = 1000

export function literal(point: number): Piece {
  return { text: `\\x{${point.toString(16)}}`, weight: 1 }
}

/** A piece repeated this many times; `most` may be infinite. */
export function repeat(atom: string, least: number, most: number): string {
  if (least <= re2CounterMax && (most <= re2CounterMax || most === Number.POSITIVE_INFINITY)) {
    if (most === Number.POSITIVE_INFINITY)
      return least === 0 ? `${atom}*` : least === 1 ? `${atom}+` : `${atom}{${least},}`
    return `${atom}{${least},${most}}`
  }
  let text = ''
  for (let left = least; left > 0; left -= re2CounterMax) text += `${atom}{${Math.min(left, re2CounterMax)}}`
  if (most === Number.POSITIVE_INFINITY) return `(?:${text}${atom}*)`
  for (let left = most - least; left > 0; left -= re2CounterMax) text += `${atom}{0,${Math.min(left, re2CounterMax)}}`
  return `(?:${text})`
}
