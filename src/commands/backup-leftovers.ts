import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../core/limits.ts'
import { isEncrypted } from './backup-encryption.ts'

/** What a backup is called until it is whole. */
export const UNFINISHED = '.unfinished'

/**
 * Removes what killed backups left in this folder: later backups have other names, and would never overwrite it. Removes
 * only what looks like a backup's and has not been written to for a day: another backup into the folder may be under way,
 * even from another machine.
 *
 * @returns the names of what is gone
 */
export async function removeLeftovers(folder: string): Promise<string[]> {
  const removed: string[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    if (!name.endsWith(UNFINISHED) || !(await isLeft(path).catch(() => false))) continue
    // A leftover that can't be removed doesn't stop the backup.
    const isGone = await rm(path, { recursive: true }).then(
      () => true,
      () => false,
    )
    if (isGone) removed.push(name)
  }
  return removed
}

async function isLeft(path: string): Promise<boolean> {
  const found = await stat(path)
  if (!found.isDirectory()) return isOld(found.mtimeMs) && (await isArchiveBegun(path))
  const parts = await readdir(path)
  if (parts.some((name) => name !== 'tables' && name !== 'objects' && name !== 'manifest.json')) return false
  const written = await Promise.all(parts.map(async (name) => (await stat(join(path, name))).mtimeMs))
  return isOld(Math.max(found.mtimeMs, ...written))
}

function isOld(writtenMs: number): boolean {
  return Date.now() - writtenMs > limits.backupLeftoverMs
}

/** A draft begins with age's header, with its first table's name, or with zeros until that table is whole. */
async function isArchiveBegun(path: string): Promise<boolean> {
  if (!/\.(?:tar|age)\.unfinished$/i.test(path)) return false
  const file = await open(path, 'r')
  try {
    const { buffer: beginning } = await file.read(new Uint8Array(64), 0, 64, 0)
    const name = new TextDecoder('latin1').decode(beginning)
    return isEncrypted(beginning) || name.startsWith('tables/') || beginning.every((byte) => byte === 0)
  } finally {
    await file.close()
  }
}
