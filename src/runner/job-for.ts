import { type FileFormat, fileFormatNames } from '../core/formats.ts'
import { formatMadeBy, type Material, type SourceRole, type StepName, sourceRoles, stepKinds } from '../core/steps.ts'
import type { ExecutionInputs } from './executions.store.ts'
import type { FragmentSource, Source, StepJob, StepSuccess } from './job.ts'

/** What the steps of a run have made so far, for later steps. */
export interface MadeSoFar {
  /** JSON text. */
  output?: string
  files: Map<FileFormat, Uint8Array>
  /** Monotonic time since which, at the earliest, the current job's files have been in the store. */
  storedSinceMs?: number
}

/** Where a job's materials come from; only those that its steps read are requested. */
export interface Materials {
  inputs: Pick<ExecutionInputs, 'rawInput' | 'inputFormat' | 'input' | 'params' | 'readsParent'>
  source(role: SourceRole): Promise<Source>
  /** Undefined until a step has made it. */
  output: string | undefined
  /** The worker takes over the bytes. */
  file(format: FileFormat): Promise<Uint8Array>
}

/** A job for these steps with everything that they read (core/steps.ts), except what one of them makes for another. */
export async function jobFor(steps: readonly StepName[], materials: Materials): Promise<StepJob> {
  const { inputs, output } = materials
  const isRead = new Set<Material>()
  const isMade = new Set<Material>()
  for (const name of steps) {
    const { reads, makes } = stepKinds[name]
    for (const material of reads) if (!isMade.has(material)) isRead.add(material)
    if (makes !== undefined) isMade.add(makes)
  }
  const job: StepJob = { steps, sources: {} }
  for (const role of sourceRoles) if (isRead.has(role)) job.sources[role] = await materials.source(role)
  if (isRead.has('rawInput')) job.rawInput = inputs.rawInput
  if (inputs.inputFormat !== undefined) job.inputFormat = inputs.inputFormat
  if (isRead.has('input')) {
    job.input = inputs.input
    job.readsParent = inputs.readsParent
  }
  if (isRead.has('params') && inputs.params !== undefined) job.params = inputs.params
  if (isRead.has('output') && output !== undefined) job.output = output
  for (const format of fileFormatNames) if (isRead.has(format)) job[format] = await materials.file(format)
  return job
}

/** The version that an execution's release pins for a role. */
export function pinnedVersion(inputs: ExecutionInputs, role: SourceRole): string {
  const { contractVersionId: contract, transformVersionId: transformer, templateVersionId: template } = inputs
  const id = { contract, transformer, template }[role]
  if (id === undefined) throw new Error(`a release without a ${role} has no step that reads one`)
  return id
}

/** A pinned version; if it is a template, with the templates that it includes. */
export async function pinnedSource(
  inputs: ExecutionInputs,
  role: SourceRole,
  load: (versionId: string) => Promise<Source>,
): Promise<Source> {
  const source = await load(pinnedVersion(inputs, role))
  if (role !== 'template' || inputs.fragments.length === 0) return source
  const fragments: FragmentSource[] = []
  for (const { slug, versionId } of inputs.fragments) {
    const { hash, content } = await load(versionId)
    if (typeof content === 'string') throw new Error(`version ${versionId} of a template has no file`)
    fragments.push({ slug, hash, content })
  }
  return { ...source, fragments }
}

/** Keeps a step's results for the steps after it. */
export function keepMade(made: MadeSoFar, { step, output, file }: StepSuccess): void {
  if (output !== undefined) made.output = output.text
  const format = formatMadeBy(step)
  if (file !== undefined && format !== undefined) made.files.set(format, file.bytes)
}
