import type { S3Client } from '@aws-sdk/client-s3'
import { sha256Hex } from '../core/hash.ts'
import { limits } from '../core/limits.ts'
import { isHash, requireContent, requireHash, streamOf, verified } from './content.ts'
import { isNoteName, type RemovableNotes, requireNoteName } from './notes.ts'
import {
  ObjectDamaged,
  type ObjectStore,
  ObjectStoreFull,
  ObjectStoreRefused,
  ObjectStoreUnavailable,
  ObjectsUrlInvalid,
  type OpenedObject,
  type OpenObjectsOptions,
  type StoredObject,
} from './object-store.ts'

/**
 * Objects in an S3 bucket, each under `<prefix>/<hash>`. A put asks the server to refuse an existing key (`If-None-Match: *`). An
 * existing object is then read and compared, so that a retry after a lost answer succeeds and a damaged object is replaced. The
 * bytes' SHA-256 is sent along, and the server refuses bytes that arrive changed.
 */

/** Key, below the prefix, of the object that readiness writes, and its content. */
const PROBE = 'probe'
/** Beginning of the keys of notes, below the prefix. */
const NOTES = 'notes/'

type Sdk = typeof import('./s3-client.ts')

interface Place {
  bucket: string
  prefix: string
}

/** `s3://bucket/prefix?endpoint=…&region=…&style=path|virtual`; credentials from the usual AWS variables. */
export async function openS3Store(url: string, options: OpenObjectsOptions = {}): Promise<ObjectStore> {
  const { place, endpoint, region, forcePathStyle } = readUrl(url)
  const sdk = await import('./s3-client.ts')
  const client = new sdk.S3Client({
    region,
    forcePathStyle,
    // Retries happen in `#ask`: the SDK's own share a quota, and stop just when a store has been failing for some time.
    maxAttempts: 1,
    // Only where the operation requires it: many S3 servers refuse the SDK's own trailing checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === undefined ? {} : { endpoint }),
  })
  return new S3Store(sdk, client, place, options.requestMs ?? limits.objectRequestMs)
}

function readUrl(url: string) {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    throw new ObjectsUrlInvalid(`the object store can't be read; write s3://bucket/prefix?endpoint=…&region=…`)
  }
  const known = new Set(['endpoint', 'region', 'style'])
  for (const name of parsed.searchParams.keys()) {
    if (!known.has(name))
      throw new ObjectsUrlInvalid(`the object store's setting ${name} is none of endpoint, region, style`)
  }
  if (parsed.hostname === '') throw new ObjectsUrlInvalid('the object store names no bucket; write s3://bucket/prefix')
  if (parsed.username !== '') throw new ObjectsUrlInvalid('credentials for S3 belong in AWS_ACCESS_KEY_ID and its like')
  const endpoint = parsed.searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !/^https?:\/\//.test(endpoint)) {
    throw new ObjectsUrlInvalid('the endpoint of the object store must begin with http:// or https://')
  }
  const style = parsed.searchParams.get('style') ?? (endpoint === undefined ? 'virtual' : 'path')
  if (style !== 'path' && style !== 'virtual') {
    throw new ObjectsUrlInvalid('the style of the object store must be path or virtual')
  }
  const prefix = decodeURIComponent(parsed.pathname).replace(/^\/+|\/+$/g, '')
  const region = parsed.searchParams.get('region') ?? process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION
  return {
    place: { bucket: parsed.hostname, prefix: prefix === '' ? '' : `${prefix}/` },
    endpoint,
    region: region ?? 'us-east-1',
    forcePathStyle: style === 'path',
  }
}

class S3Store implements ObjectStore {
  readonly #sdk: Sdk
  readonly #client: S3Client
  readonly #place: Place
  readonly #requestMs: number
  /** Until then, a successful write proves that the store accepts writes; a failed request resets it. */
  #takesWritesUntilMs = 0

  constructor(sdk: Sdk, client: S3Client, place: Place, requestMs: number) {
    this.#sdk = sdk
    this.#client = client
    this.#place = place
    this.#requestMs = requestMs
  }

  #target(hash: string): { Bucket: string; Key: string } {
    requireHash(hash)
    return { Bucket: this.#place.bucket, Key: `${this.#place.prefix}${hash}` }
  }

  async put(hash: string, bytes: Uint8Array): Promise<'new' | 'found'> {
    requireContent(hash, bytes)
    if (await this.#write(hash, bytes, { onlyIfAbsent: true })) return 'new'
    const stored = await this.#read(hash)
    const modifiedAtMs = await this.modifiedAtMs(hash)
    // A time in the future is from a clock that is ahead; the object may then be of any age.
    const isFresh = modifiedAtMs !== undefined && Math.abs(Date.now() - modifiedAtMs) < limits.objectRenewMs
    // Otherwise write it again to renew its age: no row names it yet, so an erasure or the sweep could soon remove it.
    if (stored !== undefined && sha256Hex(stored) === hash && isFresh) return 'found'
    await this.#write(hash, bytes, { onlyIfAbsent: false })
    return 'found'
  }

  /** False if the key exists. */
  async #write(hash: string, bytes: Uint8Array, options: { onlyIfAbsent: boolean }): Promise<boolean> {
    const command = new this.#sdk.PutObjectCommand({
      ...this.#target(hash),
      Body: bytes,
      ContentLength: bytes.length,
      ContentType: 'application/octet-stream',
      ChecksumSHA256: Buffer.from(hash, 'hex').toString('base64'),
      ...(options.onlyIfAbsent ? { IfNoneMatch: '*' } : {}),
    })
    return this.#ask(
      async (abortSignal) => {
        await this.#client.send(command, { abortSignal })
        this.#noteWrite()
        return true
      },
      // S3 answers 409 while another put of the same key is running.
      { statuses: options.onlyIfAbsent ? [412, 409] : [], answer: false },
    )
  }

  /** `too large` instead of the bytes, if there are more than any object has. */
  #read(hash: string): Promise<Uint8Array | 'too large' | undefined> {
    const command = new this.#sdk.GetObjectCommand(this.#target(hash))
    return this.#ask(async (abortSignal) => {
      const { Body: body, ContentLength: size = 0 } = await this.#client.send(command, { abortSignal })
      if (size <= limits.objectBytes) return body?.transformToByteArray()
      await body?.transformToWebStream().cancel()
      return 'too large'
    }, missing)
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    const bytes = await this.#read(hash)
    if (bytes === 'too large') throw new ObjectDamaged(hash)
    if (bytes !== undefined && sha256Hex(bytes) !== hash) throw new ObjectDamaged(hash)
    return bytes
  }

  async open(hash: string): Promise<OpenedObject | undefined> {
    const command = new this.#sdk.GetObjectCommand(this.#target(hash))
    const answer = await this.#ask((abortSignal) => this.#client.send(command, { abortSignal }), missing)
    if (answer?.Body === undefined || answer.ContentLength === undefined) return undefined
    const body = answer.Body.transformToWebStream() as unknown as AsyncIterable<Uint8Array>
    return {
      size: answer.ContentLength,
      stream: streamOf(verified(hash, answer.ContentLength, unavailableIfBroken(body))),
    }
  }

  async size(hash: string): Promise<number | undefined> {
    const command = new this.#sdk.HeadObjectCommand(this.#target(hash))
    return this.#ask(async (abortSignal) => (await this.#client.send(command, { abortSignal })).ContentLength, missing)
  }

  /** 0 if the server reports no time. */
  async modifiedAtMs(hash: string): Promise<number | undefined> {
    const command = new this.#sdk.HeadObjectCommand(this.#target(hash))
    const send = async (abortSignal: AbortSignal) =>
      (await this.#client.send(command, { abortSignal })).LastModified?.getTime() ?? 0
    return this.#ask(send, missing)
  }

  async delete(hash: string): Promise<boolean> {
    return (await this.deleteUnlessSince(hash, Number.POSITIVE_INFINITY)) === 'removed'
  }

  async deleteUnlessSince(
    hash: string,
    sinceMs: number,
    mayRemove = () => true,
  ): Promise<'removed' | 'missing' | 'kept'> {
    const command = new this.#sdk.DeleteObjectCommand(this.#target(hash))
    for (let tries = 1; ; tries++) {
      const modifiedAtMs = await this.modifiedAtMs(hash)
      // A missing object may be stored at any moment, and must not be removed then.
      if (modifiedAtMs === undefined) return 'missing'
      if (modifiedAtMs > sinceMs || !mayRemove()) return 'kept'
      try {
        await this.#ask((abortSignal) => this.#client.send(command, { abortSignal }), missing, limits.objectRemoveMs, 1)
        return 'removed'
      } catch (error) {
        // Only a refused request certainly has no effect any more.
        const { status } = refusalOf((error as Error).cause)
        if (tries >= limits.objectRequestTries || (status !== 503 && status !== 429)) throw error
        await Bun.sleep(limits.objectRetryMs * 2 ** tries)
      }
    }
  }

  async *list(): AsyncIterable<StoredObject> {
    for await (const entry of this.#entriesBelow(this.#place.prefix)) {
      const hash = entry.Key?.slice(this.#place.prefix.length) ?? ''
      if (!isHash(hash)) continue
      yield { hash, size: entry.Size ?? 0, modifiedAtMs: entry.LastModified?.getTime() ?? 0 }
    }
  }

  async *#entriesBelow(prefix: string) {
    let token: string | undefined
    do {
      const command = new this.#sdk.ListObjectsV2Command({
        Bucket: this.#place.bucket,
        Prefix: prefix,
        ...(token === undefined ? {} : { ContinuationToken: token }),
      })
      const page = await this.#ask((abortSignal) => this.#client.send(command, { abortSignal }))
      yield* page?.Contents ?? []
      token = page?.NextContinuationToken
    } while (token !== undefined)
  }

  readonly notes: RemovableNotes = {
    names: async () => {
      const prefix = `${this.#place.prefix}${NOTES}`
      const names: string[] = []
      for await (const { Key } of this.#entriesBelow(prefix)) names.push(Key?.slice(prefix.length) ?? '')
      return names.filter(isNoteName)
    },
    get: async (name) => {
      const command = new this.#sdk.GetObjectCommand(this.#noteTarget(name))
      return this.#ask(
        async (abortSignal) => (await this.#client.send(command, { abortSignal })).Body?.transformToByteArray(),
        missing,
      )
    },
    put: async (name, bytes) => {
      const command = new this.#sdk.PutObjectCommand({ ...this.#noteTarget(name), Body: bytes })
      await this.#ask((abortSignal) => this.#client.send(command, { abortSignal }))
    },
    delete: async (name) => {
      const command = new this.#sdk.DeleteObjectCommand(this.#noteTarget(name))
      await this.#ask((abortSignal) => this.#client.send(command, { abortSignal }), missing)
    },
  }

  #noteTarget(name: string): { Bucket: string; Key: string } {
    requireNoteName(name)
    return { Bucket: this.#place.bucket, Key: `${this.#place.prefix}${NOTES}${name}` }
  }

  /** Writes and reads a key that is no object's; only reads it if a recent write has proved that writing works. */
  async probe(): Promise<void> {
    const target = { Bucket: this.#place.bucket, Key: `${this.#place.prefix}${PROBE}` }
    const write = new this.#sdk.PutObjectCommand({ ...target, Body: PROBE })
    const read = new this.#sdk.GetObjectCommand(target)
    const ask = async (abortSignal: AbortSignal) =>
      (await this.#client.send(read, { abortSignal })).Body?.transformToString()
    const isThere = async () => (await this.#ask(ask, missing, limits.objectProbeMs)) === PROBE
    // That write may have been an object's, and the bucket may have no probe yet.
    if (performance.now() < this.#takesWritesUntilMs && (await isThere())) return
    await this.#ask((abortSignal) => this.#client.send(write, { abortSignal }), none, limits.objectProbeMs)
    this.#noteWrite()
    if (await isThere()) return
    this.#takesWritesUntilMs = 0
    throw new ObjectStoreUnavailable(`the S3 object store does not give ${target.Key} as it was written`)
  }

  #noteWrite(): void {
    this.#takesWritesUntilMs = performance.now() + limits.objectProbeWriteMs
  }

  async close(): Promise<void> {
    this.#client.destroy()
  }

  /** Runs one operation, with its retries, within one deadline; `expected` lists statuses that are answers, not faults. */
  async #ask<T>(
    send: (signal: AbortSignal) => Promise<T>,
    expected: Expected<T> = none,
    deadlineMs = this.#requestMs,
    maxTries: number = limits.objectRequestTries,
  ): Promise<T> {
    const signal = AbortSignal.timeout(deadlineMs)
    for (let tries = 1; ; tries++) {
      try {
        return await send(signal)
      } catch (cause) {
        const { status, name } = refusalOf(cause)
        // A missing bucket is a fault of the installation, although it answers 404 like a missing object.
        if (status !== undefined && expected.statuses.includes(status) && name !== 'NoSuchBucket') {
          return expected.answer as T
        }
        this.#takesWritesUntilMs = 0
        if (tries >= maxTries || signal.aborted || !mayPass(cause)) {
          throw storeFault(cause)
        }
        await Bun.sleep(limits.objectRetryMs * 2 ** tries * (0.5 + Math.random() / 2))
      }
    }
  }
}

function refusalOf(cause: unknown): { status: number | undefined; name: string | undefined } {
  const { $metadata: metadata, name } = cause as { $metadata?: { httpStatusCode?: number }; name?: string }
  return { status: metadata?.httpStatusCode, name }
}

/** Distinguishes faults that an operator must fix from those that pass by themselves; neither says anything about the object. */
function storeFault(cause: unknown): ObjectStoreUnavailable {
  const { status, name = '' } = refusalOf(cause)
  if (status === 507 || /Quota|StorageFull|InsufficientStorage/.test(name)) {
    return new ObjectStoreFull('the S3 object store has no room', { cause })
  }
  if (!mayPass(cause)) return new ObjectStoreRefused(`the S3 object store refused with ${status ?? name}`, { cause })
  return new ObjectStoreUnavailable('the S3 object store could not be used', { cause })
}

/**
 * True if there was no answer, the server was overloaded or broken, or our clock was wrong, which the client has corrected since.
 */
function mayPass(cause: unknown): boolean {
  const { status, name } = refusalOf(cause)
  if (name === 'CredentialsProviderError') return false
  return status === undefined || status >= 500 || status === 429 || status === 408 || name === 'RequestTimeTooSkewed'
}

interface Expected<T> {
  statuses: readonly number[]
  answer: T | undefined
}

const none = { statuses: [], answer: undefined }
const missing = { statuses: [404], answer: undefined }

async function* unavailableIfBroken(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (cause) {
    throw new ObjectStoreUnavailable('the S3 object store broke off', { cause })
  }
}
