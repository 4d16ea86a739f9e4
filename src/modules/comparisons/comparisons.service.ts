/** Two states of a family of configuration and their differences, for reviews before something comes into force. */
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { contentHashOf } from '../../core/hash.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { newestReading } from '../../core/reading.ts'
import { ownTurn } from '../../core/turns.ts'
import type { Connection, Database } from '../../db/database.ts'
import type { SchemaChange } from '../../engines/schema/changes.ts'
import { configurationIssueOf } from '../../http/problem.ts'
import { findInForce } from '../activations/activations.service.ts'
import { judgeContent } from '../drafts/compile.service.ts'
import { draftContent } from '../drafts/drafts.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import type { Verdict } from '../drafts/questions.service.ts'
import { type FamilyRow, findFamily } from '../families/families.reads.ts'
import { kindNames } from '../families/families.service.ts'
import { findNewestPublished, findVersionByNumber, readVersion, type VersionRow } from '../versions/versions.reads.ts'
import { bytesOf, type Content, contentOf } from '../versions/versions.service.ts'
import type { ComparedState, Comparison, ComparisonQuery } from './comparisons.model.ts'

export type ComparisonService = ReturnType<typeof createComparisonService>

interface ComparisonPorts {
  database: Database
  clock: Clock
  judge: Judge
}

export function createComparisonService({ database: { read }, clock, judge }: ComparisonPorts) {
  async function stateOf(
    family: FamilyRow,
    name: string,
    correlationId: string,
  ): Promise<{ state: ComparedState; content: Content }> {
    if (name === 'draft') {
      const content = draftContent(family)
      return { state: { draft_revision: family.draftRevision, content_hash: contentHashOf(bytesOf(content)) }, content }
    }
    const version =
      name === 'in_force' ? await inForceNow(family) : await findVersionByNumber(read, family.id, Number(name))
    if (version === undefined) throw absent(family, name)
    const content = contentOf(version)
    const { number, contentHash } = version
    const earlier = await earlierReadingOf(judge, version, correlationId)
    return { state: { version: number, content_hash: contentHash, ...earlier }, content }
  }

  async function inForceNow(family: FamilyRow): Promise<VersionRow | undefined> {
    if (family.kind === 'contract') {
      const newest = await findNewestPublished(read, family.id)
      return newest && readVersion(read, newest.id)
    }
    const row = await findInForce(read, family.id, clock.now())
    return row && readVersion(read, row.versionId)
  }

  return {
    /** @throws Fault not_found for the family, and for a state that it does not have */
    async compare(query: ComparisonQuery, correlationId: string): Promise<Comparison> {
      await ownTurn()
      const family = await mustFind(read, query)
      await ownTurn()
      const before = await stateOf(family, query.from, correlationId)
      await ownTurn()
      const after = await stateOf(family, query.to, correlationId)
      const both = { before: before.content, after: after.content }
      const pages = query.pages === 'none' ? undefined : await comparedPages(judge, both)
      return {
        kind: family.kind,
        family_id: family.id,
        from: before.state,
        to: after.state,
        difference: await judge.ask('difference', both),
        ...(await contractMeaning(judge, family.kind, both)),
        ...(pages === undefined ? {} : { pages }),
        correlation_id: correlationId,
      }
    },
  }
}

async function mustFind(connection: Connection, { kind, family_id: id }: ComparisonQuery): Promise<FamilyRow> {
  const family = await findFamily(connection, kind, id.toLowerCase())
  if (family !== undefined) return family
  throw new Fault('not_found', `There is no ${kindNames[kind]} ${id}.`, { resourceKind: kind, resourceId: id })
}

function absent({ kind, id, slug }: FamilyRow, name: string): Fault {
  const what = name === 'in_force' ? 'Nothing is in force' : `There is no version ${name}`
  return new Fault('not_found', `${what} of the ${kindNames[kind]} "${slug}".`, { resourceKind: kind, resourceId: id })
}

interface Both {
  before: Content
  after: Content
}

/** What today's rules read differently in a version; empty if nothing. */
export async function earlierReadingOf(
  judge: Judge,
  version: VersionRow,
  correlationId: string,
): Promise<Pick<ComparedState, 'earlier_reading'>> {
  const { kind, reading, familyId } = version
  if (reading === newestReading) return {}
  const found = await judge.ask('earlier', { kind, content: contentOf(version), reading })
  const subject = { stage: 'compare', resourceKind: kind, resourceId: familyId, correlationId }
  const issues = found.slice(0, limits.configurationIssues).map((finding) => configurationIssueOf(finding, subject))
  return issues.length === 0 ? {} : { earlier_reading: issues }
}

/** What a contract's change means for senders, worst first; empty for other kinds and for a draft with errors. */
export async function contractMeaning(
  judge: Judge,
  kind: FamilyKind,
  { before, after }: Both,
): Promise<{ contract_changes?: SchemaChange[]; contract_changes_left_out?: number }> {
  if (kind !== 'contract' || !('source' in before) || !('source' in after)) return {}
  for (const content of [before, after]) {
    if (!(await judgeContent(judge, { kind, content })).ok) return {}
  }
  const changes = await judge.ask('contractChanges', { older: before.source, newer: after.source })
  // Changes that break senders come first, so that the bound never cuts them off.
  const ranked = [...changes].sort((one, other) => effects.indexOf(one.effect) - effects.indexOf(other.effect))
  const more = Math.max(0, ranked.length - limits.projectPlanRows)
  return {
    contract_changes: ranked.slice(0, limits.projectPlanRows),
    ...(more === 0 ? {} : { contract_changes_left_out: more }),
  }
}

const effects = ['breaking', 'unknown', 'compatible']

async function comparedPages(judge: Judge, { before, after }: Both): Promise<Verdict<'comparedPages'>> {
  if (!('bytes' in before) || !('bytes' in after)) return undefined
  return orUndefined(judge.ask('comparedPages', { before: before.bytes, after: after.bytes }))
}

/** A document that takes too long to draw is compared only by its text. */
export async function orUndefined<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Fault && error.code === 'validation_failed') return undefined
    throw error
  }
}
