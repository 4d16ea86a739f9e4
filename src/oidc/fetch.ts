import { request as askByTls } from 'node:https'
import { gunzipSync } from 'node:zlib'
import { answerTo } from '../core/answer-to.ts'
import { inTime } from '../core/in-time.ts'
import { limits } from '../core/limits.ts'
import { privateNetworks } from '../core/networks.ts'
import { type Address, addressesOfName } from '../core/resolve.ts'
import { isLoopbackName } from './settings.ts'

/** A provider that can't be reached, or whose answer can't be used. The message contains no secret. */
export class ProviderUnusable extends Error {
  override readonly name = 'ProviderUnusable'
}

export type ProviderFetch = (url: string | URL, request?: ProviderRequest) => Promise<Response>

interface ProviderRequest {
  method?: string
  headers?: Record<string, string> | Headers
  body?: string | URLSearchParams | ReadableStream | Uint8Array | null | undefined
}

/**
 * Sends requests to a provider, bounded in time and size, and follows no redirect. The provider's description may name
 * other hosts than the issuer's, but only by https and outside of private networks, so that it can't make Quire send
 * requests into its own network. Such a name is resolved once, and the connection goes to an address that was checked.
 *
 * @param resolve for tests: names that no DNS server knows
 * @param requestMs for tests: a shorter deadline
 */
export function boundedFetch(
  issuer: string,
  resolve: (hostname: string) => Promise<Address[]> = addressesOfName,
  requestMs: number = limits.oidcRequestMs,
): ProviderFetch {
  const own = new URL(issuer)

  /** The addresses to ask; undefined for the issuer's own host, which the administrator has named. */
  async function allowedAddresses(url: URL): Promise<Address[] | undefined> {
    if (url.host === own.host && url.protocol === own.protocol) return undefined
    if (url.protocol !== 'https:') throw new ProviderUnusable(`the provider names ${url.origin}, which is not https`)
    if (url.hostname === own.hostname) return undefined
    const addresses = await resolve(url.hostname.replace(/^\[|\]$/g, '')).catch(() => [])
    if (isLoopbackName(url.hostname) || addresses.some(({ address }) => privateNetworks.has(address))) {
      throw new ProviderUnusable(`the provider names ${url.origin}, which is inside a private network`)
    }
    if (addresses.length === 0) throw new ProviderUnusable(`the provider names ${url.origin}, which has no address`)
    return addresses
  }

  return async (target, { method = 'GET', headers = {}, body } = {}) => {
    const url = new URL(target)
    const signal = AbortSignal.timeout(requestMs)
    try {
      const addresses = await inTime(allowedAddresses(url), signal)
      const sent = body === undefined ? {} : { body: body as BodyInit | null }
      const request = new Request(url, { method, headers, ...sent, redirect: 'manual', signal })
      const answer = addresses === undefined ? await ask(request) : await askAt(request, addresses, signal)
      const bytes = unpacked(await readBounded(answer.body, url), answer.headers, url)
      const isEmpty = [204, 205, 304].includes(answer.status)
      return new Response(isEmpty ? null : bytes, { status: answer.status, headers: answer.headers })
    } catch (error) {
      if (error instanceof ProviderUnusable) throw error
      const why = signal.aborted ? `does not answer within ${requestMs / 1000} s` : "can't be reached"
      throw new ProviderUnusable(`${url.origin} ${why}`, { cause: error })
    }
  }
}

interface Answer {
  status: number
  headers: Headers
  body: AsyncIterable<Uint8Array> | null
}

/** Unpacking is left to `unpacked`: a few bytes may unpack to any number. */
async function ask(request: Request): Promise<Answer> {
  request.headers.set('accept-encoding', 'identity')
  const { status, headers, body } = await fetch(request, { decompress: false })
  return { status, headers, body }
}

/** Sends the request to one of these addresses, even if the name resolves to others by now; TLS is verified for the name. */
async function askAt(request: Request, addresses: readonly Address[], signal: AbortSignal): Promise<Answer> {
  const { hostname, port, pathname, search } = new URL(request.url)
  const bytes = Buffer.from(await request.arrayBuffer())
  const asking = askByTls({
    ...{ host: hostname.replace(/^\[|\]$/g, ''), path: `${pathname}${search}`, method: request.method },
    ...(port === '' ? {} : { port }),
    ...{ agent: false, signal, lookup: (_name, _options, found) => found(null, [...addresses]) },
    headers: {
      ...Object.fromEntries(request.headers),
      'accept-encoding': 'identity',
      ...(bytes.length === 0 ? {} : { 'content-length': String(bytes.length) }),
    },
  })
  const answer = await answerTo(asking, bytes)
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value))
  return { status: answer.statusCode ?? 0, headers, body: answer }
}

/** Decompresses a body. Quire asks for plain bytes, but a file stored compressed may come as it is. @throws ProviderUnusable beyond the bound */
function unpacked(bytes: Uint8Array<ArrayBuffer>, headers: Headers, url: URL): Uint8Array<ArrayBuffer> {
  const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity' || coding === '' || bytes.length === 0) return bytes
  if (coding !== 'gzip') throw new ProviderUnusable(`${url.origin} answers packed, which it was not asked to`)
  try {
    return new Uint8Array(gunzipSync(bytes, { maxOutputLength: limits.oidcAnswerBytes }))
  } catch (error) {
    throw new ProviderUnusable(`${url.origin} answers more than ${limits.oidcAnswerBytes} bytes, or broken ones`, {
      cause: error,
    })
  }
}

async function readBounded(body: Answer['body'], url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const value of body ?? []) {
    length += value.length
    if (length > limits.oidcAnswerBytes) {
      throw new ProviderUnusable(`${url.origin} answers more than ${limits.oidcAnswerBytes} bytes`)
    }
    chunks.push(value)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
