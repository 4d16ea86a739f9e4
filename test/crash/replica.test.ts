import { Database as Libsql } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeBucket, radosgwAvailable, startRadosgw } from '../objects/radosgw.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { copiedUpTo } from './copied.ts'
import { isFull, type Promised, rounds, scenarioBody, signIn, startLoad } from './load.ts'

async function bucket(): Promise<Record<string, string>> {
  const s3 = await startRadosgw()
  await makeBucket(s3, 'replica')
  return {
    QUIRE_REPLICA_URL: `s3://replica/here?endpoint=${encodeURIComponent(s3.endpoint)}&region=us-east-1`,
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
  }
}

async function loseDisk(settings: Record<string, string>): Promise<void> {
  const replica = settings.QUIRE_REPLICA_URL ?? ''
  const quire = await startQuire({ environment: settings })
  const client = await signIn(quire)
  const promised: Promised = new Map()
  const atMs = new Map<string, number>()
  const stop = startLoad(client, await scenarioBody(client), 4, new Set(), promised)
  const note = () => {
    for (const id of promised.values()) if (!atMs.has(id)) atMs.set(id, performance.now())
  }
  let copiedMs: number | undefined
  const told = () => [...atMs].filter(([, ms]) => ms < (copiedMs ?? 0)).map(([id]) => id)
  let documentMs = Number.POSITIVE_INFINITY
  await until('the replica has submissions and documents', async () => {
    const upTo = await copiedUpTo(client)
    note()
    copiedMs = upTo
    if (documentMs < (upTo ?? 0)) return told().length > 20
    const made = (await client.get('/api/v1/executions?status=completed&limit=1')).body.executions
    if (made.length > 0) documentMs = Math.min(documentMs, performance.now())
    return false
  })
  // Some work more than the service has told of.
  const before = promised.size
  await until('more is promised', () => {
    note()
    return promised.size > before + 8
  })
  const killedMs = performance.now()
  await quire.kill()
  await stop()
  note()
  rmSync(join(quire.folder, 'quire-data'), { recursive: true, force: true })

  const empty = temporaryFolder()
  const run = (...args: string[]) => runCommand(empty, args, replica.startsWith('s3:') ? credentialsOf(settings) : {})
  expect(await run('verify', replica)).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/can be restored to \d{4}-.*Z, with [1-9]\d* objects/),
  })
  expect(await run('restore', replica, '--identity', 'own.txt')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--identity is for a backup: a replica is not encrypted'),
  })
  expect(await run('restore', replica, '--json')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('verify')).toMatchObject({ code: 0, stderr: '' })
  const database = new Libsql(join(empty, 'quire-data/quire.db'), { readonly: true })
  const kept = new Set(
    database
      .query<{ id: string }, []>('select id from executions')
      .all()
      .map(({ id }) => id),
  )
  database.close()
  expect(told().filter((id) => !kept.has(id))).toEqual([])
  const lost = [...atMs].filter(([id]) => !kept.has(id)).map(([, ms]) => Math.max(0, killedMs - ms))
  const oldest = Math.round(Math.max(0, ...lost))
  process.stderr.write(`replica: lost ${lost.length} of ${atMs.size} acknowledged submissions, the last ${oldest} ms\n`)
  const again = await startQuire({ folder: empty })
  expect(await again.stop()).toBe(0)
}

function credentialsOf({ AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' }: Record<string, string>) {
  return { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }
}

test('a disk that is lost with the process takes nothing along that the service said to be in its replica', async () => {
  for (let round = 0; round < rounds(1, 10); round++) await loseDisk({ QUIRE_REPLICA_URL: `file:${temporaryFolder()}` })
}, 600_000)

// By default `commands/move-s3.test.ts` restores from a bucket, on the server that it has anyway.
test.if(isFull && radosgwAvailable)(
  'nor where the replica is in a bucket',
  async () => {
    const settings = await bucket()
    for (let round = 0; round < 10; round++) {
      const { QUIRE_REPLICA_URL: url = '' } = settings
      await loseDisk({ ...settings, QUIRE_REPLICA_URL: url.replace('/here', `/here${round}`) })
    }
  },
  900_000,
)
