import { causesOf } from './error-cause.ts'
import type { Finding } from './finding.ts'

/** The interface's closed list of problem codes, each with its status and the title we give it. */
export const faultKinds = {
  authentication_required: { status: 401, title: 'Authentication required' },
  invalid_credentials: { status: 401, title: 'Invalid credentials' },
  forbidden: { status: 403, title: 'Forbidden' },
  csrf_rejected: { status: 403, title: 'CSRF check failed' },
  origin_rejected: { status: 403, title: 'Origin rejected' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict' },
  content_unavailable: { status: 410, title: 'Content unavailable' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  validation_failed: { status: 422, title: 'Validation failed' },
  precondition_required: { status: 428, title: 'Precondition required' },
  rate_limited: { status: 429, title: 'Too many attempts' },
  internal_error: { status: 500, title: 'Internal error' },
  dependency_unavailable: { status: 503, title: 'Dependency unavailable' },
} as const

export type FaultCode = keyof typeof faultKinds

export const dependencyNames = ['relational-db', 'message-bus', 'object-store', 'outbox'] as const
export type DependencyName = (typeof dependencyNames)[number]
export interface DependencyStatus {
  name: DependencyName
  status: 'ready' | 'unavailable'
}

export interface FaultExtras {
  /** For the log only; never reaches the client. */
  cause?: unknown
  /** Located findings; the configuration variant of a problem lists them under `errors`. */
  findings?: readonly Finding[]
  /** The stage and kind of resource the findings belong to, for the configuration variant. */
  stage?: string
  resourceKind?: string
  resourceId?: string
  dependencies?: readonly DependencyStatus[]
  retryAfterSeconds?: number
  /** The service is busy or stops: nothing is wrong, so the log needn't have each of thousands. */
  isTurnedAway?: true
  allow?: readonly string[]
}

/**
 * A dependency can't be used at the moment, through no fault of the caller: a retry may succeed, and doesn't count as
 * an attempt.
 */
export abstract class DependencyUnavailable extends Error {
  abstract readonly dependency: DependencyName
  /** Why, as the end of a sentence about the dependency, in words that anybody may read. */
  abstract readonly reason: string
}

/** The dependency that is behind an error, if one is. */
export function unavailableDependency(error: unknown): DependencyUnavailable | undefined {
  for (const cause of causesOf(error)) if (cause instanceof DependencyUnavailable) return cause
  return undefined
}

/** What a service throws to refuse: `detail` names the field and the remedy, and reaches the client unchanged. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly status: number
  readonly title: string

  constructor(
    readonly code: FaultCode,
    readonly detail: string,
    readonly extras: FaultExtras = {},
  ) {
    super(detail, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.status = faultKinds[code].status
    this.title = faultKinds[code].title
  }
}
