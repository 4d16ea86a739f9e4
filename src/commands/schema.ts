import { parseArgs } from 'node:util'
import { nearest } from '../core/nearest.ts'
import { languages } from '../modules/projects/projects.languages.ts'
import { type Command, UsageError } from './command.ts'

/** `quire schema <language>`: prints the JSON Schema of a language, for editors. */
export const runSchema: Command = async (args) => {
  const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true })
  const [name = '', ...more] = positionals
  const make = Object.hasOwn(languages, name) ? languages[name] : undefined
  if (make === undefined || more.length > 0) {
    const known = Object.keys(languages)
    const meant = nearest(name, known)
    throw new UsageError(
      `schema takes one language: ${known.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    )
  }
  process.stdout.write(`${JSON.stringify(make(), null, 2)}\n`)
  return 0
}
