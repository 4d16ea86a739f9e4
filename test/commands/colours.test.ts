import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { painted, paintFor, planPalette, testPalette } from '../../src/commands/colours.ts'
import { findingLines } from '../../src/commands/findings.ts'
import type { Finding } from '../../src/core/finding.ts'
import { folderWith, greeting } from '../project/fixture.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { bareEnvironment } from '../support/environment.ts'

const terminal = { isTTY: true }
const file = { isTTY: false }

describe('colours', () => {
  test('are for terminals, and NO_COLOR takes them away whatever else is set', () => {
    const isColoured = (stream: { isTTY?: boolean }, environment: Record<string, string>) =>
      paintFor(stream, environment)('a', 'red') !== 'a'
    expect(isColoured(terminal, {})).toBe(true)
    expect(isColoured(file, {})).toBe(false)
    expect(isColoured({}, {})).toBe(false)
    expect(isColoured(terminal, { NO_COLOR: '1' })).toBe(false)
    expect(isColoured(terminal, { NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(false)
    expect(isColoured(terminal, { NO_COLOR: '' })).toBe(true)
    expect(isColoured(terminal, { TERM: 'dumb' })).toBe(false)
    expect(isColoured(terminal, { FORCE_COLOR: '0' })).toBe(false)
    expect(isColoured(file, { FORCE_COLOR: '1' })).toBe(true)
    expect(isColoured(file, { FORCE_COLOR: '1', TERM: 'dumb' })).toBe(true)
  })

  const paint = paintFor(terminal, {})
  const none = paintFor(file, {})
  const report = [
    'failed cases/greeting/bob',
    '  a/output.json:3',
    '    -  "owes": 7',
    '    +  "owes": 8',
    '       "name": "Bob"',
    '1 passed, 1 failed in 1.2 s',
    '2 passed, 0 failed in 0.1 s',
    '',
  ].join('\n')

  test('mark what failed, what is gone and what is new in the report of tests', () => {
    expect(painted(report, testPalette, paint).split('\n')).toEqual([
      '\x1b[31mfailed\x1b[0m cases/greeting/bob',
      '  a/output.json:3',
      '\x1b[31m    -  "owes": 7\x1b[0m',
      '\x1b[32m    +  "owes": 8\x1b[0m',
      '       "name": "Bob"',
      '1 passed, \x1b[31m1 failed\x1b[0m in 1.2 s',
      '\x1b[32m2 passed\x1b[0m, 0 failed in 0.1 s',
      '',
    ])
    expect(painted(report, testPalette, none)).toBe(report)
  })

  test('mark what a plan adds, takes away and breaks', () => {
    const plan = [
      'create       models/letter.yaml (version 1)',
      'new version  contracts/letter.schema.json (version 1 to 2)',
      '  breaking: /properties/name: must be there',
      '  @@ -1 +1 @@',
      '  -name: a',
      '  +name: b',
      '   other: c',
      'does not fit:',
      '  models/letter.yaml: The project has no transformer "letter".',
      '2 changes, 1 unchanged; plan 0123',
    ].join('\n')
    const coloured = painted(plan, planPalette, paint)
    expect(coloured).toStartWith('\x1b[32mcreate\x1b[0m       models/letter.yaml')
    for (const part of [
      '\n\x1b[33mnew version\x1b[0m  contracts',
      '\n  \x1b[31mbreaking\x1b[0m: /properties',
      '\n\x1b[36m  @@ -1 +1 @@\x1b[0m\n\x1b[31m  -name: a\x1b[0m\n\x1b[32m  +name: b\x1b[0m\n   other: c\n',
      '\n\x1b[31mdoes not fit:\x1b[0m\n  models/letter.yaml: The',
    ]) {
      expect(coloured).toContain(part)
    }
    expect(Bun.stripANSI(coloured)).toBe(plan)
    expect(painted(plan, planPalette, none)).toBe(plan)
  })

  test("mark an error's message and the word of a warning, and let no control character of a file through", () => {
    const error: Finding = { code: 'a.b', severity: 'error', message: 'It is\x1b[2J wrong.', hint: 'Mend it.' }
    const findings: Finding[] = [
      { ...error, line: 3, column: 9, path: '/output' },
      { ...error, severity: 'warning' },
    ]
    const coloured = findingLines('a.yaml', findings, paint)
    expect(coloured).toBe(
      'a.yaml:3:9 /output: \x1b[31mIt is [2J wrong.\x1b[0m\x1b[2m (Mend it.)\x1b[0m\n' +
        'a.yaml: \x1b[33mwarning:\x1b[0m It is [2J wrong.\x1b[2m (Mend it.)\x1b[0m\n',
    )
    expect(Bun.stripANSI(coloured)).toBe(findingLines('a.yaml', findings))
  })
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: what takes a line of progress away.
const progress = /(?:\r\x1b\[2K[^\r\n]*)*\r\x1b\[2K/g

/** What a command prints on a terminal, made by util-linux's `script`; both streams in one, without lines of progress. */
async function onTerminal(folder: string, line: string, environment: Record<string, string> = {}): Promise<string> {
  const given = process.env.QUIRE_BINARY || process.env.TEST_COMMANDS
  const program = given ? given : `${process.execPath} ${join(import.meta.dir, '../../src/main.ts')}`
  const child = Bun.spawn(['script', '-qec', `${program} ${line}`, '/dev/null'], {
    cwd: folder,
    env: { ...bareEnvironment, TMPDIR: folder, TERM: 'xterm', ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
  })
  return (await new Response(child.stdout).text()).replaceAll('\r\n', '\n').replace(progress, '')
}

const hasScript = Bun.which('script') !== null || process.env.CI !== undefined
const testOnTerminal = hasScript ? test : test.skip
const ownName = hasScript ? '' : ' (script is not installed)'

testOnTerminal(`on a terminal quire check, test and a refusal have colours, and nowhere else${ownName}`, async () => {
  const folder = folderWith(greeting)
  writeFileSync(join(folder, 'bad.json'), '{"type": "objekt"}')
  for (const [line, part] of [
    ['check bad.json', '\x1b[31m'],
    ['test --update', ''],
    ['test', ' passed\x1b[0m, 0 failed'],
    ['paint', '\x1b[31mquire:\x1b[0m there is no command'],
  ] as const) {
    const coloured = await onTerminal(folder, line)
    expect(coloured).toContain(part)
    const bare = await onTerminal(folder, line, { NO_COLOR: '1' })
    expect(bare).not.toContain('\x1b[3')
    const { stdout, stderr } = await runCommand(folder, line.split(' '))
    // Times differ from run to run.
    const timeless = (text: string) => text.replace(/\d+\.\d s$/m, '')
    if (line !== 'test --update') expect(timeless(Bun.stripANSI(coloured))).toBe(timeless(stdout + stderr))
    expect(timeless(bare)).toBe(timeless(stdout + stderr))
    const forced = await runCommand(folder, line.split(' '), { FORCE_COLOR: '1' })
    expect(forced.stdout + forced.stderr).toContain(part)
  }
})

test('what --json prints has no colours, not even where they are forced', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'bad.json'), '{"type": "objekt"}')
  const { stdout } = await runCommand(folder, ['check', 'bad.json', '--json'], { FORCE_COLOR: '1' })
  expect(stdout).not.toContain('\x1b')
  expect(JSON.parse(stdout).errors).toBe(1)
})
