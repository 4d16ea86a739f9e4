/** Running a program: parameters, lets, output, and the faults that end a run. */
import { Decimal } from '../../core/decimal.ts'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { type JsonObject, type JsonValue, setMember } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { pathOf, type SourceNode } from '../../core/source/tree.ts'
import { Fault, type Frame, patienceUntil } from './frame.ts'
import { Lineage, type LineageEntry } from './lineage.ts'
import { isParamValue } from './params.ts'
import type { Param, Program } from './program.ts'
import { suggest } from './suggest.ts'
import { isObjectValue, type Value } from './value.ts'

export interface EvaluateOptions {
  params?: Record<string, JsonValue>
  /** Also answer where every leaf of the output comes from; about three times as slow. */
  lineage?: boolean
  /** Polled some ten times a millisecond; once true, the evaluation ends with `EvaluationGivenUp`. */
  isOver?: () => boolean
}

export interface Evaluation {
  output: JsonValue
  /** Nodes evaluated; never more than the cost bound. */
  fuelUsed: number
  /** With `lineage`: the origin of every leaf, in the order of the output. */
  lineage?: LineageEntry[]
  /** With `lineage`: every input pointer that was read, for any purpose. */
  readsSeen?: string[]
}

type Locate = (offset: number) => { line: number; column: number }

export function runProgram(
  program: Program,
  input: JsonValue,
  options: EvaluateOptions,
  locate: Locate,
  fuel: number,
): Outcome<Evaluation> {
  const params = new Map(Object.entries(options.params ?? {}))
  const problems = checkParams(program.params, params)
  if (problems.length > 0) return fail(...problems)
  const lineage = options.lineage === true ? new Lineage(input) : undefined
  const { isOver } = options
  const patience = isOver === undefined ? undefined : patienceUntil(isOver)
  const frame: Frame = { input, slots: new Array<Value>(program.slotCount).fill(undefined), fuel, lineage, patience }
  for (const [name, { slot }] of program.params) frame.slots[slot] = params.get(name)
  try {
    runLets(program, frame)
    if (lineage === undefined) {
      const value = program.output.run(frame)
      boundOutput(value, program.output.node)
      return succeed({ output: toJson(value), fuelUsed: fuel - frame.fuel })
    }
    const { value, trace } = lineage.collect(() => program.output.run(frame))
    boundOutput(value, program.output.node)
    trace.nodes.add(program.output.node)
    const entries = lineage.entries(value, trace, (node) => locate(node.offset).line)
    const readsSeen = [...lineage.reads].sort()
    return succeed({ output: toJson(value), fuelUsed: fuel - frame.fuel, lineage: entries, readsSeen })
  } catch (error) {
    if (error instanceof Fault) return fail(describeFault(error, locate))
    throw error
  }
}

function runLets(program: Program, frame: Frame): void {
  for (const { slot, built } of program.lets) {
    if (frame.lineage === undefined) {
      frame.slots[slot] = built.run(frame)
      continue
    }
    frame.lineage.isNaming = built.origin !== undefined && built.node.kind === 'scalar'
    const { value, trace } = frame.lineage.collect(() => built.run(frame))
    frame.lineage.isNaming = false
    trace.nodes.add(built.node)
    frame.slots[slot] = value
    frame.lineage.setSlot(slot, trace)
  }
}

function describeFault(fault: Fault, locate: Locate): Finding {
  return {
    code: fault.code,
    severity: 'error',
    message: fault.message,
    ...(fault.hint === undefined ? {} : { hint: fault.hint }),
    path: pathOf(fault.node),
    ...locate(fault.node.offset),
  }
}

function checkParams(params: ReadonlyMap<string, Param>, given: ReadonlyMap<string, JsonValue>): Finding[] {
  const problems: Finding[] = []
  const report = (name: string, message: string, hint: string | undefined) => {
    problems.push({
      code: 'param',
      severity: 'error',
      message,
      ...(hint === undefined ? {} : { hint }),
      path: `/params/${name}`,
    })
  }
  for (const name of given.keys()) {
    if (!params.has(name)) report(name, `The transformer has no param "${name}".`, suggest(name, params.keys()))
  }
  for (const [name, { type }] of params) {
    const value = given.get(name)
    if (value === undefined) report(name, `The param "${name}" is not given.`, `Hand in a ${type}.`)
    else if (!isParamValue(type, value)) report(name, `The param "${name}" is no ${type}.`, undefined)
  }
  return problems.slice(0, limits.configurationIssues)
}

/**
 * Refuses an output whose text would be too large or too deep. Parts shared between places count at each place. Text
 * nested deeper than `limits.jsonDepth` could not be read again.
 */
function boundOutput(output: Value, node: SourceNode): void {
  const known = new Map<object, { count: number; height: number }>()
  const measure = (value: Value, depth: number): { count: number; height: number } => {
    if (typeof value !== 'object' || value === null || value instanceof Decimal) return scalarSize
    const before = known.get(value)
    if (before !== undefined) return before
    let count = 1
    let height = 0
    for (const member of Array.isArray(value) ? value : Object.values(value)) {
      const size = depth > limits.jsonDepth ? tooDeep : measure(member, depth + 1)
      count += size.count
      if (size.height > height) height = size.height
    }
    const size = { count, height: height + 1 }
    known.set(value, size)
    return size
  }
  const { count, height } = measure(output, 1)
  if (count > limits.transformOutputValues) {
    throw new Fault('fuel', node, `The output has more than ${limits.transformOutputValues} values.`, 'Write less.')
  }
  if (height > limits.jsonDepth) {
    throw new Fault('fuel', node, `The output is nested deeper than ${limits.jsonDepth}.`, 'Nest less.')
  }
}

const scalarSize = { count: 1, height: 0 }
const tooDeep = { count: 0, height: limits.jsonDepth + 1 }

/** Plain JSON of a value: exact decimals become numbers if a double holds them, else text. */
function toJson(value: Value): JsonValue {
  if (value === undefined || value === null) return null
  if (value instanceof Decimal) return value.toNumber() ?? value.toPlain()
  if (Array.isArray(value)) return value.map(toJson)
  if (!isObjectValue(value)) return value
  const object: JsonObject = {}
  for (const key of Object.keys(value)) {
    const member = value[key]
    if (member !== undefined) setMember(object, key, toJson(member))
  }
  return object
}
