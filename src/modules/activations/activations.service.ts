import { appendEvent } from '../../bus/outbox.ts'
import type { Actor } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { newId } from '../../core/ids.ts'
import { dayMs, epochMsOf, formatInstant, type Instant, instantOf } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { activationFilters } from '../../core/list-filters.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import type { Mutated } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import { filterValues } from '../../http/list-query.ts'
import { cutPage, foreignCursor } from '../../http/paging.ts'
import { recordAudit } from '../audit/audit.service.ts'
import type { MutationResult } from '../configuration/configuration.model.ts'
import { mutateConfiguration, mutationResult } from '../configuration/mutations.service.ts'
import { mustFindHead, mustHold, noVersion } from '../configuration/refusals.service.ts'
import { requireSameToday } from '../drafts/compile.service.ts'
import { judgeKnown } from '../drafts/judge-known.service.ts'
import type { ConfigurationKind } from '../families/families.model.ts'
import { type FamilyHead, findFamilyByReference } from '../families/families.reads.ts'
import { holdFamily, kindNames } from '../families/families.service.ts'
import { approvalOf, ownWorkIn, recordPublished, requireOtherPerson } from '../versions/approval.service.ts'
import { loadModel } from '../versions/compiled.service.ts'
import type { SuiteGate } from '../versions/suite-gate.service.ts'
import { findVersionByNumber, type VersionHead } from '../versions/versions.reads.ts'
import { publishVersion } from '../versions/versions.service.ts'
import { checkActivation } from './activations.check.ts'
import type {
  Activation,
  ActivationQuery,
  Approval,
  ApprovalQuery,
  Calendar,
  CalendarActivation,
  CalendarQuery,
} from './activations.model.ts'
import {
  type ActivationInTime,
  type ActivationRow,
  activationsPage,
  aroundRange,
  type CancelledActivation,
  findActivation,
  findAtInstant,
  findInForce,
  hasActivation,
  hasBeenInForce,
  holdActivations,
  holdingActivations,
  insertActivation,
  listBetween,
  listDue,
  markCancelled,
  settleFamily,
  type TimeRange,
} from './activations.store.ts'

export { type Activated, checkTogether } from './activations.check.ts'

export {
  type FamilyInForce,
  findAfter,
  findInForce,
  holdActivations,
  holdingActivations,
  listInForce,
  listInForceOf,
  listLaterInstants,
} from './activations.store.ts'

/**
 * Puts a published version in force from an instant on. History never changes: an instant in the past is accepted only for a
 * family's first activation, or if it is later than that of the activation in force. The caller holds the family; the audit
 * record is written here.
 *
 * @throws Fault conflict if the instant would change what was in force before, or has an activation already; forbidden for the
 * caller's own work under the policy of four eyes, unless the version has been in force before
 */
export async function scheduleActivation(
  tx: Transaction,
  actor: Actor,
  family: FamilyHead,
  version: VersionHead,
  effectiveFrom: Instant,
): Promise<ActivationRow> {
  if (family.kind === 'contract') throw new Error('contracts are published, not activated')
  await requireFreeInstant(tx, family, effectiveFrom, actor.at)
  const isReturn = actor.fourEyes === true && (await hasBeenInForce(tx, version, actor.at))
  if (!isReturn) await requireOtherPerson(tx, actor, version)
  const row: ActivationRow = {
    id: newId(),
    kind: family.kind,
    familyId: family.id,
    familySlug: family.slug,
    versionId: version.id,
    version: version.number,
    contentHash: version.contentHash,
    effectiveFrom,
    scheduledBy: actor.userId,
    correlationId: actor.correlationId,
    scheduledAt: actor.at,
    status: 'scheduled',
    cancelledAt: null,
    cancellationCode: null,
  }
  await insertActivation(tx, row)
  await settleFamily(tx, family.id, actor.at)
  await appendEvent(tx, actor.at, {
    aggregate: 'activation',
    aggregateId: row.id,
    type: 'scheduled',
    data: {
      kind: row.kind,
      family_id: row.familyId,
      family_slug: row.familySlug,
      version_id: row.versionId,
      version: row.version,
      content_hash: row.contentHash,
      effective_from: formatInstant(effectiveFrom),
    },
    correlationId: actor.correlationId,
    traceparent: actor.traceparent,
  })
  await recordAudit(tx, actor, {
    action: 'activation.scheduled',
    resourceKind: 'activation',
    resourceId: row.id,
    detail: {
      kind: row.kind,
      family_id: row.familyId,
      version: row.version,
      effective_from: formatInstant(effectiveFrom),
      ...(isReturn ? { four_eyes: { in_force_before: true } } : await approvalOf(tx, actor, version)),
    },
  })
  return row
}

async function requireFreeInstant(
  tx: Transaction,
  family: FamilyHead,
  effectiveFrom: Instant,
  now: Instant,
): Promise<void> {
  const taken = await findAtInstant(tx, family.id, effectiveFrom)
  if (taken !== undefined) {
    throw conflict(
      `Version ${taken.version} begins at ${formatInstant(effectiveFrom)} already. Choose another effective_from.`,
    )
  }
  if (effectiveFrom >= now) return
  const inForce = await findInForce(tx, family.id, now)
  if (inForce !== undefined && effectiveFrom < inForce.effectiveFrom) {
    throw conflict(
      `Version ${inForce.version} is in force since ${formatInstant(inForce.effectiveFrom)}, and history never changes. Choose a later effective_from.`,
    )
  }
  if (inForce === undefined && (await hasActivation(tx, family.id))) {
    throw conflict('Only the first activation of a family may begin in the past. Choose an effective_from from now on.')
  }
}

function conflict(detail: string): Fault {
  return new Fault('conflict', detail)
}

/** Cancels an activation that has not begun. @throws Fault not_found, conflict */
export async function cancelActivation(
  tx: Transaction,
  actor: Actor,
  clock: Clock,
  { id, code }: { id: string; code: string },
): Promise<CancelledActivation> {
  const row = await findActivation(tx, id)
  if (row === undefined) throw noActivation(id)
  await holdFamily(tx, row.kind, row.familyId)
  // Check only now: it may have begun while this transaction waited for the family.
  if (row.cancelledAt === null && row.effectiveFrom <= clock.now()) {
    throw conflict(
      `Version ${row.version} of ${row.familySlug} is in force since ${formatInstant(row.effectiveFrom)}, and history never changes. Publish another version instead.`,
    )
  }
  const cancelled = await markCancelled(tx, id, actor.at, code)
  if (cancelled === undefined) throw conflict(`The activation ${id} is cancelled already.`)
  await appendEvent(tx, actor.at, {
    aggregate: 'activation',
    aggregateId: id,
    type: 'cancelled',
    data: {
      kind: row.kind,
      family_id: row.familyId,
      version_id: row.versionId,
      effective_from: formatInstant(row.effectiveFrom),
      cancellation_code: code,
    },
    correlationId: actor.correlationId,
    traceparent: actor.traceparent,
  })
  await recordAudit(tx, actor, {
    action: 'activation.cancelled',
    resourceKind: 'activation',
    resourceId: id,
    detail: { kind: row.kind, family_id: row.familyId, version: row.version, cancellation_code: code },
  })
  return cancelled
}

/** A version of a family by its number. */
interface VersionReference {
  kind: ConfigurationKind
  id: string
  number: number
}

export type ActivationService = ReturnType<typeof createActivationService>

export function createActivationService(database: Database, clock: Clock, suites: SuiteGate) {
  return {
    /**
     * Publishes a version, and puts it in force from an instant on.
     * @throws Fault validation_failed with all findings about the versions that would be in force together
     */
    publish(
      { kind, id, number }: VersionReference,
      actor: Actor,
      request: IdempotentRequest,
      effectiveFrom: string,
    ): Promise<Mutated<MutationResult>> {
      const from = instantOf(effectiveFrom)
      const publish = async (tx: Transaction) => {
        await holdActivations(tx)
        const family = await mustHold(tx, kind, id)
        const version = await findVersionByNumber(tx, id, number)
        if (version === undefined) throw noVersion(kind, id, number)
        await requireSameToday(version)
        const judging = { connection: tx, judge: judgeKnown, reach: actor.families }
        const findings = await checkActivation(judging, family, version, from)
        if (findings.length > 0) {
          throw new Fault(
            'validation_failed',
            `Version ${number} of ${family.slug} doesn't fit what would be in force with it. See the errors.`,
            { findings, stage: 'chain', resourceKind: kind, resourceId: id },
          )
        }
        const published = await publishVersion(tx, actor, version)
        if (published !== version) await recordPublished(tx, actor, version)
        const row = await scheduleActivation(tx, actor, family, published, from)
        const red = await suites.findings(tx, actor, [{ families: new Set([id]), at: from }])
        if (red.length > 0) {
          throw new Fault(
            'validation_failed',
            `Version ${number} of ${family.slug} is not put in force while a suite isn't green. See the errors.`,
            { findings: red, stage: 'suite', resourceKind: kind, resourceId: id },
          )
        }
        return { status: 201, body: publicationOf(row, actor.correlationId) }
      }
      const write = () => mutateConfiguration(database, actor.at, request, publish)
      return suites.guard(actor, () => holdingActivations(database, write))
    },

    /** Cancels an activation that has not begun. @throws Fault not_found, conflict */
    async cancel(id: string, actor: Actor, request: IdempotentRequest, code: string): Promise<Mutated<MutationResult>> {
      if ((await findActivation(database.read, id)) === undefined) throw noActivation(id)
      return mutateConfiguration(database, actor.at, request, async (tx) => {
        const cancelled = await cancelActivation(tx, actor, clock, { id, code })
        return { status: 200, body: cancellationOf(cancelled, actor.correlationId) }
      })
    },

    /** The activation in force at an instant. @throws Fault not_found if there is no such family, or none in force */
    async resolve(kind: ConfigurationKind, id: string, at: string): Promise<Activation> {
      const family = await mustFindHead(database, kind, id)
      const instant = instantOf(at)
      await settle(database, clock.now())
      const row = await findInForce(database.read, id, instant)
      if (row === undefined) {
        throw new Fault('not_found', `No version of ${family.slug} is in force at ${formatInstant(instant)}.`, {
          resourceKind: kind,
          resourceId: id,
        })
      }
      return activationToWire(row)
    },

    /** Whether the policy of four eyes lets the caller put a version in force, for asking beforehand. @throws Fault not_found */
    async approval(actor: Actor, { kind, family_id: familyId, version: number }: ApprovalQuery): Promise<Approval> {
      const { read } = database
      const id = familyId.toLowerCase()
      const version = await findVersionByNumber(read, id, number)
      if (version === undefined || version.kind !== kind) {
        throw new Fault('not_found', `The ${kindNames[kind]} ${id} has no version ${number}.`, {
          resourceKind: kind,
          resourceId: id,
        })
      }
      if (actor.fourEyes !== true) return { four_eyes: false, allowed: true }
      const isReturn =
        kind === 'contract' ? version.status !== 'versioned' : await hasBeenInForce(read, version, actor.at)
      const ownWork = isReturn ? undefined : await ownWorkIn(read, actor, version)
      if (ownWork === undefined) return { four_eyes: true, allowed: true }
      return { four_eyes: true, allowed: false, reason: `${ownWork.message} ${ownWork.hint}` }
    },

    /** A page, newest scheduling first; the cursor is the id of the page's last activation. */
    async list(query: ActivationQuery): Promise<{ activations: Activation[]; next_cursor?: string }> {
      const { read } = database
      const after = query.cursor === undefined ? undefined : await findActivation(read, query.cursor.toLowerCase())
      if (query.cursor !== undefined && after === undefined) throw foreignCursor()
      await settle(database, clock.now())
      const limit = query.limit ?? limits.pageSizeDefault
      const filter = filterValues(activationFilters, query)
      const page = cutPage(await activationsPage(read, filter, after, limit + 1), limit)
      const activations = page.rows.map(activationToWire)
      return page.last === undefined ? { activations } : { activations, next_cursor: page.last.id }
    },

    /** What begins in a range of time. @throws Fault validation_failed for a range that is empty or too long */
    async calendar(query: CalendarQuery): Promise<Calendar> {
      const { read } = database
      const range = rangeOf(query)
      await settle(database, clock.now())
      const filter = filterValues(activationFilters, query)
      const [rows, around] = await Promise.all([
        listBetween(read, filter, range, limits.calendarActivations),
        aroundRange(read, filter, range),
      ])
      const activations: CalendarActivation[] = []
      for (const row of rows) activations.push(await calendarEntry(read, row))
      return {
        activations,
        total: around.total,
        ...(around.previous === null ? {} : { previous_at: formatInstant(around.previous) }),
        ...(around.next === null ? {} : { next_at: formatInstant(around.next) }),
      }
    },
  }
}

/** @throws Fault validation_failed */
function rangeOf({ from, before }: CalendarQuery): TimeRange {
  const range = { from: instantOf(from), before: instantOf(before) }
  if (range.before <= range.from) {
    throw new Fault('validation_failed', 'Query field before is not after from. Name a later instant.')
  }
  if (epochMsOf(range.before) - epochMsOf(range.from) > limits.calendarDays * dayMs) {
    throw new Fault(
      'validation_failed',
      `Query field before is more than ${limits.calendarDays} days after from. Ask for a shorter range.`,
    )
  }
  return range
}

/** An activation as the calendar shows it. A model's entry includes its contract, which comes into force with it. */
async function calendarEntry(connection: Connection, row: ActivationInTime): Promise<CalendarActivation> {
  const contract = row.kind === 'ingestion_model' ? await contractOf(connection, row.versionId) : undefined
  return {
    ...activationToWire(row),
    ...(row.fromVersion === null ? {} : { from_version: row.fromVersion }),
    ...(row.until === null ? {} : { until: formatInstant(row.until) }),
    ...(contract === undefined ? {} : { contract }),
  }
}

async function contractOf(connection: Connection, modelVersionId: string): Promise<CalendarActivation['contract']> {
  const { name, version } = (await loadModel(connection, modelVersionId)).contract
  const family = await findFamilyByReference(connection, 'contract', name)
  return family && { family_id: family.id, slug: family.slug, version }
}

/**
 * Brings stored statuses up to an instant: time alone makes a scheduled activation active and the previous one superseded.
 * Usually nothing is due, which one read of a small index shows.
 */
async function settle(database: Database, now: Instant): Promise<void> {
  for (;;) {
    const due = await listDue(database.read, now, limits.activationSettleBatch)
    if (due.length === 0) return
    const families = new Map(due.map(({ familyId, kind }) => [familyId, kind]))
    await database.write(async (tx) => {
      // A fixed order, so that two of these at once wait for each other instead of deadlocking.
      for (const [familyId, kind] of [...families].sort(([a], [b]) => (a < b ? -1 : 1))) {
        await holdFamily(tx, kind, familyId)
        await settleFamily(tx, familyId, now)
      }
    })
  }
}

function noActivation(id: string): Fault {
  return new Fault('not_found', `There is no activation ${id}.`, { resourceKind: 'activation', resourceId: id })
}

export function activationToWire(row: ActivationRow): Activation {
  return {
    id: row.id,
    kind: row.kind,
    family_id: row.familyId,
    family_slug: row.familySlug,
    version_id: row.versionId,
    version: row.version,
    content_hash: row.contentHash,
    effective_from: formatInstant(row.effectiveFrom),
    scheduled_by: row.scheduledBy,
    correlation_id: row.correlationId,
    scheduled_at: formatInstant(row.scheduledAt),
    status: row.status,
    ...(row.cancelledAt === null ? {} : { cancelled_at: formatInstant(row.cancelledAt) }),
    ...(row.cancellationCode === null ? {} : { cancellation_code: row.cancellationCode }),
  }
}

function publicationOf(row: ActivationRow, correlationId: string): MutationResult {
  const outcome = {
    kind: row.kind,
    family_id: row.familyId,
    family_slug: row.familySlug,
    version_id: row.versionId,
    version: row.version,
    content_hash: row.contentHash,
    activation_id: row.id,
    effective_from: formatInstant(row.effectiveFrom),
    scheduled_at: formatInstant(row.scheduledAt),
  }
  return mutationResult({ kind: 'activation', id: row.id }, outcome, correlationId)
}

function cancellationOf(row: CancelledActivation, correlationId: string): MutationResult {
  const outcome = {
    activation_id: row.id,
    kind: row.kind,
    family_id: row.familyId,
    version_id: row.versionId,
    effective_from: formatInstant(row.effectiveFrom),
    cancelled_at: formatInstant(row.cancelledAt),
    cancellation_code: row.cancellationCode,
  }
  return mutationResult({ kind: 'activation', id: row.id }, outcome, correlationId)
}
