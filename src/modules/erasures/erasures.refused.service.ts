/**
 * Which objects refused rows of batches name. Inputs may be many and long, so they are searched before a transaction, page by
 * page and in slices; the transaction searches only rows that came since.
 */
import { hashesNamed, namesReference } from '../../core/references.ts'
import { atOnce, type InParts, inTurns, othersTurn } from '../../core/turns.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { type HoldRow, holdsOnObjects, listHoldsOn } from '../holds/holds.reads.ts'
import {
  holdRows,
  listRefused,
  type RefusedInput,
  type RefusedRow,
  readRefused,
  type WhichRefused,
} from './erasures.refused.store.ts'

export interface Refused {
  rows: RefusedRow[]
  /** Those of the rows that are under a hold, by their model or by an object that they name. */
  held: Map<RefusedRow, HoldRow>
}

/**
 * Reads refused inputs ahead of the transaction that erases them.
 * @param which with an object's reference, only rows that name it
 * @returns a function that returns the rows as they are now; call it in a transaction that keeps new holds out
 */
export async function lookAtRefused(
  connection: Connection,
  which: WhichRefused,
): Promise<(connection: Connection) => Promise<Refused>> {
  const looked = new Map<string, ReadonlySet<string>>()
  let wanted: ReadonlySet<string> = new Set((await holdsOnObjects(connection)).keys())

  function* lookThrough(page: readonly RefusedInput[]): InParts<void> {
    for (const row of page) {
      looked.set(versionOf(row), (yield* isAbout(row, which)) ? yield* namedIn(row, wanted) : isNot)
      yield
    }
  }

  for await (const page of readRefused(connection, await listRefused(connection, which))) {
    await inTurns(lookThrough(page))
    await othersTurn()
  }
  return async (now) => {
    const onObjects = await holdsOnObjects(now)
    const hashes = new Set(onObjects.keys())
    // The inputs were not searched for an object whose hold is new: search all of them again.
    if (!hashes.isSubsetOf(wanted)) {
      looked.clear()
      wanted = hashes
    }
    const all = await listRefused(now, which)
    const since = all.filter((row) => !looked.has(versionOf(row)))
    for await (const page of readRefused(now, since)) atOnce(lookThrough(page))
    const rows = all.filter((row) => (looked.get(versionOf(row)) ?? isNot) !== isNot)
    const models = [...new Set(rows.map(({ modelSlug }) => modelSlug))]
    const onModels = new Map(
      (await listHoldsOn(now, { objects: [], models })).map((hold) => [hold.modelSlug ?? '', hold]),
    )
    const held = new Map<RefusedRow, HoldRow>()
    for (const row of rows) {
      const named = [...(looked.get(versionOf(row)) ?? [])].find((hash) => onObjects.has(hash))
      const hold = onModels.get(row.modelSlug) ?? onObjects.get(named ?? '')
      if (hold !== undefined) held.set(row, hold)
    }
    return { rows, held }
  }
}

/**
 * The rows that are refused now, locked until the transaction ends, because a waiting row may be submitted at this moment.
 * @param find the function that `lookAtRefused` returned
 * @returns undefined if more rows came before they were locked
 */
export async function holdRefused(
  tx: Transaction,
  find: (tx: Transaction) => Promise<Refused>,
): Promise<Refused | undefined> {
  const found = await find(tx)
  if (tx.dialect === 'sqlite') return found
  await holdRows(tx, found.rows)
  const held = new Set(found.rows.map(keyOf))
  const again = await find(tx)
  return again.rows.every((row) => held.has(keyOf(row))) ? again : undefined
}

/** Refused rows that name one of these objects, by the hash of its reference; one pass for all of them. */
export async function findRefusedNaming(
  connection: Connection,
  hashes: ReadonlySet<string>,
): Promise<Map<string, RefusedRow[]>> {
  const found = new Map<string, RefusedRow[]>()
  if (hashes.size === 0) return found
  function* lookThrough(page: readonly RefusedInput[]): InParts<void> {
    for (const input of page) {
      const { texts: _, ...row } = input
      for (const hash of yield* namedIn(input, hashes)) {
        const rows = found.get(hash) ?? []
        rows.push(row)
        found.set(hash, rows)
      }
      yield
    }
  }
  for await (const page of readRefused(connection, await listRefused(connection, {}))) {
    await inTurns(lookThrough(page))
    await othersTurn()
  }
  return found
}

/** Those of the rows that have not changed since they were read, locked until the transaction ends. */
export async function unchanged(tx: Transaction, rows: readonly RefusedRow[]): Promise<RefusedRow[]> {
  await holdRows(tx, rows)
  const versions = new Set(rows.map(versionOf))
  const same: RefusedRow[] = []
  for await (const page of readRefused(tx, rows)) {
    for (const row of page) if (versions.has(versionOf(row))) same.push(row)
  }
  return same
}

/** Marks a row that is not about the object. */
const isNot: ReadonlySet<string> = new Set()

function keyOf({ batchId, number }: RefusedRow): string {
  return `${batchId} ${number}`
}

function versionOf({ reopened, state, ...row }: RefusedRow): string {
  return `${keyOf({ reopened, state, ...row })} ${reopened} ${state}`
}

function* isAbout({ texts }: RefusedInput, { objectReference }: WhichRefused): InParts<boolean> {
  if (objectReference === undefined) return true
  for (const text of texts) if (yield* namesReference(text, objectReference)) return true
  return false
}

function* namedIn({ texts }: RefusedInput, hashes: ReadonlySet<string>): InParts<Set<string>> {
  let named = new Set<string>()
  for (const text of texts) named = named.union(yield* hashesNamed(text, hashes.difference(named)))
  return named
}
