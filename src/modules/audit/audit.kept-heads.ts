import { keyIdOf } from '../../core/signing-key.ts'
import type { Connection } from '../../db/database.ts'
import { findStoreId } from '../../db/store-id.ts'
import { isGenuine } from './audit.heads.ts'
import { type AuditHeadRow, headPosition, listSealed } from './audit.store.ts'
import { introducedKeys } from './audit.unsealed.ts'

/** Heads that were kept outside of the store, and where problems are reported: sentences without a full stop. */
export interface KeptHeads {
  connection: Connection
  heads: readonly AuditHeadRow[]
  report(problem: string): void
}

/**
 * Checks that the chain still leads to heads that were kept elsewhere. Somebody with the database and its key can rewrite the
 * whole trail, but can't reproduce the hash of a head that they could not reach.
 *
 * @returns how many heads were checked
 */
export async function verifyKeptHeads({ connection, heads, report }: KeptHeads): Promise<number> {
  const store = await findStoreId(connection)
  const introduced = await introducedKeys(connection)
  const end = await headPosition(connection)
  for (const head of heads) {
    const { position, hash, publicKey } = head
    const name = `the kept head at position ${position}`
    const id = keyIdOf(publicKey)
    if (!isGenuine(head)) report(`${name} does not have its key's signature`)
    else if (head.store !== store) report(`${name} is of the store ${head.store}, and this is the store ${store}`)
    else if (introduced.get(id) !== publicKey) report(`${name} is signed with ${id}, which is not a key of this store`)
    else if (position > end) report(`the audit trail was cut: it ends at position ${end}, before ${name}`)
    else {
      const [record] = await listSealed(connection, position, position + 1)
      if (record?.hash !== hash) report(`the audit trail was rewritten before ${name}`)
    }
  }
  return heads.length
}
