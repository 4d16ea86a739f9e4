import { Database as Libsql } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { untilEnded } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { startQuire } from '../support/quire.ts'
import { patienceMs, until } from '../support/until.ts'
import { type Promised, rounds, scenarioBody, signIn, startLoad } from './load.ts'

const FAULTS = rounds(2, 20)
const faultMs = 1_500
const strace = Bun.which('strace')
if (strace === null && process.env.CI === 'true') throw new Error('strace must be installed in CI')
if (strace === null) process.stderr.write('SKIPPED: a disk that fails to read (install the package strace)\n')

/** Every read of these files by that process fails until the reads are let through again, as on a volume that is briefly away. */
function failReads(pid: number, files: readonly string[]): () => Promise<unknown> {
  const paths = files.flatMap((file) => ['-P', file])
  const inject = ['-e', 'trace=pread64', '-e', 'inject=pread64:error=EIO', '-p', String(pid)]
  const tracer = Bun.spawn([strace!, '-f', '-qq', '-o', '/dev/null', ...paths, ...inject])
  return () => {
    tracer.kill()
    return tracer.exited
  }
}

test.if(strace !== null)(
  'a disk that fails every read for 1.5 s costs refusals while that lasts, no restart, no wrong row and no acknowledged work',
  async () => {
    const quire = await startQuire()
    const path = join(quire.folder, 'quire-data/quire.db')
    const client = await signIn(quire)
    const promised: Promised = new Map()
    const stop = startLoad(client, await scenarioBody(client), 4, new Set(), promised)
    const isReady = async () => (await fetch(`${quire.origin}/health/ready`)).status === 200
    let refused = 0
    let unready = 0
    for (let fault = 0; fault < FAULTS; fault++) {
      const least = promised.size + 20
      await until('some work is promised', () => promised.size > least, 60_000)
      const letThrough = failReads(
        quire.pid,
        fault % 3 === 0 ? [path] : fault % 3 === 1 ? [`${path}-wal`] : [path, `${path}-wal`],
      )
      const begunMs = performance.now()
      // Whatever was read from memory all along shows nothing, but the last fault is of the file that every reading meets.
      const hasShown = () => fault < FAULTS - 1 || (refused > 0 && unready > 0)
      const isOver = () => performance.now() - begunMs > faultMs && hasShown()
      const read = async () => {
        const { status } = await client.get('/api/v1/executions?limit=5')
        // A page that could not be read is never taken for an empty one: that would answer that there is no such session.
        expect([200, 503]).toContain(status)
        if (status === 503) refused++
        if (!(await isReady())) unready++
        return isOver()
      }
      await until('the fault has shown', read, faultMs + patienceMs())
      await letThrough()
      await until('it reads again', async () => (await client.get('/api/v1/executions?limit=5')).status === 200)
      await until('it is ready again', isReady)
    }
    await stop()
    for (const id of promised.values()) expect((await untilEnded(client, id, 120_000)).status).toBe('completed')
    expect(await quire.stop()).toBe(0)
    const database = new Libsql(path)
    expect(database.query('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    database.close()
    expect(await runCommand(quire.folder, ['verify'])).toMatchObject({ code: 0, stderr: '' })
  },
  900_000,
)
