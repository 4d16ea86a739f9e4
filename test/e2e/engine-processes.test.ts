import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { scenarioBody, signIn } from '../crash/load.ts'
import { untilEnded } from '../support/client.ts'
import { openFilesOf, wordsOf } from '../support/processes.ts'
import { startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'

/** Fields of proc(5)'s stat, counted from the one after the name in brackets: the parent, and the niceness. */
function statOf(path: string): { parent: number; nice: number } | undefined {
  try {
    const stat = readFileSync(`${path}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), nice: Number(fields[16]) }
  } catch {
    // It ended meanwhile.
    return undefined
  }
}

const childrenOf = (pid: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(`/proc/${name}`)?.parent === pid)
    .map(Number)

/** Without the judge, which is there as well where a condition took long on a busy machine. */
const enginesOf = (pid: number) => childrenOf(pid).filter((child) => wordsOf(child).includes('engines'))

// Only Linux shows all of it.
test.if(process.platform === 'linux')(
  'documents are made by processes behind the service, which have nothing of it, may be killed, and end with it',
  async () => {
    const quire = await startQuire({ environment: { QUIRE_WORKERS: '2' } })
    expect(childrenOf(quire.pid)).toEqual([])
    const client = await signIn(quire)
    const body = await scenarioBody(client)
    const submit = async () => {
      const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
      return answer.body.submission.executions[0].id
    }
    // Several at once, so that both workers are needed.
    await until(
      'both are at work or have been',
      async () => {
        for (const id of await Promise.all([submit(), submit(), submit(), submit()]))
          await untilEnded(client, id, 60_000)
        return enginesOf(quire.pid).length >= 2
      },
      60_000,
    )
    // The service began with this process's niceness.
    const inherited = getPriority()
    const threads = readdirSync(`/proc/${quire.pid}/task`)
      .map((id) => statOf(`/proc/${quire.pid}/task/${id}`)?.nice)
      .filter((nice) => nice !== undefined)
    expect(new Set(threads)).toEqual(new Set([inherited]))
    const engines = enginesOf(quire.pid)
    expect(engines).toHaveLength(2)
    for (const pid of engines) {
      expect(statOf(`/proc/${pid}`)?.nice).toBe(Math.min(19, inherited + 10))
      expect(openFilesOf(pid).filter((target) => target.startsWith(quire.folder))).toEqual([])
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('QUIRE')
    }

    for (const pid of engines) process.kill(pid, 'SIGKILL')
    const { status } = await untilEnded(client, await submit(), 60_000)
    expect(status).toBe('completed')
    await quire.requireAlive()

    await until('the killed ones are gone', () => !childrenOf(quire.pid).some((pid) => engines.includes(pid)))
    const last = childrenOf(quire.pid)
    expect(await quire.stop()).toBe(0)
    await until('the engines are gone', () => last.every((pid) => !existsSync(`/proc/${pid}`)))
  },
  150_000,
)
