import { describe, expect, test } from 'bun:test'
import { Fault } from '../../src/core/faults.ts'
import { limits } from '../../src/core/limits.ts'
import { openRooms, Room, type RoomName, type RoomSize, roomOf } from '../../src/http/admission.ts'

const size: RoomSize = { atOnce: 3, atOncePerUser: 2, waiting: 4, waitingPerUser: 3, waitMs: 60_000 }

/** A room with work that goes on until it is told to end, and the names of what has begun. */
function open(sizes: Partial<RoomSize> = {}) {
  const room = new Room({ ...size, ...sizes })
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const enter = (user: string, name: string) =>
    room
      .run(user, () => {
        begun.push(name)
        return new Promise<string>((resolve, reject) => {
          ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)))
        })
      })
      .catch((error: unknown) => error)
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error)
    await Bun.sleep(1)
  }
  return { begun, enter, end }
}

describe('a room', () => {
  test('lets in as many as it holds, of one user fewer, and the others when somebody leaves', async () => {
    const { begun, enter, end } = open()
    const ada = ['a1', 'a2', 'a3'].map((name) => enter('ada', name))
    const ben = ['b1', 'b2'].map((name) => enter('ben', name))
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    await end('b1')
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2'])
    await end('a1')
    expect(begun.at(-1)).toBe('a3')
    for (const name of ['a2', 'a3', 'b2']) await end(name)
    expect(await Promise.all([...ada, ...ben])).toEqual(['a1', 'a2', 'a3', 'b1', 'b2'])
  })

  test('gives users their turns, however many of one wait', async () => {
    const { begun, enter, end } = open({ atOnce: 1, atOncePerUser: 1 })
    for (const [user, name] of [
      ['ada', 'a1'],
      ['ada', 'a2'],
      ['ada', 'a3'],
      ['ben', 'b1'],
      ['eve', 'e1'],
    ] as const)
      void enter(user, name)
    for (const name of ['a1', 'a2', 'b1', 'e1']) await end(name)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'e1', 'a3'])
  })

  test('sends away who would be one too many to wait, of one user and in all', async () => {
    const { begun, enter } = open({ atOnce: 1, atOncePerUser: 1 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) void enter('ada', name)
    expect(await enter('ada', 'a5')).toMatchObject({
      status: 503,
      extras: { retryAfterSeconds: 1, isTurnedAway: true },
    })
    void enter('ben', 'b1')
    const refused = await enter('ben', 'b2')
    expect(refused).toBeInstanceOf(Fault)
    expect(begun).toEqual(['a1'])
  })

  test('sends away who has waited too long, and the place goes to the next', async () => {
    const { begun, enter, end } = open({ atOnce: 1, atOncePerUser: 1, waitMs: 30 })
    void enter('ada', 'a1')
    expect(await enter('ada', 'a2')).toMatchObject({ status: 503 })
    void enter('ben', 'b1')
    await end('a1')
    expect(begun).toEqual(['a1', 'b1'])
    await Bun.sleep(60)
    await end('b1')
  })

  test('has the place back after work that failed', async () => {
    const { begun, enter, end } = open({ atOnce: 1, atOncePerUser: 1 })
    const failing = enter('ada', 'a1')
    void enter('ada', 'a2')
    await end('a1', new Error('no'))
    expect(await failing).toMatchObject({ message: 'no' })
    expect(begun).toEqual(['a1', 'a2'])
  })
})

test('reads, changes and trials have rooms of their own', () => {
  expect(roomOf({ method: 'GET', isTrial: false })).toBe('reads')
  expect(roomOf({ method: 'PUT', isTrial: false })).toBe('changes')
  expect(roomOf({ method: 'POST', isTrial: true })).toBe('trials')
})

test('each room has its own places and its own queue, of which one user has no more than a share', async () => {
  const { requestsWaiting, requestUserPercent, trialsWaiting, trialUserPercent } = limits
  const sizes: Record<RoomName, [atOnce: number, waiting: number, percent: number]> = {
    arrivals: [limits.arrivalsAtOnce, requestsWaiting, requestUserPercent],
    reads: [limits.readsAtOnce, requestsWaiting, requestUserPercent],
    changes: [limits.changesAtOnce, requestsWaiting, requestUserPercent],
    trials: [limits.trialsAtOnce, trialsWaiting, trialUserPercent],
  }
  const names = ['arrivals', 'reads', 'changes', 'trials'] as const
  /** How many are at work, and how many are sent away, when so many ask at once. */
  async function crowd(name: RoomName, count: number, userOf: (index: number) => string) {
    const ends = Promise.withResolvers<void>()
    const counted = { atWork: 0, sentAway: 0 }
    const room = openRooms()[name]
    const all = Array.from({ length: count }, (_, index) =>
      room
        .run(userOf(index), () => {
          counted.atWork++
          return ends.promise
        })
        .catch(() => counted.sentAway++),
    )
    await Bun.sleep(0)
    const seen = { ...counted }
    ends.resolve()
    await Promise.all(all)
    return seen
  }
  for (const name of names) {
    const [atOnce, waiting, percent] = sizes[name]
    const share = (of: number) => Math.ceil((of * percent) / 100)
    expect([name, await crowd(name, atOnce + waiting + 3, String)]).toEqual([name, { atWork: atOnce, sentAway: 3 }])
    const ofOne = { atWork: share(atOnce), sentAway: 2 }
    expect([name, await crowd(name, share(atOnce) + share(waiting) + 2, () => 'ada')]).toEqual([name, ofOne])
  }
})
