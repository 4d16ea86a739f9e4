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

export function remember(name: string, value: string | undefined, kept: 'device' | 'tab' = 'device'): void {
  try {
    if (value === undefined) store(kept).removeItem(prefix + name)
    else store(kept).setItem(prefix + name, value)
  } catch {
    // Refused or full: the console works without.
  }
}

function store(kept: 'device' | 'tab'): Storage {
  return kept === 'device' ? window.localStorage : window.sessionStorage
}
