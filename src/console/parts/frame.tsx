/** What surrounds every screen: navigation, account, theme, version. */
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Session } from '../api/types.ts'
import { place } from '../router.ts'
import { homePath, type Route, routes } from '../routes.ts'
import { holdsRole } from '../session.ts'
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
  useEffect(() => {
    drawerOpen.value = false
    document.querySelector<HTMLElement>(':popover-open')?.hidePopover()
  }, [path])
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') drawerOpen.value = false
    }
    window.addEventListener('keydown', close)
    return () => window.removeEventListener('keydown', close)
  }, [])

  return (
    <div class="frame">
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="top">
        <button
          type="button"
          class="icon-button"
          aria-label="Navigation"
          aria-expanded={drawerOpen.value}
          aria-controls="side"
          onClick={() => {
            drawerOpen.value = !drawerOpen.value
          }}
        >
          <Icon name={drawerOpen.value ? 'cross' : 'menu'} size={20} />
        </button>
        <Brand />
      </header>
      <div class="side" id="side" data-open={drawerOpen.value}>
        <Brand />
        <nav aria-label="Main">
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
          <Version />
        </div>
      </div>
      <main class="content" id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

function Brand() {
  return (
    <a class="brand" href={homePath} aria-label="Quire, home">
      <Mark />
      <span>Quire</span>
    </a>
  )
}

function groupsOf(all: readonly Route[]): [string, Route[]][] {
  const groups = new Map<string, Route[]>()
  for (const route of all) {
    if (route.entry === undefined || !holdsRole(route.roles)) continue
    const group = groups.get(route.entry.group)
    if (group === undefined) groups.set(route.entry.group, [route])
    else group.push(route)
  }
  return [...groups]
}

/** A screen below an entry keeps the entry lit. */
function isActive(route: Route, activePattern: string | undefined): boolean {
  return activePattern === route.pattern || (activePattern?.startsWith(`${route.pattern}/`) ?? false)
}
