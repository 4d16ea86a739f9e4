import { formatInstant } from '../../core/instant.ts'
import type { ConfigurationKind } from '../families/families.model.ts'
import type { FamilyHead, FamilyRow } from '../families/families.reads.ts'
import type { VersionHead, VersionRow } from '../versions/versions.reads.ts'
import type { DefinitionFamily, DefinitionVersion, SourceDraft } from './configuration.model.ts'

export function familyToWire(row: FamilyHead): DefinitionFamily {
  return {
    kind: canonicalKind(row.kind),
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    draft_revision: row.draftRevision,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}

export function versionToWire(row: VersionHead & Partial<Pick<VersionRow, 'source'>>): DefinitionVersion {
  return {
    kind: canonicalKind(row.kind),
    id: row.id,
    family_id: row.familyId,
    number: row.number,
    content_hash: row.contentHash,
    source_revision: row.sourceRevision,
    status: canonicalStatus(row.status),
    format: row.format === 'json' ? 'json' : 'yaml',
    byte_size: row.byteSize,
    created_at: formatInstant(row.createdAt),
    created_by: row.createdBy,
    ...(row.publishedAt === null ? {} : { published_at: formatInstant(row.publishedAt) }),
    ...(row.source == null ? {} : { source: row.source }),
  }
}

/** The outcome of a freeze, as the interface's mutation result has it. */
export function versionOutcomeOf({ version: row, reused }: { version: VersionHead; reused: boolean }) {
  return {
    kind: canonicalKind(row.kind),
    id: row.id,
    family_id: row.familyId,
    number: row.number,
    content_hash: row.contentHash,
    source_revision: row.sourceRevision,
    status: canonicalStatus(row.status),
    created_at: formatInstant(row.createdAt),
    reused,
  }
}

export function sourceDraftToWire(row: FamilyRow): SourceDraft {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    source: row.draftSource ?? '',
    format: row.draftFormat === 'json' ? 'json' : 'yaml',
    revision: row.draftRevision,
    updated_at: formatInstant(row.draftUpdatedAt ?? row.updatedAt),
  }
}

function canonicalKind(kind: FamilyHead['kind']): ConfigurationKind {
  if (kind === 'contract') throw new Error('a contract is not part of the canonical configuration')
  return kind
}

export function canonicalStatus(status: VersionHead['status']): 'versioned' | 'published' {
  return status === 'versioned' ? 'versioned' : 'published'
}
