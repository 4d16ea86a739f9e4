/** Legal holds on what the files of batches name that still have rows to submit. */
import { limits } from '../../core/limits.ts'
import { hashesNamed } from '../../core/references.ts'
import { atOnce, inTurns } from '../../core/turns.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { getIntact, type ObjectStore } from '../../objects/object-store.ts'
import { type HoldRow, holdsOnObjects } from './holds.reads.ts'

/** Which hashes of references were looked for in a file, by the file's hash, and which of them it names. */
export type LookedFiles = Map<string, { wanted: ReadonlySet<string>; named: ReadonlySet<string> }>

/**
 * Looks for held objects in the file of a batch that still has rows to submit. Of one that is lost or damaged there is
 * nothing to keep.
 *
 * @param looked for who asks again and again: a file that it has, with all holds in force, is not read again
 * @param hash of the file, null without one
 * @returns what tells the hold, in a transaction that keeps holds out
 */
export async function heldInFile(
  { connection, objects, looked }: { connection: Connection; objects: Pick<ObjectStore, 'get'>; looked?: LookedFiles },
  hash: string | null,
): Promise<(tx: Transaction) => Promise<HoldRow | undefined>> {
  if (hash === null) return async () => undefined
  const wanted = new Set((await holdsOnObjects(connection)).keys())
  const known = looked?.get(hash)
  const isKnown = known !== undefined && wanted.isSubsetOf(known.wanted)
  const file = isKnown ? undefined : await getIntact(objects, hash)
  const text = file === undefined ? '' : new TextDecoder().decode(file)
  const named = isKnown ? known.named : await inTurns(hashesNamed(text, wanted))
  if (looked !== undefined && !isKnown && file !== undefined) remember(looked, hash, { wanted, named })
  return async (tx) => {
    const now = await holdsOnObjects(tx)
    for (const [reference, hold] of now) if (named.has(reference)) return hold
    // One that came meanwhile. In a file that was not read now it counts until the next look.
    const [late] = isKnown
      ? new Set(now.keys()).difference(known.wanted)
      : atOnce(hashesNamed(text, new Set(now.keys()).difference(wanted)))
    return late === undefined ? undefined : now.get(late)
  }
}

function remember(looked: LookedFiles, hash: string, found: { wanted: Set<string>; named: ReadonlySet<string> }): void {
  const [oldest] = looked.keys()
  if (looked.size >= limits.holdLookedFiles && oldest !== undefined) looked.delete(oldest)
  looked.set(hash, found)
}
