/**
 * `fine`: nothing to do. `advice`: it works, and something should be looked at. `wrong`: Quire doesn't start, or not as
 * it should. `unchecked`: something else has to be mended first.
 */
export type Verdict = 'fine' | 'advice' | 'wrong' | 'unchecked'

/** What the doctor says of one thing. */
export interface Finding {
  /** What was looked at, in a word or two: the same words for every finding of a kind. */
  readonly check: string
  readonly verdict: Verdict
  /** What is there, in one line, with no secret in it. */
  readonly found: string
  /** What to do; of everything that is wrong or advice. */
  readonly remedy?: string
}

export const fine = (check: string, found: string): Finding => ({ check, verdict: 'fine', found })
export const advice = (check: string, found: string, remedy: string): Finding => ({
  ...{ check, verdict: 'advice', found, remedy },
})
export const wrong = (check: string, found: string, remedy: string): Finding => ({
  ...{ check, verdict: 'wrong', found, remedy },
})
export const unchecked = (check: string, found: string): Finding => ({ check, verdict: 'unchecked', found })

/** @throws Error when there is no answer in time */
export async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${milliseconds / 1000} s`)), milliseconds)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

export function bytesInWords(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(bytes) / 10)))
  const amount = bytes / 1024 ** power
  return `${amount < 10 && power > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[power]}`
}
