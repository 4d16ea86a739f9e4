import { describe, expect, test } from 'bun:test'
import { Fault } from '../../src/core/faults.ts'
import { RateCounter, rateOf } from '../../src/http/rates.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { jsonOf, startTestApp, testAuthor } from './harness.ts'

describe('a counter of rates', () => {
  const ada = { userId: 'ada' }
  const token = { userId: 'ada', token: { id: 'token-1', scopes: [], families: undefined } }

  /** Counts until it is refused: how many were let in, and the seconds to wait. */
  function exhaust(counter: RateCounter, caller: typeof ada, name: 'reads' | 'changes' | 'costly' = 'reads') {
    for (let allowed = 0; allowed < 1_000; allowed++) {
      try {
        counter.count(name, caller)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        return [allowed, error.code, error.extras.retryAfterSeconds]
      }
    }
    throw new Error('never refused')
  }

  test('lets a minute’s requests come at once, and then as evenly as they are due', () => {
    let nowMs = 1_000
    const counter = new RateCounter({ reads: 7, changes: 1, costly: 1 }, () => nowMs)
    expect(exhaust(counter, ada)).toEqual([7, 'rate_limited', 9])
    nowMs += 8_000
    expect(exhaust(counter, ada)).toEqual([0, 'rate_limited', 1])
    nowMs += 1_000
    expect(exhaust(counter, ada)).toEqual([1, 'rate_limited', 9])
    nowMs += 3_600_000
    expect(exhaust(counter, ada)).toEqual([7, 'rate_limited', 9])
  })

  test('counts each user, each token and each kind of request apart', () => {
    const counter = new RateCounter({ reads: 3, changes: 2, costly: 1 }, () => 0)
    expect(exhaust(counter, ada)).toEqual([3, 'rate_limited', 20])
    expect(exhaust(counter, ada, 'changes')).toEqual([2, 'rate_limited', 30])
    expect(exhaust(counter, ada, 'costly')).toEqual([1, 'rate_limited', 60])
    expect(exhaust(counter, token)).toEqual([3, 'rate_limited', 20])
    expect(exhaust(counter, { userId: 'ben' })).toEqual([3, 'rate_limited', 20])
  })

  test('takes an operation for costly before it asks for the method', () => {
    const plain = { isTrial: false, isCostly: false }
    expect(rateOf({ method: 'GET', ...plain })).toBe('reads')
    expect(rateOf({ method: 'DELETE', ...plain })).toBe('changes')
    expect(rateOf({ method: 'POST', ...plain, isTrial: true })).toBe('costly')
    expect(rateOf({ method: 'GET', ...plain, isCostly: true })).toBe('costly')
  })
})

test('requests beyond the rate are 429 with Retry-After, on every surface, for this caller alone', async () => {
  const rates = new RateCounter({ reads: 2, changes: 1, costly: 1 }, () => 0)
  const started = await startTestApp('sqlite', { rates })
  onTestsEnd(() => started.database.close())
  const { id } = await started.addUser('ada', ['administrator'])
  await started.addUser('ben', ['administrator'])
  const [ada, ben] = [await started.signIn('ada'), await started.signIn('ben')]
  const scopes = ['configuration_read', 'audit_read'] as const
  const { text } = await started.tokens.create({ name: 'x', userId: id, scopes, days: 1 }, testAuthor)
  const token = { authorization: `Bearer ${text}` }
  const get = async (path: string, headers: Record<string, string>) =>
    started.send({ path: `/api/v1/${path}`, headers })

  for (const path of ['contracts', 'transformers']) expect((await get(path, ada)).status).toBe(200)
  // Of the general surface and of configuration, whose problems have no code for it.
  for (const path of ['contracts', 'transformers']) {
    const refused = await get(path, ada)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
    const problem = await jsonOf(refused)
    expect([problem.code, problem.detail]).toEqual([
      'rate_limited',
      'You may send 2 requests that read in a minute. Nothing was changed. Send the request again in 30 s.',
    ])
    expect(problem).not.toHaveProperty('errors')
  }
  expect(
    started.logged.filter((line) => line.includes('a request was refused') && line.includes('"status":429')).length,
  ).toBe(2)

  // A costly read has a quota of its own, and so have the token and everybody else.
  expect((await get('audit/verify', ada)).status).toBe(200)
  expect((await get('audit/verify', ada)).status).toBe(429)
  for (const caller of [token, ben]) {
    for (const status of [200, 200, 429]) expect((await get('contracts', caller)).status).toBe(status)
  }
  // What is refused for another reason first is refused for that.
  expect((await get('contracts', {})).status).toBe(401)
  expect((await get('admin/users', token)).status).toBe(403)
  const change = { method: 'POST', path: '/api/v1/admin/users', body: {} }
  expect((await started.send({ ...change, headers: ada })).status).toBe(422)
  expect((await started.send({ ...change, headers: ada })).status).toBe(429)
  expect((await started.send({ ...change, headers: { ...ada, origin: 'https://elsewhere.example' } })).status).toBe(403)
  expect((await started.login('ada')).status).toBe(200)
})
