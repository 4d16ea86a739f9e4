import { parseArgs } from 'node:util'
import { projectKinds, projectLayout } from '../core/project-layout.ts'
import { type Command, type CommandEntry, UsageError } from './command.ts'
import { positionalsOf, type Values, valuesOfOption } from './completion-values.ts'

const shells: Readonly<Record<string, (table: readonly CommandEntry[]) => string>> = { bash, zsh, fish }

/** `quire completions bash|zsh|fish`: prints a script by which that shell completes commands, options and their values. */
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

/** An option of a command as it is typed, long and short, and what it takes. */
export interface KnownOption {
  names: string[]
  meaning: string
  /** Undefined if it takes nothing. */
  values?: Values
}

export function optionsOf(entry: CommandEntry): KnownOption[] {
  return (entry.options ?? []).map(([shown, meaning]) => {
    const names = shown.match(/(?<![\w-])--?[a-z][a-z-]*/g) ?? []
    const values = valuesOfOption(entry, shown)
    return { names, meaning, ...(values === undefined ? {} : { values }) }
  })
}

/** The words that may come first after a command's name, where there is a choice: `add`, `list` … of `user`. */
export function verbsOf({ forms }: CommandEntry): string[] {
  if (forms.length < 2) return []
  return forms.flatMap((form) => /^[a-z][a-z-]*/.exec(form)?.[0] ?? [])
}

/** The options that take a value, as they are typed. */
function valuedOf(entry: CommandEntry): string[] {
  return optionsOf(entry).flatMap(({ names, values }) => (values === undefined ? [] : names))
}

/** Where the families of each kind are, for a shell's loop: `contract contracts ingestion_model models …`. */
const kindsAndFolders = projectKinds.map((kind) => `${kind} ${projectLayout[kind].folder}`)

function bash(table: readonly CommandEntry[]): string {
  const names = [...table.map(({ name }) => name), 'help'].join(' ')
  const cases = table.map((entry) => {
    const all = optionsOf(entry).flatMap((option) => option.names)
    return `    ${entry.name}) options='${all.join(' ')}' valued='${valuedOf(entry).join(' ')}' ;;\n`
  })
  const values = table.flatMap((entry) =>
    optionsOf(entry).flatMap(({ names: typed, values: taken }) => {
      const call = taken === undefined ? '' : inBash(taken)
      return call === '' ? [] : [`      ${typed.map((name) => `'${entry.name} ${name}'`).join('|')}) ${call} ;;\n`]
    }),
  )
  const places = table.flatMap((entry) => {
    const { places: known, repeats } = positionalsOf(entry)
    return known.flatMap((each, index) => {
      const call = inBash(each)
      const pattern = repeats && index === known.length - 1 ? `'${entry.name} '*` : `'${entry.name} ${index}'`
      return call === '' ? [] : [`    ${pattern}) ${call} ;;\n`]
    })
  })
  return `# Completion of quire for bash: eval "$(quire completions bash)" in ~/.bashrc.
# Names come line by line, because they may have blanks.
_quire_words() {
  local word
  while IFS= read -r word; do
    [[ -n $word && $word == "$current"* ]] && COMPREPLY+=("$word")
  done <<< "$1"
}
_quire_folders() {
  local path
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -d -- "$current")
}
_quire_files() {
  local path
  while IFS= read -r path; do
    [[ -d $path || $path == @($1) ]] && COMPREPLY+=("$path")
  done < <(compgen -f -- "$current")
}
_quire_project() {
  local path name kind folder found=''
  case $1 in
    models)
      for path in models/*.yaml models/*.yml models/*.json; do
        name=\${path##*/}
        [ -e "$path" ] && found+="\${name%.*}"$'\\n'
      done ;;
    cases)
      for path in cases/*/*.json; do
        name=\${path#cases/}
        [[ -e $path && $path != *.params.json ]] && found+="\${name%.json}"$'\\n'
      done ;;
    families)
      while read -r kind folder; do
        for path in "$folder"/*.yaml "$folder"/*.yml "$folder"/*.json "$folder"/*.docx "$folder"/*.dotx; do
          name=\${path##*/}
          name=\${name%.*}
          [ -e "$path" ] && found+="$kind/\${name%.schema}"$'\\n'
        done
      done <<< ${bashLines(kindsAndFolders)} ;;
  esac
  _quire_words "$found"
}
_quire() {
  local options='' valued='' place=0 at word
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    _quire_words ${bashLines(names.split(' '))}
    return
  fi
  case $command in
${cases.join('')}  esac
  if [[ " $valued " == *" $previous "* ]]; then
    case "$command $previous" in
${values.join('')}    esac
    return
  fi
  if [[ $current == -* ]]; then
    _quire_words "\${options// /$'\\n'}"
    return
  fi
  for ((at = 2; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [[ " $valued " == *" $word "* ]]; then at=$((at + 1))
    elif [[ $word != -?* ]]; then place=$((place + 1)); fi
  done
  case "$command $place" in
${places.join('')}    'help 0') _quire_words ${bashLines(names.split(' '))} ;;
  esac
}
complete -o filenames -F _quire quire
`
}

function inBash(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `_quire_words ${bashLines(values.words)}`
    case 'files':
      return `_quire_files '${values.endings.length === 0 ? '*' : values.endings.map((end) => `*${end}`).join('|')}'`
    case 'folders':
      return '_quire_folders'
    case 'free':
      return ''
    default:
      return `_quire_project ${values.kind}`
  }
}

function bashLines(lines: readonly string[]): string {
  return `$'${lines.join('\\n')}'`
}

function zsh(table: readonly CommandEntry[]): string {
  const commands = table.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}\n`)
  const cases = table.map((entry) => {
    const options = optionsOf(entry).flatMap(({ names, meaning, values }) =>
      names.map((name) => {
        const often = meaning.includes('may be repeated') ? '*' : ''
        return quoted(
          `${often}${name}[${meaning.replace(/[[\]]/g, '\\$&')}]${values === undefined ? '' : inZsh(values)}`,
        )
      }),
    )
    const { places, repeats } = positionalsOf(entry)
    const wanted = places.map((each, index) => {
      // The command itself is the first.
      const place = repeats && index === places.length - 1 ? '*' : index + 2
      return quoted(`${place}${inZsh(each)}`)
    })
    return `    ${entry.name}) _arguments ${[quoted('1:command: '), ...options, ...wanted].join(' ')} ;;\n`
  })
  return `#compdef quire
# Completion of quire for zsh: quire completions zsh > a folder of $fpath, as _quire.
_quire_project() {
  local -a found
  local kind folder name
  case $1 in
    models) found=(models/*.(yaml|yml|json)(N:t:r)) ;;
    cases)
      found=(cases/*/*.json(N))
      found=(\${\${\${found:#*.params.json}#cases/}%.json}) ;;
    families)
      for kind folder in ${kindsAndFolders.join(' ')}; do
        for name in $folder/*.(yaml|yml|json|docx|dotx)(N:t:r); do found+=($kind/\${name%.schema}); done
      done ;;
  esac
  compadd -a found
}
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

function inZsh(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `:word:(${values.words.join(' ')})`
    case 'files': {
      const [ending, ...more] = values.endings
      if (ending === undefined) return ':file:_files'
      // Parentheses around a single ending would be qualifiers.
      const pattern = more.length === 0 ? `*${ending}` : `*(${values.endings.join('|')})`
      return `:file:_files -g "${pattern}"`
    }
    case 'folders':
      return ':folder:_files -/'
    case 'free':
      return ':value: '
    default:
      return `:name:{_quire_project ${values.kind}}`
  }
}

function fish(table: readonly CommandEntry[]): string {
  const lines = table.flatMap((entry) => {
    const seen = `__fish_seen_subcommand_from ${entry.name}`
    const { places, repeats } = positionalsOf(entry)
    const last = places.length - 1
    return [
      `complete -c quire -n __fish_use_subcommand -f -a ${entry.name} -d ${quoted(entry.summary)}`,
      ...places.map((each, index) => {
        const most = repeats && index === last ? 99 : index
        const at = ['__quire_at', entry.name, index, most, ...valuedOf(entry)].join(' ')
        return `complete -c quire -n '${at}' ${inFish(each)}`
      }),
      ...optionsOf(entry).flatMap(({ names, meaning, values }) =>
        names.map((name) => {
          const kind = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`
          const taken = values === undefined ? '' : ` -r ${inFish(values)}`
          return `complete -c quire -n '${seen}' ${kind} -d ${quoted(meaning)}${taken}`
        }),
      ),
    ]
  })
  return `# Completion of quire for fish: quire completions fish > ~/.config/fish/completions/quire.fish
# Whether so many words that are no options come between a command and the cursor.
function __quire_at -a name least most
  set -l words (commandline -opc)
  test (count $words) -gt 1; and test $words[2] = $name; or return 1
  set -l place 0
  set -l is_value 0
  for word in $words[3..-1]
    if test $is_value = 1
      set is_value 0
    else if contains -- $word $argv[4..-1]
      set is_value 1
    else if not string match -q -- '-?*' $word
      set place (math $place + 1)
    end
  end
  test $place -ge $least -a $place -le $most
end
function __quire_files
  for path in (complete -C "'' "(commandline -ct))
    if string match -q -- '*/' $path
      echo $path
      continue
    end
    for ending in $argv
      string match -q -- "*$ending" $path; and echo $path
    end
  end
end
function __quire_project
  switch $argv[1]
    case models
      for path in models/*.yaml models/*.yml models/*.json
        string replace -r '^models/(.*)\\.[^.]*$' '$1' -- $path
      end
    case cases
      for path in cases/*/*.json
        string match -q -- '*.params.json' $path; or string replace -r '^cases/(.*)\\.json$' '$1' -- $path
      end
    case families
      for pair in ${kindsAndFolders.map(quoted).join(' ')}
        set -l kind (string split ' ' -- $pair)
        for path in $kind[2]/*.yaml $kind[2]/*.yml $kind[2]/*.json $kind[2]/*.docx $kind[2]/*.dotx
          echo $kind[1]/(string replace -r '^[^/]*/(.*?)(\\.schema)?\\.[^.]*$' '$1' -- $path)
        end
      end
  end
end
${lines.join('\n')}
complete -c quire -n __fish_use_subcommand -f -a help -d 'print help'
complete -c quire -n '__quire_at help 0 0' -f -a ${quoted(table.map(({ name }) => name).join(' '))}
`
}

function inFish(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `-f -a ${quoted(values.words.join(' '))}`
    case 'files':
      return values.endings.length === 0 ? '-F' : `-f -a '(__quire_files ${values.endings.join(' ')})'`
    case 'folders':
      return "-f -a '(__fish_complete_directories)'"
    case 'free':
      return '-f'
    default:
      return `-f -a '(__quire_project ${values.kind})'`
  }
}

/** A word of a shell script, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
