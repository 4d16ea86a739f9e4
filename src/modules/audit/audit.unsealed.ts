import type { Instant } from '../../core/instant.ts'
import { attestingKey, type SigningKey } from '../../core/signing-key.ts'
import { type AuditRow, attestedText, contentHashOf } from '../../db/audit-log.ts'
import type { Connection } from '../../db/database.ts'
import { listByAction } from './audit.store.ts'

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

/** Public keys that records of the chain introduce, by their ids, in the order of the chain; of one that is introduced again, the first. */
export async function introductions(connection: Connection): Promise<Map<string, IntroducedKey>> {
  const records = await listByAction(connection, KEY_INTRODUCED)
  const inChain = records.flatMap(({ position, resourceId, detail, at }) =>
    isInChain(position) && resourceId !== null
      ? [{ id: resourceId, publicKey: String(detail.public_key), position, at }]
      : [],
  )
  const keys = new Map<string, IntroducedKey>()
  for (const { id, ...key } of inChain.toSorted((a, b) => a.position - b.position)) {
    if (!keys.has(id)) keys.set(id, key)
  }
  return keys
}

export async function introducedKeys(connection: Connection): Promise<Map<string, string>> {
  const keys = await introductions(connection)
  return new Map([...keys].map(([id, { publicKey }]) => [id, publicKey]))
}

/** The chain covers no record at any other place, so such a record can't be trusted. */
export function isInChain(position: number | null): position is number {
  return Number.isSafeInteger(position) && Number(position) >= 1
}

/**
 * Whether a record that is not sealed yet is one that this store wrote. A tag of an earlier key of the store is taken as it
 * is: after a change of keys nobody can check it.
 */
export function unattested(
  row: AuditRow,
  key: SigningKey | undefined,
  introduced: ReadonlyMap<string, string>,
): { problem?: string; isOfOtherKey?: true } {
  const { contentHash, digest, attestation } = row
  if (contentHash === null) return { problem: 'it has no content hash' }
  if (contentHash !== contentHashOf(row)) return { problem: 'it is not what it was when it was written' }
  return checkTag(attestation, attestedText({ contentHash, digest }), key, introduced)
}

/** The same for the tag of any row over its text. */
export function checkTag(
  tag: string | null,
  text: string,
  key: SigningKey | undefined,
  introduced: ReadonlyMap<string, string>,
): { problem?: string; isOfOtherKey?: true } {
  if (tag === null) return { problem: "it has no tag of the store's key" }
  if (key?.id === attestingKey(tag)) return tag === key.attest(text) ? {} : { problem: "its tag is not the store's" }
  if (introduced.has(attestingKey(tag))) return { isOfOtherKey: true }
  return { problem: `it was written under the key ${attestingKey(tag)}, which is not a key of this store` }
}
