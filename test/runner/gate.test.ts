import { afterEach, expect, test } from 'bun:test'
import { systemClock } from '../../src/core/clock.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import { systemTimers } from '../../src/core/timers.ts'
import { Gate } from '../../src/runner/gate.ts'
import { until } from '../support/until.ts'

const away = { dependency: 'object-store', code: 'object_store_full', message: 'no room' } as const

/** A gate whose store fails so many probes, with the pauses between them and what it said. */
function gateThat({ fails, pauseMs }: { fails: number; pauseMs?: number }) {
  const seen = { probes: 0, opened: 0, pausesMs: [] as number[], lines: [] as Record<string, unknown>[] }
  // Its own timers: what other files left in this process has some, too.
  const timers = { ...systemTimers }
  timers.after = (ms, action) => {
    seen.pausesMs.push(ms)
    return systemTimers.after(pauseMs ?? 0, action)
  }
  const gate = new Gate({
    probe: async () => {
      if (++seen.probes <= fails) throw new Error('still full')
    },
    now: () => systemClock.now(),
    log: createLog({ level: 'info', readable: false, write: (line) => seen.lines.push(JSON.parse(line)) }),
    onOpen: () => seen.opened++,
    timers,
    ...(pauseMs === undefined ? { firstMs: 10, maxMs: 50 } : { firstMs: pauseMs, maxMs: pauseMs }),
  })
  const opened = () => until('the gate opens', () => seen.opened > 0)
  return { gate, seen, opened }
}

let left: Gate[] = []
afterEach(() => {
  for (const gate of left) gate.stop()
  left = []
})

test('a closed gate is probed at once, then after pauses that double up to the longest, until one succeeds', async () => {
  const { gate, seen, opened } = gateThat({ fails: 5 })
  gate.close('step', away)
  expect(gate.pause).toMatchObject(away)
  await opened()
  expect(seen).toMatchObject({ probes: 6, opened: 1, pausesMs: [10, 20, 40, 50, 50] })
  expect(gate.pause).toBeUndefined()
})

test('the log says once that work is paused, since when and why, again after many probes, and once that it goes on', async () => {
  const { gate, seen, opened } = gateThat({ fails: limits.gateProbesPerComplaint + 1 })
  gate.close('step', away)
  const { since } = gate.pause ?? {}
  await opened()
  expect(seen.lines.map(({ level }) => level)).toEqual(['error', 'error', 'info'])
  const { dependency, code } = away
  for (const line of seen.lines.slice(0, 2)) expect(line).toMatchObject({ dependency, code, since })
  expect(seen.lines[2]).toMatchObject({ dependency })
})

test('nothing is said of a fault that the first probe no longer finds', async () => {
  const { gate, seen, opened } = gateThat({ fails: 0 })
  gate.close('step', away)
  await opened()
  expect(seen).toMatchObject({ probes: 1, lines: [], pausesMs: [] })
})

test('a step that is put back again and again is counted, until it gets through or the store was away', async () => {
  const { gate, opened } = gateThat({ fails: 0 })
  expect([gate.close('a', away), gate.close('a', away), gate.close('b', away)]).toEqual([1, 2, 1])
  expect(gate.setBack).toBe(2)
  await opened()
  // The store was never away: the fault is the steps' own.
  expect(gate.setBack).toBe(2)
  gate.settle('a')
  expect(gate.setBack).toBe(1)
  const after = gateThat({ fails: 1 })
  after.gate.close('a', away)
  await after.opened()
  expect(after.gate.setBack).toBe(0)
})

test('a pause keeps its beginning when further steps meet the fault, takes the newest reason, and is probed once', async () => {
  const { gate, seen, opened } = gateThat({ fails: 1 })
  gate.close('a', away)
  const first = gate.pause
  await Promise.resolve()
  gate.close('b', { ...away, code: 'object_store_refused' })
  expect(gate.pause).toMatchObject({ ...first, code: 'object_store_refused' })
  await opened()
  expect([seen.probes, seen.opened]).toEqual([2, 1])
})

test('no more steps are remembered than the bound, and those after it count from one again', () => {
  const { gate } = gateThat({ fails: 0 })
  left.push(gate)
  for (let step = 0; step < limits.gateSteps; step++) gate.close(`${step}`, away)
  expect(gate.setBack).toBe(limits.gateSteps)
  expect([gate.close('another', away), gate.setBack, gate.close('0', away)]).toEqual([1, 1, 1])
})

test('a stopped gate ends its pause at once, probes no more, and lets nothing go on', async () => {
  const { gate, seen } = gateThat({ fails: Number.POSITIVE_INFINITY, pauseMs: 60_000 })
  gate.close('step', away)
  await until('it waits', () => seen.lines.length > 0)
  gate.stop()
  await until('it has stopped', () => gate.pause === undefined)
  expect(seen).toMatchObject({ probes: 1, opened: 0 })
  gate.close('step', away)
  await Bun.sleep(5)
  expect(seen.probes).toBe(1)
})
