/** The signed-in person: who, with which roles, and the ways out. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Session } from '../api/types.ts'
import { rich, t } from '../language.ts'
import { keepsTyped } from '../memory.ts'
import { countUnread, unread } from '../notices.ts'
import { go, place } from '../router.ts'
import { signOut, signsInAtProvider } from '../session.ts'
import { wordOf } from '../words.ts'
import { Icon } from './icon.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { ThemeChoice } from './theme-choice.tsx'

export function AccountMenu({ session }: { session: Session }) {
  const { user } = session
  const name = user.display_name === '' ? user.username : user.display_name
  const { path } = place.value
  useEffect(() => void countUnread(), [path])
  const losesTyped = useSignal(false)
  const roles = user.roles.map(wordOf).join(', ')
  return (
    <>
      <button type="button" class="account" popovertarget="account-menu">
        <span class="avatar" aria-hidden="true" data-unread={unread.value > 0}>
          {name.slice(0, 1).toUpperCase()}
        </span>
        <span class="account-text">
          <span class="account-name">{name}</span>
          <span class="account-roles">{roles}</span>
        </span>
        <span class="offscreen">{rich`, account menu${unread.value > 0 && t`, unread notices`}`}</span>
      </button>
      <div
        class="menu"
        id="account-menu"
        popover="auto"
        onToggle={() => {
          losesTyped.value = keepsTyped()
        }}
      >
        <p class="menu-head">{rich`Signed in as ${<strong>{user.username}</strong>}`}</p>
        <ThemeChoice />
        <LanguageChoice />
        <a class="menu-item" href="/account">
          <Icon name="user" /> {t`Your account`}
          {unread.value > 0 && <span class="status status-active">{rich`${unread.value} new`}</span>}
        </a>
        <a class="menu-item" href="/password">
          <Icon name="edit" /> {signsInAtProvider() ? t`How you sign in` : t`Change password`}
        </a>
        <button
          type="button"
          class="menu-item"
          onClick={async () => {
            // Signing out ends at the sign-in page, whatever the server says.
            await signOut().catch(() => {})
            go('/login', { replace: true })
          }}
        >
          <Icon name="arrow" /> {t`Sign out`}
          {losesTyped.value && <span class="status status-warning">{t`loses what is unsaved`}</span>}
        </button>
      </div>
    </>
  )
}
