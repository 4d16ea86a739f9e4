/** `quire test` in this process, over its own engines; what is printed is caught. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/commands/command.ts'
import { CommandFailure } from '../../src/commands/files.ts'
import { runTest } from '../../src/commands/test.ts'
import { folderWith, greeting as withPdf } from '../project/fixture.ts'
import { rejectionOf } from '../support/outcome.ts'
import { catchPrinted } from '../support/printed.ts'
import { contextIn } from './answering.ts'

setDefaultTimeout(60_000)

const printed = catchPrinted()
// What is about pages has tests of its own.
const model = String(withPdf['models/greeting.yaml']).replace('[docx, pdf]', '[docx]')
const greeting = { ...withPdf, 'models/greeting.yaml': model }
async function tested(folder: string, ...args: string[]) {
  Object.assign(printed, { stdout: '', stderr: '' })
  const code = await runTest([folder, ...args], contextIn(folder))
  return { code, ...printed }
}
const refusal = async (work: Promise<unknown>) => {
  const error = (await rejectionOf(work)) as Error
  return [error.constructor, error.message]
}
const withoutSeconds = (text: string) => text.replace(/in [\d.]+ s\n/, 'in T s\n')

test('cases run, and where none has expectations that is said; each report goes to its file beside what is printed', async () => {
  const folder = folderWith(greeting)
  const files = ['junit', 'tap', 'json', 'html'].flatMap((name) => [`--${name}`, join(folder, `out.${name}`)])
  const { code, stdout, stderr } = await tested(folder, '--case', 'ann', '--case', 'greeting/b', ...files)
  expect([code, stderr]).toEqual([0, ''])
  expect(withoutSeconds(stdout)).toBe(
    '2 cases have no expectations, so only a refusal fails; quire test --update writes down what they make\n2 passed, 0 failed in T s\n',
  )
  const written = (name: string) => readFileSync(join(folder, `out.${name}`), 'utf8')
  expect(written('junit')).toContain('<testsuite')
  expect(written('tap')).toStartWith('TAP version')
  expect(JSON.parse(written('json'))).toMatchObject({ passed: 2, failed: 0 })
  expect(written('html')).toContain('2 passed, 0 failed')
})

test('what is written down by --update is compared from then on, and a difference ends with 1', async () => {
  const folder = folderWith(greeting)
  const updated = await tested(folder, '--update')
  expect([updated.code, updated.stderr]).toEqual([0, ''])
  const lines = updated.stdout.split('\n')
  expect(lines.slice(0, -2).toSorted()).toEqual(
    [
      ...['ann', 'bob'].flatMap((name) =>
        ['document.txt', 'output.json'].map((file) => `wrote cases/greeting/${name}.expected/letter/${file}`),
      ),
      'wrote cases/greeting/bob.expected/letter/notice/output.json',
    ].toSorted(),
  )
  expect(`${lines.at(-2)}`).toMatch(/^2 passed, 0 failed in /)
  expect(existsSync(join(folder, 'cases/greeting/ann.expected/letter/page-1.svg'))).toBe(false)
  writeFileSync(join(folder, 'cases/greeting/ann.json'), '{"name":"Anne","owes":0}')
  const { code, stdout, stderr } = await tested(folder)
  expect([code, stderr, withoutSeconds(stdout).split('\n').slice(-3)]).toEqual([
    1,
    '',
    [
      '1 case differs from what is expected; where that is meant, quire test --update writes down what it makes',
      '1 passed, 1 failed in T s',
      '',
    ],
  ])
  expect(stdout).toStartWith('failed cases/greeting/ann\n')
  const report = await tested(folder, '--json', '-', '--case', 'ann', '--mutate')
  expect([report.code, JSON.parse(report.stdout).failed, report.stderr]).toEqual([
    1,
    1,
    'quire: no change was tried, because not all cases are as expected\n',
  ])
})

test('coverage below a limit ends with 1, and of a part of the cases it is about what they can reach', async () => {
  const folder = folderWith(greeting)
  const { code, stdout, stderr } = await tested(folder, '--case', 'ann', '--min-coverage', 'refusals=40')
  expect([code, stderr]).toEqual([
    1,
    ['letter', 'letter/notice']
      .map((node) => `quire: refusals coverage of greeting/${node} is 0 %, and --min-coverage wants 40 %\n`)
      .join(''),
  ])
  expect(stdout).toMatch(/\ngreeting\/letter +/)
})

test('what a project schedules is checked before a case runs, and a report for stdout has nothing beside it', async () => {
  const folder = folderWith({
    ...greeting,
    'scheduled/spring/transformers/greeting.yaml': 'transform: v9\n',
    'activations.yaml':
      'activations:\n  - effective_from: 2099-01-01T00:00:00Z\n    files: [scheduled/spring/transformers/greeting.yaml]\n',
  })
  const { code, stdout, stderr } = await tested(folder)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('scheduled/spring/transformers/greeting.yaml:1')
  writeFileSync(join(folder, 'contracts/person.schema.json'), '{"type":"objekt"}')
  rmSync(join(folder, 'scheduled'), { recursive: true })
  rmSync(join(folder, 'activations.yaml'))
  const unusable = await tested(folder, '--json', '-')
  expect([unusable.code, unusable.stdout]).toEqual([1, ''])
  expect(unusable.stderr).toStartWith('contracts/person.schema.json:1')
})

test('a missing folder, and one without the case that is asked for, are refused', async () => {
  const folder = folderWith(greeting)
  const nowhere = join(folder, 'nowhere')
  expect(await refusal(runTest([nowhere], contextIn(folder)))).toEqual([
    CommandFailure,
    `${nowhere} cannot be read: there is no such file or folder`,
  ])
  expect(await refusal(tested(folder, '--case', 'zoe', '--case', 'eve'))).toEqual([
    UsageError,
    'no case has zoe or eve in its path',
  ])
  rmSync(join(folder, 'cases'), { recursive: true })
  mkdirSync(join(folder, 'cases'))
  expect(await refusal(tested(folder))).toEqual([
    UsageError,
    'the project has no case; put an input at cases/<ingestion model>/<name>.json',
  ])
  expect(await refusal(tested(folder, 'more'))).toEqual([UsageError, 'test takes one folder: quire test letters'])
})
