import { describe, expect, test } from 'bun:test'
import type { StepName } from '../../src/core/steps.ts'
import type { StepJob } from '../../src/runner/job.ts'
import { jobFor, keepMade, type MadeSoFar, pinnedVersion } from '../../src/runner/job-for.ts'

const docx = new Uint8Array([1, 2, 3])
const sourceOf = (role: string) => ({ hash: role, format: 'json', content: role }) as const

/** The job, and what was asked for to make it. */
async function made(steps: readonly StepName[], params?: string): Promise<{ job: StepJob; asked: string[] }> {
  const asked: string[] = []
  const job = await jobFor(steps, {
    inputs: { rawInput: 'raw', input: 'given', params, readsParent: true },
    source: async (role) => {
      asked.push(role)
      return sourceOf(role)
    },
    output: 'made',
    file: async (format) => {
      asked.push(format)
      return docx
    },
  })
  return { job, asked }
}

describe('a job', () => {
  const [contract, transformer, template] = [sourceOf('contract'), sourceOf('transformer'), sourceOf('template')]

  test.each<[StepName[], Omit<StepJob, 'steps'>]>([
    [['validate'], { sources: { contract }, rawInput: 'raw' }],
    [['transform.declarative'], { sources: { contract, transformer }, input: 'given', readsParent: true }],
    [
      ['validate', 'transform.declarative'],
      { sources: { contract, transformer }, rawInput: 'raw', input: 'given', readsParent: true },
    ],
    [['compose'], { sources: { template }, output: 'made' }],
    [['render'], { sources: {}, docx }],
    // What one of the steps makes for another is not there yet.
    [
      ['validate', 'transform.declarative', 'compose', 'render'],
      { sources: { contract, transformer, template }, rawInput: 'raw', input: 'given', readsParent: true },
    ],
  ])('for %p brings what its steps read, and asks for nothing else', async (steps, expected) => {
    const { job, asked } = await made(steps)
    expect(job).toEqual({ steps, ...expected })
    expect(asked).toEqual([...Object.keys(expected.sources), ...(expected.docx === undefined ? [] : ['docx'])])
  })

  test('hands params to the transform, and to no other step', async () => {
    expect((await made(['transform.declarative'], '{}')).job.params).toBe('{}')
    for (const name of ['validate', 'compose', 'render'] as const) {
      expect((await made([name], '{}')).job).not.toHaveProperty('params')
    }
  })

  test('keeps the file of a step under its format, and the output of the transform', () => {
    const soFar: MadeSoFar = { files: new Map() }
    const base = { ok: true, durationMs: 1, summary: {} } as const
    keepMade(soFar, { ...base, step: 'validate' })
    expect(soFar).toEqual({ files: new Map() })
    keepMade(soFar, { ...base, step: 'transform.declarative', output: { text: 'text', hash: '' } })
    keepMade(soFar, { ...base, step: 'compose', file: { bytes: docx, hash: '' } })
    expect(soFar).toEqual({ output: 'text', files: new Map([['docx', docx]]) })
  })

  test('fails loudly where a step wants a template and the release has none', () => {
    const inputs = {
      fragments: [],
      rawInput: '',
      input: '',
      params: undefined,
      readsParent: false,
      output: undefined,
      contractVersionId: 'c',
      transformVersionId: 't',
      templateVersionId: undefined,
      projection: { submissionId: '', objectReference: '', modelSlug: '', nodeLabel: '', nodeAddress: '' },
    }
    expect([pinnedVersion(inputs, 'contract'), pinnedVersion(inputs, 'transformer')]).toEqual(['c', 't'])
    expect(() => pinnedVersion(inputs, 'template')).toThrow('without a template')
  })
})
