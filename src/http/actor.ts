import type { Actor, Author } from '../core/actor.ts'
import type { Clock } from '../core/clock.ts'
import type { Principal } from './access.ts'

/** The actor of an operation: the session's user, now, under the request's correlation id. */
export function actorOf(context: { principal: Principal; correlationId: string }, clock: Clock): Actor {
  return { userId: context.principal.userId, correlationId: context.correlationId, at: clock.now() }
}

/** The same for services that take the time from their own clock. */
export function authorOf(context: { principal: Principal; correlationId: string }): Author {
  return { userId: context.principal.userId, correlationId: context.correlationId }
}
