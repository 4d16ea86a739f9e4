/** Running a case as the service would run a submission of it: the same steps, in this process. */
import type { FileFormat } from '../core/formats.ts'
import type { JsonValue } from '../core/json.ts'
import { type SourceRole, type StepName, stepsFor } from '../core/steps.ts'
import { evaluateTransformer } from '../engines/declarative/declarative.ts'
import type { ModelNode } from '../engines/ingestion/ingestion-model.ts'
import { readInput } from '../engines/ingestion/read-input.ts'
import { compileCondition } from '../modules/drafts/conditions.service.ts'
import type { StepJob, StepResult, StepSuccess } from '../runner/job.ts'
import { jobFor, keepMade, type MadeSoFar, type Materials } from '../runner/job-for.ts'
import type { ProjectModel, ProjectSource } from './project.ts'

/** What a node made, or why it made nothing. */
export interface NodeRun {
  /** The keys down to the node, with slashes between them; also the folder of what is expected of it. */
  address: string
  /** The files of configuration that the node reads, below the project's folder. */
  sources: Readonly<Partial<Record<SourceRole, string>>>
  /** Canonical JSON of what the transformer made. */
  output: string | undefined
  /** Empty where they are discarded. */
  files: ReadonlyMap<FileFormat, Uint8Array>
  /** What each step says of its success, remarks included. */
  summaries: ReadonlyMap<StepName, StepSuccess['summary']>
  /** The text of the DOCX, if there is one that can be read. */
  text: string | undefined
  /** Draws the pages of the DOCX, each an SVG; none where there is no DOCX. */
  drawPages(): Promise<readonly string[]>
  refusal: Refusal | undefined
}

export type Refusal = Extract<StepResult, { ok: false }>['failure'] & { step: StepName }

/** Runs the steps of a job, in this process or in a worker: all of a node's in one job, which is asked for once. */
export type Perform = (job: StepJob) => Promise<StepResult[]>

export interface CaseInput {
  raw: string
  /** JSON text of the params. */
  params: string | undefined
}

/**
 * Runs all nodes that want the input, parents before their children. A node that is refused has no children.
 *
 * @param files what becomes of the documents: those that nobody looks at need not leave their worker
 */
export async function runCase(
  project: ProjectModel,
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

/** Only a condition that is false excludes a node: what makes one fail is for `validate` to explain. */
function isExcluded(node: ModelNode, input: JsonValue | undefined): boolean {
  if (node.when === undefined || input === undefined) return false
  const condition = compileCondition(node.when)
  if (!condition.ok) return false
  const outcome = evaluateTransformer(condition.value, input)
  return outcome.ok && outcome.value.output === false
}

interface NodeToRun {
  project: ProjectModel
  node: ModelNode
  parent: NodeRun | undefined
  input: CaseInput
  files: 'kept' | 'discarded'
}

async function runNode({ project, node, parent, input, files }: NodeToRun, perform: Perform): Promise<NodeRun> {
  const sources: Partial<Record<SourceRole, ProjectSource>> = {
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

/** Reading the project has refused a model whose files are not there. */
function sourceNamed(sources: ReadonlyMap<string, ProjectSource>, slug: string): ProjectSource {
  return present(sources.get(slug), slug)
}

function present<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the case lacks its ${name}`)
  return value
}

/** JSON as a file for people: sorted keys, two blanks a level, so that one value has one text. */
export function readableJson(canonical: string): string {
  return `${JSON.stringify(JSON.parse(canonical), null, 2)}\n`
}

/** A refusal as a file for people. */
export function refusalJson({ step, code, message, issues }: Refusal): string {
  return `${JSON.stringify({ step, code, message, issues }, null, 2)}\n`
}
