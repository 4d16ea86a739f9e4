import { basename } from 'node:path'
import type { Finding } from '../core/finding.ts'
import { isJsonObject, type JsonValue, readJson } from '../core/json.ts'
import { compileSchema } from '../engines/schema/schema.ts'

/** A contract's file, by the names that sources may call it. */
export interface ContractFile {
  names: readonly string[]
  /** In the file's name, as in `policy@3.json`. */
  version: number | undefined
  schema: JsonValue
}

interface NamedVersion {
  name: string
  version: number
}

/** A contract that can be used: it goes by its file's name, with or without a version, and by its title. */
export function readContractFile(path: string, text: string): ContractFile | undefined {
  const schema = readContract(text)
  if (schema === undefined) return undefined
  const [, stem = '', digits] = /^(.*?)(?:@([1-9]\d{0,8}))?\.[^.]*$/.exec(basename(path)) ?? []
  const title = isJsonObject(schema) && typeof schema.title === 'string' ? [schema.title] : []
  return { names: [stem, ...title], version: digits === undefined ? undefined : Number(digits), schema }
}

/** The contract as sources are typed by it; undefined while it can't be used. */
export function readContract(text: string): JsonValue | undefined {
  if (!compileSchema(text).ok) return undefined
  const read = readJson(text)
  return read.ok ? read.value : undefined
}

/** The schema that a source names, where it is among the files; one of that very version before one of none. */
export function schemaNamed(named: NamedVersion, files: readonly ContractFile[]): JsonValue | undefined {
  const found = files.filter(({ names }) => names.includes(named.name))
  const of = (version: number | undefined) => found.find((file) => file.version === version)?.schema
  return of(named.version) ?? of(undefined)
}

export const unresolvedContract = 'check.unresolved_contract'

/** Without its contract a source may still be right: only the service knows. */
export function notAmongFiles({ name, version }: NamedVersion): Finding {
  return {
    code: unresolvedContract,
    severity: 'warning',
    path: '/contract',
    message: `Version ${version} of the contract "${name}" is not among the files, so what is read here was not compared with it.`,
    hint: `Name its file too: one called ${name}@${version}.json or ${name}.json, or with that title. Or give it with --contract.`,
  }
}
