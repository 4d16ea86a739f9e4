import type { ObjectStore } from '../objects/object-store.ts'

/** Prefix of the note that names an owner; the store's id follows. */
const OWNER = 'store.'

/** The place has another store's replica, whose copies and objects this store would remove. */
export class ReplicaOfAnother extends Error {
  override readonly name = 'ReplicaOfAnother'
}

/**
 * Notes, at the first use, whose replica a place has. Two stores that write to one place would each take the other's newest copy
 * for their own, and remove the other's objects after some days.
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
