import { secretVariables, settingsHelp } from '../config.ts'
import { PRODUCT_VERSION } from '../core/version.ts'
import type { CommandEntry } from './command.ts'

/** The column at which descriptions begin. */
const meaningColumn = 28

/** What `quire help` prints: every command, and every setting. */
export function helpOf(table: readonly CommandEntry[]): string {
  return `Quire ${PRODUCT_VERSION}: turns submissions into documents.

Usage: quire <command>

${table.map(listed).join('')}  ${'help [<command>]'.padEnd(meaningColumn - 2)}print this, or more about one command

Exit codes: 0 fine, 1 failed, 2 wrong usage or configuration (one line on stderr says what and why);
3 a remark of ${remarking(table)}, as its own help says

Settings (environment, or quire.yaml in the working directory with the names in lower case without QUIRE_):
${settingsHelp.map(({ variable, meaning }) => `  ${variable.padEnd(24)}  ${meaning}`).join('\n')}

Each of ${secretVariables.slice(0, 3).join(', ')},
${secretVariables.slice(3).join(', ')} may come from a file:
QUIRE_SECRET_FILE=/run/secrets/key, or a systemd credential such as quire.secret.
`
}

/** The commands that may end with 3, in a sentence. */
export function remarking(table: readonly CommandEntry[]): string {
  const names = table.filter(({ remark }) => remark !== undefined).map(({ name }) => name)
  return names.join(', ').replace(/, (?=[^,]*$)/, ' or ')
}

/** What `quire help <command>` prints. */
export function helpOfCommand(entry: CommandEntry): string {
  const { name, forms, summary, details = [], options = [], examples = [] } = entry
  const longest = Math.max(0, ...options.map(([option]) => option.length))
  const width = Math.max(meaningColumn - 2, longest + 1)
  const usage = forms.map((form) => `quire ${name} ${form}`.trimEnd()).join('\n       ')
  const paragraphs = [
    `Usage: ${usage}`,
    [`${summary[0]?.toUpperCase()}${summary.slice(1)}.`, ...details].join('\n'),
    options.map(([option, meaning]) => `  ${option.padEnd(width)}${meaning}`).join('\n'),
    listOf(
      'Examples:',
      examples.map((example) => `quire ${name} ${example}`.trimEnd()),
    ),
    exitCodes(entry),
  ]
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`
}

function exitCodes({ failure, remark }: CommandEntry): string {
  return listOf('Exit codes:', [
    '0  fine',
    ...(failure === undefined ? [] : [`1  ${failure}`]),
    '2  wrong usage or configuration',
    ...(remark === undefined ? [] : [`3  ${remark}`]),
  ])
}

function listOf(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines].join('\n  ')
}

/** A command in the list; a summary that doesn't fit beside the forms begins on a line of its own. */
function listed({ name, forms, summary }: CommandEntry): string {
  const calls = forms.map((form) => `  ${name} ${form}`.trimEnd())
  const last = calls.at(-1) ?? ''
  const before = calls.slice(0, -1).map((call) => `${call}\n`)
  const room = forms.length === 1 && last.length + 1 < meaningColumn
  const end = room ? last.padEnd(meaningColumn) : `${last}\n${' '.repeat(meaningColumn)}`
  return `${before.join('')}${end}${summary}\n`
}
