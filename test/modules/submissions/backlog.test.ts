import { describe, expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { Backlog } from '../../../src/modules/submissions/submissions.backlog.ts'
import { startTestApp } from '../../http/harness.ts'
import { contractText, transformerText } from '../../runner/letter.ts'
import { Author, newKey } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { stateOf } from '../../support/refused.ts'

/** A backlog over a queue of the given length, and a clock that is moved past the next count. */
function backlogOf(limit: number, length = 0) {
  const queue = { length, counts: 0, nowMs: 0 }
  const countQueued = async (most: number) => {
    queue.counts++
    return Math.min(most, queue.length)
  }
  const backlog = new Backlog({ limit, countQueued, nowMs: () => queue.nowMs })
  const accept = async (user: string, steps: number) => {
    await backlog.refresh()
    backlog.requireRoom(user)
    queue.length += steps
    backlog.noteAccepted(user, steps)
  }
  const isRefused = async (user: string) => {
    await backlog.refresh()
    try {
      backlog.requireRoom(user)
      return false
    } catch {
      return true
    }
  }
  const later = () => {
    queue.nowMs += limits.backlogCountMs
  }
  return { queue, accept, isRefused, later }
}

describe('the bound on queued steps', () => {
  test('refuses everybody once the queue is full, whoever filled it', async () => {
    const { accept, isRefused } = backlogOf(100)
    for (const user of ['a', 'b', 'c', 'd']) await accept(user, 25)
    expect([await isRefused('a'), await isRefused('nobody yet')]).toEqual([true, true])
  })

  test('counts what was accepted since the last count, and lets in again what the workers made room for', async () => {
    const { queue, accept, isRefused, later } = backlogOf(10)
    for (const user of ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']) await accept(user, 1)
    expect(await isRefused('a')).toBe(true)
    queue.length = 4
    expect(await isRefused('a')).toBe(true)
    later()
    expect(await isRefused('a')).toBe(false)
  })

  test('refuses who sent three quarters of the limit, and nobody else', async () => {
    const { accept, isRefused } = backlogOf(100)
    await accept('greedy', 74)
    expect(await isRefused('greedy')).toBe(false)
    await accept('greedy', 1)
    expect([await isRefused('greedy'), await isRefused('modest')]).toEqual([true, false])
    await accept('modest', 20)
    expect([await isRefused('greedy'), await isRefused('modest')]).toEqual([true, false])
  })

  test('forgets who sent what once the queue has been low', async () => {
    const { queue, accept, isRefused, later } = backlogOf(100)
    await accept('early', 70)
    queue.length = 10
    later()
    // Counted in the background, since the queue was not long.
    await isRefused('early')
    await Bun.sleep(0)
    await accept('late', 64)
    expect(await isRefused('early')).toBe(false)
    await accept('late', 1)
    expect([await isRefused('late'), await isRefused('early')]).toEqual([true, false])
  })

  test('counts once a second at most, however many ask', async () => {
    const { queue, accept, later } = backlogOf(100)
    for (let index = 0; index < 20; index++) await accept('a', 1)
    expect(queue.counts).toBe(1)
    later()
    await Promise.all([accept('a', 1), accept('a', 1)])
    expect(queue.counts).toBe(2)
  })

  test('knows after a start that the queue is full', async () => {
    const { isRefused, later } = backlogOf(100, 250)
    expect(await isRefused('a')).toBe(true)
    later()
    expect(await isRefused('a')).toBe(true)
  })
})

describeOnBothDialects('a queue that is full', (dialect) => {
  test('refuses submissions and executions with Retry-After, changes nothing, starts no engine, and still repeats an answer', async () => {
    let warmed = 0
    const app = await startTestApp(dialect, { queueLimit: 4, warmEngines: () => warmed++ })
    const author = await Author.signIn(app, 'author')
    const [first, second] = [
      await Author.signIn(app, 'first', ['operator']),
      await Author.signIn(app, 'second', ['operator']),
    ]
    await author.contract('letters', contractText)
    await author.frozen('transformers', 'letters', transformerText)
    const model = `model: ingestion-model-v1
contract: { name: letters, version: 1 }
nodes:
  - { key: one, label: One, transformer: letters }
  - { key: two, label: Two, transformer: letters }
`
    const { id } = await author.frozen('ingestion-models', 'letters', model)
    const transformers = (await author.get('/transformers')).body.transformers
    for (const [plural, family] of [
      ['transformers', transformers[0].id],
      ['ingestion-models', id],
    ]) {
      expect((await author.publish(plural, family, 1, '2026-01-01T00:00:00Z')).status).toBe(201)
    }
    const body = { ingestion_model: 'letters', raw_input: '{"total": 1, "name": "Ada"}' }
    const key = newKey()
    const made = await first.post('/submissions', body, { 'idempotency-key': key })
    expect(made.status).toBe(202)
    expect((await second.post('/submissions', body)).status).toBe(202)

    const { release_id: release } = (await first.get(`/executions/${made.body.submission.executions[0].id}`)).body
    expect(warmed).toBeGreaterThanOrEqual(2)
    const warmedBefore = warmed
    const before = await stateOf(app.database)
    for (const path of ['/submissions', '/executions']) {
      const refused = await first.post(
        path,
        path === '/submissions' ? body : { release_id: release, input: { total: 1 } },
      )
      expect([refused.status, refused.headers.get('retry-after'), refused.body.code]).toEqual([
        503,
        String(limits.backlogRetrySeconds),
        'dependency_unavailable',
      ])
      expect(refused.body.detail).toContain('Nothing was changed')
    }
    expect(await stateOf(app.database)).toBe(before)
    const repeated = await first.post('/submissions', body, { 'idempotency-key': key })
    expect([repeated.status, repeated.body]).toEqual([202, made.body])
    expect(warmed).toBe(warmedBefore)
  })
})
