/**
 * The transport of the generated client (quire.ts): no dependency, nothing but `fetch`, for Bun, Node and browsers. With
 * a session it also keeps the CSRF token and, outside of browsers, the server's cookies, and sends what every mutation
 * needs. Requests that can be repeated without harm are, by the rules of retries.ts.
 */
import { QuireRefusal, QuireUnreachable } from './errors.ts'
import type { AnyProblem } from './problems.ts'
import { bytesOf, longestAnswerBytes, longestProblemBytes, UnusableAnswer } from './reading.ts'
import {
  isPassing,
  isRepeatable,
  noRetries,
  pause,
  type RetryRules,
  retryAfterMs,
  usualRetries,
  waitAfter,
} from './retries.ts'

export interface ClientOptions {
  /** Where Quire serves, one of its configured origins: `http://127.0.0.1:8080`. */
  origin: string
  /** An API token, `qr_…`, or a function that gives one for each request; without it, `login` opens a session. */
  token?: string | (() => string | Promise<string>) | undefined
  /** Over the usual ones (5 attempts, from 0.25 s to 30 s apart); false sends everything once. */
  retries?: Partial<RetryRules> | false
  /** Milliseconds that one attempt may take until its answer is there, or its stream begins; 60 s unless given. */
  attemptMs?: number
  /** Called with the reason when attempts begin to fail, and with undefined when one is answered again. */
  onTrouble?: ((trouble: Error | undefined) => void) | undefined
  /** Replaces the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** What a request for one operation is built from. */
export interface OperationSpec {
  method: string
  /** `{name}` is one path parameter. */
  path: string
  /** Whether an Idempotency-Key is sent; without one given, a new one is made. */
  key?: boolean
  /** The media type of `bytes`, and of the part `file` of `form`. */
  fileType?: string
}

/** Whatever the operations take; each method's own type says what it wants. */
export interface OperationInput {
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Sent as JSON. */
  body?: unknown
  /** Sent as multipart/form-data. */
  form?: Readonly<Record<string, string | Blob | Uint8Array<ArrayBuffer>>>
  /** Sent unchanged. */
  bytes?: Blob | Uint8Array<ArrayBuffer>
  /** Give the same one again to repeat a request whose answer was lost. */
  idempotencyKey?: string
  /** A revision tag as an `etag` header gave it: `"3"`. */
  ifMatch?: string
  ifNoneMatch?: '*'
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

export interface Answer<Body> {
  status: number
  headers: Headers
  body: Body
}

/** What a stream's bytes are, and where they come from. */
export interface StreamAnswer extends Answer<ReadableStream<Uint8Array>> {}

export class Transport {
  readonly #origin: string
  readonly #rules: RetryRules
  readonly #cookies = new Map<string, string>()
  #csrfToken: string | undefined
  #isTroubled = false

  /** @throws TypeError for an invalid origin */
  constructor(private readonly options: ClientOptions) {
    this.#origin = originOf(options.origin)
    this.#rules = options.retries === false ? noRetries : { ...usualRetries, ...options.retries }
  }

  /**
   * The response of an operation, whatever its status: for streams.
   *
   * @throws QuireUnreachable; the signal's reason
   */
  send(spec: OperationSpec, input: OperationInput = {}): Promise<Response> {
    return this.#repeat(spec, input, async (response) => response)
  }

  /**
   * The answer read as JSON or as bytes.
   *
   * @throws QuireRefusal for every status of 400 and above; QuireUnreachable; the signal's reason
   */
  async call(spec: OperationSpec, input: OperationInput = {}): Promise<Answer<unknown>> {
    const answer = await this.#repeat(spec, input, async (response) => {
      const { status, headers } = response
      return { status, headers, body: await bodyRead(response) }
    })
    if (answer.status >= 400) throw refusalOf(answer)
    if (isSession(answer.body)) this.#csrfToken = answer.body.csrf_token
    return answer
  }

  /**
   * The answer's bytes as they come.
   *
   * @throws as `call` does, until the stream begins
   */
  async stream(spec: OperationSpec, input: OperationInput = {}): Promise<StreamAnswer> {
    // A refusal is read within the attempt's time: of one that never ends the status is enough.
    const answer = await this.#repeat(spec, input, async (response) =>
      response.status < 400 ? response : refusalFrom(response),
    )
    if (answer instanceof QuireRefusal) throw answer
    const { status, headers, body } = answer
    return { status, headers, body: body ?? new Blob([]).stream() }
  }

  /** Sends a request until it is answered for good, each time with the same Idempotency-Key. */
  async #repeat<T>(spec: OperationSpec, input: OperationInput, read: (response: Response) => Promise<T>): Promise<T> {
    const { signal } = input
    const address = this.#origin + addressOf(spec, input)
    const key = spec.key === true ? (input.idempotencyKey ?? newKey()) : undefined
    const rules = isRepeatable(spec) ? this.#rules : noRetries
    for (let attempt = 1; ; attempt++) {
      const keyed = { ...input, ...(key === undefined ? {} : { idempotencyKey: key }) }
      const outcome = await this.#attempt(spec, address, keyed, read)
      signal?.throwIfAborted()
      this.#tell(outcome)
      const askedMs = outcome.response && retryAfterMs(outcome.response.headers, Date.now())
      const isFinal = 'value' in outcome ? !isPassing(outcome.response) : outcome.error instanceof UnusableAnswer
      const waitMs = isFinal ? undefined : waitAfter(attempt, rules, askedMs, Math.random())
      if (waitMs !== undefined) {
        if (outcome.response?.bodyUsed === false) await outcome.response.body?.cancel().catch(() => {})
        await pause(waitMs, signal)
      } else if ('value' in outcome) {
        return outcome.value
      } else {
        throw new QuireUnreachable(`${spec.method} ${address}`, attempt, outcome.error)
      }
    }
  }

  /** Once for all attempts that fail in a row, whatever they were for. */
  #tell(outcome: { response?: Response; error?: unknown }): void {
    const { onTrouble } = this.options
    const { response, error } = outcome
    const isTroubled = 'error' in outcome || (response !== undefined && isPassing(response))
    if (isTroubled === this.#isTroubled) return
    this.#isTroubled = isTroubled
    const trouble = error instanceof Error ? error : new Error(`the answer was ${response?.status ?? String(error)}`)
    onTrouble?.(isTroubled ? trouble : undefined)
  }

  async #attempt<T>(
    spec: OperationSpec,
    address: string,
    input: OperationInput,
    read: (response: Response) => Promise<T>,
  ): Promise<{ response: Response; value: T } | { response?: Response; error: unknown }> {
    const { attemptMs = usualAttemptMs, fetch: send = fetch, token } = this.options
    const bearer = await tokenOf(token)
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${attemptMs} ms`)), attemptMs)
    let response: Response | undefined
    try {
      const init: RequestInit = {
        method: spec.method,
        headers: this.#headersFor(spec, input, bearer),
        credentials: token === undefined ? 'include' : 'omit',
        // A redirected POST would become a GET, and a token would go to a host that nobody named.
        redirect: 'manual',
        signal: input.signal === undefined ? late.signal : AbortSignal.any([input.signal, late.signal]),
      }
      const body = bodyOf(spec, input)
      if (body !== undefined) init.body = body
      response = await send(address, init)
      if (isRedirect(response)) throw new UnusableAnswer(redirected(response))
      // Browsers hide cookies from scripts and send them by themselves: nothing to keep here.
      for (const cookie of response.headers.getSetCookie?.() ?? []) {
        const [, name = '', value = ''] = /^([^=;]*)=([^;]*)/.exec(cookie) ?? []
        this.#cookies.set(name, value)
      }
      return { response, value: await read(response) }
    } catch (error) {
      return {
        ...(response === undefined ? {} : { response }),
        error: late.signal.aborted ? late.signal.reason : error,
      }
    } finally {
      clearTimeout(timer)
    }
  }

  #headersFor(spec: OperationSpec, input: OperationInput, token: string | undefined): Record<string, string> {
    const headers: Record<string, string> = { ...input.headers }
    if (token !== undefined) headers.authorization = `Bearer ${token}`
    if (this.#cookies.size > 0) headers.cookie = [...this.#cookies].map((cookie) => cookie.join('=')).join('; ')
    if (spec.method !== 'GET') {
      if (token === undefined) headers.origin = this.#origin
      if (this.#csrfToken !== undefined) headers['x-csrf-token'] = this.#csrfToken
      // A form's own type names its boundary, which only `fetch` knows.
      if (input.form === undefined) headers['content-type'] = (input.bytes && spec.fileType) ?? 'application/json'
    }
    if (spec.key === true && input.idempotencyKey !== undefined) headers['idempotency-key'] = input.idempotencyKey
    if (input.ifMatch !== undefined) headers['if-match'] = input.ifMatch
    if (input.ifNoneMatch !== undefined) headers['if-none-match'] = input.ifNoneMatch
    return headers
  }
}

function addressOf(spec: OperationSpec, { params = {}, query = {} }: OperationInput): string {
  const path = spec.path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, params[name]))
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? path : `${path}?${search}`
}

/** @throws TypeError for `.`, `..` and an empty text: URLs drop such segments, and would lead to another operation */
function segmentOf(name: string, value: string | number | undefined): string {
  const text = String(value)
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text)
  throw new TypeError(`params.${name} must be an id or a name; it is "${text}"`)
}

function bodyOf(spec: OperationSpec, { body, form, bytes }: OperationInput): BodyInit | undefined {
  if (bytes !== undefined) return bytes
  if (form === undefined) return body === undefined ? undefined : JSON.stringify(body)
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === 'string') data.set(name, value)
    else data.set(name, new Blob([value], { type: spec.fileType ?? '' }), name)
  }
  return data
}

function isSession(body: unknown): body is { csrf_token: string } {
  return typeof body === 'object' && body !== null && 'csrf_token' in body && typeof body.csrf_token === 'string'
}

/** Milliseconds: more than the server takes over anything but a stream. */
const usualAttemptMs = 60_000

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.pathname + url.search + url.hash === '/'
  if (isOrigin && url.username + url.password === '') return url.origin
  throw new TypeError(`origin must be an address such as https://quire.example.com, without a path; it is "${text}"`)
}

/** Files and variables often bring a line's end along. */
async function tokenOf(token: ClientOptions['token']): Promise<string | undefined> {
  const given = typeof token === 'function' ? await token() : token
  return given?.trim()
}

/** A random UUID; `crypto.randomUUID` is only there on https and on localhost. */
function newKey(): string {
  const digits = [...crypto.getRandomValues(new Uint8Array(16))].map((byte, at) => {
    const value = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte
    return value.toString(16).padStart(2, '0')
  })
  return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status)
}

function redirected({ headers }: Response): string {
  const target = headers.get('location')
  return `the origin redirects${target === null ? '' : ` to ${target}`}; give the one where Quire serves`
}

async function bodyRead(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  // No operation answers with a page: it is a proxy's, or a sign-in's.
  if (response.status < 400 && /^text\/html\b/i.test(type)) {
    void response.body?.cancel().catch(() => {})
    throw new UnusableAnswer(`a page of HTML came in place of Quire's answer${inBetween}`)
  }
  const bytes = await bytesOf(response, response.status < 400 ? longestAnswerBytes : longestProblemBytes)
  if (type.includes('json')) return jsonOf(bytes)
  return type === '' ? undefined : bytes
}

const inBetween = '; see whether something in between, such as a proxy, gives it'

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    throw new Error('the answer is broken off, or no JSON', { cause: error })
  }
}

/** What a response of 400 and above says. */
async function refusalFrom(response: Response): Promise<QuireRefusal> {
  const { status, headers } = response
  // A body that can't be read says nothing; the error says so.
  return refusalOf({ status, headers, body: await bodyRead(response).catch(() => undefined) })
}

function refusalOf({ status, headers, body }: Answer<unknown>): QuireRefusal {
  const askedMs = retryAfterMs(headers, Date.now())
  return new QuireRefusal(status, problemOf(status, body), {
    correlationId: headers.get('x-correlation-id') ?? '',
    ...(askedMs === undefined ? {} : { retryAfterMs: askedMs }),
  })
}

function isIssue(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
}

/** A proxy may refuse with a body of its own. */
function problemOf(status: number, body: unknown): AnyProblem {
  if (typeof body === 'object' && body !== null && 'code' in body && 'detail' in body) {
    const { code, detail } = body
    const errors = 'errors' in body ? body.errors : []
    // What a Quire answers is what its description says.
    const isProblem = typeof code === 'string' && typeof detail === 'string'
    if (isProblem && Array.isArray(errors) && errors.every(isIssue)) return body as AnyProblem
  }
  return { code: 'unknown', detail: `The answer was ${status}, without a problem in it${inBetween}.`, status }
}
