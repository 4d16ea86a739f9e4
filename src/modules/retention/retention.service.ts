import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import type { Database } from '../../db/database.ts'
import type { RetentionPolicy } from '../../db/schema.ts'
import { addCounts, countAbout, noCounts } from '../erasures/erasures.service.ts'
import { findInForce } from '../policies/policies.reads.ts'
import { requireOnce } from '../policies/policies.service.ts'
import { dueBefore, duePages, sortDue } from './retention.due.service.ts'
import type { RetentionPlan } from './retention.model.ts'

export type RetentionService = ReturnType<typeof createRetentionService>

export function createRetentionService(database: Database, clock: Clock) {
  return {
    /** Counts what policies would remove now: those given, else those in force. Changes nothing. */
    async plan(given: readonly RetentionPolicy[] | undefined): Promise<RetentionPlan> {
      const policies = given ?? (await findInForce(database.read))?.policies ?? []
      requireOnce(policies)
      const plan: RetentionPlan = { policies: [], is_complete: true }
      let room: number = limits.retentionPlanSubmissions
      for (const policy of policies) {
        const told = { policy, counts: noCounts(), held: 0, at_work: 0 }
        plan.policies.push(told)
        const before = dueBefore(policy, clock.now())
        for await (const { ids } of duePages(database.read, policies, { policy, before, after: undefined })) {
          for (let from = 0; from < ids.length && room > 0; from += limits.erasureSubmissions) {
            const some = ids.slice(from, from + Math.min(limits.erasureSubmissions, room))
            room -= some.length
            const { removable, held, atWork } = await sortDue(database.read, some)
            told.held += held.length
            told.at_work += atWork.length
            addCounts(told.counts, await countAbout(database.read, removable))
          }
          if (room <= 0) break
        }
        if (room <= 0) {
          plan.is_complete = false
          break
        }
      }
      return plan
    },
  }
}
