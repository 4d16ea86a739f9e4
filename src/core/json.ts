/**
 * JSON as Quire reads it: RFC 8259 narrowed by I-JSON (RFC 7493). Whatever two parsers could understand differently is
 * refused: duplicate keys, lone surrogates, noncharacters, numbers that a double would change. Every accepted number
 * therefore equals the shortest decimal form of its double, so plain JavaScript numbers carry exact decimals through
 * the system.
 */
import { type Finding, fail, type Outcome, succeed } from './finding.ts'
import { limits } from './limits.ts'
import { formatPointer } from './pointer.ts'
import { positionAt, positionInParts } from './positions.ts'
import { atOnce, type InParts } from './turns.ts'

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }
export type JsonObject = { [key: string]: JsonValue }

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Sets an own property of any name: assigning `__proto__` would set the prototype instead. */
export function setMember(target: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    target[key] = value
  }
}

/**
 * Reads one JSON text. Bytes must be UTF-8 without a byte order mark. Refuses with exactly one finding, which has code,
 * JSON Pointer, line, column and remedy. Codes: `json.utf8`, `json.bom`, `json.syntax`, `json.duplicate-key`,
 * `json.lone-surrogate`, `json.noncharacter`, `json.nul`, `json.number`, `json.depth`.
 * @param options.maxDepth nested arrays and objects allowed; `limits.jsonDepth` unless given
 */
export function readJson(source: string | Uint8Array, options: { maxDepth?: number } = {}): Outcome<JsonValue> {
  return atOnce(readJsonInParts(source, options))
}

/** The same for a large text on a thread that others wait for. */
export function* readJsonInParts(
  source: string | Uint8Array,
  options: { maxDepth?: number } = {},
): InParts<Outcome<JsonValue>> {
  const decoded = typeof source === 'string' ? succeed(source) : yield* decodeUtf8InParts(source)
  if (!decoded.ok) return decoded
  const reader = new Reader(decoded.value, options.maxDepth ?? limits.jsonDepth)
  try {
    return succeed(yield* reader.read())
  } catch (error) {
    if (error instanceof Refusal) return fail(error.finding)
    throw error
  }
}

class Refusal extends Error {
  constructor(readonly finding: Finding) {
    super(finding.message)
  }
}

const quote = 0x22
const comma = 0x2c
const minus = 0x2d
const dot = 0x2e
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** A double preserves every decimal of up to 15 significant digits, unless its exponent is close to the extremes. */
const alwaysExactDigits = 15

/** Tuned: values read before others may have a turn, some .2 ms. */
const partValues = 2_000
/** Tuned: the same for bytes that are looked at one by one. */
const partBytes = 32_768

const noNumber = 'JSON has no such number: leave the value out, or write null.'
const noValue = 'Write null, or leave the member out.'

/** Words that other languages have in the place of a value, by themselves in small letters. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ['true', 'Write true in small letters.'],
  ['false', 'Write false in small letters.'],
  ['null', 'Write null in small letters.'],
  ['yes', 'Write true.'],
  ['no', 'Write false.'],
  ['none', noValue],
  ['nil', noValue],
  ['undefined', noValue],
  ['nan', noNumber],
  ['infinity', noNumber],
])

/** What a refusal points to: the member being read, or, while reading its key, the container around it. */
type Blamed = 'member' | 'container'

/** Works through the text with one explicit stack, so that depth costs no call stack. */
class Reader {
  private at = 0
  private readonly containers: (JsonValue[] | JsonObject)[] = []
  /** The key being read in each open object. Arrays have an empty placeholder, since their length is the index. */
  private readonly keys: string[] = []

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
  ) {}

  *read(): InParts<JsonValue> {
    if (this.text.charCodeAt(0) === 0xfeff) {
      this.refuse(
        'json.bom',
        'The text starts with a byte order mark.',
        'Save it as UTF-8 without a byte order mark.',
        0,
      )
    }
    this.skipSpace()
    if (this.at === this.text.length) {
      this.refuse('json.syntax', 'The text is empty where a JSON value is expected.', 'Give one JSON value.', this.at)
    }
    for (let values = 1; ; values++) {
      if (values % partValues === 0) yield
      let value = this.begin()
      if (value === undefined) continue
      for (;;) {
        const container = this.containers[this.containers.length - 1]
        if (container === undefined) {
          this.skipSpace()
          if (this.at < this.text.length) {
            const hint = this.text.startsWith('/', this.at)
              ? 'JSON has no comments: remove it.'
              : 'Remove what follows the first value, or put the values into an array.'
            this.refuse('json.syntax', `Expected nothing after the JSON value, found ${this.seen()}.`, hint, this.at)
          }
          return value
        }
        const isArray = Array.isArray(container)
        if (isArray) container.push(value)
        // biome-ignore lint/style/noNonNullAssertion: there is a key for every open container.
        else setMember(container, this.keys[this.keys.length - 1]!, value)
        this.skipSpace()
        const code = this.text.charCodeAt(this.at)
        if (code === comma) {
          this.at++
          if (!isArray) this.readKey(container)
          else this.refuseTrailingComma(closeBracket)
          break
        }
        if (code !== (isArray ? closeBracket : closeBrace)) {
          const expected = isArray ? 'a comma or ]' : 'a comma or }'
          const hint = this.entryHint()
          this.refuse('json.syntax', `Expected ${expected}, found ${this.seen()}.`, hint, this.at)
        }
        this.at++
        value = container
        this.containers.pop()
        this.keys.pop()
      }
    }
  }

  /** Reads a scalar or an empty container; opens any other container and answers undefined. */
  private begin(): JsonValue | undefined {
    this.skipSpace()
    const start = this.at
    const code = this.text.charCodeAt(start)
    switch (code) {
      case quote:
        this.at++
        return this.readString()
      case openBrace: {
        this.open(start)
        const made: JsonObject = {}
        if (this.text.charCodeAt(this.at) === closeBrace) {
          this.at++
          return made
        }
        this.containers.push(made)
        this.keys.push('')
        this.readKey(made)
        return undefined
      }
      case openBracket: {
        this.open(start)
        const made: JsonValue[] = []
        if (this.text.charCodeAt(this.at) === closeBracket) {
          this.at++
          return made
        }
        this.containers.push(made)
        this.keys.push('')
        return undefined
      }
      case 0x74:
        if (this.text.startsWith('true', start)) return this.word(4, true)
        break
      case 0x66:
        if (this.text.startsWith('false', start)) return this.word(5, false)
        break
      case 0x6e:
        if (this.text.startsWith('null', start)) return this.word(4, null)
        break
      default:
        if (code === minus || (code >= zero && code <= nine)) return this.readNumber()
    }
    return this.refuse('json.syntax', `Expected a value, found ${this.seen()}.`, this.valueHint(code), start)
  }

  private open(start: number): void {
    if (this.containers.length >= this.maxDepth) {
      const message = `Arrays and objects are nested deeper than ${this.maxDepth} levels.`
      this.refuse('json.depth', message, 'Flatten the structure.', start)
    }
    this.at++
    this.skipSpace()
  }

  private word<T>(length: number, value: T): T {
    this.at += length
    return value
  }

  private skipSpace(): void {
    const text = this.text
    let at = this.at
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) at++
      else break
    }
    this.at = at
  }

  private readKey(container: JsonObject): void {
    this.skipSpace()
    const start = this.at
    if (this.text.charCodeAt(start) !== quote) {
      this.keys[this.keys.length - 1] = ''
      this.refuseTrailingComma(closeBrace)
      const hint = this.keyHint()
      this.refuse('json.syntax', `Expected a key, found ${this.seen()}.`, hint, start, 'container')
    }
    this.at++
    const key = this.readString('container')
    this.keys[this.keys.length - 1] = key
    if (Object.hasOwn(container, key)) {
      const message = `The key ${brief(key)} appears twice in the same object.`
      this.refuse('json.duplicate-key', message, 'Keep one of the two.', start)
    }
    this.skipSpace()
    if (this.text.charCodeAt(this.at) !== colon) {
      this.refuse('json.syntax', `Expected a colon, found ${this.seen()}.`, 'Put a colon after the key.', this.at)
    }
    this.at++
  }

  /** Reads from behind the opening quote to behind the closing one. */
  private readString(blamed: Blamed = 'member'): string {
    const text = this.text
    const start = this.at
    let at = start
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === quote) {
        this.at = at + 1
        return text.slice(start, at)
      }
      if (code === backslash) return this.readEscaped(start, at, blamed)
      // Past the end the code is NaN, which fails the first comparison and is checked too.
      if (!(code >= 0x20 && code < 0xd800)) at += this.checkCharacter(code, at, blamed)
      else at++
    }
  }

  /** Checks the rest. A long text is resolved by JSON.parse as a whole: built from pieces, it would be slow to make and read. */
  private readEscaped(start: number, firstEscape: number, blamed: Blamed): string {
    const text = this.text
    let at = firstEscape
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === quote) {
        this.at = at + 1
        if (at - start > handResolved) return JSON.parse(text.slice(start - 1, at + 1))
        return this.resolved(start, at)
      }
      if (code === backslash) {
        const letter = text.charAt(at + 1)
        if (letter === 'u') at += this.checkEscapedUnit(at, blamed)
        else if (simpleEscapes.has(letter)) at += 2
        else {
          const hint = 'Use one of \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four hexadecimal digits.'
          this.refuse('json.syntax', `\\${letter} is no escape sequence of JSON.`, hint, at, blamed)
        }
      } else if (!(code >= 0x20 && code < 0xd800)) at += this.checkCharacter(code, at, blamed)
      else at++
    }
  }

  /** A checked text with its escapes resolved. */
  private resolved(start: number, end: number): string {
    const text = this.text
    let made = ''
    let copied = start
    for (let at = text.indexOf('\\', start); at >= 0 && at < end; at = text.indexOf('\\', copied)) {
      made += text.slice(copied, at)
      const plain = simpleEscapes.get(text.charAt(at + 1))
      made += plain ?? String.fromCharCode(this.hexUnit(at))
      copied = at + (plain === undefined ? 6 : 2)
    }
    return made + text.slice(copied, end)
  }

  /** Checks a raw character outside the common range; answers its length in code units. */
  private checkCharacter(code: number, at: number, blamed: Blamed): number {
    if (Number.isNaN(code)) {
      this.refuse('json.syntax', 'The text ends inside a string.', 'Close the string with a double quote.', at, blamed)
    }
    if (code === 0) this.refuseNul(at, blamed)
    if (code < 0x20) {
      const message = `A raw control character (U+${hex(code)}) is in a string.`
      this.refuse('json.syntax', message, 'Write it as an escape, such as \\n or \\t.', at, blamed)
    }
    const point = this.text.codePointAt(at) ?? code
    if (point >= 0xd800 && point <= 0xdfff) this.refuseSurrogate(point, at, blamed)
    if (isNoncharacter(point)) this.refuseNoncharacter(point, at, blamed)
    return point > 0xffff ? 2 : 1
  }

  /** Checks `\uXXXX`, including the second half of a pair; returns the length in code units: 6 or 12. */
  private checkEscapedUnit(at: number, blamed: Blamed): number {
    const unit = this.hexUnit(at)
    if (unit === -1) {
      const hint = 'Write \\u with exactly four hexadecimal digits.'
      this.refuse('json.syntax', 'An escape \\u lacks its four hexadecimal digits.', hint, at, blamed)
    }
    if (unit === 0) this.refuseNul(at, blamed)
    if (unit < 0xd800) return 6
    if (unit <= 0xdbff && this.text.charCodeAt(at + 6) === backslash && this.text.charAt(at + 7) === 'u') {
      const low = this.hexUnit(at + 6)
      if (low >= 0xdc00 && low <= 0xdfff) {
        const point = (unit - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000
        if (isNoncharacter(point)) this.refuseNoncharacter(point, at, blamed)
        return 12
      }
    }
    if (unit <= 0xdfff) this.refuseSurrogate(unit, at, blamed)
    if (isNoncharacter(unit)) this.refuseNoncharacter(unit, at, blamed)
    return 6
  }

  /** The unit of the `\uXXXX` that begins at a backslash, or -1. */
  private hexUnit(at: number): number {
    let unit = 0
    for (let index = at + 2; index < at + 6; index++) {
      const code = this.text.charCodeAt(index)
      let digit: number
      if (code >= zero && code <= nine) digit = code - zero
      else if (code >= 0x61 && code <= 0x66) digit = code - 0x57
      else if (code >= 0x41 && code <= 0x46) digit = code - 0x37
      else return -1
      unit = unit * 16 + digit
    }
    return unit
  }

  private readNumber(): number {
    const text = this.text
    const start = this.at
    let at = start
    if (text.charCodeAt(at) === minus) at++
    const digitsStart = at
    let integer = 0
    let code = text.charCodeAt(at)
    while (code >= zero && code <= nine) {
      integer = integer * 10 + (code - zero)
      code = text.charCodeAt(++at)
    }
    const digits = at - digitsStart
    if (digits === 0) this.refuseNumberForm(start, 'A minus sign must be followed by a digit.')
    if (digits > 1 && text.charCodeAt(digitsStart) === zero) {
      this.refuseNumberForm(start, 'A number must not start with a zero that is followed by another digit.')
    }
    if (code !== dot && code !== 0x65 && code !== 0x45) {
      this.at = at
      if (digits <= alwaysExactDigits) return digitsStart === start || integer === 0 ? integer : -integer
      return this.exactNumber(start, at)
    }
    let hasExponent = false
    if (code === dot) {
      const fractionStart = ++at
      while (isDigit(text.charCodeAt(at))) at++
      if (at === fractionStart) this.refuseNumberForm(start, 'A decimal point must be followed by a digit.')
      code = text.charCodeAt(at)
    }
    const significant = at - digitsStart - 1
    if (code === 0x65 || code === 0x45) {
      hasExponent = true
      const sign = text.charCodeAt(++at)
      if (sign === minus || sign === 0x2b) at++
      const exponentStart = at
      while (isDigit(text.charCodeAt(at))) at++
      if (at === exponentStart) this.refuseNumberForm(start, 'An exponent needs at least one digit.')
    }
    this.at = at
    if (hasExponent || significant > alwaysExactDigits) return this.exactNumber(start, at)
    const value = Number(text.slice(start, at))
    return value === 0 ? 0 : value
  }

  /** Refuses a number whose decimal value differs from the shortest form of its double. */
  private exactNumber(start: number, end: number): number {
    const text = this.text.slice(start, end)
    const value = Number(text)
    if (!Number.isFinite(value)) {
      const message = `The number ${brief(text, '')} is greater than a double can hold.`
      this.refuse('json.number', message, 'Write it as a string, or choose a smaller number.', start)
    }
    const [digits, exponent] = decimalOf(text)
    const [shortestDigits, shortestExponent] = decimalOf(String(value))
    if (digits !== shortestDigits || exponent !== shortestExponent) {
      const message = `The number ${brief(text, '')} would silently become ${value} as a double.`
      this.refuse('json.number', message, 'Write it as a string, or with at most 15 significant digits.', start)
    }
    return value === 0 ? 0 : value
  }

  private refuseNumberForm(start: number, message: string): never {
    return this.refuse('json.syntax', message, 'Write numbers as JSON does: 0, -1, 2.5 or 1e3.', start)
  }

  private refuseNul(at: number, blamed: Blamed): never {
    return this.refuse('json.nul', 'A string contains the NUL character.', 'Remove the character U+0000.', at, blamed)
  }

  private refuseSurrogate(unit: number, at: number, blamed: Blamed): never {
    const message = `A string contains half of a surrogate pair (U+${hex(unit)}).`
    return this.refuse('json.lone-surrogate', message, 'Write both halves, or remove the character.', at, blamed)
  }

  private refuseNoncharacter(point: number, at: number, blamed: Blamed): never {
    const message = `A string contains the noncharacter U+${hex(point)}, which I-JSON forbids (RFC 7493, 2.1).`
    return this.refuse('json.noncharacter', message, 'Remove the character.', at, blamed)
  }

  private refuseTrailingComma(close: number): void {
    this.skipSpace()
    if (this.text.charCodeAt(this.at) !== close) return
    const place = close === closeBracket ? 'array' : 'object'
    this.refuse(
      'json.syntax',
      `There is a comma before the end of the ${place}.`,
      'Remove the comma.',
      this.at,
      'container',
    )
  }

  private seen(): string {
    const point = this.text.codePointAt(this.at)
    if (point === undefined) return 'the end of the text'
    return point > 0x20 && point < 0x7f ? `"${String.fromCodePoint(point)}"` : `the character U+${hex(point)}`
  }

  private keyHint(): string {
    const { text, at } = this
    if (text.startsWith('/', at) || text.startsWith('#', at)) return 'JSON has no comments: remove it.'
    if (/^[“”„]/.test(text.slice(at, at + 1))) return 'Write straight double quotes: ".'
    if (/\d,\s*$/.test(text.slice(Math.max(0, at - 4), at)) && /^\d/.test(text.slice(at, at + 1))) {
      return 'Write a point in numbers: 1.5.'
    }
    return 'Write every key as a string in double quotes.'
  }

  private entryHint(): string {
    const { text, at } = this
    if (/^x/i.test(text.slice(at, at + 1)) && text.charAt(at - 1) === '0')
      return 'Write numbers as JSON does: 0, -1, 2.5 or 1e3.'
    if (/^["'“]/.test(text.slice(at, at + 1))) return 'Put a comma before it.'
    return 'Separate the entries with commas, and close what was opened.'
  }

  private valueHint(code: number): string {
    const [word = ''] = /^[A-Za-z]{1,12}/.exec(this.text.slice(this.at, this.at + 12)) ?? []
    const meant = otherWords.get(word.toLowerCase())
    if (meant !== undefined) return meant
    if (code >= 0x201c && code <= 0x201f) return 'Write straight double quotes: ".'
    if (word !== '' && this.containers.length === 0)
      return 'Write a JSON value, such as an object in braces; YAML is not read here.'
    if (code === 0x27) return 'Write strings in double quotes.'
    if (code === 0x2f) return 'JSON has no comments: remove it.'
    if (code === 0x2b || code === dot) return 'Write numbers as JSON does: 0, -1, 2.5 or 1e3.'
    return 'Write a string in double quotes, a number, true, false, null, an array or an object.'
  }

  private refuse(code: string, message: string, hint: string, offset: number, blamed: Blamed = 'member'): never {
    const tokens: (string | number)[] = []
    for (const [index, container] of this.containers.slice(0, blamed === 'container' ? -1 : undefined).entries()) {
      tokens.push(Array.isArray(container) ? container.length : (this.keys[index] ?? ''))
    }
    const position = positionAt(this.text, offset)
    throw new Refusal({ code, severity: 'error', message, hint, path: formatPointer(tokens), ...position })
  }
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/** Tuned: characters up to which a text with escapes is made of its pieces. */
const handResolved = 256

function isDigit(code: number): boolean {
  return code >= zero && code <= nine
}

/** Noncharacters: U+FDD0 to U+FDEF, and the last two code points of every plane. */
function isNoncharacter(point: number): boolean {
  return (point & 0xfffe) === 0xfffe || (point >= 0xfdd0 && point <= 0xfdef)
}

function hex(point: number): string {
  return point.toString(16).toUpperCase().padStart(4, '0')
}

function brief(text: string, mark = '"'): string {
  return text.length > 40 ? `${mark}${text.slice(0, 40).toWellFormed()}…${mark}` : `${mark}${text}${mark}`
}

/** A decimal as its significant digits and the power of ten of the last one; zero is `['', 0]`. */
export function decimalOf(text: string): [digits: string, exponent: number] {
  const mark = text.search(/[eE]/)
  const mantissa = mark === -1 ? text : text.slice(0, mark)
  const point = mantissa.indexOf('.')
  const fractionDigits = point === -1 ? 0 : mantissa.length - point - 1
  const all = mantissa.replace('-', '').replace('.', '')
  let from = 0
  while (from < all.length && all.charCodeAt(from) === zero) from++
  let to = all.length
  while (to > from && all.charCodeAt(to - 1) === zero) to--
  if (from === to) return ['', 0]
  const exponent = mark === -1 ? 0 : Number(text.slice(mark + 1))
  return [all.slice(from, to), exponent - fractionDigits + (all.length - to)]
}

/** UTF-8 as text, or the place of the first byte that isn't UTF-8. */
export function decodeUtf8(bytes: Uint8Array): Outcome<string> {
  return atOnce(decodeUtf8InParts(bytes))
}

/** The same for many megabytes, yielding on a shared thread: finding the faulty byte takes longest. */
export function* decodeUtf8InParts(bytes: Uint8Array): InParts<Outcome<string>> {
  try {
    return succeed(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    const at = yield* firstInvalidByte(bytes)
    const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, at))
    return fail({
      code: 'json.utf8',
      severity: 'error',
      message: `The bytes are not UTF-8: byte ${at} (0x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}) does not continue a character.`,
      hint: 'Save the text in UTF-8.',
      path: '',
      ...(yield* positionInParts(before, before.length)),
    })
  }
}

/** Offset of the first byte that begins no well-formed sequence (Unicode 16, table 3-7). */
function* firstInvalidByte(bytes: Uint8Array): InParts<number> {
  let at = 0
  let partEnd = partBytes
  while (at < bytes.length) {
    if (at >= partEnd) {
      partEnd = at + partBytes
      yield
    }
    // biome-ignore lint/style/noNonNullAssertion: the loop ends with the bytes.
    const lead = bytes[at]!
    let length = 1
    let low = 0x80
    let high = 0xbf
    if (lead >= 0x80) {
      if (lead >= 0xc2 && lead <= 0xdf) length = 2
      else if (lead >= 0xe0 && lead <= 0xef) length = 3
      else if (lead >= 0xf0 && lead <= 0xf4) length = 4
      else return at
      if (lead === 0xe0) low = 0xa0
      else if (lead === 0xed) high = 0x9f
      else if (lead === 0xf0) low = 0x90
      else if (lead === 0xf4) high = 0x8f
    }
    for (let index = 1; index < length; index++) {
      const byte = bytes[at + index]
      if (byte === undefined || byte < (index === 1 ? low : 0x80) || byte > (index === 1 ? high : 0xbf)) return at
    }
    at += length
  }
  return bytes.length
}
