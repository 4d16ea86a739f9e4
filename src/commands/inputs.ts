/** The files that a command is given: by name, by a pattern, or all of a folder. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { UsageError } from './command.ts'
import { standardInput } from './files.ts'

/** A file that a command was given. */
export interface Input {
  path: string
  /** The path below the named folder, else the file's own name. Its result goes there, below an output folder. */
  name: string
}

export interface InputRules {
  /** Endings of the files that are taken from folders, lower case: `.docx`. */
  endings: readonly string[]
}

/**
 * The files in the order of the arguments, those of one argument by name, each once. A file that is named is always taken,
 * even if it is missing: reading it reports that. In folders, names that begin with a dot or `~$` are skipped.
 *
 * @throws UsageError for a pattern or a folder that has no such file
 */
export function expandInputs(args: readonly string[], rules: InputRules): Input[] {
  const found = new Map<string, Input>()
  for (const arg of args) {
    const inputs = inputsOf(arg, rules)
    if (inputs.length === 0) throw new UsageError(`${arg} has no file that ends in ${rules.endings.join(', ')}`)
    for (const input of inputs) if (!found.has(input.path)) found.set(input.path, input)
  }
  return [...found.values()]
}

/** Whether an argument can mean several files. */
export function isSeveral(arg: string): boolean {
  return arg !== standardInput && (isFolder(arg) || (!existsSync(arg) && isPattern(arg)))
}

function inputsOf(arg: string, rules: InputRules): Input[] {
  if (!isSeveral(arg)) return [{ path: arg, name: basename(arg) }]
  if (isFolder(arg)) return filesBelow(arg, rules).map((path) => ({ path, name: relative(arg, path) }))
  // "Only files" would leave links to files out, which a folder's files are taken with.
  const paths = [...new Bun.Glob(arg).scanSync({ onlyFiles: false })].sort()
  const wanted = paths.filter((path) => isWanted(basename(path), rules) && !isFolder(path))
  return wanted.map((path) => ({ path, name: basename(path) }))
}

function filesBelow(folder: string, rules: InputRules): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.')) return []
    if (isFolder(path)) return entry.isSymbolicLink() ? [] : filesBelow(path, rules)
    return isWanted(entry.name, rules) ? [path] : []
  })
}

function isWanted(name: string, { endings }: InputRules): boolean {
  if (name.startsWith('.') || name.startsWith('~$')) return false
  return endings.some((ending) => name.toLowerCase().endsWith(ending))
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // A circle of links is no folder, either; reading it reports that.
    return false
  }
}

function isPattern(text: string): boolean {
  return /[*?[{]/.test(text)
}
