import { type Static, Type } from '@sinclair/typebox'
import { dependency, dependencyName, dependencyState, object, oneOf, text, timestamp } from '../../http/wire.ts'

export const liveness = object(
  {
    status: oneOf(['live']),
    build: object({
      version: text({ minLength: 1 }),
      revision: text({ minLength: 1 }),
      api_version: text({ minLength: 1 }),
    }),
  },
  { $id: 'Liveness' },
)

export const readiness = object(
  { status: oneOf(['ready']), dependencies: Type.Array(dependency, { maxItems: 3 }) },
  { $id: 'Readiness' },
)

export const detailedReadiness = object(
  {
    status: dependencyState,
    dependencies: Type.Array(
      object({
        name: dependencyName,
        operation: text({ minLength: 1 }),
        status: dependencyState,
        duration_ms: Type.Number({ minimum: 0 }),
        /** Why it is unavailable, if known. */
        reason: Type.Optional(text({ minLength: 1 })),
      }),
      { maxItems: 4 },
    ),
    /** Absent when the outbox could not be read. */
    outbox: Type.Optional(
      object({
        backlog_size: Type.Integer({ minimum: 0 }),
        oldest_unpublished_age_seconds: Type.Number({ minimum: 0 }),
        consumer_last_success_at: Type.Union([timestamp, Type.Null()]),
        publish_failures: Type.Integer({ minimum: 0 }),
      }),
    ),
    /** Present while this instance runs no steps because a dependency is unusable; it resumes by itself. */
    paused: Type.Optional(
      object({
        dependency: dependencyName,
        code: text({ minLength: 1 }),
        since: timestamp,
        steps: Type.Integer({ minimum: 0 }),
      }),
    ),
  },
  { $id: 'DetailedReadiness' },
)
export type DetailedReadinessBody = Static<typeof detailedReadiness>
