import { describe, expect, test } from 'bun:test'
import { compareContracts } from '../../src/console/contract-diff.ts'
import type { JsonValue } from '../../src/core/json.ts'

const base: JsonValue = {
  type: 'object',
  required: ['number'],
  additionalProperties: false,
  properties: {
    number: { type: 'string', maxLength: 20 },
    kind: { enum: ['home', 'motor'] },
    lines: { type: 'array', items: { $ref: '#/$defs/line' } },
  },
  $defs: { line: { type: 'object', properties: { amount: { type: 'number', minimum: 0 } } } },
}

function changed(change: (schema: Record<string, JsonValue> & { properties: Record<string, JsonValue> }) => void) {
  const after = structuredClone(base) as Record<string, JsonValue> & { properties: Record<string, JsonValue> }
  change(after)
  return compareContracts(base, after)
}

describe('comparing contracts', () => {
  test('finds nothing between equal ones, whatever the order of their keys', () => {
    const entries = Object.entries(base as Record<string, JsonValue>).reverse()
    expect(compareContracts(base, Object.fromEntries(entries))).toEqual([])
  })

  test.each<[string, Parameters<typeof changed>[0], string]>([
    [
      'a new required property',
      (s) => {
        s.properties.date = { type: 'string' }
        s.required = ['number', 'date']
      },
      '/date',
    ],
    [
      'a property that became required',
      (s) => {
        s.required = ['number', 'kind']
      },
      '/kind',
    ],
    [
      'a property that is gone and would be refused',
      (s) => {
        delete s.properties.kind
      },
      '/kind',
    ],
    [
      'a value that is gone',
      (s) => {
        s.properties.kind = { enum: ['home'] }
      },
      '/kind',
    ],
    [
      'a narrower bound',
      (s) => {
        s.properties.number = { type: 'string', maxLength: 10 }
      },
      '/number',
    ],
    [
      'a new pattern',
      (s) => {
        s.properties.number = { type: 'string', maxLength: 20, pattern: '^C' }
      },
      '/number',
    ],
    [
      'another type',
      (s) => {
        s.properties.number = { type: 'integer', maxLength: 20 }
      },
      '/number',
    ],
    [
      'a rule inside a referenced schema',
      (s) => {
        s.$defs = { line: { type: 'object', properties: { amount: { type: 'number', minimum: 5 } } } }
      },
      '/lines/*/amount',
    ],
  ])('calls breaking: %s', (_, change, path) => {
    const changes = changed(change)
    expect(changes.filter(({ effect }) => effect === 'breaking').map((one) => one.path)).toEqual([path])
    expect(changes.filter(({ effect }) => effect === 'compatible')).toEqual([])
  })

  test.each<[string, Parameters<typeof changed>[0], string]>([
    [
      'a new optional property',
      (s) => {
        s.properties.note = { type: 'string' }
      },
      '/note',
    ],
    [
      'a value more',
      (s) => {
        s.properties.kind = { enum: ['home', 'motor', 'travel'] }
      },
      '/kind',
    ],
    [
      'a wider bound',
      (s) => {
        s.properties.number = { type: 'string', maxLength: 40 }
      },
      '/number',
    ],
    [
      'a bound that is gone',
      (s) => {
        s.properties.number = { type: 'string' }
      },
      '/number',
    ],
    [
      'a property that became optional',
      (s) => {
        s.required = []
      },
      '/number',
    ],
    [
      'other properties, allowed now',
      (s) => {
        delete s.additionalProperties
      },
      '',
    ],
  ])('calls compatible: %s', (_, change, path) => {
    const changes = changed(change)
    expect(changes.map((one) => [one.effect, one.path])).toEqual([['compatible', path]])
  })

  test('calls other words wording only', () => {
    const changes = changed((s) => {
      s.title = 'Policy'
    })
    expect(changes.map(({ effect }) => effect)).toEqual(['wording'])
  })

  test('ends on a schema that refers to itself', () => {
    const endless: JsonValue = {
      $ref: '#/$defs/node',
      $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } },
    }
    const other = structuredClone(endless) as { $defs: { node: { properties: Record<string, JsonValue> } } }
    other.$defs.node.properties.name = { type: 'string' }
    expect(compareContracts(endless, other as JsonValue).length).toBeGreaterThan(0)
  })
})
