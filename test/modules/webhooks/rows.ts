import { newId } from '../../../src/core/ids.ts'
import { instantOf } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import type { DeliveryRow, WebhookRow } from '../../../src/modules/webhooks/webhooks.store.ts'

export const now = instantOf('2026-11-20T09:30:00Z')

/** A receiver that is active and has taken nothing yet, unless it is told otherwise. */
export async function addReceiver(database: Database, change: Partial<WebhookRow> = {}): Promise<WebhookRow> {
  const row: WebhookRow = {
    ...{ id: newId(), number: 1, name: 'w', url: 'https://w.test', eventTypes: null, families: null, status: 'active' },
    ...{ secret: 's', previousSecret: null, previousUntil: null, failures: 0, failingSince: null, retryAt: null },
    ...{ lastSuccessAt: null, createdBy: 'u', createdAt: now, updatedAt: now, ...change },
  }
  await database.write(async (tx) => {
    await tx.q.insert(tx.t.webhooks).values(row)
  })
  return row
}

/** A delivery to it that is due now. */
export async function addDelivery(
  database: Database,
  webhookId: string,
  change: Partial<DeliveryRow> = {},
): Promise<DeliveryRow> {
  const row: DeliveryRow = {
    ...{ id: newId(), webhookId, eventId: newId(), aggregate: 'batch', aggregateId: newId(), sequence: 1 },
    ...{ type: 'created', status: 'pending', attempts: 0, dueAt: now, createdAt: now, endedAt: null },
    ...{ lastAt: null, lastMs: null, lastStatus: null, lastAnswer: null, ...change },
  }
  await database.write(async (tx) => {
    await tx.q.insert(tx.t.webhookDeliveries).values(row)
  })
  return row
}
