import { and, eq, sql } from 'drizzle-orm'
import { newId } from '../core/ids.ts'
import { limits } from '../core/limits.ts'
import { othersTurn } from '../core/turns.ts'
import type { Connection, Transaction } from './database.ts'
import { prepareInsert, prepareOnce } from './prepared.ts'

/**
 * Files that are too large for a row: SQLite rewrites a row whenever one of its numbers changes, and reads or writes it in one
 * go, for which everybody waits. Each piece is a statement of its own, after which other work runs (decision 35).
 */
const insertPieces = prepareInsert(({ t }) => t.filePieces)

/**
 * Writes a file in pieces under a new id, which the caller stores in the same transaction. The last piece is shorter than the
 * others, possibly empty.
 */
export async function writeLargeFile(tx: Transaction, bytes: Uint8Array): Promise<string> {
  const fileId = newId()
  const size = limits.filePieceBytes
  for (let number = 0; number * size <= bytes.length; number++) {
    await insertPieces(tx, [{ fileId, number, bytes: bytes.subarray(number * size, (number + 1) * size) }])
    await othersTurn()
  }
  return fileId
}

/** What exists of the file. It is incomplete if the file is damaged, or was removed before or during the reading. */
export async function readLargeFile(
  connection: Connection,
  fileId: string,
): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const [found] = await sizeOf(connection).execute({ fileId })
  const bytes = new Uint8Array(Number(found?.bytes ?? 0))
  const pieces = Number(found?.pieces ?? 0)
  let at = 0
  for (let number = 0; number < pieces; number++) {
    const [piece] = await pieceOf(connection).execute({ fileId, number })
    const isAsWritten = piece !== undefined && piece.bytes.length <= bytes.length - at
    if (!isAsWritten) break
    bytes.set(piece.bytes, at)
    at += piece.bytes.length
    const isLast = number === pieces - 1
    if (isLast !== piece.bytes.length < limits.filePieceBytes) break
    if (isLast) {
      collectAfter(bytes.length)
      return { bytes, isWhole: true }
    }
    await othersTurn()
  }
  return { bytes: bytes.subarray(0, at), isWhole: false }
}

let readBytes = 0

/** Collects garbage now and then: by itself, the runtime lets half a gigabyte of read files accumulate first. */
function collectAfter(bytes: number): void {
  readBytes += bytes
  if (readBytes < limits.fileCollectBytes) return
  readBytes = 0
  Bun.gc(false)
}

/** @throws if pieces are missing, naming the file's owner */
export async function requireLargeFile(connection: Connection, fileId: string, owner: string): Promise<Uint8Array> {
  const { bytes, isWhole } = await readLargeFile(connection, fileId)
  if (!isWhole) throw new Error(`pieces of the file of ${owner} are missing from the database`)
  return bytes
}

export async function removeLargeFile(tx: Transaction, fileId: string): Promise<void> {
  const [found] = await sizeOf(tx).execute({ fileId })
  for (let number = 0; number < Number(found?.pieces ?? 0); number++) {
    await pieceRemoval(tx).execute({ fileId, number })
    await othersTurn()
  }
  // Pieces behind a gap in a damaged file.
  const { filePieces } = tx.t
  await tx.q.delete(filePieces).where(eq(filePieces.fileId, fileId))
}

const sizeOf = prepareOnce(({ q, t: { filePieces } }) =>
  q
    .select({ pieces: sql<number>`count(*)`, bytes: sql<number>`coalesce(sum(length(${filePieces.bytes})), 0)` })
    .from(filePieces)
    .where(eq(filePieces.fileId, sql.placeholder('fileId')))
    .prepare(),
)

const pieceOf = prepareOnce(({ q, t: { filePieces } }) =>
  q
    .select({ bytes: filePieces.bytes })
    .from(filePieces)
    .where(and(eq(filePieces.fileId, sql.placeholder('fileId')), eq(filePieces.number, sql.placeholder('number'))))
    .prepare(),
)

const pieceRemoval = prepareOnce(({ q, t: { filePieces } }) =>
  q
    .delete(filePieces)
    .where(and(eq(filePieces.fileId, sql.placeholder('fileId')), eq(filePieces.number, sql.placeholder('number'))))
    .prepare(),
)
