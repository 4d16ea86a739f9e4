import type { Actor, Author } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { describeFindings } from '../../core/finding.ts'
import { readJson } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import type { Connection } from '../../db/database.ts'
import type { PageRequest } from '../../http/paging.ts'
import { configurationIssueOf, validationResult } from '../../http/problem.ts'
import type { Reach } from '../../http/reach.ts'
import { createFamiliesByRevision, type DraftByRevision, type FamilyPorts } from '../by-revision/by-revision.service.ts'
import { familyToWire, versionToWire } from '../by-revision/by-revision.wire.ts'
import type { ContractQuestion } from '../drafts/questions.service.ts'
import { type FamilyRow, newestFamilies } from '../families/families.reads.ts'
import { listNewestVersions, type VersionHead } from '../versions/versions.reads.ts'
import { sourceOf } from '../versions/versions.service.ts'
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
 * Contracts: JSON Schema 2020-12 texts as drafts, frozen into numbered versions. A draft may hold any JSON, so that
 * half-done work can be saved; anything but JSON is refused at once, and freezing requires a valid schema.
 */
export type ContractService = ReturnType<typeof createContractService>

export function createContractService(ports: FamilyPorts) {
  const { database, judge } = ports
  const families = createFamiliesByRevision('contract', ports)
  return {
    /**
     * A page, newest first, without schemas. `released` leaves out versions that were never published.
     * @throws Fault validation_failed for a cursor of no contract
     */
    async list(
      query: PageRequest,
      shown: 'all' | 'released',
    ): Promise<{ contracts: ContractItem[]; next_cursor?: string }> {
      const page = await families.list(query)
      const ids = page.rows.map(({ id }) => id)
      const versions = await listNewestVersions(database.read, ids, limits.versionsShown)
      const versionsOf = Map.groupBy(versions, ({ familyId }) => familyId)
      const contracts = page.rows.map((row) => ({
        ...familyToWire(row),
        versions: (versionsOf.get(row.id) ?? [])
          .filter(({ status }) => shown === 'all' || status !== 'versioned')
          .map(versionToWire),
      }))
      return page.last === undefined ? { contracts } : { contracts, next_cursor: page.last.id }
    },

    /** @throws Fault validation_failed for text that isn't JSON, conflict for a name that is taken */
    async create(actor: Actor, wanted: NewContract): Promise<Contract> {
      return contractToWire(await families.create(actor, draftOf(wanted)), [])
    },

    /** @throws Fault not_found */
    async read(id: string): Promise<Contract> {
      return contractToWire(await families.read(id), await families.versionsOf(id))
    },

    /** @throws Fault not_found, precondition_failed, conflict, validation_failed for text that isn't JSON */
    async update(actor: Actor, id: string, change: ContractChange): Promise<Contract> {
      const family = await families.update(actor, id, change.expected_revision, draftOf(change))
      return contractToWire(family, await families.versionsOf(id))
    },

    /**
     * What freezing this schema, or the draft, would find. Also warns of rules without effect, and of arrays without `maxItems`
     * that transformers loop over. @throws Fault not_found
     */
    async validate(
      id: string,
      schema: string | undefined,
      { families: reach, correlationId }: Author,
    ): Promise<ContractValidationResult> {
      const family = await families.read(id)
      const { findings, review } = await judge.ask('contract', {
        schema: schema ?? family.draftSource ?? '',
        name: family.name,
        transformers: await transformersNaming(database.read, family.name, reach),
      })
      const subject = { stage: 'validate', resourceKind: 'contract', resourceId: id, correlationId }
      const warnings = [...findings, ...review]
        .filter(({ severity }) => severity === 'warning')
        .slice(0, limits.configurationIssues)
        .map((finding) => configurationIssueOf(finding, subject))
      return { ...validationResult(findings, subject), warnings }
    },

    freeze: async (actor: Actor, id: string, revision: number) =>
      versionToWire(await families.freeze(actor, id, revision)),
    publish: async (actor: Actor, id: string, number: number) =>
      versionToWire(await families.publish(actor, id, number)),
    deprecate: async (actor: Actor, id: string, number: number) =>
      versionToWire(await families.deprecate(actor, id, number)),

    /** @throws Fault not_found */
    async readVersion(id: string, number: number): Promise<ContractVersion> {
      const version = await families.readVersion(id, number)
      return { ...versionToWire(version), schema: sourceOf(version).source }
    },

    /** What changed between two versions, in either order, and what that means. @throws Fault not_found */
    async diff(id: string, older: number, newer: number): Promise<ContractDiff> {
      const before = await families.readVersion(id, older)
      const after = await families.readVersion(id, newer)
      const changes = await judge.ask('contractChanges', {
        older: sourceOf(before).source,
        newer: sourceOf(after).source,
      })
      const has = (effect: ContractDiff['effect']) => changes.some((change) => change.effect === effect)
      const effect = has('breaking') ? 'breaking' : has('unknown') ? 'unknown' : 'compatible'
      return { older, newer, effect, changes }
    },
  }
}

/** @throws Fault validation_failed with the place at which the text stops being JSON */
function draftOf({ name, description, schema }: NewContract): DraftByRevision {
  const read = readJson(schema)
  if (read.ok) return { name, description, content: { source: schema, format: 'json' } }
  throw new Fault(
    'validation_failed',
    `Body field schema is not acceptable JSON at ${describeFindings(read.findings, 1)}`,
    { findings: read.findings },
  )
}

function contractToWire(family: FamilyRow, versions: readonly VersionHead[]): Contract {
  return { ...familyToWire(family), schema: family.draftSource ?? '', versions: versions.map(versionToWire) }
}

/** Drafts of transformers within reach that may name this contract; the judge compiles them to find out. */
async function transformersNaming(
  connection: Connection,
  contractName: string,
  reach: Reach,
): Promise<ContractQuestion['transformers']> {
  const transformers = await newestFamilies(connection, 'transformer', limits.reviewedTransformers)
  return transformers.flatMap(({ id, draftSource, draftFormat }) => {
    if (reach?.includes(id) === false) return []
    if (draftSource === null || !draftSource.includes(contractName)) return []
    return [{ source: draftSource, format: draftFormat === 'json' ? 'json' : 'yaml' }]
  })
}
