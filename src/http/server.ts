import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import type { Closing } from './closing.ts'

/** What a server needs of the application. */
export interface Served {
  /** @param peer the address of the connection */
  fetch(request: Request, peer: string): Promise<Response> | Response
}

export interface RunningServer {
  hostname: string
  port: number
  /**
   * Ends as a lame duck: new requests are refused, every answer closes its connection, and the listener closes when
   * nothing is at work and nobody has asked for a moment, or after the deadline. Connections that are open then are cut.
   */
  close(deadlineMs: number): Promise<void>
}

export interface ListenOptions {
  address: { hostname: string; port: number }
  log: Log
  closing: Closing
}

/** Serves the application on an address. Port 0 takes a free one. @throws when the address can't be had */
export function listen(application: Served, { address, log, closing }: ListenOptions): RunningServer {
  let askedAtMs = 0
  const server = Bun.serve({
    ...address,
    idleTimeout: limits.connectionIdleSeconds,
    // Otherwise two servers on one port would share its requests at random, unnoticed.
    reusePort: false,
    // Bun would answer 413 with a page of its own; the pipeline refuses by each operation's limit instead.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    async fetch(request, bun) {
      askedAtMs = performance.now()
      if (!hasOneHost(request)) return new Response(null, { status: 400, headers: { connection: 'close' } })
      const response = await application.fetch(request, bun.requestIP(request)?.address ?? '')
      if (closing.refusing.aborted) response.headers.set('connection', 'close')
      return response
    },
    error(error) {
      log.error('a request failed outside the pipeline', { cause: error })
      return new Response(null, { status: 500, headers: { connection: 'close' } })
    },
  })
  return {
    hostname: server.hostname ?? address.hostname,
    port: server.port ?? address.port,
    async close(deadlineMs) {
      closing.refuse()
      const deadline = performance.now() + deadlineMs
      const isQuiet = () => server.pendingRequests === 0 && performance.now() - askedAtMs > limits.closingQuietMs
      while (!isQuiet() && performance.now() < deadline) await Bun.sleep(limits.closingLookMs)
      closing.giveUp()
      // What was given up is answered now; what a client doesn't take in this time is cut.
      await Promise.race([server.stop(), Bun.sleep(limits.closingLastMs)])
      await server.stop(true)
    },
  }
}

/** `name`, `name:port` or `[v6]:port`. */
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/**
 * Bun joins two Host headers with a comma instead of refusing them; a request without one, with two lengths or with
 * both length and chunks it refuses by itself. Sessions and origins rest on the host, so nothing odd may pass.
 */
function hasOneHost(request: Request): boolean {
  return HOST.test(request.headers.get('host') ?? '')
}
