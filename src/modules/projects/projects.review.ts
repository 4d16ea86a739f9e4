/** What a plan reports beside its changes: what they mean, what they break, and what has changed on the store meanwhile. */
import type { Finding } from '../../core/finding.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import { reviewPathOf } from '../../core/project-layout.ts'
import type { Connection } from '../../db/database.ts'
import { contractMeaning, earlierReadingOf, orUndefined } from '../comparisons/comparisons.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { findUser } from '../users/users.service.ts'
import { type Content, contentOf } from '../versions/versions.service.ts'
import type { Change } from './projects.changes.ts'
import type { ProjectArchive } from './projects.files.ts'
import type { Drifted, LaterActivation, ProjectChange, ProjectPlan } from './projects.model.ts'
import { appliedAmong, listLater, listPublished, listPutInForce, type PutInForce } from './projects.store.ts'

/** Bounded lists of a plan, and how many entries each leaves out. */
export class BoundedLists {
  readonly #leftOut: Partial<Record<LeftOut, number>> = {}

  upTo<T>(most: number, name: LeftOut, list: readonly T[]): T[] {
    if (list.length > most) this.#leftOut[name] = list.length - most
    return list.slice(0, most)
  }

  /** Empty if every list is complete. */
  toWire(): Pick<ProjectPlan, 'left_out'> {
    return Object.keys(this.#leftOut).length === 0 ? {} : { left_out: this.#leftOut }
  }
}

type LeftOut = keyof NonNullable<ProjectPlan['left_out']>

/** Adds to each change what differs: lines, rules of contracts, pages of templates. */
export async function withDifferences(
  judge: Judge,
  changes: readonly Change[],
  correlationId: string,
): Promise<ProjectChange[]> {
  const told: ProjectChange[] = []
  for (const { change, before, after } of changes) {
    if (before === undefined || change.action === 'describe') {
      told.push({ ...change, difference: '' })
      continue
    }
    const old = contentOf(before)
    const difference = await judge.ask('difference', { before: old, after })
    const earlier = await earlierReadingOf(judge, before, correlationId)
    told.push({ ...change, difference, ...earlier, ...(await meaningOf(judge, change.kind, old, after)) })
  }
  return told
}

async function meaningOf(
  judge: Judge,
  kind: ProjectChange['kind'],
  before: Content,
  after: Content,
): Promise<Pick<ProjectChange, 'contract_changes' | 'contract_changes_left_out' | 'pages'>> {
  if (kind === 'contract') return contractMeaning(judge, kind, { before, after })
  if ('bytes' in before && 'bytes' in after) {
    const pages = await orUndefined(judge.ask('changedPages', { before: before.bytes, after: after.bytes }))
    return pages === undefined ? {} : { pages }
  }
  return {}
}

/** Findings for review texts that don't match their template; a missing text is fine. */
export async function staleReviews(
  judge: Judge,
  { files: now, scheduled, reviews }: ProjectArchive,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const files = [...now, ...scheduled]
  for (const { path, content } of files) {
    const text = reviews.get(path)
    if (text === undefined || !('bytes' in content)) continue
    const name = path.replace(/^.*\//, '')
    const actual = await orUndefined(judge.ask('reviewText', { name, bytes: content.bytes }))
    if (actual === undefined || actual === text.replaceAll('\r\n', '\n')) continue
    const message = `It is not what ${path} says.`
    const hint = `Write it anew: quire check --fix ${path}`
    findings.push({ code: 'project.stale_text', severity: 'warning', path: reviewPathOf(path), message, hint })
  }
  for (const path of reviews.keys()) {
    if (files.some((file) => file.path === path)) continue
    const message = `It is the text of ${path}, which is not there.`
    findings.push({
      ...{ code: 'project.stale_text', severity: 'warning', message, hint: 'Remove it.' },
      path: reviewPathOf(path),
    })
  }
  return findings
}

/** Later activations of the project's families that the project doesn't schedule itself. */
export async function laterActivations(
  connection: Connection,
  { files, scheduled }: Pick<ProjectArchive, 'files' | 'scheduled'>,
  at: Instant,
): Promise<LaterActivation[]> {
  const paths = new Map(files.map(({ kind, slug, path }) => [`${kind} ${slug}`, path]))
  const known = new Set(scheduled.map(({ kind, slug, from }) => `${kind} ${slug} ${from}`))
  const rows = await listLater(connection, at)
  return rows.flatMap(({ kind, slug, version, effectiveFrom }) => {
    const path = paths.get(`${kind} ${slug}`)
    return path === undefined || known.has(`${kind} ${slug} ${effectiveFrom}`)
      ? []
      : [{ path, version, effective_from: formatInstant(effectiveFrom) }]
  })
}

/** Instants after the project's at which something of the project or the store begins, earliest first. */
export async function laterInstants(
  connection: Connection,
  { scheduled }: Pick<ProjectArchive, 'scheduled'>,
  at: Instant,
): Promise<Instant[]> {
  const stored = (await listLater(connection, at)).map(({ effectiveFrom }) => effectiveFrom)
  const own = scheduled.flatMap(({ from }) => (from === undefined || from <= at ? [] : [from]))
  return [...new Set([...stored, ...own])].sort()
}

/** Changed families to which the project was applied before, and for which somebody has put another version in force since. */
export async function driftOf(connection: Connection, changes: readonly Change[]): Promise<Drifted[]> {
  const known = changes.flatMap(({ change, before }) => (before === undefined ? [] : [{ change, before }]))
  const [contracts, others]: [string[], string[]] = [[], []]
  for (const { change, before } of known) (change.kind === 'contract' ? contracts : others).push(before.familyId)
  const put: PutInForce[] = []
  if (contracts.length > 0) put.push(...(await listPublished(connection, contracts)))
  if (others.length > 0) put.push(...(await listPutInForce(connection, others)))
  if (put.length === 0) return []
  const applied = await appliedAmong(connection, [...new Set(put.map(({ correlationId }) => correlationId))])
  const byFamily = Map.groupBy(put, ({ familyId }) => familyId)
  const drifted: Drifted[] = []
  for (const { change, before } of known) {
    const rows = byFamily.get(before.familyId) ?? []
    const latest = rows.find(({ version }) => version === before.number)
    const wasApplied = rows.some(({ correlationId }) => applied.has(correlationId))
    if (latest === undefined || !wasApplied || applied.has(latest.correlationId)) continue
    const user = await findUser(connection, latest.by)
    drifted.push({
      path: change.path,
      version: before.number,
      changed_at: formatInstant(latest.at),
      changed_by: user?.username ?? latest.by,
    })
  }
  return drifted
}
