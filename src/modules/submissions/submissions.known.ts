import type { FamilyKind } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { automaticPinOf, type Pin, type pinRelease, type ReleaseRow } from '../releases/releases.service.ts'
import type { FragmentVersion } from '../versions/fragments.service.ts'
import type { Declaring } from '../versions/params.service.ts'
import { InForce } from './submissions.in-force.ts'

/**
 * What never changes about the configuration, once it is committed: which family a slug is, which version a number is,
 * what params a version declares, and the release of a pin. What does change (what is in force, how a contract is
 * called) is kept only where no other instance can change it unnoticed, and read for every submission elsewhere.
 */
export class KnownConfiguration {
  readonly inForce = new InForce()
  readonly #families = new Map<string, string>()
  readonly #contracts = new Map<string, KnownContract>()
  readonly #releases = new Map<string, ReleaseRow>()
  readonly #declaring = new Map<string, Pick<Declaring, 'params'>>()
  readonly #includes = new Map<string, Includes>()
  readonly #parts = new Map<string, readonly string[]>()

  async family(
    connection: Connection,
    kind: FamilyKind,
    slug: string,
    find: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    return this.#known(connection, this.#families, `${kind} ${slug}`, find)
  }

  /**
   * A contract's version that is or was published, by its name and number. The name may have passed to another contract
   * since.
   */
  async contract(
    connection: Connection,
    name: string,
    number: number,
    find: () => Promise<KnownContract | undefined>,
    isStillNamed: (contract: KnownContract) => Promise<boolean>,
  ): Promise<KnownContract | undefined> {
    const key = `${name}@${number}`
    const known = this.#contracts.get(key)
    if (known !== undefined && !(await isStillNamed(known))) this.#contracts.delete(key)
    return this.#known(connection, this.#contracts, key, find)
  }

  /** @param reads a root's use of a release is checked against its contract, even where a child has used it before */
  async release(
    tx: Transaction,
    pin: Pin,
    reads: Parameters<typeof pinRelease>[4],
    find: () => Promise<ReleaseRow>,
  ): Promise<ReleaseRow> {
    return this.#known(tx, this.#releases, `${automaticPinOf(pin)} ${reads}`, find)
  }

  /**
   * The params that a frozen transformer declares. A fact before any commit: the id of a version that was rolled back is
   * never given to another, and the first callers, all at once, need not compile it each. What calls it may have another name for it.
   */
  async declaring(versionId: string, find: () => Promise<Declaring>): Promise<Pick<Declaring, 'params'>> {
    const known = this.#declaring.get(versionId)
    if (known !== undefined) return known
    const found = await find()
    remember(this.#declaring, versionId, found)
    return found
  }

  /** What a frozen template includes; a fact before any commit, as what a transformer declares. */
  async includes(versionId: string, find: () => Promise<Includes>): Promise<Includes> {
    const known = this.#includes.get(versionId)
    if (known !== undefined) return known
    const found = await find()
    remember(this.#includes, versionId, found)
    return found
  }

  /** The families that the last plan of a model read: the next plan most likely needs the same. */
  partsOf(modelFamilyId: string): readonly string[] {
    return this.#parts.get(modelFamilyId) ?? []
  }

  rememberParts(modelFamilyId: string, familyIds: readonly string[]): void {
    remember(this.#parts, modelFamilyId, familyIds)
  }

  async #known<Fact, Found extends Fact | undefined>(
    connection: Connection,
    facts: Map<string, Fact>,
    key: string,
    find: () => Promise<Found>,
  ): Promise<Fact | Found> {
    const known = facts.get(key)
    if (known !== undefined) return known
    const found = await find()
    // A transaction may have found its own rows, or its group's, which are no facts before the commit.
    if (found !== undefined) {
      if (isTransaction(connection)) connection.afterCommit(() => remember(facts, key, found))
      else remember(facts, key, found)
    }
    return found
  }
}

type Includes = Pick<FragmentVersion, 'includes' | 'reading'>

export interface KnownContract {
  familyId: string
  id: string
  contentHash: string
}

function isTransaction(connection: Connection): connection is Transaction {
  return 'afterCommit' in connection
}

function remember<T>(facts: Map<string, T>, key: string, fact: T): void {
  const [oldest] = facts.keys()
  if (oldest !== undefined && facts.size >= limits.knownSubmissionFacts) facts.delete(oldest)
  facts.set(key, fact)
}
