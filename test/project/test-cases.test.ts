import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CaseResult, type TestOptions, testCases } from '../../src/project/test-cases.ts'
import { describeFailure } from '../../src/project/text-report.ts'
import type { StepJob } from '../../src/runner/job.ts'
import { folderWith, greeting, performHere, projectAt } from './fixture.ts'

const perform = performHere()

function run(folder: string, options: Partial<TestOptions> = {}): Promise<CaseResult[]> {
  const project = projectAt(folder)
  return testCases(project, project.cases, { perform, atOnce: 2, tolerance: 0.5, ...options })
}

/** The failures of a project's cases as lines, once `change` was made to what an update had written. */
async function failuresAfter(change: (folder: string) => void, files = greeting): Promise<string[]> {
  const folder = folderWith(files)
  await run(folder, { update: 'all' })
  change(folder)
  return linesOf(await run(folder))
}

function linesOf(results: readonly CaseResult[]): string[] {
  return results.flatMap(({ failures }) => failures.flatMap(describeFailure))
}

const letter = 'cases/greeting/bob.expected/letter'

test('runs each node as the service would: params, conditions, and a child on its parent output', async () => {
  const [ann, bob] = await run(folderWith(greeting))
  expect(ann?.runs.map(({ address, output }) => [address, output])).toEqual([
    ['letter', '{"name":"Ann","owes":0,"place":"Ghent"}'],
  ])
  expect(bob?.runs.map(({ address, output }) => [address, output])).toEqual([
    ['letter', '{"name":"Bob","owes":7,"place":"Lille"}'],
    ['letter/notice', '{"amount":"7 EUR"}'],
  ])
  expect(bob?.runs[0]?.text).toBe('Dear Bob of Lille,\n')
  expect(new TextDecoder().decode(bob?.runs[0]?.files.get('pdf')?.slice(0, 5))).toBe('%PDF-')
  expect([ann, bob].flatMap((result) => result?.failures)).toEqual([])
})

test('asks for all steps of a node at once, and hands on no document that nobody wants', async () => {
  const asked: StepJob[] = []
  const watched: TestOptions['perform'] = (job) => {
    asked.push(job)
    return perform(job)
  }
  const [, bob] = await run(folderWith(greeting), { perform: watched, files: 'discarded' })
  expect(asked.map(({ steps }) => steps.join(' ')).toSorted()).toEqual([
    'validate transform.declarative',
    'validate transform.declarative compose render',
    'validate transform.declarative compose render',
  ])
  expect(asked.every(({ discardsFiles }) => discardsFiles)).toBe(true)
  expect(bob?.runs[0]?.files.size).toBe(0)
  expect(bob?.runs[0]?.text).toBe('Dear Bob of Lille,\n')
  expect(await bob?.runs[0]?.drawPages()).toHaveLength(1)
})

test('runs the cases of one model after the other, each loop those of its own, and shares what is left', async () => {
  const model = String(greeting['models/greeting.yaml'])
  const cases = ['a', 'b', 'c', 'd', 'e'].map((name) => [`cases/greeting/${name}.json`, '{"name":"A","owes":0}'])
  const files = { ...greeting, ...Object.fromEntries(cases), 'models/other.yaml': model }
  const folder = folderWith({ ...files, 'cases/other/a.json': '{"name":"O","owes":0}' })
  const began: string[] = []
  const project = projectAt(folder)
  const watched: TestOptions['perform'] = async (job) => {
    began.push(job.rawInput?.includes('"O"') === true ? 'other' : 'greeting')
    return perform(job)
  }
  const results = await testCases(project, project.cases, { perform: watched, atOnce: 2, tolerance: 0.5 })
  expect(began.slice(0, 2).toSorted()).toEqual(['greeting', 'other'])
  // In the order of the cases, whichever ran first.
  expect(results.map(({ testCase }) => testCase.stem)).toEqual(project.cases.map(({ stem }) => stem))
})

test('without expectations a case fails when a node refuses it, with the step and each place', async () => {
  const folder = folderWith({ ...greeting, 'cases/greeting/ann.json': '{"name":5,"owes":0}' })
  expect(linesOf(await run(folder))).toEqual([
    'letter: validate: The input does not satisfy its contract.',
    '  /name: must be a string, is 5',
  ])
})

test('an update writes output, text, pages and refusals, and then all cases pass', async () => {
  const folder = folderWith({ ...greeting, 'cases/greeting/wrong.json': 'no JSON' })
  const written = (await run(folder, { update: 'all' })).flatMap(({ updated }) => updated)
  expect(written.toSorted()).toEqual([
    'cases/greeting/ann.expected/letter/document.txt',
    'cases/greeting/ann.expected/letter/output.json',
    'cases/greeting/ann.expected/letter/page-1.svg',
    'cases/greeting/bob.expected/letter/document.txt',
    'cases/greeting/bob.expected/letter/notice/output.json',
    'cases/greeting/bob.expected/letter/output.json',
    'cases/greeting/bob.expected/letter/page-1.svg',
    'cases/greeting/wrong.expected/letter/refusal.json',
  ])
  expect(linesOf(await run(folder))).toEqual([])
  expect((await run(folder, { update: 'kept' })).flatMap(({ updated }) => updated)).toEqual([])
})

test('an update keeps to the pages that are expected already unless it is asked for all', async () => {
  const folder = folderWith(greeting)
  await run(folder, { update: 'kept' })
  expect(existsSync(join(folder, letter, 'page-1.svg'))).toBe(false)
  writeFileSync(join(folder, letter, 'page-1.svg'), 'old')
  await run(folder, { update: 'kept' })
  expect(readFileSync(join(folder, letter, 'page-1.svg'), 'utf8')).toStartWith('<svg ')
})

test('an update removes what a case no longer makes', async () => {
  const folder = folderWith(greeting)
  await run(folder, { update: 'all' })
  writeFileSync(join(folder, 'cases/greeting/bob.json'), '{"name":"Bob","owes":0}')
  const updated = (await run(folder, { update: 'kept' })).flatMap((result) => result.updated)
  expect(updated).toContain(`${letter}/notice/output.json`)
  expect(existsSync(join(folder, letter, 'notice/output.json'))).toBe(false)
})

test('tells where the output and the text differ, by line', async () => {
  const lines = await failuresAfter((folder) => {
    writeFileSync(join(folder, 'cases/greeting/bob.params.json'), '{"place":"Paris"}')
    rmSync(join(folder, letter, 'page-1.svg'))
  })
  expect(lines).toEqual([
    `${letter}/output.json:2`,
    '     "name": "Bob",',
    '     "owes": 7,',
    '  -  "place": "Lille"',
    '  +  "place": "Paris"',
    '   }',
    `${letter}/document.txt:1`,
    '  -Dear Bob of Lille,',
    '  +Dear Bob of Paris,',
  ])
})

test('tells that a page is drawn otherwise, and of pages too many or too few', async () => {
  const drawn = await failuresAfter((folder) => {
    const other = wordIn(folder, 'page-1.svg')
    writeFileSync(other.path, other.text.replace('fill="#000000"', 'fill="#FF0000"'))
  })
  expect(drawn).toEqual([`${letter}/page-1.svg is drawn otherwise: 1 gone, 1 new (--html shows it)`])
  const many = await failuresAfter((folder) => {
    writeFileSync(join(folder, letter, 'page-2.svg'), wordIn(folder, 'page-1.svg').text)
  })
  expect(many).toEqual([`${letter}/page-2.svg: The document ends at page 1.`])
  const few = await failuresAfter((folder) => {
    writeFileSync(join(folder, letter, 'page-2.svg'), wordIn(folder, 'page-1.svg').text)
    rmSync(join(folder, letter, 'page-1.svg'))
  })
  expect(few).toEqual([`${letter}/page-2.svg: The document ends at page 1.`])
})

test('tells how many pages a document has where fewer are expected', async () => {
  const { wordPackage, p } = await import('../engines/docx/word-package.ts')
  const pages = (count: number) =>
    wordPackage(p('{{/name}} {{/place}}') + '<w:p><w:r><w:br w:type="page"/><w:t>x</w:t></w:r></w:p>'.repeat(count - 1))
  const lines = await failuresAfter((folder) => writeFileSync(join(folder, 'templates/greeting.docx'), pages(3)), {
    ...greeting,
    'templates/greeting.docx': pages(2),
  })
  expect(lines).toContain(`${letter}: The document has 3 pages; 2 are expected.`)
  expect(lines.filter((line) => line.includes('is drawn otherwise'))).toEqual([])
})

function wordIn(folder: string, name: string): { path: string; text: string } {
  const path = join(folder, letter, name)
  return { path, text: readFileSync(path, 'utf8') }
}

test('a node that runs unexpectedly, and one that no longer runs, are failures', async () => {
  const gone = await failuresAfter((folder) => {
    writeFileSync(join(folder, 'cases/greeting/bob.json'), '{"name":"Bob","owes":0}')
    rmSync(join(folder, letter, 'output.json'))
  })
  expect(gone).toEqual([`${letter}/notice/output.json: No node of this name ran.`])
  const added = await failuresAfter((folder) => rmSync(join(folder, letter, 'notice'), { recursive: true }))
  expect(added).toEqual([
    `${letter}/notice: This node ran, and nothing is expected of it. With --update what it made is written down.`,
  ])
})

test('a refusal that is not expected is reported by itself; one that is expected and does not come is a failure', async () => {
  const refused = await failuresAfter((folder) => {
    writeFileSync(join(folder, 'cases/greeting/bob.json'), '{"name":"Bob"}')
  })
  expect(refused[0]).toBe(`${letter}: validate: The input does not satisfy its contract.`)
  expect(refused[1]).toContain('owes')
  const accepted = await failuresAfter((folder) => {
    mkdirSync(join(folder, letter), { recursive: true })
    writeFileSync(join(folder, letter, 'refusal.json'), '{}')
  })
  expect(accepted).toEqual([`${letter}/refusal.json: The case made nothing that belongs to this file.`])
})

test('a template that can not be used refuses every case, with its place', async () => {
  const { wordPackage, p } = await import('../engines/docx/word-package.ts')
  const broken = { ...greeting, 'templates/greeting.docx': wordPackage(p('{{#each /name}}')) }
  const lines = linesOf(await run(folderWith(broken)))
  expect(lines.filter((line) => line.includes('compose: '))).toHaveLength(2)
  expect(lines[1]).toContain('word/document.xml#1:0')
})
