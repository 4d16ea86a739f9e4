import { expect, test } from 'bun:test'
import { CoverageMeter, gapsOf, type ProjectCoverage, percentOf } from '../../src/project/coverage/coverage.ts'
import {
  coverageLines,
  coverageTable,
  gapLine,
  missedLimits,
  placeText,
  readCoverageLimit,
} from '../../src/project/coverage/coverage-report.ts'
import { htmlReport } from '../../src/project/html-report.ts'
import { jsonReport } from '../../src/project/machine-reports.ts'
import { type CaseResult, testCases } from '../../src/project/test-cases.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { folderWith, greeting, performHere, projectAt } from './fixture.ts'

const polite = {
  ...greeting,
  'templates/greeting.docx': wordPackage(
    p('Dear {{/name}} of {{/place}},') + p('{{#if /owes > 0}}You owe {{/owes}} EUR.{{#else}}Thank you.{{#end}}'),
  ),
}

async function measured(files: Readonly<Record<string, string | Uint8Array>>, only = '') {
  const project = projectAt(folderWith(files))
  const meter = new CoverageMeter(project)
  const results: CaseResult[] = await testCases(
    project,
    project.cases.filter(({ name }) => name.includes(only)),
    { perform: performHere(), atOnce: 1, tolerance: 0.5, onResult: (result) => meter.measure(result) },
  )
  return { coverage: meter.result(), results }
}

const gapLines = (coverage: ProjectCoverage) => coverageLines(coverage).split('\n')

const contractGaps = ({ sources }: ProjectCoverage) =>
  sources
    .filter(({ file }) => file.startsWith('contracts/'))
    .flatMap((source) => gapsOf(source).map((gap) => gapLine(source.file, gap)))

test('a condition that no case finds true is reported with the paragraph and the words around it', async () => {
  const { coverage } = await measured(polite, 'ann')
  expect(gapLines(coverage)).toContain(
    'templates/greeting.docx, paragraph 2: is never true: {{#if /owes > 0}}You owe {{/owes}} EUR.{{#else}…, of which {{#if /owes > 0}}',
  )
  expect(coverageLines(coverage)).not.toContain('is never filled')
  const all = await measured(polite)
  expect(coverageLines(all.coverage)).not.toContain('templates/greeting.docx')
})

test('a node that no case makes has its condition and its transformer among the gaps', async () => {
  const { coverage } = await measured(polite, 'ann')
  expect(gapLines(coverage)).toContain('models/greeting.yaml:14: is never true: notice: when {"$is":["/owes",">",0]}')
  expect(gapLines(coverage)).toContain(
    'transformers/notice.yaml:3: is never evaluated: amount: { $text: "{n} EUR", n: /owes }',
  )
})

test('a rule of the contract that no case breaks is reported with its line and pointer', async () => {
  const { coverage } = await measured(polite)
  expect(contractGaps(coverage)).toContain(
    'contracts/person.schema.json:1 /properties/name/maxLength: is broken by no input: maxLength: 40',
  )
  const refused = await measured({ ...polite, 'cases/greeting/long.json': `{"name":"${'x'.repeat(41)}","owes":1}` })
  expect(contractGaps(refused.coverage).join('\n')).not.toContain('maxLength: is broken')
})

test('the table has a row for each document, by the sources that it reads, and one for all sources once', async () => {
  const { coverage } = await measured(polite)
  expect(coverageTable(coverage)).toEqual([
    ['document', 'model', 'contract', 'refusals', 'transformer', 'template', 'all'],
    ['greeting/letter', '100 %', '100 %', '0 %', '–', '100 %', '63 %'],
    ['greeting/letter/notice', '100 %', '100 %', '0 %', '100 %', '–', '53 %'],
    ['all of them', '100 %', '100 %', '0 %', '100 %', '100 %', '65 %'],
  ])
})

test('a document without cases is at nothing, and one whose every point is reached at 100', async () => {
  const { coverage } = await measured(polite, 'nobody')
  expect(coverage.documents.map(({ counts }) => counts.all.reached)).toEqual([0, 0])
  expect([
    percentOf({ reached: 199, of: 200 }),
    percentOf({ reached: 2, of: 2 }),
    percentOf({ reached: 0, of: 0 }),
  ]).toEqual([99, 100, undefined])
})

test('limits are of all columns together or of one, and name each document below them', async () => {
  expect(['80', 'template=100', 'all=1', '101', 'pages=3', 'template', '-1', '1.5'].map(readCoverageLimit)).toEqual([
    { column: 'all', percent: 80 },
    { column: 'template', percent: 100 },
    { column: 'all', percent: 1 },
    ...Array(5).fill(undefined),
  ])
  const { coverage } = await measured(polite)
  expect(
    missedLimits(coverage, [
      { column: 'all', percent: 55 },
      { column: 'template', percent: 100 },
      { column: 'refusals', percent: 1 },
    ]),
  ).toEqual([
    'coverage of greeting/letter/notice is 53 %, and --min-coverage wants 55 %',
    'refusals coverage of greeting/letter is 0 %, and --min-coverage wants 1 %',
    'refusals coverage of greeting/letter/notice is 0 %, and --min-coverage wants 1 %',
  ])
})

test('a place is file and line, with the pointer in JSON, or the paragraph of a part', () => {
  expect([
    placeText('transformers/a.yaml', { place: '/output/x', line: 3 }),
    placeText('contracts/a.json', { place: '/type', line: 2 }),
    placeText('templates/a.docx', { place: 'word/document.xml#12:5' }),
    placeText('templates/a.docx', { place: 'word/header1.xml#2:0' }),
  ]).toEqual([
    'transformers/a.yaml:3',
    'contracts/a.json:2 /type',
    'templates/a.docx, paragraph 12',
    'templates/a.docx, header1, paragraph 2',
  ])
})

test('the lines for people are bounded for each source; the reports list every gap', async () => {
  const properties = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`p${index}`, { type: 'string' }]))
  const contract = JSON.stringify({
    type: 'object',
    required: ['name', 'owes'],
    properties: { ...properties, name: {}, owes: { type: 'integer' } },
  })
  const { coverage, results } = await measured({ ...greeting, 'contracts/person.schema.json': contract })
  const own = gapLines(coverage).filter((line) => line.startsWith('contracts/'))
  expect(own).toHaveLength(20 + 1 + 4)
  expect(own[20]).toBe(
    'contracts/person.schema.json: 40 more places that no case reaches (--json and --html list them)',
  )
  const json = JSON.parse(jsonReport(results, coverage))
  expect(json.coverage.gaps.filter(({ file }: { file: string }) => file.startsWith('contracts/'))).toHaveLength(64)
  expect(json.coverage.documents[0]).toMatchObject({ document: 'greeting/letter', template: { reached: 2, of: 2 } })
  const html = htmlReport(results, 1, { coverage })
  expect(html.match(/<li class="gap">contracts/g)).toHaveLength(60)
  expect(html).toContain('<th scope="row">greeting/letter</th>')
  expect(htmlReport(results, 1)).not.toContain('Coverage')
  expect(JSON.parse(jsonReport(results)).coverage).toBeUndefined()
})

test('a list that is never empty by the contract wants no case without an item, in the transformer and in the template', async () => {
  const listed = (rules: object, where = '') => ({
    'contracts/list.schema.json': JSON.stringify({
      type: 'object',
      required: ['items'],
      properties: { items: { type: 'array', items: { type: 'string' }, ...rules } },
    }),
    'transformers/list.yaml': `transform: declarative-v1
contract: list@1
output:
  lines: { $each: /items, as: item, ${where}do: { text: $item } }
`,
    'templates/list.docx': wordPackage(
      p('{{#each /lines}}') + p('{{./text}}') + p('{{#else}}') + p('none') + p('{{#end}}'),
    ),
    'models/list.yaml': `model: ingestion-model-v1
contract: { name: list, version: 1 }
nodes: [{ key: letter, label: Letter, transformer: list, template: list, formats: [docx] }]
`,
    'cases/list/one.json': '{"items":["a"]}',
    'cases/list/two.json': '{"items":["a","b"]}',
  })
  const told = async (rules: object, where?: string) => {
    const { coverage } = await measured(listed(rules, where))
    const gaps = coverage.sources
      .filter(({ file }) => !file.startsWith('contracts/'))
      .flatMap((source) => gapsOf(source).map(({ gap }) => `${source.file}: ${gap}`))
    return gaps.sort()
  }
  const none = ['templates/list.docx: never has no item', 'transformers/list.yaml: never has no item']
  expect(await told({})).toEqual(none)
  expect(await told({ minItems: 1 })).toEqual([])
  expect(await told({ minItems: 1, maxItems: 1 })).toEqual([])
  // Whatever the contract says, items may be passed over.
  const where = 'where: { $is: [$item, "!=", x] }, '
  expect(await told({ minItems: 1 }, where)).toContain('templates/list.docx: never has no item')
})
