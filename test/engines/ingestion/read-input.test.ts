import { describe, expect, test } from 'bun:test'
import { canonicalJson } from '../../../src/core/canonical.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { compileIngestionModel } from '../../../src/engines/ingestion/ingestion-model.ts'
import type { InputFormat } from '../../../src/engines/ingestion/input-format.ts'
import { asJsonText, placedIn, readInput } from '../../../src/engines/ingestion/read-input.ts'
import { leastCpuMsOf } from '../../support/cpu.ts'

function formatOf(input: string): InputFormat {
  const source = `model: ingestion-model-v1\ncontract: { name: P, version: 1 }\ninput: ${input}\nnodes: [{ key: a, label: A, transformer: t }]\n`
  const model = compileIngestionModel(source, 'yaml')
  if (!model.ok || model.value.input === undefined) throw new Error(JSON.stringify(model.findings))
  return model.value.input
}

const plain = '{ format: csv }'

function rowsOf(text: string, input = plain): JsonValue {
  const read = readInput(text, formatOf(input))
  if (!read.ok) throw new Error(JSON.stringify(read.findings))
  return (read.value.value as { rows: JsonValue }).rows
}

/** `code line:column` */
function refusalOf(text: string, input = plain): string {
  const read = readInput(text, formatOf(input))
  const [found] = read.findings
  expect([text, read.ok, read.findings.length, found?.hint]).toEqual([text, false, 1, expect.stringMatching(/./)])
  return `${found?.code} ${found?.line}:${found?.column}`
}

/** A text that would be read as other columns or words than its author sees: where it is refused, and how it is mended. */
describe('a text that is written otherwise than the model says is refused', () => {
  const semicolon = '{ format: csv, delimiter: ";" }'
  const declare = (sign: string) => `Write delimiter: ${sign} in the model; or put the name in quotes.`
  test.each<[text: string, input: string, place: string, hint: string]>([
    ['a;b\n1;2', plain, 'csv.header 1:1', declare('";"')],
    ['a;b,c;d\n1;2,3;4', plain, 'csv.header 1:1', declare('";"')],
    ['a\tb\n1\t2', plain, 'csv.header 1:1', declare('"\\t"')],
    ['a|b\n1|2', plain, 'csv.header 1:1', declare('"|"')],
    ['a,b\n1,2', semicolon, 'csv.header 1:1', declare('","')],
    ['a,b\n1,2', '{ format: csv, delimiter: "|" }', 'csv.header 1:1', declare('","')],
    ['a|b|c, d\n1|2|3', semicolon, 'csv.header 1:1', declare('"|"')],
    ['a;b\n1;2', '{ format: csv, delimiter: "\\t" }', 'csv.header 1:1', declare('";"')],
    ['a;b\n1;2', '{ format: csv, types: { b: number } }', 'csv.header 1:1', declare('";"')],
    ['\uFEFF\na;b\n', '{ format: csv, trim: true }', 'csv.header 2:1', declare('";"')],
    ['first, last;due\nAda, B;3', plain, 'csv.header 1:7', declare('";"')],
    ['sep=;\na;b\n1;2', plain, 'csv.header 1:1', 'Remove the line, and write delimiter: ";" in the model.'],
    ['sep=;\na;b\n1;2', semicolon, 'csv.header 1:1', 'Remove the line.'],
    ['sep=:\na:b\n', plain, 'csv.header 1:1', 'Remove the line, and write one of "," ";" "|" "\\t".'],
    ['a;b\n1;2', '{ format: csv, header: [a, b] }', 'csv.fields 1:1', 'Write delimiter: ";" in the model.'],
    ["a,'b'\n1,'2'", plain, 'csv.header 1:3', 'Write "…" for quotes, or none.'],
    ['“a”,b\n', plain, 'csv.header 1:1', 'Write "…" for quotes, or none.'],
    ['\uFEFF\uFEFFa,b\n', plain, 'csv.header 1:2', 'Remove it.'],
    ['a,"b\u200B"\n', plain, 'csv.header 1:3', 'Remove it.'],
    ['a\nM\uFFFDller', plain, 'csv.character 2:2', 'Save the text as UTF-8, or write what belongs there.'],
    ['\uFFFD\uFFFDa\0,\0b\0', plain, 'csv.character 1:4', 'Save the text as UTF-8: this was UTF-16.'],
    ['a\n1\0', plain, 'csv.character 2:2', 'Remove it.'],
    [
      '<r><a>M\uFFFDller</a></r>',
      '{ format: xml, root: r }',
      'xml.character 1:8',
      'Save the text as UTF-8, or write what belongs there.',
    ],
  ])('%j by %s', (text, input, place, hint) => {
    expect(refusalOf(text, input)).toBe(place)
    expect(readInput(text, formatOf(input)).findings[0]?.hint).toBe(hint)
  })

  test('but not where it is meant: in quotes, in a field, and commas in names beside a semicolon', () => {
    expect(rowsOf('"a;b"\n"1;2"')).toEqual([{ 'a;b': '1;2' }])
    expect(rowsOf('a\n1;2\n')).toEqual([{ a: '1;2' }])
    expect(rowsOf('net, EUR;day\n3,50;1', semicolon)).toEqual([{ 'net, EUR': '3,50', day: '1' }])
    expect(rowsOf('a\n1;2', '{ format: csv, header: [b] }')).toEqual([{ b: 'a' }, { b: '1;2' }])
    expect(readInput('<r>&#xFFFD;</r>', formatOf('{ format: xml, root: r }')).ok).toBe(true)
  })

  test('and not in a model that was frozen under earlier rules', () => {
    const model = (input: string) =>
      compileIngestionModel(
        `model: ingestion-model-v1\ncontract: { name: P, version: 1 }\ninput: ${input}\nnodes: [{ key: a, label: A, transformer: t }]\n`,
        'yaml',
        4,
      )
    const read = (text: string, input: string) => {
      const compiled = model(input)
      const value = compiled.ok ? readInput(text, compiled.value.input) : compiled
      return value.ok && 'value' in value.value ? value.value.value : value.findings
    }
    expect(read('a;b\nM\uFFFDller', plain)).toEqual({ rows: [{ 'a;b': 'M\uFFFDller' }] })
    expect(read('<r><a>\uFFFD</a></r>', '{ format: xml, root: r }')).toEqual({ a: '\uFFFD' })
  })
})

describe('a text in CSV becomes rows', () => {
  const rows: [what: string, text: string, expected: JsonValue, input?: string][] = [
    ['by the names of its first line', 'a,b\n1,2\n', [{ a: '1', b: '2' }]],
    [
      'with CR LF, and without a last line end',
      'a,b\r\n1,2\r\n3,4',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    ['behind a byte order mark', '\uFEFFa\n1', [{ a: '1' }]],
    ['past quotes, delimiters and line ends in quotes', 'a,b\n"x, ""y""\r\nz",""', [{ a: 'x, "y"\r\nz', b: '' }]],
    ['past lines with nothing on them', 'a\n\n1\n\r\n2\n\n', [{ a: '1' }, { a: '2' }]],
    ['where a line with an empty quoted field is one', 'a\n""\n', [{ a: '' }]],
    ['none of them, if there is only a line of names', 'a,b', []],
    ['leaving empty fields out', 'a,b\n,2', [{ b: '2' }]],
    ['with null for empty fields', 'a,b\n,2', [{ a: null, b: '2' }], '{ format: csv, empty: "null" }'],
    ['with empty texts', 'a,b\n,2', [{ a: '', b: '2' }], '{ format: csv, empty: text }'],
    ['keeping blanks', 'a, b\n 1 ,2', [{ a: ' 1 ', ' b': '2' }]],
    ['dropping blanks, but not in quotes', 'a, b\n 1 , " 2 " ', [{ a: '1', b: ' 2 ' }], '{ format: csv, trim: true }'],
    ['with another delimiter', 'a;b\n1,5;2', [{ a: '1,5', b: '2' }], '{ format: csv, delimiter: ";" }'],
    ['with tabs', 'a\tb\n1\t2', [{ a: '1', b: '2' }], '{ format: csv, delimiter: "\\t", trim: true }'],
    ['with names from the model', '1,2', [{ a: '1', b: '2' }], '{ format: csv, header: [a, b] }'],
    ['with numbers', 'a\n-1.50', [{ a: -1.5 }], '{ format: csv, types: { a: number } }'],
    [
      'with a decimal comma',
      'a;b\n0,10;0,10',
      [{ a: 0.1, b: '0,10' }],
      '{ format: csv, delimiter: ";", decimal: ",", types: { a: number } }',
    ],
    ['with truth values', 'a\ntrue\nfalse', [{ a: true }, { a: false }], '{ format: csv, types: { a: boolean } }'],
    ['whatever columns are called', '__proto__,constructor\n1,2', [JSON.parse('{"__proto__":"1","constructor":"2"}')]],
  ]
  test.each(rows.map(([what, text, expected, input = plain]) => [what, text, expected, input] as const))(
    '%s',
    (_what, text, expected, input) => {
      expect(canonicalJson(rowsOf(text, input))).toBe(canonicalJson(expected))
    },
  )

  test('under the member that the model names', () => {
    const read = readInput('a\n1', formatOf('{ format: csv, rows: lines }'))
    expect(read.ok && read.value.value).toEqual({ lines: [{ a: '1' }] })
  })
})

describe('a text in CSV is refused at its place', () => {
  const numbers = '{ format: csv, types: { a: number } }'
  const rows: [what: string, text: string, expected: string, input?: string][] = [
    ['with too few fields', 'a,b\n1,2\n3', 'csv.fields 3:1'],
    ['with too many', 'a\n1,2', 'csv.fields 2:1'],
    ['a quote that is never closed', 'a,b\n1,"2\n3', 'csv.quote 2:3'],
    ['a quote inside a field', 'a\nx"y', 'csv.quote 2:2'],
    ['text after a closing quote', 'a\n"x"y', 'csv.quote 2:4'],
    ['a carriage return alone', 'a\r1', 'csv.line-end 1:2'],
    ['no line of names', '\n\n', 'csv.header 1:1'],
    ['a column without a name', 'a,,b\n1,2,3', 'csv.header 1:3'],
    ['two columns of one name', 'a,b,a', 'csv.header 1:5'],
    ['without a column that has a type', 'b\n1', 'csv.header 1:1', numbers],
    ['no number', 'a\nx', 'csv.value 2:1', numbers],
    ['a number with leading zeros', 'a\n007', 'csv.value 2:1', numbers],
    ['a number with an exponent', 'a\n1e3', 'csv.value 2:1', numbers],
    ['a number with a comma', 'a\n"1,5"', 'csv.value 2:1', numbers],
    ['a number that no double keeps', 'a\n12345678901234567890', 'csv.value 2:1', numbers],
    ['no truth value', 'a\nyes', 'csv.value 2:1', '{ format: csv, types: { a: boolean } }'],
    ['the character NUL', 'a\nx\0', 'csv.character 2:2'],
    ['half a character', 'a\n\ud800', 'csv.character 2:1'],
    [
      'too many columns',
      `${Array.from({ length: limits.csvColumns + 1 }, (_, index) => `c${index}`).join()}`,
      'csv.header 1:1',
    ],
  ]
  test.each(rows.map(([what, text, expected, input = plain]) => [what, text, expected, input] as const))(
    '%s',
    (_what, text, expected, input) => {
      expect(refusalOf(text, input)).toBe(expected)
    },
  )

  test('where its names, repeated in every row, would make more than an input may have', () => {
    const name = 'n'.repeat(10_000)
    const text = `${name}\n${'1\n'.repeat(100)}`
    expect(refusalOf(text)).toBe('csv.size 54:1')
    expect(rowsOf(`${name}\n${'1\n'.repeat(52)}`)).toHaveLength(52)
  })
})

test('every text is either a value with places, or refused: drawn texts of CSV’s own characters', () => {
  const format = formatOf('{ format: csv, trim: true, types: { a: number } }')
  let seed = 1
  let accepted = 0
  for (let round = 0; round < 20_000; round++) {
    let text = 'a,b\n'
    for (let length = round % 9; length > 0; length--) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      text += '",\n\r 1x'[Math.floor(seed / 65_536) % 7]
    }
    const read = readInput(text, format)
    if (!read.ok) {
      expect(read.findings[0]?.line).toBeNumber()
      continue
    }
    accepted++
    const { rows } = read.value.value as { rows: { [key: string]: JsonValue }[] }
    for (const [index, row] of rows.entries()) {
      for (const key of Object.keys(row)) {
        const place = read.value.placeOf(`/rows/${index}/${key}`)
        const rest = text.split('\n')[(place?.line ?? 0) - 1]?.slice((place?.column ?? 0) - 1)
        const start = String(row[key]).split(/[\n"]/)[0] ?? ''
        expect(rest?.replace(/^"/, '')).toStartWith(start)
      }
    }
  }
  expect(accepted).toBeGreaterThan(2_000)
})

test('findings about rows name the line and the column that their values come from', () => {
  const read = readInput('name,amount\nAnn,1\n"B\nob",2', formatOf(plain))
  if (!read.ok) return expect.unreachable()
  const at = (path: string) => {
    const [found] = placedIn(read.value, [{ code: 'c', severity: 'error', message: 'is wrong', path }])
    return `${found?.message} ${found?.line}:${found?.column}`
  }
  expect(at('/rows/0/amount')).toBe('is wrong (line 2, column 5) 2:5')
  expect(at('/rows/1/amount')).toBe('is wrong (line 4, column 5) 4:5')
  expect(at('/rows/1')).toBe('is wrong (line 3, column 1) 3:1')
  expect(at('')).toBe('is wrong (line 1, column 1) 1:1')
})

test('JSON is read as ever without a format, and findings about it stay as they are', () => {
  const read = readInput('{"a": [1]}', undefined)
  if (!read.ok) return expect.unreachable()
  expect(read.value.value).toEqual({ a: [1] })
  const finding = { code: 'c', severity: 'error' as const, message: 'is wrong', path: '/a/0' }
  expect(placedIn(read.value, [finding])).toEqual([finding])
  expect(readInput('a\n1', undefined).findings[0]?.code).toBe('json.syntax')
  expect(asJsonText(' {} ', undefined)).toBe(' {} ')
})

test('a text of the largest size is read in linear time', () => {
  const format = formatOf('{ format: csv, types: { b: number } }')
  const half = `a,b\n${'"x""y",1.5\n'.repeat(limits.payloadBytes / 44)}`
  readInput(half, format)
  const [small, large] = [
    leastCpuMsOf(() => readInput(half.slice(0, half.length / 4 - 1), format)),
    leastCpuMsOf(() => readInput(half, format)),
  ]
  expect(large).toBeLessThan(Math.max(400, 16 * small))
})

describe('a model’s declaration of CSV', () => {
  const rows: [input: string, codes: string[]][] = [
    ['csv', ['ingestion.type /input']],
    ['{ format: xlsx }', ['ingestion.input /input/format']],
    ['{}', ['ingestion.input /input/format']],
    ['{ format: csv, delimeter: ";" }', ['ingestion.unknown_key /input/delimeter']],
    ['{ format: csv, delimiter: "::" }', ['ingestion.input /input/delimiter']],
    ['{ format: csv, header: false }', ['ingestion.input /input/header']],
    ['{ format: csv, header: [a, a] }', ['ingestion.input /input/header']],
    ['{ format: csv, header: [] }', ['ingestion.input /input/header']],
    ['{ format: csv, rows: "" }', ['ingestion.type /input/rows']],
    ['{ format: csv, decimal: "·" }', ['ingestion.input /input/decimal']],
    ['{ format: csv, trim: 1 }', ['ingestion.input /input/trim']],
    ['{ format: csv, empty: null }', ['ingestion.input /input/empty']],
    ['{ format: csv, types: [a] }', ['ingestion.type /input/types']],
    ['{ format: csv, types: { a: date } }', ['ingestion.input /input/types/a']],
  ]
  test.each(rows)('%s is refused', (input, codes) => {
    const source = `model: ingestion-model-v1\ncontract: { name: P, version: 1 }\ninput: ${input}\nnodes: [{ key: a, label: A, transformer: t }]\n`
    const { findings } = compileIngestionModel(source, 'yaml')
    expect(findings.map(({ code, path, line }) => `${code} ${path}${line === 3 ? '' : ` ${line}`}`)).toEqual(codes)
  })
})
