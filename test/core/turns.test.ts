import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { canonicalHash, canonicalInParts, canonicalJson } from '../../src/core/canonical.ts'
import { contentHashInParts, contentHashOf, sha256Hex } from '../../src/core/hash.ts'
import { decodeUtf8, decodeUtf8InParts, readJson, readJsonInParts } from '../../src/core/json.ts'
import { limits } from '../../src/core/limits.ts'
import { atOnce, type InParts, inTurns, ownTurn, sliceClock } from '../../src/core/turns.ts'
import { requestHashOf } from '../../src/http/idempotent-request.ts'

let passedMs = 0
const { nowMs } = sliceClock

/** Work of so many parts, each as long as a slice unless said; `done` is told of each. */
function* work(
  parts: number,
  { done = () => {}, partMs = limits.turnMs }: { done?: () => void; partMs?: number } = {},
) {
  for (let part = 1; part <= parts; part++) {
    passedMs += partMs
    done()
    yield
  }
  return 'made'
}

/** How many turns of the event loop pass until the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await work
  isDone = true
  return turns
}

describe('work in turns', () => {
  beforeAll(() => {
    sliceClock.nowMs = () => passedMs
  })
  afterAll(() => {
    sliceClock.nowMs = nowMs
  })

  test('lets others run between slices', async () => {
    expect(await turnsDuring(inTurns(work(8)))).toBeGreaterThanOrEqual(7)
  })

  test('is done at once when it is small, whatever else is under way', async () => {
    const large = inTurns(work(3))
    let made = 0
    const partMs = limits.turnAtOnceMs / 3
    for (let small = 0; small < 64; small++) void inTurns(work(2, { partMs })).then(() => made++)
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    expect(made).toBe(64)
    expect(await large).toBe('made')
  })

  test('takes turns with other work of its kind, in the order in which it came, and shares one slice with it', async () => {
    const order: string[] = []
    const named = (name: string) => inTurns(work(3, { done: () => order.push(name) }))
    const turns = await turnsDuring(Promise.all([named('a'), named('b'), named('c')]))
    // Each finds out with its first part that it is large.
    expect(order.join('')).toBe('abcabcabc')
    expect(turns).toBeGreaterThanOrEqual(6)
  })

  test('hands on what it leaves of a slice', async () => {
    const partMs = limits.turnAtOnceMs
    const all = Promise.all(Array.from({ length: 12 }, () => inTurns(work(2, { partMs }))))
    // A slice has room for the second part of eight, and all of them take two slices.
    expect(await turnsDuring(all)).toBeLessThanOrEqual(3)
  })

  test('goes on after work that throws', async () => {
    function* broken(): InParts<never> {
      yield
      throw new Error('broken')
    }
    const settled = await Promise.allSettled([inTurns(broken()), inTurns(work(2)), inTurns(broken()), inTurns(work(2))])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
  })
})

describe('half a megabyte', () => {
  const list = { data: { l: Array.from({ length: 60_000 }, () => ({ x: 1 })) } }
  const keys = {
    data: Object.fromEntries(Array.from({ length: 45_000 }, (_, at) => [`k${(at * 7_919) % 45_000}`, at])),
  }

  test.each([
    ['list', list],
    ['keys', keys],
  ] as const)('of a %s is read and written in small parts', (_, value) => {
    const parts = { read: 0, written: 0 }
    const text = JSON.stringify(value)
    const read = atOnce(counted(readJsonInParts(text), () => parts.read++))
    expect(read).toEqual(readJson(text))
    const made = atOnce(counted(canonicalInParts(value), () => parts.written++))
    expect(made).toEqual({ text: canonicalJson(value), hash: canonicalHash(value) })
    expect(parts.read).toBeGreaterThan(20)
    expect(parts.written).toBeGreaterThan(20)
  })

  test('in several bodies is hashed while others get their turns', async () => {
    const body = { method: 'POST', path: '/x', ifMatch: null, body: keys }
    expect(await turnsDuring(Promise.all(Array.from({ length: 6 }, () => requestHashOf(body))))).toBeGreaterThan(4)
  })
})

function* counted<T>(work: InParts<T>, onPart: () => void): InParts<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value as T
    onPart()
    yield
  }
}

test('bytes of many megabytes are hashed, and looked at for what is no UTF-8, in parts', () => {
  const bytes = new Uint8Array(4_000_000).fill(0x61)
  bytes[3_000_000] = 0x0a
  const hashing = [...contentHashInParts(bytes)].length
  expect([hashing, atOnce(contentHashInParts(bytes)), contentHashOf(bytes)]).toEqual([
    3,
    sha256Hex(bytes),
    sha256Hex(bytes),
  ])
  bytes[3_999_998] = 0xff
  expect([...decodeUtf8InParts(bytes)].length).toBeGreaterThan(100)
  expect(decodeUtf8(bytes).findings).toMatchObject([{ code: 'json.utf8', line: 2, column: 999_998 }])
})

test('of those who want a turn of their own at once each gets one, with others between them', async () => {
  const seen: string[] = []
  const turns = ['one', 'two', 'three'].map((name) => ownTurn().then(() => seen.push(name)))
  const others = turnsDuring(Promise.all(turns).then(() => seen.push('all')))
  expect(seen).toEqual([])
  expect([(await others) >= 2, seen]).toEqual([true, ['one', 'two', 'three', 'all']])
})
