import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { fileFormatNames } from '../../core/formats.ts'
import { epochMsOf, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { stepNames } from '../../core/steps.ts'
import type { Connection } from '../../db/database.ts'
import { runningInstances } from '../../db/instances.ts'
import type { StepFailure } from '../../db/schema.ts'

/** Figures of the operations' status. Each uses an index and reads a bounded number of rows. */

export interface Count {
  count: number
  is_exact: boolean
}

/** @param rows selects one column; only a bounded number of its rows is counted */
async function countOf(connection: Connection, rows: SQL): Promise<Count> {
  const [row] = await connection.rows<{ n: number }>(
    sql`select count(*) as n from (${rows} limit ${limits.statusRows + 1}) as counted`,
  )
  const n = Number(row?.n ?? 0)
  return { count: Math.min(n, limits.statusRows), is_exact: n <= limits.statusRows }
}

export interface StepLoad {
  queued: Count
  oldestQueuedSeconds: number | null
  running: Count
  longestRunningSeconds: number | null
}

export async function readSteps(connection: Connection): Promise<StepLoad> {
  const { steps } = connection.t
  const [queued, running] = [
    await countOf(connection, sql`select 1 from ${steps} where status = 'queued'`),
    await countOf(connection, sql`select 1 from ${steps} where status = 'running'`),
  ]
  // In the index's order, a position's first step is its oldest, so each position needs one look-up.
  const oldest = await connection.rows<{ since: Instant | null; now: Instant }>(sql`
    select (select available_at from ${steps} where status = 'queued' and position = p.position
            and available_at <= ${connection.clock} order by available_at limit 1) as since, ${connection.clock} as now
    from (${sql.join(
      stepNames.map((_, index) => sql`select ${sql.raw(String(index + 1))} as position`),
      sql` union all `,
    )}) as p`)
  const [longest] = await connection.rows<{ since: Instant | null; now: Instant }>(sql`
    select min(started_at) as since, ${connection.clock} as now
    from (select started_at from ${steps} where status = 'running' limit ${limits.statusRows}) as working`)
  const ages = oldest.flatMap(({ since, now }) => ageOf(since, now) ?? [])
  return {
    queued,
    oldestQueuedSeconds: ages.length === 0 ? null : Math.max(...ages),
    running,
    longestRunningSeconds: longest === undefined ? null : ageOf(longest.since, longest.now),
  }
}

function ageOf(since: Instant | null, now: Instant): number | null {
  return since === null ? null : Math.max(0, Math.floor((epochMsOf(now) - epochMsOf(since)) / 1_000))
}

/** Executions that ended this way since an instant. From the audit trail, the only table ordered by that time. */
export function countEnded(connection: Connection, how: 'completed' | 'failed', since: Instant): Promise<Count> {
  const { auditRecords } = connection.t
  const action = `execution.${how}`
  return countOf(connection, sql`select 1 from ${auditRecords} where action = ${action} and at >= ${since}`)
}

export interface Cause {
  step: string
  code: string
  executions: number
  lastExecutionId: string
  lastAt: Instant
}

/** Why executions failed since an instant, most frequent first, without those that failed only because their parent did. */
export async function readCauses(
  connection: Connection,
  since: Instant,
): Promise<{ causes: Cause[]; isComplete: boolean }> {
  const { auditRecords, steps } = connection.t
  const records = await connection.q
    .select({ id: auditRecords.resourceId, at: auditRecords.at })
    .from(auditRecords)
    .where(and(eq(auditRecords.action, 'execution.failed'), gte(auditRecords.at, since)))
    .orderBy(desc(auditRecords.at), desc(auditRecords.id))
    .limit(limits.statusFailures + 1)
  const isComplete = records.length <= limits.statusFailures
  const ids = [...new Set(records.slice(0, limits.statusFailures).flatMap(({ id }) => id ?? []))]
  if (ids.length === 0) return { causes: [], isComplete }
  // The column is text in one of the dialects; the operators are the same in both.
  const failure = connection.dialect === 'postgres' ? sql`${steps.failure}::json` : sql`${steps.failure}`
  const failed = await connection.q
    .select({ id: steps.executionId, step: steps.name, code: sql<StepFailure['code']>`${failure} ->> 'code'` })
    .from(steps)
    .where(and(inArray(steps.executionId, ids), eq(steps.status, 'failed')))
  const failures = new Map(failed.map((row) => [row.id, row]))
  const causes = new Map<string, Cause>()
  // Newest first, so a cause's first record is its latest.
  for (const { id, at } of records) {
    const failure = id === null ? undefined : failures.get(id)
    if (failure === undefined || failure.code === 'parent_failed') continue
    failures.delete(failure.id)
    const key = `${failure.step} ${failure.code}`
    const known = causes.get(key)
    if (known !== undefined) known.executions++
    else
      causes.set(key, {
        ...{ step: failure.step, code: failure.code, executions: 1 },
        ...{ lastExecutionId: failure.id, lastAt: at },
      })
  }
  return { causes: [...causes.values()].sort((a, b) => b.executions - a.executions), isComplete }
}

/** Documents made since an instant. */
export async function countArtifacts(connection: Connection, since: Instant): Promise<Count> {
  const { artifacts } = connection.t
  const counts = await Promise.all(
    fileFormatNames.map((format) =>
      countOf(connection, sql`select 1 from ${artifacts} where (kind || '') = ${format} and created_at >= ${since}`),
    ),
  )
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    is_exact: counts.every(({ is_exact }) => is_exact),
  }
}

/** The last removal under a retention policy, from the audit trail. */
export async function findLastRemoval(
  connection: Connection,
): Promise<{ at: Instant; submissions: number; artifactBytes: number; part: string | undefined } | undefined> {
  const { auditRecords } = connection.t
  const [record] = await connection.q
    .select({ at: auditRecords.at, detail: auditRecords.detail })
    .from(auditRecords)
    .where(eq(auditRecords.action, 'retention.removed'))
    .orderBy(desc(auditRecords.at), desc(auditRecords.id))
    .limit(1)
  if (record === undefined) return undefined
  const { counts, rule } = record.detail as {
    counts?: { submissions?: number; artifact_bytes?: number }
    rule?: { part?: string }
  }
  const [submissions, artifactBytes] = [counts?.submissions ?? 0, counts?.artifact_bytes ?? 0]
  return { at: record.at, submissions, artifactBytes, part: rule?.part }
}

export async function readOutbox(connection: Connection): Promise<{ waiting: Count; oldestSeconds: number | null }> {
  const { events } = connection.t
  const waiting = await countOf(connection, sql`select 1 from ${events} where published_at is null`)
  const [oldest] = await connection.q
    .select({ since: events.createdAt, now: connection.clock })
    .from(events)
    .where(isNull(events.publishedAt))
    .orderBy(asc(events.createdAt), asc(events.id))
    .limit(1)
  return { waiting, oldestSeconds: oldest === undefined ? null : ageOf(oldest.since, oldest.now) }
}

/** How many deliveries wait, and the receivers that fail or were stopped for it, of which there are few. */
export async function readReceivers(connection: Connection) {
  const { webhooks, webhookDeliveries } = connection.t
  const waiting = await countOf(connection, sql`select 1 from ${webhookDeliveries} where status = 'pending'`)
  const failing = await connection.q
    .select({
      id: webhooks.id,
      name: webhooks.name,
      status: webhooks.status,
      failures: webhooks.failures,
      failing_since: webhooks.failingSince,
    })
    .from(webhooks)
    .where(or(isNotNull(webhooks.failingSince), inArray(webhooks.status, ['gone', 'disabled'])))
    .orderBy(asc(webhooks.id))
    .limit(limits.webhooks)
  return { waiting, failing }
}

/** Versions of the other running instances, as they announce them. */
export async function listOthers(connection: Connection, owner: string): Promise<string[]> {
  const running = await runningInstances(connection)
  return running.flatMap((one) => (one.owner === owner ? [] : one.version))
}
