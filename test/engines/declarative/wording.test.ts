/**
 * What an author reads. wording.txt has a value on each line that begins at the margin, and below it, indented, every
 * finding that the value gets as an output: severity, code, place, message, and the hint in parentheses.
 */
import { describe, expect, test } from 'bun:test'
import type { Finding } from '../../../src/core/finding.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import { findingsOf, sourceOf } from './compile.ts'

const line = {
  type: 'object',
  required: ['net'],
  properties: { net: { type: 'number' }, text: { type: 'string' } },
}
const required = {
  name: { type: 'string' },
  kind: { enum: ['home', 'car'] },
  qty: { type: 'integer' },
  born: { type: 'string', format: 'date' },
  at: { type: 'string', format: 'date-time' },
  member: { type: 'boolean' },
  any: true,
  nul: { type: 'null' },
  mixed: { type: ['string', 'number'] },
  tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
  pair: { type: 'array', minItems: 2, items: { type: 'number' } },
  lines: { type: 'array', maxItems: 100, items: line },
}
const optional = {
  nickname: { type: 'string' },
  note: { type: ['string', 'null'] },
  locale: { enum: ['de', 'xx'] },
  agent: { type: 'object', required: ['phone'], properties: { phone: { type: 'string' } } },
}
// The order of the properties is the order in which hints list them.
const { name, ...others } = required
const contract: JsonValue = {
  type: 'object',
  required: Object.keys(required),
  properties: { name, ...optional, ...others },
}

function describeFinding({ severity, code, path, message, hint }: Finding): string {
  return `  ${severity} ${code} at ${path}: ${message}${hint === undefined ? '' : ` (${hint})`}`
}

const text = await Bun.file(new URL('wording.txt', import.meta.url)).text()
const blocks = text
  .trimEnd()
  .split(/\n(?! )/)
  .map((block) => block.split('\n'))

describe('an author reads exactly what is written down', () => {
  test.each(blocks)('about %s', (value, ...expected) => {
    const findings = findingsOf(sourceOf(value ?? '', 'tables: { t: { home: 1 } }\n'), { contract })
    expect(findings.map(describeFinding)).toEqual(expected)
  })

  test('about more than a hundred values', () => {
    expect(blocks.length).toBeGreaterThan(100)
  })
})
