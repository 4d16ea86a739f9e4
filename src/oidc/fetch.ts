import { lookup } from 'node:dns/promises'
import { limits } from '../core/limits.ts'
import { privateNetworks } from '../core/networks.ts'
import { isLoopbackName } from './settings.ts'

/** A provider that can't be reached, or answers what can't be used. The message has no secret in it. */
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
 * Requests to a provider: bounded in time and size, following no redirect. Its description may name other hosts than the
 * issuer's, by https and outside of private networks only, so that it can't make Quire ask its neighbours.
 */
export function boundedFetch(issuer: string): ProviderFetch {
  const own = new URL(issuer)

  async function requireAllowed(url: URL): Promise<void> {
    if (url.host === own.host && url.protocol === own.protocol) return
    if (url.protocol !== 'https:') throw new ProviderUnusable(`the provider names ${url.origin}, which is not https`)
    if (url.hostname === own.hostname) return
    const addresses = await lookup(url.hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
    if (isLoopbackName(url.hostname) || addresses.some(({ address }) => privateNetworks.has(address))) {
      throw new ProviderUnusable(`the provider names ${url.origin}, which is inside a private network`)
    }
  }

  return async (target, { method = 'GET', headers = {}, body } = {}) => {
    const url = new URL(target)
    await requireAllowed(url)
    const signal = AbortSignal.timeout(limits.oidcRequestMs)
    try {
      const sent = body === undefined ? {} : { body: body as BodyInit | null }
      const response = await fetch(url, { method, headers, ...sent, redirect: 'manual', signal })
      const bytes = await readBounded(response, url)
      const isEmpty = [204, 205, 304].includes(response.status)
      return new Response(isEmpty ? null : bytes, { status: response.status, headers: response.headers })
    } catch (error) {
      if (error instanceof ProviderUnusable) throw error
      const why = signal.aborted ? `does not answer within ${limits.oidcRequestMs / 1000} s` : "can't be reached"
      throw new ProviderUnusable(`${url.origin} ${why}`, { cause: error })
    }
  }
}

async function readBounded(response: Response, url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > limits.oidcAnswerBytes) {
      void reader.cancel().catch(() => undefined)
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
