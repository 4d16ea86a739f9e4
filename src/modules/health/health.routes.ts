import { type DependencyStatus, Fault } from '../../core/faults.ts'
import { formatInstant } from '../../core/instant.ts'
import { API_VERSION, PRODUCT_VERSION, REVISION } from '../../core/version.ts'
import { ADMINISTRATOR, publicAccess, sessionAccess } from '../../http/access.ts'
import { defineOperation, type Operation } from '../../http/operation.ts'
import { type DetailedReadinessBody, detailedReadiness, liveness, readiness } from './health.model.ts'
import type { HealthService, OutboxHealth, ProbeResult } from './health.service.ts'

export function healthOperations(health: HealthService): Operation[] {
  return [
    defineOperation({
      id: 'getLiveness',
      method: 'GET',
      path: '/health/live',
      tag: 'health',
      summary: 'Whether the process lives; asks no dependency',
      access: publicAccess,
      success: [{ status: 200, schema: liveness }],
      failures: [],
      handle: () => ({
        body: {
          status: 'live' as const,
          build: { version: PRODUCT_VERSION, revision: REVISION, api_version: API_VERSION },
        },
      }),
    }),
    defineOperation({
      id: 'getReadiness',
      method: 'GET',
      path: '/health/ready',
      tag: 'health',
      summary: 'Whether every dependency answers',
      access: publicAccess,
      success: [{ status: 200, schema: readiness }],
      failures: [503],
      async handle() {
        const { isReady, dependencies } = await health.ready()
        if (!isReady) {
          throw new Fault('dependency_unavailable', `Not ready: ${unreadyIn(dependencies)}.`, {
            dependencies: dependencies.map(stateOf),
          })
        }
        return { body: { status: 'ready' as const, dependencies: dependencies.map(stateOf) } }
      },
    }),
    defineOperation({
      id: 'getDetailedReadiness',
      method: 'GET',
      path: '/api/v1/admin/readiness',
      tag: 'health',
      summary: 'Every dependency with its probe, and the outbox',
      access: sessionAccess(ADMINISTRATOR, { scope: 'readiness_read' }),
      success: [{ status: 200, schema: detailedReadiness }],
      failures: [403],
      async handle() {
        const { isReady, dependencies, outbox, paused } = await health.detailed()
        const body: DetailedReadinessBody = {
          status: isReady ? 'ready' : 'unavailable',
          dependencies: dependencies.map(({ name, operation, status, durationMs, reason }) => ({
            ...{ name, operation, status, duration_ms: durationMs },
            ...(reason === undefined ? {} : { reason }),
          })),
          ...(outbox === undefined ? {} : { outbox: outboxBody(outbox) }),
          ...(paused === undefined ? {} : { paused: { ...paused, since: formatInstant(paused.since) } }),
        }
        return { body }
      },
    }),
  ]
}

function stateOf({ name, status }: DependencyStatus): DependencyStatus {
  return { name, status }
}

function unreadyIn(dependencies: readonly ProbeResult[]): string {
  return dependencies
    .filter(({ status }) => status === 'unavailable')
    .map(({ name, reason }) => (reason === undefined ? name : `${name} (${reason})`))
    .join(', ')
}

function outboxBody(outbox: OutboxHealth): NonNullable<DetailedReadinessBody['outbox']> {
  const { consumerLastSuccessAt } = outbox
  return {
    backlog_size: outbox.backlogSize,
    oldest_unpublished_age_seconds: outbox.oldestUnpublishedAgeSeconds,
    consumer_last_success_at: consumerLastSuccessAt === null ? null : formatInstant(consumerLastSuccessAt),
    publish_failures: outbox.publishFailures,
  }
}
