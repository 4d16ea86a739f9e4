/** What a batch has made, as one ZIP of all documents or one PDF for print. */
import type { Author } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { fileFormats } from '../../core/formats.ts'
import { formatInstant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/database.ts'
import type { Answer } from '../../http/operation.ts'
import { getIntact, type ObjectStore } from '../../objects/object-store.ts'
import { PdfJoiner } from '../../runner/join-process.ts'
import type { BatchResultQuery } from './batches.model.ts'
import { recordBatch } from './batches.record.ts'
import { listResults, type ResultFile } from './batches.results.store.ts'
import { requireBatch } from './batches.service.ts'
import { type BatchRecord, listRows, type RowRecord } from './batches.store.ts'
import { ZipStream } from './batches.zip.ts'

export type BatchResultService = ReturnType<typeof createBatchResultService>

export interface BatchResultPorts {
  database: Database
  objects: ObjectStore
  clock: Clock
  log: Log
  /** Joins many PDFs into one; by default in a process of its own. */
  openJoiner?: (() => PdfJoiner) | undefined
}

interface Range {
  from: number
  until: number
}

export function createBatchResultService(ports: BatchResultPorts) {
  const { database, objects, clock, log, openJoiner = () => new PdfJoiner({ log }) } = ports
  let joining: Promise<unknown> = Promise.resolve()

  async function* files(batch: BatchRecord, { from, until }: Range): AsyncGenerator<ResultFile> {
    for (let after: number | undefined = from - 1; after !== undefined; ) {
      const page = await listResults(database.read, batch.id, { after, until, limit: limits.batchResultRows })
      yield* page.files
      after = page.last
    }
  }

  /** Rows are read before their files: meanwhile a running batch may gain files, but never loses any. */
  async function* pages(batch: BatchRecord, { from, until }: Range): AsyncGenerator<[RowRecord, ...RowRecord[]]> {
    for (let after = from - 1; ; ) {
      const filter = { state: undefined, cause: undefined, after }
      const page = await listRows(database.read, batch.id, filter, limits.batchResultRows)
      const [first, ...others] = page.filter(({ number }) => number <= until)
      if (first === undefined) return
      yield [first, ...others]
      after = (others.at(-1) ?? first).number
    }
  }

  /** Undefined if the bytes are removed or lost; the answer says so. Removed ones may still exist for another execution. */
  async function bytesOf({ contentHash, isRemoved }: ResultFile): Promise<Uint8Array | undefined> {
    if (isRemoved) return undefined
    return getIntact(objects, contentHash)
  }

  async function* zip(batch: BatchRecord, range: Range): AsyncGenerator<Uint8Array> {
    const archive = new ZipStream({ at: formatInstant(batch.createdAt) })
    const lines = ['row,line,state,object_reference,submission_id,code,step,place,message,files']
    for await (const rows of pages(batch, range)) {
      const namesOf = new Map<number, string[]>()
      for await (const file of files(batch, { from: rows[0].number, until: (rows.at(-1) ?? rows[0]).number })) {
        const bytes = await bytesOf(file)
        const name = bytes === undefined ? `${nameOf(file)} (${whyAbsent(file)})` : nameOf(file)
        namesOf.set(file.number, [...(namesOf.get(file.number) ?? []), name])
        if (bytes !== undefined) yield* archive.file(name, bytes)
      }
      lines.push(...rows.map((row) => rowLine(row, namesOf.get(row.number) ?? [])))
    }
    yield* archive.file('rows.csv', new TextEncoder().encode(`${lines.join('\r\n')}\r\n`))
    yield* archive.end()
  }

  async function print(batch: BatchRecord, range: Range) {
    const wanted: ResultFile[] = []
    let bytes = 0
    for await (const file of files(batch, range)) {
      if (file.kind !== 'pdf') continue
      wanted.push(file)
      bytes += file.byteSize
      if (wanted.length > limits.batchPrintDocuments || bytes > limits.batchPrintBytes) throw tooMuch(file.number)
    }
    if (wanted.length === 0) throw new Fault('conflict', 'No row of these has made a PDF yet. Wait for one.')
    const joiner = openJoiner()
    try {
      for (const file of wanted) {
        const document = await bytesOf(file)
        if (document === undefined) {
          const detail = file.isRemoved ? 'was removed under a retention policy' : 'is not in the object store any more'
          throw new Fault('content_unavailable', `The PDF of row ${file.number} ${detail}.`)
        }
        await joiner.add(document, titleOf(file))
      }
      return await joiner.finish(batch.name)
    } catch (error) {
      joiner.close()
      throw error
    }
  }

  /** Runs one job at a time: each takes the memory of a whole process. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const made = joining.then(work, work)
    joining = made.catch(() => undefined)
    return made
  }

  return {
    /**
     * Streams what the rows have produced so far. The audit trail has the download before its first byte is sent.
     *
     * @throws Fault not_found; for a PDF conflict if there is none, validation_failed if it would be too large, and
     *   content_unavailable if a file is lost
     */
    async download(author: Author, id: string, query: BatchResultQuery): Promise<Answer<never>> {
      const batch = await requireBatch(database.read, id)
      const { form = 'zip', from_row: from = 1, to_row: until = batch.rows } = query
      if (from > until) throw new Fault('validation_failed', 'Query field from_row must not be after to_row.')
      const range = { from, until }
      const printed = form === 'pdf' ? await alone(() => print(batch, range)) : undefined
      await database.write((tx) =>
        recordBatch(tx, { ...author, at: clock.now() }, batch, 'downloaded', { form, rows: `${from}-${until}` }),
      )
      const part = from === 1 && until === batch.rows ? '' : `-${from}-${until}`
      const fileName = `${batch.name.replace(/\.\w{1,8}$/, '')}${part}.${form}`.replace(/[^A-Za-z0-9._@+-]/g, '-')
      const headers = {
        'content-type': form === 'pdf' ? fileFormats.pdf.mediaType : 'application/zip',
        'content-disposition': `attachment; filename="${fileName}"`,
        'cache-control': 'private, no-store, no-transform',
        ...(printed === undefined ? {} : { 'content-length': String(printed.size) }),
      }
      return { status: 200, headers, stream: streamOf(printed?.chunks ?? zip(batch, range)) }
    },
  }
}

/** Pulls a chunk only when the client has taken the one before, and stops when the client disconnects. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await chunks.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return(undefined)
      },
    },
    { highWaterMark: 1 },
  )
}

function tooMuch(number: number): Fault {
  const most = `${limits.batchPrintDocuments} documents and ${limits.batchPrintBytes} bytes`
  const detail = `One PDF holds at most ${most}, which row ${number} goes beyond. Ask for parts with from_row and to_row.`
  return new Fault('validation_failed', detail)
}

function whyAbsent({ isRemoved }: ResultFile): string {
  return isRemoved ? 'removed' : 'lost'
}

function nameOf(file: ResultFile): string {
  const { number, objectReference, nodeAddress, kind } = file
  const row = String(number).padStart(String(limits.batchRows).length, '0')
  const node = nodeAddress.split(':').slice(1).join('-')
  return `${row}-${objectReference}-${node}.${fileFormats[kind].extension}`.replace(/[^A-Za-z0-9._@+-]/g, '-')
}

function titleOf({ number, objectReference, nodeAddress }: ResultFile): string {
  return `${number} · ${objectReference} · ${nodeAddress.split(':').at(-1)}`
}

function rowLine(row: RowRecord, names: readonly string[]): string {
  const { number, line, state, objectReference, submissionId, code, step, place, message } = row
  const said = [objectReference, submissionId, code, step, place, message, names.join(' ')]
  return [String(number), String(line), state, ...said.map((text) => cellOf(text ?? ''))].join(',')
}

/** Spreadsheet programs run a cell that begins like a formula, so such a text is marked as text. */
function cellOf(text: string): string {
  const marked = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked
}
