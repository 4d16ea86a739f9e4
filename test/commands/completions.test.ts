import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { placeholders } from '../../src/commands/completion-values.ts'
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
function testWith(program: string, name: string, body: () => Promise<void>, timeoutMs = 20_000): void {
  if (Bun.which(program) === null && process.env.CI === undefined)
    test.skip(`${name} (${program} is not installed)`, body)
  else test(name, body, timeoutMs)
}

/** A project in the working directory, with names that have blanks. */
function writeProject(): void {
  for (const path of [
    'models/letter.yaml',
    'models/old notice.yml',
    'contracts/policy.schema.json',
    'templates/letter.docx',
    'cases/letter/one.json',
    'cases/letter/one.params.json',
    'more/sheet.docx',
    'data.json',
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), '')
  }
}

/** What is offered for a value, by the words before it and its beginning. */
const offers: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [
    ['user', 'add', 'ann', '--role', 'a'],
    ['administrator', 'auditor'],
  ],
  [['user', 'add', '--role', 'auditor', '--role', 'e'], ['engineer']],
  [
    ['user', 'reset'],
    ['reset-password', 'reset-factors'],
  ],
  [
    ['token', 'add', 'robot', '--scope', 'sub'],
    ['submission_read', 'submission_create'],
  ],
  [['token', 'add', 'robot', '--family', 'con'], ['contract/policy']],
  [['token', 'add', 'robot', '--family', 'ingestion_model/l'], ['ingestion_model/letter']],
  [
    ['submit', ''],
    ['letter', 'old notice'],
  ],
  [['submit', '--server', 'http://quire.example.com', 'l'], ['letter']],
  [['submit', 'letter', 'dat'], ['data.json']],
  [['submit', 'letter', 'let'], []],
  [['test', '--case', 'let'], ['letter/one']],
  [['compose', 'let'], ['letter.docx']],
  [['compose', 'letter.docx', 'da'], ['data.json']],
  [['compose', 'letter.docx', 'data.json', 'data.json', 'da'], ['data.json']],
  [['test', 'mor'], ['more']],
  [['completions', 'z'], ['zsh']],
]

test('every placeholder of the table is known to the completions', () => {
  const shown = commandTable.flatMap(({ forms, options = [] }) => [...forms, ...options.map(([option]) => option)])
  const used = new Set(shown.flatMap((text) => [...text.matchAll(/<([^>]+)>/g)].map(([, name = '']) => name)))
  expect([...used].filter((name) => !Object.hasOwn(placeholders, name))).toEqual([])
  expect(Object.keys(placeholders).filter((name) => !used.has(name))).toEqual([])
})

test('bash completes commands, verbs, options and files', async () => {
  const path = await scriptFor('bash')
  const complete = (...words: string[]) =>
    shell(
      'bash',
      ['-c'],
      `source ${path}; COMP_WORDS=(quire ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _quire; echo "\${COMPREPLY[@]}"`,
    )
  writeFileSync(join(folder, 'letter.docx'), '')
  expect(complete('re')).toBe('render retention restore')
  expect(complete('user', 'a')).toBe('add')
  expect(complete('render', '--s')).toBe('--strict')
  expect(complete('render', 'let')).toBe('letter.docx')
  writeProject()
  for (const [words, offered] of offers) expect([words, complete(...words)]).toEqual([words, offered.join(' ')])
  expect(complete('help', 'compl')).toBe('completions')
  expect(complete('paint', '--')).toBe('')
})

testWith('zsh', 'zsh takes the script, which names every command and option', async () => {
  const path = await scriptFor('zsh')
  shell('zsh', ['-n'], path)
  const text = await Bun.file(path).text()
  for (const entry of commandTable) {
    expect(text).toContain(`\n    ${entry.name}) _arguments `)
    for (const { names } of optionsOf(entry))
      for (const name of names) expect(text).toMatch(new RegExp(`'\\*?${name}\\[`))
  }
})

testWith(
  'zsh',
  'zsh completes words, documents of the project and files by their ending',
  async () => {
    await scriptFor('zsh')
    shell('cp', [join(folder, 'quire.zsh')], join(folder, '_quire'))
    writeProject()
    // Each reading waits until the terminal shows what is expected.
    const script = `zmodload zsh/zpty
complete() {
  zpty shell 'zsh -f -i'
  zpty -w shell "PS1=; autoload -Uz compinit; fpath=($PWD \\$fpath); compinit -u -d $PWD/dump; bindkey '^I' complete-word; print READY\\$((1 + 1))"
  zpty -r shell out '*READY2*'
  zpty -w -n shell "$1"$'\\t'
  zpty -r shell out "*$2*"
  zpty -d shell
  print -r -- "$2"
}
complete 'quire user add --role aud' auditor
complete 'quire submit le' letter
complete 'quire test --case le' letter/one
complete 'quire token add --family con' contract/policy
complete 'quire submit letter --server x da' data.json
complete 'quire compose letter.docx da' data.json
`
    expect(shell('zsh', ['-f', '-c'], script.replaceAll('\\\\', '\\')).split('\n')).toEqual([
      ...['auditor', 'letter', 'letter/one', 'contract/policy', 'data.json', 'data.json'],
    ])
  },
  60_000,
)

testWith('fish', 'fish completes commands, verbs and options with what they mean', async () => {
  const path = await scriptFor('fish')
  const complete = (line: string) => shell('fish', ['-c'], `source ${path}; complete -C '${line}'`)
  expect(complete('quire compl')).toStartWith('completions\tprint a script')
  expect(complete('quire user a')).toBe('add')
  expect(complete('quire render --str')).toBe('--strict\tend with 3 when something is not shown as written')
  writeProject()
  const namesOf = (words: readonly string[]) =>
    complete(['quire', ...words.map((word) => word.replaceAll(' ', '\\ '))].join(' '))
      .split('\n')
      .map((line) => line.replace(/\t.*/, ''))
      .filter((name) => name !== '')
  for (const [words, offered] of offers) {
    expect([words, namesOf(words).sort()]).toEqual([
      words,
      offered.map((name) => (name === 'more' ? 'more/' : name)).sort(),
    ])
  }
})

test('knows the verbs and options of every command by their forms', () => {
  const user = commandTable.find(({ name }) => name === 'user')
  expect(user && verbsOf(user)).toEqual(['add', 'list', 'reset-password', 'reset-factors', 'disable', 'enable'])
  const render = commandTable.find(({ name }) => name === 'render')
  expect(render && optionsOf(render)[0]).toEqual({
    names: ['-o', '--output'],
    meaning: 'the PDF to write, or a folder for several',
    values: { kind: 'files', endings: ['.pdf'] },
  })
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
  expect(text).toContain('QUIRE_LISTEN the address and port to serve on')
})
