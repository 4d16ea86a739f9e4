import type { DependencyName, DependencyStatus } from '../../core/faults.ts'
import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'

/** How to ask each dependency whether it works; each resolves when it does and rejects when it doesn't. */
export interface HealthPorts {
  pingDatabase(): Promise<unknown>
  pingBus(): Promise<unknown>
  pingObjects(): Promise<unknown>
  outboxHealth(): Promise<OutboxHealth>
}

export interface OutboxHealth {
  backlogSize: number
  /** 0 when nothing waits. */
  oldestUnpublishedAgeSeconds: number
  /** The last message that the runner's own subscription handled. */
  consumerLastSuccessAt: Instant | undefined
  /** Since this process started. */
  publishFailures: number
}

export interface ProbeResult extends DependencyStatus {
  operation: string
  durationMs: number
}

export interface HealthService {
  readonly revision: string
  /** The three dependencies that requests need; never rejects, and answers within the probes' deadline. */
  ready(): Promise<{ isReady: boolean; dependencies: DependencyStatus[] }>
  detailed(): Promise<{ isReady: boolean; dependencies: ProbeResult[]; outbox: OutboxHealth | undefined }>
}

export function createHealthService(
  ports: HealthPorts,
  { revision, log, deadlineMs = limits.probeMs }: { revision: string; log: Log; deadlineMs?: number },
): HealthService {
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
    probe('relational-db', 'query', ports.pingDatabase),
    probe('message-bus', 'publish', ports.pingBus),
    probe('object-store', 'list', ports.pingObjects),
  ]

  return {
    revision,

    async ready() {
      const results = await Promise.all(required())
      const dependencies = results.map(({ name, status }) => ({ name, status }))
      return { isReady: results.every(({ status }) => status === 'ready'), dependencies }
    },

    async detailed() {
      let outbox: OutboxHealth | undefined
      const readOutbox = async () => {
        outbox = await ports.outboxHealth()
      }
      const dependencies = await Promise.all([...required(), probe('outbox', 'backlog', readOutbox)])
      const isOutboxReady = dependencies.at(-1)!.status === 'ready'
      return {
        isReady: dependencies.every(({ status }) => status === 'ready'),
        dependencies,
        outbox: isOutboxReady ? outbox : undefined,
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
