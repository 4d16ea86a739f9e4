import Database from 'libsql'
import { detailOf } from '../core/error-cause.ts'
import { limits } from '../core/limits.ts'

/**
 * Keeps each connection's prepared statements. `@libsql/client` has no cache: it prepares every statement again and asks twice
 * for its columns, which took about a sixth of the main thread's time under load. So the addon's `prepare`, which the client
 * calls, returns the statement that it made for the same text before. If the schema has changed, SQLite prepares such a statement
 * again by itself; only `select *`, which Quire doesn't use, would then have other columns than before.
 *
 * A failed statement is dropped, unless the file was locked: only finalising it is sure to release what it holds.
 */

interface Statement {
  raw(raw?: boolean): unknown
  columns(): unknown
  all(...parameters: unknown[]): unknown
  run(...parameters: unknown[]): unknown
}

interface Prepares {
  prepare(text: string): Statement
}

const caches = new WeakMap<object, Map<string, Statement>>()
let isInstalled = false

/** Call once, before the first connection is opened. */
export function cachePreparedStatements(): void {
  if (isInstalled) return
  isInstalled = true
  const prototype = Database.prototype as unknown as Prepares
  const prepare = prototype.prepare
  prototype.prepare = function (this: object & Prepares, text: string): Statement {
    let cache = caches.get(this)
    if (cache === undefined) {
      cache = new Map()
      caches.set(this, cache)
    }
    const known = cache.get(text)
    if (known !== undefined) {
      // Map keeps insertion order, so the first key is the least recently used.
      cache.delete(text)
      cache.set(text, known)
      return known
    }
    const statement = remembering(prepare.call(this, text), () => cache.delete(text))
    const [oldest] = cache.keys()
    if (oldest !== undefined && cache.size >= limits.databaseStatements) cache.delete(oldest)
    cache.set(text, statement)
    return statement
  }
}

/** Caches what never changes about a statement, and drops the statement from the cache when it fails. */
function remembering(statement: Statement, drop: () => void): Statement {
  let columns: unknown
  let rawFault: unknown
  let isRaw = false
  const { raw, columns: readColumns, all, run } = statement
  statement.columns = () => {
    columns ??= readColumns.call(statement)
    return columns
  }
  // The client asks for raw rows, and reads an exception as "no rows".
  statement.raw = (wanted) => {
    if (rawFault !== undefined) throw rawFault
    if (isRaw && wanted === true) return statement
    try {
      raw.call(statement, wanted)
      isRaw = wanted === true
      return statement
    } catch (error) {
      rawFault = error
      throw error
    }
  }
  const guarded =
    (method: (...parameters: unknown[]) => unknown) =>
    (...parameters: unknown[]) => {
      try {
        return method.apply(statement, parameters)
      } catch (error) {
        // Kept: SQLite leaves a BEGIN that met a lock half done, and commits nothing until it is reset, which its next run does.
        if (detailOf(error) !== 'SQLITE_BUSY') drop()
        throw error
      }
    }
  statement.all = guarded(all)
  statement.run = guarded(run)
  return statement
}
