/** Running cases: what the judge is asked, what is remembered, and how many run at once; engines answer as the test says. */
import { expect, test } from 'bun:test'
import { sha256Hex } from '../../../src/core/hash.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Connection } from '../../../src/db/database.ts'
import type { Judge } from '../../../src/modules/drafts/judge.service.ts'
import type { SuiteCase } from '../../../src/modules/suites/suites.cases.ts'
import type { SuiteChain } from '../../../src/modules/suites/suites.chain.ts'
import { caseKey, createSuiteRunner } from '../../../src/modules/suites/suites.runner.ts'
import { EngineThrew, WorkerCrashed, WorkerOutgrew, WorkerOverran } from '../../../src/runner/faults.ts'
import type { StepJob } from '../../../src/runner/job.ts'
import type { EnginePool } from '../../../src/runner/pool.ts'
import { rejectionOf } from '../../support/outcome.ts'

const source = (content: string) => ({ path: content, hash: sha256Hex(content), format: 'yaml' as const, content })
const node = { key: 'letter', label: 'Letter', transformer: 'data', children: [], formats: [] }
const chainOf = (hash = 'chain', slug = 'hello') =>
  ({
    ...{ slug, hash, parts: [], contractVersionId: undefined },
    model: {
      model: { nodes: [node] },
      contract: source('contract'),
      transformers: new Map([['data', source('data')]]),
      templates: new Map(),
    },
  }) as unknown as SuiteChain
const caseOf = (name: string, hash = name): SuiteCase => ({
  ...{ name, hash, input: { path: `cases/hello/${name}.json`, contentHash: 'h' }, params: undefined },
  ...{ expected: new Map(), replaced: [], later: [], origin: 'contract', payload: '{"name":"Ada"}' },
})
const output = '{"line":"Hello"}'
const options = { pages: 'kept', pictures: false } as const

/** A runner whose engine makes one output, and whose judge finds what it is told. */
function runnerOf(run?: (job: StepJob) => Promise<unknown>) {
  const asked: unknown[] = []
  const jobs: StepJob[] = []
  const verdict = { failures: [] as object[], made: [['letter/output.json', output]], madeHash: 'made' }
  const pool = {
    async run(job: StepJob) {
      jobs.push(job)
      if (run !== undefined) await run(job)
      return job.steps.map((step) => {
        const made = step === 'transform.declarative' ? { output: { text: output, hash: sha256Hex(output) } } : {}
        return { ok: true, step, durationMs: 1, summary: {}, ...made }
      })
    },
  } as unknown as EnginePool
  const judge = {
    async ask(name: string, given: unknown) {
      asked.push([name, given])
      return { ...verdict }
    },
  } as unknown as Judge
  const runner = createSuiteRunner({ connection: {} as Connection, pool, judge })
  return { runner, asked, jobs, verdict }
}

test('a case runs through the chain, and what it makes is compared below its folder', async () => {
  const { runner, asked, jobs, verdict } = runnerOf()
  const content = { raw: '{"name":"Bo"}', params: '{"a":1}', expected: new Map([['letter/output.json', 'x']]) }
  const ran = await runner.run(chainOf(), caseOf('ada'), { ...options, content, pictures: true })
  expect(ran as unknown).toEqual(verdict)
  expect(jobs.flatMap(({ steps }) => steps)).toEqual(['validate', 'transform.declarative'])
  expect(jobs[0]).toMatchObject({ rawInput: '{"name":"Bo"}', params: '{"a":1}' })
  expect(asked).toEqual([
    [
      'comparedCase',
      {
        made: [{ address: 'letter', output, text: undefined, refusal: undefined }],
        ...{ folder: 'cases/hello/ada.expected', expected: [['letter/output.json', 'x']], pictures: true },
      },
    ],
  ])
})

test('pages are drawn for nodes with expected pages, or for all nodes if asked', async () => {
  const drawn = async (pages: 'kept' | 'all', expected: [string, string][]) => {
    const { runner, asked } = runnerOf()
    await runner.run(chainOf(), caseOf('ada'), {
      ...{ pages, pictures: false, content: { raw: '{}', params: undefined, expected: new Map(expected) } },
    })
    const [[, { made }]] = asked as [[string, { made: { pages?: unknown }[] }]]
    return 'pages' in made[0]!
  }
  expect(await drawn('kept', [['letter/output.json', 'x']])).toBe(false)
  expect(await drawn('kept', [['letter/page-1.svg', '<svg/>']])).toBe(true)
  expect(await drawn('all', [])).toBe(true)
})

test('how a case went is remembered for the same case and content, and for no other', async () => {
  const { runner, verdict } = runnerOf()
  const [chain, ada] = [chainOf(), caseOf('ada')]
  expect(runner.known(chain, ada)).toBeUndefined()
  await runner.run(chain, ada, options)
  expect(runner.known(chain, ada)).toEqual({ isGreen: true })
  for (const [other, testCase] of [
    [chainOf('other'), ada],
    [chainOf('chain', 'bye'), ada],
    [chain, caseOf('ada', 'changed')],
  ] as const) {
    expect(runner.known(other, testCase)).toBeUndefined()
    expect(caseKey(other, testCase)).not.toBe(caseKey(chain, ada))
  }
  verdict.failures.push({ kind: 'other', file: 'x', message: 'No.' })
  await runner.run(chain, ada, options)
  expect(runner.known(chain, ada)).toEqual({ isGreen: false })
})

test.each([
  [WorkerOverran, 'It takes longer, or more memory, than a step of an execution may. Use a smaller input.'],
  [WorkerOutgrew, 'It takes longer, or more memory, than a step of an execution may. Use a smaller input.'],
  [
    EngineThrew,
    'An engine broke over it, which is a fault of Quire; the log says more. Report it, or leave the case out.',
  ],
  [
    WorkerCrashed,
    'An engine broke over it, which is a fault of Quire; the log says more. Report it, or leave the case out.',
  ],
] as const)('a case that breaks off by %p is red, made nothing and is not remembered', async (Broken, message) => {
  const { runner } = runnerOf(() => Promise.reject(new Broken('broken')))
  const ada = caseOf('ada')
  expect(await runner.run(chainOf(), ada, options)).toEqual({
    ...{ failures: [{ kind: 'other', file: 'cases/hello/ada.json', message }], made: [], brokeOff: true },
    madeHash: sha256Hex(''),
  })
  expect(runner.known(chainOf(), ada)).toBeUndefined()
})

test('what else goes wrong is no verdict on the case', async () => {
  const { runner } = runnerOf(() => Promise.reject(new Error('the pool is closed')))
  expect(String(await rejectionOf(runner.run(chainOf(), caseOf('ada'), options)))).toContain('the pool is closed')
})

test('several run as many at once as leave room for others, and are told in their order', async () => {
  const { runner } = runnerOf()
  const cases = Array.from({ length: 7 }, (_, index) => caseOf(`c${index}`))
  let [running, most] = [0, 0]
  const told = await runner.runAll(cases, async ({ name }) => {
    most = Math.max(most, ++running)
    // Later ones end earlier.
    for (let turn = 0; turn < 10 - Number(name.slice(1)); turn++) await Promise.resolve()
    running--
    return name
  })
  expect([told, most]).toEqual([cases.map(({ name }) => name), limits.suiteCasesAtOnce])
  expect(await runner.runAll([], async () => 'none')).toEqual([])
  const failing = runner.runAll(cases, async ({ name }) => {
    if (name === 'c3') throw new Error('c3 can not run')
    return name
  })
  expect(String(await rejectionOf(failing))).toContain('c3 can not run')
})
