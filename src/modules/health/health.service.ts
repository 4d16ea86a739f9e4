import type { DependencyName, DependencyStatus } from '../../core/faults.ts'
import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'

/** The dependencies as health sees them: each probe rejects if its dependency doesn't work. */
export interface HealthPorts {
  database: { ping(): Promise<unknown> }
  bus: { probe(): Promise<unknown> }
  objects: { probe(): Promise<unknown> }
  relay: { health(): Promise<OutboxBacklog> }
  /** When the runner's own subscription last handled a message. */
  runner: { readonly consumerLastSuccessAt: Instant | null }
  log: Log
  /** How long one probe may take. */
  deadlineMs?: number
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
  const { database, bus, objects, relay, runner, log, deadlineMs = limits.probeMs } = ports

  async function probe(name: DependencyName, operation: string, ask: () => Promise<unknown>): Promise<ProbeResult> {
    const startedAt = performance.now()
    let status: DependencyStatus['status'] = 'ready'
    try {
      await withDeadline(ask, deadlineMs)
    } catch (error) {
      status = 'unavailable'
      log.warn('a dependency does not answer', { dependency: name, cause: error })
    }
    return { name, operation, status, durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000 }
  }

  const required = () => [
    probe('relational-db', 'query', () => database.ping()),
    probe('message-bus', 'publish', () => bus.probe()),
    probe('object-store', 'list', () => objects.probe()),
  ]

  return {
    async ready() {
      const results = await Promise.all(required())
      const dependencies = results.map(({ name, status }) => ({ name, status }))
      return { isReady: results.every(({ status }) => status === 'ready'), dependencies }
    },

    async detailed() {
      let outbox: OutboxHealth | undefined
      const readOutbox = async () => {
        outbox = { ...(await relay.health()), consumerLastSuccessAt: runner.consumerLastSuccessAt }
      }
      const [backlog, ...others] = await Promise.all([probe('outbox', 'backlog', readOutbox), ...required()])
      const dependencies = [...others, backlog]
      return {
        isReady: dependencies.every(({ status }) => status === 'ready'),
        dependencies,
        outbox: backlog.status === 'ready' ? outbox : undefined,
      }
    },
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
