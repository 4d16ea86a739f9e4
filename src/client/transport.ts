/**
 * How the generated client (quire.ts) speaks to a Quire: no dependency, nothing but `fetch`, for Bun, Node and browsers.
 * With a token that is all; with a session it keeps, outside of browsers, the server's cookies, and everywhere the CSRF
 * token, and sends what every mutation needs.
 */
export interface ClientOptions {
  /** Where Quire serves, one of its configured origins: `http://127.0.0.1:8080`. */
  origin: string
  /** An API token, `qr_…`; without one, `login` opens a session. */
  token?: string
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

/** A refusal (RFC 9457). `code` is for programs, the message for people; `problem` holds all that was answered. */
export class QuireRefusal<Problem extends { code: string; detail: string }> extends Error {
  override readonly name = 'QuireRefusal'
  readonly code: Problem['code']

  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(`${problem.code}: ${problem.detail}`)
    this.code = problem.code
  }
}

export class Transport {
  readonly #cookies = new Map<string, string>()
  #csrfToken: string | undefined

  constructor(private readonly options: ClientOptions) {}

  /** The response of an operation, whatever its status: for streams. */
  async send(spec: OperationSpec, input: OperationInput = {}): Promise<Response> {
    const { origin, fetch: send = fetch } = this.options
    const credentials = this.options.token === undefined ? 'include' : 'omit'
    const init: RequestInit = { method: spec.method, headers: this.#headersFor(spec, input), credentials }
    if (input.signal !== undefined) init.signal = input.signal
    const body = bodyOf(spec, input)
    if (body !== undefined) init.body = body
    const response = await send(origin + addressOf(spec, input), init)
    // Browsers hide cookies from scripts and send them by themselves: nothing to keep here.
    for (const cookie of response.headers.getSetCookie?.() ?? []) {
      const [, name = '', value = ''] = /^([^=;]*)=([^;]*)/.exec(cookie) ?? []
      this.#cookies.set(name, value)
    }
    return response
  }

  /** The answer read as JSON or as bytes. @throws QuireRefusal for every status of 400 and above */
  async call(spec: OperationSpec, input: OperationInput = {}): Promise<Answer<unknown>> {
    const response = await this.send(spec, input)
    const type = response.headers.get('content-type') ?? ''
    const body: unknown = type.includes('json')
      ? await response.json()
      : type === ''
        ? undefined
        : new Uint8Array(await response.arrayBuffer())
    if (response.status >= 400) throw new QuireRefusal(response.status, problemOf(response.status, body))
    if (isSession(body)) this.#csrfToken = body.csrf_token
    return { status: response.status, headers: response.headers, body }
  }

  #headersFor(spec: OperationSpec, input: OperationInput): Record<string, string> {
    const { token } = this.options
    const headers: Record<string, string> = { ...input.headers }
    if (token !== undefined) headers.authorization = `Bearer ${token}`
    if (this.#cookies.size > 0) headers.cookie = [...this.#cookies].map((cookie) => cookie.join('=')).join('; ')
    if (spec.method !== 'GET') {
      if (token === undefined) headers.origin = this.options.origin
      if (this.#csrfToken !== undefined) headers['x-csrf-token'] = this.#csrfToken
      // A form's own type names its boundary, which only `fetch` knows.
      if (input.form === undefined) headers['content-type'] = (input.bytes && spec.fileType) ?? 'application/json'
    }
    if (spec.key === true) headers['idempotency-key'] = input.idempotencyKey ?? crypto.randomUUID()
    if (input.ifMatch !== undefined) headers['if-match'] = input.ifMatch
    if (input.ifNoneMatch !== undefined) headers['if-none-match'] = input.ifNoneMatch
    return headers
  }
}

function addressOf(spec: OperationSpec, { params = {}, query = {} }: OperationInput): string {
  const path = spec.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? path : `${path}?${search}`
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

/** A proxy may refuse with a body of its own. */
function problemOf(status: number, body: unknown): { code: string; detail: string } {
  if (typeof body === 'object' && body !== null && 'code' in body && 'detail' in body) {
    const { code, detail } = body
    if (typeof code === 'string' && typeof detail === 'string') return { ...body, code, detail }
  }
  return { code: 'unknown', detail: `The answer was ${status}, without a problem in it.` }
}
