import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { type Certificate, type CertificateFiles, readCertificate, watchCertificate } from './certificate.ts'
import type { Closing } from './closing.ts'

/** What a server needs of the application. */
export interface Served {
  /**
   * @param peer the address of the connection
   * @param isTaken whether the client has all of the answer, or has gone
   */
  fetch(request: Request, peer: string, isTaken: () => boolean): Promise<Response> | Response
}

export interface RunningServer {
  hostname: string
  port: number
  /**
   * Closes gracefully: new requests are refused, and every answer closes its connection. The listener closes when no
   * request is at work and none has come for a moment, or after the deadline. Connections that are open then are cut.
   */
  close(deadlineMs: number): Promise<void>
}

export interface ListenOptions {
  address: { hostname: string; port: number }
  log: Log
  closing: Closing
  /** Serves TLS with this certificate, and with the one that later takes its place. */
  tls?: CertificateFiles | undefined
}

/**
 * Serves the application on an address. Port 0 takes a free one.
 *
 * @throws when the address isn't available; CertificateUnusable
 */
export function listen(application: Served, options: ListenOptions): RunningServer {
  const { log, closing, tls } = options
  const traffic = { askedAtMs: 0 }
  const certificate = tls === undefined ? undefined : readCertificate(tls)
  if (certificate !== undefined && options.address.port !== 0) requireFree(options.address)
  let newest = open(application, options, traffic, certificate)
  const address = { hostname: newest.hostname ?? options.address.hostname, port: newest.port ?? options.address.port }
  // Bun can't replace a server's certificate, so a new one gets a second server on the same port. The previous server
  // accepts no more connections, and finishes its requests.
  const servers = new Set([newest])
  const follow = (next: Certificate) => {
    const before = newest
    newest = open(application, { ...options, address }, traffic, next)
    servers.add(newest)
    void before.stop().then(() => servers.delete(before))
  }
  const stopWatching =
    tls === undefined || certificate === undefined
      ? undefined
      : watchCertificate(tls, certificate, { log, onNew: follow })
  return {
    ...address,
    async close(deadlineMs) {
      stopWatching?.()
      closing.refuse()
      const deadline = performance.now() + deadlineMs
      const pending = () => [...servers].reduce((sum, server) => sum + server.pendingRequests, 0)
      const isQuiet = () => pending() === 0 && performance.now() - traffic.askedAtMs > limits.closingQuietMs
      while (!isQuiet() && performance.now() < deadline) await Bun.sleep(limits.closingLookMs)
      closing.giveUp()
      // Requests that were given up get answers now; a client that doesn't take its answer in this time is cut off.
      await Promise.race([Promise.all([...servers].map((server) => server.stop())), Bun.sleep(limits.closingLastMs)])
      await Promise.all([...servers].map((server) => server.stop(true)))
    },
  }
}

/**
 * Opens one Bun server. Two servers on one port would share its requests at random, unnoticed. Over TLS they have to
 * for a moment, so `requireFree` checks before the first one that nobody else has the port.
 */
function open(
  application: Served,
  { address, log, closing }: ListenOptions,
  traffic: { askedAtMs: number },
  certificate: Certificate | undefined,
): Bun.Server<undefined> {
  return Bun.serve({
    ...address,
    ...(certificate === undefined ? {} : { tls: { cert: certificate.cert, key: certificate.key, ciphers } }),
    idleTimeout: limits.connectionIdleSeconds,
    reusePort: certificate !== undefined,
    // Bun would answer 413 with a page of its own; the pipeline refuses by each operation's limit instead.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    async fetch(request, bun) {
      traffic.askedAtMs = performance.now()
      if (!hasOneHost(request)) return new Response(null, { status: 400, headers: bare })
      if (!URL.canParse(request.url)) return badRequest()
      // Bun knows the address of a request until its answer is sent, or the connection ends.
      const isTaken = () => bun.requestIP(request) === null
      const response = await application.fetch(request, bun.requestIP(request)?.address ?? '', isTaken)
      if (closing.refusing.aborted) response.headers.set('connection', 'close')
      if (certificate !== undefined) response.headers.set('strict-transport-security', strictTransport)
      return response
    },
    error(error) {
      log.error('a request failed outside the pipeline', { cause: error })
      return new Response(null, { status: 500, headers: bare })
    },
  })
}

/** Answers a request that waited for a start which failed. */
export function notStarted(): Response {
  return new Response(null, { status: 503, headers: bare })
}

/** Answers a request whose target and Host make no URL: CONNECT, and a Host such as `quire.test:99999` or `xn--a`. */
function badRequest(): Response {
  const body = {
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    detail:
      'The request line and Host make no URL. Send a path that begins with a slash, and a host name with a port up to 65535.',
  }
  return new Response(JSON.stringify(body), {
    status: 400,
    headers: { ...bare, 'content-type': 'application/problem+json' },
  })
}

/** Headers of an answer that bypasses the pipeline. */
const bare = {
  connection: 'close',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/**
 * For TLS 1.2: forward secrecy and authenticated encryption. TLS 1.3 has nothing else, and Bun refuses older versions.
 */
const ciphers = 'ECDHE+AESGCM:ECDHE+CHACHA20'

/** RFC 6797, for this host alone: whether its subdomains serve https is not Quire's to say. */
const strictTransport = `max-age=${limits.strictTransportSeconds}`

/** @throws when somebody has the address */
function requireFree(address: ListenOptions['address']): void {
  const alone = Bun.serve({ ...address, reusePort: false, fetch: () => new Response(null, { status: 503 }) })
  void alone.stop(true)
}

/** `name`, `name:port` or `[v6]:port`. */
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/**
 * Bun joins two Host headers with a comma instead of refusing them. It does refuse a request without one, with two
 * lengths, or with both a length and chunks. Sessions and origins rest on the host, so nothing odd may pass.
 */
function hasOneHost(request: Request): boolean {
  return HOST.test(request.headers.get('host') ?? '')
}
