import { appendEvent } from '../../bus/outbox.ts'
import type { Actor } from '../../core/actor.ts'
import { canonicalHash } from '../../core/canonical.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/finding.ts'
import { newId } from '../../core/ids.ts'
import { formatInstant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { ProcessingKind } from '../../core/steps.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import type { FamilyKind } from '../../db/schema.ts'
import { validationFault } from '../../http/body.ts'
import { cutPage, foreignCursor, type PageRequest } from '../../http/paging.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { kindNames } from '../families/families.service.ts'
import { checkPinnedChain } from '../versions/chain.service.ts'
import { findVersionHead, type VersionHead } from '../versions/versions.reads.ts'
import type { NewRelease, Release } from './releases.model.ts'
import {
  findRelease,
  findReleaseByPin,
  insertRelease,
  insertReleaseOnce,
  markContractChecked,
  type ReleaseRow,
  releasesPage,
} from './releases.store.ts'

export { findRelease, type ReleaseRow } from './releases.store.ts'

/** A version as a release pins it. */
export interface PinnedVersion {
  id: string
  contentHash: string
}

export interface Pin {
  contract: PinnedVersion
  transformer: PinnedVersion
  template: PinnedVersion | undefined
}

export function processingKindOf(pin: Pin): ProcessingKind {
  return pin.template === undefined ? 'transformation' : 'document_generation'
}

/** SHA-256 of the canonical JSON of the content hashes pinned and the processing kind. */
export function releaseHashOf(pin: Pin): string {
  return canonicalHash({
    contract: pin.contract.contentHash,
    transformer: pin.transformer.contentHash,
    template: pin.template?.contentHash ?? null,
    processing_kind: processingKindOf(pin),
  })
}

/** Names exactly these versions. */
export function automaticPinOf(pin: Pin): string {
  return [pin.contract.id, pin.transformer.id, pin.template?.id ?? ''].join(':')
}

/** The release that submissions share for exactly these versions, once one of them has needed it. */
export function findPinnedRelease(connection: Connection, pin: Pin): Promise<ReleaseRow | undefined> {
  return findReleaseByPin(connection, automaticPinOf(pin))
}

/**
 * The same, made at its first use.
 * @throws Fault validation_failed when its parts don't fit, conflict when its contract is deprecated
 */
export async function pinRelease(
  tx: Transaction,
  actor: Actor,
  name: string,
  pin: Pin,
  /** The contract describes what a root node reads; a child reads its parent's output. */
  reads: 'raw input' | 'output of its parent',
): Promise<ReleaseRow> {
  const automaticPin = automaticPinOf(pin)
  const existing = await findReleaseByPin(tx, automaticPin)
  if (existing !== undefined) return forUse(tx, existing, pin, reads)
  // Asked again here, because the plan may rest on what was known of the version before.
  const contract = await findVersionHead(tx, pin.contract.id)
  if (contract?.status === 'deprecated') throw deprecatedContract('ingestion_model')
  await requireFit(tx, pin, reads)
  const row = { ...newReleaseRow(actor, name, pin, automaticPin), contractChecked: reads === 'raw input' }
  if (!(await insertReleaseOnce(tx, row))) {
    const winner = await findReleaseByPin(tx, automaticPin)
    if (winner === undefined) throw new Error(`the release pinned as ${automaticPin} vanished while it was being made`)
    return forUse(tx, winner, pin, reads)
  }
  await announce(tx, actor, row)
  return row
}

/**
 * A release that is there already. What a child first made was never checked against the contract: the first root that
 * shares it has that done.
 * @throws Fault validation_failed when the transformer doesn't fit the contract
 */
async function forUse(
  tx: Transaction,
  row: ReleaseRow,
  pin: Pin,
  reads: Parameters<typeof pinRelease>[4],
): Promise<ReleaseRow> {
  if (row.contractChecked || reads !== 'raw input') return row
  await requireFit(tx, pin, reads)
  await markContractChecked(tx, row.id)
  return { ...row, contractChecked: true }
}

function newReleaseRow(actor: Actor, name: string, pin: Pin, automaticPin: string | null): ReleaseRow {
  return {
    id: newId(),
    name,
    releaseHash: releaseHashOf(pin),
    processingKind: processingKindOf(pin),
    contractVersionId: pin.contract.id,
    transformVersionId: pin.transformer.id,
    templateVersionId: pin.template?.id ?? null,
    automaticPin,
    contractChecked: true,
    createdBy: actor.userId,
    createdAt: actor.at,
  }
}

async function announce(tx: Transaction, actor: Actor, row: ReleaseRow): Promise<void> {
  await appendEvent(tx, actor.at, {
    aggregate: 'release',
    aggregateId: row.id,
    type: 'created',
    data: { name: row.name, release_hash: row.releaseHash, processing_kind: row.processingKind },
    correlationId: actor.correlationId,
    traceparent: actor.traceparent,
  })
  await recordAudit(tx, actor, {
    action: 'release.created',
    resourceKind: 'release',
    resourceId: row.id,
    detail: { name: row.name, release_hash: row.releaseHash, automatic: row.automaticPin !== null },
  })
}

/** @throws Fault validation_failed with every finding along contract → transformer → template */
async function requireFit(
  connection: Connection,
  pin: Pin,
  reads: Parameters<typeof pinRelease>[4] = 'raw input',
): Promise<void> {
  const findings = await checkPinnedChain(connection, {
    contractVersionId: reads === 'raw input' ? pin.contract.id : undefined,
    transformVersionId: pin.transformer.id,
    templateVersionId: pin.template?.id,
  })
  if (findings.length === 0) return
  throw validationFault(findings, { stage: 'chain', resourceKind: 'transformer', resourceId: pin.transformer.id })
}

function deprecatedContract(field: string): Fault {
  return new Fault(
    'conflict',
    `Body field ${field}: the contract's version is deprecated and takes no new releases. Name another.`,
  )
}

export type ReleaseService = ReturnType<typeof createReleaseService>

export function createReleaseService(database: Database) {
  return {
    /**
     * Pins published versions that fit together, inside the caller's transaction.
     * @throws Fault validation_failed for unknown ids, versions that are not published, and every finding of the chain;
     *   conflict for a deprecated contract
     */
    async create(tx: Transaction, actor: Actor, wanted: NewRelease): Promise<Release> {
      const findings: Finding[] = []
      const find = (kind: FamilyKind, field: keyof NewRelease, id: string) =>
        findPublished(tx, kind, field, id.toLowerCase(), findings)
      const contract = await find('contract', 'contract_version_id', wanted.contract_version_id)
      const transformer = await find('transformer', 'transform_version_id', wanted.transform_version_id)
      const template =
        wanted.template_version_id === undefined
          ? undefined
          : await find('template', 'template_version_id', wanted.template_version_id)
      if (findings.length > 0) throw validationFault(findings, { stage: 'request', resourceKind: 'release' })
      if (contract!.status === 'deprecated') throw deprecatedContract('contract_version_id')
      const pin: Pin = { contract: contract!, transformer: transformer!, template }
      await requireFit(tx, pin)
      const row = newReleaseRow(actor, wanted.name, pin, null)
      await insertRelease(tx, row)
      await announce(tx, actor, row)
      return releaseToWire(row)
    },

    async read(id: string): Promise<Release> {
      const row = await findRelease(database.read, id)
      if (row === undefined) {
        throw new Fault('not_found', `There is no release ${id}.`, { resourceKind: 'release', resourceId: id })
      }
      return releaseToWire(row)
    },

    /** A page, newest first; the cursor is the id of the page's last release. */
    async list(query: PageRequest): Promise<{ releases: Release[]; next_cursor?: string }> {
      const after =
        query.cursor === undefined ? undefined : await findRelease(database.read, query.cursor.toLowerCase())
      if (query.cursor !== undefined && after === undefined) throw foreignCursor()
      const limit = query.limit ?? limits.pageSizeDefault
      const page = cutPage(await releasesPage(database.read, after, limit + 1), limit)
      const releases = page.rows.map(releaseToWire)
      return page.last === undefined ? { releases } : { releases, next_cursor: page.last.id }
    },
  }
}

/** A version that a release may name; what is wrong with it goes to `findings`. */
async function findPublished(
  connection: Connection,
  kind: FamilyKind,
  field: keyof NewRelease,
  id: string,
  findings: Finding[],
): Promise<VersionHead | undefined> {
  const version = await findVersionHead(connection, id)
  const refuse = (code: string, message: string, hint: string) =>
    findings.push({ code, severity: 'error', path: `/${field}`, message, hint })
  if (version === undefined || version.kind !== kind) {
    refuse(
      'unknown_version',
      `There is no ${kindNames[kind]} version ${id}.`,
      `Name the id of a ${kindNames[kind]}'s version.`,
    )
  } else if (version.status === 'versioned') {
    refuse(
      'not_published',
      `Version ${version.number} of the ${kindNames[kind]} is not published.`,
      'Publish it first.',
    )
  }
  return version
}

function releaseToWire(row: ReleaseRow): Release {
  return {
    id: row.id,
    name: row.name,
    release_hash: row.releaseHash,
    processing_kind: row.processingKind,
    contract_version_id: row.contractVersionId,
    transform_version_id: row.transformVersionId,
    ...(row.templateVersionId === null ? {} : { template_version_id: row.templateVersionId }),
    automatic: row.automaticPin !== null,
    created_by: row.createdBy,
    created_at: formatInstant(row.createdAt),
  }
}
