import { Type } from '@sinclair/typebox'
import { hash, object, oneOf, positiveInteger, slug, text, timestamp, uuid } from '../../http/wire.ts'

/** The draft's revision; 0 while a family of the canonical surface has no draft yet. */
export const draftRevision = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const expectedRevision = object({ expected_revision: draftRevision })

export const versionNumber = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** The members of a version in lists and reads; only the read of a single version adds its content. */
export const versionFields = {
  id: uuid,
  number: positiveInteger,
  status: oneOf(['versioned', 'published', 'deprecated']),
  content_hash: hash,
  source_revision: positiveInteger,
  byte_size: positiveInteger,
  created_by: uuid,
  created_at: timestamp,
  published_at: Type.Optional(timestamp),
  deprecated_at: Type.Optional(timestamp),
}

export const familyFields = {
  id: uuid,
  slug,
  name: text({ minLength: 1 }),
  description: text(),
  draft_revision: draftRevision,
  created_by: uuid,
  created_at: timestamp,
  updated_at: timestamp,
}
