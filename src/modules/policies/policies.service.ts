/**
 * Retention policies: how long the submissions of each ingestion model are kept, with everything about them. A set of policies is
 * in force until the next one; sets are numbered and never change.
 */
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { newId } from '../../core/ids.ts'
import { formatInstant } from '../../core/instant.ts'
import { retainedParts } from '../../core/retained-parts.ts'
import type { Database, Transaction } from '../../db/database.ts'
import type { RetentionPolicy } from '../../db/schema.ts'
import { mutate } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { isModel } from '../holds/holds.reads.ts'
import type { NewRetention, Retention } from './policies.model.ts'
import { findInForce, keepSetsOut, type RetentionRow } from './policies.reads.ts'
import { insertSet } from './policies.store.ts'

export type PolicyService = ReturnType<typeof createPolicyService>

export function createPolicyService(database: Database) {
  return {
    async read(): Promise<Retention> {
      return setToWire(await findInForce(database.read))
    },

    /**
     * Puts a set of policies in force.
     *
     * @throws Fault conflict if the set in force isn't the one that the caller expects; validation_failed for a model that is
     * named twice or doesn't exist
     */
    async set(actor: Actor, request: IdempotentRequest, wanted: NewRetention): Promise<Retention> {
      const { answer } = await mutate(database, actor.at, request, async (tx) => {
        await requireModels(tx, wanted.policies)
        await keepSetsOut(tx)
        const number = (await findInForce(tx))?.number ?? 0
        if (number !== wanted.expected_number) {
          throw new Fault(
            'conflict',
            `The retention policies were changed: set ${number} is in force. Read them again.`,
          )
        }
        const row: RetentionRow = {
          id: newId(),
          number: number + 1,
          policies: wanted.policies,
          setBy: actor.userId,
          correlationId: actor.correlationId,
          setAt: actor.at,
          notedAt: null,
        }
        await insertSet(tx, row)
        await recordAudit(tx, actor, {
          action: 'retention.set',
          resourceKind: 'retention',
          resourceId: row.id,
          detail: { number: row.number, policies: wanted.policies.map(toJson) },
        })
        return { status: 200, body: setToWire(row) }
      })
      return answer.body
    },
  }
}

/** @throws Fault validation_failed if a model has two policies, or a part outlives its submission */
export function requireOnce(policies: readonly RetentionPolicy[]): void {
  const seen = new Set<string | undefined>()
  for (const policy of policies) {
    const { ingestion_model: model } = policy
    requireShorter(policy)
    if (seen.has(model)) {
      const whose =
        model === undefined ? 'There are two policies without a model' : `The model ${model} has two policies`
      throw new Fault('validation_failed', `${whose}. Keep one of them.`)
    }
    seen.add(model)
  }
}

function requireShorter({
  ingestion_model: model = 'all other models',
  keep_days: whole,
  parts = {},
}: RetentionPolicy) {
  for (const part of retainedParts) {
    const days = parts[part]
    if (days === undefined || days < whole) continue
    throw new Fault(
      'validation_failed',
      `The policy of ${model} keeps ${part} ${days} days, and the submissions themselves ${whole}. Keep the part for less, or leave it out.`,
    )
  }
}

async function requireModels(tx: Transaction, policies: readonly RetentionPolicy[]): Promise<void> {
  requireOnce(policies)
  for (const { ingestion_model: model } of policies) {
    if (model !== undefined && !(await isModel(tx, model))) {
      throw new Fault('validation_failed', `There is no ingestion model ${model}. Correct the policy, or leave it out.`)
    }
  }
}

/** In the form of an audit record. */
function toJson({ parts, ...policy }: RetentionPolicy) {
  return parts === undefined ? policy : { ...policy, parts: { ...parts } }
}

function setToWire(row: RetentionRow | undefined): Retention {
  if (row === undefined) return { number: 0, policies: [] }
  return { number: row.number, policies: row.policies, set_by: row.setBy, set_at: formatInstant(row.setAt) }
}
