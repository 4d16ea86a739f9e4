/**
 * Files of batches. Those with rows still to submit will lead to submissions about an object; those of cancelled batches keep
 * what is about it until they are swept.
 */
import { addMs, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { namesReference } from '../../core/references.ts'
import { inTurns } from '../../core/turns.ts'
import type { Connection } from '../../db/database.ts'
import { getIntact, type ObjectStore } from '../../objects/object-store.ts'
import { listCancelledFiles, listWithFile } from './erasures.refused.store.ts'

/** Ids of batches. */
export interface Files {
  looked: ReadonlySet<string>
  naming: ReadonlySet<string>
}

/** Which batches' files name the object. A lost or damaged file names nothing; nothing of it can be submitted either. */
export async function filesNaming(
  connection: Connection,
  objects: Pick<ObjectStore, 'get'>,
  objectReference: string,
): Promise<Files> {
  const [looked, naming] = [new Set<string>(), new Set<string>()]
  for (const { id, fileHash } of await listWithFile(connection)) {
    looked.add(id)
    if (fileHash !== null && (await isNaming(objects, fileHash, objectReference))) naming.add(id)
  }
  return { looked, naming }
}

/** Hashes of the still stored files of cancelled batches that name the object. */
export async function droppedFilesNaming(
  connection: Connection,
  objects: Pick<ObjectStore, 'get'>,
  { objectReference, at }: { objectReference: string; at: Instant },
): Promise<string[]> {
  const naming: string[] = []
  for (const hash of await listCancelledFiles(connection, addMs(at, -limits.droppedFileMs))) {
    if (await isNaming(objects, hash, objectReference)) naming.push(hash)
  }
  return naming
}

async function isNaming(objects: Pick<ObjectStore, 'get'>, hash: string, objectReference: string): Promise<boolean> {
  const file = await getIntact(objects, hash)
  return file !== undefined && inTurns(namesReference(new TextDecoder().decode(file), objectReference))
}
