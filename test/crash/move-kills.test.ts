import { Database as Libsql } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { MovePoint } from '../../src/commands/move.ts'
import { untilEnded } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { postgresAvailable, startPostgres } from '../support/postgres.ts'
import { startQuire } from '../support/quire.ts'
import { startOutcome } from '../support/start-outcome.ts'
import { isFull, scenarioBody, signIn } from './load.ts'

/** A folder with the store of a Quire that made two documents and ended. */
async function filledFolder(): Promise<string> {
  const quire = await startQuire()
  const client = await signIn(quire)
  const body = await scenarioBody(client)
  for (let index = 0; index < 2; index++) {
    const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
    await untilEnded(client, answer.body.submission.executions[0].id, 60_000)
  }
  expect(await quire.stop()).toBe(0)
  return quire.folder
}

let filled: Promise<string> | undefined

/** The same for both tests, which move copies of it. */
function sharedFolder(): Promise<string> {
  filled ??= filledFolder()
  return filled
}

function copyOf(folder: string): string {
  const copy = temporaryFolder()
  for (const name of ['quire-data', 'quire-data.store'])
    cpSync(join(folder, name), join(copy, name), { recursive: true })
  return copy
}

/** In the order of a move, each with how often it is passed before the kill, and whether it is tried by default. */
const points: [point: MovePoint, times: number, isDefault: boolean][] = [
  ['opened', 1, true],
  ['marked', 1, true],
  ['object', 1, false],
  ['object', 2, false],
  ['objects', 1, false],
  ['table', 1, false],
  ['table', 5, true],
  ['table', 12, false],
  ['compared', 1, false],
  ['left', 1, true],
  ['finished', 1, false],
]
const dialects = postgresAvailable ? (['file', 'postgres'] as const) : (['file'] as const)

test.concurrent('a move killed at any point leaves at most one place that serves, never an empty one, and is finished by running it again', async () => {
  const shared = await sharedFolder()
  let kills = 0
  const chosen = isFull ? points : points.filter(([, , isDefault]) => isDefault)
  for (const [at, [point, times]] of chosen.entries()) {
    for (const dialect of isFull ? dialects : [dialects[at % dialects.length] ?? 'file']) {
      const folder = copyOf(shared)
      const target = temporaryFolder()
      const settings = {
        QUIRE_DATABASE_URL:
          dialect === 'file' ? `file:${join(target, 'new.db')}` : await (await startPostgres()).createDatabase(),
        QUIRE_OBJECTS_URL: `file:${join(target, 'objects')}`,
      }
      const moving = Bun.spawn(
        [
          ...[process.execPath, join(import.meta.dir, '../commands/killed-move.ts'), join(folder, 'quire-data')],
          ...[settings.QUIRE_DATABASE_URL, settings.QUIRE_OBJECTS_URL, point, String(times)],
        ],
        { stdout: 'ignore', stderr: 'inherit' },
      )
      await moving.exited
      expect([point, moving.signalCode]).toEqual([point, 'SIGKILL'])
      kills++

      const isLeft = point === 'left' || point === 'finished'
      const there = await startOutcome(folder, settings)
      if (point === 'finished') expect(there).toBe('serves')
      else expect([point, there]).toEqual([point, expect.stringContaining('quire move')])
      // What an old start would write is not to be in the way of the move.
      const here = await startOutcome(copyOf(folder))
      if (isLeft)
        expect(here).toContain(`this store was moved to ${settings.QUIRE_DATABASE_URL.replace(/\/\/[^/@]*@/, '//…@')}`)
      else expect([point, here]).toEqual([point, 'serves'])

      expect(await runCommand(folder, ['move'], settings)).toMatchObject({ code: 0, stderr: '' })
      expect(await runCommand(folder, ['verify'], settings)).toMatchObject({ code: 0, stderr: '' })
      expect(await startOutcome(folder, settings)).toBe('serves')
      expect(await startOutcome(folder)).toContain('quire move --undo')
    }
  }
  expect(kills).toBeGreaterThanOrEqual(chosen.length)
}, 1_800_000)

test.concurrent('a store that was moved away serves again after quire move --undo, and only then', async () => {
  const folder = copyOf(await sharedFolder())
  const settings = { QUIRE_DATABASE_URL: `file:${join(temporaryFolder(), 'new.db')}` }
  expect((await runCommand(folder, ['move', '--undo'])).stderr).toContain('was not moved away')
  expect(await runCommand(folder, ['move'], settings)).toMatchObject({ code: 0 })
  for (const args of [['serve'], ['user', 'list'], ['verify'], ['backup', 'copy'], ['sweep'], ['migrate'], ['demo']]) {
    const { code, stderr } = await runCommand(folder, args)
    expect([args, code === 0, stderr.includes(`moved to ${settings.QUIRE_DATABASE_URL}`)]).toEqual([args, false, true])
  }
  expect(await runCommand(folder, ['move'], settings)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('already'),
  })
  const elsewhere = { QUIRE_DATABASE_URL: `file:${join(temporaryFolder(), 'other.db')}` }
  expect((await runCommand(folder, ['move'], elsewhere)).stderr).toContain('quire move --undo first')
  expect(await runCommand(folder, ['move', '--undo'])).toMatchObject({ code: 0, stderr: '' })
  expect(await runCommand(folder, ['verify'])).toMatchObject({ code: 0, stderr: '' })
  expect(await startOutcome(folder)).toBe('serves')
  const database = new Libsql(join(folder, 'quire-data/quire.db'))
  expect(database.query('select count(*) as n from submissions').get()).toEqual({ n: 2 })
  database.close()
}, 300_000)
