/** Turns a handler's answer into the response: headers, encoding, and the check that its operation declares it. */
import { textMade } from '../core/json-text.ts'
import { type AcceptEncoding, acceptsGzip, gzipped } from './encoding.ts'
import type { Answer, Operation, Success } from './operation.ts'
import { checkShape } from './shape.ts'

/** Tuned, in characters: compressing less takes as long as it saves. Answers with a secret beside a caller's text stay below it. */
const leastGzipped = 8_192

interface Asked {
  correlationId: string
  acceptEncoding: AcceptEncoding
}

export async function answerResponse(
  operation: Operation,
  answer: Answer,
  { correlationId, acceptEncoding }: Asked,
): Promise<Response> {
  const status = answer.status ?? operation.success[0].status
  const headers = new Headers(answer.headers)
  for (const cookie of answer.cookies ?? []) headers.append('set-cookie', cookie)
  // A strong ETag is weakened by proxies that compress, unless they are told not to.
  const caching = headers.has('etag') ? 'no-store, no-transform' : 'no-store'
  if (!headers.has('cache-control')) headers.set('cache-control', caching)
  if (answer.stream !== undefined) return finish(answer.stream, status, headers, correlationId)
  if (answer.body === undefined) return finish(null, status, headers, correlationId)
  if (!headers.has('content-type')) headers.set('content-type', 'application/json')
  const text = textMade(answer.body) ?? JSON.stringify(answer.body)
  // A strong ETag names one encoding's bytes, and If-Match compares it.
  if (text.length < leastGzipped || headers.has('etag') || !acceptsGzip(acceptEncoding)) {
    return finish(text, status, headers, correlationId)
  }
  headers.set('content-encoding', 'gzip')
  headers.set('vary', 'accept-encoding')
  return finish(await gzipped(text), status, headers, correlationId)
}

const noContent = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const bytesOfAnswers = new WeakMap<Response, number>()

/** How many bytes of an answer are in memory until its client has taken them: none of a stream. */
export function bytesOf(response: Response): number {
  return bytesOfAnswers.get(response) ?? 0
}

/** Sets what every answer of the interface has. */
export function finish(
  body: string | ReadableStream<Uint8Array> | Uint8Array | null,
  status: number,
  headers: Headers,
  correlationId: string,
): Response {
  headers.set('x-correlation-id', correlationId)
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'same-origin')
  headers.set('cross-origin-resource-policy', 'same-origin')
  headers.set('content-security-policy', noContent)
  // The type also allows bytes of a shared buffer, which could not be sent; nothing here has any.
  const response = new Response(body as BodyInit | null, { status, headers })
  if (typeof body === 'string') bytesOfAnswers.set(response, body.length)
  else if (body instanceof Uint8Array) bytesOfAnswers.set(response, body.byteLength)
  return response
}

/** @throws Error for an answer whose status or body the operation doesn't declare; it becomes a 500. */
export function requireDeclaredAnswer(operation: Operation, answer: Answer): void {
  const status = answer.status ?? operation.success[0].status
  const declared = operation.success.filter((one) => one.status === status)
  if (declared.length === 0) throw new Error(`${operation.id} answered ${status}, which it does not declare`)
  const findings = declared.map((one) => undeclared(one, answer))
  if (findings.every((one) => one !== undefined)) throw new Error(`${operation.id} answered ${status}: ${findings[0]}`)
}

function undeclared(declared: Success, answer: Answer): string | undefined {
  if (declared.schema === undefined) return answer.body === undefined ? undefined : 'a body where none is declared'
  if (answer.stream !== undefined) return 'a stream where a JSON body is declared'
  // Through JSON, as the client sees it: undefined members vanish, everything else must fit.
  const value: unknown = answer.body === undefined ? undefined : JSON.parse(JSON.stringify(answer.body))
  return checkShape(declared.schema, value, 'response')[0]?.message
}
