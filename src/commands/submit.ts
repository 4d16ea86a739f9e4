import { parseArgs } from 'node:util'
import {
  type Execution,
  ExecutionFailed,
  type NewSubmission,
  type QuireClient,
  QuireUnreachable,
  type Submission,
} from '../client/client.ts'
import { Decimal } from '../core/decimal.ts'
import { idempotencyKeyPattern } from '../core/ids.ts'
import { formatInstant, parseInstant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import { type Command, UsageError } from './command.ts'
import { executionText, saveArtifacts } from './executions.ts'
import { CommandFailure, folderNamed, readInput } from './files.ts'
import { plainLines } from './plain.ts'
import { printJson } from './print-json.ts'
import { waitingFor } from './progress.ts'
import { withServer } from './remote.ts'

const text = { type: 'string' } as const
const options = {
  server: text,
  param: { ...text, multiple: true },
  object: text,
  at: text,
  corrects: text,
  key: text,
  wait: { type: 'boolean' },
  timeout: text,
  output: { ...text, short: 'o' },
  json: { type: 'boolean' },
} as const

const words = {
  object_reference: '--object',
  official_time: '--at',
  corrects: '--corrects',
  params: '--param',
  ingestion_model: 'the model',
}

/**
 * `quire submit <model> <file>`: hands an input in, exactly as it is in the file. `--wait` waits until all its executions
 * have ended, `--output` also saves their documents; both end with 1 where one has failed.
 */
export const runSubmit: Command = async (args) => {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [model, file, ...more] = positionals
  if (model === undefined || file === undefined || more.length > 0) {
    throw new UsageError('submit takes an ingestion model and an input: quire submit clws-policy notice.json')
  }
  const timeoutMs = timeoutOf(values.timeout)
  const folder = values.output === undefined ? undefined : folderNamed(values.output)
  const { object, corrects, param = [] } = values
  const params = paramsOf(param)
  const officialTime = values.at === undefined ? undefined : instantOf(values.at)
  const key = keyOf(values.key)
  const submission: NewSubmission = {
    ingestion_model: model,
    raw_input: textOf(file),
    ...(object === undefined ? {} : { object_reference: object }),
    ...(officialTime === undefined ? {} : { official_time: officialTime }),
    ...(corrects === undefined ? {} : { corrects }),
    ...(params === undefined ? {} : { params }),
  }
  return withServer({ server: values.server, words: { ...words, raw_input: file } }, async (quire) => {
    const { submission: made } = await handIn(quire, submission, key)
    const { length } = made.executions
    if (length > limits.modelNodes) {
      throw new CommandFailure(`the server names ${length} executions, and no model has more than ${limits.modelNodes}`)
    }
    const waits = values.wait === true || folder !== undefined
    if (!waits) {
      if (values.json) printJson({ submission: made })
      else process.stdout.write(plainLines(submissionText(made)))
      return 0
    }
    const all = Promise.all(made.executions.map(({ id }) => ended(quire, id, timeoutMs)))
    const executions = await waitingFor('waiting for documents', all).catch((error) => {
      // What was submitted stays so, whatever keeps this command from waiting.
      process.stderr.write(plainLines(`quire: handed in as submission ${made.id}; its documents come later\n`))
      throw error
    })
    const written: string[] = []
    const taken = new Set<string>()
    for (const execution of folder === undefined ? [] : executions) {
      written.push(...(await saveArtifacts(quire, execution, folder ?? '.', taken)))
    }
    if (values.json) printJson({ submission: made, executions, written })
    else {
      const files = written.map((path) => `wrote ${path}\n`)
      const told = [`submission ${made.id}\n`, ...executions.map(executionText), ...files].join('')
      process.stdout.write(plainLines(told))
    }
    return executions.some(({ status }) => status === 'failed') ? 1 : 0
  })
}

/** Prints the key if the answer was lost: with it the same command submits once. */
async function handIn(quire: QuireClient, body: NewSubmission, key: string): Promise<{ submission: Submission }> {
  try {
    return (await quire.createSubmission({ body, idempotencyKey: key })).body
  } catch (error) {
    if (error instanceof QuireUnreachable) process.stderr.write(`quire: to try again: --key ${key}\n`)
    throw error
  }
}

/** The execution when it has ended, completed or failed. */
async function ended(quire: QuireClient, id: string, timeoutMs: number): Promise<Execution> {
  try {
    return await quire.waitForExecution(id, { timeoutMs })
  } catch (error) {
    if (!(error instanceof ExecutionFailed)) throw error
    return (await quire.getExecution({ params: { executionId: id } })).body
  }
}

function submissionText({ id, executions }: Submission): string {
  const lines = executions.map((execution) => `  ${execution.id} ${execution.status} ${execution.node_label}`)
  return [`submission ${id}`, ...lines].map((line) => `${line}\n`).join('')
}

/** @throws CommandFailure for bytes that are no text */
function textOf(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readInput(file))
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(`${file} is not UTF-8; save it as UTF-8`)
  }
}

/** @throws UsageError */
function instantOf(given: string): string {
  const instant = parseInstant(given)
  if (instant === undefined) {
    throw new UsageError(`--at takes an instant such as 2027-01-01T00:00:00Z; "${given}" is none`)
  }
  return formatInstant(instant)
}

/** @throws UsageError */
function keyOf(given: string | undefined): string {
  if (given === undefined) return crypto.randomUUID()
  if (idempotencyKeyPattern.test(given)) return given
  throw new UsageError(
    `--key takes 8 to 128 characters: letters, digits, and after the first also . _ : -; "${given}" is none`,
  )
}

/** @throws UsageError */
function timeoutOf(given: string | undefined): number {
  const seconds = given === undefined ? limits.submitWaitSeconds : Number(given)
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= limits.followSeconds) return seconds * 1000
  throw new UsageError(`--timeout takes whole seconds from 1 to ${limits.followSeconds}; "${given}" is none`)
}

/** `limit=2.5` is a number, `copy=true` a truth value, anything else text; in double quotes it is text whatever it is. */
function paramsOf(given: readonly string[]): NewSubmission['params'] | undefined {
  if (given.length === 0) return undefined
  return Object.fromEntries(
    given.map((each) => {
      const [, name, value = ''] = /^([A-Za-z_][\w-]*)=(.*)$/s.exec(each) ?? []
      if (name === undefined)
        throw new UsageError(`--param takes a name and a value: --param limit=2.5; "${each}" is none`)
      return [name, paramValue(value)] as const
    }),
  )
}

function paramValue(value: string): string | number | boolean {
  if (value === 'true' || value === 'false') return value === 'true'
  // Digits that a number would round stay text.
  const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) ? Decimal.parse(value)?.toNumber() : undefined
  if (number !== undefined) return number
  return /^".*"$/s.test(value) ? value.slice(1, -1) : value
}
