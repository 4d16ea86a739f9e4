import { Decimal } from '../../core/decimal.ts'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import {
  defaultFileFormats,
  type FileFormat,
  fileFormatNames,
  fileFormats,
  isFileFormat,
  type TextFormat,
} from '../../core/formats.ts'
import { isSlug } from '../../core/ids.ts'
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { formatPointer, parsePointer } from '../../core/pointer.ts'
import { LineIndex, type SourcePosition } from '../../core/positions.ts'
import { newestReading, type Reading } from '../../core/reading.ts'
import { type PlainSlip, plainSlip } from '../../core/source/plain-slips.ts'
import { type Remedies, readTree, shorten } from '../../core/source/read.ts'
import { pathOf, type ScalarNode, type SourceNode } from '../../core/source/tree.ts'
import { areMakeable, formatsBehind, makeableChoices } from '../../core/steps.ts'
import { readFirstYaml } from './first-reading.ts'
import { checkInputFormat, type InputFormat } from './input-format.ts'
import { contractKeys, languageName, metadataFields, modelKeys, nodeKeys, objectKeys } from './model-keys.ts'
import { sentence } from './sentence.ts'
import { contractHint, keyMeant, slugHint, sourceHint, textHint, versionHint } from './slips.ts'

/**
 * ingestion-model-v1: which contract a submission's raw input must satisfy, where its object reference and official
 * object time come from, and the tree of nodes that process it.
 */
export interface IngestionModel {
  contract: { name: string; version: number }
  /** What inputs are written in; JSON unless given. */
  input?: InputFormat
  object: { reference: ValueSource; time: ValueSource }
  nodes: ModelNode[]
}

/** `metadata.<field>` of the intake metadata, or a JSON Pointer into the raw input. */
export type ValueSource = { metadata: string } | { pointer: string }

export interface ModelNode {
  key: string
  label: string
  /** Family slugs; the versions in force at the official object time are used. */
  transformer: string
  template?: string
  formats: FileFormat[]
  /** A declarative-v1 condition on the raw input: an excluded node gets no execution, nor do its children. */
  when?: JsonValue
  children: ModelNode[]
}

/** `[docx] or [docx, pdf]` */
function choicesInWords(): string {
  const choices = makeableChoices().map((formats) => `[${formats.join(', ')}]`)
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices)
}

/** `a PDF is made from the DOCX, so docx is always one of them` */
function whyTheChoices(): string {
  const made = fileFormatNames.flatMap((format) =>
    formatsBehind(format).map(
      (behind) => `a ${fileFormats[format].label} is made from the ${fileFormats[behind].label}`,
    ),
  )
  const first = fileFormatNames.filter((format) => formatsBehind(format).length === 0)
  return `${made.join(', ')}, so ${first.join(' and ')} is always one of them`
}

/**
 * Parses and checks a model; all findings at once, each with its place.
 * @param reading the rules that the source was frozen under; today's unless given
 */
export function compileIngestionModel(
  source: string,
  format: TextFormat,
  reading: Reading = newestReading,
): Outcome<IngestionModel> {
  if (new TextEncoder().encode(source).length > limits.sourceBytes) {
    return fail(finding('source_too_long', '', `the source is longer than ${limits.sourceBytes} bytes`, 'shorten it'))
  }
  if (reading === 1 && format === 'yaml') {
    const first = readFirstYaml(source)
    return first.ok ? earlier(new Checker(first.value.locate).check(first.value.root)) : first
  }
  const tree = readTree(source, format, remedies)
  if (!tree.ok) return tree
  const lines = new LineIndex(source)
  const findings: Finding[] = []
  const root = jsonOf(tree.value, (node, message, hint) => {
    findings.push({ ...finding('ingestion.number', pathOf(node), message, hint), ...lines.positionOf(node.offset) })
  })
  if (findings.length > 0) return fail(...findings.slice(0, limits.configurationIssues))
  const slips = slipsIn(tree.value, false).map(({ node, slip }) => {
    const { message, hint } = slip
    const warned: Finding = { code: 'ingestion.plain', severity: 'warning', path: pathOf(node), message, hint }
    return { ...warned, ...lines.positionOf(node.offset) }
  })
  const checked = new Checker((tokens) => lines.positionOf(nodeAt(tree.value, tokens).offset)).check(root)
  const model = checked.ok ? succeed(checked.value, [...checked.findings, ...slips]) : checked
  return reading < 5 ? earlier(model) : model
}

/** A model whose inputs are read by the rules before the fifth. */
function earlier(model: Outcome<IngestionModel>): Outcome<IngestionModel> {
  if (!model.ok || model.value.input === undefined) return model
  return succeed({ ...model.value, input: { ...model.value.input, isEarlier: true } }, model.findings)
}

/** The place of the value at a JSON Pointer, or of the last value on the way, in a model that compiles by today's rules. */
export function placesIn(source: string, format: TextFormat): (pointer: string) => SourcePosition | undefined {
  const tree = readTree(source, format, remedies)
  if (!tree.ok) return () => undefined
  const lines = new LineIndex(source)
  return (pointer) => lines.positionOf(nodeAt(tree.value, parsePointer(pointer) ?? []).offset)
}

const remedies: Remedies = {
  alias: 'Write the value out.',
  anchor: 'Write the value out where it is needed.',
  merge: 'Write the keys out.',
  deep: 'Flatten the tree of nodes, or the condition.',
  long: 'Shorten it, or split the model.',
  empty: 'Begin with "model: ingestion-model-v1".',
}

/** Ambiguous scalars that conditions compare with; anything else is checked against what its key accepts. */
function slipsIn(node: SourceNode, inCondition: boolean): { node: ScalarNode; slip: PlainSlip }[] {
  if (node.kind === 'list') return node.items.flatMap((item) => slipsIn(item, inCondition))
  if (node.kind === 'map') {
    return node.entries.flatMap(({ key, value }) => slipsIn(value, inCondition || key === 'when'))
  }
  const slip = inCondition ? plainSlip(node) : undefined
  return slip === undefined ? [] : [{ node, slip }]
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Refuses a number that JSON would write differently or not keep exactly: a condition would compare with another number. */
function jsonOf(node: SourceNode, refuse: (node: SourceNode, message: string, hint: string) => void): JsonValue {
  if (node.kind === 'list') return node.items.map((item) => jsonOf(item, refuse))
  if (node.kind === 'map') {
    const made: JsonObject = {}
    for (const { key, value } of node.entries) setMember(made, key, jsonOf(value, refuse))
    return made
  }
  const { value, text } = node
  if (!(value instanceof Decimal)) return value
  const number = Number(text)
  if (!jsonNumber.test(text)) {
    refuse(
      node,
      `${shorten(text)} is not a number as JSON writes it.`,
      'Write it in decimal digits, or quote it if it is text.',
    )
  } else if (!Number.isFinite(number) || !Decimal.fromNumber(number).subtract(value).isZero()) {
    refuse(node, `${shorten(text)} is not kept exactly.`, 'Write at most 15 digits, or quote it if it is text.')
  }
  return number
}

/** The node at a path, or the last one on the way to it. */
function nodeAt(root: SourceNode, tokens: Tokens): SourceNode {
  let node = root
  for (const token of tokens) {
    const next =
      node.kind === 'map'
        ? node.byKey.get(String(token))?.value
        : node.kind === 'list'
          ? node.items[Number(token)]
          : undefined
    if (next === undefined) break
    node = next
  }
  return node
}

function finding(code: string, path: string, message: string, hint: string): Finding {
  return { code, severity: 'error', path, message: sentence(message), hint: sentence(hint) }
}

type Tokens = readonly (string | number)[]

class Checker {
  readonly #findings: Finding[] = []
  readonly #addresses = new Set<string>()
  #nodeCount = 0

  constructor(private readonly locate: (tokens: Tokens) => { line: number; column: number } | undefined) {}

  check(root: JsonValue): Outcome<IngestionModel> {
    if (!isJsonObject(root)) {
      this.#refuse([], 'type', 'an ingestion model is a mapping', 'begin with "model: ingestion-model-v1"')
      return fail(...this.#findings)
    }
    this.#refuseUnknownKeys([], root, modelKeys)
    if (root.model !== languageName) {
      this.#refuse(['model'], 'model', 'model must be ingestion-model-v1', 'write "model: ingestion-model-v1"')
    }
    const input = root.input === undefined ? undefined : checkInputFormat(root.input, this.#refuse.bind(this))
    const model = {
      contract: this.#contract(root.contract),
      ...(input === undefined ? {} : { input }),
      object: this.#object(root.object),
      nodes: this.#nodes(['nodes'], root.nodes, '', 1),
    }
    return this.#findings.length > 0 ? fail(...this.#findings.slice(0, limits.configurationIssues)) : succeed(model)
  }

  #contract(value: JsonValue | undefined): IngestionModel['contract'] {
    if (!isJsonObject(value)) {
      this.#refuse(['contract'], 'required', 'contract must be a mapping of name and version', contractHint(value))
      return { name: '', version: 0 }
    }
    this.#refuseUnknownKeys(['contract'], value, contractKeys)
    const { version } = value
    if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
      this.#refuse(['contract', 'version'], 'type', 'version must be a whole number from 1', versionHint(version))
    }
    return { name: this.#text(['contract', 'name'], value.name), version: Number(version) }
  }

  #object(value: JsonValue | undefined): IngestionModel['object'] {
    const byDefault = { reference: { metadata: 'source_object' }, time: { metadata: 'source_timestamp' } }
    if (value === undefined) return byDefault
    if (!isJsonObject(value)) {
      this.#refuse(
        ['object'],
        'type',
        'object must be a mapping of reference and time',
        'leave it out for the defaults',
      )
      return byDefault
    }
    this.#refuseUnknownKeys(['object'], value, objectKeys)
    return {
      reference: this.#source(['object', 'reference'], value.reference) ?? byDefault.reference,
      time: this.#source(['object', 'time'], value.time) ?? byDefault.time,
    }
  }

  #source(tokens: Tokens, value: JsonValue | undefined): ValueSource | undefined {
    if (value === undefined) return undefined
    if (typeof value === 'string' && value.startsWith('/') && parsePointer(value) !== undefined)
      return { pointer: value }
    const field = typeof value === 'string' && value.startsWith('metadata.') ? value.slice('metadata.'.length) : ''
    if (metadataFields.includes(field)) return { metadata: field }
    this.#refuse(
      tokens,
      'source',
      `${formatPointer(tokens)} is neither a JSON Pointer nor a field of the metadata`,
      sourceHint(value) ??
        `use a pointer such as /policy/number, or one of ${metadataFields.map((name) => `metadata.${name}`).join(', ')}`,
    )
    return undefined
  }

  #nodes(tokens: Tokens, value: JsonValue | undefined, address: string, depth: number): ModelNode[] {
    if (!Array.isArray(value) || value.length === 0) {
      this.#refuse(
        tokens,
        'required',
        `${formatPointer(tokens)} must be a list of at least one node`,
        isJsonObject(value ?? null)
          ? 'put a hyphen before its first key: - key: letter'
          : 'add a node with key, label and transformer',
      )
      return []
    }
    if (depth > limits.modelDepth) {
      this.#refuse(tokens, 'depth', `nodes are nested more than ${limits.modelDepth} deep`, 'flatten the tree')
      return []
    }
    this.#nodeCount += value.length
    if (this.#nodeCount > limits.modelNodes) {
      this.#refuse(tokens, 'count', `there are more than ${limits.modelNodes} nodes`, 'split the model')
      return []
    }
    return value.map((node, index) => this.#node([...tokens, index], node, address, depth))
  }

  #node(tokens: Tokens, value: JsonValue, parentAddress: string, depth: number): ModelNode {
    if (!isJsonObject(value)) {
      this.#refuse(tokens, 'type', 'a node is a mapping', 'give it key, label and transformer')
      return { key: '', label: '', transformer: '', formats: [], children: [] }
    }
    this.#refuseUnknownKeys(tokens, value, nodeKeys)
    const key = this.#slug([...tokens, 'key'], value.key)
    const address = `${parentAddress}:${key}`
    if (this.#addresses.has(address)) {
      this.#refuse([...tokens, 'key'], 'duplicate', `two sibling nodes have the key "${key}"`, 'rename one of them')
    }
    this.#addresses.add(address)
    const node: ModelNode = {
      key,
      label: this.#text([...tokens, 'label'], value.label, limits.nodeLabelChars),
      transformer: this.#slug([...tokens, 'transformer'], value.transformer),
      formats: this.#formats([...tokens, 'formats'], value.formats, value.template !== undefined),
      children:
        value.children === undefined ? [] : this.#nodes([...tokens, 'children'], value.children, address, depth + 1),
    }
    if (value.template !== undefined) node.template = this.#slug([...tokens, 'template'], value.template)
    if (value.when !== undefined) node.when = value.when
    return node
  }

  #formats(tokens: Tokens, value: JsonValue | undefined, hasTemplate: boolean): FileFormat[] {
    if (value === undefined) return hasTemplate ? [...defaultFileFormats] : []
    if (!hasTemplate) {
      this.#refuse(
        tokens,
        'formats',
        'formats is set on a node without a template',
        'add the template, or leave formats out',
      )
      return []
    }
    const formats = Array.isArray(value) ? value.filter(isFileFormat) : []
    const isList = Array.isArray(value) && value.length > 0 && new Set(value).size === value.length
    if (isList && formats.length === value.length && areMakeable(formats)) return formats
    this.#refuse(tokens, 'formats', `formats must be ${choicesInWords()}`, whyTheChoices())
    return []
  }

  #text(tokens: Tokens, value: JsonValue | undefined, maxLength = 200): string {
    if (typeof value === 'string' && value.length > 0 && value.length <= maxLength) return value
    this.#refuse(
      tokens,
      'type',
      `${formatPointer(tokens)} must be text of 1 to ${maxLength} characters`,
      textHint(value),
    )
    return ''
  }

  #slug(tokens: Tokens, value: JsonValue | undefined): string {
    if (typeof value === 'string' && value.length <= limits.slugChars && isSlug(value)) return value
    this.#refuse(
      tokens,
      'slug',
      `${formatPointer(tokens)} must be a slug of at most ${limits.slugChars} characters`,
      slugHint(value),
    )
    return ''
  }

  #refuseUnknownKeys(tokens: Tokens, value: Record<string, JsonValue>, known: readonly string[]): void {
    for (const key of Object.keys(value)) {
      if (!known.includes(key))
        this.#refuse([...tokens, key], 'unknown_key', `there is no key "${key}" here`, keyMeant(key, known))
    }
  }

  #refuse(tokens: Tokens, code: string, message: string, hint: string): void {
    const place = this.locate(tokens)
    this.#findings.push({ ...finding(`ingestion.${code}`, formatPointer(tokens), message, hint), ...place })
  }
}
