/**
 * JSON Schema 2020-12: from an author's text to a compiled schema, and from a payload to findings.
 *
 * A text passes these gates in order, and the first failing gate reports: strict JSON; metaschema; then keywords,
 * references and patterns together. Nothing is ever fetched, and nothing an author writes runs in more than linear time.
 */

import { type Finding, fail, type Outcome, succeed, tellCount } from '../../core/finding.ts'
import { type JsonValue, readJson } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { joinPointer } from '../../core/pointer.ts'
import { locatePointers } from '../../core/positions.ts'
import { type BuildOptions, buildModel } from './build.ts'
import { Evaluation, EvaluationExhausted } from './evaluate.ts'
import { type Fault, Faults } from './explain.ts'
import { keywordHint } from './keyword-slips.ts'
import { metaschema } from './metaschema.ts'
import type { SchemaModel } from './model.ts'

export interface CompiledSchema {
  /** The parsed document. */
  root: JsonValue
  /** Every schema in it, with references resolved; the checker and the case generator walk these. */
  model: SchemaModel
}

export interface ValidateOptions {
  /** `limits.schemaFindings` unless given. */
  maxFindings?: number
  /** `limits.schemaEvaluationSteps` unless given. */
  maxSteps?: number
}

/**
 * Compiles a schema's text. Findings have JSON Pointer, line and column; a success may have warnings. Codes: those of
 * `readJson`, `schema.keyword`, `schema.dialect`, `schema.foreign-reference`, `schema.unresolved-reference`,
 * `schema.endless-reference`, `schema.duplicate-id`, `schema.duplicate-anchor`, `schema.pattern`,
 * `schema.pattern-unsupported`; warnings `schema.unknown-keyword`, `schema.unknown-format`.
 */
export function compileSchema(text: string, options: BuildOptions = {}): Outcome<CompiledSchema> {
  const read = readJson(text)
  if (!read.ok) return read
  const compiled = compileSchemaValue(read.value, options)
  locate(text, compiled.findings)
  return compiled
}

/** The same for a document that is already read; findings then have no line and column. */
export function compileSchemaValue(root: JsonValue, options: BuildOptions = {}): Outcome<CompiledSchema> {
  const broken = checkAgainstMetaschema(root)
  if (broken.length > 0) return fail(...broken)
  const { model, findings, count } = buildModel(root, options)
  if (findings.some((finding) => finding.severity === 'error')) {
    // Errors first, or a hundred warnings could hide the one that refuses the schema.
    const errors = findings.filter((finding) => finding.severity === 'error')
    const warnings = findings.filter((finding) => finding.severity === 'warning')
    return fail(...tellCount([...errors, ...warnings], count))
  }
  return succeed({ root, model }, tellCount(findings, count))
}

/**
 * Validates a value. No finding means valid. Each has `path` (JSON Pointer of the value), `keyword`, a message such as
 * "must be at least 0, is -3", and the rule's place in the schema as its hint. Code: `payload.` and the keyword;
 * `payload.too-complex` or `payload.too-deep` if the value could not be judged within the bounds.
 */
export function validatePayload(schema: CompiledSchema, value: JsonValue, options: ValidateOptions = {}): Finding[] {
  return findFaults(schema, value, options).map((fault) => ('node' in fault ? payloadFinding(fault) : fault))
}

function findFaults(schema: CompiledSchema, value: JsonValue, options: ValidateOptions): (Fault | Finding)[] {
  const maxSteps = options.maxSteps ?? limits.schemaEvaluationSteps
  const faults = new Faults(options.maxFindings ?? limits.schemaFindings)
  try {
    // Nearly all payloads are valid, and checking that is cheap. Only invalid ones are walked again to find out why.
    if (new Evaluation(schema.model, maxSteps).isValid(value)) return []
    new Evaluation(schema.model, maxSteps).explain(value, faults)
  } catch (error) {
    if (!(error instanceof EvaluationExhausted)) throw error
    // Faults found so far are true, whatever else there may be.
    if (faults.list.length === 0) return [exhausted(error, maxSteps)]
  }
  return withoutRepetition(faults.list)
}

/** Whether a value is valid; also false if it could not be judged within the bounds. */
export function isValidPayload(schema: CompiledSchema, value: JsonValue, options: ValidateOptions = {}): boolean {
  try {
    return new Evaluation(schema.model, options.maxSteps ?? limits.schemaEvaluationSteps).isValid(value)
  } catch (error) {
    if (error instanceof EvaluationExhausted) return false
    throw error
  }
}

let compiledMetaschema: CompiledSchema | undefined

function metaschemaOf2020(): CompiledSchema {
  if (compiledMetaschema === undefined) {
    const { model } = buildModel(metaschema)
    // Patterns are judged when they are compiled, where the finding can say what is wrong with them.
    for (const node of model.nodes) if (node.format?.name === 'regex') node.format.test = undefined
    compiledMetaschema = { root: metaschema, model }
  }
  return compiledMetaschema
}

function checkAgainstMetaschema(root: JsonValue): Finding[] {
  const metaschema = metaschemaOf2020()
  const faults = findFaults(metaschema, root, { maxFindings: limits.schemaFindingsCounted })
  const precision = faults.length < limits.schemaFindingsCounted ? '' : 'at least '
  const listed = faults.slice(0, limits.configurationIssues).map((fault) => {
    const { message, path, keyword, code } = 'node' in fault ? payloadFinding(fault) : fault
    const subject = path?.slice(path.lastIndexOf('/') + 1)
    const sentence = subject === undefined || subject === '' ? `The schema ${message}.` : `"${subject}" ${message}.`
    const hint = keywordHint(root, path ?? '') ?? 'See the keyword in JSON Schema 2020-12.'
    const isBound = code.startsWith('payload.too-')
    return {
      code: isBound ? code.replace('payload.', 'schema.') : 'schema.keyword',
      severity: 'error' as const,
      message: sentence,
      hint,
      path: path ?? '',
      ...(keyword === undefined ? {} : { keyword }),
    }
  })
  return tellCount(listed, faults.length, precision)
}

function locate(text: string, findings: Finding[]): void {
  if (findings.length === 0) return
  const positions = locatePointers(
    text,
    findings.map((finding) => finding.path ?? ''),
  )
  for (const finding of findings) Object.assign(finding, positions.get(finding.path ?? ''))
}

/** Several schemas may state the same rule for one value; it is reported once. Also builds each message, once. */
function withoutRepetition(faults: readonly Fault[]): Fault[] {
  const told = new Set<string>()
  return faults.flatMap((fault) => {
    const message = fault.message()
    const key = `${fault.path}\n${message}`
    if (told.has(key)) return []
    told.add(key)
    return [{ ...fault, message: () => message }]
  })
}

function payloadFinding(fault: Fault): Finding {
  const { node, keyword } = fault
  const place = keyword === 'false' ? node.pointer : joinPointer(node.pointer, keyword)
  return {
    code: `payload.${keyword.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    severity: 'error',
    message: fault.message(),
    hint: `${valueHint(fault)}The rule is in the schema at #${place}.`,
    path: fault.path,
    keyword,
  }
}

function exhausted(error: EvaluationExhausted, maxSteps: number): Finding {
  const isDepth = error.reason === 'depth'
  return {
    code: isDepth ? 'payload.too-deep' : 'payload.too-complex',
    severity: 'error',
    message: isDepth
      ? `cannot be judged: schemas apply more than ${limits.schemaEvaluationDepth} levels deep`
      : `cannot be judged: it takes more than ${maxSteps} steps`,
    hint: 'Simplify the schema (nested anyOf and oneOf, large patterns) or send less data at once.',
    path: error.path,
  }
}

/** How the value itself would be right, where that is plain; ends with a blank. */
function valueHint({ keyword, choice }: Fault): string {
  if (choice === undefined) return ''
  const { options } = choice
  const actual = choice.actual()
  if (keyword === 'enum' || keyword === 'const') {
    const lower = actual.toLowerCase()
    const meant = options.find((option) => option !== actual && option.toLowerCase() === lower)
    return meant === undefined ? '' : `Write ${meant}. `
  }
  if (keyword !== 'type') return ''
  const [, text] = /^"([^"]*)"$/.exec(actual) ?? []
  if (actual === 'null') return 'Leave it out where there is none. '
  if (options.includes('an array')) return 'Put it into a list: [ … ]. '
  if (options.includes('true or false') && /^(?:"(?:true|yes|1|on)"|1)$/i.test(actual))
    return 'Write true without quotes. '
  if (options.includes('true or false') && /^(?:"(?:false|no|0|off)"|0)$/i.test(actual))
    return 'Write false without quotes. '
  if (text === undefined || !options.some((option) => option === 'a number' || option === 'an integer')) return ''
  const number = /^-?\d+(?:[.,]\d+)?$/.test(text) ? text.replace(',', '.') : undefined
  return number === undefined ? '' : `Write ${number} without quotes. `
}
