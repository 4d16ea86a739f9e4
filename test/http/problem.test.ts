import { describe, expect, test } from 'bun:test'
import { Fault, type FaultCode, faultKinds } from '../../src/core/faults.ts'
import type { Finding } from '../../src/core/finding.ts'
import { limits } from '../../src/core/limits.ts'
import { AE, ALL, permissions, permissionsOf, READ4, type Role } from '../../src/http/access.ts'
import { asFault, configurationIssueOf, problemBody, validationResult } from '../../src/http/problem.ts'
import { checkShape } from '../../src/http/shape.ts'
import { configurationProblem, problem } from '../../src/http/wire.ts'

const place = { variant: 'general', correlationId: 'c-1', resourceKind: 'template' } as const
const configuration = { ...place, variant: 'configuration' } as const
const finding = (more: Partial<Finding> = {}): Finding => ({
  code: 'a.b',
  severity: 'error',
  message: 'It is wrong.',
  ...more,
})
const subject = { stage: 'freeze', resourceKind: 'template', resourceId: 'x', correlationId: 'c-1' }

describe('a problem', () => {
  test('of every code fits its description in either variant, with the status and title of its code', () => {
    for (const code of Object.keys(faultKinds) as FaultCode[]) {
      const general = problemBody(new Fault(code, 'Why.'), place)
      expect(general).toEqual({
        type: `/problems/${code}`,
        ...faultKinds[code],
        code,
        detail: 'Why.',
        correlation_id: 'c-1',
      })
      expect(checkShape(problem, general, 'response')).toEqual([])
      const other = problemBody(new Fault(code, 'Why.'), configuration)
      const shape = code === 'rate_limited' ? problem : configurationProblem
      expect([code, checkShape(shape, other, 'response')]).toEqual([code, []])
    }
  })

  test('of configuration takes another code for three that it does not have, and the general form for a rate', () => {
    const shown = (code: FaultCode) => {
      const body = problemBody(new Fault(code, 'Why.'), configuration)
      return [body.code, body.type, body.status]
    }
    expect(shown('invalid_credentials')).toEqual(['authentication_required', '/problems/authentication_required', 401])
    expect(shown('origin_rejected')).toEqual(['csrf_rejected', '/problems/csrf_rejected', 403])
    expect(shown('rate_limited')).toEqual(['rate_limited', '/problems/rate_limited', 429])
    expect(shown('content_unavailable')).toEqual(['not_found', '/problems/not_found', 404])
    expect(shown('conflict')).toEqual(['conflict', '/problems/conflict', 409])
  })

  test('names up to three dependencies, or the one that is lost, and never lacks a detail', () => {
    const names = ['relational-db', 'message-bus', 'object-store', 'outbox'] as const
    const dependencies = names.map(
      (name) => ({ name, status: name === 'relational-db' ? 'ready' : 'unavailable' }) as const,
    )
    const fault = new Fault('dependency_unavailable', '', { dependencies })
    expect(problemBody(fault, place)).toMatchObject({
      detail: 'Dependency unavailable',
      dependencies: dependencies.slice(0, 3),
    })
    expect(problemBody(fault, configuration).errors).toEqual([
      {
        code: 'dependency_unavailable',
        stage: 'request',
        resource_kind: 'template',
        message: 'Refused.',
        correlation_id: 'c-1',
        dependency: 'message-bus',
      },
    ])
    const ready = new Fault('conflict', 'Why.', { dependencies: dependencies.slice(0, 1) })
    const [only] = problemBody(ready, configuration).errors as object[]
    expect(only).not.toContainKey('dependency')
  })

  test('of configuration lists the findings up to their bound, at the stage and the resource they are about', () => {
    const findings = Array.from({ length: limits.configurationIssues + 1 }, (_, index) =>
      finding({ code: `f${index}` }),
    )
    const extras = { stage: 'chain', resourceKind: 'transformer', resourceId: 'y' }
    const { errors } = problemBody(new Fault('validation_failed', 'Why.', { findings, ...extras }), configuration)
    expect(errors).toHaveLength(limits.configurationIssues)
    const [first] = errors as object[]
    expect(first).toEqual({
      code: 'f0',
      stage: 'chain',
      resource_kind: 'transformer',
      resource_id: 'y',
      message: 'It is wrong.',
      correlation_id: 'c-1',
    })
  })

  test('is a Fault as it is, a lost database as 503, and anything else as 500 that says nothing of its cause', () => {
    const fault = new Fault('conflict', 'Why.')
    expect(asFault(fault)).toBe(fault)
    const lost = asFault(Object.assign(new Error('secret'), { code: 'CONNECTION_CLOSED' }))
    expect([lost.code, lost.extras.retryAfterSeconds]).toEqual(['dependency_unavailable', 1])
    expect(lost.extras.dependencies).toEqual([{ name: 'relational-db', status: 'unavailable' }])
    const cause = new Error('secret')
    const broken = asFault(cause)
    expect([broken.code, broken.extras.cause]).toEqual(['internal_error', cause])
    for (const one of [lost, broken]) expect(one.detail).not.toContain('secret')
  })
})

describe('an issue', () => {
  test('says what its finding says: message with hint, path, and where and what in its context', () => {
    expect(configurationIssueOf(finding(), subject)).toEqual({
      code: 'a.b',
      stage: 'freeze',
      resource_kind: 'template',
      resource_id: 'x',
      message: 'It is wrong.',
      correlation_id: 'c-1',
    })
    const full = finding({ severity: 'warning', hint: 'Mend it.', path: '/a', keyword: 'type', line: 3, column: 9 })
    expect(configurationIssueOf(full, { ...subject, resourceId: undefined })).toEqual({
      code: 'a.b',
      stage: 'freeze',
      resource_kind: 'template',
      path: '/a',
      message: 'It is wrong. Mend it.',
      context: { severity: 'warning', keyword: 'type', line: '3', column: '9' },
      correlation_id: 'c-1',
    })
  })

  test('has the place in a document as its author sees it', () => {
    const near = { in: 'header', heading: 'Scope', words: `Dear {{name}} ${'x'.repeat(limits.issueContextChars)}` }
    const { context } = configurationIssueOf(finding({ near }), subject)
    expect(context).toEqual({ in: 'header', heading: 'Scope', words: expect.stringMatching(/^Dear {{name}} x+…$/) })
    expect(context?.words?.length).toBe(limits.issueContextChars)
  })

  test('is clipped to its bounds at whole characters, and its codes to their pattern', () => {
    const most = limits.configurationIssueMessageChars
    const messageOf = (message: string) => configurationIssueOf(finding({ message }), subject).message
    expect(messageOf('x'.repeat(most))).toBe('x'.repeat(most))
    expect(messageOf('x'.repeat(most + 1))).toBe(`${'x'.repeat(most - 1)}…`)
    expect(messageOf(`${'x'.repeat(most - 2)}🙂🙂`)).toBe(`${'x'.repeat(most - 2)}…`)
    expect(messageOf('')).toBe('Refused.')
    const codeOf = (code: string) => configurationIssueOf(finding({ code }), subject).code
    expect(codeOf('A B/c')).toBe('a_b_c')
    expect(['1a', '', '_a'].map(codeOf)).toEqual(['unknown', 'unknown', 'unknown'])
    expect(codeOf('a'.repeat(limits.codeChars + 1))).toBe('a'.repeat(limits.codeChars))
    const clipped = configurationIssueOf(finding({ path: 'p'.repeat(limits.issuePathChars + 1) }), {
      ...subject,
      resourceId: 'r'.repeat(limits.resourceIdChars + 1),
      correlationId: 'c'.repeat(limits.correlationIdChars + 1),
    })
    expect([clipped.path, clipped.resource_id, clipped.correlation_id].map((text) => text?.at(-1))).toEqual([
      '…',
      '…',
      '…',
    ])
    expect(clipped.path).toHaveLength(limits.issuePathChars)
  })

  test('of a validation is an error; warnings alone make nothing invalid', () => {
    expect(validationResult([], subject)).toEqual({ valid: true, errors: [], correlation_id: 'c-1' })
    const warning = finding({ severity: 'warning' })
    expect(validationResult([warning], subject)).toEqual({ valid: true, errors: [], correlation_id: 'c-1' })
    const invalid = validationResult([warning, finding({ code: 'e' })], subject)
    expect([invalid.valid, invalid.errors.map(({ code }) => code)]).toEqual([false, ['e']])
    const many = Array.from({ length: limits.configurationIssues + 1 }, () => finding())
    expect(validationResult(many, subject).errors).toHaveLength(limits.configurationIssues)
  })
})

test('roles may do what the interface says, several roles all that any of them may', () => {
  const may = (...roles: Role[]) => permissionsOf(roles)
  expect(permissions).toEqual([
    'submission_read',
    'submission_create',
    'artifact_download',
    'audit_read',
    'user_manage',
  ])
  expect(may('administrator')).toEqual([...permissions])
  expect(may('engineer')).toEqual(['submission_read', 'submission_create', 'artifact_download'])
  expect(may('operator')).toEqual(['submission_read', 'submission_create', 'artifact_download'])
  expect(may('auditor')).toEqual(['submission_read', 'audit_read'])
  expect(may('business_viewer')).toEqual(['submission_read', 'artifact_download'])
  expect(may('auditor', 'business_viewer')).toEqual(['submission_read', 'artifact_download', 'audit_read'])
  expect(may()).toEqual([])
  expect([ALL, READ4, AE].map((roles) => roles.length)).toEqual([5, 4, 2])
})
