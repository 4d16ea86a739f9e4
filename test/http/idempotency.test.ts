import { beforeAll, expect, test } from 'bun:test'
import { like, sql } from 'drizzle-orm'
import { Fault } from '../../src/core/faults.ts'
import { newId } from '../../src/core/ids.ts'
import { addMs, type Instant, parseInstant } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import type { Database } from '../../src/db/database.ts'
import { sweepIdempotency, withIdempotency } from '../../src/http/idempotency.ts'
import { type IdempotentRequest, requestHashOf } from '../../src/http/idempotent-request.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'

const now = parseInstant('2026-11-20T09:30:00Z')!
const hashOf = (name: string) => requestHashOf({ method: 'POST', path: '/x', ifMatch: null, body: { name } })
const hashes = { a: await hashOf('a'), b: await hashOf('b') }
const request = (key: string, name: 'a' | 'b' = 'a', actorId = 'actor'): IdempotentRequest => ({
  actorId,
  key,
  requestHash: hashes[name],
})

describeOnBothDialects('idempotency keys', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
  })

  /** The effect is a row in a real table, so that effects are counted where they count. */
  const run = (given: IdempotentRequest, options: { at?: Instant; refuse?: Error; onEffect?: () => void } = {}) =>
    database.write((tx) =>
      withIdempotency(tx, options.at ?? now, given, async () => {
        options.onEffect?.()
        const id = newId()
        const times = { createdAt: now, updatedAt: now }
        const flags = { mustChangePassword: false, disabled: false, passwordHash: '' }
        await tx.q
          .insert(tx.t.users)
          .values({ id, username: id, displayName: given.key, roles: [], ...flags, ...times })
        if (options.refuse !== undefined) throw options.refuse
        return { status: 201, body: { id } }
      }),
    )

  const effectsOf = async (key: string) => {
    const rows = await database.read.q.select().from(database.read.t.users)
    return rows.filter(({ displayName }) => displayName === key).length
  }

  test('an exact replay answers the first answer and has no second effect', async () => {
    const first = await run(request('replay-1'))
    const second = await run(request('replay-1'))
    expect([first.replayed, second.replayed]).toEqual([false, true])
    expect(second.answer).toEqual(first.answer)
    expect(await effectsOf('replay-1')).toBe(1)
  })

  test('many keys that are looked for together answer each its own, and a damaged answer fails nobody else', async () => {
    const known = Array.from({ length: 20 }, (_, place) => request(`together-${place}`, 'a', `actor-${place % 3}`))
    const answers = new Map<string, object>()
    for (const one of known) answers.set(one.key, (await run(one)).answer)
    const isSqlite = dialect === 'sqlite'
    const damaged = isSqlite ? 'together-3' : undefined
    // On PostgreSQL the column takes JSON only.
    if (isSqlite) {
      await database.write((tx) => tx.rows(sql`update idempotency set body = '{' where key = ${damaged}`))
    }
    const strange = known.map(({ key, actorId }) => request(key, 'a', `${actorId}-of-others`))
    const fresh = Array.from({ length: 5 }, (_, place) => request(`together-new-${place}`))
    const given = [...known.flatMap((one, index) => [one, strange[index]!]), ...fresh]
    const effect = async () => ({ status: 201, body: { id: 'new' } })
    const outcomes = await Promise.allSettled(
      given.map((one) => database.write((tx) => withIdempotency(tx, now, one, effect), 'submissions')),
    )
    for (const [index, one] of given.entries()) {
      const outcome = outcomes[index]
      const isKnown = known.includes(one)
      const answer = isKnown ? answers.get(one.key) : { status: 201, body: { id: 'new' } }
      if (isKnown && one.key === damaged) expect(outcome?.status).toBe('rejected')
      else expect<object | undefined>(outcome).toEqual({ status: 'fulfilled', value: { answer, replayed: isKnown } })
    }
    // Other tests read all records.
    await database.write((tx) => tx.rows(sql`delete from idempotency where key = 'together-3'`))
  })

  test('other content under a used key conflicts and has no effect', async () => {
    await run(request('other-1'))
    expect(await rejectionOf(run(request('other-1', 'b')))).toMatchObject({ code: 'conflict' })
    expect(await effectsOf('other-1')).toBe(1)
  })

  test('a key belongs to its actor', async () => {
    await run(request('shared-1', 'a', 'one'))
    const { replayed } = await run(request('shared-1', 'b', 'two'))
    expect(replayed).toBe(false)
  })

  test('a refused effect leaves nothing and does not use the key up', async () => {
    const refuse = new Fault('conflict', 'taken')
    expect(await rejectionOf(run(request('refused-1'), { refuse }))).toBe(refuse)
    expect(await effectsOf('refused-1')).toBe(0)
    expect((await run(request('refused-1', 'b'))).replayed).toBe(false)
    expect(await effectsOf('refused-1')).toBe(1)
  })

  test('only an answer of success is recorded; an effect that answers a refusal is a fault of ours', async () => {
    const answering = (key: string, status: number) =>
      database.write((tx) => withIdempotency(tx, now, request(key), async () => ({ status, body: {} })))
    for (const status of [199, 300, 409]) {
      expect(await outcomeOf(answering(`status-${status}`, status))).toThrow('must throw to refuse')
      expect((await answering(`status-${status}`, 200)).replayed).toBe(false)
    }
    for (const status of [200, 299]) {
      await answering(`kept-${status}`, status)
      expect(await answering(`kept-${status}`, 204)).toEqual({ answer: { status, body: {} }, replayed: true })
    }
  })

  test('the sweep removes the records that hold no longer, and no other', async () => {
    const keysLeft = async () => {
      const rows = await database.read.q.select().from(database.read.t.idempotency)
      return rows
        .map(({ key }) => key)
        .filter((key) => key.startsWith('swept-'))
        .toSorted()
    }
    await run(request('swept-1'))
    await run(request('swept-2'), { at: addMs(now, 1) })
    await sweepIdempotency(database, addMs(now, limits.idempotencyMs))
    expect(await keysLeft()).toEqual(['swept-1', 'swept-2'])
    await sweepIdempotency(database, addMs(now, limits.idempotencyMs + 1))
    expect(await keysLeft()).toEqual(['swept-2'])
  })

  test('the sweep leaves the database to others after every so many, the oldest first', async () => {
    const some = 2 * limits.idempotencySweepRows + 1
    const rows = Array.from({ length: some }, (_, index) => ({
      ...{ ...request(`old-${index}`), status: 201, body: {} },
      createdAt: addMs(now, index - limits.idempotencyMs - some),
    }))
    // The newest come first, as nobody would find the oldest by chance.
    for (let to = some; to > 0; to -= 100) {
      const batch = rows.slice(Math.max(0, to - 100), to).reverse()
      await database.write((tx) => tx.q.insert(tx.t.idempotency).values(batch))
    }
    const { idempotency } = database.read.t
    const left = async () => {
      const kept = await database.read.q
        .select({ key: idempotency.key })
        .from(idempotency)
        .where(like(idempotency.key, 'old-%'))
      return { count: kept.length, oldest: Math.min(some, ...kept.map(({ key }) => Number(key.slice('old-'.length)))) }
    }
    const after: { count: number; oldest: number }[] = []
    const write: Database['write'] = async (work) => {
      const result = await database.write(work)
      after.push(await left())
      return result
    }
    await sweepIdempotency({ ...database, write }, now)
    const rest = (count: number) => ({ count, oldest: some - count })
    expect(after).toEqual([limits.idempotencySweepRows + 1, 1, 0].map(rest))
  })

  test('fifty requests at once under one key have one effect and one answer', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => run(request('race-1'))))
    expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(new Set(all.map(({ answer }) => JSON.stringify(answer))).size).toBe(1)
    expect(await effectsOf('race-1')).toBe(1)
  })

  test('when the first of several at once is refused, another becomes the first', async () => {
    const refuse = new Error('crashed in the middle')
    const claimed = Promise.withResolvers<void>()
    const first = run(request('race-2'), { refuse, onEffect: claimed.resolve })
    await claimed.promise
    const others = await Promise.all([
      ...Array.from({ length: 10 }, () => run(request('race-2'))),
      first.catch(() => undefined),
    ])
    expect(await rejectionOf(first)).toBe(refuse)
    expect(others.filter((one) => one?.replayed === false)).toHaveLength(1)
    expect(await effectsOf('race-2')).toBe(1)
  })

  test('a record holds for seven days and is then forgotten', async () => {
    await run(request('old-1'))
    const lastMoment = addMs(now, limits.idempotencyMs)
    expect((await run(request('old-1'), { at: lastMoment })).replayed).toBe(true)
    expect((await run(request('old-1', 'b'), { at: addMs(lastMoment, 1) })).replayed).toBe(false)
    expect(await effectsOf('old-1')).toBe(2)
  })
})

test('the request hash covers method, path, If-Match and the body whatever its spelling', async () => {
  const base = { method: 'PUT', path: '/a', ifMatch: '"1"', body: { a: 1, b: [1, 2] } }
  const changed = [
    { method: 'POST' },
    { path: '/b' },
    { ifMatch: '"2"' },
    { ifMatch: null },
    { body: { a: 1, b: [2, 1] } },
  ]
  const hashes = await Promise.all([base, ...changed.map((change) => ({ ...base, ...change }))].map(requestHashOf))
  expect(new Set(hashes).size).toBe(hashes.length)
  expect(await requestHashOf({ ...base, body: { b: [1, 2], a: 1.0 } })).toBe(hashes[0]!)
})
