import { Database as Libsql } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../src/core/hash.ts'
import { temporaryFolder } from '../support/database.ts'
import { rounds, seededRandom } from './load.ts'

const POINTS = rounds(10, 500)
const strace = Bun.which('strace')
if (strace === null && process.env.CI === 'true') throw new Error('strace must be installed in CI')
if (strace === null) process.stderr.write('SKIPPED: kills at every write and fsync (install the package strace)\n')

/** What the workload's threads call to change files, and about how often in a run. */
const calls = [
  ['pwrite64', 260],
  ['fdatasync', 24],
  ['fsync', 24],
  ['write', 12],
  ['rename', 6],
  ['ftruncate', 3],
] as const

test.if(strace !== null)(
  'loses no announced row, nor the object it names, to a kill at any write, fsync or rename',
  async () => {
    const random = seededRandom('write points')
    const folder = temporaryFolder()
    const told = new Set<string>()
    let killed = 0
    for (let point = 0; point < POINTS; point++) {
      const [call, most] = calls[point % calls.length]!
      const at = 1 + Math.floor(random() * most)
      const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${at}`]
      const child = Bun.spawn(
        [
          strace!,
          '-f',
          '-qq',
          '-o',
          '/dev/null',
          ...inject,
          process.execPath,
          join(import.meta.dir, 'workload.ts'),
          folder,
          '8',
        ],
        { stdout: 'pipe', stderr: 'ignore', stdin: 'ignore' },
      )
      const said = await new Response(child.stdout).text()
      await child.exited
      if (child.exitCode !== 0) killed++
      const lines = said.split('\n')
      // The last one may have been cut off.
      for (const hash of lines.slice(0, -1)) told.add(hash)

      const path = join(folder, 'quire.db')
      if (!existsSync(path)) continue
      const database = new Libsql(path)
      expect(database.query('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
      const hasTable = database.query("select 1 from sqlite_master where name = 'kept'").get() !== null
      const rows = hasTable ? (database.query('select hash from kept').all() as { hash: string }[]) : []
      database.close()
      const kept = new Set(rows.map(({ hash }) => hash))
      expect([...told].filter((hash) => !kept.has(hash))).toEqual([])
      for (const hash of kept) {
        const object = join(folder, 'objects', hash.slice(0, 2), hash.slice(2, 4), hash)
        expect(sha256Hex(await Bun.file(object).bytes())).toBe(hash)
      }
    }
    expect(told.size).toBeGreaterThan(0)
    // Most points must have been reached, or this test has shown nothing.
    expect(killed).toBeGreaterThan(POINTS / 2)
    expect(readdirSync(join(folder, 'objects', 'unfinished')).length).toBeLessThan(POINTS)
  },
  1_800_000,
)
