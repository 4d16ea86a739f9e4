import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { claimTab, keepsTyped } from '../../src/console/memory.ts'
import { PastKeeper } from '../../src/console/views/configuration/kept-past.ts'
import { TextKeeper, unsavedText } from '../../src/console/views/configuration/kept-text.ts'

describe('texts that are kept for the tab', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'window')
  const base = { text: 'saved', revision: 3 }
  const typed = { text: 'typed', base }
  let written: [string, string][]
  /** What the browser has no room for, by the end of its name. */
  let refused: RegExp | undefined

  beforeEach(() => {
    const window = new Window({ url: 'http://quire.test/' })
    const storage = window.sessionStorage
    written = []
    refused = undefined
    const sessionStorage = new Proxy(storage, {
      get(_, name) {
        if (name === 'setItem')
          return (key: string, value: string) => {
            if (refused?.test(key) === true) throw new Error('there is no room')
            written.push([key, value])
            storage.setItem(key, value)
          }
        const value = Reflect.get(storage, name)
        return typeof value === 'function' ? value.bind(storage) : value
      },
    })
    Object.defineProperty(globalThis, 'window', {
      value: { sessionStorage, localStorage: window.localStorage },
      configurable: true,
    })
    claimTab('ada')
  })
  afterEach(() => {
    if (before === undefined) delete (globalThis as { window?: unknown }).window
    else Object.defineProperty(globalThis, 'window', before)
  })

  test('are written once, and neither again nor elsewhere when they are thrown away and brought back', () => {
    const keeper = new TextKeeper('k-1')
    expect(keeper.keep('typed', typed)).toBe(true)
    const count = written.length
    keeper.keep('typed', typed)
    keeper.swap()
    expect(keeper.keep('discarded', typed)).toBe(true)
    expect([keeper.read('typed'), keeper.read('discarded')]).toEqual([undefined, typed])
    keeper.swap()
    keeper.keep('typed', typed)
    expect([keeper.read('typed'), keeper.read('discarded')]).toEqual([typed, undefined])
    expect(written.slice(count).filter(([, value]) => value.includes('typed'))).toEqual([])
  })

  test('are found again after a reload, what was thrown away beside what was typed since', () => {
    const keeper = new TextKeeper('k-1')
    keeper.keep('typed', typed)
    keeper.swap()
    const since = { text: 'typed since', base: undefined }
    keeper.keep('typed', since)
    const reloaded = new TextKeeper('k-1')
    expect([reloaded.read('typed'), reloaded.read('discarded')]).toEqual([since, typed])
    reloaded.forget('discarded')
    expect([reloaded.read('typed'), reloaded.read('discarded')]).toEqual([since, undefined])
    reloaded.forget('typed')
    expect(keepsTyped()).toBe(false)
    reloaded.keep('typed', typed)
    expect(new TextKeeper('k-1').read('typed')).toEqual(typed)
  })

  test('are kept whole or not at all, and a reload finds nothing of what had no room', () => {
    const keptNames = () => Object.keys(window.sessionStorage).filter((name) => name.startsWith('quire.draft'))
    for (const no of [/k-1$/, /base$/]) {
      const keeper = new TextKeeper('k-1')
      expect(keeper.keep('typed', { text: 'before', base })).toBe(true)
      refused = no
      expect(keeper.keep('typed', { text: 'longer', base: { ...base, revision: 4 } })).toBe(false)
      expect([keptNames(), keeper.read('typed')]).toEqual([[], undefined])
      refused = undefined
      // What was kept before is not taken for what is there.
      expect(keeper.keep('typed', { text: 'before', base })).toBe(true)
      expect(new TextKeeper('k-1').read('typed')).toEqual({ text: 'before', base })
      keeper.forget('typed')
    }
  })

  test('are written again with another base, whichever part of it is another', () => {
    const keeper = new TextKeeper('k-1')
    for (const other of [base, { ...base, revision: 4 }, { ...base, text: 'other' }, undefined, base]) {
      keeper.keep('typed', { text: 'typed', base: other })
      expect(new TextKeeper('k-1').read('typed')).toEqual({ text: 'typed', base: other })
    }
    expect([unsavedText('k-1'), unsavedText('k-2')]).toEqual(['typed', undefined])
  })

  test('have no base where what was kept is none', () => {
    const baseOf = (kept: string) => {
      window.sessionStorage.setItem('quire.draft.k-1', 'typed')
      window.sessionStorage.setItem('quire.draft.k-1.base', kept)
      return new TextKeeper('k-1').read('typed')?.base
    }
    expect(baseOf('{"text": "a", "revision": 2, "more": 1}')).toEqual({ text: 'a', revision: 2 })
    for (const kept of ['null', '1', '"text"', '{}', '{"text": "a"}', '{"revision": 2}'])
      expect(baseOf(kept)).toBeUndefined()
    for (const kept of ['{"text": 1, "revision": 2}', '{"text": "a", "revision": "2"}'])
      expect(baseOf(kept)).toBeUndefined()
  })

  test('keep what can be undone as far as there is room, the newest first', () => {
    const past = new PastKeeper('k-1', () => undefined)
    const step = (name: string, chars: number) => name.padEnd(chars - 2, 'x')
    const stepsOf = (done: readonly string[], undone: readonly string[]) => {
      past.keep({ text: 'now', steps: { done, undone } })
      const { steps } = past.recall('now') as { steps: { done: string[]; undone: string[] } }
      return [steps.done.map(([name]) => name).join(''), steps.undone.map(([name]) => name).join('')]
    }
    expect(stepsOf([step('a', 150_000), step('b', 150_000)], [])).toEqual(['ab', ''])
    expect(stepsOf([step('a', 150_001), step('b', 150_000)], [])).toEqual(['b', ''])
    expect(stepsOf([step('a', 9), step('b', 200_000)], [step('c', 100_001), step('d', 50_000)])).toEqual(['ab', 'd'])
    expect(stepsOf([step('a', 9), step('b', 300_001), step('c', 9)], [step('d', 9)])).toEqual(['c', 'd'])
    for (const none of [null, 'steps', {}, { done: [] }, { undone: [] }]) past.keep({ text: 'other', steps: none })
    expect(past.recall('other')).toBeUndefined()
    // Another text of the same letters is another one.
    expect([past.recall('won'), past.recall('now ')]).toEqual([undefined, undefined])
    expect(new PastKeeper('k-2', () => 'now').recall('now')).toBeUndefined()
  })
})
