/**
 * Numbered freezes of drafts, of all four kinds. A version's content never changes; publishing opens it to releases, and
 * deprecating closes it to new ones. These functions work in the caller's transaction.
 */
import { appendEvent } from '../../bus/outbox.ts'
import type { Actor } from '../../core/actor.ts'
import type { Binding } from '../../core/binding.ts'
import type { TextFormat } from '../../core/formats.ts'
import { contentHashOf } from '../../core/hash.ts'
import { newId } from '../../core/ids.ts'
import { newestReading } from '../../core/reading.ts'
import type { Transaction } from '../../db/database.ts'
import type { FamilyRow } from '../families/families.reads.ts'
import { requireOtherPerson } from './approval.service.ts'
import type { VersionHead, VersionRow } from './versions.reads.ts'
import { insertVersion, updateVersion, writeLatestNumber } from './versions.store.ts'

/** The text of a contract, transformer or ingestion model. */
export interface SourceText {
  source: string
  format: TextFormat
}

export type Content = SourceText | { bytes: Uint8Array; format: 'docx' }

/** The source text of a version. @throws for a template's version, which is a file */
export function sourceOf({ id, kind, source, format }: VersionRow): SourceText {
  if (source === null || format === 'docx') throw new Error(`${kind} version ${id} has no source text`)
  return { source, format }
}

/** A version's source text, or its file. */
export function contentOf(version: VersionRow): Content {
  return version.bytes === null ? sourceOf(version) : { bytes: version.bytes, format: 'docx' }
}

/** The bytes over which content is hashed. */
export function bytesOf(content: Content): Uint8Array {
  return 'bytes' in content ? content.bytes : new TextEncoder().encode(content.source)
}

/** A template's bindings and the slugs that it includes; null for other kinds. */
export interface Read {
  bindings: Binding[] | null
  fragments: string[] | null
}

/** Adds checked content, that of the draft, as the next version of a held family. */
export async function addVersion(
  tx: Transaction,
  actor: Actor,
  family: FamilyRow,
  content: Content,
  { bindings, fragments }: Read,
): Promise<VersionRow> {
  const bytes = bytesOf(content)
  const version: VersionRow = {
    id: newId(),
    familyId: family.id,
    kind: family.kind,
    number: family.latestNumber + 1,
    contentHash: contentHashOf(bytes),
    sourceRevision: family.draftRevision,
    status: 'versioned',
    source: 'source' in content ? content.source : null,
    format: content.format,
    bytes: 'bytes' in content ? content.bytes : null,
    fileId: family.draftFileId,
    byteSize: bytes.byteLength,
    bindings,
    fragments,
    reading: newestReading,
    createdBy: actor.userId,
    createdAt: actor.at,
    publishedAt: null,
    deprecatedAt: null,
  }
  await insertVersion(tx, version)
  await writeLatestNumber(tx, version)
  await appendVersionEvent(tx, actor, version, 'version.frozen')
  return version
}

/**
 * Opens the version to releases; does nothing if it is published already.
 * @throws Fault forbidden for the caller's own work under the policy of four eyes
 */
export async function publishVersion<V extends VersionHead>(tx: Transaction, actor: Actor, version: V): Promise<V> {
  if (version.status !== 'versioned') return version
  await requireOtherPerson(tx, actor, version)
  const changes = { status: 'published', publishedAt: actor.at } as const
  await updateVersion(tx, version.id, changes)
  await appendVersionEvent(tx, actor, version, 'version.published')
  return { ...version, ...changes }
}

/** Closes a published version to new releases; existing ones stay valid. */
export async function deprecateVersion<V extends VersionHead>(tx: Transaction, actor: Actor, version: V): Promise<V> {
  const changes = { status: 'deprecated', deprecatedAt: actor.at } as const
  await updateVersion(tx, version.id, changes)
  await appendVersionEvent(tx, actor, version, 'version.deprecated')
  return { ...version, ...changes }
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
