/**
 * Text that is typed into a draft and not saved goes to the server as well: soon after typing pauses, and at once when the
 * page is hidden. So another tab, browser or device of the same person can go on with it. The tab's own copy stays the first
 * source: nothing here waits for the server, and failures are retried and reported discreetly.
 */
import { effect, type ReadonlySignal, signal } from '@preact/signals'
import { call } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { NewUnsavedText, UnsavedDraft, UnsavedState, UnsavedText } from '../../api/types.ts'
import { beforeLeaving, LATE, recall, remember, SERVED } from '../../memory.ts'
import { holdsRole } from '../../session.ts'
import { newUuid } from '../../uuid.ts'
import type { KeptText, Saved } from './kept-text.ts'

/** How long typing has to pause, and how long it may go on, before it is sent; how soon what failed is tried again. */
const pauseMs = 2_000
const longestMs = 15_000
const againMs = 20_000
/** Browsers take 64 KiB of what outlives its page (Fetch, 2.2.5), and refuse the rest. */
const outlivingBytes = 60_000

/** The draft as it is watched here. */
export interface Typed {
  text: ReadonlySignal<string>
  stored: ReadonlySignal<Saved | undefined>
  isDirty: ReadonlySignal<boolean>
  /** Nothing can be edited yet: the draft is being read, or a conflict waits for a decision. */
  isPending: ReadonlySignal<boolean>
}

/** Something typed elsewhere and not saved. */
export interface Offer extends KeptText {
  tabId: string
  typedAt: string
  /** In another tab of this browser. */
  isHere: boolean
}

/** Identifies this page: a reloaded tab, or a copy of one, gets another id. */
const tabId = newUuid()
let step = 0

export class Autosave {
  readonly #path: string
  readonly #key: string
  readonly #state = signal<'none' | 'kept' | 'failing'>('none')
  readonly #offer = signal<Offer | undefined>(undefined)
  #sent: string | undefined
  #sending: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #since: number | undefined

  /** Whether the server has what is typed. */
  readonly state: ReadonlySignal<'none' | 'kept' | 'failing'> = this.#state
  readonly offer: ReadonlySignal<Offer | undefined> = this.#offer

  /** @param id of the family */
  constructor(
    id: string,
    private readonly typed: Typed,
  ) {
    this.#path = `/api/v1/unsaved-drafts/${id}`
    this.#key = `draft.${id}${SERVED}`
  }

  /**
   * Watches until the returned function is called. Begin once the draft has been read.
   *
   * @param own the typed text that the tab had kept before the draft was read
   */
  readonly start = (own: string | undefined): (() => void) => {
    if (!holdsRole(['administrator', 'engineer'])) return () => {}
    // A browser without room for the text lost it: then the server's is offered, as that of any other tab.
    if (own === undefined) remember(this.#key, undefined, 'tab')
    else if (recall(this.#key, 'tab')?.endsWith(LATE) === false) {
      // The server has it under the previous page's name. Sent again under this page's, it would be offered once more where it was
      // declined meanwhile.
      this.#sent = own
    }
    const seen = () => (document.visibilityState === 'hidden' ? void this.flush() : void this.look({ hasOwn: true }))
    const stop = effect(() => this.#follow(this.typed.text.value, this.typed.isDirty.value, this.typed.isPending.value))
    document.addEventListener('visibilitychange', seen)
    const leave = () => void this.flush({ isLeaving: true })
    window.addEventListener('pagehide', leave)
    beforeLeaving.add(this.flush)
    void this.look({ hasOwn: own !== undefined })
    return () => {
      stop()
      document.removeEventListener('visibilitychange', seen)
      window.removeEventListener('pagehide', leave)
      beforeLeaving.delete(this.flush)
      void this.flush()
    }
  }

  /** Sends what isn't sent yet, without a pause. */
  readonly flush = async ({ isLeaving } = { isLeaving: document.visibilityState === 'hidden' }): Promise<void> => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#sending !== undefined) await this.#sending
    const { text, isDirty } = this.typed
    if (!isDirty.peek() || text.peek() === this.#sent) return
    this.#sending = this.#send(text.peek(), this.typed.stored.peek(), isLeaving).finally(() => {
      this.#sending = undefined
    })
    await this.#sending
    // What was typed meanwhile waits for its own pause.
    if (isDirty.peek() && text.peek() !== this.#sent) this.#wait(this.#state.peek() === 'failing' ? againMs : pauseMs)
  }

  /** What there is of this draft, newest first. Throws `ApiProblem`. */
  readonly states = async (): Promise<readonly UnsavedState[]> => {
    return (await call<UnsavedDraft>(this.#path, { renews: false })).states
  }

  /** Throws `ApiProblem`. */
  readonly read = (id: string): Promise<UnsavedText> => call<UnsavedText>(`${this.#path}/states/${id}`)

  /** Throws everything away that the server has of it. Throws `ApiProblem`. */
  readonly removeAll = async (): Promise<void> => {
    // A request under way would bring it back.
    await this.#sending
    await call(this.#path, { method: 'DELETE' })
    // Only what is typed from now on is sent.
    this.#sent = this.typed.text.peek()
    this.#state.value = 'none'
    remember(this.#key, undefined, 'tab')
  }

  /** Settles the offer, which was taken or declined; it stays in the history. */
  readonly settleOffer = async (): Promise<void> => {
    const offer = this.#offer.peek()
    this.#offer.value = undefined
    if (offer !== undefined) await this.#settle([offer.tabId])
  }

  isOwn(state: UnsavedState): boolean {
    return state.tab_id === tabId || state.tab_id === this.#before()
  }

  isHere(state: UnsavedState): boolean {
    return state.browser_id === browserId()
  }

  /**
   * Looks for what was typed elsewhere.
   *
   * @param hasOwn whether the tab has what it typed itself, so that the server's copy of it is no news
   */
  async look({ hasOwn }: { hasOwn: boolean }): Promise<void> {
    if (this.typed.isPending.peek()) return
    try {
      const states = await this.states()
      const open = states.find((state) => state.is_open && !(hasOwn && this.isOwn(state)))
      // A duplicate of this tab took its text over; the text here is unsaved all the same.
      if (states.find(({ tab_id }) => tab_id === tabId)?.is_open === false && this.typed.isDirty.peek()) {
        this.#sent = undefined
        this.#wait(pauseMs)
      }
      await this.#confirm(states)
      const known = this.#offer.peek()
      if (open === undefined) this.#offer.value = undefined
      else if (known?.tabId !== open.tab_id || known.typedAt !== open.typed_at) await this.#propose(open)
    } catch (error) {
      // Nobody asked for it.
      if (!(error instanceof ApiProblem)) throw error
    }
  }

  /** Confirms what the previous page had sent. A duplicated tab has that, too, and the original may have discarded it or typed on. */
  async #confirm(states: readonly UnsavedState[]): Promise<void> {
    const before = this.#before()
    const own = this.#sent
    if (before === undefined || before === tabId || own === undefined || own !== this.typed.text.peek()) return
    const state = states.find(({ tab_id, is_open }) => is_open && tab_id === before)
    const isKept = state !== undefined && (await this.read(state.id)).text === own
    // Somebody typed on meanwhile, which is told of by itself.
    if (this.#sent !== own || own !== this.typed.text.peek()) return
    this.#state.value = isKept ? 'kept' : 'none'
    // What was discarded, or declined elsewhere, waits until somebody types on: otherwise it would be offered there
    // once more.
    if (isKept || state === undefined) return
    this.#sent = undefined
    this.#wait(pauseMs)
  }

  async #propose(state: UnsavedState): Promise<void> {
    const { text, base_text, base_revision } = await this.read(state.id)
    const { text: here, stored } = this.typed
    // It was saved, or is here already.
    if (text === stored.peek()?.text || text === here.peek()) {
      if (text === stored.peek()?.text) await this.#settle([state.tab_id])
      return
    }
    const base = base_text === undefined ? undefined : { text: base_text, revision: base_revision }
    const { tab_id, typed_at } = state
    this.#offer.value = { text, base, tabId: tab_id, typedAt: typed_at, isHere: this.isHere(state) }
  }

  #follow(text: string, isDirty: boolean, isPending: boolean): void {
    if (isPending) return
    if (!isDirty) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#since = undefined
      void this.#end()
      return
    }
    if (text === this.#sent) return
    const before = this.#before()
    if (before !== undefined) remember(this.#key, before + LATE, 'tab')
    if (this.#state.peek() !== 'failing') this.#state.value = 'none'
    this.#wait(pauseMs)
  }

  #wait(ms: number): void {
    const now = Date.now()
    this.#since ??= now
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), Math.max(0, Math.min(ms, this.#since + longestMs - now)))
  }

  async #send(text: string, base: Saved | undefined, isLeaving: boolean): Promise<void> {
    this.#since = undefined
    const before = this.#before()
    const body = {
      ...{ text, base_revision: base?.revision ?? 0, tab_id: tabId, browser_id: browserId(), step: ++step },
      ...(before === undefined || before === tabId ? {} : { continues: before }),
    }
    // For the page after this one, which may come before the answer.
    if (before === undefined) remember(this.#key, tabId + LATE, 'tab')
    try {
      const kept = await this.#put(body, isLeaving)
      if (base !== undefined && !kept.has_base)
        await this.#put({ ...body, base_text: base.text, step: ++step }, isLeaving)
      this.#sent = text
      remember(this.#key, tabId, 'tab')
      if (this.typed.text.peek() === text) this.#state.value = 'kept'
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      this.#state.value = 'failing'
    }
  }

  #put(body: NewUnsavedText, isLeaving: boolean): Promise<UnsavedState> {
    const outlives = isLeaving && new TextEncoder().encode(JSON.stringify(body)).length < outlivingBytes
    return call<UnsavedState>(this.#path, { method: 'PUT', body, renews: false, outlives })
  }

  /** What is typed was saved or given up. */
  async #end(): Promise<void> {
    // A request under way would open it again.
    await this.#sending
    const before = this.#before()
    if (this.typed.isDirty.peek() || (this.#sent === undefined && before === undefined)) return
    this.#sent = undefined
    this.#state.value = 'none'
    remember(this.#key, undefined, 'tab')
    await this.#settle([...new Set([tabId, before ?? tabId])])
  }

  async #settle(tabIds: readonly string[]): Promise<void> {
    try {
      // Also when the page is left at once: else the next one would offer it again.
      await call(`${this.#path}/settle`, { method: 'POST', body: { tab_ids: tabIds }, renews: false, outlives: true })
    } catch (error) {
      // It is offered once more.
      if (!(error instanceof ApiProblem)) throw error
    }
  }

  /** The name under which the server has the text of this tab from before its reload. */
  #before(): string | undefined {
    return recall(this.#key, 'tab')?.replace(LATE, '')
  }
}

function browserId(): string {
  const known = recall('browser')
  if (known !== undefined) return known
  const made = newUuid()
  remember('browser', made)
  return made
}
