/** What is said of a call that no command takes: what was meant, if that can be guessed, and where the right words are. */
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

/** The parser's message as this program speaks, without its advice on files that are named like an option. */
export function usageMessage({ message }: Error, table: readonly CommandEntry[], command: string | undefined): string {
  const [, option] = /^Unknown option '([^']*)'/.exec(message) ?? []
  if (option === undefined) return message.replace(/\n.*/s, '')
  return noOption(
    option,
    table.find(({ name }) => name === command),
  )
}

/** @param typed the word after the command's name */
export function noVerb(command: string, typed: string, verbs: readonly string[]): string {
  const meant = nearest(typed, verbs)
  const hint = meant === undefined ? '; ' : `; did you mean "quire ${command} ${meant}"? `
  return `there is no command "quire ${command} ${typed}"${hint}"quire help ${command}" lists them`
}
