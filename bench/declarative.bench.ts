/**
 * declarative-v1 beside JSONata 2: an invoice's lines become rows, tax per rate and totals, with the same mapping in both; their
 * outputs are compared first. Both start from parsed JSON. Quire calculates in exact decimals, JSONata in doubles. Median of warm
 * runs in one process, in milliseconds; the ratio is the peer's time over Quire's.
 * Run: bun bench/declarative.bench.ts
 */
import jsonata from 'jsonata'
import { type JsonObject, type JsonValue, readJson } from '../src/core/json.ts'
import { compileTransformer, evaluateTransformer } from '../src/engines/declarative/declarative.ts'
import { summary } from './figures.ts'

const lineCount = 500

const source = `transform: declarative-v1
let:
  lines:
    $each: /lines
    as: l
    do:
      text: $l/description
      rate: $l/taxRate
      net:
        $calc: "qty * price * (100 - off) / 100"
        qty: $l/qty
        price: $l/unitPrice
        off: { $default: [$l/discountPercent, 0] }
        scale: 2
        round: half-up
  vat:
    $group: $lines
    as: r
    by: $r/rate
    do:
      rate: $key
      tax: { $calc: "b * k / 100", b: { $sum: $items, as: i, of: $i/net }, k: $key, scale: 2, round: half-up }
output:
  rows:
    $each: $lines
    as: r
    do:
      pos: { $index: r, from: 1 }
      text: $r/text
      amount: { $format: $r/net, number: "#,##0.00", locale: en }
  vat: $vat
  net: { $sum: $lines, as: r, of: $r/net }
`

// JSONata's $round is half-even, so half-up is written explicitly; all amounts here are positive.
const peerSource = `(
  $cents := function($x) { $floor($x * 100 + 0.5 + 0.0000001) / 100 };
  $lines := lines.{
    "text": description,
    "rate": taxRate,
    "net": $cents(qty * unitPrice * (100 - (discountPercent ? discountPercent : 0)) / 100)
  };
  {
    "rows": $map($lines, function($r, $i) {
      { "pos": $i + 1, "text": $r.text, "amount": $formatNumber($r.net, "#,##0.00") }
    }),
    "vat": $map($distinct($lines.rate), function($k) {
      { "rate": $k, "tax": $cents($sum($lines[rate = $k].net) * $k / 100) }
    }),
    "net": $cents($sum($lines.net))
  }
)`

const contract: JsonObject = {
  type: 'object',
  required: ['lines'],
  properties: {
    lines: {
      type: 'array',
      maxItems: 1_000,
      items: {
        type: 'object',
        required: ['description', 'qty', 'unitPrice', 'taxRate'],
        properties: {
          description: { type: 'string' },
          qty: { type: 'number' },
          unitPrice: { type: 'number' },
          discountPercent: { type: 'number' },
          taxRate: { type: 'number' },
        },
      },
    },
  },
}

function invoice(): JsonValue {
  const lines = Array.from({ length: lineCount }, (_, index) => ({
    description: `Service number ${index + 1}`,
    qty: (index % 9) + 1,
    unitPrice: Math.round((index + 1) * 137.31) / 100,
    taxRate: [19, 7, 5.5][index % 3]!,
    ...(index % 4 === 0 ? { discountPercent: 2.5 } : {}),
  }))
  const read = readJson(JSON.stringify({ lines }))
  if (!read.ok) throw new Error(JSON.stringify(read.findings))
  return read.value
}

async function measure(run: () => unknown): Promise<number[]> {
  for (let index = 0; index < 60; index++) await run()
  const times: number[] = []
  for (let index = 0; index < 120; index++) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  return times
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

function compiled() {
  const transformer = compileTransformer(source, 'yaml', { contract })
  if (!transformer.ok) throw new Error(JSON.stringify(transformer.findings))
  return transformer.value
}

const input = invoice()
const transformer = compiled()
const peer = jsonata(peerSource)

function evaluate(lineage: boolean) {
  const result = evaluateTransformer(transformer, input, { lineage })
  if (!result.ok) throw new Error(JSON.stringify(result.findings))
  return result.value
}

const own = JSON.stringify(evaluate(false).output)
const theirs = JSON.stringify(await peer.evaluate(input))
if (own !== theirs) throw new Error(`The two make different outputs:\n${own.slice(-300)}\n${theirs.slice(-300)}`)
const leaves = evaluate(true).lineage?.length ?? 0
console.log(`${source.split('\n').length - 1} lines of source; ${lineCount} invoice lines; ${leaves} leaves of output`)

const parse = await measure(compiled)
const plain = await measure(() => evaluate(false))
const traced = await measure(() => evaluate(true))
const peerParse = await measure(() => jsonata(peerSource))
const peerPlain = await measure(() => peer.evaluate(input))
console.log(summary('parse and check', parse, 'reach 1'))
console.log(summary('500 lines', plain, 'reach 5'))
console.log(summary('500 lines with lineage', traced, 'reach 5'))
console.log(summary('jsonata: parse, no check', peerParse, `${(median(peerParse) / median(parse)).toFixed(2)}×`))
console.log(summary('jsonata: 500 lines, no lineage', peerPlain, `${(median(peerPlain) / median(plain)).toFixed(1)}×`))
console.log(`jsonata over quire with lineage: ${(median(peerPlain) / median(traced)).toFixed(1)}×`)
