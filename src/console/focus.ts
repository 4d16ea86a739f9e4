/**
 * Keeps the focus on the page. When the focused element goes away, a browser moves the focus to the body, and people
 * who use the keyboard or a screen reader start from the top. Here it moves to what is left around the element, else to
 * the heading of the screen. An element that gets the focus this way never acts on a key: Enter pressed twice does
 * nothing more.
 */

/** Where the focus is, and what is around it, from the inside out. */
interface Spot {
  element: HTMLElement
  around: readonly HTMLElement[]
}

let last: Spot | undefined

/** Follows the focus until the returned function is called. */
export function keepFocus(): () => void {
  const observer = new MutationObserver(() => {
    if (last !== undefined && !last.element.isConnected && isLost()) focusNear(last)
  })
  const follow = () => {
    last = spotOf(focusedElement())
  }
  // Whoever leaves an element on purpose is not brought back when it goes away later.
  const leave = () => {
    queueMicrotask(() => {
      if (last?.element.isConnected === true && document.hasFocus() && isLost()) last = undefined
    })
  }
  observer.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', follow)
  document.addEventListener('focusout', leave)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', follow)
    document.removeEventListener('focusout', leave)
  }
}

/** Shows a dialog over the page; the returned function takes it away and gives the focus back to where it was. */
export function showOver(dialog: HTMLDialogElement): () => void {
  const before = spotOf(focusedElement())
  dialog.showModal()
  return () => {
    // Until it is closed, nothing behind it can be focused.
    dialog.close()
    if (before === undefined) focusHeading()
    else focusNear(before)
  }
}

/** Editors live in a tree of their own. */
function focusedElement(): Element | null {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active
}

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

function spotOf(element: Element | null): Spot | undefined {
  if (!(element instanceof HTMLElement) || element === document.body) return undefined
  const around: HTMLElement[] = []
  for (let next = parentOf(element); next instanceof HTMLElement; next = parentOf(next)) {
    if (next.matches('main, dialog, body')) break
    around.push(next)
  }
  return { element, around }
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode()
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null)
}

function focusNear({ element, around }: Spot): void {
  if (takesFocus(element)) return
  const left = around.find((one) => one.isConnected && one.textContent !== '' && one.matches(groups))
  if (left === undefined) focusHeading()
  else {
    left.tabIndex = -1
    takesFocus(left)
  }
}

/** Groups that are small enough to be read out. */
const groups = 'tr, li, fieldset, form, search, [role=group], [role=toolbar]'

function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading !== null) takesFocus(heading)
}

function takesFocus(element: HTMLElement): boolean {
  element.focus({ preventScroll: true })
  return focusedElement() === element
}
