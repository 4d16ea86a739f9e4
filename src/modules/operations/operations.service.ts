import { statfs } from 'node:fs/promises'
import type { Clock } from '../../core/clock.ts'
import { addMs, formatInstant, hourMs, type Instant, instantFromEpochMs, parseInstant } from '../../core/instant.ts'
import type { Log } from '../../core/log.ts'
import { PRODUCT_VERSION, REVISION } from '../../core/version.ts'
import type { Database } from '../../db/database.ts'
import { findStoreFact } from '../../db/store-id.ts'
import type { HealthPorts } from '../health/health.service.ts'
import { findInForce } from '../policies/policies.reads.ts'
import type { SweepRound } from '../storage/sweeper.service.ts'
import type { OperationsStatus } from './operations.model.ts'
import {
  countArtifacts,
  countEnded,
  findLastRemoval,
  listOthers,
  readCauses,
  readOutbox,
  readReceivers,
  readSteps,
} from './operations.store.ts'

/** What only this process knows. A part is missing until it has started; its figures are then reported as unknown. */
export interface Instance {
  /** Its name among the leases. */
  owner: string
  startedAt: Instant
  /** True if no other process can use the database. */
  isSole: boolean
  folders: { data: string; objects: string | undefined }
  sweeper?: { readonly last: SweepRound | undefined; readonly nextAtMs: number }
  remover?: { readonly nextAtMs: number }
  /** Null without a replica. */
  replica?: { lagSeconds(): number | undefined; readonly failures: number } | null
  forwarders?: readonly {
    readonly name: string
    health(): Promise<{ waiting: number; oldestAgeSeconds: number; failures: number }>
  }[]
}

export interface OperationsPorts extends Pick<HealthPorts, 'relay' | 'runner'> {
  database: Database
  clock: Clock
  log: Log
  instance?: Instance | undefined
}

export type OperationsService = ReturnType<typeof createOperationsService>

export function createOperationsService({ database, clock, log, relay, runner, instance }: OperationsPorts) {
  const connection = database.read

  /** Null if a figure can't be read; the others are still reported. */
  async function told<T>(figure: string, read: () => Promise<T>): Promise<T | null> {
    try {
      return await read()
    } catch (error) {
      log.warn('a figure of the operations could not be read', { figure, cause: error })
      return null
    }
  }

  async function steps(): Promise<OperationsStatus['steps']> {
    const { queued, oldestQueuedSeconds, running, longestRunningSeconds } = await readSteps(connection)
    return {
      queued,
      oldest_queued_seconds: oldestQueuedSeconds,
      running,
      longest_running_seconds: longestRunningSeconds,
    }
  }

  async function paused(): Promise<OperationsStatus['paused']> {
    if (runner.pause === undefined) return null
    const { dependency, code, since } = runner.pause
    return { dependency, code, since: formatInstant(since), steps: await told('paused', () => runner.countPaused()) }
  }

  async function ended(now: Instant): Promise<OperationsStatus['ended']> {
    const since = async (at: Instant) => ({
      completed: await countEnded(connection, 'completed', at),
      failed: await countEnded(connection, 'failed', at),
    })
    return { hour: await since(addMs(now, -hourMs)), day: await since(addMs(now, -24 * hourMs)) }
  }

  async function failures(now: Instant): Promise<OperationsStatus['failures']> {
    const { causes, isComplete } = await readCauses(connection, addMs(now, -24 * hourMs))
    return {
      causes: causes.map(({ step, code, executions, lastExecutionId, lastAt }) => ({
        ...{ step, code, executions },
        ...{ last_execution_id: lastExecutionId, last_at: formatInstant(lastAt) },
      })),
      is_complete: isComplete,
    }
  }

  async function storage(now: Instant): Promise<OperationsStatus['storage']> {
    const folders = instance?.folders
    const disk = (path: string | undefined) => (path === undefined ? null : told('disk', () => roomAt(path)))
    const found = instance?.sweeper?.last
    return {
      artifacts_day: await told('artifacts', () => countArtifacts(connection, addMs(now, -24 * hourMs))),
      objects: found === undefined ? null : { count: found.objects, bytes: found.bytes, at: atMs(found.atMs) },
      data_disk: await disk(folders?.data),
      objects_disk: await disk(folders?.objects),
    }
  }

  function sweep(): OperationsStatus['orphan_sweep'] {
    const { last, nextAtMs } = instance?.sweeper ?? {}
    return {
      next_at: nextAtMs === undefined ? null : atMs(nextAtMs),
      last: last === undefined ? null : { at: atMs(last.atMs), found: last.found, removed: last.removed },
    }
  }

  async function retention(): Promise<OperationsStatus['retention']> {
    const removed = await told('removals', () => findLastRemoval(connection))
    const nextAtMs = instance?.remover?.nextAtMs
    return {
      policies: await told('policies', async () => (await findInForce(connection))?.policies.length ?? 0),
      next_at: nextAtMs === undefined ? null : atMs(nextAtMs),
      last_removed: removed
        ? {
            at: formatInstant(removed.at),
            ...{ submissions: removed.submissions, artifact_bytes: removed.artifactBytes },
            ...(removed.part === undefined ? {} : { part: removed.part }),
          }
        : null,
    }
  }

  async function webhooks(): Promise<OperationsStatus['webhooks']> {
    const { waiting, failing } = await readReceivers(connection)
    return {
      waiting,
      failing: failing.map(({ failing_since: since, ...receiver }) => ({
        ...receiver,
        failing_since: since === null ? null : formatInstant(since),
      })),
    }
  }

  async function others(): Promise<string[] | null> {
    if (instance === undefined) return null
    return instance.isSole ? [] : listOthers(connection, instance.owner)
  }

  function replica(): OperationsStatus['replica'] {
    const kept = instance?.replica
    if (kept === undefined) return { is_configured: null, lag_seconds: null, failures: null }
    if (kept === null) return { is_configured: false, lag_seconds: null, failures: null }
    return { is_configured: true, lag_seconds: kept.lagSeconds() ?? null, failures: kept.failures }
  }

  async function backup(): Promise<OperationsStatus['backup']> {
    const noted = parseInstant((await findStoreFact(connection, 'backup')) ?? '')
    return noted === undefined ? null : { at: formatInstant(noted) }
  }

  async function receivers(): Promise<OperationsStatus['audit_receivers']> {
    if (instance?.forwarders === undefined) return null
    return Promise.all(
      instance.forwarders.map(async ({ name, health }) => {
        const lag = await told('audit receiver', health)
        return {
          name,
          waiting: lag?.waiting ?? null,
          oldest_seconds: lag?.oldestAgeSeconds ?? null,
          failures: lag?.failures ?? null,
        }
      }),
    )
  }

  return {
    /** All figures at once. Fails only if the database is unavailable: then nobody can be signed in anyway. */
    async status(): Promise<OperationsStatus> {
      const now = clock.now()
      return {
        at: formatInstant(now),
        steps: await told('steps', steps),
        paused: await paused(),
        ended: await told('ended', () => ended(now)),
        failures: await told('failures', () => failures(now)),
        storage: await storage(now),
        orphan_sweep: sweep(),
        retention: await retention(),
        outbox: await told('outbox', async () => {
          const { waiting, oldestSeconds } = await readOutbox(connection)
          return { waiting, oldest_seconds: oldestSeconds }
        }),
        publish_failures: await told('relay', async () => (await relay.health()).publishFailures),
        webhooks: await told('webhooks', webhooks),
        instances: {
          own: {
            ...{ version: PRODUCT_VERSION, revision: REVISION },
            started_at: instance === undefined ? null : formatInstant(instance.startedAt),
          },
          other_versions: await told('instances', others),
        },
        replica: replica(),
        backup: await told('backup', backup),
        audit_receivers: await told('audit receivers', receivers),
      }
    },
  }
}

function atMs(epochMs: number): string {
  return formatInstant(instantFromEpochMs(epochMs))
}

async function roomAt(path: string): Promise<{ free_bytes: number; total_bytes: number }> {
  const { bavail, blocks, bsize } = await statfs(path)
  return { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}
