import { describe, expect, test } from 'bun:test'
import { newestReading } from '../../src/core/reading.ts'
import type { StepName } from '../../src/core/steps.ts'
import type { InputFormat } from '../../src/engines/ingestion/input-format.ts'
import type { ExecutionInputs } from '../../src/runner/executions.store.ts'
import { fragmentsOf, type Source, type StepJob, sourceKey } from '../../src/runner/job.ts'
import { jobFor, keepMade, type MadeSoFar, pinnedSource, pinnedVersion } from '../../src/runner/job-for.ts'
import { outcomeOf } from '../support/outcome.ts'

const docx = new Uint8Array([1, 2, 3])
const sourceOf = (role: string) => ({ hash: role, format: 'json', content: role }) as const

/** The job, and what was asked for to make it. */
async function made(
  steps: readonly StepName[],
  params?: string,
  more: { inputFormat?: InputFormat } = {},
): Promise<{ job: StepJob; asked: string[] }> {
  const asked: string[] = []
  const job = await jobFor(steps, {
    inputs: { rawInput: 'raw', input: 'given', params, readsParent: true, ...more },
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

  test('says what its input is written in where a model says so, and nothing of it elsewhere', async () => {
    const inputFormat = { format: 'xml' } as InputFormat
    expect((await made(['validate'], undefined, { inputFormat })).job.inputFormat).toBe(inputFormat)
    expect((await made(['validate'])).job).not.toHaveProperty('inputFormat')
  })

  test('keeps the file of a step under its format, and the output of the transform', () => {
    const soFar: MadeSoFar = { files: new Map() }
    const base = { ok: true, durationMs: 1, summary: {} } as const
    keepMade(soFar, { ...base, step: 'validate' })
    expect(soFar).toEqual({ files: new Map() })
    keepMade(soFar, { ...base, step: 'transform.declarative', output: { text: 'text', hash: '' } })
    keepMade(soFar, { ...base, step: 'compose', file: { bytes: docx, hash: '' } })
    expect(soFar).toEqual({ output: 'text', files: new Map([['docx', docx]]) })
    // A step without a format of its own, and one whose file nobody wanted, leave no file.
    keepMade(soFar, { ...base, step: 'validate', file: { bytes: docx, hash: '' } })
    keepMade(soFar, { ...base, step: 'render' })
    expect([...soFar.files.keys()]).toEqual(['docx'])
  })

  const inputs: ExecutionInputs = {
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

  test('has its template with what that includes, in order, and asks for it for no other source', async () => {
    const fragments = ['clause', 'footer'].map((slug) => ({ slug, versionId: `v-${slug}`, contentHash: `h-${slug}` }))
    const including = { ...inputs, templateVersionId: 'letter', fragments }
    const asked: string[] = []
    const load = async (id: string): Promise<Source> => {
      asked.push(id)
      return { hash: `h-${id}`, format: 'docx', reading: 3, content: new TextEncoder().encode(id) }
    }
    const partOf = (slug: string) => ({
      ...{ slug, hash: `h-v-${slug}`, content: new TextEncoder().encode(`v-${slug}`) },
    })
    const letter = {
      hash: 'h-letter',
      format: 'docx',
      reading: 3,
      content: new TextEncoder().encode('letter'),
    } as const
    expect(await pinnedSource(including, 'template', load)).toEqual({
      ...letter,
      fragments: ['clause', 'footer'].map(partOf),
    })
    expect(asked.splice(0)).toEqual(['letter', 'v-clause', 'v-footer'])
    const [first] = fragments
    const one = await pinnedSource({ ...including, fragments: first === undefined ? [] : [first] }, 'template', load)
    expect(one.fragments).toEqual([partOf('clause')])
    asked.splice(0)
    expect(await pinnedSource(including, 'contract', load)).not.toHaveProperty('fragments')
    expect(await pinnedSource({ ...including, fragments: [] }, 'template', load)).toEqual(letter)
    expect(asked).toEqual(['c', 'letter'])
  })

  test('has no template that includes one without a file', async () => {
    const including = {
      ...inputs,
      templateVersionId: 'letter',
      fragments: [{ slug: 'clause', versionId: 'v-clause', contentHash: 'h' }],
    }
    const load = async (id: string): Promise<Source> => ({ hash: id, format: 'docx', content: id })
    expect(await outcomeOf(pinnedSource(including, 'template', load))).toThrow('v-clause')
  })

  test('names a source by its role, the rules it is read by, its content, and all that it includes', () => {
    const plain = { hash: 'h' }
    const [a, b] = ['a', 'b'].map((slug) => ({ slug, hash: `h-${slug}`, content: docx }))
    if (a === undefined || b === undefined) throw new Error('there are two')
    const keys = [
      sourceKey('template', plain),
      sourceKey('contract', plain),
      sourceKey('template', { ...plain, reading: 1 }),
      sourceKey('template', { hash: 'other' }),
      ...[[a], [b], [a, b], [{ ...a, hash: 'h-b' }], [{ ...a, slug: 'b' }]].map((fragments) =>
        sourceKey('template', { ...plain, fragments }),
      ),
    ]
    expect(new Set(keys).size).toBe(keys.length)
    for (const key of keys) expect(key).not.toContain(' ')
    expect(sourceKey('template', { ...plain, reading: newestReading, fragments: [] })).toBe(
      sourceKey('template', plain),
    )
    expect(fragmentsOf({})).toBeUndefined()
    expect(fragmentsOf({ fragments: [] })).toBeUndefined()
    expect(fragmentsOf({ fragments: [a] })).toEqual(new Map([['a', docx]]))
  })

  test('fails loudly where a step wants a template and the release has none', () => {
    expect([pinnedVersion(inputs, 'contract'), pinnedVersion(inputs, 'transformer')]).toEqual(['c', 't'])
    expect(() => pinnedVersion(inputs, 'template')).toThrow('without a template')
  })
})
