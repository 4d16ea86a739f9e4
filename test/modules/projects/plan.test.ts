import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { planText } from '../../../src/commands/project.ts'
import { addMs, formatInstant } from '../../../src/core/instant.ts'
import { documentMarkdown, reviewTextOf } from '../../../src/engines/ooxml/document-markdown.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { type Answered, Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { stateOf } from '../../support/refused.ts'
import { contract, type Files, hello, model, transformer, zipOf } from './fixture.ts'

const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'

describeOnBothDialects('a plan', (dialect) => {
  let authors = 0
  async function store(): Promise<{ app: TestApp; author: Author }> {
    const app = await startTestApp(dialect)
    return { app, author: await Author.signIn(app, `author-${++authors}`) }
  }
  const plan = (author: Author, files: Files, fields: Record<string, string> = {}): Promise<Answered> =>
    author.form('POST', '/project/plan', fields, zipOf(files), {}, 'application/zip')
  async function apply(author: Author, files: Files, fields: Record<string, string> = {}): Promise<Answered> {
    const { body } = await plan(author, files, fields)
    const chosen = { ...fields, plan_hash: body.plan_hash }
    const applied = await author.form('POST', '/project/apply', chosen, zipOf(files), {}, 'application/zip')
    expect([applied.status, body.issues]).toEqual([200, []])
    return applied
  }

  test('says what a new version of a contract means for those who send input, what breaks them first', async () => {
    const { author } = await store()
    await apply(author, hello)
    const schema = contract({
      required: ['name', 'city'],
      properties: { name: { type: 'string', maxLength: 50 }, city: { type: 'string' } },
    })
    const other = { 'contracts/person.schema.json': schema }
    const [change] = (await plan(author, other)).body.changes
    const told = change.contract_changes.map(({ effect, pointer }: Record<string, string>) => `${effect} ${pointer}`)
    expect(told).toEqual(['breaking /required/1', 'unknown /properties/city', 'compatible /properties/name/maxLength'])
    expect(change.contract_changes[0].message).toContain('city')
    expect(change.pages).toBeUndefined()
  })

  test('says where a version that was frozen under earlier rules writes otherwise than the same source today', async () => {
    const { app, author } = await store()
    const dated = `${transformer('Hello')}  day: { $format: 2026-03-05, date: EEE d., locale: de }\n`
    const files = { ...hello, 'transformers/hello.yaml': dated }
    await apply(author, files)
    expect((await plan(author, files)).body.changes).toEqual([])
    await app.database.write(({ q, t }) =>
      q.update(t.versions).set({ reading: 5 }).where(eq(t.versions.kind, 'transformer')),
    )
    const [change, ...others] = (await plan(author, files)).body.changes
    expect([change.action, change.difference, others]).toEqual(['new_version', '', []])
    expect(change.earlier_reading).toMatchObject([{ code: 'earlier_reading', path: '/output/day' }])
    expect(planText({ ...(await plan(author, files)).body })).toContain(
      '  earlier rules of version 1: /output/day: This version writes “Do 1.” where today’s rules write “Do. 1.”.',
    )
  })

  test('names the pages of a template that look otherwise, and how many there are', async () => {
    const { author } = await store()
    const letter = (...pages: string[]) => wordPackage(pages.map((text) => p(text)).join(pageBreak))
    await apply(author, { ...hello, 'templates/hello.docx': letter('1: {{/line}}', 'two', 'three') })
    const changed = { 'templates/hello.docx': letter('1: {{/line}}', 'two, changed', 'three', 'four') }
    const [change] = (await plan(author, changed)).body.changes
    expect(change.pages).toEqual({ before: 3, after: 4, changed: [2, 4] })
    expect(change.difference).toContain('+two, changed')
    expect(change.contract_changes).toBeUndefined()
  })

  test('names the cases that no longer pass, with node, step and reason, and not those that are to be refused', async () => {
    const { author } = await store()
    const cases: Files = {
      'cases/hello/ann.json': '{"name":"Ann"}',
      'cases/hello/long.json': `{"name":"${'x'.repeat(30)}"}`,
      'cases/hello/none.json': '{}',
      'cases/hello/none.expected/letter/refusal.json': '{}',
    }
    const whole = { ...hello, ...cases }
    const first = (await plan(author, whole)).body
    expect([first.cases_run, first.broken_cases, first.valid]).toEqual([3, [], true])
    await apply(author, whole)
    const stricter = {
      ...whole,
      'contracts/person.schema.json': contract({ properties: { name: { type: 'string', maxLength: 20 } } }),
      'transformers/hello.yaml': transformer('Hello').replace('Person@1', 'Person@2'),
      'models/hello.yaml': model(2),
    }
    const second = (await plan(author, stricter)).body
    expect(second.broken_cases).toEqual([
      {
        path: 'cases/hello/long.json',
        node: 'letter',
        step: 'validate',
        message: expect.stringContaining('/name'),
      },
    ])
    expect([second.valid, second.issues]).toEqual([true, []])
  })

  test('runs cases with what templates include: from the project, else what is in force, else they do not pass', async () => {
    const { author } = await store()
    const letter = (...tags: string[]) => wordPackage(p('1: {{/line}}') + tags.map((tag) => p(tag)).join(''))
    const whole: Files = {
      ...hello,
      'templates/hello.docx': letter('{{> closing}}'),
      'templates/closing.docx': wordPackage(p('Yours, {{/line}}')),
      'cases/hello/ann.json': '{"name":"Ann"}',
    }
    await apply(author, whole)
    const { 'templates/closing.docx': _closing, ...without } = whole
    const inForce = (await plan(author, { ...without, 'cases/hello/ann.json': '{"name":"Anne"}' })).body
    expect([inForce.cases_run, inForce.broken_cases, inForce.issues]).toEqual([1, [], []])
    const { author: other } = await store()
    const refused = async (files: Files) => {
      const { broken_cases: broken, valid } = (await plan(other, { ...whole, ...files })).body
      expect([valid, broken]).toEqual([false, [expect.objectContaining({ node: 'letter', step: 'compose' })]])
      return broken[0].message
    }
    expect(await refused({ 'templates/hello.docx': letter('{{> nowhere}}') })).toContain('nowhere')
    // Its own mistake is told, and not that what it includes is missing.
    const mistaken = letter('{{> closing}}', '{{#if /line}}')
    expect(await refused({ 'templates/hello.docx': mistaken })).not.toContain('no template')
    expect(await refused({ 'templates/closing.docx': letter('{{#if /line}}') })).not.toContain('no template')
  })

  test('runs cases with their params and conditions, down to the children of nodes', async () => {
    const { author } = await store()
    const nodes = `nodes:
  - { key: letter, label: Letter, transformer: hello, template: hello, formats: [docx],
      when: { $is: [/name, "=", Ann] },
      children: [{ key: note, label: Note, transformer: note }] }
`
    const note = `transform: declarative-v1
params: { limit: decimal }
output: { $if: { $is: [$limit, ">", 5] }, then: /line, else: /missing }
`
    const files = {
      ...hello,
      'models/hello.yaml': model().replace(/nodes: .*\n$/, nodes),
      'transformers/note.yaml': note,
    }
    const planned = await plan(author, {
      ...files,
      'cases/hello/ann.json': '{"name":"Ann"}',
      'cases/hello/ann.params.json': '{"limit":3,"other":"not declared"}',
      'cases/hello/bob.json': '{"name":"Bob"}',
    })
    expect(planned.body.issues).toEqual([])
    const told = planned.body.broken_cases.map(({ path, node, step }: Record<string, string>) => [path, node, step])
    expect(told).toEqual([['cases/hello/ann.json', 'letter/note', 'transform.declarative']])
  })

  test('reports what somebody put in force since the project was applied, and not what was never applied', async () => {
    const { author } = await store()
    await apply(author, hello)
    const other = await Author.signIn(author.app, `other-${++authors}`)
    const [{ family_id }] = (await other.get('/activations?kind=transformer')).body.activations
    const source = `${transformer('Mine')}# mine\n`
    await other.call('PUT', `/transformers/${family_id}/draft`, { source, format: 'yaml' }, { 'if-match': '"1"' })
    await other.post(`/transformers/${family_id}/versions`, {}, { 'if-match': '"2"' })
    const effective_from = formatInstant(other.app.clock.now())
    const published = await other.post(`/transformers/${family_id}/versions/2/publish`, { effective_from })
    expect(published.status).toBe(201)
    const planned = await plan(author, hello)
    expect(planned.body.drift).toEqual([
      { path: 'transformers/hello.yaml', version: 2, changed_at: expect.any(String), changed_by: `other-${authors}` },
    ])
    expect(planned.body.changes).toMatchObject([{ action: 'activate', from_version: 2, to_version: 1 }])
    await apply(author, hello)
    expect((await plan(author, { ...hello, 'transformers/hello.yaml': transformer('Bye') })).body.drift).toEqual([])
  })

  test('names activations that come later and take the place of what is applied now', async () => {
    const { app, author } = await store()
    await apply(author, hello)
    const later = formatInstant(addMs(app.clock.now(), 3_600_000))
    await apply(author, { ...hello, 'transformers/hello.yaml': transformer('Later') }, { effective_from: later })
    const now = await plan(author, { 'transformers/hello.yaml': transformer('Now') })
    expect(now.body.later).toEqual([{ path: 'transformers/hello.yaml', version: 2, effective_from: later }])
    const then = await plan(author, { 'templates/hello.docx': hello['templates/hello.docx'] ?? '' })
    expect(then.body.later).toEqual([])
  })

  test('warns of a text beside a template that is not what the template says, and of one without a template', async () => {
    const { author } = await store()
    const bytes = hello['templates/hello.docx'] as Uint8Array
    const right = { ...hello, 'templates/hello.docx.md': reviewTextOf('hello.docx', bytes) }
    expect((await plan(author, right)).body.warnings).toEqual([])
    const text = documentMarkdown(bytes)
    const stale = { ...hello, 'templates/hello.docx.md': text.ok ? text.value : '', 'templates/gone.docx.md': 'x' }
    const { warnings, valid } = (await plan(author, stale)).body
    expect([valid, ...warnings.map(({ path, message }: Record<string, string>) => `${path}: ${message}`)]).toEqual([
      true,
      'templates/hello.docx.md: It is not what templates/hello.docx says. Write it anew: quire check --fix templates/hello.docx',
      'templates/gone.docx.md: It is the text of templates/gone.docx, which is not there. Remove it.',
    ])
  })

  test('gives families the names and descriptions that the project has, and refuses one that is taken', async () => {
    const { author } = await store()
    await apply(author, hello)
    const texts = (name: string, description: string) =>
      JSON.stringify({
        models: { hello: { name, description } },
        transformers: { nobody: { name: 'x', description: '' } },
      })
    const renamed = { ...hello, 'families.json': texts('A greeting', 'To everybody') }
    const planned = await plan(author, renamed)
    expect(planned.body.changes).toMatchObject([
      { path: 'models/hello.yaml', action: 'describe', from_version: 1, to_version: 1, renames: true },
    ])
    await apply(author, renamed)
    const [family] = (await author.get('/ingestion-models')).body.ingestion_models
    expect([family.name, family.description]).toEqual(['A greeting', 'To everybody'])
    expect((await plan(author, renamed)).body.changes).toEqual([])
    expect((await plan(author, hello)).body.changes).toEqual([])
    const second = { 'models/second.yaml': model().replace('Letter', 'Second') }
    const taken = {
      ...second,
      'families.json': JSON.stringify({ models: { second: { name: 'A greeting', description: '' } } }),
    }
    const refused = await plan(author, taken)
    expect(refused.body.issues[0]).toMatchObject({ path: 'models/second.yaml' })
    expect(refused.body.issues[0].message).toContain('"A greeting"')
  })

  test('finds a name by which sources find a contract, when it becomes another one', async () => {
    const { author } = await store()
    await apply(author, hello)
    const texts = JSON.stringify({ contracts: { person: { name: 'Somebody', description: '' } } })
    const planned = await plan(author, { ...hello, 'families.json': texts })
    expect(planned.body.valid).toBe(false)
    expect(planned.body.issues.map(({ path }: { path: string }) => path)).toContain('transformers/hello.yaml#/contract')
  })

  test('refuses invalid names and descriptions, each with its place in the file', async () => {
    const { author } = await store()
    for (const [content, path, words] of [
      ['{"models":', 'families.json#/models', ''],
      ['{"model":{}}', 'families.json#/model', 'is not known here'],
      ['{"models":{"hello":{"name":"","description":""}}}', 'families.json#/models/hello/name', 'must not be empty'],
      ['{"models":{"hello":{"name":"x"}}}', 'families.json#/models/hello/description', 'is missing'],
    ] as const) {
      const refused = await plan(author, { ...hello, 'families.json': content })
      expect([refused.status, refused.body.errors[0].path]).toEqual([422, path])
      expect(refused.body.errors[0].message).toContain(words)
    }
  })

  test('replaces the cases of the models that the project has cases of, and leaves those of other models', async () => {
    const { author } = await store()
    const other = { 'models/other.yaml': model().replace('Letter', 'Other') }
    const cases = (text: string): Files => ({ 'cases/hello/a.json': text, 'cases/hello/b.json': '{"name":"B"}' })
    await apply(author, { ...hello, ...other, ...cases('{"name":"A"}'), 'cases/other/c.json': '{"name":"C"}' })
    const next = { ...hello, 'cases/hello/a.json': '{"name":"Changed"}', 'cases/hello/d.json': '{"name":"D"}' }
    const before = await stateOf(author.app.database)
    const planned = (await plan(author, next)).body
    expect(await stateOf(author.app.database)).toBe(before)
    expect([planned.changes, planned.case_files]).toEqual([[], { added: 1, changed: 1, removed: 1 }])
    const applied = await apply(author, next)
    expect(applied.body.case_files).toEqual(planned.case_files)
    expect((await plan(author, next)).body.case_files).toEqual({ added: 0, changed: 0, removed: 0 })
    const without = (await plan(author, hello)).body
    expect(without.case_files).toEqual({ added: 0, changed: 0, removed: 0 })
    expect(without.plan_hash).not.toBe(planned.plan_hash)
  })

  test('refuses a case whose path or input is too long, naming it', async () => {
    const { author } = await store()
    const long = `cases/hello/${'x'.repeat(500)}.json`
    const large = 'cases/hello/large.json'
    const refused = await plan(author, { ...hello, [long]: '{}', [large]: `"${'x'.repeat(524_288)}"` })
    const told = refused.body.errors.map(
      ({ path, message }: Record<string, string>) => `${path?.slice(0, 22)} ${message}`,
    )
    expect([refused.status, told]).toEqual([
      422,
      [expect.stringContaining('500 characters'), expect.stringContaining('cases/hello/large.json The input has more')],
    ])
  })
})
