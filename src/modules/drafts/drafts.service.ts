/**
 * A family's mutable working copy, for all kinds. Every accepted change raises the draft's revision, and freezing copies it into
 * a version that never changes. These functions work in the caller's transaction, so that seeding is one commit.
 */
import { appendEvent } from '../../bus/outbox.ts'
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import type { Transaction } from '../../db/database.ts'
import { requireAllReached } from '../../http/reach.ts'
import type { FamilyRow } from '../families/families.reads.ts'
import { requireFreeNames } from '../families/families.service.ts'
import type { VersionRow } from '../versions/versions.reads.ts'
import { addVersion, type Content } from '../versions/versions.service.ts'
import { contentVerdict, judgeContent } from './compile.service.ts'
import { type DraftChange, writeDraft } from './drafts.store.ts'
import type { Judge } from './judge.service.ts'

/** Fields of the family that a change of the draft may set. */
export interface FamilyTexts {
  name?: string | undefined
  description?: string | undefined
}

/**
 * Saves new content as the draft, valid or not: only freezing checks it with an engine.
 * @throws Fault forbidden if a token limited to some families sets a new name
 */
export async function saveDraft(
  tx: Transaction,
  actor: Actor,
  family: FamilyRow,
  content: Content,
  about: FamilyTexts = {},
): Promise<FamilyRow> {
  if (about.name !== undefined && about.name !== family.name) {
    // Sources are resolved by name before slug, so a new name may change what other families' sources mean.
    requireAllReached(actor.families)
    await requireFreeNames(tx, family.kind, { name: about.name })
  }
  const changes: DraftChange = {
    name: about.name ?? family.name,
    description: about.description ?? family.description,
    draftRevision: family.draftRevision + 1,
    draftSource: 'source' in content ? content.source : null,
    draftBytes: 'bytes' in content ? content.bytes : null,
    draftFormat: content.format,
    draftUpdatedAt: actor.at,
    updatedAt: actor.at,
  }
  const stored = await writeDraft(tx, family, changes)
  await appendEvent(tx, actor.at, {
    aggregate: 'family',
    aggregateId: family.id,
    type: 'draft.saved',
    data: { kind: family.kind, revision: changes.draftRevision, format: changes.draftFormat },
    correlationId: actor.correlationId,
    traceparent: actor.traceparent,
  })
  return { ...family, ...changes, ...stored }
}

/**
 * Freezes the draft of a held family as its next version.
 * @throws Fault not_found without a draft; validation_failed with the engine's findings when the draft isn't valid
 */
export async function freezeDraft(tx: Transaction, actor: Actor, family: FamilyRow): Promise<VersionRow> {
  const content = draftContent(family)
  const checked = await contentVerdict({ kind: family.kind, content })
  if (!checked.ok) {
    throw new Fault('validation_failed', `The draft of ${family.slug} has errors. Mend them, then freeze it.`, {
      findings: checked.findings,
      stage: 'freeze',
      resourceKind: family.kind,
      resourceId: family.id,
    })
  }
  return addVersion(tx, actor, family, content, checked.value)
}

/** Asks the judge about a draft that is about to be frozen, so that the transaction knows the verdict. */
export async function judgeDraft(judge: Judge, family: FamilyRow | undefined): Promise<void> {
  if (family === undefined || family.draftFormat === null) return
  await judgeContent(judge, { kind: family.kind, content: draftContent(family) })
}

/** @throws Fault not_found for a family that has no draft yet */
export function draftContent(family: FamilyRow): Content {
  if (family.draftBytes !== null) return { bytes: family.draftBytes, format: 'docx' }
  if (family.draftSource === null || family.draftFormat === null || family.draftFormat === 'docx') {
    throw new Fault('not_found', `There is no draft of ${family.slug} yet. Write one first.`)
  }
  return { source: family.draftSource, format: family.draftFormat }
}
