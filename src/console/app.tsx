/** Decides what the page shows: sign in, change the password, or the screen that the address names inside the frame. */

import { effect, useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useLayoutEffect } from 'preact/hooks'
import { matchPath, safeReturn } from './address.ts'
import { problemFrom } from './api/problem.ts'
import type { Session } from './api/types.ts'
import { keepFocus } from './focus.ts'
import { startKeys } from './keys.ts'
import { t } from './language.ts'
import { type Pattern, routes, type ViewProps } from './navigation.ts'
import { ConfirmationDialog } from './parts/confirmation-dialog.tsx'
import { Frame, PublicFrame } from './parts/frame.tsx'
import { Lazy } from './parts/lazy.tsx'
import { Overlays } from './parts/overlays.tsx'
import { ProblemNote } from './parts/problem-note.tsx'
import { RenewalDialog } from './parts/renewal-dialog.tsx'
import { UnexpectedNote } from './parts/unexpected-note.tsx'
import { go, here, place } from './router.ts'
import { maySee, openSession, sessionState } from './session.ts'
import { NoAccessView, NotFoundView } from './views/not-found.tsx'
import { ReturnedView } from './views/returned.tsx'
import { SignInView } from './views/sign-in.tsx'
import { views } from './views.ts'

export function App() {
  return (
    <>
      <Page />
      <UnexpectedNote />
    </>
  )
}

function Page() {
  // Before the first paint, so that the page and its address always agree.
  useLayoutEffect(() => effect(keepAddressHonest), [])
  const { path, query } = place.value
  if (path === '/login' && query.has('window')) return <ReturnedView query={query} />
  const state = sessionState.value
  switch (state.kind) {
    case 'unknown':
      return <div class="splash" role="status" aria-label={t`Loading`} />
    case 'failed':
      return (
        <main class="splash-problem">
          <ProblemNote problem={state.problem} retry={openSession} />
        </main>
      )
    case 'closed': {
      const found = findRoute(place.value.path)
      return found?.route.isPublic === true ? <PublicScreen found={found} /> : <SignInView />
    }
    case 'open':
      if (state.session.must_change_password) return <LoadedView pattern="/password" parameters={{}} />
      if (state.session.awaits === 'enrolment') return <Lazy load={loadEnrolment} props={{}} />
      return <Screen session={state.session} />
  }
}

const loadEnrolment = async () => (await import('./views/enrolment.tsx')).EnrolmentView

/** Brings the address in line with the session, so that a reload shows the same thing. */
function keepAddressHonest(): void {
  const { path, query } = place.value
  const state = sessionState.value
  if (path === '/login' && query.has('window')) return
  if (state.kind === 'closed' && path !== '/login' && findRoute(path)?.route.isPublic !== true) {
    go(path === '/' ? '/login' : `/login?next=${encodeURIComponent(here())}`, { replace: true })
  }
  if (state.kind === 'open' && path === '/login') go(safeReturn(query.get('next')), { replace: true })
}

function Screen({ session }: { session: Session }) {
  const { path } = place.value
  const found = findRoute(path)
  useTitle(found?.route.title ?? t`Not found`)
  useLayoutEffect(startKeys, [])
  useLayoutEffect(keepFocus, [])
  // A new screen starts at its top.
  useLayoutEffect(() => window.scrollTo(0, 0), [path])

  return (
    <Frame session={session} activePattern={found?.route.pattern}>
      <View path={path} found={found} />
      <Overlays />
      <ConfirmationDialog />
      <RenewalDialog username={session.user.username} />
    </Frame>
  )
}

function PublicScreen({ found }: { found: Found }) {
  useTitle(found.route.title)
  return (
    <PublicFrame>
      <LoadedView key={found.route.pattern} pattern={found.route.pattern} parameters={found.parameters} />
    </PublicFrame>
  )
}

function useTitle(title: string): void {
  useLayoutEffect(() => {
    document.title = `${title} · Quire`
  }, [title])
}

interface Found {
  route: (typeof routes)[number]
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
  // On its way to another address.
  if (path === '/login') return null
  if (found === undefined) return <NotFoundView />
  if (!maySee(found.route)) return <NoAccessView title={found.route.title} />
  return <LoadedView key={path} pattern={found.route.pattern} parameters={found.parameters} />
}

/** Screens opened before, so that coming back is instant. */
const loadedViews = new Map<string, ComponentType<ViewProps>>()

function LoadedView({ pattern, parameters }: { pattern: Pattern } & ViewProps) {
  const [fault, reset] = useErrorBoundary()
  const failed = useSignal(false)
  const ready = useSignal(loadedViews.has(pattern))
  useLayoutEffect(() => {
    if (ready.value) return
    views[pattern]().then(
      (view) => {
        loadedViews.set(pattern, view)
        ready.value = true
      },
      () => {
        failed.value = true
      },
    )
  }, [])
  // Announce the screen: focus its heading, unless somebody is already typing.
  useLayoutEffect(() => {
    if (!ready.value || document.activeElement?.matches('input, textarea, select, dialog *') === true) return
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [ready.value])
  const Loaded = loadedViews.get(pattern)
  if (fault !== undefined) {
    return (
      <div class="page">
        <ProblemNote problem={problemFrom(fault)} retry={reset} />
      </div>
    )
  }
  if (failed.value) return <NotLoaded />
  if (!ready.value || Loaded === undefined) return <div class="page" aria-busy="true" />
  return <Loaded parameters={parameters} />
}

/** How often a server that doesn't answer is asked again. */
const askAgainMs = 2_000

/**
 * Shown when a screen's file could not be loaded: the server was updated under this page, or doesn't answer. Polls the
 * server until it answers, and then reloads the page: browsers never request a module again that failed to load.
 */
function NotLoaded() {
  /** Undefined until it was asked. */
  const isAway = useSignal<boolean | undefined>(undefined)
  useEffect(() => {
    let isOver = false
    const ask = async () => {
      for (let times = 0; !isOver; times++) {
        const answers = await fetch('/health/live', { cache: 'no-store' }).then(
          ({ ok }) => ok,
          () => false,
        )
        if (isOver) return
        if (answers && times > 0) window.location.reload()
        if (answers) {
          isAway.value = false
          return
        }
        isAway.value = true
        await new Promise((resolve) => setTimeout(resolve, askAgainMs))
      }
    }
    void ask()
    return () => {
      isOver = true
    }
  }, [])
  if (isAway.value === undefined) return <div class="page" aria-busy="true" />
  if (isAway.value) {
    return (
      <div class="page empty-page" role="status">
        <h1 tabIndex={-1}>{t`The server doesn't answer`}</h1>
        <p class="muted">{t`This screen opens by itself as soon as it does. Nothing that you typed is lost.`}</p>
      </div>
    )
  }
  return (
    <div class="page empty-page">
      <h1 tabIndex={-1}>{t`This page is older than the server`}</h1>
      <p class="muted">{t`Quire was updated. Load the page again to go on.`}</p>
      <button type="button" class="button button-primary" onClick={() => window.location.reload()}>
        {t`Load again`}
      </button>
    </div>
  )
}
