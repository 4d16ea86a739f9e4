import { bytesField, fixed64Field, message, textField, varintField } from './protobuf.ts'
import { attributeFields, jsonAttributes, protobufRequest, type Resource } from './resource.ts'
import type { Span } from './span.ts'

/**
 * Spans as the request body of OTLP/HTTP (opentelemetry-proto 1, ExportTraceServiceRequest), in its two encodings. JSON
 * takes ids in hexadecimal, 64-bit integers as text and enumerations as numbers; protobuf is written by field numbers.
 */

/** The number of Status.StatusCode for an error. */
const STATUS_ERROR = 2

export function spansAsJson({ attributes, scope }: Resource, spans: readonly Span[]): Uint8Array<ArrayBuffer> {
  const request = {
    resourceSpans: [
      {
        resource: { attributes: jsonAttributes(attributes) },
        scopeSpans: [
          {
            scope,
            spans: spans.map((span) => ({
              traceId: span.traceId,
              spanId: span.spanId,
              ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
              name: span.name,
              kind: span.kind,
              startTimeUnixNano: String(span.startNs),
              endTimeUnixNano: String(span.endNs),
              attributes: jsonAttributes(span.attributes),
              ...(span.error === undefined ? {} : { status: { code: STATUS_ERROR, message: span.error } }),
            })),
          },
        ],
      },
    ],
  }
  return new TextEncoder().encode(JSON.stringify(request))
}

export function spansAsProtobuf(resource: Resource, spans: readonly Span[]): Uint8Array<ArrayBuffer> {
  return protobufRequest(resource, spans.map(spanMessage))
}

function spanMessage(span: Span): Uint8Array<ArrayBuffer> {
  return message(
    bytesField(1, Buffer.from(span.traceId, 'hex')),
    bytesField(2, Buffer.from(span.spanId, 'hex')),
    ...(span.parentSpanId === undefined ? [] : [bytesField(4, Buffer.from(span.parentSpanId, 'hex'))]),
    textField(5, span.name),
    varintField(6, BigInt(span.kind)),
    fixed64Field(7, span.startNs),
    fixed64Field(8, span.endNs),
    ...attributeFields(9, span.attributes),
    ...(span.error === undefined
      ? []
      : [bytesField(15, message(textField(2, span.error), varintField(3, BigInt(STATUS_ERROR))))]),
  )
}
