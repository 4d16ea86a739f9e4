import { parseArgs } from 'node:util'
import { type Command, type CommandEntry, UsageError } from './command.ts'

const shells: Readonly<Record<string, (table: readonly CommandEntry[]) => string>> = { bash, zsh, fish }

/** `quire completions bash|zsh|fish`: prints a script by which that shell completes commands, options and files. */
export function completionsOf(table: readonly CommandEntry[]): Command {
  return async (args) => {
    const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true })
    const [shell = '', ...rest] = positionals
    const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined
    if (write === undefined || rest.length > 0) {
      throw new UsageError(`completions takes one shell: ${Object.keys(shells).join(', ')}`)
    }
    process.stdout.write(write(table))
    return 0
  }
}

/** The options of a command as they are typed, long and short. */
export function optionsOf({ options = [] }: CommandEntry): { names: string[]; meaning: string }[] {
  return options.map(([shown, meaning]) => ({ names: shown.match(/(?<![\w-])--?[a-z][a-z-]*/g) ?? [], meaning }))
}

/** The words that may come first after a command's name, where there is a choice: `add`, `list` … of `user`. */
export function verbsOf({ forms }: CommandEntry): string[] {
  if (forms.length < 2) return []
  return forms.flatMap((form) => /^[a-z][a-z-]*/.exec(form)?.[0] ?? [])
}

function bash(table: readonly CommandEntry[]): string {
  const cases = table.map((entry) => {
    const words = [...verbsOf(entry), ...optionsOf(entry).flatMap(({ names }) => names)].join(' ')
    return `    ${entry.name}) words='${words}' ;;\n`
  })
  return `# Completion of quire for bash: eval "$(quire completions bash)" in ~/.bashrc.
_quire() {
  local words current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${table.map(({ name }) => name).join(' ')} help' -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('')}    help) words='${table.map(({ name }) => name).join(' ')}' ;;
    *) words='' ;;
  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "\${words//--*/}" -- "$current") $(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _quire quire
`
}

function zsh(table: readonly CommandEntry[]): string {
  const commands = table.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}\n`)
  const cases = table.map((entry) => {
    const options = optionsOf(entry).flatMap(({ names, meaning }) =>
      names.map((name) => quoted(`${name}[${meaning.replace(/[[\]]/g, '\\$&')}]`)),
    )
    const verbs = verbsOf(entry)
    const first = verbs.length === 0 ? [] : [quoted(`2:what:(${verbs.join(' ')})`)]
    return `    ${entry.name}) _arguments ${[...options, ...first, quoted('*:file:_files')].join(' ')} ;;\n`
  })
  return `#compdef quire
# Completion of quire for zsh: quire completions zsh > a folder of $fpath, as _quire.
_quire() {
  local -a commands
  commands=(
${commands.join('')}    'help:print help'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${cases.join('')}    help) _describe command commands ;;
  esac
}
_quire "$@"
`
}

function fish(table: readonly CommandEntry[]): string {
  const lines = table.flatMap((entry) => {
    const seen = `__fish_seen_subcommand_from ${entry.name}`
    return [
      `complete -c quire -n __fish_use_subcommand -f -a ${entry.name} -d ${quoted(entry.summary)}`,
      ...verbsOf(entry).map((verb) => `complete -c quire -n '${seen}' -f -a ${verb}`),
      ...optionsOf(entry).flatMap(({ names, meaning }) =>
        names.map((name) => {
          const kind = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`
          return `complete -c quire -n '${seen}' ${kind} -d ${quoted(meaning)}`
        }),
      ),
    ]
  })
  return `# Completion of quire for fish: quire completions fish > ~/.config/fish/completions/quire.fish
${lines.join('\n')}
complete -c quire -n __fish_use_subcommand -f -a help -d 'print help'
`
}

/** A word of a shell script, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
