import { addMs, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { attestingKey, keyIdOf, type SigningKey } from '../../core/signing-key.ts'
import { type AuditRow, attestedText, contentHashOf } from '../../db/audit-log.ts'
import type { Connection } from '../../db/database.ts'
import { isGenuine } from './audit.heads.ts'
import { type AuditHeadRow, findHead, findHeadBefore, listByAction } from './audit.store.ts'

/**
 * Action of the record from which on records cover the state of their resource; its detail counts the rows that existed before.
 */
export const COVERAGE_BEGAN = 'audit_trail.coverage_began'
/** Action of the record that introduces a signing key; its detail has the public key. */
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

/** What each introduction among some records says (id, key, time), as JSON, by position. */
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

/** Introduced keys by id, in the order of the chain. A key that was introduced twice has its first introduction. */
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
  /** The key that was introduced last, and since when it is the newest; undefined before the first introduction. */
  newest?: { id: string; at: Instant }
  /** What each introduction says, as JSON, by position. */
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
 * The newest key, and since when it is the newest. An instance itself signs the batch that has its key's introduction. While tags
 * of earlier keys are accepted, anybody who has such a key can get an introduction sealed, but only under the store's key. So an
 * introduction of an earlier key doesn't count, and repeating that of the store's key doesn't extend the overlap. An attacker can
 * also delete heads, so that the first head after an introduction is days later: the overlap never starts after the
 * introduction's own time.
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
    // The instance's clock may have been behind: the overlap starts no earlier than the last head before the introduction.
    const before = await findHeadBefore(connection, position)
    const isBehind = before !== undefined && before.at > at && isOfStore(before, introduced)
    newest = { id, at: isBehind ? before.at : at }
  }
  return newest
}

/** Whether a key of the store signed this head. A valid signature alone proves nothing: anybody can sign with their own key. */
export function isOfStore(head: AuditHeadRow, introduced: KnownKeys['introduced']): boolean {
  return introduced.get(keyIdOf(head.publicKey)) === head.publicKey && isGenuine(head)
}

/**
 * When tags of earlier keys stop being accepted; undefined unless this is the store's newest key. There must be an end: nobody
 * can check such a tag, so anybody with write access to the database can forge one.
 */
function earlierKeysEnd(key: SigningKey | undefined, { newest }: KnownKeys): Instant | undefined {
  return key === undefined || key.id !== newest?.id ? undefined : addMs(newest.at, limits.auditKeyOverlapMs)
}

export async function introducedKeys(connection: Connection): Promise<Map<string, string>> {
  const keys = await introductions(connection)
  return new Map([...keys].map(([id, { publicKey }]) => [id, publicKey]))
}

/** Whether a position can be in the chain. Nothing covers a record at any other position, so it can't be trusted. */
export function isInChain(position: number | null): position is number {
  return Number.isSafeInteger(position) && Number(position) >= 1
}

/** What tags are checked against: the store's key, if it is available, and the keys that the chain introduces. */
export interface Checked {
  key: SigningKey | undefined
  keys: KnownKeys
}

/**
 * Checks that this store wrote an unsealed record. Nobody can check the tag of an earlier key of the store; such a tag is
 * accepted for `limits.auditKeyOverlapMs` after a change of keys.
 */
export function unattested(row: AuditRow, now: Instant, checked: Checked): { problem?: string; isOfOtherKey?: true } {
  const { contentHash, digest, attestation } = row
  if (contentHash === null) return { problem: 'it has no content hash' }
  if (contentHash !== contentHashOf(row)) return { problem: 'it is not what it was when it was written' }
  return checkTag({ tag: attestation, text: attestedText({ contentHash, digest }), at: now }, checked)
}

/** Checks the tag of any row over its text; `at` is the latest time at which the row can have been written. */
export function checkTag(
  { tag, text, at }: { tag: string | null; text: string; at: Instant },
  { key, keys }: Checked,
): { problem?: string; isOfOtherKey?: true } {
  if (tag === null) return { problem: "it has no tag of the store's key" }
  const id = attestingKey(tag)
  if (key?.id === id) return tag === key.attest(text) ? {} : { problem: "its tag is not the store's" }
  // Nothing was ever signed: an instance that was killed at its first start may have written the row.
  if (keys.introduced.size === 0) return { isOfOtherKey: true }
  if (!keys.introduced.has(id))
    return { problem: `it was written under the key ${id}, which is not a key of this store` }
  const end = earlierKeysEnd(key, keys)
  if (end === undefined || at <= end) return { isOfOtherKey: true }
  return { problem: `it was written under the key ${id}, which was replaced more than a day before` }
}
