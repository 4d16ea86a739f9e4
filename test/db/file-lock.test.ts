import { describe, expect, test } from 'bun:test'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../src/db/connect.ts'
import { DatabaseInUse } from '../../src/db/file-lock.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { temporaryFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dir, '../..')

/** A process that opens the database, says so, and stays until it is killed; by itself it ends after a minute. */
function holdElsewhere(path: string) {
  const code = `process.argv.splice(1, 0, 'quire'); const { openDatabase } = await import(${JSON.stringify(join(root, 'src/db/connect.ts'))})
    await openDatabase('file:${path}'); console.log('open'); setTimeout(() => process.exit(), 60_000)`
  const other = Bun.spawn([process.execPath, '-e', code, 'serve'], { stdout: 'pipe', stderr: 'ignore' })
  onTestsEnd(() => other.kill('SIGKILL'))
  return other
}

describe('one process for each database file', () => {
  test('refuses a file that another process has, names it, and takes the file at once when that one is killed', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'quire.db')
    const other = holdElsewhere(path)
    expect(new TextDecoder().decode((await other.stdout.getReader().read()).value)).toBe('open\n')
    const refusal = await openDatabase(`file:${path}`).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(DatabaseInUse)
    expect(String(refusal)).toContain(`process ${other.pid} (quire serve)`)
    symlinkSync(path, join(folder, 'alias.db'))
    expect(await openDatabase(`file:${join(folder, 'alias.db')}`).catch((error: unknown) => error)).toBeInstanceOf(
      DatabaseInUse,
    )

    other.kill('SIGKILL')
    await other.exited
    // What the killed one wrote about itself is still there, and deceives nobody.
    expect(existsSync(`${path}.owner`)).toBe(true)
    const database = await openDatabase(`file:${path}`)
    await database.close()
    expect(existsSync(`${path}.owner`)).toBe(false)
  })

  test('lets a reader in beside the process that has it, which can write nothing and holds no write up', async () => {
    const path = join(temporaryFolder(), 'quire.db')
    const database = await openDatabase(`file:${path}`)
    await database.write((tx) => tx.rows(sql`create table kept (x text)`))
    const reader = await openDatabase(`file:${path}`, { readOnly: true })
    const seen = await reader.snapshot(async (connection) => {
      const count = () => connection.rows<{ n: number }>(sql`select count(*) as n from kept`)
      const before = await count()
      await database.write((tx) => tx.rows(sql`insert into kept values ('new')`))
      return [before, await count()]
    })
    expect(seen).toEqual([[{ n: 0 }], [{ n: 0 }]])
    expect(await reader.read.rows<{ n: number }>(sql`select count(*) as n from kept`)).toEqual([{ n: 1 }])
    expect(await reader.write(async () => {}).catch(() => 'refused')).toBe('refused')
    expect(await reader.read.rows(sql`insert into kept values ('no')`).catch(() => 'refused')).toBe('refused')
    await reader.close()
    await database.close()
  })

  test('makes no file for a reader of a database that is not there', async () => {
    const path = join(temporaryFolder(), 'missing.db')
    expect(await openDatabase(`file:${path}`, { readOnly: true }).catch((error) => String(error))).toContain(
      'there is no database',
    )
    expect(existsSync(path)).toBe(false)
  })

  test('ends quire with exit code 2 and one line that names the other process', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'quire.db')
    const other = holdElsewhere(path)
    await until('it is open', () => existsSync(`${path}.owner`))
    const refused = Bun.spawnSync([process.execPath, join(root, 'src/main.ts'), 'migrate'], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', QUIRE_DATABASE_URL: `file:${path}` },
    })
    const said = refused.stderr.toString()
    expect(refused.exitCode).toBe(2)
    expect(said).toContain(`process ${other.pid}`)
    expect(said.trim().split('\n')).toHaveLength(1)
    other.kill('SIGKILL')
    await other.exited
  })
})
