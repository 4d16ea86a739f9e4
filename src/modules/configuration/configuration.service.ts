import { appendEvent } from '../../bus/outbox.ts'
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { sha256Hex } from '../../core/hash.ts'
import { newId, slugify } from '../../core/ids.ts'
import { limits } from '../../core/limits.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import type { FamilyKind } from '../../db/schema.ts'
import { type Content, checkContent } from './configuration.check.ts'
import {
  type FamilyRow,
  findFamilyByName,
  findFamilyBySlug,
  insertFamily,
  insertVersion,
  updateFamily,
  updateVersion,
  type VersionHead,
  type VersionRow,
} from './configuration.store.ts'

export {
  type ChainContent,
  checkChain,
  checkPinnedChain,
  compileNamedTransformer,
  errorsOf,
} from './configuration.chain.ts'
export { type Content, checkContent, compileCondition, compileSource } from './configuration.check.ts'
export { loadModel } from './configuration.models.ts'
export { type Declaring, loadDeclaring, paramFindings } from './configuration.params.ts'
export {
  type FamilyHead,
  type FamilyRow,
  familiesPage,
  findFamily,
  findFamilyByName,
  findFamilyBySlug,
  findFamilyHead,
  findFamilyId,
  findVersion,
  findVersionByHash,
  findVersionByNumber,
  findVersionHead,
  findVersionSummary,
  holdFamily,
  listFamilyHeads,
  listNewestVersions,
  newestFamilies,
  type VersionHead,
  type VersionRow,
  versionsPage,
} from './configuration.store.ts'

/**
 * Families, drafts and versions of all four kinds. A draft's every accepted change raises its revision; freezing copies
 * it into a version that never changes again; publishing lets releases use the version. These functions work inside
 * the caller's transaction, so that a seed or an import is one commit.
 */
export interface NewFamily {
  kind: FamilyKind
  slug: string
  name: string
  description: string
}

/** How people call the kinds. */
export const kindNames: Record<FamilyKind, string> = {
  contract: 'contract',
  ingestion_model: 'ingestion model',
  transformer: 'transformer',
  template: 'template',
}

/** @throws Fault conflict when the kind has the slug or the name already, as far as this transaction can see */
export async function requireFreeNames(
  connection: Connection,
  kind: FamilyKind,
  names: { slug?: string | undefined; name?: string | undefined },
): Promise<void> {
  if (names.slug !== undefined && (await findFamilyBySlug(connection, kind, names.slug)) !== undefined) {
    throw new Fault('conflict', `Body field slug: there is ${aKind(kind)} "${names.slug}" already. Choose another.`)
  }
  if (names.name !== undefined && (await findFamilyByName(connection, kind, names.name)) !== undefined) {
    throw new Fault(
      'conflict',
      `Body field name: there is ${aKind(kind)} named "${names.name}" already. Choose another.`,
    )
  }
}

function aKind(kind: FamilyKind): string {
  return kind === 'ingestion_model' ? `an ${kindNames[kind]}` : `a ${kindNames[kind]}`
}

/**
 * A free slug for a family that is made through the older surface, where only a name is given.
 * @throws Fault conflict when even all its numbered forms are taken
 */
export async function deriveSlug(connection: Connection, kind: FamilyKind, name: string): Promise<string> {
  for (let suffix = 1; suffix <= limits.slugSuffixes; suffix++) {
    const end = suffix === 1 ? '' : `-${suffix}`
    const slug = `${slugify(name, limits.slugChars - end.length)}${end}`
    if ((await findFamilyBySlug(connection, kind, slug)) === undefined) return slug
  }
  throw new Fault('conflict', 'Too many others have nearly the same name. Choose one that differs more.')
}

/** @throws a database error that `isUniqueViolation` knows when the kind already has the slug or the name */
export async function createFamily(tx: Transaction, actor: Actor, family: NewFamily): Promise<FamilyRow> {
  const row: FamilyRow = {
    id: newId(),
    ...family,
    draftRevision: 0,
    draftSource: null,
    draftFormat: null,
    draftBytes: null,
    draftUpdatedAt: null,
    latestNumber: 0,
    createdBy: actor.userId,
    createdAt: actor.at,
    updatedAt: actor.at,
  }
  await insertFamily(tx, row)
  await appendEvent(tx, actor.at, {
    aggregate: 'family',
    aggregateId: row.id,
    type: 'created',
    data: { kind: family.kind, slug: family.slug, name: family.name },
    correlationId: actor.correlationId,
    traceparent: actor.traceparent,
  })
  return row
}

/** Puts new content into the draft, whatever it is worth: only freezing asks whether an engine accepts it. */
export async function saveDraft(
  tx: Transaction,
  actor: Actor,
  family: FamilyRow,
  content: Content,
  about: { name?: string | undefined; description?: string | undefined } = {},
): Promise<FamilyRow> {
  if (about.name !== undefined && about.name !== family.name) {
    await requireFreeNames(tx, family.kind, { name: about.name })
  }
  const changes = {
    name: about.name ?? family.name,
    description: about.description ?? family.description,
    draftRevision: family.draftRevision + 1,
    draftSource: 'source' in content ? content.source : null,
    draftBytes: 'bytes' in content ? content.bytes : null,
    draftFormat: content.format,
    draftUpdatedAt: actor.at,
    updatedAt: actor.at,
  }
  await updateFamily(tx, family.id, changes)
  await appendEvent(tx, actor.at, {
    aggregate: 'family',
    aggregateId: family.id,
    type: 'draft.saved',
    data: { kind: family.kind, revision: changes.draftRevision, format: changes.draftFormat },
    correlationId: actor.correlationId,
    traceparent: actor.traceparent,
  })
  return { ...family, ...changes }
}

/**
 * Freezes the draft as the family's next version.
 * @throws Fault validation_failed with the engine's findings when the draft isn't valid
 */
export async function freezeVersion(tx: Transaction, actor: Actor, family: FamilyRow): Promise<VersionRow> {
  const content = draftContent(family)
  const checked = checkContent(family.kind, content)
  if (!checked.ok) {
    throw new Fault('validation_failed', `The draft of ${family.slug} has errors. Mend them, then freeze it.`, {
      findings: checked.findings,
      stage: 'freeze',
      resourceKind: family.kind,
      resourceId: family.id,
    })
  }
  const bytes = bytesOf(content)
  const version: VersionRow = {
    id: newId(),
    familyId: family.id,
    kind: family.kind,
    number: family.latestNumber + 1,
    contentHash: sha256Hex(bytes),
    sourceRevision: family.draftRevision,
    status: 'versioned',
    source: 'source' in content ? content.source : null,
    format: content.format,
    bytes: 'bytes' in content ? content.bytes : null,
    byteSize: bytes.byteLength,
    bindings: checked.value.bindings,
    createdBy: actor.userId,
    createdAt: actor.at,
    publishedAt: null,
    deprecatedAt: null,
  }
  await insertVersion(tx, version)
  await updateFamily(tx, family.id, { latestNumber: version.number, updatedAt: actor.at })
  await appendVersionEvent(tx, actor, version, 'version.frozen')
  return version
}

/** Lets releases use the version from now on; does nothing to one that is published already. */
export async function publishVersion<V extends VersionHead>(tx: Transaction, actor: Actor, version: V): Promise<V> {
  if (version.status !== 'versioned') return version
  const changes = { status: 'published', publishedAt: actor.at } as const
  await updateVersion(tx, version.id, changes)
  await appendVersionEvent(tx, actor, version, 'version.published')
  return { ...version, ...changes }
}

/** Closes a published version to new releases; what is pinned to it goes on. */
export async function deprecateVersion<V extends VersionHead>(tx: Transaction, actor: Actor, version: V): Promise<V> {
  const changes = { status: 'deprecated', deprecatedAt: actor.at } as const
  await updateVersion(tx, version.id, changes)
  await appendVersionEvent(tx, actor, version, 'version.deprecated')
  return { ...version, ...changes }
}

/** @throws Fault not_found for a family that has no draft yet */
export function draftContent(family: FamilyRow): Content {
  if (family.draftBytes !== null) return { bytes: family.draftBytes, format: 'docx' }
  if (family.draftSource === null || family.draftFormat === null || family.draftFormat === 'docx') {
    throw new Fault('not_found', `There is no draft of ${family.slug} yet. Write one first.`)
  }
  return { source: family.draftSource, format: family.draftFormat }
}

/** What a version of this content is hashed over. */
export function bytesOf(content: Content): Uint8Array {
  return 'bytes' in content ? content.bytes : new TextEncoder().encode(content.source)
}

function appendVersionEvent(tx: Transaction, actor: Actor, version: VersionHead, type: string): Promise<void> {
  return appendEvent(tx, actor.at, {
    aggregate: 'family',
    aggregateId: version.familyId,
    type,
    data: {
      kind: version.kind,
      version_id: version.id,
      number: version.number,
      content_hash: version.contentHash,
    },
    correlationId: actor.correlationId,
    traceparent: actor.traceparent,
  })
}
