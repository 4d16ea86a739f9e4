/**
 * Calls of the HTTP interface. Views need not care about three things: every mutation carries the CSRF token; every error becomes
 * an `ApiProblem`; and where a session ran out, or a password is asked for again, the call waits for the person and is then
 * repeated, so that nothing typed is lost.
 */
import { newUuid } from '../uuid.ts'
import { ApiProblem, problemOf, unreachable } from './problem.ts'

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON; a form as multipart, a blob as it is; left out, nothing is sent. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
  /** False for a call that is pointless without the present session: it fails instead of asking to sign in again. */
  renews?: boolean
  /** True for a call that goes on when the page is left; browsers take 64 KiB of them. */
  outlives?: boolean
  /** True for a call that the server may refuse until the password is given again; the call then asks for it. */
  confirms?: boolean
}

/** What the session module provides: the token, and the ways to a new session. */
export interface SessionSource {
  csrfToken(): string | undefined
  /** Resolves once there is a valid session again; rejects when there will be none. Undefined: there never was one. */
  renew: (() => Promise<void>) | undefined
  /** Resolves once the person has given the password again; rejects when they don't. */
  confirm: (() => Promise<void>) | undefined
  /** Reads the session again: another tab may have signed in and so changed the token. */
  refresh(): Promise<void>
}

let source: SessionSource = {
  csrfToken: () => undefined,
  renew: undefined,
  confirm: undefined,
  refresh: async () => {},
}

export function useSessionSource(given: SessionSource): void {
  source = given
}

/** Calls and reads the JSON answer; undefined for an empty one. Throws only `ApiProblem` and the signal's reason. */
export async function call<T>(path: string, options: Call = {}): Promise<T> {
  const response = await answer(path, options)
  const text = await read(() => response.text(), options.signal)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** The answer as it came, whatever its status. Throws only where none came: an `ApiProblem`, or the signal's reason. */
export async function ask(path: string, options: Call): Promise<Response> {
  const response = await send(path, options)
  noteClock(response)
  return response
}

/** Calls under a new idempotency key: one click, one effect. */
export function mutate<T>(path: string, options: Call): Promise<T> {
  const headers = { ...options.headers, 'idempotency-key': newIdempotencyKey() }
  return call<T>(path, { ...options, headers })
}

/** Calls and reads the answer's bytes. Throws as `call` does. */
export async function callForBlob(path: string, options: Call = {}): Promise<Blob> {
  const response = await answer(path, options)
  return read(() => response.blob(), options.signal)
}

async function answer(path: string, options: Call): Promise<Response> {
  const mayRenew = options.renews ?? true
  let renewed = false
  let confirmed = options.confirms !== true
  let refreshed = false
  for (;;) {
    const response = await send(path, options)
    noteClock(response)
    if (response.ok) return response
    const problem = await problemOf(response)
    if (problem.code === 'authentication_required' && mayRenew && source.renew !== undefined && !renewed) {
      renewed = true
      await source.renew()
    } else if (problem.code === 'forbidden' && source.confirm !== undefined && !confirmed) {
      confirmed = true
      await source.confirm()
    } else if (problem.code === 'csrf_rejected' && !refreshed) {
      refreshed = true
      await source.refresh()
    } else throw problem
  }
}

/** How far the server's clock is ahead. Less than two seconds count as none, since the Date header has whole seconds only. */
let aheadMs = 0
const agreeingMs = 2_000

function noteClock(response: Response): void {
  const told = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(told)) return
  const difference = told - Date.now()
  aheadMs = Math.abs(difference) < agreeingMs ? 0 : difference
}

/** The present by the server's clock, as of its last answer: the server decides about instants. */
export function serverNow(): Date {
  return new Date(Date.now() + aheadMs)
}

function send(path: string, { method = 'GET', body, headers = {}, signal, outlives = false }: Call): Promise<Response> {
  const all: Record<string, string> = { accept: 'application/json, application/problem+json', ...headers }
  const isForm = body instanceof FormData
  if (method !== 'GET') {
    // A form brings its own boundary.
    if (!isForm) all['content-type'] = body instanceof Blob ? body.type : 'application/json'
    const token = source.csrfToken()
    if (token !== undefined) all['x-csrf-token'] = token
  }
  const init: RequestInit = { method, headers: all, credentials: 'same-origin', cache: 'no-store' }
  if (body !== undefined) init.body = isForm || body instanceof Blob ? body : JSON.stringify(body)
  if (signal !== undefined) init.signal = signal
  if (outlives) init.keepalive = true
  return read(() => fetch(path, init), signal)
}

async function read<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw error instanceof ApiProblem ? error : unreachable()
  }
}

/** A key for one effect: kept when the same click is repeated, new for the next. */
export function newIdempotencyKey(): string {
  return `console-${newUuid().replaceAll('-', '')}`
}
