import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { refusal, sessionOf } from '../support/canned.ts'
import { rejectionOf } from '../support/outcome.ts'
import { openWindow } from '../support/window.ts'

let passkeys: typeof import('../../src/console/passkeys.ts')
let session: typeof import('../../src/console/session.ts')
let giveBack: () => void
let sent: string[]
/** What the server answers, and what the browser does when it is asked for a passkey. */
let answers: Record<string, object>
let browser: (asked: unknown) => Promise<object | null>
const fetchBefore = globalThis.fetch

beforeEach(async () => {
  giveBack = openWindow('https://quire.test/')
  Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true })
  sent = []
  answers = {}
  browser = async (asked) => ({ toJSON: () => ({ answered: asked }) })
  globalThis.fetch = (async (path: string, { method, body }: RequestInit = {}) => {
    sent.push(`${method} ${path} ${body ?? ''}`.trim())
    const answer = answers[path]
    return answer instanceof Response ? answer : Response.json(answer)
  }) as never
  const PublicKeyCredential = {
    parseRequestOptionsFromJSON: (options: object) => ({ read: options }),
    parseCreationOptionsFromJSON: (options: object) => ({ read: options }),
  }
  for (const holder of [window, globalThis])
    Object.defineProperty(holder, 'PublicKeyCredential', { value: PublicKeyCredential, configurable: true })
  const credentials = {
    get: (asked: unknown) => browser({ get: asked }),
    create: (asked: unknown) => browser({ create: asked }),
  }
  Object.defineProperty(navigator, 'credentials', { value: credentials, configurable: true })
  passkeys = await import('../../src/console/passkeys.ts')
  session = await import('../../src/console/session.ts')
})
afterEach(() => {
  globalThis.fetch = fetchBefore
  Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
  giveBack()
})

describe('passkeys', () => {
  test('are offered for names on https alone, to browsers that read what the server sends', () => {
    const at = (hostname: string) => {
      const location = { hostname }
      Object.defineProperty(window, 'location', { value: location, configurable: true })
      return passkeys.passkeysWork()
    }
    expect(['quire.test', 'localhost', '10.test'].map(at)).toEqual([true, true, true])
    expect(['127.0.0.1', '[::1]', '[2001:db8::1]'].map(at)).toEqual([false, false, false])
    Object.defineProperty(window, 'isSecureContext', { value: false, configurable: true })
    expect(at('quire.test')).toBe(false)
    Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true })
    Reflect.deleteProperty(PublicKeyCredential, 'parseCreationOptionsFromJSON')
    expect(at('quire.test')).toBe(false)
    Reflect.deleteProperty(window, 'PublicKeyCredential')
    expect(at('quire.test')).toBe(false)
  })

  test('sign in: what the server asks goes to the browser, its answer to the server, and the session is open', async () => {
    answers['/api/v1/auth/passkey/start'] = { options: { challenge: 'c' } }
    answers['/api/v1/auth/passkey'] = sessionOf(['operator'])
    await passkeys.signInByPasskey()
    expect(sent).toEqual([
      'POST /api/v1/auth/passkey/start {}',
      'POST /api/v1/auth/passkey {"passkey":{"answered":{"get":{"publicKey":{"read":{"challenge":"c"}}}}}}',
    ])
    expect(session.session.value?.user.username).toBe('ada')
  })

  test('are a second factor', async () => {
    answers['/api/v1/auth/second-factor/passkey'] = { options: { challenge: 'c' } }
    answers['/api/v1/auth/second-factor'] = sessionOf(['operator'])
    await passkeys.giveSecondFactorByPasskey()
    expect(sent).toEqual([
      'POST /api/v1/auth/second-factor/passkey',
      'POST /api/v1/auth/second-factor {"passkey":{"answered":{"get":{"publicKey":{"read":{"challenge":"c"}}}}}}',
    ])
    expect(session.session.value?.user.username).toBe('ada')
  })

  test('are made by the browser as the server asks for them', async () => {
    answers['/api/v1/auth/factors/passkey/start'] = { options: { challenge: 'c' } }
    expect(await passkeys.makePasskey()).toEqual({ answered: { create: { publicKey: { read: { challenge: 'c' } } } } })
    expect(sent).toEqual(['POST /api/v1/auth/factors/passkey/start'])
  })

  test('that the browser refuses are told in words, and nothing is sent or open', async () => {
    answers['/api/v1/auth/factors/passkey/start'] = { options: {} }
    answers['/api/v1/auth/passkey/start'] = { options: {} }
    for (const [fault, detail] of [
      [new DOMException('x', 'InvalidStateError'), 'This device has a passkey for you already.'],
      [new DOMException('x', 'NotAllowedError'), 'The browser gave no passkey'],
      [new Error('x'), 'The browser gave no passkey'],
    ] as const) {
      browser = () => Promise.reject(fault)
      expect(await rejectionOf(passkeys.makePasskey())).toMatchObject({ detail: expect.stringContaining(detail) })
      expect(await rejectionOf(passkeys.signInByPasskey())).toMatchObject({
        code: 'passkey_refused',
        title: 'No passkey',
      })
    }
    expect(sent.filter((line) => !line.includes('/start'))).toEqual([])
    expect(session.session.value).toBeUndefined()
  })

  test('that the server refuses open nothing, and the browser is not asked where there was no question', async () => {
    const asked: unknown[] = []
    browser = async (question) => {
      asked.push(question)
      return { toJSON: () => ({}) }
    }
    answers['/api/v1/auth/passkey/start'] = refusal(429, 'rate_limited', 'Too many.')
    expect(await rejectionOf(passkeys.signInByPasskey())).toMatchObject({ code: 'rate_limited', detail: 'Too many.' })
    expect(asked).toEqual([])
    answers['/api/v1/auth/passkey/start'] = { options: {} }
    answers['/api/v1/auth/passkey'] = refusal(401, 'invalid_credentials', 'Not known.')
    expect(await rejectionOf(passkeys.signInByPasskey())).toMatchObject({ code: 'invalid_credentials' })
    expect([asked.length, session.session.value]).toEqual([1, undefined])
  })
})
