import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { claimTab, keepsTyped } from '../../src/console/memory.ts'
import { TextKeeper } from '../../src/console/views/configuration/kept-text.ts'

describe('texts that are kept for the tab', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'window')
  const base = { text: 'saved', revision: 3 }
  const typed = { text: 'typed', base }
  let written: [string, string][]

  beforeEach(() => {
    const window = new Window({ url: 'http://quire.test/' })
    const storage = window.sessionStorage
    written = []
    const sessionStorage = new Proxy(storage, {
      get(_, name) {
        if (name === 'setItem')
          return (key: string, value: string) => {
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
})
