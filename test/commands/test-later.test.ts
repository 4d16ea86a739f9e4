import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderWith, greeting } from '../project/fixture.ts'
import { runCommand } from '../support/command.ts'

const spring = '2099-03-01T00:00:00Z'
const autumn = '2099-09-01T00:00:00Z'
const dated = (name: string, instant: string) => `cases/greeting/${name}.from-${instant.replaceAll(':', '-')}.expected`

const schedule = (entries: Record<string, string[]>) =>
  `activations:\n${Object.entries(entries)
    .map(([at, files]) => `  - effective_from: ${at}\n    files: [${files.join(', ')}]\n`)
    .join('')}`

/** From the spring on, nobody may owe more than 5, and owing is counted in cents from the autumn on. */
function withSpring(): string {
  const lines = String(greeting['transformers/greeting.yaml'])
  return folderWith({
    ...greeting,
    'scheduled/spring/transformers/greeting.yaml': lines.replace(
      'output:\n',
      'output:\n  limit: { $require: { $if: { $is: [/owes, "<=", 5] }, then: /owes }, code: OWES_TOO_MUCH }\n',
    ),
    'scheduled/autumn/transformers/notice.yaml':
      'transform: declarative-v1\noutput:\n  amount: { $text: "{n} cents", n: /owes }\n',
    'activations.yaml': schedule({
      [spring]: ['scheduled/spring/transformers/greeting.yaml'],
      [autumn]: ['scheduled/autumn/transformers/notice.yaml'],
    }),
  })
}

test('cases run with what begins at each instant, and one that is refused from then on fails and names it', async () => {
  const folder = withSpring()
  const { code, stdout } = await runCommand(folder, ['test'])
  expect(code).toBe(1)
  expect(stdout).toContain(`2 cases were run with what is in force from ${spring} on\n`)
  expect(stdout).toContain(`2 cases were run with what is in force from ${autumn} on\n`)
  const failed = stdout.split('\n').filter((line) => line.startsWith('failed '))
  expect(failed.sort()).toEqual([
    'failed cases/greeting/bob.from-2099-03-01T00-00-00Z',
    // What began in the spring is still in force in the autumn.
    'failed cases/greeting/bob.from-2099-09-01T00-00-00Z',
  ])
  expect(stdout).toContain('OWES_TOO_MUCH')
  expect(stdout).toContain('4 passed, 2 failed')
}, 60_000)

test('what is expected at an instant lies beside the case, is compared there, and --update writes it', async () => {
  const folder = withSpring()
  const updated = await runCommand(folder, ['test', '--update'])
  expect([updated.code, updated.stderr]).toEqual([0, ''])
  const refusal = join(folder, dated('bob', spring), 'letter/refusal.json')
  expect(readFileSync(refusal, 'utf8')).toContain('OWES_TOO_MUCH')
  expect(readFileSync(join(folder, 'cases/greeting/bob.expected/letter/notice/output.json'), 'utf8')).toContain('7 EUR')
  expect(existsSync(join(folder, dated('ann', autumn), 'letter/output.json'))).toBe(true)
  const again = await runCommand(folder, ['test', '--json', '-'])
  expect(again.code).toBe(0)
  const { cases } = JSON.parse(again.stdout) as { cases: { case: string; from?: string }[] }
  expect(cases.filter(({ from }) => from === spring).map((each) => each.case)).toEqual([
    'cases/greeting/ann.from-2099-03-01T00-00-00Z',
    'cases/greeting/bob.from-2099-03-01T00-00-00Z',
  ])

  // Other output then than expected is a failure of that instant alone.
  writeFileSync(join(folder, dated('ann', spring), 'letter/output.json'), '{}\n')
  const differs = await runCommand(folder, ['test'])
  expect(differs.code).toBe(1)
  const failed = differs.stdout.split('\n').filter((line) => line.startsWith('failed '))
  expect(failed).toEqual(['failed cases/greeting/ann.from-2099-03-01T00-00-00Z'])
  expect(differs.stdout).toContain(`${dated('ann', spring)}/letter/output.json:1`)

  // A refusal that is expected before stays one where nothing else is written down.
  rmSync(join(folder, dated('ann', spring)), { recursive: true })
  rmSync(join(folder, dated('bob', autumn)), { recursive: true })
  expect((await runCommand(folder, ['test'])).code).toBe(0)
}, 120_000)

test('a model that begins later has cases from then on, and cases that no change reaches run once', async () => {
  const folder = folderWith({
    ...greeting,
    'scheduled/spring/models/farewell.yaml': String(greeting['models/greeting.yaml']),
    'cases/farewell/eve.json': '{"name":"Eve","owes":0}',
    'cases/farewell/eve.params.json': '{"place":"Ghent"}',
    'activations.yaml': schedule({ [spring]: ['scheduled/spring/models/farewell.yaml'] }),
  })
  const { code, stdout, stderr } = await runCommand(folder, ['test', '--update'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`1 case was run with what is in force from ${spring} on\n`)
  expect(stdout).toContain('3 passed, 0 failed')
  expect(readdirSync(join(folder, 'cases/farewell')).sort()).toEqual([
    'eve.from-2099-03-01T00-00-00Z.expected',
    'eve.json',
    'eve.params.json',
  ])
  expect((await runCommand(folder, ['test'])).code).toBe(0)
}, 60_000)

test('expectations of an instant at which nothing begins are reported with what to do, and fail nothing', async () => {
  const folder = folderWith({
    ...greeting,
    [`${dated('ann', spring)}/letter/refusal.json`]: '{}',
  })
  const { code, stdout, stderr } = await runCommand(folder, ['test'])
  expect([code, stderr]).toEqual([0, expect.stringContaining(`Nothing of the project begins at ${spring}`)])
  expect(stderr).toContain('cases/greeting/ann.expected')
  expect(stdout).toContain('2 passed')
}, 60_000)
