import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { type Promised, rounds, scenarioBody, signIn, startLoad } from './load.ts'

const ROUNDS = rounds(1, 10)
/** What a disk may take along. */
const LOST_MS = 2_000

test('a disk that is lost with the process takes at most the work of two seconds along', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const replica = temporaryFolder()
    const quire = await startQuire({ environment: { QUIRE_REPLICA_URL: `file:${replica}`, QUIRE_DEMO: 'true' } })
    const client = await signIn(quire)
    const promised: Promised = new Map()
    const atMs = new Map<string, number>()
    const stop = startLoad(client, await scenarioBody(client), 4, new Set(), promised)
    const completed = async () =>
      (await client.get('/api/v1/executions?status=completed&limit=1')).body.executions.length > 0
    await until('documents have been made', completed, 60_000)
    const madeMs = performance.now()
    await until('some are promised and made, for longer than may be lost', () => {
      for (const key of promised.keys()) if (!atMs.has(key)) atMs.set(key, performance.now())
      const [first] = atMs.values()
      return promised.size > 20 && first !== undefined && performance.now() - Math.max(first, madeMs) > LOST_MS + 1_500
    })
    const killedMs = performance.now()
    await quire.kill()
    await stop()
    rmSync(join(quire.folder, 'quire-data'), { recursive: true, force: true })

    const empty = temporaryFolder()
    expect(await runCommand(empty, ['verify', replica])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/can be restored to \d{4}-.*Z, with [1-9]\d* objects/),
    })
    expect(await runCommand(empty, ['restore', replica, '--identity', 'own.txt'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--identity is for a backup: a replica is not encrypted'),
    })
    const restored = await runCommand(empty, ['restore', replica, '--json'])
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    const verified = await runCommand(empty, ['verify'])
    expect(verified).toMatchObject({ code: 0, stderr: '' })
    const kept = [...atMs.values()].filter((ms) => ms < killedMs - LOST_MS).length
    expect(kept).toBeGreaterThan(0)
    expect(Number(/(\d+) submissions/.exec(verified.stdout)?.[1])).toBeGreaterThanOrEqual(kept)
    const again = await startQuire({ folder: empty })
    expect(await again.stop()).toBe(0)
  }
}, 600_000)
