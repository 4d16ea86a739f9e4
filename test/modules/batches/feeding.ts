/**
 * For killed-feeder.test.ts: feeds the batches of a database, and notes how their rows ended, until there is nothing left to submit. Arguments: the database,
 * the objects, and the point at which it kills itself, with how often it passes that before.
 */
import { systemClock } from '../../../src/core/clock.ts'
import { createLog } from '../../../src/core/log.ts'
import { openDatabase } from '../../../src/db/connect.ts'
import { openFeeder } from '../../../src/modules/batches/batches.feeder.service.ts'
import { type BatchRecord, listRunning, listWaiting } from '../../../src/modules/batches/batches.store.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { createSubmissionService } from '../../../src/modules/submissions/submissions.service.ts'
import { openObjectStore } from '../../../src/objects/objects.ts'
import { signing } from '../../support/signing.ts'

const [url, objectsUrl, point, passes] = process.argv.slice(2) as [string, string, string?, string?]
const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
const database = await openDatabase(url)
database.attestWith?.(signing.attest)
const judge = judgeHere
let left = Number(passes ?? 0)
const feeder = openFeeder({
  ...{ database, judge, log, clock: systemClock, isLeader: async () => true },
  objects: await openObjectStore(objectsUrl),
  submissions: createSubmissionService({ database, judge }),
  onPoint(passed) {
    if (passed === point && left-- === 0) process.kill(process.pid, 'SIGKILL')
  },
})
const hasMore = async ({ id, nextRow, rows }: BatchRecord) =>
  nextRow <= rows || (await listWaiting(database.read, id, 1)).length > 0
for (;;) {
  await feeder.round()
  const more = await Promise.all((await listRunning(database.read, 10)).map(hasMore))
  if (!more.includes(true)) break
  await Bun.sleep(5)
}
await database.close()
process.exit()
