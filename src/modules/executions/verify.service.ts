import { Fault } from '../../core/faults.ts'
import { PRODUCT_VERSION, REVISION } from '../../core/version.ts'
import type { Database } from '../../db/database.ts'
import { loadInputs, loadSource } from '../../runner/executions.store.ts'
import { pinnedSource } from '../../runner/job-for.ts'
import type { EnginePool } from '../../runner/pool.ts'
import { listRemovedParts, missing } from '../tombstones/tombstones.reads.ts'
import { removalInWords } from '../tombstones/tombstones.wire.ts'
import type { Verification } from './executions.model.ts'
import { type ExecutionRow, findExecution, findSubmissionFacts, listArtifacts, listSteps } from './executions.store.ts'
import { reproduce } from './reproduction.service.ts'

export type VerifyService = ReturnType<typeof createVerifyService>

export function createVerifyService({ database, pool }: { database: Database; pool: EnginePool }) {
  /** @throws Fault not_found once it is erased, conflict once a policy has removed its inputs */
  async function requireWhole({ id, submissionId, parentExecutionId }: ExecutionRow) {
    const needed = parentExecutionId === null ? ['raw_input'] : ['raw_input', 'output']
    const removed = await listRemovedParts(database.read, [submissionId])
    const lacking = removed.find(({ part }) => needed.includes(part))
    if (lacking !== undefined) {
      throw new Fault('conflict', `The execution can't be made again: ${removalInWords(lacking)}.`)
    }
    const facts = await findSubmissionFacts(database.read, submissionId)
    if (facts === undefined) throw await missing(database.read, 'execution', id)
    return facts
  }

  return {
    /**
     * Runs an ended execution again with this build's engines, from its pinned inputs, and compares every hash with the recorded
     * one. Stores nothing, and reads no artifacts.
     *
     * @throws Fault not_found, and conflict for an execution that has not ended, or whose input a policy has removed
     */
    async verify(id: string): Promise<Verification> {
      const execution = await findExecution(database.read, id)
      if (execution === undefined) throw await missing(database.read, 'execution', id)
      if (execution.status !== 'completed' && execution.status !== 'failed') {
        throw new Fault('conflict', `The execution is ${execution.status}. Verify it when it has ended.`)
      }
      const steps = await listSteps(database.read, [id])
      if (steps[0]?.failure?.code === 'parent_failed') {
        throw new Fault('conflict', 'The execution never began because its parent failed. Verify the parent.')
      }
      await requireWhole(execution)
      const artifacts = await listArtifacts(database.read, [id])
      const inputs = await loadInputs(database.read, id).catch(async (error: unknown) => {
        await requireWhole(execution)
        throw error
      })
      // Checked again: inputs that were removed meanwhile are missing in what was read.
      const { paramsHash } = await requireWhole(execution)
      const load = (versionId: string) => loadSource(database.read, versionId)
      const sources = {
        contract: await load(inputs.contractVersionId),
        transformer: await load(inputs.transformVersionId),
        ...(inputs.templateVersionId === undefined ? {} : { template: await pinnedSource(inputs, 'template', load) }),
      }
      const { checks } = await reproduce(
        (job) => pool.run(job),
        { ...execution, paramsHash, steps, artifacts },
        inputs,
        sources,
      )
      return {
        execution_id: id,
        identical: checks.every((check) => check.identical),
        engine_revision: REVISION,
        product_version: PRODUCT_VERSION,
        checks,
      }
    },
  }
}
