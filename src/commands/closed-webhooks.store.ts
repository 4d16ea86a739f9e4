/**
 * Receivers that a restore must not send to again: those that were removed, stopped, given another address or filter, or another
 * secret in the database that it replaces.
 */
import type { Actor } from '../core/actor.ts'
import type { Connection, Transaction } from '../db/database.ts'
import { recordAudit } from '../modules/audit/audit.service.ts'
import { listWebhooks, updateWebhook, type WebhookRow } from '../modules/webhooks/webhooks.store.ts'
import { rowsIfThere } from './restore.store.ts'

/** Columns that the table had from its first version on: the replaced database may be older. */
export type Receiver = Pick<WebhookRow, 'id' | 'status' | 'url' | 'eventTypes' | 'families' | 'previousUntil'>

export function readReceivers({ q, t: { webhooks } }: Connection): Promise<Receiver[]> {
  const { id, status, url, eventTypes, families, previousUntil } = webhooks
  return rowsIfThere(q.select({ id, status, url, eventTypes, families, previousUntil }).from(webhooks))
}

/**
 * Pauses such receivers, so that an administrator looks before anything is sent.
 *
 * @param users ids of those that the replaced database knew; nothing is known of the receivers of others
 * @returns ids of the paused receivers, which the backup had active
 */
export async function pauseReceivers(
  tx: Transaction,
  before: readonly Receiver[],
  users: ReadonlySet<string>,
  actor: Actor,
): Promise<string[]> {
  const there = new Map(before.map((row) => [row.id, row]))
  const paused: string[] = []
  for (const row of await listWebhooks(tx)) {
    if (row.status !== 'active' || !users.has(row.createdBy) || isSameReceiver(row, there.get(row.id))) continue
    await updateWebhook(tx, row.id, { status: 'paused', updatedAt: actor.at })
    paused.push(row.id)
    const detail = { from: 'replaced database', name: row.name, url: row.url, status: 'paused' }
    await recordAudit(tx, actor, { action: 'webhook.changed', resourceKind: 'webhook', resourceId: row.id, detail })
  }
  return paused
}

/** A renewed secret shows by `previousUntil`: sealed texts differ even where the secret is the same. */
function isSameReceiver(row: Receiver, there: Receiver | undefined): boolean {
  const told = ({ url, eventTypes, families, previousUntil }: Receiver) =>
    JSON.stringify([url, eventTypes, families, previousUntil])
  return there?.status === 'active' && told(row) === told(there)
}
