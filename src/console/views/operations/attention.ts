/** What needs attention, most urgent first, each with the page where something can be done. */

import { type StepName, stepKinds } from '../../../core/steps.ts'
import type { OperationsStatus } from '../../api/types.ts'
import { formatBytes } from '../../format.ts'
import { inSentence, t, translated } from '../../language.ts'
import { wordOf } from '../../words.ts'
import { durationText } from './texts.ts'

export const cardNames = [
  'queue',
  'throughput',
  'failures',
  'storage',
  'retention',
  'outbox',
  'webhooks',
  'instances',
  'sweep',
  'backup',
  'replica',
  'audit',
] as const
export type CardName = (typeof cardNames)[number]

export interface Attention {
  card: CardName
  tone: 'danger' | 'warning'
  text: string
  /** What to do: a sentence, and where. */
  act: string
  href: string
}

/** From when on waiting is more than work that is under way. */
const bounds = { queuedSeconds: 300, outboxSeconds: 60, lagSeconds: 60, backupDays: 2, freePercent: 10 }

export function attentionOf(status: OperationsStatus): Attention[] {
  const all = [
    ...ofWork(status),
    ...ofFailures(status),
    ...ofDisks(status),
    ...ofDelivery(status),
    ...ofSafety(status),
    ...ofUnknown(status),
  ]
  return [...all.filter(({ tone }) => tone === 'danger'), ...all.filter(({ tone }) => tone === 'warning')]
}

function ofWork({ paused, steps }: OperationsStatus): Attention[] {
  const found: Attention[] = []
  if (paused !== null) {
    const waits = paused.steps === null ? '' : `; ${paused.steps} ${paused.steps === 1 ? t`step waits` : t`steps wait`}`
    const text = t`Work is paused: the ${wordOf(paused.dependency)} can't be used${waits}`
    found.push({ card: 'queue', tone: 'danger', text, act: t`See what it answers`, href: '/readiness' })
  }
  const waited = steps?.oldest_queued_seconds ?? 0
  if (paused === null && waited > bounds.queuedSeconds) {
    const text = t`The oldest step has waited for ${durationText(waited)}`
    found.push({ card: 'queue', tone: 'warning', text, act: t`See what is queued`, href: '/executions?status=queued' })
  }
  return found
}

/** How many causes are named; the card has the rest. */
const causesNamed = 3

function ofFailures({ failures }: OperationsStatus): Attention[] {
  return (failures?.causes ?? []).slice(0, causesNamed).map(({ step, code, executions, last_execution_id: last }) => ({
    card: 'failures',
    tone: 'danger',
    text: t`${executions} ${executions === 1 ? t`execution` : t`executions`} failed in ${stepTitle(step)}: ${causeText(code)}`,
    act: executions === 1 ? t`See why` : t`See why the last one did`,
    href: `/executions/${last}`,
  }))
}

function ofDisks({ storage }: OperationsStatus): Attention[] {
  const { data_disk: data, objects_disk: objects } = storage
  const isSame = data !== null && data.free_bytes === objects?.free_bytes
  const disks = isSame ? [['data', data] as const] : [['data', data] as const, ['documents', objects] as const]
  return disks.flatMap(([of, disk]) => {
    if (disk === null || disk.free_bytes * 100 >= disk.total_bytes * bounds.freePercent) return []
    const text = t`The disk of the ${of} has ${formatBytes(disk.free_bytes)} left of ${formatBytes(disk.total_bytes)}`
    return [{ card: 'storage', tone: 'warning', text, act: t`See what is kept for how long`, href: '/retention' }]
  })
}

function ofDelivery({ outbox, webhooks, audit_receivers: receivers }: OperationsStatus): Attention[] {
  const found: Attention[] = []
  const waits = outbox?.oldest_seconds ?? 0
  if (waits > bounds.outboxSeconds) {
    const text = t`Events wait to be sent, the oldest for ${durationText(waits)}`
    found.push({ card: 'outbox', tone: 'danger', text, act: t`See whether the bus answers`, href: '/readiness' })
  }
  for (const { id, name, status, failures } of webhooks?.failing ?? []) {
    const text =
      status === 'active'
        ? t`The receiver ${name} fails, ${failures} times in a row`
        : t`The receiver ${name} is stopped`
    found.push({ card: 'webhooks', tone: 'warning', text, act: t`See what it answered`, href: `/webhooks/${id}` })
  }
  for (const { name, waiting, oldest_seconds: seconds } of receivers ?? []) {
    if (!(waiting !== null && waiting > 0 && (seconds ?? 0) > bounds.lagSeconds)) continue
    const text = t`The ${receiverTitle(name)} lacks ${waiting} records of the audit trail, the oldest of ${durationText(seconds ?? 0)} ago`
    found.push({ card: 'audit', tone: 'warning', text, act: t`See the trail`, href: '/audit' })
  }
  return found
}

function ofSafety({ at, replica, backup, instances }: OperationsStatus): Attention[] {
  const found: Attention[] = []
  const { lag_seconds: lag, failures } = replica
  if (replica.is_configured && (lag === null ? (failures ?? 0) > 0 : lag > bounds.lagSeconds)) {
    const text = lag === null ? t`The replica has no complete copy yet` : t`The replica is ${durationText(lag)} behind`
    found.push({ card: 'replica', tone: 'danger', text, act: t`See whether the store answers`, href: '/readiness' })
  }
  const days = backup === null ? 0 : (Date.parse(at) - Date.parse(backup.at)) / 86_400_000
  if (days > bounds.backupDays && replica.is_configured !== true) {
    const text = t`The last backup is ${Math.floor(days)} days old`
    found.push({ card: 'backup', tone: 'warning', text, act: t`See how to make one`, href: '#backup' })
  }
  const others = [...new Set(instances.other_versions ?? [])].filter((version) => version !== instances.own.version)
  if (others.length > 0) {
    const text = t`Another instance runs version ${others.join(t` and `)}, this one ${instances.own.version}`
    found.push({ card: 'instances', tone: 'warning', text, act: t`See the instances`, href: '#instances' })
  }
  return found
}

function ofUnknown(status: OperationsStatus): Attention[] {
  const { steps, ended, failures, outbox, webhooks } = status
  const figures = [
    ['queue', steps],
    ['throughput', ended],
    ['failures', failures],
    ['outbox', outbox],
    ['webhooks', webhooks],
  ] as const
  return figures.flatMap(([card, figure]) =>
    figure === null
      ? [
          {
            card,
            tone: 'warning',
            text: t`The ${wordOf(card)} could not be read`,
            act: t`See what answers`,
            href: '/readiness',
          },
        ]
      : [],
  )
}

export function stepTitle(step: string): string {
  return step in stepKinds ? inSentence(translated(stepKinds[step as StepName].title)) : step
}

/** `contract_violated` → `contract violated`. */
export function causeText(code: string): string {
  return code.replaceAll(/[_.:]/g, ' ')
}

export function receiverTitle(name: string): string {
  return name === 'otlp' ? t`OpenTelemetry collector` : t`${name} receiver`
}
