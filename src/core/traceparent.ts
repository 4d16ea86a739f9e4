/** The place of work in a trace: W3C Trace Context, as far as Quire reads it. */
export interface SpanContext {
  /** 32 and 16 lower-case hexadecimal digits, not all zero. */
  traceId: string
  spanId: string
  /** Whether the caller records its trace. */
  isSampled: boolean
}

/** Version 00, and later ones that keep its form; ids of only zeros are invalid. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

/** @returns undefined if the header is invalid */
export function parseTraceparent(text: string | null | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** In version 00, with no flag but the one that it defines. */
export function formatTraceparent({ traceId, spanId, isSampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
