import { describe, expect, test } from 'bun:test'
import { Fault } from '../../src/core/faults.ts'
import { Room, type RoomSize, roomOf } from '../../src/http/admission.ts'

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
