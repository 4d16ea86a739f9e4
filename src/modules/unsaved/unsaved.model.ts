import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { hash, object, text, timestamp, uuid } from '../../http/wire.ts'

/** Wire shapes of texts that somebody typed into a draft and hasn't saved. */

const count = Type.Integer({ minimum: 0 })
const content = text({ maxBytes: limits.contractSchemaBytes })
const baseRevision = Type.Integer({
  minimum: 0,
  description: 'The revision of the draft that the text began from; 0 if there was no draft.',
})
const tabId = text({ format: 'uuid', description: 'Of the page that it was typed in; the client makes it up.' })

export const familyId = object({ familyId: uuid })
export const stateId = object({ familyId: uuid, stateId: uuid })

const stateHead = {
  id: uuid,
  tab_id: tabId,
  browser_id: text({ format: 'uuid', description: 'Of the browser or program; the client makes it up and keeps it.' }),
  base_revision: baseRevision,
  has_base: Type.Boolean({ description: 'Whether the text that it began from is kept with it.' }),
  is_open: Type.Boolean({ description: 'Whether it is still unsaved: neither saved, nor discarded, nor left.' }),
  byte_size: count,
  content_hash: hash,
  begun_at: timestamp,
  typed_at: timestamp,
}

export const unsavedState = object(stateHead, { $id: 'UnsavedState' })
export type UnsavedState = Static<typeof unsavedState>

export const unsavedDraft = object(
  { family_id: uuid, states: Type.Array(unsavedState, { description: 'Newest first.' }) },
  { $id: 'UnsavedDraft' },
)
export type UnsavedDraft = Static<typeof unsavedDraft>

export const unsavedText = object(
  { ...stateHead, text: content, base_text: Type.Optional(content) },
  { $id: 'UnsavedText' },
)
export type UnsavedText = Static<typeof unsavedText>

export const newUnsavedText = object(
  {
    text: content,
    base_revision: baseRevision,
    base_text: Type.Optional(
      text({
        maxBytes: limits.contractSchemaBytes,
        description: 'The text of that revision. Needed only where an answer says has_base: false.',
      }),
    ),
    tab_id: tabId,
    browser_id: uuid,
    step: Type.Integer({
      minimum: 1,
      description: 'Grows with every text that the tab sends: one that comes late is not taken.',
    }),
    continues: Type.Optional(
      text({ format: 'uuid', description: 'The tab before this one, as after a reload: its unsaved text ends here.' }),
    ),
  },
  { $id: 'NewUnsavedText' },
)
export type NewUnsavedText = Static<typeof newUnsavedText>

export const settlement = object(
  { tab_ids: Type.Array(uuid, { minItems: 1, maxItems: limits.unsavedStates }) },
  { $id: 'UnsavedSettlement' },
)
