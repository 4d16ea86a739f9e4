import type { Actor } from '../../core/actor.ts'
import { canonicalHash } from '../../core/canonical.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/finding.ts'
import { formatInstant, type Instant, instantOf } from '../../core/instant.ts'
import { activatedKinds } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { projectFileOf } from '../../core/project-layout.ts'
import type { Connection, Database } from '../../db/database.ts'
import { writeZip } from '../../engines/ooxml/zip.ts'
import { mutate } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import { configurationIssueOf } from '../../http/problem.ts'
import { listInForce } from '../activations/activations.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { refuseTakenNames } from '../configuration/refusals.service.ts'
import { judgeContent } from '../drafts/compile.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { newestFamilies } from '../families/families.reads.ts'
import { readVersion, type VersionRow } from '../versions/versions.reads.ts'
import { bytesOf, type Content, sourceOf } from '../versions/versions.service.ts'
import {
  bringIntoForce,
  type Change,
  currentVersion,
  type ProjectOutcome,
  type ReadProject,
} from './projects.changes.ts'
import { type ProjectFile, readProjectArchive } from './projects.files.ts'
import type { ProjectApplied, ProjectChange, ProjectPlan } from './projects.model.ts'
import { namedNumbers } from './projects.numbers.ts'

export type ProjectService = ReturnType<typeof createProjectService>

export interface ProjectPorts {
  database: Database
  clock: Clock
  judge: Judge
}

/** Carries what a plan found out of its transaction, which is rolled back by it. */
class Planned extends Error {
  constructor(readonly outcome: ProjectOutcome) {
    super('a plan is never committed')
  }
}

/** Configuration as files: what is in force as an archive, and an archive brought into force as a whole. */
export function createProjectService({ database, clock, judge }: ProjectPorts) {
  /** Everything that takes long is asked before the transaction, which must not. @throws Fault validation_failed */
  async function readProject(archive: Uint8Array): Promise<ReadProject> {
    const files = readFiles(archive)
    for (const { kind, content } of files) await judgeContent(judge, { kind, content })
    return { files, numbers: await namedNumbers(judge, files) }
  }

  async function withDifferences(changes: readonly Change[]): Promise<ProjectChange[]> {
    const told: ProjectChange[] = []
    for (const { change, before, after } of changes) {
      const difference = before === undefined ? '' : await judge.ask('difference', { before: contentOf(before), after })
      told.push({ ...change, difference })
    }
    return told
  }

  return {
    /** An archive of all that is in force now, and of the newest published version of each contract; the same bytes each time. */
    async export(): Promise<Uint8Array> {
      const files = await filesInForce(database.read, clock.now())
      return writeZip([...files].map(([name, version]) => ({ name, data: bytesOf(contentOf(version)) })))
    },

    /**
     * What applying the archive would do: it is done, and rolled back.
     *
     * @throws Fault validation_failed for an archive that can't be read
     */
    async plan(actor: Actor, archive: Uint8Array, effectiveFrom: string | undefined): Promise<ProjectPlan> {
      const at = instantFor(actor, effectiveFrom)
      const project = await readProject(archive)
      const outcome = await rehearse(database, actor, project, at)
      const { unchanged, findings } = outcome
      const present = new Set(project.files.map(({ path }) => path))
      const inForce = await filesInForce(database.read, at)
      const subject = { stage: 'plan', resourceKind: 'project', correlationId: actor.correlationId }
      return {
        plan_hash: hashOf(outcome, effectiveFrom),
        ...(effectiveFrom === undefined ? {} : { effective_from: formatInstant(at) }),
        changes: await withDifferences(outcome.changes),
        unchanged,
        absent: [...inForce.keys()].filter((path) => !present.has(path)),
        valid: findings.length === 0,
        issues: findings.slice(0, limits.configurationIssues).map((finding) => configurationIssueOf(finding, subject)),
        correlation_id: actor.correlationId,
      }
    },

    /**
     * Brings the archive into force in one transaction.
     *
     * @throws Fault validation_failed with every finding; conflict when it would do something else than was planned
     */
    async apply(
      actor: Actor,
      request: IdempotentRequest,
      archive: Uint8Array,
      { planHash, effectiveFrom }: { planHash: string; effectiveFrom: string | undefined },
    ): Promise<ProjectApplied> {
      const at = instantFor(actor, effectiveFrom)
      const project = await readProject(archive)
      const { answer } = await refuseTakenNames(
        mutate(database, actor.at, request, async (tx) => {
          const outcome = await bringIntoForce(tx, actor, project, at)
          if (outcome.findings.length > 0) throw refused(outcome.findings)
          if (hashOf(outcome, effectiveFrom) !== planHash) {
            throw new Fault(
              'conflict',
              'The configuration has changed since the plan was made. Plan again, then apply that plan.',
            )
          }
          const { changes, unchanged } = outcome
          await recordAudit(tx, actor, {
            action: 'project.applied',
            resourceKind: 'project',
            resourceId: planHash,
            detail: { plan_hash: planHash, changes: changes.length, effective_from: formatInstant(at) },
          })
          const body: ProjectApplied = {
            plan_hash: planHash,
            effective_from: formatInstant(at),
            changes: changes.map(({ change }) => change),
            unchanged,
            correlation_id: actor.correlationId,
          }
          return { status: 200, body }
        }),
      )
      return answer.body
    },
  }
}

/** @throws Fault validation_failed */
function readFiles(archive: Uint8Array): ProjectFile[] {
  const files = readProjectArchive(archive)
  if (files.ok) return files.value
  throw refused(files.findings)
}

function refused(findings: readonly Finding[]): Fault {
  return new Fault('validation_failed', 'The project does not fit together. See the errors.', {
    findings,
    stage: 'plan',
    resourceKind: 'project',
  })
}

/** @throws Fault validation_failed for an instant in the past */
function instantFor(actor: Actor, effectiveFrom: string | undefined): Instant {
  const at = effectiveFrom === undefined ? actor.at : instantOf(effectiveFrom)
  if (at >= actor.at) return at
  throw new Fault(
    'validation_failed',
    'Body field effective_from is in the past. Name an instant from now on, or leave it out.',
  )
}

async function rehearse(database: Database, actor: Actor, project: ReadProject, at: Instant): Promise<ProjectOutcome> {
  try {
    return await database.write(async (tx) => {
      throw new Planned(await bringIntoForce(tx, actor, project, at))
    })
  } catch (error) {
    if (error instanceof Planned) return error.outcome
    throw error
  }
}

/** The same for the same project on the same store: what would change, from what and to what, and when if that was named. */
function hashOf({ changes, unchanged }: ProjectOutcome, effectiveFrom: string | undefined): string {
  const steps = changes.map(({ change }) => change)
  return canonicalHash({
    changes: steps,
    unchanged,
    ...(effectiveFrom === undefined ? {} : { effective_from: effectiveFrom }),
  })
}

/** Versions by the path of their file, in the order of the paths. */
async function filesInForce(connection: Connection, at: Instant): Promise<Map<string, VersionRow>> {
  const files: [path: string, version: VersionRow][] = []
  for (const kind of activatedKinds) {
    for (const { familySlug, versionId } of await listInForce(connection, kind, at)) {
      const version = await readVersion(connection, versionId)
      files.push([projectFileOf(kind, familySlug, version.format), version])
    }
  }
  for (const family of await newestFamilies(connection, 'contract', limits.projectFamilies)) {
    const version = await currentVersion(connection, family, at)
    if (version !== undefined) files.push([projectFileOf('contract', family.slug, version.format), version])
  }
  return new Map(files.sort(([one], [other]) => (one < other ? -1 : 1)))
}

function contentOf(version: VersionRow): Content {
  return version.bytes === null ? sourceOf(version) : { bytes: version.bytes, format: 'docx' }
}
