/** Runs inputs through a model without a submission, up to the document, which isn't laid out. */
import { describeFindings, type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { isJsonObject, type JsonObject, type JsonValue, readJson, setMember } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { evaluateTransformer, type Transformer } from '../../engines/declarative/declarative.ts'
import { composeTemplate, type Template } from '../../engines/docx/docx.ts'
import type { InputFormat } from '../../engines/ingestion/input-format.ts'
import { placedIn, type ReadInput, readInput } from '../../engines/ingestion/read-input.ts'
import { type CompiledSchema, validatePayload } from '../../engines/schema/schema.ts'
import type { SourceText } from '../versions/versions.service.ts'
import {
  compiledSchema,
  compiledTemplate,
  compiledTransformer,
  runnableTransformer,
} from './compiled-sources.service.ts'
import { compileCondition } from './conditions.service.ts'

/** A node of a model with the sources that it names. */
export interface ChainNode {
  key: string
  when: JsonValue | undefined
  transformer: SourceText
  template: Uint8Array | undefined
  /** Included templates by slug, in order. */
  fragments?: ReadonlyMap<string, Uint8Array> | undefined
  children: readonly ChainNode[]
}

export interface CaseInput {
  /** Identifies the case in refusals. */
  name: string
  raw: string
  /** JSON text of the params. */
  params: string | undefined
}

/** A case that a node refuses. */
export interface CaseRefusal {
  name: string
  /** The keys that lead to the node, separated by slashes. */
  node: string
  step: 'validate' | 'transform.declarative' | 'compose'
  message: string
}

/** @returns refusals in the order of the cases; a refused node's children don't run */
export function runCases({
  contract,
  nodes,
  cases,
  inputFormat,
}: {
  contract: string
  nodes: readonly ChainNode[]
  cases: readonly CaseInput[]
  /** The inputs' format, if the model has one. */
  inputFormat?: InputFormat | undefined
}): CaseRefusal[] {
  const schema = compiledSchema(contract)
  const compiled = nodes.map((node) => compileNode(node, schema.ok ? contract : undefined))
  return cases.flatMap((input) => {
    const made = readInput(input.raw, inputFormat)
    const read = made.ok ? succeed(made.value.value) : made
    const refused = validate(made, schema)
    const params = readParams(input.params)
    return compiled.flatMap((node) => runNode(node, { ...input, read, refused, params }, undefined))
  })
}

interface CompiledNode {
  key: string
  when: Transformer | undefined
  transformer: Outcome<Transformer>
  template: Outcome<Template> | undefined
  children: CompiledNode[]
}

/** @param contract of the raw input; undefined for a child, which reads its parent's output */
function compileNode(node: ChainNode, contract: string | undefined): CompiledNode {
  const alone = compiledTransformer(node.transformer)
  const names = alone.ok && alone.value.contract !== undefined && contract !== undefined
  const condition = node.when === undefined ? undefined : compileCondition(node.when)
  return {
    key: node.key,
    when: condition?.ok ? condition.value : undefined,
    transformer: names ? runnableTransformer(node.transformer, contract) : alone,
    template: node.template && compiledTemplate(node.template, node.fragments),
    children: node.children.map((child) => compileNode(child, undefined)),
  }
}

interface RunningCase {
  name: string
  read: Outcome<JsonValue>
  refused: string | undefined
  params: Outcome<JsonObject>
}

function runNode(node: CompiledNode, running: RunningCase, parent: { node: string; output: JsonValue } | undefined) {
  const { name, read, refused, params } = running
  const address = parent === undefined ? node.key : `${parent.node}/${node.key}`
  const found: CaseRefusal[] = []
  const refuse = (step: CaseRefusal['step'], message: string) => {
    found.push({ name, node: address, step, message })
    return found
  }
  if (node.when !== undefined && read.ok) {
    const wanted = evaluateTransformer(node.when, read.value)
    if (wanted.ok && wanted.value.output === false) return found
  }
  if (parent === undefined && refused !== undefined) return refuse('validate', refused)
  if (!node.transformer.ok) return refuse('transform.declarative', told(node.transformer.findings))
  const input = parent === undefined ? (read.ok ? read.value : null) : parent.output
  if (!params.ok) return refuse('transform.declarative', told(params.findings))
  const outcome = evaluateTransformer(node.transformer.value, input, {
    params: declared(node.transformer.value, params.value),
  })
  if (!outcome.ok) return refuse('transform.declarative', told(outcome.findings))
  const { output } = outcome.value
  if (node.template !== undefined) {
    const composed = node.template.ok ? composeTemplate(node.template.value, output, 'none') : node.template
    if (!composed.ok) return refuse('compose', told(composed.findings))
  }
  for (const child of node.children) found.push(...runNode(child, running, { node: address, output }))
  return found
}

function validate(read: Outcome<ReadInput>, schema: Outcome<CompiledSchema>): string | undefined {
  if (!read.ok) return told(read.findings)
  if (!schema.ok) return told(schema.findings)
  const findings = validatePayload(schema.value, read.value.value, { maxFindings: limits.stepIssues })
  return findings.length === 0 ? undefined : told(placedIn(read.value, findings))
}

function readParams(text: string | undefined): Outcome<JsonObject> {
  const read = text === undefined ? succeed<JsonValue>({}) : readJson(text)
  if (!read.ok) return fail(...read.findings.map((found) => ({ ...found, message: `The params: ${found.message}` })))
  return isJsonObject(read.value) ? succeed(read.value) : fail(noParams)
}

const noParams: Finding = {
  code: 'params',
  severity: 'error',
  message: 'The params are not a JSON object.',
  hint: 'Write { "name": value }, with the names that transformers declare.',
}

/** Params are for all transformers; each gets those that it declares. */
function declared(transformer: Transformer, params: JsonObject): JsonObject {
  const taken: JsonObject = {}
  for (const name of Object.keys(transformer.params)) {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (value !== undefined) setMember(taken, name, value)
  }
  return taken
}

function told(findings: readonly Finding[]): string {
  return describeFindings(findings, 3)
}
