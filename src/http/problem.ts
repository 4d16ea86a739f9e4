import { causesOf } from '../core/error-cause.ts'
import { Fault, type FaultCode, faultKinds, unavailableDependency } from '../core/faults.ts'
import { errorsOf, type Finding } from '../core/finding.ts'
import { limits } from '../core/limits.ts'
import { StoredValueUnreadable } from '../core/unreadable.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import type { ConfigurationIssue, ValidationResult } from './wire.ts'

/** A problem's two bodies (RFC 9457): `general` never has `errors`, `configuration` always has. */
export type ProblemVariant = 'general' | 'configuration'

export interface ProblemPlace {
  variant: ProblemVariant
  correlationId: string
  resourceKind: string
}

/** Codes the configuration variant doesn't list, and the ones it answers instead; `rate_limited` takes the general form. */
const generalOnly: Partial<Record<FaultCode, FaultCode>> = {
  invalid_credentials: 'authentication_required',
  origin_rejected: 'csrf_rejected',
  content_unavailable: 'not_found',
}

/**
 * Turns anything thrown into a Fault: a Fault unchanged, a lost dependency as 503, anything else as 500 with its cause.
 */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  const away = unavailableDependency(error)
  if (away !== undefined) {
    return new Fault(
      'dependency_unavailable',
      `The ${away.dependency} can't be used: ${away.reason}. Try again shortly.`,
      {
        cause: error,
        dependencies: [{ name: away.dependency, status: 'unavailable' }],
        retryAfterSeconds: limits.dependencyRetrySeconds,
      },
    )
  }
  if (isDatabaseUnavailable(error)) {
    return new Fault('dependency_unavailable', 'The relational database does not answer. Try again shortly.', {
      cause: error,
      dependencies: [{ name: 'relational-db', status: 'unavailable' }],
      retryAfterSeconds: 1,
    })
  }
  const unreadable = [...causesOf(error)].find((cause) => cause instanceof StoredValueUnreadable)
  if (unreadable !== undefined) {
    const what = `The database holds a value of "${unreadable.where}" here that can't be read.`
    return new Fault('internal_error', `${what} On the server, "quire verify" names the record.`, { cause: error })
  }
  return new Fault('internal_error', 'The service failed to handle the request. The log has its correlation id.', {
    cause: error,
  })
}

/** The problem's JSON body, within every pattern and length the interface gives. */
export function problemBody(fault: Fault, place: ProblemPlace): Record<string, unknown> {
  const isConfiguration = place.variant === 'configuration' && fault.code !== 'rate_limited'
  const code = isConfiguration ? (generalOnly[fault.code] ?? fault.code) : fault.code
  const { status, title } = faultKinds[code]
  const body = {
    type: `/problems/${code}`,
    title,
    status,
    code,
    detail: fault.detail === '' ? title : fault.detail,
    correlation_id: place.correlationId,
  }
  if (isConfiguration) return { ...body, errors: issuesOf(fault, place) }
  const { dependencies } = fault.extras
  return dependencies === undefined ? body : { ...body, dependencies: dependencies.slice(0, 3) }
}

/** A refusal without findings still says in `errors` what `detail` says, so that clients need only one of them. */
function issuesOf(fault: Fault, place: ProblemPlace): ConfigurationIssue[] {
  const {
    findings = [],
    dependencies = [],
    stage = 'request',
    resourceKind = place.resourceKind,
    resourceId,
  } = fault.extras
  const subject = { stage, resourceKind, resourceId, correlationId: place.correlationId }
  if (findings.length === 0) {
    const lost = dependencies.find(({ status }) => status === 'unavailable')
    const issue = configurationIssueOf({ code: fault.code, severity: 'error', message: fault.detail }, subject)
    return [lost === undefined ? issue : { ...issue, dependency: lost.name }]
  }
  return findings.slice(0, limits.configurationIssues).map((finding) => configurationIssueOf(finding, subject))
}

export interface IssueSubject {
  stage: string
  resourceKind: string
  resourceId?: string | undefined
  correlationId: string
}

/** A finding as the interface's configuration issue; every text is clipped to its length, every code to its pattern. */
export function configurationIssueOf(finding: Finding, subject: IssueSubject): ConfigurationIssue {
  const { hint, path, keyword, line, column, near = {} } = finding
  const context: Record<string, string> = {}
  if (finding.severity === 'warning') context.severity = 'warning'
  if (keyword !== undefined) context.keyword = clip(keyword, 256)
  if (line !== undefined) context.line = String(line)
  if (column !== undefined) context.column = String(column)
  if (near.template !== undefined) context.template = clip(near.template, limits.issueContextChars)
  if (near.in !== undefined) context.in = clip(near.in, limits.issueContextChars)
  if (near.heading !== undefined) context.heading = clip(near.heading, limits.issueContextChars)
  if (near.words !== undefined) context.words = clip(near.words, limits.issueContextChars)
  const message = hint === undefined ? finding.message : `${finding.message} ${hint}`
  return {
    code: codeOf(finding.code),
    stage: codeOf(subject.stage),
    resource_kind: codeOf(subject.resourceKind),
    ...(subject.resourceId === undefined ? {} : { resource_id: clip(subject.resourceId, limits.resourceIdChars) }),
    ...(path === undefined ? {} : { path: clip(path, limits.issuePathChars) }),
    message: clip(message, limits.configurationIssueMessageChars) || 'Refused.',
    ...(Object.keys(context).length === 0 ? {} : { context }),
    correlation_id: clip(subject.correlationId, limits.correlationIdChars),
  }
}

/** Findings as the interface's "Configuration validation result": warnings alone make nothing invalid. */
export function validationResult(
  findings: readonly Finding[],
  subject: IssueSubject & { resourceId: string },
): ValidationResult {
  const errors = errorsOf(findings).slice(0, limits.configurationIssues)
  return {
    valid: errors.length === 0,
    errors: errors.map((finding) => configurationIssueOf(finding, subject)),
    correlation_id: subject.correlationId,
  }
}

/** Cut at a whole character, with an ellipsis that shows the cut. */
function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  return `${text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function codeOf(text: string): string {
  const code = text
    .toLowerCase()
    .replace(/[^a-z0-9_.:-]/g, '_')
    .slice(0, limits.codeChars)
  return /^[a-z]/.test(code) ? code : 'unknown'
}
