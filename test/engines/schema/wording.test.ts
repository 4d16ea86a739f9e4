/**
 * What authors and senders read. Each .txt file has one case on every line that begins at the margin; what is said
 * about it is below, indented. payload-findings.txt: a value against a schema; schema-findings.txt: a schema as it
 * is compiled; review-findings.txt: a schema as it is reviewed; schema-changes.txt: one version of a schema to another.
 */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonValue, readJson } from '../../../src/core/json.ts'
import { generateCase } from '../../../src/engines/schema/cases.ts'
import { compareSchemas } from '../../../src/engines/schema/changes.ts'
import { reviewSchema } from '../../../src/engines/schema/review.ts'
import {
  type CompiledSchema,
  compileSchema,
  isValidPayload,
  validatePayload,
} from '../../../src/engines/schema/schema.ts'

function blocksOf(file: string): string[][] {
  const text = readFileSync(join(import.meta.dir, file), 'utf8')
  return text
    .trimEnd()
    .split(/\n(?! )/)
    .map((block) => block.split('\n'))
}

function compiled(schema: string): CompiledSchema {
  const result = compileSchema(schema)
  if (!result.ok) throw new Error(`${schema}: ${result.findings[0]?.message}`)
  return result.value
}

function json(text: string): JsonValue {
  const read = readJson(text)
  if (!read.ok) throw new Error(`${text}: ${read.findings[0]?.message}`)
  return read.value
}

/** Both sides of the word between them, which no side holds between blanks. */
function sides(line: string, word: string): [left: string, right: string] {
  const [left, right] = line.split(` ${word} `)
  if (left === undefined || right === undefined) throw new Error(`no "${word}" in ${line}`)
  return [left, right]
}

describe('a sender reads exactly what is written down', () => {
  test.each(blocksOf('payload-findings.txt'))('about %s', (line = '', ...expected) => {
    const [value, schema] = sides(line, 'against')
    const findings = validatePayload(compiled(schema), json(value))
    expect(findings.map(({ code, path, message, hint }) => `  ${code} at "${path}": ${message} (${hint})`)).toEqual(
      expected,
    )
  })
})

test('a value has a finding where it is wrong, also where there is room for one only', () => {
  for (const [line = '', ...expected] of blocksOf('payload-findings.txt')) {
    const [value, schema] = sides(line, 'against')
    const findings = validatePayload(compiled(schema), json(value), { maxFindings: 1 })
    expect([line, findings.length]).toEqual([line, Math.min(1, expected.length)])
    expect([line, isValidPayload(compiled(schema), json(value))]).toEqual([line, expected.length === 0])
    // An alternative that is wrong doesn't hold, however little can be said of it.
    if (schema.includes('$ref')) continue
    const alternatives = compiled(`{ "anyOf": [${schema}] }`)
    expect([line, validatePayload(alternatives, json(value), { maxFindings: 1 }).length > 0]).toEqual([
      line,
      expected.length > 0,
    ])
  }
})

describe('the author of a schema reads exactly what is written down', () => {
  test.each(blocksOf('schema-findings.txt'))('when %s is compiled', (schema = '', ...expected) => {
    const findings = compileSchema(schema).findings.map(
      ({ severity, code, path, line, column, message, hint }) =>
        `  ${severity} ${code} at "${path}" ${line}:${column}: ${message} (${hint})`,
    )
    expect(findings).toEqual(expected)
  })

  test.each(blocksOf('review-findings.txt'))('when %s is reviewed', (schema = '', ...expected) => {
    const findings = reviewSchema(compiled(schema), {}).map(
      ({ code, path, keyword, message, hint }) => `  ${code} at "${path}" for ${keyword}: ${message} (${hint})`,
    )
    expect(findings).toEqual(expected)
  })

  test.each(blocksOf('schema-changes.txt'))('when it changes from %s', (line = '', ...expected) => {
    const [older, newer] = sides(line, 'to')
    const changes = compareSchemas(compiled(older), compiled(newer)).map(
      ({ effect, side, pointer, keyword, message }) =>
        `  ${effect} ${side} "${pointer}" for ${keyword || 'nothing'}: ${message}`,
    )
    expect(changes).toEqual(expected)
  })
})

test('where all that changed is compatible, the cases of the older version satisfy the newer one', () => {
  let documents = 0
  for (const [line = '', ...told] of blocksOf('schema-changes.txt')) {
    if (!told.every((change) => change.startsWith('  compatible '))) continue
    const [older, newer] = sides(line, 'to').map(compiled)
    if (older === undefined || newer === undefined) throw new Error(line)
    for (const kind of ['valid', 'boundary'] as const)
      for (let seed = 0; seed < 6; seed++) {
        const made = generateCase(older, { kind, seed })
        if (!made.ok) continue
        documents++
        expect([line, made.value.text, validatePayload(newer, made.value.payload)]).toEqual([line, made.value.text, []])
      }
  }
  expect(documents).toBeGreaterThan(500)
})
