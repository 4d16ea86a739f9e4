import { afterAll, beforeAll, describe, expect, jest, spyOn, test } from 'bun:test'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import type { EngineWorker } from '../../src/runner/engine-worker.ts'
import { EngineThrew, WorkerCrashed, WorkerOutgrew, WorkerOverran } from '../../src/runner/faults.ts'
import { type Source, type StepJob, type StepResult, type StepSuccess, sourceKey } from '../../src/runner/job.ts'
import {
  type EnginePool,
  openPool,
  type PoolOptions,
  type WorkerAnswer,
  type WorkerRequest,
} from '../../src/runner/pool.ts'
import { outcomeOf } from '../support/outcome.ts'
import { letterSources, validInput } from './letter.ts'

const log = createLog({ level: 'error', readable: true, write: () => {} })

function succeeded(result: StepResult | undefined): StepSuccess {
  if (result?.ok !== true) throw new Error(`the step failed: ${JSON.stringify(result)}`)
  return result
}

describe('the engine workers', () => {
  let pool: EnginePool
  let sources: { contract: Source; transformer: Source; template: Source }
  beforeAll(async () => {
    pool = openPool({ size: 1, log })
    sources = await letterSources()
  })
  afterAll(() => pool.close())

  async function makeLetter(input: string) {
    const { contract, transformer, template } = sources
    const steps = ['validate', 'transform.declarative'] as const
    const small = await pool.run({ steps, sources: { contract, transformer }, rawInput: input, input })
    const { output } = succeeded(small[1])
    const composed = await pool.run({ steps: ['compose'], sources: { template }, output: output!.text })
    const docx = succeeded(composed[0]).file!
    const rendered = await pool.run({ steps: ['render'], sources: {}, docx: docx.bytes.slice() })
    return { output: output!, docx, pdf: succeeded(rendered[0]).file!, summary: succeeded(rendered[0]).summary }
  }

  test('say that they begin with a job when they do, not while they start or it waits for another', async () => {
    const fresh = openPool({ size: 1, log })
    const { contract, transformer } = sources
    const job = {
      steps: ['validate'],
      sources: { contract, transformer },
      rawInput: validInput,
      input: validInput,
    } as const
    const told: string[] = []
    const run = (name: string) =>
      fresh
        .run({ ...job, steps: [...job.steps] }, () => told.push(`${name} begun`))
        .then(() => told.push(`${name} done`))
    const both = [run('first'), run('second')]
    expect(told).toEqual([])
    await Promise.all(both)
    expect(told).toEqual(['first begun', 'first done', 'second begun', 'second done'])
    await fresh.close()
  })

  test('run other jobs before one that was already started once, but not forever', async () => {
    const fresh = openPool({ size: 1, log })
    const { contract, transformer } = sources
    const job: StepJob = {
      steps: ['validate'],
      sources: { contract, transformer },
      rawInput: validInput,
      input: validInput,
    }
    const begun: string[] = []
    const run = (name: string, more: Partial<StepJob> = {}) => fresh.run({ ...job, ...more }, () => begun.push(name))
    // The worker has the first; what comes after it waits for its turn.
    const all = [run('first'), run('repeated', { isRepeated: true, steps: ['transform.declarative'] })]
    for (let index = 1; index <= 3; index++) all.push(run(`${index}`))
    await Promise.all(all)
    expect(begun).toEqual(['first', '1', '2', '3', 'repeated'])

    begun.length = 0
    const many = [run('first'), run('repeated', { isRepeated: true })]
    for (let index = 1; index <= 20; index++) many.push(run(`${index}`))
    await Promise.all(many)
    const others = Array.from({ length: 20 }, (_, index) => `${index + 1}`)
    expect(begun).toEqual(['first', ...others.slice(0, 16), 'repeated', ...others.slice(16)])

    // Alone, it waits for nobody.
    begun.length = 0
    await run('alone', { isRepeated: true })
    expect(begun).toEqual(['alone'])
    await fresh.close()
  })

  test('make a letter out of raw input, and the same bytes out of the same input', async () => {
    const first = await makeLetter(validInput)
    expect(first.output.text).toBe('{"greeting":"Dear Ada","total":"1,234.50"}')
    expect(new TextDecoder().decode(first.docx.bytes.slice(0, 2))).toBe('PK')
    expect(new TextDecoder().decode(first.pdf.bytes.slice(0, 5))).toBe('%PDF-')
    expect(first.summary.pages).toBe(1)
    const second = await makeLetter(validInput)
    expect([second.output.hash, second.docx.hash, second.pdf.hash]).toEqual([
      first.output.hash,
      first.docx.hash,
      first.pdf.hash,
    ])
    const other = await makeLetter('{"name":"Bob","total":1}')
    expect(other.pdf.hash).not.toBe(first.pdf.hash)
  })

  test('refuse input that breaks its contract, with located issues, and don’t transform it', async () => {
    const { contract, transformer } = sources
    const job = { steps: ['validate', 'transform.declarative'], sources: { contract, transformer } } as const
    const results = await pool.run({ ...job, rawInput: '{"name":"","total":-1}', input: '{}' })
    expect(results).toHaveLength(1)
    const [refused] = results
    if (refused?.ok !== false) throw new Error('it was not refused')
    expect(refused.failure.code).toBe('contract_violated')
    expect(refused.failure.issues.map((issue) => [issue.path, issue.keyword]).sort()).toEqual([
      ['/name', 'minLength'],
      ['/total', 'minimum'],
    ])
  })

  test('refuse raw input that is not JSON, and JSON that two parsers would read differently', async () => {
    const { contract, transformer } = sources
    for (const input of ['{"name":', 'hello', '{"name":"a","name":"b","total":1}']) {
      const [refused] = await pool.run({
        steps: ['validate'],
        sources: { contract, transformer },
        rawInput: input,
        input,
      })
      if (refused?.ok !== false) throw new Error('it was not refused')
      expect(refused.failure.code).toBe('input_not_json')
      expect(refused.failure.issues).toHaveLength(1)
    }
  })

  test('keep every issue within the bounds of the interface', async () => {
    const { contract, transformer } = sources
    const long = 'k'.repeat(3_000)
    const schema = JSON.stringify({ additionalProperties: { type: 'object' }, maxProperties: 3 })
    const wide: Source = { hash: 'f'.repeat(64), format: 'json', content: schema }
    const rawInput = JSON.stringify(
      Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${long}${index}`, long])),
    )
    const [refused] = await pool.run({ steps: ['validate'], sources: { contract: wide, transformer }, rawInput })
    if (refused?.ok !== false) throw new Error('it was not refused')
    const { code, message, issues } = refused.failure
    expect(code).toMatch(/^[a-z][a-z0-9_.-]{0,63}$/)
    expect(message.length).toBeLessThanOrEqual(limits.stepIssueMessageChars)
    expect(issues.length).toBeLessThanOrEqual(limits.stepIssues)
    for (const issue of issues) {
      expect(issue.path.length).toBeLessThanOrEqual(limits.issuePathChars)
      expect(issue.message.length).toBeGreaterThan(0)
      expect(issue.message.length).toBeLessThanOrEqual(limits.stepIssueMessageChars)
    }
    expect(contract).toBeDefined()
  })

  test('refuse a pinned transformer that does not compile, and a template that is no DOCX', async () => {
    const { contract } = sources
    const transformer: Source = { hash: '1'.repeat(64), format: 'yaml', content: 'transform: nonsense' }
    const template: Source = { hash: '2'.repeat(64), format: 'docx', content: new Uint8Array([1, 2, 3]) }
    const [first] = await pool.run({
      steps: ['transform.declarative'],
      sources: { contract, transformer },
      input: '{}',
    })
    const [second] = await pool.run({ steps: ['compose'], sources: { template }, output: '{}' })
    const [third] = await pool.run({ steps: ['render'], sources: {}, docx: new Uint8Array([1, 2, 3]) })
    const codes = [first, second, third].map((result) => (result?.ok === false ? result.failure.code : 'ok'))
    expect(codes).toEqual(['transformer_unusable', 'template_unusable', 'render_failed'])
  })
})

describe('a worker that misbehaves', () => {
  const startWorker = () => new Worker(new URL('./unruly.worker.ts', import.meta.url).href)
  const ask = (input: string): StepJob => ({ steps: ['validate'], sources: {}, input })

  test('is replaced if it dies or throws, and its job fails with the crash', async () => {
    const lines: Record<string, unknown>[] = []
    const log = createLog({ level: 'error', readable: false, write: (line) => lines.push(JSON.parse(line)) })
    const pool = openPool({ size: 1, log, startWorker })
    expect(await outcomeOf(pool.run(ask('die')))).toThrow(WorkerCrashed)
    const thrown = await pool.run(ask('throw')).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(WorkerCrashed)
    expect(String(thrown)).toContain('thrown for the test')
    expect(await pool.run(ask('fine'))).toHaveLength(1)
    await pool.close()
    // Once for each, and not for the one that was closed.
    expect(lines.map(({ component, steps }) => [component, steps])).toEqual(
      new Array(2).fill(['workers', ['validate']]),
    )
  })

  test('has the time of all its steps for a job of a whole document', async () => {
    const pool = openPool({ size: 1, log, startWorker, deadlineMs: 50 })
    const steps = ['validate', 'transform.declarative', 'compose', 'render'] as const
    expect(await outcomeOf(pool.run({ ...ask('spin'), steps }))).toThrow('took more than 200 ms')
    expect(await outcomeOf(pool.run({ ...ask('spin'), steps: steps.slice(0, 2) }))).toThrow('took more than 50 ms')
    // Of steps that share a job because they should take moments, it has the time of one.
    expect(await outcomeOf(pool.run({ ...ask('spin'), steps, hasOneDeadline: true }))).toThrow('took more than 50 ms')
    await pool.close()
  })

  test('is stopped at its deadline, while the jobs behind it continue', async () => {
    // Long enough for a worker to start on a busy machine: the next one has to answer within it.
    const pool = openPool({ size: 1, log, startWorker, deadlineMs: 2_000 })
    const stuck = pool.run(ask('spin'))
    const behind = pool.run(ask('fine'))
    expect(await outcomeOf(stuck)).toThrow(WorkerOverran)
    expect(await behind).toHaveLength(1)
    await pool.close()
  })

  test('stays when an engine of it threw and it could say so', async () => {
    let started = 0
    const pool = openPool({
      size: 1,
      log,
      startWorker: () => {
        started++
        return startWorker()
      },
    })
    expect(await outcomeOf(pool.run(ask('fault')))).toThrow(EngineThrew)
    expect(await pool.run(ask('fine'))).toHaveLength(1)
    expect(started).toBe(1)
    await pool.close()
  })

  test('is not started before it is needed, and gets each source once', async () => {
    let started = 0
    const pool = openPool({
      size: 2,
      log,
      startWorker: () => {
        started++
        return startWorker()
      },
    })
    expect(started).toBe(0)
    const contract: Source = { hash: 'a'.repeat(64), format: 'json', content: '{}' }
    const told: unknown[] = []
    for (let index = 0; index < 3; index++) {
      const [result] = await pool.run({ steps: ['validate'], sources: { contract }, rawInput: 'fine', input: 'fine' })
      told.push(succeeded(result).summary.got)
    }
    expect(told).toEqual([['contract'], [], []])
    expect(started).toBe(1)
    await pool.close()
    expect(await outcomeOf(pool.run(ask('fine')))).toThrow(WorkerCrashed)
  })

  test('is started with its pool where the owner asks for it, and takes the jobs', async () => {
    let started = 0
    const counted = () => {
      started++
      return startWorker()
    }
    const pool = openPool({ size: 2, log, startsNow: 2, startWorker: counted })
    expect(started).toBe(2)
    const [one, other] = await Promise.all([pool.run(ask('fine')), pool.run(ask('fine'))])
    expect([one, other].map((results) => results?.length)).toEqual([1, 1])
    expect(started).toBe(2)
    await pool.close()
  })

  test('loads for a caller whose job comes in a moment, who gets that one and starts no second', async () => {
    let started = 0
    const counted = () => {
      started++
      return startWorker()
    }
    const pool = openPool({ size: 2, log, startWorker: counted })
    pool.warm()
    pool.warm()
    expect(started).toBe(1)
    expect(await pool.run(ask('fine'))).toHaveLength(1)
    expect(started).toBe(1)
    await pool.close()
    pool.warm()
    expect(started).toBe(1)
  })

  test('ends with its pool, what it does and what waits with it, without a complaint or another in its place', async () => {
    const lines: string[] = []
    const log = createLog({ level: 'error', readable: false, write: (line) => void lines.push(line) })
    let started = 0
    const pool = openPool({
      size: 1,
      log,
      startWorker: () => {
        started++
        return startWorker()
      },
    })
    const all = [pool.run(ask('spin')), pool.run(ask('fine')), pool.run(ask('fine'))].map((job) => outcomeOf(job))
    expect([pool.busy, pool.waiting]).toEqual([1, 2])
    await pool.close()
    for (const outcome of await Promise.all(all)) expect(outcome).toThrow(WorkerCrashed)
    expect(await outcomeOf(pool.run(ask('fine')))).toThrow(WorkerCrashed)
    expect([pool.busy, pool.waiting, started]).toEqual([0, 0, 1])
    expect(lines).toEqual([])
  })

  test('learns which sources it can forget, and gets them again when they are needed', async () => {
    const pool = openPool({ size: 1, log, startWorker })
    const run = async (digit: number) => {
      const contract: Source = { hash: String(digit).padStart(64, '0'), format: 'json', content: '{}' }
      const [result] = await pool.run({ steps: ['validate'], sources: { contract }, rawInput: 'fine', input: 'fine' })
      return succeeded(result).summary as { got: string[]; forget: string[] }
    }
    for (let digit = 0; digit <= limits.compiledSources; digit++) await run(digit)
    expect((await run(0)).got).toEqual(['contract'])
    expect((await run(500)).forget.length).toBeGreaterThan(0)
    await pool.close()
  })
})

describe('jobs that wait', () => {
  /** A worker that answers when the test says so. */
  class Held {
    onmessage: ((event: { data: WorkerAnswer }) => void) | undefined
    readonly given: string[] = []
    addEventListener(): void {}
    terminate(): void {}
    postMessage({ job, sources }: WorkerRequest): void {
      this.given.push(`${job.rawInput}${sources.length > 0 ? ' with its source' : ''}`)
    }
    answer(): void {
      this.onmessage?.({ data: { results: [] } })
    }
  }

  function held(size: number) {
    const workers: Held[] = []
    const startWorker = () => {
      const worker = new Held()
      workers.push(worker)
      return worker as unknown as Worker
    }
    const pool = openPool({ size, log, startWorker })
    const all: Promise<unknown>[] = []
    const run = (...names: string[]) => {
      for (const name of names) {
        const contract: Source = { hash: name.padEnd(64, '0'), format: 'json', content: '{}' }
        all.push(pool.run({ steps: ['validate'], sources: { contract }, rawInput: name }))
      }
    }
    const answer = async (worker: number) => {
      workers[worker]?.answer()
      await Promise.resolve()
      await new Promise(setImmediate)
    }
    const given = () => workers.map((worker) => worker.given.splice(0))
    const close = async () => {
      await pool.close()
      await Promise.allSettled(all)
    }
    return { run, answer, given, close }
  }

  test('go to the worker that has their sources, and new sources to one that has nothing else to do', async () => {
    const { run, answer, given, close } = held(2)
    run('a', 'b', 'b', 'a')
    expect(given()).toEqual([['a with its source'], ['b with its source']])
    await answer(0)
    await answer(1)
    expect(given()).toEqual([['a'], ['b']])
    // This `b` belongs to the other worker, which is busy: the new source comes first.
    run('b', 'c')
    await answer(0)
    expect(given()).toEqual([['c with its source'], []])
    // Nobody waits for a worker while another one is free.
    await answer(0)
    expect(given()).toEqual([['b with its source'], []])
    await answer(1)
    await answer(0)
    run('a', 'c', 'b')
    expect(given()).toEqual([['a'], ['c with its source']])
    await close()
  })

  test('let others with known sources pass only so often', async () => {
    const { run, answer, given, close } = held(1)
    run('a', 'b', ...new Array(limits.stepRepeatedLetsPass + 2).fill('a'))
    given()
    for (let turn = 0; turn < limits.stepRepeatedLetsPass; turn++) await answer(0)
    expect(given()).toEqual([new Array(limits.stepRepeatedLetsPass).fill('a')])
    await answer(0)
    expect(given()).toEqual([['b with its source']])
    await close()
  })

  /** Workers that are open at once and answer when they are told to. With no `longMs`, a job is long as soon as its kind is known. */
  function lanes(size: number, longMs = 0) {
    class Open extends Held {
      override addEventListener(type?: string, listener?: () => void): void {
        if (type === 'open') listener?.()
      }
    }
    const workers: Open[] = []
    const startWorker = () => {
      const worker = new Open()
      workers.push(worker)
      return worker as unknown as Worker
    }
    const pool = openPool({ size, log, startWorker, longMs })
    const all: Promise<unknown>[] = []
    const run = (...names: string[]) => {
      for (const name of names) all.push(pool.run({ steps: ['compose'], sources: {}, alike: name, rawInput: name }))
    }
    const answer = async (worker: number) => {
      // The pool learns first that the worker has begun.
      await new Promise(setImmediate)
      workers[worker]?.answer()
      await new Promise(setImmediate)
    }
    /** Until what was begun before has taken long. */
    const whenLong = async () => {
      await new Promise(setImmediate)
      await new Promise((resolve) => setTimeout(resolve, longMs + 2))
    }
    const given = () => workers.map((worker) => worker.given.splice(0))
    const close = async () => {
      await pool.close()
      await Promise.allSettled(all)
    }
    return { pool, run, answer, given, whenLong, close }
  }

  test('that are known to take long leave one worker to others', async () => {
    const { pool, run, answer, given, close } = lanes(2)
    run('slow')
    expect(given()).toEqual([['slow']])
    await answer(0)
    run('slow', 'slow', 'slow')
    expect(given()).toEqual([['slow']])
    expect([pool.busy, pool.waiting, pool.longWaiting]).toEqual([1, 2, 2])
    run('quick')
    expect(given()).toEqual([[], ['quick']])
    await answer(1)
    run('another')
    expect(given()).toEqual([[], ['another']])
    await answer(1)
    expect(given()).toEqual([[], []])
    await answer(0)
    expect(given()).toEqual([['slow'], []])
    expect(pool.longWaiting).toBe(1)
    await close()
  })

  test('leave a worker to others as soon as one of their kind takes long, while it is still at work', async () => {
    const { pool, run, answer, given, whenLong, close } = lanes(2)
    run('slow')
    await whenLong()
    run('slow', 'slow', 'quick')
    expect(given()).toEqual([['slow'], ['quick']])
    expect([pool.busy, pool.waiting, pool.longWaiting]).toEqual([2, 2, 2])
    // The worker that is free stays so: these wait for the one that their kind has.
    await answer(1)
    expect(given()).toEqual([[], []])
    await answer(0)
    expect(given()).toEqual([['slow'], []])
    await close()
  })

  test('are not long for one of their kind that ended in time, however long ago', async () => {
    const { pool, run, answer, given, whenLong, close } = lanes(2, 500)
    run('letter')
    await answer(0)
    await whenLong()
    run('letter', 'letter')
    expect(given()).toEqual([['letter', 'letter'], ['letter']])
    expect(pool.longWaiting).toBe(0)
    await close()
  })

  test('that are known to take long let others pass at a single worker, but only so often', async () => {
    const { run, answer, given, close } = lanes(1)
    run('slow')
    await answer(0)
    const others = Array.from({ length: limits.jobLongLetsPass + 3 }, (_, at) => `quick ${at}`)
    run('first', 'slow', ...others)
    expect(given()).toEqual([['slow', 'first']])
    for (let turn = 0; turn < limits.jobLongLetsPass; turn++) await answer(0)
    expect(given()).toEqual([others.slice(0, limits.jobLongLetsPass)])
    await answer(0)
    expect(given()).toEqual([['slow']])
    await close()
  })
})

describe('what passes between a pool and its workers', () => {
  /** A pool whose workers are the test's: each does what the test calls for. */
  function scripted(options: Partial<PoolOptions> = {}) {
    const workers: (ReturnType<typeof worker> & EngineWorker)[] = []
    function worker() {
      const listeners = { open: () => {}, close: () => {} }
      return {
        onmessage: null as EngineWorker['onmessage'],
        onerror: null as EngineWorker['onerror'],
        end: undefined as Error | undefined,
        posted: [] as unknown[],
        moved: [] as ArrayBuffer[][],
        terminated: 0,
        addEventListener(type: 'open' | 'close', listener: () => void) {
          listeners[type] = listener
        },
        postMessage(message: unknown, moved: ArrayBuffer[]) {
          this.posted.push(message)
          this.moved.push(moved)
        },
        terminate() {
          this.terminated++
        },
        open: () => listeners.open(),
        close(end?: Error) {
          this.end = end
          listeners.close()
        },
        answer(answer: WorkerAnswer) {
          this.onmessage?.(new MessageEvent('message', { data: answer }))
        },
      }
    }
    const startWorker = () => {
      const made = worker()
      workers.push(made)
      return made
    }
    return { pool: openPool({ size: 1, log, startWorker, ...options }), workers }
  }
  const job: StepJob = { steps: ['validate'], sources: {}, rawInput: '1' }
  const nothing: WorkerAnswer = { results: [] }

  test('fonts come first, once to each worker, and only where there are some', async () => {
    const fonts = { entries: [], hash: 'h', unusable: [] }
    const { pool, workers } = scripted({ fonts, startsNow: 1 })
    expect(workers[0]?.posted).toEqual([{ fonts }])
    for (let round = 0; round < 2; round++) {
      const made = pool.run(job)
      workers[0]?.answer(nothing)
      await made
    }
    expect(workers[0]?.posted.map((message) => Object.keys(message as object))).toEqual([
      ['fonts'],
      ...Array.from({ length: 2 }, () => ['job', 'sources', 'forget']),
    ])
    expect(workers[0]?.moved).toEqual([[], [], []])
    await pool.close()
    expect(scripted({ startsNow: 1 }).workers[0]?.posted).toEqual([])
  })

  test('jobs nearest to the end of an execution go first, in the order of its steps', async () => {
    const { pool, workers } = scripted()
    const steps = ['validate', 'compose', 'render', 'transform.declarative', 'validate'] as const
    const all = [
      pool.run(job),
      ...steps.map((step, index) => pool.run({ ...job, steps: [step], rawInput: `${index}` })),
    ]
    for (const _ of all) {
      await new Promise(setImmediate)
      workers[0]?.answer(nothing)
    }
    await Promise.all(all)
    const given = workers[0]?.posted.map((message) => (message as WorkerRequest).job)
    expect(given?.slice(1).map((one) => [one.steps[0], one.rawInput])).toEqual([
      ['render', '2'],
      ['compose', '1'],
      ['transform.declarative', '3'],
      ['validate', '0'],
      ['validate', '4'],
    ])
    await pool.close()
  })

  test('files go to the worker with their memory, and nothing else does', async () => {
    const { pool, workers } = scripted()
    const [docx, pdf] = [new Uint8Array(3), new Uint8Array(4)]
    const made = pool.run({ ...job, docx, pdf })
    workers[0]?.answer(nothing)
    await made
    expect(new Set(workers[0]?.moved[0])).toEqual(new Set([docx.buffer, pdf.buffer]))
    expect(workers[0]?.posted).toMatchObject([{ job: { steps: ['validate'], rawInput: '1', docx, pdf, sources: {} } }])
    await pool.close()
  })

  test('a source that makes room is named once, with the next job, and is sent again when it is needed', async () => {
    const { pool, workers } = scripted()
    const sourceOf = (index: number): Source => ({ hash: `${index}`.padStart(64, '0'), format: 'json', content: '{}' })
    const sentFor = async (index: number) => {
      const made = pool.run({ ...job, sources: { contract: sourceOf(index) } })
      workers[0]?.answer(nothing)
      await made
      return workers[0]?.posted.at(-1) as WorkerRequest
    }
    for (let index = 0; index < limits.compiledSources; index++) expect((await sentFor(index)).forget).toEqual([])
    // The first one was used since, so that the second one is the oldest.
    expect(await sentFor(0)).toMatchObject({ sources: [], forget: [] })
    const key = sourceKey('contract', sourceOf(1))
    expect((await sentFor(1_000)).forget).toEqual([key])
    expect(await sentFor(0)).toMatchObject({ sources: [], forget: [] })
    const again = await sentFor(1)
    expect(again.sources).toEqual([{ role: 'contract', source: sourceOf(1) }])
    expect(again.job.sources).toEqual({ contract: key })
    await pool.close()
  })

  test('a worker that says that memory was short is replaced, and one that failed by itself is not asked again', async () => {
    const { pool, workers } = scripted()
    const outgrown = pool.run(job)
    workers[0]?.answer({ fault: 'no memory', isOutgrown: true })
    expect(await outcomeOf(outgrown)).toThrow(WorkerOutgrew)
    expect(workers[0]?.terminated).toBe(1)
    const failed = pool.run(job)
    const event = { message: 'stumbled', preventDefault: jest.fn() }
    workers[1]?.onerror?.(event as unknown as ErrorEvent)
    expect(await outcomeOf(failed)).toThrow('stumbled')
    // It is told of by the pool, and not by the runtime as well.
    expect(event.preventDefault).toHaveBeenCalledTimes(1)
    // Of its end, more may be known than that.
    const known = new WorkerOutgrew('known')
    const ended = pool.run(job)
    workers[2]?.close(known)
    expect(await outcomeOf(ended)).toThrow(known)
    const unknown = pool.run(job)
    workers[3]?.close()
    expect(await outcomeOf(unknown)).toThrow(WorkerCrashed)
    // One that ended while it had nothing to do gets no job.
    const fine = pool.run(job)
    workers[4]?.answer(nothing)
    await fine
    workers[4]?.close()
    expect(pool.busy).toBe(0)
    const next = pool.run(job)
    expect(workers).toHaveLength(6)
    workers[5]?.answer(nothing)
    expect(await next).toEqual([])
    await pool.close()
  })

  test('a job begins once its worker is open, at once if it is already, and never after it was given up', async () => {
    const { pool, workers } = scripted()
    const begun: string[] = []
    const first = pool.run(job, () => begun.push('first'))
    await new Promise(setImmediate)
    expect(begun).toEqual([])
    workers[0]?.open()
    await new Promise(setImmediate)
    expect(begun).toEqual(['first'])
    workers[0]?.answer(nothing)
    await first
    const second = pool.run(job, () => begun.push('second'))
    await new Promise(setImmediate)
    expect(begun).toEqual(['first', 'second'])
    workers[0]?.close()
    await outcomeOf(second)
    const third = pool.run(job, () => begun.push('never'))
    workers[1]?.answer(nothing)
    await third
    workers[1]?.open()
    await new Promise(setImmediate)
    expect(begun).toEqual(['first', 'second'])
    await pool.close()
  })

  test('has the time of a rendering and a margin, counts as long as the bound says, and leaves no timer behind', async () => {
    const timers = spyOn(globalThis, 'setTimeout')
    const cleared = spyOn(globalThis, 'clearTimeout')
    try {
      const { pool, workers } = scripted()
      const made = pool.run(job)
      workers[0]?.open()
      await new Promise(setImmediate)
      workers[0]?.answer(nothing)
      await made
      await new Promise(setImmediate)
      const bounds: unknown[] = [limits.renderMs + limits.workerMarginMs, limits.jobLongMs]
      // What other files left in this process has timers too.
      const own = timers.mock.calls.flatMap(([, ms], at) => (bounds.includes(ms) ? [{ ms, at }] : []))
      expect(own.map(({ ms }) => ms as unknown)).toEqual(bounds)
      const ended = cleared.mock.calls.map(([timer]) => timer as unknown)
      for (const { at } of own) expect(ended).toContain(timers.mock.results[at]?.value)
      await pool.close()
    } finally {
      jest.restoreAllMocks()
    }
  })
})
