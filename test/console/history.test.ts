import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Window } from 'happy-dom'

const path = join(import.meta.dir, '../../src/console/history.ts')
const lent = ['window', 'document', 'requestAnimationFrame'] as const
const before = lent.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)

let history: typeof import('../../src/console/history.ts')
/** Where the page was scrolled to, in order, and how long it is. */
let scrolled: number[]
let pageHeight: number
beforeEach(async () => {
  const window = new Window({ url: 'http://quire.test/', height: 100 })
  scrolled = []
  pageHeight = 5_000
  window.scrollTo = (_, y) => void scrolled.push(Number(y))
  Object.defineProperty(window.document.documentElement, 'scrollHeight', { get: () => pageHeight })
  const values = { window, document: window.document, requestAnimationFrame: (done: () => void) => setTimeout(done, 0) }
  for (const name of lent)
    Object.defineProperty(globalThis, name, { value: values[name], configurable: true, writable: true })
  delete require.cache[path]
  history = await import('../../src/console/history.ts')
  history.startHistory()
})
afterEach(() => {
  for (const [name, descriptor] of before) {
    if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
    else Object.defineProperty(globalThis, name, descriptor)
  }
  delete require.cache[path]
})

const scrollBy = (y: number) => {
  Object.defineProperty(window, 'scrollY', { value: y, configurable: true })
  window.dispatchEvent(new window.Event('scrollend'))
}
/** As the router does it: what the browser calls the new step. */
function goOn(): unknown {
  history.leaveStep()
  window.history.pushState(null, '')
  history.beginStep()
  scrollBy(0)
  return window.history.state
}
async function goBack(state: unknown): Promise<void> {
  scrolled = []
  window.history.replaceState(state, '')
  history.returnToStep()
  await Bun.sleep(10)
}

describe('a step of the browser’s history', () => {
  test('has what was kept in it when somebody comes back, and a new one has nothing', async () => {
    const first = window.history.state
    history.keepInStep('rows', [1])
    expect(history.keptInStep('rows')).toEqual([1])
    const second = goOn()
    expect([history.keptInStep('rows'), scrolled]).toEqual([undefined, [0]])
    history.keepInStep('rows', [2])
    await goBack(first)
    expect([history.keptInStep('rows'), history.keptInStep('others')]).toEqual([[1], undefined])
    await goBack(second)
    expect(history.keptInStep('rows')).toEqual([2])
    expect(history.stepState()).toEqual(second as { step: string })
  })

  test('is named anew where the browser has another’s name, or none, for it', async () => {
    history.keepInStep('rows', [1])
    for (const foreign of [null, 'x', {}, { step: 7 }]) {
      await goBack(foreign)
      expect([foreign, history.keptInStep('rows')]).toEqual([foreign, undefined])
      expect(window.history.state).toEqual({ step: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    }
  })

  test('is one of the last twenty that are remembered, by when they were used', async () => {
    const first = window.history.state
    history.keepInStep('rows', [1])
    const second = goOn()
    history.keepInStep('rows', [2])
    for (let step = 2; step < 20; step++) goOn()
    await goBack(first)
    expect(history.keptInStep('rows')).toEqual([1])
    goOn()
    await goBack(second)
    expect(history.keptInStep('rows')).toBeUndefined()
    await goBack(first)
    expect(history.keptInStep('rows')).toEqual([1])
  })
})

describe('a page that somebody comes back to', () => {
  test('is scrolled to where it was, as soon as it is long enough', async () => {
    const first = window.history.state
    scrollBy(700)
    goOn()
    pageHeight = 799
    await goBack(first)
    expect(scrolled).toEqual([])
    pageHeight = 800
    await Bun.sleep(20)
    expect(scrolled).toEqual([700])
    await Bun.sleep(10)
    expect(scrolled).toEqual([700])
  })

  test('stays at its top where it was there, and where somebody scrolls or types first, or goes on', async () => {
    const first = window.history.state
    goOn()
    await goBack(first)
    expect(scrolled).toEqual([])
    scrollBy(700)
    for (const sign of ['wheel', 'touchstart', 'keydown', 'pointerdown']) {
      goOn()
      pageHeight = 100
      await goBack(first)
      window.dispatchEvent(new window.Event(sign))
      await Bun.sleep(10)
      pageHeight = 5_000
      await Bun.sleep(10)
      expect([sign, scrolled]).toEqual([sign, []])
      scrollBy(700)
    }
    goOn()
    pageHeight = 100
    await goBack(first)
    goOn()
    pageHeight = 5_000
    await Bun.sleep(10)
    expect(scrolled).toEqual([0])
  })
})
