import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'

/** Logs who was refused what, for those who look for attacks. */
export interface Refusals {
  tell(log: Log, refused: Readonly<Record<string, unknown>>): void
}

/**
 * Logs refusals. Anybody can cause them, so the lines of a minute are bounded; the next line after it says how many were left
 * out.
 * @param message the text of each line
 * @param level a warning if somebody has to act on it
 */
export function createRefusals(
  message: string,
  nowMs: () => number = () => performance.now(),
  level: 'info' | 'warn' = 'info',
): Refusals {
  let beganAtMs = Number.NEGATIVE_INFINITY
  let told = 0
  return {
    tell(log, refused) {
      const isNew = nowMs() - beganAtMs >= 60_000
      const untold = isNew ? Math.max(0, told - limits.refusalsToldAMinute) : 0
      if (isNew) {
        beganAtMs = nowMs()
        told = 0
      }
      told++
      if (told > limits.refusalsToldAMinute) return
      log[level](message, { ...refused, ...(untold === 0 ? {} : { untold_before: untold }) })
    },
  }
}

/**
 * Whether a refusal is about rights or rates: 403, 429, or 401 for a token. Expired sessions are routine, and logins have records in
 * the audit trail.
 */
export function isTold(status: number, request: Request): boolean {
  return (
    status === 403 ||
    status === 429 ||
    (status === 401 && /^bearer +qr_/i.test(request.headers.get('authorization') ?? ''))
  )
}

/** Whether a refusal is about invalid input, from a client's mistake or from an attack. */
export function isBadInput(status: number): boolean {
  return status === 400 || status === 413 || status === 415 || status === 422
}
