import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestsEnd } from './cleanup.ts'
import { temporaryFolder } from './database.ts'

/** A file system of so many bytes, in a folder of its own or the one named; undefined where this process may not mount one. */
export function smallDisk(bytes: number, folder = join(temporaryFolder(), 'disk')): string | undefined {
  mkdirSync(folder, { recursive: true })
  if (!Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]).success) return undefined
  onTestsEnd(() => {
    Bun.spawnSync(['umount', '-l', folder])
  })
  return folder
}
