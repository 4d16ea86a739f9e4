/** Migrates the database of its first argument, and is killed before the statement of the number in its second. */
import { openDatabase } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'

const [, , url, at] = process.argv
const database = await openDatabase(url!)
let left = Number(at)

const counted = {
  dialect: database.dialect,
  read: database.read,
  write: (work) =>
    database.write((tx) =>
      work({
        ...tx,
        rows: (statement) => {
          if (left-- === 0) process.kill(process.pid, 'SIGKILL')
          return tx.rows(statement)
        },
      }),
    ),
} as Pick<Database, 'dialect' | 'read' | 'write'>
await migrate(counted as Database)
await database.close()
