import type { Log } from '../core/log.ts'
import { PRODUCT_VERSION } from '../core/version.ts'
import { encodeJson, encodeProtobuf, type Resource } from './otlp.ts'
import type { TelemetrySettings } from './settings.ts'
import type { Span } from './span.ts'

/**
 * Sends spans to a collector in batches: when one is full, or has waited for long enough. The queue is bounded and nobody
 * waits for it; what finds it full is dropped and counted, and so is a batch that the collector refuses or doesn't take
 * before its time is over. Nothing here is thrown.
 */
export interface SpanExporter {
  add(span: Span): void
  readonly counts: Readonly<ExportCounts>
  /** Sends what is there, and stops for good at the deadline. */
  stop(deadlineMs: number): Promise<void>
}

export interface ExportCounts {
  exported: number
  dropped: number
}

/** Of one batch, its repetitions included. */
const RETRY_FOR_MS = 30_000
const RETRY_FIRST_MS = 1_000
const RETRY_MAX_MS = 5_000
/** OTLP/HTTP's list of statuses after which the same request may be sent again. */
const RETRYABLE = new Set([429, 502, 503, 504])
const COMPLAIN_EVERY_MS = 60_000
/** An answer of a collector is a few bytes. */
const ANSWER_BYTES = 65_536

export function startExporter(settings: TelemetrySettings, log: Log): SpanExporter {
  return new BatchExporter(settings, log)
}

class BatchExporter implements SpanExporter {
  readonly counts: ExportCounts = { exported: 0, dropped: 0 }
  readonly #settings: TelemetrySettings
  readonly #resource: Resource
  readonly #log: Log
  readonly #stopping = new AbortController()
  #queue: Span[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | undefined
  #isStopping = false
  #complainedAtMs = Number.NEGATIVE_INFINITY

  constructor(settings: TelemetrySettings, log: Log) {
    this.#settings = settings
    this.#resource = { attributes: settings.resource, scope: { name: 'quire', version: PRODUCT_VERSION } }
    this.#log = log.with({ component: 'telemetry' })
  }

  add(span: Span): void {
    if (this.#isStopping || this.#queue.length >= this.#settings.queueSpans) {
      this.counts.dropped++
      return
    }
    this.#queue.push(span)
    if (this.#queue.length >= this.#settings.batchSpans) this.#send()
    else this.#timer ??= this.#later()
  }

  #later(): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => this.#send(), this.#settings.delayMs)
    timer.unref()
    return timer
  }

  /** One request at a time: a collector that is slow gets larger batches, not more of them. */
  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#sendBatches().finally(() => {
      this.#sending = undefined
      if (this.#queue.length > 0 && !this.#isStopping) this.#timer ??= this.#later()
    })
  }

  async #sendBatches(): Promise<void> {
    do {
      const batch = this.#queue.splice(0, this.#settings.batchSpans)
      if (batch.length === 0) return
      const refused = await this.#sendOne(batch).catch((error: unknown) => {
        this.#complain('traces could not be exported', error)
        return batch.length
      })
      this.counts.dropped += refused
      this.counts.exported += batch.length - refused
    } while (this.#queue.length >= this.#settings.batchSpans || this.#isStopping)
  }

  /** Gives how many the collector refused. @throws when it took none of them */
  async #sendOne(batch: readonly Span[]): Promise<number> {
    const { endpoint, encoding, headers, compresses, timeoutMs } = this.#settings
    const plain = encoding === 'json' ? encodeJson(this.#resource, batch) : encodeProtobuf(this.#resource, batch)
    const untilMs = performance.now() + RETRY_FOR_MS
    for (let pauseMs = RETRY_FIRST_MS; ; pauseMs = Math.min(RETRY_MAX_MS, pauseMs * 2)) {
      let why: unknown
      let waitMs = pauseMs * (0.5 + Math.random() / 2)
      try {
        const response = await fetch(endpoint, {
          method: 'POST',
          headers: {
            ...headers,
            'content-type': encoding === 'json' ? 'application/json' : 'application/x-protobuf',
            ...(compresses ? { 'content-encoding': 'gzip' } : {}),
          },
          body: compresses ? Bun.gzipSync(plain) : plain,
          redirect: 'error',
          signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#stopping.signal]),
        })
        if (response.ok) return await this.#refusedOf(response)
        await response.body?.cancel()
        why = new Error(`the collector answered ${response.status}`)
        if (!RETRYABLE.has(response.status)) throw why
        waitMs = Math.max(waitMs, retryAfterMs(response))
      } catch (error) {
        if (error === why) throw error
        why = error
      }
      if (this.#isStopping || performance.now() + waitMs > untilMs) throw why
      await Promise.race([Bun.sleep(waitMs), aborted(this.#stopping.signal)])
    }
  }

  /** A collector may take a part: it then says how many it did not. Only JSON is read; protobuf's rare case counts as taken. */
  async #refusedOf(response: Response): Promise<number> {
    const isJson = response.headers.get('content-type')?.includes('json') === true
    const text = await response.text().catch(() => '')
    if (!isJson || text.length > ANSWER_BYTES) return 0
    try {
      const answer = JSON.parse(text) as { partialSuccess?: { rejectedSpans?: unknown; errorMessage?: unknown } }
      const refused = Number(answer.partialSuccess?.rejectedSpans ?? 0)
      if (refused > 0) this.#complain('the collector refused spans', answer.partialSuccess?.errorMessage)
      return Number.isSafeInteger(refused) && refused > 0 ? refused : 0
    } catch {
      return 0
    }
  }

  #complain(message: string, error: unknown): void {
    const nowMs = performance.now()
    if (nowMs - this.#complainedAtMs < COMPLAIN_EVERY_MS) return
    this.#complainedAtMs = nowMs
    this.#log.warn(message, { error, dropped: this.counts.dropped })
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#isStopping = true
    const timer = setTimeout(() => this.#stopping.abort(), deadlineMs)
    await this.#sending
    this.#send()
    await this.#sending
    clearTimeout(timer)
    this.counts.dropped += this.#queue.splice(0).length
  }
}

function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
