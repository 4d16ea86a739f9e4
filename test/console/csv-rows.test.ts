import { expect, test } from 'bun:test'
import { checkRows } from '../../src/console/engines/csv-rows.ts'
import type { CsvFormat } from '../../src/engines/ingestion/csv-format.ts'
import { compileSchema } from '../../src/engines/schema/schema.ts'

const row = {
  type: 'object',
  properties: { name: { type: 'string' }, count: { type: 'number' }, note: { type: 'string', minLength: 2 } },
  required: ['name'],
}
const items = { allOf: [row, { properties: { more: {}, name: {} } }] }
const source = JSON.stringify({ type: 'object', properties: { rows: { type: 'array', items } } })
const compiled = compileSchema(source)
if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
const schema = compiled.value
const format: CsvFormat = {
  ...{ format: 'csv', delimiter: ',', header: 'first line', rows: 'rows', decimal: '.', trim: false, empty: 'omit' },
  types: { count: 'number' },
}

test('rows are shown as their values are written, with their lines, and a field that is left out as nothing', () => {
  expect(checkRows(schema, 'name,count,note\nada,1.50,\n"b\nen",,hello\n', format)).toEqual({
    columns: ['name', 'count', 'note'],
    rows: [
      { line: 2, cells: ['ada', '1.5', undefined] },
      { line: 3, cells: ['b\nen', undefined, 'hello'] },
    ],
    count: 2,
    isRead: true,
    findings: [],
  })
})

test('the first hundred rows are shown, all are counted and checked', () => {
  const rows = Array.from({ length: 101 }, (_, index) => `n${index},${index === 100 ? 'x' : 'xx'}\n`).join('')
  const checked = checkRows(schema, `name,note\n${rows}`, { ...format, types: {} })
  expect([checked.rows.length, checked.count]).toEqual([100, 101])
  expect(checked.rows.at(-1)).toEqual({ line: 101, cells: ['n99', 'xx'] })
  expect(checked.findings).toMatchObject([{ path: '/rows/100/note', line: 102, column: 6 }])
})

test('what can’t be read is told where it is, below the columns that the contract or the model names', () => {
  const unread = {
    rows: [],
    count: 0,
    isRead: false,
    findings: [expect.objectContaining({ severity: 'error', line: 2 })],
  }
  const text = 'name,count\nada,many\n'
  expect(checkRows(schema, text, format)).toEqual({ ...unread, columns: ['name', 'count', 'note', 'more'] })
  expect(checkRows(schema, text, { ...format, rows: 'others' }).columns).toEqual([])
  expect(checkRows(schema, 'x\nada,many', { ...format, header: ['name', 'count'] }).columns).toEqual(['name', 'count'])
})
