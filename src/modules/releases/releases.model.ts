import { type Static, Type } from '@sinclair/typebox'
import { processingKinds } from '../../core/steps.ts'
import { pageOf } from '../../http/paging.ts'
import { hash, object, oneOf, text, timestamp, uuid } from '../../http/wire.ts'
import { familyName } from '../families/families.model.ts'
import { pinnedFragments } from '../versions/versions.model.ts'

/** Wire shapes of releases; the interface leaves them open, and docs/api-configuration.md describes them. */
export const newRelease = object(
  {
    name: familyName,
    contract_version_id: uuid,
    transform_version_id: uuid,
    template_version_id: Type.Optional(uuid),
  },
  { $id: 'NewRelease' },
)
export type NewRelease = Static<typeof newRelease>

export const release = object(
  {
    id: uuid,
    name: text({ minLength: 1 }),
    release_hash: hash,
    processing_kind: oneOf(processingKinds),
    contract_version_id: uuid,
    transform_version_id: uuid,
    template_version_id: Type.Optional(uuid),
    fragments: Type.Optional(pinnedFragments),
    /** True for the releases that submissions make themselves. */
    automatic: Type.Boolean(),
    created_by: uuid,
    created_at: timestamp,
  },
  { $id: 'Release' },
)
export type Release = Static<typeof release>

export const wrappedRelease = object({ release })
export const releaseList = pageOf('releases', release)
