import type { Actor } from '../../core/actor.ts'
import { canonicalHash } from '../../core/canonical.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/finding.ts'
import { formatInstant, type Instant, instantOf } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import { mutate } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import { configurationIssueOf } from '../../http/problem.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { mustFindHead } from '../configuration/refusals.service.ts'
import { requireSameToday } from '../drafts/compile.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { judgeKnown } from '../drafts/judge-known.service.ts'
import { holdFamily, kindNames } from '../families/families.service.ts'
import { recordPublished, refusalOf } from '../versions/approval.service.ts'
import { loadModel } from '../versions/compiled.service.ts'
import type { SuiteGate } from '../versions/suite-gate.service.ts'
import { publishVersion } from '../versions/versions.service.ts'
import { brokenCases, type FindStoredCases, type SetChain, setChain } from './activations.cases.ts'
import { type Activated, checkTogether } from './activations.check.ts'
import { type Frozen, freezeDrafts, judgeDrafts } from './activations.drafts.ts'
import { type Member, membersOf } from './activations.members.ts'
import { activationToWire, cancelActivation, scheduleActivation } from './activations.service.ts'
import type { AppliedSet, CancelledSet, CancelSet, SetMember, SetPlan, SetRequest } from './activations.sets.model.ts'
import {
  type ActivationRow,
  findActivation,
  findAfter,
  findInForce,
  holdActivations,
  holdingActivations,
} from './activations.store.ts'

/** Rolls the transaction of a plan back, and carries its outcome out. */
class Planned extends Error {
  constructor(readonly outcome: SetOutcome) {
    super('a plan is never committed')
  }
}

interface SetOutcome {
  /** What the cases run through; only for a plan without findings. */
  chain?: SetChain | undefined
  members: SetMember[]
  rows: ActivationRow[]
  findings: Finding[]
}

export interface SetPorts {
  database: Database
  clock: Clock
  judge: Judge
  suites: SuiteGate
  storedCases: FindStoredCases
}

export type ActivationSetService = ReturnType<typeof createActivationSetService>

/** An ingestion model with its contract and the parts of its nodes, put in force together or set back together. */
export function createActivationSetService({ database, clock, judge, suites, storedCases }: SetPorts) {
  return {
    /**
     * What applying the set would do: applies it in a transaction that is rolled back.
     * @throws Fault not_found for the model
     */
    async plan(actor: Actor, request: SetRequest): Promise<SetPlan> {
      const at = instantFor(actor, request)
      if (request.state === 'drafts') await judgeDrafts(database.read, judge, request)
      const rehearsal = { database, suites, actor, request, at, storedCases }
      const outcome = await suites.guard(actor, () => rehearse(rehearsal))
      const cases = outcome.chain && (await brokenCases(judge, outcome.chain))
      const subject = { stage: 'set', resourceKind: 'ingestion_model', correlationId: actor.correlationId }
      return {
        plan_hash: hashOf(outcome, request),
        effective_from: formatInstant(at),
        members: outcome.members,
        valid: outcome.findings.length === 0,
        cases_run: cases?.run ?? 0,
        broken_cases: cases?.broken ?? [],
        issues: outcome.findings
          .slice(0, limits.configurationIssues)
          .map((finding) => configurationIssueOf(finding, subject)),
        correlation_id: actor.correlationId,
      }
    },

    /**
     * Puts the set in force in one transaction, all of it from the same instant on.
     * @throws Fault validation_failed with every finding; conflict if the result would differ from the plan
     */
    async apply(
      actor: Actor,
      idempotency: IdempotentRequest,
      { plan_hash: planHash, ...request }: SetRequest & { plan_hash: string },
    ): Promise<AppliedSet> {
      const at = instantFor(actor, request)
      await mustFindHead(database, 'ingestion_model', request.ingestion_model_id.toLowerCase())
      if (request.state === 'drafts') await judgeDrafts(database.read, judge, request)
      const apply = async (tx: Transaction) => {
        await holdActivations(tx)
        const { outcome } = await putInForce(tx, suites, { actor, request, at })
        if (outcome.findings.length > 0) {
          throw refusalOf(outcome.findings, "The set doesn't fit together. See the errors.", {
            stage: 'set',
            resourceKind: 'ingestion_model',
            resourceId: request.ingestion_model_id,
          })
        }
        if (hashOf(outcome, request) !== planHash) {
          throw new Fault(
            'conflict',
            'The configuration has changed since the plan was made. Plan again, then apply that plan.',
          )
        }
        await recordAudit(tx, actor, {
          action: 'activation.set_applied',
          resourceKind: 'activation_set',
          resourceId: planHash,
          detail: {
            ingestion_model_id: request.ingestion_model_id,
            activations: outcome.rows.length,
            effective_from: formatInstant(at),
          },
        })
        const body: AppliedSet = {
          plan_hash: planHash,
          effective_from: formatInstant(at),
          activations: outcome.rows.map(activationToWire),
          correlation_id: actor.correlationId,
        }
        return { status: 200, body }
      }
      const write = () => mutate(database, actor.at, idempotency, apply)
      const { answer } = await suites.guard(actor, () => holdingActivations(database, write))
      return answer.body
    },

    /** Cancels activations that have not begun, all of them or none. @throws Fault not_found, conflict */
    async cancel(actor: Actor, idempotency: IdempotentRequest, body: CancelSet): Promise<CancelledSet> {
      const { answer } = await mutate(database, actor.at, idempotency, async (tx) => {
        const rows: ActivationRow[] = []
        // A fixed order, so that two of these at once wait for each other instead of deadlocking.
        for (const id of [...new Set(body.activation_ids.map((one) => one.toLowerCase()))].sort()) {
          rows.push(await cancelActivation(tx, actor, clock, { id, code: body.cancellation_code }))
        }
        const cancelled: CancelledSet = {
          activations: rows.map(activationToWire),
          correlation_id: actor.correlationId,
        }
        return { status: 200, body: cancelled }
      })
      return answer.body
    },
  }
}

/**
 * @throws Fault validation_failed for an `effective_from` in the past or an `as_of` in the future, and unless `as_of` comes
 * exactly with the state `past`
 */
function instantFor(actor: Actor, { effective_from: effectiveFrom, state, as_of: asOf }: SetRequest): Instant {
  if ((state === 'past') !== (asOf !== undefined)) {
    throw new Fault(
      'validation_failed',
      asOf === undefined
        ? 'Body field as_of is missing. Name the instant whose versions are to be in force again.'
        : 'Body field as_of is only for the state past. Leave it out, or choose that state.',
    )
  }
  if (asOf !== undefined && instantOf(asOf) > actor.at) {
    throw new Fault('validation_failed', 'Body field as_of is still to come. Name an instant that has been.')
  }
  const at = effectiveFrom === undefined ? actor.at : instantOf(effectiveFrom)
  if (at >= actor.at) return at
  throw new Fault(
    'validation_failed',
    'Body field effective_from is in the past. Name an instant from now on, or leave it out.',
  )
}

interface Rehearsal {
  database: Database
  suites: SuiteGate
  actor: Actor
  request: SetRequest
  at: Instant
  storedCases: FindStoredCases
}

async function rehearse({ database, suites, actor, request, at, storedCases }: Rehearsal): Promise<SetOutcome> {
  await mustFindHead(database, 'ingestion_model', request.ingestion_model_id.toLowerCase())
  try {
    return await database.write(async (tx) => {
      const { outcome, members } = await putInForce(tx, suites, { actor, request, at })
      if (outcome.findings.length > 0) throw new Planned(outcome)
      throw new Planned({ ...outcome, chain: await setChain(tx, members, { storedCases, at }) })
    })
  } catch (error) {
    if (error instanceof Planned) return error.outcome
    throw error
  }
}

/** Applies everything first and then checks the whole: the parts fit each other, but need not fit the versions they replace. */
async function putInForce(
  tx: Transaction,
  suites: SuiteGate,
  { actor, request, at }: Pick<Rehearsal, 'actor' | 'request' | 'at'>,
): Promise<{ outcome: SetOutcome; members: Member[] }> {
  const model = await holdFamily(tx, 'ingestion_model', request.ingestion_model_id.toLowerCase())
  if (model === undefined) throw new Error(`family ${request.ingestion_model_id} is missing from the database`)
  const frozen = request.state === 'drafts' ? await freezeDrafts(tx, actor, request) : undefined
  const versions = [...(request.versions ?? []), ...(frozen?.versions ?? [])]
  const members = await membersOf({ connection: tx, request: { ...request, versions }, now: actor.at }, model)
  const findings = [...(frozen?.findings ?? []), ...unusedVersions(request, members)]
  const outcome: SetOutcome = { members: [], rows: [], findings }
  await addMembers(tx, actor, { members, outcome, frozen, request, at })
  if (outcome.findings.length === 0 && outcome.rows.length > 0) {
    const families = new Set(outcome.rows.map(({ familyId }) => familyId))
    outcome.findings.push(...(await suites.findings(tx, actor, [{ families, at }])))
  }
  return { outcome, members }
}

interface Adding {
  members: readonly Member[]
  outcome: SetOutcome
  frozen: Frozen | undefined
  request: SetRequest
  at: Instant
}

async function addMembers(
  tx: Transaction,
  actor: Actor,
  { members, outcome, frozen, request, at }: Adding,
): Promise<void> {
  const activated: Activated[] = []
  const contractBefore = await contractInForce(tx, members, at)
  for (const member of members) {
    const told = await memberToWire(tx, member, { at, frozen, contractBefore })
    outcome.members.push(told)
    if (told.action === 'missing') outcome.findings.push(missing(member, request))
    if (told.action === 'none' || told.action === 'missing') continue
    try {
      const { family, version } = present(member)
      await holdFamily(tx, family.kind, family.id)
      await requireSameToday(version)
      const published = await publishVersion(tx, actor, version)
      if (family.kind === 'contract') await recordPublished(tx, actor, version)
      else {
        outcome.rows.push(await schedule(tx, actor, { family, version: published }, at))
        activated.push({ family, version: published })
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      outcome.findings.push(...findingsOf(error, member))
    }
  }
  if (outcome.findings.length > 0) return
  const judging = { connection: tx, judge: judgeKnown, reach: actor.families }
  for (const { family, finding } of await checkTogether(judging, activated, at)) {
    outcome.findings.push({ ...finding, path: `${family.slug}${finding.path === undefined ? '' : `#${finding.path}`}` })
  }
}

async function schedule(
  tx: Transaction,
  actor: Actor,
  { family, version }: Activated,
  at: Instant,
): Promise<ActivationRow> {
  const row = await scheduleActivation(tx, actor, family, version, at)
  // Read again for its status, which depends on the instant.
  return (await findActivation(tx, row.id)) ?? row
}

function present({ slug, family, version }: Member): Activated {
  if (family === undefined || version === undefined) throw new Error(`${slug} has nothing to put in force`)
  return { family, version }
}

/** The version of the set's contract that the model in force names. */
async function contractInForce(
  connection: Connection,
  members: readonly Member[],
  at: Instant,
): Promise<number | undefined> {
  const family = members.find(({ kind }) => kind === 'ingestion_model')?.family
  const contract = members.find(({ kind }) => kind === 'contract')?.family
  const inForce = family && (await findInForce(connection, family.id, at))
  if (inForce === undefined || contract === undefined) return undefined
  const { name, version } = (await loadModel(connection, inForce.versionId)).contract
  return name === contract.name || name === contract.slug ? version : undefined
}

interface Telling {
  at: Instant
  frozen: Frozen | undefined
  contractBefore: number | undefined
}

async function memberToWire(
  connection: Connection,
  member: Member,
  { at, frozen, contractBefore }: Telling,
): Promise<SetMember> {
  const { kind, slug, family, version, nodes } = member
  const before = family === undefined || kind === 'contract' ? undefined : await findInForce(connection, family.id, at)
  const next = family === undefined || kind === 'contract' ? undefined : await findAfter(connection, family.id, at)
  const revision = frozen?.revisions.get(family?.id ?? '')
  const isThere = kind === 'contract' ? version?.status !== 'versioned' : before?.versionId === version?.id
  return {
    kind,
    family_id: family?.id ?? '00000000-0000-0000-0000-000000000000',
    slug,
    name: family?.name ?? slug,
    action: version === undefined ? 'missing' : isThere ? 'none' : kind === 'contract' ? 'publish' : 'activate',
    ...(before === undefined ? {} : { from_version: before.version, since: formatInstant(before.effectiveFrom) }),
    ...(kind === 'contract' && contractBefore !== undefined && contractBefore !== version?.number
      ? { from_version: contractBefore }
      : {}),
    ...(version === undefined ? {} : { to_version: version.number, content_hash: version.contentHash }),
    ...(revision === undefined ? {} : { freezes_revision: revision }),
    ...(family === undefined || family.latestNumber === 0 ? {} : { newest_version: family.latestNumber }),
    ...(next === undefined
      ? {}
      : { next: { version: next.version, effective_from: formatInstant(next.effectiveFrom) } }),
    nodes,
  }
}

function missing({ kind, slug, family }: Member, { state }: SetRequest): Finding {
  const what = kindNames[kind]
  if (family === undefined) {
    const message = `There is no ${what} "${slug}", which the ingestion model names.`
    return { code: 'set.missing', severity: 'error', path: slug, message, hint: 'Make it first.' }
  }
  const isBefore = state === 'before' || state === 'past'
  return {
    code: isBefore ? 'set.nothing_before' : 'set.no_version',
    severity: 'error',
    path: slug,
    message: isBefore
      ? `Nothing of the ${what} "${slug}" was in force before.`
      : `The ${what} "${slug}" has no version to put in force.`,
    hint: isBefore ? 'Choose a version of it.' : 'Freeze one first.',
  }
}

function findingsOf(fault: Fault, { slug }: Member): Finding[] {
  const { findings = [] } = fault.extras
  if (findings.length > 0) return findings.map((finding) => ({ ...finding, path: `${slug}${finding.path ?? ''}` }))
  return [{ code: fault.code, severity: 'error', path: slug, message: fault.detail }]
}

/** Findings for requested versions that the set doesn't use: nobody should believe that they come into force. */
function unusedVersions({ versions = [] }: SetRequest, members: readonly Member[]): Finding[] {
  // Without a version of the model, it is unknown what the model names.
  if (members.every(({ version }) => version === undefined)) return []
  const seen = new Set<string>()
  return versions.flatMap(({ family_id: given, version }, index): Finding[] => {
    const id = given.toLowerCase()
    const member = members.find(({ family }) => family?.id === id)
    const isAgain = seen.has(id)
    seen.add(id)
    const refused = (message: string, hint: string): Finding[] => {
      return [{ code: 'set.unused_version', severity: 'error', path: `versions/${index}`, message, hint }]
    }
    if (member === undefined) return refused(`The set has no family ${id}.`, 'Name only families of its members.')
    if (isAgain) return refused(`A version of ${member.slug} is named already.`, 'Name one version of each family.')
    if (member.kind !== 'contract' || member.version?.number === version) return []
    const named = member.version === undefined ? 'no version that is there' : `version ${member.version.number}`
    return refused(`The ingestion model names ${named} of ${member.slug}.`, 'Leave it out, or choose another model.')
  })
}

/** Equal for equal sets on the same store, and for the same instant if one was given. */
function hashOf({ members }: SetOutcome, { effective_from: effectiveFrom }: SetRequest): string {
  return canonicalHash({ members, ...(effectiveFrom === undefined ? {} : { effective_from: effectiveFrom }) })
}
