import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ObjectStore } from '../objects/object-store.ts'
import { openObjectStore } from '../objects/objects.ts'
import { isReplica } from '../replica/rebuild.ts'

/** The replica that a name leads to: `file:…`, `s3://…`, or a folder that holds one; undefined for a backup. */
export async function openReplica(source: string): Promise<ObjectStore | undefined> {
  if (/^(?:s3|file):/.test(source)) return openObjectStore(source)
  if (!existsSync(join(source, 'notes'))) return undefined
  const store = await openObjectStore(`file:${resolve(source)}`)
  return (await isReplica(store)) ? store : undefined
}
