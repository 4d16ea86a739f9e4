import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isMissing } from '../core/error-cause.ts'
import { folderNotes } from '../objects/notes.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { openObjectStore } from '../objects/objects.ts'
import { isReplica, ReplicaUnusable } from '../replica/rebuild.ts'
import { CommandFailure, reasonOf } from './files.ts'

/**
 * The replica that a name leads to: `file:…`, `s3://…`, or a folder that holds one; undefined for a backup.
 *
 * @throws ReplicaUnusable if a folder is missing: opening it would make it
 */
export async function openReplica(source: string): Promise<ObjectStore | undefined> {
  if (source.startsWith('s3:')) return openObjectStore(source)
  const isNamed = source.startsWith('file:')
  const folder = resolve(isNamed ? source.slice('file:'.length) : source)
  const unlessMissing = (error: unknown): undefined => {
    if (!isMissing(error)) throw new CommandFailure(`${folder} cannot be read: ${reasonOf(error)}`)
  }
  const place = join(folder, 'notes')
  const notes = await stat(place).catch(unlessMissing)
  if (notes === undefined) {
    if (isNamed) throw new ReplicaUnusable(`${folder} holds no replica; name the folder of QUIRE_REPLICA_URL`)
    return undefined
  }
  // Opening a folder that is none would put into it what a store has.
  const isOne = isNamed || (await isReplica(folderNotes(place)).catch(unlessMissing)) === true
  return isOne ? openObjectStore(`file:${folder}`) : undefined
}
