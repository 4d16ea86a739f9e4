import { expect, test } from 'bun:test'
import { embeddedAddressOf } from '../../src/bus/embedded-address.ts'
import { startPresence } from '../../src/bus/presence.ts'
import { instantFromEpochMs } from '../../src/core/instant.ts'
import { createLog } from '../../src/core/log.ts'
import { PRODUCT_VERSION } from '../../src/core/version.ts'
import type { Database } from '../../src/db/database.ts'
import { runningInstances } from '../../src/db/instances.ts'
import { openTestDatabase } from '../support/database.ts'

const lines: string[] = []
const log = createLog({ level: 'warn', readable: false, write: (line) => lines.push(line) })
const present = async (database: Database) => (await runningInstances(database.read)).map(({ owner }) => owner)

/** A lease that ends so many milliseconds from now. */
function lease(database: Database, name: string, ms: number) {
  const expiresAt = instantFromEpochMs(Date.now() + ms)
  return database.write((tx) => tx.q.insert(tx.t.leases).values({ name, owner: 'another', expiresAt }))
}

test('an instance is there with its version until it stops, and then at once no more', async () => {
  const database = await openTestDatabase('sqlite')
  const [one, other] = ['one', 'other'].map((owner) => startPresence({ database, owner, log }))
  await Promise.all([one?.first, other?.first])
  expect(await runningInstances(database.read)).toEqual([
    { version: PRODUCT_VERSION, owner: 'one' },
    { version: PRODUCT_VERSION, owner: 'other' },
  ])
  await one?.stop(5_000)
  expect(await present(database)).toEqual(['other'])
  await other?.stop(5_000)
  expect(await database.read.q.select().from(database.read.t.leases)).toEqual([])
})

test('an instance that ended silently is cleared away by the next, which leaves all else as it is', async () => {
  const database = await openTestDatabase('sqlite')
  await lease(database, 'instance/0.1.0/silent', -1_000)
  await lease(database, 'instance/0.1.0/living', 60_000)
  await lease(database, 'audit-sealer', -1_000)
  expect(await present(database)).toEqual(['another'])
  const presence = startPresence({ database, owner: 'one', log })
  await presence.first
  const names = (await database.read.q.select().from(database.read.t.leases)).map(({ name }) => name).sort()
  expect(names).toEqual(['audit-sealer', 'instance/0.1.0/living', `instance/${PRODUCT_VERSION}/one`])
  await presence.stop(5_000)
})

test('a database that is away neither ends an instance nor keeps it from stopping', async () => {
  const database = await openTestDatabase('sqlite')
  await database.close()
  const presence = startPresence({ database, owner: 'one', log })
  await presence.first
  await presence.stop(5_000)
  expect(lines).toEqual([])
})

test('the address of an embedded broker is read whole, and anything else is none', () => {
  expect(embeddedAddressOf('embedded://127.0.0.1:1883')).toEqual({ host: '127.0.0.1', port: 1883, isEncrypted: false })
  expect(embeddedAddressOf('embedded+tls://[::1]:65535/')).toEqual({ host: '::1', port: 65_535, isEncrypted: true })
  expect(embeddedAddressOf('embedded://a%40b:c%3Ad@h:0')).toEqual({
    ...{ host: 'h', port: 0, isEncrypted: false },
    credentials: { user: 'a@b', password: 'c:d' },
  })
  expect(embeddedAddressOf('embedded://u:@h:1')).toMatchObject({ credentials: { user: 'u', password: '' } })
  for (const url of [
    ...[
      'embedded://h:65536',
      'embedded://h',
      'embedded://:1',
      'xembedded://h:1',
      'embedded://h:1/x',
      'embedded://u@h:1',
    ],
    ...['embedded+ssl://h:1', 'embedded://u:%@h:1', 'embedded://[::1:1', 'embedded://h:123456', 'embedded://[g]:1'],
  ])
    expect([url, embeddedAddressOf(url)]).toEqual([url, undefined])
})
