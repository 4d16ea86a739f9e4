import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { clientOpener, forReading, RenewedClient } from '../../src/db/libsql-connection.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'

async function renewable() {
  const open = await clientOpener(join(temporaryFolder(), 'quire # 100 %.db'))
  const first = open('create')
  let opened = 0
  const client = new RenewedClient(first, () => {
    opened++
    return forReading(open('existing'))
  })
  const fail = (code: string) => client.watch(Promise.reject(Object.assign(new Error(code), { code }))).catch(() => {})
  return { client, first, fail, opened: () => opened }
}

test.each(['SQLITE_IOERR', 'SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_CANTOPEN'])(
  'a connection is replaced after %s, because nobody knows what its cache holds',
  async (code) => {
    const { client, first, fail, opened } = await renewable()
    expect(await client.get()).toBe(first)
    await fail(code)
    const second = await client.get()
    expect(second).not.toBe(first)
    expect(first.closed).toBe(true)
    expect((await second.execute('select 1 as one')).rows[0]?.one).toBe(1)
    expect(await client.get()).toBe(second)
    expect(opened()).toBe(1)
    client.close()
  },
)

test('a connection stays after a refusal that says nothing about the disk', async () => {
  const { client, first, fail } = await renewable()
  for (const code of ['SQLITE_CONSTRAINT', 'SQLITE_BUSY', 'SQLITE_ERROR', 'SQLITE_FULL']) await fail(code)
  expect(await client.get()).toBe(first)
  client.close()
})

test('a connection that can not be replaced yet is tried again by the next caller', async () => {
  const open = await clientOpener(join(temporaryFolder(), 'quire.db'))
  let tries = 0
  const client = new RenewedClient(open('create'), () =>
    ++tries === 1 ? Promise.reject(new Error('still failing')) : forReading(open('existing')),
  )
  await client.watch(Promise.reject(Object.assign(new Error('x'), { code: 'SQLITE_IOERR' }))).catch(() => {})
  expect(await outcomeOf(client.get())).toThrow('still failing')
  expect((await (await client.get()).execute('select 1 as one')).rows).toHaveLength(1)
  client.close()
})

test('a connection for an existing file never makes one', async () => {
  const path = join(temporaryFolder(), 'quire.db')
  const open = await clientOpener(path)
  expect(() => open('existing')).toThrow("the database file can't be opened")
  expect(await Bun.file(path).exists()).toBe(false)
})
