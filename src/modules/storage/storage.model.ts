import { type Static, Type } from '@sinclair/typebox'
import { fileFormatNames } from '../../core/formats.ts'
import { limits } from '../../core/limits.ts'
import { hash, object, oneOf, slug, text, timestamp, uuid } from '../../http/wire.ts'
import { byteSize, mediaType } from '../executions/executions.model.ts'

/** Wire shapes of the storage list: the interface's "Storage list item" and listStorage's query. */
export const objectReference = text({
  minLength: 1,
  maxLength: limits.objectReferenceChars,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,127}$',
})
export const nodeAddress = text({
  minLength: 3,
  maxLength: limits.nodeAddressChars,
  pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*(?::[a-z0-9]+(?:-[a-z0-9]+)*){1,15}$',
})
const format = oneOf(fileFormatNames)
const dateTime = text({ format: 'date-time' })

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
  from: Type.Optional(dateTime),
  to: Type.Optional(dateTime),
  object_reference: Type.Optional(objectReference),
  model_slug: Type.Optional(slug),
  producing_node_address: Type.Optional(nodeAddress),
  format: Type.Optional(format),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSizeMax })),
  cursor: Type.Optional(text({ minLength: 1, maxLength: limits.cursorChars })),
})
export type StorageQuery = Static<typeof storageQuery>
