/** Keys that work on every screen. Screens add their own: Ctrl-Enter runs, Ctrl-S saves. */
import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { routes } from './navigation.ts'
import { go } from './router.ts'
import { maySee } from './session.ts'

export type Overlay = 'palette' | 'keys'
export const overlay = signal<Overlay | undefined>(undefined)

export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** How long after `g` the next key is taken as a destination. */
const sequenceMs = 1_200
let wentAt = Number.NEGATIVE_INFINITY

/** Listens until the returned function is called. */
export function startKeys(): () => void {
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}

function onKey(event: KeyboardEvent): void {
  if (isCommand(event, 'k')) {
    event.preventDefault()
    overlay.value = overlay.value === 'palette' ? undefined : 'palette'
    return
  }
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
  if (document.querySelector('dialog[open]') !== null) return
  const key = event.shiftKey ? event.key : letterOf(event)
  if (event.timeStamp - wentAt < sequenceMs) {
    wentAt = Number.NEGATIVE_INFINITY
    const route = routes.find(({ entry }) => entry?.key === key)
    if (route === undefined || !maySee(route)) return
    event.preventDefault()
    go(route.pattern)
  } else if (event.key === '/') {
    event.preventDefault()
    const field = document.querySelector<HTMLElement>('main [data-search]')
    if (field === null) overlay.value = 'palette'
    else field.focus()
  } else if (event.key === '?') {
    event.preventDefault()
    overlay.value = 'keys'
  } else if (key === 'g') wentAt = event.timeStamp
}

/** Kinds of `<input>` that take no text. */
const textless = /^(?:button|checkbox|color|file|image|radio|range|reset|submit)$/

/** Editors live in a shadow tree, so the first element of the path is asked, not the event's target. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0]
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !textless.test(target.type)
  return target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName)
}

/** The key without Caps Lock; on a keyboard without Latin letters, the letter that a Latin one has in its place. */
function letterOf({ key, code }: KeyboardEvent): string {
  if (key.length === 1 && key.charCodeAt(0) > 0x7f && /^Key[A-Z]$/.test(code)) return code.slice(3).toLowerCase()
  return key.length === 1 ? key.toLowerCase() : key
}

/** Whether a key is pressed with Ctrl or ⌘ and nothing else. */
function isCommand(event: KeyboardEvent, key: string): boolean {
  return (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && letterOf(event) === key
}

/** Ctrl/⌘ with a key does something while the component is on the page, wherever the focus is. */
export function useCommand(key: 'Enter' | 's', action: (() => unknown) | undefined): void {
  // With the page it belongs to, not after its paint: a key pressed in between would be lost.
  useLayoutEffect(() => {
    if (action === undefined) return
    const listen = (event: KeyboardEvent) => {
      if (!isCommand(event, key)) return
      event.preventDefault()
      void action()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [key, action])
}
