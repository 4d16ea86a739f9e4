import { sha256Hex } from '../core/hash.ts'
import type { Attributes } from './resource.ts'

/** One operation as OpenTelemetry sees it: a node of a trace. Times are nanoseconds since 1970. */
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
  /** What went wrong; the span's status is an error when it is there. */
  error?: string | undefined
}

/** The numbers of opentelemetry.proto.trace.v1.Span.SpanKind. */
export const spanKind = { internal: 1, server: 2, producer: 4, consumer: 5 } as const
export type SpanKind = (typeof spanKind)[keyof typeof spanKind]

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/

/** The trace that a correlation id stands for when nothing else is known of it, the same on every instance. */
export function traceIdOf(correlationId: string): string {
  const digits = correlationId.replaceAll('-', '')
  return TRACE_ID.test(digits) ? digits : sha256Hex(correlationId).slice(0, 32)
}

/** The span that stands for an execution as a whole, the same on every instance: the random end of its id. */
export function executionSpanId(executionId: string): string {
  const digits = executionId.replaceAll('-', '').slice(-16)
  return /^(?!0{16})[0-9a-f]{16}$/.test(digits) ? digits : sha256Hex(executionId).slice(0, 16)
}

export function newSpanId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  // The last bit keeps it from being all zero.
  bytes[7]! |= 1
  return Buffer.from(bytes).toString('hex')
}

/** Nanoseconds since 1970, to the microsecond. */
export function unixNow(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e3)) * 1_000n
}
