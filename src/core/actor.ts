import { newId } from './ids.ts'
import type { Instant } from './instant.ts'

/** Who acts, when, and under which correlation id; passed to every service function that changes state. */
export interface Actor {
  userId: string
  /** The token with which the user acts, if it is no session. */
  tokenId?: string | undefined
  /** The ids of the only families that the token reaches; undefined for all. */
  families?: readonly string[] | undefined
  /** Whether the policy of four eyes binds the user; Quire itself is free of it. */
  fourEyes?: boolean | undefined
  correlationId: string
  /** The caller's trace context (W3C), if the request has one; kept with everything that follows from the request. */
  traceparent?: string | undefined
  at: Instant
}

/** The same without the time, for services that take it from their own clock. */
export type Author = Omit<Actor, 'at'>

/** Quire itself, for changes that no person makes, such as seeding the demo; no user ever has this id. */
export const SYSTEM_ACTOR_ID = '00000000-0000-0000-0000-000000000000'

/** Quire itself, under a correlation id of its own. */
export function systemAuthor(): Author {
  return { userId: SYSTEM_ACTOR_ID, correlationId: newId() }
}
