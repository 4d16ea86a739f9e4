import type { Connection, Transaction } from '../../db/database.ts'
import { ObjectDamaged, type ObjectStore } from '../../objects/object-store.ts'
import { heldInLongText } from './holds.inputs.reads.ts'
import type { HoldRow } from './holds.reads.ts'

/**
 * Looks for held objects in the file of a batch that still has rows to submit. Of one that is lost or damaged there is
 * nothing to keep.
 *
 * @param hash of the file, null without one
 * @returns what tells the hold, in a transaction that keeps holds out
 */
export async function heldInFile(
  { connection, objects }: { connection: Connection; objects: Pick<ObjectStore, 'get'> },
  hash: string | null,
): Promise<(tx: Transaction) => Promise<HoldRow | undefined>> {
  const file = hash === null ? undefined : await objects.get(hash).catch(passDamaged)
  if (file === undefined) return async () => undefined
  return heldInLongText(connection, new TextDecoder().decode(file))
}

function passDamaged(error: unknown): undefined {
  if (!(error instanceof ObjectDamaged)) throw error
}
