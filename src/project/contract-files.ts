import { basename } from 'node:path'
import { type Outcome, succeed } from '../core/finding.ts'
import { isJsonObject, type JsonValue, readJson } from '../core/json.ts'
import { compileSchema } from '../engines/schema/schema.ts'

/** A contract's file, by the names that sources may call it. */
export interface ContractFile {
  path: string
  names: readonly string[]
  /** In the file's name, as in `policy@3.json`. */
  version: number | undefined
  text: string
  schema: JsonValue
}

interface NamedVersion {
  name: string
  version: number
}

/** A usable contract. Its names are its file's name, with or without a version, and its title. */
export function readContractFile(path: string, text: string): Outcome<ContractFile> {
  const read = readContract(text)
  if (!read.ok) return read
  const schema = read.value
  const [, stem = '', digits] = /^(.*?)(?:@([1-9]\d{0,8}))?(?:\.schema)?\.[^.]*$/.exec(basename(path)) ?? []
  const title = isJsonObject(schema) && typeof schema.title === 'string' ? [schema.title] : []
  const version = digits === undefined ? undefined : Number(digits)
  return succeed({ path, names: [stem, ...title], version, text, schema })
}

/** The contract as sources are typed by it; fails while it can't be used. */
export function readContract(text: string): Outcome<JsonValue> {
  const compiled = compileSchema(text)
  return compiled.ok ? readJson(text) : compiled
}

/** The contract that a source names, if it is among the files. A file of that version precedes one without a version. */
export function contractNamed(named: NamedVersion, files: readonly ContractFile[]): ContractFile | undefined {
  const found = files.filter(({ names }) => names.includes(named.name))
  const of = (version: number | undefined) => found.find((file) => file.version === version)
  return of(named.version) ?? of(undefined)
}
