import { afterAll, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { createLog } from '../../../src/core/log.ts'
import { systemTimers } from '../../../src/core/timers.ts'
import type { Database } from '../../../src/db/database.ts'
import { createAnnouncer } from '../../../src/modules/audit/audit.announcer.ts'
import { headLine, signedHead, signHead } from '../../../src/modules/audit/audit.heads.ts'
import { insertHead } from '../../../src/modules/audit/audit.store.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { signing } from '../../support/signing.ts'

const at = instantOf('2026-11-20T09:30:00Z')
let database: Database
let nowMs: number
let logged: string[]

beforeEach(async () => {
  database ??= await openTestDatabase('sqlite')
  await database.write(async ({ q, t }) => {
    await q.delete(t.auditHeads)
    await q.delete(t.events)
  })
  nowMs = 1_000
  logged = []
})
afterAll(() => database.close())

const announcerTo = (file?: string) =>
  createAnnouncer({
    ...{ database, clock: { now: () => at }, timers: { ...systemTimers, nowMs: () => nowMs } },
    log: createLog({ level: 'info', readable: false, write: (line) => logged.push(line) }),
    ...(file === undefined ? {} : { file }),
  })
async function sign(position: number) {
  const head = signHead({ store: 'store-1', position, hash: `hash-${position}`, at }, signing)
  await database.write((tx) => insertHead(tx, head))
  return head
}
async function events() {
  const { events: all } = database.read.t
  const rows = await database.read.q.select().from(all).orderBy(all.sequence, all.id)
  return rows.map(({ aggregate, aggregateId, type, data }) => ({ aggregate, aggregateId, type, data }))
}

test('a head is due when one was signed and a minute is over, and then once', async () => {
  const announcer = announcerTo()
  nowMs += limits.auditAnnounceMs
  expect(announcer.isDue()).toBe(false)
  announcer.expect()
  expect(announcer.isDue()).toBe(true)
  nowMs -= 1
  expect(announcer.isDue()).toBe(false)
  nowMs += 1
  await sign(1)
  await announcer.announce()
  expect(announcer.isDue()).toBe(false)
  announcer.expect()
  nowMs += limits.auditAnnounceMs - 1
  expect(announcer.isDue()).toBe(false)
  nowMs += 1
  expect(announcer.isDue()).toBe(true)
})

test('the newest head is told of as an event, each once, and nothing where none is expected', async () => {
  const announcer = announcerTo()
  await sign(1)
  const head = await sign(2)
  await announcer.announce()
  expect(await events()).toEqual([])
  announcer.expect()
  await announcer.announce()
  const told = { aggregate: 'audit', aggregateId: 'store-1', type: 'head.signed', data: signedHead(head) }
  expect(await events()).toEqual([told])
  announcer.expect()
  await announcer.announce()
  expect(await events()).toEqual([told])
  const next = await sign(3)
  announcer.expect()
  await announcer.announce()
  expect(await events()).toEqual([told, { ...told, data: signedHead(next) }])
})

test('each head becomes one line of the file, and one that could not be written is tried again', async () => {
  const file = join(temporaryFolder(), 'heads')
  const announcer = announcerTo(file)
  const head = await sign(1)
  announcer.expect()
  await announcer.announce()
  announcer.expect()
  await announcer.announce()
  expect(readFileSync(file, 'utf8')).toBe(headLine(head))
  expect([(await events()).length, logged]).toEqual([1, []])

  const blocked = join(temporaryFolder(), 'blocked')
  mkdirSync(blocked)
  const other = announcerTo(blocked)
  other.expect()
  await other.announce()
  expect(logged).toEqual([expect.stringContaining('the head of the audit trail could not be written')])
  nowMs += limits.auditAnnounceMs
  // It is still expected, without another head, and told of no second time.
  expect(other.isDue()).toBe(true)
  rmdirSync(blocked)
  await other.announce()
  expect([readFileSync(blocked, 'utf8'), other.isDue(), (await events()).length]).toEqual([headLine(head), false, 2])
})

test('a head is a line of its own where a full disk broke the line before it off', async () => {
  const file = join(temporaryFolder(), 'heads')
  const announcer = announcerTo(file)
  const first = await sign(1)
  const begun = headLine(first).slice(0, 40)
  writeFileSync(file, begun)
  announcer.expect()
  await announcer.announce()
  expect(readFileSync(file, 'utf8')).toBe(`${begun}\n${headLine(first)}`)
  const next = await sign(2)
  announcer.expect()
  await announcer.announce()
  expect(readFileSync(file, 'utf8')).toBe(`${begun}\n${headLine(first)}${headLine(next)}`)
})

test('without any head nothing is told, and one that comes is expected still', async () => {
  const file = join(temporaryFolder(), 'heads')
  const announcer = announcerTo(file)
  announcer.expect()
  await announcer.announce()
  expect([await events(), existsSync(file)]).toEqual([[], false])
  nowMs += limits.auditAnnounceMs
  expect(announcer.isDue()).toBe(true)
})
