import type { FamilyKind } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { automaticPinOf, type Pin, type pinRelease, type ReleaseRow } from '../releases/releases.service.ts'
import type { FragmentVersion } from '../versions/fragments.service.ts'
import type { Declaring } from '../versions/params.service.ts'
import { InForce } from './submissions.in-force.ts'

/**
 * Caches facts of the configuration that never change once committed: which family a slug is, which version a number is, which
 * params a version declares, and the release of a pin. Facts that do change (what is in force, a contract's name) are cached only
 * if no other instance can change them unnoticed; else they are read for every submission.
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

  /** A contract's version that is or was published, by name and number. Another contract may have taken the name since. */
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

  /** @param reads a root's use of a release is checked against the contract, even if a child has used the release before */
  async release(
    tx: Transaction,
    pin: Pin,
    reads: Parameters<typeof pinRelease>[4],
    find: () => Promise<ReleaseRow>,
  ): Promise<ReleaseRow> {
    return this.#known(tx, this.#releases, `${automaticPinOf(pin)} ${reads}`, find)
  }

  /**
   * The params that a frozen transformer declares. Cached even before the commit: the id of a rolled-back version is never used
   * again, and so the first of many simultaneous callers compiles it for all. The caller's name for it may differ.
   */
  async declaring(versionId: string, find: () => Promise<Declaring>): Promise<Pick<Declaring, 'params'>> {
    const known = this.#declaring.get(versionId)
    if (known !== undefined) return known
    const found = await find()
    remember(this.#declaring, versionId, found)
    return found
  }

  /** What a frozen template includes; cached even before the commit, like declared params. */
  async includes(versionId: string, find: () => Promise<Includes>): Promise<Includes> {
    const known = this.#includes.get(versionId)
    if (known !== undefined) return known
    const found = await find()
    remember(this.#includes, versionId, found)
    return found
  }

  /** The families that the last plan of a model read: the next plan most likely needs the same ones. */
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
    // Cache only after the commit: before it, the transaction may have found its own rows, or its group's.
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
