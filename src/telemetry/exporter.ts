import type { Log } from '../core/log.ts'
import { spansAsJson, spansAsProtobuf } from './otlp.spans.ts'
import { type OtlpSender, openSender } from './sender.ts'
import type { TraceSettings } from './settings.ts'
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

export function startExporter(settings: TraceSettings, log: Log): SpanExporter {
  return new BatchExporter(settings, log)
}

class BatchExporter implements SpanExporter {
  readonly counts: ExportCounts = { exported: 0, dropped: 0 }
  readonly #settings: TraceSettings
  readonly #sender: OtlpSender
  #queue: Span[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | undefined
  #isStopping = false

  constructor(settings: TraceSettings, log: Log) {
    this.#settings = settings
    this.#sender = openSender(settings, 'rejectedSpans', log.with({ component: 'telemetry' }))
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
    const { encoding, resource, batchSpans } = this.#settings
    const encode = encoding === 'json' ? spansAsJson : spansAsProtobuf
    do {
      const batch = this.#queue.splice(0, batchSpans)
      if (batch.length === 0) return
      const refused = await this.#sender.post(encode(resource, batch), RETRY_FOR_MS).catch((error: unknown) => {
        this.#sender.complain('traces could not be exported', { error, dropped: this.counts.dropped })
        return batch.length
      })
      this.counts.dropped += refused
      this.counts.exported += batch.length - refused
    } while (this.#queue.length >= batchSpans || this.#isStopping)
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#isStopping = true
    this.#sender.finish()
    const timer = setTimeout(() => this.#sender.abort(), deadlineMs)
    await this.#sending
    this.#send()
    await this.#sending
    clearTimeout(timer)
    this.counts.dropped += this.#queue.splice(0).length
  }
}
