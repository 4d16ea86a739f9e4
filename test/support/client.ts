import { undescribed } from './described.ts'
import { askedLessOften, patienceMs, until } from './until.ts'

/** A browser's part of the API, small: keeps the cookie and the CSRF token, and sends what every mutation needs. */
export interface ApiAnswer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers field by field
  body: any
}

export class ApiClient {
  #cookie = ''
  #csrfToken = ''

  /** @param isChecking whether answers are held against /openapi.json, which takes the caller's time and so has no place in benches */
  constructor(
    readonly origin: string,
    private readonly isChecking = true,
  ) {}

  /** The headers that carry its session, for tests that speak HTTP themselves. */
  get session(): Record<string, string> {
    return {
      ...(this.#cookie === '' ? {} : { cookie: this.#cookie }),
      ...(this.#csrfToken === '' ? {} : { 'x-csrf-token': this.#csrfToken }),
    }
  }

  async login(username: string, password: string): Promise<ApiAnswer> {
    const answer = await this.post('/api/v1/auth/login', { username, password })
    this.#cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    this.#csrfToken = answer.body?.csrf_token ?? ''
    return answer
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.send('GET', path, undefined, headers)
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.send('POST', path, body, headers)
  }

  async send(method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    const response = await this.raw(method, path, body, headers)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }

  /**
   * The response itself, for bytes and streams.
   * @throws for an answer that the service's own /openapi.json does not describe
   */
  async raw(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const mutation = method === 'GET' ? {} : { origin: this.origin, 'content-type': 'application/json' }
    const response = await fetch(this.origin + path, {
      method,
      headers: {
        ...mutation,
        ...this.session,
        ...headers,
      },
      ...(body === undefined ? {} : { body: body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body) }),
    })
    const fault = this.isChecking ? await undescribed(this.origin, method, path, response) : undefined
    if (fault !== undefined) throw new Error(`not as /openapi.json says: ${fault}`)
    return response
  }
}

/** Reads an execution until it has ended. @throws after `timeoutMs` */
export async function untilEnded(
  client: ApiClient,
  executionId: string,
  timeoutMs = patienceMs(),
): Promise<ApiAnswer['body']> {
  let last: ApiAnswer['body']
  const ended = async () => {
    last = (await client.get(`/api/v1/executions/${executionId}`)).body
    return last.status === 'completed' || last.status === 'failed'
  }
  await until(`execution ${executionId} ends`, ended, timeoutMs, askedLessOften).catch((cause: Error) => {
    throw new Error(`${cause.message}; it is ${last?.status}: ${JSON.stringify(last?.steps)}`, { cause })
  })
  return last
}
