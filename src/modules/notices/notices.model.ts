import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { noticeKinds } from '../../core/notice-kinds.ts'
import { object, oneOf, text, timestamp, uuid } from '../../http/wire.ts'

export const notice = object(
  {
    id: uuid,
    kind: oneOf(noticeKinds),
    created_at: timestamp,
    is_read: Type.Boolean(),
    /** The name of the factor or token. */
    name: Type.Optional(text()),
    /** The address from which it was done. */
    address: Type.Optional(text()),
    /** What the browser calls itself: its User-Agent. */
    browser: Type.Optional(text({ maxLength: limits.browserChars })),
    /** For a token. */
    expires_at: Type.Optional(timestamp),
  },
  { $id: 'Notice' },
)
export type NoticeBody = Static<typeof notice>

/** The newest first. */
export const notices = object({ notices: Type.Array(notice, { maxItems: limits.noticesPerUser }) })

export const readBody = object({
  notice_ids: Type.Array(uuid, { minItems: 1, maxItems: limits.noticesPerUser }),
})
