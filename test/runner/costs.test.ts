import { expect, test } from 'bun:test'
import { limits } from '../../src/core/limits.ts'
import type { StepName } from '../../src/core/steps.ts'
import { Costs, DocumentTimes, weigh } from '../../src/runner/costs.ts'
import type { StepJob } from '../../src/runner/job.ts'

const job = (alike: string, chars: number, steps: StepJob['steps'] = ['compose']): StepJob => ({
  ...{ steps, alike, sources: {}, output: 'x'.repeat(chars) },
})

test('a job is long where one of its kind was, for as much as it reads', () => {
  const costs = new Costs(2_000)
  const isLong = (...given: Parameters<typeof job>) => costs.isLong(weigh(job(...given)))
  expect(isLong('report', 100_000)).toBe(false)
  costs.note(weigh(job('report', 100_000)), 2_500)
  expect(isLong('report', 100_000)).toBe(true)
  expect(isLong('report', 82_000)).toBe(true)
  expect(isLong('report', 78_000)).toBe(false)
  expect(isLong('letter', 100_000)).toBe(false)
  expect(isLong('report', 100_000, ['render'])).toBe(false)
})

test('the first of a kind is long where it reads much', () => {
  const costs = new Costs(2_000)
  const isLong = (chars: number) => costs.isLong(weigh(job('new', chars)))
  expect([isLong(limits.jobUnknownBytes - 1), isLong(limits.jobUnknownBytes)]).toEqual([false, true])
  costs.note(weigh(job('new', limits.jobUnknownBytes)), 50)
  expect(isLong(limits.jobUnknownBytes)).toBe(false)
})

test('what small jobs take says nothing about larger ones', () => {
  const costs = new Costs(2_000)
  costs.note(weigh(job('letter', 100)), 500)
  expect(costs.isLong(weigh(job('letter', 2_000)))).toBe(false)
  expect(costs.isLong(weigh(job('letter', 20_000)))).toBe(false)
})

test('what a kind took last counts', () => {
  const costs = new Costs(2_000)
  costs.note(weigh(job('report', 10)), 60_000)
  costs.note(weigh(job('report', 10)), 10)
  expect(costs.isLong(weigh(job('report', 10)))).toBe(false)
})

test('a job weighs what it reads, files and texts together, and a document what it was filled with', () => {
  const bytes = ({ ...more }: Partial<StepJob>) => weigh({ steps: ['render'], sources: {}, ...more }).bytes
  expect(bytes({ docx: new Uint8Array(500) }) - bytes({})).toBe(500)
  expect(bytes({ docx: new Uint8Array(500), dataChars: 70 }) - bytes({})).toBe(70)
  expect(bytes({ rawInput: 'abc', input: 'de', output: 'f' }) - bytes({})).toBe(6)
})

test('documents are short where all steps of the last like them took moments together', () => {
  const times = new DocumentTimes()
  const done = (step: StepName, durationMs: number) => ({ step, ok: true, durationMs, summary: {} }) as const
  expect([times.isKnown('letter'), times.areShort('letter', ['compose'])]).toEqual([false, false])
  times.note('letter', [done('validate', 0), done('compose', limits.jobWholeMs - 1)])
  times.note('letter', [done('render', 1)])
  expect(times.isKnown('letter')).toBe(true)
  expect(times.areShort('letter', ['validate', 'compose', 'render'])).toBe(true)
  expect(times.areShort('letter', ['transform.declarative', 'compose'])).toBe(false)
  expect(times.areShort('report', ['compose'])).toBe(false)
  times.note('letter', [done('render', 1.5)])
  expect(times.areShort('letter', ['validate', 'compose', 'render'])).toBe(false)
  expect(times.areShort('letter', ['compose', 'render'])).toBe(false)
  expect(times.areShort('letter', ['compose'])).toBe(true)
  expect(times.areShort('letter', [])).toBe(false)
  times.forget('letter')
  expect(times.areShort('letter', ['compose'])).toBe(false)
})
