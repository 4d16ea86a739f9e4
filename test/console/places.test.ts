import { expect, test } from 'bun:test'
import { isAt, partName, placeKey, templateFinding } from '../../src/console/views/template/places.ts'

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

test('an issue has no more of its place than its context says, and is an error unless it says otherwise', () => {
  const issue = { code: 'x', stage: 'validate', resource_kind: 'template', message: 'Wrong.', correlation_id: 'c' }
  for (const [context, expected] of [
    [{ template: 'frame' }, { near: { template: 'frame' } }],
    [{ in: 'footer' }, { near: { in: 'footer' } }],
    [{ heading: 'Scope' }, { near: { heading: 'Scope' } }],
    [{ words: 'Dear' }, { near: { words: 'Dear' } }],
    [{ paragraph: '3', severity: 'error' }, {}],
  ] as const) {
    expect(templateFinding({ ...issue, context })).toEqual({
      code: 'x',
      message: 'Wrong.',
      severity: 'error',
      ...expected,
    })
  }
})

test('a part of a document is called as people call it', () => {
  expect(
    [
      ...['word/document.xml', 'word/header1.xml', 'word/footer12.xml', 'word/footnotes.xml', 'word/endnotes.xml'],
      ...['word/comments.xml', 'word/glossary2.xml', 'docProps/core.xml', 'word/toString.xml', 'custom/other.xml'],
    ].map(partName),
  ).toEqual([
    ...['body', 'header 1', 'footer 12', 'footnotes', 'endnotes'],
    ...['comments', 'glossary 2', 'properties', 'toString', 'custom/other.xml'],
  ])
})

test('a binding is meant by its place or by its pointer', () => {
  const binding = { part: 'word/document.xml', paragraph: 12, position: 5, pointer: '/a' }
  expect(placeKey(binding)).toBe('word/document.xml#12:5')
  expect(['word/document.xml#12:5', '/a', '/b', 'word/document.xml#12:6', null].map((at) => isAt(binding, at))).toEqual(
    [...[true, true, false, false, false]],
  )
})
