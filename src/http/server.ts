import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'

/** What a server needs of the application. */
export interface Served {
  fetch(request: Request, clientAddress: string): Promise<Response> | Response
}

export interface RunningServer {
  hostname: string
  port: number
  /** Takes no more connections and waits for the requests under way; `force` cuts them off. */
  stop(force?: boolean): Promise<void>
}

/** Serves the application on an address. Port 0 takes a free one. @throws when the address can't be had */
export function listen(application: Served, address: { hostname: string; port: number }, log: Log): RunningServer {
  const server = Bun.serve({
    ...address,
    idleTimeout: limits.connectionIdleSeconds,
    // Otherwise two servers on one port would share its requests at random, unnoticed.
    reusePort: false,
    // Bun would answer 413 with a page of its own; the pipeline refuses by each operation's limit instead.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    fetch(request, bun) {
      if (!hasOneHost(request)) return new Response(null, { status: 400, headers: { connection: 'close' } })
      return application.fetch(request, bun.requestIP(request)?.address ?? '')
    },
    error(error) {
      log.error('a request failed outside the pipeline', { cause: error })
      return new Response(null, { status: 500, headers: { connection: 'close' } })
    },
  })
  return {
    hostname: server.hostname ?? address.hostname,
    port: server.port ?? address.port,
    stop: (force = false) => server.stop(force),
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
