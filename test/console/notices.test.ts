import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { refusal } from '../support/canned.ts'
import { openWindow } from '../support/window.ts'

describe('unread notices', () => {
  let notices: typeof import('../../src/console/notices.ts')
  let giveBack: () => void
  let answer: () => Response
  let asked: string[]
  const fetchBefore = globalThis.fetch
  beforeEach(async () => {
    giveBack = openWindow()
    asked = []
    globalThis.fetch = (async (path: string) => {
      asked.push(path)
      return answer()
    }) as never
    notices = await import('../../src/console/notices.ts')
  })
  afterEach(() => {
    globalThis.fetch = fetchBefore
    giveBack()
  })
  const have = (...read: boolean[]) => {
    answer = () => Response.json({ notices: read.map((is_read, id) => ({ id, is_read })) })
  }

  test('are counted anew each time, those that were read apart', async () => {
    for (const [read, count] of [
      [[], 0],
      [[false, true, false], 2],
      [[true, true, false], 1],
      [[true], 0],
    ] as const) {
      have(...read)
      await notices.countUnread()
      expect([read, notices.unread.value]).toEqual([read, count])
    }
    expect(asked).toEqual(Array(4).fill('/api/v1/auth/notices'))
  })

  test('stay as they were counted where the server refuses or does not answer, and nobody is asked to sign in', async () => {
    have(false, false)
    await notices.countUnread()
    const { useSessionSource } = await import('../../src/console/api/client.ts')
    const renewed: string[] = []
    useSessionSource({
      ...{ csrfToken: () => undefined, confirm: undefined, refresh: async () => {} },
      renew: async () => void renewed.push('renewed'),
    })
    for (const failing of [
      () => refusal(401, 'authentication_required', 'Ended.'),
      () => refusal(503, 'unavailable', 'Later.'),
      () => {
        throw new TypeError('no network')
      },
    ]) {
      answer = failing
      await notices.countUnread()
      expect([notices.unread.value, renewed]).toEqual([2, []])
    }
  })
})
