/**
 * For write-points.test.ts: stores objects and rows that name them, and says what is done only when it is. Arguments: the
 * folder, and how many.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { sha256Hex } from '../../src/core/hash.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { openObjectStore } from '../../src/objects/objects.ts'

const [folder, count] = process.argv.slice(2) as [string, string]
const database = await openDatabase(`file:${join(folder, 'quire.db')}`)
const objects = await openObjectStore(`file:${join(folder, 'objects')}`, { clearLeftovers: true, reserveBytes: 0 })
await database.write((tx) => tx.rows(sql`create table if not exists kept (hash text primary key, body text)`))
const run = crypto.randomUUID()
const caller = async (name: number) => {
  for (let index = 0; index < Number(count); index++) {
    const body = `${run} ${name} ${index} `.repeat(200)
    const hash = sha256Hex(body)
    await objects.put(hash, new TextEncoder().encode(body))
    await database.write((tx) => tx.rows(sql`insert into kept values (${hash}, ${body})`))
    writeSync(1, `${hash}\n`)
  }
}
await Promise.all([1, 2, 3].map(caller))
await database.close()
