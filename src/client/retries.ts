/** When a request is sent again, and after how long. */

export interface RetryRules {
  /** How often a request is sent at most, the first time included. */
  attempts: number
  /** Milliseconds before the second attempt; each further wait doubles. */
  firstMs: number
  /** Milliseconds that no wait exceeds. A server that asks for more is not waited for: its refusal is thrown. */
  longestMs: number
}

export const usualRetries: RetryRules = { attempts: 5, firstMs: 250, longestMs: 30_000 }

/** Once and no more. */
export const noRetries: RetryRules = { attempts: 1, firstMs: 0, longestMs: 0 }

/** Whether sending a request again does no harm: it only reads, or its Idempotency-Key makes it one with the first. */
export function isRepeatable({ method, key }: { method: string; key?: boolean }): boolean {
  return method === 'GET' || key === true
}

/**
 * Whether an answer means passing trouble. Quire sends Retry-After wherever a retry may help. Without it, a 503 of
 * Quire's is final, as of a readiness check; one from something in between passes.
 */
export function isPassing({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  if (status !== 503) return isPassingStatus(status)
  return headers.has('retry-after') || headers.get('content-type')?.startsWith('application/problem+json') !== true
}

/** Whether a status can mean a moment's trouble. */
export function isPassingStatus(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504
}

/** Milliseconds that a Retry-After header asks for (RFC 9110, 10.2.3): seconds, or a date. */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const dateMs = /[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs)
}

/**
 * Milliseconds to wait after the given attempt, a random part of them so that clients that failed together don't come back
 * together. Undefined when it was the last one.
 *
 * @param askedMs what the server asked for
 * @param random from 0 to 1
 */
export function waitAfter(
  attempt: number,
  rules: RetryRules,
  askedMs: number | undefined,
  random: number,
): number | undefined {
  if (attempt >= rules.attempts || (askedMs ?? 0) > rules.longestMs) return undefined
  const fullMs = Math.min(rules.longestMs, rules.firstMs * 2 ** (attempt - 1))
  const ownMs = (fullMs * (1 + random)) / 2
  return askedMs === undefined ? ownMs : Math.min(rules.longestMs, Math.max(ownMs, askedMs + rules.firstMs * random))
}

/**
 * Resolves after this many milliseconds.
 * @throws the signal's reason as soon as it aborts
 */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
