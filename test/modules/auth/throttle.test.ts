import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { addMs, epochMsOf, type Instant, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database, Transaction } from '../../../src/db/database.ts'
import {
  type Attempt,
  attemptSucceeded,
  beginLogin,
  beginPasskeySignIn,
  beginPasswordChange,
  beginProviderSignIn,
  beginSecondFactor,
  Throttled,
} from '../../../src/modules/auth/throttle.ts'
import { openTestDatabase } from '../../support/database.ts'

const start = instantOf('2026-11-29T10:00:00Z')
const [here, nearby, elsewhere] = ['203.0.113.7', '2001:db8:1:2::1', '198.51.100.9']

describe('throttling', () => {
  let database: Database
  let at: Instant
  beforeAll(async () => {
    database = await openTestDatabase('sqlite')
  })
  beforeEach(async () => {
    at = start
    await database.write((tx) => tx.q.delete(tx.t.throttles))
  })
  afterAll(() => database.close())

  type Begin = (tx: Transaction) => Promise<Attempt>
  /** The counter that is blocked, and for how many seconds; undefined where the attempt is let through. */
  async function refusalOf(begin: Begin): Promise<[string, number] | undefined> {
    // What a refused attempt has counted stays counted: nothing is rolled back.
    const fault = await database.write((tx) =>
      begin(tx).then(
        () => undefined,
        (error: unknown) => error,
      ),
    )
    if (fault === undefined) return undefined
    if (!(fault instanceof Throttled)) throw fault
    return [fault.counted, (epochMsOf(fault.until) - epochMsOf(at)) / 1_000]
  }
  async function attempts(count: number, begin: Begin): Promise<void> {
    for (let one = 0; one < count; one++) expect([one, await refusalOf(begin)]).toEqual([one, undefined])
  }
  const login =
    (username = 'ann', address = here, device?: string): Begin =>
    (tx) =>
      beginLogin(tx, at, { username, address, device })
  const firstBlock = limits.throttleBlockMs / 1_000

  test('shuts an account after too many failures, from wherever they come, and no other account', async () => {
    const perAddress = (index: number) => login('ann', `203.0.113.${index}`)
    for (let one = 0; one < limits.throttleAccountFailures; one++) await attempts(1, perAddress(one))
    expect(await refusalOf(perAddress(99))).toEqual(['account', firstBlock])
    await attempts(1, login('bob', here))
  })

  test('doubles each further block up to the longest, counts nothing while it lasts, and starts over after the window', async () => {
    await attempts(limits.throttleAccountFailures, login())
    const blocks: number[] = []
    for (let round = 0; round < 5; round++) {
      const [, seconds] = (await refusalOf(login())) ?? []
      expect(await refusalOf(login())).toEqual(['account', seconds!])
      blocks.push(seconds!)
      at = addMs(at, seconds! * 1_000)
      // From another address each time: those have counters of their own.
      await attempts(1, login('ann', `192.0.2.${round}`))
    }
    at = addMs(start, limits.throttleWindowMs + limits.throttleBlockMaxMs)
    await attempts(limits.throttleAccountFailures, login('ann', elsewhere))
    expect((await refusalOf(login('ann', elsewhere)))?.[1]).toBe(firstBlock)
    expect(blocks).toEqual(
      Array.from({ length: 5 }, (_, round) => Math.min(limits.throttleBlockMaxMs / 1_000, firstBlock * 2 ** round)),
    )
  })

  test('shuts an address that tries many accounts, a network of IPv6 as one, and no other address', async () => {
    for (let one = 0; one < limits.throttleAddressFailures; one++)
      await attempts(1, login(`user-${one}`, nearby.replace(/1$/, String(one + 1))))
    expect(await refusalOf(login('another', nearby))).toEqual(['address', firstBlock])
    await attempts(1, login('another', elsewhere))
  })

  test('counts a browser that is known by itself, so that strangers do not keep the owner out', async () => {
    await attempts(limits.throttleAccountFailures, login('ann', elsewhere))
    expect((await refusalOf(login('ann', here)))?.[0]).toBe('account')
    await attempts(limits.throttleAccountFailures, login('ann', elsewhere, 'laptop'))
    expect(await refusalOf(login('ann', here, 'laptop'))).toEqual(['device', firstBlock])
    await attempts(1, login('ann', here, 'phone'))
    // Of one account: the same browser is counted anew for another.
    await attempts(1, login('bob', here, 'laptop'))
  })

  test('counts an address in which the account has logged in by itself, for as long as it is remembered', async () => {
    const attempt = await database.write((tx) => login()(tx))
    await database.write((tx) => attemptSucceeded(tx, at, attempt))
    await attempts(limits.throttleAccountFailures, login('ann', elsewhere))
    expect((await refusalOf(login('ann', elsewhere)))?.[0]).toBe('account')
    await attempts(limits.throttleAccountFailures, login('ann', here))
    expect(await refusalOf(login('ann', here))).toEqual(['pair', firstBlock])
    at = addMs(at, limits.throttleKnownMs + 1)
    const later = await database.write((tx) => login('ann', here)(tx))
    expect(later.counters.map(({ key }) => key.split(':')[0])).toEqual(['account', 'address'])
  })

  test('takes a right attempt back: all of the account’s failures, and of an address its own alone', async () => {
    await attempts(limits.throttleAccountFailures - 1, login())
    const right = await database.write((tx) => login()(tx))
    await database.write((tx) => attemptSucceeded(tx, at, right))
    const rows = await database.read.q.select().from(database.read.t.throttles)
    const failures = new Map(rows.map(({ key, failures: count }) => [key.split(':')[0], count]))
    expect(failures.get('account')).toBeUndefined()
    expect(failures.get('address')).toBe(limits.throttleAccountFailures - 1)
  })

  test.each([
    [
      'a second factor, by its user',
      'factor',
      limits.throttleAccountFailures,
      (tx: Transaction, who: string) => beginSecondFactor(tx, at, who),
    ],
    [
      'a change of password, by its user',
      'change',
      limits.throttleAccountFailures,
      (tx: Transaction, who: string) => beginPasswordChange(tx, at, who),
    ],
    [
      'a passkey, by its network',
      'address',
      limits.throttleAddressFailures,
      (tx: Transaction, who: string) => beginPasskeySignIn(tx, at, `${who}.0.0.1`),
    ],
    [
      'a sign-in by a provider, by its network',
      'address',
      limits.throttleAddressFailures,
      (tx: Transaction, who: string) => beginProviderSignIn(tx, at, { address: `${who}.0.0.1`, device: undefined }),
    ],
    [
      'a sign-in by a provider in a known browser',
      'device',
      limits.throttleAccountFailures,
      (tx: Transaction, who: string) => beginProviderSignIn(tx, at, { address: here, device: who }),
    ],
  ])('counts %s, and keeps nobody else out', async (_what, counted, threshold, begin) => {
    await attempts(threshold, (tx) => begin(tx, '10'))
    expect(await refusalOf((tx) => begin(tx, '10'))).toEqual([counted, firstBlock])
    await attempts(1, (tx) => begin(tx, '11'))
  })

  test('keeps what an address did at passkeys, at the provider and at passwords apart', async () => {
    await attempts(limits.throttleAddressFailures, (tx) => beginPasskeySignIn(tx, at, here))
    await attempts(1, (tx) => beginProviderSignIn(tx, at, { address: here, device: undefined }))
    await attempts(1, login('ann', here))
  })

  test('says how many seconds to wait, rounded up and one at least', () => {
    const waits = [1, 999, 1_001, 60_000].map((ms) => new Throttled('account:x', addMs(start, ms), start).message)
    expect(waits).toEqual([1, 1, 2, 60].map((seconds) => `Too many attempts. Try again in ${seconds} s.`))
  })
})
