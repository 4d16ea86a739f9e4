import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { limits } from '../core/limits.ts'
import type { RetainedPart } from '../core/retained-parts.ts'
import { formatMadeBy, stepNames } from '../core/steps.ts'
import type { Connection } from '../db/database.ts'
import { readLargeFile } from '../db/large-files.ts'

/** Rows in the order of their ids, page by page, until there are no more. */
async function* inPages<Row extends { id: string }>(page: (after: string) => Promise<Row[]>): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const rows = await page(after)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < limits.tablePageRows) return
    after = last.id
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Faults that SQLite finds in the file itself; empty for a database server. */
export async function integrityProblems(connection: Connection): Promise<string[]> {
  if (connection.dialect !== 'sqlite') return []
  const found = await connection.rows<{ integrity_check: string }>(sql`pragma integrity_check`)
  return found.map((row) => row.integrity_check).filter((line) => line !== 'ok')
}

export async function* versionsOf(connection: Connection) {
  const { versions } = connection.t
  const rows = inPages((after) =>
    connection.q
      .select({
        id: versions.id,
        contentHash: versions.contentHash,
        source: versions.source,
        bytes: versions.bytes,
        fileId: versions.fileId,
        byteSize: versions.byteSize,
      })
      .from(versions)
      .where(gt(versions.id, after))
      .orderBy(asc(versions.id))
      .limit(limits.tablePageRows),
  )
  for await (const { fileId, ...row } of rows) {
    yield fileId === null ? row : { ...row, bytes: (await readLargeFile(connection, fileId)).bytes }
  }
}

/** Releases with the content hashes of what they pin; null if the version is missing. */
export function releasesOf(connection: Connection) {
  const { releases, versions } = connection.t
  const [contracts, transforms, templates] = [
    alias(versions, 'contracts'),
    alias(versions, 'transforms'),
    alias(versions, 'templates'),
  ]
  return inPages((after) =>
    connection.q
      .select({
        id: releases.id,
        releaseHash: releases.releaseHash,
        contract: contracts.contentHash,
        transformer: transforms.contentHash,
        templateId: releases.templateVersionId,
        template: templates.contentHash,
        fragments: releases.fragments,
      })
      .from(releases)
      .leftJoin(contracts, eq(contracts.id, releases.contractVersionId))
      .leftJoin(transforms, eq(transforms.id, releases.transformVersionId))
      .leftJoin(templates, eq(templates.id, releases.templateVersionId))
      .where(gt(releases.id, after))
      .orderBy(asc(releases.id))
      .limit(limits.tablePageRows),
  )
}

/** Files of cases; their paths are their ids. */
export function caseFilesOf(connection: Connection) {
  const { projectFiles } = connection.t
  return inPages((after) =>
    connection.q
      .select({ id: projectFiles.path, content: projectFiles.content, contentHash: projectFiles.contentHash })
      .from(projectFiles)
      .where(gt(projectFiles.path, after))
      .orderBy(asc(projectFiles.path))
      .limit(limits.tablePageRows),
  )
}

/** Whether a policy has removed a part of a submission. */
function isRemoved({ t: { erasedItems } }: Connection, part: RetainedPart, submissionId: SQL) {
  return sql<number>`case when exists (select 1 from ${erasedItems} i
    where i.item_id = ${submissionId} and i.kind = ${part}) then 1 else 0 end`
}

export function submissionsOf(connection: Connection) {
  const { submissions } = connection.t
  return inPages((after) =>
    connection.q
      .select({
        id: submissions.id,
        rawInput: submissions.rawInput,
        rawInputHash: submissions.rawInputHash,
        params: submissions.params,
        paramsHash: submissions.paramsHash,
        inputRemoved: isRemoved(connection, 'raw_input', sql`${submissions}.id`),
      })
      .from(submissions)
      .where(gt(submissions.id, after))
      .orderBy(asc(submissions.id))
      .limit(limits.tablePageRows),
  )
}

export function executionsOf(connection: Connection) {
  const { executions, releases, submissions, events } = connection.t
  const parents = alias(executions, 'parents')
  const lastEvent = sql`select ${events.type} from ${events}
    where ${events.aggregate} = 'execution' and ${events.aggregateId} = ${executions.id}`
  return inPages((after) =>
    connection.q
      .select({
        id: executions.id,
        status: executions.status,
        releaseHash: executions.releaseHash,
        pinnedHash: releases.releaseHash,
        rawInputHash: executions.rawInputHash,
        submittedHash: submissions.rawInputHash,
        inputHash: executions.inputHash,
        parentId: executions.parentExecutionId,
        parentStatus: parents.status,
        parentOutputHash: parents.outputHash,
        output: executions.output,
        outputHash: executions.outputHash,
        outputRemoved: isRemoved(connection, 'output', sql`${executions}.submission_id`),
        lastEvent: sql<string | null>`(${lastEvent} order by ${events.sequence} desc limit 1)`,
      })
      .from(executions)
      .leftJoin(releases, eq(releases.id, executions.releaseId))
      .leftJoin(submissions, eq(submissions.id, executions.submissionId))
      .leftJoin(parents, eq(parents.id, executions.parentExecutionId))
      .where(gt(executions.id, after))
      .orderBy(asc(executions.id))
      .limit(limits.tablePageRows),
  )
}

/** Steps with the artifact that each should have made, null if there is none. */
export function stepsOf(connection: Connection) {
  const { steps, executions, artifacts } = connection.t
  const kinds = stepNames.flatMap((name) => {
    const format = formatMadeBy(name)
    return format === undefined ? [] : [`when '${name}' then '${format}'`]
  })
  const kind = sql`case ${steps.name} ${sql.raw(kinds.join(' '))} end`
  return inPages((after) =>
    connection.q
      .select({
        id: steps.id,
        executionId: steps.executionId,
        name: steps.name,
        status: steps.status,
        summary: steps.summary,
        executionStatus: executions.status,
        detailsRemoved: isRemoved(connection, 'steps', sql`${executions}.submission_id`),
        artifactHash: artifacts.contentHash,
        artifactSize: artifacts.byteSize,
      })
      .from(steps)
      .leftJoin(executions, eq(executions.id, steps.executionId))
      .leftJoin(artifacts, and(eq(artifacts.executionId, steps.executionId), sql`${artifacts.kind} = ${kind}`))
      .where(gt(steps.id, after))
      .orderBy(asc(steps.id))
      .limit(limits.tablePageRows),
  )
}

/**
 * Artifacts whose bytes are marked as removed although no policy did that, and artifacts without an execution, so that no
 * execution's state covers them. Each statement reads one page.
 */
export async function* wrongArtifacts(
  connection: Connection,
): AsyncGenerator<{ id: string; wrong: 'removed' | 'without_execution' }> {
  const { artifacts, executions } = connection.t
  for (let last = ''; ; ) {
    const rows = await connection.rows<{ id: string; removed: number; owned: number }>(
      sql`select a.id as id, case when a.removed_at is not null
                 and 0 = ${isRemoved(connection, 'artifacts', sql`a.submission_id`)} then 1 else 0 end as removed,
                 case when exists (select 1 from ${executions} e where e.id = a.execution_id) then 1 else 0 end as owned
          from (select id, execution_id, submission_id, removed_at from ${artifacts}
                where id > ${last} order by id limit ${limits.tableHashRows}) as a order by 1`,
    )
    for (const { id, removed, owned } of rows) {
      if (removed === 1) yield { id, wrong: 'removed' }
      if (owned === 0) yield { id, wrong: 'without_execution' }
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < limits.tableHashRows) return
    last = end.id
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export interface WrongEvents {
  /** `execution/<id>`. */
  aggregate: string
  wrong: 'gap' | 'without_aggregate'
}

/**
 * Aggregates whose events aren't numbered from 1 without gaps, and aggregates that are missing, so that no state covers their
 * events. If a policy has removed earlier events, the state in their tombstone covers the last. Each statement reads one page.
 */
export async function* wrongEvents(connection: Connection): AsyncGenerator<WrongEvents> {
  const { events, erasedItems, executions, submissions, releases, families, activations, users } = connection.t
  const owners = { execution: executions, submission: submissions, release: releases, family: families }
  const isOwned = sql.join(
    Object.entries({ ...owners, activation: activations, user: users }).map(
      ([aggregate, table]) =>
        sql`when ${sql.raw(`'${aggregate}'`)} then case when exists (select 1 from ${table} o where o.id = g.aggregate_id) then 1 else 0 end`,
    ),
    sql` `,
  )
  const isPruned = sql`exists (select 1 from ${executions} e join ${erasedItems} i on i.item_id = e.submission_id
    where e.id = g.aggregate_id and i.kind = 'events')`
  for (let [aggregate, id] = ['', '']; ; ) {
    // In one statement: what is removed between two, as by a policy meanwhile, is no finding.
    const rows = await connection.rows<{ aggregate: string; id: string; broken: number; owned: number }>(
      sql`select g.aggregate as aggregate, g.aggregate_id as id,
                 case when g.broken = 0 then 0 when g.aggregate = 'execution' and ${isPruned} then 0 else 1 end as broken,
                 case g.aggregate ${isOwned} else 1 end as owned
          from (select aggregate, aggregate_id,
                       case when min(sequence) <> 1 or max(sequence) <> count(*) then 1 else 0 end as broken
                from ${events} where (aggregate, aggregate_id) > (${aggregate}, ${id})
                group by aggregate, aggregate_id order by aggregate, aggregate_id limit ${limits.tableHashRows}) as g
          order by 1, 2`,
    )
    for (const { aggregate, id, broken, owned } of rows) {
      if (owned === 0) yield { aggregate: `${aggregate}/${id}`, wrong: 'without_aggregate' }
      if (broken === 1) yield { aggregate: `${aggregate}/${id}`, wrong: 'gap' }
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < limits.tableHashRows) return
    ;[aggregate, id] = [end.aggregate, end.id]
    await new Promise((resolve) => setImmediate(resolve))
  }
}
