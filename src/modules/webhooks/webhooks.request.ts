import type { IncomingMessage } from 'node:http'
import type { RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import { answerTo } from '../../core/answer-to.ts'
import { detailOf } from '../../core/error-cause.ts'
import { Fault } from '../../core/faults.ts'
import { inTime } from '../../core/in-time.ts'
import { limits } from '../../core/limits.ts'
import { type Networks, privateNetworks } from '../../core/networks.ts'
import { type Address, addressesOfName } from '../../core/resolve.ts'

/** The outcome of one request: an answer, or why there was none. */
export type Outcome =
  | { kind: 'answered'; status: number; answer: string; retryAfterMs: number | undefined; ms: number }
  | { kind: 'unanswered'; why: string; ms: number }

export interface Post {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** Sends requests to receivers; never throws. */
export type Send = (post: Post) => Promise<Outcome>

type Resolve = (hostname: string) => Promise<Address[]>

export interface SendOptions {
  /** Private networks that requests may go to, and without TLS. */
  allowed: Networks
  /** For tests: names that no DNS server knows, and a shorter deadline. */
  resolve?: Resolve
  requestMs?: number
}

class Refused extends Error {
  override readonly name = 'Refused'
}

/**
 * POSTs to a foreign address, which must not lead into this machine's network. The name is resolved once, all its addresses are
 * checked, and the connection goes to one of them, so a later change of the name has no effect. No redirect is followed and no
 * proxy used, TLS is verified for the name, and time and answer are bounded.
 */
export function createSend({
  allowed,
  resolve = addressesOfName,
  requestMs = limits.webhookRequestMs,
}: SendOptions): Send {
  return async ({ url: text, headers, body }) => {
    const begunMs = performance.now()
    const signal = AbortSignal.timeout(requestMs)
    const spentMs = () => Math.round(performance.now() - begunMs)
    try {
      const url = new URL(text)
      const addresses = await inTime(addressesOf(url, resolve), signal)
      requireAllowed(url, addresses, allowed)
      return { ...(await ask(url, addresses, { headers, body, signal })), ms: spentMs() }
    } catch (error) {
      return { kind: 'unanswered', why: whyOf(error, signal, requestMs), ms: spentMs() }
    }
  }
}

/**
 * Checks a receiver's URL as far as possible without resolving its name.
 * @throws Fault validation_failed
 */
export function requireUsableUrl(text: string, allowed: Networks): void {
  const url = new URL(text)
  const host = hostOf(url)
  try {
    if (url.username !== '' || url.password !== '') throw new Refused('it must have no credentials')
    if (url.hash !== '') throw new Refused('the part after # is never sent, so leave it out')
    if (isIP(host) !== 0) requireAllowed(url, [{ address: host, family: isIP(host) }], allowed)
    else if (url.protocol !== 'https:' && allowed.isEmpty) {
      throw new Refused('write https, since http is for the networks of QUIRE_WEBHOOK_NETWORKS alone')
    }
  } catch (error) {
    throw error instanceof Refused ? new Fault('validation_failed', `Body field url: ${error.message}.`) : error
  }
}

async function addressesOf(url: URL, resolve: Resolve): Promise<Address[]> {
  const host = hostOf(url)
  return isIP(host) === 0 ? resolve(host) : [{ address: host, family: isIP(host) }]
}

/** Without the brackets of an IPv6 address. The URL parser has already normalised other forms of numeric addresses. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** Every address must be allowed, because any of them may be used. */
function requireAllowed(url: URL, addresses: readonly Address[], allowed: Networks): void {
  if (addresses.length === 0) throw new Refused(`${url.hostname} has no address`)
  const foreign = addresses.filter(({ address }) => !allowed.has(address))
  const inside = foreign.find(({ address }) => privateNetworks.has(address) || isIP(address) === 0)
  if (inside !== undefined) {
    const named = inside.address === hostOf(url) ? inside.address : `${url.hostname} is ${inside.address}, which`
    throw new Refused(`${named} is inside a private network that QUIRE_WEBHOOK_NETWORKS does not name`)
  }
  if (url.protocol !== 'https:' && foreign.length > 0) throw new Refused(`${url.hostname} is asked by https only`)
}

interface Asking {
  headers: Readonly<Record<string, string>>
  body: string
  signal: AbortSignal
}

async function ask(url: URL, addresses: readonly Address[], { headers, body, signal }: Asking) {
  // Loaded by the first delivery: most services have no webhooks.
  const { request: begin } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const bytes = Buffer.from(body)
  const options: RequestOptions = {
    ...{ host: hostOf(url), path: `${url.pathname}${url.search}`, method: 'POST', agent: false, signal },
    ...(url.port === '' ? {} : { port: url.port }),
    headers: { ...headers, 'content-length': String(bytes.length) },
    lookup: (_name, _options, found) => found(null, [...addresses]),
  }
  const response = await answerTo(begin(options), bytes)
  const status = response.statusCode ?? 0
  const answer = await readBeginning(response, signal)
  return { kind: 'answered', status, answer, retryAfterMs: retryAfterOf(response.headers['retry-after']) } as const
}

/** The part of the answer that is kept. The status counts even if the rest never arrives. */
async function readBeginning(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  const reading = (async () => {
    for await (const chunk of response) {
      chunks.push(Buffer.from(chunk))
      length += chunks.at(-1)?.length ?? 0
      if (length >= limits.webhookAnswerBytes) return
    }
  })()
  await inTime(reading, signal).catch(() => undefined)
  response.destroy()
  const text = Buffer.concat(chunks).subarray(0, limits.webhookAnswerBytes).toString('utf8')
  // It is shown, logged and compared: control characters and lone surrogates would only disturb.
  return [...text.toWellFormed().replace(/\p{C}+/gu, ' ')].slice(0, limits.webhookAnswerChars).join('').trim()
}

/** Only seconds: a date would depend on two clocks. */
function retryAfterOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1_000 : undefined
}

function whyOf(error: unknown, signal: AbortSignal, requestMs: number): string {
  if (error instanceof Refused) return error.message
  if (signal.aborted) return `no answer within ${requestMs / 1_000} s`
  const code = detailOf(error)
  const message = error instanceof Error ? error.message : String(error)
  return `could not be asked: ${code ?? message}`.slice(0, limits.webhookAnswerChars)
}
