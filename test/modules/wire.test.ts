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
