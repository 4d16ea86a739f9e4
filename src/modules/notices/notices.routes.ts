import { formatInstant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { ALL, sessionAccess } from '../../http/access.ts'
import { authorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { type NoticeBody, notices, readBody } from './notices.model.ts'
import type { NoticeService } from './notices.service.ts'
import type { NoticeRow } from './notices.store.ts'

/** Notices that people get about their own accounts. Only for people, and only their own. */
export function noticeOperations(service: NoticeService): Operation[] {
  const own = { tag: 'authentication', resourceKind: 'notice', access: sessionAccess(ALL) } as const
  return [
    defineOperation({
      ...own,
      id: 'listNotices',
      method: 'GET',
      path: '/api/v1/auth/notices',
      summary: 'What you are told of about your account: sign-ins from new browsers, changed credentials; newest first',
      success: [{ status: 200, schema: notices }],
      failures: [403],
      handle: async ({ principal }) => ({
        body: { notices: (await service.list(principal.userId)).map(noticeBody) },
      }),
    }),
    defineOperation({
      ...own,
      id: 'readNotices',
      method: 'POST',
      path: '/api/v1/auth/notices/read',
      summary: 'Mark notices as read; those that are not yours, or are gone, change nothing',
      body: jsonBody(readBody, limits.smallBodyBytes),
      success: [{ status: 204 }],
      failures: [403, 415, 422],
      async handle({ body, ...context }) {
        const ids = body.notice_ids.map((id) => id.toLowerCase())
        await service.markRead(ids, authorOf(context))
        return {}
      },
    }),
  ]
}

function noticeBody({ id, kind, name, address, browser, expiresAt, createdAt, readAt }: NoticeRow): NoticeBody {
  return {
    ...{ id, kind, created_at: formatInstant(createdAt), is_read: readAt !== null },
    ...(name === null ? {} : { name }),
    ...(address === null ? {} : { address }),
    ...(browser === null ? {} : { browser }),
    ...(expiresAt === null ? {} : { expires_at: formatInstant(expiresAt) }),
  }
}
