/** Files of batches that still have rows to submit: what will be about an object once they are. */
import { findReference } from '../../core/references.ts'
import { inTurns } from '../../core/turns.ts'
import type { Connection } from '../../db/database.ts'
import { ObjectDamaged, type ObjectStore } from '../../objects/object-store.ts'
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
    const file = fileHash === null ? undefined : await objects.get(fileHash).catch(passDamaged)
    looked.add(id)
    // Most name no such thing at all, which this tells at once; an escape may hide it.
    const text = file === undefined ? '' : new TextDecoder().decode(file)
    if (!text.includes(objectReference) && !text.includes('\\')) continue
    const isAbout = (reference: string) => reference === objectReference
    if ((await inTurns(findReference(text, isAbout))) !== undefined) naming.add(id)
  }
  return { looked, naming }
}

function passDamaged(error: unknown): undefined {
  if (!(error instanceof ObjectDamaged)) throw error
}
