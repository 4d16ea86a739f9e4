import { sql } from 'drizzle-orm'
import { newId } from '../../src/core/ids.ts'
import type { SigningKey } from '../../src/core/signing-key.ts'
import { attestedText, contentHashOf } from '../../src/db/audit-log.ts'
import { type CopiedTable, copiedTables, writeLines } from '../../src/db/copy.ts'
import type { Connection, Database } from '../../src/db/database.ts'
import { sealBatch } from '../../src/modules/audit/audit.sealer.ts'

/** What belongs to one submission, by table: the column that says so, and whether it names the submission or an execution. */
const belonging = [
  { name: 'submissions', column: 'id' },
  { name: 'executions', column: 'submission_id' },
  { name: 'steps', column: 'execution_id' },
  { name: 'artifacts', column: 'submission_id' },
  { name: 'events', column: 'aggregate_id' },
  { name: 'audit_records', column: 'resource_id' },
] as const

/** Fixed by the figures: a transaction of some 25 rows for each copy. */
const COPIES_AT_ONCE = 100

/**
 * Copies one completed submission of a store, with all that belongs to it, under new ids and with records of the audit trail, as if
 * it had been handed in so often. The copies name the same objects.
 */
export async function growStore(
  database: Database,
  { copies, key, sealed = true }: { copies: number; key: SigningKey; sealed?: boolean },
): Promise<void> {
  database.attestWith?.((text) => key.attest(text))
  const source = await sourceOf(database.read)
  const tables = new Map(copiedTables(database.read).map((table) => [table.name, table]))
  for (let from = 0; from < copies; from += COPIES_AT_ONCE) {
    const lines = new Map<string, string[]>(belonging.map(({ name }) => [name, []]))
    for (let index = from; index < Math.min(copies, from + COPIES_AT_ONCE); index++) {
      const renamed = renamer()
      for (const [name, rows] of source) {
        const table = tables.get(name) as CopiedTable
        for (const row of rows) {
          const copy = JSON.parse(renamed(JSON.stringify(row))) as Record<string, unknown>
          if (name === 'audit_records') Object.assign(copy, unsealed(copy, key))
          lines.get(name)?.push(JSON.stringify(table.columns.map((column) => copy[column] ?? null)))
        }
      }
    }
    await database.write(async (tx) => {
      for (const [name, some] of lines) await writeLines(tx, tables.get(name) as CopiedTable, some)
    })
  }
  if (sealed) while ((await sealBatch(database, { key })) > 0) {}
}

type Row = Record<string, unknown>

async function sourceOf(connection: Connection): Promise<Map<string, Row[]>> {
  const [execution] = await connection.rows<{ id: string; submission_id: string }>(
    sql`select id, submission_id from executions where status = 'completed' order by id limit 1`,
  )
  if (execution === undefined) throw new Error('the store has no completed execution')
  const found = new Map<string, Row[]>()
  for (const { name, column } of belonging) {
    const ids = [execution.submission_id, execution.id].map((id) => sql`${id}`)
    found.set(
      name,
      await connection.rows(
        sql`select * from ${sql.identifier(name)} where ${sql.identifier(column)} in (${sql.join(ids, sql`, `)}) order by 1`,
      ),
    )
  }
  return found
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Gives every id of a row's own a new one, the same for the same, and leaves those of configuration and people. */
function renamer(): (text: string) => string {
  const names = new Map<string, string>()
  return (text) => {
    const { id } = JSON.parse(text) as Row
    if (typeof id === 'string' && !names.has(id)) names.set(id, newId())
    return text.replace(UUID, (one) => names.get(one) ?? one)
  }
}

function unsealed(row: Row, key: SigningKey): Row {
  const detail = typeof row.detail === 'string' ? (JSON.parse(row.detail) as unknown) : row.detail
  const contentHash = contentHashOf({
    ...{ id: row.id, actorId: row.actor_id, action: row.action, resourceKind: row.resource_kind },
    ...{ resourceId: row.resource_id, correlationId: row.correlation_id, at: row.at, detail },
  } as Parameters<typeof contentHashOf>[0])
  return {
    ...{ content_hash: contentHash, digest: null, position: null, previous_hash: null, hash: null },
    attestation: key.attest(attestedText({ contentHash, digest: null })),
  }
}
