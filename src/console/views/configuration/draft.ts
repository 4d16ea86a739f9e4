/**
 * A draft that is being edited: what is typed, what the server has, and whether the two differ. What is typed is kept
 * for the tab until it is saved, so that neither a reload nor an ended session loses it.
 */
import { type ReadonlySignal, type Signal, useComputed, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { ApiProblem } from '../../api/problem.ts'
import { recall, remember } from '../../memory.ts'

export interface StoredDraft<Extra> {
  text: string
  revision: number
  /** What else the draft has; passed through. */
  extra: Extra
}

export interface DraftPort<Extra> {
  /** Undefined if the family has no draft yet. */
  read(): Promise<StoredDraft<Extra> | undefined>
  /** Throws `ApiProblem`, 412 where the draft was changed by somebody else since. */
  write(text: string, stored: StoredDraft<Extra> | undefined): Promise<StoredDraft<Extra>>
}

export interface Draft<Extra> {
  /** Takes in other changes on the server, and keeps what is typed. A text that changed there stays a conflict. */
  catchUp(newer: StoredDraft<Extra>): void
  text: Signal<string>
  stored: ReadonlySignal<StoredDraft<Extra> | undefined>
  phase: ReadonlySignal<'loading' | 'idle' | 'saving'>
  problem: ReadonlySignal<ApiProblem | undefined>
  isDirty: ReadonlySignal<boolean>
  /** True when unsaved text of an earlier visit was taken up. */
  isRecovered: ReadonlySignal<boolean>
  edit(text: string): void
  /** True when the server has what is typed. */
  save(): Promise<boolean>
  /** Throws away what is typed, and reads the server's draft again. */
  revert(): Promise<void>
}

/** @param starter what a family without a draft begins with */
export function useDraft<Extra>(id: string, starter: string, port: DraftPort<Extra>): Draft<Extra> {
  const key = `draft.${id}`
  const text = useSignal('')
  const stored = useSignal<StoredDraft<Extra> | undefined>(undefined)
  const phase = useSignal<'loading' | 'idle' | 'saving'>('loading')
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const isRecovered = useSignal(false)
  const saving = useRef<Promise<boolean>>(undefined)
  const isDirty = useComputed(() => text.value !== (stored.value?.text ?? '') && phase.value !== 'loading')

  async function attempt(work: () => Promise<void>): Promise<boolean> {
    problem.value = undefined
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
      return false
    } finally {
      phase.value = 'idle'
    }
  }

  /** Reads the stored draft; `unsaved` is text to show instead of it. */
  function load(unsaved?: string): Promise<boolean> {
    phase.value = 'loading'
    return attempt(async () => {
      stored.value = await port.read()
      isRecovered.value = unsaved !== undefined && unsaved !== stored.value?.text
      text.value = unsaved ?? stored.value?.text ?? starter
    })
  }

  async function saveNow(): Promise<boolean> {
    phase.value = 'saving'
    const sent = text.value
    const isSaved = await attempt(async () => {
      stored.value = await port.write(sent, stored.value)
    })
    if (isSaved && text.value === sent) {
      remember(key, undefined, 'tab')
      isRecovered.value = false
    }
    return isSaved
  }

  useLayoutEffect(() => void load(recall(key, 'tab')), [id])

  // Closing the window with unsaved work asks first.
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isDirty.peek() && stored.peek() !== undefined) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])

  return {
    text,
    stored,
    phase,
    problem,
    isDirty,
    isRecovered,
    edit(next) {
      text.value = next
      remember(key, next === stored.value?.text ? undefined : next, 'tab')
    },
    catchUp(newer) {
      const known = stored.peek()
      if (phase.peek() !== 'idle' || known === undefined) return
      if (newer.revision > known.revision && newer.text === known.text) stored.value = newer
    },
    async save() {
      // A save requested during another one then saves what was typed since.
      while (saving.current !== undefined) await saving.current
      if (phase.value !== 'idle') return false
      if (!isDirty.value) return true
      const saved = saveNow()
      saving.current = saved
      try {
        return await saved
      } finally {
        saving.current = undefined
      }
    },
    async revert() {
      remember(key, undefined, 'tab')
      isRecovered.value = false
      await load()
    },
  }
}
