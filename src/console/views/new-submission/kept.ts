/** What is filled in and not submitted, kept for the tab: a reload or a visit to another screen loses nothing. */
import { type Signal, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { recall, remember } from '../../memory.ts'
import type { ParamTexts } from '../../params.ts'

export interface Filled {
  text: string
  reference: string
  /** Local time, as its field has it; empty for the instant of receipt. */
  time: string
  params: ParamTexts
  /** Groups that somebody opened or folded, by pointer. */
  toggled: readonly string[]
  /** Alternatives that somebody chose, by pointer. */
  chosen: Readonly<Record<string, number>>
}

export const nothingFilled: Filled = { text: '', reference: '', time: '', params: {}, toggled: [], chosen: {} }

/** Half a megabyte takes some milliseconds to write, so not with every key. */
const pauseMs = 300

export interface Keeping {
  filled: Signal<Filled>
  change(part: Partial<Filled>): void
  /** Whether the browser keeps it. */
  isKept: Signal<boolean>
  /** Whether something was there already. */
  wasKept: boolean
}

/** @param key what it is filled in for; undefined while that is not chosen */
export function useFilled(key: string | undefined): Keeping {
  const name = key === undefined ? undefined : `submission.${key}`
  const before = useRef<{ name: string | undefined; kept: Filled | undefined }>(undefined)
  if (before.current?.name !== name || before.current === undefined) before.current = { name, kept: read(name) }
  const filled = useSignal<Filled>(before.current.kept ?? nothingFilled)
  const isKept = useSignal(true)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useLayoutEffect(() => {
    filled.value = read(name) ?? nothingFilled
    const flush = () => {
      if (timer.current === undefined) return
      clearTimeout(timer.current)
      timer.current = undefined
      write()
    }
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [name])

  function write(): void {
    if (name === undefined) return
    const now = filled.peek()
    const isNothing = JSON.stringify(now) === JSON.stringify(nothingFilled)
    isKept.value = remember(name, isNothing ? undefined : JSON.stringify(now), 'tab')
  }

  return {
    filled,
    isKept,
    wasKept: before.current.kept !== undefined,
    change(part) {
      filled.value = { ...filled.peek(), ...part }
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        timer.current = undefined
        write()
      }, pauseMs)
    },
  }
}

function read(name: string | undefined): Filled | undefined {
  const kept = name === undefined ? undefined : recall(name, 'tab')
  if (kept === undefined) return undefined
  try {
    const found: unknown = JSON.parse(kept)
    if (typeof found !== 'object' || found === null || !('text' in found)) return undefined
    const { text } = found
    return typeof text === 'string' ? { ...nothingFilled, ...found, text } : undefined
  } catch {
    return undefined
  }
}
