import { existsSync } from 'node:fs'
import { appendFile, open, rm, writeFile } from 'node:fs/promises'
import { applyLog } from '../db/log-apply.ts'
import type { Notes } from '../objects/notes.ts'
import { isDamage, type ObjectStore } from '../objects/object-store.ts'
import { type Base, idsOf, isOfAnotherFormat, type LogNote, madeAtMs, noteName, readBase, readLog } from './format.ts'

export interface Rebuilt {
  base: Base
  /** Its last commit was made before this time, in milliseconds since 1970. */
  atMs: number
  /** Why the rest of the log could not be used, if there is more of it. */
  problem?: string
}

/** The replica has no state of the wanted time, or is unreadable; the message is for the user. */
export class ReplicaUnusable extends Error {
  override readonly name = 'ReplicaUnusable'
}

/** A newer version wrote the newest state; no older one is used instead. */
class ReplicaOfNewerVersion extends ReplicaUnusable {}

/** Whether these are a replica's notes: at least one describes a copy of a database's file. */
export async function isReplica(notes: Pick<Notes, 'names'>): Promise<boolean> {
  return idsOf('base', await notes.names()).length > 0
}

/**
 * Makes the database's file as it was at a time, or at the latest time that the replica has.
 * @param path of the file to make; it must not exist
 * @throws ReplicaUnusable
 */
export async function rebuildDatabase(
  store: ObjectStore,
  path: string,
  untilMs = Number.POSITIVE_INFINITY,
): Promise<Rebuilt> {
  const names = await store.notes.names()
  const bases = idsOf('base', names)
  const logs = idsOf('log', names).filter((id) => madeAtMs(id) <= untilMs)
  const damages: string[] = []
  // A base can be used from the first part of the log that it needs, which may be older than the completed base.
  for (const id of bases.reverse()) {
    try {
      const base = await baseOf(store, id)
      if (madeAtMs(base.since) > untilMs) continue
      const rebuilt = await rebuildFrom(store, { id, base, logs }, path)
      if (rebuilt === undefined) continue
      // One damage may end the log for several bases.
      const problems = new Set([...damages, ...(rebuilt.problem === undefined ? [] : [rebuilt.problem])])
      const problem = [...problems].join(', and ')
      return { ...rebuilt, ...(problem === '' ? {} : { problem }) }
    } catch (error) {
      if (!(error instanceof ReplicaUnusable) || error instanceof ReplicaOfNewerVersion) throw error
      // The previous base is as good, if the log continues from it.
      damages.push(error.message)
      await removeDraft(path)
    }
  }
  const [damage] = damages
  if (damage !== undefined) throw new ReplicaUnusable(damage)
  throw new ReplicaUnusable(
    bases.length === 0
      ? 'there is no complete copy of a database in it'
      : `it begins only after ${Number.isFinite(untilMs) ? new Date(untilMs).toISOString() : 'its log'}; take a later instant`,
  )
}

async function baseOf(store: ObjectStore, id: string): Promise<Base> {
  const bytes = await noteOf(store, noteName('base', id))
  const base = bytes === undefined ? undefined : readBase(bytes)
  if (base !== undefined) return base
  if (bytes !== undefined && isOfAnotherFormat(bytes))
    throw new ReplicaOfNewerVersion(`the copy ${id} of the database's file is of a newer version of Quire`)
  throw new ReplicaUnusable(`the copy ${id} of the database's file is damaged`)
}

/** A note that its disk can't read counts as missing. */
function noteOf(store: ObjectStore, name: string): Promise<Uint8Array | undefined> {
  return store.notes.get(name).catch((error: unknown) => {
    if (!isDamage(error)) throw error
    return undefined
  })
}

interface Wanted {
  id: string
  base: Base
  /** Ids of the log's parts, oldest first. */
  logs: readonly string[]
}

/** Undefined if the log doesn't reach the position that the base needs. */
async function rebuildFrom(store: ObjectStore, { id, base, logs }: Wanted, path: string): Promise<Rebuilt | undefined> {
  const chain = { epoch: base.epoch, position: 0 }
  let atMs = madeAtMs(id)
  let problem: string | undefined
  await writePieces(store, base, path)
  for (const logId of logs) {
    if (logId < base.since) continue
    const bytes = await noteOf(store, noteName('log', logId))
    const part = bytes === undefined ? undefined : readLog(bytes)
    if (part === undefined) {
      problem = `the part ${logId} of the log is damaged`
      break
    }
    // Another run continues from a copy of its own.
    if (part.run !== base.run || part.epoch < chain.epoch) continue
    if (!(await append(part, chain, path))) {
      problem = `the log before its part ${logId} is missing`
      break
    }
    atMs = madeAtMs(logId)
  }
  if (chain.epoch === base.epoch && chain.position < base.position) {
    await removeDraft(path)
    if (problem !== undefined) throw new ReplicaUnusable(problem)
    return undefined
  }
  await writeBack(path)
  return { base, atMs, ...(problem === undefined ? {} : { problem }) }
}

/** False if the part doesn't begin where the chain ends. */
async function append(part: LogNote, chain: { epoch: number; position: number }, path: string): Promise<boolean> {
  if (part.epoch === chain.epoch + 1 && part.from === 0) {
    await writeBack(path)
    chain.epoch++
    chain.position = 0
  }
  if (part.epoch !== chain.epoch || part.from !== chain.position) return false
  if (part.from === 0) await writeFile(logOf(path), part.bytes, { mode: 0o600 })
  else await appendFile(logOf(path), part.bytes)
  chain.position += part.bytes.length
  return true
}

async function removeDraft(path: string): Promise<void> {
  await Promise.all([path, logOf(path)].map((file) => rm(file, { force: true })))
}

/** The file for the log of one epoch, until it is written into the database's file. */
function logOf(path: string): string {
  return `${path}.log`
}

async function writeBack(path: string): Promise<void> {
  if (!existsSync(logOf(path))) return
  await applyLog(path, logOf(path))
  await rm(logOf(path))
}

async function writePieces(store: ObjectStore, base: Base, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for (const hash of base.pieces) {
      const piece = await store.get(hash).catch((error: unknown) => {
        if (!isDamage(error)) throw error
        throw new ReplicaUnusable(`the piece ${hash} of the database's file is damaged`)
      })
      if (piece === undefined) throw new ReplicaUnusable(`the piece ${hash} of the database's file is missing`)
      await file.appendFile(piece)
    }
  } finally {
    await file.close()
  }
}
