import { Fault } from '../../core/faults.ts'
import { formatInstant } from '../../core/instant.ts'
import { ADMINISTRATOR, ALL, type Principal, sessionAccess } from '../../http/access.ts'
import { authorOf } from '../../http/actor.ts'
import { defineOperation, emptyBody, type Operation } from '../../http/operation.ts'
import { object, uuid } from '../../http/wire.ts'
import type { AuthService } from './auth.service.ts'
import type { ListedSession } from './auth.store.ts'
import { type OpenedSessionBody, openedSessions, sessionId, sessionOfUser } from './sessions.model.ts'

type Sessions = Pick<AuthService, 'listSessions' | 'endSession' | 'endOtherSessions'>

/** Finds a user by id; undefined if there is none. */
type FindUser = (id: string) => Promise<object | undefined>

/** Who is signed in where. For people only: a leaked token must not show addresses. */
export function sessionOperations(auth: Sessions, findUser: FindUser): Operation[] {
  const own = { tag: 'authentication', resourceKind: 'session', access: sessionAccess(ALL) } as const
  const access = { ...sessionAccess(ADMINISTRATOR, { permission: 'user_manage' }), scope: undefined }
  const ofOthers = { tag: 'users', resourceKind: 'session', access } as const
  const list = async (userId: string, principal: Principal) => ({
    body: { sessions: (await auth.listSessions(userId)).map((row) => sessionBody(row, principal)) },
  })
  return [
    defineOperation({
      ...own,
      id: 'listSessions',
      method: 'GET',
      path: '/api/v1/auth/sessions',
      summary: 'Your open sessions, newest first',
      success: [{ status: 200, schema: openedSessions }],
      failures: [403],
      handle: ({ principal }) => list(principal.userId, principal),
    }),
    defineOperation({
      ...own,
      id: 'endSession',
      method: 'DELETE',
      path: '/api/v1/auth/sessions/{sessionId}',
      summary: 'End one of your sessions',
      params: sessionId,
      body: emptyBody,
      success: [{ status: 204 }],
      failures: [403, 404, 415, 422],
      async handle({ params, ...context }) {
        await auth.endSession({ id: params.sessionId, userId: context.principal.userId }, authorOf(context))
        return {}
      },
    }),
    defineOperation({
      ...own,
      id: 'endOtherSessions',
      method: 'POST',
      path: '/api/v1/auth/sessions/end-others',
      summary: 'End all of your sessions but this one',
      body: emptyBody,
      success: [{ status: 204 }],
      failures: [403, 415, 422],
      async handle(context) {
        await auth.endOtherSessions(context.principal, authorOf(context))
        return {}
      },
    }),
    defineOperation({
      ...ofOthers,
      id: 'listUserSessions',
      method: 'GET',
      path: '/api/v1/admin/users/{userId}/sessions',
      summary: "A user's open sessions, newest first",
      params: object({ userId: uuid }),
      success: [{ status: 200, schema: openedSessions }],
      failures: [403, 404, 422],
      async handle({ params, principal }) {
        if ((await findUser(params.userId)) === undefined) throw new Fault('not_found', 'There is no such user.')
        return list(params.userId, principal)
      },
    }),
    defineOperation({
      ...ofOthers,
      id: 'endUserSession',
      method: 'DELETE',
      path: '/api/v1/admin/users/{userId}/sessions/{sessionId}',
      summary: "End one of a user's sessions",
      params: sessionOfUser,
      body: emptyBody,
      success: [{ status: 204 }],
      failures: [403, 404, 415, 422],
      async handle({ params, ...context }) {
        await auth.endSession({ id: params.sessionId, userId: params.userId }, authorOf(context))
        return {}
      },
    }),
  ]
}

function sessionBody(row: ListedSession, principal: Principal): OpenedSessionBody {
  return {
    id: row.id,
    is_current: row.id === principal.sessionId,
    created_at: formatInstant(row.createdAt),
    last_seen_at: formatInstant(row.lastSeenAt),
    expires_at: formatInstant(row.expiresAt),
    ...(row.address === null ? {} : { address: row.address }),
    ...(row.browser === null ? {} : { browser: row.browser }),
    is_waiting: row.awaits !== null,
  }
}
