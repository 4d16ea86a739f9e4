/** What the commands about executions print and write. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Execution, type QuireClient, QuireRefusal, type Step, type TraceEvent } from '../client/client.ts'
import { fileFormats, isFileFormat } from '../core/formats.ts'
import { sha256Hex } from '../core/hash.ts'
import { isUuid } from '../core/ids.ts'
import { UsageError } from './command.ts'
import { CommandFailure, writeOutput } from './files.ts'
import { lineOf } from './remote.ts'

/** @throws UsageError for an invalid id */
export function executionIdOf(command: string, positionals: readonly string[]): string {
  const [id, ...more] = positionals
  if (id === undefined || more.length > 0 || !isUuid(id)) {
    throw new UsageError(`${command} takes the id of an execution, such as 0198c3d2-7a10-7c00-8000-000000000000`)
  }
  return id.toLowerCase()
}

/**
 * Awaits the answer about an execution. If the id is a submission's, which `quire submit` prints first, the failure
 * names its executions.
 * @throws CommandFailure that names the submission's executions
 */
export async function orItsExecutions<Answer>(quire: QuireClient, id: string, asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof QuireRefusal) || error.status !== 404) throw error
    const found = await quire.getSubmission({ params: { submissionId: id } }).catch(() => undefined)
    if (found === undefined) throw error
    const ids = found.body.executions.map((execution) => execution.id)
    throw new CommandFailure(`${id} is a submission; name one of its executions: ${ids.join(', ')}`)
  }
}

/** As Quire names the documents that it makes. */
const documentName = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,250}$/

/**
 * Downloads all artifacts of an execution into a folder, each whole or not at all. The server's file name is used only if
 * it suits a document of its format: nobody wants `.bashrc` from it.
 *
 * @param taken names that other executions' documents have in the folder, in lower case; those of this one are added
 * @returns the paths written
 * @throws CommandFailure for bytes that are not those that the execution names
 */
export async function saveArtifacts(
  quire: QuireClient,
  execution: Execution,
  folder: string,
  taken: Set<string> = new Set(),
): Promise<string[]> {
  // It becomes a part of files' names.
  if (!isUuid(execution.id)) throw new CommandFailure('the server names an execution by what is no id')
  mkdirSync(folder, { recursive: true })
  const paths: string[] = []
  for (const { id, kind, content_hash: hash } of execution.artifacts) {
    if (!isFileFormat(kind))
      throw new CommandFailure(`the server names a document of a format that is not known: ${kind}`)
    const file = await quire.download(execution.id, id)
    const bytes = await file.bytes()
    if (sha256Hex(bytes) !== hash) {
      throw new CommandFailure(`the ${kind} that the server sent is not the one that execution ${execution.id} names`)
    }
    const { extension } = fileFormats[kind]
    const isFit = documentName.test(file.fileName) && file.fileName.endsWith(`.${extension}`)
    const name = isFit ? file.fileName : `${execution.id}.${extension}`
    // Nodes of one model may have the same key below different parents.
    const free = taken.has(name.toLowerCase()) ? `${execution.id}-${name}` : name
    taken.add(free.toLowerCase())
    const path = join(folder, free)
    writeOutput(path, bytes)
    paths.push(path)
  }
  return paths
}

/** An execution for people: what it is, a line for each step and artifact, and why it failed. */
export function executionText(execution: Execution): string {
  const { id, status, created_at: created, completed_at: completed, artifacts } = execution
  const steps = [...execution.steps].sort((one, other) => one.position - other.position)
  const lines = [
    `${id} ${status}, ${completed === undefined ? `since ${toMs(created)}` : `${toMs(created)} to ${toMs(completed)}`}`,
    ...steps.flatMap(stepLines),
    ...artifacts.map(({ kind, byte_size: size, content_hash: hash }) => `  ${kind} ${size} bytes, SHA-256 ${hash}`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** An instant for people, to the millisecond like durations; `--json` has the server's full precision. */
function toMs(instant: string): string {
  return instant.replace(
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/,
    (_, seconds, fraction = '') => `${seconds}.${`${fraction}000`.slice(0, 3)}Z`,
  )
}

function stepLines({ name, status, attempt, duration_ms: ms, failure }: Step): string[] {
  const remarks = [
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(ms === undefined ? [] : [`${Math.round(ms)} ms`]),
  ]
  const head = `  ${name} ${status}${remarks.length === 0 ? '' : ` (${remarks.join(', ')})`}`
  return failure === undefined ? [head] : [head, ...failureLines(failure)]
}

function failureLines({ code, message, issues }: NonNullable<Step['failure']>): string[] {
  return [`    ${code}: ${message}`, ...issues.map((issue) => `  ${lineOf(issue)}`)]
}

/** An event of a trace as a line: when, what, and what it says. */
export function eventLine({ created_at: at, type, data }: TraceEvent): string {
  const { execution_id: _id, step, attempt, failure, ...rest } = data
  const told = Object.entries(rest).flatMap(([name, value]) => {
    return typeof value === 'object' && value !== null ? [] : [`${name}=${toMs(String(value))}`]
  })
  const words = [
    toMs(at),
    type,
    ...(typeof step === 'string' ? [step] : []),
    ...(typeof attempt === 'number' && attempt > 1 ? [`attempt ${attempt}`] : []),
    ...told,
  ]
  const reason = isFailure(failure) ? `: ${failure.code}: ${failure.message}` : ''
  return `${words.join(' ')}${reason}\n`
}

function isFailure(value: unknown): value is { code: string; message: string } {
  return typeof value === 'object' && value !== null && 'code' in value && 'message' in value
}
