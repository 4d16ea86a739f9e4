import {
  type Client,
  ConnectionPool,
  Sqlite3Client,
  type Transaction,
  type TransactionMode,
} from '@libsql/client/sqlite3'
import type Libsql from 'libsql'
import Aside from 'libsql/promise'

/** A client's only connection; a new one replaces it once it has become unusable. */
class OneConnection extends ConnectionPool {
  connection: Libsql.Database | undefined

  override acquireSync(forTransaction?: boolean): Libsql.Database {
    this.connection = super.acquireSync(forTransaction)
    return this.connection
  }
}

/**
 * The driver's client, except that commits run on another thread: a commit waits for the disk, and would block the thread that
 * answers requests. Nothing else uses the connection meanwhile.
 */
class ClientCommittingAside extends Sqlite3Client {
  readonly #pool: OneConnection

  constructor(pool: OneConnection) {
    super(pool, 'number')
    this.#pool = pool
  }

  override async transaction(mode?: TransactionMode): Promise<Transaction> {
    const transaction = await super.transaction(mode)
    const { connection } = this.#pool
    transaction.commit = async () => {
      try {
        // The asynchronous form of the driver, over the same connection.
        await Aside.prototype.exec.call({ db: (connection as unknown as Aside).db } as Aside, 'COMMIT')
      } finally {
        transaction.close()
      }
    }
    return transaction
  }
}

/** @throws if the file can't be opened */
export function openClient(url: string, busyMs: number): Client {
  const pool = new OneConnection(url, { timeout: busyMs }, 1)
  pool.release(pool.acquireSync())
  return new ClientCommittingAside(pool)
}
