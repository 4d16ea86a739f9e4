import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { optionsOf, verbsOf } from '../../src/commands/completions.ts'
import { commandTable } from '../../src/commands/table.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'

const folder = temporaryFolder()

/** Runs a script in a shell and answers what it printed. */
function shell(program: string, flags: readonly string[], script: string): string {
  const ran = Bun.spawnSync([program, ...flags, script], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder },
  })
  expect(ran.stderr.toString()).toBe('')
  return ran.stdout.toString().trim()
}

/** The script of a shell, in a file. */
async function scriptFor(name: string): Promise<string> {
  const { code, stdout } = await runCommand(folder, ['completions', name])
  expect(code).toBe(0)
  const path = join(folder, `quire.${name}`)
  writeFileSync(path, stdout)
  return path
}

/** Names the shells that are not here; a CI without them is broken. */
function testWith(program: string, name: string, body: () => Promise<void>): void {
  if (Bun.which(program) === null && process.env.CI === undefined)
    test.skip(`${name} (${program} is not installed)`, body)
  else test(name, body)
}

test('bash completes commands, verbs, options and files', async () => {
  const path = await scriptFor('bash')
  const complete = (...words: string[]) =>
    shell(
      'bash',
      ['-c'],
      `source ${path}; COMP_WORDS=(quire ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _quire; echo "\${COMPREPLY[@]}"`,
    )
  writeFileSync(join(folder, 'letter.docx'), '')
  expect(complete('re')).toBe('render restore')
  expect(complete('user', 'a')).toBe('add')
  expect(complete('render', '--s')).toBe('--strict')
  expect(complete('render', 'let')).toBe('letter.docx')
  expect(complete('help', 'compl')).toBe('completions')
  expect(complete('paint', '--')).toBe('')
})

testWith('zsh', 'zsh takes the script, which names every command and option', async () => {
  const path = await scriptFor('zsh')
  shell('zsh', ['-n'], path)
  const text = await Bun.file(path).text()
  for (const entry of commandTable) {
    expect(text).toContain(`\n    ${entry.name}) _arguments `)
    for (const { names } of optionsOf(entry)) for (const name of names) expect(text).toContain(`'${name}[`)
  }
})

testWith('fish', 'fish completes commands, verbs and options with what they mean', async () => {
  const path = await scriptFor('fish')
  const complete = (line: string) => shell('fish', ['-c'], `source ${path}; complete -C '${line}'`)
  expect(complete('quire compl')).toStartWith('completions\tprint a script')
  expect(complete('quire user a')).toBe('add')
  expect(complete('quire render --str')).toBe('--strict\tend with 3 when something is not shown as written')
})

test('knows the verbs and options of every command by their forms', () => {
  const user = commandTable.find(({ name }) => name === 'user')
  expect(user && verbsOf(user)).toEqual(['add', 'list', 'reset-password', 'disable', 'enable'])
  const render = commandTable.find(({ name }) => name === 'render')
  expect(render && optionsOf(render)[0]).toEqual({ names: ['-o', '--output'], meaning: 'the PDF to write' })
  expect(commandTable.flatMap((entry) => optionsOf(entry)).every(({ names }) => names.length > 0)).toBe(true)
})

test('refuses a shell that it does not know, and names those it does', async () => {
  for (const args of [[], ['tcsh'], ['bash', 'zsh'], ['constructor']]) {
    const { code, stderr } = await runCommand(folder, ['completions', ...args])
    expect([code, stderr]).toEqual([2, 'quire: completions takes one shell: bash, zsh, fish\n'])
  }
})

testWith('groff', 'the manual page has every command, option and setting, and no warning of groff', async () => {
  const { stdout } = await runCommand(folder, ['man'])
  const page = join(folder, 'quire.1')
  writeFileSync(page, stdout)
  const text = shell('groff', ['-man', '-ww', '-Tascii', '-P-c', '-P-b', '-P-u'], page).replace(/[\s\u00ad]+/g, ' ')
  for (const { name, options = [] } of commandTable) {
    expect(text).toContain(`quire ${name}`)
    for (const [option] of options) expect(text).toContain(option)
  }
  expect(text).toContain('QUIRE_LISTEN address and port to serve on')
})
