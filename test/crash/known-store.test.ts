import { expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiClient, untilEnded } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { postgresAvailable, startPostgres } from '../support/postgres.ts'
import { startQuire } from '../support/quire.ts'
import { startOutcome } from '../support/start-outcome.ts'

async function servedFolder(): Promise<string> {
  const folder = temporaryFolder()
  expect(await startOutcome(folder)).toBe('serves')
  return folder
}

test('the first start in an empty folder serves within 15 s, and so do all later ones', async () => {
  const folder = temporaryFolder()
  for (let start = 0; start < 3; start++) {
    const startedMs = performance.now()
    expect(await startOutcome(folder)).toBe('serves')
    expect(performance.now() - startedMs).toBeLessThan(15_000)
  }
}, 120_000)

// From here on at the same time: each has its own folder, and most of it is waiting for processes.
const losses: [what: string, lose: (folder: string) => void][] = [
  ['the data directory was deleted', (folder) => rmSync(join(folder, 'quire-data'), { recursive: true })],
  [
    'an empty directory is in its place',
    (folder) => {
      rmSync(join(folder, 'quire-data'), { recursive: true })
      mkdirSync(join(folder, 'quire-data'))
    },
  ],
  ['the database file was deleted', (folder) => rmSync(join(folder, 'quire-data/quire.db'))],
  [
    'the database is an empty file, and only the objects know of it',
    (folder) => {
      rmSync(join(folder, 'quire-data.store'))
      writeFileSync(join(folder, 'quire-data/quire.db'), '')
    },
  ],
]
test.concurrent.each(losses)(
  'a start makes no new store where %s, unless it is told to',
  async (_, lose) => {
    const folder = await servedFolder()
    lose(folder)
    for (const args of [['serve'], ['migrate'], ['user', 'list'], ['demo']]) {
      const { code, stderr } = await runCommand(folder, args)
      expect([args, code]).toEqual([args, 2])
      for (const part of ['QUIRE_DATABASE_URL: there is no store', 'quire restore', 'quire serve --accept-store']) {
        expect(stderr).toContain(part)
      }
    }
    expect(await startOutcome(folder, {}, ['--accept-store'])).toBe('serves')
    expect(await startOutcome(folder)).toBe('serves')
  },
  120_000,
)

test.concurrent('a data directory that was deleted is restored from a backup, and serves under the same id', async () => {
  const folder = await servedFolder()
  const id = await Bun.file(join(folder, 'quire-data.store')).text()
  expect(await runCommand(folder, ['backup', 'copy'])).toMatchObject({ code: 0 })
  rmSync(join(folder, 'quire-data'), { recursive: true })
  expect(await startOutcome(folder)).toContain(id.trim())
  expect(await runCommand(folder, ['restore', 'copy'])).toMatchObject({ code: 0, stderr: '' })
  expect(await startOutcome(folder)).toBe('serves')
  expect(await Bun.file(join(folder, 'quire-data/objects/store')).text()).toBe(id)
}, 120_000)

test.concurrent('a data directory that was copied elsewhere serves there, and one of an older version gets an id', async () => {
  const folder = await servedFolder()
  const copy = temporaryFolder()
  cpSync(join(folder, 'quire-data'), join(copy, 'quire-data'), { recursive: true })
  expect(await startOutcome(copy)).toBe('serves')
  // Older versions left no marks.
  rmSync(join(copy, 'quire-data.store'))
  rmSync(join(copy, 'quire-data/objects/store'))
  expect(await startOutcome(copy)).toBe('serves')
  expect(existsSync(join(copy, 'quire-data.store'))).toBe(true)
}, 120_000)

test.concurrent('a start without the objects that the database names is refused, unless it is told to go on', async () => {
  const folder = temporaryFolder()
  const quire = await startQuire({ folder })
  const client = new ApiClient(quire.origin)
  await client.login(quire.username, quire.password)
  const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0]
  const wanted = { ingestion_model: 'clws-policy', raw_input, metadata }
  const { body } = await client.post('/api/v1/submissions', wanted, { 'idempotency-key': crypto.randomUUID() })
  expect((await untilEnded(client, body.submission.executions[0].id)).status).toBe('completed')
  await quire.stop()
  const objects = join(folder, 'quire-data/objects')
  renameSync(objects, `${objects}.away`)
  expect(await startOutcome(folder)).toContain('QUIRE_OBJECTS_URL')
  mkdirSync(objects)
  expect(await startOutcome(folder)).toContain('is their volume mounted?')
  rmSync(objects, { recursive: true })
  renameSync(`${objects}.away`, objects)
  expect(await startOutcome(folder)).toBe('serves')
  // As an older version left them, or a disk that was too full for the mark.
  rmSync(join(objects, 'store'))
  expect(await startOutcome(folder)).toBe('serves')
  rmSync(objects, { recursive: true })
  expect(await startOutcome(folder, {}, ['--accept-store'])).toBe('serves')
}, 120_000)

test.concurrent('the objects of another store are not taken over', async () => {
  const [one, other] = [await servedFolder(), await servedFolder()]
  rmSync(join(one, 'quire-data/objects'), { recursive: true })
  renameSync(join(other, 'quire-data/objects'), join(one, 'quire-data/objects'))
  expect(await startOutcome(one)).toContain('QUIRE_OBJECTS_URL')
  expect(await startOutcome(one, {}, ['--accept-store'])).toBe('serves')
}, 120_000)

test.concurrent.if(postgresAvailable)(
  'an empty PostgreSQL is not made a store beside one in the data directory, nor in place of the one that was there',
  async () => {
    const folder = await servedFolder()
    const server = await startPostgres()
    const empty = { QUIRE_DATABASE_URL: await server.createDatabase() }
    expect(await startOutcome(folder, empty)).toContain('bring it along with "quire move"')
    const shared = temporaryFolder()
    expect(await startOutcome(shared, empty)).toBe('serves')
    expect(await startOutcome(shared, { QUIRE_DATABASE_URL: await server.createDatabase() })).toContain(
      'there is no store in',
    )
    // A second instance, with a data directory of its own.
    expect(await startOutcome(temporaryFolder(), empty)).toBe('serves')
  },
  120_000,
)
