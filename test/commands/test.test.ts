import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { folderWith, greeting } from '../project/fixture.ts'
import { runCommand, startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

test('a new project passes at once, and fails with exit code 1 after a change', async () => {
  const folder = temporaryFolder()
  expect((await runCommand(folder, ['init'])).code).toBe(0)
  const first = await runCommand(folder, ['test'])
  expect([first.code, first.stdout, first.stderr]).toEqual([0, expect.stringMatching(passed(4)), ''])
  const updated = await runCommand(folder, ['test', '--update', '--pages'])
  expect([updated.code, updated.stdout.split('\n').at(-2)]).toEqual([
    0,
    expect.stringMatching(/^4 passed, 0 failed in /),
  ])
  expect(existsSync(join(folder, 'cases/clws-policy/monthly.expected/letter/page-1.svg'))).toBe(true)
  const monthly = join(folder, 'cases/clws-policy/monthly.json')
  writeFileSync(monthly, readFileSync(monthly, 'utf8').replace('Brennan', 'Brennigan'))
  const changed = await runCommand(folder, ['test', '--html', 'report.html'])
  expect([changed.code, changed.stdout.split('\n').at(-2)]).toEqual([
    1,
    expect.stringMatching(/^3 passed, 1 failed in /),
  ])
  expect(changed.stdout).toContain('+Niamh Brennigan / 7 Rosewood Lane')
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('3 passed, 1 failed')
}, 120_000)

/** All that a run prints where every case is as expected, and each has expectations. */
function passed(count: number): RegExp {
  return new RegExp(`^${count} passed, 0 failed in [\\d.]+ s\\n$`)
}

test('init --empty makes a project of one letter and one case, without the demo, which is checked and tested', async () => {
  const folder = temporaryFolder()
  const made = await runCommand(folder, ['init', 'letters', '--empty'])
  expect([made.code, made.stderr]).toEqual([0, ''])
  const files = [...new Bun.Glob('**').scanSync({ cwd: join(folder, 'letters'), dot: true })].sort()
  expect(files).toEqual([
    'README.md',
    'cases/letter/first.expected/letter/document.txt',
    'cases/letter/first.expected/letter/output.json',
    'cases/letter/first.json',
    'contracts/letter.schema.json',
    'models/letter.yaml',
    'templates/letter.docx',
    'templates/letter.docx.md',
    'transformers/letter.yaml',
  ])
  const printed = made.stdout.split('\n')
  expect(printed.slice(0, -2).sort()).toEqual(files.map((file) => `wrote letters/${file}`))
  const next = 'After a change that you mean, quire test letters --update writes down what the cases make.'
  expect(printed.slice(-2)).toEqual([`Next: quire test letters. ${next}`, ''])
  for (const file of files) expect(await Bun.file(join(folder, 'letters', file)).text()).not.toContain('clws')
  expect(await runCommand(folder, ['check', 'letters'])).toEqual({ code: 0, stdout: '5 files are fine\n', stderr: '' })
  const tested = await runCommand(folder, ['test', 'letters'])
  expect([tested.code, tested.stdout, tested.stderr]).toEqual([0, expect.stringMatching(passed(1)), ''])
}, 120_000)

test('init changes nothing in a folder that has one of its files, and keeps a README.md that is there', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'README.md'), 'mine')
  for (const [file, words] of [
    ['templates/letter.docx', 'templates/letter.docx is already there'],
    ['models/other.yaml', 'models is already there: the folder is a project'],
  ] as const) {
    const path = join(folder, dirname(file))
    mkdirSync(path)
    writeFileSync(join(folder, file), 'mine')
    const { code, stderr } = await runCommand(folder, ['init', '--empty'])
    expect([code, stderr]).toEqual([1, `quire: nothing was written, because ${words}\n`])
    expect(readdirSync(folder).sort()).toEqual(['README.md', dirname(file)])
    rmSync(path, { recursive: true })
  }
  const kept = await runCommand(folder, ['init', '--empty'])
  expect([kept.code, kept.stdout]).toEqual([0, expect.not.stringContaining('README.md')])
  // Of the folder where somebody is already, nobody has to give the name.
  expect(kept.stdout).toContain('\nNext: quire test. After a change that you mean, quire test --update writes')
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine')
}, 120_000)

test('a report for stdout is all that goes there', async () => {
  const { stdout, code } = await runCommand(folderWith(greeting), ['test', '--json', '-'])
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ passed: 2, failed: 0 })])
}, 60_000)

test('--case runs those whose path has one of the texts', async () => {
  const folder = folderWith(greeting)
  for (const [args, count] of [
    [['--case', 'ann'], 1],
    [['--case', 'ann', '--case', 'greeting/b'], 2],
  ] as const) {
    const { stdout } = await runCommand(folder, ['test', ...args, '--json', '-'])
    expect(JSON.parse(stdout).passed).toBe(count)
  }
}, 60_000)

test('--coverage prints what no case reaches and a table; --min-coverage ends with 1 below its limit', async () => {
  const folder = folderWith(greeting)
  const enough = await runCommand(folder, ['test', '--min-coverage', '40', '--min-coverage', 'template=100'])
  expect([enough.code, enough.stderr]).toEqual([0, ''])
  expect(enough.stdout).toContain('additionalProperties: is broken by no input')
  expect(enough.stdout).toMatch(/\ngreeting\/letter +100 % +100 % +0 % /)
  const few = await runCommand(folder, [
    'test',
    '--min-coverage',
    'refusals=40',
    '--html',
    'report.html',
    '--json',
    '-',
  ])
  expect([few.code, few.stderr]).toEqual([
    1,
    ['letter', 'letter/notice']
      .map((node) => `quire: refusals coverage of greeting/${node} is 0 %, and --min-coverage wants 40 %\n`)
      .join(''),
  ])
  expect(JSON.parse(few.stdout).coverage.all.refusals.reached).toBe(0)
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<h2>Coverage</h2>')
})

test('--mutate prints what no case notices and a score; --min-score ends with 1 below its limit', async () => {
  const folder = folderWith(greeting)
  await runCommand(folder, ['test', '--update'])
  const { code, stdout, stderr } = await runCommand(folder, [
    'test',
    '--mutate',
    '--sample',
    '12',
    '--min-score',
    '100',
  ])
  const [, noticed, score] = /^(\d+) of \d+ changes noticed \((\d+) %\),.* a sample of \d+$/m.exec(stdout) ?? []
  expect(Number(noticed)).toBeGreaterThan(0)
  expect(stdout).toMatch(/^contracts\/person\.schema\.json:1 \S+: [a-z ]+/m)
  expect([code, stderr]).toEqual([1, `quire: the mutation score is ${score} %, and --min-score wants 100 %\n`])
  const json = JSON.parse((await runCommand(folder, ['test', '--mutate', '--sample', '12', '--json', '-'])).stdout)
  expect([json.mutation.noticed, json.passed]).toEqual([Number(noticed), 2])
  writeFileSync(join(folder, 'cases/greeting/ann.json'), '{"name":"Anne","owes":0}')
  const failing = await runCommand(folder, ['test', '--mutate'])
  expect([failing.code, failing.stderr]).toEqual([
    1,
    'quire: no change was tried, because not all cases are as expected\n',
  ])
  expect(failing.stdout).not.toContain('changes noticed')
}, 60_000)

test('wrong usage ends with exit code 2 and a line that says what is wanted', async () => {
  const folder = folderWith(greeting)
  for (const [args, words] of [
    [['--case', 'zoe'], 'no case has zoe in its path'],
    [['--pages'], '--pages says what --update writes'],
    [['--tolerance', 'much'], '--tolerance takes points'],
    [['a', 'b'], 'test takes one folder'],
    [['--json', '-', '--tap', '-'], 'only one report can go to stdout'],
    [['--colour'], 'there is no option "--colour"'],
    [['--min-coverage', 'most'], '--min-coverage takes percent, such as 80, or of one column, such as template=80'],
    [['--mutate', '--update'], '--mutate compares all cases with what is expected'],
    [['--sample', '9'], '--sample, --seed, --seconds and --min-score go with --mutate'],
    [['--mutate', '--sample', 'few'], '--sample takes a whole number from 1 on; few is none'],
    [['--mutate', '--min-score', '101'], '--min-score takes percent, such as 80; 101 is none'],
    [['--coverage', '--watch'], '--watch runs some of the cases, and --coverage wants them all'],
  ] as const) {
    const { code, stderr } = await runCommand(folder, ['test', ...args])
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  }
  rmSync(join(folder, 'cases'), { recursive: true })
  const none = await runCommand(folder, ['test'])
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('the project has no case; put an input at')])
}, 60_000)

test('a project that can not be used ends with exit code 1 and the place of each mistake', async () => {
  const folder = folderWith({ ...greeting, 'contracts/person.schema.json': '{"type":"objekt"}' })
  const { code, stdout, stderr } = await runCommand(folder, ['test'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toStartWith('contracts/person.schema.json')
  for (const more of [[], ['--watch']]) {
    const nowhere = await runCommand(folder, ['test', 'nowhere', ...more])
    expect([nowhere.code, nowhere.stderr]).toEqual([
      1,
      'quire: nowhere cannot be read: there is no such file or folder\n',
    ])
  }
})

test('--watch runs the cases that a change concerns, and goes on after a file that can not be read', async () => {
  const folder = folderWith(greeting)
  const child = startCommand(folder, ['test', '--watch'])
  let [printed, told] = ['', '']
  const readings = [
    (async () => {
      for await (const chunk of child.stdout) printed += new TextDecoder().decode(chunk)
    })(),
    (async () => {
      for await (const chunk of child.stderr) told += new TextDecoder().decode(chunk)
    })(),
  ]
  try {
    await until('the first run', () => printed.includes('Watching for changes'))
    writeFileSync(join(folder, 'cases/greeting/ann.json'), '{"name":7,"owes":0}')
    await until('the run of one case', () => printed.includes('0 passed, 1 failed'))
    writeFileSync(join(folder, 'models/greeting.yaml'), 'model: ')
    await until('the file is told of', () => told.includes('models/greeting.yaml'))
    writeFileSync(join(folder, 'models/greeting.yaml'), String(greeting['models/greeting.yaml']))
    await until('the run of both cases', () => printed.includes('1 passed, 1 failed'))
  } finally {
    child.kill()
    await Promise.all(readings)
  }
})

test('--watch with a report for stdout prints that report for each run, and nothing else', async () => {
  const folder = folderWith(greeting)
  const child = startCommand(folder, ['test', '--watch', '--json', '-'])
  let printed = ''
  const reading = (async () => {
    for await (const chunk of child.stdout) printed += new TextDecoder().decode(chunk)
  })()
  const lines = () => printed.split('\n').slice(0, -1)
  try {
    await until('the first run', () => lines().length > 0)
    writeFileSync(join(folder, 'cases/greeting/ann.json'), '{"name":7,"owes":0}')
    await until('the run of one case', () => printed.includes('"failed":1'))
    for (const line of lines()) expect(JSON.parse(line)).toHaveProperty('cases')
  } finally {
    child.kill()
    await reading
  }
})

/** A script that runs the source in place of an executable, as the mutation run has one, never starts itself anew. */
function isExecutable(): boolean {
  const program = process.env.QUIRE_BINARY || process.env.TEST_COMMANDS
  return Boolean(program) && readFileSync(program!).toString('latin1', 0, 2) !== '#!'
}

test.skipIf(!isExecutable() || process.platform !== 'linux')(
  'starts itself again without the last compiler, as the same process, unless a variable says otherwise',
  async () => {
    const folder = folderWith(greeting)
    for (const [given, expected] of [
      [{}, 'BUN_JSC_useFTLJIT=0'],
      [{ BUN_JSC_useFTLJIT: '1' }, 'BUN_JSC_useFTLJIT=1'],
    ] as const) {
      const settings = { QUIRE_ADMIN_PASSWORD: 'not for others', QUIRE_LOG: 'error', ...given }
      const child = startCommand(folder, ['test', '--watch', '--case', 'ann'], settings)
      let printed = ''
      const reading = (async () => {
        for await (const chunk of child.stdout) printed += new TextDecoder().decode(chunk)
      })()
      try {
        await until('the first run', () => printed.includes('Watching for changes'))
        expect(printed).toContain('1 passed, 0 failed')
        const environment = readFileSync(`/proc/${child.pid}/environ`, 'latin1')
        expect(environment.split('\0')).toContain(expected)
        expect(environment.split('\0')).toContain('QUIRE_LOG=error')
        expect(environment).not.toContain('not for others')
      } finally {
        child.kill()
        await reading
      }
    }
  },
  60_000,
)
