import { SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import type { Resource as SdkResource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { hrTimeOf } from './otlp.time.ts'
import type { Resource } from './resource.ts'
import { type Span, spanKind } from './span.ts'

/** One of our spans in the form that OpenTelemetry's packages read: sampled, and exported only here. */
export function readableSpan(span: Span, scope: Resource['scope'], resource: SdkResource): ReadableSpan {
  const { traceId, spanId, parentSpanId } = span
  const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED }
  return {
    name: span.name,
    // Their numbers count from 0 at `internal`; those of the wire keep 0 for "unspecified".
    kind: span.kind - spanKind.internal,
    spanContext: () => context,
    ...(parentSpanId === undefined ? {} : { parentSpanContext: { ...context, spanId: parentSpanId } }),
    startTime: hrTimeOf(span.startNs),
    endTime: hrTimeOf(span.endNs),
    duration: hrTimeOf(span.endNs - span.startNs),
    ended: true,
    status:
      span.error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: span.error },
    attributes: span.attributes,
    links: [],
    events: [],
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}
