/**
 * A process with a runner in it that kills itself at a named point, for kill.test.ts. Arguments: database URL, object
 * store URL, the point, and the step at which it applies.
 */
import { openBus } from '../../src/bus/bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createLog } from '../../src/core/log.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { startRunner } from '../../src/runner/runner.ts'
import { scriptedPool } from './scripted-pool.ts'

const [databaseUrl, objectsUrl, point, step] = process.argv.slice(2) as [string, string, string, string]
startRunner({
  database: await openDatabase(databaseUrl),
  objects: await openObjectStore(objectsUrl),
  pool: scriptedPool(),
  bus: await openBus('embedded'),
  clock: systemClock,
  log: createLog({ level: 'warn', readable: true, write: (line) => process.stderr.write(line) }),
  owner: `child-${process.pid}`,
  onPoint: (reached, claim) => {
    if (reached === point && claim.name === step) process.kill(process.pid, 'SIGKILL')
  },
})
