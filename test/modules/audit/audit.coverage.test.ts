import { Database as Libsql } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { runVerify } from '../../../src/commands/verify.ts'
import { loadConfig } from '../../../src/config.ts'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { type Canonical, canonicalHash } from '../../../src/core/canonical.ts'
import { createLog } from '../../../src/core/log.ts'
import { signingKeyOf } from '../../../src/core/signing-key.ts'
import { contentHashOf } from '../../../src/db/audit-log.ts'
import { signHead } from '../../../src/modules/audit/audit.heads.ts'
import { linkOf } from '../../../src/modules/audit/audit.service.ts'
import type { AuditHeadRow } from '../../../src/modules/audit/audit.store.ts'
import { ApiClient, untilEnded } from '../../support/client.ts'
import { runCommand } from '../../support/command.ts'
import { temporaryFolder } from '../../support/database.ts'
import { postgresAvailable, startPostgres } from '../../support/postgres.ts'
import { startQuire } from '../../support/quire.ts'
import { tamperings } from './tampering.ts'

/** A folder with the data of a Quire that did a bit of everything, and ended. */
let folder: string

async function submit(client: ApiClient, change: (input: string) => string = (input) => input): Promise<string> {
  const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0]
  const body = { ingestion_model: 'clws-policy', raw_input: change(raw_input), metadata }
  const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
  return answer.body.submission.executions[0].id
}

beforeAll(async () => {
  const quire = await startQuire()
  folder = quire.folder
  const client = new ApiClient(quire.origin)
  await client.login(quire.username, quire.password)
  const clerk = {
    username: 'clerk',
    display_name: 'A clerk',
    roles: ['operator'],
    password: 'a phrase that nobody guesses',
  }
  const { body: made } = await client.post('/api/v1/admin/users', clerk)
  await client.send('PATCH', `/api/v1/admin/users/${made.user.id}`, { roles: ['auditor', 'operator'] })
  const token = { name: 'nightly', scopes: ['submission_read'] }
  for (const name of ['revoked', 'kept']) {
    const { body } = await client.post('/api/v1/tokens', { ...token, name })
    if (name === 'revoked') await client.post(`/api/v1/tokens/${body.token.id}/revoke`, {})
  }
  const executions = [await submit(client), await submit(client), await submit(client, () => '{}')]
  for (const id of executions) await untilEnded(client, id)
  expect(await quire.stop()).toBe(0)
}, 60_000)

function copyOfData(): string {
  const copy = temporaryFolder()
  cpSync(join(folder, 'quire-data'), join(copy, 'quire-data'), { recursive: true })
  return copy
}

/** What the command says in this process, which takes a tenth of what starting the program for it takes. */
async function verified(where: string, environment: Record<string, string> = {}) {
  const said = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    spyOn(process[stream], 'write').mockImplementation((text) => {
      said[stream] += text
      return true
    }),
  )
  const config = loadConfig(environment, where)
  const log = createLog({ level: 'error', readable: false, write: () => {} })
  try {
    const code = await runVerify([], { readConfig: () => config, prepare: () => config, logFor: () => log })
    return { code, ...said }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

function tampered(statement: string): string {
  const copy = copyOfData()
  const database = new Libsql(join(copy, 'quire-data/quire.db'))
  database.exec(statement)
  database.close()
  return copy
}

describe('quire verify', () => {
  test('finds nothing wrong with an honest store, and says that everything is covered', async () => {
    const copy = copyOfData()
    const { code, stdout, stderr } = await runCommand(copy, ['verify'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('all as they should be')
    expect(stdout).not.toMatch(/not covered|has been signed with the key/)
    expect(await verified(copy)).toEqual({ code: 0, stdout, stderr: '' })
  })

  test('ends with exit code 1 and one line for each thing that is wrong', async () => {
    const { code, stderr } = await runCommand(tampered('delete from audit_records'), ['verify'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^(quire: .+\n)+$/)
  })

  test.each(tamperings.map((one) => [one.what, one] as const))(
    'names %s',
    async (_what, { statement, named, alsoNamed = [] }) => {
      const { code, stdout, stderr } = await verified(tampered(statement))
      for (const words of [named, ...alsoNamed]) expect(stdout + stderr).toContain(words)
      if (!named.startsWith('not covered')) expect(code).toBe(1)
    },
  )
})

/** Goes on with the trail under a key of one's own, as whoever can write into the database can do without the store's. */
function introduceKey(path: string, position: (last: number) => number, record = 'forged') {
  const key = signingKeyOf('9'.repeat(64))
  const database = new Libsql(path)
  const last = database.query('select * from audit_heads order by position desc limit 1').get() as AuditHeadRow
  const content = {
    ...{ id: record, actorId: SYSTEM_ACTOR_ID, action: 'signing_key.introduced', resourceKind: 'signing_key' },
    ...{ resourceId: key.id, correlationId: 'c', at: last.at, detail: { public_key: key.publicKey } },
  }
  const [place, contentHash] = [position(last.position), contentHashOf(content)]
  const hash = linkOf({ contentHash, digest: null }, place, last.hash)
  const head = signHead({ store: last.store, position: last.position + 1, hash, at: last.at }, key)
  const write = (table: string, row: Record<string, string | number>) =>
    database
      .query(`insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row).map(() => '?')})`)
      .run(...Object.values(row))
  write('audit_records', {
    ...{ id: content.id, actor_id: content.actorId, action: content.action, resource_kind: content.resourceKind },
    ...{ resource_id: key.id, correlation_id: 'c', at: last.at, detail: JSON.stringify(content.detail) },
    ...{ position: place, previous_hash: last.hash, hash, content_hash: contentHash },
  })
  const { store, hash: headHash, at, publicKey: public_key, signature } = head
  write('audit_heads', { position: head.position, store, hash: headHash, at, public_key, signature })
  database.close()
  return { id: key.id, place }
}

describe('a key that somebody else introduces', () => {
  test('is reported where the chain has it, since only people know whose it was', async () => {
    const copy = copyOfData()
    const path = join(copy, 'quire-data/quire.db')
    const { id, place } = introduceKey(path, (last) => last + 1)
    // Once more, later: it has signed since the first.
    introduceKey(path, (last) => last + 1, 'forged-again')
    const { code, stdout, stderr } = await verified(copy)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`signed with the key ${id}, too, since its position ${place} `)
  })

  test('signs nothing where no chain leads by it', async () => {
    const copy = copyOfData()
    const { id } = introduceKey(join(copy, 'quire-data/quire.db'), () => 0)
    const { code, stderr } = await verified(copy)
    expect(code).toBe(1)
    expect(stderr).toContain(`is signed with ${id}, which is not a key of this store`)
  })
})

/** @throws unless each is answered with success */
async function changeAll(client: ApiClient, password: string): Promise<void> {
  const send = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await client.send(method, `/api/v1${path}`, body, {
      'idempotency-key': crypto.randomUUID(),
      ...headers,
    })
    if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const { users } = (await client.get('/api/v1/admin/users')).body
  const clerk = users.find(({ username }: { username: string }) => username === 'clerk')
  await send('PATCH', `/admin/users/${clerk.id}`, { disabled: true })
  await send('PATCH', `/admin/users/${clerk.id}`, { disabled: false, display_name: 'Another name' })
  await send('POST', `/admin/users/${clerk.id}/reset-password`, { password: 'one more phrase to be changed' })
  expect((await client.post('/api/v1/auth/login', { username: 'clerk', password: 'wrong' })).status).toBe(401)
  const { executions } = (await client.get('/api/v1/executions?status=failed')).body
  await send('POST', `/executions/${executions[0].id}/retry`, {})
  await untilEnded(client, executions[0].id)
  await send('POST', '/auth/password', { current_password: password, new_password: 'a phrase that follows another' })
}

/** What `quire verify` says of a store that nobody has tampered with, whatever has happened to it. */
async function expectHonest(where: string, environment: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await runCommand(where, ['verify'], environment)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

describe('quire verify raises no false alarm', () => {
  test('after kill -9 under load, neither before the next start nor after it', async () => {
    const quire = await startQuire({ folder: copyOfData() })
    const client = new ApiClient(quire.origin)
    await client.login(quire.username, quire.password)
    await Promise.all(Array.from({ length: 6 }, () => submit(client)))
    await quire.kill()
    expect(await expectHonest(quire.folder)).not.toContain(' 0 unsealed audit records')
    const again = await startQuire({ folder: quire.folder })
    const other = new ApiClient(again.origin)
    await other.login(again.username, again.password)
    for (const { id } of (await other.get('/api/v1/executions')).body.executions) await untilEnded(other, id)
    await expectHonest(again.folder)
    expect(await again.stop()).toBe(0)
    expect(await expectHonest(again.folder)).toContain(' 0 unsealed audit records')
  }, 60_000)

  test('after changes of users, passwords, drafts and executions that were retried', async () => {
    const quire = await startQuire({ folder: copyOfData() })
    const client = new ApiClient(quire.origin)
    await client.login(quire.username, quire.password)
    await changeAll(client, quire.password)
    expect(await quire.stop()).toBe(0)
    expect(await runCommand(quire.folder, ['user', 'reset-password', 'clerk'])).toMatchObject({ code: 0 })
    await expectHonest(quire.folder)
  }, 60_000)

  test('after a backup and a restore in another place, with another key, and after serving there', async () => {
    const source = copyOfData()
    expect(await runCommand(source, ['backup', 'copy.tar'])).toMatchObject({ code: 0 })
    const empty = temporaryFolder()
    expect(await runCommand(empty, ['restore', join(source, 'copy.tar')])).toMatchObject({ code: 0 })
    await expectHonest(empty)
    const quire = await startQuire({ folder: empty })
    const client = new ApiClient(quire.origin)
    await client.login(quire.username, quire.password)
    await untilEnded(client, await submit(client))
    await quire.kill()
    await expectHonest(empty)
  }, 60_000)

  test('after a change of the signing key, even with records that were left unsealed under the old one', async () => {
    const quire = await startQuire({ folder: copyOfData() })
    const client = new ApiClient(quire.origin)
    await client.login(quire.username, quire.password)
    await submit(client)
    await quire.kill()
    rmSync(join(quire.folder, 'quire-data/signing-key'))
    const environment = { QUIRE_SIGNING_KEY: '5'.repeat(64) }
    expect(await expectHonest(quire.folder, environment)).toContain('not checked, because their key is not here')
    const again = await startQuire({ folder: quire.folder, environment })
    expect(await again.stop()).toBe(0)
    const told = await expectHonest(quire.folder, environment)
    expect([told.includes(' 0 unsealed audit records'), told.includes('has been signed with the key')]).toEqual([
      true,
      true,
    ])
    expect(await again.log()).not.toContain('an audit record is not sealed')
  }, 60_000)

  test('after a sweep', async () => {
    const copy = copyOfData()
    expect(await runCommand(copy, ['sweep', '--delete'])).toMatchObject({ code: 0 })
    await expectHonest(copy)
  })

  test('of rows that an earlier version wrote, which it counts as not covered', async () => {
    const copy = copyOfData()
    asOfEarlierVersion(join(copy, 'quire-data/quire.db'))
    expect(await expectHonest(copy)).toContain(
      'no version from 0.34 on has served this store: 3 submissions, 3 executions',
    )
    const quire = await startQuire({ folder: copy })
    const client = new ApiClient(quire.origin)
    await client.login(quire.username, quire.password)
    await untilEnded(client, await submit(client))
    expect(await quire.stop()).toBe(0)
    expect(await expectHonest(copy)).toMatch(
      /not covered by the audit trail, because written before \S+: 3 submissions, 3 exec/,
    )
  }, 60_000)
})

test('a sealed record is never made of a row that Quire did not write, and the log says so', async () => {
  const copy = copyOfData()
  const database = new Libsql(join(copy, 'quire-data/quire.db'))
  database.exec(`insert into audit_records (id, actor_id, action, resource_kind, correlation_id, at, detail)
    values ('forged', 'x', 'session.opened', 'session', 'c', '2026-11-20T09:30:00.000000000Z', '{}')`)
  database.close()
  const quire = await startQuire({ folder: copy })
  expect(await quire.stop()).toBe(0)
  expect(await quire.log()).toContain('an audit record is not sealed: Quire did not write it')
  const { code, stderr } = await runCommand(copy, ['verify'])
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('unsealed audit record forged') })
})

describe.if(postgresAvailable)('quire verify on PostgreSQL', () => {
  let url: string
  let admin: postgres.Sql

  beforeAll(async () => {
    url = await (await startPostgres()).createDatabase()
    expect(await runCommand(copyOfData(), ['move'], { QUIRE_DATABASE_URL: url })).toMatchObject({ code: 0, stderr: '' })
    admin = postgres(url.replace(/[^/]*$/, 'postgres'), { max: 1, onnotice: () => {} })
  }, 60_000)
  afterAll(() => admin.end())

  test('raises no false alarm after a move', async () => {
    expect(await expectHonest(copyOfData(), { QUIRE_DATABASE_URL: url })).not.toContain('not covered')
  })

  const onBoth = tamperings.filter(({ isOnBoth }) => isOnBoth)
  test.each(onBoth.map((one) => [one.what, one] as const))('names %s', async (_what, { statement, named }) => {
    const name = `tampered_${crypto.randomUUID().replaceAll('-', '')}`
    await admin.unsafe(`create database ${name} template ${url.split('/').at(-1)}`)
    const changed = url.replace(/[^/]*$/, name)
    const database = postgres(changed, { max: 1, onnotice: () => {} })
    await database.unsafe(statement)
    await database.end()
    const { code, stderr } = await verified(copyOfData(), { QUIRE_DATABASE_URL: changed })
    expect(stderr).toContain(named)
    expect(code).toBe(1)
  })
})

/** The store as if a version before 0.34 had written all of it. */
function asOfEarlierVersion(path: string): void {
  const database = new Libsql(path)
  database.exec(`delete from audit_heads; update idempotency set attestation = null;
    delete from audit_records where action in ('execution.completed', 'execution.failed') or actor_id = '${SYSTEM_ACTOR_ID}';
    update audit_records set content_hash = null, digest = null, attestation = null`)
  const rows = database.query('select * from audit_records order by position').all() as Record<string, string>[]
  let previous = '0'.repeat(64)
  for (const [index, row] of rows.entries()) {
    const { id, actor_id, action, resource_kind, resource_id, correlation_id, at } = row
    const detail = JSON.parse(String(row.detail))
    const content = { id, actor_id, action, resource_kind, resource_id, correlation_id, at, detail }
    const hash = canonicalHash({ position: index + 1, previous_hash: previous, ...content } as Canonical)
    database
      .query('update audit_records set position = ?, previous_hash = ?, hash = ? where id = ?')
      .run(index + 1, previous, hash, String(id))
    previous = hash
  }
  database.close()
}
