/** The signed-in person: who, with which roles, and the ways out. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Session } from '../api/types.ts'
import { keepsTyped } from '../memory.ts'
import { countUnread, unread } from '../notices.ts'
import { go, place } from '../router.ts'
import { signOut, signsInAtProvider } from '../session.ts'
import { Icon } from './icon.tsx'
import { ThemeChoice } from './theme-choice.tsx'

export function AccountMenu({ session }: { session: Session }) {
  const { user } = session
  const name = user.display_name === '' ? user.username : user.display_name
  const { path } = place.value
  useEffect(() => void countUnread(), [path])
  const losesTyped = useSignal(false)
  const roles = user.roles.map((role) => role.replaceAll('_', ' ')).join(', ')
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
        <span class="offscreen">, account menu{unread.value > 0 && ', unread notices'}</span>
      </button>
      <div
        class="menu"
        id="account-menu"
        popover="auto"
        onToggle={() => {
          losesTyped.value = keepsTyped()
        }}
      >
        <p class="menu-head">
          Signed in as <strong>{user.username}</strong>
        </p>
        <ThemeChoice />
        <a class="menu-item" href="/account">
          <Icon name="user" /> Your account
          {unread.value > 0 && <span class="status status-active">{unread.value} new</span>}
        </a>
        <a class="menu-item" href="/password">
          <Icon name="edit" /> {signsInAtProvider() ? 'How you sign in' : 'Change password'}
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
          <Icon name="arrow" /> Sign out
          {losesTyped.value && <span class="status status-warning">loses what is unsaved</span>}
        </button>
      </div>
    </>
  )
}
