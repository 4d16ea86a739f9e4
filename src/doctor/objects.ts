import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { causesOf, wordsOf } from '../core/error-cause.ts'
import { sha256Hex } from '../core/hash.ts'
import { limits } from '../core/limits.ts'
import { withoutCredentials } from '../core/redact.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { openObjectStore } from '../objects/objects.ts'
import { differenceInWords } from './clock.ts'
import { advice, type Finding, fine, within, wrong } from './finding.ts'

const check = 'objects'

/** Whether the object store takes, gives and removes a probe, and gives what it took at once. */
export async function checkObjects({ objectsUrl }: Pick<Config, 'objectsUrl'>): Promise<Finding[]> {
  const name = withoutCredentials(objectsUrl)
  if (objectsUrl.startsWith('file:')) {
    const root = objectsUrl.slice('file:'.length)
    // Opening it would make it.
    if (!existsSync(join(root, 'unfinished'))) return [fine(check, `${root} is made by the first start`)]
  }
  let store: ObjectStore | undefined
  try {
    store = await openObjectStore(objectsUrl, { requestMs: limits.doctorAskMs })
    const problem = await within(
      limits.doctorObjectsMs,
      // A folder for a probe's hash would stay behind: the directory has a probe of its own.
      objectsUrl.startsWith('file:') ? store.probe().then(() => undefined) : probeBucket(store),
    )
    const clock = objectsUrl.startsWith('s3:') ? await compareClocks(objectsUrl) : []
    return [problem ?? fine(check, `${name} takes, gives and removes a probe`), ...clock]
  } catch (error) {
    return [wrong(check, `${name} can't be used: ${reasonOf(error)}`, remedyOf(error))]
  } finally {
    await store?.close()
  }
}

/** Writes, reads and removes an object of random bytes. If this process is killed, the sweep removes it. */
async function probeBucket(store: ObjectStore): Promise<Finding | undefined> {
  const bytes = crypto.getRandomValues(new Uint8Array(64))
  const hash = sha256Hex(bytes)
  let isRemoved = false
  try {
    await store.put(hash, bytes)
    const reads = await Promise.all(Array.from({ length: limits.doctorReads }, () => store.get(hash)))
    const missed = reads.filter((read) => read === undefined).length
    if (missed > 0) return inconsistent(`${missed} of ${reads.length} reads did not find what was just written`)
    isRemoved = await store.delete(hash)
    if ((await store.get(hash)) !== undefined) return inconsistent('a read found what was just removed')
    return undefined
  } finally {
    if (!isRemoved) await store.delete(hash).catch(() => {})
  }
}

function inconsistent(what: string): Finding {
  return wrong(check, `${what}: it is not consistent`, 'take a store that reads what was written, such as S3 itself')
}

/** Fixed by the signatures of AWS, version 4: requests whose time is further off are refused. */
const SIGNATURE_MS = 15 * 60_000

async function compareClocks(objectsUrl: string): Promise<Finding[]> {
  const { searchParams } = new URL(objectsUrl)
  const region = searchParams.get('region') ?? process.env.AWS_REGION ?? 'us-east-1'
  const endpoint = searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`
  const before = Date.now()
  const answer = await fetch(endpoint, { method: 'HEAD', signal: AbortSignal.timeout(limits.doctorAskMs) }).catch(
    () => undefined,
  )
  const date = Date.parse(answer?.headers.get('date') ?? '')
  if (Number.isNaN(date)) return []
  // It has whole seconds.
  const aheadMs = date > Date.now() ? date - Date.now() : date + 1_000 < before ? date + 1_000 - before : 0
  if (Math.abs(aheadMs) <= limits.doctorClockMs) return []
  const what = `the object store's clock is ${differenceInWords(aheadMs)} this machine's`
  const remedy = 'let both follow a time server (timedatectl set-ntp true)'
  return [
    Math.abs(aheadMs) < SIGNATURE_MS
      ? advice('clock', what, remedy)
      : wrong('clock', `${what}, and it refuses us`, remedy),
  ]
}

function reasonOf(error: unknown): string {
  const [outer, ...inner] = [...causesOf(error)]
  const last = inner.findLast(({ message }) => message !== '' && message !== 'UnknownError')
  return last === undefined ? wordsOf(outer ?? error) : `${wordsOf(outer)} (${wordsOf(last)})`
}

const remedies: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [/CredentialsProvider|Could not load credentials/, 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
  [
    /InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidToken/,
    'correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ],
  [
    /NoSuchBucket|PermanentRedirect|AuthorizationHeaderMalformed/,
    'make the bucket, or correct its name and region in QUIRE_OBJECTS_URL',
  ],
  [/AccessDenied|Forbidden|refused with 403/, 'allow GetObject, PutObject, DeleteObject and ListBucket for the prefix'],
  [/TimeTooSkewed/, "set this machine's clock right: timedatectl set-ntp true"],
  [/CERT|certificate/i, "name the authority's certificate in NODE_EXTRA_CA_CERTS, or renew the server's"],
  [
    /ECONNREFUSED|ConnectionRefused|ENOTFOUND|connect|answer within|Timeout|aborted/i,
    'start the server, or correct the endpoint in QUIRE_OBJECTS_URL',
  ],
  [/EACCES|EPERM/, 'give the directory and all in it to the user that runs Quire'],
  [/EROFS/, 'mount its file system for writing'],
  [/ENOSPC|EDQUOT|left, of which/, 'make room on its disk'],
]

function remedyOf(error: unknown): string {
  const said = [...causesOf(error)]
    .map((cause) => `${cause.name} ${Reflect.get(cause, 'code') ?? ''} ${cause.message}`)
    .join(' ')
  return remedies.find(([pattern]) => pattern.test(said))?.[1] ?? 'correct QUIRE_OBJECTS_URL, or mend what it names'
}
