import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CoverageMeter } from '../../src/project/coverage/coverage.ts'
import { readProject } from '../../src/project/project.ts'
import { type CaseResult, type TestOptions, testCases } from '../../src/project/test-cases.ts'
import { describeFailure } from '../../src/project/text-report.ts'
import { folderWith, invoices, orders, performHere, projectAt } from './fixture.ts'

const perform = performHere()

function run(folder: string, options: Partial<TestOptions> = {}): Promise<CaseResult[]> {
  const project = projectAt(folder)
  return testCases(project, project.cases, { perform, atOnce: 2, tolerance: 0.5, ...options })
}

test('a case in CSV runs as it would be submitted, and what is expected is beside it', async () => {
  const folder = folderWith(invoices)
  const [result] = await run(folder, { update: 'all' })
  expect(result?.testCase).toMatchObject({ stem: 'cases/invoices/march', input: 'cases/invoices/march.csv' })
  expect(result?.runs.map(({ address, output, text }) => [address, output, text])).toEqual([
    ['list', '{"first":"A-1","total":"3.50"}', 'Total 3.50 from A-1\n'],
  ])
  expect(existsSync(join(folder, 'cases/invoices/march.expected/list/output.json'))).toBe(true)
  expect((await run(folder)).flatMap(({ failures }) => failures)).toEqual([])
})

test('a refusal names the line and the column, of the text and of the contract', async () => {
  const told = async (text: string) => {
    const results = await run(folderWith({ ...invoices, 'cases/invoices/march.csv': text }))
    return results.flatMap(({ failures }) => failures.flatMap(describeFailure))
  }
  expect(await told('number;amount\nA-1;1,50\nA-2;-1\n')).toEqual([
    'list: validate: The input does not satisfy its contract.',
    '  /rows/1/amount: must be at least 0, is -1 (line 3, column 5)',
  ])
  expect(await told('number;amount\nA-1;1.50\n')).toEqual([
    'list: validate: The input is not CSV as its model says.',
    '  line 2, column 5: "1.50" is no number with ",".',
  ])
})

test('a case in XML runs as it would be submitted, and a refusal names element, line and column', async () => {
  const folder = folderWith(orders)
  const [result] = await run(folder, { update: 'all' })
  expect(result?.testCase).toMatchObject({ stem: 'cases/orders/first', input: 'cases/orders/first.xml' })
  expect(result?.runs.map(({ address, output, text }) => [address, output, text])).toEqual([
    ['letter', '{"number":"A-1","total":"1.50"}', 'Total 1.50 of A-1\n'],
  ])
  expect((await run(folder)).flatMap(({ failures }) => failures)).toEqual([])
  const told = async (from: string, to: string) => {
    const text = String(orders['cases/orders/first.xml']).replace(from, to)
    const results = await run(folderWith({ ...orders, 'cases/orders/first.xml': text }))
    return results.flatMap(({ failures }) => failures.flatMap(describeFailure))
  }
  expect(await told('1.50', '-1')).toEqual([
    'letter: validate: The input does not satisfy its contract.',
    '  /line/0/amount: must be at least 0, is -1, in /order/line[1]/amount (line 3, column 16)',
  ])
  expect(await told('</number>', '</no>')).toEqual([
    'letter: validate: The input is not XML as its model says.',
    expect.stringContaining('  line 2, column '),
  ])
})

test('what cases in CSV reach is measured like that of others', async () => {
  const folder = folderWith(invoices)
  const project = projectAt(folder)
  const meter = new CoverageMeter(project)
  const results = await testCases(project, project.cases, { perform, atOnce: 1, tolerance: 0.5 })
  for (const result of results) meter.measure(result)
  const { transformer, contract } = meter.result().counts
  expect(transformer.of).toBeGreaterThan(0)
  expect(transformer.reached).toBeGreaterThan(0)
  expect(contract.reached).toBeGreaterThan(contract.of / 2)
})

test('an input may have full stops in its name, which is all before the last one', () => {
  const folder = folderWith({ ...invoices, 'cases/invoices/2026.04.csv': String(invoices['cases/invoices/march.csv']) })
  mkdirSync(join(folder, 'cases/invoices/2026.04.expected'), { recursive: true })
  const { cases } = projectAt(folder)
  expect(cases.map(({ name }) => name)).toEqual(['2026.04', 'march'])
})

test('a CSV beside the cases of a model that reads JSON is left alone, and two inputs of one name are refused', () => {
  const json = {
    ...invoices,
    'models/invoices.yaml': String(invoices['models/invoices.yaml']).replace(/^input: .*\n/m, ''),
  }
  expect(projectAt(folderWith(json)).cases).toEqual([])
  const folder = folderWith(invoices)
  mkdirSync(join(folder, 'cases/invoices'), { recursive: true })
  writeFileSync(join(folder, 'cases/invoices/march.json'), '{}')
  const { outcome, findings } = readProject(folder)
  expect(outcome.ok).toBe(false)
  expect(findings).toMatchObject([{ code: 'project.two_inputs', file: 'cases/invoices/march.json' }])
})
