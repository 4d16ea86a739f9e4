/** The top level of a transformer: its header, parameters, tables, lets and output, made into one program. */

import type { Binding } from '../../core/binding.ts'
import type { Finding } from '../../core/finding.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { checkBindings } from './bindings.ts'
import { Builder, type Built, isName, type Table, typeOfLiteral, type Variable } from './build.ts'
import { checkValue } from './check.ts'
import { typeOfSchema } from './contract.ts'
import { operators } from './operators/table.ts'
import { addSizes, type Size, sizeNumber } from './size.ts'
import { type MapNode, type SourceNode, shorten } from './source.ts'
import { joinTypes, type Type, types } from './types.ts'
import type { Value } from './value.ts'
import { listWrites, type Write } from './writes.ts'

export const languageName = 'declarative-v1'

export type ParamType = 'string' | 'boolean' | 'decimal' | 'date' | 'datetime'

const paramTypes: readonly ParamType[] = ['string', 'boolean', 'decimal', 'date', 'datetime']

export interface Param {
  type: ParamType
  slot: number
}

/** The name and number that `contract: policy-letter@3` or `template: letter@1` name. */
export interface VersionName {
  name: string
  version: number
}

export interface Program {
  contract: VersionName | undefined
  template: VersionName | undefined
  params: ReadonlyMap<string, Param>
  lets: readonly { slot: number; built: Built }[]
  output: Built
  slotCount: number
  reads: string[]
  loops: string[]
  writes: Write[]
  costBound: number
}

const topKeys = ['transform', 'contract', 'template', 'params', 'tables', 'let', 'output']

export interface ProgramContext {
  contract?: JsonValue
  bindings?: readonly Binding[]
  locate(offset: number): { line: number; column: number }
}

/** Checks and builds; the program is undefined when a finding is an error. */
export function buildProgram(root: SourceNode, context: ProgramContext): { program?: Program; findings: Finding[] } {
  const input = context.contract === undefined ? types.unknown : typeOfSchema(context.contract)
  const builder = new Builder({ operators, input, hasContract: context.contract !== undefined, locate: context.locate })
  if (root.kind !== 'map') {
    builder.error('transform', root, 'A transformer is a mapping.', `Start with "transform: ${languageName}".`)
    return { findings: builder.findings() }
  }
  checkTopKeys(builder, root)
  const contract = readVersionName(builder, root, 'contract')
  const template = readVersionName(builder, root, 'template')
  const params = readParams(builder, root.byKey.get('params')?.value)
  readTables(builder, root.byKey.get('tables')?.value)
  const lets = buildLets(builder, root.byKey.get('let')?.value)
  const outputNode = root.byKey.get('output')?.value
  if (outputNode === undefined) return { findings: builder.findings() }
  const { built, type, run } = checkValue(builder, builder.value(outputNode), 'any', '"output"')
  const output: Built = { ...built, type, run }
  let cost: Size = output.cost
  for (const each of lets) cost = addSizes(cost, each.built.cost)
  const costBound = sizeNumber(cost)
  if (costBound > limits.transformFuel && builder.errorCount === 0) {
    builder.error(
      'cost',
      outputNode,
      `It may take ${formatCost(costBound)} steps; ${limits.transformFuel} are allowed.`,
      `Give the arrays of the contract maxItems (without it ${limits.transformAssumedItems} are assumed), or loop less deeply.`,
    )
  }
  if (context.bindings !== undefined) checkBindings(builder, outputNode, output.type, context.bindings)
  const findings = builder.findings()
  if (builder.errorCount > 0) return { findings }
  const reads = [...builder.reads].sort()
  const loops = [...builder.loops].sort()
  const writes = listWrites(output.type)
  return {
    program: {
      contract,
      template,
      params,
      lets,
      output,
      slotCount: builder.slotCount,
      reads,
      loops,
      writes,
      costBound,
    },
    findings,
  }
}

function formatCost(cost: number): string {
  return Number.isFinite(cost) && cost < 1e15 ? String(Math.round(cost)) : 'more than 10^15'
}

function checkTopKeys(builder: Builder, root: MapNode): void {
  for (const entry of root.entries) {
    if (topKeys.includes(entry.key)) continue
    builder.error(
      'unknown_key',
      root,
      `There is no top-level key "${shorten(entry.key)}".`,
      builder.suggest(entry.key, topKeys),
      entry,
    )
  }
  const language = root.byKey.get('transform')
  const node = language?.value ?? root
  if (language === undefined || language.value.kind !== 'scalar' || language.value.value !== languageName) {
    builder.error('transform', node, `"transform" must be ${languageName}.`, `Write "transform: ${languageName}".`)
  }
  if (!root.byKey.has('output'))
    builder.error('missing_argument', root, 'There is no "output".', 'Write the value to make under output.')
}

function readVersionName(builder: Builder, root: MapNode, key: 'contract' | 'template'): VersionName | undefined {
  const node = root.byKey.get(key)?.value
  if (node === undefined) return undefined
  const match = node.kind === 'scalar' ? /^([^@\s][^@]{0,199})@([1-9]\d{0,8})$/.exec(node.text) : null
  if (match !== null) return { name: match[1]!, version: Number(match[2]) }
  builder.error('argument', node, `"${key}" wants a name and a version.`, `For example ${key}: policy-letter@3.`)
  return undefined
}

function mapOf(builder: Builder, node: SourceNode | undefined, key: string): MapNode | undefined {
  if (node === undefined || node.kind === 'map') return node
  builder.error('argument', node, `"${key}" wants a mapping from names.`)
  return undefined
}

function checkName(builder: Builder, name: string, node: SourceNode): void {
  if (isName(name)) return
  builder.error(
    'argument',
    node,
    `"${shorten(name)}" is no name.`,
    'A name is a letter and then letters, digits, _ and -.',
  )
}

function readParams(builder: Builder, node: SourceNode | undefined): Map<string, Param> {
  const params = new Map<string, Param>()
  for (const { key, value } of mapOf(builder, node, 'params')?.entries ?? []) {
    checkName(builder, key, value)
    const type = paramTypes.find((each) => value.kind === 'scalar' && value.value === each)
    if (type === undefined) {
      const text = value.kind === 'scalar' ? value.text : ''
      builder.error(
        'argument',
        value,
        `The type of a param is one of ${paramTypes.join(', ')}.`,
        builder.suggest(text, paramTypes),
      )
    }
    const slot = builder.newSlot()
    builder.declare({ name: key, kind: 'param', slot, type: type === undefined ? types.unknown : types[type] })
    params.set(key, { type: type ?? 'string', slot })
  }
  return params
}

function readTables(builder: Builder, node: SourceNode | undefined): void {
  for (const { key, value } of mapOf(builder, node, 'tables')?.entries ?? []) {
    checkName(builder, key, value)
    const entries = new Map<string, Value>()
    let type: Type | undefined
    for (const row of mapOf(builder, value, key)?.entries ?? []) {
      if (row.value.kind !== 'scalar') {
        builder.error('type', row.value, `A row of a table is text, a number, a boolean or null.`)
        continue
      }
      entries.set(row.key, row.value.value)
      const rowType = typeOfLiteral(row.value.value)
      type = type === undefined ? rowType : joinTypes(type, rowType)
    }
    const table: Table = { entries, type: type ?? types.unknown }
    builder.tables.set(key, table)
  }
}

function buildLets(builder: Builder, node: SourceNode | undefined): { slot: number; built: Built }[] {
  const lets: { slot: number; built: Built }[] = []
  for (const { key, value } of mapOf(builder, node, 'let')?.entries ?? []) {
    checkName(builder, key, value)
    const built = builder.alias(value)
    if (builder.lookUp(key) !== undefined) {
      builder.error('argument', value, `"${shorten(key)}" is already the name of a param.`, 'Name it otherwise.')
    }
    const slot = builder.newSlot()
    const variable: Variable = { name: key, kind: 'let', slot, type: built.type }
    if (built.origin !== undefined) variable.origin = built.origin
    if (built.scattered !== undefined) variable.scattered = built.scattered
    builder.declare(variable)
    lets.push({ slot, built })
  }
  return lets
}
