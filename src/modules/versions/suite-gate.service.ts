/** The policy of suites as other modules see it; the module of suites, which builds on them, hands it in. */
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/finding.ts'
import type { Instant } from '../../core/instant.ts'
import type { Transaction } from '../../db/database.ts'
import type { FamilyHead } from '../families/families.reads.ts'

/** A suite that has to be green and isn't; its path is the slug of the model. */
export const notGreenCode = 'suite.not_green'

/** Families of kinds that are activated, and from when on. */
export interface PutInForce {
  families: ReadonlySet<string>
  at: Instant
}

export interface SuiteGate {
  /**
   * What keeps suites from letting families pass that a transaction has put in force, at that instant and at each later one at
   * which something else begins; of each suite the first instant at which it isn't green.
   * @throws an error that `guard` takes, where cases have to run first
   */
  findings(tx: Transaction, actor: Actor, changes: readonly PutInForce[]): Promise<Finding[]>
  /** The same of families whose drafts it has frozen: of suites that have to be green before that. */
  draftFindings(tx: Transaction, actor: Actor, families: ReadonlySet<string>): Promise<Finding[]>
  /** Runs what asks for these, and gives verdicts on content; again where cases had to run. A refusal leaves a record. */
  guard<T>(actor: Actor, run: () => Promise<T>): Promise<T>
}

/** @throws Fault validation_failed for a draft that is a part of a suite which has to be green before it is frozen */
export async function requireGreenDraft(
  suites: SuiteGate,
  tx: Transaction,
  actor: Actor,
  { id, kind, slug }: Pick<FamilyHead, 'id' | 'kind' | 'slug'>,
): Promise<void> {
  const findings = await suites.draftFindings(tx, actor, new Set([id]))
  if (findings.length === 0) return
  throw new Fault(
    'validation_failed',
    `The draft of ${slug} is not frozen while its suite isn't green. See the errors.`,
    {
      ...{ findings, stage: 'suite', resourceKind: kind, resourceId: id },
    },
  )
}
