import type { Connection, Database, Query } from '../../src/db/database.ts'

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

/** The database, where something happens before the statement of this number that reads send, by themselves or of one state. */
export function beforeStatement(
  database: Database,
  number: number,
  happen: () => Promise<unknown>,
): { database: Database; hasHappened: () => boolean } {
  let sent = 0
  const before = async () => {
    if (++sent === number) await happen()
  }
  const waiting = (connection: Connection): Connection => ({
    ...connection,
    q: eachWaiting(connection.q, before) as Query,
    rows: (statement) => before().then(() => connection.rows(statement)),
    over: (statement) => {
      const own = connection.over(statement)
      return { execute: (values: Record<string, unknown>) => before().then(() => own.execute(values)) } as never
    },
  })
  const read = waiting(database.read)
  const snapshot: Database['snapshot'] = (work) => database.snapshot((connection) => work(waiting(connection)))
  const proxy = new Proxy(database, {
    get(target, name) {
      if (name === 'read') return read
      if (name === 'snapshot') return snapshot
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { database: proxy, hasHappened: () => sent >= number }
}

/** A builder of queries that waits before each is sent; what is prepared waits by itself. */
function eachWaiting(builder: object, before: () => Promise<unknown>): object {
  return new Proxy(builder, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const method = (value as Method).bind(target)
      if (name === 'prepare') return method
      if (name === 'then') return (...args: unknown[]) => before().then(() => method(...args))
      return (...args: unknown[]) => {
        const next = method(...args)
        return typeof next === 'object' && next !== null ? eachWaiting(next, before) : next
      }
    },
  })
}

/** The database, where something happens before the next write once it is asked for. */
export function beforeWriting(database: Database) {
  let wanted: { place: number; happen: () => Promise<unknown> } | undefined
  const write: Database['write'] = async (work, lane) => {
    const { place, happen } = wanted ?? {}
    if (wanted !== undefined && --wanted.place === 0) wanted = undefined
    if (place === 1) await happen?.()
    return database.write(work, lane)
  }
  const proxy = new Proxy(database, {
    get(target, name) {
      if (name === 'write') return write
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    database: proxy,
    /** @param place of the write: 1 for the next one */
    meanwhile(place: number, happen: () => Promise<unknown>): void {
      wanted = { place, happen }
    },
    hasHappened: () => wanted === undefined,
  }
}
