import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { webhookStatuses } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { dependencyName, object, oneOf, positiveInteger, text, timestamp, uuid } from '../../http/wire.ts'

/** Wire shape of the operations' status; docs/api.md describes it. */
const seconds = Type.Number({ minimum: 0 })
const whole = Type.Integer({ minimum: 0 })
const orNull = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

const count = object({
  count: whole,
  is_exact: Type.Boolean({ description: `False where there are more: at most ${limits.statusRows} are counted.` }),
})

const ended = object({ completed: count, failed: count })
const disk = object({ free_bytes: whole, total_bytes: whole })

export const operationsStatus = object(
  {
    at: timestamp,
    steps: orNull(
      object({
        queued: count,
        oldest_queued_seconds: orNull(
          seconds,
          'How long the first step that could be claimed waits; null if none does.',
        ),
        running: count,
        longest_running_seconds: orNull(seconds),
      }),
    ),
    paused: orNull(
      object({ dependency: dependencyName, code: text({ minLength: 1 }), since: timestamp, steps: orNull(whole) }),
      'While this instance makes no steps because it can not use a dependency; null while it does.',
    ),
    ended: orNull(
      object({ hour: ended, day: ended }),
      'Executions that ended in the last hour and day, by when they did; a retried one counts each time.',
    ),
    failures: orNull(
      object({
        causes: Type.Array(
          object({
            step: text({ minLength: 1 }),
            code: text({ minLength: 1 }),
            executions: positiveInteger,
            last_execution_id: uuid,
            last_at: timestamp,
          }),
        ),
        is_complete: Type.Boolean({
          description: `False where the day has more: the last ${limits.statusFailures} are read.`,
        }),
      }),
      'Executions that failed in the last day and have not been retried, by step and code, most frequent first.',
    ),
    storage: object({
      artifacts_day: orNull(count, 'Made in the last day.'),
      objects: orNull(
        object({ count: whole, bytes: whole, at: timestamp }),
        'As the last round of the orphan sweep by this instance found them; null before it.',
      ),
      data_disk: orNull(disk),
      objects_disk: orNull(disk, 'Null also where the objects are in a bucket.'),
    }),
    orphan_sweep: object({
      next_at: orNull(timestamp),
      last: orNull(object({ at: timestamp, found: whole, removed: whole }), 'By this instance, since it started.'),
    }),
    retention: object({
      policies: orNull(whole),
      next_at: orNull(timestamp, 'When this instance looks next for what is due.'),
      last_removed: orNull(
        object({
          ...{ at: timestamp, submissions: whole, artifact_bytes: whole },
          part: Type.Optional(text({ description: 'That was removed of them; else they went as a whole.' })),
        }),
      ),
    }),
    outbox: orNull(object({ waiting: count, oldest_seconds: orNull(seconds) })),
    publish_failures: orNull(whole, 'Since this instance started.'),
    webhooks: orNull(
      object({
        waiting: count,
        failing: Type.Array(
          object({
            id: uuid,
            name: text(),
            status: oneOf(webhookStatuses),
            failures: whole,
            failing_since: orNull(timestamp),
          }),
        ),
      }),
    ),
    instances: object({
      own: object({ version: text(), revision: text(), started_at: orNull(timestamp) }),
      other_versions: orNull(Type.Array(text()), 'One for each other instance that uses the database.'),
    }),
    replica: object({
      is_configured: orNull(Type.Boolean()),
      lag_seconds: orNull(seconds, 'Null until the first copy is complete.'),
      failures: orNull(whole),
    }),
    backup: orNull(
      object({ at: timestamp }),
      'The last one that `quire backup` made of this database, and noted in it; null where none is noted.',
    ),
    audit_receivers: orNull(
      Type.Array(
        object({ name: text(), waiting: orNull(whole), oldest_seconds: orNull(seconds), failures: orNull(whole) }),
      ),
    ),
  },
  {
    $id: 'OperationsStatus',
    description: 'What is null is not known at the moment, unless its description says otherwise.',
  },
)
export type OperationsStatus = Static<typeof operationsStatus>
