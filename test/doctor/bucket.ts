import { onTestsEnd } from '../support/cleanup.ts'

export interface Fault {
  /** By how much its clock is ahead. */
  aheadMs?: number
  /** What it answers every request of an object with: a status and a code of S3's. */
  refusal?: readonly [status: number, code: string]
  /** How many of the next reads find nothing. */
  staleReads?: number
  keepsAll?: boolean
}

/** As much of S3 as a probe asks for, with a fault. */
export function startBucket(fault: Fault = {}, tls?: Bun.TLSOptions) {
  const objects = new Map<string, Uint8Array>()
  const asked: string[] = []
  let stale = fault.staleReads ?? 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    ...(tls === undefined ? {} : { tls }),
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const { aheadMs } = fault
      const headers = aheadMs === undefined ? {} : { date: new Date(Date.now() + aheadMs).toUTCString() }
      asked.push(`${request.method} ${pathname}`)
      if (fault.refusal !== undefined && pathname !== '/') {
        const [status, code] = fault.refusal
        return new Response(`<Error><Code>${code}</Code><Message>no</Message></Error>`, { status })
      }
      if (request.method === 'PUT') {
        objects.set(pathname, await request.bytes())
        return new Response(null, { headers })
      }
      if (request.method === 'DELETE') {
        if (fault.keepsAll !== true) objects.delete(pathname)
        return new Response(null, { status: 204, headers })
      }
      const isStale = request.method === 'GET' && stale-- > 0
      const found = isStale ? undefined : objects.get(pathname)
      if (found === undefined) return new Response(null, { status: 404, headers })
      return new Response(request.method === 'HEAD' ? null : (found as BodyInit), {
        headers: { ...headers, 'content-length': String(found.length) },
      })
    },
  })
  onTestsEnd(() => server.stop(true))
  return { url: `s3://letters/q?endpoint=${server.url.origin}`, objects, asked }
}
