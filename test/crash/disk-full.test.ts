import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { untilEnded } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { startQuire } from '../support/quire.ts'
import { smallDisk } from '../support/small-disk.ts'
import { until } from '../support/until.ts'
import { scenarioBody, signIn, submit } from './load.ts'

const disk = smallDisk(12_000_000)
if (disk === undefined) process.stderr.write('SKIPPED: a full disk (needs the right to mount a tmpfs)\n')

test.if(disk !== undefined)(
  'acknowledges nothing that a full disk could not store, still answers reads, and recovers without a restart',
  async () => {
    const ballast = join(disk!, 'ballast')
    const quire = await startQuire({ environment: { QUIRE_DATABASE_URL: `file:${join(disk!, 'quire.db')}` } })
    const client = await signIn(quire)
    const body = await scenarioBody(client)
    const promised: string[] = []
    const accept = async () => {
      const id = await submit(client, body, crypto.randomUUID())
      if (id !== undefined) promised.push(id)
      return id !== undefined
    }
    expect(await accept()).toBe(true)
    // Until there is no room for a single page more.
    for (let size = 8_000_000; size >= 4_096; size /= 2) {
      for (let part = 0; part < 4; part++) {
        try {
          writeFileSync(`${ballast}.${size}.${part}`, new Uint8Array(size))
        } catch {
          rmSync(`${ballast}.${size}.${part}`, { force: true })
        }
      }
    }
    let refused = 0
    for (let tries = 0; tries < 400 && refused < 20; tries++) if (!(await accept())) refused++
    expect(refused).toBe(20)
    const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
    expect(answer.status).toBe(503)
    const readiness = () => fetch(`${quire.origin}/health/ready`)
    await until('readiness says so', async () => (await readiness()).status === 503)
    expect((await (await readiness()).json()).dependencies).toContainEqual({
      name: 'relational-db',
      status: 'unavailable',
    })
    expect((await client.get('/api/v1/executions')).status).toBe(200)
    expect((await client.get(`/api/v1/executions/${promised[0]}`)).status).toBe(200)

    Bun.spawnSync(['sh', '-c', `rm -f ${ballast}.*`])
    expect(await accept()).toBe(true)
    await until('it is ready again', async () => (await readiness()).status === 200)
    for (const id of promised) expect((await untilEnded(client, id, 30_000)).status).toBe('completed')
    const { body: listed } = await client.get('/api/v1/executions?limit=100')
    expect(listed.executions.length).toBe(Math.min(100, promised.length))
    expect(await quire.stop()).toBe(0)
    const settings = { QUIRE_DATABASE_URL: `file:${join(disk!, 'quire.db')}` }
    expect(await runCommand(quire.folder, ['verify'], settings)).toMatchObject({ code: 0, stderr: '' })
  },
  120_000,
)
