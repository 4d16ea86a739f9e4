/** What `quire check` says of a contract, and how `--fix` converts one that is written in an older draft. */
import { describeFinding, type Finding } from '../core/finding.ts'
import { changedLines } from '../core/line-difference.ts'
import { locatePointers } from '../core/positions.ts'
import { type Change, convertContract } from '../engines/schema/convert/convert.ts'
import { dialectUri } from '../engines/schema/metaschema.ts'
import { reviewSchema } from '../engines/schema/review.ts'
import { compileSchema } from '../engines/schema/schema.ts'
import { writeOutput } from './files.ts'

/** What refuses a contract, or, if nothing does, what its author should know. */
export function reviewContract(text: string, loopedPointers: readonly string[]): Finding[] {
  const compiled = compileSchema(text)
  if (compiled.ok) return [...compiled.findings, ...reviewSchema(compiled.value, { loopedPointers, text })]
  const converted = convertContract(text)
  const dialect = { ...atDialect, ...locatePointers(text, [atDialect.path]).get(atDialect.path) }
  if (converted.kind === 'older') {
    const { from, isNamed } = converted.conversion
    if (from === 'draft 2020-12') {
      const message = 'The dialect is that of 2020-12, but its name is written in another way.'
      return [{ ...dialect, message, hint: `Write "${dialectUri}", or let quire check --fix do it.` }]
    }
    const read = isNamed ? `This is JSON Schema ${from}` : `This names no draft, and reads as JSON Schema ${from}`
    return [{ ...dialect, message: `${read}, but contracts are 2020-12.`, hint: 'quire check --fix converts it.' }]
  }
  if (converted.kind === 'current') return compiled.findings
  const message = `This is JSON Schema ${converted.from}, but contracts are 2020-12, and it can't be converted as it is.`
  return [{ ...dialect, message, hint: 'Mend what is named below, then run quire check --fix.' }, ...converted.findings]
}

const atDialect = { code: 'schema.dialect', severity: 'error', path: '/$schema' } as const

/** Converts a contract's file where it has to be, and shows what changed. @returns its text, as it is now */
export function fixedContract(path: string, text: string, print: (text: string) => void): string {
  const converted = convertContract(text)
  if (converted.kind === 'refused') print(`${path}: not converted; mend what is wrong with it first\n`)
  if (converted.kind !== 'older') return text
  const { from, text: made, changes } = converted.conversion
  writeOutput(path, made)
  print(`${path}: converted from ${from} to 2020-12\n`)
  for (const { line, lines } of changedLines(text, made)) {
    print(`@@ line ${line} @@\n${lines.map((changed) => `${changed}\n`).join('')}`)
  }
  print(notesOf(path, changes))
  return made
}

/** What the difference alone does not explain. */
function notesOf(path: string, changes: readonly Change[]): string {
  const notes = changes.filter(({ isNotable }) => isNotable)
  return notes
    .map((note) => `${path}: ${describeFinding({ ...noted, path: note.path, message: note.text })}\n`)
    .join('')
}

const noted = { code: 'schema.converted', severity: 'warning' } as const
