import { parseArgs } from 'node:util'
import { settingsHelp } from '../config.ts'
import { PRODUCT_VERSION } from '../core/version.ts'
import type { Command, CommandEntry } from './command.ts'
import { remarking } from './help.ts'

/** `quire man`: prints the manual page, for `quire man | man -l -`. */
export function manualOf(table: readonly CommandEntry[]): Command {
  return async (args) => {
    parseArgs({ args: [...args], options: {}, allowPositionals: false })
    process.stdout.write(manualPage(table))
    return 0
  }
}

/** The manual page in roff's man macros. */
function manualPage(table: readonly CommandEntry[]): string {
  const settings = settingsHelp.map(({ variable, meaning }) => `.TP\n.B ${roff(variable)}\n${line(meaning)}`)
  return `.TH QUIRE 1 "" "Quire ${PRODUCT_VERSION}" "Quire"
.SH NAME
quire \\- turns submissions into documents
.SH SYNOPSIS
.B quire
.I command
[arguments]
.SH COMMANDS
${table.map(commandSection).join('')}.SH SETTINGS
Variables of the environment, or quire.yaml in the working directory with the names in lower case without QUIRE_.
${settings.join('')}.SH EXIT STATUS
0 fine, 1 failed, 2 wrong usage or configuration, 3 a remark of ${remarking(table)}, as its own help says.
`
}

function commandSection({ name, forms, summary, details = [], options = [], examples = [] }: CommandEntry): string {
  return [
    ...forms.map((form, index) => `${index === 0 ? '.TP\n' : '.TQ\n'}.B quire ${roff(`${name} ${form}`.trimEnd())}\n`),
    line([`${summary.replace(/^./, (first) => first.toUpperCase())}.`, ...details].join(' ')),
    options.length === 0 ? '' : '.RS\n',
    ...options.map(([option, meaning]) => `.TP\n.B ${roff(option)}\n${line(meaning)}`),
    options.length === 0 ? '' : '.RE\n',
    ...examples.map((example) => `.IP\n.EX\n${roff(`quire ${name} ${example}`.trimEnd())}\n.EE\n`),
  ].join('')
}

/** A line of text, which no macro begins. */
function line(text: string): string {
  return `${roff(text).replace(/^(?=[.'])/, '\\&')}\n`
}

/** Text with roff's own signs written out; hyphens stay what can be copied. */
function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '...')
}
