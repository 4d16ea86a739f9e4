/**
 * Sends the audit trail to an external receiver as it is sealed: every record at least once, in the order of the chain. The
 * position in the database moves only once the receiver has a batch, so a restart, another instance or a restored store continues
 * from there. While the receiver is away, records wait. One instance at a time sends, by lease.
 */
import { Lease } from '../../bus/lease.ts'
import type { AuditLine } from '../../core/audit-line.ts'
import type { Clock } from '../../core/clock.ts'
import { detailOf } from '../../core/error-cause.ts'
import { epochMsOf } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/database.ts'
import { exportRecords } from './audit.export.ts'
import { forwardedPosition, headPosition, listSealed, saveForwarded } from './audit.store.ts'

export interface AuditOutlet {
  /** The name under which its position is stored: `syslog`, `otlp`. */
  name: string
  /** @throws when the receiver may not have all lines */
  send(lines: readonly AuditLine[]): Promise<void>
}

export interface AuditForwarder {
  readonly name: string
  health(): Promise<ForwarderHealth>
  /** Begins nothing more, waits for what is under way, and gives the role to the next instance. */
  drain(deadlineMs: number): Promise<void>
}

export interface ForwarderHealth {
  /** Sealed records that the receiver may not have. */
  waiting: number
  /** The age of the first of them; 0 when nothing waits. */
  oldestAgeSeconds: number
  /** Batches that this instance could not deliver, since it started. */
  failures: number
}

export interface ForwarderPorts {
  database: Database
  clock: Clock
  log: Log
  /** Names this instance. */
  owner: string
  outlet: AuditOutlet
  isSoleInstance?: boolean
  /** For tests: poll and retry sooner. */
  pollMs?: number
  retryMs?: number
}

export function startAuditForwarder(ports: ForwarderPorts): AuditForwarder {
  const { database, clock, owner, outlet, isSoleInstance = false } = ports
  const { pollMs = limits.auditFollowMs, retryMs = limits.auditForwardRetryMs } = ports
  const { name } = outlet
  const log = ports.log.with({ component: 'audit', outlet: name })
  const lease = new Lease(database, {
    name: `audit-${name}`,
    owner,
    leaseMs: limits.auditForwardLeaseMs,
    isSoleInstance,
  })
  const stopping = Promise.withResolvers<void>()
  let isStopping = false
  let failures = 0
  let failedInARow = 0

  async function waiting(): Promise<number> {
    const position = (await forwardedPosition(database.read, name)) ?? 0
    return Math.max(0, (await headPosition(database.read)) - position)
  }

  /** Sends all sealed records. */
  async function round(): Promise<void> {
    // The lease is asked for only when there is something to send: an idle service writes nothing.
    if ((await waiting()) === 0 || !(await lease.hold())) return
    const position = (await forwardedPosition(database.read, name)) ?? 0
    for await (const batch of exportRecords(database.read, position)) {
      for (const problem of batch.broken) log.error(`${problem}; the records are handed on as they are`)
      await outlet.send(batch.lines)
      await database.write((tx) => saveForwarded(tx, { name, position: batch.position, sentAt: clock.now() }))
      if (failedInARow > 0) log.info('the receiver of the audit trail takes records again', { failures: failedInARow })
      failedInARow = 0
      if (isStopping || !(await lease.hold())) return
    }
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const isDone = await round().then(
        () => true,
        (error: unknown) => {
          failures++
          // Log the first failure and then every n-th: a receiver may be away for days.
          if (failedInARow++ % limits.auditForwardTold === 0) {
            log.warn('the audit trail waits for its receiver', { reason: detailOf(error) ?? String(error), failures })
          }
          return false
        },
      )
      const backOff = Math.min(retryMs * 2 ** Math.min(failedInARow - 1, 16), limits.auditForwardRetryMaxMs)
      await Promise.race([Bun.sleep(isDone ? pollMs : backOff), stopping.promise])
    }
  }

  const running = run()
  return {
    name,
    async health() {
      const position = (await forwardedPosition(database.read, name)) ?? 0
      const [oldest] = await listSealed(database.read, position + 1, position + 2)
      const ageMs = oldest === undefined ? 0 : epochMsOf(clock.now()) - epochMsOf(oldest.at)
      const oldestAgeSeconds = Math.max(0, Math.floor(ageMs / 1_000))
      return { waiting: await waiting(), oldestAgeSeconds, failures }
    },
    async drain(deadlineMs) {
      isStopping = true
      stopping.resolve()
      await Promise.race([running, Bun.sleep(deadlineMs)])
      await lease.release().catch((error: unknown) => log.warn('the lease was kept', { cause: error }))
    },
  }
}
