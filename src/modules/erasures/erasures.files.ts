/** Files of batches that still have rows to submit: what will be about an object once they are. */
import { namesReference } from '../../core/references.ts'
import { inTurns } from '../../core/turns.ts'
import type { Connection } from '../../db/database.ts'
import { getIntact, type ObjectStore } from '../../objects/object-store.ts'
import { listWithFile } from './erasures.refused.store.ts'

/** Ids of batches. */
export interface Files {
  looked: ReadonlySet<string>
  naming: ReadonlySet<string>
}

/** Which of them name the object. A file that is lost or damaged names nothing, and nothing of it is submitted either. */
export async function filesNaming(
  connection: Connection,
  objects: Pick<ObjectStore, 'get'>,
  objectReference: string,
): Promise<Files> {
  const [looked, naming] = [new Set<string>(), new Set<string>()]
  for (const { id, fileHash } of await listWithFile(connection)) {
    const file = fileHash === null ? undefined : await getIntact(objects, fileHash)
    looked.add(id)
    if (file === undefined) continue
    if (await inTurns(namesReference(new TextDecoder().decode(file), objectReference))) naming.add(id)
  }
  return { looked, naming }
}
