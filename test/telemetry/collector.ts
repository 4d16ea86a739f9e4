import { onTestsEnd } from '../support/cleanup.ts'

/**
 * A collector that takes OTLP/HTTP on a loopback port, and reads both encodings by the published names and numbers of
 * opentelemetry-proto 1 (trace/v1/trace.proto), on its own: nothing here comes from the code that writes them.
 */
export interface ReadSpan {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  kind: number
  startNs: bigint
  endNs: bigint
  attributes: Record<string, unknown>
  status: { code: number; message: string }
  resource: Record<string, unknown>
  scope: string
}

export interface Collector {
  url: string
  spans: ReadSpan[]
  requests: { path: string; headers: Headers; count: number }[]
  /** What it answers the next requests with, in order; then 200 again. */
  answers: (() => Response | Promise<Response>)[]
}

export function startCollector(): Collector {
  const collector: Collector = { url: '', spans: [], requests: [], answers: [] }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const sent = new Uint8Array(await request.arrayBuffer())
      const body = request.headers.get('content-encoding') === 'gzip' ? Bun.gunzipSync(sent) : sent
      const isJson = request.headers.get('content-type') === 'application/json'
      const spans = isJson ? readJson(new TextDecoder().decode(body)) : readProtobuf(body)
      collector.requests.push({ path: new URL(request.url).pathname, headers: request.headers, count: spans.length })
      const answer = collector.answers.shift()
      if (answer !== undefined) {
        const response = await answer()
        if (response.ok) collector.spans.push(...spans)
        return response
      }
      collector.spans.push(...spans)
      return isJson
        ? Response.json({})
        : new Response(new Uint8Array(), { headers: { 'content-type': 'application/x-protobuf' } })
    },
  })
  onTestsEnd(() => server.stop(true))
  collector.url = `http://127.0.0.1:${server.port}`
  return collector
}

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire has whatever shape it has
type Wire = any

/** Refuses a member that the published message doesn't have: a collector would drop it in silence. */
function only(value: Wire, ...names: string[]): Wire {
  for (const name of Object.keys(value)) if (!names.includes(name)) throw new Error(`there is no member ${name}`)
  return value
}

function readJson(text: string): ReadSpan[] {
  const request = only(JSON.parse(text), 'resourceSpans')
  return request.resourceSpans.flatMap((group: Wire) => {
    only(group, 'resource', 'scopeSpans', 'schemaUrl')
    const resource = jsonAttributes(only(group.resource, 'attributes', 'droppedAttributesCount').attributes)
    return group.scopeSpans.flatMap((scoped: Wire) => {
      only(scoped, 'scope', 'spans', 'schemaUrl')
      return scoped.spans.map((span: Wire): ReadSpan => {
        only(
          span,
          ...['traceId', 'spanId', 'parentSpanId', 'name', 'kind', 'attributes', 'status'],
          ...['startTimeUnixNano', 'endTimeUnixNano'],
        )
        for (const time of [span.startTimeUnixNano, span.endTimeUnixNano])
          if (typeof time !== 'string') throw new Error('64 bits are text')
        return {
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId ?? '',
          name: span.name,
          kind: span.kind,
          startNs: BigInt(span.startTimeUnixNano),
          endNs: BigInt(span.endTimeUnixNano),
          attributes: jsonAttributes(span.attributes),
          status: { code: span.status?.code ?? 0, message: only(span.status ?? {}, 'code', 'message').message ?? '' },
          resource,
          scope: only(scoped.scope, 'name', 'version').name,
        }
      })
    })
  })
}

function jsonAttributes(list: Wire[]): Record<string, unknown> {
  return Object.fromEntries(
    list.map((one) => {
      const { stringValue, boolValue, intValue, doubleValue } = only(
        only(one, 'key', 'value').value,
        ...['stringValue', 'boolValue', 'intValue', 'doubleValue'],
      )
      if (intValue !== undefined && typeof intValue !== 'string') throw new Error('64 bits are text')
      return [one.key, stringValue ?? boolValue ?? (intValue === undefined ? doubleValue : Number(intValue))]
    }),
  )
}

type Field = { number: number; value: bigint | Uint8Array }

function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error('a number is cut off')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const number = tag >> 3
    if ((tag & 7) === 0) fields.push({ number, value: varint() })
    else if ((tag & 7) === 1) {
      fields.push({ number, value: view.getBigUint64(at, true) })
      at += 8
    } else if ((tag & 7) === 2) {
      const length = Number(varint())
      if (at + length > bytes.length) throw new Error('a field is cut off')
      fields.push({ number, value: bytes.subarray(at, at + length) })
      at += length
    } else throw new Error(`wire type ${tag & 7} is not used by these messages`)
  }
  return fields
}

function messagesOf(fields: readonly Field[], number: number): Field[][] {
  return fields.filter((field) => field.number === number).map(({ value }) => readFields(value as Uint8Array))
}

function one<T>(fields: readonly Field[], number: number): T | undefined {
  return fields.find((field) => field.number === number)?.value as T | undefined
}

const textOf = (bytes: Uint8Array | undefined) =>
  new TextDecoder('utf-8', { fatal: true }).decode(bytes ?? new Uint8Array())
const hexOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex')

function readProtobuf(bytes: Uint8Array): ReadSpan[] {
  return messagesOf(readFields(bytes), 1).flatMap((resourceSpans) => {
    const resource = protobufAttributes(messagesOf(resourceSpans, 1)[0]!, 1)
    return messagesOf(resourceSpans, 2).flatMap((scopeSpans) => {
      const scope = textOf(one<Uint8Array>(messagesOf(scopeSpans, 1)[0]!, 1))
      return messagesOf(scopeSpans, 2).map((span): ReadSpan => {
        const status = messagesOf(span, 15)[0] ?? []
        return {
          traceId: hexOf(one(span, 1)),
          spanId: hexOf(one(span, 2)),
          parentSpanId: hexOf(one(span, 4)),
          name: textOf(one(span, 5)),
          kind: Number(one<bigint>(span, 6)),
          startNs: one<bigint>(span, 7)!,
          endNs: one<bigint>(span, 8)!,
          attributes: protobufAttributes(span, 9),
          status: { code: Number(one<bigint>(status, 3) ?? 0n), message: textOf(one(status, 2)) },
          resource,
          scope,
        }
      })
    })
  })
}

function protobufAttributes(fields: readonly Field[], number: number): Record<string, unknown> {
  return Object.fromEntries(
    messagesOf(fields, number).map((pair) => {
      const [value] = messagesOf(pair, 2)[0]!
      const { number: kind, value: given } = value!
      if (kind === 1) return [textOf(one(pair, 1)), textOf(given as Uint8Array)]
      if (kind === 2) return [textOf(one(pair, 1)), given === 1n]
      if (kind === 3) return [textOf(one(pair, 1)), Number(BigInt.asIntN(64, given as bigint))]
      if (kind !== 4) throw new Error(`there is no value of kind ${kind}`)
      const bits = new DataView(new ArrayBuffer(8))
      bits.setBigUint64(0, given as bigint)
      return [textOf(one(pair, 1)), bits.getFloat64(0)]
    }),
  )
}
