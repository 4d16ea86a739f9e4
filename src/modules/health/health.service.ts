import { type DependencyName, type DependencyStatus, unavailableDependency } from '../../core/faults.ts'
import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import type { Pause } from '../../runner/gate.ts'

/** The dependencies as health sees them: each probe rejects if its dependency doesn't work. */
export interface HealthPorts {
  database: { probe(): Promise<unknown> }
  bus: { probe(): Promise<unknown> }
  objects: { probe(): Promise<unknown> }
  relay: { health(): Promise<OutboxBacklog> }
  runner: RunnerHealth
  log: Log
  /** How long one probe may take, and for how long its result is reused. */
  deadlineMs?: number
  freshMs?: number
}

export interface RunnerHealth {
  /** When the runner's own subscription last handled a message. */
  readonly consumerLastSuccessAt: Instant | null
  /** Why this instance runs no steps; undefined while it does. */
  readonly pause: Pause | undefined
  /** How many steps wait until a dependency is usable again. */
  countPaused(): Promise<number>
}

export interface PausedWork {
  dependency: DependencyName
  code: string
  since: Instant
  steps: number
}

export interface OutboxBacklog {
  backlogSize: number
  /** 0 when nothing waits. */
  oldestUnpublishedAgeSeconds: number
  /** Since this process started. */
  publishFailures: number
}

export interface OutboxHealth extends OutboxBacklog {
  consumerLastSuccessAt: Instant | null
}

export interface ProbeResult extends DependencyStatus {
  operation: string
  durationMs: number
  /** Why it is unavailable, if that is known and may be public. */
  reason?: string
}

export interface DetailedHealth {
  isReady: boolean
  dependencies: ProbeResult[]
  outbox: OutboxHealth | undefined
  paused: PausedWork | undefined
}

export interface HealthService {
  /** The three dependencies that requests need; never rejects, and answers within the probes' deadline. */
  ready(): Promise<{ isReady: boolean; dependencies: ProbeResult[] }>
  detailed(): Promise<DetailedHealth>
}

export function createHealthService(ports: HealthPorts): HealthService {
  const { database, bus, objects, relay, runner, log } = ports
  const { deadlineMs = limits.probeMs, freshMs = limits.probeFreshMs } = ports

  function probe(name: DependencyName, operation: string, ask: () => Promise<unknown>): () => Promise<ProbeResult> {
    const askOnce = oneAtATime(ask)
    return remembered(freshMs, async () => {
      const startedAt = performance.now()
      let status: DependencyStatus['status'] = 'ready'
      let reason: string | undefined
      try {
        await withDeadline(askOnce, deadlineMs)
      } catch (error) {
        status = 'unavailable'
        reason = unavailableDependency(error)?.reason ?? (error instanceof NoAnswer ? 'it gives no answer' : undefined)
        log.warn('a dependency does not answer', { dependency: name, cause: error })
      }
      const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000
      return { name, operation, status, durationMs, ...(reason === undefined ? {} : { reason }) }
    })
  }

  const probes = [
    probe('relational-db', 'write', () => database.probe()),
    probe('message-bus', 'publish', () => bus.probe()),
    probe('object-store', 'write', () => objects.probe()),
  ]
  const required = () => probes.map((ask) => ask())
  let outbox: OutboxHealth | undefined
  const readOutbox = probe('outbox', 'backlog', async () => {
    outbox = { ...(await relay.health()), consumerLastSuccessAt: runner.consumerLastSuccessAt }
  })

  async function readPaused(): Promise<PausedWork | undefined> {
    if (runner.pause === undefined) return undefined
    const { dependency, code, since } = runner.pause
    const steps = await runner.countPaused().catch(() => 0)
    return { dependency, code, since, steps }
  }

  return {
    async ready() {
      const results = await Promise.all(required())
      return { isReady: results.every(({ status }) => status === 'ready'), dependencies: results }
    },

    async detailed() {
      const [backlog, ...others] = await Promise.all([readOutbox(), ...required()])
      const dependencies = [...others, backlog]
      return {
        isReady: dependencies.every(({ status }) => status === 'ready'),
        dependencies,
        outbox: backlog.status === 'ready' ? outbox : undefined,
        paused: await readPaused(),
      }
    },
  }
}

/** Callers share a pending answer, so that a hanging dependency is not asked again and again. */
function oneAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let open: Promise<T> | undefined
  return () => {
    open ??= ask().finally(() => {
      open = undefined
    })
    return open
  }
}

/** Probes write, so there is at most one per period; callers in between share its result. */
function remembered<T>(freshMs: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { result: Promise<T>; untilMs: number } | undefined
  return () => {
    const nowMs = performance.now()
    if (last === undefined || nowMs >= last.untilMs) last = { result: ask(), untilMs: nowMs + freshMs }
    return last.result
  }
}

class NoAnswer extends Error {}

async function withDeadline(ask: () => Promise<unknown>, deadlineMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(`no answer within ${deadlineMs} ms`)), deadlineMs)
  })
  try {
    await Promise.race([ask(), late])
  } finally {
    clearTimeout(timer)
  }
}
