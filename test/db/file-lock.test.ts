import { describe, expect, test } from 'bun:test'
import { chownSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../src/db/connect.ts'
import { DatabaseInUse, lockDatabaseFile, realPathOf, removeLockFiles } from '../../src/db/file-lock.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { temporaryFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dir, '../..')

/** A process that opens the database, says so, and stays until it is killed; by itself it ends after a minute. */
function holdElsewhere(path: string) {
  const code = `process.umask(0o077); process.argv.splice(1, 0, 'quire'); const { openDatabase } = await import(${JSON.stringify(join(root, 'src/db/connect.ts'))})
    await openDatabase('file:${path}'); console.log('open'); setTimeout(() => process.exit(), 60_000)`
  const other = Bun.spawn([process.execPath, '-e', code, 'serve'], { stdout: 'pipe', stderr: 'ignore' })
  onTestsEnd(() => other.kill('SIGKILL'))
  return other
}

describe('one process for each database file', () => {
  const isRoot = process.getuid?.() === 0
  test.if(isRoot)('leaves nothing beside it that its owner could not open, where root took it', () => {
    const path = join(temporaryFolder(), 'quire.db')
    writeFileSync(path, '')
    chownSync(path, 65_534, 65_533)
    const ownerOf = (end: string) => {
      const { uid, gid, mode } = statSync(path + end)
      return [end, uid, gid, mode & 0o777]
    }
    const unlock = lockDatabaseFile(path)
    for (const end of ['.lock', '.lock-journal', '.owner']) expect(ownerOf(end)).toEqual([end, 65_534, 65_533, 0o600])
    unlock()
    expect(ownerOf('.lock')).toEqual(['.lock', 65_534, 65_533, 0o600])
    // Nor follows it links that the owner has put there.
    const other = join(temporaryFolder(), 'other')
    writeFileSync(other, 'mine')
    symlinkSync(other, `${path}.owner`)
    lockDatabaseFile(path)()
    expect([readFileSync(other, 'utf8'), statSync(other).uid]).toEqual(['mine', 0])
  })

  test('names the missing folder, and what to do', () => {
    const folder = join(temporaryFolder(), 'not-mounted')
    const path = join(folder, 'quire.db')
    expect(() => lockDatabaseFile(path)).toThrow(`there is no folder ${folder}; make it, or mount its volume`)
    expect(existsSync(folder)).toBe(false)
  })

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

  test('makes no file for a reader of a missing database', async () => {
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

  test('says who has the file for as long as somebody has it, and lets go once', () => {
    const path = join(temporaryFolder(), 'quire.db')
    const today = () => new Date().toISOString().slice(0, 10)
    // Two days where midnight comes between.
    const days = [today()]
    const letGo = lockDatabaseFile(path)
    days.push(today())
    const owner = readFileSync(`${path}.owner`, 'utf8')
    expect(owner).toContain(`process ${process.pid} (quire`)
    const [, day = ''] = owner.split(` on ${hostname()} since `)
    expect(days).toContain(day.slice(0, 10))
    expect(owner).toEndWith('\n')
    // Others on the machine need not know what runs here.
    expect(statSync(`${path}.owner`).mode & 0o777).toBe(0o600)
    letGo()
    expect(existsSync(`${path}.owner`)).toBe(false)
    const letGoAgain = lockDatabaseFile(path)
    // Whoever let go before has nothing to let go of.
    letGo()
    expect(existsSync(`${path}.owner`)).toBe(true)
    letGoAgain()
    removeLockFiles(path)
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  test('still refuses where nobody can say who has the file', () => {
    const path = join(temporaryFolder(), 'quire.db')
    const letGo = lockDatabaseFile(path)
    for (const left of ['', undefined]) {
      if (left === undefined) rmSync(`${path}.owner`)
      else writeFileSync(`${path}.owner`, left)
      expect(() => lockDatabaseFile(path)).toThrow(DatabaseInUse)
      expect(() => lockDatabaseFile(path)).toThrow('is in use by another process')
    }
    letGo()
    lockDatabaseFile(path)()
  })

  test('takes no other fault for another process', () => {
    const path = join(temporaryFolder(), 'missing', 'quire.db')
    const inFolder = join(temporaryFolder(), 'quire.db')
    writeFileSync(`${inFolder}.lock`, 'no database, and long enough to be taken for the header of one'.repeat(20))
    for (const refused of [path, inFolder]) {
      let fault: unknown
      try {
        lockDatabaseFile(refused)
      } catch (error) {
        fault = error
      }
      expect(fault).toBeInstanceOf(Error)
      expect(fault).not.toBeInstanceOf(DatabaseInUse)
    }
  })

  test('keeps a file that is linked under another name, also before it is made', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'quire.db')
    const alias = join(temporaryFolder(), 'data')
    symlinkSync(folder, alias)
    const letGo = lockDatabaseFile(path)
    expect(() => lockDatabaseFile(join(alias, 'quire.db'))).toThrow(DatabaseInUse)
    letGo()
  })
})

test('a link leads to its file before that is made, and to none if it leads to itself', () => {
  const [folder, disk] = [temporaryFolder(), temporaryFolder()]
  const at = (name: string) => join(folder, name)
  symlinkSync(join(disk, 'quire.db'), at('other.db'))
  symlinkSync('other.db', at('link.db'))
  expect(realPathOf(at('link.db'))).toBe(join(disk, 'quire.db'))
  symlinkSync('ring.db', at('loop.db'))
  symlinkSync('loop.db', at('ring.db'))
  expect(() => realPathOf(at('loop.db'))).toThrow('loop.db is a link that leads to itself')
  symlinkSync('/nowhere/quire.db', at('unmounted.db'))
  expect(() => realPathOf(at('unmounted.db'))).toThrow('there is no folder /nowhere; make it, or mount its volume')
})
