/** Notices about the person's account; the shell shows that some are unread. */
import { signal } from '@preact/signals'
import { call } from './api/client.ts'
import type { Notice } from './api/types.ts'

export const noticesPath = '/api/v1/auth/notices'

/** How many notices are unread. */
export const unread = signal(0)

/** Asks again. Without an answer the mark stays as it is; the screen's own requests show the reason. */
export async function countUnread(): Promise<void> {
  const answer = await call<{ notices: readonly Notice[] }>(noticesPath, { renews: false }).catch(() => undefined)
  if (answer !== undefined) unread.value = answer.notices.filter(({ is_read: isRead }) => !isRead).length
}
