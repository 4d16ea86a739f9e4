import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { named, readEvery } from '../../src/console/api/every.ts'
import { inputFindingsOf, inputFormatOf, type SubmissionPlan } from '../../src/console/api/submit.ts'
import { openTrace } from '../../src/console/api/trace.ts'

describe('all rows of a list', () => {
  let asked: string[] = []
  let pages = 2
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url }) {
      asked.push(new URL(url).search)
      const more = asked.length < pages ? { next_cursor: `c ${asked.length}` } : {}
      return Response.json({ rows: [asked.length], others: [0], ...more })
    },
  })
  afterAll(() => server.stop(true))
  beforeEach(() => {
    asked = []
    pages = 2
  })

  test('are those of every page, each asked for after the one before', async () => {
    expect(await readEvery<number>(`${server.url}list`, 'rows')).toEqual([1, 2])
    expect(asked).toEqual(['?limit=100', '?limit=100&cursor=c+1'])
    asked = []
    expect(await readEvery<number>(`${server.url}list`, 'absent')).toEqual([])
  })

  test('are no more than fifty pages', async () => {
    pages = 99
    expect(await readEvery<number>(`${server.url}list`, 'rows')).toHaveLength(50)
    expect(asked).toHaveLength(50)
  })
})

test('a reference is to the family of that name, else to the one with that slug', () => {
  const families = [
    { name: 'Letter', slug: 'notice' },
    { name: 'notice', slug: 'other' },
    { name: 'Note', slug: 'letter' },
  ]
  expect([named(families, 'notice')?.slug, named(families, 'letter')?.name]).toEqual(['other', 'Note'])
  expect([named(families, 'Other'), named(families, undefined), named(undefined, 'notice')]).toEqual(
    Array(3).fill(undefined),
  )
})

describe('what a plan says', () => {
  const plan = (more: object) => ({ issues: [], ...more }) as unknown as SubmissionPlan

  test('of the format of its input is what the engines read it by', () => {
    expect(inputFormatOf(plan({}))).toBeUndefined()
    expect(inputFormatOf(plan({ input_format: { format: 'xml', root: 'a' } }))).toEqual({
      format: 'xml',
      root: 'a',
    } as never)
    const csv = { format: 'csv', delimiter: ';', rows: 'rows' }
    expect(inputFormatOf(plan({ input_format: csv }))).toEqual({ ...csv, header: 'first line' } as never)
    expect(inputFormatOf(plan({ input_format: { ...csv, columns: ['a'] } }))).toEqual({
      ...csv,
      header: ['a'],
    } as never)
  })

  test('is wrong with the input is a finding, at its place in the text where it has one', () => {
    const issues = [
      { code: 'a', stage: 'input', message: 'A', path: '/x', context: { line: '3', column: '7' } },
      { code: 'b', stage: 'validate', message: 'B' },
      { code: 'c', stage: 'input', message: 'C', context: { column: '7' } },
    ]
    expect(inputFindingsOf(plan({ issues }))).toEqual([
      { code: 'a', severity: 'error', message: 'A', path: '/x', line: 3, column: 7 },
      { code: 'c', severity: 'error', message: 'C' },
    ])
  })
})

describe('the live trace of an execution', () => {
  /** What a browser has, without a connection. */
  class Source extends EventTarget {
    static readonly CLOSED = 2
    static readonly all: Source[] = []
    readyState = 1
    constructor(readonly url: string) {
      super()
      Source.all.push(this)
    }
    close() {
      this.readyState = Source.CLOSED
    }
  }
  const before = Object.getOwnPropertyDescriptor(globalThis, 'EventSource')
  Object.defineProperty(globalThis, 'EventSource', { value: Source, configurable: true, writable: true })
  afterAll(() => {
    if (before === undefined) delete (globalThis as { EventSource?: unknown }).EventSource
    else Object.defineProperty(globalThis, 'EventSource', before)
  })
  beforeEach(() => {
    Source.all.length = 0
  })
  /** Whether something has happened that was waited for. */
  async function hasCome(next: Promise<void>): Promise<boolean> {
    let isOver = false
    void next.then(() => {
      isOver = true
    })
    await Bun.sleep(0)
    return isOver
  }

  test('tells of every kind of event, at once of one that came meanwhile, and once', async () => {
    const abort = new AbortController()
    const trace = openTrace('a/b', abort.signal)
    expect(Source.all.map(({ url }) => url)).toEqual(['/api/v1/executions/a%2Fb/trace'])
    const kinds = [
      'queued',
      'step.started',
      'step.succeeded',
      'step.deferred',
      'step.failed',
      'completed',
      'failed',
      'retried',
    ]
    for (const kind of kinds) {
      const next = trace.next()
      expect([kind, await hasCome(next)]).toEqual([kind, false])
      Source.all[0]?.dispatchEvent(new Event(kind))
      expect([kind, await hasCome(next)]).toEqual([kind, true])
    }
    Source.all[0]?.dispatchEvent(new Event('queued'))
    expect(await hasCome(trace.next())).toBe(true)
    const next = trace.next()
    Source.all[0]?.dispatchEvent(new Event('message'))
    expect(await hasCome(next)).toBe(false)
    abort.abort()
    expect([await hasCome(next), trace.isOpen(), Source.all[0]?.readyState]).toEqual([true, false, 2])
    expect(await hasCome(trace.next())).toBe(true)
  })

  test('goes on after an interruption, and is over where the server refuses it', async () => {
    const trace = openTrace('e', new AbortController().signal)
    const [source] = Source.all
    source?.dispatchEvent(new Event('error'))
    expect([await hasCome(trace.next()), trace.isOpen()]).toEqual([true, true])
    if (source !== undefined) source.readyState = Source.CLOSED
    const next = trace.next()
    source?.dispatchEvent(new Event('error'))
    expect([await hasCome(next), trace.isOpen()]).toEqual([true, false])
  })

  test('is open for three executions at once, and each that is closed makes room for one', async () => {
    const open = () => openTrace('e', new AbortController().signal)
    const traces = [open(), open(), open()]
    const fourth = open()
    expect([...traces, fourth].map((trace) => trace.isOpen())).toEqual([true, true, true, false])
    expect([Source.all.length, await hasCome(fourth.next())]).toEqual([3, true])
    fourth.close()
    expect(open().isOpen()).toBe(false)
    traces[0]?.close()
    traces[0]?.close()
    const [fifth, sixth] = [open(), open()]
    expect([fifth.isOpen(), sixth.isOpen()]).toEqual([true, false])
    for (const trace of [...traces, fifth]) trace.close()
  })
})
