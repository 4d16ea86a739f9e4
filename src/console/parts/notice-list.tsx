/** Notices about the person's account. What was shown once is read. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from '../api/client.ts'
import { useResource } from '../api/resource.ts'
import type { Notice } from '../api/types.ts'
import { rich, t } from '../language.ts'
import { countUnread, noticesPath } from '../notices.ts'
import { Moment } from './moment.tsx'
import { ProblemNote } from './problem-note.tsx'
import { browserOf } from './session-list.tsx'

/** Shown until somebody asks for all. */
const few = 3

export function NoticeList() {
  const { value, problem, reload } = useResource<{ notices: readonly Notice[] }>(noticesPath)
  const showsAll = useSignal(false)
  const notices = value.value?.notices
  useEffect(() => {
    const ids = (notices ?? []).flatMap(({ id, is_read: isRead }) => (isRead ? [] : [id]))
    if (ids.length === 0) return
    // If this fails they stay unread, and are shown as new the next time.
    call(`${noticesPath}/read`, { method: 'POST', body: { notice_ids: ids } }).then(countUnread, () => {})
  }, [notices])
  if (problem.value !== undefined) return <ProblemNote problem={problem.value} retry={reload} />
  if (notices === undefined) return null
  if (notices.length === 0) return <p class="muted">{t`There is none.`}</p>
  const shown = showsAll.value ? notices : notices.slice(0, few)
  return (
    <>
      <ul class="account-list">
        {shown.map((notice) => (
          <li key={notice.id}>
            <span>
              <strong>{titleOf(notice)}</strong>{' '}
              <span class="muted">
                <Moment at={notice.created_at} />
                {notice.address !== undefined && t`, from ${notice.address}`}
                {notice.browser !== undefined && `, ${browserOf(notice.browser)}`}
                {notice.expires_at !== undefined && <>{rich`; it expires ${<Moment at={notice.expires_at} />}`}</>}
              </span>
            </span>
            {!notice.is_read && <span class="status status-active">{t`New`}</span>}
          </li>
        ))}
      </ul>
      {shown.length < notices.length && (
        <button
          type="button"
          class="link-button"
          onClick={() => {
            showsAll.value = true
          }}
        >
          {rich`Show all ${notices.length}`}
        </button>
      )}
    </>
  )
}

function titleOf({ kind, name = '' }: Notice): string {
  switch (kind) {
    case 'signed_in':
      return t`A sign-in from a new browser`
    case 'attempts_throttled':
      return t`So many wrong attempts to sign in that further ones had to wait`
    case 'factor_refused':
      return t`The right password, with a wrong second factor`
    case 'password_changed':
      return t`Your password was changed`
    case 'password_reset':
      return t`An administrator set a new password for you`
    case 'factor_added':
      return t`The second factor ${name} was added`
    case 'factor_removed':
      return t`The second factor ${name} was removed`
    case 'factors_reset':
      return t`An administrator removed your second factors`
    case 'recovery_codes_replaced':
      return t`You have new recovery codes`
    case 'provider_linked':
      return t`You sign in at the provider from now on`
    case 'provider_unlinked':
      return t`You no longer sign in at the provider`
    case 'token_created':
      return t`The token ${name} was made`
    case 'token_revoked':
      return t`The token ${name} was revoked`
    case 'token_expiring':
      return t`The token ${name} expires soon`
  }
}
