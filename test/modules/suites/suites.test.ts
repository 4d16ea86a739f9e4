import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createLog } from '../../../src/core/log.ts'
import { readProject } from '../../../src/project/project.ts'
import { testCases } from '../../../src/project/test-cases.ts'
import { openPool } from '../../../src/runner/pool.ts'
import { Author, newKey, nobody } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { type Files, filesOf, hello, template, transformer, zipOf } from '../projects/fixture.ts'
import { applyProject, type SuiteStore, saveTransformer, suiteStore } from './store.ts'

const letters: Files = {
  ...hello,
  'cases/hello/ada.json': '{"name":"Ada"}',
  'cases/hello/ada.expected/letter/output.json': '{\n  "line": "Hello Ada"\n}\n',
  'cases/hello/ada.expected/letter/document.txt': '1: Hello Ada\n',
  'cases/hello/nameless.json': '{}',
}

const noLog = createLog({ level: 'error', readable: false, write: () => {} })

/** What `quire test` says of the same files: the names of the cases that fail. */
async function failing(files: Files): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-suite-'))
  const pool = openPool({ size: 1, log: noLog })
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    const { outcome } = readProject(folder)
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
    const options = { perform: pool.run.bind(pool), atOnce: 1, tolerance: 0.5 }
    const results = await testCases(outcome.value, outcome.value.cases, options)
    return results.filter(({ failures }) => failures.length > 0).map(({ testCase }) => testCase.name)
  } finally {
    await pool.close()
    rmSync(folder, { recursive: true })
  }
}

describeOnBothDialects('suites', (dialect) => {
  const store = (files: Files = letters) => suiteStore(dialect, files)

  const run = ({ author, model }: SuiteStore, body: object = {}) => author.post(`/suites/${model}/runs`, body)
  const verdicts = (body: { cases: { name: string; verdict: string }[] }) =>
    Object.fromEntries(body.cases.map(({ name, verdict }) => [name, verdict]))

  test('runs the cases that a project brought, and tells apart green, red and what nothing is written down of', async () => {
    const it = await store()
    const suite = await it.author.get(`/suites/${it.model}`)
    expect(suite.body).toMatchObject({
      slug: 'hello',
      requires: 'nothing',
      cases: [
        { name: 'ada', origin: 'suite', format: 'json', expects: ['text', 'output'] },
        { name: 'nameless', expects: [] },
      ],
    })
    const ran = await run(it)
    expect(ran.status).toBe(200)
    expect(verdicts(ran.body)).toEqual({ ada: 'green', nameless: 'red' })
    expect(ran.body.cases[1].failures[0]).toMatchObject({ kind: 'other' })
    expect(ran.body.parts.map(({ kind }: { kind: string }) => kind)).toEqual([
      'contract',
      'transformer',
      'template',
      'ingestion_model',
    ])
  })

  test('runs against drafts as they are saved, while what is in force stays as it is', async () => {
    const it = await store()
    await saveTransformer(it, transformer('Good day'))
    const drafts = await run(it)
    expect(verdicts(drafts.body)).toEqual({ ada: 'red', nameless: 'red' })
    const files = drafts.body.cases[0].failures.map(({ file }: { file: string }) => file)
    expect(files).toEqual([
      'cases/hello/ada.expected/letter/output.json',
      'cases/hello/ada.expected/letter/document.txt',
    ])
    expect(drafts.body.cases[0].failures[1].changes[0].lines).toEqual(['-1: Hello Ada', '+1: Good day Ada'])
    expect(verdicts((await run(it, { state: 'in_force' })).body)).toEqual({ ada: 'green', nameless: 'red' })
  })

  test('a draft with errors runs nothing, and says so with its place', async () => {
    const it = await store()
    await saveTransformer(it, transformer('Good day').replace('/name', '/nam').replace('$text', '$texd'))
    const { body } = await run(it)
    expect(body.cases).toEqual([])
    expect(body.issues[0]).toMatchObject({ path: expect.stringMatching(/^hello#/) })
  })

  test('accepting writes down the files that quire test --update writes, so that both agree on the export', async () => {
    const it = await store()
    await saveTransformer(it, transformer('Good day'))
    const { body } = await run(it, { pages: 'all' })
    const looked = body.cases.map(({ name, case_hash, made_hash }: Record<string, string>) => ({
      name,
      case_hash,
      made_hash,
    }))
    const accepted = await it.author.post(`/suites/${it.model}/acceptances`, { cases: looked, pages: 'all' })
    expect(accepted.body.cases.map(({ name, files }: { name: string; files: number }) => [name, files])).toEqual([
      ['ada', 3],
      ['nameless', 1],
    ])
    expect(verdicts((await run(it)).body)).toEqual({ ada: 'green', nameless: 'green' })
    const archive = (await it.author.get('/project')).body as Uint8Array
    const files = filesOf(archive)
    expect(files['cases/hello/ada.expected/letter/output.json']).toBe('{\n  "line": "Good day Ada"\n}\n')
    expect(files['cases/hello/nameless.expected/letter/refusal.json']).toContain('"step": "validate"')
    expect(String(files['cases/hello/ada.expected/letter/page-1.svg'])).toMatch(/^<svg .*<\/svg>\n$/s)
    // What is in force is not what was accepted: the draft has yet to come.
    expect(await failing(files)).toEqual(['ada'])
    expect(await failing({ ...files, 'transformers/hello.yaml': transformer('Good day') })).toEqual([])
    expect((await it.author.get('/project')).body).toEqual(archive)
    const other = await store(files)
    expect((await other.author.get('/project')).body).toEqual(archive)
  })

  test('what was accepted is what was looked at: another draft, or another case, is a conflict', async () => {
    const it = await store()
    await saveTransformer(it, transformer('Good day'))
    const [ada] = (await run(it, { cases: ['ada'] })).body.cases
    const looked = { name: 'ada', case_hash: ada.case_hash, made_hash: ada.made_hash }
    await saveTransformer(it, transformer('Good evening'))
    const stale = await it.author.post(`/suites/${it.model}/acceptances`, { cases: [looked] })
    expect(stale.status).toBe(409)
    expect(stale.body.detail).toContain('The case ada')
    await saveTransformer(it, transformer('Good day'))
    const put = await it.author.call('PUT', `/suites/${it.model}/cases/ada`, {
      input: '{"name":"Eve"}',
      case_hash: ada.case_hash,
    })
    expect(put.status).toBe(200)
    expect((await it.author.post(`/suites/${it.model}/acceptances`, { cases: [looked] })).status).toBe(409)
  })

  test('cases are added, changed and removed by name, and nobody overwrites what they have not read', async () => {
    const it = await store()
    const path = (name: string) => `/suites/${it.model}/cases/${encodeURIComponent(name)}`
    const added = await it.author.call('PUT', path('été (№ 5)'), { input: '{"name":"Zoë"}', params: '{}' })
    expect(added.body).toMatchObject({ name: 'été (№ 5)', input: '{"name":"Zoë"}', params: '{}', has_params: true })
    const again = await it.author.call('PUT', path('été (№ 5)'), { input: '{}' })
    expect(again.status).toBe(409)
    const twin = await it.author.call('PUT', path('ADA'), { input: '{}' })
    expect(twin.body.detail).toContain('ada')
    for (const name of ['a/b', 'a.params', '.hidden', 'a:b', 'a\\b']) {
      expect([name, (await it.author.call('PUT', path(name), { input: '{}' })).status]).toEqual([name, 422])
    }
    const { case_hash } = added.body
    expect((await it.author.call('DELETE', `${path('été (№ 5)')}?case_hash=${'0'.repeat(64)}`)).status).toBe(409)
    expect((await it.author.call('DELETE', `${path('été (№ 5)')}?case_hash=${case_hash}`)).status).toBe(204)
    expect((await it.author.get(path('été (№ 5)'))).status).toBe(404)
    const audit = await it.author.get('/audit?limit=20')
    const actions = JSON.stringify(audit.body)
    for (const action of ['suite.case_added', 'suite.case_removed']) expect(actions).toContain(action)
  })

  test('a page that looks different is reported with both pictures and the places marked', async () => {
    const it = await store()
    const first = (await run(it, { cases: ['ada'], pages: 'all' })).body.cases[0]
    const { case_hash, made_hash } = first
    await it.author.post(`/suites/${it.model}/acceptances`, {
      cases: [{ name: 'ada', case_hash, made_hash }],
      pages: 'all',
    })
    const draft = await it.author.get(`/templates/${it.template}/draft`)
    const saved = await it.author.put(`/templates/${it.template}/draft`, template('No. 1: '), {
      'if-match': `"${draft.body.revision}"`,
    })
    expect(saved.status).toBe(200)
    const { body } = await run(it, { cases: ['ada'], pictures: true })
    const page = body.cases[0].failures.find(({ kind }: { kind: string }) => kind === 'page')
    expect(page).toMatchObject({ page: 1, before: { number: 1 }, after: { number: 1 } })
    expect(page.after.regions.length).toBeGreaterThan(0)
    expect(page.after.svg).toMatch(/^<svg /)
  })

  test('a suite that has to be green keeps red parts from coming into force, until they are mended or let pass', async () => {
    const it = await store({ ...letters, 'cases/hello/nameless.expected/letter/refusal.json': '{}' })
    const nameless = (await run(it, { cases: ['nameless'] })).body.cases[0]
    const { case_hash, made_hash } = nameless
    await it.author.post(`/suites/${it.model}/acceptances`, { cases: [{ name: 'nameless', case_hash, made_hash }] })
    const policy = await it.author.call('PUT', `/suites/${it.model}/policy`, { requires: 'in_force' })
    expect(policy.body).toMatchObject({ requires: 'in_force', slug: 'hello' })
    await saveTransformer(it, transformer('Good day'))
    const draft = await it.author.get(`/transformers/${it.transformer}/draft`)
    const frozen = await it.author.freeze('transformers', it.transformer, draft.body.revision)
    expect(frozen.status).toBe(201)
    const publish = () =>
      it.author.post(`/transformers/${it.transformer}/versions/2/publish`, {
        effective_from: '2127-01-01T00:00:00Z',
      })
    const refused = await publish()
    expect(refused.status).toBe(422)
    expect(refused.body.errors[0]).toMatchObject({ code: 'suite.not_green', path: 'hello' })
    expect(refused.body.errors[0].message).toContain('1 of 2 cases of hello isn’t as expected: ada.')
    const plan = await it.author.post('/activation-sets/plan', { ingestion_model_id: it.model })
    expect(plan.body.valid).toBe(false)
    expect(plan.body.issues[0].code).toBe('suite.not_green')
    const project = await applyProject(it.author, { ...letters, 'transformers/hello.yaml': transformer('Good day') })
    expect(project.body.issues[0].code).toBe('suite.not_green')
    const right = {
      ...letters,
      'transformers/hello.yaml': transformer('Good day'),
      'cases/hello/ada.expected/letter/output.json': '{\n  "line": "Good day Ada"\n}\n',
      'cases/hello/ada.expected/letter/document.txt': '1: Good day Ada\n',
      'cases/hello/nameless.json': '{"name":"No"}',
    }
    const planned = await it.author.form('POST', '/project/plan', {}, zipOf(right), {}, 'application/zip')
    expect(planned.body.valid).toBe(true)
    const lifted = await it.author.call('PUT', `/suites/${it.model}/policy`, {
      requires: 'in_force',
      lift: { hours: 1, reason: 'The letter has to leave today.' },
    })
    expect(lifted.body.lift_reason).toBe('The letter has to leave today.')
    expect((await publish()).status).toBe(201)
    const actions = JSON.stringify((await it.author.get('/audit?limit=50')).body)
    for (const action of ['suite.policy_set', 'suite.blocked', 'suite.overridden']) expect(actions).toContain(action)
  })

  test('a suite that has to be green before freezing keeps red drafts from it', async () => {
    const it = await store({ ...letters, 'cases/hello/nameless.json': '{"name":"No"}' })
    await it.author.call('PUT', `/suites/${it.model}/policy`, { requires: 'freeze' })
    await saveTransformer(it, transformer('Good day'))
    const draft = await it.author.get(`/transformers/${it.transformer}/draft`)
    const freeze = () => it.author.freeze('transformers', it.transformer, draft.body.revision)
    const refused = await freeze()
    expect([refused.status, refused.body.errors?.[0]?.code]).toEqual([422, 'suite.not_green'])
    const [ada] = (await run(it, { cases: ['ada'] })).body.cases
    const looked = { name: 'ada', case_hash: ada.case_hash, made_hash: ada.made_hash }
    expect((await it.author.post(`/suites/${it.model}/acceptances`, { cases: [looked] })).status).toBe(200)
    expect((await freeze()).status).toBe(201)
  })

  test('only those who may write configuration change a suite, and only administrators its policy', async () => {
    const it = await store()
    const auditor = await Author.signIn(it.app, 'suite-auditor', ['auditor'])
    const engineer = await Author.signIn(it.app, 'suite-engineer', ['engineer'])
    expect((await auditor.get(`/suites/${it.model}`)).status).toBe(200)
    expect((await auditor.post(`/suites/${it.model}/runs`, {})).status).toBe(403)
    expect((await auditor.call('PUT', `/suites/${it.model}/cases/x`, { input: '{}' })).status).toBe(403)
    expect((await engineer.call('PUT', `/suites/${it.model}/policy`, { requires: 'freeze' })).status).toBe(403)
    expect((await engineer.get(`/suites/${nobody}`)).status).toBe(404)
    expect((await engineer.post(`/suites/${it.model}/runs`, { cases: ['none'] })).status).toBe(404)
  })

  test('lists the suites of the models that use a family', async () => {
    const it = await store()
    const slugs = async (query: string) =>
      (await it.author.get(`/suites${query}`)).body.suites.map(({ slug, cases }: { slug: string; cases: number }) => [
        slug,
        cases,
      ])
    expect(await slugs('')).toEqual([['hello', 2]])
    for (const id of [it.transformer, it.template, it.model]) {
      expect(await slugs(`?family_id=${id}`)).toEqual([['hello', 2]])
    }
    expect(await slugs(`?family_id=${nobody}`)).toEqual([])
    const [contract] = (await it.author.get('/contracts')).body.contracts
    expect(await slugs(`?family_id=${contract.id}`)).toEqual([['hello', 2]])
    // By its draft alone, and by what is in force alone.
    const other = await it.author.frozen('transformers', 'other', transformer('Good day'))
    expect(await slugs(`?family_id=${other.id}`)).toEqual([])
    const { body: draft } = await it.author.get(`/ingestion-models/${it.model}/draft`)
    const source = draft.source.replace('transformer: hello', 'transformer: other')
    const saved = await it.author.call(
      ...(['PUT', `/ingestion-models/${it.model}/draft`, { source, format: 'yaml' }] as const),
      { 'if-match': `"${draft.revision}"` },
    )
    expect([saved.status, source !== draft.source]).toEqual([200, true])
    for (const id of [other.id, it.transformer]) expect(await slugs(`?family_id=${id}`)).toEqual([['hello', 2]])
  })

  test('cases made for a contract run with its draft, and with versions that name another one', async () => {
    const it = await store()
    const [{ id }] = (await it.author.get('/contracts')).body.contracts
    const [version] = (await it.author.get(`/contracts/${id}`)).body.versions
    const body = { contract_version_id: version.id, kind: 'valid', payload: '{"name":"Made"}' }
    const made = await it.author.post('/cases/import', body)
    const name = `valid-${made.body.content_hash.slice(0, 12)}`
    for (const parts of [{}, { contract: 'draft' }, { state: 'in_force' }]) {
      const ran = await run(it, { ...parts, cases: [name] })
      expect([ran.status, ran.body.cases?.[0]?.verdict]).toEqual([200, 'unwritten'])
    }
    const archive = filesOf((await it.author.get('/project')).body)
    expect(Object.keys(archive)).toContain(`cases/hello/${name}.json`)
  })

  test('a key repeats no change of a suite', async () => {
    const it = await store()
    const key = { 'idempotency-key': newKey() }
    const put = () => it.author.call('PUT', `/suites/${it.model}/cases/bo`, { input: '{"name":"Bo"}' }, key)
    expect([(await put()).status, (await put()).status]).toEqual([200, 200])
  })
})
