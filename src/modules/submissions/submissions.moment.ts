import type { Instant } from '../../core/instant.ts'
import type { Connection } from '../../db/database.ts'
import type { FamilyInForce } from '../activations/activations.service.ts'
import type { InForce } from './submissions.in-force.ts'

/** What some families have in force at one instant, read with as few statements as possible. */
export class Moment {
  readonly #rows = new Map<string, FamilyInForce | undefined>()
  #reads = 0

  constructor(
    private readonly connection: Connection,
    private readonly inForce: InForce,
    readonly at: Instant,
  ) {}

  /** Asks for all of these at once. */
  async read(familyIds: readonly string[]): Promise<void> {
    const wanted = [...new Set(familyIds)].filter((id) => !this.#rows.has(id))
    if (wanted.length === 0) return
    const rows = await this.#list(wanted)
    this.#reads++
    for (const id of wanted) this.#rows.set(id, rows.get(id))
  }

  /**
   * Whether all that was read was in force together. Between two statements others may put something in force, a set for instance, of
   * which one statement then saw nothing and the other the rest; a transaction of an embedded database has all writers wait.
   */
  async isOne(): Promise<boolean> {
    if (this.#reads < 2 || (this.connection.dialect === 'sqlite' && 'afterCommit' in this.connection)) return true
    const rows = await this.#list(this.familyIds)
    return this.familyIds.every((id) => rows.get(id)?.versionId === this.#rows.get(id)?.versionId)
  }

  async #list(familyIds: readonly string[]): Promise<Map<string, FamilyInForce>> {
    return new Map((await this.inForce.list(this.connection, familyIds, this.at)).map((row) => [row.familyId, row]))
  }

  async find(familyId: string): Promise<FamilyInForce | undefined> {
    await this.read([familyId])
    return this.#rows.get(familyId)
  }

  get familyIds(): string[] {
    return [...this.#rows.keys()]
  }
}
