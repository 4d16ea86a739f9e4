import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { openBus } from '../../src/bus/bus.ts'
import { Lease } from '../../src/bus/lease.ts'
import type { Bus } from '../../src/bus/message-bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { epochMsOf, type Instant } from '../../src/core/instant.ts'
import { createLog } from '../../src/core/log.ts'
import { stepNames } from '../../src/core/steps.ts'
import { readClock } from '../../src/db/clock.ts'
import type { Database } from '../../src/db/database.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { claimReady } from '../../src/runner/claim.store.ts'
import { hasDisplacedStep, placeDueTimes } from '../../src/runner/due-times.store.ts'
import { startRunner } from '../../src/runner/runner.ts'
import { describeOnBothDialects, openTestDatabase, temporaryFolder } from '../support/database.ts'
import { plannedBy } from '../support/plan.ts'
import { until } from '../support/until.ts'
import { scriptedPool } from './scripted-pool.ts'
import { seedExecution } from './seed.ts'
import { untilEnded } from './snapshot.ts'

const log = createLog({ level: 'error', readable: true, write: () => {} })
const hourMs = 3_600_000
const waits = { backoffMs: 30_000, leaseMs: 15_000 }

/** A clock that was set back leaves rows whose times lie ahead: the same rows are made here, by setting them ahead. */
describeOnBothDialects('after the clock was set back', (dialect) => {
  let database: Database
  let bus: Bus
  let objects: ObjectStore
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
    bus = await openBus('embedded')
    objects = await openObjectStore(`file:${temporaryFolder()}`)
  })
  beforeEach(() => database.write((tx) => tx.q.delete(tx.t.steps)))
  afterAll(async () => {
    await bus.close()
    await database.close()
  })

  const ahead = async (column: 'available_at' | 'lease_expires_at', byMs: number, executionId: string) => {
    await database.write((tx) =>
      tx.rows(sql`update ${tx.t.steps} set ${sql.identifier(column)} = ${tx.clockPlus(byMs)}
        where execution_id = ${executionId} and position = 1`),
    )
  }
  const firstStep = async (executionId: string) => {
    const { steps } = database.read.t
    const rows = await database.read.q
      .select()
      .from(steps)
      .where(eq(steps.executionId, executionId))
      .orderBy(steps.position)
    return rows[0]!
  }
  const msFromNow = async (at: Instant | null) => epochMsOf(at!) - epochMsOf(await readClock(database))
  const start = () =>
    startRunner({
      ...{ database, objects, bus, log },
      pool: scriptedPool(),
      clock: systemClock,
      owner: 'this run',
      timing: { pollMs: 50, heartbeatMs: 50 },
    })

  test('a runner makes what was queued before, at its start and while it runs', async () => {
    const left = await seedExecution(database)
    await ahead('available_at', hourMs, left)
    const runner = start()
    expect((await untilEnded(database, left)).execution.status).toBe('completed')
    const held = await seedExecution(database, { parentId: left })
    await ahead('available_at', hourMs, held)
    await database.write((tx) =>
      tx.rows(sql`update ${tx.t.steps} set status = 'queued' where execution_id = ${held} and position = 1`),
    )
    expect((await untilEnded(database, held)).execution.status).toBe('completed')
    await runner.drain(1_000)
  })

  test('a step that waits its turn after a fault keeps its back-off', async () => {
    const id = await seedExecution(database)
    await ahead('available_at', 25_000, id)
    expect(await hasDisplacedStep(database.read, waits)).toBe(false)
    await database.write((tx) => placeDueTimes(tx, waits))
    expect(await msFromNow((await firstStep(id)).availableAt)).toBeGreaterThan(10_000)
  })

  test('a step is found and becomes due at any place in its execution', async () => {
    const id = await seedExecution(database)
    for (const [index] of stepNames.entries()) {
      const isThis = sql`execution_id = ${id} and position = ${index + 1}`
      await database.write((tx) =>
        tx.rows(
          sql`update ${tx.t.steps} set status = 'queued', available_at = ${tx.clockPlus(hourMs)} where ${isThis}`,
        ),
      )
      expect(await hasDisplacedStep(database.read, waits)).toBe(true)
      await database.write((tx) => placeDueTimes(tx, waits))
      expect(await hasDisplacedStep(database.read, waits)).toBe(false)
    }
  })

  test('to look for such steps reads none of those that wait as they should, however many they are', async () => {
    const [looked] = await plannedBy(database, () => hasDisplacedStep(database.read, waits))
    expect(looked?.plan).toMatch(
      dialect === 'sqlite'
        ? /steps_ready \(position=\? AND available_at>\?\)/
        : /steps_ready.*\n *Index Cond: [^\n]*position[^\n]*available_at/,
    )
  })

  test('a lease from before ends after its full time, so that a living owner can prolong it, and keeps its fence', async () => {
    const id = await seedExecution(database)
    await database.write((tx) => claimReady(tx, { owner: 'another', leaseMs: 15_000, limit: 5 }))
    expect(await hasDisplacedStep(database.read, waits)).toBe(false)
    await ahead('lease_expires_at', hourMs, id)
    const before = await firstStep(id)
    expect(await hasDisplacedStep(database.read, waits)).toBe(true)
    await database.write((tx) => placeDueTimes(tx, waits))
    const after = await firstStep(id)
    expect(await msFromNow(after.leaseExpiresAt)).toBeWithin(5_000, 15_001)
    expect([after.stateVersion, after.attempt, after.leaseOwner]).toEqual([before.stateVersion, 1, 'another'])
    expect(await hasDisplacedStep(database.read, waits)).toBe(false)
  })

  test('a role passes on after its full time, and not before', async () => {
    const leaseMs = 300
    const role = (owner: string) => new Lease(database, { name: 'role', owner, leaseMs })
    expect(await role('of before').hold()).toBe(true)
    await database.write((tx) => tx.rows(sql`update ${tx.t.leases} set expires_at = ${tx.clockPlus(hourMs)}`))
    const heir = role('heir')
    const askedMs = performance.now()
    expect(await heir.hold()).toBe(false)
    expect(heir.isHeld).toBe(false)
    await until('the role passes on', () => heir.hold())
    expect(performance.now() - askedMs).toBeGreaterThanOrEqual(leaseMs)
  })
})
