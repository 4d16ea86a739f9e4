import type { Instant } from '../../core/instant.ts'
import type { Connection } from '../../db/database.ts'
import type { FamilyInForce } from '../activations/activations.service.ts'
import type { InForce } from './submissions.in-force.ts'

/** What some families have in force at one instant, read with as few statements as possible. */
export class Moment {
  readonly #rows = new Map<string, FamilyInForce | undefined>()

  constructor(
    private readonly connection: Connection,
    private readonly inForce: InForce,
    readonly at: Instant,
  ) {}

  /** Asks for all of these at once. */
  async read(familyIds: readonly string[]): Promise<void> {
    const wanted = [...new Set(familyIds)].filter((id) => !this.#rows.has(id))
    if (wanted.length === 0) return
    const rows = new Map((await this.inForce.list(this.connection, wanted, this.at)).map((row) => [row.familyId, row]))
    for (const id of wanted) this.#rows.set(id, rows.get(id))
  }

  async find(familyId: string): Promise<FamilyInForce | undefined> {
    await this.read([familyId])
    return this.#rows.get(familyId)
  }

  get familyIds(): string[] {
    return [...this.#rows.keys()]
  }
}
