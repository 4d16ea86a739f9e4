/** Messages about a call that no command takes: what was probably meant, and where help has the right words. */
import { nearest } from '../core/nearest.ts'
import type { CommandEntry } from './command.ts'
import { optionsOf } from './completions.ts'

/** @param typed the name as it was typed */
export function noCommand(typed: string, table: readonly CommandEntry[]): string {
  const meant = nearest(typed.replace(/^-+/, ''), ['help', ...table.map(({ name }) => name)])
  return `there is no command "${typed}"${meant === undefined ? '; ' : `; did you mean "quire ${meant}"? `}"quire help" lists them`
}

/** @param entry the command that it was given to; none for `quire help` */
export function noOption(typed: string, entry?: CommandEntry): string {
  const known = entry === undefined ? [] : optionsOf(entry).flatMap(({ names }) => names)
  // A single letter is like every other one.
  const meant = nearest(
    typed,
    known.filter((name) => name.startsWith('--')),
  )
  const where = entry === undefined ? '"quire help" lists them' : `"quire help ${entry.name}" lists them`
  return `there is no option "${typed}"${meant === undefined ? '; ' : `; did you mean ${meant}? `}${where}`
}

/** The parser's message in this program's words, without its advice on files that are named like an option. */
export function usageMessage({ message }: Error, table: readonly CommandEntry[], command: string | undefined): string {
  const entry = table.find(({ name }) => name === command)
  const [, option] = /^Unknown option '([^']*)'/.exec(message) ?? []
  if (option !== undefined) return noOption(option, entry)
  const where = `"quire help ${command}" says what it takes`
  const [, extra] = /^Unexpected argument '(.*)'\. This command/s.exec(message) ?? []
  if (extra !== undefined) return `${command} takes no argument, and "${extra}" is one; ${where}`
  const [, valued] = /^Option '(?:-\w, )?([^' ]+).*' argument (?:missing|is ambiguous)/.exec(message) ?? []
  if (valued !== undefined) return `${valued} wants a value; ${where}`
  const [, flag] = /^Option '(?:-\w, )?([^']+)' does not take an argument/.exec(message) ?? []
  return flag === undefined ? message : `${flag} takes no value; ${where}`
}

/** @param typed the word after the command's name, if there is one */
export function noVerb(command: string, typed: string | undefined, verbs: readonly string[]): string {
  if (typed === undefined) return `${command} takes a verb: ${verbs.join(', ')}; "quire help ${command}" says more`
  const meant = nearest(typed, verbs)
  const hint = meant === undefined ? `there are ${verbs.join(', ')};` : `did you mean "quire ${command} ${meant}"?`
  return `there is no command "quire ${command} ${typed}"; ${hint} "quire help ${command}" says more`
}
