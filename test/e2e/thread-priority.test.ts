import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { scenarioBody, signIn } from '../crash/load.ts'
import { untilEnded } from '../support/client.ts'
import { startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'

/** The niceness of each thread of a process, by its id. */
function nicenessOf(pid: number): Map<number, number> {
  const threads = new Map<number, number>()
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
      // proc(5): field 19, counted from the one after the name in brackets, which is the third.
      threads.set(Number(thread), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]))
    } catch {
      // A thread that ended meanwhile.
    }
  }
  return threads
}

// Only Linux has a priority of each thread.
test.if(process.platform === 'linux')(
  'only the threads that make documents run at a lower priority than the one that answers requests',
  async () => {
    const quire = await startQuire({ environment: { QUIRE_WORKERS: '2' } })
    const client = await signIn(quire)
    const body = await scenarioBody(client)
    // Several at once, so that both workers are needed.
    await until(
      'both workers are at work or have been',
      async () => {
        const answers = await Promise.all(
          Array.from({ length: 4 }, () =>
            client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() }),
          ),
        )
        for (const answer of answers) await untilEnded(client, answer.body.submission.executions[0].id, 60_000)
        return [...nicenessOf(quire.pid).values()].filter((nice) => nice > getPriority()).length >= 2
      },
      60_000,
    )
    const threads = nicenessOf(quire.pid)
    // The child began with this process's niceness.
    const inherited = getPriority()
    expect(threads.get(quire.pid)).toBe(inherited)
    const nicer = [...threads.values()].filter((nice) => nice !== inherited)
    expect(new Set(nicer)).toEqual(new Set([Math.min(19, inherited + 10)]))
    expect(await quire.stop()).toBe(0)
  },
  150_000,
)
