import { sql } from 'drizzle-orm'
import { newId } from '../src/core/ids.ts'
import { parseInstant } from '../src/core/instant.ts'
import type { Database } from '../src/db/database.ts'

const at = parseInstant('2026-01-01T00:00:00Z')!

/** A writer that records something small every 5 ms until it is stopped, and then returns its waits in milliseconds, sorted. */
export function startWriter(database: Database) {
  const waits: number[] = []
  let isStopping = false
  const running = (async () => {
    while (!isStopping) {
      const startedAt = performance.now()
      await database.write((tx) => tx.rows(sql`insert into throttles values (${newId()}, 1, ${at}, ${at})`))
      waits.push(performance.now() - startedAt)
      await Bun.sleep(5)
    }
  })()
  return {
    async stop() {
      isStopping = true
      await running
      return waits.sort((one, other) => one - other)
    },
  }
}
