/**
 * Legal holds on what no submission was made of: rows of batches that the intake refused, and files that still have rows to
 * submit. An object is held there where its reference is a value of the input.
 */
import { and, isNotNull, isNull } from 'drizzle-orm'
import { sha256Hex } from '../../core/hash.ts'
import { findReference } from '../../core/references.ts'
import { atOnce, type InParts, inTurns } from '../../core/turns.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { type HoldRow, listHoldsOn } from './holds.reads.ts'

/** An input that is kept, with the slug of the model that it was handed in for. */
export interface KeptInput {
  modelSlug: string
  texts: readonly (string | null)[]
}

/** Holds in force on objects, by the reference's hash: one that a restore brought back has nothing else. */
async function holdsOnObjects(connection: Connection): Promise<Map<string, HoldRow>> {
  const { holds } = connection.t
  const rows = await connection.q
    .select()
    .from(holds)
    .where(and(isNull(holds.releasedAt), isNotNull(holds.objectReferenceHash)))
  return new Map(rows.map((row) => [row.objectReferenceHash ?? '', row]))
}

function* heldIn(text: string, holds: ReadonlyMap<string, HoldRow>): InParts<HoldRow | undefined> {
  if (holds.size === 0) return undefined
  const held = yield* findReference(text, (reference) => holds.has(sha256Hex(reference)))
  return held === undefined ? undefined : holds.get(sha256Hex(held))
}

/** Which of these inputs are held, by their model or by an object that they name. */
export async function heldInputs<T extends KeptInput>(
  connection: Connection,
  inputs: readonly T[],
): Promise<Map<T, HoldRow>> {
  if (inputs.length === 0) return new Map()
  const onObjects = await holdsOnObjects(connection)
  const models = [...new Set(inputs.map(({ modelSlug }) => modelSlug))]
  const onModels = new Map(
    (await listHoldsOn(connection, { objects: [], models })).map((row) => [row.modelSlug ?? '', row]),
  )
  const held = new Map<T, HoldRow>()
  for (const input of inputs) {
    const hold =
      onModels.get(input.modelSlug) ??
      input.texts.map((text) => (text === null ? undefined : atOnce(heldIn(text, onObjects)))).find(Boolean)
    if (hold !== undefined) held.set(input, hold)
  }
  return held
}

/**
 * Looks through a text that is too long for a transaction.
 * @returns what tells the hold in a transaction that keeps holds out: those that came meanwhile are looked for there
 */
export async function heldInLongText(
  connection: Connection,
  text: string,
): Promise<(tx: Transaction) => Promise<HoldRow | undefined>> {
  const looked = await holdsOnObjects(connection)
  const found = new Set<string>()
  for (;;) {
    // Each that is found is left out, so that the release of one hides no other.
    const rest = new Map([...looked].filter(([, { id }]) => !found.has(id)))
    const held = await inTurns(heldIn(text, rest))
    if (held === undefined) break
    found.add(held.id)
  }
  return async (tx) => {
    const now = await holdsOnObjects(tx)
    for (const hold of now.values()) if (found.has(hold.id)) return hold
    return atOnce(heldIn(text, new Map([...now].filter(([hash]) => !looked.has(hash)))))
  }
}
