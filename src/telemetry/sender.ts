import type { Log } from '../core/log.ts'
import type { OtlpTarget } from './settings.ts'

/** Posts bodies to one endpoint of a collector, again where that may help, and says what it refused; never more often than that. */
export interface OtlpSender {
  /**
   * @param forMs after which it is given up, its repetitions included
   * @returns how many of the body's items the collector refused
   * @throws when it took none of them
   */
  post(body: Uint8Array<ArrayBuffer>, forMs: number): Promise<number>
  /** A line in the log, once a minute at most. */
  complain(message: string, fields: Record<string, unknown>): void
  /** From now on nothing is posted again; what is under way goes on until `abort`. */
  finish(): void
  /** Ends what is under way. */
  abort(): void
}

const RETRY_FIRST_MS = 1_000
const RETRY_MAX_MS = 5_000
/** OTLP/HTTP's list of statuses after which the same request may be sent again. */
const RETRYABLE = new Set([429, 502, 503, 504])
const COMPLAIN_EVERY_MS = 60_000
/** An answer of a collector is a few bytes. */
const ANSWER_BYTES = 65_536

/** @param rejected the member of a partial success that counts what was refused */
export function openSender(target: OtlpTarget, rejected: 'rejectedSpans' | 'rejectedDataPoints', log: Log): OtlpSender {
  const { endpoint, encoding, compresses, timeoutMs, tls } = target
  const aborting = new AbortController()
  const aborted = new Promise<void>((resolve) => aborting.signal.addEventListener('abort', () => resolve()))
  const headers = {
    ...target.headers,
    'content-type': encoding === 'json' ? 'application/json' : 'application/x-protobuf',
    ...(compresses ? { 'content-encoding': 'gzip' } : {}),
  }
  let isFinishing = false
  let complainedAtMs = Number.NEGATIVE_INFINITY

  function complain(message: string, fields: Record<string, unknown>): void {
    const nowMs = performance.now()
    if (nowMs - complainedAtMs < COMPLAIN_EVERY_MS) return
    complainedAtMs = nowMs
    log.warn(message, fields)
  }

  /** A collector may take a part: it then says how many it did not. Only JSON is read; protobuf's rare case counts as taken. */
  async function refusedOf(response: Response): Promise<number> {
    const isJson = response.headers.get('content-type')?.includes('json') === true
    const text = await response.text().catch(() => '')
    if (!isJson || text.length > ANSWER_BYTES) return 0
    try {
      const answer = JSON.parse(text) as { partialSuccess?: Record<string, unknown> }
      const refused = Number(answer.partialSuccess?.[rejected] ?? 0)
      if (!Number.isSafeInteger(refused) || refused <= 0) return 0
      complain('the collector refused a part', { refused, error: answer.partialSuccess?.errorMessage })
      return refused
    } catch {
      return 0
    }
  }

  return {
    complain,
    async post(plain, forMs) {
      const body = compresses ? Bun.gzipSync(plain) : plain
      const untilMs = performance.now() + forMs
      for (let pauseMs = RETRY_FIRST_MS; ; pauseMs = Math.min(RETRY_MAX_MS, pauseMs * 2)) {
        let why: unknown
        let waitMs = pauseMs * (0.5 + Math.random() / 2)
        try {
          const signal = AbortSignal.any([AbortSignal.timeout(Math.min(timeoutMs, forMs)), aborting.signal])
          const response = await fetch(endpoint, { method: 'POST', headers, body, redirect: 'error', signal, tls })
          if (response.ok) return await refusedOf(response)
          await response.body?.cancel()
          why = new Error(`the collector answered ${response.status}`)
          if (!RETRYABLE.has(response.status)) throw why
          waitMs = Math.max(waitMs, retryAfterMs(response))
        } catch (error) {
          if (error === why) throw error
          why = error
        }
        if (isFinishing || performance.now() + waitMs > untilMs) throw why
        await Promise.race([Bun.sleep(waitMs), aborted])
      }
    },
    finish() {
      isFinishing = true
    },
    abort() {
      aborting.abort()
    },
  }
}

function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0
}
