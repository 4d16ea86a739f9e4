/**
 * The policy of suites: a model's cases must be green before a part of it is put in force or frozen. Checked at the end of the
 * transaction that does so. No case runs inside it: if a result is missing, the transaction is rolled back, the cases run, and it
 * is repeated.
 */
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/finding.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { requireReached } from '../../http/reach.ts'
import { findInForce, listLaterInstants } from '../activations/activations.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { contentJudgedBefore } from '../drafts/compile.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { judgeKnown, withVerdicts } from '../drafts/judge-known.service.ts'
import {
  type FamilyHead,
  type FamilyRow,
  findFamily,
  findFamilyHead,
  findFamilyId,
  listFamilyHeads,
} from '../families/families.reads.ts'
import { notGreenCode, type PutInForce, type SuiteGate } from '../versions/suite-gate.service.ts'
import { type CaseContent, casesOfSuite, readCase, type SuiteCase } from './suites.cases.ts'
import { reachesContract, type SuiteChain, suiteChain, type WantedParts } from './suites.chain.ts'
import { listSuitePolicies, type SuitePolicyRow } from './suites.reads.ts'
import { type CaseVerdict, caseKey, type SuiteRunner } from './suites.runner.ts'
import { usedFamily, uses } from './suites.uses.ts'

/** Cases to run, with the content of their files, which the rolled-back transaction may have written. */
interface Run {
  chain: SuiteChain
  cases: readonly SuiteCase[]
  contents: ReadonlyMap<SuiteCase, CaseContent>
}

/** A transaction needs results of these cases before it can continue. */
class Untested extends Error {
  constructor(readonly runs: readonly Run[]) {
    super('a transaction needs results of cases that were not run yet; run it inside of the guard')
  }
}

export interface GatePorts {
  database: Database
  judge: Judge
  runner: SuiteRunner
}

export function createSuiteGate({ database, judge, runner }: GatePorts): SuiteGate {
  /** Cases whose run broke off. The runner doesn't remember those; they are red for the request that ran them. */
  const broken = new Set<string>()
  const known = (chain: SuiteChain, testCase: SuiteCase): CaseVerdict | undefined =>
    broken.has(caseKey(chain, testCase)) ? { isGreen: false } : runner.known(chain, testCase)
  return {
    async findings(tx, actor, changes) {
      const first = changes.map(({ at }) => at).sort()[0]
      const policies = first === undefined ? [] : await listSuitePolicies(tx)
      if (first === undefined || policies.length === 0) return []
      const found: Finding[] = []
      const untested = new Wanting(known)
      const instants = [first, ...(await listLaterInstants(tx, first, limits.activationCheckInstants))]
      for (const policy of policies) {
        const model = await findFamilyHead(tx, 'ingestion_model', policy.familyId)
        if (model === undefined) continue
        const judged = { tx, actor, policy, model }
        for (const at of instants) {
          if ((await findInForce(tx, model.id, at)) === undefined) continue
          const isChanged = (chain: SuiteChain) => changesPart(tx, changes, { chain, at })
          const finding = await judgeSuite(judged, { state: 'in_force' }, { isChanged, at, untested })
          if (finding === undefined) continue
          found.push(...(await settled(judged, finding)))
          break
        }
      }
      untested.settle()
      return found
    },

    async draftFindings(tx, actor, families) {
      const found: Finding[] = []
      const untested = new Wanting(known)
      const policies = (await listSuitePolicies(tx)).filter(({ requires }) => requires === 'freeze')
      const heads = policies.length === 0 ? [] : await listFamilyHeads(tx, [...families])
      for (const policy of policies) {
        const model = await findFamily(tx, 'ingestion_model', policy.familyId)
        if (model === undefined || !(await usesAny(tx, model, { heads, at: actor.at }))) continue
        const judged = { tx, actor, policy, model }
        const isChanged = async ({ parts }: SuiteChain) => parts.some(({ familyId }) => families.has(familyId))
        const wanted: WantedParts = { state: 'drafts', contractsAsDrafts: families }
        const finding = await judgeSuite(judged, wanted, { isChanged, at: actor.at, untested })
        if (finding !== undefined) found.push(...(await settled(judged, finding)))
      }
      untested.settle()
      return found
    },

    async guard(actor, run) {
      const own: string[] = []
      const runCases = ({ chain, cases, contents }: Run) =>
        runner.runAll(cases, async (testCase) => {
          const content = contents.get(testCase)
          const options = { ...(content && { content }), pages: 'kept', pictures: false } as const
          if ((await runner.run(chain, testCase, options)).brokeOff === true) own.push(caseKey(chain, testCase))
        })
      try {
        for (let round = 1; ; round++) {
          try {
            return await withVerdicts(judge, run)
          } catch (error) {
            if (error instanceof Fault) await recordBlocked(database, actor, error)
            if (!(error instanceof Untested) || round > limits.judgingRounds) throw error
            for (const each of error.runs) await runCases(each)
            for (const key of own) broken.add(key)
          }
        }
      } finally {
        for (const key of own) broken.delete(key)
      }
    },
  }
}

async function usesAny(
  connection: Transaction,
  model: FamilyRow,
  { heads, at }: { heads: readonly FamilyHead[]; at: Instant },
): Promise<boolean> {
  for (const { id } of heads) {
    if (await uses({ connection, judge: judgeKnown, at }, model, await usedFamily(connection, id, at))) return true
  }
  return false
}

/** Collects the cases that must run first, so that one round runs them all. */
class Wanting {
  readonly #known: SuiteRunner['known']
  readonly #runs: Run[] = []

  constructor(known: SuiteRunner['known']) {
    this.#known = known
  }

  /** The red cases; undefined if some must run first. */
  async redOf(tx: Transaction, chain: SuiteChain, cases: readonly SuiteCase[]): Promise<SuiteCase[] | undefined> {
    const unknown = cases.filter((testCase) => this.#known(chain, testCase) === undefined)
    if (unknown.length > 0) {
      const contents = new Map<SuiteCase, CaseContent>()
      for (const testCase of unknown) contents.set(testCase, await readCase(tx, chain.slug, testCase))
      this.#runs.push({ chain, cases: unknown, contents })
      return undefined
    }
    return cases.filter((testCase) => this.#known(chain, testCase)?.isGreen === false)
  }

  /** @throws Untested */
  settle(): void {
    if (this.#runs.length > 0) throw new Untested(this.#runs)
  }
}

interface Judged {
  tx: Transaction
  actor: Actor
  policy: SuitePolicyRow
  model: FamilyHead
}

/** Whether the changes put a part of a chain in force at an instant. */
async function changesPart(
  tx: Transaction,
  changes: readonly PutInForce[],
  { chain, at }: { chain: SuiteChain; at: Instant },
): Promise<boolean> {
  for (const { familyId } of chain.parts) {
    const own = changes.filter(({ families, at: from }) => from <= at && families.has(familyId))
    if (own.length === 0) continue
    const inForce = await findInForce(tx, familyId, at)
    if (own.some(({ at: from }) => from === inForce?.effectiveFrom)) return true
  }
  return false
}

interface JudgedAt {
  /** Whether a change is a part of the chain. */
  isChanged(chain: SuiteChain): Promise<boolean>
  at: Instant
  untested: Wanting
}

/**
 * Why a model's suite refuses a change; undefined if it allows it, the change is no part of the model, or cases must run first.
 */
async function judgeSuite(
  judged: Judged,
  wanted: WantedParts,
  { isChanged, at, untested }: JudgedAt,
): Promise<Finding | undefined> {
  const { tx, model } = judged
  const ports = { connection: tx, judge: judgeKnown, verdict: contentJudgedBefore, at }
  const chain = await suiteChain(ports, model, wanted)
  // Missing and faulty parts are reported by the check of the parts themselves. In drafts, another part may still be in the
  // works.
  if (!chain.ok) return wanted.state === 'in_force' ? undefined : brokenChain(judged, chain.findings)
  if (!(await isChanged(chain.value))) return undefined
  const { contractVersionId, model: parts } = chain.value
  const cases = await casesOfSuite(tx, model.slug, { contractVersionId, inputFormat: parts.model.input }, at)
  if (cases.length === 0) return noCases(model)
  if (cases.length > limits.suiteCases) return tooMany(model, cases.length)
  const red = await untested.redOf(tx, chain.value, cases)
  if (red === undefined || red.length === 0) return undefined
  const isNamed = reachesContract(chain.value, judged.actor.families)
  const named = red.filter(({ origin }) => isNamed || origin === 'suite').map(({ name }) => name)
  const from = at > judged.actor.at ? at : undefined
  return notGreen(model, { red: red.length, named, of: cases.length, from })
}

/**
 * The finding, or nothing while an administrator has lifted the policy, which leaves an audit record.
 * @throws Fault forbidden for a token that doesn't reach the model, because the finding is about the model
 */
async function settled({ tx, actor, policy, model }: Judged, finding: Finding): Promise<Finding[]> {
  const { liftedUntil, liftReason, setBy } = policy
  if (liftedUntil === null || liftedUntil <= actor.at) {
    requireReached(actor.families, model.id)
    return [finding]
  }
  await recordAudit(tx, actor, {
    action: 'suite.overridden',
    resourceKind: 'ingestion_model',
    resourceId: model.id,
    detail: {
      ...{ slug: model.slug, message: finding.message, reason: liftReason, lifted_by: setBy },
      lifted_until: formatInstant(liftedUntil),
    },
  })
  return []
}

/** In a transaction of its own, because the refused one is rolled back. */
async function recordBlocked(database: Database, actor: Actor, { extras }: Fault): Promise<void> {
  const blocked = (extras.findings ?? []).filter(({ code }) => code === notGreenCode)
  if (blocked.length === 0) return
  await database.write(async (tx) => {
    for (const { path = '', message } of blocked) {
      await recordAudit(tx, actor, {
        action: 'suite.blocked',
        resourceKind: 'ingestion_model',
        resourceId: (await findFamilyId(tx, 'ingestion_model', path)) ?? path,
        detail: { slug: path, message },
      })
    }
  })
}

const hint =
  'Mend them, or accept what they make now; an administrator may let the suite pass for some hours, with a reason.'

/** How many of a suite's cases are red, the names that the reader may see, and the instant, if that is later. */
interface NotGreen {
  red: number
  named: readonly string[]
  of: number
  from: Instant | undefined
}

function notGreen({ slug }: FamilyHead, { red, named, of, from }: NotGreen): Finding {
  const names = named.slice(0, limits.suiteCasesTold)
  const more = names.length > 0 && red > names.length ? ` and ${red - names.length} more` : ''
  const list = names.length === 0 ? '' : `: ${names.join(', ')}${more}`
  const when = from === undefined ? '' : ` They run as from ${formatInstant(from)} on.`
  const message = `${red} of ${of} cases of ${slug} ${red === 1 ? 'isn’t' : 'aren’t'} as expected${list}.${when}`
  return { code: notGreenCode, severity: 'error', path: slug, message, hint }
}

function noCases({ slug }: FamilyHead): Finding {
  const message = `The suite of ${slug} has to be green, and has no case.`
  return { code: notGreenCode, severity: 'error', path: slug, message, hint: 'Add a case to it.' }
}

function tooMany({ slug }: FamilyHead, count: number): Finding {
  const message = `The suite of ${slug} has ${count} cases, and at most ${limits.suiteCases} are run before something is frozen or put in force.`
  return {
    code: notGreenCode,
    severity: 'error',
    path: slug,
    message,
    hint: 'Remove some, and leave them to quire test.',
  }
}

function brokenChain({ model: { slug }, actor }: Judged, [first]: readonly Finding[]): Finding {
  // The first finding may be about a family beyond the token's reach.
  const why = (actor.families === undefined && first?.message) || 'a part is missing, or has errors.'
  const message = `The suite of ${slug} can't be run with the drafts: ${why}`
  return { code: notGreenCode, severity: 'error', path: slug, message, hint: 'Mend the drafts that it runs through.' }
}
