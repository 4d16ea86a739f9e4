import { expect, test } from 'bun:test'
import { templateFinding } from '../../src/console/views/template/places.ts'

test("an issue about a template is a finding with the author's place that its context has", () => {
  const issue = { code: 'docx.unknown_tag', stage: 'validate', resource_kind: 'template', message: 'Wrong.' }
  const context = { in: 'header', heading: 'Scope', words: 'Dear {{name}},', severity: 'warning' }
  const path = 'word/header1.xml#1:5'
  const finding = { code: issue.code, message: issue.message }
  expect(templateFinding({ ...issue, path, context, correlation_id: 'c' })).toEqual({
    ...finding,
    path,
    severity: 'warning',
    near: { in: 'header', heading: 'Scope', words: 'Dear {{name}},' },
  })
  expect(templateFinding({ ...issue, correlation_id: 'c' })).toEqual({ ...finding, severity: 'error' })
})
