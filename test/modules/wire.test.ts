import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { describeOperations } from '../../src/http/openapi.ts'
import { startTestApp } from '../http/harness.ts'
import { expectGoldenLines, withoutProse } from '../support/golden.ts'

type Json = Record<string, unknown>

test('every operation and every schema of the interface is as it was published, except for its prose', async () => {
  const { app } = await startTestApp()
  const { info, paths, components, ...rest } = withoutProse(describeOperations(app.operations)) as {
    info: Json
    paths: Record<string, Record<string, Json>>
    components: Record<string, Json>
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => `${method} ${path} ${JSON.stringify(operation)}`),
  )
  const parts = Object.entries(components).flatMap(([kind, named]) =>
    Object.entries(named).map(([name, part]) => `${kind} ${name} ${JSON.stringify(part)}`),
  )
  expect([operations.length, parts.length].every((count) => count > 50)).toBe(true)
  expectGoldenLines(join(import.meta.dir, 'wire.golden.txt'), [JSON.stringify(rest), ...operations, ...parts])
})

/** What a refusal says it is about, and its form, by where a path begins; the longest beginning counts. */
const subjects: Readonly<Record<string, string>> = {
  ...{ activations: 'activation configuration', approvals: 'activation configuration' },
  ...{ 'activation-sets': 'ingestion_model configuration', 'ingestion-models': 'ingestion_model configuration' },
  ...{ suites: 'ingestion_model configuration', project: 'project configuration', releases: 'release configuration' },
  ...{ templates: 'template configuration', transformers: 'transformer configuration', comparisons: 'configuration' },
  ...{ 'unsaved-drafts': 'unsaved_draft configuration', contracts: 'contract', transforms: 'transformer' },
  ...{ 'admin/tokens': 'api_token', tokens: 'api_token', audit: 'audit_record', batches: 'batch', cases: 'case' },
  ...{ erasures: 'erasure', executions: 'execution', holds: 'hold', retention: 'retention', webhooks: 'webhook' },
  ...{ 'admin/operations': '', 'admin/readiness': '', auth: '', 'auth/notices': 'notice', 'auth/sessions': 'session' },
  ...{ 'intake-test-lab': '', search: '', storage: '', submissions: '', 'admin/service-accounts': 'user' },
  ...{ 'admin/users': 'user', 'admin/users/{userId}/sessions': 'session' },
}
/** Of operations that differ from where their paths begin. */
const ownSubjects: Readonly<Record<string, string>> = {
  'POST /api/v1/templates': 'template configuration-unless-multipart',
  'POST /api/v1/templates/{templateId}/versions': 'template configuration-unless-multipart',
  'POST /api/v1/templates/{templateId}/versions/{number}/preview': 'template general',
  'POST /api/v1/executions': 'request general',
}

function subjectOf(operation: string): string | undefined {
  if (/ \/health\//.test(operation)) return 'request general'
  const path = operation.split('/api/v1/')[1] ?? ''
  const begins = Object.keys(subjects).filter((start) => path === start || path.startsWith(`${start}/`))
  const said = subjects[begins.sort((one, other) => other.length - one.length)[0] ?? 'none']
  const [kind = '', variant = 'general'] = said === 'configuration' ? ['request', said] : (said?.split(' ') ?? [])
  return ownSubjects[operation] ?? (said === undefined ? undefined : `${kind === '' ? 'request' : kind} ${variant}`)
}

test('every operation’s refusals name the kind of what it is about, in the form of its surface', async () => {
  const { app } = await startTestApp()
  const said = app.operations.map(({ method, path, resourceKind, variant }) => [
    `${method} ${path}`,
    `${resourceKind} ${variant}`,
  ])
  const expected = said.map(([operation = '']) => [operation, subjectOf(operation) ?? 'not listed here'])
  expect(said).toEqual(expected)
})
