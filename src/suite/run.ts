/** Running a case as the service would run a submission of it: the same steps, in this process. */
import type { FileFormat } from '../core/formats.ts'
import type { JsonValue } from '../core/json.ts'
import { type SourceRole, type StepName, stepsFor } from '../core/steps.ts'
import { evaluateTransformer } from '../engines/declarative/declarative.ts'
import type { IngestionModel, ModelNode } from '../engines/ingestion/ingestion-model.ts'
import { readInput } from '../engines/ingestion/read-input.ts'
import { compileCondition } from '../modules/drafts/conditions.service.ts'
import type { Source, StepJob, StepResult, StepSuccess } from '../runner/job.ts'
import { jobFor, keepMade, type MadeSoFar, type Materials } from '../runner/job-for.ts'
import type { MadeNode, Refusal } from './compare.ts'

/** A piece of configuration for steps, and its origin: a file below the project's folder, or its name in the store. */
export interface SuiteSource extends Source {
  path: string
}

/** A model with what its nodes name, by slug. */
export interface SuiteModel {
  model: Pick<IngestionModel, 'nodes' | 'input'>
  contract: SuiteSource
  transformers: ReadonlyMap<string, SuiteSource>
  templates: ReadonlyMap<string, SuiteSource>
}

/** What a node made, or why it made nothing. */
export interface NodeRun extends Omit<MadeNode, 'pages'> {
  /** The files of configuration that the node reads, below the project's folder. */
  sources: Readonly<Partial<Record<SourceRole, string>>>
  /** Empty if they are discarded. */
  files: ReadonlyMap<FileFormat, Uint8Array>
  /** What each step says of its success, remarks included. */
  summaries: ReadonlyMap<StepName, StepSuccess['summary']>
  /** Draws the pages of the DOCX, each an SVG; none if there is no DOCX. */
  drawPages(): Promise<readonly string[]>
}

/** Runs the steps of a job, in this process or in a worker. All steps of a node are one job. */
export type Perform = (job: StepJob) => Promise<StepResult[]>

export interface CaseInput {
  raw: string
  /** JSON text of the params. */
  params: string | undefined
}

/**
 * Runs all nodes whose condition holds for the input, parents before their children. Children of a refused node don't
 * run.
 *
 * @param files whether to keep the documents: those that nobody reads needn't leave their worker
 */
export async function runCase(
  project: SuiteModel,
  input: CaseInput,
  perform: Perform,
  files: 'kept' | 'discarded' = 'kept',
): Promise<NodeRun[]> {
  const read = readInput(input.raw, project.model.input)
  const parsed = read.ok ? read.value.value : undefined
  const runs: NodeRun[] = []
  const runAll = async (nodes: readonly ModelNode[], parent: NodeRun | undefined) => {
    for (const node of nodes) {
      if (isExcluded(node, parsed)) continue
      const run = await runNode({ project, node, parent, input, files }, perform)
      runs.push(run)
      if (run.refusal === undefined) await runAll(node.children, run)
    }
  }
  await runAll(project.model.nodes, undefined)
  return runs
}

/** Only a false condition excludes a node. If evaluating it fails, `validate` explains why. */
function isExcluded(node: ModelNode, input: JsonValue | undefined): boolean {
  if (node.when === undefined || input === undefined) return false
  const condition = compileCondition(node.when)
  if (!condition.ok) return false
  const outcome = evaluateTransformer(condition.value, input)
  return outcome.ok && outcome.value.output === false
}

interface NodeToRun {
  project: SuiteModel
  node: ModelNode
  parent: NodeRun | undefined
  input: CaseInput
  files: 'kept' | 'discarded'
}

async function runNode({ project, node, parent, input, files }: NodeToRun, perform: Perform): Promise<NodeRun> {
  const sources: Partial<Record<SourceRole, SuiteSource>> = {
    contract: project.contract,
    transformer: sourceNamed(project.transformers, node.transformer),
    ...(node.template === undefined ? {} : { template: sourceNamed(project.templates, node.template) }),
  }
  const made: MadeSoFar = { files: new Map() }
  const materials = (): Materials => ({
    inputs: {
      rawInput: input.raw,
      inputFormat: project.model.input,
      input: parent?.output ?? input.raw,
      params: input.params,
      readsParent: parent !== undefined,
    },
    output: made.output,
    source: async (role) => present(sources[role], role),
    file: async (format) => present(made.files.get(format), format).slice(),
  })
  const summaries = new Map<StepName, StepSuccess['summary']>()
  let refusal: Refusal | undefined
  let text: string | undefined
  const steps = stepsFor(node.formats)
  const results = await perform({
    ...(await jobFor(steps, materials())),
    tellsText: true,
    discardsFiles: files === 'discarded',
  })
  for (const [index, step] of steps.entries()) {
    const result = results[index]
    if (result === undefined) throw new Error(`the step ${step} gave no result`)
    if (!result.ok) {
      refusal = { step, ...result.failure }
      break
    }
    keepMade(made, result)
    summaries.set(step, result.summary)
    text = result.text ?? text
  }
  return {
    address: parent === undefined ? node.key : `${parent.address}/${node.key}`,
    sources: Object.fromEntries(Object.entries(sources).map(([role, { path }]) => [role, path])),
    output: made.output,
    files: made.files,
    summaries,
    text,
    async drawPages() {
      if (!summaries.has('compose')) return []
      const [result] = await perform({ ...(await jobFor(['compose'], materials())), draws: true })
      return result?.ok === true ? (result.drawn?.pages ?? []).map(({ svg }) => svg) : []
    },
    refusal,
  }
}

/** Reading the project has refused a model whose files are missing. */
function sourceNamed(sources: ReadonlyMap<string, SuiteSource>, slug: string): SuiteSource {
  return present(sources.get(slug), slug)
}

function present<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the case lacks its ${name}`)
  return value
}
