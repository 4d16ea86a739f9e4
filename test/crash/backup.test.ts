import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { type Promised, rounds, scenarioBody, signIn, startLoad } from './load.ts'

const BACKUPS = rounds(2, 20)

test('every backup made under load can be restored and verified, and holds all work acknowledged before it began', async () => {
  const quire = await startQuire()
  const client = await signIn(quire)
  const promised: Promised = new Map()
  const stop = startLoad(client, await scenarioBody(client), 4, new Set(), promised)
  const before: number[] = []
  let madeAt = ''
  for (let backup = 0; backup < BACKUPS; backup++) {
    await Bun.sleep(300)
    await until('some more are promised', () => promised.size > (before.at(-1) ?? 0) + 1)
    before.push(promised.size)
    const made = await runCommand(quire.folder, ['backup', backup % 2 === 0 ? `${backup}` : `${backup}.tar`, '--json'])
    expect(made).toMatchObject({ code: 0, stderr: '' })
    madeAt = JSON.parse(made.stdout).made_at
  }
  await stop()
  expect(before.at(-1)).toBeGreaterThan(0)
  const { body } = await client.get('/api/v1/admin/operations')
  expect(Date.parse(body.backup.at)).toBe(Date.parse(madeAt))
  for (const [backup, least] of before.entries()) {
    const empty = temporaryFolder()
    const source = join(quire.folder, backup % 2 === 0 ? `${backup}` : `${backup}.tar`)
    expect(await runCommand(empty, ['restore', source])).toMatchObject({ code: 0, stderr: '' })
    const verified = await runCommand(empty, ['verify'])
    expect(verified).toMatchObject({ code: 0, stderr: '' })
    expect(Number(/(\d+) submissions/.exec(verified.stdout)?.[1])).toBeGreaterThanOrEqual(least)
  }
  expect(await quire.stop()).toBe(0)
}, 600_000)
