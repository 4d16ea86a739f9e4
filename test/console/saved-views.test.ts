import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openWindow } from '../support/window.ts'

describe('saved views', () => {
  let giveBack: () => void
  let recall: typeof import('../../src/console/memory.ts').recall
  let remember: typeof import('../../src/console/memory.ts').remember
  let views: typeof import('../../src/console/saved-views.ts')
  beforeEach(async () => {
    giveBack = openWindow()
    ;({ recall, remember } = await import('../../src/console/memory.ts'))
    views = await import('../../src/console/saved-views.ts')
  })
  afterEach(() => giveBack())
  const savedViews = () => views.savedViews()
  const failed = { name: 'Failed', path: '/runs', query: 'state=failed' }

  test('are listed by name, and one of the same list and name is replaced', () => {
    expect(savedViews()).toEqual([])
    views.saveView(failed)
    const all = { name: 'All', path: '/runs', query: '' }
    const elsewhere = { ...failed, name: 'Other', path: '/batches' }
    for (const view of [elsewhere, all, { ...failed, path: '/batches' }]) views.saveView(view)
    views.saveView({ ...failed, query: 'state=dead' })
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
    for (const view of [failed, ...others]) views.saveView(view)
    views.forgetView(failed)
    expect(savedViews()).toEqual(others)
  })

  test('are a hundred at most: the next is refused, none is lost for it, and one of the same name is still replaced', () => {
    for (let index = 100; index < 200; index++) views.saveView({ ...failed, name: `n${index}` })
    const names = () => savedViews().map(({ name }) => name)
    const all = names()
    expect(all).toHaveLength(100)
    for (const name of ['a new one', 'z new one'])
      expect(() => views.saveView({ ...failed, name })).toThrow(
        'You have 100 views in this browser. Choose one in its list and forget it first.',
      )
    expect(names()).toEqual(all)
    views.saveView({ ...failed, name: 'n100', query: 'state=dead' })
    expect([names(), savedViews()[0]?.query]).toEqual([all, 'state=dead'])
    views.forgetView({ ...failed, name: 'n150' })
    views.saveView({ ...failed, name: 'a new one' })
    expect(names()).toEqual(['a new one', ...all.filter((name) => name !== 'n150')])
  })

  test('are refused aloud where the browser keeps nothing', () => {
    Object.defineProperty(window, 'localStorage', { value: undefined })
    expect(() => views.saveView(failed)).toThrow('This browser has no room for it, or refuses to keep anything.')
    expect(savedViews()).toEqual([])
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
