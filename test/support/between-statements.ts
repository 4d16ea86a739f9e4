import type { Database, Query } from '../../src/db/database.ts'

/**
 * The database, where something happens in the middle of a transaction: before its first read from this table. On PostgreSQL, where
 * each statement sees what was committed until then.
 */
export function beforeReading(database: Database, table: object, happen: () => Promise<unknown>): Database {
  let happened: Promise<unknown> | undefined
  const once = () => (happened ??= happen())
  return {
    dialect: database.dialect,
    writeLoad: database.writeLoad,
    read: database.read,
    snapshot: (work) => database.snapshot(work),
    close: async () => {},
    write: (work, lane) => database.write((tx) => work({ ...tx, q: watched(tx.q, table, once) as Query }), lane),
  }
}

type Method = (...args: unknown[]) => unknown

/** A builder of queries; one that reads from the table waits before it is sent. */
function watched(builder: object, table: object, before: () => Promise<unknown>, reads = false): object {
  return new Proxy(builder, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const method = (value as Method).bind(target)
      if (name === 'then' && reads) return (...args: unknown[]) => before().then(() => method(...args))
      return (...args: unknown[]) => {
        const next = method(...args)
        if (name === 'then' || typeof next !== 'object' || next === null) return next
        return watched(next, table, before, reads || (name === 'from' && args[0] === table))
      }
    },
  })
}
