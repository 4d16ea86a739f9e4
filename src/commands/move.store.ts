import { sql } from 'drizzle-orm'
import { limits } from '../core/limits.ts'
import { type CopiedTable, readLines, writeLines } from '../db/copy.ts'
import type { Connection, Database } from '../db/database.ts'
import { MOVED_AWAY, UNFINISHED_MOVE } from '../db/migrate.ts'

/** The target serves from this commit on; its source must be marked before. */
export async function finishMove(target: Database): Promise<void> {
  await target.write(async (tx) => {
    await tx.rows(sql`drop table quire_move`)
    await tx.rows(sql`delete from quire_migrations where name = ${UNFINISHED_MOVE}`)
  })
}

export async function markMoved(source: Database, place: string): Promise<void> {
  await source.write((tx) =>
    tx.rows(
      sql`insert into quire_migrations (name, applied_at) values (${MOVED_AWAY + place}, ${tx.clock}) on conflict do nothing`,
    ),
  )
}

export async function unmarkMoved(source: Database, place: string): Promise<void> {
  await source.write((tx) => tx.rows(sql`delete from quire_migrations where name = ${MOVED_AWAY + place}`))
}

/** Continues where an earlier move stopped; a page and the note of it are one transaction. */
export async function copyTable(source: Database, target: Database, table: CopiedTable): Promise<void> {
  const [note] = await target.read.rows<{ last_key: string }>(
    sql`select last_key from quire_move where name = ${table.name}`,
  )
  const after = note === undefined ? undefined : (JSON.parse(note.last_key) as unknown[])
  for await (const { lines, lastKey } of readLines(source.read, table, after)) {
    await target.write(async (tx) => {
      await writeLines(tx, table, lines)
      await tx.rows(
        sql`insert into quire_move (name, last_key) values (${table.name}, ${JSON.stringify(lastKey)})
            on conflict (name) do update set last_key = excluded.last_key`,
      )
    })
  }
}

/** Every object that a row names, an artifact's or a batch's, once. */
export async function* artifactHashes(connection: Connection): AsyncGenerator<{ hash: string; size: number }> {
  const { artifacts, batches } = connection.t
  for (let last = ''; ; ) {
    const rows = await connection.rows<{ hash: string; size: number }>(
      sql`select hash, max(size) as size from (
            select content_hash as hash, byte_size as size from ${artifacts} where content_hash > ${last} and removed_at is null
            union all select file_hash, byte_size from ${batches} where file_hash > ${last}
          ) named group by hash order by hash limit ${limits.tableHashRows}`,
    )
    for (const { hash, size } of rows) yield { hash, size: Number(size) }
    const end = rows.at(-1)
    if (end === undefined || rows.length < limits.tableHashRows) return
    last = end.hash
  }
}

/** Whether a row names the object. */
export async function isNamed(connection: Connection, hash: string): Promise<boolean> {
  const { artifacts, batches } = connection.t
  const rows = await connection.rows(
    sql`select 1 from ${artifacts} where content_hash = ${hash} and removed_at is null
        union all select 1 from ${batches} where file_hash = ${hash} limit 1`,
  )
  return rows.length > 0
}
