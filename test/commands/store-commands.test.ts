import { Database as Libsql } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import postgres from 'postgres'
import { canonicalHash } from '../../src/core/canonical.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { ApiClient, untilEnded } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { postgresAvailable, startPostgres } from '../support/postgres.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'

/** A folder with the data of a Quire that made some documents, was backed up while it made more, and ended. */
let folder: string
let quire: RunningQuire

async function submit(client: ApiClient, count: number): Promise<string[]> {
  const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0]
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      client.post(
        '/api/v1/submissions',
        { ingestion_model: 'clws-policy', raw_input, metadata },
        { 'idempotency-key': crypto.randomUUID() },
      ),
    ),
  )
  return answers.map((answer) => answer.body.submission.executions[0].id)
}

/** A copy of the data, for tests that damage or replace it. */
function copyOfData(): string {
  const copy = temporaryFolder()
  cpSync(join(folder, 'quire-data'), join(copy, 'quire-data'), { recursive: true })
  return copy
}

function change(path: string, statement: string): void {
  const database = new Libsql(path)
  database.exec(statement)
  database.close()
}

/** A row for each table that the load left empty: what it says is no matter, but times are read. */
function fillEmptyTables(path: string): void {
  const database = new Libsql(path)
  for (const [table, rows] of Object.entries(countsOf(path))) {
    if (rows > 0) continue
    const columns = database.query(`select name, type from pragma_table_info('${table}')`).all()
    const row = (columns as { name: string; type: string }[]).map(({ name, type }): [string, string | number] => {
      if (name.endsWith('_at')) return [name, '2026-11-20T09:30:00.000000000Z']
      if (type === 'integer') return [name, 1]
      return [name, ['policies', 'transports', 'event_types', 'families'].includes(name) ? '[]' : `of ${table}`]
    })
    const names = row.map(([name]) => name).join(', ')
    database
      .query(`insert into ${table} (${names}) values (${row.map(() => '?').join(', ')})`)
      .run(...row.map(([, value]) => value))
  }
  // A batch without its file names no object.
  database.run("update batches set file_hash = null where file_hash = 'of batches'")
  database.close()
}

function count(path: string, table: string): number {
  const database = new Libsql(path)
  const row = database.query(`select count(*) as n from ${table}`).get() as { n: number }
  database.close()
  return row.n
}

function lastBackupOf(folder: string): unknown {
  const database = new Libsql(join(folder, 'quire-data/quire.db'), { readonly: true })
  const row = database.query("select value from quire_store where name = 'backup'").get()
  database.close()
  return row
}

/** How many rows each table of a file has, but for those of its process. */
function countsOf(path: string): Record<string, number> {
  const database = new Libsql(path)
  const tables = database.query("select name from sqlite_master where type = 'table' and name not like 'sqlite%'").all()
  database.close()
  const names = (tables as { name: string }[]).map(({ name }) => name).sort()
  const ofProcess = new Set(['sessions', 'throttles', 'leases'])
  return Object.fromEntries(names.filter((name) => !ofProcess.has(name)).map((name) => [name, count(path, name)]))
}

function someObject(root: string): string {
  const path = readdirSync(root, { recursive: true }).find((name) => /[0-9a-f]{64}$/.test(String(name)))
  return join(root, String(path))
}

beforeAll(async () => {
  quire = await startQuire()
  folder = quire.folder
  const client = new ApiClient(quire.origin)
  await client.login(quire.username, quire.password)
  await client.post('/api/v1/tokens', { name: 'kept', scopes: ['submission_read'] })
  const project = temporaryFolder()
  await runCommand(project, ['init'])
  const somebody = { QUIRE_SERVER: quire.origin, QUIRE_USERNAME: quire.username, QUIRE_PASSWORD: quire.password }
  expect(await runCommand(project, ['apply', '--broken-cases'], somebody)).toMatchObject({ code: 0, stderr: '' })
  for (const id of await submit(client, 4)) await untilEnded(client, id, 100_000)
  const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0]
  const about = { ...metadata, source_object: 'CLW-ERASED-1' }
  const body = { ingestion_model: 'clws-policy', raw_input, metadata: about }
  const { body: made } = await client.post('/api/v1/submissions', body, { 'idempotency-key': 'erased-later' })
  for (const { id } of made.submission.executions) await untilEnded(client, id, 100_000)
  expect(await runCommand(folder, ['erase', 'CLW-ERASED-1', '--reason', 'asked'], somebody)).toMatchObject({ code: 0 })
  const underway = submit(client, 20)
  expect(await runCommand(folder, ['backup', 'copy'])).toMatchObject({ code: 0, stderr: '' })
  expect(await runCommand(folder, ['backup', 'copy.tar'])).toMatchObject({ code: 0, stderr: '' })
  for (const id of await underway) await untilEnded(client, id, 100_000)
  expect(await quire.stop()).toBe(0)
}, 120_000)

test('commands that only read never mistake a server without an answer for an empty database', async () => {
  const url = 'postgres://nobody@127.0.0.1:1/none'
  const empty = temporaryFolder()
  for (const args of [['verify'], ['sweep'], ['sweep', '--delete'], ['backup', 'copy'], ['migrate', '--check']]) {
    const { code, stdout, stderr } = await runCommand(empty, args, { QUIRE_DATABASE_URL: url })
    expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: '' })
    expect(stderr).toContain('ECONNREFUSED')
  }
})

describe('quire backup and restore', () => {
  test('copy the store under load, and restore it into an empty folder, where it verifies and serves', async () => {
    for (const backup of ['copy', 'copy.tar']) {
      const empty = temporaryFolder()
      expect(await runCommand(folder, ['verify', join(folder, backup)])).toMatchObject({ code: 0 })
      expect(await runCommand(empty, ['restore', join(folder, backup)])).toMatchObject({ code: 0, stderr: '' })
      expect(await runCommand(empty, ['verify'])).toMatchObject({ code: 0, stderr: '' })
      expect(count(join(empty, 'quire-data/quire.db'), 'submissions')).toBeGreaterThanOrEqual(4)
      expect(count(join(empty, 'quire-data/quire.db'), 'sessions')).toBe(0)
      const again = await startQuire({ folder: empty })
      const client = new ApiClient(again.origin)
      expect((await client.login(again.username, again.password)).status).toBe(200)
      for (const { id } of (await client.get('/api/v1/executions')).body.executions) {
        expect((await untilEnded(client, id, 100_000)).status).toBe('completed')
      }
      expect(await again.stop()).toBe(0)
    }
  }, 120_000)

  test('restore every row of every table, from a folder and from an archive', async () => {
    const source = copyOfData()
    fillEmptyTables(join(source, 'quire-data/quire.db'))
    const counts = countsOf(join(source, 'quire-data/quire.db'))
    // A table without rows would not be missed.
    expect(Object.keys(counts).filter((table) => counts[table] === 0)).toEqual([])
    for (const name of ['all', 'all.tar']) {
      expect(await runCommand(source, ['backup', name])).toMatchObject({ code: 0, stderr: '' })
      expect(lastBackupOf(source)).toEqual({ value: expect.stringMatching(/^\d{4}-/) })
      const empty = temporaryFolder()
      expect(await runCommand(empty, ['restore', join(source, name)])).toMatchObject({ code: 0, stderr: '' })
      expect(countsOf(join(empty, 'quire-data/quire.db'))).toEqual(counts)
      // A restored store was last backed up by what it is from.
      expect(lastBackupOf(empty)).toEqual(lastBackupOf(source))
    }
  }, 120_000)

  test('write an archive that tar reads', () => {
    const listed = Bun.spawnSync(['tar', '-tf', join(folder, 'copy.tar')])
    expect(listed.exitCode).toBe(0)
    expect(listed.stdout.toString()).toContain('manifest.json')
  })

  test('refuse a backup with a single changed byte anywhere, and change nothing', async () => {
    const before = copyOfData()
    for (const name of ['tables/users.ndjson', 'tables/artifacts.ndjson', 'manifest.json', 'objects']) {
      const damaged = join(temporaryFolder(), 'copy')
      cpSync(join(folder, 'copy'), damaged, { recursive: true })
      const path = name === 'objects' ? someObject(join(damaged, name)) : join(damaged, name)
      const bytes = readFileSync(path)
      bytes[bytes.length >> 1]! ^= 1
      writeFileSync(path, bytes)
      const refused = await runCommand(before, ['restore', damaged, '--replace'])
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('nothing was changed')
    }
    expect(readdirSync(join(before, 'quire-data')).filter((name) => name.includes('restor'))).toEqual([])
    expect(await runCommand(before, ['verify'])).toMatchObject({ code: 0 })
  }, 120_000)

  test('say what is wrong with a manifest that lost a part, also where its hash is right', async () => {
    for (const part of ['tables', 'objects', 'migrations', 'made_at']) {
      const broken = join(temporaryFolder(), 'copy')
      cpSync(join(folder, 'copy'), broken, { recursive: true })
      const path = join(broken, 'manifest.json')
      const { manifest_hash: _, [part]: _part, ...rest } = JSON.parse(readFileSync(path, 'utf8'))
      for (const manifest_hash of ['0', canonicalHash(rest)]) {
        writeFileSync(path, JSON.stringify({ ...rest, manifest_hash }))
        const { code, stderr } = await runCommand(temporaryFolder(), ['verify', broken])
        expect([part, code, stderr]).toEqual([part, 1, expect.stringContaining(`File field ${part} is missing`)])
        expect(stderr).not.toContain('TypeError')
      }
    }
  }, 120_000)

  test('say that a folder or file is not a backup', async () => {
    const other = temporaryFolder()
    writeFileSync(join(other, 'letter.txt'), 'hello')
    const broken = join(temporaryFolder(), 'copy')
    cpSync(join(folder, 'copy'), broken, { recursive: true })
    writeFileSync(join(broken, 'manifest.json'), '{')
    for (const [path, why] of [
      [other, 'it is no backup, or one that broke off: it has no manifest.json'],
      [broken, "its manifest.json can't be read"],
    ] as const) {
      expect(await runCommand(temporaryFolder(), ['verify', path])).toMatchObject({
        code: 1,
        stderr: `quire: ${path}: ${why}\n`,
      })
    }
  }, 120_000)

  test('name the database file that is in use, and the process that uses it', async () => {
    const running = await startQuire()
    const refused = await runCommand(running.folder, ['restore', join(folder, 'copy')])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/quire\.db is in use by process \d+ \(quire serve\)/)
    expect(await running.stop()).toBe(0)
  }, 120_000)

  test('replace data only with --replace, and keep the old database', async () => {
    const used = copyOfData()
    const path = join(used, 'quire-data/quire.db')
    const submissions = count(path, 'submissions')
    const refused = await runCommand(used, ['restore', join(folder, 'copy')])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('--replace')
    expect(count(path, 'submissions')).toBe(submissions)
    const replaced = await runCommand(used, ['restore', join(folder, 'copy'), '--replace'])
    expect(replaced).toMatchObject({ code: 0, stderr: '' })
    const left = readdirSync(join(used, 'quire-data')).filter((name) => name.includes('restor'))
    expect(left).toHaveLength(1)
    const kept = left[0]!
    expect(count(join(used, 'quire-data', kept), 'submissions')).toBe(submissions)
    expect(await runCommand(used, ['verify'])).toMatchObject({ code: 0, stderr: '' })
  }, 120_000)

  test('open no token and no account again that is closed in what they replace', async () => {
    const used = copyOfData()
    const path = join(used, 'quire-data/quire.db')
    change(path, "update api_tokens set revoked_at = '2026-11-29T01:00:00.000000000Z'; update users set disabled = 1")
    const replaced = await runCommand(used, ['restore', join(folder, 'copy'), '--replace'])
    expect([replaced.code, replaced.stderr]).toEqual([
      0,
      expect.stringMatching(/^quire: no enabled administrator.*\n$/),
    ])
    expect(replaced.stdout).toContain('revoked an API token again\ndisabled an account again\n')
    const database = new Libsql(path)
    expect(database.query('select 1 from api_tokens where revoked_at is null').all()).toEqual([])
    expect(database.query('select 1 from users where disabled = 0').all()).toEqual([])
    database.close()
    expect(await runCommand(used, ['verify'])).toMatchObject({ code: 0, stderr: '' })
  }, 120_000)

  test('make no used recovery code, removed factor or older code good again', async () => {
    const used = copyOfData()
    const path = join(used, 'quire-data/quire.db')
    const database = new Libsql(path)
    const [owner] = (database.query('select id from users order by id').values()[0] ?? []) as [string]
    const alone = '00000000-0000-7000-8000-00000000a10e'
    database.exec('delete from factors; delete from recovery_codes')
    const columns = database
      .query("select group_concat(name) from pragma_table_info('users') where name <> 'id'")
      .values()
    database.run(
      `insert into users (id, ${columns[0]}) select '${alone}', ${String(columns[0]).replace('username', "'alone'")} from users where id = '${owner}'`,
    )
    const factor = (id: string, user: string) =>
      `insert into factors (id, user_id, kind, name, key, counter, failures, created_at) values ('${id}', '${user}', 'app', '${id}', 'k', 7, 0, '2026-11-29T01:00:00.000000000Z');`
    const code = (hash: string) =>
      `insert into recovery_codes (code_hash, user_id, created_at) values ('${hash}', '${owner}', '2026-11-29T01:00:00.000000000Z');`
    database.exec(
      factor('stays', owner) +
        factor('goes', owner) +
        factor('alone', alone) +
        code('fresh') +
        code('used') +
        code('older'),
    )
    database.close()
    expect(await runCommand(used, ['backup', 'with-factors'])).toMatchObject({ code: 0 })
    change(
      path,
      `delete from factors where id in ('goes', 'alone'); update factors set counter = 9 where id = 'stays';
       update recovery_codes set used_at = '2026-11-29T02:00:00.000000000Z' where code_hash = 'used'; delete from recovery_codes where code_hash = 'older'`,
    )
    const { code: exit, stdout } = await runCommand(used, ['restore', 'with-factors', '--replace', '--json'])
    const told = JSON.parse(stdout)
    expect([exit, told.factors_again, told.warnings]).toEqual([0, ['goes'], [expect.stringContaining(alone)]])
    const after = new Libsql(path)
    expect(after.query('select id, counter from factors order by id').values()).toEqual([
      ['alone', 7],
      ['stays', 9],
    ])
    expect(after.query('select code_hash from recovery_codes where used_at is null').values()).toEqual([['fresh']])
    after.close()
  }, 120_000)

  test('send to no receiver that was stopped or changed, and let in no identity that was taken away', async () => {
    const used = copyOfData()
    const path = join(used, 'quire-data/quire.db')
    const database = new Libsql(path)
    const [owner] = (database.query('select id from users order by id').values()[0] ?? []) as [string]
    const columns = database
      .query(
        "select group_concat(name) from pragma_table_info('users') where name not in ('id', 'username', 'oidc_issuer', 'oidc_subject')",
      )
      .values()
    const linked = (id: string) =>
      `insert into users (id, username, oidc_issuer, oidc_subject, ${columns[0]}) select '${id}', '${id}', 'https://id.example.org', '${id}', ${columns[0]} from users where id = '${owner}';`
    const receiver = (id: string, by = owner) =>
      `insert into webhooks (id, name, url, status, secret, failures, created_by, created_at, updated_at) values
        ('${id}', '${id}', 'https://hooks.example.org/${id}', 'active', 's', 0, '${by}', '2026-11-29T01:00:00.000000000Z', '2026-11-29T01:00:00.000000000Z');`
    const receivers = ['filtered', 'moved', 'paused', 'removed', 'renewed', 'same']
    database.exec('delete from webhooks')
    database.exec(['another', 'same', 'unlinked'].map(linked).join('') + receivers.map((id) => receiver(id)).join(''))
    database.exec(receiver('stranger', 'nobody'))
    database.close()
    expect(await runCommand(used, ['backup', 'with-receivers'])).toMatchObject({ code: 0 })
    change(
      path,
      `update users set oidc_issuer = null, oidc_subject = null where id = 'unlinked'; update users set oidc_subject = 'y' where id = 'another';
       update webhooks set event_types = '["quire.execution.failed"]' where id = 'filtered'; update webhooks set url = 'https://x.example.org/' where id = 'moved';
       update webhooks set status = 'disabled' where id = 'paused'; delete from webhooks where id in ('removed', 'stranger');
       update webhooks set secret = 't', previous_secret = 's', previous_until = '2026-11-30T01:00:00.000000000Z' where id = 'renewed';
       update webhooks set secret = 'sealed anew', failures = 2, retry_at = '2026-11-30T01:00:00.000000000Z' where id = 'same';
       alter table webhooks drop column number`,
    )
    const { code, stdout } = await runCommand(used, ['restore', 'with-receivers', '--replace', '--json'])
    const { webhooks_again: webhooks, identities_again: identities } = JSON.parse(stdout)
    expect([code, webhooks, identities]).toEqual([0, receivers.slice(0, -1), ['another', 'unlinked']])
    const after = new Libsql(path)
    expect(after.query("select id from webhooks where status = 'active' order by id").values().flat()).toEqual([
      'same',
      'stranger',
    ])
    expect(
      after.query('select id, oidc_subject from users where oidc_subject is not null order by id').values(),
    ).toEqual([
      ['another', 'y'],
      ['same', 'same'],
    ])
    const records = after
      .query("select count(*) from audit_records where detail like '%replaced database%'")
      .values()
      .flat()
    expect(records).toEqual([7])
    after.close()
  }, 120_000)

  test('say that it is not known what was closed where the replaced database can’t be read', async () => {
    const used = copyOfData()
    writeFileSync(join(used, 'quire-data/quire.db'), 'no database')
    for (const ending of ['-wal', '-shm']) rmSync(join(used, `quire-data/quire.db${ending}`), { force: true })
    const { code, stdout } = await runCommand(used, ['restore', join(folder, 'copy'), '--replace', '--json'])
    expect([code, JSON.parse(stdout).warnings]).toEqual([0, [expect.stringContaining('could not be read')]])
  }, 120_000)

  test('refuse a backup that lacks a whole table', async () => {
    const lacking = join(temporaryFolder(), 'copy')
    cpSync(join(folder, 'copy'), lacking, { recursive: true })
    const path = join(lacking, 'manifest.json')
    const { manifest_hash: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
    manifest.tables = manifest.tables.filter(({ name }: { name: string }) => name !== 'holds')
    writeFileSync(path, JSON.stringify({ ...manifest, manifest_hash: canonicalHash(manifest) }))
    rmSync(join(lacking, 'tables/holds.ndjson'))
    const empty = temporaryFolder()
    const refused = await runCommand(empty, ['restore', lacking])
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('lacks holds, which its migrations make'),
    ])
    expect(existsSync(join(empty, 'quire-data/quire.db'))).toBe(false)
  }, 120_000)

  test('refuse a backup of a newer schema, and a name that is taken', async () => {
    const newer = join(temporaryFolder(), 'copy')
    cpSync(join(folder, 'copy'), newer, { recursive: true })
    const path = join(newer, 'manifest.json')
    const { manifest_hash: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
    manifest.migrations.push('9999_future')
    writeFileSync(path, JSON.stringify({ ...manifest, manifest_hash: canonicalHash(manifest) }))
    const other = join(temporaryFolder(), 'copy')
    cpSync(join(folder, 'copy'), other, { recursive: true })
    const { manifest_hash: __, ...changed } = JSON.parse(readFileSync(join(other, 'manifest.json'), 'utf8'))
    changed.tables.find((table: { name: string }) => table.name === 'users').columns.push('colour')
    writeFileSync(join(other, 'manifest.json'), JSON.stringify({ ...changed, manifest_hash: canonicalHash(changed) }))
    expect(await runCommand(temporaryFolder(), ['restore', other])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "the backup's table users has other columns than its migrations make here (colour)",
      ),
    })
    const empty = temporaryFolder()
    const refused = await runCommand(empty, ['restore', newer])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('9999_future')
    expect(readdirSync(empty)).not.toContain('quire-data')
    expect((await runCommand(folder, ['backup', 'copy'])).stderr).toContain('exists already')
    expect((await runCommand(folder, ['backup'])).code).toBe(2)
    // A name that promises another kind of archive would become a folder of that name.
    for (const name of ['copy.zip', 'copy.tar.gz', 'copy.tgz']) {
      const other = await runCommand(folder, ['backup', name])
      expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('ends in .tar') })
      expect(readdirSync(folder)).not.toContain(name)
    }
  })
})

describe('an encrypted backup', () => {
  test('is made by an option or a setting, and verified and restored by its identity alone', async () => {
    const own = await generateX25519Identity()
    const other = await generateX25519Identity()
    const recipient = await identityToRecipient(own)
    const place = temporaryFolder()
    const [identity, wrong] = [join(place, 'own.txt'), join(place, 'other.txt')]
    writeFileSync(identity, `# ours\n${own}\n`)
    writeFileSync(wrong, other)
    const locked = join(place, 'today.tar.age')
    const made = await runCommand(folder, ['backup', join(place, 'today'), '--recipient', recipient])
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toStartWith(`${locked} (encrypted): `)
    expect(readdirSync(place).sort()).toEqual(['other.txt', 'own.txt', 'today.tar.age'])

    const verified = await runCommand(place, ['verify', locked, '--identity', identity])
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('all as they were written') })
    const blind = await runCommand(place, ['verify', locked, '--json'])
    expect(blind).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${locked}: it is encrypted, and nothing in it tells to whom; add --identity`),
    })
    expect(JSON.parse(blind.stdout).problems).toHaveLength(1)

    const used = copyOfData()
    const before = readdirSync(used, { recursive: true }).sort()
    const changed = join(place, 'changed')
    const bytes = readFileSync(locked)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(changed, bytes)
    for (const [path, file, why] of [
      [locked, wrong, `no identity in ${wrong} opens it`],
      [changed, identity, 'it is encrypted, and was changed or cut off since; take another copy'],
    ] as const) {
      const refused = await runCommand(used, ['restore', path, '--identity', file, '--replace'])
      expect(refused.code).toBe(1)
      const [first, last, ...more] = refused.stderr.trimEnd().split('\n')
      expect([first?.startsWith(`quire: ${path}: ${why}`), last, more]).toEqual([
        true,
        'quire: nothing was changed',
        [],
      ])
      expect(readdirSync(used, { recursive: true }).sort()).toEqual(before)
    }
    const replaced = await runCommand(used, ['restore', locked, '--identity', identity, '--replace'])
    expect(replaced).toMatchObject({ code: 0, stderr: '' })
    expect(await runCommand(used, ['verify'])).toMatchObject({ code: 0, stderr: '' })

    const setting = { QUIRE_BACKUP_RECIPIENT: `${await identityToRecipient(other)}, ${recipient}` }
    const set = await runCommand(used, ['backup', 'set.tar', '--json'], setting)
    expect([set.code, JSON.parse(set.stdout).path]).toEqual([0, 'set.tar.age'])
    expect(await runCommand(used, ['verify', 'set.tar.age', '--identity', wrong])).toMatchObject({ code: 0 })
    const named = await runCommand(used, ['backup', 'other.tar.age'])
    const why = 'other.tar.age: an encrypted backup takes --recipient age1…, or QUIRE_BACKUP_RECIPIENT'
    expect(named).toMatchObject({ code: 2, stderr: expect.stringContaining(why) })
  }, 120_000)
})

describe('quire verify', () => {
  test('finds nothing wrong with an undamaged store', async () => {
    const verified = await runCommand(folder, ['verify'])
    expect(verified).toMatchObject({ code: 0, stderr: '' })
    expect(verified.stdout).toContain('24 submissions, 24 executions')
  })

  test.each([
    ["update versions set source = source || ' '  where source is not null", 'does not have the content of its hash'],
    ["update releases set release_hash = 'x'", 'does not pin what its hash says'],
    ["update submissions set raw_input = raw_input || ' '", 'does not have the input of its hash'],
    ["update executions set output = '{}'", 'does not have the output of its hash'],
    ["delete from artifacts where kind = 'pdf'", 'has lost its artifact'],
    ['update artifacts set byte_size = byte_size + 1', 'recorded another file'],
    ['delete from events where sequence = 3', 'have a gap'],
    ['delete from submissions', 'has lost its submission'],
    ["update audit_records set action = 'other' where position = 2", 'audit trail is broken at position 2'],
  ])('sees %s', async (statement, problem) => {
    const copy = copyOfData()
    change(join(copy, 'quire-data/quire.db'), statement)
    const verified = await runCommand(copy, ['verify'])
    expect(verified.code).toBe(1)
    expect(verified.stderr).toContain(problem)
  })

  test('sees a file of a case that does not have the content of its hash', async () => {
    const copy = copyOfData()
    const insert = (path: string, content: string, hash: string) =>
      `insert into project_files values ('${path}', cast('${content}' as blob), '${hash}', 'nobody', 'c-1', '2026-11-20T09:00:00Z')`
    change(join(copy, 'quire-data/quire.db'), insert('cases/a/whole.json', '{}', sha256Hex('{}')))
    const honest = await runCommand(copy, ['verify'])
    expect({ code: honest.code, stderr: honest.stderr }).toEqual({ code: 0, stderr: '' })
    expect(honest.stdout).toMatch(/ [1-9]\d* case files?,/)
    change(join(copy, 'quire-data/quire.db'), insert('cases/a/other.json', '{"a":1}', sha256Hex('{}')))
    expect(await runCommand(copy, ['verify'])).toMatchObject({
      code: 1,
      stderr: 'quire: the file cases/a/other.json does not have the content of its hash\n',
    })
  })

  test('reports all damage at once, each with its place', async () => {
    const copy = copyOfData()
    const path = join(copy, 'quire-data/quire.db')
    // Each in a row of its own, so that none hides another.
    const nth = (table: string, place: number, where = 'true') =>
      `id = (select id from ${table} where ${where} order by id limit 1 offset ${place})`
    const damages: [statement: string, problem: RegExp][] = [
      [
        `update versions set byte_size = byte_size + 1 where ${nth('versions', 0)}`,
        /version \S+ does not have the content/,
      ],
      [
        `update submissions set params = '{}' where ${nth('submissions', 1)}`,
        /submission \S+ does not have the params/,
      ],
      [
        `update executions set raw_input_hash = 'x' where ${nth('executions', 2)}`,
        /names another input than its submission/,
      ],
      [
        `update executions set release_hash = 'x' where ${nth('executions', 3)}`,
        /names another release than it was made with/,
      ],
      [`update executions set output_hash = 'x' where ${nth('executions', 4)}`, /does not have the output of its hash/],
      [`update executions set release_id = 'x' where ${nth('executions', 5)}`, /execution \S+ has lost its release/],
      [
        `update steps set status = 'failed' where ${nth('steps', 3, "name = 'validate'")}`,
        /step validate of execution \S+ of a completed one has not succeeded/,
      ],
      [
        `update artifacts set content_hash = (select content_hash from artifacts where kind = 'docx' limit 1) where ${nth('artifacts', 2, "kind = 'pdf'")}`,
        /step render of execution \S+ recorded another file/,
      ],
      [`delete from executions where ${nth('executions', 9)}`, /step compose of execution \S+ has lost its execution/],
      [
        'delete from events where sequence = 1 and aggregate_id = (select max(aggregate_id) from events)',
        /events of \S+ have a gap/,
      ],
    ]
    const database = new Libsql(path)
    database.exec('pragma foreign_keys = off')
    for (const [statement] of damages) expect([statement, database.run(statement).changes]).toEqual([statement, 1])
    database.close()
    const verified = await runCommand(copy, ['verify'])
    expect(verified.code).toBe(1)
    for (const [, problem] of damages) expect(verified.stderr).toMatch(problem)
    expect(verified.stdout).toMatch(/: \d+ problems\n$/)
  })

  test('reports a damaged object and a missing one', async () => {
    const copy = copyOfData()
    const object = someObject(join(copy, 'quire-data/objects'))
    writeFileSync(object, 'other bytes')
    const damaged = await runCommand(copy, ['verify'])
    expect(damaged.code).toBe(1)
    expect(damaged.stderr).toContain('does not have the content its name promises')
    Bun.spawnSync(['rm', object])
    expect((await runCommand(copy, ['verify'])).stderr).toContain('is missing')
  })
})

describe('quire sweep', () => {
  test('lists objects that no row has named for a day, removes them only with --delete, and never removes a named one', async () => {
    const copy = copyOfData()
    const root = join(copy, 'quire-data/objects')
    const orphan = new Bun.CryptoHasher('sha256').update('orphan').digest('hex')
    const young = new Bun.CryptoHasher('sha256').update('young').digest('hex')
    const place = (hash: string) => join(root, hash.slice(0, 2), hash.slice(2, 4), hash)
    const longAgo = new Date(Date.now() - 25 * 3_600_000)
    for (const [hash, text] of [
      [orphan, 'orphan'],
      [young, 'young'],
    ] as const) {
      await Bun.write(place(hash), text)
    }
    for (const name of readdirSync(root, { recursive: true }).map(String)) {
      if (/[0-9a-f]{64}$/.test(name) && !name.endsWith(young)) utimesSync(join(root, name), longAgo, longAgo)
    }
    const dry = await runCommand(copy, ['sweep'])
    expect(dry.stdout).toContain(`${orphan} 6\n1 objects that no row names; nothing removed`)
    expect(existsSync(place(orphan))).toBe(true)
    expect((await runCommand(copy, ['sweep', '--delete'])).stdout).toContain('1 removed')
    expect([existsSync(place(orphan)), existsSync(place(young))]).toEqual([false, true])
    expect(await runCommand(copy, ['verify'])).toMatchObject({ code: 0, stderr: '' })
  })
})

describe.if(postgresAvailable)('quire move', () => {
  test('resumes after a kill, refuses to serve until it is done, and moves everything to PostgreSQL', async () => {
    const copy = copyOfData()
    const url = await (await startPostgres()).createDatabase()
    const settings = { QUIRE_DATABASE_URL: url, QUIRE_OBJECTS_URL: `file:${join(copy, 'elsewhere')}` }
    const object = someObject(join(copy, 'quire-data/objects'))
    const bytes = readFileSync(object)
    writeFileSync(object, 'damaged')
    const stopped = await runCommand(copy, ['move'], settings)
    expect(stopped.code).toBe(1)
    const early = await runCommand(copy, ['migrate'], settings)
    expect(early.code).toBe(2)
    expect(early.stderr).toContain('run the same quire move again')
    writeFileSync(object, bytes)
    const moved = await runCommand(copy, ['move'], settings)
    expect(moved).toMatchObject({ code: 0, stderr: '' })
    expect(moved.stdout).toContain('compared')
    const server = postgres(url, { max: 1, onnotice: () => {} })
    for (const [table, rows] of Object.entries(countsOf(join(copy, 'quire-data/quire.db')))) {
      if (table === 'quire_migrations') continue
      const [arrived] = await server.unsafe(`select count(*) as n from ${table}`)
      expect([table, Number(arrived!.n)]).toEqual([table, rows])
    }
    await server.end()
    expect(await runCommand(copy, ['verify'], settings)).toMatchObject({ code: 0, stderr: '' })
    expect(await runCommand(copy, ['move'], settings)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('already'),
    })
    expect((await runCommand(copyOfData(), ['move'], settings)).stderr).toContain('holds data of its own')

    // A backup of PostgreSQL is one of the same kind, encrypted too, and goes back into a file.
    const own = await generateX25519Identity()
    const [locked, identity] = [join(copy, 'server.tar.age'), join(copy, 'own.txt')]
    writeFileSync(identity, own)
    const setting = { QUIRE_BACKUP_RECIPIENT: await identityToRecipient(own) }
    expect(await runCommand(copy, ['backup', 'server.tar'], { ...settings, ...setting })).toMatchObject({ code: 0 })
    const restore = ['restore', locked, '--identity', identity]
    const empty = temporaryFolder()
    expect(await runCommand(empty, restore)).toMatchObject({ code: 0, stderr: '' })
    expect(await runCommand(empty, ['verify'])).toMatchObject({ code: 0, stderr: '' })

    // Into another server's empty database, with all that it holds.
    const place = {
      QUIRE_DATABASE_URL: await (await startPostgres()).createDatabase(),
      QUIRE_OBJECTS_URL: `file:${join(empty, 'elsewhere')}`,
      QUIRE_SIGNING_KEY: readFileSync(join(copy, 'quire-data/signing-key'), 'utf8').trim(),
    }
    expect(await runCommand(empty, restore, place)).toMatchObject({ code: 0, stderr: '' })
    const verified = await runCommand(empty, ['verify'], place)
    expect(verified).toMatchObject({ code: 0, stderr: '' })
    expect(verified.stdout).toBe((await runCommand(copy, ['verify'], settings)).stdout)

    // And over the data of a server, but nothing of one that lacks a byte.
    expect(await runCommand(copy, restore, settings)).toMatchObject({ code: 1 })
    const cut = join(empty, 'cut.tar.age')
    writeFileSync(cut, readFileSync(locked).subarray(0, -1))
    const refused = await runCommand(empty, ['restore', cut, '--identity', identity, '--replace'], place)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('was changed or cut off since')])
    expect((await runCommand(empty, ['verify'], place)).stdout).toBe(verified.stdout)
    expect(await runCommand(copy, [...restore, '--replace'], settings)).toMatchObject({ code: 0 })
    expect(await runCommand(copy, ['verify'], settings)).toMatchObject({ code: 0, stderr: '' })
  }, 120_000)

  test('and restore refuse while an instance serves from the database of a server', async () => {
    const copy = copyOfData()
    const url = await (await startPostgres()).createDatabase()
    const settings = { QUIRE_DATABASE_URL: url, QUIRE_OBJECTS_URL: `file:${join(copy, 'elsewhere')}` }
    expect(await runCommand(copy, ['move'], settings)).toMatchObject({ code: 0 })
    const key = readFileSync(join(copy, 'quire-data/signing-key'), 'utf8').trim()
    const running = await startQuire({ environment: { ...settings, QUIRE_SIGNING_KEY: key } })
    expect(await runCommand(copy, ['backup', 'server.tar'], settings)).toMatchObject({ code: 0 })
    const served = 'is not for a database that is served, and 1 uses this database'
    const restored = await runCommand(copy, ['restore', 'server.tar', '--replace'], settings)
    expect([restored.code, restored.stderr]).toEqual([1, expect.stringContaining(`a restore ${served}`)])
    const back = {
      QUIRE_DATABASE_URL: `file:${join(copy, 'back.db')}`,
      QUIRE_OBJECTS_URL: `file:${join(copy, 'back')}`,
    }
    const from = ['--from-database', url, '--from-objects', settings.QUIRE_OBJECTS_URL]
    const moved = await runCommand(copy, ['move', ...from], back)
    expect([moved.code, moved.stderr]).toEqual([1, expect.stringContaining(`a move ${served}`)])
    expect(await running.stop()).toBe(0)
    expect(await runCommand(copy, ['restore', 'server.tar', '--replace'], settings)).toMatchObject({ code: 0 })
    expect(await runCommand(copy, ['move', ...from], back)).toMatchObject({ code: 0 })
  }, 120_000)

  test('refuses while the old database is in use', async () => {
    const running = await startQuire()
    const url = await (await startPostgres()).createDatabase()
    const refused = await runCommand(running.folder, ['move'], { QUIRE_DATABASE_URL: url })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(`process ${running.pid} (quire serve)`)
    expect(await running.stop()).toBe(0)
  })
})

test('a missing replica is not made by looking for it', async () => {
  const folder = temporaryFolder()
  for (const command of ['verify', 'restore']) {
    const answer = await runCommand(folder, [command, `file:${join(folder, 'nowhere')}`])
    expect([answer.code, answer.stderr]).toEqual([1, expect.stringContaining('holds no replica')])
  }
  expect(existsSync(join(folder, 'nowhere'))).toBe(false)
  expect(existsSync(join(folder, 'quire-data', 'quire.db'))).toBe(false)
})
