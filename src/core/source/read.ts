/**
 * Reads the text of a transformer or an ingestion model into a tree whose nodes know their offset and JSON Pointer. YAML is the 1.2 core
 * schema without features that hide a document's meaning: anchors, aliases, tags, merge keys, directives, duplicate keys and further
 * documents are refused.
 */
import type { CST, Document, ParsedNode, Scalar } from 'yaml'
import { Decimal } from '../decimal.ts'
import { type Finding, fail, type Outcome, succeed, tellCount } from '../finding.ts'
import { readJson } from '../json.ts'
import { limits } from '../limits.ts'
import { LineIndex } from '../positions.ts'
import { readJsonTree } from './json.ts'
import { yamlLibrary } from './libraries.ts'
import type { ListNode, MapNode, ScalarNode, SourceNode } from './tree.ts'
import { readPlainYaml } from './yaml.ts'

export type SourceFormat = 'yaml' | 'json'

/** What a language proposes instead of what is refused here. */
export interface Remedies {
  alias: string
  anchor: string
  merge: string
  deep: string
  long: string
  empty: string
}

/** Fails with findings about the text itself: the first `limits.configurationIssues`, and the total number. */
export function readTree(text: string, format: SourceFormat, remedies: Remedies): Outcome<SourceNode> {
  if (text.length > limits.sourceBytes || new TextEncoder().encode(text).length > limits.sourceBytes) {
    return fail({
      code: 'size',
      severity: 'error',
      message: `The source is longer than ${limits.sourceBytes} bytes.`,
      hint: remedies.long,
    })
  }
  return format === 'json' ? readJsonSource(text) : readYamlSource(text, remedies)
}

function readJsonSource(text: string): Outcome<SourceNode> {
  const read = readJson(text)
  if (!read.ok) return fail(...read.findings)
  return succeed(readJsonTree(text))
}

/** The lexer announces a plain or block scalar's text with this control character. */
const scalarFollows = '\x1f'

const refusedMarks = {
  '*': ['no_alias', 'Aliases'],
  '&': ['no_alias', 'Anchors'],
  '!': ['no_tag', 'Tags'],
  '%': ['yaml', 'Directives'],
} as const satisfies Record<string, [code: string, what: string]>

type Mark = keyof typeof refusedMarks

function remedyFor(mark: Mark, { alias, anchor }: Remedies): string {
  switch (mark) {
    case '*':
      return alias
    case '&':
      return anchor
    case '!':
      return 'Quote text that must stay text; other types follow from the form of the value.'
    case '%':
      return 'Remove the line: the source is always YAML 1.2.'
  }
}

function readYamlSource(text: string, remedies: Remedies): Outcome<SourceNode> {
  const report = new Report(text, remedies)
  const plain = readPlainYaml(text, limits.transformSourceNodes, {
    onDuplicateKey: (key, offset) => addDuplicate(report, key, offset),
    onMark: (mark, offset) => addMark(report, mark, offset),
  })
  if (plain.kind === 'read') return report.count > 0 ? fail(...report.finish()) : succeed(plain.root)
  if (plain.kind === 'unread') return readAnyYaml(text, plain, remedies)
  report.add('size', plain.offset, `The source has more than ${limits.transformSourceNodes} values.`, 'Split it.')
  return fail(...report.finish())
}

/** Reads with the library: all of YAML, and what is wrong with anything else. */
export function readAnyYaml(
  text: string,
  unread: { offset: number; isDeep: boolean },
  remedies: Remedies,
): Outcome<SourceNode> {
  const report = new Report(text, remedies)
  const document = composeYaml(text, report, unread)
  if (document === undefined || report.count > 0) return fail(...report.finish())
  // A fault at the very end of a text that was cut comes from the cut.
  const end = report.isCut ? document.range[2] : Number.POSITIVE_INFINITY
  for (const { pos, message } of document.errors) {
    if (pos[0] < end) report.add('yaml', pos[0], yamlMessage(message), yamlHint(message))
  }
  if (report.count === 0 && report.isCut) report.add('size', unread.offset, rareMessage, rareHint)
  if (report.count > 0) return fail(...report.finish())
  if (document.contents === null) {
    report.add('yaml', 0, 'The source is empty.', remedies.empty)
    return fail(...report.finish())
  }
  const root = convert(document.contents, undefined, '', report)
  return report.count > 0 ? fail(...report.finish()) : succeed(root)
}

/** The first sentence of the library's message, which may continue on further lines. */
function yamlMessage(message: string): string {
  const line = message.replace(/\n.*/s, '').slice(0, 200)
  return line.endsWith('.') ? line : `${line}.`
}

/** What authors mean where the library stops, by a piece of its message. */
const yamlHints: readonly [piece: string, hint: string][] = [
  ['Tabs are not allowed', 'Indent with blanks.'],
  [
    'Nested mappings',
    'Quote text that holds a colon and a blank, as in "Dear: Ann", and give keys of one mapping the same indent.',
  ],
  [
    'Block collections are not allowed',
    'Put braces around the inner mapping, or quote text that holds a colon and a blank.',
  ],
  ['Implicit keys', 'Put a blank behind the colon of a key, as in a: 1, and give keys of one mapping the same indent.'],
  ['block scalar indicator', 'Quote it: ">".'],
  ['reserved character', 'Quote text that begins with @ or `.'],
  ['directive indicator', 'Quote text that begins with %.'],
  ['Missing closing', 'Close the text with the quote that it begins with.'],
  ['Flow sequence', 'Close the list with ].'],
  ['Flow map', 'Close the mapping with }.'],
  ['All mapping items must start at the same column', 'Give keys of one mapping the same indent.'],
  ['All sequence items must start at the same column', 'Give items of one list the same indent.'],
]

function yamlHint(message: string): string {
  return (
    yamlHints.find(([piece]) => message.includes(piece))?.[1] ??
    'Mend the YAML syntax: quote text with signs, and look for a wrong indent.'
  )
}

/** Braces in the place of a key are a tag of a template more often than a mapping. */
function keyHint(offset: number, { text }: Report): string {
  const [, path] = /^\{\s*([/.$][^{}\s]*)\s*\}\}/.exec(text.slice(offset, offset + 100)) ?? []
  return path === undefined
    ? 'Quote it if it should be text.'
    : `Write ${path} alone: double braces belong to templates.`
}

/**
 * Drives the library's stages by hand: depth and size are bounded before anything recursive runs, and refused marks are
 * found even where the rest of the text is malformed. Only the first document is composed, and only if everything before
 * succeeded, so refused text costs only lexing and parsing. On its first run this takes several microseconds a token,
 * hence the bound on tokens, after which the rest of the text is left unread.
 */
function composeYaml(
  text: string,
  report: Report,
  unread: { offset: number; isDeep: boolean },
): Document.Parsed | undefined {
  const { Lexer, Parser } = yamlLibrary()
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let offset = 0
  let previous = ''
  let lexemes = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes > limits.transformRareYamlTokens) {
      report.isCut = true
      break
    }
    const mark = previous === scalarFollows ? undefined : lexeme[0]
    if (mark !== undefined && isRefusedMark(mark)) addMark(report, mark, offset)
    // Control characters are signals between the stages, and have no length in the text.
    const signal = lexeme.length === 1 && (lexeme === scalarFollows || lexeme === '\x02' || lexeme === '\x18')
    if (!signal || previous === scalarFollows) offset += lexeme.length
    previous = previous === scalarFollows ? '' : lexeme
    if (parser.stack.length > limits.jsonDepth + 2) {
      // Unrelated lines pile up in the parser, whose depth then says nothing about the text.
      if (unread.isDeep) report.add('depth', offset, tooDeep, report.remedies.deep)
      else
        report.add(
          'yaml',
          unread.offset,
          'From here on this is not YAML.',
          'Look for a second colon or a wrong indent.',
        )
      return undefined
    }
    for (const token of parser.next(lexeme)) keepToken(token, tokens, report)
  }
  for (const token of parser.end()) if (!report.isCut || token.type !== 'error') keepToken(token, tokens, report)
  return report.count > 0 ? undefined : composeDocument(tokens, offset)
}

const tooDeep = `The source is nested deeper than ${limits.jsonDepth}.`
const rareMessage = `This is not YAML, or a rare form of it, which is read up to ${limits.transformRareYamlTokens} tokens only.`
const rareHint = 'Look for a mistake here, write the value on one line, or split the source.'

/** Reports faults here: the composer makes an exception of each, which costs a hundred times as much. */
function keepToken(token: CST.Token, tokens: CST.Token[], report: Report): void {
  if (token.type === 'error') report.add('yaml', token.offset, yamlMessage(token.message), yamlHint(token.message))
  else if (token.type !== 'document' || !tokens.some(({ type }) => type === 'document')) tokens.push(token)
  else report.add('yaml', token.offset, 'There is more than one document.', 'Keep one, without "---" after it.')
}

function composeDocument(tokens: readonly CST.Token[], length: number): Document.Parsed | undefined {
  const { Composer } = yamlLibrary()
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    keepSourceTokens: false,
  })
  // The library makes an exception of each remark; without stack traces, which nobody reads, they cost a tenth.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    const documents: Document.Parsed[] = []
    for (const token of tokens) documents.push(...composer.next(token))
    documents.push(...composer.end(true, length))
    return documents[0]
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function convert(
  node: ParsedNode | null,
  parent: SourceNode | undefined,
  key: string | number,
  report: Report,
): SourceNode {
  if (node === null) {
    return { kind: 'scalar', value: null, text: '', isPlain: true, offset: parent?.offset ?? 0, parent, key }
  }
  const { isMap, isScalar, isSeq } = yamlLibrary()
  const offset = node.range[0]
  if (isMap(node)) {
    const map: MapNode = { kind: 'map', entries: [], byKey: new Map(), offset, parent, key }
    for (const pair of node.items) addEntry(map, pair.key as ParsedNode, pair.value as ParsedNode | null, report)
    return map
  }
  if (isSeq(node)) {
    const list: ListNode = { kind: 'list', items: [], offset, parent, key }
    for (const item of node.items) list.items.push(convert(item as ParsedNode, list, list.items.length, report))
    return list
  }
  if (!isScalar(node)) return { kind: 'scalar', value: null, text: '', offset, parent, key }
  const value = scalarValue(node, offset, report)
  const scalar: ScalarNode = { kind: 'scalar', value, text: node.source ?? '', offset, parent, key }
  if (node.type === 'PLAIN') scalar.isPlain = true
  return scalar
}

function addEntry(map: MapNode, keyNode: ParsedNode | null, valueNode: ParsedNode | null, report: Report): void {
  const { isScalar } = yamlLibrary()
  const keyOffset = keyNode?.range[0] ?? map.offset
  if (keyNode !== null && !isScalar(keyNode)) {
    report.add('yaml', keyOffset, 'A key must be a plain word or text.', keyHint(keyNode.range[0], report))
    return
  }
  const key = typeof keyNode?.value === 'string' ? keyNode.value : (keyNode?.source ?? '')
  if (key === '<<' && keyNode?.type === 'PLAIN') {
    report.add('no_alias', keyOffset, 'Merge keys are not allowed.', report.remedies.merge)
    return
  }
  if (map.byKey.has(key)) {
    addDuplicate(report, key, keyOffset)
    return
  }
  const entry = { key, keyOffset, value: convert(valueNode, map, key, report) }
  if (valueNode === null) entry.value.offset = keyOffset
  map.entries.push(entry)
  map.byKey.set(key, entry)
}

function isRefusedMark(mark: string): mark is Mark {
  return mark in refusedMarks
}

function addMark(report: Report, mark: Mark, offset: number): void {
  const [code, what] = refusedMarks[mark]
  report.add(code, offset, `${what} are not allowed.`, remedyFor(mark, report.remedies))
}

function addDuplicate(report: Report, key: string, offset: number): void {
  report.add('duplicate_key', offset, `The key "${shorten(key)}" appears here twice.`, 'Remove or rename one.')
}

function scalarValue(node: Scalar, offset: number, report: Report): ScalarNode['value'] {
  const value = node.value
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value !== 'number') return null
  if (!Number.isFinite(value)) {
    report.add(
      'yaml',
      offset,
      `${shorten(node.source ?? '')} is not a number that can be used.`,
      'Quote it if it is text.',
    )
    return Decimal.zero
  }
  return Decimal.parse(node.source ?? '') ?? Decimal.fromNumber(value)
}

export function shorten(text: string, length = 60): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}

/** Collects findings of the text, keeps the first hundred, and counts the rest. */
class Report {
  count = 0
  /** Reading ended early, so there may be more findings than were counted. */
  isCut = false
  private readonly findings: Finding[] = []

  private readonly lines: LineIndex

  constructor(
    readonly text: string,
    readonly remedies: Remedies,
  ) {
    this.lines = new LineIndex(text)
  }

  add(code: string, offset: number, message: string, hint: string | undefined): void {
    this.count++
    if (this.count > limits.configurationIssues) return
    const position = this.lines.positionOf(offset)
    this.findings.push({
      code,
      severity: 'error',
      message,
      ...(hint === undefined ? {} : { hint }),
      path: '',
      ...position,
    })
  }

  finish(): Finding[] {
    return tellCount(this.findings, this.count, this.isCut ? 'at least ' : '')
  }
}
