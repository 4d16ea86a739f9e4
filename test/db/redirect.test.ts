import { expect, jest, spyOn, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { causesOf } from '../../src/core/error-cause.ts'
import { limits } from '../../src/core/limits.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { isDatabaseUnavailable } from '../../src/db/unavailable.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { rejectionOf } from '../support/outcome.ts'

test('a libSQL server that redirects is not followed: no statement goes to another host', async () => {
  const asked: string[] = []
  const other = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      asked.push(request.url)
      return new Response('{}', { status: 400 })
    },
  })
  let redirected = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      redirected++
      return Response.redirect(`http://127.0.0.1:${other.port}${new URL(request.url).pathname}`, 307)
    },
  })
  onTestsEnd(() => Promise.all([server.stop(true), other.stop(true)]).then(() => {}))
  const refused = await openDatabase(`http://127.0.0.1:${server.port}?authToken=abc`)
    .then((database) => database.read.q.select().from(database.read.t.users))
    .then(
      () => 'answered',
      () => 'refused',
    )
  expect(refused).toBe('refused')
  expect(redirected).toBeGreaterThan(0)
  expect(asked).toEqual([])
})

test('a libSQL server that takes a statement and says nothing counts as away after its time, and another fault is told as it is', async () => {
  const { promise: silence, resolve: end } = Promise.withResolvers<Response>()
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => silence })
  onTestsEnd(async () => {
    end(new Response())
    await server.stop(true)
  })
  const url = `http://127.0.0.1:${server.port}?authToken=abc`
  const isOver = new AbortController()
  const timeout = spyOn(AbortSignal, 'timeout').mockImplementation(() => isOver.signal)
  try {
    const database = await openDatabase(url)
    const asked = rejectionOf(database.read.rows(sql`select 1`))
    isOver.abort(new DOMException('over', 'TimeoutError'))
    const error = await asked
    expect(isDatabaseUnavailable(error)).toBe(true)
    const told = [...causesOf(error)].map(String).join()
    expect(told).toContain(`the libSQL server did not answer within ${limits.databaseRequestMs / 1_000} s`)
    expect(timeout.mock.calls.every(([ms]) => ms === limits.databaseRequestMs)).toBe(true)
  } finally {
    jest.restoreAllMocks()
  }
  await server.stop(true)
  const refused = await rejectionOf((await openDatabase(url)).read.rows(sql`select 1`))
  expect([...causesOf(refused)].map(String).join()).not.toContain('did not answer within')
})
