import { addMs, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { attestingKey, keyIdOf, type SigningKey } from '../../core/signing-key.ts'
import { type AuditRow, attestedText, contentHashOf } from '../../db/audit-log.ts'
import type { Connection } from '../../db/database.ts'
import { isGenuine } from './audit.heads.ts'
import { type AuditHeadRow, findHead, findHeadBefore, listByAction } from './audit.store.ts'

/** From this record on, records cover the state of their resource; it says how many rows were there before. */
export const COVERAGE_BEGAN = 'audit_trail.coverage_began'
/** A key that signs from then on; the record names its public key. */
export const KEY_INTRODUCED = 'signing_key.introduced'

/** A public key, and the record of the chain that introduces it. */
export interface IntroducedKey {
  publicKey: string
  position: number
  at: Instant
}

function introductionsAmong(
  records: readonly Pick<AuditRow, 'position' | 'action' | 'resourceId' | 'detail' | 'at'>[],
): (IntroducedKey & { id: string })[] {
  return records.flatMap(({ position, action, resourceId, detail, at }) =>
    action === KEY_INTRODUCED && isInChain(position) && resourceId !== null
      ? [{ id: resourceId, publicKey: String(detail.public_key), position, at }]
      : [],
  )
}

/** All that introductions among some records say, by position. */
export function saidIn(
  records: readonly Pick<AuditRow, 'position' | 'action' | 'resourceId' | 'detail' | 'at'>[],
): Map<number, string> {
  return new Map(introductionsAmong(records).map(({ position, ...says }) => [position, JSON.stringify(says)]))
}

/** Public keys that records of the chain introduce, with their ids, in the order of the chain. */
async function introductionsInOrder(connection: Connection): Promise<(IntroducedKey & { id: string })[]> {
  const records = await listByAction(connection, KEY_INTRODUCED)
  return introductionsAmong(records).toSorted((a, b) => a.position - b.position)
}

/** By their ids, in the order of the chain; of one that is introduced again, the first. */
export async function introductions(connection: Connection): Promise<Map<string, IntroducedKey>> {
  const keys = new Map<string, IntroducedKey>()
  for (const { id, ...key } of await introductionsInOrder(connection)) {
    if (!keys.has(id)) keys.set(id, key)
  }
  return keys
}

export interface KnownKeys {
  /** Public keys by their ids. */
  introduced: ReadonlyMap<string, string>
  /** The one that was introduced last, and since when it has been that; undefined before there was one. */
  newest?: { id: string; at: Instant }
  /** All that their introductions say, by position. */
  at: ReadonlyMap<number, string>
}

export async function knownKeys(connection: Connection): Promise<KnownKeys> {
  const all = await introductionsInOrder(connection)
  const introduced = new Map(all.toReversed().map(({ id, publicKey }) => [id, publicKey]))
  const newest = await newestOf(connection, all, introduced)
  const at = new Map(all.map(({ position, ...says }) => [position, JSON.stringify(says)]))
  return { introduced, at, ...(newest === undefined ? {} : { newest }) }
}

/**
 * An instance signs the batch with its key's introduction itself. While tags of earlier keys are taken, anybody can have any
 * introduction sealed, but by the store's key: one of an earlier key counts for nothing then, and another of the store's prolongs nothing.
 * And anybody can take heads away, so that the first one behind an introduction is of a later day: no day begins after the introduction.
 */
async function newestOf(
  connection: Connection,
  all: readonly (IntroducedKey & { id: string })[],
  introduced: KnownKeys['introduced'],
): Promise<KnownKeys['newest']> {
  const [first] = all
  // There are no earlier keys.
  if (first === undefined || all.length === 1) return first === undefined ? undefined : { id: first.id, at: first.at }
  let newest: KnownKeys['newest']
  for (const { id, publicKey, position, at: introducedAt } of all.toReversed()) {
    const head = await findHead(connection, position)
    if (head === undefined || head.publicKey !== publicKey || !isGenuine(head)) continue
    if (newest !== undefined && newest.id !== id) return newest
    const isLate = head.at > introducedAt
    const at = isLate ? introducedAt : head.at
    // Its clock may have been behind: what the key before it has signed was earlier.
    const before = await findHeadBefore(connection, position)
    const isBehind = before !== undefined && before.at > at && isOfStore(before, introduced)
    newest = { id, at: isBehind ? before.at : at }
  }
  return newest
}

/** Whether a key of the store has signed a head: anybody can sign one with a key of their own. */
export function isOfStore(head: AuditHeadRow, introduced: KnownKeys['introduced']): boolean {
  return introduced.get(keyIdOf(head.publicKey)) === head.publicKey && isGenuine(head)
}

/**
 * Since when tags of earlier keys are nobody's any more, if this is the store's newest key: whoever can write into the database
 * can name any key that it had, and nobody can check that.
 */
function earlierKeysEnd(key: SigningKey | undefined, { newest }: KnownKeys): Instant | undefined {
  return key === undefined || key.id !== newest?.id ? undefined : addMs(newest.at, limits.auditKeyOverlapMs)
}

export async function introducedKeys(connection: Connection): Promise<Map<string, string>> {
  const keys = await introductions(connection)
  return new Map([...keys].map(([id, { publicKey }]) => [id, publicKey]))
}

/** The chain covers no record at any other place, so such a record can't be trusted. */
export function isInChain(position: number | null): position is number {
  return Number.isSafeInteger(position) && Number(position) >= 1
}

/** What tags are checked with: the store's key, where it is at hand, and what its chain knows. */
export interface Checked {
  key: SigningKey | undefined
  keys: KnownKeys
}

/**
 * Whether a record that is not sealed yet is one that this store wrote. A tag of an earlier key of the store is taken as it
 * is for a while after a change of keys, when nobody can check it.
 */
export function unattested(row: AuditRow, now: Instant, checked: Checked): { problem?: string; isOfOtherKey?: true } {
  const { contentHash, digest, attestation } = row
  if (contentHash === null) return { problem: 'it has no content hash' }
  if (contentHash !== contentHashOf(row)) return { problem: 'it is not what it was when it was written' }
  return checkTag({ tag: attestation, text: attestedText({ contentHash, digest }), at: now }, checked)
}

/** The same for the tag of any row over its text; `at` is the latest time at which it can have been written. */
export function checkTag(
  { tag, text, at }: { tag: string | null; text: string; at: Instant },
  { key, keys }: Checked,
): { problem?: string; isOfOtherKey?: true } {
  if (tag === null) return { problem: "it has no tag of the store's key" }
  const id = attestingKey(tag)
  if (key?.id === id) return tag === key.attest(text) ? {} : { problem: "its tag is not the store's" }
  // Nothing was ever signed: one that was killed at its first start may have written it.
  if (keys.introduced.size === 0) return { isOfOtherKey: true }
  if (!keys.introduced.has(id))
    return { problem: `it was written under the key ${id}, which is not a key of this store` }
  const end = earlierKeysEnd(key, keys)
  if (end === undefined || at <= end) return { isOfOtherKey: true }
  return { problem: `it was written under the key ${id}, which was replaced more than a day before` }
}
