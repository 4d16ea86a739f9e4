import type { Actor, Author } from '../core/actor.ts'
import type { Clock } from '../core/clock.ts'
import type { Principal } from './access.ts'

export interface Acting {
  principal: Principal
  correlationId: string
  traceparent: string | undefined
}

/** The actor of an operation: the session's user, now, under the request's correlation id. */
export function actorOf(context: Acting, clock: Clock): Actor {
  return { ...authorOf(context), at: clock.now() }
}

/** The same for services that take the time from their own clock. */
export function authorOf({ principal, correlationId, traceparent }: Acting): Author {
  const { userId, token, fourEyes } = principal
  return { userId, tokenId: token?.id, families: token?.families, fourEyes, correlationId, traceparent }
}
