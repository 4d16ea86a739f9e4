import { describe, expect, spyOn, test } from 'bun:test'
import type { CommandEntry } from '../../src/commands/command.ts'
import { placeholders, positionalsOf, type Values, valuesOfOption } from '../../src/commands/completion-values.ts'
import { completionsOf, optionsOf, verbsOf } from '../../src/commands/completions.ts'
import { commandTable } from '../../src/commands/table.ts'
import { noContext } from './answering.ts'

const entry = (forms: readonly string[], more: Partial<CommandEntry> = {}): CommandEntry => ({
  ...{ name: 'paint', forms, summary: 'paint it', load: () => expect.unreachable() },
  ...more,
})
const words = (...known: string[]): Values => ({ kind: 'words', words: known })
const files = (...endings: string[]): Values => ({ kind: 'files', endings })
const free: Values = { kind: 'free' }

describe('what comes after a command', () => {
  test.each<[forms: string[], places: Values[], repeats: boolean]>([
    [[''], [], false],
    [['<in.docx> <data.json> -o <out.docx>'], [files('.docx', '.dotx'), files('.json')], false],
    [['<folder> [--json] [--at <instant>]…'], [{ kind: 'folders' }], false],
    [['<file>…'], [files()], true],
    [['add <slug>…', 'list'], [words('add', 'list'), free], true],
    [['bash|zsh|fish'], [words('bash', 'zsh', 'fish')], false],
    [['reset-password <username>', 'add <username>'], [words('reset-password', 'add'), free], false],
    [['--list', '<reference> --reason <text>'], [free], false],
    [['<unheard-of>'], [free], false],
    [
      ['add', 'add <role>'],
      [words('add'), words('administrator', 'engineer', 'operator', 'auditor', 'business_viewer')],
      false,
    ],
  ])('is what its forms %p have at that place', (forms, places, repeats) => {
    expect(positionalsOf(entry(forms))).toEqual({ places, repeats })
  })

  test('is what either of two forms has there: words of both, endings of both, any file if one takes any', () => {
    const first = (...forms: string[]) => positionalsOf(entry(forms)).places[0]
    expect(first('<slug>', '<model>')).toEqual({ kind: 'models' })
    expect(first('<model>', '<slug>')).toEqual({ kind: 'models' })
    expect(first('add', 'add', 'list')).toEqual(words('add', 'list'))
    expect(first('<in>', '<data>')).toEqual(files('.docx', '.dotx', '.json'))
    expect(first('<in>', '<in.docx>')).toEqual(files('.docx', '.dotx'))
    expect(first('<in>', '<file>')).toEqual(files())
    expect(first('<file>', '<in>')).toEqual(files())
    expect(first('list', '<in>')).toEqual(words('list'))
    expect(first('<in>', 'list')).toEqual(files('.docx', '.dotx'))
  })

  test('is a verb where there is a choice of forms', () => {
    expect(verbsOf(entry(['add <slug>', '<slug>', 'reset-password <slug>']))).toEqual(['add', 'reset-password'])
    expect(verbsOf(entry(['add <slug>']))).toEqual([])
  })

  test('is for an option what it takes: nothing for a flag, cases for a case of a project, and else anything', () => {
    const of = (shown: string, name = 'paint') => valuesOfOption(entry([], { name }), shown)
    expect(of('--json')).toBeUndefined()
    expect(of('--to <folder>')).toEqual({ kind: 'folders' })
    expect(of('--case <text>', 'test')).toEqual({ kind: 'cases' })
    expect(of('--case <text>')).toEqual(free)
    expect(of('--seed <n>', 'test')).toEqual(free)
    expect(of('--tone <unheard-of>')).toEqual(free)
    expect(
      optionsOf(
        entry([], {
          options: [
            ['-t, --to <folder>', 'where'],
            ['--dry-run', 'only look'],
          ],
        }),
      ),
    ).toEqual([
      { names: ['-t', '--to'], meaning: 'where', values: { kind: 'folders' } },
      { names: ['--dry-run'], meaning: 'only look' },
    ])
  })
})

test('fonts and archives of them are offered by every ending that the help names', () => {
  const { details = [] } = commandTable.find(({ name }) => name === 'fonts') ?? {}
  const endings = details.join(' ').match(/\.[a-z]{3}\b/g) ?? []
  expect(endings.length).toBeGreaterThan(3)
  expect(placeholders['font|folder|archive']).toEqual(files(...new Set(endings)))
})

describe('the script of a shell', () => {
  const table = [
    entry(['list <slug>', 'mix <in>', 'mix <data.json>', 'see <model>…'], {
      options: [
        ['-t, --to <folder>', "what it's called [x]"],
        ['--from <file>', 'may be repeated'],
        ['--tone <slug>', 'any'],
        ['--dry-run', 'only look'],
      ],
    }),
    entry(['<out.pdf>'], { name: 'dry' }),
  ]
  async function scriptOf(shell: string): Promise<string> {
    let text = ''
    const spy = spyOn(process.stdout, 'write').mockImplementation((part) => {
      text += String(part)
      return true
    })
    try {
      expect(await completionsOf(table)([shell], noContext)).toBe(0)
    } finally {
      spy.mockRestore()
    }
    return text
  }

  test('of bash names every command, its options, those with a value, and what each place takes', async () => {
    const script = await scriptOf('bash')
    for (const part of [
      `    _quire_words $'paint\\ndry\\nhelp'\n`,
      `    paint) options='-t --to --from --tone --dry-run' valued='-t --to --from --tone' ;;\n    dry) options='' valued='' ;;\n`,
      `      'paint -t'|'paint --to') _quire_folders ;;\n      'paint --from') _quire_files '*' ;;\n    esac`,
      `    'paint 0') _quire_words $'list\\nmix\\nsee' ;;\n    'paint '*) _quire_files '*.docx|*.dotx|*.json' ;;\n`,
      `    'dry 0') _quire_files '*.pdf' ;;\n    'help 0') _quire_words $'paint\\ndry\\nhelp' ;;\n`,
    ])
      expect(script).toContain(part)
  })

  test('of zsh has the same with what each option means, and says which may come again', async () => {
    const script = await scriptOf('zsh')
    const options = [
      String.raw`'-t[what it'\''s called \[x\]]:folder:_files -/' '--to[what it'\''s called \[x\]]:folder:_files -/'`,
      `'*--from[may be repeated]:file:_files' '--tone[any]:value: ' '--dry-run[only look]'`,
    ]
    const places = `'2:word:(list mix see)' '*:file:_files -g "*(.docx|.dotx|.json)"'`
    expect(script).toContain(`    'paint:paint it'\n    'dry:paint it'\n    'help:print help'\n`)
    expect(script).toContain(`    paint) _arguments '1:command: ' ${options.join(' ')} ${places} ;;\n`)
    expect(script).toContain(`    dry) _arguments '1:command: ' '2:file:_files -g "*.pdf"' ;;\n`)
  })

  test('of fish has a line for each command, place and option', async () => {
    const script = await scriptOf('fish')
    const valued = '-t --to --from --tone'
    expect(script).toContain(
      [
        `complete -c quire -n __fish_use_subcommand -f -a paint -d 'paint it'`,
        `complete -c quire -n '__quire_at paint 0 0 ${valued}' -f -a 'list mix see'`,
        `complete -c quire -n '__quire_at paint 1 99 ${valued}' -f -a '(__quire_files .docx .dotx .json)'`,
        String.raw`complete -c quire -n '__fish_seen_subcommand_from paint' -s t -d 'what it'\''s called [x]' -r -f -a '(__fish_complete_directories)'`,
        String.raw`complete -c quire -n '__fish_seen_subcommand_from paint' -l to -d 'what it'\''s called [x]' -r -f -a '(__fish_complete_directories)'`,
        `complete -c quire -n '__fish_seen_subcommand_from paint' -l from -d 'may be repeated' -r -F`,
        `complete -c quire -n '__fish_seen_subcommand_from paint' -l tone -d 'any' -r -f`,
        `complete -c quire -n '__fish_seen_subcommand_from paint' -l dry-run -d 'only look'`,
        `complete -c quire -n __fish_use_subcommand -f -a dry -d 'paint it'`,
        `complete -c quire -n '__quire_at dry 0 0' -f -a '(__quire_files .pdf)'`,
        `complete -c quire -n __fish_use_subcommand -f -a help -d 'print help'`,
        `complete -c quire -n '__quire_at help 0 0' -f -a 'paint dry'`,
        '',
      ].join('\n'),
    )
  })

  test('asks the project for the names of its models, families and cases', async () => {
    table.push(entry(['<model> <kind/slug>'], { name: 'test', options: [['--case <text>', 'one']] }))
    const [bash, zsh, fish] = [await scriptOf('bash'), await scriptOf('zsh'), await scriptOf('fish')]
    table.pop()
    expect(bash).toContain(`    'test 0') _quire_project models ;;\n    'test 1') _quire_project families ;;\n`)
    expect(bash).toContain(`      'test --case') _quire_project cases ;;\n`)
    expect(zsh).toContain(`'2:name:{_quire_project models}' '3:name:{_quire_project families}' ;;\n`)
    expect(zsh).toContain(`'--case[one]:name:{_quire_project cases}'`)
    expect(fish).toContain(`'__quire_at test 0 0 --case' -f -a '(__quire_project models)'\n`)
    expect(fish).toContain(`-l case -d 'one' -r -f -a '(__quire_project cases)'\n`)
  })
})
