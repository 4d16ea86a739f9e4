import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { limits } from '../core/limits.ts'
import { formatMadeBy, stepNames } from '../core/steps.ts'
import type { Connection } from '../db/database.ts'

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

export function versionsOf(connection: Connection) {
  const { versions } = connection.t
  return inPages((after) =>
    connection.q
      .select({
        id: versions.id,
        contentHash: versions.contentHash,
        source: versions.source,
        bytes: versions.bytes,
        byteSize: versions.byteSize,
      })
      .from(versions)
      .where(gt(versions.id, after))
      .orderBy(asc(versions.id))
      .limit(limits.tablePageRows),
  )
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

/** Aggregates whose events are not numbered from 1 without gaps. Each statement looks at so many of them. */
export async function* brokenSequences(connection: Connection): AsyncGenerator<string> {
  const { events } = connection.t
  for (let [aggregate, id] = ['', '']; ; ) {
    const rows = await connection.rows<{ aggregate: string; id: string; broken: number }>(
      sql`select aggregate, aggregate_id as id,
                 case when min(sequence) <> 1 or max(sequence) <> count(*) then 1 else 0 end as broken
          from ${events} where (aggregate, aggregate_id) > (${aggregate}, ${id})
          group by aggregate, aggregate_id order by aggregate, aggregate_id limit ${limits.tableHashRows}`,
    )
    for (const row of rows) if (row.broken === 1) yield `${row.aggregate}/${row.id}`
    const end = rows.at(-1)
    if (end === undefined || rows.length < limits.tableHashRows) return
    ;[aggregate, id] = [end.aggregate, end.id]
    await new Promise((resolve) => setImmediate(resolve))
  }
}
