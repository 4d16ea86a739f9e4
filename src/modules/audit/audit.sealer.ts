import { Lease } from '../../bus/lease.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/database.ts'
import { auditHashOf, CHAIN_START } from './audit.service.ts'
import { countUnsealed, headPosition, listSealed, listUnsealed, type Seal, writeSeals } from './audit.store.ts'

/**
 * Takes committed audit records into the chain, batch by batch, so that writers never wait for each other's hash. One
 * sealer of a database works at a time, by lease; it looks twice a second, and looking is one indexed read.
 */
export interface Sealer {
  /** Seals what is there, then stops for good. */
  drain(): Promise<void>
}

export interface SealerDependencies {
  database: Database
  log: Log
  /** Names this instance. */
  owner: string
  /** True if no other process can use the database. */
  isSoleInstance?: boolean
}

export function startSealer({ database, log, owner, isSoleInstance = false }: SealerDependencies): Sealer {
  const lease = new Lease(database, { name: 'audit-sealer', owner, leaseMs: limits.auditLeaseMs, isSoleInstance })
  const stopping = Promise.withResolvers<void>()
  let isStopping = false

  async function run(): Promise<void> {
    while (!isStopping) {
      await round()
      await Promise.race([Bun.sleep(limits.auditSealMs), stopping.promise])
    }
    await round()
    await lease.release().catch(() => {})
  }

  async function round(): Promise<void> {
    try {
      // The lease is asked for only when there is something to seal: an idle service writes nothing.
      if ((await countUnsealed(database.read, 1)) === 0 || !(await lease.hold())) return
      while (lease.isHeld && (await sealBatch(database)) === limits.auditSealBatch) {}
    } catch (error) {
      log.warn('audit records could not be sealed; the next round tries again', { cause: error })
    }
  }

  const running = run()
  return {
    async drain() {
      isStopping = true
      stopping.resolve()
      await running
    },
  }
}

/** Appends the oldest unsealed records to the chain, in one transaction; how many they were. */
export async function sealBatch(database: Database): Promise<number> {
  return database.write(async (tx) => {
    const rows = await listUnsealed(tx, limits.auditSealBatch)
    if (rows.length === 0) return 0
    let position = await headPosition(tx)
    let previousHash = (await listSealed(tx, position, position + 1))[0]?.hash ?? CHAIN_START
    const seals: Seal[] = rows.map((row) => {
      position++
      const hash = auditHashOf(row, position, previousHash)
      const seal = { id: row.id, position, previousHash, hash }
      previousHash = hash
      return seal
    })
    await writeSeals(tx, seals)
    return seals.length
  })
}
