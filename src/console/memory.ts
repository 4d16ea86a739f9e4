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
  try {
    if (value === undefined) store(kept).removeItem(prefix + name)
    else store(kept).setItem(prefix + name, value)
    return true
  } catch {
    return false
  }
}

function store(kept: 'device' | 'tab'): Storage {
  return kept === 'device' ? window.localStorage : window.sessionStorage
}
