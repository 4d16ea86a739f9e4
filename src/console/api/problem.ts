/** What went wrong with a call, in the words of the server's problem document where there is one. */
import { t } from '../language.ts'
import type { WireIssue } from './types.ts'

/** What only an answer has. */
interface OfAnswer {
  correlationId?: string
  errors?: readonly WireIssue[]
  /** Seconds after which a throttled call may be tried again. */
  retryAfterSeconds?: number | undefined
}

/** The one error that `call` throws. */
export class ApiProblem extends Error {
  readonly correlationId: string
  readonly errors: readonly WireIssue[]
  readonly retryAfterSeconds: number | undefined

  constructor(
    /** HTTP status; 0 when no answer came. */
    readonly status: number,
    readonly code: string,
    readonly title: string,
    readonly detail: string,
    { correlationId = '', errors = [], retryAfterSeconds }: OfAnswer = {},
  ) {
    super(detail)
    this.correlationId = correlationId
    this.errors = errors
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export function unreachable(): ApiProblem {
  return new ApiProblem(
    0,
    'unreachable',
    t`Quire did not answer`,
    t`The connection to the server failed. Check that it is running, then try again.`,
  )
}

/** Faults that are shown, and so in the browser's own console. */
const shown = new WeakSet<object>()

export function isShown(error: unknown): boolean {
  return typeof error === 'object' && error !== null && shown.has(error)
}

/**
 * A failure in the browser, mostly of an engine, as a problem like any other. The browser's own console gets it as well, once
 * however often it is drawn.
 */
export function problemFrom(error: unknown, { isReported = isShown(error) } = {}): ApiProblem {
  if (error instanceof ApiProblem) return error
  if (typeof error === 'object' && error !== null) shown.add(error)
  if (!isReported) reportError(error)
  const fault = error instanceof Error ? error.message : String(error)
  const detail = t`This is a fault of Quire’s own. Try again, or change what you typed and go on. It said: ${fault}`
  return new ApiProblem(0, 'failed_here', t`Something failed in the console`, detail)
}

/** Reads a problem document; any other answer (a proxy's page, say) still becomes a readable problem. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const correlationId = response.headers.get('x-correlation-id') ?? ''
  const retryAfter = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  let body: unknown
  try {
    body = await response.json()
  } catch {
    body = undefined
  }
  const members = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  return new ApiProblem(
    response.status,
    textOf(members.code) ?? 'unknown',
    textOf(members.title) ?? t`The server answered ${response.status}`,
    textOf(members.detail) ?? t`The answer carries no explanation.`,
    {
      correlationId: textOf(members.correlation_id) ?? correlationId,
      errors: Array.isArray(members.errors) ? (members.errors as WireIssue[]) : [],
      retryAfterSeconds: Number.isNaN(retryAfter) ? undefined : retryAfter,
    },
  )
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
