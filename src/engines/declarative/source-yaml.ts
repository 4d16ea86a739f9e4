/**
 * Reads the YAML that people write, in one pass: block and flow collections, scalars on one line, block scalars,
 * comments. It makes the very tree that the library makes of the same text (`source-yaml.test.ts` compares them), at a
 * tenth of the cost; whatever else a text holds, faults included, is left to the library by giving up.
 */
import { parseDocument } from 'yaml'
import { Decimal } from '../../core/decimal.ts'
import { limits } from '../../core/limits.ts'
import type { ListNode, MapNode, ScalarNode, SourceNode } from './source.ts'

/** Told of what is refused and yet easily read past; the tree that is read is then not used. */
export interface Refusals {
  onDuplicateKey(key: string, offset: number): void
  /** An alias, anchor or tag. */
  onMark(mark: '*' | '&' | '!', offset: number): void
}

export type PlainReading =
  | { kind: 'read'; root: SourceNode }
  /** More than `limits.transformSourceNodes`. */
  | { kind: 'too-many'; offset: number }
  /** A form that only the library reads, or a fault that only it explains; `isDeep` where it was only too deep for here. */
  | { kind: 'unread'; offset: number; isDeep: boolean }

/** Characters that the library treats in ways of its own: control characters, tabs, a byte order mark. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unusual = /[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff]|\r(?!\n)/
/** Directives, and marks of a document's start and end. */
const documentMark = /^(?:---|\.\.\.|%)/m
const blockHeader = /[|>][+-]?(?= *(?: #[^\n]*)?\r?\n)/y
const plainNumber = /^-?(?:0|[1-9]\d{0,99})(?:\.\d{1,99})?$/
/** Everything the core schema reads as a number, and the exponents, signs and radices that are left to the library. */
const anyNumber =
  /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[\da-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const words: Record<string, boolean | null> = {
  '~': null,
  null: null,
  Null: null,
  NULL: null,
  true: true,
  True: true,
  TRUE: true,
  false: false,
  False: false,
  FALSE: false,
}

/** Deeper texts are left to the library, which knows how deep is too deep. */
const maxDepth = 60
const maxKeyChars = 1_000
/** Each is given to the library by itself. */
const maxBlockScalars = 500

class Unread extends Error {}
class TooMany extends Error {}

export function readPlainYaml(text: string, refusals: Refusals): PlainReading {
  if (unusual.test(text) || documentMark.test(text)) return { kind: 'unread', offset: 0, isDeep: true }
  const reader = new Reader(text, refusals)
  // An exception without a trace is the cheapest way out of a deep place.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return { kind: 'read', root: reader.readRoot() }
  } catch (error) {
    if (error instanceof TooMany) return { kind: 'too-many', offset: reader.at }
    if (error instanceof Unread) return { kind: 'unread', offset: reader.at, isDeep: reader.isDeep }
    throw error
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

interface Scanned {
  value: ScalarNode['value']
  text: string
}

class Reader {
  at = 0
  private nodes = 0
  private depth = 0
  private blockScalars = 0
  /** Inside the value of a key that stands twice, whose own faults are not told. */
  private dropped = 0
  private lineStart = 0

  constructor(
    private readonly text: string,
    private readonly refusals: Refusals,
  ) {}

  readRoot(): SourceNode {
    const indent = this.nextContent()
    if (indent !== 0) throw new Unread()
    const root = this.readBlockNode(-1, undefined, '')
    if (root.kind === 'scalar' || this.nextContent() !== undefined) throw new Unread()
    return root
  }

  /** Goes to the next line with content, and answers its indentation; undefined at the end. Stands still on content. */
  private nextContent(): number | undefined {
    const { text } = this
    for (;;) {
      let at = this.at
      while (text[at] === ' ') at++
      const char = text[at]
      if (char === undefined) {
        this.at = at
        return undefined
      }
      if (char === '#') at = this.lineEnd(at)
      else if (char !== '\n' && char !== '\r') {
        this.at = at
        return at - this.lineStart
      }
      if (text[at] === '\r') at++
      if (text[at] === undefined) {
        this.at = at
        return undefined
      }
      this.at = at + 1
      this.lineStart = this.at
    }
  }

  private lineEnd(from: number): number {
    const end = this.text.indexOf('\n', from)
    if (end < 0) return this.text.length
    return this.text[end - 1] === '\r' ? end - 1 : end
  }

  /** After a value only blanks and a comment may follow on its line; goes to the line's end. */
  private endLine(): void {
    const { text } = this
    while (text[this.at] === ' ') this.at++
    const char = text[this.at]
    if (char === '#' && text[this.at - 1] === ' ') this.at = this.lineEnd(this.at)
    else if (char !== undefined && char !== '\n' && char !== '\r') throw new Unread()
  }

  get isDeep(): boolean {
    return this.depth > maxDepth
  }

  private count(): void {
    if (++this.nodes > limits.transformSourceNodes) throw new TooMany()
  }

  private enter(): void {
    this.depth++
    if (this.isDeep) throw new Unread()
  }

  /** A collection or scalar that starts here, in a block whose parent is indented by `outer` columns. */
  private readBlockNode(outer: number, parent: SourceNode | undefined, key: string | number): SourceNode {
    const { text } = this
    const column = this.at - this.lineStart
    if (text[this.at] === '-' && isBlank(text[this.at + 1])) return this.readBlockList(column, parent, key)
    const start = this.at
    if (this.skipKey()) {
      this.at = start
      return this.readBlockMap(column, parent, key)
    }
    this.at = start
    return this.readInline(outer, parent, key)
  }

  private readBlockList(column: number, parent: SourceNode | undefined, key: string | number): ListNode {
    const { text } = this
    this.count()
    this.enter()
    const list: ListNode = { kind: 'list', items: [], offset: this.at, parent, key }
    do {
      this.at++
      while (text[this.at] === ' ') this.at++
      const line = this.lineStart
      const indent = this.nextContent()
      if (indent === undefined || (this.lineStart !== line && indent <= column)) throw new Unread()
      list.items.push(this.readBlockNode(column, list, list.items.length))
    } while (this.nextContent() === column && text[this.at] === '-' && isBlank(text[this.at + 1]))
    this.leave(column)
    return list
  }

  private readBlockMap(column: number, parent: SourceNode | undefined, key: string | number): MapNode {
    this.count()
    this.enter()
    const map: MapNode = { kind: 'map', entries: [], byKey: new Map(), offset: this.at, parent, key }
    do {
      const keyOffset = this.at
      const name = this.readKey()
      this.addEntry(map, name, keyOffset, () => this.readMapValue(column, map, name))
    } while (this.nextContent() === column)
    this.leave(column)
    return map
  }

  private readMapValue(column: number, map: MapNode, name: string): SourceNode {
    const { text } = this
    const line = this.lineStart
    const indent = this.nextContent()
    if (indent === undefined) throw new Unread()
    if (this.lineStart === line) return this.readInline(column, map, name)
    if (indent > column) return this.readBlockNode(column, map, name)
    // A list may stand at the column of its key.
    if (indent === column && text[this.at] === '-' && isBlank(text[this.at + 1])) {
      return this.readBlockList(column, map, name)
    }
    throw new Unread()
  }

  /** What follows a block has to be indented less: the end of a list, or a line that belongs to no block, is neither. */
  private leave(column: number): void {
    const indent = this.nextContent()
    if (indent !== undefined && indent > column) throw new Unread()
    this.depth--
  }

  private addEntry(map: MapNode, key: string, keyOffset: number, readValue: () => SourceNode): void {
    const isTwice = map.byKey.has(key)
    if (isTwice && this.dropped === 0) this.refusals.onDuplicateKey(key, keyOffset)
    if (isTwice) this.dropped++
    const entry = { key, keyOffset, value: readValue() }
    if (isTwice) {
      this.dropped--
      return
    }
    map.entries.push(entry)
    map.byKey.set(key, entry)
  }

  /** Whether a key and its colon start here; goes past both. */
  private skipKey(): boolean {
    const { text } = this
    const start = this.at
    const char = text[start]
    if (char === '"' || char === "'") {
      this.readQuoted(char)
      while (text[this.at] === ' ') this.at++
      if (text[this.at] !== ':') return false
    } else {
      if (char !== undefined && '[{|>*&!'.includes(char)) return false
      this.skipPlain(false)
      if (text[this.at] !== ':') return false
    }
    if (!isBlank(text[this.at + 1]) || this.at - start > maxKeyChars) throw new Unread()
    this.at++
    return true
  }

  private readKey(): string {
    const start = this.at
    const char = this.text[start]
    if (char === '"' || char === "'") {
      const key = this.readQuoted(char)
      this.at = start
      if (!this.skipKey()) throw new Unread()
      return key
    }
    if (!this.skipKey()) throw new Unread()
    let end = this.at - 1
    while (this.text[end - 1] === ' ') end--
    const key = this.text.slice(start, end)
    if (key === '<<') throw new Unread()
    return key
  }

  /** A scalar or flow collection with nothing after it on its line, whose next line is no continuation. */
  private readInline(outer: number, parent: SourceNode | undefined, key: string | number): SourceNode {
    const char = this.text[this.at]
    if (char === '|' || char === '>') return this.readBlockScalar(outer, parent, key)
    if (char === '[' || char === '{') {
      const node = this.readFlow(outer, parent, key)
      this.endLine()
      return node
    }
    this.count()
    const offset = this.at
    const scanned = this.readScalar(false)
    this.endLine()
    const indent = this.nextContent()
    if (indent !== undefined && indent > outer) throw new Unread()
    return { kind: 'scalar', ...scanned, offset, parent, key }
  }

  private readScalar(inFlow: boolean): Scanned {
    const char = this.text[this.at]
    if (char === '*' || char === '&' || char === '!') {
      this.refusals.onMark(char, this.at)
      this.skipMark(inFlow)
      if (char === '*') return { value: null, text: '' }
      if ('*&!'.includes(this.text[this.at] ?? '')) throw new Unread()
      return this.readScalar(inFlow)
    }
    if (char === '"' || char === "'") {
      const value = this.readQuoted(char)
      return { value, text: value }
    }
    const start = this.at
    this.skipPlain(inFlow)
    let end = this.at
    while (this.text[end - 1] === ' ') end--
    // A colon here is that of a mapping inside a line, or of a key in a flow list.
    if (this.text[this.at] === ':') throw new Unread()
    const text = this.text.slice(start, end)
    return { value: plainValue(text), text }
  }

  /** Past the name of an alias, an anchor or a tag; after the last two a scalar follows on the line, or nothing is read. */
  private skipMark(inFlow: boolean): void {
    const { text } = this
    const isAlias = text[this.at] === '*'
    while (!isBlank(text[this.at]) && !(inFlow && isFlowMark(text[this.at]))) this.at++
    if (isAlias) return
    while (text[this.at] === ' ') this.at++
  }

  /** To the colon, comment, flow mark or line end that ends the plain scalar that starts here. */
  private skipPlain(inFlow: boolean): void {
    const { text } = this
    const first = text[this.at]
    if (first === undefined || ',[]{}#&*!|>\'"%@`'.includes(first)) throw new Unread()
    if ((first === '-' || first === '?' || first === ':') && (isBlank(text[this.at + 1]) || inFlow)) {
      // A negative number is the one plain scalar of a flow collection that may well start with such a mark.
      if (!inFlow || first !== '-' || !isDigit(text[this.at + 1])) throw new Unread()
    }
    for (let at = this.at; ; at++) {
      const char = text[at]
      const ends =
        char === undefined ||
        char === '\n' ||
        char === '\r' ||
        (char === '#' && text[at - 1] === ' ') ||
        (char === ':' && (isBlank(text[at + 1]) || (inFlow && isFlowMark(text[at + 1])))) ||
        (inFlow && isFlowMark(char))
      if (!ends) continue
      this.at = at
      return
    }
  }

  /** The text between quotation marks, which has to end on its line. */
  private readQuoted(quote: '"' | "'"): string {
    const { text } = this
    const start = this.at
    let at = start + 1
    for (;;) {
      const char = text[at]
      if (char === undefined || char === '\n' || char === '\r') throw new Unread()
      if (char === '\\' && quote === '"') at += 2
      else if (char !== quote) at++
      else if (quote === "'" && text[at + 1] === quote) at += 2
      else break
    }
    this.at = at + 1
    const inner = text.slice(start + 1, at)
    if (quote === "'") return inner.replaceAll("''", "'")
    if (!inner.includes('\\')) return inner
    try {
      return JSON.parse(text.slice(start, at + 1)) as string
    } catch {
      // An escape that JSON does not know.
      throw new Unread()
    }
  }

  /** The library reads it, out of its place: what a block scalar says depends on its own lines only. */
  private readBlockScalar(outer: number, parent: SourceNode | undefined, key: string | number): ScalarNode {
    this.count()
    const { text } = this
    const offset = this.at
    blockHeader.lastIndex = offset
    if (!blockHeader.test(text) || ++this.blockScalars > maxBlockScalars) throw new Unread()
    let end = text.indexOf('\n', offset) + 1
    for (let start = end; start < text.length; start = end) {
      let column = start
      while (text[column] === ' ') column++
      const isEmpty = text[column] === undefined || text[column] === '\n' || text[column] === '\r'
      if (!isEmpty && column - start <= Math.max(outer, 0)) break
      const newline = text.indexOf('\n', start)
      end = newline < 0 ? text.length : newline + 1
    }
    const document = parseDocument(`k: ${text.slice(offset, end)}`, { version: '1.2', schema: 'core' })
    const value: unknown = document.errors.length + document.warnings.length > 0 ? undefined : document.get('k')
    if (typeof value !== 'string') throw new Unread()
    this.at = end
    this.lineStart = end
    const indent = this.nextContent()
    if (indent !== undefined && indent > outer) throw new Unread()
    return { kind: 'scalar', value, text: value, offset, parent, key }
  }

  private readFlow(outer: number, parent: SourceNode | undefined, key: string | number): SourceNode {
    const char = this.text[this.at]
    if (char === '[') return this.readFlowList(outer, parent, key)
    if (char === '{') return this.readFlowMap(outer, parent, key)
    this.count()
    const offset = this.at
    return { kind: 'scalar', ...this.readScalar(true), offset, parent, key }
  }

  private readFlowList(outer: number, parent: SourceNode | undefined, key: string | number): ListNode {
    this.count()
    this.enter()
    const list: ListNode = { kind: 'list', items: [], offset: this.at, parent, key }
    this.at++
    for (this.skipFlowBlank(outer); this.text[this.at] !== ']'; this.skipComma(outer, ']')) {
      list.items.push(this.readFlow(outer, list, list.items.length))
    }
    this.at++
    this.depth--
    return list
  }

  private readFlowMap(outer: number, parent: SourceNode | undefined, key: string | number): MapNode {
    this.count()
    this.enter()
    const { text } = this
    const map: MapNode = { kind: 'map', entries: [], byKey: new Map(), offset: this.at, parent, key }
    this.at++
    for (this.skipFlowBlank(outer); text[this.at] !== '}'; this.skipComma(outer, '}')) {
      const keyOffset = this.at
      const name = this.readFlowKey()
      this.addEntry(map, name, keyOffset, () => {
        this.skipFlowBlank(outer)
        if (text[this.at] === ',' || text[this.at] === '}') throw new Unread()
        return this.readFlow(outer, map, name)
      })
    }
    this.at++
    this.depth--
    return map
  }

  private readFlowKey(): string {
    const { text } = this
    const start = this.at
    const char = text[start]
    if (char === '"' || char === "'") {
      const key = this.readQuoted(char)
      if (text[this.at] !== ':' || this.at - start > maxKeyChars) throw new Unread()
      this.at++
      return key
    }
    this.skipPlain(true)
    const key = text.slice(start, this.at).trimEnd()
    if (text[this.at] !== ':' || this.at - start > maxKeyChars || key === '<<') throw new Unread()
    this.at++
    return key
  }

  /** Over the comma, to the next entry or the end. */
  private skipComma(outer: number, end: ']' | '}'): void {
    this.skipFlowBlank(outer)
    if (this.text[this.at] === ',') {
      this.at++
      this.skipFlowBlank(outer)
    } else if (this.text[this.at] !== end) throw new Unread()
  }

  /** Blanks and line ends; a further line must be indented more than the block around. */
  private skipFlowBlank(outer: number): void {
    const { text } = this
    for (;;) {
      const char = text[this.at]
      if (char === ' ') this.at++
      else if (char === '\n' || char === '\r') {
        if (this.nextContent() === undefined) throw new Unread()
        if (this.at - this.lineStart <= outer || text[this.at] === '#') throw new Unread()
      } else if (char === undefined || char === '#') throw new Unread()
      else return
    }
  }
}

function plainValue(text: string): ScalarNode['value'] {
  const word = Object.hasOwn(words, text) ? words[text] : undefined
  if (word !== undefined) return word
  if (plainNumber.test(text)) return Decimal.parse(text) ?? Decimal.zero
  if (anyNumber.test(text)) throw new Unread()
  return text
}

function isBlank(char: string | undefined): boolean {
  return char === undefined || char === ' ' || char === '\n' || char === '\r'
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= '0' && char <= '9'
}

function isFlowMark(char: string | undefined): boolean {
  return char === ',' || char === '[' || char === ']' || char === '{' || char === '}'
}
