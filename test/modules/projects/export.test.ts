import { expect, test } from 'bun:test'
import { parse } from 'yaml'
import { sha256Hex } from '../../../src/core/hash.ts'
import { addMs, formatInstant } from '../../../src/core/instant.ts'
import { demo } from '../../../src/demo/demo.ts'
import type { Role } from '../../../src/http/access.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { goodPassword, startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { contract, type Files, filesOf, hello, model, template, transformer, zipOf } from './fixture.ts'

/** Families of one model that has its own names for all of them. */
function family(slug: string, title: string): Files {
  const quoted = (text: string) => text.replace(/(transformer|template): hello(?=,)/g, `$1: "${slug}"`)
  const own = (text: string) => quoted(text).replaceAll('hello', slug).replaceAll('Person', title)
  return {
    [`contracts/${slug}.schema.json`]: own(contract()),
    [`templates/${slug}.docx`]: template(`${slug}: `),
    [`transformers/${slug}.yaml`]: own(transformer('Hello')),
    [`models/${slug}.yaml`]: own(model()),
  }
}

/** Cases with names that file systems, archives and JSON each treat in their own way. */
const awkwardCases: Files = {
  'cases/hello/été 2027 (№ 5) – “first”.json': '{"name":"Zoë"}\n',
  "cases/hello/it's & that.json": '{"name":"é"}',
  'cases/hello/10.json': '{"name":"Ten"}',
  'cases/hello/9.json': '{"name":"Nine"}',
  'cases/hello/9.params.json': '{}',
  'cases/hello/9.expected/letter/output.json': '{ "line": "Hello Nine" }\n',
  'cases/hello/9.expected/letter/document.txt': '1: Hello Nine\r\n',
  'cases/hello/empty.json': '{}',
  'cases/hello/empty.expected/letter/refusal.json': '{}',
  'cases/hello/.hidden.json': 'not a case',
}

const names = {
  contracts: { person: { name: 'Person', description: 'Two lines:\n\t"quoted" \\ and ☂' } },
  templates: { hello: { name: '“Hello” — ümläut, 🙂', description: '' } },
  transformers: { hello: { name: 'null', description: '# no comment' } },
  models: { hello: { name: '{"a":1}', description: '- 1' } },
}

const projects: Record<string, Files> = {
  'one model': hello,
  'several models, whose slugs other formats would read as something else': {
    ...family('null', 'Nobody'),
    ...family('1e3', 'A thousand'),
    ...family('a-10', 'Ten'),
    ...family('a-9', 'Nine'),
  },
  'names, descriptions and cases that are awkward to write down': {
    ...hello,
    ...awkwardCases,
    'families.json': JSON.stringify(names),
    'templates/hello.docx.md': 'An old text, which the export writes anew.',
  },
  'a source as JSON': {
    ...hello,
    'transformers/hello.yaml': '',
    'transformers/hello.json': JSON.stringify({
      transform: 'declarative-v1',
      contract: 'Person@1',
      template: 'hello@1',
      output: { line: '/name' },
    }),
  },
}

describeOnBothDialects('the export of a project', (dialect) => {
  let authors = 0
  async function store(roles?: readonly Role[]): Promise<{ app: TestApp; author: Author }> {
    const app = await startTestApp(dialect)
    return { app, author: await Author.signIn(app, `author-${++authors}`, roles) }
  }

  async function apply(author: Author, files: Files | Uint8Array, fields: Record<string, string> = {}) {
    const archive = files instanceof Uint8Array ? files : zipOf(files)
    const planned = await author.form('POST', '/project/plan', fields, archive, {}, 'application/zip')
    expect([planned.body.issues, planned.body.valid]).toEqual([[], true])
    const chosen = { ...fields, plan_hash: planned.body.plan_hash }
    const applied = await author.form('POST', '/project/apply', chosen, archive, {}, 'application/zip')
    expect(applied.status).toBe(200)
    return planned
  }

  const exported = async (author: Author, query = ''): Promise<Uint8Array> => {
    const answer = await author.get(`/project${query}`)
    expect(answer.status).toBe(200)
    return answer.body
  }

  for (const [what, all] of Object.entries(projects)) {
    test(`is the same twice, and the same again from a store that it was imported into: ${what}`, async () => {
      const files = Object.fromEntries(Object.entries(all).filter(([, content]) => content !== ''))
      const { author } = await store()
      await apply(author, files)
      const first = await exported(author)
      expect(await exported(author)).toEqual(first)
      const { author: other } = await store()
      await apply(other, first)
      expect(await exported(other)).toEqual(first)
      const given = filesOf(first)
      for (const [name, content] of Object.entries(files)) {
        if (/README|hidden|families|\.md$/.test(name)) continue
        expect([name, given[name]]).toEqual([name, content])
      }
      const again = await author.form('POST', '/project/plan', {}, first, {}, 'application/zip')
      expect([again.body.changes, again.body.warnings, again.body.absent]).toEqual([[], [], []])
      expect(again.body.case_files).toEqual({ added: 0, changed: 0, removed: 0 })
    })
  }

  test('also has retention.yaml and included templates; applying it leaves the policies alone', async () => {
    const files: Files = {
      ...hello,
      'templates/hello.docx': wordPackage(p('1: {{/line}}') + p('{{> closing}}')),
      'templates/closing.docx': wordPackage(p('{{> signature}}')),
      'templates/signature.docx': wordPackage(p('Yours, {{/line}}')),
      'cases/hello/ann.json': '{"name":"Ann"}',
    }
    const policies = [
      { ingestion_model: 'hello', keep_days: 4_000, parts: { raw_input: 30, steps: 9 } },
      { keep_days: 30 },
    ]
    const { app, author } = await store(['engineer', 'administrator'])
    expect((await apply(author, files)).body).toMatchObject({ cases_run: 1, broken_cases: [] })
    const keep = (by: Author, wanted: unknown) => by.post('/retention', { policies: wanted, expected_number: 0 })
    expect((await keep(author, policies)).status).toBe(200)
    const first = await exported(author)
    app.clock.advance(86_400_000)
    const later = await Author.signIn(app, 'later')
    expect(await exported(later)).toEqual(first)
    const given = filesOf(first)
    for (const slug of ['hello', 'closing', 'signature']) {
      expect([slug, given[`templates/${slug}.docx`]]).toEqual([slug, files[`templates/${slug}.docx`]])
    }
    expect(String(given['templates/closing.docx.md'])).toContain('{{> signature}}')
    const { author: other } = await store(['engineer', 'administrator'])
    await apply(other, first)
    const { 'retention.yaml': kept = '', ...rest } = given
    expect(filesOf(await exported(other))).toEqual(rest)
    const read = parse(String(kept)) as { policies: unknown }
    expect(read.policies).toEqual(policies)
    expect((await keep(other, read.policies)).status).toBe(200)
    expect(await exported(other)).toEqual(first)
  })

  test('has names and descriptions of the families, and the text of templates as their reviewers read it', async () => {
    const { author } = await store()
    const body = `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Hello</w:t></w:r></w:p>${p('1: {{/line}}')}`
    await apply(author, {
      ...hello,
      'templates/hello.docx': wordPackage(body),
      'families.json': JSON.stringify(names),
    })
    const files = filesOf(await exported(author))
    expect(JSON.parse(String(files['families.json']))).toEqual(names)
    expect(String(files['templates/hello.docx.md'])).toMatch(
      /^<!-- What hello\.docx says, .* SHA-256 of the file: [0-9a-f]{64} -->\n\n# Hello\n\n1: \{\{\/line\}\}\n$/,
    )
  })

  test('has the versions in force at the instant asked for: past, present or future', async () => {
    const { app, author } = await store()
    await apply(author, hello)
    const past = formatInstant(app.clock.now())
    app.clock.advance(60_000)
    const other = { ...hello, 'transformers/hello.yaml': transformer('Good day') }
    const later = formatInstant(addMs(app.clock.now(), 3_600_000))
    await apply(author, other, { effective_from: later })
    const [before, now, then] = [
      await exported(author, `?at=${past}`),
      await exported(author),
      await exported(author, `?at=${later}`),
    ]
    expect(before).toEqual(now)
    expect(filesOf(then)['transformers/hello.yaml']).toEqual(transformer('Good day'))
    expect(filesOf(now)['transformers/hello.yaml']).toEqual(transformer('Hello'))
    const early = Object.keys(filesOf(await exported(author, '?at=2000-01-01T00:00:00Z')))
    expect(early).toEqual([
      'activations.yaml',
      'contracts/person.schema.json',
      'families.json',
      `scheduled/${later.replaceAll(':', '-')}/transformers/hello.yaml`,
    ])
  })

  test('does not change by submissions, releases and cancelled activations', async () => {
    const { app, author } = await store()
    await apply(author, hello)
    const first = await exported(author)
    const { scenarios } = demo
    const metadata = { ...scenarios[0]?.metadata, source_timestamp: formatInstant(app.clock.now()) }
    const body = { ingestion_model: 'hello', raw_input: '{"name":"Ada"}', metadata }
    expect((await author.post('/submissions', body)).status).toBe(202)
    const later = formatInstant(addMs(app.clock.now(), 3_600_000))
    await apply(author, { ...hello, 'transformers/hello.yaml': transformer('Bye') }, { effective_from: later })
    const { activations } = (await author.get('/activations?status=scheduled')).body
    const [scheduled] = activations
    expect((await author.post(`/activations/${scheduled.id}/cancel`, { cancellation_code: 'mistake' })).status).toBe(
      200,
    )
    expect(await exported(author)).toEqual(first)
  })

  test('has the cases that were made on the store and satisfy their contract, until the project has them itself', async () => {
    const { author } = await store()
    await apply(author, hello)
    const contracts = (await author.get('/contracts')).body.contracts
    const wanted = { contract_version_id: contracts[0].versions[0].id, seed: 7 }
    for (const kind of ['valid', 'boundary', 'invalid']) {
      expect((await author.post('/cases/generate', { ...wanted, kind })).status).toBe(201)
    }
    const imported = { contract_version_id: wanted.contract_version_id, kind: 'valid', payload: '{"name":"Ada"}' }
    expect((await author.post('/cases/import', imported)).status).toBe(201)
    const first = await exported(author)
    const paths = Object.keys(filesOf(first)).filter((path) => path.startsWith('cases/'))
    expect(paths).toEqual([
      'cases/hello/boundary-7.json',
      'cases/hello/valid-7.json',
      expect.stringMatching(/^cases\/hello\/valid-[0-9a-f]{12}\.json$/),
    ])
    const planned = await author.form('POST', '/project/plan', {}, first, {}, 'application/zip')
    expect([planned.body.changes, planned.body.case_files.added]).toEqual([[], 0])
    const { author: other } = await store()
    await apply(other, first)
    expect(await exported(other)).toEqual(first)
    await apply(author, { ...hello, 'cases/hello/ada.json': '{"name":"Ada"}' })
    const again = Object.keys(filesOf(await exported(author))).filter((path) => path.startsWith('cases/'))
    expect(again).toEqual(['cases/hello/ada.json', 'cases/hello/boundary-7.json', 'cases/hello/valid-7.json'])
  })

  test('never has accounts, passwords, tokens or what was submitted, in the bytes of any file', async () => {
    const { app, author } = await store()
    await apply(author, { ...hello, 'cases/hello/ann.json': '{"name":"Ann"}' })
    const wanted = { name: 'nightly-token-name', scopes: ['configuration_read', 'submission_create'] }
    const { secret, token } = (await author.post('/tokens', wanted)).body
    const raw_input = '{"name":"Submitted Person"}'
    const submitted = await author.post('/submissions', { ingestion_model: 'hello', raw_input })
    expect(submitted.status).toBe(202)
    const { read } = app.database
    const seeded = [
      ...(await read.q.select().from(read.t.users)),
      ...(await read.q.select().from(read.t.sessions)),
      ...(await read.q.select().from(read.t.apiTokens)),
      ...(await read.q.select().from(read.t.submissions)),
      ...(await read.q.select().from(read.t.idempotency)),
    ].flatMap((row) => Object.values(row).filter((value): value is string => typeof value === 'string'))
    const given = [
      secret,
      goodPassword,
      secret.slice(3),
      token.id,
      raw_input,
      'Submitted Person',
      ...Object.values(author.headers),
    ]
    // What a letter may have too is no secret: short words, and the slug that a submission names.
    const secrets = [...new Set([...seeded, ...given])].filter(
      (text) => text.length >= 12 && !text.includes('application/'),
    )
    for (const shape of [/^qr_\w{46}$/, /^\$argon2/, /^[0-9a-f]{64}$/])
      expect(secrets.some((text) => shape.test(text))).toBe(true)
    const archive = await exported(author)
    const files = filesOf(archive)
    expect(Object.keys(files)).toEqual([
      'cases/hello/ann.json',
      'contracts/person.schema.json',
      'families.json',
      'models/hello.yaml',
      'templates/hello.docx',
      'templates/hello.docx.md',
      'transformers/hello.yaml',
    ])
    const parts = Object.values(filesOf(files['templates/hello.docx'] as Uint8Array))
    for (const content of [archive, ...Object.values(files), ...parts]) {
      const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1')
      expect(secrets.filter((each) => text.includes(each))).toEqual([])
    }
  })

  test('is in the audit trail, as applying is, with who did it: a user, or a token of the user', async () => {
    const { app, author } = await store()
    const { user } = (await author.get('/auth/session')).body
    await apply(author, hello)
    const archive = await exported(author)
    const scopes = ['configuration_read', 'configuration_write']
    const { secret, token } = (await author.post('/tokens', { name: 'pipeline', scopes })).body
    const machine = author.withToken(secret)
    await apply(machine, { ...hello, 'transformers/hello.yaml': transformer('Bye') })
    await exported(machine)
    const auditor = await Author.signIn(app, `auditor-${++authors}`, ['auditor'])
    const { audit } = (await auditor.get('/audit?resource_kind=project')).body
    const by = { actor_id: user.id, resource_kind: 'project' }
    expect(audit.reverse()).toMatchObject([
      { ...by, action: 'project.applied', detail: { changes: 4 } },
      { ...by, action: 'project.exported', resource_id: sha256Hex(archive), detail: { bytes: archive.length } },
      { ...by, action: 'project.applied', detail: { changes: 1, token_id: token.id } },
      { ...by, action: 'project.exported', detail: { token_id: token.id } },
    ])
    expect([audit[0].detail.token_id, audit[1].detail.token_id]).toEqual([undefined, undefined])
  })

  test('and planning and applying take a token with their scope, and no other', async () => {
    const { author } = await store()
    const tokenOf = async (scopes: string[], more: object = {}) =>
      author.withToken((await author.post('/tokens', { name: 'one', scopes, ...more })).body.secret)
    const [reader, writer] = [await tokenOf(['configuration_read']), await tokenOf(['configuration_write'])]
    const archive = zipOf(hello)
    const form = (as: Author, path: string, fields = {}) =>
      as.form('POST', `/project/${path}`, fields, archive, {}, 'application/zip')
    const planned = await form(writer, 'plan')
    expect([planned.status, planned.body.valid]).toEqual([200, true])
    const fields = { plan_hash: planned.body.plan_hash }
    for (const as of [reader, await tokenOf(['submission_create', 'submission_read'])]) {
      for (const refused of [await form(as, 'plan'), await form(as, 'apply', fields)]) {
        expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
      }
    }
    expect((await writer.get('/project')).status).toBe(403)
    expect((await form(writer, 'apply', fields)).status).toBe(200)
    expect((await reader.get('/project')).status).toBe(200)
    // A token for some families reaches no operation that is about all of them.
    const [{ id }] = (await author.get('/transformers')).body.transformers
    const narrow = await tokenOf(['configuration_read', 'configuration_write'], { families: [id] })
    for (const refused of [
      await narrow.get('/project'),
      await form(narrow, 'plan'),
      await form(narrow, 'apply', fields),
    ]) {
      expect(refused.status).toBe(403)
    }
  })
})
