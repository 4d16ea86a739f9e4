import { describe, expect, test } from 'bun:test'
import { addMs, parseInstant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { type ChallengePurpose, createPasskeyChallenges } from '../../../src/modules/auth/passkey-challenges.ts'

const at = parseInstant('2027-01-01T00:00:00.9Z')!
const purpose: ChallengePurpose = { kind: 'add', sessionId: 's', origin: 'https://quire.test' }
const [secret, older] = ['x'.repeat(32), 'y'.repeat(32)]

describe('the challenge of a passkey', () => {
  test('is for the act, the session and the origin that it was made for, and for no other', async () => {
    const challenges = await createPasskeyChallenges([secret])
    const challenge = await challenges.make(purpose, at)
    expect(await challenges.isFor({ ...purpose }, challenge, at)).toBe(true)
    const others: Partial<ChallengePurpose>[] = [
      ...(['second_factor', 'sign_in'] as const).map((kind) => ({ kind })),
      ...[{ sessionId: '' }, { sessionId: 't' }, { origin: 'http://quire.test' }],
    ]
    for (const other of others)
      expect([other, await challenges.isFor({ ...purpose, ...other }, challenge, at)]).toEqual([other, false])
  })

  test('is another one each time, and none that was changed is taken', async () => {
    const challenges = await createPasskeyChallenges([secret])
    const [one, other] = [await challenges.make(purpose, at), await challenges.make(purpose, at)]
    expect(one).not.toBe(other)
    const [nonce = '', seconds = '', signature = ''] = one.split('.')
    const [foreign = ''] = other.split('.')
    const changed = [`${foreign}.${seconds}.${signature}`, `${nonce}.${Number(seconds) + 1}.${signature}`]
    for (const text of [...changed, `${nonce}.${seconds}.`, `${nonce}.${seconds}`, `${one}x`, `x${one}`, ` ${one}`, ''])
      expect([text, await challenges.isFor(purpose, text, at)]).toEqual([text, false])
  })

  test('is good for its time to the second, before and after, since a clock may be set back', async () => {
    const challenges = await createPasskeyChallenges([secret])
    const challenge = await challenges.make(purpose, at)
    for (const sign of [1, -1]) {
      expect(await challenges.isFor(purpose, challenge, addMs(at, sign * limits.passkeyMs))).toBe(true)
      expect(await challenges.isFor(purpose, challenge, addMs(at, sign * (limits.passkeyMs + 1_000)))).toBe(false)
    }
  })

  test('is taken by every key that verifies, and made with the first', async () => {
    const challenge = await (await createPasskeyChallenges([older])).make(purpose, at)
    const both = await createPasskeyChallenges([secret, older])
    const now = await createPasskeyChallenges([secret])
    expect(await both.isFor(purpose, challenge, at)).toBe(true)
    expect(await now.isFor(purpose, challenge, at)).toBe(false)
    expect(await now.isFor(purpose, await both.make(purpose, at), at)).toBe(true)
  })
})
