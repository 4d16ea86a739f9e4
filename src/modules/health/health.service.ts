import type { DependencyName, DependencyStatus } from '../../core/faults.ts'
import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'

/** The dependencies as health sees them: each probe rejects if its dependency doesn't work. */
export interface HealthPorts {
  database: { probe(): Promise<unknown> }
  bus: { probe(): Promise<unknown> }
  objects: { probe(): Promise<unknown> }
  relay: { health(): Promise<OutboxBacklog> }
  /** When the runner's own subscription last handled a message. */
  runner: { readonly consumerLastSuccessAt: Instant | null }
  log: Log
  /** How long one probe may take, and for how long its result is given to others who ask. */
  deadlineMs?: number
  freshMs?: number
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
}

export interface HealthService {
  /** The three dependencies that requests need; never rejects, and answers within the probes' deadline. */
  ready(): Promise<{ isReady: boolean; dependencies: DependencyStatus[] }>
  detailed(): Promise<{ isReady: boolean; dependencies: ProbeResult[]; outbox: OutboxHealth | undefined }>
}

export function createHealthService(ports: HealthPorts): HealthService {
  const { database, bus, objects, relay, runner, log } = ports
  const { deadlineMs = limits.probeMs, freshMs = limits.probeFreshMs } = ports

  function probe(name: DependencyName, operation: string, ask: () => Promise<unknown>): () => Promise<ProbeResult> {
    const askOnce = oneAtATime(ask)
    return remembered(freshMs, async () => {
      const startedAt = performance.now()
      let status: DependencyStatus['status'] = 'ready'
      try {
        await withDeadline(askOnce, deadlineMs)
      } catch (error) {
        status = 'unavailable'
        log.warn('a dependency does not answer', { dependency: name, cause: error })
      }
      return { name, operation, status, durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000 }
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

  return {
    async ready() {
      const results = await Promise.all(required())
      const dependencies = results.map(({ name, status }) => ({ name, status }))
      return { isReady: results.every(({ status }) => status === 'ready'), dependencies }
    },

    async detailed() {
      const [backlog, ...others] = await Promise.all([readOutbox(), ...required()])
      const dependencies = [...others, backlog]
      return {
        isReady: dependencies.every(({ status }) => status === 'ready'),
        dependencies,
        outbox: backlog.status === 'ready' ? outbox : undefined,
      }
    },
  }
}

/** While a question is open, whoever asks waits for its answer: a dependency that hangs is not asked again and again. */
function oneAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let open: Promise<T> | undefined
  return () => {
    open ??= ask().finally(() => {
      open = undefined
    })
    return open
  }
}

/** Probes write, so however many ask, there is one in each period; those that ask meanwhile share its result. */
function remembered<T>(freshMs: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { result: Promise<T>; untilMs: number } | undefined
  return () => {
    const nowMs = performance.now()
    if (last === undefined || nowMs >= last.untilMs) last = { result: ask(), untilMs: nowMs + freshMs }
    return last.result
  }
}

async function withDeadline(ask: () => Promise<unknown>, deadlineMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs)
  })
  try {
    await Promise.race([ask(), late])
  } finally {
    clearTimeout(timer)
  }
}
