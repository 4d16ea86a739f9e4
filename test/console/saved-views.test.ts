import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Window } from 'happy-dom'

describe('saved views', async () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'window')
  const put = (value: unknown) => Object.defineProperty(globalThis, 'window', { value, configurable: true })
  beforeEach(() => put(new Window({ url: 'http://quire.test/' })))
  put(new Window({ url: 'http://quire.test/' }))
  // These read the address of the page as they are loaded.
  const { recall, remember } = await import('../../src/console/memory.ts')
  const { forgetView, savedViews, saveView } = await import('../../src/console/saved-views.ts')
  afterEach(() => {
    if (before === undefined) delete (globalThis as { window?: unknown }).window
    else Object.defineProperty(globalThis, 'window', before)
  })
  const failed = { name: 'Failed', path: '/runs', query: 'state=failed' }

  test('are listed by name, and one of the same list and name is replaced', () => {
    expect(savedViews()).toEqual([])
    expect(saveView(failed)).toBe(true)
    const all = { name: 'All', path: '/runs', query: '' }
    const elsewhere = { ...failed, name: 'Other', path: '/batches' }
    for (const view of [elsewhere, all, { ...failed, path: '/batches' }]) saveView(view)
    saveView({ ...failed, query: 'state=dead' })
    expect(savedViews().map(({ name, path, query }) => `${name} ${path} ${query}`)).toEqual([
      'All /runs ',
      'Failed /batches state=failed',
      'Failed /runs state=dead',
      'Other /batches state=failed',
    ])
  })

  test('are forgotten one by one: neither its namesake of another list goes nor another of the same list', () => {
    const others = [
      { ...failed, path: '/batches' },
      { ...failed, name: 'Late' },
    ]
    for (const view of [failed, ...others]) saveView(view)
    forgetView(failed)
    expect(savedViews()).toEqual(others)
  })

  test('are a hundred at most, the one just saved among them', () => {
    for (let index = 100; index < 201; index++) saveView({ ...failed, name: `n${index}` })
    expect(savedViews()).toHaveLength(100)
    expect(savedViews().at(-1)?.name).toBe('n200')
  })

  test('leave out whatever the browser kept that is none', () => {
    const { query: _, ...partial } = failed
    remember('views.', JSON.stringify([null, 'text', partial, { ...failed, name: 1 }, failed]))
    expect(savedViews()).toEqual([failed])
    for (const kept of ['{', '{}', 'null']) {
      remember('views.', kept)
      expect(recall('views.')).toBe(kept)
      expect(savedViews()).toEqual([])
    }
  })
})
