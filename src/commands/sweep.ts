import { parseArgs } from 'node:util'
import { limits } from '../core/limits.ts'
import { readMarks } from '../data-folder.ts'
import { openDatabase } from '../db/connect.ts'
import { requireCurrentSchema } from '../db/migrate.ts'
import { findStoreId } from '../db/store-id.ts'
import { refuseOthersObjects } from '../migrated-database.ts'
import { removalTurns } from '../modules/storage/removal-turns.service.ts'
import { namedHashes } from '../modules/storage/storage.reads.ts'
import { openObjectStore } from '../objects/objects.ts'
import { shared } from '../objects/removal.ts'
import { sweepObjects } from '../objects/sweep.ts'
import type { Command } from './command.ts'
import { printJson } from './print-json.ts'
import { withProgress } from './progress.ts'

/**
 * `quire sweep [--delete] [--json]`: lists objects that no row has named for a day, or removes them. It may run while Quire serves.
 * Objects that are marked as another store's are left alone: that store's rows name them.
 */
export const runSweep: Command = async (args, context) => {
  const { values } = parseArgs({
    args: [...args],
    options: { delete: { type: 'boolean', default: false }, json: { type: 'boolean' } },
    allowPositionals: false,
  })
  const config = context.prepare()
  // Where services share the database, they and the sweep take turns at removing.
  const takesTurns = values.delete && !config.databaseUrl.startsWith('file:')
  const database = await openDatabase(config.databaseUrl, { readOnly: !takesTurns })
  const store = await openObjectStore(config.objectsUrl)
  const objects = takesTurns ? shared(store, removalTurns(database)) : store
  try {
    await requireCurrentSchema(database)
    const id = await findStoreId(database.read)
    if (id !== undefined) refuseOthersObjects(config, readMarks(config), id)
    let count = 0
    const swept = await withProgress((progress) =>
      sweepObjects({
        objects,
        named(hashes) {
          count += hashes.length
          progress.tell(`looking at objects: ${count}`)
          return namedHashes(database.read, hashes)
        },
        nowMs: Date.now(),
        minAgeMs: limits.orphanAgeMs,
        mayDelete: () => values.delete,
      }),
    )
    if (values.json) {
      printJson({ orphans: swept.orphans, deleted: swept.deleted })
      return 0
    }
    for (const { hash, size } of swept.orphans) process.stdout.write(`${hash} ${size}\n`)
    const did = values.delete ? `${swept.deleted} removed` : 'nothing removed (add --delete)'
    process.stdout.write(`${swept.orphans.length} objects that no row names; ${did}\n`)
    return 0
  } finally {
    await objects.close()
    await database.close()
  }
}
