import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openBus } from '../../src/bus/bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createLog } from '../../src/core/log.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import type { Point } from '../../src/runner/dependencies.ts'
import { startRunner } from '../../src/runner/runner.ts'
import { describeOnBothDialects, emptyDatabaseUrl, temporaryFolder } from '../support/database.ts'
import { scriptedPool } from './scripted-pool.ts'
import { endLeases, LONG_AGO_MS, seedExecution } from './seed.ts'
import { readExecution, untilEnded } from './snapshot.ts'

const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })

interface Place {
  point: Point
  step: string
  /** How often each step had been begun when the execution was done. */
  attempts: number[]
}

const places: Place[] = [
  { point: 'claimed', step: 'validate', attempts: [2, 1, 1, 1] },
  { point: 'computed', step: 'validate', attempts: [2, 1, 1, 1] },
  { point: 'claimed', step: 'compose', attempts: [1, 1, 2, 1] },
  { point: 'object-stored', step: 'compose', attempts: [1, 1, 2, 1] },
  { point: 'before-record', step: 'render', attempts: [1, 1, 1, 2] },
  { point: 'recorded', step: 'compose', attempts: [1, 1, 1, 2] },
]

describeOnBothDialects('a runner that is killed', (dialect) => {
  let url: string
  let objectsUrl: string
  beforeAll(async () => {
    url = await emptyDatabaseUrl(dialect)
    objectsUrl = `file:${temporaryFolder()}`
    const database = await openDatabase(url)
    await migrate(database)
    await database.close()
  })
  afterAll(() => {})

  for (const { point, step, attempts } of places) {
    test(`loses nothing and doubles nothing at ${point} of ${step}`, async () => {
      const database = await openDatabase(url)
      const id = await seedExecution(database)
      // A second process on the same SQLite file must not find this one's connections busy.
      if (dialect === 'sqlite') await database.close()
      const child = Bun.spawn([process.execPath, join(import.meta.dir, 'child.ts'), url, objectsUrl, point, step], {
        stderr: 'inherit',
      })
      await child.exited
      expect(child.signalCode).toBe('SIGKILL')

      const reopened = dialect === 'sqlite' ? await openDatabase(url) : database
      const halfway = await readExecution(reopened, id)
      expect(halfway.execution.status).not.toBe('completed')
      await reopened.write((tx) => endLeases(tx, LONG_AGO_MS))
      const bus = await openBus('embedded')
      const objects = await openObjectStore(objectsUrl)
      const runner = startRunner({
        database: reopened,
        objects,
        pool: scriptedPool(),
        bus,
        clock: systemClock,
        log,
        owner: 'successor',
        timing: { pollMs: 50 },
      })
      const { execution, steps, artifacts, events } = await untilEnded(reopened, id)
      expect(execution.status).toBe('completed')
      expect(steps.map((row) => row.status)).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded'])
      expect(steps.map((row) => row.attempt)).toEqual(attempts)
      expect(artifacts.map((row) => row.kind)).toEqual(['docx', 'pdf'])
      for (const artifact of artifacts) {
        expect((await objects.get(artifact.contentHash))?.length).toBe(artifact.byteSize)
      }
      const told = (type: string) => events.filter((event) => event.type === type).length
      expect([told('step.succeeded'), told('completed'), told('failed')]).toEqual([4, 1, 0])
      expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1))
      expect(new Set(events.map((event) => event.id)).size).toBe(events.length)
      await runner.drain(1_000)
      await bus.close()
      await reopened.close()
    }, 120_000)
  }
})
