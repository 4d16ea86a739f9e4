import { describe, expect, test } from 'bun:test'
import { addMs, type Instant, parseInstant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Keys } from '../../../src/http/tokens.ts'
import { createFlowCookies, returnPathOf, type Wanted } from '../../../src/modules/oidc/oidc.flow.ts'

const at = parseInstant('2027-01-01T00:00:00.9Z')!
const origin = 'https://quire.test'
const wanted: Wanted = { origin, next: '/lab', isWindow: false }
const [secret, older] = ['x'.repeat(32), 'y'.repeat(32)]
const cookies = (...keys: Keys) => createFlowCookies(keys)
/** What a browser sends after it was given this cookie. */
const sent = (setCookie: string) => setCookie.split(';')[0] ?? ''
const notesOf = (setCookie: string) => {
  const [, value = ''] = sent(setCookie).split('=')
  return decodeURIComponent(value)
    .split('~')
    .filter((note) => note !== '')
}

describe('a sign-in at the provider', () => {
  test('is found again by its state in the browser that began it, with all that was kept of it', async () => {
    const flows = await cookies(secret)
    const kept = { sessionId: 's', sessionBefore: 'b', device: 'd', deviceNotes: 'n', isWindow: true }
    const { flow, cookie } = await flows.begin(null, { ...wanted, ...kept }, at)
    expect(flow).toMatchObject({ ...wanted, ...kept, isExpired: false, startedAtSeconds: Date.UTC(2027, 0) / 1000 })
    const ended = await flows.end(sent(cookie), [origin], flow.state, at)
    expect(ended?.flow).toEqual(flow)
    expect(await flows.end(sent(cookie), [origin], `${flow.state}x`, at)).toBeUndefined()
    expect(await flows.end(null, [origin], flow.state, at)).toBeUndefined()
  })

  test('has a state, a nonce and a verifier of its own, of which the browser has the state alone', async () => {
    const flows = await cookies(secret)
    const [one, other] = [await flows.begin(null, wanted, at), await flows.begin(null, wanted, at)]
    const secrets = [one, other].flatMap(({ flow }) => [flow.state, flow.nonce, flow.verifier])
    expect(new Set(secrets).size).toBe(6)
    const note = Buffer.from(notesOf(one.cookie)[0]?.split('.')[0] ?? '', 'base64url').toString()
    expect([one.flow.state, one.flow.nonce, one.flow.verifier].map((text) => note.includes(text))).toEqual([
      ...[true, false, false],
    ])
  })

  test('is in a cookie for requests alone that lasts as long as it, is sent on the way back, and goes with the last', async () => {
    const flows = await cookies(secret)
    const { flow, cookie } = await flows.begin(null, wanted, at)
    const attributes = (text: string) => text.split('; ').slice(1).sort()
    expect(attributes(cookie)).toEqual(
      ['HttpOnly', `Max-Age=${limits.oidcFlowMs / 1000}`, 'Path=/', 'SameSite=Lax', 'Secure'].sort(),
    )
    expect(cookie).toStartWith('__Host-quire-oidc=')
    expect((await flows.begin(null, { ...wanted, origin: 'http://quire.test' }, at)).cookie).toStartWith('quire-oidc=')
    const ended = await flows.end(sent(cookie), [origin], flow.state, at)
    expect([notesOf(ended?.cookie ?? 'x'), attributes(ended?.cookie ?? '').includes('Max-Age=0')]).toEqual([[], true])
  })

  test('lasts its time to the second, before and after, and is found as expired then', async () => {
    const flows = await cookies(secret)
    const { flow, cookie } = await flows.begin(null, wanted, at)
    const isExpired = async (now: Instant) => (await flows.end(sent(cookie), [origin], flow.state, now))?.flow.isExpired
    for (const sign of [1, -1]) {
      expect(await isExpired(addMs(at, sign * limits.oidcFlowMs))).toBe(false)
      expect(await isExpired(addMs(at, sign * (limits.oidcFlowMs + 1_000)))).toBe(true)
    }
  })

  test('stands beside those of other tabs, the newest first, no more than a few and none that is over', async () => {
    const flows = await cookies(secret)
    let cookie = ''
    const states: string[] = []
    for (let tab = 0; tab <= limits.oidcFlows; tab++) {
      const begun = await flows.begin(cookie, wanted, at)
      states.unshift(begun.flow.state)
      cookie = sent(begun.cookie)
    }
    const found = async (state: string) => (await flows.end(cookie, [origin], state, at))?.flow.state
    for (const [index, state] of states.entries())
      expect([index, await found(state)]).toEqual([index, index < limits.oidcFlows ? state : undefined])
    const ended = await flows.end(cookie, [origin], states[1] ?? '', at)
    expect(notesOf(ended?.cookie ?? '')).toHaveLength(limits.oidcFlows - 1)
    const later = addMs(at, limits.oidcFlowMs + 1_000)
    const fresh = await flows.begin(cookie, wanted, later)
    expect(notesOf(fresh.cookie)).toHaveLength(1)
    const both = `${cookie.slice(0, cookie.indexOf('=') + 1)}${[...notesOf(fresh.cookie), ...notesOf(cookie)].slice(0, 2).join('~')}`
    expect(notesOf((await flows.end(both, [origin], fresh.flow.state, later))?.cookie ?? 'x')).toEqual([])
  })

  test('leads back to the origin that it was begun from, of those that its host has', async () => {
    const flows = await cookies(secret)
    const { flow, cookie } = await flows.begin(null, wanted, at)
    expect(await flows.end(sent(cookie), ['https://other.test'], flow.state, at)).toBeUndefined()
    expect((await flows.end(sent(cookie), ['https://other.test', origin], flow.state, at))?.flow).toEqual(flow)
    expect(await flows.end(sent(cookie), ['http://quire.test'], flow.state, at)).toBeUndefined()
  })

  test('is ended by no note that was changed, and by an older key as long as that verifies', async () => {
    const { flow, cookie } = await (await cookies(older)).begin(null, wanted, at)
    const both = await cookies(secret, older)
    expect((await both.end(sent(cookie), [origin], flow.state, at))?.flow).toEqual(flow)
    expect((await both.begin(sent(cookie), wanted, at)).cookie.split('~')).toHaveLength(2)
    expect(await (await cookies(secret)).end(sent(cookie), [origin], flow.state, at)).toBeUndefined()
    expect(notesOf((await (await cookies(secret)).begin(sent(cookie), wanted, at)).cookie)).toHaveLength(1)
    const changed = sent(cookie).replace(/=(.)/, (_, first) => `=${first === 'e' ? 'f' : 'e'}`)
    expect(await both.end(changed, [origin], flow.state, at)).toBeUndefined()
  })
})

test('a way back never leads out of the console', () => {
  for (const path of ['/', '/lab', '/executions?state=failed&x=%20', `/${'x'.repeat(limits.oidcReturnChars - 1)}`])
    expect(returnPathOf(path)).toBe(path)
  const others = ['', 'lab', '//evil.test', '/\\evil.test', '/a\\b', '/a b', '/ä', '/a\n', 'https://evil.test', ' /']
  for (const other of [undefined, ...others, `/${'x'.repeat(limits.oidcReturnChars)}`])
    expect(returnPathOf(other)).toBe('/')
})
