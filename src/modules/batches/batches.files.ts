/** Files of batches, read into memory and parsed row by row. */
import { decodeUtf8 } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { type LinePlace, lineInParts } from '../../core/positions.ts'
import { type InParts, inTurns } from '../../core/turns.ts'
import type { BatchReading, rowsInParts } from '../../engines/ingestion/batch-file.ts'
import { ObjectDamaged, type ObjectStore } from '../../objects/object-store.ts'
import type { BatchRecord } from './batches.store.ts'
import type { ReadRow } from './batches.submitting.ts'

/** The batch's file is missing or damaged; the batch can't go on until somebody has restored it. */
export class FileLost extends Error {}

interface OpenFile {
  text: string
  /** Where line numbers are counted from for the next rows; `lineBefore` for the rows read last. */
  line: LinePlace
  lineBefore: LinePlace
  /** Number of the row that `rows` yields next. */
  nextRow: number
  rows: ReturnType<typeof rowsInParts>
}

const firstLine: LinePlace = { line: 1, start: 0 }

let loaded: typeof import('../../engines/ingestion/batch-file.ts') | undefined

/** The reader of batch files; loaded on first use, because most services rarely get a batch. */
export async function fileReader(): Promise<typeof import('../../engines/ingestion/batch-file.ts')> {
  loaded ??= await import('../../engines/ingestion/batch-file.ts')
  return loaded
}

/**
 * The files of the batches that are fed at the same time. If together they get too long, the least recently read is dropped
 * first.
 */
export class BatchFiles {
  readonly #objects: ObjectStore
  readonly #open = new Map<string, OpenFile>()

  constructor(objects: ObjectStore) {
    this.#objects = objects
  }

  /** The next rows of a batch. @throws FileLost, ObjectStoreUnavailable */
  async next(batch: BatchRecord, most: number): Promise<ReadRow[]> {
    const file = await this.#file(batch)
    const reading = batch.reading as BatchReading
    if (file.nextRow !== batch.nextRow) {
      file.rows = (await fileReader()).rowsInParts(file.text, reading, batch.nextOffset)
      file.nextRow = batch.nextRow
      // Rows that were read and not submitted are read again.
      file.line = [file.line, file.lineBefore].find(({ start }) => start <= batch.nextOffset) ?? firstLine
    }
    file.lineBefore = file.line
    return inTurns(nextRows(file, batch, most))
  }

  /** Drops the files of all other batches. */
  keepOnly(ids: readonly string[]): void {
    for (const id of this.#open.keys()) if (!ids.includes(id)) this.#open.delete(id)
  }

  async #file(batch: BatchRecord): Promise<OpenFile> {
    const known = this.#open.get(batch.id)
    this.#open.delete(batch.id)
    const file = known ?? (await this.#read(batch))
    this.#open.set(batch.id, file)
    let held = [...this.#open.values()].reduce((sum, { text }) => sum + text.length, 0)
    for (const [id, { text }] of this.#open) {
      if (held <= 2 * limits.batchFileBytes) break
      this.#open.delete(id)
      held -= text.length
    }
    return file
  }

  async #read({ contentHash, nextRow, nextOffset, reading }: BatchRecord): Promise<OpenFile> {
    const bytes = await this.#objects.get(contentHash).catch((error: unknown) => {
      if (error instanceof ObjectDamaged) throw new FileLost('Its file in the object store is damaged.')
      throw error
    })
    if (bytes === undefined) throw new FileLost('Its file is not in the object store any more.')
    const decoded = decodeUtf8(bytes)
    if (!decoded.ok) throw new FileLost('Its file is not what was handed in.')
    const text = decoded.value
    const { rowsInParts: rowsOf } = await fileReader()
    const rows = rowsOf(text, reading as BatchReading, nextOffset)
    return { text, line: firstLine, lineBefore: firstLine, nextRow, rows }
  }
}

function* nextRows(file: OpenFile, batch: BatchRecord, most: number): InParts<ReadRow[]> {
  const rows: ReadRow[] = []
  while (rows.length < most && file.nextRow <= batch.rows) {
    const { value: row, done } = file.rows.next()
    if (done === true) throw new FileLost('Its file has fewer rows than when it was handed in.')
    yield
    if (row === undefined) continue
    const { offset, end, rawInput, reference } = row
    file.line = yield* lineInParts(file.text, offset, file.line)
    rows.push({ number: file.nextRow, line: file.line.line, end, rawInput, reference })
    file.nextRow++
  }
  return rows
}
