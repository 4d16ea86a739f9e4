import { Database as Libsql } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import naskh from '@expo-google-fonts/noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf' with { type: 'file' }
import type { CommandEntry } from '../../src/commands/command.ts'
import { verbsOf } from '../../src/commands/completions.ts'
import { commandTable } from '../../src/commands/table.ts'
import { isJsonObject, type JsonObject, readJson } from '../../src/core/json.ts'
import { demo } from '../../src/demo/demo.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'

/** What prints nothing that a program would read, and why. Anything else takes `--json`. */
const excepted: Readonly<Record<string, string>> = {
  serve: 'runs until it is ended; its log is JSON where stderr is no terminal',
  audit: 'prints lines of JSON whatever it is asked',
  licences: 'prints what people read; sbom prints the same as JSON',
  sbom: 'prints JSON by itself, in the form of CycloneDX',
  schema: 'prints JSON by itself, a JSON Schema',
  prove: 'prints nothing; what it makes is a file',
  completions: 'prints a script, for a shell',
  man: 'prints a page, for man',
}

/** Each way to call a command that prints: its verbs, or itself. */
function waysOf(entry: CommandEntry): string[] {
  const verbs = verbsOf(entry)
  return verbs.length === 0 ? [entry.name] : verbs.map((verb) => `${entry.name} ${verb}`)
}

const printing = commandTable.filter(({ name }) => !Object.hasOwn(excepted, name))

test('every form of every command that prints takes --json', () => {
  expect(Object.keys(excepted).filter((name) => !commandTable.some((entry) => entry.name === name))).toEqual([])
  for (const { name, forms, options = [] } of printing) {
    expect([name, options.filter(([option]) => option.startsWith('--json'))]).toEqual([name, [expect.anything()]])
    // The reports of tests are files, one of which may be stdout.
    if (name !== 'test') expect(forms.filter((form) => !/\[--json\]/.test(form))).toEqual([])
  }
})

let quire: RunningQuire
/** The folder of the server's store, which it has left when the commands about stores run. */
let home: string
const folder = temporaryFolder()
let remote: Record<string, string>
const called = new Set<string>()

beforeAll(async () => {
  quire = await startQuire()
  home = quire.folder
  remote = { QUIRE_SERVER: quire.origin, QUIRE_USERNAME: quire.username, QUIRE_PASSWORD: quire.password }
  writeFileSync(join(folder, 'notice.json'), demo.scenarios[0]?.raw_input ?? '')
  writeFileSync(join(folder, 'letter.docx'), wordPackage(p('Dear {{/name}}')))
  writeFileSync(join(folder, 'data.json'), '{"name": "Ann"}')
  copyFileSync(naskh, join(folder, 'arabic.ttf'))
}, 60_000)

afterAll(() => quire.kill())

interface Call {
  in?: string
  settings?: Record<string, string>
  code?: number
  /** Where a document may go to stdout, what is said of it goes to stderr. */
  on?: 'stdout' | 'stderr'
}

/** Runs a command, and answers the objects that it printed; each line has to be one, and nothing else may be there. */
async function told(line: string, { in: cwd = folder, settings = {}, code = 0, on = 'stdout' }: Call = {}) {
  const args = line.split(' ')
  const answer = await runCommand(cwd, args.includes('--json') ? args : [...args, '--json'], settings)
  const { [on]: text, [on === 'stdout' ? 'stderr' : 'stdout']: other } = answer
  expect([line, answer.code, code === 0 ? other : '']).toEqual([line, code, ''])
  expect(text).toEndWith('\n')
  called.add(args[0] ?? '').add(args.slice(0, 2).join(' '))
  return text
    .trimEnd()
    .split('\n')
    .map((each): JsonObject => {
      const read = readJson(each)
      if (!read.ok || !isJsonObject(read.value)) throw new Error(`quire ${line} printed: ${each}`)
      return read.value
    })
}

test('with --json, every command prints lines that are each a JSON object, and nothing else', async () => {
  expect((await told('init letters'))[0]?.written).toContain('letters/models/clws-policy.yaml')
  await told('test letters --update --json -')
  await told('check letters')
  await told('compose letter.docx data.json -o out.docx', { on: 'stderr' })
  await told('render out.docx -o out.pdf')
  expect(await told('fonts list')).toMatchObject([{ families: expect.arrayContaining([expect.anything()]) }])
  await told('fonts add arabic.ttf')
  await told('version')
  await told('zone Asia/Kolkata')

  expect(await told('plan letters', { settings: remote })).toMatchObject([{ valid: true }])
  expect(await told('apply letters --broken-cases', { settings: remote })).toMatchObject([{ changes: [] }])
  const [{ written = [], unchanged }] = (await told('export exported', { settings: remote })) as [JsonObject]
  expect([written, unchanged]).toEqual([expect.arrayContaining(['models/clws-policy.yaml']), 0])
  const [exported] = await told('export exported', { settings: remote })
  expect(exported).toEqual({ written: [], unchanged: (written as string[]).length })
  const [submitted] = await told('submit clws-policy notice.json --wait', { settings: remote })
  const execution = String((submitted?.executions as { id: string }[] | undefined)?.[0]?.id)
  expect(await told(`get ${execution}`, { settings: remote })).toMatchObject([{ status: 'completed' }])
  expect((await told(`logs ${execution}`, { settings: remote })).length).toBeGreaterThan(3)
  await told('submit clws-policy notice.json --wait --object ERASED-1', { settings: remote })
  const counts = { submissions: 1 }
  expect(await told('erase ERASED-1 --dry-run', { settings: remote })).toMatchObject([{ counts, at_work: 0 }])
  const erased = await told('erase ERASED-1 --reason asked', { settings: remote })
  expect(erased).toMatchObject([{ counts, reason: 'asked' }])
  expect(await told('erase --list', { settings: remote })).toMatchObject([{ id: erased[0]?.id }])
  const [hold] = await told('hold HELD-1 --reason asked', { settings: remote })
  expect(hold).toMatchObject({ status: 'in_force', object_reference: 'HELD-1', reason: 'asked' })
  expect(await told('hold --list', { settings: remote })).toMatchObject([{ id: hold?.id }])
  const released = await told(`hold --release ${hold?.id} --reason over`, { settings: remote })
  expect(released).toMatchObject([{ id: hold?.id, status: 'released', release_reason: 'over' }])
  writeFileSync(join(folder, 'retention.yaml'), 'policies:\n  - keep_days: 4000\n    parts: { events: 30 }\n')
  const policies = [{ keep_days: 4000, parts: { events: 30 } }]
  const planned = await told('retention plan retention.yaml', { settings: remote })
  expect(planned).toMatchObject([{ policies: [{ policy: policies[0], counts: { submissions: 0 } }] }])
  expect(await told('retention set retention.yaml', { settings: remote })).toMatchObject([{ number: 1, policies }])
  expect(await told('retention list', { settings: remote })).toMatchObject([{ number: 1, policies }])
  expect(await quire.stop()).toBe(0)

  const here = { in: home }
  expect(await told('migrate', here)).toEqual([{ missing: [], changed: [], later: [] }])
  expect(await told('migrate --check', here)).toEqual([{ missing: [], changed: [], later: [] }])
  expect(await told('demo', here)).toEqual([{ seeded: false }])
  const [ann] = await told('user add ann --role auditor', here)
  expect(ann).toMatchObject({
    username: 'ann',
    must_change_password: true,
    password: expect.stringMatching(/^\S{12,}$/),
  })
  expect(await told('user reset-password ann', here)).toMatchObject([
    { id: ann?.id, password: expect.not.stringMatching(String(ann?.password)) },
  ])
  const database = new Libsql(join(home, 'quire-data/quire.db'))
  const factor = "'app', 'Phone', 'sealed', 1, 0, '2026-11-20T09:30:00.000000000Z'"
  const columns = 'id, user_id, kind, name, key, counter, failures, created_at'
  database.query(`insert into factors (${columns}) values (?, ?, ${factor})`).run(crypto.randomUUID(), String(ann?.id))
  database.close()
  expect(await told('user reset-factors ann', here)).toMatchObject([{ id: ann?.id }])
  expect(await told('user disable ann', here)).toMatchObject([{ id: ann?.id, disabled: true }])
  expect(await told('user enable ann', here)).toMatchObject([{ id: ann?.id, disabled: false }])
  const [robot] = await told('user add robot --role operator --service', here)
  expect([robot?.is_service, robot?.password]).toEqual([true, undefined])
  expect((await told('user list', here)).map(({ username }) => username).sort()).toEqual(['admin', 'ann', 'robot'])
  const [token] = await told('token add robot --name nightly --scope submission_read', here)
  expect(token).toMatchObject({ username: 'robot', status: 'active', token: expect.stringMatching(/^qr_/) })
  expect((await told('token list robot', here))[0]).toEqual({ ...token, token: undefined } as unknown as JsonObject)
  expect(await told(`token revoke ${token?.id}`, here)).toEqual([{ id: String(token?.id), revoked: true }])

  expect(await told('doctor', here)).toMatchObject([{ wrong: 0, findings: expect.any(Array) }])
  expect(await told('sweep', here)).toEqual([{ orphans: [], deleted: 0 }])
  expect(await told('verify', here)).toMatchObject([
    { counts: { submissions: 1 }, head: { format: 'quire-head-1' }, problems: [], problem_count: 0 },
  ])
  const [backup] = await told('backup copy.tar', here)
  expect(backup).toMatchObject({ path: 'copy.tar', rows: expect.any(Number), problems: [] })
  expect(await told('verify copy.tar', here)).toMatchObject([{ path: 'copy.tar', rows: backup?.rows, problems: [] }])
  expect((await runCommand(home, ['prove', execution, '-o', 'proof.zip'])).code).toBe(0)
  expect(await told('verify proof.zip', here)).toMatchObject([{ execution, problems: [], differences: [] }])
  const elsewhere = temporaryFolder()
  expect(await told(`restore ${join(home, 'copy.tar')}`, { in: elsewhere })).toMatchObject([
    { rows: backup?.rows, kept: null, problems: [] },
  ])
  const moving = { in: home, settings: { QUIRE_DATABASE_URL: `file:${join(home, 'moved.db')}` } }
  expect(await told('move', moving)).toMatchObject([{ moved: true, objects: expect.any(Number) }])
  expect(await told('move', moving)).toMatchObject([{ moved: false }])
  expect(await told('move --undo', here)).toMatchObject([
    { undone: true, also_at: expect.stringContaining('moved.db') },
  ])
  expect(printing.flatMap(waysOf).filter((way) => !called.has(way))).toEqual([])
}, 180_000)

test('what is wrong is in the JSON too, beside the lines on stderr and the exit code', async () => {
  writeFileSync(join(folder, 'bad.tar'), 'no archive')
  for (const command of ['verify', 'restore']) {
    const [damaged] = await told(`${command} bad.tar`, { in: folder, code: 1 })
    expect(damaged).toEqual({ path: 'bad.tar', problems: [expect.any(String)] as unknown as string[] })
  }
  writeFileSync(join(folder, 'bad.zip'), 'no archive')
  expect(await told('verify bad.zip', { code: 1 })).toMatchObject([{ path: 'bad.zip', problems: [expect.any(String)] }])
  const taken = await runCommand(folder, ['init', 'letters', '--json'])
  expect(taken).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('nothing was written') })
}, 60_000)
