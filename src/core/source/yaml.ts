/**
 * Reads YAML into a tree with places, from js-yaml's events. `yaml`, which also explains faults, takes some ten times as
 * long for the same tree, so it only reads texts that this gives up on. `yaml.test.ts` checks that both agree.
 */
import type { CollectionStyle, Event, ScalarEvent } from 'js-yaml'
import { Decimal } from '../decimal.ts'
import { jsYaml } from './libraries.ts'
import type { ListNode, MapNode, ScalarNode, SourceNode } from './tree.ts'

/** Faults after which reading continues. The tree is then of no use. */
export interface Refusals {
  onDuplicateKey(key: string, offset: number): void
  /** An alias, anchor or tag. */
  onMark(mark: '*' | '&' | '!', offset: number): void
}

export type PlainReading =
  | { kind: 'read'; root: SourceNode }
  /** More than `maxNodes`. */
  | { kind: 'too-many'; offset: number }
  /** A fault, or a form that `yaml` reads in its own way; `isDeep` if the text is only too deep. */
  | { kind: 'unread'; offset: number; isDeep: boolean }

/** Characters that `yaml` treats in ways of its own: control characters, tabs, a byte order mark. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unusual = /[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff]|\r(?!\n)/
/** Directives, and marks of a document's start and end. */
const documentMark = /^(?:---|\.\.\.|%)/m
const blockHeader = /[|>][+-]?(?= *(?: #[^\n]*)?\r?\n)/y
const plainNumber = /^-?(?:0|[1-9]\d{0,99})(?:\.\d{1,99})?$/
/** Every number of the core schema; exponents, plus signs and radices are left to `yaml`. */
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

/** Tuned: deeper texts are left to `yaml`, whose caller knows how deep is too deep. */
const maxDepth = 60
/** Fixed by YAML 1.2.2, 7.4, where an implicit key has at most 1,024 characters; longer ones are left to `yaml`. */
const maxKeyChars = 1_000

class Unread extends Error {}
class TooMany extends Error {}

export function readPlainYaml(text: string, maxNodes: number, refusals: Refusals): PlainReading {
  if (unusual.test(text) || documentMark.test(text)) return { kind: 'unread', offset: 0, isDeep: true }
  // An exception without a trace is the cheapest way out of a deep place.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  let builder: TreeBuilder | undefined
  try {
    builder = new TreeBuilder(text, jsYaml().parseEvents(text, { maxDepth }), maxNodes, refusals)
    return { kind: 'read', root: builder.root() }
  } catch (error) {
    const offset = builder?.end ?? 0
    if (error instanceof TooMany) return { kind: 'too-many', offset }
    if (error instanceof Unread) return { kind: 'unread', offset, isDeep: false }
    if (!(error instanceof jsYaml().YAMLException)) throw error
    return {
      kind: 'unread',
      offset: error.mark?.position ?? 0,
      isDeep: error.reason.startsWith('nesting exceeded'),
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

class TreeBuilder {
  /** Everything before this offset has been read. */
  end = 0
  private readonly library = jsYaml()
  private readonly kinds = this.library.EVENT_ID
  /** Only blanks follow. */
  private readonly contentEnd: number
  private next = 0
  private nodes = 0
  /** Inside the value of a duplicate key, whose own duplicate keys are not reported. */
  private dropped = 0

  constructor(
    private readonly text: string,
    private readonly events: readonly Event[],
    private readonly maxNodes: number,
    private readonly refusals: Refusals,
  ) {
    this.contentEnd = text.trimEnd().length
  }

  root(): SourceNode {
    if (this.take().type !== this.kinds.DOCUMENT) throw new Unread()
    const root = this.readNode(undefined, '')
    if (root.kind === 'scalar' || this.take().type !== this.kinds.POP || this.next < this.events.length) {
      throw new Unread()
    }
    return root
  }

  private take(): Event {
    const event = this.events[this.next++]
    if (event === undefined) throw new Unread()
    return event
  }

  /** Whether the collection ends here; goes past its end. */
  private isOver(): boolean {
    if (this.events[this.next]?.type !== this.kinds.POP) return false
    this.next++
    return true
  }

  private readNode(parent: SourceNode | undefined, key: string | number): SourceNode {
    const event = this.take()
    if (++this.nodes > this.maxNodes) throw new TooMany()
    switch (event.type) {
      case this.kinds.SCALAR:
        this.tellMarks(event)
        return this.readScalar(event, parent, key)
      case this.kinds.SEQUENCE:
        this.tellMarks(event)
        return this.readList({ kind: 'list', items: [], offset: this.startAt(event.start), parent, key })
      case this.kinds.MAPPING:
        this.tellMarks(event)
        return this.readMap(
          { kind: 'map', entries: [], byKey: new Map(), offset: this.startAt(event.start), parent, key },
          event.style,
        )
      case this.kinds.ALIAS:
        this.end = event.anchorEnd
        this.refusals.onMark('*', event.anchorStart - 1)
        return { kind: 'scalar', value: null, text: '', offset: event.anchorStart - 1, parent, key }
      default:
        throw new Unread()
    }
  }

  private startAt(offset: number): number {
    this.end = offset
    return offset
  }

  private tellMarks({ anchorStart, tagStart }: { anchorStart: number; tagStart: number }): void {
    const marks: ['&' | '!', number][] = []
    if (anchorStart >= 0) marks.push(['&', anchorStart - 1])
    if (tagStart >= 0) marks.push(['!', tagStart])
    for (const [mark, offset] of marks.sort(([, a], [, b]) => a - b)) this.refusals.onMark(mark, offset)
  }

  private readList(list: ListNode): ListNode {
    while (!this.isOver()) list.items.push(this.readNode(list, list.items.length))
    return list
  }

  private readMap(map: MapNode, style: CollectionStyle): MapNode {
    for (let isFirst = true; !this.isOver(); isFirst = false) {
      const { key, keyOffset } = this.readKey()
      // js-yaml 5.5 takes text after a quoted text on its line (`- "x"k: v`) for the next key of the mapping around it.
      if (!isFirst && style === this.library.COLLECTION_STYLE.BLOCK && !this.beginsLine(keyOffset)) throw new Unread()
      this.readEntry(map, key, keyOffset)
    }
    return map
  }

  /** Whether only blanks are before it on its line. */
  private beginsLine(offset: number): boolean {
    let at = offset - 1
    while (this.text[at] === ' ') at--
    return at < 0 || this.text[at] === '\n'
  }

  private readEntry(map: MapNode, key: string, keyOffset: number): void {
    const isTwice = map.byKey.has(key)
    if (isTwice && this.dropped === 0) this.refusals.onDuplicateKey(key, keyOffset)
    if (isTwice) this.dropped++
    const entry = { key, keyOffset, value: this.readNode(map, key) }
    if (isTwice) {
      this.dropped--
      return
    }
    map.entries.push(entry)
    map.byKey.set(key, entry)
  }

  private readKey(): { key: string; keyOffset: number } {
    const event = this.take()
    if (event.type !== this.kinds.SCALAR || event.anchorStart >= 0 || event.tagStart >= 0) throw new Unread()
    const { valueStart, valueEnd } = event
    if (this.isBlock(event) || valueStart < 0 || valueEnd - valueStart > maxKeyChars) throw new Unread()
    const key = this.library.getScalarValue(this.text, event)
    const isQuoted = event.style !== this.library.SCALAR_STYLE.PLAIN
    if (key === '<<' && !isQuoted) throw new Unread()
    this.end = valueEnd + Number(isQuoted)
    return { key, keyOffset: valueStart - Number(isQuoted) }
  }

  private readScalar(event: ScalarEvent, parent: SourceNode | undefined, key: string | number): ScalarNode {
    const { valueStart, valueEnd, style } = event
    // `yaml` has places of its own for missing values.
    if (valueStart < 0) throw new Unread()
    const text = this.library.getScalarValue(this.text, event)
    if (style === this.library.SCALAR_STYLE.PLAIN) {
      this.end = valueStart
      const value = plainValue(text)
      this.end = valueEnd
      return { kind: 'scalar', value, text, isPlain: true, offset: valueStart, parent, key }
    }
    const offset = this.isBlock(event) ? this.blockHeaderAt(this.end) : valueStart - 1
    this.end = this.isBlock(event) ? valueEnd : valueEnd + 1
    // At the end of a text, the two disagree about a block of blanks alone.
    if (this.isBlock(event) && text.trim() === '' && valueEnd >= this.contentEnd) throw new Unread()
    return { kind: 'scalar', value: text, text, offset, parent, key }
  }

  private isBlock({ style }: ScalarEvent): boolean {
    const { LITERAL_BLOCK, FOLDED_BLOCK } = this.library.SCALAR_STYLE
    return style === LITERAL_BLOCK || style === FOLDED_BLOCK
  }

  /**
   * The first `|` or `>` outside of comments, which begins a block scalar. Gives up on one with a digit: the libraries
   * disagree about those.
   */
  private blockHeaderAt(from: number): number {
    let at = from
    while (at < this.text.length && this.text[at] !== '|' && this.text[at] !== '>') {
      const lineEnd = this.text[at] === '#' ? this.text.indexOf('\n', at) : at
      if (lineEnd < 0) throw new Unread()
      at = lineEnd + 1
    }
    blockHeader.lastIndex = at
    if (!blockHeader.test(this.text)) throw new Unread()
    return at
  }
}

function plainValue(text: string): ScalarNode['value'] {
  const word = Object.hasOwn(words, text) ? words[text] : undefined
  if (word !== undefined) return word
  if (plainNumber.test(text)) return Decimal.parse(text) ?? Decimal.zero
  if (anyNumber.test(text)) throw new Unread()
  return text
}
