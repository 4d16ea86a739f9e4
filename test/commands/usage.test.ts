import { describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { linesOf } from '../../src/commands/backup-check.ts'
import { tableFile } from '../../src/commands/backup-content.ts'
import { type Command, type CommandContext, type CommandEntry, UsageError } from '../../src/commands/command.ts'
import { verbsOf } from '../../src/commands/completions.ts'
import { runCompose } from '../../src/commands/compose.ts'
import { helpOf, helpOfCommand } from '../../src/commands/help.ts'
import { manualOf } from '../../src/commands/man.ts'
import { runMigrate } from '../../src/commands/migrate.ts'
import { runMove } from '../../src/commands/move.ts'
import { runRender } from '../../src/commands/render.ts'
import { runRestore } from '../../src/commands/restore.ts'
import { commandTable } from '../../src/commands/table.ts'
import { noCommand, noOption, usageMessage } from '../../src/commands/usage.ts'
import { parseUserCommand } from '../../src/commands/user.ts'
import { runVerify } from '../../src/commands/verify.ts'
import { settingsHelp } from '../../src/config.ts'
import { PRODUCT_VERSION } from '../../src/core/version.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { temporaryFolder } from '../support/database.ts'
import { expectGoldenLines } from '../support/golden.ts'
import { outcomeOf } from '../support/outcome.ts'
import { catchPrinted } from '../support/printed.ts'

const opensNothing: CommandContext = {
  readConfig: () => expect.unreachable(),
  prepare: () => expect.unreachable(),
  logFor: () => expect.unreachable(),
}

/** The words with which a command refuses these arguments. */
async function refusal(command: Command, ...args: string[]): Promise<string> {
  const error = await command(args, opensNothing).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(UsageError)
  return String((error as Error).message)
}

/** What the caller reads of a refusal by the parser of arguments. */
async function told(name: string, command: Command, ...args: string[]): Promise<string> {
  const error = await command(args, opensNothing).catch((reason: unknown) => reason)
  return usageMessage(error as Error, commandTable, name)
}

describe('a command', () => {
  test('refuses arguments that are missing or too many, and names those that it wants', async () => {
    const compose =
      'compose takes a template, JSON and an output: quire compose letter.docx data.json -o out.docx, or quire compose letter.docx data/*.json -o letters/'
    for (const args of [[], ['a'], ['a', 'b'], ['a', '-o', 'c']]) {
      expect([args, await refusal(runCompose, ...args)]).toEqual([args, compose])
    }
    const render =
      'render takes documents and an output: quire render letter.docx -o letter.pdf, or quire render letters -o pdfs/'
    for (const args of [[], ['a'], ['-o', 'b']]) {
      expect([args, await refusal(runRender, ...args)]).toEqual([args, render])
    }
    for (const args of [[], ['a', 'b'], ['--replace'], ['--at', '2026-11-23T09:30:00Z']]) {
      const restore = 'restore takes one backup, a folder or a file ending in .tar, or a replica'
      expect(await refusal(runRestore, ...args)).toBe(restore)
    }
    expect(await refusal(runVerify, 'a', 'b')).toBe(
      'verify takes one backup or proof, or nothing to check the store in use',
    )
    for (const [name, command] of [
      ['migrate', runMigrate],
      ['move', runMove],
    ] as const) {
      expect(await told(name, command, 'a')).toBe(
        `${name} takes no argument, and "a" is one; "quire help ${name}" says what it takes`,
      )
    }
  })

  test("reports a value that is missing or too much in its own words, not in the parser's", async () => {
    const where = '"quire help render" says what it takes'
    expect(await told('render', runRender, 'a.docx', '-o')).toBe(`--output wants a value; ${where}`)
    expect(await told('render', runRender, 'a.docx', '--output')).toBe(`--output wants a value; ${where}`)
    expect(await told('render', runRender, 'a.docx', '-o', '--json')).toBe(`-o wants a value; ${where}`)
    expect(await told('render', runRender, 'a.docx', '--json=yes')).toBe(`--json takes no value; ${where}`)
  })

  test('checks its arguments before it looks for a server, a file or a store', async () => {
    const instant = '--at takes an instant such as 2027-01-01T00:00:00Z; "tomorrow" is none'
    for (const [name, args, words] of [
      ['export', ['--at', 'tomorrow'], instant],
      ['plan', ['missing', '--at', 'tomorrow'], instant],
      ['apply', ['missing', '--at', 'tomorrow'], instant],
      ['apply', ['missing', '--plan', 'latest'], '--plan takes the hash that quire plan prints last; "latest" is none'],
      ['submit', ['letter', 'missing.json', '--at', 'tomorrow'], instant],
      ['submit', ['letter', 'missing.json', '--key', 'short'], '--key takes 8 to 128 characters: '],
      ['submit', ['letter', 'missing.json', '--timeout', 'long'], '--timeout takes whole seconds from 1 to 86400'],
      ['backup', ['copy', '--recipient', 'age1'], '--recipient: "age1" is no recipient of age'],
      ['backup', ['copy.tar.gz.age'], 'a backup is a folder, or one file whose name ends in .tar'],
      ['verify', ['--identity', 'own.txt'], '--identity is for a backup'],
      ['verify', ['proof.zip', '--identity', 'own.txt'], '--identity is for a backup'],
      ['hold', ['--release', 'first', '--reason', 'over'], '--release takes the id of a hold, as quire hold --list'],
      [
        'token',
        ['add', 'robot', '--name', 'n', '--scope', 'submission_read', '--family', 'clws-policy'],
        '--family takes a kind and a slug, such as ingestion_model/clws-policy',
      ],
    ] as const) {
      const command = await commandTable.find((entry) => entry.name === name)?.load()
      expect(command).toBeDefined()
      if (command !== undefined)
        expect([name, args, await refusal(command, ...args)]).toEqual([name, args, expect.stringContaining(words)])
    }
  })

  test('about a user wants a known verb, one username, and known roles', () => {
    const refused = (...args: string[]) => {
      try {
        parseUserCommand(args)
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError)
        return String((error as Error).message)
      }
      return undefined
    }
    for (const verb of ['add', 'reset-password', 'reset-factors', 'disable', 'enable']) {
      const one = `"quire user ${verb}" wants one username`
      expect([refused(verb), refused(verb, 'ann', 'bob')]).toEqual([one, one])
    }
    const verbs = 'add, list, reset-password, reset-factors, disable, enable; "quire help user" says more'
    expect(refused()).toBe(`user takes a verb: ${verbs}`)
    expect(refused('ad', 'ann')).toBe(`there is no command "quire user ad"; there are ${verbs}`)
    expect(refused('disabel', 'ann')).toBe(
      'there is no command "quire user disabel"; did you mean "quire user disable"? "quire help user" says more',
    )
    const roles = /^"quire user add" wants --role, one or more of administrator, /
    expect(refused('add', 'ann')).toMatch(roles)
    expect(refused('add', 'ann', '--role', 'king')).toMatch(roles)
    expect(refused('add', 'ann', '--role', 'auditor', '--role', 'king')).toMatch(roles)
    for (const args of [['add', 'ann', '--role', 'auditor'], ['disable', 'ann'], ['enable', 'ann'], ['list']]) {
      expect([args, refused(...args)]).toEqual([args, undefined])
    }
  })

  test('composes into the output that either form of its option names', async () => {
    const folder = temporaryFolder()
    const at = (name: string) => join(folder, name)
    writeFileSync(at('letter.docx'), wordPackage(p('Dear {{/name}}')))
    writeFileSync(at('data.json'), '{"name": "Ann"}')
    for (const option of ['-o', '--output']) {
      expect(await runCompose([at('letter.docx'), at('data.json'), option, at(`out${option}`)], opensNothing)).toBe(0)
      expect(existsSync(at(`out${option}`))).toBe(true)
    }
  })
})

describe('every command', () => {
  test('refuses an option that it does not have, before it opens anything', async () => {
    for (const entry of commandTable) {
      const run = await entry.load()
      const error = await run([...verbsOf(entry).slice(0, 1), '--no-such-option'], opensNothing).catch(
        (reason: unknown) => reason,
      )
      expect([entry.name, (error as { code?: string }).code]).toEqual([entry.name, 'ERR_PARSE_ARGS_UNKNOWN_OPTION'])
      expect(usageMessage(error as Error, commandTable, entry.name)).toContain(`"quire help ${entry.name}" lists them`)
    }
  })

  test('is suggested for a similar word, and so are its options', () => {
    expect(noCommand('rendr', commandTable)).toBe(
      'there is no command "rendr"; did you mean "quire render"? "quire help" lists them',
    )
    expect(noCommand('paint', commandTable)).toBe('there is no command "paint"; "quire help" lists them')
    const render = commandTable.find(({ name }) => name === 'render')
    expect(noOption('--strikt', render)).toBe(
      'there is no option "--strikt"; did you mean --strict? "quire help render" lists them',
    )
    expect(noOption('-x', render)).toBe('there is no option "-x"; "quire help render" lists them')
  })
})

describe('help', () => {
  const entry = (more: Partial<CommandEntry> = {}) =>
    ({
      name: 'make',
      forms: ['<file>'],
      summary: 'makes a file',
      load: () => expect.unreachable(),
      ...more,
    }) as CommandEntry

  test('of a command has its forms, its purpose, its options in a column, and its exit codes', () => {
    expect(helpOfCommand(entry())).toBe(
      'Usage: quire make <file>\n\nMakes a file.\n\nExit codes:\n  0  fine\n  2  wrong usage or configuration\n',
    )
    const full = entry({
      forms: ['', '<file> [--all]'],
      details: ['More about it.'],
      options: [
        ['--all', 'everything'],
        ['--a-long-one <name>', 'by name'],
      ],
      failure: 'a file is wrong',
    })
    expect(helpOfCommand(full)).toBe(`Usage: quire make
       quire make <file> [--all]

Makes a file.
More about it.

  --all                     everything
  --a-long-one <name>       by name

Exit codes:
  0  fine
  1  a file is wrong
  2  wrong usage or configuration
`)
  })

  test('lists a purpose beside its command, or below it where it has no room or several forms', () => {
    const help = helpOf([
      entry(),
      entry({ name: 'lay-out', forms: ['<first> <second> <third>'], summary: 'lays out' }),
      entry({ name: 'two', forms: ['', '<file>'], summary: 'does either' }),
    ])
    expect(help).toContain(`Usage: quire <command>

  make <file>               makes a file
  lay-out <first> <second> <third>
                            lays out
  two
  two <file>
                            does either
  help [<command>]          print this, or more about one command
`)
  })
})

describe('the manual page', () => {
  const printed = catchPrinted()

  test('has the forms of a command with what it does, its options and examples, and every setting', async () => {
    const make = {
      ...{ name: 'make', forms: ['', '<file>… [--all-of-it]'], summary: 'makes a file' },
      ...{ details: ['A \\ in it.', "'.' is here."], options: [['-a, --all-of-it', '.all']], examples: ['', 'x -a'] },
      ...{ remark: 'a remark', load: () => expect.unreachable() },
    } as CommandEntry
    const table = [make, { ...make, name: 'look', forms: [''], details: [], options: [], examples: [] }]
    expect(await manualOf(table)([], opensNothing)).toBe(0)
    const [head, ...settings] = printed.stdout.split('.TP\n.B QUIRE_')
    expect(head).toBe(`.TH QUIRE 1 "" "Quire ${PRODUCT_VERSION}" "Quire"
.SH NAME
quire \\- turns submissions into documents
.SH SYNOPSIS
.B quire
.I command
[arguments]
.SH COMMANDS
.TP
.B quire make
.TQ
.B quire make <file>... [\\-\\-all\\-of\\-it]
Makes a file. A \\e in it. '.' is here.
.RS
.TP
.B \\-a, \\-\\-all\\-of\\-it
\\&.all
.RE
.IP
.EX
quire make
.EE
.IP
.EX
quire make x \\-a
.EE
.TP
.B quire look
Makes a file.
.SH SETTINGS
Variables of the environment, or quire.yaml in the working directory with the names in lower case without QUIRE_.
`)
    const names = settingsHelp.map(({ variable }) => variable)
    expect(settings.map((text) => `QUIRE_${text.split('\n')[0]}`)).toEqual(names)
    expect(printed.stdout).toEndWith(
      '\n.SH EXIT STATUS\n0 fine, 1 failed, 2 wrong usage or configuration, 3 a remark of make or look, as its own help says.\n',
    )
  })
})

test('help says of the commands what was looked at once', () => {
  // With QUIRE_WRITE_GOLDEN=1 the file is written anew.
  const general = helpOf(commandTable).replace(PRODUCT_VERSION, 'VERSION')
  const pages = [general, ...commandTable.map(helpOfCommand)]
  expectGoldenLines(join(import.meta.dir, 'help.golden.txt'), pages.join('\n').trimEnd().split('\n'))
})

describe('the lines of a table', () => {
  const read = async (...pieces: (string | Uint8Array)[]) => {
    const found: string[] = []
    const chunks = pieces.map((piece) => (typeof piece === 'string' ? new TextEncoder().encode(piece) : piece))
    for await (const lines of linesOf(
      (async function* () {
        yield* chunks
      })(),
      'tables/users.ndjson',
    ))
      found.push(...lines)
    return found
  }

  test('are the same however the file is cut, in the midst of a line or of a character', async () => {
    const text = '["ä🙂"]\n["\u2028"]\n\ufeff[]\n'
    const bytes = new TextEncoder().encode(text)
    const lines = ['["ä🙂"]', '["\u2028"]', '\ufeff[]']
    expect(await read(text)).toEqual(lines)
    for (let at = 1; at < bytes.length; at++) expect(await read(bytes.slice(0, at), bytes.slice(at))).toEqual(lines)
    expect(await read('')).toEqual([])
  })

  test('end with a line break each, or the table broke off', async () => {
    expect(await outcomeOf(read('[1]\n[2'))).toThrow('tables/users.ndjson breaks off in the middle of a line')
  })

  test('are no longer than a row can be: nothing else is kept in memory', async () => {
    const piece = new TextEncoder().encode('12345')
    let given = 0
    const pieces = async function* () {
      for (; given < 1_000; given++) yield piece
    }
    const end = async () => {
      for await (const _ of linesOf(pieces(), 'tables/users.ndjson', 12));
    }
    expect(await outcomeOf(end())).toThrow('tables/users.ndjson has a line that is longer than any row')
    expect(given).toBe(2)
  })

  test('are in a file that is called by its table', () => {
    expect(tableFile('users')).toBe('tables/users.ndjson')
  })
})
