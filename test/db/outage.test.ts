import { expect, test } from 'bun:test'
import { createServer, connect as dial, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/database.ts'
import { isDatabaseUnavailable } from '../../src/db/unavailable.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { freePort, launchPostgres, postgresAvailable } from '../support/postgres.ts'
import { until } from '../support/until.ts'

/** A way to the server that can fall silent: connections stay open and are still taken, and nothing comes through. */
async function startWay(toPort: number) {
  const port = await freePort()
  const pairs: [Socket, Socket][] = []
  let isSilent = false
  const server = createServer({ pauseOnConnect: true }, (near) => {
    const far = dial(toPort, '127.0.0.1')
    pairs.push([near, far])
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
      from.pipe(to)
    }
    if (isSilent) for (const socket of [near, far]) socket.unpipe()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () => {
    for (const socket of pairs.flat()) socket.destroy()
    server.close()
  }
  onTestsEnd(close)
  return {
    port,
    fallSilent() {
      isSilent = true
      for (const socket of pairs.flat()) socket.unpipe()
    },
    speakAgain() {
      isSilent = false
      for (const socket of pairs.flat()) socket.destroy()
    },
  }
}

/** Waits for the errors of everything; fails when one of them got an answer, or is still waiting after the patience. */
async function allRefused(work: readonly Promise<unknown>[], patienceMs: number): Promise<unknown[]> {
  const settled = Promise.all(
    work.map((one) =>
      one.then(
        () => 'answered',
        (error: unknown) => error,
      ),
    ),
  )
  const outcome = await Promise.race([settled, Bun.sleep(patienceMs).then(() => 'still waiting')])
  expect(outcome).not.toBe('still waiting')
  return outcome as unknown[]
}

function askForty(database: Database): Promise<unknown>[] {
  const read = () => database.read.rows(sql`select 1`)
  const write = () => database.write((tx) => tx.rows(sql`select 1`))
  return Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? read() : write()))
}

test.if(postgresAvailable)(
  'a server that hangs or disappears is reported soon to all callers, and used again once it is back',
  async () => {
    const server = await launchPostgres()
    const url = new URL(await server.createDatabase())
    const way = await startWay(Number(url.port))
    url.port = String(way.port)
    const database = await openDatabase(url.href)
    await Promise.all(askForty(database))
    const isBack = () =>
      database.read.rows(sql`select 1`).then(
        () => true,
        () => false,
      )

    // In the middle of a transaction, and in the middle of a statement: the callers hold connections that are open still.
    const began = Promise.withResolvers<void>()
    const silenced = Promise.withResolvers<void>()
    const inTransaction = database.write(async (tx) => {
      await tx.rows(sql`select 1`)
      began.resolve()
      await silenced.promise
      await tx.rows(sql`select 2`)
    })
    const inStatement = database.read.rows(sql`select pg_sleep(60)`)
    const inBoth = database.write((tx) => tx.rows(sql`select pg_sleep(${60}::int)`))
    await began.promise
    way.fallSilent()
    silenced.resolve()
    // Some three seconds are meant; a driver left alone waits for minutes.
    for (const error of await allRefused([inTransaction, inStatement, inBoth, ...askForty(database)], 20_000)) {
      expect(isDatabaseUnavailable(error)).toBe(true)
    }
    // And again while it stays away.
    for (const error of await allRefused(askForty(database), 20_000)) expect(isDatabaseUnavailable(error)).toBe(true)
    way.speakAgain()
    await until('the database answers again', isBack, 20_000)
    await Promise.all(askForty(database))

    await server.crash()
    for (const error of await allRefused(askForty(database), 20_000)) expect(isDatabaseUnavailable(error)).toBe(true)
    await server.start()
    await until('the database answers again', isBack, 20_000)
    await Promise.all(askForty(database))
    await database.close()
  },
  120_000,
)

test.if(postgresAvailable)(
  'a statement may take longer than the server has to show that it is there',
  async () => {
    const server = await launchPostgres()
    const database = await openDatabase(await server.createDatabase())
    const rows = await database.read.rows(sql`select 'slept' as done from pg_sleep(4.5)`)
    expect(rows).toEqual([{ done: 'slept' }])
    await database.close()
  },
  120_000,
)

test('a server that resets every connection as soon as it is asked something ends its callers, not the process', async () => {
  let asked = 0
  const server = createServer((socket) => {
    let isGreeted = false
    socket.on('error', () => {})
    socket.on('data', () => {
      if (isGreeted) {
        asked++
        socket.resetAndDestroy()
        return
      }
      isGreeted = true
      // AuthenticationOk, then ReadyForQuery (idle).
      socket.write(Uint8Array.of(0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const database = await openDatabase(`postgres://quire@127.0.0.1:${port}/quire`)
  for (const error of await allRefused(askForty(database), 20_000)) expect(isDatabaseUnavailable(error)).toBe(true)
  // What is rejected and not handled ends a process a moment later.
  await Bun.sleep(200)
  expect(asked).toBeGreaterThan(0)
  await database.close()
  server.close()
})

test.if(postgresAvailable)(
  'of several servers, one whose machine falls silent or is off from the beginning keeps nobody from the other for long',
  async () => {
    const server = await launchPostgres()
    const url = new URL(await server.createDatabase())
    const direct = url.host
    const way = await startWay(Number(url.port))
    const named = (hosts: readonly string[]) => url.href.replace(direct, hosts.join())
    const askAll = (database: Database) => Promise.all(askForty(database)).then(() => true)

    const database = await openDatabase(named([`127.0.0.1:${way.port}`, direct]))
    await askAll(database)
    way.fallSilent()
    await until('the other server is asked', () => askAll(database).catch(() => false), 15_000)
    // And it stays so, also for connections that are opened later.
    for (let round = 0; round < 4; round++) {
      expect(await askAll(database)).toBe(true)
      await Bun.sleep(500)
    }
    await database.close()

    // A command that begins then is not broken off either.
    const later = await openDatabase(named([`127.0.0.1:${way.port}`, direct]))
    const begun = performance.now()
    expect(await askAll(later)).toBe(true)
    expect(performance.now() - begun).toBeLessThan(10_000)
    while (performance.now() - begun < 6_000) {
      expect(await askAll(later)).toBe(true)
      await Bun.sleep(200)
    }
    await later.close()
  },
  60_000,
)
