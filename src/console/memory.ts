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
  try {
    if (value === undefined) store(kept).removeItem(prefix + name)
    else store(kept).setItem(prefix + name, value)
    return true
  } catch {
    return false
  }
}

let isTabLeft = false

/** The page is about to be left for one of another person: nothing more is kept for the tab until somebody claims it. */
export function leaveTab(): void {
  isTabLeft = true
}

/**
 * Removes what the tab keeps of somebody else, and keeps again. A page that was to be left may stay: the browser asks whoever has
 * typed something, and they may say no.
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

/** Whether the tab keeps something that was typed and not saved. */
export function keepsTyped(): boolean {
  return keptNames().some((name) => name !== `${prefix}person`)
}

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
