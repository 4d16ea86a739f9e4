/** What the client throws, besides the reason of an aborted signal, which it throws unchanged. */
import type { AnyProblem } from './problems.ts'

/** The server refused (RFC 9457). `code` tells problems apart; the message is for people, `problem` holds all that was answered. */
export class QuireRefusal extends Error {
  override readonly name = 'QuireRefusal'
  readonly status: number
  readonly code: AnyProblem['code']
  readonly problem: AnyProblem
  /** Names the request in the server's log; empty if something in between answered. */
  readonly correlationId: string
  /** Milliseconds after which the server wants to be asked again, if it says so. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, problem: AnyProblem, told: { correlationId?: string; retryAfterMs?: number } = {}) {
    super(`${problem.code}: ${problem.detail}${issueLines(problem)}`)
    this.status = status
    this.code = problem.code
    this.problem = problem
    this.correlationId = told.correlationId ?? ''
    this.retryAfterMs = told.retryAfterMs
  }
}

/** No answer came, or only a part of one: the server may or may not have done what was asked. */
export class QuireUnreachable extends Error {
  override readonly name = 'QuireUnreachable'

  constructor(request: string, attempts: number, cause: unknown) {
    const times = attempts === 1 ? '' : ` after ${attempts} attempts`
    const remedy = isNobodyThere(cause)
      ? '; start Quire there with quire serve, or give the client its address as origin'
      : ''
    super(`${request} got no answer${times}: ${textOf(cause)}${remedy}`, { cause })
  }
}

/** What both errors about an execution know of it. */
interface EndedBadly {
  id: string
  status: string
  steps: readonly {
    name: string
    failure?: { message: string; issues: readonly { path: string; message: string }[] }
  }[]
}

/** The execution ended as `failed`: its input or configuration was refused, or its attempts are used up. */
export class ExecutionFailed<Execution extends EndedBadly = EndedBadly> extends Error {
  override readonly name = 'ExecutionFailed'

  constructor(readonly execution: Execution) {
    const step = execution.steps.find(({ failure }) => failure !== undefined)
    const issues = step?.failure?.issues.map(({ path, message }) => `\n  ${path === '' ? '' : `${path}: `}${message}`)
    const why = step?.failure === undefined ? '' : ` at ${step.name}: ${step.failure.message}${issues?.join('')}`
    super(`Execution ${execution.id} failed${why}`)
  }
}

/** The execution was still at work when the time to wait was over. It goes on; wait again, or read it later. */
export class ExecutionUnfinished extends Error {
  override readonly name = 'ExecutionUnfinished'

  constructor(
    readonly executionId: string,
    readonly waitedMs: number,
    /** What kept the client from reading it at last, if anything did. */
    trouble?: unknown,
  ) {
    const last = trouble instanceof Error ? `; at last ${trouble.message}` : ''
    super(`Execution ${executionId} has not ended within ${waitedMs} ms${last}`, { cause: trouble })
  }
}

/** Issues that say more than the detail, each with its place. */
function issueLines(problem: AnyProblem): string {
  if (!('errors' in problem)) return ''
  const told = problem.errors.filter(({ message }) => message !== problem.detail)
  return told.map(({ path = '', message }) => `\n  ${path === '' ? '' : `${path}: `}${message}`).join('')
}

/** Codes of errors in Node and Bun where nothing listens, or no host has the name. */
const nobodyThere = ['ECONNREFUSED', 'ConnectionRefused', 'ENOTFOUND']

function isNobodyThere(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const hasCode = 'code' in error && nobodyThere.some((code) => code === error.code)
  return hasCode || isNobodyThere(error.cause)
}

/** `fetch` often keeps the reason in the cause of what it throws. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? `${error.message} (${cause.message})` : error.message
}
