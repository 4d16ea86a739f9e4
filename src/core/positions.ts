/** Places in a source text: lines and columns of offsets and of JSON Pointers. */
import { parsePointer } from './pointer.ts'
import { atOnce, type InParts } from './turns.ts'

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** 1-based; the column counts UTF-16 code units, as editors do. */
export interface SourcePosition {
  line: number
  column: number
}

/**
 * The places of values in a JSON text that `readJson` accepted, in one pass for all pointers. Pointers to nothing have
 * no entry.
 */
export function locatePointers(text: string, pointers: Iterable<string>): Map<string, SourcePosition> {
  const wanted: Wanted = { members: new Map() }
  for (const pointer of pointers) {
    const tokens = parsePointer(pointer)
    if (tokens === undefined) continue
    let node = wanted
    for (const token of tokens) {
      let next = node.members.get(token)
      if (next === undefined) {
        next = { members: new Map() }
        node.members.set(token, next)
      }
      node = next
    }
    node.pointer = pointer
  }
  return new Locator(text, wanted).locate()
}

interface Wanted {
  members: Map<string, Wanted>
  pointer?: string
}

/** Walks a text already known to be JSON, and follows only what is wanted. */
class Locator {
  private readonly found = new Map<string, SourcePosition>()
  private line = 1
  private lineStart = 0
  private counted = 0

  constructor(
    private readonly text: string,
    private readonly wanted: Wanted,
  ) {}

  locate(): Map<string, SourcePosition> {
    const text = this.text
    const stack: { isArray: boolean; index: number; node: Wanted | undefined }[] = []
    let node: Wanted | undefined = this.wanted
    let at = 0
    while (at < text.length) {
      const code = text.charCodeAt(at)
      const top = stack[stack.length - 1]
      if (code <= 0x20 || code === colon) at++
      else if (code === comma) {
        at++
        if (top?.isArray) node = top.node?.members.get(String(++top.index))
      } else if (code === closeBrace || code === closeBracket) {
        stack.pop()
        node = undefined
        at++
      } else if (code === quote && top !== undefined && !top.isArray && this.isKey(at)) {
        const end = stringEnd(text, at)
        node = top.node?.members.get(JSON.parse(text.slice(at, end)) as string)
        at = end
      } else {
        if (node?.pointer !== undefined) this.found.set(node.pointer, this.position(at))
        if (code === openBrace || code === openBracket) {
          const isArray = code === openBracket
          stack.push({ isArray, index: 0, node })
          node = isArray ? node?.members.get('0') : undefined
          at++
        } else if (code === quote) at = stringEnd(text, at)
        else while (at < text.length && !isStructural(text.charCodeAt(at))) at++
      }
    }
    return this.found
  }

  /** In an object a string is a key exactly when the last token before it is not a colon. */
  private isKey(at: number): boolean {
    let before = at - 1
    while (before >= 0 && this.text.charCodeAt(before) <= 0x20) before--
    return this.text.charCodeAt(before) !== colon
  }

  private position(at: number): SourcePosition {
    for (; this.counted < at; this.counted++) {
      if (this.text.charCodeAt(this.counted) !== 0x0a) continue
      this.line++
      this.lineStart = this.counted + 1
    }
    return { line: this.line, column: at - this.lineStart + 1 }
  }
}

function isStructural(code: number): boolean {
  return code <= 0x20 || code === comma || code === closeBrace || code === closeBracket
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    at += code === backslash ? 2 : 1
  }
}

/** 1-based line and column of an offset in UTF-16 code units; lines end with LF or CR LF. */
export function positionAt(text: string, offset: number): SourcePosition {
  return atOnce(positionInParts(text, offset))
}

/** The same for a text of many megabytes, on a thread that others wait for. */
export function* positionInParts(text: string, offset: number): InParts<SourcePosition> {
  const { line, start } = yield* lineInParts(text, offset)
  return { line, column: offset - start + 1 }
}

/** Tuned: characters that are looked at before others may have a turn, some .1 ms. */
const partChars = 65_536

/** The line that an offset is on, with the offset at which that line starts. */
export interface LinePlace {
  line: number
  start: number
}

/**
 * The line of an offset. Yields between parts, since a file may have millions of lines.
 * @param from an earlier place to count lines from
 */
export function* lineInParts(
  text: string,
  offset: number,
  from: LinePlace = { line: 1, start: 0 },
): InParts<LinePlace> {
  let { line, start } = from
  for (let at = start, partEnd = at + partChars; at < offset; at++) {
    if (at === partEnd) {
      partEnd += partChars
      yield
    }
    if (text.charCodeAt(at) !== 0x0a) continue
    line++
    start = at + 1
  }
  return { line, start }
}

/** Positions of many offsets in one text. Finds the starts of lines once, on first use. */
export class LineIndex {
  private starts: number[] | undefined

  constructor(private readonly text: string) {}

  positionOf(offset: number): SourcePosition {
    this.starts ??= this.findStarts()
    let low = 0
    let high = this.starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      // biome-ignore lint/style/noNonNullAssertion: between the first start and the last.
      if (this.starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    // biome-ignore lint/style/noNonNullAssertion: the same, and every text has a first line.
    return { line: low + 1, column: offset - this.starts[low]! + 1 }
  }

  /** The other way around. */
  offsetOf({ line, column }: SourcePosition): number {
    this.starts ??= this.findStarts()
    return (this.starts[line - 1] ?? this.text.length) + column - 1
  }

  private findStarts(): number[] {
    const starts = [0]
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) starts.push(at + 1)
    return starts
  }
}
