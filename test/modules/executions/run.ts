import type { Database } from '../../../src/db/database.ts'
import { claimReady } from '../../../src/runner/claim.store.ts'
import { loadInputs, loadSource } from '../../../src/runner/executions.store.ts'
import type { EnginePool } from '../../../src/runner/pool.ts'
import { recordFailure, recordSuccess, type SuccessRecord } from '../../../src/runner/record.store.ts'

/** Runs one execution to its end with the real engines, step by step, and stores no files. */
export function createStepRunner(database: Database, pool: EnginePool) {
  return async (executionId: string): Promise<void> => {
    let output: string | undefined
    let docx: Uint8Array | undefined
    for (;;) {
      const claims = await database.write((tx) => claimReady(tx, { owner: 'test', leaseMs: 60_000, limit: 1000 }))
      const claim = claims.find((one) => one.executionId === executionId)
      if (claim === undefined) return
      const inputs = await loadInputs(database.read, executionId)
      const contract = await loadSource(database.read, inputs.contractVersionId)
      const transformer = await loadSource(database.read, inputs.transformVersionId)
      const template =
        inputs.templateVersionId === undefined ? undefined : await loadSource(database.read, inputs.templateVersionId)
      const [result] = await pool.run({
        steps: [claim.name],
        sources: { contract, transformer, ...(template === undefined ? {} : { template }) },
        rawInput: inputs.rawInput,
        input: inputs.input,
        readsParent: inputs.readsParent,
        ...(inputs.params === undefined ? {} : { params: inputs.params }),
        ...(output === undefined ? {} : { output }),
        ...(docx === undefined ? {} : { docx }),
      })
      if (result === undefined) throw new Error('no result')
      if (!result.ok) {
        await database.write((tx) => recordFailure(tx, claim, result))
        return
      }
      output = result.output?.text ?? output
      const record = { durationMs: result.durationMs, summary: result.summary, laterMs: 0 } as SuccessRecord
      if (result.output !== undefined) record.output = result.output
      if (result.file !== undefined) {
        const kind = result.step === 'compose' ? 'docx' : 'pdf'
        record.artifact = {
          kind,
          byteSize: result.file.bytes.length,
          contentHash: result.file.hash,
          ...inputs.projection,
        }
        if (kind === 'docx') docx = result.file.bytes
      }
      await database.write((tx) => recordSuccess(tx, claim, record))
    }
  }
}
