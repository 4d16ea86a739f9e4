import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Window } from 'happy-dom'

const source = join(import.meta.dir, '../../src/console')
const lent = ['window', 'document', 'Element', 'HTMLElement', 'MouseEvent'] as const
const before = lent.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)

/** Modules of the console look for a window when they are loaded, so each test loads its own. */
function forget(): void {
  for (const name of ['router.ts', 'history.ts']) delete require.cache[join(source, name)]
}
let router: typeof import('../../src/console/router.ts')
beforeEach(async () => {
  const window = new Window({ url: 'http://quire.test/executions/?state=failed&x=1' })
  // Nothing is laid out, so nothing scrolls.
  window.scrollTo = () => {}
  for (const name of lent) {
    const value = name === 'window' ? window : Reflect.get(window, name)
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  forget()
  router = await import('../../src/console/router.ts')
  router.startRouter()
})
afterEach(() => {
  for (const [name, descriptor] of before) {
    if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
    else Object.defineProperty(globalThis, name, descriptor)
  }
  forget()
})

const at = () => window.location.pathname + window.location.search
const steps = () => window.history.length

describe('an address of the console', () => {
  test('is the path without slashes at its end, and its query', () => {
    const { path, query } = router.place.value
    expect([path, query.get('state'), router.here()]).toEqual([
      '/executions',
      'failed',
      '/executions/?state=failed&x=1',
    ])
    router.go('/lab//')
    expect(router.place.value.path).toBe('/lab')
    router.go('/')
    expect(router.place.value.path).toBe('/')
  })

  test('is a step of the browser when somebody goes there, and none when it takes the place of another or is the same', () => {
    const first = steps()
    router.go('/lab?a=1')
    expect([at(), router.place.value.path, steps()]).toEqual(['/lab?a=1', '/lab', first + 1])
    router.go('/lab?a=1')
    expect(steps()).toBe(first + 1)
    router.go('/lab?a=2', { replace: true })
    expect([router.place.value.query.get('a'), steps()]).toEqual(['2', first + 1])
  })

  test('keeps its path and what else it asks for when one thing changes, without a step', () => {
    const first = steps()
    router.changeQuery({ x: '2', y: 'a b' })
    expect(at()).toBe('/executions/?state=failed&x=2&y=a+b')
    router.changeQuery({ state: undefined, y: '' })
    expect(at()).toBe('/executions/?x=2')
    router.changeQuery({ x: '' })
    expect([at(), steps()]).toEqual(['/executions/', first])
  })

  test('is that of the browser when it goes back by itself', () => {
    router.go('/lab')
    window.history.replaceState(null, '', '/storage')
    window.dispatchEvent(new window.Event('popstate'))
    expect(router.place.value.path).toBe('/storage')
  })
})

describe('a link', () => {
  /** Whether a click stays in the console, and where that leads. */
  function click(attributes: string, how: MouseEventInit = {}, on = 'a', prevented = false): string {
    document.body.innerHTML = `<a ${attributes}><b>there</b></a><p>text</p>`
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, button: 0, ...how })
    if (prevented) event.preventDefault()
    let isTaken = false
    // The last to hear of it: what is left to the browser leads nowhere here.
    window.addEventListener(
      'click',
      () => {
        isTaken = event.defaultPrevented && !prevented
        event.preventDefault()
      },
      { once: true },
    )
    document.querySelector(on)?.dispatchEvent(event)
    return isTaken ? at() : 'the browser’s'
  }

  test('within the console leads there without loading the page, wherever in it somebody clicks', () => {
    expect(click('href="/lab?a=1"')).toBe('/lab?a=1')
    expect(click('href="/storage"', {}, 'b')).toBe('/storage')
    expect(click('href="http://quire.test/lab"')).toBe('/lab')
  })

  test.each<[why: string, attributes: string, how: MouseEventInit, on: string]>([
    ['another button', 'href="/lab"', { button: 1 }, 'a'],
    ['Ctrl', 'href="/lab"', { ctrlKey: true }, 'a'],
    ['⌘', 'href="/lab"', { metaKey: true }, 'a'],
    ['Shift', 'href="/lab"', { shiftKey: true }, 'a'],
    ['Alt', 'href="/lab"', { altKey: true }, 'a'],
    ['another window', 'href="/lab" target="_blank"', {}, 'a'],
    ['a download', 'href="/lab" download', {}, 'a'],
    ['another host', 'href="http://other.test/lab"', {}, 'a'],
    ['an address that is no screen', 'href="/api/v1/contracts"', {}, 'a'],
    ['a place on the page', 'href="/lab#there"', {}, 'a'],
    ['what is no link', 'href="/lab"', {}, 'p'],
  ])('is the browser’s for %s', (_, attributes, how, on) => {
    expect(click(attributes, how, on)).toBe('the browser’s')
    expect(at()).toBe('/executions/?state=failed&x=1')
  })

  test('is nobody’s where its click was taken already', () => {
    click('href="/lab"', {}, 'a', true)
    expect(at()).toBe('/executions/?state=failed&x=1')
  })
})
