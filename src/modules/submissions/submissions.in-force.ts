import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { type FamilyInForce, findAfter, findInForce, listInForceOf } from '../activations/activations.service.ts'

/** What a family has in force between two instants; null means no bound. */
interface Spell {
  row: FamilyInForce
  from: Instant | null
  until: Instant | null
}

/**
 * What families have in force and for how long, cached until the configuration changes. Only a transaction that knows about
 * changes (`Transaction.configuration`) uses the cache; other connections read each time.
 */
export class InForce {
  readonly #spells = new Map<string, Spell[]>()
  #count = 0
  #keptAt: number | undefined

  async list(
    connection: Connection | Transaction,
    familyIds: readonly string[],
    at: Instant,
  ): Promise<readonly FamilyInForce[]> {
    const changes = changesOf(connection)
    if (changes === undefined) return listInForceOf(connection, familyIds, at)
    if (changes !== this.#keptAt || this.#count >= limits.knownSubmissionFacts) {
      this.#spells.clear()
      this.#count = 0
      this.#keptAt = changes
    }
    const known = familyIds.flatMap((id) => this.#spells.get(id)?.find((spell) => holdsAt(spell, at))?.row ?? [])
    if (known.length === familyIds.length) return known
    const rows = await listInForceOf(connection, familyIds, at)
    for (const row of rows) {
      const spell = await spellOf(connection, row, at)
      // Another call may have emptied the cache meanwhile and begun to fill it with a newer state.
      if (changesOf(connection) !== changes) continue
      this.#spells.set(row.familyId, [...(this.#spells.get(row.familyId) ?? []), spell])
      this.#count++
    }
    return rows
  }
}

function changesOf(connection: Connection | Transaction): number | undefined {
  return 'configuration' in connection ? connection.configuration?.() : undefined
}

async function spellOf(connection: Connection, row: FamilyInForce, at: Instant): Promise<Spell> {
  const inForce = await findInForce(connection, row.familyId, at)
  const next = await findAfter(connection, row.familyId, at)
  return { row, from: inForce?.effectiveFrom ?? null, until: next?.effectiveFrom ?? null }
}

/** Instants compare as text. */
function holdsAt({ from, until }: Spell, at: Instant): boolean {
  return (from === null || from <= at) && (until === null || at < until)
}
