import { appendEvent } from '../../bus/outbox.ts'
import type { Actor } from '../../core/actor.ts'
import { canonicalHash } from '../../core/canonical.ts'
import { Fault } from '../../core/faults.ts'
import { fail, type Outcome, succeed } from '../../core/finding.ts'
import type { PinnedFragment } from '../../core/fragment.ts'
import { sha256Hex } from '../../core/hash.ts'
import { newId } from '../../core/ids.ts'
import { formatInstant } from '../../core/instant.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import type { ProcessingKind } from '../../core/steps.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import { validationFault } from '../../http/body.ts'
import { type Mutated, mutate } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import { type PageRequest, readPage } from '../../http/paging.ts'
import { fragmentsInForce } from '../activations/activations.fragments.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { checkPinnedChain } from '../drafts/chain.service.ts'
import { gapFindings } from '../drafts/fragments.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { judgeKnown, withVerdicts } from '../drafts/judge-known.service.ts'
import { kindNames } from '../families/families.service.ts'
import { resolveFragments } from '../versions/fragments.service.ts'
import { fragmentToWire } from '../versions/versions.model.ts'
import { findVersionHead, readVersion, type VersionHead } from '../versions/versions.reads.ts'
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
  /** Included templates by slug, in order. */
  fragments?: readonly PinnedFragment[]
}

export function processingKindOf(pin: Pin): ProcessingKind {
  return pin.template === undefined ? 'transformation' : 'document_generation'
}

/** SHA-256 of the canonical JSON of the pinned content hashes, included templates among them, and the processing kind. */
export function releaseHashOf(pin: Pin): string {
  return canonicalHash({
    contract: pin.contract.contentHash,
    transformer: pin.transformer.contentHash,
    template: pin.template?.contentHash ?? null,
    processing_kind: processingKindOf(pin),
    ...(pin.fragments === undefined || pin.fragments.length === 0
      ? {}
      : { fragments: pin.fragments.map(({ slug, contentHash }) => ({ slug, hash: contentHash })) }),
  })
}

/** Identifies exactly these versions. */
export function automaticPinOf(pin: Pin): string {
  const ids = [pin.contract.id, pin.transformer.id, pin.template?.id ?? '']
  const { fragments = [] } = pin
  // A hash, because an indexed value can't be of any length.
  if (fragments.length > 0)
    ids.push(sha256Hex(fragments.map(({ slug, versionId }) => `${slug} ${versionId}`).join('\n')))
  return ids.join(':')
}

/** The release that submissions share for exactly these versions, if one of them has made it. */
export function findPinnedRelease(connection: Connection, pin: Pin): Promise<ReleaseRow | undefined> {
  return findReleaseByPin(connection, automaticPinOf(pin))
}

/**
 * The shared release, made at its first use.
 * @throws Fault validation_failed if its parts don't fit, conflict if its contract is deprecated; Unjudged
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
  // Read again, because the plan may use an older state of the version.
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
 * An existing release. If a child made it, it was never checked against the contract; its first use by a root does that.
 * @throws Fault validation_failed if the transformer doesn't fit the contract
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
    fragments: pin.fragments === undefined || pin.fragments.length === 0 ? null : [...pin.fragments],
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

/** @throws Fault validation_failed with every finding along contract → transformer → template; Unjudged */
async function requireFit(
  connection: Connection,
  pin: Pin,
  reads: Parameters<typeof pinRelease>[4] = 'raw input',
): Promise<void> {
  const judging = { connection, judge: judgeKnown }
  const findings = await checkPinnedChain(judging, {
    contractVersionId: reads === 'raw input' ? pin.contract.id : undefined,
    transformVersionId: pin.transformer.id,
    templateVersionId: pin.template?.id,
    fragments: pin.fragments,
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

export function createReleaseService(database: Database, judge: Judge) {
  return {
    /**
     * Pins published versions that fit together.
     * @throws Fault validation_failed for unknown ids, unpublished versions, and with every finding of the chain; conflict for a
     * deprecated contract
     */
    async create(actor: Actor, request: IdempotentRequest, wanted: NewRelease): Promise<Mutated<{ release: Release }>> {
      const make = async (tx: Transaction) => {
        const pin = await requirePin(tx, wanted, actor)
        await requireFit(tx, pin)
        const row = newReleaseRow(actor, wanted.name, pin, null)
        await insertRelease(tx, row)
        await announce(tx, actor, row)
        return { status: 201, body: { release: releaseToWire(row) } }
      }
      const { answer } = await withVerdicts(judge, () => mutate(database, actor.at, request, make))
      return answer
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
      const page = await readPage(query, {
        find: (id) => findRelease(database.read, id),
        rowsAfter: (after, limit) => releasesPage(database.read, after, limit),
      })
      const releases = page.rows.map(releaseToWire)
      return page.last === undefined ? { releases } : { releases, next_cursor: page.last.id }
    },
  }
}

/** @throws Fault validation_failed with the problem of each version, conflict for a deprecated contract */
async function requirePin(connection: Connection, wanted: NewRelease, actor: Actor): Promise<Pin> {
  const { contract_version_id, transform_version_id, template_version_id } = wanted
  const contract = await findPublished(connection, 'contract', 'contract_version_id', contract_version_id)
  const transformer = await findPublished(connection, 'transformer', 'transform_version_id', transform_version_id)
  const template =
    template_version_id === undefined
      ? succeed(undefined)
      : await findPublished(connection, 'template', 'template_version_id', template_version_id)
  if (!contract.ok || !transformer.ok || !template.ok) {
    const findings = [contract, transformer, template].flatMap((outcome) => outcome.findings)
    throw validationFault(findings, { stage: 'request', resourceKind: 'release' })
  }
  if (contract.value.status === 'deprecated') throw deprecatedContract('contract_version_id')
  const pin = { contract: contract.value, transformer: transformer.value, template: template.value }
  const fragments = template.value === undefined ? [] : await requireFragments(connection, template.value, actor)
  return { ...pin, fragments }
}

/** The included templates in force. @throws Fault validation_failed at the tags whose templates aren't in force */
async function requireFragments(
  connection: Connection,
  template: VersionHead,
  { at, families: reach }: Actor,
): Promise<PinnedFragment[]> {
  const includes = template.fragments ?? []
  if (includes.length === 0) return []
  const { reading } = template
  const { fragments, gaps } = await resolveFragments({ includes, reading }, fragmentsInForce({ connection, reach }, at))
  if (gaps.length === 0) return fragments
  const findings = await gapFindings({ judge: judgeKnown }, await readVersion(connection, template.id), gaps)
  throw validationFault(findings, { stage: 'chain', resourceKind: 'template', resourceId: template.familyId })
}

/** A version that a release may name. */
async function findPublished(
  connection: Connection,
  kind: FamilyKind,
  field: keyof NewRelease,
  id: string,
): Promise<Outcome<VersionHead>> {
  const name = kindNames[kind]
  const version = await findVersionHead(connection, id.toLowerCase())
  const refuse = (code: string, message: string, hint: string) =>
    fail<VersionHead>({ code, severity: 'error', path: `/${field}`, message, hint })
  if (version?.kind !== kind) {
    const message = `There is no ${name} version ${id.toLowerCase()}.`
    return refuse('unknown_version', message, `Name the id of a ${name}'s version.`)
  }
  if (version.status === 'versioned') {
    return refuse('not_published', `Version ${version.number} of the ${name} is not published.`, 'Publish it first.')
  }
  return succeed(version)
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
    ...(row.fragments === null ? {} : { fragments: row.fragments.map(fragmentToWire) }),
    automatic: row.automaticPin !== null,
    created_by: row.createdBy,
    created_at: formatInstant(row.createdAt),
  }
}
