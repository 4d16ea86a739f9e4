import { expect } from 'bun:test'
import postgres from 'postgres'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'

/** What instances that share a PostgreSQL run with. */
export type Settings = Record<string, string>

/** Every count that must hold once all has ended, by SQL of its own. */
export async function expectExactlyOnce(url: string, executions: number, settings: Settings): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const one = async (statement: string) => Number((await sql.unsafe(statement))[0]?.n)
  expect(await one('select count(*) as n from submissions')).toBe(executions)
  expect(await one("select count(*) as n from executions where status = 'completed'")).toBe(executions)
  expect(await one('select count(*) as n from artifacts')).toBe(2 * executions)
  expect(await one('select count(distinct content_hash) as n from artifacts')).toBe(2)
  expect(await one("select count(*) as n from events where type = 'step.succeeded'")).toBe(4 * executions)
  expect(await one("select count(*) as n from events where type = 'completed'")).toBe(executions)
  expect(await one('select count(*) as n from steps where attempt > 5 or lease_owner is not null')).toBe(0)
  await sql.end()
  const folder = temporaryFolder()
  expect(await runCommand(folder, ['verify'], settings)).toMatchObject({ code: 0, stderr: '' })
}

/** However slow the machine is, something must go on: fails when nothing has for that long. */
const STALLED_MS = 90_000

export async function untilAllEnded(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  let moved = ''
  let movedAt = performance.now()
  for (;;) {
    const rows = await sql`select status, count(*) as n, sum(state_version) as moves from steps group by 1 order by 1`
    const [open] = await sql`select count(*) as n from executions where status not in ('completed', 'failed')`
    if (Number(open?.n) === 0) break
    const now = JSON.stringify(rows)
    if (now !== moved) movedAt = performance.now()
    moved = now
    if (performance.now() - movedAt > STALLED_MS) throw new Error(`nothing has moved for ${STALLED_MS} ms: ${moved}`)
    await Bun.sleep(250)
  }
  await sql.end()
}
