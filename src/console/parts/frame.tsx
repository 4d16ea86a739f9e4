/** What surrounds every screen: navigation, account, theme, version. */

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { Session } from '../api/types.ts'
import { commandKey, overlay } from '../keys.ts'
import { t } from '../language.ts'
import { type Route, routes } from '../navigation.ts'
import { place } from '../router.ts'
import { maySee } from '../session.ts'
import { AccountMenu } from './account-menu.tsx'
import { Icon, Mark } from './icon.tsx'
import { Version } from './version.tsx'

/** On narrow windows the navigation is a drawer. */
const drawerOpen = signal(false)

interface FrameProps {
  session: Session
  activePattern: string | undefined
  children: ComponentChildren
}

export function Frame({ session, activePattern, children }: FrameProps) {
  const { path } = place.value
  // A new address closes the drawer and the account menu.
  useLayoutEffect(() => {
    drawerOpen.value = false
    document.querySelector<HTMLElement>(':popover-open')?.hidePopover()
  }, [path])
  useLayoutEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') drawerOpen.value = false
    }
    window.addEventListener('keydown', close)
    return () => window.removeEventListener('keydown', close)
  }, [])

  return (
    <div class="frame">
      <a class="skip" href="#content">
        {t`Skip to content`}
      </a>
      <header class="top">
        <button
          type="button"
          class="icon-button"
          aria-label={t`Navigation`}
          aria-expanded={drawerOpen.value}
          aria-controls="side"
          onClick={() => {
            drawerOpen.value = !drawerOpen.value
          }}
        >
          <Icon name={drawerOpen.value ? 'cross' : 'menu'} size={20} />
        </button>
        <Brand />
        <button type="button" class="icon-button top-end" aria-label={t`Search or go to`} onClick={openPalette}>
          <Icon name="search" size={20} />
        </button>
      </header>
      <aside class="side" id="side" aria-label={t`Side bar`} data-open={drawerOpen.value}>
        <Brand />
        <button type="button" class="seek" onClick={openPalette}>
          <Icon name="search" size={16} />
          <span>{t`Search or go to`}</span>
          <kbd>{commandKey} K</kbd>
        </button>
        <nav aria-label={t`Main`}>
          {groupsOf(routes).map(([group, entries]) => (
            <div class="nav-group" key={group}>
              <p class="nav-title">{group}</p>
              {entries.map((route) => (
                <a
                  key={route.pattern}
                  class="nav-link"
                  href={route.pattern}
                  aria-current={isActive(route, activePattern) ? 'page' : undefined}
                >
                  <Icon name={route.entry?.icon ?? 'list'} />
                  {route.title}
                </a>
              ))}
            </div>
          ))}
        </nav>
        <div class="side-foot">
          <AccountMenu session={session} />
          <SideLinks />
        </div>
      </aside>
      <main class="content" id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

/** The same without a session: these pages are for everyone. */
export function PublicFrame({ children }: { children: ComponentChildren }) {
  return (
    <div class="public-frame">
      <header class="public-top">
        <Brand />
        <nav aria-label={t`Main`}>
          <a href="/docs">{t`API reference`}</a>
          <a href="/changelog">{t`Changelog`}</a>
          <a class="button" href="/login">
            {t`Sign in`}
          </a>
        </nav>
      </header>
      <main class="content" id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

function openPalette(): void {
  overlay.value = 'palette'
}

function SideLinks() {
  return (
    <p class="side-links">
      <Version />
      <a href="/changelog">{t`Changelog`}</a>
      <a href="/docs">{t`API`}</a>
      <button
        type="button"
        class="link-button"
        onClick={() => {
          overlay.value = 'keys'
        }}
      >
        {t`Keys`}
      </button>
    </p>
  )
}

function Brand() {
  return (
    <a class="brand" href="/" aria-label={t`Quire, home`}>
      <Mark />
      <span>{t`Quire`}</span>
    </a>
  )
}

function groupsOf(all: readonly Route[]): [string, Route[]][] {
  const groups = new Map<string, Route[]>()
  for (const route of all) {
    if (route.entry === undefined || !maySee(route)) continue
    const group = groups.get(route.entry.group)
    if (group === undefined) groups.set(route.entry.group, [route])
    else group.push(route)
  }
  return [...groups]
}

/** A screen below an entry keeps the entry lit. */
function isActive(route: Route, activePattern: string | undefined): boolean {
  if (activePattern === route.pattern) return true
  // A screen with an entry of its own is that one only.
  if (routes.some(({ pattern, entry }) => pattern === activePattern && entry !== undefined)) return false
  return activePattern?.startsWith(`${route.pattern}/`) ?? false
}
