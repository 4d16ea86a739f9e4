import { expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderWith, greeting } from '../project/fixture.ts'
import { runCommand, startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

test('a new project passes once its expectations are written down, and fails with exit code 1 after a change', async () => {
  const folder = temporaryFolder()
  expect((await runCommand(folder, ['init'])).code).toBe(0)
  const updated = await runCommand(folder, ['test', '--update', '--pages'])
  expect([updated.code, updated.stdout.split('\n').at(-2)]).toEqual([
    0,
    expect.stringMatching(/^4 passed, 0 failed in /),
  ])
  expect(existsSync(join(folder, 'cases/clws-policy/monthly.expected/letter/page-1.svg'))).toBe(true)
  const same = await runCommand(folder, ['test'])
  expect([same.code, same.stdout]).toEqual([0, expect.stringMatching(/^4 passed, 0 failed in [\d.]+ s\n$/)])
  const monthly = join(folder, 'cases/clws-policy/monthly.json')
  writeFileSync(monthly, readFileSync(monthly, 'utf8').replace('Brennan', 'Brennigan'))
  const changed = await runCommand(folder, ['test', '--html', 'report.html'])
  expect([changed.code, changed.stdout.split('\n').at(-2)]).toEqual([
    1,
    expect.stringMatching(/^3 passed, 1 failed in /),
  ])
  expect(changed.stdout).toContain('+Niamh Brennigan / 7 Rosewood Lane')
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('3 passed, 1 failed')
}, 60_000)

test('init changes nothing in a folder that has one of its files', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'README.md'), 'mine')
  const { code, stderr } = await runCommand(folder, ['init'])
  expect([code, stderr]).toEqual([1, 'quire: nothing was written, because README.md is already there\n'])
  expect(existsSync(join(folder, 'models'))).toBe(false)
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine')
})

test('a report for stdout is all that goes there', async () => {
  const { stdout, code } = await runCommand(folderWith(greeting), ['test', '--json', '-'])
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ passed: 2, failed: 0 })])
}, 20_000)

test('--case runs those whose path has one of the texts', async () => {
  const folder = folderWith(greeting)
  for (const [args, count] of [
    [['--case', 'ann'], 1],
    [['--case', 'ann', '--case', 'greeting/b'], 2],
  ] as const) {
    const { stdout } = await runCommand(folder, ['test', ...args, '--json', '-'])
    expect(JSON.parse(stdout).passed).toBe(count)
  }
}, 20_000)

test('wrong usage ends with exit code 2 and a line that says what is wanted', async () => {
  const folder = folderWith(greeting)
  for (const [args, words] of [
    [['--case', 'zoe'], 'no case has zoe in its path'],
    [['--pages'], '--pages says what --update writes'],
    [['--tolerance', 'much'], '--tolerance takes points'],
    [['a', 'b'], 'test takes one folder'],
    [['--json', '-', '--tap', '-'], 'only one report can go to stdout'],
    [['--colour'], 'there is no option "--colour"'],
  ] as const) {
    const { code, stderr } = await runCommand(folder, ['test', ...args])
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  }
  rmSync(join(folder, 'cases'), { recursive: true })
  const none = await runCommand(folder, ['test'])
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('the project has no case; put an input at')])
}, 20_000)

test('a project that can not be used ends with exit code 1 and the place of each mistake', async () => {
  const folder = folderWith({ ...greeting, 'contracts/person.schema.json': '{"type":"objekt"}' })
  const { code, stdout, stderr } = await runCommand(folder, ['test'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toStartWith('contracts/person.schema.json')
})

test('--watch runs the cases that a change concerns, and goes on after a file that can not be read', async () => {
  const folder = folderWith(greeting)
  const child = startCommand(folder, ['test', '--watch'])
  let printed = ''
  const reading = (async () => {
    for await (const chunk of child.stdout) printed += new TextDecoder().decode(chunk)
  })()
  try {
    await until('the first run', () => printed.includes('Watching for changes'))
    writeFileSync(join(folder, 'cases/greeting/ann.json'), '{"name":7,"owes":0}')
    await until('the run of one case', () => printed.includes('0 passed, 1 failed'))
    writeFileSync(join(folder, 'models/greeting.yaml'), 'model: ')
    await Bun.sleep(200)
    writeFileSync(join(folder, 'models/greeting.yaml'), String(greeting['models/greeting.yaml']))
    await until('the run of both cases', () => printed.includes('1 passed, 1 failed'))
  } finally {
    child.kill()
    await reading
  }
}, 30_000)
