/**
 * Validating 512 KiB beside Ajv 8 and typebox: one order document with nested objects, lists, patterns, formats and alternatives,
 * valid, and with one fault at its very end. All get the same parsed value and answer yes or no; Quire also runs as in the
 * product, from text to findings. Median of warm runs in one process.
 * Run: bun bench/validate.bench.ts
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Compile } from 'typebox/schema'
import { type JsonObject, type JsonValue, readJson } from '../src/core/json.ts'
import { compileSchemaValue, isValidPayload, validatePayload } from '../src/engines/schema/schema.ts'

const schema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['number', 'customer', 'lines'],
  additionalProperties: false,
  properties: {
    number: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{6}$' },
    customer: { $ref: '#/$defs/party' },
    lines: { type: 'array', minItems: 1, maxItems: 10_000, items: { $ref: '#/$defs/line' } },
  },
  $defs: {
    party: {
      type: 'object',
      required: ['name', 'address'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 80 },
        email: { type: 'string', format: 'email' },
        address: {
          type: 'object',
          required: ['city', 'country'],
          properties: {
            city: { type: 'string' },
            country: { enum: ['US', 'CA', 'MX'] },
            zip: { type: 'string', pattern: '^[0-9]{5}$' },
          },
          additionalProperties: false,
        },
      },
    },
    line: {
      type: 'object',
      required: ['position', 'description', 'quantity', 'price', 'kind'],
      additionalProperties: false,
      properties: {
        position: { type: 'integer', minimum: 1 },
        description: { type: 'string', minLength: 1, maxLength: 120 },
        sku: { type: 'string', pattern: '^SKU-[0-9]{5}$' },
        quantity: { type: 'integer', minimum: 1, maximum: 999 },
        price: { type: 'number', minimum: 0, exclusiveMaximum: 100_000 },
        delivered: { type: 'string', format: 'date' },
        kind: { type: 'string' },
        shipTo: { $ref: '#/$defs/party' },
        options: { type: 'array', items: { type: 'string', maxLength: 20 }, maxItems: 5 },
      },
      oneOf: [
        { properties: { kind: { const: 'goods' } }, required: ['sku'] },
        { properties: { kind: { const: 'service' } }, required: ['delivered'] },
      ],
    },
  },
}

function order(bytes: number): JsonObject {
  const party = {
    name: 'Olivia Johnson',
    email: 'olivia.johnson@example.com',
    address: { city: 'Austin', country: 'US', zip: '78701' },
  }
  const lines: JsonValue[] = []
  for (let size = 200, position = 1; ; position++) {
    const isGoods = position % 2 === 0
    const line: JsonObject = {
      position,
      description: `Service number ${position}, as agreed in the order of last month`,
      quantity: (position % 9) + 1,
      price: Math.round(position * 137.31) / 100,
      kind: isGoods ? 'goods' : 'service',
      options: ['express', 'insured'],
      ...(isGoods ? { sku: `SKU-${10_000 + position}` } : { delivered: '2026-03-14' }),
      ...(position % 5 === 0 ? { shipTo: party } : {}),
    }
    size += JSON.stringify(line).length + 1
    if (size > bytes) return { number: 'AB-123456', customer: party, lines }
    lines.push(line)
  }
}

function median(run: () => unknown): number {
  const times: number[] = []
  for (let index = 0; index < 15; index++) run()
  for (let index = 0; index < 60; index++) {
    const start = performance.now()
    run()
    times.push(performance.now() - start)
  }
  return times.sort((left, right) => left - right)[times.length >> 1]!
}

function compileMs(compile: () => unknown): number {
  const start = performance.now()
  compile()
  return performance.now() - start
}

const valid = order(512 * 1024)
const text = JSON.stringify(valid)
const invalid = structuredClone(valid)
const lines = invalid.lines as JsonObject[]
lines[lines.length - 1]!.quantity = 0

const compiled = compileSchemaValue(schema)
if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
const ours = compiled.value
const ajv = addFormats.default(new Ajv2020({ strict: false })).compile(schema)
const typebox = Compile(schema)

const contenders: { name: string; check: (value: JsonValue) => boolean; compile: () => unknown }[] = [
  { name: 'quire', check: (value) => isValidPayload(ours, value), compile: () => compileSchemaValue(schema) },
  { name: 'typebox 1.4', check: (value) => typebox.Check(value), compile: () => Compile(schema) },
  {
    name: 'ajv 8',
    check: (value) => ajv(value),
    compile: () => addFormats.default(new Ajv2020({ strict: false })).compile(schema),
  },
]

console.log(`${text.length} bytes, ${lines.length} lines; milliseconds, and the time over that of quire`)
let own = 0
for (const { name, check, compile } of contenders) {
  if (!check(valid) || check(invalid)) throw new Error(`${name} judges wrongly`)
  const [good, bad] = [median(() => check(valid)), median(() => check(invalid))]
  own ||= good
  console.log(
    `${name.padEnd(12)} valid ${good.toFixed(2).padStart(6)}  ${(good / own).toFixed(2)}×   invalid ${bad.toFixed(2).padStart(6)}   compile ${compileMs(compile).toFixed(2).padStart(6)}`,
  )
}
const read = median(() => readJson(text))
const whole = median(() => {
  const value = readJson(text)
  return value.ok && validatePayload(ours, value.value)
})
console.log(`quire from text: strict reading ${read.toFixed(2)}, reading and validating ${whole.toFixed(2)}`)
console.log(`quire, the finding of the invalid document: ${median(() => validatePayload(ours, invalid)).toFixed(2)}`)
