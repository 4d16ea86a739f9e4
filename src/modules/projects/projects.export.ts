/** Everything in a store as the files of a project: the same bytes for the same state. */

import { currentPaths } from '../../core/dated-cases.ts'
import type { Instant } from '../../core/instant.ts'
import { activatedKinds, type FamilyKind } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import {
  activationsFile,
  casePathOf,
  familiesFile,
  projectFileOf,
  retentionFile,
  reviewPathOf,
} from '../../core/project-layout.ts'
import { othersTurn } from '../../core/turns.ts'
import type { Connection } from '../../db/database.ts'
import type { PagePlace } from '../../db/keyset.ts'
import type { RetentionPolicy } from '../../db/schema.ts'
import type { ZipEntry } from '../../engines/ooxml/zip-format.ts'
import { listInForce } from '../activations/activations.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { familiesPage, listFamilyHeads } from '../families/families.reads.ts'
import { findInForce as findInForcePolicies } from '../policies/policies.reads.ts'
import { type MadeCase, madeCasesOf } from '../suites/made-cases.service.ts'
import { listCaseFiles, readCaseFiles } from '../suites/suites.reads.ts'
import { loadModel } from '../versions/compiled.service.ts'
import {
  findNamedContractSummary,
  findNewestPublished,
  findVersionHead,
  readVersion,
  type VersionSummary,
} from '../versions/versions.reads.ts'
import { bytesOf, contentOf } from '../versions/versions.service.ts'
import { scheduledFolderOf, writeActivations } from './projects.activations.ts'
import { listLater } from './projects.store.ts'
import { type FamilyTexts, writeFamilyTexts } from './projects.texts.ts'

/** A family with its exported version. */
export interface FamilyInExport extends FamilyTexts {
  kind: FamilyKind
  slug: string
  path: string
  versionId: string
  /** When it begins; undefined if it is in force already. */
  from?: Instant
}

/** What is in force at the instant, and one version of each contract, ordered by path. */
export async function familiesInForce(connection: Connection, at: Instant): Promise<FamilyInExport[]> {
  const families: FamilyInExport[] = []
  for (const kind of activatedKinds) {
    const rows = await listInForce(connection, kind, at)
    const heads = new Map(
      (
        await listFamilyHeads(
          connection,
          rows.map(({ familyId }) => familyId),
        )
      ).map((head) => [head.id, head]),
    )
    for (const { familyId, familySlug: slug, versionId } of rows) {
      const head = heads.get(familyId)
      const format = (await findVersionHead(connection, versionId))?.format ?? 'yaml'
      await othersTurn()
      families.push({
        ...{ kind, slug, versionId, path: projectFileOf(kind, slug, format) },
        ...{ name: head?.name ?? slug, description: head?.description ?? '' },
      })
    }
  }
  const named = await namedContracts(connection, families)
  for await (const { id, slug, name, description } of everyContract(connection)) {
    const version = named.get(id) ?? (await findNewestPublished(connection, id))
    await othersTurn()
    if (version === undefined) continue
    const path = projectFileOf('contract', slug, version.format)
    families.push({ kind: 'contract', slug, versionId: version.id, path, name, description })
  }
  return families.sort((one, other) => (one.path < other.path ? -1 : 1))
}

/**
 * What comes into force after the instant, in order, with contracts that only its models name. An activation of a version that is
 * in force by then changes nothing, and is left out.
 *
 * @param inForce what is in force at the instant
 */
async function scheduledAfter(
  connection: Connection,
  inForce: readonly FamilyInExport[],
  at: Instant,
): Promise<FamilyInExport[]> {
  const scheduled: FamilyInExport[] = []
  const current = new Map(inForce.map(({ kind, slug, versionId }) => [`${kind} ${slug}`, versionId]))
  const add = async ({ kind, slug, versionId }: Pick<FamilyInExport, 'kind' | 'slug' | 'versionId'>, from: Instant) => {
    if (current.get(`${kind} ${slug}`) === versionId) return
    current.set(`${kind} ${slug}`, versionId)
    const head = await findVersionHead(connection, versionId)
    const [family] = head === undefined ? [] : await listFamilyHeads(connection, [head.familyId])
    const path = `${scheduledFolderOf(from)}/${projectFileOf(kind, slug, head?.format ?? 'yaml')}`
    const { name = slug, description = '' } = family ?? {}
    scheduled.push({ kind, slug, versionId, path, name, description, from })
    await othersTurn()
  }
  for (const { kind, slug, versionId, effectiveFrom } of await listLater(connection, at)) {
    await add({ kind, slug, versionId }, effectiveFrom)
    if (kind !== 'ingestion_model') continue
    const { contract } = await loadModel(connection, versionId)
    const named = await findNamedContractSummary(connection, contract)
    const [family] = named === undefined ? [] : await listFamilyHeads(connection, [named.familyId])
    if (named !== undefined && family !== undefined) {
      await add({ kind: 'contract', slug: family.slug, versionId: named.id }, effectiveFrom)
    }
  }
  return scheduled
}

/** For each contract named by a model in force, the newest version that any of them names, by the contract's id. */
async function namedContracts(
  connection: Connection,
  families: readonly FamilyInExport[],
): Promise<ReadonlyMap<string, VersionSummary>> {
  const named = new Map<string, VersionSummary>()
  for (const { versionId } of families.filter(({ kind }) => kind === 'ingestion_model')) {
    const { contract } = await loadModel(connection, versionId)
    const version = await findNamedContractSummary(connection, contract)
    const known = version && named.get(version.familyId)
    if (version !== undefined && version.number >= (known?.number ?? 0)) named.set(version.familyId, version)
  }
  return named
}

async function* everyContract(connection: Connection) {
  for (let after: PagePlace | undefined; ; ) {
    const page = await familiesPage(connection, 'contract', after, limits.pageSizeMax)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < limits.pageSizeMax) return
    after = last
  }
}

/** Tuned: case files read by one statement. */
const filesAtOnce = 50

/**
 * The archive: what is in force at an instant, and what is scheduled after it. For an instant in the past, activations that have
 * begun since are left out, because they can't be scheduled any more. Other requests run between its files.
 */
export async function exportProject(
  connection: Connection,
  judge: Judge,
  { at, now }: { at: Instant; now: Instant },
): Promise<Uint8Array> {
  const inForce = await familiesInForce(connection, at)
  const scheduled = await scheduledAfter(connection, inForce, at > now ? at : now)
  const families = [...inForce, ...scheduled]
  const entries: ZipEntry[] = []
  const { deflateEntry, storeEntry, writeZip } = await import('../../engines/ooxml/zip-writer.ts')
  const add = async (name: string, data: Uint8Array) => {
    // A DOCX is compressed already.
    entries.push(name.endsWith('.docx') ? storeEntry(name, data) : deflateEntry(name, data))
    await othersTurn()
  }
  const encoder = new TextEncoder()
  for (const { kind, path, versionId } of families) {
    const bytes = bytesOf(contentOf(await readVersion(connection, versionId)))
    await add(path, bytes)
    if (kind !== 'template') continue
    const name = path.replace(/^.*\//, '')
    await add(reviewPathOf(path), encoder.encode(await judge.ask('reviewText', { name, bytes })))
  }
  const kept = new Set<string>()
  const current = currentPaths(
    (await listCaseFiles(connection)).map(({ path }) => path),
    at,
  )
  for (let after = ''; ; ) {
    const files = await readCaseFiles(connection, after, filesAtOnce)
    for (const { path: stored, content, contentHash } of files) {
      const path = current.get(stored)
      if (path === undefined) continue
      await add(path, new Uint8Array(content))
      kept.add(path).add(`${casePathOf(path)?.model} ${contentHash}`)
    }
    after = files.at(-1)?.path ?? ''
    if (files.length < filesAtOnce) break
  }
  for (const { slug, versionId } of inForce.filter(({ kind }) => kind === 'ingestion_model')) {
    await othersTurn()
    for (const { path, payload, contentHash } of await madeCases(connection, slug, versionId)) {
      if (kept.has(path) || kept.has(`${slug} ${contentHash}`)) continue
      await add(path, encoder.encode(payload))
    }
  }
  if (families.length > 0) await add(familiesFile, encoder.encode(writeFamilyTexts(families)))
  const instants = new Map(scheduled.flatMap(({ path, from }) => (from === undefined ? [] : [[path, from] as const])))
  if (instants.size > 0) await add(activationsFile, encoder.encode(writeActivations(instants)))
  const { policies = [] } = (await findInForcePolicies(connection)) ?? {}
  if (policies.length > 0) await add(retentionFile, encoder.encode(writePolicies(policies)))
  return writeZip(entries.sort((one, other) => (one.name < other.name ? -1 : 1)))
}

function writePolicies(policies: readonly RetentionPolicy[]): string {
  const lines = policies.map(({ ingestion_model: model, keep_days: days, parts = {} }) => {
    const ofParts = Object.entries(parts).map(([part, count]) => `      ${part}: ${count}`)
    const members = [
      ...(model === undefined ? [] : [`ingestion_model: ${JSON.stringify(model)}`]),
      `keep_days: ${days}`,
      ...(ofParts.length === 0 ? [] : [['parts:', ...ofParts].join('\n')]),
    ]
    return `  - ${members.join('\n    ')}`
  })
  return `policies:\n${lines.join('\n')}\n`
}

/** Cases that were generated or imported for a model's contract, by their path in the export. */
export async function madeCases(connection: Connection, slug: string, modelVersionId: string): Promise<MadeCase[]> {
  const { contract, input } = await loadModel(connection, modelVersionId)
  // Cases of contracts are JSON, which a model with another input format can't read.
  if (input !== undefined) return []
  const version = await findNamedContractSummary(connection, contract)
  if (version === undefined) return []
  return madeCasesOf(connection, slug, version.id)
}
