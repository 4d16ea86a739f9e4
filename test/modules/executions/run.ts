import { formatMadeBy } from '../../../src/core/steps.ts'
import type { Database } from '../../../src/db/database.ts'
import type { ObjectStore } from '../../../src/objects/object-store.ts'
import { claimReady } from '../../../src/runner/claim.store.ts'
import { loadInputs, loadSource } from '../../../src/runner/executions.store.ts'
import { jobFor, keepMade, type MadeSoFar, pinnedSource } from '../../../src/runner/job-for.ts'
import type { EnginePool } from '../../../src/runner/pool.ts'
import { recordFailure, recordSuccess, type SuccessRecord } from '../../../src/runner/record.store.ts'
import type { Claim } from '../../../src/runner/steps.store.ts'

/** Runs one execution to its end with the real engines, step by step; stores its files where it is told where. */
export function createStepRunner(database: Database, pool: EnginePool, objects?: ObjectStore) {
  const run = createClaimRunner(database, pool, objects)
  return async (executionId: string): Promise<void> => {
    for (;;) {
      const claim = (await claimAll(database)).find((one) => one.executionId === executionId)
      if (claim === undefined || !(await run(claim))) return
    }
  }
}

/** Runs all executions that there are to their ends. */
export async function runAll(database: Database, pool: EnginePool, objects?: ObjectStore): Promise<void> {
  const run = createClaimRunner(database, pool, objects)
  for (;;) {
    const claims = await claimAll(database)
    if (claims.length === 0) return
    for (const claim of claims) await run(claim)
  }
}

const claimAll = (database: Database) =>
  database.write((tx) => claimReady(tx, { owner: 'test', leaseMs: 60_000, limit: 1000 }))

function createClaimRunner(database: Database, pool: EnginePool, objects: ObjectStore | undefined) {
  const madeBy = new Map<string, MadeSoFar>()
  return async (claim: Claim): Promise<boolean> => {
    const { executionId } = claim
    const made: MadeSoFar = madeBy.get(executionId) ?? { files: new Map() }
    madeBy.set(executionId, made)
    const inputs = await loadInputs(database.read, executionId)
    const job = await jobFor([claim.name], {
      inputs,
      source: (role) => pinnedSource(inputs, role, (versionId) => loadSource(database.read, versionId)),
      output: made.output,
      file: async (format) => made.files.get(format)!.slice(),
    })
    const [result] = await pool.run(job)
    if (result === undefined) throw new Error('no result')
    if (!result.ok) {
      await database.write((tx) => recordFailure(tx, claim, result))
      return false
    }
    keepMade(made, result)
    const record = { durationMs: result.durationMs, summary: result.summary, laterMs: 0 } as SuccessRecord
    if (result.output !== undefined) record.output = result.output
    if (result.file !== undefined) {
      const kind = formatMadeBy(result.step)!
      await objects?.put(result.file.hash, result.file.bytes)
      record.summary = { ...result.summary, content_hash: result.file.hash, byte_size: result.file.bytes.length }
      record.artifact = {
        kind,
        byteSize: result.file.bytes.length,
        contentHash: result.file.hash,
        ...inputs.projection,
      }
    }
    await database.write((tx) => recordSuccess(tx, claim, record))
    return true
  }
}
