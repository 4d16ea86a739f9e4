/** What is made again of what was recorded, and what is said of each hash: with engines that answer as the test says. */
import { expect, test } from 'bun:test'
import { canonicalHash } from '../../../src/core/canonical.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import type { StepName } from '../../../src/core/steps.ts'
import { checkInputFormat } from '../../../src/engines/ingestion/input-format.ts'
import { readInput } from '../../../src/engines/ingestion/read-input.ts'
import {
  type Recorded,
  type RecordedStep,
  type ReproducedInputs,
  type ReproducedSources,
  reproduce,
} from '../../../src/modules/executions/reproduction.service.ts'
import { releaseHashOf } from '../../../src/modules/releases/releases.service.ts'
import { EngineThrew, WorkerCrashed, WorkerOverran } from '../../../src/runner/faults.ts'
import type { StepJob, StepResult } from '../../../src/runner/job.ts'
import type { MadeSoFar } from '../../../src/runner/job-for.ts'
import { rejectionOf } from '../../support/outcome.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = (given: Uint8Array | undefined) => (given === undefined ? undefined : new TextDecoder().decode(given))
const raw = ' {"name": "Ada"}'
const params = '{"place":"Bern"}'
const output = '{"line":"Dear Ada"}'
const files = { docx: 'the docx', pdf: 'the pdf' }
const sourceOf = (content: string) => ({ hash: sha256Hex(content), format: 'yaml' as const, content })
const sources: ReproducedSources = {
  contract: sourceOf('the contract'),
  transformer: sourceOf('the transformer'),
  template: { hash: sha256Hex('the template'), format: 'docx', content: bytes('the template') },
}
const pin = (content: string) => ({ id: '', contentHash: sha256Hex(content) })
const releaseHash = releaseHashOf({
  ...{ contract: pin('the contract'), transformer: pin('the transformer'), template: pin('the template') },
})

const stepRow = (name: StepName, change: Partial<RecordedStep> = {}): RecordedStep => {
  return { name, status: 'succeeded', failure: null, summary: {}, ...change }
}
const names = ['validate', 'transform.declarative', 'compose', 'render'] as const
const whole: Recorded = {
  ...{ rawInputHash: sha256Hex(raw), inputHash: canonicalHash({ name: 'Ada' }), paramsHash: sha256Hex(params) },
  ...{ releaseHash, outputHash: sha256Hex(output), steps: names.map((name) => stepRow(name)) },
  artifacts: [
    { kind: 'docx', contentHash: sha256Hex(files.docx) },
    { kind: 'pdf', contentHash: sha256Hex(files.pdf) },
  ],
}
const inputs: ReproducedInputs = { inputFormat: undefined, params, readsParent: false, rawInput: raw, input: raw }

type Engine = (job: StepJob) => Promise<StepResult[]>
const succeeded = (step: StepName, made: object = {}): StepResult =>
  ({ ok: true, step, durationMs: 1, summary: {}, ...made }) as StepResult
const refused = (step: StepName, code: string): StepResult =>
  ({ ok: false, step, durationMs: 1, failure: { code, message: 'No.', issues: [] } }) as StepResult

/** Engines that make what was recorded, unless a step is told otherwise; with the jobs that they were given. */
function engines(otherwise: Partial<Record<StepName, () => StepResult | Promise<StepResult[]>>> = {}) {
  const jobs: StepJob[] = []
  const run: Engine = async (job) => {
    jobs.push(job)
    const [step] = job.steps as [StepName]
    const other = otherwise[step]?.()
    if (other !== undefined) return other instanceof Promise ? other : [other]
    if (step === 'validate') return [succeeded(step)]
    if (step === 'transform.declarative')
      return [succeeded(step, { output: { text: output, hash: sha256Hex(output) } })]
    const format = step === 'compose' ? 'docx' : 'pdf'
    return [succeeded(step, { file: { bytes: bytes(files[format]), hash: sha256Hex(files[format]) } })]
  }
  return { jobs, run }
}

type Check = Awaited<ReturnType<typeof reproduce>>['checks'][number]
const same = (subject: Check['subject'], recorded: string): Check => {
  return { subject, recorded, computed: recorded, identical: true }
}
const inputChecks = [
  same('raw_input', sha256Hex(raw)),
  same('input', canonicalHash({ name: 'Ada' })),
  same('params', sha256Hex(params)),
  same('contract', sha256Hex('the contract')),
  same('transformer', sha256Hex('the transformer')),
  same('template', sha256Hex('the template')),
  same('release', releaseHash),
]
const resultChecks = [
  same('output', sha256Hex(output)),
  same('docx', sha256Hex(files.docx)),
  same('pdf', sha256Hex(files.pdf)),
]

test('every step is run again from what the one before it made now, and every hash is compared', async () => {
  const { jobs, run } = engines()
  expect(await reproduce(run, whole, inputs, sources)).toEqual({
    ...{ checks: [...inputChecks, ...resultChecks], skipped: [] },
  })
  expect(jobs.map(({ steps }) => steps)).toEqual(names.map((name) => [name]))
  const [validate, transform, compose, render] = jobs as [StepJob, StepJob, StepJob, StepJob]
  expect([validate.rawInput, transform.input, transform.params, compose.output]).toEqual([raw, raw, params, output])
  expect([Object.keys(validate.sources), Object.keys(compose.sources)]).toEqual([['contract'], ['template']])
  expect(textOf(render.docx)).toBe(files.docx)
})

test('what comes out otherwise is told with what was recorded, and steps after it read what was made now', async () => {
  const made = '{"line":"Other"}'
  const { jobs, run } = engines({
    'transform.declarative': () =>
      succeeded('transform.declarative', { output: { text: made, hash: sha256Hex(made) } }),
  })
  const { checks } = await reproduce(run, whole, inputs, sources)
  expect(checks.filter(({ identical }) => !identical)).toEqual([
    { subject: 'output', recorded: sha256Hex(output), computed: sha256Hex(made), identical: false },
  ])
  expect(jobs[2]?.output).toBe(made)
})

test('the configuration and the inputs are each hashed again, and so is the release that they make', async () => {
  const { run } = engines()
  const differ = async (recorded: Partial<Recorded>, given: Partial<ReproducedInputs> = {}, some = sources) =>
    (await reproduce(run, { ...whole, ...recorded }, { ...inputs, ...given }, some)).checks
      .filter(({ identical }) => !identical)
      .map(({ subject }) => subject)
  expect(await differ({})).toEqual([])
  expect(await differ({ rawInputHash: 'x' })).toEqual(['raw_input'])
  expect(await differ({ inputHash: 'x' })).toEqual(['input'])
  expect(await differ({ paramsHash: 'x' })).toEqual(['params'])
  expect(await differ({ releaseHash: 'x' })).toEqual(['release'])
  for (const role of ['contract', 'transformer', 'template'] as const) {
    const other = { ...sources, [role]: { ...sources[role], content: 'changed' } }
    expect(await differ({}, {}, other)).toEqual([role, 'release'])
  }
  const fragments = [{ slug: 'foot', hash: sha256Hex('foot'), content: bytes('foot') }]
  expect(await differ({}, {}, { ...sources, template: { ...sources.template!, fragments } })).toEqual(['release'])
  // A text that isn't JSON has the hash of its bytes; another with the same value has the same hash.
  expect(await differ({ inputHash: sha256Hex('no JSON') }, { input: 'no JSON' })).toEqual([])
  expect(await differ({}, { input: '{"name":"Ada"}' })).toEqual([])
})

test('an input of another format is read by it, unless the execution reads what its parent made', async () => {
  const { run } = engines()
  const csv = checkInputFormat({ format: 'csv' }, (...refusal) => {
    throw new Error(JSON.stringify(refusal))
  })!
  const text = 'name\nAda\n'
  const read = readInput(text, csv)
  if (!read.ok) throw new Error(JSON.stringify(read))
  const recorded = { ...whole, inputHash: canonicalHash(read.value.value) }
  const hashOf = async (readsParent: boolean) => {
    const { checks } = await reproduce(
      run,
      recorded,
      { ...inputs, input: text, inputFormat: csv, readsParent },
      sources,
    )
    return checks.find(({ subject }) => subject === 'input')?.identical
  }
  expect([await hashOf(false), await hashOf(true)]).toEqual([true, false])
})

test('an execution for data alone has no template, no document and no params to compare', async () => {
  const { run, jobs } = engines()
  const { template: _template, ...rest } = sources
  const plain = releaseHashOf({
    ...{ contract: pin('the contract'), transformer: pin('the transformer'), template: undefined },
  })
  const recorded = { ...whole, steps: whole.steps.slice(0, 2), artifacts: [], paramsHash: null, releaseHash: plain }
  const { checks } = await reproduce(run, recorded, { ...inputs, params: undefined }, rest)
  expect(checks).toEqual([
    ...inputChecks.filter(({ subject }) => !['params', 'template', 'release'].includes(subject)),
    ...[same('release', plain), resultChecks[0]!],
  ])
  expect(jobs.length).toBe(2)
})

test('a step whose material is gone is left out, and those after it take what the execution had made and still has', async () => {
  const { jobs, run } = engines()
  const gone = { ...inputs, rawInput: undefined, input: undefined }
  const kept: MadeSoFar = { output, files: new Map() }
  const { checks, skipped } = await reproduce(run, whole, gone, sources, kept)
  expect(skipped).toEqual(['validate', 'transform.declarative'])
  expect(jobs.map(({ steps: [step] }) => step)).toEqual(['compose', 'render'])
  expect(jobs[0]?.output).toBe(output)
  expect(checks).toEqual([...inputChecks.slice(2), ...resultChecks.slice(1)])
})

test('a document whose data is gone is rendered from the kept file, and not at all without it', async () => {
  const gone = { ...inputs, input: undefined }
  const kept: MadeSoFar = { files: new Map([['docx', bytes('kept docx')]]) }
  const first = engines()
  const { checks, skipped } = await reproduce(first.run, whole, gone, sources, kept)
  expect(skipped).toEqual(['transform.declarative', 'compose'])
  expect(first.jobs.map(({ docx }) => textOf(docx))).toEqual([undefined, 'kept docx'])
  expect(checks.map(({ subject }) => subject)).toEqual([
    ...(['raw_input', 'params', 'contract', 'transformer', 'template', 'release', 'pdf'] as const),
  ])
  const second = engines()
  const nothing = await reproduce(second.run, whole, gone, sources)
  expect(nothing.skipped).toEqual(['transform.declarative', 'compose', 'render'])
  expect(second.jobs.length).toBe(1)
})

test('params that are gone keep the data from being made, and their absence doesn’t where there were none', async () => {
  const gone = { ...inputs, params: undefined }
  expect((await reproduce(engines().run, whole, gone, sources)).skipped).toContain('transform.declarative')
  const none = await reproduce(engines().run, { ...whole, paramsHash: null }, gone, sources)
  expect(none.skipped).toEqual([])
  expect(none.checks.map(({ subject }) => subject)).not.toContain('params')
})

test('steps that were not run then are not run now', async () => {
  const steps = [stepRow('validate'), stepRow('transform.declarative', { status: 'not_started' }), stepRow('compose')]
  const { jobs, run } = engines()
  await reproduce(run, { ...whole, steps, outputHash: null, artifacts: [] }, inputs, sources)
  expect(jobs.map(({ steps: [step] }) => step)).toEqual(['validate'])
})

test('a failure is made again and compared by its code, and nothing is run after it', async () => {
  const failure = { code: 'contract_violated', message: 'Then.', issues: [] }
  const steps = [
    stepRow('validate', { status: 'failed', failure }),
    stepRow('transform.declarative', { status: 'not_started' }),
  ]
  const recorded = { ...whole, steps, outputHash: null, artifacts: [] }
  const last = async (answer: () => StepResult | Promise<StepResult[]>) => {
    const { jobs, run } = engines({ validate: answer })
    const { checks } = await reproduce(run, recorded, inputs, sources)
    expect(jobs.length).toBe(1)
    return checks.at(-1)
  }
  const of = { subject: 'failure', recorded: 'contract_violated' } as const
  expect(await last(() => refused('validate', 'contract_violated'))).toEqual({
    ...{ ...of, computed: 'contract_violated', identical: true },
  })
  expect(await last(() => refused('validate', 'other'))).toEqual({
    ...of,
    computed: 'other',
    identical: false,
  })
  // It passes now, and what comes after it isn't compared.
  expect(await last(() => succeeded('validate'))).toEqual({ ...of, identical: false })
  const skipped = await reproduce(engines().run, recorded, { ...inputs, rawInput: undefined }, sources)
  expect(skipped.checks.map(({ subject }) => subject)).not.toContain('failure')
})

test('what a step refuses now has no hash, nor has what comes after it', async () => {
  const { jobs, run } = engines({ compose: () => refused('compose', 'compose_failed') })
  const { checks } = await reproduce(run, whole, inputs, sources)
  expect(checks.slice(-3)).toEqual([
    resultChecks[0]!,
    { subject: 'docx', recorded: sha256Hex(files.docx), identical: false },
    { subject: 'pdf', recorded: sha256Hex(files.pdf), identical: false },
  ])
  expect(jobs.length).toBe(3)
})

test('an engine that takes too long or breaks leaves the hash open, and what else goes wrong is thrown', async () => {
  for (const Broken of [WorkerOverran, EngineThrew]) {
    const { run } = engines({ render: () => Promise.reject(new Broken('broken')) })
    const { checks, skipped } = await reproduce(run, whole, inputs, sources)
    expect([checks.at(-1), skipped]).toEqual([{ subject: 'pdf', recorded: sha256Hex(files.pdf), identical: false }, []])
  }
  const { run } = engines({ render: () => Promise.reject(new WorkerCrashed('crashed')) })
  expect(await rejectionOf(reproduce(run, whole, inputs, sources))).toBeInstanceOf(WorkerCrashed)
})

test('fonts are compared where the document had any of its own then, or has now', async () => {
  const [mine, yours] = ['a'.repeat(64), 'b'.repeat(64)]
  const fonts = async (then: Record<string, unknown> | null, now: Record<string, unknown>, run = engines) => {
    const rendered = () =>
      succeeded('render', { summary: now, file: { bytes: bytes(files.pdf), hash: sha256Hex(files.pdf) } })
    const steps = whole.steps.map((row) => (row.name === 'render' ? { ...row, summary: then } : row))
    const { checks } = await reproduce(run({ render: rendered }).run, { ...whole, steps }, inputs, sources)
    return checks.filter(({ subject }) => subject === 'fonts')
  }
  const own = 'those of the executable'
  const check = (recorded: string, computed: string): Check[] => [
    { subject: 'fonts', recorded, computed, identical: recorded === computed },
  ]
  expect(await fonts({}, {})).toEqual([])
  expect(await fonts({ fonts_hash: mine }, { fonts_hash: mine })).toEqual(check(mine, mine))
  expect(await fonts({ fonts_hash: mine }, { fonts_hash: yours })).toEqual(check(mine, yours))
  expect(await fonts({ fonts_hash: mine }, {})).toEqual(check(mine, own))
  expect(await fonts({}, { fonts_hash: yours })).toEqual(check(own, yours))
  // Nobody knows which it had once the details of its steps are gone.
  expect(await fonts(null, { fonts_hash: yours })).toEqual([])
  // Not rendered now: there is nothing to compare it with.
  const steps = whole.steps.map((row) => (row.name === 'render' ? { ...row, summary: { fonts_hash: mine } } : row))
  const failed = engines({ render: () => refused('render', 'render_failed') })
  const { checks } = await reproduce(failed.run, { ...whole, steps }, inputs, sources)
  expect(checks.at(-1)).toEqual({ subject: 'fonts', recorded: mine, identical: false })
})
