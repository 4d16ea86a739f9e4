import { formatInstant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { ADMINISTRATOR, sessionAccess } from '../../http/access.ts'
import { type Acting, authorOf } from '../../http/actor.ts'
import { defineOperation, emptyBody, jsonBody, type Operation } from '../../http/operation.ts'
import { pageById, pageOf } from '../../http/paging.ts'
import { object } from '../../http/wire.ts'
import type { AuthService } from '../auth/auth.service.ts'
import {
  newServiceAccountBody,
  newUserBody,
  nothing,
  passwordResetBody,
  type UserBody,
  user,
  userChangeBody,
  userId,
  wrappedUser,
} from './users.model.ts'
import type { Administrating, UserRow, UserService } from './users.service.ts'

export function userOperations(users: UserService, auth: Pick<AuthService, 'requireRecentPassword'>): Operation[] {
  const access = sessionAccess(ADMINISTRATOR, { permission: 'user_manage' })
  const common = { tag: 'users', resourceKind: 'user', access } as const
  const administrating = (context: Acting): Administrating => ({
    ...authorOf(context),
    requirePassword: () => auth.requireRecentPassword(context.principal),
  })
  return [
    defineOperation({
      ...common,
      id: 'listUsers',
      method: 'GET',
      path: '/api/v1/admin/users',
      summary: 'List users, newest first',
      query: object(pageById),
      success: [{ status: 200, schema: pageOf('users', user) }],
      failures: [403, 422],
      async handle({ query }) {
        const page = await users.list(query.limit ?? limits.pageSizeDefault, query.cursor)
        const body = {
          users: page.rows.map((row) => ({ ...userBody(row), second_factors: row.secondFactors })),
        }
        return { body: page.last === undefined ? body : { ...body, next_cursor: page.last.id } }
      },
    }),
    defineOperation({
      ...common,
      id: 'createUser',
      method: 'POST',
      path: '/api/v1/admin/users',
      summary: 'Create a user, who must change the password at the first login; asks for your own password again',
      body: jsonBody(newUserBody, limits.smallBodyBytes),
      success: [{ status: 201, schema: wrappedUser }],
      failures: [403, 409, 415, 422],
      async handle({ body, ...context }) {
        const { username, display_name: displayName, roles, password } = body
        const made = await users.create(
          { username, displayName, roles, password, mustChangePassword: true },
          administrating(context),
        )
        return { body: { user: userBody(made) } }
      },
    }),
    defineOperation({
      ...common,
      id: 'createServiceAccount',
      method: 'POST',
      path: '/api/v1/admin/service-accounts',
      summary: 'Create an account for programs, which has tokens and no password; asks for your own password again',
      body: jsonBody(newServiceAccountBody, limits.smallBodyBytes),
      success: [{ status: 201, schema: wrappedUser }],
      failures: [403, 409, 415, 422],
      async handle({ body, ...context }) {
        const { username, display_name: displayName, roles } = body
        const made = await users.createServiceAccount({ username, displayName, roles }, administrating(context))
        return { body: { user: userBody(made) } }
      },
    }),
    defineOperation({
      ...common,
      id: 'updateUser',
      method: 'PATCH',
      path: '/api/v1/admin/users/{userId}',
      summary:
        'Change roles, display name or whether the user is disabled; more rights ask for your own password again',
      params: userId,
      body: jsonBody(userChangeBody, limits.smallBodyBytes),
      success: [{ status: 200, schema: wrappedUser }],
      failures: [403, 404, 409, 415, 422],
      async handle({ params, body, ...context }) {
        const { display_name: displayName, roles, disabled } = body
        return {
          body: {
            user: userBody(
              await users.update(params.userId, { displayName, roles, disabled }, administrating(context)),
            ),
          },
        }
      },
    }),
    defineOperation({
      ...common,
      id: 'resetUserPassword',
      method: 'POST',
      path: '/api/v1/admin/users/{userId}/reset-password',
      summary:
        'Set a password that the user must change at the next login; ends all sessions; for an administrator asks for your own password again',
      // For people only: a password gives all rights of its user, beyond a token's scopes.
      access: { ...access, scope: undefined },
      params: userId,
      body: jsonBody(passwordResetBody, limits.authBodyBytes),
      success: [{ status: 200, schema: wrappedUser }],
      failures: [403, 404, 409, 415, 422],
      async handle({ params, body, ...context }) {
        return {
          body: { user: userBody(await users.resetPassword(params.userId, body.password, administrating(context))) },
        }
      },
    }),
    defineOperation({
      ...common,
      id: 'resetUserFactors',
      method: 'DELETE',
      path: '/api/v1/admin/users/{userId}/factors',
      summary:
        "Take away a user's second factors and recovery codes, which were lost; ends all sessions. Asks for your own password again",
      // For people only, whatever scopes a token has.
      access: { ...access, scope: undefined },
      params: userId,
      body: emptyBody,
      success: [{ status: 204 }],
      failures: [403, 404, 409, 415, 422],
      async handle({ params, ...context }) {
        await users.resetFactors(params.userId, administrating(context))
        return {}
      },
    }),
    defineOperation({
      ...common,
      id: 'revokeUserSessions',
      method: 'POST',
      path: '/api/v1/admin/users/{userId}/revoke-sessions',
      summary: 'End all sessions of a user',
      params: userId,
      body: jsonBody(nothing, limits.smallBodyBytes),
      success: [{ status: 204 }],
      failures: [403, 404, 415, 422],
      async handle({ params, ...context }) {
        await users.revokeSessions(params.userId, authorOf(context))
        return {}
      },
    }),
  ]
}

export function userBody(row: UserRow): UserBody {
  return {
    id: row.id,
    username: row.username,
    display_name: row.displayName,
    roles: row.roles,
    disabled: row.disabled,
    must_change_password: row.mustChangePassword,
    is_service: row.isService,
    ...(row.oidcSubject === null ? {} : { provider_subject: row.oidcSubject }),
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}
