import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq, inArray } from 'drizzle-orm'
import { addMs, formatInstant } from '../../../src/core/instant.ts'
import { demo } from '../../../src/demo/demo.ts'
import { readZip } from '../../../src/engines/ooxml/zip.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { type Answered, Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { stateOf } from '../../support/refused.ts'
import { contract, type Files, hello, model, template, transformer, zipOf } from './fixture.ts'

describeOnBothDialects('projects', (dialect) => {
  let app: TestApp
  let author: Author

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
  })

  let names = 0
  /** The project under names of its own, so that tests don't share families. */
  let own: (files: Files) => Files
  beforeEach(() => {
    const suffix = `-${++names}`
    const rename = (text: string) => text.replaceAll('hello', `hello${suffix}`).replaceAll('Person', `Person${suffix}`)
    own = (files) =>
      Object.fromEntries(
        Object.entries(files).map(([name, content]) => [
          rename(name).replace('person', `person${suffix}`),
          typeof content === 'string' ? rename(content) : content,
        ]),
      )
  })

  const send = (path: string, files: Files | Uint8Array, fields: Record<string, string> = {}) =>
    author.form('POST', path, fields, files instanceof Uint8Array ? files : zipOf(files), {}, 'application/zip')
  const plan = (files: Files | Uint8Array, fields = {}) => send('/project/plan', files, fields)
  const apply = (files: Files, planHash: string, fields = {}) =>
    send('/project/apply', files, { plan_hash: planHash, ...fields })
  async function applied(files: Files, fields = {}): Promise<Answered> {
    const planned = await plan(files, fields)
    return apply(files, planned.body.plan_hash, fields)
  }
  const steps = ({ body }: Answered) =>
    body.changes.map(({ path, action, from_version, to_version }: Record<string, unknown>) =>
      [String(path).replace(/-\d+/g, ''), action, from_version ?? 0, to_version].join(' '),
    )
  const issues = ({ body }: Answered): string[] =>
    (body.issues ?? body.errors).map(({ path = '', message }: Record<string, string>) =>
      `${path}: ${message}`.replace(/-\d+/g, ''),
    )

  test('a plan says what applying would do, and changes nothing', async () => {
    const files = own(hello)
    const before = await stateOf(app.database)
    const planned = await plan(files)
    expect(await stateOf(app.database)).toBe(before)
    expect(planned.status).toBe(200)
    expect(planned.body).toMatchObject({ valid: true, unchanged: 0, issues: [] })
    expect(steps(planned)).toEqual([
      'contracts/person.schema.json create 0 1',
      'templates/hello.docx create 0 1',
      'transformers/hello.yaml create 0 1',
      'models/hello.yaml create 0 1',
    ])
  })

  test('applying brings all of it into force, so that a submission makes its document', async () => {
    const files = own(hello)
    const planned = await plan(files)
    const answer = await apply(files, planned.body.plan_hash)
    const told = planned.body.changes.map(({ difference: _, ...change }: Record<string, unknown>) => change)
    expect([answer.status, answer.body.changes]).toEqual([200, told])
    const submitted = await author.post('/submissions', {
      ingestion_model: `hello-${names}`,
      raw_input: '{"name":"Ada"}',
      metadata: {
        schema: 'svc-intake-metadata-v1',
        source_object: 'a',
        source_timestamp: formatInstant(app.clock.now()),
        source_actor: 'test',
        source_system: 'test',
        fixture_family: 'none',
        scenario_id: 'none',
        schedule_interval_months: 1,
      },
    })
    expect([submitted.status, submitted.body.submission?.executions.length]).toEqual([202, 1])
  })

  test('a project that is in force changes nothing, and plans alike each time', async () => {
    const files = own(hello)
    await applied(files)
    const inForce = async () => (await author.get('/activations?limit=200')).body.activations
    const before = await inForce()
    const [one, two] = [await plan(files), await plan(files)]
    expect([one.body.changes, one.body.unchanged]).toEqual([[], 4])
    expect(two.body.plan_hash).toBe(one.body.plan_hash)
    expect((await apply(files, one.body.plan_hash)).status).toBe(200)
    expect(await inForce()).toEqual(before)
  })

  test('a change of parts that fit only each other goes into force as one', async () => {
    await applied(own(hello))
    const other = {
      ...own(hello),
      ...own({ 'templates/hello.docx': wordPackage(p('{{/text}}')) }),
      ...own({
        'transformers/hello.yaml': transformer('Bye', 1).replace('line:', 'text:').replace('hello@1', 'hello@2'),
      }),
    }
    const planned = await plan(other)
    expect(issues(planned)).toEqual([])
    expect(steps(planned)).toEqual(['templates/hello.docx new_version 1 2', 'transformers/hello.yaml new_version 1 2'])
    expect(planned.body.changes[0].difference).toContain('-1: {{/line}}\n+{{/text}}\n')
    expect(planned.body.changes[1].difference).toContain('"Hello {name}"')
    expect((await apply(other, planned.body.plan_hash)).status).toBe(200)
    const back = await plan(own(hello))
    expect(steps(back)).toEqual(['templates/hello.docx activate 2 1', 'transformers/hello.yaml activate 2 1'])
  })

  test('names file and place of what does not fit, and applies nothing of it', async () => {
    const files = own({ ...hello, 'templates/hello.docx': wordPackage(p('{{/missing}}')) })
    const planned = await plan(files)
    expect([planned.status, planned.body.valid]).toEqual([200, false])
    expect(issues(planned)).toEqual([
      'transformers/hello.yaml#/output: The template wants /missing (word/document.xml, paragraph 1); nothing writes it. Known here: line.',
    ])
    const before = await stateOf(app.database)
    const refused = await apply(files, planned.body.plan_hash)
    expect([refused.status, issues(refused)]).toEqual([422, issues(planned)])
    expect(await stateOf(app.database)).toBe(before)
  })

  test('names a model in force, outside of the project, that needs what the project replaces', async () => {
    await applied(own(hello))
    const other = own({ 'transformers/hello.yaml': 'transform: declarative-v1\noutput: { other: "x" }\n' })
    const planned = await plan(other)
    expect(issues(planned)).toEqual([
      expect.stringMatching(/^models\/hello.yaml: hello:letter \(transformer hello@2, template hello@1\): .*\/line/),
    ])
  })

  test('gives the findings of every file that can not be frozen', async () => {
    const planned = await plan(
      own({
        ...hello,
        'contracts/person.schema.json': '{"type":"objekt"}',
        'models/hello.yaml': 'model: ingestion-model-v1\n',
      }),
    )
    expect(issues(planned).map((issue) => issue.split(':')[0])).toEqual(
      expect.arrayContaining(['contracts/person.schema.json#/type', 'models/hello.yaml#/contract']),
    )
  })

  test('a version number that sources name is given to what they name, so that one project fits several stores', async () => {
    const files = own({ ...hello, 'transformers/hello.yaml': transformer('Hello', 7), 'models/hello.yaml': model(7) })
    const planned = await plan(files)
    expect(issues(planned)).toEqual([])
    expect(steps(planned).slice(0, 2)).toEqual([
      'contracts/person.schema.json create 0 7',
      'templates/hello.docx create 0 7',
    ])
    expect((await applied(files)).status).toBe(200)
  })

  test('a number that belongs to other content is refused, with the number to write', async () => {
    await applied(own(hello))
    const planned = await plan(own({ ...hello, 'contracts/person.schema.json': contract({ description: 'new' }) }))
    expect(issues(planned)).toEqual([
      'transformers/hello.yaml#/contract: It names version 1, and contracts/person.schema.json is version 2. Write 2 there.',
      'models/hello.yaml#/contract: It names version 1, and contracts/person.schema.json is version 2. Write 2 there.',
    ])
  })

  test('a plan that is out of date is not applied', async () => {
    const files = own(hello)
    const planned = await plan(files)
    await applied(files)
    const before = await stateOf(app.database)
    const refused = await apply(files, planned.body.plan_hash)
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toContain('Plan again')
    expect(await stateOf(app.database)).toBe(before)
  })

  test('goes into force at the instant that is named, and never in the past', async () => {
    const files = own(hello)
    const later = { effective_from: formatInstant(addMs(app.clock.now(), 3_600_000)) }
    const answer = await applied(files, later)
    expect([answer.status, answer.body.effective_from]).toEqual([200, later.effective_from])
    const id = (await author.get('/activations?kind=transformer')).body.activations[0]
    expect([id.effective_from, id.status]).toEqual([later.effective_from, 'scheduled'])
    const past = await plan(files, { effective_from: '2020-01-01T00:00:00Z' })
    expect([past.status, past.body.detail]).toEqual([422, expect.stringContaining('in the past')])
  })

  test('freezes without putting in force: numbered as planned, once, and only what would fit together', async () => {
    const freezing = { freeze_only: 'true' }
    const files = { ...own(hello), [`cases/hello-${names}/ann.json`]: '{"name":"Ann"}' }
    const planned = await plan(files, freezing)
    expect(planned.body).toMatchObject({ valid: true, freeze_only: true, cases_run: 1, broken_cases: [] })
    expect(planned.body.changes.map(({ action }: { action: string }) => action)).toEqual(Array(4).fill('create'))
    // What was planned to be frozen is not put in force by its hash, nor the other way round.
    expect((await apply(files, planned.body.plan_hash)).status).toBe(409)
    expect((await apply(files, (await plan(files)).body.plan_hash, freezing)).status).toBe(409)
    const frozen = await apply(files, planned.body.plan_hash, freezing)
    expect([frozen.status, frozen.body.effective_from, frozen.body.case_files.added]).toEqual([200, undefined, 1])
    const { t, q } = app.database.read
    const family = await q
      .select({ id: t.families.id })
      .from(t.families)
      .where(eq(t.families.slug, `hello-${names}`))
    const ids = family.map(({ id }) => id)
    expect(await q.select().from(t.activations).where(inArray(t.activations.familyId, ids))).toEqual([])
    const versions = await q.select().from(t.versions).where(inArray(t.versions.familyId, ids))
    expect(versions.map(({ number, status }) => [number, status])).toEqual(Array(3).fill([1, 'versioned']))
    expect((await applied(files, freezing)).body).toMatchObject({ changes: [], unchanged: 4 })
    const records = await q.select().from(t.auditRecords).where(eq(t.auditRecords.action, 'project.frozen'))
    expect(records.map(({ resourceId }) => resourceId)).toContain(planned.body.plan_hash)
    // It is not there to be renamed, and an instant has no meaning for it.
    const later = { ...freezing, effective_from: formatInstant(addMs(app.clock.now(), 3_600_000)) }
    expect((await plan(files, later)).body.detail).toContain('does not go with freeze_only')
    const misfit = {
      ...files,
      [`transformers/hello-${names}.yaml`]: 'transform: declarative-v1\noutput: { other: 1 }\n',
    }
    const before = await stateOf(app.database)
    const unfit = await plan(misfit, freezing)
    expect([unfit.body.valid, issues(unfit)[0]]).toEqual([false, expect.stringContaining('models/hello.yaml')])
    expect((await apply(misfit, unfit.body.plan_hash, freezing)).status).toBe(422)
    expect(await stateOf(app.database)).toBe(before)
    // Then it comes into force as any version that is there.
    expect(steps(await applied(files))).toEqual([
      'contracts/person.schema.json publish 0 1',
      'templates/hello.docx activate 0 1',
      'transformers/hello.yaml activate 0 1',
      'models/hello.yaml activate 0 1',
    ])
  })

  test('tells that a draft would be replaced which holds changes of its own', async () => {
    await applied(own(hello))
    const { body } = await author.get('/activations?kind=transformer')
    const id = body.activations[0].family_id
    const draft = { source: `${transformer('Mine')}# mine\n`, format: 'yaml' }
    await author.call('PUT', `/transformers/${id}/draft`, draft, { 'if-match': '"1"' })
    const planned = await plan(own({ ...hello, 'transformers/hello.yaml': transformer('Yours') }))
    expect(planned.body.changes).toMatchObject([{ action: 'new_version', replaces_draft: true }])
  })

  test('the same key applies once', async () => {
    const files = own(hello)
    const { plan_hash } = (await plan(files)).body
    const fields = { plan_hash }
    const key = { 'idempotency-key': `apply-${dialect}-${names}-${'k'.repeat(20)}` }
    const first = await author.form('POST', '/project/apply', fields, zipOf(files), key, 'application/zip')
    const again = await author.form('POST', '/project/apply', fields, zipOf(files), key, 'application/zip')
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
  })

  test('refuses archives that hold no configuration, the same family twice, or files that aren’t any', async () => {
    for (const [files, words] of [
      [{ 'notes.md': 'x' }, 'The archive has no file of configuration.'],
      [{ ...hello, 'transformers/hello.json': '{}' }, 'transformers/hello.json: Another file is of the same family.'],
      [{ ...hello, 'models/My_Letter.yaml': 'x' }, 'models/My_Letter.yaml: "My_Letter" can\'t be a slug.'],
      [{ ...hello, 'models/hello.yaml': new Uint8Array([0xff, 0xfe]) }, 'models/hello.yaml: The file is not UTF'],
      [new TextEncoder().encode('PK no'), ''],
    ] as const) {
      const refused = await plan(files as Files | Uint8Array)
      expect([refused.status, issues(refused).join('\n')]).toEqual([422, expect.stringContaining(words)])
    }
  })

  test('an export has the files that are in force, the same bytes each time, and planning it changes nothing', async () => {
    const files = own(hello)
    await applied(files)
    const [one, two] = [await author.get('/project'), await author.get('/project')]
    expect(one.headers.get('content-type')).toBe('application/zip')
    expect(two.body).toEqual(one.body)
    const zip = readZip(one.body)
    if (!zip.ok) throw new Error('the export is no archive')
    for (const [name, content] of Object.entries(files)) {
      if (name === 'README.md') continue
      const read = zip.value.read(name)
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
      expect([name, read.ok && read.value]).toEqual([name, bytes])
    }
    const planned = await plan(one.body)
    expect([planned.body.changes, planned.body.absent]).toEqual([[], []])
    const part = await plan(own({ 'templates/hello.docx': template('1: ') }))
    expect(part.body.absent).toEqual(expect.arrayContaining([`models/hello-${names}.yaml`]))
  })

  test('only engineers and administrators plan and apply', async () => {
    const reader = await Author.signIn(app, `reader-${dialect}-${names}`, ['operator'])
    const sent = await reader.form('POST', '/project/plan', {}, zipOf(own(hello)), {}, 'application/zip')
    expect(sent.status).toBe(403)
    expect((await reader.get('/project')).status).toBe(200)
  })

  test('takes the demo as it is', async () => {
    const { contract: schema, transformer: data, template: letter, ingestionModel } = demo
    const planned = await plan({
      [`contracts/${schema.slug}.schema.json`]: schema.schema,
      [`templates/${letter.slug}.docx`]: await letter.bytes(),
      [`transformers/${data.slug}.yaml`]: data.source,
      [`models/${ingestionModel.slug}.yaml`]: ingestionModel.source,
    })
    expect([issues(planned), planned.body.changes.length]).toEqual([[], 4])
  })
})
