import { appendEvent } from '../../bus/outbox.ts'
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { sha256Hex } from '../../core/hash.ts'
import { newId } from '../../core/ids.ts'
import type { Transaction } from '../../db/database.ts'
import type { FamilyKind } from '../../db/schema.ts'
import { type Content, checkContent } from './configuration.check.ts'
import {
  type FamilyRow,
  insertFamily,
  insertVersion,
  updateFamily,
  updateVersion,
  type VersionRow,
} from './configuration.store.ts'

export { compileCondition } from './configuration.check.ts'
export {
  type FamilyRow,
  findFamilyByName,
  findFamilyBySlug,
  findFamilyId,
  findVersion,
  findVersionSummary,
  type VersionRow,
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
  })
  return row
}

/** Puts new content into the draft, whatever it is worth: only freezing asks whether an engine accepts it. */
export async function saveDraft(
  tx: Transaction,
  actor: Actor,
  family: FamilyRow,
  content: Content,
): Promise<FamilyRow> {
  const changes = {
    draftRevision: family.draftRevision + 1,
    draftSource: 'source' in content ? content.source : null,
    draftBytes: 'bytes' in content ? content.bytes : null,
    draftFormat: content.format,
    draftUpdatedAt: actor.at,
    updatedAt: actor.at,
  }
  await updateFamily(tx, family.id, changes)
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
    throw new Fault('validation_failed', `the draft of ${family.slug} has errors: mend them, then freeze it`, {
      findings: checked.findings,
      stage: 'freeze',
      resourceKind: family.kind,
      resourceId: family.id,
    })
  }
  const bytes = 'bytes' in content ? content.bytes : new TextEncoder().encode(content.source)
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

export async function publishVersion(tx: Transaction, actor: Actor, version: VersionRow): Promise<VersionRow> {
  if (version.status !== 'versioned') return version
  const changes = { status: 'published', publishedAt: actor.at } as const
  await updateVersion(tx, version.id, changes)
  await appendVersionEvent(tx, actor, version, 'version.published')
  return { ...version, ...changes }
}

function draftContent(family: FamilyRow): Content {
  if (family.draftBytes !== null) return { bytes: family.draftBytes, format: 'docx' }
  if (family.draftSource === null || family.draftFormat === null || family.draftFormat === 'docx') {
    throw new Fault('not_found', `${family.slug} has no draft yet: write one before freezing it`)
  }
  return { source: family.draftSource, format: family.draftFormat }
}

function appendVersionEvent(tx: Transaction, actor: Actor, version: VersionRow, type: string): Promise<void> {
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
  })
}
