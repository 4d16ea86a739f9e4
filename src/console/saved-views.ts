/** Filters of lists that somebody has kept under a name, on this device, for themselves alone. */
import { signal } from '@preact/signals'
import { ApiProblem } from './api/problem.ts'
import { t } from './language.ts'
import { recall, remember } from './memory.ts'
import { session } from './session.ts'

export interface SavedView {
  name: string
  /** The list's path. */
  path: string
  /** The query of the list's address, without `?`: its filters, and the part of the screen that has them. */
  query: string
}

/** Makes what shows them read them again. */
const changes = signal(0)

/** Tuned: more than anybody looks through. */
const maxViews = 100

/** Those of whoever is signed in, in the order of their names. */
export function savedViews(): readonly SavedView[] {
  void changes.value
  try {
    const kept: unknown = JSON.parse(recall(key()) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isView) : []
  } catch {
    return []
  }
}

/** Replaces a view of the same list and name. Throws `ApiProblem` where there is no room: no other view is removed for it. */
export function saveView(view: SavedView): void {
  const others = savedViews().filter(({ name, path }) => name !== view.name || path !== view.path)
  if (others.length >= maxViews)
    throw notSaved(t`You have ${maxViews} views in this browser. Choose one in its list and forget it first.`)
  if (!keep([...others, view]))
    throw notSaved(
      t`This browser has no room for it, or refuses to keep anything. The address of the list works as a bookmark.`,
    )
}

function notSaved(detail: string): ApiProblem {
  return new ApiProblem(0, 'view_not_saved', t`The view was not saved`, detail)
}

export function forgetView(view: SavedView): void {
  keep(savedViews().filter(({ name, path }) => name !== view.name || path !== view.path))
}

/** Answers whether the browser took it. */
function keep(views: readonly SavedView[]): boolean {
  const sorted = [...views].sort((one, other) => one.name.localeCompare(other.name))
  const isKept = remember(key(), JSON.stringify(sorted))
  changes.value++
  return isKept
}

function key(): string {
  return `views.${session.value?.user.id ?? ''}`
}

function isView(view: unknown): view is SavedView {
  return (
    typeof view === 'object' &&
    view !== null &&
    ['name', 'path', 'query'].every((member) => typeof Reflect.get(view, member) === 'string')
  )
}
