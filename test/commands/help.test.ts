import { expect, test } from 'bun:test'
import { helpOf, helpOfCommand } from '../../src/commands/help.ts'
import { commandTable } from '../../src/commands/table.ts'
import { settingsHelp } from '../../src/config.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'

const folder = temporaryFolder()

test('help lists every form of every command once, with its purpose, and every setting', () => {
  const help = helpOf(commandTable)
  for (const { name, forms, summary } of commandTable) {
    for (const form of forms) expect(help.split(`\n  ${`${name} ${form}`.trimEnd()}`)).toHaveLength(2)
    expect(help).toContain(`  ${summary}\n`)
  }
  expect(help).toContain('\n3 a remark of render, plan, verify or doctor, as its own help says\n')
  for (const { variable } of settingsHelp) expect(help).toContain(`\n  ${variable}`)
  for (const line of help.split('\nSettings')[0]!.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})

const verbs = [
  ...[
    'serve',
    'migrate',
    'demo',
    'compose',
    'render',
    'check',
    'init',
    'test',
    'export',
    'plan',
    'apply',
    'submit',
    'get',
  ],
  ...['backup', 'restore', 'verify', 'prove', 'move', 'sweep', 'erase', 'hold'],
]
/** In groups. */
const furtherVerbs = [
  'add',
  'list',
  'reset-password',
  'reset-factors',
  'disable',
  'enable',
  'revoke',
  'export',
  'plan',
  'set',
]
/** Nouns that say what they print, each with a command line that has the same. */
const customary: Record<string, string> = {
  logs: 'docker logs, kubectl logs',
  doctor: 'brew doctor, npm doctor, fly doctor',
  version: 'docker version, kubectl version',
  completions: 'deno completions, rustup completions',
  licences: 'yarn licenses',
  sbom: 'npm sbom, docker sbom',
  man: 'man itself',
  schema: 'terraform providers schema, meltano schema',
  zone: 'zdump, which prints the same',
}

test('a command is a verb, a group of verbs on one kind of thing, or a noun that is customary for what it prints', () => {
  for (const { name, forms } of commandTable) {
    if (verbs.includes(name) || name in customary) continue
    const firstWords = forms.map((form) => form.split(' ')[0] ?? '')
    expect([name, firstWords.filter((word) => !furtherVerbs.includes(word))]).toEqual([name, []])
  }
  const names = commandTable.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect([...verbs, ...Object.keys(customary)].filter((name) => !names.includes(name))).toEqual([])
})

test.each(commandTable.map((entry) => [entry.name, entry] as const))(
  'help of %s shows its forms, its options and what its exit codes mean',
  (name, entry) => {
    const help = helpOfCommand(entry)
    expect(help).toStartWith(`Usage: quire ${name}`)
    for (const form of entry.forms) expect(help).toContain(`quire ${name} ${form}`.trimEnd())
    const named = entry.forms.join(' ').match(/(?<!\w)--?[a-z][a-z-]*/g) ?? []
    expect(named.filter((option) => !entry.options?.some(([shown]) => shown.includes(option)))).toEqual([])
    for (const [option, meaning] of entry.options ?? [])
      expect(help).toMatch(new RegExp(`^  ${RegExp.escape(option)} +${RegExp.escape(meaning)}$`, 'm'))
    const failure = entry.failure === undefined ? '' : `  1  ${entry.failure}\n`
    const remark = entry.remark === undefined ? '' : `  3  ${entry.remark}\n`
    expect(help).toEndWith(`\nExit codes:\n  0  fine\n${failure}  2  wrong usage or configuration\n${remark}`)
    for (const example of entry.examples ?? []) expect(help).toContain(`\n  quire ${name} ${example}`.trimEnd())
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(110)
  },
)

test.each(commandTable.map((entry) => [entry.name, entry] as const))(
  '%s refuses an option that its help does not show, before it opens anything',
  async (_name, entry) => {
    const command = await entry.load()
    const context = {
      readConfig: () => expect.unreachable(),
      prepare: () => expect.unreachable(),
      logFor: () => expect.unreachable(),
    }
    const args = ['user', 'token', 'fonts'].includes(entry.name) ? ['list', '--wrong'] : ['--wrong']
    expect(await outcomeOf(command(args, context))).toThrow("Unknown option '--wrong'")
  },
)

test('help, --help, -h and no command at all print the same, and a command after help its own', async () => {
  const [bare, ...others] = await Promise.all(
    [[], ['help'], ['--help'], ['-h'], ['help', '--help'], ['help', 'help']].map((args) => runCommand(folder, args)),
  )
  expect(bare).toEqual({ code: 0, stdout: helpOf(commandTable), stderr: '' })
  for (const other of others) expect(other).toEqual(bare!)
  const render = commandTable.find(({ name }) => name === 'render')!
  const own = { code: 0, stdout: helpOfCommand(render), stderr: '' }
  expect(await runCommand(folder, ['help', 'render'])).toEqual(own)
  expect(await runCommand(folder, ['render', '--help'])).toEqual(own)
  const versions = await Promise.all(['version', '--version', '-V', '-v'].map((name) => runCommand(folder, [name])))
  for (const version of versions) expect(version).toEqual(versions[0]!)
  expect(versions[0]?.code).toBe(0)
  const wrong = await runCommand(folder, ['help', '--wrong'])
  expect([wrong.code, wrong.stderr]).toEqual([2, 'quire: there is no option "--wrong"; "quire help" lists them\n'])
  const unknown = await runCommand(folder, ['help', 'paint'])
  expect(unknown).toEqual({
    code: 2,
    stdout: '',
    stderr: 'quire: there is no command "paint"; "quire help" lists them\n',
  })
})
