/** Downloads that go on where a connection broke. */
import { QuireUnreachable } from './errors.ts'
import { heardWithin, longestArtifactBytes, UnusableAnswer } from './reading.ts'
import { pause } from './retries.ts'
import type { StreamAnswer } from './transport.ts'

export interface Download {
  /** As the server suggests it: a name alone, without folders or anything that hides a file; else `document`. */
  fileName: string
  mediaType: string
  /** Undefined if something in between has hidden it. */
  byteSize: number | undefined
  /** SHA-256 in hexadecimal, as the artifact's `content_hash`. */
  contentHash: string
  /** The bytes; none is kept. Read it once. */
  body: ReadableStream<Uint8Array>
  /** All bytes at once, in place of `body`. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

/** How many connections in a row may break without a byte; the transport's own retries come on top. */
const emptyConnections = 3
const firstWaitMs = 250

/** Milliseconds without a byte after which a connection counts as broken, as for a trace. */
const usualSilenceMs = 60_000

/** Milliseconds of waiting that each byte makes up for, so that fewer than 1,000 bytes a second don't keep a connection for good. */
const msPerByte = 1

/**
 * @param open sends the request with these headers; throws refusals
 * @param silenceMs a connection without a byte, or with too few, for this long counts as broken
 */
export async function download(
  open: (headers: Readonly<Record<string, string>>) => Promise<StreamAnswer>,
  signal: AbortSignal | undefined,
  silenceMs = usualSilenceMs,
): Promise<Download> {
  const first = await open({})
  const { headers } = first
  const etag = headers.get('etag') ?? ''
  const length = headers.get('content-length')
  const byteSize = length === null || headers.has('content-encoding') ? undefined : Number(length)
  const body = continued(first, { open, etag, byteSize, signal, silenceMs })
  return {
    fileName: nameIn(headers.get('content-disposition') ?? ''),
    mediaType: headers.get('content-type') ?? 'application/octet-stream',
    byteSize,
    contentHash: etag.replaceAll('"', ''),
    body,
    bytes: async () => new Uint8Array(await new Response(body).arrayBuffer()),
  }
}

/** Callers write a file of this name, so it must lead nowhere else. */
function nameIn(disposition: string): string {
  const name = /filename="([^"]*)"/.exec(disposition)?.[1] ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
  const isName = /^[^./\\:\u0000-\u001f\u007f-\u009f][^/\\:\u0000-\u001f\u007f-\u009f]{0,254}$/.test(name)
  return isName ? name : 'document'
}

interface Source {
  open: (headers: Readonly<Record<string, string>>) => Promise<StreamAnswer>
  etag: string
  byteSize: number | undefined
  signal: AbortSignal | undefined
  silenceMs: number
}

/** Some send another part than was asked for, or the whole under the status of a part. */
function beginsAt(headers: Headers, sent: number): boolean {
  const first = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1]
  return first === undefined || Number(first) === sent
}

function continued(
  first: StreamAnswer,
  { open, etag, byteSize, signal, silenceMs }: Source,
): ReadableStream<Uint8Array> {
  let reader = first.body.getReader()
  let sent = 0
  let broken = 0
  let patienceMs = silenceMs
  /** The next bytes; undefined at the end. */
  const next = async (): Promise<Uint8Array | undefined> => {
    for (;;) {
      let reason: unknown = new Error(`the connection ended after ${sent} of ${byteSize ?? 'unknown'} bytes`)
      const since = performance.now()
      const little = `${patienceMs === silenceMs ? 'nothing' : 'too little'} was heard for ${silenceMs} ms`
      try {
        const { value, done } = await heardWithin(reader.read(), patienceMs, little)
        if (value !== undefined && value.length > 0) {
          patienceMs = Math.min(silenceMs, patienceMs - (performance.now() - since) + value.length * msPerByte)
          if (patienceMs === silenceMs) broken = 0
          if (patienceMs <= 0) throw new Error(little)
          sent += value.length
          if (sent <= longestArtifactBytes) return value
          throw new UnusableAnswer(`it has more than ${longestArtifactBytes} bytes`)
        }
        if (!done) continue
        if (byteSize === undefined || sent >= byteSize) return undefined
      } catch (error) {
        reason = error
        void reader.cancel().catch(() => {})
      }
      signal?.throwIfAborted()
      broken += 1
      const isUnusable = reason instanceof UnusableAnswer
      if (broken > emptyConnections || etag === '' || isUnusable)
        throw new QuireUnreachable('the download', broken, reason)
      patienceMs = silenceMs
      await pause(firstWaitMs * 2 ** (broken - 1), signal)
      const rest = await open({ range: `bytes=${sent}-`, 'if-range': etag })
      if (rest.status !== 206 || !beginsAt(rest.headers, sent)) {
        await rest.body.cancel()
        throw new QuireUnreachable('the rest of the download', broken, reason)
      }
      reader = rest.body.getReader()
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const bytes = await next()
        if (bytes === undefined) controller.close()
        else controller.enqueue(bytes)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
