/** The two transformers that tests and benches share, with the contract and inputs they are meant for. */
import type { JsonValue } from '../../../src/core/json.ts'

export const letterSource = `transform: declarative-v1
contract: policy-letter@3
params: { letterDate: date }
tables:
  salutation: { ms: Sehr geehrte Frau, mr: Sehr geehrter Herr, mx: Guten Tag }
let:
  holder: /policyholder
  endsOn: { $dateAdd: /policy/startDate, months: 12, days: -1 }
output:
  ref: { $text: "Unser Zeichen: {no}/{yr}", no: /policy/number, yr: { $format: /policy/startDate, date: yyyy } }
  salutation:
    $text: "{s} {name}"
    s: { $lookup: salutation, key: $holder/title }
    name: { $default: [$holder/preferredName, $holder/lastName] }
  premium: { $format: /policy/premium, number: "#,##0.00", locale: de, suffix: " €" }
  cover:
    $match: /policy/product
    home: Hausratversicherung
    car: { $text: "Kfz ({plate})", plate: { $require: /policy/plate, code: PLATE_MISSING } }
    life: Lebensversicherung
  agentPhone: { $omit: /agent/phone }
  urgent: { $if: { $is: [{ $dateDiff: [$letterDate, $endsOn], unit: days }, "<", 30] }, then: true, else: false }
`

export const letterContract: JsonValue = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['policyholder', 'policy'],
  additionalProperties: false,
  properties: {
    policyholder: { $ref: '#/$defs/person' },
    policy: {
      type: 'object',
      required: ['number', 'startDate', 'premium', 'product'],
      properties: {
        number: { type: 'string' },
        startDate: { type: 'string', format: 'date' },
        premium: { type: 'number', minimum: 0 },
        product: { enum: ['home', 'car', 'life'] },
        plate: { type: 'string' },
      },
    },
    agent: { type: 'object', properties: { phone: { type: 'string' } } },
  },
  $defs: {
    person: {
      type: 'object',
      required: ['title', 'lastName'],
      properties: {
        title: { enum: ['ms', 'mr', 'mx'] },
        preferredName: { type: ['string', 'null'] },
        lastName: { type: 'string' },
      },
    },
  },
}

export const letterInput: JsonValue = {
  policyholder: { title: 'ms', lastName: 'Weber', preferredName: null },
  policy: { number: 'P-77', startDate: '2024-02-29', premium: 1234.5, product: 'car', plate: 'B-XY 12' },
  agent: {},
}

export const invoiceSource = `transform: declarative-v1
let:
  lines:
    $each: /lines
    as: l
    do:
      text: $l/description
      rate: $l/taxRate
      net: { $calc: "qty * price * (100 - off) / 100", qty: $l/qty, price: $l/unitPrice, off: { $default: [$l/discountPercent, 0] }, scale: 2, round: half-up }
  vat:
    $group: $lines
    as: r
    by: $r/rate
    do:
      rate: $key
      tax: { $calc: "b * k / 100", b: { $sum: $items, as: i, of: $i/net }, k: $key, scale: 2, round: half-up }
output:
  rows: { $each: $lines, as: r, do: { pos: { $index: r, from: 1 }, text: $r/text, amount: { $format: $r/net, number: "#,##0.00", locale: en } } }
  vat: $vat
  net: { $sum: $lines, as: r, of: $r/net }
`

/** An invoice of so many lines, the same for the same count. */
export function invoiceInput(count: number): JsonValue {
  const lines: JsonValue[] = []
  for (let index = 0; index < count; index++) {
    const line: { [key: string]: JsonValue } = {
      description: `Item ${index + 1}`,
      qty: (index % 7) + 1,
      unitPrice: ((index * 37) % 1000) + 0.99,
      taxRate: index % 3 === 0 ? 7 : 19,
    }
    if (index % 4 === 0) line.discountPercent = 12.5
    lines.push(line)
  }
  return { lines }
}
