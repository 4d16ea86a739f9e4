/**
 * The console without a browser: its own code over happy-dom's document, in front of the application in this process. A screen takes
 * milliseconds, so it can be looked at in every state; what only a browser has (layout, the focus, real keys) is for test/browser.
 */
import { join } from 'node:path'
import { Window } from 'happy-dom'
// Loaded when there is a window it takes the process for a browser's, whose connections are WebSockets; it would stay so for all tests.
import 'mqtt'
import type { Role } from '../../src/http/access.ts'
import type { Sent } from '../http/harness.ts'
import { cookiesOf, goodPassword, origin } from './origin.ts'
import { looks, outline, shortened, squeezed, withoutChance } from './outline.ts'
import { until } from './until.ts'
import { consoleFolder, forgetConsole, lend } from './window.ts'

/** A document is rendered meanwhile, or the engines' thread begins: on a busy machine they get a tenth of a processor. */
const longestRestMs = 90_000
/** What a draft sends when typing pauses: nobody does it, and when it is due depends on the machine. test/console/autosave.test.ts has it. */
export const byItself = /^\/api\/v1\/unsaved-drafts\//
const engines = join(consoleFolder, 'engines/engines.worker.ts')

export interface Page {
  /** Signs in over the form as somebody new with these roles. */
  signIn(username: string, ...roles: Role[]): Promise<void>
  /** Goes to an address as a link does. */
  open(path: string): Promise<void>
  /** Presses the first button or link of that name, or ticks the box of that value, in the open dialog where there is one. */
  press(name: string | RegExp): Promise<void>
  /** Types into the field of that label, or chooses of its list. */
  fill(label: string | RegExp, value: string): Promise<void>
  /** Puts a text into the editor of that label in place of what it has. */
  write(label: string, text: string): Promise<void>
  /** Presses a key on the element that has the focus, or on the page. */
  key(name: string, held?: { ctrlKey?: boolean; shiftKey?: boolean }): Promise<void>
  /** Chooses a file in the only field for one. */
  choose(file: File): Promise<void>
  /** Mutations that the page has sent since the last call, with what they carried. */
  sent(): string[]
  /** What the page shows now: its open dialog, else its main part. */
  shown(): string[]
  /** The same by what the outline leaves out: icons, colours, places, instants. */
  looks(): string[]
  /** The frame around the screens. */
  navigation(): string[]
  settled(): Promise<void>
  /** Takes it away, and gives back the names that it borrowed: tests of other files run in this process, too. */
  close(): Promise<void>
}

/** Requests and questions of a page that have not ended. */
class UnderWay {
  count = 0
  readonly workers: Worker[] = []
  async counted<T>(work: () => Promise<T>): Promise<T> {
    this.count++
    return work().finally(() => this.count--)
  }
}

/** What is behind a page: the application of the tests, or answers that a test writes. */
export interface PageServer {
  send(sent: Sent): Promise<Response>
  addUser(username: string, roles: readonly Role[]): Promise<unknown>
}

/** Nothing is laid out here, so every page of a document is in sight, as they are in a window that is high enough. Lists load no more. */
class SheetsInSight {
  constructor(private readonly tell: (entries: { isIntersecting: boolean }[]) => void) {}
  observe(element: Element): void {
    if (element.classList.contains('sheet')) this.tell([{ isIntersecting: true }])
  }
  disconnect(): void {}
}

/** One page for a test file, which closes it after its tests. More names are lent in place of the window's own. */
export async function openPage(app: PageServer, more: Record<string, unknown> = {}): Promise<Page> {
  const window = new Window({
    url: `${origin}/`,
    width: 1440,
    height: 900,
    settings: { disableIframePageLoading: true },
  })
  // It knows no rule of a class with a letter beyond ASCII, as the editor has them; nothing here is drawn.
  window.CSSStyleSheet.prototype.insertRule = () => 0
  // It lacks this property of elements, which browsers keep as an attribute.
  Object.defineProperty(window.HTMLElement.prototype, 'spellcheck', {
    configurable: true,
    get(this: Element) {
      return this.getAttribute('spellcheck') !== 'false'
    },
    set(this: Element, value: boolean) {
      this.setAttribute('spellcheck', String(value))
    },
  })
  const cookies = new Map<string, string>()
  const sent: string[] = []
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const underWay = new UnderWay()
  const waits = new ShortWaits()
  const giveBack = lend(window, {
    FormData: formDataOf(window),
    Worker: countedWorker(underWay),
    IntersectionObserver: SheetsInSight,
    ...waits.names(),
    EventSource: eventSourceOf((path) =>
      underWay.counted(() => app.send({ path, headers: { cookie: cookieHeader() } })),
    ),
    fetch: (path: string, { method = 'GET', headers, body, signal }: RequestInit = {}) =>
      underWay.counted(async () => {
        if (method !== 'GET' && !byItself.test(path))
          sent.push(`${method} ${path}${bodyText(body)}${conditionsOf(headers)}`)
        const all = { ...(headers as Record<string, string>), origin, cookie: cookieHeader() }
        const answer = await app.send({ method, path, headers: all, body: await sendable(body, all) })
        signal?.throwIfAborted()
        for (const one of cookiesOf(answer)) {
          const [name = '', value = ''] = one.split('=')
          if (value === '') cookies.delete(name)
          else cookies.set(name, value)
        }
        return answer
      }),
    ...more,
  })
  document.head.innerHTML = `<meta name="engines" content="${engines}">`
  document.body.innerHTML = '<div id="console"></div>'
  const root = document.getElementById('console')!
  forgetConsole()
  // Its files look for a window when they are loaded.
  const { render, h } = await import('preact')
  const { App } = await import('../../src/console/app.tsx')
  const { go, startRouter } = await import('../../src/console/router.ts')
  const { openSession, session } = await import('../../src/console/session.ts')
  // All of its files, so that none is waited for later.
  for (const file of new Bun.Glob('{views,parts,code}/**/*.{ts,tsx}').scanSync(consoleFolder))
    await import(join(consoleFolder, file))
  startRouter()
  await openSession()
  render(h(App, {}), root)
  let hasChanged = false
  const observer = new MutationObserver(() => {
    hasChanged = true
  })
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true })
  async function settled(): Promise<void> {
    let quiet = 0
    await until(
      'the page is at rest',
      () => {
        const isAtRest = underWay.count === 0 && observer.takeRecords().length === 0 && !hasChanged
        hasChanged = false
        quiet = isAtRest ? quiet + 1 : 0
        if (quiet <= 3) return false
        if (waits.count === 0) return true
        waits.endFirst()
        quiet = 0
        return false
      },
      longestRestMs,
    )
  }
  const dialog = () => [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].at(-1)
  const part = () => dialog() ?? document.querySelector<HTMLElement>('main')!
  const named = (selector: string, name: string | RegExp) => {
    const found = [...part().querySelectorAll<HTMLElement>(selector)].find((one) =>
      matches(one.matches('[type=checkbox], [type=radio]') ? (one as HTMLInputElement).value : nameOf(one), name),
    )
    if (found === undefined) throw new Error(`nothing is called ${name}:\n${outline(part()).join('\n')}`)
    return found
  }
  const page: Page = {
    settled,
    async signIn(username, ...roles) {
      await app.addUser(username, roles)
      if (session.value !== undefined) {
        await import('../../src/console/session.ts').then(({ signOut }) => signOut())
        await settled()
      }
      go('/login')
      await settled()
      await page.fill('Username', username)
      await page.fill('Password', goodPassword)
      await page.press('Sign in')
      sent.length = 0
    },
    async open(path) {
      go(path)
      await settled()
    },
    async press(name) {
      const pressed = named('button, a, summary, [role=tab], input[type=checkbox], input[type=radio]', name)
      pressed.click()
      await settled()
    },
    async fill(label, value) {
      const field = named('input, select, textarea', label) as HTMLInputElement
      field.value = value
      field.dispatchEvent(new Event('input', { bubbles: true }))
      field.dispatchEvent(new Event('change', { bubbles: true }))
      await settled()
    },
    async write(label, text) {
      const { EditorView } = await import('@codemirror/view')
      const place = part().querySelector(`[data-label="${label}"]`)
      const editor = EditorView.findFromDOM((place?.shadowRoot ?? place)?.querySelector('.cm-editor') as HTMLElement)
      if (editor === null) throw new Error(`no editor is called ${label}:\n${outline(part()).join('\n')}`)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text }, userEvent: 'input' })
      await settled()
    },
    async key(name, held = {}) {
      const code = /^[a-z]$/i.test(name) ? `Key${name.toUpperCase()}` : name
      const at = document.activeElement ?? document.body
      at.dispatchEvent(
        new KeyboardEvent('keydown', { key: name, code, bubbles: true, cancelable: true, composed: true, ...held }),
      )
      await settled()
    },
    async choose(file) {
      const field = part().querySelector('input[type=file]')!
      Object.defineProperties(field, {
        files: { value: [file], configurable: true },
        checkValidity: { value: () => true, configurable: true },
      })
      field.dispatchEvent(new Event('change', { bubbles: true }))
      await settled()
    },
    sent: () => sent.splice(0).map(withoutChance).map(told),
    shown: () => outline(part()),
    looks: () => looks(part()),
    async close() {
      render(null, root)
      // What it sends at the end is answered while there is a window, and what it would try again later is given up.
      await settled()
      waits.endAll()
      giveBack()
      for (const worker of underWay.workers) worker.terminate()
    },
    navigation: () => outline(document.querySelector('aside')!),
  }
  return page
}

/** The engines' thread, which ends with the page; what it is asked is under way until it has answered. Other threads are the application's. */
function countedWorker(underWay: UnderWay): typeof Worker {
  return class extends Worker {
    readonly #isOfPage: boolean
    constructor(path: string | URL, options?: WorkerOptions) {
      super(path, options)
      this.#isOfPage = path === engines
      if (!this.#isOfPage) return
      underWay.workers.push(this)
      // Bun's own, which the types of browsers hide: it keeps no process alive.
      ;(this as unknown as { unref(): void }).unref()
      this.addEventListener('message', () => underWay.count--)
    }
    override postMessage(message: unknown, ...more: unknown[]): void {
      if (this.#isOfPage) underWay.count++
      super.postMessage(message, ...(more as []))
    }
  }
}

/** Screens wait a moment for the next letter, which nobody types: when all else is at rest, that moment is over. */
class ShortWaits {
  readonly #longestMs = 600
  readonly #waiting = new Map<unknown, { dueMs: number; act: () => void }>()
  readonly #longer = new Set<Timer>()
  readonly #set = globalThis.setTimeout
  readonly #clear = globalThis.clearTimeout

  get count(): number {
    return this.#waiting.size
  }

  /** Ends the wait that would end first. */
  endFirst(): void {
    const [first] = [...this.#waiting].sort(([, a], [, b]) => a.dueMs - b.dueMs)
    if (first === undefined) return
    const [timer, { act }] = first
    this.#clear(timer as Timer)
    act()
  }

  readonly begin = (action: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
    if (ms > this.#longestMs) {
      const longer = this.#set(action, ms, ...values)
      this.#longer.add(longer)
      return longer
    }
    const act = () => {
      this.#waiting.delete(timer)
      action(...values)
    }
    const timer = this.#set(act, ms)
    this.#waiting.set(timer, { dueMs: performance.now() + ms, act })
    return timer
  }

  readonly abandon = (timer: Timer) => {
    this.#waiting.delete(timer)
    this.#clear(timer)
  }

  /** None of them comes any more. */
  endAll(): void {
    for (const timer of [...this.#longer, ...this.#waiting.keys()]) this.#clear(timer as Timer)
  }

  names() {
    return {
      setTimeout: this.begin,
      clearTimeout: this.abandon,
      requestAnimationFrame: (draw: (now: number) => void) => this.begin(() => draw(performance.now())),
      cancelAnimationFrame: this.abandon,
    }
  }
}

/** Bun's own, which the application reads, of a form in the window. */
function formDataOf(window: Window): typeof FormData {
  return class extends FormData {
    constructor(form?: HTMLFormElement) {
      super()
      if (form === undefined) return
      for (const [name, value] of new window.FormData(form as never)) this.append(name, value as string)
      for (const { name, files } of form.querySelectorAll<HTMLInputElement>('input[type=file]')) {
        if (files?.[0] !== undefined) this.set(name, files[0])
      }
    }
  }
}

/** Streams of events as browsers read them, once: nothing reconnects here. */
function eventSourceOf(ask: (path: string) => Promise<Response>) {
  // Both Bun's own: later a window's have their names.
  const { Event, EventTarget } = globalThis
  return class EventStream extends EventTarget {
    static readonly CLOSED = 2
    readyState = 0
    #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
    constructor(path: string) {
      super()
      void this.#read(path)
    }
    async #read(path: string): Promise<void> {
      this.#reader = (await ask(path)).body?.getReader()
      if (this.readyState === EventStream.CLOSED) return this.close()
      const decoder = new TextDecoder()
      let text = ''
      for (let chunk = await this.#reader?.read(); chunk?.done === false; chunk = await this.#reader?.read()) {
        text += decoder.decode(chunk.value, { stream: true })
        const events = text.split('\n\n')
        text = events.pop() ?? ''
        for (const event of events) this.dispatchEvent(new Event(/^event: ?(.*)$/m.exec(event)?.[1] ?? 'message'))
      }
    }
    close(): void {
      this.readyState = EventStream.CLOSED
      void this.#reader?.cancel()
    }
  }
}

/** Whether it has its effect once, and on which revision alone. */
function conditionsOf(headers: RequestInit['headers']): string {
  const given = new Headers(headers)
  const told = [
    given.has('idempotency-key') ? 'once' : undefined,
    given.has('if-match') ? `if it is ${given.get('if-match')}` : undefined,
    given.has('if-none-match') ? 'if there is none' : undefined,
  ].filter((one) => one !== undefined)
  return told.length === 0 ? '' : ` (${told.join(', ')})`
}

function bodyText(body: unknown): string {
  if (typeof body === 'string') return ` ${body}`
  if (!(body instanceof FormData)) return body instanceof Blob ? ` a file of ${body.type}` : ''
  const fields = [...body].map(([name, value]) =>
    typeof value === 'string' ? `${name}=${value}` : `${name}=${value.name} of ${value.type}`,
  )
  return ` ${fields.join(', ')}`
}

/** As bytes with their type, where it isn't text. */
async function sendable(body: unknown, headers: Record<string, string>): Promise<unknown> {
  if (body === undefined || body === null || typeof body === 'string') return body ?? undefined
  const encoded = new Response(body as BodyInit)
  const type = encoded.headers.get('content-type')
  if (type !== null) headers['content-type'] = type
  return new Uint8Array(await encoded.arrayBuffer())
}

/** Conditions stay in sight where a body is long. */
function told(line: string): string {
  const [, what = '', conditions = ''] = /^(.*?)( \((?:once|if )[^()]*\))?$/s.exec(line) ?? []
  return `${shortened(what)}${conditions}`
}

const matches = (text: string, name: string | RegExp) => (typeof name === 'string' ? text === name : name.test(text))

/** What a control is called: by its label or its words. */
function nameOf(element: HTMLElement): string {
  const label = element.closest('label')
  const words = element.getAttribute('aria-label') ?? (label?.querySelector('span') ?? label ?? element).textContent
  return squeezed(words ?? '')
}
