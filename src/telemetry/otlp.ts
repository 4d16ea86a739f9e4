import type { Attributes, Span } from './span.ts'

/**
 * Spans as the request body of OTLP/HTTP (opentelemetry-proto 1, ExportTraceServiceRequest), in its two encodings. JSON
 * takes ids in hexadecimal, 64-bit integers as text and enumerations as numbers; protobuf is written by field numbers.
 */
export interface Resource {
  attributes: Attributes
  /** Who made the spans: the instrumentation scope. */
  scope: { name: string; version: string }
}

/** The number of Status.StatusCode for an error. */
const STATUS_ERROR = 2

export function encodeJson({ attributes, scope }: Resource, spans: readonly Span[]): Uint8Array<ArrayBuffer> {
  const request = {
    resourceSpans: [
      {
        resource: { attributes: keyValues(attributes) },
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
              attributes: keyValues(span.attributes),
              ...(span.error === undefined ? {} : { status: { code: STATUS_ERROR, message: span.error } }),
            })),
          },
        ],
      },
    ],
  }
  return new TextEncoder().encode(JSON.stringify(request))
}

function keyValues(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))
}

function anyValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

export function encodeProtobuf({ attributes, scope }: Resource, spans: readonly Span[]): Uint8Array<ArrayBuffer> {
  const scopeSpans = message(
    bytesField(1, message(textField(1, scope.name), textField(2, scope.version))),
    ...spans.map((span) => bytesField(2, spanMessage(span))),
  )
  const resourceSpans = message(bytesField(1, message(...attributeFields(1, attributes))), bytesField(2, scopeSpans))
  return message(bytesField(1, resourceSpans))
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

function attributeFields(field: number, attributes: Attributes): Uint8Array[] {
  return Object.entries(attributes).map(([key, value]) =>
    bytesField(field, message(textField(1, key), bytesField(2, valueMessage(value)))),
  )
}

function valueMessage(value: string | number | boolean): Uint8Array {
  if (typeof value === 'string') return textField(1, value)
  if (typeof value === 'boolean') return varintField(2, value ? 1n : 0n)
  if (Number.isSafeInteger(value)) return varintField(3, BigInt(value))
  const bytes = new Uint8Array(9)
  bytes[0] = (4 << 3) | 1
  new DataView(bytes.buffer).setFloat64(1, value, true)
  return bytes
}

function message(...fields: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(fields))
}

function textField(field: number, text: string): Uint8Array {
  return bytesField(field, new TextEncoder().encode(text))
}

function bytesField(field: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([varint(BigInt((field << 3) | 2)), varint(BigInt(bytes.length)), bytes])
}

function varintField(field: number, value: bigint): Uint8Array {
  return Buffer.concat([varint(BigInt(field << 3)), varint(value)])
}

function fixed64Field(field: number, value: bigint): Uint8Array {
  const bytes = new Uint8Array(9)
  bytes[0] = (field << 3) | 1
  new DataView(bytes.buffer).setBigUint64(1, value, true)
  return bytes
}

/** Negative numbers take ten bytes, as 64-bit two's complement. */
function varint(value: bigint): Uint8Array {
  const bytes: number[] = []
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    if (rest < 0x80n) {
      bytes.push(Number(rest))
      return Uint8Array.from(bytes)
    }
    bytes.push(Number(rest & 0x7fn) | 0x80)
  }
}
