import { expect, test } from 'bun:test'
import { canonicalJson } from '../../../src/core/canonical.ts'
import type { Finding } from '../../../src/core/finding.ts'
import { runProbe, runTransformer } from '../../../src/modules/drafts/probe.service.ts'
import { WorkerOverran } from '../../../src/runner/faults.ts'
import type { StepJob, StepResult } from '../../../src/runner/job.ts'
import { refuse, type Script, scriptedPool } from '../../runner/scripted-pool.ts'
import { outcomeOf } from '../../support/outcome.ts'

const source = { hash: 'a'.repeat(64), format: 'json', content: '{}' } as const
const run = { transformer: source, contract: undefined, input: '{"a":1}', params: { b: 2, a: 1 } }

test('a run of a transformer checks its input only where a contract is known, and gives what was made', async () => {
  for (const contract of [undefined, source]) {
    const pool = scriptedPool()
    const made = await runTransformer(pool, { ...run, contract })
    const text = canonicalJson({ from: run.input })
    expect(made).toMatchObject({ ok: true, value: { value: { from: run.input }, text } })
    expect(pool.jobs).toEqual([
      {
        steps: contract === undefined ? ['transform.declarative'] : ['validate', 'transform.declarative'],
        sources: { transformer: source, ...(contract === undefined ? {} : { contract }) },
        rawInput: run.input,
        input: run.input,
        params: '{"a":1,"b":2}',
      } as StepJob,
    ])
  }
})

async function findingsOf(script: Script): Promise<readonly Finding[]> {
  const refused = await runTransformer(scriptedPool(script), run)
  expect(refused.ok).toBe(false)
  return refused.findings
}

test('a step that refuses is reported by its issues, each with the keyword that it breaks, if there is one', async () => {
  const issue = { path: '/policy/number', message: 'must be there' }
  const finding: Finding = { code: 'schema.failed', severity: 'error', ...issue }
  expect(await findingsOf((step) => refuse(step, 'schema.failed'))).toEqual([{ ...finding, keyword: 'required' }])
  const failed = (issues: object[]): StepResult =>
    ({
      ...refuse('validate', 'schema.failed'),
      failure: { code: 'schema.failed', message: 'Refused.', issues },
    }) as StepResult
  const [without] = await findingsOf(() => failed([issue]))
  expect(without).toEqual(finding)
  expect(without).not.toContainKey('keyword')
  expect(await findingsOf(() => failed([]))).toEqual([
    { code: 'schema.failed', severity: 'error', message: 'Refused.' },
  ])
})

test('a run that takes too long is a finding, and any other failure of the worker is none', async () => {
  const overran = () => {
    throw new WorkerOverran('over its deadline')
  }
  expect(await findingsOf(overran)).toMatchObject([{ code: 'too_slow', severity: 'error' }])
  const broken = () => {
    throw new Error('the worker broke')
  }
  expect(await outcomeOf(runTransformer(scriptedPool(broken), run))).toThrow('the worker broke')
})

test('a probe gives the result of every step up to the first that refuses', async () => {
  const job = { steps: ['transform.declarative', 'compose'], sources: {}, input: '{}', output: '{}' } as StepJob
  const made = await runProbe(scriptedPool(), job)
  expect(made.ok && made.value.map(({ step }) => step)).toEqual(['transform.declarative', 'compose'])
  const refused = await runProbe(
    scriptedPool((step) => (step === 'compose' ? refuse(step, 'docx.broken') : undefined)),
    job,
  )
  expect(refused).toMatchObject({ ok: false, findings: [{ code: 'docx.broken' }] })
})

test('an output that is no JSON, or none at all, is a fault of ours', async () => {
  for (const output of [undefined, { text: '{', hash: '' }]) {
    const script: Script = (step) =>
      ({ step, ok: true, durationMs: 1, summary: {}, ...(output && { output }) }) as StepResult
    expect(await outcomeOf(runTransformer(scriptedPool(script), run))).toThrow('an output that is not JSON')
  }
})
