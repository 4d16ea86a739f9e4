import { causesOf, detailOf } from '../core/error-cause.ts'
import { unavailableDependency } from '../core/faults.ts'

/**
 * Whether an error says that the database can't be reached or used just now, without fault of the statement: network codes of
 * postgres-js and the system; SQLSTATE classes 08 (connection), 53 (resources) and 57P (shutting down); a server that is
 * read-only, can't use its disk or has ended a silent transaction; SQLite's full, locked or unreadable file; and a database that
 * is gone. A network code behind another dependency's error belongs to that dependency.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const behind = unavailableDependency(error)
  if (behind !== undefined) return behind.dependency === 'relational-db'
  for (const cause of causesOf(error)) {
    const codes = [detailOf(cause), detailOf(cause, 'extendedCode')]
    if (codes.some((code) => code !== undefined && UNAVAILABLE.test(code))) return true
  }
  return false
}

const UNAVAILABLE =
  /^(ECONN\w+|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|CONNECT(ION)?_\w+|08\w{3}|25006|25P03|53\w{3}|57P\w\w|3D000|58030|SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|READONLY|NOTADB|CORRUPT)\w*|HRANA_\w+|CLIENT_CLOSED)$/
