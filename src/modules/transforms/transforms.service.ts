import type { Actor, Author } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { describeFindings, type Finding } from '../../core/finding.ts'
import { sha256Hex } from '../../core/hash.ts'
import { newestReading } from '../../core/reading.ts'
import { validationFault } from '../../http/body.ts'
import type { PageRequest } from '../../http/paging.ts'
import { validationResult } from '../../http/problem.ts'
import type { ValidationResult } from '../../http/wire.ts'
import type { EnginePool } from '../../runner/pool.ts'
import { createFamiliesByRevision, type DraftByRevision, type FamilyPorts } from '../by-revision/by-revision.service.ts'
import { familyToWire, versionToWire } from '../by-revision/by-revision.wire.ts'
import type { CaseService } from '../cases/cases.service.ts'
import { checkNamedTransformer } from '../drafts/compile.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { runTransformer } from '../drafts/probe.service.ts'
import type { FamilyRow } from '../families/families.reads.ts'
import { type Declaring, paramFindings } from '../versions/params.service.ts'
import { readVersion, type VersionHead } from '../versions/versions.reads.ts'
import { type SourceText, sourceOf } from '../versions/versions.service.ts'
import type {
  NewTransform,
  Transform,
  TransformChange,
  TransformItem,
  TransformPreview,
  TransformToPreview,
} from './transforms.model.ts'

export type TransformService = ReturnType<typeof createTransformService>

/** Transformers through the older surface: the same rows, with drafts guarded by their revision. */
export function createTransformService(ports: FamilyPorts & { pool: EnginePool; cases: CaseService }) {
  const { database, pool, judge, cases } = ports
  const families = createFamiliesByRevision('transformer', ports)
  return {
    /** A page, newest first, without sources. @throws Fault validation_failed for a cursor of no transform */
    async list(query: PageRequest): Promise<{ transforms: TransformItem[]; next_cursor?: string }> {
      const page = await families.list(query)
      const transforms = page.rows.map(familyToWire)
      return page.last === undefined ? { transforms } : { transforms, next_cursor: page.last.id }
    },

    /** @throws Fault conflict for a name that is taken */
    async create(actor: Actor, wanted: NewTransform): Promise<Transform> {
      return transformToWire(await families.create(actor, draftOf(wanted)), [])
    },

    /** @throws Fault not_found */
    async read(id: string): Promise<Transform> {
      return transformToWire(await families.read(id), await families.versionsOf(id))
    },

    /** @throws Fault not_found, precondition_failed, conflict */
    async update(actor: Actor, id: string, change: TransformChange): Promise<Transform> {
      const family = await families.update(actor, id, change.expected_revision, draftOf(change))
      return transformToWire(family, await families.versionsOf(id))
    },

    /** Findings about a source, by itself and together with the contract and template that it names. */
    async validate(
      id: string,
      source: SourceText,
      { families: reach, correlationId }: Author,
    ): Promise<ValidationResult> {
      await families.requireFamily(id)
      const { findings } = await checkNamedTransformer({ connection: database.read, judge, reach }, source)
      const subject = { stage: 'validate', resourceKind: 'transformer', resourceId: id, correlationId }
      return validationResult(findings, subject)
    },

    /**
     * Runs a source on a case in a worker, without storing anything. The case's own contract gives the types, as in a release
     * that pins both.
     *
     * @throws Fault not_found; validation_failed for an unknown case, for findings in the source, and for a case that the source
     * can't run on
     */
    async preview(id: string, wanted: TransformToPreview): Promise<TransformPreview> {
      await families.requireFamily(id)
      const { source, format, case_id, params = {} } = wanted
      const given = await cases.find(case_id.toLowerCase())
      if (given === undefined) throw new Fault('validation_failed', `Body field case_id: there is no case ${case_id}.`)
      const version = await readVersion(database.read, given.contractVersionId)
      const contract = { hash: version.contentHash, format: 'json', content: sourceOf(version).source } as const
      const declared = await requireCompiled(judge, { source, format }, contract.content)
      const unfit = paramFindings(params, [{ name: 'of this source', params: declared }])
      if (unfit.length > 0) throw validationFault(unfit)
      const transformer = { hash: sha256Hex(source), format, content: source }
      const made = await runTransformer(pool, { transformer, contract, input: given.payload, params })
      if (!made.ok) throw failedRun(made.findings)
      return { output: made.value.value, output_hash: made.value.hash }
    },

    freeze: async (actor: Actor, id: string, revision: number) =>
      versionToWire(await families.freeze(actor, id, revision)),
    publish: async (actor: Actor, id: string, number: number) =>
      versionToWire(await families.publish(actor, id, number)),
  }
}

function draftOf({ name, description, source, format }: NewTransform): DraftByRevision {
  return { name, description, content: { source, format } }
}

/**
 * The worker compiles the source, too, but its findings are shortened to a step's; here they have line, column and remedy.
 * @returns the params that the source declares
 * @throws Fault validation_failed
 */
async function requireCompiled(judge: Judge, text: SourceText, schema: string): Promise<Declaring['params']> {
  const alone = await judge.ask('transformer', { ...text, reading: newestReading })
  if (!alone.ok) throw validationFault(alone.findings)
  const { params } = alone.value
  if (alone.value.contract === undefined) return params
  const typed = await judge.ask('transformer', { ...text, reading: newestReading, contract: schema })
  if (!typed.ok) throw validationFault(typed.findings)
  return params
}

function failedRun(findings: readonly Finding[]): Fault {
  const what = findings.some(({ code }) => code === 'contract_violated')
    ? 'Body field case_id: the case does not satisfy its contract'
    : 'Body field source: it fails on this case'
  return new Fault('validation_failed', `${what}: ${describeFindings(findings, 5)}`, { findings })
}

function transformToWire(family: FamilyRow, versions: readonly VersionHead[]): Transform {
  const { draftSource: source, draftFormat: format } = family
  const content = source === null || format === null || format === 'docx' ? {} : { source, format }
  return { ...familyToWire(family), ...content, versions: versions.map(versionToWire) }
}
