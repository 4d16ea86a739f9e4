/** The policy of suites as other modules see it. The module of suites builds on them, so its implementation is passed in. */
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/finding.ts'
import type { Instant } from '../../core/instant.ts'
import type { Transaction } from '../../db/database.ts'
import type { FamilyHead } from '../families/families.reads.ts'

/** A suite that must be green and isn't; the finding's path is the model's slug. */
export const notGreenCode = 'suite.not_green'

/** Families that are activated, and from which instant. */
export interface PutInForce {
  families: ReadonlySet<string>
  at: Instant
}

export interface SuiteGate {
  /**
   * Why suites refuse families that a transaction has put in force, checked at that instant and at each later one at which
   * something else begins; for each suite, the first instant at which it isn't green.
   * @throws an error for `guard` if cases must run first
   */
  findings(tx: Transaction, actor: Actor, changes: readonly PutInForce[]): Promise<Finding[]>
  /** The same for families whose drafts it has frozen, by suites that must be green before freezing. */
  draftFindings(tx: Transaction, actor: Actor, families: ReadonlySet<string>): Promise<Finding[]>
  /**
   * Runs work that calls these two, with verdicts on content; repeats it after running missing cases. A refusal leaves an audit
   * record.
   */
  guard<T>(actor: Actor, run: () => Promise<T>): Promise<T>
}

/** @throws Fault validation_failed if the draft is part of a suite that must be green before freezing and isn't */
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
