import { appendEvent } from '../../bus/outbox.ts'
import type { Actor } from '../../core/actor.ts'
import { canonicalHash } from '../../core/canonical.ts'
import { newId } from '../../core/ids.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import type { ProcessingKind } from '../../db/schema.ts'
import { findReleaseByPin, insertReleaseOnce, type ReleaseRow } from './releases.store.ts'

export { findRelease, type ReleaseRow } from './releases.store.ts'

/** A version as a release pins it. */
export interface PinnedVersion {
  id: string
  contentHash: string
}

export interface Pin {
  contract: PinnedVersion
  transformer: PinnedVersion
  template: PinnedVersion | undefined
}

export function processingKindOf(pin: Pin): ProcessingKind {
  return pin.template === undefined ? 'transformation' : 'document_generation'
}

/** SHA-256 of the canonical JSON of the content hashes pinned and the processing kind. */
export function releaseHashOf(pin: Pin): string {
  return canonicalHash({
    contract: pin.contract.contentHash,
    transformer: pin.transformer.contentHash,
    template: pin.template?.contentHash ?? null,
    processing_kind: processingKindOf(pin),
  })
}

function automaticPinOf(pin: Pin): string {
  return [pin.contract.id, pin.transformer.id, pin.template?.id ?? ''].join(':')
}

/** The release that submissions share for exactly these versions, once one of them has needed it. */
export function findPinnedRelease(connection: Connection, pin: Pin): Promise<ReleaseRow | undefined> {
  return findReleaseByPin(connection, automaticPinOf(pin))
}

/** The same, made at its first use. */
export async function pinRelease(tx: Transaction, actor: Actor, name: string, pin: Pin): Promise<ReleaseRow> {
  const automaticPin = automaticPinOf(pin)
  const existing = await findReleaseByPin(tx, automaticPin)
  if (existing !== undefined) return existing
  const row: ReleaseRow = {
    id: newId(),
    name,
    releaseHash: releaseHashOf(pin),
    processingKind: processingKindOf(pin),
    contractVersionId: pin.contract.id,
    transformVersionId: pin.transformer.id,
    templateVersionId: pin.template?.id ?? null,
    automaticPin,
    createdBy: actor.userId,
    createdAt: actor.at,
  }
  if (!(await insertReleaseOnce(tx, row))) {
    const winner = await findReleaseByPin(tx, automaticPin)
    if (winner === undefined) throw new Error(`the release pinned as ${automaticPin} vanished while it was being made`)
    return winner
  }
  await appendEvent(tx, actor.at, {
    aggregate: 'release',
    aggregateId: row.id,
    type: 'created',
    data: { name, release_hash: row.releaseHash, processing_kind: row.processingKind },
    correlationId: actor.correlationId,
  })
  return row
}
