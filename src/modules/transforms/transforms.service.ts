import type { Actor } from '../../core/actor.ts'
import { canonicalJson } from '../../core/canonical.ts'
import { Fault } from '../../core/faults.ts'
import { describeFindings, type Finding } from '../../core/finding.ts'
import type { TextFormat } from '../../core/formats.ts'
import { sha256Hex } from '../../core/hash.ts'
import { type JsonValue, readJson } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import type { Database } from '../../db/database.ts'
import { compileTransformer } from '../../engines/declarative/declarative.ts'
import { validationFault } from '../../http/body.ts'
import { cutPage } from '../../http/paging.ts'
import type { EnginePool } from '../../runner/pool.ts'
import type { CaseService } from '../cases/cases.service.ts'
import {
  compileNamedTransformer,
  type Declaring,
  type FamilyRow,
  familiesPage,
  findFamily,
  findFamilyHead,
  findVersion,
  listNewestVersions,
  paramFindings,
  type VersionHead,
} from '../configuration/configuration.service.ts'
import { foreignCursor, validationResult } from '../configuration/definitions.service.ts'
import {
  createOlderFamily,
  familyToWire,
  freezeOlderVersion,
  publishOlderVersion,
  unknownFamily,
  updateOlderDraft,
  versionToWire,
} from '../configuration/older.service.ts'
import { runProbe } from '../configuration/probe.service.ts'
import type {
  NewTransform,
  Transform,
  TransformChange,
  TransformItem,
  TransformPreview,
  TransformSource,
  TransformToPreview,
} from './transforms.model.ts'

export type TransformService = ReturnType<typeof createTransformService>

/** Transforms are transformers, seen through the older surface: the same rows, and drafts guarded by their revision. */
export function createTransformService({
  database,
  pool,
  cases,
}: {
  database: Database
  pool: EnginePool
  cases: CaseService
}) {
  async function versionsOf(id: string): Promise<VersionHead[]> {
    return listNewestVersions(database.read, [id], limits.versionsShown)
  }

  async function requireTransform(id: string): Promise<void> {
    if ((await findFamilyHead(database.read, 'transformer', id)) === undefined) throw unknownFamily('transformer')
  }

  return {
    /** A page, newest first, without sources. @throws Fault validation_failed for a cursor of no transform */
    async list(query: {
      limit?: number | undefined
      cursor?: string | undefined
    }): Promise<{ transforms: TransformItem[]; next_cursor?: string }> {
      const cursor = query.cursor?.toLowerCase()
      const after = cursor === undefined ? undefined : await findFamilyHead(database.read, 'transformer', cursor)
      if (cursor !== undefined && after === undefined) throw foreignCursor()
      const limit = query.limit ?? limits.pageSizeDefault
      const page = cutPage(await familiesPage(database.read, 'transformer', after, limit + 1), limit)
      const transforms = page.rows.map(familyToWire)
      return page.last === undefined ? { transforms } : { transforms, next_cursor: page.last.id }
    },

    /** @throws Fault conflict for a name that is taken */
    async create(actor: Actor, { name, description, source, format }: NewTransform): Promise<Transform> {
      const draft = { name, description, content: { source, format } }
      return transformToWire(await createOlderFamily(database, actor, 'transformer', draft), [])
    },

    /** @throws Fault not_found */
    async read(id: string): Promise<Transform> {
      const family = await findFamily(database.read, 'transformer', id)
      if (family === undefined) throw unknownFamily('transformer')
      return transformToWire(family, await versionsOf(id))
    },

    /** @throws Fault not_found, precondition_failed, conflict */
    async update(actor: Actor, id: string, change: TransformChange): Promise<Transform> {
      const { name, description, source, format } = change
      const draft = { name, description, content: { source, format } }
      const family = await updateOlderDraft(database, actor, 'transformer', id, change.expected_revision, draft)
      return transformToWire(family, await versionsOf(id))
    },

    /** Says what is wrong with a source, by itself and against the contract and template it names. */
    async validate(id: string, { source, format }: TransformSource, correlationId: string) {
      await requireTransform(id)
      const { findings } = await compileNamedTransformer(database.read, source, format)
      const subject = { stage: 'validate', resourceKind: 'transformer', resourceId: id, correlationId }
      return validationResult(findings, subject)
    },

    /**
     * Runs a source on a case, in a worker, and keeps nothing. The case's own contract types it, as it would in a
     * release that pins the two.
     *
     * @throws Fault not_found, validation_failed for an unknown case, for findings in the source, and for a case that
     * the source can not be run on
     */
    async preview(id: string, { source, format, case_id, params = {} }: TransformToPreview): Promise<TransformPreview> {
      await requireTransform(id)
      const given = await cases.find(case_id.toLowerCase())
      if (given === undefined) throw new Fault('validation_failed', `Body field case_id: there is no case ${case_id}.`)
      const contract = await findVersion(database.read, given.contractVersionId)
      if (contract?.source == null) throw new Error(`contract version ${given.contractVersionId} is missing`)
      const declared = requireCompiled(source, format, contract.source)
      const unfit = paramFindings(params, [{ name: 'of this source', params: declared }])
      if (unfit.length > 0) throw validationFault(unfit)
      const made = await runProbe(pool, {
        steps: ['validate', 'transform.declarative'],
        sources: {
          contract: { hash: contract.contentHash, format: 'json', content: contract.source },
          transformer: { hash: sha256Hex(source), format, content: source },
        },
        rawInput: given.payload,
        input: given.payload,
        params: canonicalJson(params),
      })
      if (!made.ok) throw failedRun(made.findings)
      const output = made.value.at(-1)?.output
      const value = readJson(output?.text ?? '')
      if (output === undefined || !value.ok) throw new Error('a transform made an output that is not JSON')
      return { output: value.value, output_hash: output.hash }
    },

    freeze: (actor: Actor, id: string, revision: number) =>
      freezeOlderVersion(database, actor, 'transformer', id, revision).then(versionToWire),

    publish: (actor: Actor, id: string, number: number) =>
      publishOlderVersion(database, actor, 'transformer', id, number).then(versionToWire),
  }
}

/**
 * The worker compiles too, but its findings are cut to a step's: here they have line, column and remedy.
 * @returns the params that the source declares
 * @throws Fault validation_failed
 */
function requireCompiled(source: string, format: TextFormat, schema: string): Declaring['params'] {
  const alone = compileTransformer(source, format)
  if (!alone.ok) throw validationFault(alone.findings)
  const { params } = alone.value
  if (alone.value.contract === undefined) return params
  const typed = compileTransformer(source, format, { contract: JSON.parse(schema) as JsonValue })
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
