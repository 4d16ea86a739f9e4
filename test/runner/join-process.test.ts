import { describe, expect, jest, spyOn, test } from 'bun:test'
import { PDFDocument } from 'pdf-lib'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import type { EnginePort, EngineWorker } from '../../src/runner/engine-worker.ts'
import { EngineThrew, WorkerCrashed, WorkerOutgrew, WorkerOverran } from '../../src/runner/faults.ts'
import { type JoinAnswer, type JoinRequest, PdfJoiner } from '../../src/runner/join-process.ts'
import { serveJoins } from '../../src/runner/serve-joins.ts'
import { rejectionOf } from '../support/outcome.ts'

const log = createLog({ level: 'error', readable: true, write: () => {} })
const document = new Uint8Array([1, 2, 3])

/** A joiner whose process answers what the test says, one after the other, and nothing once that is used up. */
function joinerWith(answers: JoinAnswer[], deadlineMs?: number) {
  const told = { asked: [] as unknown[], moved: [] as unknown[], terminated: 0 }
  let onClose = () => {}
  const worker = {
    onmessage: null as EngineWorker['onmessage'],
    onerror: null,
    end: undefined as Error | undefined,
    addEventListener(type: 'open' | 'close', listener: () => void) {
      if (type === 'close') onClose = listener
    },
    postMessage(request: unknown, moved: ArrayBuffer[]) {
      told.asked.push(request)
      told.moved.push(...moved)
      const answer = answers.shift()
      if (answer !== undefined) this.onmessage?.(new MessageEvent('message', { data: answer }))
    },
    terminate: () => void told.terminated++,
  }
  const joiner = new PdfJoiner({
    ...{ log, startWorker: () => worker },
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  })
  /** The process ends, of what is known or of nothing. */
  const endProcess = (end?: Error) => {
    worker.end = end
    onClose()
  }
  const say = (data: JoinAnswer) => worker.onmessage?.(new MessageEvent('message', { data }))
  return { joiner, told, endProcess, say }
}

describe('what joins PDFs', () => {
  test('asks for one document after the other, for the whole under its title, and for its bytes until there are none', async () => {
    const { joiner, told } = joinerWith([
      ...[{ pages: 1 }, { size: 5 }],
      ...[{ chunk: new Uint8Array([1, 2, 3]) }, { chunk: new Uint8Array([4, 5]) }, { chunk: new Uint8Array(0) }],
    ])
    await joiner.add(document, 'Letter')
    const { size, chunks } = await joiner.finish('All letters')
    expect([size, told.terminated]).toEqual([5, 0])
    expect(await Array.fromAsync(chunks)).toEqual([new Uint8Array([1, 2, 3]), new Uint8Array([4, 5])])
    const take = { take: 1_048_576 }
    expect(told.asked).toEqual([{ document, title: 'Letter' }, { finish: 'All letters' }, take, take, take])
    expect(told.moved).toEqual([])
    // The process ends with the last of them, and takes nothing more.
    expect(told.terminated).toBe(1)
    expect(await rejectionOf(joiner.add(document, 'late'))).toBeInstanceOf(WorkerCrashed)
    expect(told.asked).toHaveLength(5)
  })

  test('ends its process where nobody wants the rest of the bytes', async () => {
    const { joiner, told } = joinerWith([{ size: 9 }, { chunk: document }])
    for await (const chunk of (await joiner.finish('All')).chunks) {
      expect(chunk).toBe(document)
      break
    }
    expect([told.terminated, told.asked.length]).toEqual([1, 2])
  })

  test('fails with what the process said of a document, and goes on with the next', async () => {
    const { joiner } = joinerWith([{ fault: 'the PDF is encrypted' }, { pages: 2 }])
    const fault = await rejectionOf(joiner.add(document, 'Letter'))
    expect(fault).toBeInstanceOf(EngineThrew)
    expect(String(fault)).toContain('the PDF is encrypted')
    await joiner.add(document, 'Letter')
    joiner.close()
  })

  test('fails with the end of its process, of what is known about it, and asks it nothing more', async () => {
    for (const [end, kind] of [
      [undefined, WorkerCrashed],
      [new WorkerOutgrew('too much'), WorkerOutgrew],
    ] as const) {
      const { joiner, told, endProcess, say } = joinerWith([])
      const waiting = rejectionOf(joiner.add(document, 'Letter'))
      endProcess(end)
      const found = await waiting
      expect(found).toBeInstanceOf(kind)
      if (end !== undefined) expect(found).toBe(end)
      // An answer that comes late is nobody's, and the first end is the one that is told of.
      say({ pages: 1 })
      joiner.close()
      expect(await rejectionOf(joiner.finish('All'))).toBe(found)
      expect(told.asked).toHaveLength(1)
    }
  })

  test('is ended with its process when it takes longer than it may, and not once it was closed', async () => {
    const { joiner, told } = joinerWith([], 1)
    const waiting = rejectionOf(joiner.add(document, 'Letter'))
    expect(await waiting).toBeInstanceOf(WorkerOverran)
    expect(String(await waiting)).toContain('more than 1 ms')
    expect(told.terminated).toBe(1)
    const timers = spyOn(globalThis, 'setTimeout')
    const cleared = spyOn(globalThis, 'clearTimeout')
    const closed = joinerWith([])
    const [, ms] = timers.mock.calls[0] ?? []
    expect(ms).toBe(limits.batchPrintMs)
    closed.joiner.close()
    expect(cleared.mock.calls.map(([timer]): unknown => timer)).toContain(timers.mock.results[0]?.value)
    jest.restoreAllMocks()
    expect(closed.told.terminated).toBe(1)
  })

  test('tells whoever waits when it is closed', async () => {
    const { joiner } = joinerWith([])
    const waiting = rejectionOf(joiner.add(document, 'Letter'))
    joiner.close()
    expect(await waiting).toBeInstanceOf(WorkerCrashed)
    expect(String(await waiting)).toContain('is closed')
  })
})

describe('the process that joins PDFs', () => {
  async function pdf(pages: number): Promise<Uint8Array> {
    const made = await PDFDocument.create()
    for (let page = 0; page < pages; page++) made.addPage()
    return made.save()
  }

  /** Its side alone, asked without a process. */
  function served() {
    const answers: JoinAnswer[] = []
    let said = Promise.withResolvers<JoinAnswer>()
    const port: EnginePort = {
      onmessage: null,
      postMessage(answer, moved) {
        expect(moved).toEqual([])
        answers.push(answer as JoinAnswer)
        said.resolve(answer as JoinAnswer)
      },
    }
    serveJoins(port)
    return (data: JoinRequest) => {
      said = Promise.withResolvers()
      port.onmessage?.(new MessageEvent('message', { data }))
      return said.promise
    }
  }

  test('says the pages of each document, the size of the whole, and gives that piece by piece, to its last byte', async () => {
    const ask = served()
    expect(await ask({ take: 10 })).toEqual({ chunk: new Uint8Array(0) })
    expect(await ask({ document: await pdf(2), title: 'one' })).toEqual({ pages: 2 })
    expect(await ask({ document: await pdf(1), title: 'other' })).toEqual({ pages: 1 })
    const finished = await ask({ finish: 'All' })
    const size = 'size' in finished ? finished.size : 0
    const pieces: Uint8Array[] = []
    while (pieces.length <= size / 100) {
      const answer = await ask({ take: 100 })
      if (!('chunk' in answer)) throw new Error('no piece')
      pieces.push(answer.chunk)
    }
    expect(await ask({ take: 100 })).toEqual({ chunk: new Uint8Array(0) })
    expect(pieces.slice(0, -1).every(({ byteLength }) => byteLength === 100)).toBe(true)
    const whole = Buffer.concat(pieces)
    expect(whole.byteLength).toBe(size)
    const read = await PDFDocument.load(whole)
    expect([read.getPageCount(), read.getTitle()]).toEqual([3, 'All'])
  })

  test('says why a document can’t be joined, and takes the next', async () => {
    const ask = served()
    const refusal = await ask({ document, title: 'none' })
    expect(refusal).toEqual({ fault: expect.any(String) })
    // The message alone, which is for the log of whoever asked.
    expect(refusal).not.toMatchObject({ fault: expect.stringMatching(/Error:|^$/) })
    expect(await ask({ document: await pdf(1), title: 'one' })).toEqual({ pages: 1 })
  })

  test('is one of the program’s own, which joins what it is given', async () => {
    const joiner = new PdfJoiner({ log })
    await joiner.add(await pdf(1), 'one')
    await joiner.add(await pdf(1), 'other')
    const { size, chunks } = await joiner.finish('All')
    const whole = Buffer.concat(await Array.fromAsync(chunks))
    expect(whole.byteLength).toBe(size)
    expect((await PDFDocument.load(whole)).getPageCount()).toBe(2)
  })
})
