/**
 * Notices tell users about changes of their own accounts, so that they see what somebody else does there. A notice and its event
 * are written in the transaction that makes the change. The audit trail is the evidence; this is the mail.
 */
import { appendEvent } from '../../bus/outbox.ts'
import type { Actor, Author } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import { addMs, formatInstant, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { NoticeKind } from '../../core/notice-kinds.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { recordAudit } from '../audit/audit.service.ts'
import {
  deleteNoticesBefore,
  findReader,
  hasNoticeSince,
  insertNotice,
  listNotices,
  markRead,
  type NoticeRow,
} from './notices.store.ts'

export interface NewNotice {
  /** The user whom it concerns; service accounts get none. */
  userId: string
  kind: NoticeKind
  /** The name of the factor or token. */
  name?: string
  address?: string
  browser?: string
  expiresAt?: Instant
}

/** Call it in the transaction that makes the change. */
export async function recordNotice(
  tx: Transaction,
  { at, correlationId }: Pick<Actor, 'at' | 'correlationId'>,
  { userId, kind, name, address, browser, expiresAt }: NewNotice,
): Promise<void> {
  const username = await findReader(tx, userId)
  if (username === undefined) return
  const row: NoticeRow = {
    ...{ id: newId(), userId, kind, name: name ?? null, address: address ?? null, browser: browser ?? null },
    ...{ expiresAt: expiresAt ?? null, createdAt: at, readAt: null },
  }
  await insertNotice(tx, row, limits.noticesPerUser)
  const data = {
    ...{ user_id: userId, username, kind },
    ...(name === undefined ? {} : { name }),
    ...(address === undefined ? {} : { address }),
    ...(expiresAt === undefined ? {} : { expires_at: formatInstant(expiresAt) }),
  }
  await appendEvent(tx, at, { aggregate: 'notice', aggregateId: row.id, type: 'recorded', data, correlationId })
}

/** `recordNotice` for what strangers can cause: at most one a day of each kind. */
export async function recordNoticeOnce(
  tx: Transaction,
  actor: Pick<Actor, 'at' | 'correlationId'>,
  notice: NewNotice,
): Promise<void> {
  const since = addMs(actor.at, -limits.noticeAgainMs)
  if (await hasNoticeSince(tx, notice.userId, notice.kind, since)) return
  await recordNotice(tx, actor, notice)
}

export interface NoticeService {
  /** The user's own, newest first. */
  list(userId: string): Promise<NoticeRow[]>
  /** Marks those of these notices as read that are the author's own; ignores the others. */
  markRead(ids: readonly string[], author: Author): Promise<void>
  /** Removes old notices; call it now and then. */
  sweep(): Promise<void>
}

export function createNoticeService({ database, clock }: { database: Database; clock: Clock }): NoticeService {
  return {
    list: (userId) => listNotices(database.read, userId, limits.noticesPerUser),

    async markRead(ids, author) {
      const at = clock.now()
      await database.write(async (tx) => {
        const read = await markRead(tx, author.userId, ids, at)
        if (read === 0) return
        const entry = { action: 'notice.read', resourceKind: 'notice', detail: { notices: read } }
        await recordAudit(tx, { ...author, at }, entry)
      })
    },

    async sweep() {
      const before = addMs(clock.now(), -limits.noticeKeptMs)
      await database.write((tx) => deleteNoticesBefore(tx, before))
    },
  }
}
