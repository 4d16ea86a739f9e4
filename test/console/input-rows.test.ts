import { describe, expect, test } from 'bun:test'
import { answers } from '../../src/console/engines/answers.ts'
import type { InputRow } from '../../src/console/engines/input-rows.ts'
import type { JsonValue } from '../../src/core/json.ts'

function formOf(
  schema: object,
  value: JsonValue | string,
  more: { toggled?: string[]; chosen?: Record<string, number> } = {},
) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return answers.input({ schema: JSON.stringify(schema), text, toggled: more.toggled ?? [], chosen: more.chosen ?? {} })
}

function rowsOf(...given: Parameters<typeof formOf>): Map<string, InputRow> {
  return new Map(formOf(...given).rows.map((row) => [`${row.pointer}${row.kind === 'variant' ? '#kind' : ''}`, row]))
}

const invoice = {
  type: 'object',
  required: ['number', 'customer', 'lines'],
  additionalProperties: false,
  $defs: { money: { type: 'number', minimum: 0, multipleOf: 0.01 } },
  properties: {
    number: { type: 'string', title: 'Invoice number', description: 'As printed.', minLength: 1 },
    issued: { type: 'string', format: 'date' },
    paid: { type: 'boolean' },
    currency: { enum: ['EUR', 'CHF'] },
    version: { const: 1 },
    customer: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, note: { type: 'string', maxLength: 2000 } },
    },
    lines: {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      items: {
        type: 'object',
        required: ['text'],
        properties: { text: { type: 'string' }, price: { $ref: '#/$defs/money' } },
      },
    },
  },
}

describe('an input as a form', () => {
  test('has a field of the right kind for everything its contract describes, filled or not', () => {
    const rows = rowsOf(invoice, {})
    expect([...rows].map(([pointer, { kind }]) => `${pointer} ${kind}`)).toEqual([
      '/number text',
      '/issued date',
      '/paid boolean',
      '/currency choice',
      '/version fixed',
      '/customer object',
      '/customer/name text',
      '/customer/note long',
      '/lines array',
    ])
    expect(rows.get('/number')).toMatchObject({
      title: 'Invoice number',
      description: 'As printed.',
      isRequired: true,
      mayRemove: false,
      isPresent: false,
    })
    expect(rows.get('/currency')?.choices?.map(({ label }) => label)).toEqual(['EUR', 'CHF'])
    const filled = rowsOf(invoice, { customer: { name: 'Ada' }, lines: [{ text: 'Tea', price: 1.5 }] })
    expect(filled.get('/customer/name')?.value).toBe('Ada')
    expect(filled.get('/lines/0/price')).toMatchObject({ kind: 'number', value: '1.5', depth: 2 })
    expect(filled.get('/lines/0')).toMatchObject({ mayRemove: true, isOpen: true })
    expect(filled.get('/lines/0/price')?.rules).toEqual(['at least 0', 'in steps of 0.01'])
  })

  test('says of a list how many items it has, whether another may come, and what that begins with', () => {
    expect(rowsOf(invoice, {}).get('/lines')).toMatchObject({ itemCount: 0, mayAdd: true, itemStarter: '{}' })
    expect(rowsOf(invoice, { lines: [{}, {}] }).get('/lines')).toMatchObject({ itemCount: 2, mayAdd: false })
    const many = {
      ...invoice,
      properties: { ...invoice.properties, lines: { ...invoice.properties.lines, maxItems: 99 } },
    }
    const value = { lines: Array.from({ length: 9 }, (_, n) => ({ text: `Line ${n}` })) }
    expect(rowsOf(many, value).get('/lines/8')).toMatchObject({ isOpen: false, summary: 'Line 8' })
    expect(rowsOf(many, value).has('/lines/8/text')).toBe(false)
    expect(rowsOf(many, value, { toggled: ['/lines/8'] }).get('/lines/8/text')?.value).toBe('Line 8')
  })

  const payment = {
    type: 'object',
    required: ['pay'],
    properties: {
      pay: {
        oneOf: [
          {
            title: 'By card',
            type: 'object',
            required: ['by', 'card'],
            properties: { by: { const: 'card' }, card: { type: 'string' } },
          },
          {
            type: 'object',
            required: ['by', 'iban'],
            properties: { by: { const: 'transfer' }, iban: { type: 'string' } },
          },
        ],
      },
    },
  }

  test('shows the fields of the alternative that the value is, or that somebody chose', () => {
    const names = (rows: Map<string, InputRow>) => [...rows.keys()]
    const card = rowsOf(payment, { pay: { by: 'card' } })
    expect(names(card)).toEqual(['/pay', '/pay#kind', '/pay/by', '/pay/card'])
    expect(card.get('/pay#kind')?.choices).toEqual([
      { label: 'By card', json: '{\n  "by": "card"\n}' },
      { label: 'transfer', json: '{\n  "by": "transfer"\n}' },
    ])
    expect(names(rowsOf(payment, { pay: { by: 'transfer' } }))).toContain('/pay/iban')
    expect(names(rowsOf(payment, {}, { chosen: { '/pay': 1 } }))).toContain('/pay/iban')
    // What is there says more than what was chosen once.
    expect(names(rowsOf(payment, { pay: { by: 'card', card: '1' } }, { chosen: { '/pay': 1 } }))).toContain('/pay/card')
  })

  test('follows conditions, types that may be null, maps, tuples and what no schema names', () => {
    const schema = {
      type: 'object',
      properties: {
        kind: { enum: ['a', 'b'] },
        note: { type: ['string', 'null'] },
        map: { type: 'object', additionalProperties: { type: 'integer' } },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], items: false },
        self: { $ref: '#' },
      },
      if: { properties: { kind: { const: 'a' } }, required: ['kind'] },
      then: { properties: { extra: { type: 'string' } }, required: ['extra'] },
    }
    expect(rowsOf(schema, { kind: 'b' }).has('/extra')).toBe(false)
    const rows = rowsOf(schema, { kind: 'a', note: null, map: { x: 1 }, pair: ['p', true], other: { y: 2 } })
    expect(rows.get('/extra')).toMatchObject({ isRequired: true, isPresent: false })
    expect(rows.get('/note')).toMatchObject({ kind: 'text', accepts: { null: true }, isPresent: true })
    expect(rows.get('/map')?.memberStarter).toBe('0')
    expect(rows.get('/map/x')).toMatchObject({ kind: 'integer', value: '1' })
    expect([rows.get('/pair/1')?.kind, rows.get('/pair')?.mayAdd]).toEqual(['boolean', false])
    expect(rows.get('/other/y')).toMatchObject({ kind: 'json', value: '2' })
    // A schema that refers to itself ends where nothing is filled in.
    expect(rows.get('/self')).toMatchObject({ kind: 'object', isPresent: false, isOpen: false })
  })

  test('says what is wrong by place, keeps a value of the wrong type in sight, and begins with what has no choice', () => {
    const { findings, isJson } = formOf(invoice, { number: 5, version: 1 })
    expect(isJson).toBe(true)
    expect(findings.map(({ path, keyword }) => `${path} ${keyword}`)).toEqual(
      expect.arrayContaining(['/number type', ' required']),
    )
    expect(rowsOf(invoice, { number: 5 }).get('/number')).toMatchObject({ kind: 'json', value: '5' })
    expect(formOf(invoice, '{"number": ').isJson).toBe(false)
    expect(formOf({ ...invoice, required: ['version', 'number'] }, '{').starter).toBe('{\n  "version": 1\n}')
    expect(formOf({ type: 'array', items: { type: 'string' } }, ['x']).rows.map(({ kind }) => kind)).toEqual([
      'array',
      'text',
    ])
  })
})
