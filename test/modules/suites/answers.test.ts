/** What suites answer, refuse and record, word by word; on one database, because nothing of it differs by the other. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { asc, like } from 'drizzle-orm'
import { canonicalHash } from '../../../src/core/canonical.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { formatInstant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { writeCaseFiles } from '../../../src/modules/suites/case-files.service.ts'
import { nobody } from '../../support/author.ts'
import { hello, transformer } from '../projects/fixture.ts'
import { type SuiteStore, saveTransformer, suiteStore } from './store.ts'

let it: SuiteStore
let authorId: string
beforeAll(async () => {
  it = await suiteStore('sqlite', {
    ...{ ...hello, 'cases/hello/ada.json': '{"name":"Ada"}', 'cases/hello/ada.params.json': '{}' },
    'cases/hello/ada.expected/letter/output.json': '{\n  "line": "Hello Ada"\n}\n',
  })
  const { users } = it.app.database.read.t
  const [user] = await it.app.database.read.q.select().from(users)
  authorId = user!.id
})

const put = (name: string, body: object) => it.author.call('PUT', it.casePath(name), body)
const remove = (name: string, hash: string) => it.author.call('DELETE', `${it.casePath(name)}?case_hash=${hash}`)
const detailOf = async (asked: Promise<{ status: number; body: { detail: string } }>) => {
  const { status, body } = await asked
  return [status, body.detail]
}
const lastRecord = async () => {
  const { auditRecords } = it.app.database.read.t
  const rows = await it.app.database.read.q.select().from(auditRecords).orderBy(asc(auditRecords.id))
  const { action, actorId, resourceKind, resourceId, detail } = rows.at(-1)!
  return { action, actorId, resourceKind, resourceId, detail }
}
const recorded = (action: string, detail: object) => ({
  ...{ action, actorId: authorId, resourceKind: 'ingestion_model', resourceId: it.model },
  detail: { slug: 'hello', ...detail },
})

describe('a case', () => {
  test('is read with its texts, its files and who wrote it when, and listed without them', async () => {
    const { body } = await it.author.get(it.casePath('ada'))
    const { written_at: writtenAt, case_hash: caseHash } = body
    // Each file counts with its place: an expectation of another node is another case.
    const files = {
      '.json': '{"name":"Ada"}',
      '.params.json': '{}',
      '.expected/letter/output.json': '{\n  "line": "Hello Ada"\n}\n',
    }
    const hashes = Object.entries(files).map(([end, text]) => [`cases/hello/ada${end}`, sha256Hex(text)])
    expect([typeof writtenAt, caseHash]).toEqual(['string', canonicalHash(['suite', ...hashes])])
    const head = {
      ...{ name: 'ada', origin: 'suite', format: 'json', case_hash: caseHash, has_params: true, expects: ['output'] },
      ...{ written_by: authorId, written_at: writtenAt },
    }
    expect(body).toEqual({
      ...{ ...head, input: '{"name":"Ada"}', params: '{}' },
      expected: [{ file: 'letter/output.json', content_hash: sha256Hex('{\n  "line": "Hello Ada"\n}\n') }],
    })
    expect((await it.author.get(it.path)).body).toEqual({
      ...{ ingestion_model_id: it.model, slug: 'hello', name: 'hello', requires: 'nothing', cases: [head] },
    })
    const [listed] = (await it.author.get('/suites')).body.suites
    expect(listed).toEqual({
      ingestion_model_id: it.model,
      slug: 'hello',
      name: 'hello',
      requires: 'nothing',
      cases: 1,
    })
    expect(await detailOf(it.author.get(it.casePath('bo')))).toEqual([404, 'The ingestion model hello has no case bo.'])
    for (const path of [`/suites/${nobody}`, `/suites/${nobody}/cases/ada`]) {
      expect((await it.author.get(path)).status).toBe(404)
    }
  })

  test('is added, changed and removed with a record each, and nothing of it stays', async () => {
    const added = await put('bo', { input: '{"name":"Bo"}', params: '{}' })
    const at = formatInstant(it.app.clock.now())
    expect(added.body).toMatchObject({ written_by: authorId, written_at: at, expects: [], expected: [], params: '{}' })
    expect(await lastRecord()).toEqual(recorded('suite.case_added', { name: 'bo' }))
    // Without params those that it had go.
    const changed = await put('bo', { input: '{"name":"Bob"}', case_hash: added.body.case_hash })
    expect([changed.status, changed.body.has_params, 'params' in changed.body]).toEqual([200, false, false])
    expect(await lastRecord()).toEqual(recorded('suite.case_changed', { name: 'bo' }))
    expect((await remove('bo', changed.body.case_hash)).status).toBe(204)
    const gone = { name: 'bo', case_hash: changed.body.case_hash }
    expect(await lastRecord()).toEqual(recorded('suite.case_removed', gone))
    const { projectFiles } = it.app.database.read.t
    const left = await it.app.database.read.q.select({ path: projectFiles.path }).from(projectFiles)
    expect(left.filter(({ path }) => path.includes('/bo.'))).toEqual([])
  })

  test('is not added to thousands of others, which one archive would not hold', async () => {
    const { projectFiles } = it.app.database.read.t
    const row = { contentHash: '0'.repeat(64), content: new Uint8Array([123, 125]), writtenBy: authorId }
    const rows = Array.from({ length: limits.suiteCasesKept }, (_, index) => {
      const path = `cases/hello/many/${index}.json`
      return { ...row, path, correlationId: 'many', writtenAt: it.app.clock.now() }
    })
    await it.app.database.write(async ({ q }) => {
      for (let at = 0; at < rows.length; at += 500) await q.insert(projectFiles).values(rows.slice(at, at + 500))
    })
    const [status, detail] = await detailOf(put('bo', { input: '{"name":"Bo"}' }))
    await it.app.database.write(({ q }) =>
      q
        .delete(projectFiles)
        .where(like(projectFiles.path, 'cases/hello/many/%'))
        .then(() => {}),
    )
    expect([status, detail]).toEqual([
      409,
      expect.stringMatching(/^The ingestion model hello has 400\d files of cases, and 4000 are kept at most\. Remove/),
    ])
  })

  test('is refused in words that say what to do, and then nothing changes', async () => {
    const before = await lastRecord()
    const { case_hash: hash } = (await it.author.get(it.casePath('ada'))).body
    const input = '{"name":"X"}'
    const other = '0'.repeat(64)
    expect(await detailOf(put('ada', { input }))).toEqual([
      ...[409, 'There is a case ada already. Name its case_hash to change it, or choose another name.'],
    ])
    expect(await detailOf(put('ada', { input, case_hash: other }))).toEqual([
      ...[409, 'The case ada was changed meanwhile. Read it again.'],
    ])
    expect(await detailOf(put('bo', { input, case_hash: other }))).toEqual([
      ...[409, 'There is no case bo any more. Read the suite again.'],
    ])
    expect(await detailOf(put('Ada', { input }))).toEqual([
      ...[409, 'There is a case called ada, which some systems take for the same. Choose another name.'],
    ])
    expect(await detailOf(put('bo.params', { input }))).toEqual([
      ...[422, 'No case can be called bo.params: its file would be something else. Choose another name.'],
    ])
    const words = `The name of a new case has at most ${limits.suiteNameChars} characters, and no colon or control character. Choose another name.`
    expect(await detailOf(put('x'.repeat(limits.suiteNameChars + 1), { input }))).toEqual([422, words])
    expect(await detailOf(put('a:b', { input }))).toEqual([422, words])
    expect(await detailOf(remove('bo', other))).toEqual([404, 'The ingestion model hello has no case bo.'])
    expect(await detailOf(remove('ada', other))).toEqual([409, 'The case ada was changed meanwhile. Read it again.'])
    expect(await detailOf(put('bo', { input: '<a/>', format: 'xml' }))).toEqual([
      ...[422, 'The ingestion model hello reads no xml, so the case would never run. Send what it reads.'],
    ])
    expect(await lastRecord()).toEqual(before)
    expect((await it.author.get(it.casePath('ada'))).body.case_hash).toBe(hash)
    const longest = 'x'.repeat(limits.suiteNameChars)
    const kept = await put(longest, { input })
    expect(kept.status).toBe(200)
    await remove(longest, kept.body.case_hash)
  })
})

describe('a run', () => {
  const run = (body: object = {}) => it.author.post(`${it.path}/runs`, body)

  test('says of each part which content it used, by the draft, a version, or what is in force', async () => {
    const revision = await saveTransformer(it, transformer('Good day'))
    const part = async (body: object) => {
      const { parts } = (await run(body)).body
      return parts.find(({ kind }: { kind: string }) => kind === 'transformer')
    }
    const about = { kind: 'transformer', family_id: it.transformer, slug: 'hello' }
    const draft = { ...about, content_hash: sha256Hex(transformer('Good day')), draft_revision: revision }
    const frozen = { ...about, content_hash: sha256Hex(transformer('Hello')), version: 1 }
    expect(await part({})).toEqual(draft)
    expect(await part({ state: 'drafts' })).toEqual(draft)
    expect(await part({ state: 'in_force' })).toEqual(frozen)
    expect(await part({ versions: [{ family_id: it.transformer, version: 1 }] })).toEqual(frozen)
    const missing = await run({ versions: [{ family_id: it.transformer, version: 9 }] })
    expect([missing.body.parts, missing.body.cases]).toEqual([[], []])
    expect(missing.body.issues).toMatchObject([
      {
        ...{ code: 'suite.missing', stage: 'suite', resource_kind: 'ingestion_model', resource_id: it.model },
        ...{
          path: 'hello',
          message: 'There is no version 9 of hello. Make it, or name another.',
          correlation_id: missing.body.correlation_id,
        },
      },
    ])
    expect(await detailOf(run({ cases: ['ada', 'gone'] }))).toEqual([
      404,
      'The ingestion model hello has no case gone.',
    ])
  })

  test('is of the first cases of the suite where none are named, and no more than one request takes', async () => {
    const actor = { userId: authorId, correlationId: 'c', at: it.app.clock.now() }
    const names = Array.from({ length: limits.suiteRunCases }, (_, index) => `b${String(index).padStart(2, '0')}`)
    const encoder = new TextEncoder()
    const paths = names.map((name) => `cases/hello/${name}.json`)
    await it.app.database.write((tx) =>
      writeCaseFiles(tx, actor, { written: new Map(paths.map((path) => [path, encoder.encode('{}')])), removed: [] }),
    )
    const { body } = await run({ state: 'in_force' })
    expect(body.cases.map(({ name }: { name: string }) => name)).toEqual(['ada', ...names.slice(0, -1)])
    await it.app.database.write((tx) => writeCaseFiles(tx, actor, { written: new Map(), removed: paths }))
  })
})

describe('what is accepted', () => {
  test('is written down and told with its files, and recorded with the content that made it', async () => {
    await saveTransformer(it, transformer('Good day'))
    const ran = await it.author.post(`${it.path}/runs`, { cases: ['ada'] })
    const [{ case_hash, made_hash }] = ran.body.cases
    const looked = { name: 'ada', case_hash, made_hash }
    const { status, body } = await it.author.post(`${it.path}/acceptances`, { cases: [looked] })
    const after = (await it.author.get(it.casePath('ada'))).body
    expect([status, body.cases]).toEqual([200, [{ name: 'ada', case_hash: after.case_hash, files: 2 }]])
    expect(after.case_hash).not.toBe(case_hash)
    const parts = ran.body.parts.map(({ kind, slug, content_hash }: Record<string, string>) => {
      return { kind, slug, content_hash }
    })
    expect(await lastRecord()).toEqual(
      recorded('suite.accepted', { cases: [{ name: 'ada', case_hash: after.case_hash }], parts }),
    )
    expect(await detailOf(it.author.post(`${it.path}/acceptances`, { cases: [looked] }))).toEqual([
      409,
      'The case ada, or what it makes, is not what was looked at. Run it again, and look at it.',
    ])
    await saveTransformer(it, transformer('Good day').replace('$text', '$texd'))
    const broken = await it.author.post(`${it.path}/acceptances`, { cases: [looked] })
    expect([broken.status, broken.body.detail, broken.body.errors?.[0]?.stage]).toEqual([
      ...[422, 'The cases can’t be run, so nothing can be accepted. See the errors.', 'suite'],
    ])
  })
})

describe('when a suite has to be green', () => {
  const policy = (body: object) => it.author.call('PUT', `${it.path}/policy`, body)

  test('is set, let pass for some hours and taken back, with a record each', async () => {
    const head = { ingestion_model_id: it.model, slug: 'hello', name: 'hello' }
    expect((await policy({ requires: 'freeze' })).body).toEqual({ ...head, requires: 'freeze' })
    expect(await lastRecord()).toEqual(recorded('suite.policy_set', { requires: 'freeze' }))
    const lift = { hours: limits.suiteLiftHours, reason: 'It has to leave today.' }
    const lifted = await policy({ requires: 'in_force', lift })
    const until = formatInstant(it.app.clock.now()).replace('2026-11-20', '2026-11-21')
    const shown = { ...head, requires: 'in_force', lifted_until: until, lift_reason: lift.reason }
    expect(lifted.body).toEqual(shown)
    expect(await lastRecord()).toEqual(
      recorded('suite.policy_set', { requires: 'in_force', lifted_until: until, reason: lift.reason }),
    )
    expect((await it.author.get(it.path)).body).toMatchObject(shown)
    expect((await it.author.get('/suites')).body.suites[0]).toMatchObject(shown)
    expect((await policy({ requires: 'in_force', lift: { ...lift, hours: limits.suiteLiftHours + 1 } })).status).toBe(
      422,
    )
    expect(await detailOf(policy({ requires: 'nothing', lift }))).toEqual([
      ...[422, 'Body field lift has no use where nothing is required. Leave it out.'],
    ])
    // Set again without one, it is let pass no more.
    expect((await policy({ requires: 'in_force' })).body).toEqual({ ...head, requires: 'in_force' })
    expect((await policy({ requires: 'nothing' })).body).toEqual({ ...head, requires: 'nothing' })
    expect(await lastRecord()).toEqual(recorded('suite.policy_set', { requires: 'nothing' }))
    const { suitePolicies } = it.app.database.read.t
    expect(await it.app.database.read.q.select().from(suitePolicies)).toEqual([])
    expect((await it.author.call('PUT', `/suites/${nobody}/policy`, { requires: 'freeze' })).status).toBe(404)
  })
})
