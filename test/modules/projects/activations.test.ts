import { expect, test } from 'bun:test'
import { addMs, formatInstant, type Instant, instantOf } from '../../../src/core/instant.ts'
import {
  readActivations,
  scheduledFolderOf,
  writeActivations,
} from '../../../src/modules/projects/projects.activations.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { contract, type Files, filesOf, hello, model, template, transformer, zipOf } from './fixture.ts'

const new2 = instantOf('2127-01-01T00:00:00Z')
const new3 = instantOf('2127-06-30T22:00:00.5Z')

/** All of the letter at another version, in a folder of what is scheduled. */
function letterIn(folder: string, version: number): Files {
  return {
    [`${folder}/contracts/person.schema.json`]: contract({ maxProperties: version }),
    [`${folder}/templates/hello.docx`]: template(`${version}: `),
    [`${folder}/transformers/hello.yaml`]: transformer(`Hello, the ${version}nd`, version),
    [`${folder}/models/hello.yaml`]: model(version),
  }
}

function activationsOf(entries: readonly (readonly [at: string, files: Files])[]): string {
  const lines = entries.flatMap(([at, files]) => [
    `  - effective_from: ${at}`,
    '    files:',
    ...Object.keys(files).map((path) => `      - ${path}`),
  ])
  return `activations:\n${lines.join('\n')}\n`
}

const second = letterIn('scheduled/new-year', 2)
const third: Files = { 'scheduled/summer/templates/hello.docx': template('3: ') }
const scheduled: Files = {
  ...hello,
  ...second,
  'activations.yaml': activationsOf([['2127-01-01T00:00:00Z', second]]),
}

test('activations.yaml is written in one way, and read as it was written', () => {
  const files = new Map<string, Instant>([
    ['scheduled/b/models/b.yaml', new3],
    ['scheduled/a/templates/a.docx', new2],
    ['scheduled/a/models/a.yaml', new2],
  ])
  const text = writeActivations(files)
  expect(text).toBe(`# What comes into force later. All else does when the project is applied.
activations:
  - effective_from: 2127-01-01T00:00:00Z
    files:
      - scheduled/a/models/a.yaml
      - scheduled/a/templates/a.docx
  - effective_from: 2127-06-30T22:00:00.5Z
    files:
      - scheduled/b/models/b.yaml
`)
  const read = readActivations(new TextEncoder().encode(text), new Set(files.keys()))
  expect(read.ok && [...read.value].sort()).toEqual([...files].sort())
  expect(scheduledFolderOf(new3)).toBe('scheduled/2127-06-30T22-00-00.5Z')
})

test.each([
  [
    'activations:\n  - effective_from: soon\n    files: [scheduled/a/models/a.yaml]\n',
    '/activations/0/effective_from',
    'no instant',
  ],
  [
    'activations:\n  - effective_from: 2127-01-01T00:00:00Z\n    files: [models/a.yaml]\n',
    '/activations/0/files/0',
    'below scheduled',
  ],
  [
    'activations:\n  - effective_from: 2127-01-01T00:00:00Z\n    files: [scheduled/a/models/b.yaml]\n',
    '/activations/0/files/0',
    'There is no',
  ],
  [
    'activations:\n  - effective_from: 2127-01-01T00:00:00Z\n    files: [scheduled/a/models/a.yaml, scheduled/a/models/a.yaml]\n',
    '/activations/0/files/1',
    'scheduled already',
  ],
  ['activations:\n  - files: [scheduled/a/models/a.yaml]\n', '/activations/0', 'effective_from'],
  ['activations: {}\n', '/activations', ''],
  ['scheduled: []\n', '', ''],
  ['activations: *a\n', '', 'Aliases'],
])('what is wrong in activations.yaml is reported with its place: %p', (text, place, words) => {
  const read = readActivations(new TextEncoder().encode(text), new Set(['scheduled/a/models/a.yaml']))
  if (read.ok) throw new Error('it was read')
  const [found] = read.findings
  expect(found?.path).toStartWith(`activations.yaml${place === '' ? '' : `#${place}`}`)
  expect(found?.message).toContain(words)
})

test('a file of activations that can not be right is refused under a code of its own, text or not', () => {
  const findingsOf = (bytes: Uint8Array) => {
    const read = readActivations(bytes, new Set(['scheduled/a/models/a.yaml']))
    return read.ok ? [] : read.findings
  }
  const bytes = (text: string) => new TextEncoder().encode(text)
  const unread = findingsOf(new Uint8Array([0xff]))
  expect(unread).toMatchObject([{ code: 'project.activations', severity: 'error', path: 'activations.yaml' }])
  const files = ['models/a.yaml', 'scheduled/a/models/b.yaml', 'scheduled/a/models/a.yaml', 'scheduled/a/models/a.yaml']
  const text = `activations:\n  - { effective_from: soon, files: [x] }\n  - effective_from: 2127-01-01T00:00:00Z\n    files: [${files.join(', ')}]\n`
  const wrong = findingsOf(bytes(text))
  expect(wrong.map(({ code, path }) => [code, path])).toEqual(
    ['/0/effective_from', '/1/files/0', '/1/files/1', '/1/files/3'].map((place) => [
      'project.activations',
      `activations.yaml#/activations${place}`,
    ]),
  )
})

describeOnBothDialects('what a project schedules', (dialect) => {
  let authors = 0
  async function store(): Promise<{ app: TestApp; author: Author }> {
    const app = await startTestApp(dialect)
    return { app, author: await Author.signIn(app, `scheduler-${++authors}`) }
  }
  const plan = async (author: Author, files: Files | Uint8Array, fields: Record<string, string> = {}) => {
    const archive = files instanceof Uint8Array ? files : zipOf(files)
    return (await author.form('POST', '/project/plan', fields, archive, {}, 'application/zip')).body
  }
  async function apply(author: Author, files: Files | Uint8Array): Promise<unknown> {
    const archive = files instanceof Uint8Array ? files : zipOf(files)
    const planned = await plan(author, archive)
    expect([planned.issues, planned.valid]).toEqual([[], true])
    const fields = { plan_hash: planned.plan_hash }
    const applied = await author.form('POST', '/project/apply', fields, archive, {}, 'application/zip')
    expect([applied.status, applied.body.changes.length]).toEqual([200, planned.changes.length])
    return planned
  }
  const exported = async (author: Author, query = ''): Promise<Uint8Array> =>
    (await author.get(`/project${query}`)).body

  test('comes into force at its instant, not before, and a second apply changes nothing', async () => {
    const { author } = await store()
    const planned = await apply(author, scheduled)
    const { changes } = planned as { changes: { path: string; action: string; effective_from?: string }[] }
    expect(changes.map(({ path, action, effective_from }) => [path, action, effective_from])).toEqual([
      ['contracts/person.schema.json', 'create', undefined],
      ['templates/hello.docx', 'create', undefined],
      ['transformers/hello.yaml', 'create', undefined],
      ['models/hello.yaml', 'create', undefined],
      ['scheduled/new-year/contracts/person.schema.json', 'new_version', undefined],
      ...['templates/hello.docx', 'transformers/hello.yaml', 'models/hello.yaml'].map((path) => [
        `scheduled/new-year/${path}`,
        'new_version',
        '2127-01-01T00:00:00Z',
      ]),
    ])
    const { activations } = (await author.get('/activations')).body
    const told = activations.map((row: Record<string, unknown>) => `${row.kind} ${row.version} ${row.status}`)
    expect(told.sort()).toEqual([
      'ingestion_model 1 active',
      'ingestion_model 2 scheduled',
      'template 1 active',
      'template 2 scheduled',
      'transformer 1 active',
      'transformer 2 scheduled',
    ])
    const again = await plan(author, scheduled)
    expect([again.changes, again.unchanged, again.later, again.valid]).toEqual([[], 8, [], true])
    const without = await plan(author, hello)
    expect(without.later.map(({ path }: { path: string }) => path).sort()).toEqual([
      'models/hello.yaml',
      'templates/hello.docx',
      'transformers/hello.yaml',
    ])
  })

  test('is exported with its instants, the same bytes twice and from a store that it was imported into', async () => {
    const { author } = await store()
    await apply(author, {
      ...scheduled,
      ...third,
      'activations.yaml': activationsOf([
        ['2127-06-30T22:00:00.5Z', third],
        ['2127-01-01T00:00:00Z', second],
      ]),
    })
    const first = await exported(author)
    expect(await exported(author)).toEqual(first)
    const files = filesOf(first)
    const [early, late] = ['scheduled/2127-01-01T00-00-00Z', 'scheduled/2127-06-30T22-00-00.5Z']
    expect(files['activations.yaml']).toBe(`# What comes into force later. All else does when the project is applied.
activations:
  - effective_from: 2127-01-01T00:00:00Z
    files:
      - ${early}/contracts/person.schema.json
      - ${early}/models/hello.yaml
      - ${early}/templates/hello.docx
      - ${early}/transformers/hello.yaml
  - effective_from: 2127-06-30T22:00:00.5Z
    files:
      - ${late}/templates/hello.docx
`)
    for (const [path, content] of Object.entries(second)) {
      expect([path, files[path.replace('scheduled/new-year', early)]]).toEqual([path, content])
    }
    expect(files['contracts/person.schema.json']).toBe(contract())
    expect(files[`${early}/templates/hello.docx.md`]).toContain('2: {{/line}}')
    const { author: other } = await store()
    await apply(other, first)
    expect(await exported(other)).toEqual(first)
    const again = await plan(other, first)
    expect([again.changes, again.warnings, again.absent, again.later]).toEqual([[], [], [], []])
    // Seen from the instant itself, it is what is in force.
    const then = filesOf(await exported(other, `?at=${formatInstant(addMs(new2, 1))}`))
    expect(then['models/hello.yaml']).toBe(model(2))
    expect(Object.keys(then).filter((path) => path.startsWith('scheduled/'))).toEqual([
      `${late}/templates/hello.docx`,
      `${late}/templates/hello.docx.md`,
    ])
  })

  /** Names have at most 8 characters from the new year on. */
  const stricter: Files = {
    'scheduled/new-year/contracts/person.schema.json': contract({
      properties: { name: { type: 'string', maxLength: 8 } },
    }),
    'scheduled/new-year/transformers/hello.yaml': transformer('Hello', 2).replace('template: hello@2\n', ''),
    'scheduled/new-year/models/hello.yaml': model(2),
  }
  const current: Files = {
    ...hello,
    'transformers/hello.yaml': transformer('Hello').replace('template: hello@1\n', ''),
    'cases/hello/long.json': '{"name":"Maximiliana"}',
  }
  const withCases: Files = {
    ...current,
    ...stricter,
    'activations.yaml': activationsOf([['2127-01-01T00:00:00Z', stricter]]),
    'cases/hello/ann.json': '{"name":"Ann"}',
  }
  const expectedLater = 'cases/hello/long.from-2127-01-01T00-00-00Z.expected/letter/refusal.json'

  test('has its cases judged with the versions in force then, if anything they read changes', async () => {
    const { author } = await store()
    const first = await plan(author, withCases)
    expect([first.issues, first.cases_run, first.cases_run_later]).toEqual([[], 2, 2])
    const broken = [
      {
        path: 'cases/hello/long.json',
        effective_from: '2127-01-01T00:00:00Z',
        node: 'letter',
        step: 'validate',
        message: expect.stringContaining('/name'),
      },
    ]
    expect(first.broken_cases).toEqual(broken)
    // Written down for its instant, and not for now.
    const expected = await plan(author, { ...withCases, [expectedLater]: '{}' })
    expect([expected.cases_run_later, expected.broken_cases]).toEqual([2, []])
    await apply(author, withCases)
    const again = await plan(author, withCases)
    expect([again.cases_run, again.cases_run_later, again.broken_cases]).toEqual([0, undefined, []])
    // What changes now is run with what the store has scheduled, in the project or not.
    for (const files of [withCases, current]) {
      const changed = await plan(author, { ...files, 'templates/hello.docx': template('One: ') })
      const runs = Object.keys(files).filter((path) => path.startsWith('cases/')).length
      expect([changed.cases_run, changed.cases_run_later, changed.broken_cases]).toEqual([runs, runs, broken])
    }
    // A new case alone runs twice, too.
    const added = await plan(author, { ...withCases, 'cases/hello/new.json': '{"name":"Theophilus"}' })
    const told = added.broken_cases.map(({ path }: { path: string }) => path)
    expect([added.cases_run, added.cases_run_later, told]).toEqual([1, 1, ['cases/hello/new.json']])
  })

  test('has expectations that hold from then on, which an export of that time has as the cases’ own', async () => {
    const { author } = await store()
    const now = 'cases/hello/long.expected/letter/output.json'
    const files = { ...withCases, [expectedLater]: '{"step":"validate"}', [now]: '{"line":"Hello Maximiliana"}' }
    await apply(author, files)
    const first = filesOf(await exported(author))
    expect([first[expectedLater], first[now]]).toEqual([files[expectedLater], files[now]])
    expect((await plan(author, await exported(author))).case_files).toEqual({ added: 0, changed: 0, removed: 0 })
    const then = filesOf(await exported(author, `?at=${formatInstant(addMs(new2, 1))}`))
    const expectations = Object.entries(then).filter(([path]) => path.includes('.expected/'))
    expect(expectations).toEqual([['cases/hello/long.expected/letter/refusal.json', '{"step":"validate"}']])
  })

  test('is not exported where it makes no difference', async () => {
    const { author } = await store()
    await apply(author, hello)
    const first = await exported(author)
    const { transformers } = (await author.get('/transformers')).body
    const published = await author.publish('transformers', transformers[0].id, 1, '2127-01-01T00:00:00Z')
    expect(published.status).toBeLessThan(300)
    expect((await author.get('/activations?status=scheduled')).body.activations).toHaveLength(1)
    expect(await exported(author)).toEqual(first)
  })

  test('is refused where it has begun, has no instant, or does not fit at its instant', async () => {
    const { author } = await store()
    const begun = { ...scheduled, 'activations.yaml': activationsOf([['2020-01-01T00:00:00Z', second]]) }
    const past = await plan(author, begun)
    expect([past.valid, past.issues.length]).toEqual([false, 4])
    expect(past.issues[0].message).toContain('is not after')
    const late = await plan(author, scheduled, { effective_from: '2127-01-01T00:00:00Z' })
    expect([late.valid, late.issues[0].path]).toEqual([false, 'scheduled/new-year/contracts/person.schema.json'])
    const silent = await plan(author, { ...hello, ...second })
    expect(JSON.stringify(silent)).toContain('activations.yaml does not say when')
    const alone = { 'scheduled/new-year/models/hello.yaml': model(2) }
    const unfit = await plan(author, {
      ...hello,
      ...alone,
      'activations.yaml': activationsOf([['2127-01-01T00:00:00Z', alone]]),
    })
    expect(unfit.valid).toBe(false)
    expect(unfit.issues[0].message).toContain('It names version 2')
    const models = { 'scheduled/new-year/models/hello.yaml': model().replace('template: hello', 'template: other') }
    const lost = await plan(author, {
      ...hello,
      ...models,
      'activations.yaml': activationsOf([['2127-01-01T00:00:00Z', models]]),
    })
    expect([lost.valid, lost.issues[0].path]).toEqual([false, 'scheduled/new-year/models/hello.yaml#/nodes/0/template'])
  })
})
