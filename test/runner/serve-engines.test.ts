import { afterEach, describe, expect, jest, spyOn, test } from 'bun:test'
import { limits } from '../../src/core/limits.ts'
import type { SourceRole } from '../../src/core/steps.ts'
import type { EnginePort } from '../../src/runner/engine-worker.ts'
import { type Source, type StepJob, sourceKey } from '../../src/runner/job.ts'
import type { WorkerAnswer, WorkerFonts, WorkerRequest } from '../../src/runner/pool.ts'
import { serveEngines } from '../../src/runner/serve-engines.ts'
import { letterSources, validInput } from './letter.ts'

const letter = await letterSources()
const output = '{"greeting":"Dear Ada","total":"1"}'
afterEach(() => jest.restoreAllMocks())

/** A worker's side without a worker: what it answers, and which buffers go with it. */
function served() {
  const port: EnginePort = { onmessage: null, postMessage: () => {} }
  serveEngines(port)
  return (data: WorkerRequest | WorkerFonts) => {
    const told: { answer: WorkerAnswer; moved: readonly ArrayBuffer[] }[] = []
    port.postMessage = (answer, moved) => void told.push({ answer: answer as WorkerAnswer, moved })
    port.onmessage?.(new MessageEvent('message', { data }))
    return told
  }
}

function requestOf(
  job: Omit<StepJob, 'sources'>,
  roles: readonly SourceRole[],
  { sent = roles, forget = [] }: { sent?: readonly SourceRole[]; forget?: string[] } = {},
): WorkerRequest {
  const sources = Object.fromEntries(roles.map((role) => [role, sourceKey(role, letter[role])]))
  return { job: { ...job, sources }, sources: sent.map((role) => ({ role, source: letter[role] })), forget }
}
const resultsOf = (told: ReturnType<ReturnType<typeof served>>) => {
  const [only, ...more] = told
  if (only === undefined || more.length > 0) throw new Error('there was not one answer')
  return only.answer
}

describe('a worker with engines', () => {
  test('keeps the sources that it was given until it is told to forget them', () => {
    const ask = served()
    const job = { steps: ['validate'], rawInput: validInput } as const
    const fine = { results: [{ step: 'validate', ok: true }] }
    expect(resultsOf(ask(requestOf(job, ['contract'])))).toMatchObject(fine)
    expect(resultsOf(ask(requestOf(job, ['contract'], { sent: [] })))).toMatchObject(fine)
    const forget = [sourceKey('contract', letter.contract)]
    // What is forgotten and sent again in one request is there.
    expect(resultsOf(ask(requestOf(job, ['contract'], { forget })))).toMatchObject(fine)
    expect(resultsOf(ask(requestOf(job, ['contract'], { sent: [], forget })))).toMatchObject({
      fault: expect.stringContaining('the job lacks its contract'),
      isOutgrown: false,
    })
  })

  test('compiles again what it was told to forget', () => {
    const ask = served()
    const key = sourceKey('contract', letter.contract)
    const request = (content: string, forget: string[]): WorkerRequest => ({
      job: { steps: ['validate'], rawInput: '1', sources: { contract: key } },
      sources: [{ role: 'contract', source: { ...letter.contract, content } satisfies Source }],
      forget,
    })
    const ok = (content: string, forget: string[] = []) => {
      const answer = resultsOf(ask(request(content, forget)))
      return 'results' in answer && answer.results[0]?.ok
    }
    expect([ok('{"type":"number"}'), ok('{"type":"string"}'), ok('{"type":"string"}', [key])]).toEqual([
      ...[true, true, false],
    ])
  })

  test('hands its files over with their buffers, each of which holds nothing else', () => {
    const ask = served()
    const steps = ['compose', 'render'] as const
    const [told] = ask(requestOf({ steps, output }, ['template']))
    if (told === undefined || !('results' in told.answer)) throw new Error('there are no results')
    const files = told.answer.results.map((result) => (result.ok ? result.file?.bytes : undefined))
    expect(files.map((bytes) => bytes?.buffer)).toEqual([...told.moved])
    for (const bytes of files) expect(bytes?.byteLength).toBe(bytes?.buffer.byteLength ?? -1)
    expect(files).toHaveLength(2)
    // Nothing goes with a refusal, or with files that nobody wants.
    expect(ask(requestOf({ steps, output: '{}' }, ['template'], { sent: [] }))[0]?.moved).toEqual([])
    const unwanted = requestOf({ steps, output, discardsFiles: true }, ['template'], { sent: [] })
    expect(ask(unwanted)[0]?.moved).toEqual([])
  })

  test('says what an engine threw, and whether memory was short', () => {
    const ask = served()
    const thrownBy = (error: unknown) => {
      const job = {
        steps: ['validate'] as const,
        get rawInput(): string {
          throw error
        },
      }
      const request: WorkerRequest = { job: Object.assign(job, { sources: {} }), sources: [], forget: [] }
      return ask(request)
    }
    const outgrown = (error: unknown) => {
      const [told] = thrownBy(error)
      expect(told?.moved).toEqual([])
      return told?.answer
    }
    expect(outgrown(new RangeError('Out of memory'))).toMatchObject({ isOutgrown: true })
    expect(outgrown(new RangeError('Array buffer allocation: out of memory.'))).toMatchObject({ isOutgrown: true })
    expect(outgrown(new RangeError('Invalid array length'))).toMatchObject({ isOutgrown: false })
    expect(outgrown(new Error('out of memory'))).toMatchObject({ isOutgrown: false })
    const bare = Object.assign(new Error('no stack'), { stack: undefined })
    expect(outgrown(bare)).toEqual({ fault: 'no stack', isOutgrown: false })
    expect(outgrown('a text')).toEqual({ fault: 'a text', isOutgrown: false })
    const stacked = outgrown(new Error('with a stack'))
    expect(stacked).toMatchObject({ fault: expect.stringMatching(/with a stack[\s\S]*\n.*at /) })
  })

  test('draws with the fonts that it was given, whose hash it says, and answers nothing to that', () => {
    const ask = served()
    const [composed] = ask(requestOf({ steps: ['compose'], output }, ['template']))
    const [result] = composed !== undefined && 'results' in composed.answer ? composed.answer.results : []
    const docx = result?.ok === true ? result.file?.bytes : undefined
    if (docx === undefined) throw new Error('nothing was composed')
    const rendered = () => {
      const answer = resultsOf(ask(requestOf({ steps: ['render'], docx: docx.slice() }, [])))
      return 'results' in answer && answer.results[0]?.ok === true ? answer.results[0].summary : undefined
    }
    const before = rendered()
    expect(before).toMatchObject({ pages: 1 })
    expect(before).not.toHaveProperty('fonts_hash')
    expect(ask({ fonts: { entries: [], hash: 'of-the-set', unusable: [] } })).toEqual([])
    expect(rendered()).toEqual({ ...before, fonts_hash: 'of-the-set' })
    // Fonts that are gone are found out when they are needed, not before.
    const gone = {
      path: '/nowhere/a.ttf',
      hash: 'x',
      index: 0,
      family: 'Calibri',
      aliases: [],
      bold: false,
      italic: false,
    }
    expect(ask({ fonts: { entries: [gone], hash: 'other', unusable: [] } })).toEqual([])
  })

  test('collects after a job that has left it larger, the first one too', () => {
    const rss = spyOn(process.memoryUsage, 'rss').mockReturnValue(0)
    const gc = spyOn(Bun, 'gc').mockImplementation((() => {}) as never)
    const ask = served()
    rss.mockReturnValue(limits.workerGrownBytes)
    ask(requestOf({ steps: ['validate'], rawInput: validInput }, ['contract']))
    expect(gc).toHaveBeenCalledTimes(1)
  })
})
