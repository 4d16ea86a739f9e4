import { describe, expect, test } from 'bun:test'
import { addMs, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { codeOf } from '../../../src/http/tokens.ts'
import { newAppKey, stepOfCode } from '../../../src/modules/auth/app-codes.ts'
import type { FactorRow } from '../../../src/modules/auth/factors.store.ts'
import { credentialIdOf, requireName, siteOf } from '../../../src/modules/auth/passkey-proofs.ts'
import {
  authenticationOptions,
  checkAuthentication,
  checkRegistration,
  registrationOptions,
} from '../../../src/modules/auth/passkeys.ts'
import { qrCodeOf } from '../../../src/modules/auth/qr-code.ts'
import { newRecoveryCodes, recoveryHashOf } from '../../../src/modules/auth/recovery-codes.ts'
import { Authenticator } from '../../support/authenticator.ts'

const origin = 'https://quire.test:8443'
const site = siteOf(origin)
const at = instantOf('2026-11-29T10:00:00Z')
const encoded = (text: string) => Buffer.from(text).toString('base64url')
const passkey: FactorRow = {
  ...{ id: 'f', userId: 'u', kind: 'passkey', name: 'Key', key: '', credentialId: 'abc', host: 'quire.test' },
  ...{ transports: ['usb', 'nfc'], counter: 0, failures: 0, createdAt: at, lastUsedAt: null },
}

describe('what a browser is asked', () => {
  const known: FactorRow[] = [
    passkey,
    { ...passkey, credentialId: 'def', transports: null },
    { ...passkey, credentialId: 'elsewhere', host: 'other.test' },
    { ...passkey, kind: 'app', credentialId: null },
  ]
  const descriptors = [
    { type: 'public-key', id: 'abc', transports: ['usb', 'nfc'] },
    { type: 'public-key', id: 'def', transports: [] },
  ]

  test('to make a passkey of a kind that can be read, and none beside one of this site', () => {
    expect(registrationOptions(site, { id: 'u-1', username: 'ann', displayName: 'Ann' }, 'nonce', known)).toEqual({
      rp: { id: 'quire.test', name: 'Quire' },
      user: { id: encoded('u-1'), name: 'ann', displayName: 'Ann' },
      challenge: encoded('nonce'),
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      excludeCredentials: descriptors,
    })
  })

  test('to make sure who holds it only where it is all that is given', () => {
    const common = { rpId: 'quire.test', challenge: encoded('nonce'), timeout: 300_000 }
    expect(authenticationOptions(site, 'nonce')).toEqual({ ...common, userVerification: 'required' })
    expect(authenticationOptions(site, 'nonce', known)).toEqual({
      ...{ ...common, userVerification: 'preferred' },
      allowCredentials: descriptors,
    })
  })
})

describe('a new passkey', () => {
  const asked = { challenge: encoded('nonce'), rp: { id: 'quire.test' } }
  const isOurs = async (challenge: string) => challenge === 'nonce'
  const check = (answer: unknown) => checkRegistration(answer as never, site, isOurs)

  test('is kept with its id, its count and the ways to reach it, as many as there are kinds of them', async () => {
    const authenticator = new Authenticator(origin)
    const good = authenticator.register(asked, { counter: 7 })
    const ways = ['usb', 'x', 'a-b', 'with space', 7, 'UPPER', 'w'.repeat(20), 'w'.repeat(21)]
    const listed = [...ways, ...['ble', 'nfc', 'hybrid', 'internal']]
    expect(await check({ ...good, response: { ...good.response, transports: listed } })).toEqual({
      ...{ credentialId: authenticator.id, counter: 7, key: good.response.publicKey },
      transports: ['usb', 'a-b', 'w'.repeat(20), 'ble', 'nfc', 'hybrid'],
    })
    for (const transports of [undefined, 'usb', null, { 0: 'usb' }]) {
      expect(await check({ ...good, response: { ...good.response, transports } })).toMatchObject({ transports: [] })
    }
  })

  test('is refused where its id is longer than any, or than its data', async () => {
    const authenticator = new Authenticator(origin)
    const good = authenticator.register(asked)
    const data = Buffer.from(good.response.authenticatorData, 'base64url')
    const withId = (id: Buffer, says = id.length) => {
      const length = Buffer.from([says >> 8, says & 255])
      const whole = Buffer.concat([data.subarray(0, 53), length, id])
      const response = { ...good.response, authenticatorData: whole.toString('base64url') }
      return { ...good, id: id.toString('base64url'), response }
    }
    expect(await check(withId(Buffer.alloc(1_023, 7)))).toMatchObject({ counter: 1 })
    expect(await check(withId(Buffer.alloc(1_024, 7)))).toBeUndefined()
    expect(await check(withId(Buffer.alloc(16, 7), 17))).toBeUndefined()
    expect(await check(withId(Buffer.alloc(0)))).toBeUndefined()
    // More than was said may follow: the key, which is read elsewhere.
    expect(
      await check({ ...withId(Buffer.alloc(16, 7), 15), id: Buffer.alloc(15, 7).toString('base64url') }),
    ).toBeDefined()
  })

  test('answers what was asked here', async () => {
    const answer = new Authenticator(origin).register({ ...asked, challenge: encoded('another') })
    expect(await check(answer)).toBeUndefined()
    expect(await check(new Authenticator('https://quire.test').register(asked))).toBeUndefined()
  })
})

describe('a passkey that is used', () => {
  const asked = { challenge: encoded('nonce'), rpId: 'quire.test' }

  test('counts for what it signed alone, and must have made sure of its holder only where that is asked', async () => {
    const authenticator = new Authenticator(origin)
    const made = authenticator.register({ ...asked, rp: { id: 'quire.test' } })
    const row = { ...passkey, credentialId: authenticator.id, key: made.response.publicKey }
    const check = (answer: object, verifiesUser = false, isOurs = true) =>
      checkAuthentication(answer as never, row, site, { isOurs: async () => isOurs, verifiesUser })
    const good = authenticator.answer(asked, { counter: 9 })
    expect([await check(good), await check(good, true), await check(good, false, false)]).toEqual([9, 9, undefined])
    const unverified = authenticator.answer(asked, { counter: 9, isUnverified: true })
    expect([await check(unverified), await check(unverified, true)]).toEqual([9, undefined])
    expect(await check(authenticator.answer(asked, { isAbsent: true }))).toBeUndefined()
    expect(await check({ ...good, id: 'other' })).toBeUndefined()
    expect(await check(authenticator.answer({ ...asked, rpId: 'other.test' }))).toBeUndefined()
    expect(await check(authenticator.register({ ...asked, rp: { id: 'quire.test' } }))).toBeUndefined()
    const other = authenticator.answer(asked, { counter: 10 })
    expect(
      await check({ ...good, response: { ...good.response, authenticatorData: other.response.authenticatorData } }),
    ).toBeUndefined()
    expect(
      await check({ ...good, response: { ...good.response, signature: other.response.signature } }),
    ).toBeUndefined()
    const short = Buffer.from(good.response.authenticatorData, 'base64url').subarray(0, 36).toString('base64url')
    expect(await check({ ...good, response: { ...good.response, authenticatorData: short } })).toBeUndefined()
  })
})

test('a passkey is of a name, never of an address', () => {
  for (const host of ['127.0.0.1', '10.20.30.40', '[2001:db8::1]']) {
    expect(() => requireName({ origin, host })).toThrow(`Open Quire by a name instead of ${host}.`)
  }
  for (const host of ['localhost', 'quire.test', '1.example', 'a1'])
    expect(() => requireName({ origin, host })).not.toThrow()
  expect(siteOf('http://quire.test:8080')).toEqual({ origin: 'http://quire.test:8080', host: 'quire.test' })
})

test('the id that an answer names is cut where no passkey’s id would go on', () => {
  expect(credentialIdOf({ id: 'a'.repeat(limits.passkeyIdChars + 1) })).toBe('a'.repeat(limits.passkeyIdChars))
  for (const answer of [null, 'text', [{ id: 'x' }], { id: 7 }, {}]) expect(credentialIdOf(answer)).toBe('')
})

test('a code is of the step that it was shown in, the newest where two steps have the same', async () => {
  const key = new TextEncoder().encode('12345678901234567890')
  const now = Math.floor(Date.parse('2026-11-29T10:00:00Z') / 30_000)
  const tried = await Promise.all(
    [-2, -1, 0, 1, 2].map(async (off) => stepOfCode(key, await codeOf(key, now + off), at)),
  )
  expect(tried).toEqual([undefined, now - 1, now, now + 1, undefined])
  expect(await stepOfCode(key, await codeOf(key, now), addMs(at, 59_999))).toBe(now)
  expect(await stepOfCode(key, await codeOf(key, now), addMs(at, 60_000))).toBeUndefined()
  expect([newAppKey().length, Buffer.from(newAppKey()).equals(newAppKey())]).toEqual([20, false])
})

test('a recovery code is of its user alone, in any case and with any marks between', () => {
  const [code = ''] = newRecoveryCodes()
  const hash = recoveryHashOf('ann', code)
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(recoveryHashOf('ann', ` ${code.toUpperCase().replaceAll('-', '.')}\n`)).toBe(hash)
  for (const other of [
    recoveryHashOf('bob', code),
    recoveryHashOf('ann', `${code}2`),
    recoveryHashOf('ann', code.slice(1)),
  ])
    expect(other).not.toBe(hash)
  expect(newRecoveryCodes()).toHaveLength(limits.recoveryCodes)
})

test('a QR code is a square with a mark in three corners, row by row', async () => {
  const { size, path } = await qrCodeOf('otpauth://totp/Quire:ann?secret=ABC')
  const dark = new Set(path.match(/M\d+ \d+/g))
  expect(path.replace(/M\d+ \d+h1v1h-1z/g, '')).toBe('')
  expect((size - 21) % 4).toBe(0)
  const isDark = (x: number, y: number) => dark.has(`M${x} ${y}`)
  const mark = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111']
  const corner = (left: number, top: number) =>
    mark.map((_, y) => Array.from({ length: 7 }, (_none, x) => (isDark(left + x, top + y) ? 1 : 0)).join(''))
  expect([corner(0, 0), corner(size - 7, 0), corner(0, size - 7)]).toEqual([mark, mark, mark])
  expect(corner(size - 7, size - 7)).not.toEqual(mark)
  // Its version is the smallest that holds the text, and a longer text needs a larger one.
  expect((await qrCodeOf('x'.repeat(200))).size).toBeGreaterThan(size)
})
