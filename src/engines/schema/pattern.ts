/**
 * Patterns: read as ECMA-262 with the `u` flag, as JSON Schema wants, and run by RE2 (re2js), whose time is linear in
 * the text whatever the pattern. Neither accepts the other's syntax unchanged: RE2 knows ASCII `\s` only, has no
 * `\cX`, `\uXXXX` or long category names, and cannot do look-around or back-references at all.
 */
import { RE2JS } from 're2js'
import { limits } from '../../core/limits.ts'

export interface CompiledPattern {
  /** The author's text. */
  source: string
  /** How many RE2 instructions it takes, about: matching costs at most this times the text's length. */
  weight: number
  /** The same pattern as RE2 reads it: of all constructs only those that `generate/pattern-text.ts` lists are left. */
  re2: string
  test(text: string): boolean
}

/** Why a pattern is refused: it is no ECMA-262 pattern, or one that cannot run in linear time. */
export interface PatternFault {
  kind: 'syntax' | 'unsupported'
  message: string
  hint: string
}

export type PatternResult = { ok: true; value: CompiledPattern } | { ok: false; fault: PatternFault }

/** Compiles an author's pattern. Never hands it to the native engine, which backtracks without bound. */
export function compilePattern(source: string): PatternResult {
  const read = readPattern(source)
  if (!read.ok) return read
  const fault = read.compile()
  return fault === undefined ? { ok: true, value: read.value } : { ok: false, fault }
}

/**
 * The first half of `compilePattern`: tells syntax and weight, which is cheap. The value must not be used before
 * `compile` has been called and has found no fault.
 */
export function readPattern(
  source: string,
): { ok: true; value: CompiledPattern; compile(): PatternFault | undefined } | { ok: false; fault: PatternFault } {
  const reader = new PatternReader(source)
  const translated = reader.translate()
  if (reader.fault !== undefined) return { ok: false, fault: reader.fault }
  if (translated.weight > limits.schemaPatternInstructions) {
    const message = `the pattern needs more than ${limits.schemaPatternInstructions} steps when its repetitions are written out`
    return { ok: false, fault: { kind: 'unsupported', message, hint: 'Use minLength and maxLength to bound lengths.' } }
  }
  const value: CompiledPattern = { source, weight: translated.weight, re2: translated.text, test: () => false }
  const compile = (): PatternFault | undefined => {
    try {
      const compiled = RE2JS.compile(translated.text)
      value.test = (text) => compiled.test(text)
      return undefined
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
      const message = `the pattern has no linear-time form (${reason})`
      return { kind: 'unsupported', message, hint: 'Write it with simpler constructs.' }
    }
  }
  return { ok: true, value, compile }
}

/** Whether a text is an ECMA-262 pattern, also one that we would refuse to run: this is what `format: regex` asks. */
export function isEcmaPattern(source: string): boolean {
  const reader = new PatternReader(source)
  reader.translate()
  return reader.fault?.kind !== 'syntax'
}

interface Piece {
  text: string
  weight: number
  /** Anchors and boundaries, which a quantifier must not follow. */
  isAssertion?: boolean
}

type Range = readonly [from: number, to: number]

const lastPoint = 0x10ffff
const digitRanges: Range[] = [[0x30, 0x39]]
const wordRanges: Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]
/** WhiteSpace and LineTerminator of ECMA-262, sections 12.2 and 12.3. */
const spaceRanges: Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]
const anyButLineEnd = '[^\\x{A}\\x{D}\\x{2028}\\x{2029}]'
const controlEscapes: Record<string, number> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d }

/** Fixed by RE2, which refuses a counter above this: longer ones are written as a sequence. */
const re2CounterMax = 1000

const longCategories: Record<string, string> = {
  Letter: 'L',
  Cased_Letter: 'LC',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Combining_Mark: 'M',
  Nonspacing_Mark: 'Mn',
  Spacing_Mark: 'Mc',
  Enclosing_Mark: 'Me',
  Number: 'N',
  Decimal_Number: 'Nd',
  digit: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  punct: 'P',
  Connector_Punctuation: 'Pc',
  Dash_Punctuation: 'Pd',
  Open_Punctuation: 'Ps',
  Close_Punctuation: 'Pe',
  Initial_Punctuation: 'Pi',
  Final_Punctuation: 'Pf',
  Other_Punctuation: 'Po',
  Symbol: 'S',
  Math_Symbol: 'Sm',
  Currency_Symbol: 'Sc',
  Modifier_Symbol: 'Sk',
  Other_Symbol: 'So',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Line_Separator: 'Zl',
  Paragraph_Separator: 'Zp',
  Other: 'C',
  Control: 'Cc',
  cntrl: 'Cc',
  Format: 'Cf',
  Surrogate: 'Cs',
  Private_Use: 'Co',
}

/** Reads a pattern once, from left to right; the first syntax fault wins over the first unsupported construct. */
class PatternReader {
  fault: PatternFault | undefined
  private readonly points: number[]
  private at = 0
  private groups = 0
  private depth = 0
  private highestBackReference = 0
  private readonly names = new Set<string>()
  private readonly namesUsed: string[] = []

  constructor(source: string) {
    this.points = Array.from(source, (character) => character.codePointAt(0)!)
  }

  translate(): Piece {
    const piece = this.alternatives()
    if (this.at < this.points.length && this.fault?.kind !== 'syntax')
      this.syntax('a closing parenthesis has no opening one')
    if (this.highestBackReference > this.groups)
      this.syntax(`it refers back to group ${this.highestBackReference}, which it does not have`)
    for (const name of this.namesUsed)
      if (!this.names.has(name)) this.syntax(`it refers back to the group "${name}", which it does not have`)
    return piece
  }

  private alternatives(): Piece {
    const texts: string[] = []
    let weight = 0
    for (;;) {
      const piece = this.sequence()
      texts.push(piece.text)
      weight += piece.weight + 1
      if (!this.take('|')) return { text: texts.join('|'), weight }
    }
  }

  private sequence(): Piece {
    let text = ''
    let weight = 0
    while (this.at < this.points.length && this.fault?.kind !== 'syntax') {
      const next = this.peek()
      if (next === '|' || next === ')') break
      const piece = this.quantified(this.atom())
      text += piece.text
      weight += piece.weight
    }
    return { text, weight }
  }

  private quantified(atom: Piece): Piece {
    const next = this.peek()
    let least: number
    let most: number
    if (next === '*') [least, most] = [0, Number.POSITIVE_INFINITY]
    else if (next === '+') [least, most] = [1, Number.POSITIVE_INFINITY]
    else if (next === '?') [least, most] = [0, 1]
    else {
      const counts = next === '{' ? this.counts() : undefined
      if (counts === undefined) return atom
      ;[least, most] = counts
    }
    if (next !== '{') this.at++
    this.take('?')
    if (atom.isAssertion) this.syntax('a quantifier follows something that has no length')
    if (least > most) this.syntax(`the counts {${least},${most}} are in the wrong order`)
    const repeats = Number.isFinite(most) ? most : least + 1
    const weight = atom.weight * repeats
    // Writing out what is refused for its weight anyway could take all the memory there is.
    if (weight > limits.schemaPatternInstructions) return { text: '', weight }
    return { text: repeat(atom.text, least, most), weight }
  }

  /** `{n}`, `{n,}`, `{n,m}`; any other brace is a literal, as browsers have it. */
  private counts(): [number, number] | undefined {
    const start = this.at
    this.at++
    const least = this.decimal()
    let most = least
    if (this.take(',')) most = this.peek() === '}' ? Number.POSITIVE_INFINITY : this.decimal()
    if (least === undefined || most === undefined || !this.take('}')) {
      this.at = start
      return undefined
    }
    return [least, most]
  }

  private atom(): Piece {
    const point = this.points[this.at++]!
    switch (String.fromCodePoint(point)) {
      case '^':
        return { text: '\\A', weight: 1, isAssertion: true }
      case '$':
        return { text: '\\z', weight: 1, isAssertion: true }
      case '.':
        return { text: anyButLineEnd, weight: 1 }
      case '(':
        return this.group()
      case '[':
        return this.characterClass()
      case '\\':
        return this.escape()
      case '*':
      case '+':
      case '?':
        this.syntax('a quantifier has nothing to repeat')
        return { text: '', weight: 1 }
      default:
        return literal(point)
    }
  }

  private group(): Piece {
    let isAssertion = false
    if (this.take('?')) {
      if (this.take(':')) {
        // A plain group.
      } else if (this.take('=') || this.take('!')) {
        isAssertion = true
        this.unsupported('look-ahead')
      } else if (this.take('<')) {
        if (this.take('=') || this.take('!')) {
          isAssertion = true
          this.unsupported('look-behind')
        } else {
          const name = this.groupName()
          if (this.names.has(name)) this.syntax(`the group name "${name}" stands twice`)
          this.names.add(name)
          this.groups++
        }
      } else this.syntax('"(?" begins no group of ECMA-262')
    } else this.groups++
    if (++this.depth > limits.schemaPatternDepth)
      this.syntax(`groups are nested deeper than ${limits.schemaPatternDepth}`)
    const inner = this.alternatives()
    this.depth--
    if (!this.take(')')) this.syntax('a parenthesis is not closed')
    return { text: `(?:${inner.text})`, weight: inner.weight, ...(isAssertion ? { isAssertion } : {}) }
  }

  private groupName(): string {
    let name = ''
    while (this.at < this.points.length && this.peek() !== '>') name += String.fromCodePoint(this.points[this.at++]!)
    if (!this.take('>') || !/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name)) {
      this.syntax('a group name is not an identifier between < and >')
    }
    return name
  }

  private escape(): Piece {
    const next = this.peek()
    if (next === 'b' || next === 'B') {
      this.at++
      return { text: `\\${next}`, weight: 1, isAssertion: true }
    }
    if (next >= '1' && next <= '9') {
      this.highestBackReference = Math.max(this.highestBackReference, this.decimal() ?? 0)
      this.unsupported('a back-reference')
      return { text: '', weight: 1 }
    }
    if (next === 'k') {
      this.at++
      if (!this.take('<')) this.syntax('"\\k" must be followed by a group name between < and >')
      this.namesUsed.push(this.groupName())
      this.unsupported('a back-reference')
      return { text: '', weight: 1 }
    }
    const set = this.setEscape()
    if (set !== undefined) return { text: `[${set}]`, weight: 1 }
    return literal(this.pointEscape(false))
  }

  /** `\d \D \w \W \s \S \p{…} \P{…}` as the inside of a character class, or undefined for any other escape. */
  private setEscape(): string | undefined {
    const next = this.peek()
    switch (next) {
      case 'd':
      case 'D':
      case 'w':
      case 'W':
      case 's':
      case 'S': {
        this.at++
        const lower = next.toLowerCase()
        const ranges = lower === 'd' ? digitRanges : lower === 'w' ? wordRanges : spaceRanges
        return writeRanges(next === lower ? ranges : complement(ranges))
      }
      case 'p':
      case 'P':
        this.at++
        return this.propertyEscape(next)
      default:
        return undefined
    }
  }

  private propertyEscape(letter: 'p' | 'P'): string {
    let text = ''
    if (this.take('{'))
      while (/^[A-Za-z0-9_=]$/.test(this.peek())) text += String.fromCodePoint(this.points[this.at++]!)
    if (text === '' || !this.take('}') || !isPropertyName(text)) {
      this.syntax(`"\\${letter}" names no property of Unicode`)
      return ''
    }
    if (text === 'Any') return letter === 'p' ? writeRanges([[0, lastPoint]]) : ''
    if (text === 'ASCII') return writeRanges(letter === 'p' ? [[0, 0x7f]] : [[0x80, lastPoint]])
    const equals = text.indexOf('=')
    const name = text.slice(0, equals)
    if (name === 'scx' || name === 'Script_Extensions') this.unsupported('the property Script_Extensions')
    const value = text.slice(equals + 1)
    return `\\${letter}{${longCategories[value] ?? value}}`
  }

  /** An escape that stands for one code point. */
  private pointEscape(inClass: boolean): number {
    const point = this.points[this.at++]
    if (point === undefined) {
      this.syntax('it ends with a backslash')
      return 0
    }
    const letter = String.fromCodePoint(point)
    const control = controlEscapes[letter]
    if (control !== undefined) return control
    if (letter === 'c') {
      const named = this.peek()
      if (/^[A-Za-z]$/.test(named)) return this.points[this.at++]! % 32
      this.syntax('"\\c" must be followed by a letter')
    } else if (letter === '0') {
      if (!/^[0-9]$/.test(this.peek())) return 0
      this.syntax('octal escapes are not allowed')
    } else if (letter === 'x') {
      return this.hexadecimal(2)
    } else if (letter === 'u') {
      return this.unicodeEscape()
    } else if (letter === 'b' && inClass) {
      return 0x08
    } else if (/^[A-Za-z0-9]$/.test(letter)) {
      this.syntax(`"\\${letter}" is no escape of ECMA-262`)
    }
    return point
  }

  private unicodeEscape(): number {
    if (this.take('{')) {
      let value = 0
      let digits = 0
      while (/^[0-9A-Fa-f]$/.test(this.peek()) && value <= lastPoint) {
        value = value * 16 + Number.parseInt(String.fromCodePoint(this.points[this.at++]!), 16)
        digits++
      }
      if (digits === 0 || value > lastPoint || !this.take('}')) {
        this.syntax('"\\u{" must be followed by a code point in hexadecimal and "}"')
        return 0
      }
      return value
    }
    const high = this.hexadecimal(4)
    if (high < 0xd800 || high > 0xdbff || this.peek() !== '\\' || this.points[this.at + 1] !== 0x75) return high
    const start = this.at
    this.at += 2
    const low = this.peek() === '{' ? 0 : this.hexadecimal(4)
    if (low >= 0xdc00 && low <= 0xdfff) return (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000
    this.at = start
    return high
  }

  private hexadecimal(digits: number): number {
    const text = this.points
      .slice(this.at, this.at + digits)
      .map((point) => String.fromCodePoint(point))
      .join('')
    if (text.length !== digits || !/^[0-9A-Fa-f]+$/.test(text)) {
      this.syntax(`an escape lacks its ${digits} hexadecimal digits`)
      return 0
    }
    this.at += digits
    return Number.parseInt(text, 16)
  }

  private characterClass(): Piece {
    const isNegated = this.take('^')
    let text = ''
    for (;;) {
      if (this.at >= this.points.length) {
        this.syntax('a character class is not closed')
        break
      }
      if (this.fault?.kind === 'syntax') break
      if (this.take(']')) break
      const from = this.classAtom()
      if (this.peek() === '-' && this.points[this.at + 1] !== undefined && this.points[this.at + 1] !== 0x5d) {
        this.at++
        const to = this.classAtom()
        if (typeof from === 'string' || typeof to === 'string')
          this.syntax('a range in a character class must go from character to character')
        else if (from > to) this.syntax('a range in a character class is in the wrong order')
        else text += writeRanges([[from, to]])
      } else text += typeof from === 'string' ? from : writeRanges([[from, from]])
    }
    if (text === '')
      return {
        text: isNegated ? `[${writeRanges([[0, lastPoint]])}]` : `[^${writeRanges([[0, lastPoint]])}]`,
        weight: 1,
      }
    return { text: `[${isNegated ? '^' : ''}${text}]`, weight: 1 }
  }

  private classAtom(): number | string {
    const point = this.points[this.at++]!
    if (point !== 0x5c) return point
    return this.setEscape() ?? (this.peek() === '-' ? this.points[this.at++]! : this.pointEscape(true))
  }

  private peek(): string {
    const point = this.points[this.at]
    return point === undefined ? '' : String.fromCodePoint(point)
  }

  private take(character: string): boolean {
    if (this.points[this.at] !== character.codePointAt(0)) return false
    this.at++
    return true
  }

  private decimal(): number | undefined {
    let text = ''
    while (/^[0-9]$/.test(this.peek())) text += String.fromCodePoint(this.points[this.at++]!)
    return text === '' ? undefined : Number(text)
  }

  private syntax(message: string): void {
    if (this.fault?.kind === 'syntax') return
    const hint = 'Write the pattern as ECMA-262 has it with the flag u, without slashes and flags.'
    this.fault = { kind: 'syntax', message: `the pattern is not valid: ${message}`, hint }
  }

  private unsupported(construct: string): void {
    const message = `the pattern uses ${construct}, which cannot run in linear time`
    const hint = 'Express the condition with several patterns in allOf or not, or with other keywords.'
    this.fault ??= { kind: 'unsupported', message, hint }
  }
}

function literal(point: number): Piece {
  return { text: `\\x{${point.toString(16)}}`, weight: 1 }
}

function writeRanges(ranges: readonly Range[]): string {
  return ranges.map(([from, to]) => (from === to ? point(from) : `${point(from)}-${point(to)}`)).join('')
}

function point(value: number): string {
  return `\\x{${value.toString(16)}}`
}

function complement(ranges: readonly Range[]): Range[] {
  const made: Range[] = []
  let next = 0
  for (const [from, to] of ranges) {
    if (from > next) made.push([next, from - 1])
    next = to + 1
  }
  made.push([next, lastPoint])
  return made
}

function repeat(atom: string, least: number, most: number): string {
  if (least <= re2CounterMax && (most <= re2CounterMax || most === Number.POSITIVE_INFINITY)) {
    if (most === Number.POSITIVE_INFINITY)
      return least === 0 ? `${atom}*` : least === 1 ? `${atom}+` : `${atom}{${least},}`
    return `${atom}{${least},${most}}`
  }
  let text = ''
  for (let left = least; left > 0; left -= re2CounterMax) text += `${atom}{${Math.min(left, re2CounterMax)}}`
  if (most === Number.POSITIVE_INFINITY) return `(?:${text}${atom}*)`
  for (let left = most - least; left > 0; left -= re2CounterMax) text += `${atom}{0,${Math.min(left, re2CounterMax)}}`
  return `(?:${text})`
}

/** The native engine only judges the name here, which is letters, digits, `_` and `=`; it matches nothing. */
function isPropertyName(text: string): boolean {
  try {
    new RegExp(`\\p{${text}}`, 'u')
    return true
  } catch {
    return false
  }
}
