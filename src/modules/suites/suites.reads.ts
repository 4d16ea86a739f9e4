import { and, asc, eq, gt, lt } from 'drizzle-orm'
import { casesFolder } from '../../core/project-layout.ts'
import type { Connection } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

/** A file of a case, by its path in a project: an input, its params, or an expected file. */
export type CaseFileRow = Tables['projectFiles']['$inferSelect']
export type CaseFileHead = Omit<CaseFileRow, 'content'>

export type SuitePolicyRow = Tables['suitePolicies']['$inferSelect']

/** The files of cases without their content, in the order of their paths. */
export function listCaseFiles(connection: Connection): Promise<Pick<CaseFileRow, 'path' | 'contentHash'>[]> {
  const { projectFiles } = connection.t
  return connection.q
    .select({ path: projectFiles.path, contentHash: projectFiles.contentHash })
    .from(projectFiles)
    .orderBy(asc(projectFiles.path))
}

/** A page of files with their content, ordered by path. */
export function readCaseFiles(connection: Connection, after: string, limit: number): Promise<CaseFileRow[]> {
  const { projectFiles } = connection.t
  return connection.q
    .select()
    .from(projectFiles)
    .where(gt(projectFiles.path, after))
    .orderBy(asc(projectFiles.path))
    .limit(limit)
}

/** The files of a model's cases without their content, in the order of their paths. */
export function listModelFiles(connection: Connection, slug: string): Promise<CaseFileHead[]> {
  const { projectFiles } = connection.t
  const { path, contentHash, writtenBy, correlationId, writtenAt } = projectFiles
  return connection.q
    .select({ path, contentHash, writtenBy, correlationId, writtenAt })
    .from(projectFiles)
    .where(within(connection, `${casesFolder}/${slug}/`))
    .orderBy(asc(path))
}

/** The files, with content, whose paths begin with a text. */
export function readFilesBelow(connection: Connection, start: string): Promise<CaseFileRow[]> {
  const { projectFiles } = connection.t
  return connection.q.select().from(projectFiles).where(within(connection, start)).orderBy(asc(projectFiles.path))
}

/** Paths that begin with a text, by the index of paths: both dialects order by bytes. */
function within({ t: { projectFiles } }: Connection, start: string) {
  const last = start.at(-1) ?? ''
  const end = start.slice(0, -1) + String.fromCharCode(last.charCodeAt(0) + 1)
  return and(gt(projectFiles.path, start), lt(projectFiles.path, end))
}

export async function findSuitePolicy(connection: Connection, familyId: string): Promise<SuitePolicyRow | undefined> {
  const { suitePolicies } = connection.t
  const [row] = await connection.q.select().from(suitePolicies).where(eq(suitePolicies.familyId, familyId))
  return row
}

/** All of them: most stores have none. */
export function listSuitePolicies(connection: Connection): Promise<SuitePolicyRow[]> {
  const { suitePolicies } = connection.t
  return connection.q.select().from(suitePolicies).orderBy(asc(suitePolicies.familyId))
}
