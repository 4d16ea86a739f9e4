import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { object, text, timestamp, uuid } from '../../http/wire.ts'

export const sessionId = object({ sessionId: uuid })
export const sessionOfUser = object({ userId: uuid, sessionId: uuid })

export const openedSession = object(
  {
    id: uuid,
    /** Whether this is the session that asks. */
    is_current: Type.Boolean(),
    created_at: timestamp,
    /** To the minute. */
    last_seen_at: timestamp,
    expires_at: timestamp,
    /** The address from which it was opened. */
    address: Type.Optional(text()),
    /** What the browser calls itself: its User-Agent. */
    browser: Type.Optional(text({ maxLength: limits.browserChars })),
    /** The second factor has not been given yet. */
    is_waiting: Type.Boolean(),
  },
  { $id: 'OpenedSession' },
)
export type OpenedSessionBody = Static<typeof openedSession>

/** Newest first. A user with more sessions can still end them all. */
export const openedSessions = object({ sessions: Type.Array(openedSession, { maxItems: limits.sessionsListed }) })
