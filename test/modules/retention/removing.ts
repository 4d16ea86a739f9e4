/**
 * For killed-remover.test.ts: carries out the policies of a store at an instant, then sees to what they leave to do. Arguments:
 * the database, the objects, the ledger's folder, the instant, and the point at which it kills itself, with how often it passes that
 * before.
 */

import type { Instant } from '../../../src/core/instant.ts'
import { createLog } from '../../../src/core/log.ts'
import { openDatabase } from '../../../src/db/connect.ts'
import { startFinisher } from '../../../src/modules/erasures/erasures.finisher.service.ts'
import { openLedger } from '../../../src/modules/ledger/ledger.service.ts'
import { startRemover } from '../../../src/modules/retention/retention.remover.service.ts'
import { openObjectStore } from '../../../src/objects/objects.ts'
import { signing } from '../../support/signing.ts'

const [url, objectsUrl, erasureLedger, now, point, passes] = process.argv.slice(2) as [
  string,
  string,
  string,
  Instant,
  string?,
  string?,
]
const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
const database = await openDatabase(url)
database.attestWith?.(signing.attest)
const objects = await openObjectStore(objectsUrl)
let left = Number(passes ?? 0)
const onPoint = (passed: string) => {
  if (passed === point && left-- === 0) process.kill(process.pid, 'SIGKILL')
}
const ports = { database, objects, log, clock: { now: () => now }, onPoint }
// Two submissions in a transaction, so that a few make several.
const remover = startRemover({ ...ports, isLeader: async () => true, pauseMs: 0, batch: 2 })
await remover.round()
await remover.stop()
const ledger = openLedger({ dataFolder: erasureLedger, erasureLedger }, objects)
const finisher = startFinisher({ ...ports, ledger, isReconciled: true, minAgeMs: 0 })
await finisher.round()
await finisher.stop()
await database.close()
process.exit()
