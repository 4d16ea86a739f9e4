/**
 * Addresses of the console. Every state a person may want to come back to is in the address, so that back, reload and
 * a link sent to a colleague all work. Links are plain `<a href>`: one listener turns those that stay inside the console
 * into a change of the address, the rest is the browser's.
 */
import { computed, signal } from '@preact/signals'
import { isOutside } from './address.ts'
import { beginStep, leaveStep, returnToStep, startHistory, stepState } from './history.ts'

export interface Place {
  path: string
  query: URLSearchParams
}

const current = signal<Place>(readPlace())
export const place = computed(() => current.value)

function readPlace(): Place {
  const path = window.location.pathname.replace(/(.)\/+$/, '$1')
  return { path, query: new URLSearchParams(window.location.search) }
}

/** Goes to an address inside the console. A replaced address leaves no step for the back button. */
export function go(to: string, { replace = false }: { replace?: boolean } = {}): void {
  const now = window.location.pathname + window.location.search
  if (to === now) return
  if (replace) window.history.replaceState(stepState(), '', to)
  else {
    leaveStep()
    window.history.pushState(null, '', to)
    beginStep()
  }
  current.value = readPlace()
}

/** The present address with other values in its query; empty and undefined ones are left out. No step for the back button. */
export function changeQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(window.location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  go(window.location.pathname + (text === '' ? '' : `?${text}`), { replace: true })
}

/** The current address, to return to after signing in. */
export function here(): string {
  return window.location.pathname + window.location.search
}

export function startRouter(): void {
  startHistory()
  window.addEventListener('popstate', () => {
    returnToStep()
    current.value = readPlace()
  })
  document.addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || link.target !== '' || link.hasAttribute('download')) return
    if (link.origin !== window.location.origin || isOutside(link.pathname) || link.hash !== '') return
    event.preventDefault()
    go(link.pathname + link.search)
  })
}
