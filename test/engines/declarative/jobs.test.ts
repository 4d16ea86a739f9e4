import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { compileTransformer, evaluateTransformer } from '../../../src/engines/declarative/declarative.ts'
import type { Job } from './jobs/job.ts'
import { insurance, invoices, payroll, statements } from './jobs/money.ts'
import { administration, energy, laboratory, logistics, personnel, realEstate } from './jobs/office.ts'
import { examplesOf, readPage } from './page-examples.ts'

const today = '2026-06-10'
const fields: [string, readonly Job[]][] = [
  ['invoices', invoices],
  ['statements', statements],
  ['payroll', payroll],
  ['insurance', insurance],
  ['laboratories', laboratory],
  ['logistics', logistics],
  ['public administration', administration],
  ['personnel', personnel],
  ['real estate', realEstate],
  ['energy', energy],
]

describe.each(fields)('a transformer for %s makes what plain TypeScript makes:', (_, jobs) => {
  test.each(jobs.map((job) => [job.name, job] as const))('%s', (_name, { source, inputs, expected }) => {
    const compiled = compileTransformer(`transform: declarative-v1\n${source}\n`, 'yaml')
    expect(compiled.findings).toEqual([])
    if (!compiled.ok) return
    const params = source.startsWith('params:') ? { today } : {}
    for (const input of inputs) {
      const made = evaluateTransformer(compiled.value, input as JsonValue, { params })
      expect(made.ok ? made.value.output : made.findings).toEqual(expected(input) as JsonValue)
    }
  })
})

test('with the recipes of the cookbook these are a hundred, each with an input and in at most thirty lines', async () => {
  const jobs = fields.flatMap(([, own]) => own)
  const recipes = examplesOf(await readPage('cookbook'), /^### (.*)$/)
  expect(new Set(jobs.map(({ name }) => name)).size).toBe(jobs.length)
  expect(jobs.length + recipes.length).toBeGreaterThanOrEqual(100)
  expect(jobs.filter(({ inputs }) => inputs.length === 0)).toEqual([])
  expect(jobs.filter(({ source }) => source.split('\n').length > 30)).toEqual([])
})
