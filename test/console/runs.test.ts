import { describe, expect, test } from 'bun:test'
import { nextPauseMs } from '../../src/console/api/executions.ts'
import { problemOf } from '../../src/console/api/problem.ts'
import type { Execution, Step, StepName } from '../../src/console/api/types.ts'
import { failedStep, spanText, stepBars, totalMs } from '../../src/console/execution-steps.ts'
import { expectsFailure, verdictOf } from '../../src/console/views/lab/verdict.ts'
import { demo } from '../../src/demo/demo.ts'

const at = (ms: number) => new Date(Date.UTC(2026, 0, 15) + ms).toISOString()

function step(name: StepName, position: number, over: Partial<Step> = {}): Step {
  return { name, position, status: 'not_started', attempt: 0, state_version: 0, ...over }
}

function execution(over: Partial<Execution>): Execution {
  const hash = 'a'.repeat(64)
  return {
    id: 'e',
    release_id: 'r',
    release_hash: hash,
    processing_kind: 'document_generation',
    input_hash: hash,
    raw_input_hash: hash,
    status: 'processing',
    submitted_by: 'u',
    correlation_id: 'c',
    created_at: at(0),
    updated_at: at(100),
    steps: [],
    artifacts: [],
    ...over,
  }
}

const failedAt = (name: StepName) => execution({ status: 'failed', steps: [step(name, 1, { status: 'failed' })] })
const completed = execution({ status: 'completed', steps: [step('validate', 1, { status: 'succeeded' })] })

describe('the verdict on a run', () => {
  test('reads the expectation of every scenario of the demo: only the invalid one is to fail', () => {
    const failing = demo.scenarios.filter((scenario) => expectsFailure(scenario.expected_outcome))
    expect(failing.map((scenario) => scenario.id)).toEqual(['invalid'])
  })

  test('is good if the expected result happened, even a failure, and bad otherwise', () => {
    expect(verdictOf(completed, 'Completed: a letter.')?.tone).toBe('success')
    expect(verdictOf(failedAt('validate'), 'Failed at validation.')?.headline).toBe('Failed as expected')
    expect(verdictOf(failedAt('validate'), 'Completed: a letter.')?.tone).toBe('danger')
    expect(verdictOf(completed, 'Failed at validation.')?.tone).toBe('danger')
  })

  test('is bad for a failure at another step than the expected one', () => {
    expect(verdictOf(failedAt('compose'), 'Failed at validation.')?.tone).toBe('danger')
  })

  test('says what happened: at which step it failed, or which documents it made', () => {
    const actual = (of: Execution) => verdictOf(of, undefined)?.actual
    expect(actual(failedAt('compose'))).toBe('Failed at compose')
    expect(actual(execution({ status: 'failed' }))).toBe('Failed at an unknown step')
    expect(actual(completed)).toBe('Completed with no document')
    const artifact = (kind: 'docx' | 'pdf') => ({ kind }) as Execution['artifacts'][number]
    const made = (...kinds: ('docx' | 'pdf')[]) => actual({ ...completed, artifacts: kinds.map(artifact) })
    expect([made('docx'), made('pdf', 'docx')]).toEqual(['Completed with DOCX', 'Completed with DOCX and PDF'])
    const headline = (of: Execution, expected?: string) => verdictOf(of, expected)?.headline
    expect([headline(completed), headline(failedAt('compose'))]).toEqual(['Completed', 'Failed'])
    expect([headline(completed, 'A letter.'), headline(completed, 'It is refused.')]).toEqual([
      'Completed as expected',
      'Completed, not as expected',
    ])
    expect(headline(failedAt('compose'), 'A letter.')).toBe('Failed, not as expected')
    // An expectation that names no step takes a failure at any.
    expect(headline(failedAt('compose'), 'It fails.')).toBe('Failed as expected')
    expect(headline(execution({ status: 'failed' }), 'It fails at compose.')).toBe('Failed, not as expected')
  })

  test('is neither for an edited input, and undefined while the execution is running', () => {
    expect(verdictOf(failedAt('validate'), undefined)?.tone).toBe('neutral')
    expect(verdictOf(execution({}), 'Completed: a letter.')).toBeUndefined()
  })
})

describe('the waterfall', () => {
  test('puts the steps in order on one scale, whatever order they came in', () => {
    const bars = stepBars(
      execution({
        steps: [
          step('transform.declarative', 2, { started_at: at(50), finished_at: at(100), duration_ms: 49 }),
          step('validate', 1, { started_at: at(0), finished_at: at(25) }),
          step('compose', 3),
        ],
      }),
    )
    expect(bars.map(({ step: { name } }) => name)).toEqual(['validate', 'transform.declarative', 'compose'])
    expect(bars.map(({ bar }) => bar)).toEqual([
      { from: 0, worked: 0.25, to: 0.25 },
      { from: 0.5, worked: 0.99, to: 1 },
      undefined,
    ])
    expect(bars.map(({ spanMs }) => spanMs)).toEqual([25, 50, undefined])
    expect(bars.map(({ durationMs }) => durationMs)).toEqual([25, 49, undefined])
  })

  test('tells how long a step took from its start to its end, and of no step that has not ended', () => {
    const span = (over: Partial<Step>) => stepBars(execution({ steps: [step('validate', 1, over)] }))[0]?.spanMs
    expect(span({ started_at: at(10), finished_at: at(60), duration_ms: 5 })).toBe(50)
    expect(span({ started_at: at(60), finished_at: at(10) })).toBe(0)
    expect([span({ started_at: at(10) }), span({})]).toEqual([undefined, undefined])
  })

  test('says what a step took beside its work, if it is a millisecond at least', () => {
    expect(spanText(5, 50)).toBe('5 ms of work, 50 ms with waiting and recording')
    expect([spanText(5, 5), spanText(5, 4), spanText(5, undefined), spanText(undefined, 5)]).toEqual(
      Array.from({ length: 4 }, () => undefined),
    )
  })

  test('draws a running step to the end of what is known, and nothing outside the scale', () => {
    const [bar] = stepBars(execution({ steps: [step('validate', 1, { status: 'running', started_at: at(-20) })] }))
    expect(bar?.bar).toEqual({ from: 0, worked: 1, to: 1 })
    expect(bar?.durationMs).toBeUndefined()
  })

  test('tells the whole time only of an execution that ended', () => {
    expect(totalMs(execution({}))).toBeUndefined()
    expect(totalMs(execution({ status: 'completed', completed_at: at(80) }))).toBe(80)
  })
})

describe('following an execution', () => {
  test('looks often at first, rarely later, and backs off from a server that fails', () => {
    expect(nextPauseMs(0, 0)).toBeLessThan(nextPauseMs(1_000, 0))
    expect(nextPauseMs(1_000, 0)).toBeWithin(150, 251)
    expect(nextPauseMs(120_000, 0)).toBeGreaterThan(1_000)
    expect(nextPauseMs(0, 3)).toBeGreaterThan(nextPauseMs(0, 1))
    expect(nextPauseMs(0, 100)).toBe(5_000)
  })
})

describe('the time of a run', () => {
  test('is from its acceptance to its end, or to its last change if it failed', () => {
    expect(totalMs(execution({ status: 'completed', completed_at: at(70) }))).toBe(70)
    expect([totalMs(execution({ status: 'failed' })), totalMs(execution({ status: 'completed' }))]).toEqual([100, 100])
    expect([totalMs(execution({})), totalMs(execution({ status: 'queued' }))]).toEqual([undefined, undefined])
  })

  test('is never nothing, so that a step has its place in it', () => {
    const steps = [step('validate', 1, { started_at: at(0), finished_at: at(0) })]
    expect(stepBars(execution({ updated_at: at(0), steps }))[0]?.bar).toEqual({ from: 0, worked: 0, to: 0 })
  })

  test('blames the first step that failed', () => {
    const steps = [step('validate', 1, { status: 'failed' }), step('compose', 3, { status: 'failed' })]
    expect(failedStep(execution({ steps }))?.name).toBe('validate')
    expect(failedStep(execution({}))).toBeUndefined()
  })
})

describe('a problem', () => {
  test('keeps what a problem document says, with its correlation id', async () => {
    const body = {
      title: 'Conflict',
      code: 'conflict',
      detail: 'The key is taken.',
      correlation_id: 'c-1',
      status: 409,
    }
    const problem = await problemOf(Response.json(body, { status: 409, headers: { 'retry-after': '7' } }))
    expect(problem).toMatchObject({ status: 409, code: 'conflict', correlationId: 'c-1', retryAfterSeconds: 7 })
    expect([problem.title, problem.message]).toEqual(['Conflict', 'The key is taken.'])
  })

  test('can be read when the answer is no problem document', async () => {
    const answer = new Response('<html>Bad gateway</html>', { status: 502, headers: { 'x-correlation-id': 'c-2' } })
    const problem = await problemOf(answer)
    expect(problem).toMatchObject({ status: 502, correlationId: 'c-2', errors: [], retryAfterSeconds: undefined })
    expect(problem.detail).not.toContain('<html>')
    expect([problem.title, problem.code]).toEqual(['The server answered 502', 'unknown'])
    const vague = await problemOf(
      Response.json({ title: '', code: '', detail: 7, correlation_id: '' }, { status: 400 }),
    )
    expect([vague.title, vague.code, vague.correlationId]).toEqual(['The server answered 400', 'unknown', ''])
    expect(vague.detail).toBe('The answer carries no explanation.')
    expect((await problemOf(Response.json('no object', { status: 500 }))).title).toBe('The server answered 500')
  })
})
