import { Database as Libsql } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { limits } from '../../src/core/limits.ts'
import { untilEnded } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { startQuire } from '../support/quire.ts'
import { stuckRenderer } from '../support/stuck-renderer.ts'
import { until } from '../support/until.ts'
import { type Promised, rounds, scenarioBody, seededRandom, signIn, startLoad, submit } from './load.ts'

const KILLS = rounds(4, 100)

test(
  'loses no acknowledged work and repeats none when it is killed at random moments under load',
  async () => {
    const random = seededRandom('kill')
    const asked = new Set<string>()
    const promised: Promised = new Map()
    let quire = await startQuire()
    for (let kill = 0; kill < KILLS; kill++) {
      const client = await signIn(quire)
      const stop = startLoad(client, await scenarioBody(client), 8, asked, promised)
      const before = promised.size
      await until('a submission is acknowledged', () => promised.size > before, 30_000)
      await Bun.sleep(random() * 500)
      await quire.kill()
      await stop()
      quire = await startQuire({ folder: quire.folder })
    }
    expect(promised.size).toBeGreaterThanOrEqual(KILLS)

    // Whoever got no answer asks again: what had happened all the same must not happen twice.
    const client = await signIn(quire)
    const body = await scenarioBody(client)
    for (const key of asked) {
      const again = await submit(client, body, key)
      expect(again).toBeDefined()
      if (promised.has(key)) expect(again).toBe(promised.get(key)!)
      promised.set(key, again!)
    }
    const hashes = new Set<string>()
    for (const id of promised.values()) {
      const execution = await untilEnded(client, id, 120_000)
      for (const step of execution.steps) expect([step.status, step.failure]).toEqual(['succeeded', undefined])
      hashes.add(execution.artifacts.map((artifact: { content_hash: string }) => artifact.content_hash).join())
    }
    expect(hashes.size).toBe(1)
    expect(await quire.stop()).toBe(0)

    expect(await runCommand(quire.folder, ['verify'])).toMatchObject({ code: 0, stderr: '' })
    const database = new Libsql(join(quire.folder, 'quire-data/quire.db'))
    const one = (statement: string) => Object.values(database.query(statement).get() as Record<string, number>)[0]
    expect(one('select count(*) from submissions')).toBe(asked.size)
    expect(one('select count(*) from executions')).toBe(asked.size)
    expect(one('select count(*) from artifacts')).toBe(2 * asked.size)
    expect(one("select count(*) from events where type = 'step.succeeded'")).toBe(4 * asked.size)
    expect(one("select count(*) from events where type = 'completed'")).toBe(asked.size)
    database.close()
  },
  rounds(600_000, 1_800_000),
)

test('uses up no attempt of a step that only waited, however often its process is killed', async () => {
  // A renderer that never comes to an end: what waits for it is in hand, and nothing of Quire's is at work on it.
  const stuck = stuckRenderer()
  const environment = { QUIRE_WORKERS: '1' }
  let quire = await startQuire({ environment: { ...environment, QUIRE_RENDERER: stuck } })
  let client = await signIn(quire)
  const body = await scenarioBody(client)
  const ids: string[] = []
  for (let index = 0; index < 4; index++) ids.push((await submit(client, body, crypto.randomUUID()))!)
  const renderings = async () =>
    Promise.all(ids.map(async (id) => (await client.get(`/api/v1/executions/${id}`)).body.steps.at(-1)))
  const areInHand = async () => (await renderings()).every((step) => step.status === 'running')
  // More often than a step may be begun.
  for (let kill = 0; kill < limits.stepAttempts + 1; kill++) {
    await until('all of them are in hand', areInHand, 60_000)
    await quire.kill()
    quire = await startQuire({ folder: quire.folder, environment: { ...environment, QUIRE_RENDERER: stuck } })
    client = await signIn(quire)
  }
  await quire.kill()
  quire = await startQuire({ folder: quire.folder, environment })
  client = await signIn(quire)
  for (const id of ids) expect((await untilEnded(client, id, 60_000)).status).toBe('completed')
  expect((await renderings()).map((step) => step.attempt)).toEqual([1, 1, 1, 1])
  expect(await quire.stop()).toBe(0)
}, 600_000)
