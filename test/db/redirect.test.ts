import { expect, test } from 'bun:test'
import { openDatabase } from '../../src/db/connect.ts'
import { onTestsEnd } from '../support/cleanup.ts'

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
