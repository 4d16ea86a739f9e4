/** A transformer compiled and run in the page, by the very engine that the server uses. Pure. */
import type { Binding } from '../../../core/binding.ts'
import type { Finding } from '../../../core/finding.ts'
import { type JsonValue, readJson } from '../../../core/json.ts'
import { locatePointers } from '../../../core/positions.ts'
import {
  compileTransformer,
  evaluateTransformer,
  type LineageEntry,
  type SourceFormat,
  type Transformer,
} from '../../../engines/declarative/declarative.ts'
import { compileSchema, validatePayload } from '../../../engines/schema/schema.ts'

export interface Checked {
  findings: readonly Finding[]
  transformer: Transformer | undefined
}

/** Compiles a source by the contract and the bindings it names, as far as they are known. */
export function check(
  source: string,
  format: SourceFormat,
  contract: string | undefined,
  bindings: readonly Binding[] | undefined,
): Checked {
  const root = contract === undefined ? undefined : readJson(contract)
  const compiled = compileTransformer(source, format, {
    ...(root?.ok === true ? { contract: root.value } : {}),
    ...(bindings === undefined ? {} : { bindings }),
  })
  return { findings: withoutNoise(compiled.findings), transformer: compiled.ok ? compiled.value : undefined }
}

/** A slip in the YAML causes errors in all that follows, so only the first one is shown. */
export function withoutNoise(findings: readonly Finding[]): readonly Finding[] {
  const syntax = findings.find(({ code }) => code === 'yaml')
  return syntax === undefined ? findings : [syntax]
}

export interface Ran {
  output?: JsonValue
  lineage: readonly LineageEntry[]
  /** Why there is no output: located in the source. */
  sourceFindings: readonly Finding[]
  /** What is wrong with the input: located in the input. */
  inputFindings: readonly Finding[]
  /** Steps taken, and how many it can take at most. */
  fuelUsed?: number
}

export function run(
  transformer: Transformer | undefined,
  input: string,
  contract: string | undefined,
  params: Record<string, JsonValue>,
): Ran {
  const nothing = { lineage: [], sourceFindings: [], inputFindings: [] }
  if (input.trim() === '') return nothing
  const read = readJson(input)
  if (!read.ok) return { ...nothing, inputFindings: read.findings }
  const schema = contract === undefined ? undefined : compileSchema(contract)
  const inputFindings = schema?.ok === true ? validatePayload(schema.value, read.value) : []
  if (transformer === undefined) return { ...nothing, inputFindings }
  const ran = evaluateTransformer(transformer, read.value, { lineage: true, params })
  if (!ran.ok) return { ...nothing, inputFindings, sourceFindings: ran.findings }
  const { output, lineage = [], fuelUsed } = ran.value
  return { output, lineage, fuelUsed, inputFindings, sourceFindings: [] }
}

/** The lines of a JSON text that have the values at pointers; none while it isn't JSON. */
export function linesOf(text: string, pointers: readonly string[]): number[] {
  if (pointers.length === 0 || !readJson(text).ok) return []
  return [...locatePointers(text, pointers).values()].map(({ line }) => line)
}

/** Every pointer that a source may read under a contract, with what is found there. */
export function pointersOf(contract: string): { pointer: string; type: string }[] {
  const compiled = compileSchema(contract)
  if (!compiled.ok) return []
  const found: { pointer: string; type: string }[] = []
  const visit = (schema: JsonValue | undefined, pointer: string, depth: number): void => {
    if (depth > maxDepth || found.length >= maxPointers) return
    const node = resolve(schema, compiled.value.root)
    if (node === undefined) return
    if (pointer !== '') found.push({ pointer, type: typeText(node) })
    const { properties, items } = node
    if (typeof properties === 'object' && properties !== null && !Array.isArray(properties)) {
      for (const [name, property] of Object.entries(properties)) {
        visit(property, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1)
      }
    }
    if (items !== undefined) visit(items, `${pointer}/0`, depth + 1)
  }
  visit(compiled.value.root, '', 0)
  return found
}

/** A schema may refer to itself, and nobody completes deeper. */
const maxDepth = 8
const maxPointers = 1_000

function resolve(schema: JsonValue | undefined, root: JsonValue): Record<string, JsonValue> | undefined {
  let node = schema
  for (let hops = 0; hops < maxDepth; hops++) {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return undefined
    if (typeof node.$ref !== 'string' || !/^#(?:$|\/)/.test(node.$ref)) return node
    node = node.$ref
      .split('/')
      .slice(1)
      .reduce<JsonValue | undefined>(
        (value, key) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value[key] : undefined),
        root,
      )
  }
  return undefined
}

function typeText({ type, enum: choices }: Record<string, JsonValue>): string {
  if (typeof type === 'string') return type
  if (Array.isArray(type)) return type.join('|')
  return Array.isArray(choices) ? choices.map(String).join('|').slice(0, 40) : ''
}
