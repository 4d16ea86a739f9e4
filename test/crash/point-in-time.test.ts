import { expect, test } from 'bun:test'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { type ApiClient, untilEnded } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { launchPostgres, postgresAvailable, restorePostgres, takeBaseBackup } from '../support/postgres.ts'
import { startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { scenarioBody, signIn } from './load.ts'

/** The recipe of docs/operations.md; the archive is in the server's folder, where a real one is on another disk. */
const archiving = [
  ...['-c', 'archive_mode=on'],
  ...[
    '-c',
    'archive_command=mkdir -p ../archive && test ! -f ../archive/%f && cp %p ../archive/%f.part && sync ../archive/%f.part && mv ../archive/%f.part ../archive/%f',
  ],
]

/** Documents whose bytes are others than those of all others. @returns the ids of their executions */
async function make(client: ApiClient, numbers: readonly number[]): Promise<string[]> {
  const body = await scenarioBody(client)
  const posts = numbers.map(async (number) => {
    const input = JSON.parse(String(body.raw_input))
    input.policyholder.address.street = `${number} Botanic Avenue`
    const own = { ...body, raw_input: JSON.stringify(input) }
    const answer = await client.post('/api/v1/submissions', own, { 'idempotency-key': crypto.randomUUID() })
    return answer.body.submission.executions[0].id as string
  })
  const ids = await Promise.all(posts)
  for (const id of ids) await untilEnded(client, id, 60_000)
  return ids
}

test.if(postgresAvailable)(
  'a PostgreSQL that was lost is restored to an instant from its archive, and the objects of later and of no documents are told apart',
  async () => {
    const server = await launchPostgres(archiving)
    const url = await server.createDatabase()
    const objects = join(temporaryFolder(), 'objects')
    const shared = {
      QUIRE_SECRET: 'shared by every instance, 32 and more',
      QUIRE_OBJECTS_URL: `file:${objects}`,
      QUIRE_WORKERS: '1',
    }
    const quire = await startQuire({ environment: { ...shared, QUIRE_DATABASE_URL: url } })
    const client = await signIn(quire)
    const before = await make(client, [1, 2])
    const base = takeBaseBackup(server)
    const since = await make(client, [3, 4])
    const admin = postgres(url, { max: 1, onnotice: () => {} })
    const instant = (await admin`select clock_timestamp()::text as at`)[0]?.at as string
    const later = await make(client, [5])
    const hashes = await admin<
      { hash: string }[]
    >`select content_hash as hash from artifacts where execution_id = ${later[0]!}`
    // What the archive lacks at a crash is lost; here it gets all.
    const [last] = await admin<{ name: string }[]>`select pg_walfile_name(pg_switch_wal()) as name`
    await until('the archive has it', () => existsSync(join(server.folder, 'archive', last!.name)), 60_000)
    await admin.end()
    await quire.kill()
    await server.crash()
    rmSync(join(server.folder, 'data'), { recursive: true })

    const restored = await restorePostgres(base, [
      ...['-c', `restore_command=cp ${join(server.folder, 'archive')}/%f %p`],
      ...['-c', `recovery_target_time=${instant}`, '-c', 'recovery_target_action=promote'],
    ])
    const there = url.replace(/:\d+\//, `:${new URL(restored.adminUrl).port}/`)
    const settings = { ...shared, QUIRE_DATABASE_URL: there }
    // Objects of later documents are in the store, and nothing names them: that is no fault, and the sweep's job in a day.
    const verified = await runCommand(temporaryFolder(), ['verify'], settings)
    expect(verified).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(' 4 executions, ') })
    const pathOf = (hash: string) => join(objects, hash.slice(0, 2), hash.slice(2, 4), hash)
    for (const { hash } of hashes) expect(existsSync(pathOf(hash))).toBe(true)
    const again = await startQuire({ environment: settings })
    const clientAgain = await signIn(again)
    for (const id of [...before, ...since])
      expect((await clientAgain.get(`/api/v1/executions/${id}`)).body.status).toBe('completed')
    expect((await clientAgain.get(`/api/v1/executions/${later[0]}`)).status).toBe(404)
    // The same document is made again, of the same bytes.
    const [same] = await make(clientAgain, [5])
    const { artifacts } = (await clientAgain.get(`/api/v1/executions/${same}`)).body
    expect(artifacts.map((one: { content_hash: string }) => one.content_hash).toSorted()).toEqual(
      hashes.map(({ hash }) => hash).toSorted(),
    )
    expect(await again.stop()).toBe(0)
    // Objects older than the database are missing, and named.
    const missing = hashes[0]!.hash
    renameSync(pathOf(missing), `${pathOf(missing)}.away`)
    const lacking = await runCommand(temporaryFolder(), ['verify'], settings)
    expect(lacking.code).toBe(1)
    expect(lacking.stderr).toContain(missing)
  },
  600_000,
)
