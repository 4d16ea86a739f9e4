import { type Static, Type } from '@sinclair/typebox'
import { fileFormatNames } from '../../core/formats.ts'
import { limits } from '../../core/limits.ts'
import { nodeAddressRule, objectReferenceRule, storageFilters } from '../../core/list-filters.ts'
import { filterSchemas } from '../../http/list-query.ts'
import { hash, object, oneOf, slug, text, timestamp, uuid } from '../../http/wire.ts'
import { byteSize, mediaType, removedAt } from '../executions/executions.model.ts'

/** Wire shapes of the storage list: the interface's "Storage list item" and listStorage's query. */
export const objectReference = text(objectReferenceRule)
export const nodeAddress = text(nodeAddressRule)
const format = oneOf(fileFormatNames)

export const storageItem = object(
  {
    artifact_id: uuid,
    submission_id: uuid,
    object_reference: objectReference,
    model_slug: slug,
    producing_node_label: text({ minLength: 1, maxLength: limits.nodeLabelChars }),
    producing_node_address: nodeAddress,
    format,
    media_type: mediaType,
    byte_size: byteSize,
    content_hash: hash,
    created_at: timestamp,
    removed_at: Type.Optional(removedAt),
    download_path: text({
      pattern: '^/api/v1/executions/[0-9a-f-]{36}/artifacts/[0-9a-f-]{36}/download$',
    }),
  },
  { $id: 'StorageItem' },
)
export type StorageItem = Static<typeof storageItem>

export const storageList = object({
  storage: Type.Array(storageItem, { maxItems: limits.pageSizeMax }),
  next_cursor: Type.Optional(text({ minLength: 1, maxLength: limits.cursorChars })),
})

export const storageQuery = object({
  ...filterSchemas(storageFilters),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSizeMax })),
  cursor: Type.Optional(text({ minLength: 1, maxLength: limits.cursorChars })),
})
export type StorageQuery = Static<typeof storageQuery>
