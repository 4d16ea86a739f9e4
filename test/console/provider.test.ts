import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { refusal } from '../support/canned.ts'
import { rejectionOf } from '../support/outcome.ts'
import { until } from '../support/until.ts'
import { openWindow } from '../support/window.ts'

let provider: typeof import('../../src/console/provider.ts')
let giveBack: () => void
let sent: string[]
let answer: () => Response
/** The window that was opened; undefined before, null where the browser opens none. */
let opened: { location: { href: string }; closed: boolean; isClosed: boolean; close(): void } | null | undefined
let hasFocus: boolean
/** How long the page waits between its looks at the window, which here is no time. */
let waitsMs: unknown[]
let onWait: (count: number) => void
let tookMs: number
const isLate = () => {}
const { fetch: fetchBefore, setTimeout: setTimeoutBefore } = globalThis

beforeEach(async () => {
  giveBack = openWindow()
  sent = []
  opened = undefined
  hasFocus = false
  waitsMs = []
  onWait = () => {}
  tookMs = 1
  document.hasFocus = () => hasFocus
  globalThis.setTimeout = ((action: () => void, ms: number) =>
    setTimeoutBefore(() => {
      onWait(waitsMs.push(ms))
      action()
    }, tookMs)) as never
  answer = () => Response.json({ location: 'https://provider.test/sign-in' })
  globalThis.fetch = (async (path: string, { method, body }: RequestInit = {}) => {
    sent.push(`${method} ${path} ${body ?? ''}`.trim())
    return answer()
  }) as never
  window.open = (() => {
    expect(sent).toEqual([])
    if (opened === null) return null
    opened = {
      location: { href: '' },
      closed: false,
      isClosed: false,
      close() {
        this.isClosed = true
      },
    }
    return opened
  }) as never
  provider = await import('../../src/console/provider.ts')
})
afterEach(() => {
  globalThis.fetch = fetchBefore
  globalThis.setTimeout = setTimeoutBefore
  giveBack()
})

/** Waits until the opened window is at the provider, and lets it come back. */
async function comeBack(query: string): Promise<void> {
  await until('the window is at the provider', () => opened?.location.href === 'https://provider.test/sign-in')
  window.close = () => {}
  provider.tellPage(new URLSearchParams(query))
}

describe('signing in at the provider in a window', () => {
  test.each(['start', 'confirm'] as const)(
    'opens it before anything is asked, and ends when it is back: %s',
    async (purpose) => {
      const asking = provider.askProvider(purpose, isLate)
      expect(opened).toBeDefined()
      await comeBack('ended=signed-in')
      await asking
      expect(sent).toEqual([`POST /api/v1/auth/oidc/${purpose} {"in_window":true}`])
      expect(opened?.isClosed).toBe(false)
    },
  )

  test('fails in words where it was refused there, and closes the window', async () => {
    const asking = provider.askProvider('start', isLate)
    const [told] = await Promise.allSettled([asking, comeBack('refused=no_role')])
    expect(told).toMatchObject({ status: 'rejected', reason: { code: 'sign_in_refused', status: 403 } })
    expect((told as PromiseRejectedResult).reason.detail).toContain('none of your groups has a role here')
    expect(opened?.isClosed).toBe(true)
  })

  test('fails where the server refuses, and leaves no window behind', async () => {
    answer = () => refusal(503, 'unavailable', 'Later.')
    expect(await rejectionOf(provider.askProvider('start', isLate))).toMatchObject({ code: 'unavailable' })
    expect(opened?.isClosed).toBe(true)
  })

  test('fails where the person closes the window and is back on the page: two looks, a second apart', async () => {
    const looks: boolean[] = []
    onWait = (count) => {
      looks.push(hasFocus && opened?.closed === true)
      if (count === 3) hasFocus = opened!.closed = true
    }
    expect(await rejectionOf(provider.askProvider('start', isLate))).toMatchObject({
      code: 'sign_in_refused',
      detail: 'You left the sign-in at the provider before it had ended. Begin it again here.',
    })
    expect([looks, new Set(waitsMs)]).toEqual([[false, false, false, true], new Set([1_000])])
    const looked = waitsMs.length
    await Bun.sleep(10)
    expect(waitsMs).toHaveLength(looked)
  })

  test('hears a window that only looked closed, until the next one is opened', async () => {
    let late = 0
    hasFocus = true
    onWait = () => {
      opened!.closed = true
    }
    await rejectionOf(provider.askProvider('start', () => late++))
    await comeBack('refused=no_role')
    await comeBack('ended=signed-in')
    await until('it is heard', () => late > 0)
    expect(late).toBe(1)
    onWait = () => {}
    sent = []
    const asking = provider.askProvider('start', () => late++)
    await comeBack('ended=signed-in')
    await asking
    await Bun.sleep(5)
    expect(late).toBe(1)
  })

  test.each([
    ['looks closed to the page, which has no focus', { closed: true, focus: false }],
    ['is open while the person looks at the page', { closed: false, focus: true }],
  ])('goes on while the window %s, and then looks no more', async (_, { closed, focus }) => {
    const asking = provider.askProvider('start', isLate)
    opened!.closed = closed
    hasFocus = focus
    await until('the page has looked five times', () => waitsMs.length >= 5)
    await comeBack('ended=signed-in')
    await asking
    await Bun.sleep(5)
    const looked = waitsMs.length
    await Bun.sleep(10)
    expect(waitsMs).toHaveLength(looked)
  })

  test('takes what a window told that closed itself at once', async () => {
    const asking = provider.askProvider('start', isLate)
    onWait = () => {
      if (opened!.closed) return
      // What it told is to be there by the second look.
      tookMs = 100
      hasFocus = opened!.closed = true
      provider.tellPage(new URLSearchParams('ended=signed-in'))
    }
    window.close = () => {}
    await asking
  })

  test('says so where the browser opens none, and asks nothing', async () => {
    opened = null
    expect(await rejectionOf(provider.askProvider('start', isLate))).toMatchObject({
      detail: expect.stringContaining('The browser opened no window.'),
    })
    expect(sent).toEqual([])
  })
})

describe('what the provider’s refusal is called', () => {
  test('is known words alone, whatever an address says', () => {
    expect(provider.problemOf('throttled').detail).toBe('Too many sign-ins failed. Try again in a few minutes.')
    for (const foreign of ['', 'call 555', '<b>', 'constructor', '__proto__', 'toString'])
      expect([foreign, provider.problemOf(foreign).detail]).toEqual([
        foreign,
        'The answer of the provider could not be believed. Try again; if it goes on, tell an administrator.',
      ])
  })

  test('has a reference only where it can be one', () => {
    const shown = (reference: string) => provider.problemOf('no_role', reference).correlationId
    for (const reference of ['c-1', 'a.b_c:d-9', 'x'.repeat(128)]) expect(shown(reference)).toBe(reference)
    for (const reference of ['', 'x'.repeat(129), 'call 555', '<b>', 'c-1\n']) expect(shown(reference)).toBe('')
  })
})

describe('the ways to sign in', () => {
  test('are asked for until they are known, and then no more; without an answer they stay unknown', async () => {
    answer = () => refusal(503, 'unavailable', 'Later.')
    await provider.readMethods()
    expect(provider.methods.value).toBeUndefined()
    const methods = { passwords: true, provider: null }
    answer = () => Response.json(methods)
    await provider.readMethods()
    await provider.readMethods()
    expect([provider.methods.value as unknown, sent.length]).toEqual([methods, 2])
  })
})
