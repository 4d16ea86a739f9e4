import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderWith, greeting } from '../project/fixture.ts'
import { type CommandAnswer, runCommand, startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const password = 'correct horse battery staple'
let server: ReturnType<typeof startCommand>
let variables: Record<string, string>

beforeAll(async () => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  server = startCommand(temporaryFolder(), ['serve'], {
    QUIRE_LISTEN: `127.0.0.1:${port}`,
    QUIRE_ADMIN_USERNAME: 'admin',
    QUIRE_ADMIN_PASSWORD: password,
    QUIRE_DEMO: 'true',
    QUIRE_MQTT_URL: 'embedded',
  })
  void new Response(server.stdout).text()
  void new Response(server.stderr).text()
  await until('readiness', async () => (await fetch(`${origin}/health/ready`).catch(() => undefined))?.status === 200)
  variables = { QUIRE_SERVER: origin, QUIRE_USERNAME: 'admin', QUIRE_PASSWORD: password }
}, 60_000)

afterAll(async () => {
  server.kill()
  await server.exited
})

/** A command in a folder, signed in to the server. */
function quire(folder: string, ...args: string[]): Promise<CommandAnswer> {
  return runCommand(folder, args, variables)
}

/** The files of a folder with their content. */
function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(files.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'latin1')]))
}

test('what was exported changes nothing, is the same each time, and passes its own tests', async () => {
  const [one, two] = [temporaryFolder(), temporaryFolder()]
  expect(await quire(one, 'export')).toEqual({
    code: 0,
    stdout: expect.stringContaining('7 of 7 files written\n'),
    stderr: '',
  })
  await quire(two, 'export')
  expect(contentOf(two)).toEqual(contentOf(one))
  expect((await quire(one, 'export')).stdout).toBe('0 of 7 files written\n')
  const planned = await quire(one, 'plan', '--exit-code')
  expect([planned.code, planned.stdout]).toEqual([
    0,
    expect.stringMatching(/^0 changes, 4 unchanged; plan [0-9a-f]{64}\n$/),
  ])
})

test('an export goes to stdout as an archive, and a plan and its application take one from stdin', async () => {
  const folder = temporaryFolder()
  const archive = join(folder, 'archive.zip')
  const exporting = startCommand(folder, ['export', '-'], variables)
  writeFileSync(archive, await new Response(exporting.stdout).bytes())
  expect([await exporting.exited, readdirSync(folder)]).toEqual([0, ['archive.zip']])
  for (const [command, words] of [
    ['plan', /^0 changes, 4 unchanged; plan /],
    ['apply', /nothing to apply: it is in force as it is/],
  ] as const) {
    const child = startCommand(folder, [command, '-'], variables, Bun.file(archive))
    const stdout = await new Response(child.stdout).text()
    expect([await child.exited, stdout]).toEqual([0, expect.stringMatching(words)])
  }
  writeFileSync(archive, 'none')
  const child = startCommand(folder, ['plan', '-'], variables, Bun.file(archive))
  expect([await child.exited, await new Response(child.stderr).text()]).toEqual([
    1,
    'quire: standard input is no archive of a project, such as quire export - writes\n',
  ])
  for (const option of ['--json', '--replace']) {
    expect(await quire(folder, 'export', '-', option)).toMatchObject({ code: 2, stdout: '' })
  }
})

test('an export that would change a file writes nothing, unless it may replace', async () => {
  const folder = temporaryFolder()
  await quire(folder, 'export')
  const path = join(folder, 'models/clws-policy.yaml')
  const before = readFileSync(path, 'utf8')
  writeFileSync(path, 'mine')
  rmSync(join(folder, 'templates/clws-policy.docx'))
  const refused = await quire(folder, 'export')
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'quire: nothing was written, because models/clws-policy.yaml would change; --replace writes over them\n',
  ])
  expect(readdirSync(join(folder, 'templates'))).toEqual(['clws-policy.docx.md'])
  expect((await quire(folder, 'export', '--replace')).stdout).toContain('2 of 7 files written')
  expect(readFileSync(path, 'utf8')).toBe(before)
})

test('a project goes from a folder into force: planned, applied, and then no change any more', async () => {
  const folder = folderWith(greeting)
  const planned = await quire(folder, 'plan', '--exit-code')
  expect([planned.code, planned.stdout]).toEqual([
    3,
    expect.stringContaining('create       models/greeting.yaml (version 1)\n'),
  ])
  expect(planned.stdout).toContain('not in the folder, and stays in force: contracts/clws-policy.schema.json\n')
  const hash = /plan ([0-9a-f]{64})\n$/.exec(planned.stdout)?.[1] ?? ''
  expect((await quire(folder, 'apply', '--plan', hash)).stdout).toMatch(/^applied: 5 changes, in force from \S+Z\n$/)
  const again = await quire(folder, 'apply', '--plan', hash)
  expect([again.code, again.stdout]).toEqual([0, 'nothing to apply: it is in force as it is\n'])
  const transformer = join(folder, 'transformers/greeting.yaml')
  writeFileSync(transformer, readFileSync(transformer, 'utf8').replace('/owes', '/owes # in euros'))
  const late = await quire(folder, 'apply', '--plan', hash)
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('Plan again, then apply that plan.')])
  const applied = await quire(folder, 'apply')
  expect(applied.stdout).toContain('new version  transformers/greeting.yaml (version 1 to 2)\n  @@ line ')
  expect(applied.stdout).toContain('\n  +  owes: /owes # in euros\n')
  expect(applied.stdout).toMatch(/applied: 1 change, in force from \S+Z\n$/)
  expect(JSON.parse((await quire(folder, 'plan', '--json')).stdout).changes).toEqual([])
  expect((await quire(folder, 'apply')).stdout).toMatch(/\nnothing to apply: it is in force as it is\n$/)
  writeFileSync(join(folder, 'cases/greeting/ann.json'), '{"name":"Anne","owes":0}')
  expect((await quire(folder, 'plan', '--exit-code')).code).toBe(3)
  expect((await quire(folder, 'apply')).stdout).toEndWith('\napplied: files of cases: 1 changed\n')
  expect((await quire(folder, 'plan', '--exit-code')).code).toBe(0)
}, 60_000)

test('a project is frozen without coming into force, and what is frozen goes into force without a new version', async () => {
  const folder = folderWith(
    Object.fromEntries(
      Object.entries(greeting).map(([path, content]) => {
        const own = (text: string) => text.replaceAll('greeting', 'farewell').replaceAll('person', 'guest')
        return [
          own(path).replace('notice', 'later'),
          typeof content === 'string' ? own(content).replaceAll('notice', 'later') : content,
        ]
      }),
    ),
  )
  const planned = await quire(folder, 'plan', '--freeze-only')
  const hash = /\n5 to freeze, 0 unchanged; 2 cases pass; plan ([0-9a-f]{64})\n$/.exec(planned.stdout)?.[1] ?? ''
  const frozen = await quire(folder, 'apply', '--freeze-only', '--plan', hash)
  expect([frozen.code, frozen.stdout]).toEqual([0, 'frozen: 5 changes, not in force\n'])
  const again = await quire(folder, 'apply', '--freeze-only', '--plan', hash)
  expect([again.code, again.stdout]).toEqual([0, 'nothing to freeze: every file has its version\n'])
  expect((await quire(folder, 'plan')).stdout).toContain('put in force models/farewell.yaml (version 1)\n')
}, 60_000)

test('a project that does not fit together is not applied, and its mistakes are named with file and place', async () => {
  const folder = folderWith({
    'models/lost.yaml': String(greeting['models/greeting.yaml']).replaceAll('greeting', 'nobody'),
  })
  for (const command of ['plan', 'apply']) {
    const { code, stdout } = await quire(folder, command)
    expect([command, code]).toEqual([command, 1])
    expect(stdout).toContain('does not fit:\n  models/lost.yaml')
    expect(stdout).not.toContain('applied')
  }
})

test('wrong usage, a wrong password and a server that does not answer end with a line that says so', async () => {
  const folder = folderWith(greeting)
  for (const [args, changed, code, words] of [
    [['plan', 'a', 'b'], {}, 2, 'plan takes one folder: quire plan letters'],
    [['plan', '--server', 'nowhere'], {}, 2, '"nowhere" is no address, such as https://quire.example.com'],
    [['plan'], { QUIRE_PASSWORD: undefined }, 2, 'beside the server, quire token add; or set QUIRE_USERNAME'],
    [['plan'], { QUIRE_PASSWORD: 'wrong' }, 1, 'refused: '],
    [['plan', '--server', 'http://127.0.0.1:9'], {}, 1, 'http://127.0.0.1:9 does not answer: '],
    [['plan', 'missing'], {}, 1, 'missing cannot be read: there is no such file or folder'],
    [['apply', '--plan', 'latest'], {}, 2, '--plan takes the hash that quire plan prints last; "latest" is none'],
    [['plan', '--at', 'tomorrow'], {}, 2, '--at takes an instant such as 2027-01-01T00:00:00Z; "tomorrow" is none'],
    [['plan', '--at', '2027-01-01T00:00:00Z', '--freeze-only'], {}, 2, '--freeze-only puts nothing in force'],
    [['plan', '--at', '2020-01-01T00:00:00Z'], {}, 1, 'refused: --at is in the past. Name an instant from now on'],
  ] as const) {
    const given: Record<string, string | undefined> = { ...variables, ...changed }
    const set = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
    const answer = await runCommand(folder, args, Object.fromEntries(set))
    expect([args, answer.code, answer.stderr]).toEqual([args, code, expect.stringContaining(words)])
  }
}, 60_000)
