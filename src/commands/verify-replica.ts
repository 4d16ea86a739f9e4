import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { formatInstant, instantFromEpochMs } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import { openDatabase } from '../db/connect.ts'
import { isHash } from '../objects/content.ts'
import { isDamage, type ObjectStore } from '../objects/object-store.ts'
import { ReplicaUnusable, rebuildDatabase } from '../replica/rebuild.ts'
import type { ExitCode } from './command.ts'
import { CommandFailure, isFull } from './files.ts'
import { clearedIfInterrupted } from './interrupted.ts'
import { artifactHashes } from './move.store.ts'
import { plain } from './plain.ts'
import { printJson } from './print-json.ts'
import { createProgress } from './progress.ts'
import { integrityProblems } from './verify.store.ts'

/**
 * Whether a replica can be restored, and to which instant: makes its newest state in a temporary folder, has SQLite check it,
 * and reads every object that it names.
 */
export async function verifyReplica(replica: ObjectStore, source: string, json: boolean): Promise<ExitCode> {
  let folder: string | undefined
  const clear = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
  try {
    const { problems, reached, objects } = await clearedIfInterrupted(clear, async () => {
      try {
        folder = mkdtempSync(join(tmpdir(), 'quire-replica-'))
        return await examine(replica, join(folder, 'quire.db'))
      } finally {
        clear()
      }
    })
    const shown = problems.slice(0, limits.verifyProblemsShown)
    for (const problem of shown) process.stderr.write(`quire: ${source}: ${plain(problem)}\n`)
    if (json) printJson({ path: source, restorable_to: reached ?? null, objects, problems: shown })
    else if (problems.length === 0) {
      process.stdout.write(`${source}: can be restored to ${reached}, with ${objects} objects\n`)
    }
    return problems.length === 0 ? 0 : 1
  } finally {
    await replica.close()
  }
}

async function examine(
  replica: ObjectStore,
  path: string,
): Promise<{ problems: string[]; reached?: string; objects: number }> {
  const problems: string[] = []
  try {
    const { atMs, problem } = await rebuildDatabase(replica, path)
    const reached = formatInstant(instantFromEpochMs(atMs))
    if (problem !== undefined) problems.push(`${problem}; what was committed after ${reached} is lost`)
    return { problems, reached, objects: await examineDatabase(replica, path, problems) }
  } catch (error) {
    if (isFull(error)) {
      throw new CommandFailure(
        `there is no room for the database of the replica in ${dirname(path)}; make some, or name another folder in TMPDIR`,
      )
    }
    if (!(error instanceof ReplicaUnusable)) throw error
    return { problems: [error.message], objects: 0 }
  }
}

async function examineDatabase(replica: ObjectStore, path: string, problems: string[]): Promise<number> {
  const database = await openDatabase(`file:${path}`, { readOnly: true })
  const progress = createProgress()
  let objects = 0
  try {
    problems.push(...(await integrityProblems(database.read)))
    for await (const { hash } of artifactHashes(database.read)) {
      if (!isHash(hash)) {
        problems.push(`a row names the object ${JSON.stringify(hash)}, which is no hash`)
        continue
      }
      const bytes = await replica.get(hash).catch((error: unknown) => {
        if (!isDamage(error)) throw error
        problems.push(`the object ${hash} is damaged`)
        return null
      })
      if (bytes === undefined) problems.push(`the object ${hash} is missing`)
      progress.tell(`reading objects: ${++objects}`)
    }
    return objects
  } finally {
    progress.clear()
    await database.close()
  }
}
