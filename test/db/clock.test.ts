import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { epochMsOf } from '../../src/core/instant.ts'
import { createLog } from '../../src/core/log.ts'
import { readClock, startDatabaseClock } from '../../src/db/clock.ts'
import type { Connection, Database } from '../../src/db/database.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const logged: string[] = []
const log = createLog({ level: 'warn', readable: false, write: (line) => logged.push(line) })

/** The database with a clock that can be set; everything else is the real one's. */
function withSettableClock(database: Database) {
  const state = { byMs: 0, isAway: false }
  const read = new Proxy(database.read, {
    get(target, name, receiver) {
      if (state.isAway && name === 'rows') return () => Promise.reject(new Error('away'))
      return name === 'clock' ? target.clockPlus(state.byMs) : Reflect.get(target, name, receiver)
    },
  }) as Connection
  return {
    state,
    database: new Proxy(database, {
      get: (target, name) => (name === 'read' ? read : Reflect.get(target, name).bind?.(target)),
    }),
  }
}

describeOnBothDialects('the clock of a shared database', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
  })
  afterAll(() => database.close())

  test('tells the time of the database, however wrong the clock of the machine is', async () => {
    const trueNow = Date.now.bind(Date)
    const spy = spyOn(Date, 'now').mockImplementation(() => trueNow() + 7_200_000)
    const clock = await startDatabaseClock(database, log)
    const [before, now, after] = [await readClock(database), clock.now(), await readClock(database)]
    spy.mockRestore()
    clock.stop()
    expect(epochMsOf(now)).toBeWithin(epochMsOf(before) - 500, epochMsOf(after) + 500)
  })

  test('follows the database when its clock is set, says so, and goes on by itself while it is away', async () => {
    const { state, database: shifted } = withSettableClock(database)
    const clock = await startDatabaseClock(shifted, log, 20)
    const offMs = () => epochMsOf(clock.now()) - Date.now()
    logged.length = 0
    for (const byMs of [-3_600_000, 3_600_000]) {
      state.byMs = byMs
      await until('the step is seen', () => Math.abs(offMs() - byMs) < 2_000, 10_000)
    }
    expect(logged.filter((line) => line.includes('the clock of the database was set'))).not.toEqual([])
    state.isAway = true
    const before = clock.now()
    await Bun.sleep(100)
    expect(epochMsOf(clock.now()) - epochMsOf(before)).toBeWithin(90, 5_000)
    clock.stop()
  })
})
