import { describe, expect, test } from 'bun:test'
import type { OperationsStatus } from '../../src/console/api/types.ts'
import { attentionOf } from '../../src/console/views/operations/attention.ts'

const none = { count: 0, is_exact: true }
const ended = { completed: none, failed: none }
const well: OperationsStatus = {
  at: '2026-11-20T09:30:00Z',
  steps: { queued: none, oldest_queued_seconds: null, running: none, longest_running_seconds: null },
  paused: null,
  ended: { hour: ended, day: ended },
  failures: { causes: [], is_complete: true },
  storage: {
    ...{ artifacts_day: none, objects: null, objects_disk: null },
    data_disk: { free_bytes: 50, total_bytes: 100 },
  },
  orphan_sweep: { next_at: null, last: null },
  retention: { policies: 0, next_at: null, last_removed: null },
  outbox: { waiting: none, oldest_seconds: null },
  publish_failures: 0,
  webhooks: { waiting: none, failing: [] },
  instances: { own: { version: '0.33.0', revision: 'r', started_at: null }, other_versions: ['0.33.0'] },
  replica: { is_configured: true, lag_seconds: 1, failures: 0 },
  backup: { at: '2026-11-20T08:30:00Z' },
  audit_receivers: [{ name: 'syslog', waiting: 3, oldest_seconds: 2, failures: 0 }],
}
const failing = { id: 'w', name: 'Ledger', status: 'active', failures: 3, failing_since: well.at } as const

/** What differs from a status in which all is well, the text that is said of it, and where it leads. */
const cases: [Partial<OperationsStatus>, string, string][] = [
  [
    { paused: { dependency: 'object-store', code: 'away', since: well.at, steps: null } },
    "Work is paused: the object store can't be used",
    '/readiness',
  ],
  [
    { steps: { ...well.steps!, oldest_queued_seconds: 420 } },
    'The oldest step has waited for 7 min 0 s',
    '/executions?status=queued',
  ],
  [
    {
      failures: {
        causes: [{ step: 'render', code: 'render_failed', executions: 2, last_execution_id: 'e', last_at: well.at }],
        is_complete: true,
      },
    },
    '2 executions failed in render: render failed',
    '/executions/e',
  ],
  [
    { storage: { ...well.storage, data_disk: { free_bytes: 9, total_bytes: 100 } } },
    'The disk of the data has 9 B left of 100 B',
    '/retention',
  ],
  [
    { outbox: { waiting: { count: 3, is_exact: true }, oldest_seconds: 61 } },
    'Events wait to be sent, the oldest for 1 min 1 s',
    '/readiness',
  ],
  [{ webhooks: { waiting: none, failing: [failing] } }, 'The receiver Ledger fails, 3 times in a row', '/webhooks/w'],
  [
    { audit_receivers: [{ name: 'syslog', waiting: 3, oldest_seconds: 61, failures: 1 }] },
    'The syslog receiver lacks 3 records of the audit trail, the oldest of 1 min 1 s ago',
    '/audit',
  ],
  [
    { replica: { is_configured: true, lag_seconds: 90, failures: 4 } },
    'The replica is 1 min 30 s behind',
    '/readiness',
  ],
  [
    { replica: { is_configured: false, lag_seconds: null, failures: null }, backup: { at: '2026-11-10T09:30:00Z' } },
    'The last backup is 10 days old',
    '#backup',
  ],
  [
    { instances: { ...well.instances, other_versions: ['0.32.0'] } },
    'Another instance runs version 0.32.0, this one 0.33.0',
    '#instances',
  ],
  [{ outbox: null }, 'The outbox could not be read', '/readiness'],
]

describe('what needs attention among the operations', () => {
  test('is nothing while all is well', () => {
    expect(attentionOf(well)).toEqual([])
  })

  test.each(cases)('is %j', (differs, text, href) => {
    expect(attentionOf({ ...well, ...differs }).map((one) => [one.text, one.href])).toEqual([[text, href]])
  })

  test('has what is broken before what only waits', () => {
    const all = Object.assign({}, well, ...cases.map(([differs]) => differs), { outbox: cases[4]![0].outbox })
    const tones = attentionOf(all).map(({ tone }) => tone)
    expect(tones).toEqual([...tones].sort())
    expect(new Set(tones).size).toBe(2)
  })
})
