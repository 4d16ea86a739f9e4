import type { Config } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import { epochMsOf, formatInstant, type Instant, instantFromEpochMs, parseInstant } from '../core/instant.ts'
import { prepareDataFolder } from '../data-folder.ts'
import { openDatabase } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { isHash } from '../objects/content.ts'
import { isDamage, type ObjectStore } from '../objects/object-store.ts'
import { openObjectStore } from '../objects/objects.ts'
import { type Rebuilt, ReplicaUnusable, rebuildDatabase } from '../replica/rebuild.ts'
import { closeAgain } from './closed-accounts.store.ts'
import { type ExitCode, UsageError } from './command.ts'
import { CommandFailure } from './files.ts'
import { artifactHashes } from './move.store.ts'
import { plain } from './plain.ts'
import { printJson } from './print-json.ts'
import { createProgress } from './progress.ts'
import { followLedger, nameStore, replaceFile, signAsStore, tellRestored } from './replace-database.ts'
import { forgetPassing } from './restore.store.ts'

export function instantGiven(text: string): Instant {
  const instant = parseInstant(text)
  if (instant === undefined) {
    throw new UsageError(`--at takes an instant with its zone, such as 2026-11-23T09:30:00Z, not "${text}"`)
  }
  return instant
}

function lackingInWords(count: number): string {
  const which = count === 1 ? '1 object that artifacts name is' : `${count} objects that artifacts name are`
  return `${which} not in the replica, or damaged there`
}

/** @throws CommandFailure that names the replica, where it can't be used */
async function rebuildFrom(source: string, replica: ObjectStore, draft: string, at: Instant | undefined) {
  try {
    return await rebuildDatabase(replica, draft, at === undefined ? undefined : epochMsOf(at))
  } catch (error) {
    if (!(error instanceof ReplicaUnusable)) throw error
    throw new CommandFailure(`${source}: ${error.message}`)
  }
}

interface Wanted {
  replica: ObjectStore
  source: string
  at: Instant | undefined
  config: Config
  options: { replace: boolean; json?: boolean | undefined }
}

/**
 * Makes the database's file as of an instant, or of the replica's latest state, and puts it in place like a backup's. Nobody
 * is signed in afterwards.
 */
export async function restoreReplica({ replica, source, at, config, options }: Wanted): Promise<ExitCode> {
  if (!config.databaseUrl.startsWith('file:')) {
    throw new UsageError(
      'a replica is restored into a file; restore it on this machine, and take "quire move" from there',
    )
  }
  for (const note of await prepareDataFolder(config)) process.stderr.write(`quire: ${note}\n`)
  let rebuilt: Rebuilt | undefined
  let objects = { copied: 0, lacking: 0 }
  try {
    const restored = await replaceFile(
      config,
      options.replace ? 'replace' : 'refuse',
      async (draft, { closed, storeId: replacedId }) => {
        rebuilt = await rebuildFrom(source, replica, draft, at)
        const database = await openDatabase(`file:${draft}`)
        try {
          await migrate(database)
          await forgetPassing(database)
          const storeId = await nameStore(config, database, replacedId)
          await signAsStore(config, database)
          const closedAgain = await database.write((tx) => closeAgain(tx, closed, systemClock))
          const again = { ...(await followLedger(config, database, systemClock)), ...closedAgain }
          objects = await copyObjects(config, replica, database)
          return { again, storeId }
        } finally {
          await database.close()
        }
      },
    )
    if (rebuilt === undefined) throw new Error('the replica was not read')
    const reached = formatInstant(instantFromEpochMs(rebuilt.atMs))
    const problems = [
      ...(rebuilt.problem === undefined
        ? []
        : [`${rebuilt.problem}; what was committed after ${reached} is not in it`]),
      ...(objects.lacking === 0 ? [] : [lackingInWords(objects.lacking)]),
    ]
    for (const problem of problems) process.stderr.write(`quire: ${source}: ${plain(problem)}\n`)
    if (options.json === true) {
      const { kept = null, again } = restored
      const told = { erased_again: again.erasures, holds_again: again.holds, retention_again: again.retention }
      const closed = { tokens_again: again.tokens, users_again: again.users, factors_again: again.factors }
      const sent = { identities_again: again.identities, webhooks_again: again.webhooks }
      const { warnings } = again
      printJson({
        path: source,
        restored_to: reached,
        objects: objects.copied,
        kept,
        ...told,
        ...closed,
        ...sent,
        warnings,
        problems,
      })
    } else {
      process.stdout.write(`restored the state of ${reached} and ${objects.copied} objects from ${source}\n`)
      tellRestored(restored)
    }
    return problems.length === 0 ? 0 : 1
  } finally {
    await replica.close()
  }
}

/** All others can be restored nevertheless. */
function damagedAsMissing(error: unknown): undefined {
  if (!isDamage(error)) throw error
}

async function copyObjects(
  config: Config,
  replica: ObjectStore,
  database: Database,
): Promise<{ copied: number; lacking: number }> {
  const objects = await openObjectStore(config.objectsUrl)
  const progress = createProgress()
  let copied = 0
  let lacking = 0
  try {
    for await (const { hash } of artifactHashes(database.read)) {
      const bytes = isHash(hash) ? await replica.get(hash).catch(damagedAsMissing) : undefined
      if (bytes !== undefined) await objects.put(hash, bytes)
      else if (!isHash(hash) || (await objects.size(hash)) === undefined) lacking++
      progress.tell(`writing objects: ${++copied}`)
    }
    return { copied: copied - lacking, lacking }
  } finally {
    progress.clear()
    await objects.close()
  }
}
