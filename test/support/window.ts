/** A window of happy-dom's in the place of a browser's, for tests of the console's files: all of a page, or one by itself. */
import { join } from 'node:path'
import { Window } from 'happy-dom'

export const consoleFolder = join(import.meta.dir, '../../src/console')

/** What stays Bun's own: the application uses it, too, and a response of one kind is none of the other. */
const kept =
  /^(Abort|Array|Blob|Broadcast|Buffer|Compress|Crypto|Date|Decompress|Error|File$|FormData|Headers|Message|Performance|Readable|Request|Response|Text(De|En)|Transform|URL|Web(Socket|Assembly)|Worker|Writable)|^(console|crypto|fetch|global|performance|process|queueMicrotask|self|structuredClone)|(Error|Interval|Immediate|Timeout)$/
/** What Bun has as well, and a document only takes of its own kind. */
const replaced = /^(Event|EventTarget|CustomEvent|navigator|location|cancelAnimationFrame)$/
/** What is drawn last waits for a frame for up to 100 ms, and then asks for this whether its window is still there or not. */
globalThis.cancelAnimationFrame ??= () => {}

/** Puts the window's names beside Bun's; the answered function takes them away. */
export function lend(window: Window, more: Record<string, unknown> = {}): () => void {
  const names = window as unknown as Record<string, unknown>
  const before = new Map<string, PropertyDescriptor | undefined>()
  const put = (name: string, value: unknown) => {
    if (!before.has(name)) before.set(name, Object.getOwnPropertyDescriptor(globalThis, name))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  for (const name of Object.getOwnPropertyNames(window)) {
    const isNew = !(name in globalThis) && !kept.test(name)
    if ((isNew || replaced.test(name)) && names[name] !== undefined) put(name, names[name])
  }
  put('window', window)
  put('MutationObserver', lastingObserver(window))
  for (const [name, value] of Object.entries(more)) put(name, value)
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) delete (globalThis as Record<string, unknown>)[name]
      else Object.defineProperty(globalThis, name, descriptor)
    }
  }
}

/** happy-dom refers to what observes weakly and holds it nowhere: a collection of garbage ends it unnoticed. Here its observer holds it. */
function lastingObserver({ MutationObserver: Observer }: Window) {
  return class extends Observer {
    readonly #held: WeakKey[] = []
    override observe(...given: Parameters<InstanceType<typeof Observer>['observe']>): void {
      const Weak = globalThis.WeakRef
      const held = this.#held
      globalThis.WeakRef = class<T extends WeakKey> extends Weak<T> {
        constructor(target: T) {
          super(target)
          held.push(target)
        }
      }
      try {
        super.observe(...given)
      } finally {
        globalThis.WeakRef = Weak
      }
    }
  }
}

/**
 * A page is loaded with nothing in its memory, in a process that has had others as well: what the console's files keep for the life of
 * a page (who is signed in, what is known, that the tab is being left) is gone with the page.
 */
export function forgetConsole(): void {
  for (const path of Object.keys(require.cache)) if (path.startsWith(`${consoleFolder}/`)) delete require.cache[path]
}

/** An empty page at that address, with nothing of the console loaded. Call the returned function to take it away. */
export function openWindow(url = 'http://quire.test/'): () => void {
  forgetConsole()
  return lend(new Window({ url }))
}
