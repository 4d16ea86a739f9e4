import type { ObjectStore } from '../objects/object-store.ts'

/** What an owner's note is called, before the id of its store. */
const OWNER = 'store.'

/** The place has a replica of another store, which would lose its copies and objects to this one's. */
export class ReplicaOfAnother extends Error {
  override readonly name = 'ReplicaOfAnother'
}

/**
 * Notes whose replica a place holds, with the first use. Two stores that write into one place would each take the other's
 * newest copy for its own, and remove the other's objects after some days.
 *
 * @throws ReplicaOfAnother
 */
export async function claimReplica({ notes }: ObjectStore, storeId: string): Promise<void> {
  const owners = (await notes.names()).filter((name) => name.startsWith(OWNER))
  const own = OWNER + storeId
  if (owners.includes(own)) return
  const [other] = owners
  if (other === undefined) return notes.put(own, new TextEncoder().encode(`${storeId}\n`))
  throw new ReplicaOfAnother(
    `it is the replica of the store ${other.slice(OWNER.length)}, and this is ${storeId}; give QUIRE_REPLICA_URL a place of its own, or remove the note ${other} there to let this store have the place`,
  )
}
