/**
 * Small things the browser keeps for the console. A browser may refuse storage altogether; then nothing is kept, and
 * nothing fails.
 */
const prefix = 'quire.'

export function recall(name: string, kept: 'device' | 'tab' = 'device'): string | undefined {
  try {
    return store(kept).getItem(prefix + name) ?? undefined
  } catch {
    return undefined
  }
}

/** Answers whether the browser took it; where it refuses or is full, the console works without. */
export function remember(name: string, value: string | undefined, kept: 'device' | 'tab' = 'device'): boolean {
  if (kept === 'tab' && isTabLeft) return false
  return put(name, value, kept) || (!name.endsWith(PAST) && forgetPasts() && put(name, value, kept))
}

function put(name: string, value: string | undefined, kept: 'device' | 'tab'): boolean {
  try {
    if (value === undefined) store(kept).removeItem(prefix + name)
    else store(kept).setItem(prefix + name, value)
    return true
  } catch {
    return false
  }
}

/** Ends the keys of undo histories, which are dropped when typed text needs the room. */
const PAST = '.past'

/** Answers whether there was any. */
function forgetPasts(): boolean {
  const pasts = keptNames().filter((name) => name.endsWith(PAST))
  for (const name of pasts) window.sessionStorage.removeItem(name)
  return pasts.length > 0
}

let isTabLeft = false

/** The page is about to be left for one of another person: nothing more is kept for the tab until somebody claims it. */
export function leaveTab(): void {
  isTabLeft = true
}

/**
 * Removes what the tab keeps of another person, and starts keeping again. The tab may have been told to stop because the page
 * was to be left, and stay after all: the browser asks people with unsaved text, and they may say no.
 */
export function claimTab(person: string): void {
  if (recall('person', 'tab') === person) return
  emptyTab()
  isTabLeft = false
  remember('person', person, 'tab')
}

/** Removes all that the tab keeps. */
export function emptyTab(): void {
  for (const name of keptNames()) window.sessionStorage.removeItem(name)
}

/** Whether the tab keeps something that was typed, and neither saved nor kept on the server. */
export function keepsTyped(): boolean {
  const names = keptNames().filter((name) => name !== `${prefix}person` && !name.endsWith(PAST))
  const safe = names.filter((name) => name.endsWith(SERVED) && !window.sessionStorage.getItem(name)?.endsWith(LATE))
  const drafts = safe.map((name) => name.slice(0, -SERVED.length))
  return names.some(
    (name) => !name.endsWith(SERVED) && !drafts.some((draft) => name === draft || name.startsWith(`${draft}.`)),
  )
}

/** SERVED ends the keys of the tab's drafts that the server has, too; LATE ends the value while the server lags behind. */
export const SERVED = '.served'
export const LATE = ' late'

/** Work to be done before the person leaves, such as sending typed text to the server. */
export const beforeLeaving = new Set<() => Promise<unknown>>()

/** A browser that refuses storage has kept nothing. */
function keptNames(): string[] {
  try {
    return Object.keys(window.sessionStorage).filter((name) => name.startsWith(prefix))
  } catch {
    return []
  }
}

function store(kept: 'device' | 'tab'): Storage {
  return kept === 'device' ? window.localStorage : window.sessionStorage
}
