import { canonicalHash } from '../../core/canonical.ts'
import { Fault } from '../../core/faults.ts'
import { sha256Hex } from '../../core/hash.ts'
import { readJson } from '../../core/json.ts'
import { makerOf, type StepName } from '../../core/steps.ts'
import { PRODUCT_VERSION, REVISION } from '../../core/version.ts'
import type { Database } from '../../db/database.ts'
import { type ExecutionInputs, loadInputs, loadSource } from '../../runner/executions.store.ts'
import { EngineThrew, WorkerOverran } from '../../runner/faults.ts'
import type { Source, StepJob, StepResult } from '../../runner/job.ts'
import { jobFor, keepMade, type MadeSoFar } from '../../runner/job-for.ts'
import type { EnginePool } from '../../runner/pool.ts'
import { releaseHashOf } from '../releases/releases.service.ts'
import type { Verification } from './executions.model.ts'
import {
  type ArtifactRow,
  type ExecutionRow,
  findExecution,
  findSubmissionFacts,
  listArtifacts,
  listSteps,
  type StepRow,
} from './executions.store.ts'

type Check = Verification['checks'][number]

export type VerifyService = ReturnType<typeof createVerifyService>

export function createVerifyService({ database, pool }: { database: Database; pool: EnginePool }) {
  return {
    /**
     * Runs an execution that has ended again, from the inputs it is pinned to, with this build's engines, and says of
     * every hash whether it is the same. Keeps nothing, and reads no artifact: it compares with the recorded hashes.
     *
     * @throws Fault not_found, and conflict for an execution that has not ended
     */
    async verify(id: string): Promise<Verification> {
      const execution = await findExecution(database.read, id)
      if (execution === undefined) throw new Fault('not_found', `There is no execution ${id}.`)
      if (execution.status !== 'completed' && execution.status !== 'failed') {
        throw new Fault('conflict', `The execution is ${execution.status}. Verify it when it has ended.`)
      }
      const steps = await listSteps(database.read, [id])
      if (steps[0]?.failure?.code === 'parent_failed') {
        throw new Fault('conflict', 'The execution never began because its parent failed. Verify the parent.')
      }
      const artifacts = await listArtifacts(database.read, [id])
      const inputs = await loadInputs(database.read, id)
      const { paramsHash } = await findSubmissionFacts(database.read, execution.submissionId)
      const sources = {
        contract: await loadSource(database.read, inputs.contractVersionId),
        transformer: await loadSource(database.read, inputs.transformVersionId),
        ...(inputs.templateVersionId === undefined
          ? {}
          : { template: await loadSource(database.read, inputs.templateVersionId) }),
      }
      const results = await runAgain(pool, steps, inputs, sources)
      const checks = [
        ...inputChecks(execution, paramsHash, inputs, sources),
        ...resultChecks(execution, steps, artifacts, results),
      ]
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

interface Sources {
  contract: Source
  transformer: Source
  template?: Source
}

/** Every step that was run, up to and including the one that fails now or failed then. */
async function runAgain(
  pool: EnginePool,
  steps: readonly StepRow[],
  inputs: ExecutionInputs,
  sources: Sources,
): Promise<Map<StepName, StepResult>> {
  const results = new Map<StepName, StepResult>()
  const made: MadeSoFar = { files: new Map() }
  for (const { name, status } of steps) {
    if (status !== 'succeeded' && status !== 'failed') break
    const job = await jobFor([name], {
      inputs,
      source: async (role) => given(sources[role], role),
      output: made.output,
      // The pool takes the bytes over, and another step may read them too.
      file: async (format) => given(made.files.get(format), format).slice(),
    })
    const [result] = await tryRun(pool, job)
    if (result === undefined) break
    results.set(name, result)
    if (!result.ok) break
    keepMade(made, result)
  }
  return results
}

function given<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`a step that succeeded read a ${name} that is not there`)
  return value
}

/** Undefined if the engine took too long: nobody would try again, so the hash can't be computed. */
async function tryRun(pool: EnginePool, job: StepJob): Promise<StepResult[]> {
  try {
    return await pool.run(job)
  } catch (error) {
    if (error instanceof WorkerOverran || error instanceof EngineThrew) return []
    throw error
  }
}

function inputChecks(
  execution: ExecutionRow,
  paramsHash: string | null,
  inputs: ExecutionInputs,
  sources: Sources,
): Check[] {
  const rawHash = sha256Hex(inputs.rawInput)
  const value = readJson(inputs.input)
  const hashes = {
    contract: sha256Hex(sources.contract.content),
    transformer: sha256Hex(sources.transformer.content),
    template: sources.template === undefined ? undefined : sha256Hex(sources.template.content),
  }
  const pinOf = (hash: string) => ({ id: '', contentHash: hash })
  const release = releaseHashOf({
    contract: pinOf(hashes.contract),
    transformer: pinOf(hashes.transformer),
    template: hashes.template === undefined ? undefined : pinOf(hashes.template),
  })
  return [
    checkOf('raw_input', execution.rawInputHash, rawHash),
    checkOf('input', execution.inputHash, value.ok ? canonicalHash(value.value) : rawHash),
    ...(paramsHash === null ? [] : [checkOf('params', paramsHash, sha256Hex(inputs.params ?? ''))]),
    checkOf('contract', sources.contract.hash, hashes.contract),
    checkOf('transformer', sources.transformer.hash, hashes.transformer),
    ...(sources.template === undefined ? [] : [checkOf('template', sources.template.hash, hashes.template)]),
    checkOf('release', execution.releaseHash, release),
  ]
}

function resultChecks(
  execution: ExecutionRow,
  steps: readonly StepRow[],
  artifacts: readonly ArtifactRow[],
  results: ReadonlyMap<StepName, StepResult>,
): Check[] {
  const checks: Check[] = []
  const made = (name: StepName) => {
    const result = results.get(name)
    return result?.ok === true ? result : undefined
  }
  if (execution.outputHash !== null) {
    checks.push(checkOf('output', execution.outputHash, made(makerOf('output'))?.output?.hash))
  }
  for (const { kind, contentHash } of artifacts) {
    checks.push(checkOf(kind, contentHash, made(makerOf(kind))?.file?.hash))
  }
  checks.push(...fontChecks(steps, made(makerOf('pdf'))?.summary))
  const failed = steps.find(({ status }) => status === 'failed')
  if (failed?.failure != null) {
    const result = results.get(failed.name)
    checks.push(checkOf('failure', failed.failure.code, result?.ok === false ? result.failure.code : undefined))
  }
  return checks
}

/** Different fonts explain a different PDF, so they are listed if any were or are handed in. */
function fontChecks(steps: readonly StepRow[], computed: Record<string, unknown> | undefined): Check[] {
  const hashOf = (summary: Record<string, unknown> | null | undefined) =>
    typeof summary?.fonts_hash === 'string' ? summary.fonts_hash : undefined
  const row = steps.find(({ name, status }) => name === makerOf('pdf') && status === 'succeeded')
  const recorded = hashOf(row?.summary)
  if (row === undefined || (recorded === undefined && hashOf(computed) === undefined)) return []
  const own = 'those of the executable'
  return [checkOf('fonts', recorded ?? own, computed === undefined ? undefined : (hashOf(computed) ?? own))]
}

function checkOf(subject: Check['subject'], recorded: string, computed: string | undefined): Check {
  return { subject, recorded, ...(computed === undefined ? {} : { computed }), identical: recorded === computed }
}
