import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { commitNews } from '../../src/bus/outbox.ts'
import { idSource } from '../../src/core/ids.ts'
import { handleSource } from '../../src/db/libsql-connection.ts'
import { plantedBugs } from './breaks.ts'
import { runHistory } from './history.ts'
import { type EndState, problemsAtTheEnd } from './model.ts'
import type { Plan } from './plan.ts'
import { type PreparedStore, prepareStore } from './store.ts'

/** CI runs the same ones each time; `bun run simulate` runs as many others as somebody wants. */
const FIRST_SEED = 20_261_124
const HISTORIES = 60

let store: PreparedStore
beforeAll(async () => {
  store = await prepareStore()
})

test('every promise is kept in each of these histories', () => {
  const broken: string[] = []
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
    const { problems } = runHistory(seed, store)
    // `bun run simulate --replay SEED` shows what happened.
    for (const problem of problems) broken.push(`seed ${seed}: ${problem}`)
  }
  expect(broken).toEqual([])
}, 300_000)

test('one seed gives the same trace each time, whatever ran before it and whether or not it is told in words', () => {
  const seeds = [3, 4, 5, 6, 7, 8]
  const first = seeds.map((seed) => runHistory(seed, store).hash)
  expect(new Set(first).size).toBe(seeds.length)
  const again = seeds.toReversed().map((seed) => runHistory(seed, store, { keepsTrace: true }).hash)
  expect(again.toReversed()).toEqual(first)
})

describe('the model names', () => {
  const withoutObjects = (end: EndState): EndState => ({ ...end, stored: new Map() })
  const changed =
    (...statements: string[]) =>
    (end: EndState) => {
      for (const statement of statements) end.memory.exec(statement)
      return end
    }
  /** A second row like one that is there, with another id. */
  const doubled = (table: string, where: string, change: string) =>
    changed(
      `create temp table another as select * from ${table} where ${where} limit 1`,
      `update another set id = 'another', ${change}`,
      `insert into ${table} select * from another`,
      'drop table another',
    )
  const letter = {
    atMs: 0,
    key: 'submission-0',
    path: 'letter',
    rawInput: '{}',
    refused: undefined,
    isDoubled: false,
  } as const
  const quiet = (more: Partial<Plan> = {}): EndState => {
    let left: EndState | undefined
    const plan: Plan = {
      mode: 'embedded',
      instances: 1,
      clocksAheadMs: [0],
      submissions: [letter],
      faults: [],
      ...more,
    }
    const onEnd = (end: EndState) => {
      left = end
    }
    const { problems } = runHistory(1, store, { plan, onEnd })
    expect(problems).toEqual([])
    if (left === undefined) throw new Error('the history had no end')
    return left
  }
  const newest = 'select max(position) from audit_records'
  const tamperings: [what: string, tamper: (end: EndState) => EndState, named: RegExp][] = [
    ['a submission that is lost', changed('delete from submissions'), /acknowledged as .* which is not there/],
    [
      'one that is made twice',
      doubled('submissions', '1 = 1', 'correlation_id = correlation_id'),
      /2 submissions were made of 1/,
    ],
    ['an execution without its end', changed("update executions set status = 'processing'"), /processing instead of/],
    ['an artifact that is made twice', doubled('artifacts', "kind = 'pdf'", "kind = 'txt'"), /3 artifacts/],
    ['another output', changed("update executions set output = '{}'"), /another output/],
    ['an object that is not there', withoutObjects, /is not in the store/],
    ['a step that is left', changed("update steps set status = 'queued' where position = 4"), /is left queued/],
    ['a step that has an owner', changed("update steps set lease_owner = 'x' where position = 4"), /has an owner/],
    ['an attempt that was not begun', changed('update steps set attempt = 4'), /counts 4 attempts/],
    ['a gap in the outbox', changed('delete from events where sequence = 2'), /gap in its events/],
    ['an event of something undone', changed('delete from events where sequence = 3'), /never committed/],
    ['an event left', changed('update events set published_at = null where sequence = 1'), /left unpublished/],
    ['an event nobody took', (end) => ({ ...end, taken: [] }), /the broker never took it/],
    ['events out of order', (end) => ({ ...end, taken: end.taken.toReversed() }), /came after/],
    [
      'a step that succeeded twice',
      doubled('events', `type = 'step.succeeded' and data like '%"render"%'`, 'sequence = sequence + 50'),
      /succeeded twice/,
    ],
    [
      'a record out of the chain',
      changed(`update audit_records set position = null where position = (${newest})`),
      /left out/,
    ],
    [
      'a chain that is broken',
      changed(`update audit_records set previous_hash = 'x' where position = (${newest})`),
      /broken at/,
    ],
    ['a chain that is cut', changed(`delete from audit_records where position = (${newest})`), /newest head/],
  ]

  test.each(tamperings)('%s', (_what, tamper, named) => {
    const end = quiet()
    expect(problemsAtTheEnd(tamper(end)).join('\n')).toMatch(named)
  })

  const row = { ...letter, key: 'row-1', path: 'model', rawInput: '{"object":"row-1"}' } as const
  const batch = { atMs: 0, key: 'batch', rows: [row], pause: undefined, cancelAfterMs: undefined }
  const receivers = [{ name: 'receiver', atMs: 0, types: undefined, removedAtMs: undefined }]
  const retention = { atMs: 0, keepDays: 20, parts: {}, hold: undefined, leapDays: [5.5], repeatAfterMs: undefined }
  const gone = { ...retention, parts: { raw_input: 1, events: 2, artifacts: 3 } }
  const withArrivals =
    (change: (arrivals: EndState['arrivals']) => EndState['arrivals']) =>
    (end: EndState): EndState => ({ ...end, arrivals: change(end.arrivals) })
  const later: [what: string, plan: Partial<Plan>, tamper: (end: EndState) => EndState, named: RegExp][] = [
    [
      'a row submitted twice',
      { batch },
      doubled('submissions', "object_reference = 'row-1'", "id = 'x'"),
      /submitted 2 times/,
    ],
    [
      'a row left',
      { batch },
      changed("update batch_rows set state = 'submitted'"),
      /is submitted instead of completed/,
    ],
    ['a batch left', { batch }, changed("update batches set status = 'running'"), /is left running/],
    [
      'a batch that went on',
      { batch },
      (end) => ({ ...end, batch: end.batch && { ...end.batch, cancelledAt: 0 } }),
      /cancelled, and went on/,
    ],
    ['a delivery that is lost', { receivers }, withArrivals((all) => all.slice(0, -1)), /never took/],
    ['deliveries out of order', { receivers }, withArrivals((all) => all.toReversed()), /came after/],
    [
      'a delivery that nobody signed',
      { receivers },
      withArrivals((all) => all.map((one) => ({ ...one, body: `${one.body} ` }))),
      /was not signed/,
    ],
    [
      'one that overtakes',
      { receivers },
      withArrivals((all) => all.map((one) => ({ ...one, status: 500 }))),
      /came before .* was taken/,
    ],
    [
      'one after the removal',
      { receivers },
      (end) => ({ ...end, registered: end.registered.map((one) => ({ ...one, removedAtMs: -5_000 })) }),
      /after its removal/,
    ],
    [
      'what was to be removed',
      { retention },
      (end) => ({ ...end, epochMs: end.epochMs + 16 * 86_400_000 }),
      /should be gone/,
    ],
    ['a part that was to be removed', { retention: gone }, changed('delete from erased_items'), /should be gone/],
    [
      'a part that was removed too early',
      { retention: gone },
      (end) => ({ ...end, epochMs: end.epochMs - 4 * 86_400_000 }),
      /before its time/,
    ],
    [
      'a part that was removed from under a hold',
      { retention: gone },
      (end) => ({ ...end, isHeld: true }),
      /from under a hold/,
    ],
    ['half a removal', { retention: gone }, changed("update submissions set raw_input = '{}'"), /not wholly removed/],
    ['a submission without its tombstone', { retention }, changed('delete from submissions'), /has no tombstone/],
    [
      'an object that comes back',
      { retention: gone },
      (end) => ({ ...end, stored: storedAll(end) }),
      /was to be removed/,
    ],
    ['a removal nobody noted', { retention: gone }, (end) => ({ ...end, ledger: new Set() }), /not in the ledger/],
    [
      'a removal the trail is silent about',
      { retention: gone },
      changed("update audit_records set action = 'x' where action = 'retention.removed'"),
      /tells 0 times of the removal/,
    ],
    [
      'a removal without its end',
      { retention: gone },
      changed('update erasures set completed_at = null'),
      /was not finished/,
    ],
    [
      'a key that is kept too long',
      { retention },
      (end) => ({ ...end, epochMs: end.epochMs + 2 * 86_400_000 }),
      /kept too long/,
    ],
  ]

  test.each(later)('%s', (_what, plan, tamper, named) => {
    expect(problemsAtTheEnd(tamper(quiet(plan))).join('\n')).toMatch(named)
  })

  function storedAll({ memory }: EndState): Map<string, Uint8Array> {
    const hashes = memory.all<{ hash: string }>('select content_hash as hash from artifacts')
    return new Map(hashes.map(({ hash }) => [hash, new Uint8Array()]))
  }
})

test.each([201_324, 3_201_430_897])(
  'verify knows what came first, ends and removals, though the clock was set back in between (%d)',
  (seed) => expect(runHistory(seed, store).problems).toEqual([]),
)

test('an attempt that the process was killed over counts once, though the object store is away at the next start', () => {
  expect(runHistory(2_014_145_608, store).problems).toEqual([])
})

test.each([901_021_274, 930_031_470])(
  'a process that was stopped over days does not bring back a document that was removed meanwhile (%d)',
  (seed) => expect(runHistory(seed, store).problems).toEqual([]),
)

test('a process whose machine sleeps for days while it asks for the time removes nothing before its time', () => {
  expect(runHistory(5_003_156, store).problems).toEqual([])
})

test('a receiver that was removed gets nothing more, however long the round takes in which its last event was read', () => {
  expect(runHistory(2_202_017_737, store).problems).toEqual([])
})

test('two instances that send at once, since the clock of the database jumped, send no two events about one thing at once', () => {
  expect(runHistory(2_303_006_267, store).problems).toEqual([])
})

test('a process that is restarted by two at once comes back once', () => {
  const submission = { atMs: 0, key: 'submission-0', path: 'letter', rawInput: '{}' } as const
  const restart = { on: 'process', what: 'restarted', instance: 0, atMs: 100, forMs: 50 } as const
  const plan: Plan = {
    ...{ mode: 'embedded', instances: 1, clocksAheadMs: [0] },
    submissions: [{ ...submission, refused: undefined, isDoubled: false }],
    faults: [restart, { ...restart, atMs: 100.1, forMs: 80 }],
  }
  const { problems, trace } = runHistory(1, store, { plan, keepsTrace: true })
  expect(problems).toEqual([])
  expect(trace.filter((line) => line.endsWith(' starts'))).toHaveLength(2)
})

test('a simulated world leaves ids, listeners and builders of statements of its process as they were', () => {
  const { next: ids } = idSource
  const { listeners } = commitNews
  const { over } = handleSource
  runHistory(9, store)
  expect(handleSource.over).toBe(over)
  expect(idSource.next).toBe(ids)
  expect(commitNews.listeners).toBe(listeners)
})

test('each planted bug still finds its text exactly once in the source', async () => {
  const root = join(import.meta.dir, '../..')
  const wrong: string[] = []
  for (const { name, edits } of plantedBugs) {
    for (const { file, find } of edits) {
      const times = (await Bun.file(join(root, file)).text()).split(find).length - 1
      if (times !== 1) wrong.push(`${name}: ${file} holds ${times} times: ${find.trim()}`)
    }
  }
  // When this fails the source has changed: find the same protection in it, and mend test/simulation/breaks.ts.
  expect(wrong).toEqual([])
})
