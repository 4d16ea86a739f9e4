/**
 * A draft that is being edited: what is typed, the saved state that it began from, and whether the two differ. Both are
 * kept for the tab until they are saved, so that neither a reload nor an ended session loses anything. When somebody
 * else saved meanwhile, their changes and these are merged; where the two collide, a conflict waits for a decision, and
 * nothing is saved until then.
 */

import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { ApiProblem } from '../../api/problem.ts'
import { t } from '../../language.ts'
import { mergedText, mergeTexts, type Region } from '../../merge.ts'
import type { EditorPast } from '../../parts/editor-props.ts'
import { Autosave } from './autosave.ts'
import { PastKeeper } from './kept-past.ts'
import { type KeptText, type Saved, TextKeeper, unsavedText } from './kept-text.ts'

export interface StoredDraft<Extra> extends Saved {
  /** What else the draft has; passed through. */
  extra: Extra
}

export interface DraftPort<Extra> {
  /** Undefined if the family has no draft yet. */
  read(): Promise<StoredDraft<Extra> | undefined>
  /** Throws `ApiProblem`, 412 where the draft was changed by somebody else since. */
  write(text: string, stored: StoredDraft<Extra> | undefined): Promise<StoredDraft<Extra>>
}

/** Two changed texts of one origin, and what became of their lines. */
export interface Meeting {
  /** The revision that was edited here; undefined if there was no draft. */
  baseRevision: number | undefined
  theirRevision: number
  regions: readonly Region[]
}

/** How often a save is repeated where only a name or description was changed meanwhile. */
const maxSaveAttempts = 3
/** From here on a text is kept in a task of its own: the browser takes a while for it. */
const longChars = 100_000

export class Draft<Extra> {
  readonly #text = signal('')
  readonly #stored = signal<StoredDraft<Extra> | undefined>(undefined)
  readonly #phase = signal<'unread' | 'idle' | 'saving'>('unread')
  readonly #problem = signal<ApiProblem | undefined>(undefined)
  readonly #isRecovered = signal(false)
  readonly #isKept = signal(true)
  readonly #conflict = signal<Meeting | undefined>(undefined)
  readonly #merged = signal<Meeting | undefined>(undefined)
  readonly #discarded = signal<KeptText | undefined>(undefined)
  /** What the server had when it was last asked; newer than `stored` during a conflict. */
  #newest: StoredDraft<Extra> | undefined
  #saving: Promise<boolean> | undefined
  #began: string | undefined
  #keeping: ReturnType<typeof setTimeout> | undefined

  readonly text: ReadonlySignal<string> = this.#text
  /** The saved state that the text began from. */
  readonly stored: ReadonlySignal<StoredDraft<Extra> | undefined> = this.#stored
  readonly phase: ReadonlySignal<'unread' | 'idle' | 'saving'> = this.#phase
  readonly problem: ReadonlySignal<ApiProblem | undefined> = this.#problem
  /** True when unsaved text of an earlier visit was taken up. */
  readonly isRecovered: ReadonlySignal<boolean> = this.#isRecovered
  /** False if the browser has no room to keep what is typed over a reload. */
  readonly isKept: ReadonlySignal<boolean> = this.#isKept
  /** Theirs and mine collide: nothing is saved until `decide`. */
  readonly conflict: ReadonlySignal<Meeting | undefined> = this.#conflict
  /** Theirs and mine were merged into the text, which isn't saved yet. */
  readonly merged: ReadonlySignal<Meeting | undefined> = this.#merged
  readonly isDirty = computed(
    () => this.#phase.value !== 'unread' && this.#text.value !== (this.#stored.value?.text ?? ''),
  )
  /** Nothing can be edited yet: the draft is being read, or a conflict waits for a decision. */
  readonly isPending = computed(() => this.#phase.value === 'unread' || this.#conflict.value !== undefined)
  /** What was thrown away last can be brought back. */
  readonly isDiscarded = computed(() => this.#discarded.value !== undefined && !this.isDirty.value)

  /** What the server keeps of what is typed. */
  readonly autosave: Autosave
  /** What the editor can undo, over a reload as well. */
  readonly past: EditorPast

  constructor(
    private readonly port: DraftPort<Extra>,
    private readonly starter: string,
    private readonly keeper: TextKeeper,
  ) {
    this.autosave = new Autosave(keeper.id, this)
    this.past = new PastKeeper(keeper.id, () => this.#began)
  }

  /** Begins with what the server has, or with what is kept over the state that it began from. */
  readonly load = (): Promise<boolean> =>
    this.#attempt(async () => {
      const theirs = await this.port.read()
      const kept = this.keeper.read('typed')
      this.#discarded.value = this.keeper.read('discarded')
      if (kept === undefined) {
        this.#newest = theirs
        this.#stored.value = theirs
        this.#text.value = theirs?.text ?? this.starter
      } else {
        this.#began = kept.text
        this.#text.value = kept.text
        this.#stored.value = onBase(kept.base, theirs)
        this.#meet(theirs)
        this.#isRecovered.value = this.#text.value !== (this.#stored.value?.text ?? '')
      }
      this.#phase.value = 'idle'
      return true
    })

  readonly edit = (text: string): void => this.#put(text, this.#stored.value)

  /** True when the server has what is typed. */
  readonly save = async (): Promise<boolean> => {
    // A save requested during another one then saves what was typed since.
    while (this.#saving !== undefined) await this.#saving
    if (this.#phase.value !== 'idle' || this.#conflict.value !== undefined) return false
    if (!this.isDirty.value) return true
    this.#phase.value = 'saving'
    this.#saving = this.#attempt(() => this.#saveNow())
    try {
      return await this.#saving
    } finally {
      this.#saving = undefined
      this.#phase.value = 'idle'
    }
  }

  /** Takes in what is on the server, and keeps what is typed. */
  readonly catchUp = async (): Promise<void> => {
    if (this.#phase.value === 'idle') await this.#read()
  }

  /** The same with what was just read elsewhere; what is older than known changes nothing. */
  takeIn(read: StoredDraft<Extra>): void {
    const known = this.#newest
    if (this.#phase.peek() === 'idle' && known !== undefined && read.revision > known.revision) this.#meet(read)
  }

  /** Ends the conflict with this text, which then isn't saved yet. */
  decide(text: string): void {
    this.#conflict.value = undefined
    this.#put(text, this.#newest)
  }

  /** Throws away what is typed, and goes on with what the server has. */
  readonly discard = async (): Promise<void> => {
    this.#discarded.value = undefined
    this.keeper.forget('discarded')
    // Forgetting a long text takes the browser a while, and so does showing another.
    await afterTask()
    // Somebody may have asked twice.
    if (!this.isDirty.value && this.#conflict.value === undefined) return
    this.flush()
    const kept = { text: this.#text.value, base: this.#stored.value }
    this.#discarded.value = kept
    this.keeper.swap()
    this.keeper.keep('discarded', kept)
    this.#conflict.value = undefined
    this.#merged.value = undefined
    this.#put(this.#newest?.text ?? this.starter, this.#newest)
    await this.#read()
  }

  /** Goes on with what was typed elsewhere, as if it had been typed here; undoing brings back what was here. */
  async takeUp({ text, base }: KeptText): Promise<void> {
    await this.autosave.flush()
    this.#conflict.value = undefined
    this.#merged.value = undefined
    this.#put(text, onBase(base, this.#newest))
    await this.#read()
  }

  /** Puts what was thrown away into the editor again. */
  readonly bringBack = async (): Promise<void> => {
    const kept = this.#discarded.value
    if (kept === undefined) return
    this.#discarded.value = undefined
    this.keeper.forget('typed')
    this.keeper.swap()
    await afterTask()
    const base = onBase(kept.base, this.#newest)
    this.#put(kept.text, base)
    await this.#read()
  }

  /** Keeps pending text for the tab at once, and not in its later task. */
  readonly flush = (): void => {
    if (this.#keeping !== undefined) this.#keepTyped()
  }

  #keepTyped(): void {
    this.#stopKeeping()
    this.#isKept.value = this.keeper.keep('typed', { text: this.#text.value, base: this.#stored.value })
  }

  #stopKeeping(): void {
    clearTimeout(this.#keeping)
    this.#keeping = undefined
  }

  #read(): Promise<boolean> {
    return this.#attempt(async () => {
      this.#meet(await this.port.read())
      return true
    })
  }

  async #attempt(work: () => Promise<boolean>): Promise<boolean> {
    this.#problem.value = undefined
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      this.#problem.value = error
      return false
    }
  }

  async #saveNow(): Promise<boolean> {
    const sent = this.#text.value
    const theirs = await this.#write(sent)
    if (theirs.text !== sent) {
      this.#meet(theirs)
      return false
    }
    this.#newest = theirs
    // What was typed during the save is based on what was saved.
    this.#put(this.#text.value, theirs)
    this.#merged.value = undefined
    this.#isRecovered.value = false
    this.#discarded.value = undefined
    this.keeper.forget('discarded')
    return true
  }

  /** What the server then has: the text, unless somebody else changed it since the text began. */
  async #write(sent: string): Promise<StoredDraft<Extra>> {
    let base = this.#stored.value
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.port.write(sent, base)
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.status !== 412 || attempt === maxSaveAttempts) throw error
        const theirs = await this.port.read()
        if (theirs === undefined) throw error
        // The text is as it was, so only the rest of the draft is newer.
        if (theirs.text !== (base?.text ?? this.starter)) return theirs
        base = theirs
      }
    }
  }

  /** Brings what is typed together with what the server has. */
  #meet(theirs: StoredDraft<Extra> | undefined): void {
    this.#newest = theirs
    this.#conflict.value = undefined
    const [mine, base] = [this.#text.value, this.#stored.value]
    const origin = base?.text ?? this.starter
    if (theirs === undefined || theirs.text === origin || theirs.text === mine) {
      this.#put(mine, theirs)
      return
    }
    if (mine === origin) {
      this.#put(theirs.text, theirs)
      return
    }
    const regions = mergeTexts(origin, theirs.text, mine)
    const meeting = { baseRevision: base?.revision, theirRevision: theirs.revision, regions }
    const both = mergedText(regions, new Map())
    if (both === undefined) {
      this.#conflict.value = meeting
      return
    }
    this.#merged.value = meeting
    this.#put(both, theirs)
  }

  /** Shows a text over the saved state that it began from, and keeps both if they differ. */
  #put(text: string, base: StoredDraft<Extra> | undefined): void {
    this.#text.value = text
    this.#stored.value = base
    if (text !== (base?.text ?? '')) {
      if (text.length < longChars) this.#keepTyped()
      else this.#keeping ??= setTimeout(this.flush)
      return
    }
    this.#stopKeeping()
    this.keeper.forget('typed')
    this.#isKept.value = true
    this.#isRecovered.value = false
  }
}

function afterTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

/** The state that a kept text began from. Only its text is kept; what else a draft has is the newest. */
function onBase<Extra>(
  base: Saved | undefined,
  newest: StoredDraft<Extra> | undefined,
): StoredDraft<Extra> | undefined {
  return base && newest && { ...newest, ...base }
}

/** @param starter what a family without a draft begins with */
export function useDraft<Extra>(id: string, starter: string, port: DraftPort<Extra>): Draft<Extra> {
  // A port depends on nothing but the family.
  const draft = useMemo(() => new Draft(port, starter, new TextKeeper(id)), [id])
  useEffect(() => {
    const own = unsavedText(id)
    let stop: (() => void) | undefined
    let isGone = false
    void draft.load().then(() => {
      if (!isGone) stop = draft.autosave.start(own)
    })
    // Closing the window with unsaved work asks first.
    const ask = (event: BeforeUnloadEvent) => {
      if (draft.isDirty.peek() && draft.stored.peek() !== undefined) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    window.addEventListener('pagehide', draft.flush)
    return () => {
      isGone = true
      draft.flush()
      stop?.()
      window.removeEventListener('beforeunload', ask)
      window.removeEventListener('pagehide', draft.flush)
    }
  }, [draft])
  return draft
}

/** Refuses to freeze what its author has not seen. */
export function savedMeanwhile(revision: number | undefined): ApiProblem {
  return new ApiProblem(
    412,
    'precondition_failed',
    t`Nothing was frozen`,
    t`Somebody saved the draft meanwhile; it is shown now${revision === undefined ? '' : t` as revision ${revision}`}. Look at it, then freeze it.`,
  )
}
