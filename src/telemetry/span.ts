import { epochMsNow } from '../core/clock.ts'
import { sha256Hex } from '../core/hash.ts'
import type { Attributes } from './resource.ts'

/** One operation of a trace, as OpenTelemetry sees it. Times are nanoseconds since 1970. */
export interface Span {
  /** 32 and 16 lower-case hexadecimal digits, not all zero. */
  traceId: string
  spanId: string
  parentSpanId?: string | undefined
  name: string
  kind: SpanKind
  startNs: bigint
  endNs: bigint
  attributes: Attributes
  /** What went wrong. With it, the span's status is an error. */
  error?: string | undefined
}

/** The numbers of opentelemetry.proto.trace.v1.Span.SpanKind. */
export const spanKind = { internal: 1, server: 2, producer: 4, consumer: 5 } as const
export type SpanKind = (typeof spanKind)[keyof typeof spanKind]

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/

/** The trace id derived from a correlation id: the same on every instance. */
export function traceIdOf(correlationId: string): string {
  const digits = correlationId.replaceAll('-', '')
  return TRACE_ID.test(digits) ? digits : sha256Hex(correlationId).slice(0, 32)
}

/** The span id of a whole execution: the random end of the execution's id, so that every instance derives the same. */
export function executionSpanId(executionId: string): string {
  const digits = executionId.replaceAll('-', '').slice(-16)
  return /^(?!0{16})[0-9a-f]{16}$/.test(digits) ? digits : sha256Hex(executionId).slice(0, 16)
}

export function newSpanId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  // The standard forbids an id of zeros alone, so the last bit is set.
  bytes.set([(bytes[7] ?? 0) | 1], 7)
  return Buffer.from(bytes).toString('hex')
}

/** Nanoseconds since 1970, to the microsecond. */
export function unixNow(): bigint {
  return BigInt(Math.round(epochMsNow() * 1e3)) * 1_000n
}
