/** The top level of a transformer: its header, parameters, tables, lets and output, made into one program. */

import type { Binding } from '../../core/binding.ts'
import type { Finding } from '../../core/finding.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { newestReading, type Reading } from '../../core/reading.ts'
import { shorten } from '../../core/source/read.ts'
import type { MapNode, SourceNode } from '../../core/source/tree.ts'
import { checkBindings } from './bindings.ts'
import { Builder } from './build.ts'
import { type Built, typeOfLiteral } from './built.ts'
import { callsOf } from './call.ts'
import { checkValue } from './check.ts'
import { BuildContext, isName, type Sample, type Table, type Variable } from './context.ts'
import { typeOfSchema } from './contract.ts'
import type { Findings } from './findings.ts'
import { choiceMeant } from './foreign.ts'
import { operators } from './operators/table.ts'
import { type ParamType, paramTypes } from './params.ts'
import { addSizes, type Size, sizeNumber } from './size.ts'
import { joinTypes, type Type, types } from './types.ts'
import type { Value } from './value.ts'
import type { TransformerWatch } from './watch.ts'
import { listWrites, type Write } from './writes.ts'

export const languageName = 'declarative-v1'

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

/** The keys of a source. */
export const topLevel = {
  transform: { required: true, doc: `The language: always ${languageName}.` },
  contract: { required: false, doc: 'Name and version of the contract that the input has passed: policy@3.' },
  template: { required: false, doc: 'Slug and version of the template that takes the output: letter@1.' },
  params: { required: false, doc: 'Values handed in beside the input, each with its type. Each is required.' },
  tables: { required: false, doc: 'Tables of text and scalars, for $lookup.' },
  let: { required: false, doc: 'Named values; a later one may use the earlier ones.' },
  output: { required: true, doc: 'The value that is made.' },
} as const

const topKeys = Object.keys(topLevel)

/** `policy-letter@3`: a name, and a number from 1. */
export const versionNamePattern = /^([^@\s][^@]{0,199})@([1-9]\d{0,8})$/

export interface ProgramContext {
  contract?: JsonValue
  bindings?: readonly Binding[]
  reading?: Reading
  /** Whether calls are to give samples of what they write. */
  isSampled?: boolean
  watch?: TransformerWatch | undefined
  locate(offset: number): { line: number; column: number }
}

/** Checks and builds; the program is undefined if a finding is an error. `samples` shows what calls write, if `isSampled`. */
export function buildProgram(
  root: SourceNode,
  { contract: schema, bindings, reading = newestReading, isSampled = false, watch, locate }: ProgramContext,
): { program?: Program; findings: Finding[]; samples: readonly Sample[] } {
  const input = schema === undefined ? types.input : typeOfSchema(schema)
  const context = new BuildContext({ input, hasContract: schema !== undefined, reading, isSampled, watch, locate })
  const builder = new Builder(context, callsOf(operators))
  const { findings, samples } = context
  if (root.kind !== 'map') {
    findings.error('transform', root, 'A transformer is a mapping.', `Start with "transform: ${languageName}".`)
    return { findings: findings.list(), samples }
  }
  checkTopKeys(findings, root)
  const contract = readVersionName(findings, root, 'contract')
  const template = readVersionName(findings, root, 'template')
  const params = readParams(context, root.byKey.get('params')?.value)
  readTables(context, root.byKey.get('tables')?.value)
  const lets = buildLets(builder, root.byKey.get('let')?.value)
  const outputNode = root.byKey.get('output')?.value
  if (outputNode === undefined) return { findings: findings.list(), samples }
  const { built, type, run } = checkValue(context, builder.value(outputNode), 'any', '"output"')
  const output: Built = { ...built, type, run }
  let cost: Size = output.cost
  for (const each of lets) cost = addSizes(cost, each.built.cost)
  // Versions of the first rules were bounded otherwise; whatever ran then still does.
  const costBound = reading === 1 ? limits.transformFuel : sizeNumber(cost)
  if (costBound > limits.transformFuel && findings.errorCount === 0) {
    findings.error(
      'cost',
      outputNode,
      `It may take ${formatCost(costBound)} steps; ${limits.transformFuel} are allowed.`,
      `Give the arrays that are looped over inside of others maxItems (without it ${limits.transformAssumedItems} are assumed), or look their items up by an index.`,
    )
  }
  if (bindings !== undefined) checkBindings(findings, outputNode, output.type, bindings)
  if (findings.errorCount > 0) return { findings: findings.list(), samples }
  return {
    program: {
      contract,
      template,
      params,
      lets,
      output,
      slotCount: context.slotCount,
      reads: [...context.reads].sort(),
      loops: [...context.loops].sort(),
      writes: listWrites(output.type),
      costBound,
    },
    findings: findings.list(),
    samples,
  }
}

function formatCost(cost: number): string {
  return Number.isFinite(cost) && cost < 1e15 ? String(Math.round(cost)) : 'more than 10^15'
}

function checkTopKeys(findings: Findings, root: MapNode): void {
  for (const entry of root.entries) {
    if (topKeys.includes(entry.key)) continue
    findings.error(
      'unknown_key',
      root,
      `There is no top-level key "${shorten(entry.key)}".`,
      findings.suggest(entry.key, topKeys),
      entry,
    )
  }
  const language = root.byKey.get('transform')
  const node = language?.value ?? root
  if (language === undefined || language.value.kind !== 'scalar' || language.value.value !== languageName) {
    findings.error('transform', node, `"transform" must be ${languageName}.`, `Write "transform: ${languageName}".`)
  }
  if (!root.byKey.has('output'))
    findings.error('missing_argument', root, 'There is no "output".', 'Write the value to make under output.')
}

function readVersionName(findings: Findings, root: MapNode, key: 'contract' | 'template'): VersionName | undefined {
  const node = root.byKey.get(key)?.value
  if (node === undefined) return undefined
  const match = node.kind === 'scalar' ? versionNamePattern.exec(node.text) : null
  const [, name, version] = match ?? []
  if (name !== undefined) return { name, version: Number(version) }
  findings.error('argument', node, `"${key}" wants a name and a version.`, `For example ${key}: policy-letter@3.`)
  return undefined
}

function mapOf(findings: Findings, node: SourceNode | undefined, key: string): MapNode | undefined {
  if (node === undefined || node.kind === 'map') return node
  findings.error('argument', node, `"${key}" wants a mapping from names.`, `Write ${key}: { name: … }.`)
  return undefined
}

function checkName(findings: Findings, name: string, node: SourceNode): void {
  if (isName(name)) return
  findings.error(
    'argument',
    node,
    `"${shorten(name)}" is no name.`,
    'A name is a letter and then letters, digits, _ and -.',
  )
}

function readParams(context: BuildContext, node: SourceNode | undefined): Map<string, Param> {
  const { findings } = context
  const params = new Map<string, Param>()
  for (const { key, value } of mapOf(findings, node, 'params')?.entries ?? []) {
    checkName(findings, key, value)
    const type = paramTypes.find((each) => value.kind === 'scalar' && value.value === each)
    if (type === undefined) {
      const text = value.kind === 'scalar' ? value.text : ''
      findings.error(
        'argument',
        value,
        `The type of a param is one of ${paramTypes.join(', ')}.`,
        choiceMeant(text, paramTypes) ?? findings.suggest(text, paramTypes),
      )
    }
    const slot = context.newSlot()
    context.declare({ name: key, slot, type: type === undefined ? types.unknown : types[type] })
    params.set(key, { type: type ?? 'string', slot })
  }
  return params
}

function readTables(context: BuildContext, node: SourceNode | undefined): void {
  const { findings } = context
  for (const { key, value } of mapOf(findings, node, 'tables')?.entries ?? []) {
    checkName(findings, key, value)
    const entries = new Map<string, Value>()
    let type: Type | undefined
    for (const row of mapOf(findings, value, key)?.entries ?? []) {
      if (row.value.kind !== 'scalar') {
        findings.error('type', row.value, `A row of a table is text, a number, a boolean or null.`)
        continue
      }
      findings.warnOfSlip(row.value)
      entries.set(row.key, row.value.value)
      const rowType = typeOfLiteral(row.value.value)
      type = type === undefined ? rowType : joinTypes(type, rowType)
    }
    const table: Table = {
      entries: context.watch?.watchedTable(value, entries) ?? entries,
      type: type ?? types.unknown,
    }
    context.tables.set(key, table)
  }
}

function buildLets(builder: Builder, node: SourceNode | undefined): { slot: number; built: Built }[] {
  const { context } = builder
  const { findings } = context
  const lets: { slot: number; built: Built }[] = []
  for (const { key, value } of mapOf(findings, node, 'let')?.entries ?? []) {
    checkName(findings, key, value)
    const built = builder.alias(value)
    if (context.lookUp(key) !== undefined) {
      findings.error('argument', value, `"${shorten(key)}" is already the name of a param.`, 'Name it otherwise.')
    }
    const slot = context.newSlot()
    const variable: Variable = { name: key, slot, type: built.type }
    if (built.origin !== undefined) variable.origin = built.origin
    if (built.scattered !== undefined) variable.scattered = built.scattered
    context.declare(variable)
    lets.push({ slot, built })
  }
  return lets
}
