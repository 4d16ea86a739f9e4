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

  /** Reads all of these with one statement. */
  async read(familyIds: readonly string[]): Promise<void> {
    const wanted = [...new Set(familyIds)].filter((id) => !this.#rows.has(id))
    if (wanted.length === 0) return
    const rows = await this.#list(wanted)
    this.#reads++
    for (const id of wanted) this.#rows.set(id, rows.get(id))
  }

  /**
   * Whether everything that was read was in force at the same time. Between two statements others may put something in force,
   * such as a set, which the first statement then missed and the second saw in part. Not possible in an embedded database's
   * transaction, for which all writers wait.
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
