import { type FileHandle, open } from 'node:fs/promises'
import { logLayout } from './log-layout.ts'

const { headerBytes, pageSizeAt, frameHeaderBytes, framePageAt, frameCommitAt } = logLayout

/**
 * Writes a log into its database's file, up to the log's last commit, and makes the file durable. SQLite could do that, but
 * caches its knowledge of a file's log for as long as any connection of this process lives.
 *
 * @param logPath a log of whole frames of one epoch, with its header
 */
export async function applyLog(path: string, logPath: string): Promise<void> {
  const log = await open(logPath, 'r')
  const file = await open(path, 'r+')
  try {
    const header = await readAt(log, 0, headerBytes)
    if (header.length < headerBytes) return
    const pageBytes = header.readUInt32BE(pageSizeAt)
    const frameBytes = frameHeaderBytes + pageBytes
    const { end, pages } = await lastCommit(log, frameBytes)
    for (let at = headerBytes; at < end; at += frameBytes) {
      const frame = await readAt(log, at, frameBytes)
      const page = frame.readUInt32BE(framePageAt)
      await writeAt(file, frame.subarray(frameHeaderBytes), (page - 1) * pageBytes)
    }
    if (pages > 0) await file.truncate(pages * pageBytes)
    await file.sync()
  } finally {
    await log.close()
    await file.close()
  }
}

/** Where the last committing frame ends, and how many pages the database then has. */
async function lastCommit(log: FileHandle, frameBytes: number): Promise<{ end: number; pages: number }> {
  const last = { end: headerBytes, pages: 0 }
  for (let at = headerBytes; ; at += frameBytes) {
    const frame = await readAt(log, at, frameHeaderBytes)
    if (frame.length < frameHeaderBytes) return last
    const pages = frame.readUInt32BE(frameCommitAt)
    if (pages > 0) Object.assign(last, { end: at + frameBytes, pages })
  }
}

/** Writes all bytes: a nearly full disk may take only a part at once, and then refuses the rest with its reason. */
async function writeAt(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let written = 0; written < bytes.length; )
    written += (await file.write(bytes, written, bytes.length - written, at + written)).bytesWritten
}

/** Returns fewer bytes at the end of the file. */
async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, at)
  return bytes.subarray(0, bytesRead)
}
