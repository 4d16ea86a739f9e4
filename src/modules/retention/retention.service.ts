import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import type { Database } from '../../db/database.ts'
import type { RetentionPolicy } from '../../db/schema.ts'
import { addCounts, countAbout, countPart, noCounts } from '../erasures/erasures.service.ts'
import { findInForce } from '../policies/policies.reads.ts'
import { requireOnce } from '../policies/policies.service.ts'
import { dueBefore, duePages, sortDue, termsOf } from './retention.due.service.ts'
import type { RetentionPlan } from './retention.model.ts'

export type RetentionService = ReturnType<typeof createRetentionService>

export function createRetentionService(database: Database, clock: Clock) {
  return {
    /** Counts what policies would remove now: the given ones, else those in force. Changes nothing. */
    async plan(given: readonly RetentionPolicy[] | undefined): Promise<RetentionPlan> {
      const policies = given ?? (await findInForce(database.read))?.policies ?? []
      requireOnce(policies)
      const plan: RetentionPlan = { policies: [], is_complete: true }
      let room: number = limits.retentionPlanSubmissions
      const take = (ids: readonly string[]) => {
        const some = ids.slice(0, Math.max(0, room))
        room -= ids.length
        return some
      }
      for (const policy of policies) {
        const told: RetentionPlan['policies'][number] = { policy, counts: noCounts(), held: 0, at_work: 0 }
        plan.policies.push(told)
        // Submissions that are removed as a whole don't count again by their parts.
        const whole = new Set<string>()
        for (const { part, ...term } of termsOf(policy)) {
          const counted = part === undefined ? told : { part, counts: noCounts(), held: 0, at_work: 0 }
          if ('part' in counted) told.parts = [...(told.parts ?? []), counted]
          const due = {
            term: { ...term, ...(part === undefined ? {} : { part }) },
            before: dueBefore(term, clock.now()),
          }
          for await (const page of duePages(database.read, policies, { ...due, after: undefined })) {
            const ids = take(page.ids.filter((id) => !whole.has(id)))
            for (let from = 0; from < ids.length; from += limits.erasureSubmissions) {
              const some = ids.slice(from, from + limits.erasureSubmissions)
              const { removable, held, atWork } = await sortDue(database.read, some, part)
              counted.held += held.length
              counted.at_work += atWork.length
              const counts =
                part === undefined ? countAbout(database.read, removable) : countPart(database.read, part, removable)
              addCounts(counted.counts, await counts)
              if (part === undefined) for (const id of removable) whole.add(id)
            }
            if (room < 0) break
          }
        }
      }
      plan.is_complete = room >= 0
      return plan
    },
  }
}
