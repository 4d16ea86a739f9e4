import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { pageOf } from '../../http/paging.ts'
import { hash, object, text, uuid } from '../../http/wire.ts'
import { draftRevision, familyFields, versionFields } from '../by-revision/by-revision.model.ts'
import { sourceFormat, sourceText } from '../drafts/drafts.model.ts'
import { familyDescription, familyName } from '../families/families.model.ts'
import { transformerParams } from '../versions/versions.model.ts'

/** Wire shapes of transforms, the older surface of transformers. */
export const transformId = object({ transformId: uuid })

const draft = { name: familyName, description: familyDescription, source: sourceText, format: sourceFormat }
export const newTransform = object(draft)
export type NewTransform = Static<typeof newTransform>
export const transformChange = object({ ...draft, expected_revision: draftRevision })
export type TransformChange = Static<typeof transformChange>

export const transformToValidate = object({ source: sourceText, format: sourceFormat })
export const transformToPreview = object({
  source: sourceText,
  format: sourceFormat,
  case_id: uuid,
  params: Type.Optional(transformerParams),
})
export type TransformToPreview = Static<typeof transformToPreview>
export const transformPreview = object({ output: Type.Unknown(), output_hash: hash }, { $id: 'TransformPreview' })
export type TransformPreview = Static<typeof transformPreview>

export const transformVersion = object(versionFields, { $id: 'TransformVersion' })

export const transformItem = object(familyFields, { $id: 'TransformItem' })
export type TransformItem = Static<typeof transformItem>
export const transform = object(
  {
    ...familyFields,
    /** Absent if the transformer was made through the canonical surface and has no draft yet. */
    source: Type.Optional(text({ maxBytes: limits.sourceBytes })),
    format: Type.Optional(sourceFormat),
    versions: Type.Array(transformVersion, { maxItems: limits.versionsShown }),
  },
  { $id: 'Transform' },
)
export type Transform = Static<typeof transform>
export const transformList = pageOf('transforms', transformItem)
