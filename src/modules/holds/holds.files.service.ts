/** Legal holds on objects that are named in the files of batches with rows still to submit. */
import { limits } from '../../core/limits.ts'
import { hashesNamed } from '../../core/references.ts'
import { atOnce, inTurns } from '../../core/turns.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { getIntact, type ObjectStore } from '../../objects/object-store.ts'
import { type HoldRow, holdsOnObjects } from './holds.reads.ts'

/** By a file's hash: the hashes of references that were searched for in it, and those that it names. */
export type LookedFiles = Map<string, { wanted: ReadonlySet<string>; named: ReadonlySet<string> }>

/**
 * Searches a batch's file, if rows of it are still to be submitted, for held objects. A lost or damaged file has nothing to keep.
 *
 * @param looked for repeated calls: a file in it that was searched for all current holds is not read again
 * @param hash of the file; null if the batch has none
 * @returns a function that returns the hold; call it in a transaction that keeps new holds out
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
    // A hold that was placed meanwhile. If the file was not read this time, the hold counts until the next call.
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
