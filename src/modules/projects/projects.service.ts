import type { Actor } from '../../core/actor.ts'
import { canonicalHash } from '../../core/canonical.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/finding.ts'
import { sha256Hex } from '../../core/hash.ts'
import { formatInstant, type Instant, instantOf } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { markTrial } from '../../db/trials.ts'
import { mutate } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import { configurationIssueOf } from '../../http/problem.ts'
import { holdActivations, holdingActivations } from '../activations/activations.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { refuseTakenNames } from '../configuration/refusals.service.ts'
import { judgeContent } from '../drafts/compile.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { findFamilyId } from '../families/families.reads.ts'
import { holdCaseFiles, writeCaseFiles } from '../suites/case-files.service.ts'
import { listSuitePolicies } from '../suites/suites.reads.ts'
import { refusalOf } from '../versions/approval.service.ts'
import { notGreenCode, type SuiteGate } from '../versions/suite-gate.service.ts'
import { judgeAhead } from './projects.ahead.ts'
import { askOfEach } from './projects.asking.ts'
import { brokenCases, type CaseFileChanges, compareCaseFiles, runChangedCases } from './projects.cases.ts'
import { bringIntoForce, type ProjectOutcome, type ReadProject } from './projects.changes.ts'
import { exportProject, familiesInForce } from './projects.export.ts'
import { readProjectArchive } from './projects.files.ts'
import { freezeFiles } from './projects.freezing.ts'
import { knownContents } from './projects.known.ts'
import type { ApplyFields, PlanFields, ProjectApplied, ProjectPlan } from './projects.model.ts'
import { namedNumbers } from './projects.numbers.ts'
import {
  BoundedLists,
  driftOf,
  laterActivations,
  laterInstants,
  staleReviews,
  withDifferences,
} from './projects.review.ts'

export type ProjectService = ReturnType<typeof createProjectService>

export interface ProjectPorts {
  database: Database
  clock: Clock
  judge: Judge
  suites: SuiteGate
}

/** Rolls the transaction of a plan back, and carries its outcome out. */
class Planned extends Error {
  constructor(readonly outcome: ProjectOutcome) {
    super('a plan is never committed')
  }
}

/** Configuration as files: exports what is in force, and brings an archive into force as a whole. */
export function createProjectService({ database, clock, judge, suites }: ProjectPorts) {
  /** Reads the archive and asks the judge everything slow, before the transaction. @throws Fault validation_failed */
  async function readProject(archive: Uint8Array, at: Instant): Promise<ReadProject> {
    judge.start()
    const read = await readProjectArchive(archive)
    if (!read.ok) throw refused(read.findings)
    const all = [...read.value.files, ...read.value.scheduled]
    const known = await knownContents(database.read, all, at)
    const unknown = all.filter(({ content }) => !known.has(content))
    await askOfEach(unknown, ({ kind, content }) => judgeContent(judge, { kind, content }))
    await judgeAhead(judge, all, known)
    return { ...read.value, known, numbers: await namedNumbers(judge, all) }
  }

  /** Brings the project in, returns the outcome, and rolls back. */
  function rehearse(
    actor: Actor,
    project: ReadProject,
    at: Instant,
    bring: typeof bringIntoForce,
  ): Promise<ProjectOutcome> {
    return suites.guard(actor, async () => {
      try {
        return await database.write(async (tx) => {
          // Only audit records tell whose work a version is, so a trial under the policy of four eyes writes them.
          if (actor.fourEyes !== true) markTrial(tx)
          const outcome = await bring(tx, actor, project, at)
          if (outcome.findings.length === 0 && (await listSuitePolicies(tx)).length > 0) {
            await writeCases(
              tx,
              actor,
              project,
              await compareCaseFiles(tx, project, { now: actor.at, unchangedAt: undefined }),
            )
            outcome.findings.push(...(await redSuites(tx, actor, { outcome, at, isFreezing: bring === freezeFiles })))
          }
          throw new Planned(outcome)
        })
      } catch (error) {
        if (error instanceof Planned) return error.outcome
        throw error
      }
    })
  }

  /** Why the frozen versions could not come into force together. That their author may not activate them doesn't count here. */
  async function unfit(actor: Actor, project: ReadProject, at: Instant): Promise<readonly Finding[]> {
    const { findings } = await rehearse({ ...actor, fourEyes: false }, project, at, bringIntoForce)
    return findings.filter(({ code }) => code !== notGreenCode)
  }

  /** Findings of suites about what a project has put in force or frozen, with the project's cases in place. */
  async function redSuites(
    tx: Transaction,
    actor: Actor,
    { outcome, at, isFreezing }: { outcome: ProjectOutcome; at: Instant; isFreezing: boolean },
  ): Promise<Finding[]> {
    const byInstant = new Map<Instant, Set<string>>()
    for (const { change } of outcome.changes) {
      const { kind, slug, action, effective_from: from } = change
      // A new name, or a newly usable version of a contract, puts nothing in force.
      if (action === 'describe' || (!isFreezing && kind === 'contract')) continue
      const id = await findFamilyId(tx, kind, slug)
      if (id === undefined) continue
      const instant = from === undefined ? at : instantOf(from)
      byInstant.set(instant, (byInstant.get(instant) ?? new Set()).add(id))
    }
    const changes = [...byInstant].map(([instant, families]) => ({ families, at: instant }))
    if (changes.length === 0) return []
    if (!isFreezing) return suites.findings(tx, actor, changes)
    return suites.draftFindings(tx, actor, new Set(changes.flatMap(({ families }) => [...families])))
  }

  return {
    /**
     * An archive of everything in force, now or at an instant, of the newest published version of each contract, and of the cases
     * that were applied last; the same bytes each time. Like every download, it is in the audit trail.
     */
    async export(actor: Actor, wanted: string | undefined): Promise<Uint8Array> {
      const now = clock.now()
      const at = wanted === undefined ? now : instantOf(wanted)
      // One snapshot, because others may put something in force between its many statements.
      const archive = await database.snapshot((connection) => exportProject(connection, judge, { at, now }))
      await database.write((tx) =>
        recordAudit(tx, actor, {
          action: 'project.exported',
          resourceKind: 'project',
          resourceId: sha256Hex(archive),
          detail: { at: formatInstant(at), bytes: archive.length },
        }),
      )
      return archive
    },

    /**
     * What applying the archive would do: it is applied and rolled back.
     *
     * @throws Fault validation_failed for an archive that can't be read
     */
    async plan(actor: Actor, archive: Uint8Array, fields: PlanFields): Promise<ProjectPlan> {
      const { effective_from: effectiveFrom } = fields
      const at = instantFor(actor, fields)
      const isFreezing = fields.freeze_only === 'true'
      const project = await readProject(archive, at)
      const { read } = database
      const later = await laterInstants(read, project, at)
      const running = { connection: read, judge, project, at, later, chains: new Map() }
      const ofCases = await compareCaseFiles(read, project, { now: actor.at, unchangedAt: at })
      // New or changed cases always run: the judge runs them while this thread applies the project.
      const [outcome, known] = await Promise.all([
        rehearse(actor, project, at, isFreezing ? freezeFiles : bringIntoForce),
        runChangedCases(running, new Set(ofCases.written.map(({ path }) => path))),
      ])
      const { changes, unchanged } = outcome
      const isUsable = outcome.findings.length === 0
      const findings = isFreezing && isUsable ? await unfit(actor, project, at) : outcome.findings
      const present = new Set(project.files.map(({ path }) => path))
      const subject = { stage: 'plan', resourceKind: 'project', correlationId: actor.correlationId }
      const lists = new BoundedLists()
      const issuesOf = (name: 'issues' | 'warnings', found: readonly Finding[]) =>
        lists.upTo(limits.configurationIssues, name, found).map((finding) => configurationIssueOf(finding, subject))
      const rowsOf = <T>(name: 'broken_cases' | 'drift' | 'later', rows: readonly T[]) =>
        lists.upTo(limits.projectPlanRows, name, rows)
      const caseFiles =
        changes.length === 0
          ? ofCases
          : await compareCaseFiles(read, project, { now: actor.at, unchangedAt: undefined })
      const changed = new Set([
        ...changes.map(({ change }) => change.path),
        ...caseFiles.written.map(({ path }) => path),
      ])
      const cases = brokenCases(await runChangedCases(running, changed, known), at)
      return {
        plan_hash: hashOf(outcome, caseFiles, fields),
        ...(effectiveFrom === undefined ? {} : { effective_from: formatInstant(at) }),
        ...(isFreezing ? { freeze_only: true as const } : {}),
        changes: await withDifferences(judge, changes, actor.correlationId),
        unchanged,
        case_files: caseFiles.counts,
        cases_run: cases.run,
        ...(cases.runLater === 0 ? {} : { cases_run_later: cases.runLater }),
        broken_cases: rowsOf('broken_cases', cases.broken),
        // Versions that are only frozen replace nothing.
        drift: isFreezing ? [] : rowsOf('drift', await driftOf(read, changes)),
        later: isFreezing ? [] : rowsOf('later', await laterActivations(read, project, at)),
        warnings: issuesOf('warnings', await staleReviews(judge, project)),
        absent: (await familiesInForce(read, at)).map(({ path }) => path).filter((path) => !present.has(path)),
        valid: findings.length === 0,
        issues: issuesOf('issues', findings),
        ...lists.toWire(),
        correlation_id: actor.correlationId,
      }
    },

    /**
     * Brings the archive into force in one transaction, or only freezes it.
     *
     * @throws Fault validation_failed with every finding; conflict if the result would differ from the plan
     */
    async apply(
      actor: Actor,
      request: IdempotentRequest,
      archive: Uint8Array,
      fields: ApplyFields,
    ): Promise<ProjectApplied> {
      const { plan_hash: planHash } = fields
      const at = instantFor(actor, fields)
      const isFreezing = fields.freeze_only === 'true'
      const instant = isFreezing ? {} : { effective_from: formatInstant(at) }
      const project = await readProject(archive, at)
      if (isFreezing) {
        const findings = await unfit(actor, project, at)
        if (findings.length > 0) throw refused(findings)
      }
      const bring = async (tx: Transaction) => {
        await holdCaseFiles(tx)
        if (!isFreezing) await holdActivations(tx)
        const outcome = await (isFreezing ? freezeFiles : bringIntoForce)(tx, actor, project, at)
        if (outcome.findings.length > 0) throw refused(outcome.findings)
        const { changes, unchanged } = outcome
        const unchangedAt = changes.length === 0 ? at : undefined
        const caseFiles = await compareCaseFiles(tx, project, { now: actor.at, unchangedAt })
        if (hashOf(outcome, caseFiles, fields) !== planHash) {
          throw new Fault(
            'conflict',
            'The configuration has changed since the plan was made. Plan again, then apply that plan.',
          )
        }
        await writeCases(tx, actor, project, caseFiles)
        const red = await redSuites(tx, actor, { outcome, at, isFreezing })
        if (red.length > 0) throw refused(red)
        const { counts } = caseFiles
        await recordAudit(tx, actor, {
          action: isFreezing ? 'project.frozen' : 'project.applied',
          resourceKind: 'project',
          resourceId: planHash,
          detail: { plan_hash: planHash, changes: changes.length, case_files: counts, ...instant },
        })
        const body: ProjectApplied = {
          plan_hash: planHash,
          ...instant,
          changes: changes.map(({ change }) => change),
          unchanged,
          case_files: counts,
          correlation_id: actor.correlationId,
        }
        return { status: 200, body }
      }
      const write = () => refuseTakenNames(mutate(database, actor.at, request, bring))
      const { answer } = await suites.guard(actor, () => (isFreezing ? write() : holdingActivations(database, write)))
      return answer.body
    },
  }
}

function writeCases(
  tx: Transaction,
  actor: Actor,
  { cases }: ReadProject,
  { written, removed }: CaseFileChanges,
): Promise<void> {
  const files = written.map(({ path }) => [path, cases.get(path) ?? new Uint8Array()] as const)
  return writeCaseFiles(tx, actor, { written: new Map(files), removed })
}

function refused(findings: readonly Finding[]): Fault {
  const about = { stage: 'plan', resourceKind: 'project' }
  return refusalOf(findings, 'The project does not fit together. See the errors.', about)
}

/** @throws Fault validation_failed for an instant in the past, or together with `freeze_only` */
function instantFor(actor: Actor, { effective_from: effectiveFrom, freeze_only: freezeOnly }: PlanFields): Instant {
  if (effectiveFrom !== undefined && freezeOnly === 'true') {
    throw new Fault(
      'validation_failed',
      'Body field effective_from does not go with freeze_only, which puts nothing in force. Leave one of them out.',
    )
  }
  const at = effectiveFrom === undefined ? actor.at : instantOf(effectiveFrom)
  if (at >= actor.at) return at
  throw new Fault(
    'validation_failed',
    'Body field effective_from is in the past. Name an instant from now on, or leave it out.',
  )
}

/** Equal for the same project on the same store: covers what would change, from and to what, and when, if that was given. */
function hashOf(
  { changes, unchanged }: ProjectOutcome,
  { written, removed }: CaseFileChanges,
  { effective_from: effectiveFrom, freeze_only: freezeOnly }: PlanFields,
): string {
  const steps = changes.map(({ change }) => change)
  const caseFiles = written.map(({ path, contentHash }) => [path, contentHash])
  return canonicalHash({
    ...{ changes: steps, unchanged, case_files: caseFiles, removed_case_files: [...removed] },
    ...(effectiveFrom === undefined ? {} : { effective_from: effectiveFrom }),
    ...(freezeOnly === 'true' ? { freeze_only: true } : {}),
  })
}
