import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { describeFinding } from '../../core/finding.ts'
import { readJson } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import type { Connection, Database } from '../../db/database.ts'
import { compileTransformer } from '../../engines/declarative/declarative.ts'
import { compareSchemas } from '../../engines/schema/changes.ts'
import { reviewSchema } from '../../engines/schema/review.ts'
import { type CompiledSchema, compileSchema } from '../../engines/schema/schema.ts'
import { cutPage } from '../../http/paging.ts'
import { configurationIssueOf } from '../../http/problem.ts'
import {
  type FamilyRow,
  familiesPage,
  findFamily,
  findFamilyHead,
  findVersionByNumber,
  listNewestVersions,
  newestFamilies,
  type VersionHead,
  type VersionRow,
} from '../configuration/configuration.service.ts'
import { foreignCursor, validationResult } from '../configuration/definitions.service.ts'
import {
  createOlderFamily,
  deprecateOlderVersion,
  familyToWire,
  freezeOlderVersion,
  publishOlderVersion,
  unknownFamily,
  unknownVersion,
  updateOlderDraft,
  versionToWire,
} from '../configuration/older.service.ts'
import type {
  Contract,
  ContractChange,
  ContractDiff,
  ContractItem,
  ContractValidationResult,
  ContractVersion,
  NewContract,
} from './contracts.model.ts'

/**
 * Contracts: JSON Schema 2020-12 texts as drafts, frozen into numbered versions. A draft may hold any JSON, so that work
 * can be put down half done; what is not JSON is refused at once, and freezing asks for a valid schema.
 */
export type ContractService = ReturnType<typeof createContractService>

export function createContractService(database: Database) {
  return {
    /**
     * A page, newest first, without schemas. `onlyReleased` leaves out versions that were never published.
     * @throws Fault validation_failed for a cursor of no contract
     */
    async list(
      query: { limit?: number | undefined; cursor?: string | undefined },
      onlyReleased: boolean,
    ): Promise<{ contracts: ContractItem[]; next_cursor?: string }> {
      const after =
        query.cursor === undefined
          ? undefined
          : await findFamilyHead(database.read, 'contract', query.cursor.toLowerCase())
      if (query.cursor !== undefined && after === undefined) {
        throw foreignCursor()
      }
      const limit = query.limit ?? limits.pageSizeDefault
      const page = cutPage(await familiesPage(database.read, 'contract', after, limit + 1), limit)
      const versions = await versionsOf(
        database.read,
        page.rows.map(({ id }) => id),
      )
      const contracts = page.rows.map((row) => ({
        ...familyToWire(row),
        versions: (versions.get(row.id) ?? [])
          .filter(({ status }) => !onlyReleased || status !== 'versioned')
          .map(versionToWire),
      }))
      return page.last === undefined ? { contracts } : { contracts, next_cursor: page.last.id }
    },

    /** @throws Fault validation_failed for text that isn't JSON, conflict for a name that is taken */
    async create(actor: Actor, { name, description, schema }: NewContract): Promise<Contract> {
      requireJson(schema)
      const content = { source: schema, format: 'json' } as const
      return contractToWire(await createOlderFamily(database, actor, 'contract', { name, description, content }), [])
    },

    /** @throws Fault not_found */
    async read(id: string): Promise<Contract> {
      const family = await findFamily(database.read, 'contract', id)
      if (family === undefined) throw unknownFamily('contract')
      return contractToWire(family, (await versionsOf(database.read, [id])).get(id) ?? [])
    },

    /** @throws Fault not_found, precondition_failed, conflict, validation_failed for text that isn't JSON */
    async update(actor: Actor, id: string, change: ContractChange): Promise<Contract> {
      requireJson(change.schema)
      const { name, description } = change
      const content = { source: change.schema, format: 'json' } as const
      const draft = { name, description, content }
      const family = await updateOlderDraft(database, actor, 'contract', id, change.expected_revision, draft)
      return contractToWire(family, (await versionsOf(database.read, [id])).get(id) ?? [])
    },

    /**
     * Says what freezing this schema, or the draft's, would find, and warns of rules that cannot matter and of arrays
     * without `maxItems` that transformers loop over. @throws Fault not_found
     */
    async validate(id: string, schema: string | undefined, correlationId: string): Promise<ContractValidationResult> {
      const family = await findFamily(database.read, 'contract', id)
      if (family === undefined) throw unknownFamily('contract')
      const text = schema ?? family.draftSource ?? ''
      const compiled = compileSchema(text)
      const review = compiled.ok
        ? reviewSchema(compiled.value, { loopedPointers: await loopsOver(database.read, family.name), text })
        : []
      const subject = { stage: 'validate', resourceKind: 'contract', resourceId: id, correlationId }
      const warnings = [...compiled.findings, ...review]
        .filter(({ severity }) => severity === 'warning')
        .slice(0, limits.configurationIssues)
        .map((finding) => configurationIssueOf(finding, subject))
      return { ...validationResult(compiled.findings, subject), warnings }
    },

    freeze: (actor: Actor, id: string, revision: number) =>
      freezeOlderVersion(database, actor, 'contract', id, revision).then(versionToWire),

    publish: (actor: Actor, id: string, number: number) =>
      publishOlderVersion(database, actor, 'contract', id, number).then(versionToWire),

    deprecate: (actor: Actor, id: string, number: number) =>
      deprecateOlderVersion(database, actor, 'contract', id, number).then(versionToWire),

    /** @throws Fault not_found */
    async readVersion(id: string, number: number): Promise<ContractVersion> {
      const version = await mustFindVersion(database.read, id, number)
      return { ...versionToWire(version), schema: version.source ?? '' }
    },

    /** What changed from one version to another, whichever is newer, and what follows. @throws Fault not_found */
    async diff(id: string, older: number, newer: number): Promise<ContractDiff> {
      const [before, after] = [
        await mustFindVersion(database.read, id, older),
        await mustFindVersion(database.read, id, newer),
      ]
      const changes = compareSchemas(schemaOf(before), schemaOf(after))
      const has = (effect: ContractDiff['effect']) => changes.some((change) => change.effect === effect)
      const effect = has('breaking') ? 'breaking' : has('unknown') ? 'unknown' : 'compatible'
      return { older, newer, effect, changes }
    },
  }
}

async function mustFindVersion(connection: Connection, id: string, number: number): Promise<VersionRow> {
  if ((await findFamilyHead(connection, 'contract', id)) === undefined) throw unknownFamily('contract')
  const version = await findVersionByNumber(connection, id, number)
  if (version === undefined) throw unknownVersion('contract', number)
  return version
}

function schemaOf(version: VersionRow): CompiledSchema {
  const compiled = compileSchema(version.source ?? '')
  if (!compiled.ok) throw new Error(`contract version ${version.id} was frozen with errors`)
  return compiled.value
}

/** @throws Fault validation_failed naming the place where the text stops being JSON */
function requireJson(schema: string): void {
  const read = readJson(schema)
  if (read.ok) return
  throw new Fault(
    'validation_failed',
    `Body field schema is not acceptable JSON at ${describeFinding(read.findings[0]!)}`,
    {
      findings: read.findings,
    },
  )
}

async function versionsOf(connection: Connection, ids: readonly string[]): Promise<Map<string, VersionHead[]>> {
  const versions = await listNewestVersions(connection, ids, limits.versionsShown)
  return Map.groupBy(versions, (version) => version.familyId)
}

function contractToWire(family: FamilyRow, versions: readonly VersionHead[]): Contract {
  return { ...familyToWire(family), schema: family.draftSource ?? '', versions: versions.map(versionToWire) }
}

/** JSON Pointers of the arrays that the drafts of transformers loop over, as far as they name this contract. */
async function loopsOver(connection: Connection, contractName: string): Promise<string[]> {
  const transformers = await newestFamilies(connection, 'transformer', limits.reviewedTransformers)
  return transformers.flatMap(({ draftSource, draftFormat }) => {
    if (draftSource === null || !draftSource.includes(contractName)) return []
    const compiled = compileTransformer(draftSource, draftFormat === 'json' ? 'json' : 'yaml')
    return compiled.ok && compiled.value.contract?.name === contractName ? compiled.value.loops : []
  })
}
