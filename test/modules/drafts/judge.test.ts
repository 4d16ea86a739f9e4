import { describe, expect, test } from 'bun:test'
import { Fault } from '../../../src/core/faults.ts'
import { limits } from '../../../src/core/limits.ts'
import { createLog } from '../../../src/core/log.ts'
import { type JudgeOptions, openJudge } from '../../../src/modules/drafts/judge.service.ts'
import type { EngineWorker } from '../../../src/runner/engine-worker.ts'
import { EngineThrew } from '../../../src/runner/faults.ts'
import { startTestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { onTestsEnd } from '../../support/cleanup.ts'
import { until } from '../../support/until.ts'

const logged: string[] = []
const log = createLog({ level: 'error', readable: false, write: (line) => logged.push(line) })

function unruly(options: Partial<JudgeOptions> = {}) {
  let started = 0
  let ended = 0
  const mayAnswer = new Int32Array(new SharedArrayBuffer(4 * 4))
  const judge = openJudge({
    log,
    // A deadline is shared by the start of a worker, which may take a while on a busy machine.
    deadlineMs: 60_000,
    ...options,
    startWorker: () => {
      started++
      const thread = new Worker(new URL('./unruly.judge.ts', import.meta.url).href)
      thread.postMessage({ mayAnswer })
      thread.addEventListener('close', () => ended++)
      return opening(thread)
    },
  })
  onTestsEnd(() => judge.close())
  // The unruly worker doesn't know the questions' types.
  const ask = (given: unknown) => judge.ask('content', given as never) as Promise<unknown>
  /** Lets `held 0`, or another of four, be answered. */
  const release = (number: number) => {
    Atomics.store(mayAnswer, number, 1)
    Atomics.notify(mayAnswer, number)
  }
  return { ask, judge, release, started: () => started, ended: () => ended }
}

/** A worker that is open when it says so: the thread itself is before it has loaded anything. */
function opening(thread: Worker): EngineWorker {
  const opened: (() => void)[] = []
  const worker: EngineWorker = {
    onmessage: null,
    onerror: null,
    addEventListener: (type, listener) =>
      void (type === 'open' ? opened.push(listener) : thread.addEventListener(type, listener)),
    postMessage: (message) => thread.postMessage(message),
    terminate: () => thread.terminate(),
  }
  thread.onmessage = (event) => {
    if (event.data !== 'open') worker.onmessage?.(event)
    else for (const listener of opened) listener()
  }
  thread.onerror = (event) => worker.onerror?.(event)
  return worker
}

/** Its workers are open after a time, and answer in no time what they were sent; `spin` keeps one from all else, and `die` ends it. */
function scripted({ startMs, ...options }: Partial<JudgeOptions> & { startMs: number }) {
  let started = 0
  const startWorker = (): EngineWorker => {
    started++
    const listeners = { open: [] as (() => void)[], close: [] as (() => void)[] }
    let unread: unknown[] | undefined = []
    let isOver = false
    const answer = ({ given }: { given?: unknown }) => {
      if (isOver) return
      isOver = given === 'spin' || given === 'die'
      if (given === 'die') for (const listener of listeners.close) listener()
      else if (!isOver) worker.onmessage?.(new MessageEvent('message', { data: { verdict: { given } } }))
    }
    const worker: EngineWorker = {
      onmessage: null,
      onerror: null,
      addEventListener: (type, listener) => void listeners[type].push(listener),
      postMessage: (asked) => void (unread === undefined ? setImmediate(answer, asked) : unread.push(asked)),
      terminate() {
        isOver = true
        clearTimeout(timer)
      },
    }
    const timer = setTimeout(() => {
      for (const listener of listeners.open) listener()
      for (const asked of unread ?? []) setImmediate(answer, asked)
      unread = undefined
    }, startMs)
    return worker
  }
  const judge = openJudge({ log, deadlineMs: 60_000, patienceMs: 60, startWorker, ...options })
  onTestsEnd(() => judge.close())
  return {
    ask: (given: unknown) => judge.ask('content', given as never) as Promise<unknown>,
    started: () => started,
  }
}

describe('the judge', () => {
  test('starts with its first question, and answers in order', async () => {
    const { ask, started } = unruly()
    expect(started()).toBe(0)
    expect(await Promise.all([ask('a'), ask('b')])).toEqual([
      { given: 'a', asked: 1 },
      { given: 'b', asked: 2 },
    ])
    expect(started()).toBe(1)
  })

  test.each(['spin', 'die'])('refuses content that makes it %s twice, and answers everybody else', async (given) => {
    const { ask, started } = unruly(given === 'spin' ? { deadlineMs: 1_000 } : {})
    const refused = ask(given).catch((error: unknown) => error)
    const others = await Promise.all([ask('a'), ask('b')])
    expect(others).toMatchObject([{ given: 'a' }, { given: 'b' }])
    const fault = await refused
    expect(fault).toBeInstanceOf(Fault)
    const message = expect.stringContaining(`could not be checked within ${given === 'spin' ? 1 : 60} s`)
    expect(fault).toMatchObject({ status: 422, extras: { findings: [{ code: 'too_slow', path: '', message }] } })
    expect(started()).toBeGreaterThanOrEqual(2)
    expect(await ask('c')).toMatchObject({ given: 'c' })
  })

  test('blames a question for nothing that was sent beside it', async () => {
    const { ask, started } = unruly()
    const refused = ['die', 'die'].map((given) => ask(given).catch((error: unknown) => error))
    const others = [ask('a'), ask('b')]
    for (const each of await Promise.all(refused)) expect(each).toMatchObject({ status: 422 })
    expect(await Promise.all(others)).toMatchObject([{ given: 'a' }, { given: 'b' }])
    expect(started()).toBe(4)
  })

  test('is started ahead of its questions, and ends when none comes', async () => {
    const { ask, judge, started, ended } = unruly({ idleMs: 20 })
    judge.start()
    judge.start()
    await until('it has ended', () => ended() === 1)
    expect(await ask('a')).toEqual({ given: 'a', asked: 1 })
    expect(started()).toBe(2)
  })

  test('passes on what an engine throws, which is a defect of ours', async () => {
    const { ask, started } = unruly()
    expect(await ask('stumble').catch((error: unknown) => error)).toBeInstanceOf(EngineThrew)
    expect(await ask('a')).toEqual({ given: 'a', asked: 2 })
    expect(started()).toBe(1)
  })

  test('ends when nobody asks, and starts again', async () => {
    const { ask, started, ended } = unruly({ idleMs: 20 })
    await ask('a')
    await until('it has ended', () => ended() === 1)
    expect(await ask('b')).toEqual({ given: 'b', asked: 1 })
    expect(started()).toBe(2)
  })

  test('sends callers away while too many wait', async () => {
    const { ask } = unruly()
    const asked = Array.from({ length: limits.judgeWaiting + limits.judgeSent }, (_, index) => ask(index))
    expect(await ask('one more').catch((error: unknown) => error)).toMatchObject({ status: 503 })
    expect(await Promise.all(asked)).toHaveLength(limits.judgeWaiting + limits.judgeSent)
  })
})

describe('a question that takes long', () => {
  /** What was asked, in the order in which it was answered. */
  function inOrder(ask: (given: unknown) => Promise<unknown>) {
    const answered: unknown[] = []
    const asking = (given: string) =>
      ask(given).then(
        () => answered.push(given),
        (error: unknown) => answered.push(error instanceof Fault ? `${given}: ${error.status}` : error),
      )
    return { answered, asking }
  }
  /** Longer than a worker takes for a small question, also on a busy machine. */
  const patienceMs = 300

  test('goes on beside the others, each of which is answered once', async () => {
    const { ask, release, started, ended } = unruly({ patienceMs })
    const { answered, asking } = inOrder(ask)
    const long = asking('held 0')
    await Promise.all(['a', 'b', 'c'].map(asking))
    release(0)
    await long
    expect([answered, started()]).toEqual([['a', 'b', 'c', 'held 0'], 2])
    // The other worker is over with it.
    await until('one has ended', () => ended() === 1)
    expect(await ask('d')).toMatchObject({ given: 'd' })
    expect(started()).toBe(2)
  })

  test('has its worker for itself where nobody waits', async () => {
    const { ask, started } = unruly({ patienceMs: 60 })
    expect(await ask('late 200')).toMatchObject({ given: 'late 200' })
    expect(await ask('a')).toEqual({ given: 'a', asked: 2 })
    expect(started()).toBe(1)
  })

  test('makes way for one that comes later', async () => {
    const { ask, release, started } = unruly({ patienceMs })
    const { answered, asking } = inOrder(ask)
    const long = asking('held 0')
    await Bun.sleep(2 * patienceMs)
    await asking('a')
    release(0)
    await long
    expect([answered, started()]).toEqual([['a', 'held 0'], 2])
  })

  test('begins again after the one that takes long already, and keeps nobody else waiting', async () => {
    const { ask, release } = unruly({ patienceMs })
    const { answered, asking } = inOrder(ask)
    const long = ['held 0', 'held 1', 'held 2'].map(asking)
    await Promise.all(['a', 'b'].map(asking))
    for (const number of [0, 1, 2]) release(number)
    await Promise.all(long)
    expect(answered).toEqual(['a', 'b', 'held 0', 'held 1', 'held 2'])
  })

  test('is refused after its deadlines, and the others were answered long before', async () => {
    const { ask } = scripted({ startMs: 1, deadlineMs: 500 })
    const { answered, asking } = inOrder(ask)
    await Promise.all(['spin', 'spin', 'a', 'die', 'b'].map(asking))
    expect(answered.slice(0, 3).toSorted()).toEqual(['a', 'b', 'die: 422'])
    expect(answered.slice(3)).toEqual(['spin: 422', 'spin: 422'])
    expect(await ask('c')).toMatchObject({ given: 'c' })
  })

  test('is asked again once the one before it is answered, though its first worker has begun with it, too', async () => {
    const { ask, release, started } = unruly({ patienceMs })
    const { answered, asking } = inOrder(ask)
    const [first, second] = ['held 0', 'held 1'].map(asking)
    await asking('a')
    release(0)
    await first
    release(1)
    await second
    // The fourth begins with it at once; the first would have answered nobody for as long as it takes.
    expect([answered, started()]).toEqual([['a', 'held 0', 'held 1'], 4])
  })

  test('does not take long because its worker is slow to start', async () => {
    const { ask, started } = scripted({ startMs: 300 })
    const { answered, asking } = inOrder(ask)
    await Promise.all(['a', 'b', 'c', 'd'].map(asking))
    expect([answered, started()]).toEqual([['a', 'b', 'c', 'd'], 1])
  })

  test('is given up with all others when the judge is closed', async () => {
    const { ask, judge, started, ended } = unruly({ patienceMs })
    const asked = ['held 0', 'held 1', 'held 2', 'a'].map((given) => ask(given).catch((error: Error) => error.message))
    expect(await asked[3]).toMatchObject({ given: 'a' })
    judge.close()
    expect(await Promise.all(asked.slice(0, 3))).toEqual(Array(3).fill('the judge is closed'))
    await until('all have ended', () => ended() === started())
    const before = started()
    judge.start()
    expect(await ask('b').catch((error: Error) => error.message)).toBe('the judge is closed')
    expect(started()).toBe(before)
  })
})

/** The longest time for which nothing else ran on this thread. */
async function longestHold(work: () => Promise<unknown>): Promise<{ tookMs: number; heldMs: number }> {
  const startedAt = performance.now()
  let heldMs = 0
  let last = startedAt
  const tick = () => {
    heldMs = Math.max(heldMs, performance.now() - last)
    last = performance.now()
  }
  const timer = setInterval(tick, 5)
  await work()
  clearInterval(timer)
  tick()
  return { tookMs: performance.now() - startedAt, heldMs }
}

describe('costly content', () => {
  const choice = (letter: string) => `^(?:${letter}|[A-Z]|[0-9a-z_]){6,900}$`
  const costly = JSON.stringify({
    type: 'array',
    prefixItems: Array.from({ length: 24 }, (_, index) => ({ type: 'string', pattern: choice(`${index}`) })),
    items: { type: 'string', pattern: choice('-') },
  })

  test('holds the thread that serves requests for a fraction of the time that it takes', async () => {
    const author = await Author.signIn(await startTestApp(), 'author', ['administrator', 'engineer'])
    // A busy machine takes the thread away for as long; work that holds it does so every time.
    let share = 1
    for (let attempt = 1; attempt <= 3 && share >= 1 / 4; attempt++)
      share = await shareHeld(author, `Costly ${attempt}`)
    expect(share).toBeLessThan(1 / 4)
  }, 60_000)

  async function shareHeld(author: Author, name: string): Promise<number> {
    const call = (path: string, body: unknown) => author.call('POST', path, body, { 'idempotency-key': undefined })
    const made = await call('/contracts', { name, description: '', schema: costly })
    const { id } = made.body.contract ?? made.body
    const validated = await longestHold(async () => {
      expect((await call(`/contracts/${id}/validate`, { schema: costly })).status).toBe(200)
    })
    const frozen = await call(`/contracts/${id}/versions`, { expected_revision: 1 })
    const version = frozen.body.version ?? frozen.body
    const payload = JSON.stringify(Array.from({ length: 40 }, () => 'a'.repeat(900)))
    const imported = await longestHold(async () => {
      const { status } = await call('/cases/import', {
        contract_version_id: version.id,
        kind: 'valid',
        payload,
      })
      expect([201, 422]).toContain(status)
    })
    const generated = await longestHold(async () => {
      const { status } = await call('/cases/generate', {
        contract_version_id: version.id,
        kind: 'valid',
        seed: 1,
      })
      expect([201, 422]).toContain(status)
    })
    const measured = [validated, imported, generated]
    const tookMs = measured.reduce((sum, one) => sum + one.tookMs, 0)
    return Math.max(...measured.map(({ heldMs }) => heldMs)) / tookMs
  }
})
