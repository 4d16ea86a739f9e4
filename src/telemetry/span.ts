import { sha256Hex } from '../core/hash.ts'

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

export type Attributes = Readonly<Record<string, string | number | boolean>>

/** The numbers of opentelemetry.proto.trace.v1.Span.SpanKind. */
export const spanKind = { internal: 1, server: 2, producer: 4, consumer: 5 } as const
export type SpanKind = (typeof spanKind)[keyof typeof spanKind]

/** Where a span hangs: its trace, itself, and whether its trace is recorded. */
export interface SpanContext {
  traceId: string
  spanId: string
  isSampled: boolean
}

/** W3C Trace Context, version 00 and those after it that keep its form. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

export function parseTraceParent(header: string | null): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(header ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

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
