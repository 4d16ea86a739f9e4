/** Decides what the page shows: sign in, change the password, or the screen that the address names inside the frame. */
import { useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { matchPath, safeReturn } from './address.ts'
import type { Session } from './api/types.ts'
import { Frame } from './parts/frame.tsx'
import { ProblemNote } from './parts/problem-note.tsx'
import { RenewalDialog } from './parts/renewal-dialog.tsx'
import { go, here, place } from './router.ts'
import { homePath, type Route, routes } from './routes.ts'
import { holdsRole, openSession, sessionState } from './session.ts'
import { NoAccessView, NotFoundView } from './views/not-found.tsx'
import { PasswordView } from './views/password.tsx'
import { SignInView } from './views/sign-in.tsx'

export function App() {
  useSignalEffect(keepAddressHonest)
  const state = sessionState.value
  switch (state.kind) {
    case 'unknown':
      return <div class="splash" role="status" aria-label="Loading" />
    case 'failed':
      return (
        <main class="splash-problem">
          <ProblemNote problem={state.problem} retry={openSession} />
        </main>
      )
    case 'closed':
      return <SignInView />
    case 'open':
      return state.session.must_change_password ? <PasswordView forced={true} /> : <Screen session={state.session} />
  }
}

/** Brings the address in line with the session, so that a reload shows the same thing. */
function keepAddressHonest(): void {
  const { path, query } = place.value
  const state = sessionState.value
  if (state.kind === 'closed' && path !== '/login') {
    go(path === '/' ? '/login' : `/login?next=${encodeURIComponent(here())}`, { replace: true })
  }
  if (state.kind !== 'open') return
  if (path === '/login') go(safeReturn(query.get('next')), { replace: true })
  else if (path === '/') go(homePath, { replace: true })
}

function Screen({ session }: { session: Session }) {
  const { path } = place.value
  const found = findRoute(path)
  const title = path === '/password' ? 'Change password' : (found?.route.title ?? 'Not found')

  useEffect(() => {
    document.title = `${title} · Quire`
  }, [title])

  // A new screen starts at its top and is announced: the focus goes to its heading.
  useEffect(() => {
    window.scrollTo(0, 0)
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [path])

  return (
    <Frame session={session} activePattern={found?.route.pattern}>
      <View path={path} found={found} />
      <RenewalDialog username={session.user.username} />
    </Frame>
  )
}

interface Found {
  route: Route
  parameters: Record<string, string>
}

function findRoute(path: string): Found | undefined {
  for (const route of routes) {
    const parameters = matchPath(route.pattern, path)
    if (parameters !== undefined) return { route, parameters }
  }
  return undefined
}

function View({ path, found }: { path: string; found: Found | undefined }) {
  if (path === '/password') return <PasswordView forced={false} />
  // These two are on their way to another address.
  if (path === '/' || path === '/login') return null
  if (found === undefined) return <NotFoundView />
  if (!holdsRole(found.route.roles)) return <NoAccessView title={found.route.title} />
  return <found.route.view key={path} parameters={found.parameters} />
}
