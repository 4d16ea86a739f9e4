import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { claimTab, emptyTab, keepsTyped, leaveTab, recall, remember } from '../../src/console/memory.ts'

describe('what the tab keeps', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'window')
  const put = (value: unknown) => Object.defineProperty(globalThis, 'window', { value, configurable: true })
  beforeEach(() => {
    put(new Window({ url: 'http://quire.test/' }))
    claimTab('ada')
  })
  afterEach(() => {
    if (before === undefined) delete (globalThis as { window?: unknown }).window
    else Object.defineProperty(globalThis, 'window', before)
  })

  test('is of one person: another finds nothing of it, and the same person all', () => {
    expect(remember('draft', 'typed', 'tab')).toBe(true)
    claimTab('ada')
    expect([recall('draft', 'tab'), keepsTyped()]).toEqual(['typed', true])
    claimTab('grace')
    expect([recall('draft', 'tab'), keepsTyped()]).toEqual([undefined, false])
  })

  test('takes nothing more once it is left, and takes again from whoever signs in where the page stayed', () => {
    leaveTab()
    expect(remember('draft', 'late', 'tab')).toBe(false)
    emptyTab()
    expect(recall('draft', 'tab')).toBeUndefined()
    claimTab('ada')
    expect(remember('draft', 'typed', 'tab')).toBe(true)
    expect(recall('draft', 'tab')).toBe('typed')
  })

  test('is apart from what the device keeps, which a left tab still writes', () => {
    remember('theme', 'dark')
    expect(recall('theme', 'tab')).toBeUndefined()
    leaveTab()
    expect(remember('theme', 'light')).toBe(true)
    expect(recall('theme')).toBe('light')
    remember('theme', undefined)
    expect(recall('theme')).toBeUndefined()
    expect(window.localStorage.length).toBe(0)
  })

  test('is nothing where the browser refuses storage, and nothing fails', () => {
    put({
      get localStorage() {
        throw new Error('refused')
      },
      get sessionStorage() {
        throw new Error('refused')
      },
    })
    expect([recall('theme'), remember('theme', 'dark'), keepsTyped()]).toEqual([undefined, false, false])
    claimTab('grace')
  })
})
