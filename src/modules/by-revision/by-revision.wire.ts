import { formatInstant } from '../../core/instant.ts'
import type { FamilyHead } from '../families/families.reads.ts'
import type { VersionHead } from '../versions/versions.reads.ts'

/** A family, and a version, as the older surface shows them, without their content. */
export function familyToWire(row: FamilyHead) {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    draft_revision: row.draftRevision,
    created_by: row.createdBy,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}

export function versionToWire(row: VersionHead) {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    content_hash: row.contentHash,
    source_revision: row.sourceRevision,
    byte_size: row.byteSize,
    created_by: row.createdBy,
    created_at: formatInstant(row.createdAt),
    ...(row.publishedAt === null ? {} : { published_at: formatInstant(row.publishedAt) }),
    ...(row.deprecatedAt === null ? {} : { deprecated_at: formatInstant(row.deprecatedAt) }),
  }
}
