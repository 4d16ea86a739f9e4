/** Reads a pattern of ECMA-262 and writes it as RE2 reads it. */
import { limits } from '../limits.ts'
import { literal, type Piece, repeat } from './piece.ts'
import {
  complement,
  digitRanges,
  isPropertyName,
  lastPoint,
  shortCategory,
  spaceRanges,
  wordRanges,
  writeRanges,
} from './sets.ts'

/** Why a pattern is refused: it is no ECMA-262 pattern, or one that cannot run in linear time. */
export interface PatternFault {
  kind: 'syntax' | 'unsupported'
  message: string
  hint: string
}

const anyButLineEnd = '[^\\x{A}\\x{D}\\x{2028}\\x{2029}]'
const controlEscapes: Record<string, number> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d }

/** What `\b` is inside a character class. */
const backspace = 0x08

/** Reads a pattern once, from left to right. The first syntax fault takes precedence over the first unsupported construct. */
export class PatternReader {
  fault: PatternFault | undefined
  private readonly characters: readonly string[]
  private at = 0
  /** Groups with a number. */
  groups = 0
  private depth = 0
  private highestBackReference = 0
  private readonly names = new Set<string>()
  private readonly namesUsed: string[] = []

  /** @param open start of a numbered group: `(` captures, which only replacing needs */
  constructor(
    source: string,
    private readonly open: '(' | '(?:' = '(?:',
  ) {
    this.characters = Array.from(source)
  }

  translate(): Piece {
    const piece = this.alternatives()
    if (this.at < this.characters.length && this.fault?.kind !== 'syntax')
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
    while (this.at < this.characters.length && this.fault?.kind !== 'syntax') {
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
    // Don't write out a refused pattern: its weight or counts could take all time and memory.
    if (this.fault?.kind === 'syntax' || weight > limits.schemaPatternInstructions) return { text: '', weight }
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
    const character = this.next()
    switch (character) {
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
        return literal(pointOf(character))
    }
  }

  private group(): Piece {
    let isAssertion = false
    let open: string = this.open
    if (this.take('?')) {
      if (this.take(':')) {
        open = '(?:'
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
          if (this.names.has(name)) this.syntax(`the group name "${name}" is used twice`)
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
    return { text: `${open}${inner.text})`, weight: inner.weight, ...(isAssertion ? { isAssertion } : {}) }
  }

  private groupName(): string {
    let name = ''
    while (this.at < this.characters.length && this.peek() !== '>') name += this.next()
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
    return literal(this.pointEscape())
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
    if (this.take('{')) while (/^[A-Za-z0-9_=]$/.test(this.peek())) text += this.next()
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
    return `\\${letter}{${shortCategory(value)}}`
  }

  /** An escape for one code point. */
  private pointEscape(): number {
    const letter = this.next()
    if (letter === '') {
      this.syntax('it ends with a backslash')
      return 0
    }
    const control = controlEscapes[letter]
    if (control !== undefined) return control
    if (letter === 'c') {
      const named = this.peek()
      if (/^[A-Za-z]$/.test(named)) return pointOf(this.next()) % 32
      this.syntax('"\\c" must be followed by a letter')
    } else if (letter === '0') {
      if (!/^[0-9]$/.test(this.peek())) return 0
      this.syntax('octal escapes are not allowed')
    } else if (letter === 'x') {
      return this.hexadecimal(2)
    } else if (letter === 'u') {
      return this.unicodeEscape()
    } else if (/^[A-Za-z0-9]$/.test(letter)) {
      this.syntax(`"\\${letter}" is no escape of ECMA-262`)
    }
    return pointOf(letter)
  }

  private unicodeEscape(): number {
    if (this.take('{')) {
      let value = 0
      let digits = 0
      while (/^[0-9A-Fa-f]$/.test(this.peek()) && value <= lastPoint) {
        value = value * 16 + Number.parseInt(this.next(), 16)
        digits++
      }
      if (digits === 0 || value > lastPoint || !this.take('}')) {
        this.syntax('"\\u{" must be followed by a code point in hexadecimal and "}"')
        return 0
      }
      return value
    }
    const high = this.hexadecimal(4)
    if (high < 0xd800 || high > 0xdbff || this.peek() !== '\\' || this.characters[this.at + 1] !== 'u') return high
    const start = this.at
    this.at += 2
    const low = this.peek() === '{' ? 0 : this.hexadecimal(4)
    if (low >= 0xdc00 && low <= 0xdfff) return (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000
    this.at = start
    return high
  }

  private hexadecimal(digits: number): number {
    const text = this.characters.slice(this.at, this.at + digits).join('')
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
      if (this.at >= this.characters.length) {
        this.syntax('a character class is not closed')
        break
      }
      if (this.fault?.kind === 'syntax') break
      if (this.take(']')) break
      const from = this.classAtom()
      if (this.peek() === '-' && (this.characters[this.at + 1] ?? ']') !== ']') {
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
    const character = this.next()
    if (character !== '\\') return pointOf(character)
    const set = this.setEscape()
    if (set !== undefined) return set
    if (this.peek() === '-') return pointOf(this.next())
    return this.take('b') ? backspace : this.pointEscape()
  }

  private peek(): string {
    return this.characters[this.at] ?? ''
  }

  /** The next character, which is then read; '' at the end. */
  private next(): string {
    return this.characters[this.at++] ?? ''
  }

  private take(character: string): boolean {
    if (this.characters[this.at] !== character) return false
    this.at++
    return true
  }

  private decimal(): number | undefined {
    let text = ''
    while (/^[0-9]$/.test(this.peek())) text += this.next()
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

function pointOf(character: string): number {
  return character.codePointAt(0) ?? 0
}
