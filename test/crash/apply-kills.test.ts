import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import postgres from 'postgres'
import { QuireClient } from '../../src/client/client.ts'
import { type Files, hello, transformer, zipOf } from '../modules/projects/fixture.ts'
import { postgresAvailable, startPostgres } from '../support/postgres.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'

/** The project's letter, and so many transformers that applying takes a while. */
const project: Files = {
  ...hello,
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`transformers/more-${index}.yaml`, transformer(`Hello ${index}`)]),
  ),
}
const form = { file: new Uint8Array(zipOf(project)) }

async function signedIn({ origin, username, password }: RunningQuire): Promise<QuireClient> {
  const client = new QuireClient({ origin, retries: false })
  await client.login({ body: { username, password } })
  return client
}

/**
 * Kills the process in the midst of an apply, and starts it again: then nothing of the project is there, or all of it, and
 * all of it where the apply was answered. Either way it can be applied.
 *
 * @param isBetween whether the apply has begun to write, and has not committed
 * @param letGo called once the process is gone
 * @returns which of the two
 */
async function killInBetween(
  environment: Record<string, string>,
  isBetween: (quire: RunningQuire) => Promise<boolean>,
  letGo: () => Promise<unknown> = async () => {},
): Promise<'nothing' | 'all'> {
  const first = await startQuire({ environment })
  const before = await signedIn(first)
  const { body: planned } = await before.planProject({ form })
  expect(planned.changes.length).toBeGreaterThan(60)
  const hash = planned.plan_hash
  const applying = before.applyProject({ form: { ...form, plan_hash: hash } }).then(
    () => 'answered',
    () => 'lost',
  )
  await until('the apply is between its first change and its commit', () => isBetween(first))
  await first.kill()
  await letGo()
  const again = await startQuire({ environment, folder: first.folder })
  const after = await signedIn(again)
  const { body: replanned } = await after.planProject({ form })
  const isThere = replanned.changes.length === 0
  if ((await applying) === 'answered') expect(isThere).toBe(true)
  if (!isThere) expect(replanned).toMatchObject({ plan_hash: hash, changes: planned.changes })
  await after.applyProject({ form: { ...form, plan_hash: replanned.plan_hash } })
  expect((await after.planProject({ form })).body.changes).toEqual([])
  expect(await again.stop()).toBe(0)
  return isThere ? 'all' : 'nothing'
}

test('a process that is killed while it applies a project has applied all of it or nothing, in the embedded database', async () => {
  // Whether the commit comes before the end is for chance to say here.
  await killInBetween({}, async ({ folder }) => {
    const file = new Database(join(folder, 'quire-data/quire.db'))
    try {
      file.run('pragma busy_timeout = 0')
      file.run('begin immediate')
      file.run('rollback')
      return false
    } catch {
      return true
    } finally {
      file.close()
    }
  })
}, 120_000)

test.if(postgresAvailable)(
  'a process that is killed while it applies a project has applied nothing of it, on PostgreSQL',
  async () => {
    const url = await (await startPostgres()).createDatabase()
    const sql = postgres(url, { max: 2, onnotice: () => {} })
    let isHeld = false
    let letGo = () => {}
    const released = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let held: Promise<unknown> = Promise.resolve()
    const left = await killInBetween(
      { QUIRE_DATABASE_URL: url },
      async () => {
        if (!isHeld) {
          isHeld = true
          // Families and versions of contracts and templates are written before the first activation, which waits here.
          held = sql.begin(async (tx) => {
            await tx`lock table activations in exclusive mode`
            await released
          })
        }
        const rows =
          await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into "activations"%'`
        return rows.length > 0
      },
      async () => {
        letGo()
        await held
      },
    )
    expect(left).toBe('nothing')
    await sql.end()
  },
  120_000,
)
