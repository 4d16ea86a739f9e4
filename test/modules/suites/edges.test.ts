/** Suites at their edges: what a token doesn't reach, what is expected later, names and formats that no case may have. */
import { expect, spyOn, test } from 'bun:test'
import { instantOf } from '../../../src/core/instant.ts'
import { digestOfState, readStates } from '../../../src/modules/audit/audit.states.reads.ts'
import { casesAsFiles, readCase } from '../../../src/modules/suites/suites.cases.ts'
import { listModelFiles } from '../../../src/modules/suites/suites.reads.ts'
import { EngineThrew, WorkerOverran } from '../../../src/runner/faults.ts'
import { type Author, newKey } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'
import { type Files, filesOf, hello, template, transformer, zipOf } from '../projects/fixture.ts'
import { applyProject, importedCase, type SuiteStore, saveTransformer, suiteStore } from './store.ts'

const ada = (line: string): Files => ({
  'cases/hello/ada.json': '{"name":"Ada"}',
  'cases/hello/ada.expected/letter/output.json': `{\n  "line": "${line}"\n}\n`,
})

describeOnBothDialects('suites at their edges', (dialect) => {
  let tokens = 0
  const store = (files: Files = { ...hello, ...ada('Hello Ada') }) => suiteStore(dialect, files)

  async function tokenFor({ author }: SuiteStore, families: string[]): Promise<Author> {
    const token = { name: `t${++tokens}`, scopes: ['configuration_read', 'configuration_write'], families }
    return author.withToken((await author.post('/tokens', token)).body.secret)
  }

  test('a token of a model alone reads no input that was made for its contract, and the gate names none to it', async () => {
    const it = await store()
    const name = await importedCase(it, '{"name":"Secret Person"}')
    const alone = await tokenFor(it, [it.model])
    const names = async (as: Author) => (await as.get(it.path)).body.cases.map((each: { name: string }) => each.name)
    expect(await names(alone)).toEqual(['ada'])
    expect((await alone.get(it.casePath(name))).status).toBe(404)
    const both = await tokenFor(it, [it.model, it.contract])
    expect(await names(both)).toEqual(['ada', name])
    expect((await both.get(it.casePath(name))).body.input).toBe('{"name":"Secret Person"}')

    await it.author.call('PUT', `${it.path}/policy`, { requires: 'freeze' })
    const revision = await saveTransformer(it, transformer('Good day'))
    const freeze = (as: Author) => as.freeze('transformers', it.transformer, revision)
    const told = await freeze(it.author)
    expect(told.body.errors[0].message).toContain('ada')
    const hidden = await freeze(await tokenFor(it, [it.transformer]))
    expect([hidden.status, hidden.body.code]).toEqual([403, 'forbidden'])
    expect(JSON.stringify(hidden.body)).not.toContain('ada')
    const reached = await freeze(await tokenFor(it, [it.transformer, it.model]))
    expect(reached.body.errors[0].message).toContain('ada')
  })

  test('removing a case removes what will be expected of it, and a case shows only what counts now', async () => {
    const later = 'cases/hello/ada.from-2127-01-01T00-00-00Z.expected/letter/output.json'
    const it = await store({
      ...{ ...hello, ...ada('Hello Ada'), [later]: '{\n  "line": "Good day Ada"\n}\n' },
      'scheduled/s1/transformers/hello.yaml': transformer('Good day'),
      'activations.yaml':
        'activations:\n  - effective_from: 2127-01-01T00:00:00Z\n    files:\n      - scheduled/s1/transformers/hello.yaml\n',
    })
    const { case_hash } = (await it.author.get(it.casePath('ada'))).body
    expect((await it.author.call('DELETE', `${it.casePath('ada')}?case_hash=${case_hash}`)).status).toBe(204)
    const left = Object.keys(filesOf((await it.author.get('/project')).body)).filter((path) =>
      path.startsWith('cases/'),
    )
    expect(left).toEqual([])
  })

  test('no case is called like what is expected of another from an instant on', async () => {
    const name = 'ada.from-2027-01-01T00-00-00Z'
    const it = await store({ ...hello, ...ada('Hello Ada'), [`cases/hello/${name}.json`]: '{"name":"Eve"}' })
    const put = await it.author.call('PUT', it.casePath('bo.from-2027-01-01T00-00-00Z'), { input: '{"name":"Bo"}' })
    expect([put.status, put.body.detail]).toEqual([422, expect.stringContaining('Choose another name')])
    const ran = await it.author.post(`${it.path}/runs`, { cases: [name] })
    const [{ case_hash, made_hash }] = ran.body.cases
    const accepted = await it.author.post(`${it.path}/acceptances`, { cases: [{ name, case_hash, made_hash }] })
    expect(accepted.status).toBe(422)
  })

  test('what the model does not read is refused before it is written, and a repetition has the first answer', async () => {
    const it = await store()
    const refused = await it.author.call('PUT', it.casePath('bo'), { input: 'name\nBo', format: 'csv' })
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('reads no csv')])
    const key = { 'idempotency-key': newKey() }
    const put = () => it.author.call('PUT', it.casePath('bo'), { input: '{"name":"Bo"}', params: '{}' }, key)
    const first = await put()
    expect([first.status, first.body.input, first.body.params]).toEqual([200, '{"name":"Bo"}', '{}'])
    const { case_hash } = first.body
    expect((await it.author.get(it.casePath('bo'))).body).toEqual(first.body)
    await it.author.call('PUT', it.casePath('bo'), { input: '{"name":"Bob"}', case_hash })
    expect((await put()).body).toEqual(first.body)
  })

  test.each([WorkerOverran, EngineThrew])(
    'a case that breaks off by %p is refused, and not remembered',
    async (Broken) => {
      const it = await store()
      await it.author.call('PUT', `${it.path}/policy`, { requires: 'freeze' })
      const revision = await saveTransformer(it, `${transformer('Hello')}\n`)
      const freeze = () => it.author.freeze('transformers', it.transformer, revision)
      const breaking = spyOn(it.app.pool, 'run').mockImplementation(() => Promise.reject(new Broken('broken')))
      try {
        const ran = await it.author.post(`${it.path}/runs`, {})
        expect([ran.status, ran.body.cases?.[0]?.verdict, ran.body.cases?.[0]?.broke_off]).toEqual([200, 'red', true])
        const [{ name, case_hash, made_hash }] = ran.body.cases
        const looked = { cases: [{ name, case_hash, made_hash }] }
        const accepted = await it.author.post(`${it.path}/acceptances`, looked)
        expect([accepted.status, accepted.body.detail]).toEqual([422, expect.stringContaining('broke off')])
        expect((await it.author.get(it.casePath('ada'))).body.expected).toHaveLength(1)
        const refused = await freeze()
        expect([refused.status, refused.body.errors?.[0]?.code]).toEqual([422, 'suite.not_green'])
      } finally {
        breaking.mockRestore()
      }
      expect((await freeze()).status).toBe(201)
    },
  )

  test('what is put in force is judged at later instants, too, which the refusal names', async () => {
    const dated = 'cases/hello/ada.from-2127-01-01T00-00-00Z.expected/letter'
    const it = await store({
      ...{ ...hello, ...ada('Good day Ada'), [`${dated}/output.json`]: '{\n  "line": "Hello Ada"\n}\n' },
      'scheduled/s1/templates/hello.docx': template('2: '),
      'activations.yaml':
        'activations:\n  - effective_from: 2127-01-01T00:00:00Z\n    files:\n      - scheduled/s1/templates/hello.docx\n',
    })
    await it.author.call('PUT', `${it.path}/policy`, { requires: 'in_force' })
    const revision = await saveTransformer(it, transformer('Good day'))
    expect((await it.author.freeze('transformers', it.transformer, revision)).status).toBe(201)
    const publish = (from: string) => it.author.publish('transformers', it.transformer, 2, from)
    const refused = await publish('2126-12-31T00:00:00Z')
    expect([refused.status, refused.body.errors?.[0]?.message]).toEqual([
      422,
      expect.stringContaining('from 2127-01-01T00:00:00'),
    ])
  })

  test('a project with many instants is judged in one go, and one that only renames is not held back', async () => {
    const it = await store()
    await it.author.call('PUT', `${it.path}/policy`, { requires: 'in_force' })
    const files: Files = { ...hello, ...ada('Hello Ada') }
    const rows = Array.from({ length: 18 }, (_, index) => {
      const path = `scheduled/s${index}/templates/hello.docx`
      files[path] = template(`${index}: `)
      return `  - effective_from: 2127-01-${10 + index}T00:00:00Z\n    files:\n      - ${path}\n`
    })
    files['activations.yaml'] = `activations:\n${rows.join('')}`
    const plan = await it.author.form('POST', '/project/plan', {}, zipOf(files), {}, 'application/zip')
    expect([plan.status, plan.body.valid]).toEqual([200, true])
    const red: Files = { ...hello, ...ada('Something else') }
    expect((await applyProject(it.author, red)).status).toBe(200)
    const families = JSON.stringify({ models: { hello: { name: 'Renamed', description: '' } } })
    expect((await applyProject(it.author, { ...red, 'families.json': families })).body).toMatchObject({
      changes: [{ action: 'describe' }],
    })
  })

  test('an input that was made for the contract is no file that could be changed or removed', async () => {
    const it = await store()
    const name = await importedCase(it, '{"name":"Made"}')
    const { case_hash } = (await it.author.get(it.casePath(name))).body
    const put = await it.author.call('PUT', it.casePath(name), { input: '{"name":"Bo"}', case_hash })
    expect([put.status, put.body.detail]).toEqual([409, expect.stringContaining('belongs to the contract')])
    const removed = await it.author.call('DELETE', `${it.casePath(name)}?case_hash=${case_hash}`)
    expect([removed.status, removed.body.detail]).toEqual([409, expect.stringContaining('belongs to the contract')])
  })

  test('the list counts the cases that a suite has, and a case that changed while it was read is reported', async () => {
    const stray: Files = { 'cases/hello/gone.expected/letter/output.json': '{}' }
    const it = await store({ ...hello, ...ada('Hello Ada'), ...stray })
    const [listed] = (await it.author.get('/suites')).body.suites
    expect(listed.cases).toBe((await it.author.get(it.path)).body.cases.length)
    const { read } = it.app.database
    const [found] = casesAsFiles(await listModelFiles(read, 'hello'), it.app.clock.now())
    expect((await readCase(read, 'hello', found!)).raw).toBe('{"name":"Ada"}')
    const stale = { ...found!, input: { ...found!.input, contentHash: '0'.repeat(64) } }
    expect(await rejectionOf(readCase(read, 'hello', stale))).toMatchObject({ code: 'conflict' })
  })

  test('a case that a project brought under a long name is read, run and changed, and no new one gets such a name', async () => {
    const name = 'x'.repeat(150)
    const it = await store({ ...hello, [`cases/hello/${name}.json`]: '{"name":"X"}' })
    expect((await it.author.get(it.path)).body.cases?.[0]?.name).toBe(name)
    const { case_hash } = (await it.author.get(it.casePath(name))).body
    expect((await it.author.post(`${it.path}/runs`, { cases: [name] })).status).toBe(200)
    const changed = await it.author.call('PUT', it.casePath(name), { input: '{"name":"Y"}', case_hash })
    expect(changed.status).toBe(200)
    const added = await it.author.call('PUT', it.casePath('y'.repeat(150)), { input: '{"name":"Y"}' })
    expect([added.status, added.body.detail]).toEqual([422, expect.stringContaining('Choose another name')])
  })

  test('the audit trail covers the policy: without it, or with another end of a lift, the digest is another', async () => {
    const it = await store()
    const { read } = it.app.database
    const { suitePolicies } = read.t
    const digest = async () => digestOfState((await readStates(read, 'ingestion_model', [it.model])).get(it.model)!)
    const without = await digest()
    const lift = { hours: 1, reason: 'The letter has to leave today.' }
    await it.author.call('PUT', `${it.path}/policy`, { requires: 'in_force', lift })
    const covered = await digest()
    await it.app.database.write(async (tx) => {
      await tx.q.update(suitePolicies).set({ liftedUntil: instantOf('2199-01-01T00:00:00Z') })
    })
    expect([covered, without]).not.toContain(await digest())
    await it.app.database.write(async (tx) => {
      await tx.q.delete(suitePolicies)
    })
    expect(await digest()).toBe(without)
    expect(without).not.toBe(covered)
  })
})
