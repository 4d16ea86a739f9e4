import type { Actor } from '../../core/actor.ts'
import { contentHashOf } from '../../core/hash.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import type { Transaction } from '../../db/database.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { draftContent, type FamilyTexts, freezeDraft, saveDraft } from '../drafts/drafts.service.ts'
import type { FamilyRow } from '../families/families.reads.ts'
import { createFamily, type FamilyNames, requireFreeNames } from '../families/families.service.ts'
import { findVersionByHash, type VersionHead } from '../versions/versions.reads.ts'
import { bytesOf, type Content } from '../versions/versions.service.ts'
import { type DraftConditions, requireDraftState } from './refusals.service.ts'

export async function makeFamily(
  tx: Transaction,
  actor: Actor,
  kind: FamilyKind,
  names: FamilyNames,
): Promise<FamilyRow> {
  await requireFreeNames(tx, kind, names)
  const family = await createFamily(tx, actor, { kind, ...names })
  await recordAudit(tx, actor, {
    action: `${kind}.created`,
    resourceKind: kind,
    resourceId: family.id,
    detail: { slug: family.slug, name: family.name },
  })
  return family
}

/** Writes a held family's draft if the conditions of its PUT are met. */
export async function putDraft(
  tx: Transaction,
  actor: Actor,
  family: FamilyRow,
  conditions: DraftConditions,
  { content, about }: { content: Content; about: FamilyTexts },
): Promise<FamilyRow> {
  requireDraftState(conditions, family.draftRevision)
  const saved = await saveDraft(tx, actor, family, content, about)
  await recordAudit(tx, actor, {
    action: `${family.kind}.draft_saved`,
    resourceKind: family.kind,
    resourceId: family.id,
    detail: { revision: saved.draftRevision, content_hash: contentHashOf(bytesOf(content)) },
  })
  return saved
}

/** Freezes a held family's draft, or returns the version that has the same content. */
export async function freezeOrReuse(
  tx: Transaction,
  actor: Actor,
  family: FamilyRow,
): Promise<{ version: VersionHead; reused: boolean }> {
  const content = draftContent(family)
  const same = await findVersionByHash(tx, family.id, contentHashOf(bytesOf(content)), content.format)
  if (same !== undefined) return { version: same, reused: true }
  const version = await freezeDraft(tx, actor, family)
  await recordAudit(tx, actor, {
    action: `${family.kind}.version_frozen`,
    resourceKind: family.kind,
    resourceId: family.id,
    detail: { version_id: version.id, number: version.number, content_hash: version.contentHash },
  })
  return { version, reused: false }
}
