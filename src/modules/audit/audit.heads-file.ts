import { open, stat } from 'node:fs/promises'
import { headLine } from './audit.heads.ts'
import type { AuditHeadRow } from './audit.store.ts'

/** Fixed by ASCII. */
const LINE_END = 0x0a

/**
 * Appends a head to a file as a line of its own. If a full disk or a power cut left an unfinished line, starts a new one:
 * appended to it, the head would be unreadable, too.
 */
export async function appendHead(path: string, head: AuditHeadRow): Promise<void> {
  const isBrokenOff = await endsWithinLine(path)
  const file = await open(path, 'a')
  try {
    await file.appendFile(isBrokenOff ? `\n${headLine(head)}` : headLine(head))
    // Pipes and devices can't be synced.
    if ((await file.stat()).isFile()) await file.sync()
  } finally {
    await file.close()
  }
}

/** False for a file that can't be read, and for pipes and devices: the target may be writable only. */
async function endsWithinLine(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || !found.isFile() || found.size === 0) return false
  const file = await open(path, 'r').catch(() => undefined)
  if (file === undefined) return false
  try {
    const { size } = await file.stat()
    const { buffer } = await file.read(new Uint8Array(1), 0, 1, size - 1)
    return buffer[0] !== LINE_END
  } finally {
    await file.close()
  }
}
