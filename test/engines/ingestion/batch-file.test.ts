import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { atOnce } from '../../../src/core/turns.ts'
import { type BatchWanted, batchRows, checkBatch } from '../../../src/engines/ingestion/batch-file.ts'
import { checkInputFormat } from '../../../src/engines/ingestion/input-format.ts'
import { cpuMsOf } from '../../support/cpu.ts'

const schema: JsonValue = {
  type: 'object',
  properties: {
    number: { type: 'string' },
    amount: { type: ['number', 'null'] },
    paid: { type: 'boolean' },
    customer: { $ref: '#/$defs/customer' },
    tags: { type: 'array', items: { type: 'string' } },
    either: { type: ['number', 'string'] },
  },
  $defs: { customer: { type: 'object', properties: { name: { type: 'string' }, zip: { type: 'string' } } } },
}

const csv: BatchWanted = { format: 'csv', input: undefined, schema, referenceField: undefined }
const ndjson: BatchWanted = { ...csv, format: 'ndjson' }

function check(text: string, wanted: BatchWanted) {
  return atOnce(checkBatch(text, wanted))
}

function rowsOf(text: string, wanted: BatchWanted) {
  const checked = check(text, wanted)
  if (!checked.ok) throw new Error(JSON.stringify(checked.findings))
  // As it is kept with the batch.
  const reading = JSON.parse(JSON.stringify(checked.value.reading))
  return [...batchRows(text, reading)]
}

function refused(text: string, wanted: BatchWanted): string {
  const checked = check(text, wanted)
  if (checked.ok) throw new Error('it was accepted')
  const [{ code, message, hint, line, column }] = checked.findings as [(typeof checked.findings)[number]]
  return `${line}:${column} ${code} ${message} ${hint}`
}

describe('a batch in CSV for a model that reads JSON', () => {
  test('makes of each row an object of the contract, with its types', () => {
    const text =
      'number;amount;paid;customer.name;/customer/zip;tags;either\r\n' +
      'A-1;1.50;true;"Ada; ""the"" first";04109;"[""x""]";7\r\n' +
      ';"";;=1+1;;nonsense;\r\n'
    expect(rowsOf(text, csv).map(({ rawInput }) => JSON.parse(rawInput))).toEqual([
      {
        number: 'A-1',
        amount: 1.5,
        paid: true,
        customer: { name: 'Ada; "the" first', zip: '04109' },
        tags: ['x'],
        either: '7',
      },
      // What is not of its type stays text, for the contract to refuse; a formula is a text like another.
      { amount: '', customer: { name: '=1+1' }, tags: 'nonsense' },
    ])
  })

  test('takes the reference from a column', () => {
    expect(
      rowsOf('amount,number\n1,A-1\n2,\n', { ...csv, referenceField: 'number' }).map((row) => row.reference),
    ).toEqual(['A-1', undefined])
  })

  test('goes on from any row', () => {
    const text = '\uFEFFnumber\r\n\r\n"a\r\nb"\r\nc\r\n'
    const checked = check(text, csv)
    if (!checked.ok) throw new Error('refused')
    const [first, second] = [...batchRows(text, checked.value.reading)]
    expect([first?.rawInput, second?.rawInput]).toEqual(['{"number":"a\\r\\nb"}', '{"number":"c"}'])
    expect([...batchRows(text, checked.value.reading, first?.end)]).toEqual([second!])
  })

  test.each([
    ['number,amuont\n1,2\n', '1:8 csv.header The contract has no property "amuont". Did you mean "amount"?'],
    ['number,\n1,2\n', '1:8 csv.header Column 2 has no name. Name it.'],
    [
      'customer.name,/customer/name\n1,2\n',
      '1:15 csv.header The columns "/customer/name" and "customer.name" lead to the same value. Leave one of them out.',
    ],
    [
      'customer,customer.name\n1,2\n',
      '1:10 csv.header The columns "customer.name" and "customer" lead to the same value. Leave one of them out.',
    ],
    [
      'number,amount\n1\n',
      '2:1 csv.fields This line has 1 field, and there are 2 columns. Quote fields that hold the delimiter or a line end.',
    ],
    [
      'number,amount\n1,a"b\n',
      '2:4 csv.quote A quote inside a field that is not quoted. Quote the field, and write "" for a quote.',
    ],
    ['number,amount\n1,"b\n', '2:3 csv.quote A quoted field is never closed. Close it with a quote.'],
    ['number,amount\n1,a\0b\n', '2:4 csv.character The character U+0000. Remove it.'],
    ['number,amount\n', '2:1 csv.rows There is no row. Add one.'],
    ['', '1:1 csv.header There is no line of names. Begin with the names of the columns.'],
    ['{"number":"1"}\n', '1:2 csv.quote'],
  ])('%j is refused with its place', (text, finding) => {
    expect(refused(text, csv)).toStartWith(finding)
  })

  test('an unknown column for the reference is refused', () => {
    expect(refused('number\n1\n', { ...csv, referenceField: 'nmuber' })).toBe(
      '1:1 csv.header There is no column "nmuber" for the object\'s reference. The columns are number.',
    )
  })

  test('a line of 32 MB is refused by its length, whatever is in it', () => {
    for (const begin of ['', '"', 'a,']) {
      const text = `number\n${begin}${'x'.repeat(limits.batchFileBytes)}`
      const ms = cpuMsOf(() => {
        expect(refused(text, csv)).toStartWith('2:1 csv.size Line 2 has more than 524288 characters.')
      })
      expect(ms).toBeLessThan(2_000)
    }
  })

  test('a quoted field over many lines is a row, and too long as any other', () => {
    expect(refused(`number\n"${`${'x'.repeat(1_000)}\n`.repeat(600)}"\n`, csv)).toStartWith(
      '2:1 csv.size The row has more than',
    )
  })

  test('a quoted field of millions of lines is refused before it is read to its end', () => {
    // Each quote is doubled, so that the field goes on to the end of the file.
    const text = `number\n"${'""\n'.repeat(1_000_000)}"\n`
    expect(refused(text, csv)).toStartWith('2:1 csv.size The row has more than 524288 characters.')
    expect(refused(`number\n${'"\n",'.repeat(500_000)}x\n`, csv)).toStartWith('2:1 csv.size The row has more than')
    // What a quote that was forgotten is closed by is far away.
    expect(refused(`number\n"A-1\n${'A-2\n'.repeat(200_000)}`, csv)).toBe(
      '2:1 csv.quote A quoted field is never closed. Close it with a quote.',
    )
  })

  test('a line of names that would be repeated in every row has a bound', () => {
    const names = (chars: number) => `number,${'n'.repeat(chars - 8)}`
    const wanted = { ...csv, input: checkInputFormat({ format: 'csv' }, () => {})! }
    expect(check(`${names(limits.batchHeaderChars)}\n1,2\n`, wanted).ok).toBe(true)
    expect(refused(`${names(limits.batchHeaderChars + 1)}\n1,2\n`, wanted)).toBe(
      '1:1 csv.header The line of names has more than 65536 characters, and each row repeats it. Shorten the names, or leave columns out.',
    )
  })

  test('50,000 rows are taken, and no more', () => {
    const rows = 'A-1,1\n'.repeat(limits.batchRows)
    const checked = check(`number,amount\n${rows}`, csv)
    expect(checked.ok && checked.value.rows).toBe(limits.batchRows)
    expect(refused(`number,amount\n${rows}A-1,1\n`, csv)).toBe(
      '50002:1 csv.size There are more than 50000 rows. Split the file.',
    )
  })
})

describe('a batch for a model that reads CSV itself', () => {
  const declared = (value: JsonValue): BatchWanted => ({ ...csv, input: checkInputFormat(value, () => {})! })

  test('gives each row with the line of names, as it was written', () => {
    const text = 'number;amount\r\nA-1;1,50\r\n"A;2";2'
    const rows = rowsOf(text, declared({ format: 'csv', delimiter: ';', decimal: ',', types: { amount: 'number' } }))
    expect(rows.map(({ rawInput }) => rawInput)).toEqual([
      'number;amount\r\nA-1;1,50\r\n',
      'number;amount\r\n"A;2";2\n',
    ])
  })

  test('gives rows alone where the model names the columns', () => {
    const wanted = { ...declared({ format: 'csv', header: ['number', 'amount'] }), referenceField: 'number' }
    expect(rowsOf('A-1,1\nA-2,2\n', wanted).map(({ rawInput, reference }) => [rawInput, reference])).toEqual([
      ['A-1,1\n', 'A-1'],
      ['A-2,2\n', 'A-2'],
    ])
  })

  test('takes NDJSON of strings, and no XML as CSV', () => {
    const wanted = declared({ format: 'csv' })
    expect(rowsOf('"a,b\\n1,2\\n"\n', { ...wanted, format: 'ndjson' }).map(({ rawInput }) => rawInput)).toEqual([
      'a,b\n1,2\n',
    ])
    expect(refused('{"a":1}\n', { ...wanted, format: 'ndjson' })).toStartWith('1:1 ndjson.text')
    expect(refused('a\n1\n', declared({ format: 'xml', root: 'order' }))).toStartWith('1:1 csv.model')
  })
})

describe('a batch in NDJSON', () => {
  test('gives each line as it is', () => {
    const rows = rowsOf('\uFEFF{"number":"A-1"}\r\n\n  {"number": 2}', { ...ndjson, referenceField: '/number' })
    expect(rows.map(({ rawInput, reference }) => [rawInput, reference])).toEqual([
      ['{"number":"A-1"}', 'A-1'],
      ['{"number": 2}', '2'],
    ])
    const [first] = rowsOf('{"number":"A-1"}\n', { ...ndjson, referenceField: 'number' })
    expect(first).toMatchObject({ rawInput: '{"number":"A-1"}', reference: 'A-1' })
  })

  test.each([
    ['{"a":1}\n{"a":}\n', '2:6 ndjson.json'],
    ['{"a":1}\n  {"a":"\0"}\n', '2:9 ndjson.json'],
    ['[{"a":1},\n{"a":2}]\n', '1:'],
    ['\n\n', '3:1 ndjson.rows'],
  ])('%j is refused with its place', (text, place) => {
    expect(refused(text, ndjson)).toStartWith(place)
  })
})

describe('others have their turns', () => {
  const most = 1_000_000
  const turnsOf = (text: string, wanted: BatchWanted) => [...checkBatch(text, wanted)].length

  test('while blank lines are passed, before the names, between the rows and after them', () => {
    const blank = '\n'.repeat(most)
    expect(turnsOf(blank, ndjson)).toBeGreaterThan(most / 2_000)
    for (const text of [`${blank}number\nA-1\n`, `number\n${blank}A-1\n`, `number\nA-1\n${blank}`]) {
      expect(turnsOf(text, csv)).toBeGreaterThan(most / 20_000)
    }
  })

  test('within a long row', () => {
    const long = `[${'1,'.repeat(200_000)}1]`
    expect(turnsOf(`${long}\n`, ndjson)).toBeGreaterThan(50)
    expect(turnsOf(`tags\n"${long}"\n`, csv)).toBeGreaterThan(50)
  })
})

describe('columns of a contract', () => {
  /** Each of some schemas is made of the next one, thirty times over. */
  const folded = (levels: number): JsonValue => ({
    allOf: [{ $ref: '#/$defs/s0' }],
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, level) => [
        `s${level}`,
        level + 1 < levels
          ? { anyOf: Array.from({ length: 30 }, () => ({ $ref: `#/$defs/s${level + 1}` })) }
          : { properties: { number: { type: 'integer' } } },
      ]),
    ),
  })

  test('are found at once in schemas that are made of others in millions of ways', () => {
    expect(rowsOf('number\n7\n', { ...csv, schema: folded(7) }).map(({ rawInput }) => rawInput)).toEqual([
      '{"number":7}',
    ])
    expect(refused('nmuber\n7\n', { ...csv, schema: folded(7) })).toBe(
      '1:1 csv.header The contract has no property "nmuber". Did you mean "number"?',
    )
  })

  test('are not found in schemas that refer to themselves', () => {
    const schema = { $ref: '#/$defs/s', $defs: { s: { anyOf: [{ $ref: '#/$defs/s' }, { $ref: '#' }] } } }
    expect(refused('number\n7\n', { ...csv, schema })).toStartWith(
      '1:1 csv.header The contract has no property "number".',
    )
  })

  test('are looked for in a million schemas, and no more', () => {
    const one = { allOf: Array.from({ length: 2_000 }, (_, index) => ({ title: String(index) })) }
    const names = Array.from({ length: 600 }, (_, index) => `p${index}`)
    const wide = (names: readonly string[]) => ({
      properties: Object.fromEntries(names.map((name) => [name, { allOf: [{ $ref: '#/$defs/one' }] }])),
      $defs: { one },
    })
    const few = names.slice(0, 400)
    expect(check(`${few.join()}\n${few.join()}\n`, { ...csv, schema: wide(few) }).ok).toBe(true)
    expect(refused(`${names.join()}\n${names.join()}\n`, { ...csv, schema: wide(names) })).toMatch(
      /^1:\d+ csv.header The contract is made of too many schemas .* Hand in NDJSON\.$/,
    )
  })

  test('lead no deeper than an input may be', () => {
    const schema = { properties: { a: { $ref: '#' } } }
    const path = (depth: number) => Array(depth).fill('a').join('.')
    expect(check(`${path(limits.jsonDepth)}\n1\n`, { ...csv, schema }).ok).toBe(true)
    expect(refused(`${path(limits.jsonDepth + 1)}\n1\n`, { ...csv, schema })).toStartWith(
      '1:1 csv.header The contract has no',
    )
  })

  test('for a whole and for a part of it are refused in either order', () => {
    expect(refused('customer.name,customer\n1,2\n', csv)).toBe(
      '1:15 csv.header The columns "customer" and "customer.name" lead to the same value. Leave one of them out.',
    )
  })
})
