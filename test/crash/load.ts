import { ApiClient } from '../support/client.ts'
import type { RunningQuire } from '../support/quire.ts'

/**
 * What the crash tests share: a seeded choice of moments, so that a failure can be run again, and a load that remembers
 * what it was promised.
 */
export const isFull = process.env.CRASH_TESTS === 'full'

/** So many rounds by default, and so many with CRASH_TESTS=full. */
export function rounds(fast: number, full: number): number {
  return isFull ? full : fast
}

/** Mulberry32: small, and the same everywhere. The seed is printed; CRASH_SEED sets it. */
export function seededRandom(name: string): () => number {
  const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))
  process.stderr.write(`${name}: CRASH_SEED=${seed}\n`)
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What was answered with success, by the idempotency key it was asked under. */
export type Promised = Map<string, string>

export async function signIn(quire: RunningQuire): Promise<ApiClient> {
  const client = new ApiClient(quire.origin)
  const answer = await client.login(quire.username, quire.password)
  if (answer.status !== 200) throw new Error(`the login was answered with ${answer.status}`)
  return client
}

export async function scenarioBody(client: ApiClient): Promise<Record<string, unknown>> {
  const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0]
  return { ingestion_model: 'clws-policy', raw_input, metadata }
}

/** Longer than any request may take, whatever happens behind it. */
const PATIENCE_MS = 20_000

/** Requests that got no answer and no broken connection either; a process must never leave one hanging. */
export const unanswered: string[] = []

/** Posts under the key; the execution's id when it was accepted, undefined when nothing was promised. */
export async function submit(client: ApiClient, body: unknown, key: string): Promise<string | undefined> {
  const asked = client.post('/api/v1/submissions', body, { 'idempotency-key': key }).catch(() => undefined)
  const late = Symbol('late')
  let timer: ReturnType<typeof setTimeout> | undefined
  const patience = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), PATIENCE_MS)
  })
  const answer = await Promise.race([asked, patience])
  clearTimeout(timer)
  if (answer === late) {
    unanswered.push(key)
    return undefined
  }
  return answer?.status === 202 ? answer.body.submission.executions[0].id : undefined
}

/** Callers that post one submission after the other, until they are told to stop or nobody answers any more. */
export function startLoad(client: ApiClient, body: unknown, callers: number, asked: Set<string>, promised: Promised) {
  let isStopping = false
  const running = Array.from({ length: callers }, async () => {
    while (!isStopping) {
      const key = crypto.randomUUID()
      asked.add(key)
      const id = await submit(client, body, key)
      if (id !== undefined) promised.set(key, id)
      else await Bun.sleep(10)
    }
  })
  return async () => {
    isStopping = true
    await Promise.all(running)
  }
}
