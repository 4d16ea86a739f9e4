import { limits } from '../../../core/limits.ts'
import { comparedText, type Expression, metaNames, parseLiteral, plainName, readPath } from './expression.ts'
import { foreignForm, generalHint } from './foreign-words.ts'
import { isQuote, quotedAt } from './quotes.ts'
import { starMisuse, unseenHint } from './written.ts'

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>='

export type Condition =
  | { kind: 'truth'; value: Expression }
  | { kind: 'compare'; left: Expression; operator: Comparison; right: Expression }
  | { kind: 'in'; value: Expression; list: Expression[] }
  | { kind: 'empty'; value: Expression }
  | { kind: 'not'; condition: Condition }
  | { kind: 'all' | 'any'; conditions: Condition[] }

export type ConditionResult =
  | { ok: true; condition: Condition }
  | { ok: false; code: string; message: string; hint: string }

/**
 * Reads a condition by the grammar in docs/templates.md. Anything else is refused, naming the unreadable piece and, if
 * it means something in another language, Quire's own form.
 */
export function parseCondition(source: string): ConditionResult {
  try {
    return { ok: true, condition: new ConditionReader(source).read() }
  } catch (error) {
    if (!(error instanceof Misread)) throw error
    return { ok: false, code: error.code, message: error.message, hint: error.hint }
  }
}

/** Ends the reading; stays inside this file. */
class Misread extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint: string,
  ) {
    super(message)
  }
}

type Token = { text: string; at: number } & (
  | { kind: 'value'; value: Expression }
  | { kind: 'word' | 'sign' }
  | { kind: 'end' }
)

const comparisons: ReadonlyMap<string, Comparison> = new Map([
  ['=', '='],
  ['==', '='],
  ['!=', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
])

/** Signs, the longest first: those of other languages too, so that a finding shows them whole. */
const signs = /===|!==|<=>|<>|==|!=|<=|>=|=<|=>|&&|\|\||[^\s]/uy
const words = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy
const numbers = /-?\d+(?:\.\d+)?(?![\p{L}\p{N}_.])/uy
/** Names with stars, for messages. */
const starredName = /[\p{L}\p{M}\p{N}_.:@$#~*-]*/uy
/** Words side by side that are no value, for messages. */
const clumps = /[^\s()[\],=!<>&|]+/y

class ConditionReader {
  private at = 0
  private depth = 0
  private tests = 0
  private token: Token

  constructor(private readonly source: string) {
    this.token = this.next()
  }

  read(): Condition {
    const condition = this.readAny()
    if (this.token.kind !== 'end') this.refuseToken()
    return condition
  }

  private readAny(): Condition {
    const conditions = [this.readAll()]
    while (this.take('or')) conditions.push(this.readAll())
    return joined('any', conditions)
  }

  private readAll(): Condition {
    const conditions = [this.readNot()]
    while (this.take('and')) conditions.push(this.readNot())
    return joined('all', conditions)
  }

  private readNot(): Condition {
    if (!this.take('not') && !this.take('!')) return this.readTest()
    return this.deeper(() => ({ kind: 'not', condition: this.readNot() }))
  }

  private deeper<T>(read: () => T): T {
    if (++this.depth > limits.templateConditionDepth) {
      const message = `The condition “${this.shown}” is nested more than ${limits.templateConditionDepth} deep.`
      throw new Misread('docx.bad_condition', message, 'Let the transformer decide, and test its answer.')
    }
    const result = read()
    this.depth--
    return result
  }

  private readTest(): Condition {
    if (++this.tests > limits.templateConditionTests) {
      const message = `The condition “${this.shown}” has more than ${limits.templateConditionTests} tests.`
      throw new Misread('docx.bad_condition', message, 'Let the transformer decide, and test its answer.')
    }
    if (this.take('(')) {
      const condition = this.deeper(() => this.readAny())
      this.expect(')', 'Close the parenthesis with ).')
      return condition
    }
    const value = this.readValue()
    const negated = this.take('not')
    if (negated || this.token.text === 'in') {
      this.expect('in', 'Write not in ["a", "b"], or put not before the whole test: not /a = 3.')
      return negate({ kind: 'in', value, list: this.readList(value) }, negated)
    }
    if (this.take('is')) {
      const isNot = this.take('not')
      this.expectEmpty()
      this.mustRead([value])
      return negate({ kind: 'empty', value }, isNot)
    }
    return this.readComparison(value)
  }

  private readComparison(left: Expression): Condition {
    const operator = this.token.kind === 'sign' ? comparisons.get(this.token.text) : undefined
    if (operator === undefined) {
      if (this.token.kind !== 'sign' || this.token.text === ')') this.mustDecide(left)
      return { kind: 'truth', value: left }
    }
    this.advance()
    const right = this.readValue()
    if (this.token.kind === 'sign' && comparisons.has(this.token.text)) {
      const hint = 'A comparison has two sides. Join two of them: /a < /b and /b < /c.'
      throw this.misread(hint)
    }
    this.mustRead([left, right])
    return { kind: 'compare', left, operator, right }
  }

  private readList(value: Expression): Expression[] {
    this.expect('[', 'Write the values in brackets: in ["a", "b"].')
    const list = [this.readValue()]
    while (this.take(',')) list.push(this.readValue())
    this.expect(']', 'Put commas between the values, and ] behind the last: in ["a", "b"].')
    this.mustRead([value, ...list])
    return list
  }

  private expectEmpty(): void {
    const { text } = this.token
    if (text === 'empty') {
      this.advance()
      return
    }
    const isValue = this.token.kind === 'value'
    throw this.misread(
      isValue ? `Write = ${text} instead of is ${text}.` : 'After is, write empty or not empty: /list is empty.',
    )
  }

  private readValue(): Expression {
    const { token } = this
    if (token.kind === 'value') {
      this.advance()
      return token.value
    }
    if (token.kind === 'end') throw this.misread(generalHint)
    if (token.kind === 'word' && !keywords.has(token.text)) throw this.noValue(token.text)
    return this.refuseToken()
  }

  /** A text or number alone says nothing about the data: `/kind = "a" or "b"` is always true. */
  private mustDecide(value: Expression): void {
    if (value.kind !== 'literal' || typeof value.value === 'boolean') return
    const written = JSON.stringify(value.value)
    const message = `${written} by itself tests nothing in the condition “${this.shown}”.`
    const hint = `Compare it with a value: /kind = ${written}, or /kind in ["a", ${written}].`
    throw new Misread('docx.bad_condition', message, hint)
  }

  /** A comparison of what the author wrote with what the author wrote is a pointer in quotes. */
  private mustRead(values: readonly Expression[]): void {
    if (values.some(({ kind }) => kind !== 'literal')) return
    const message = `The condition “${this.shown}” compares nothing of the data.`
    throw new Misread('docx.bad_condition', message, 'Write pointers without quotes: /kind = "a".')
  }

  private take(text: string): boolean {
    if (this.token.kind === 'value' || this.token.text !== text) return false
    this.advance()
    return true
  }

  private expect(text: string, hint: string): void {
    if (this.take(text)) return
    throw this.misread(foreignForm(this.token.text) ?? hint)
  }

  private refuseToken(): never {
    throw this.misread(unseenHint(this.token.text) ?? foreignForm(this.token.text) ?? generalHint)
  }

  private misread(hint: string): Misread {
    if (this.token.kind === 'end') {
      return new Misread('docx.bad_condition', `The condition “${this.shown}” ends too early.`, hint)
    }
    const message = `“${clip(this.token.text)}” can’t be read at this place of the condition “${this.shown}”.`
    return new Misread('docx.bad_condition', message, hint)
  }

  private noValue(written: string): Misread {
    const hint =
      foreignForm(written) ?? `Write /${written} for the value named ${written}, or "${written}" for the text.`
    return new Misread('docx.bad_pointer', `“${clip(written)}” is neither a pointer nor a value.`, hint)
  }

  private get shown(): string {
    return clip(this.source)
  }

  private advance(): void {
    this.token = this.next()
  }

  private next(): Token {
    while (/\s/.test(this.source.charAt(this.at))) this.at++
    const { at, source } = this
    const first = source.charAt(at)
    if (first === '') return { kind: 'end', text: '', at }
    if (isQuote(first)) return this.nextText()
    if (first === '/' || first === '.') return this.nextPath()
    if (first === '@') return this.nextScopeWord()
    const number = /[-\d]/.test(first) ? this.match(numbers) : undefined
    if (number !== undefined) return this.nextLiteral(number)
    const word = this.match(words)
    if (word === undefined) {
      if (/\d/.test(first)) throw this.noValue(this.match(clumps) ?? first)
      const sign = this.match(signs) ?? first
      this.at += sign.length
      return { kind: 'sign', text: sign, at }
    }
    if (word === 'true' || word === 'false' || word === 'null') return this.nextLiteral(word)
    this.at += word.length
    return { kind: 'word', text: word, at }
  }

  private nextText(): Token {
    const { at, source } = this
    const quoted = quotedAt(source, at)
    if (quoted === undefined) {
      const message = `The text ${clip(source.slice(at))} is not closed in the condition “${this.shown}”.`
      throw new Misread('docx.bad_condition', message, 'Close it with a quotation mark of the same kind.')
    }
    this.at = quoted.end
    return { kind: 'value', text: source.slice(at, quoted.end), at, value: comparedText(quoted.text) }
  }

  private nextPath(): Token {
    const { at, source } = this
    const path = readPath(source, at, plainName)
    if (path === undefined) throw this.badPath(this.match(clumps) ?? source.charAt(at))
    if (source.startsWith('/*', path.end - 1)) throw this.badItems(at)
    this.at = path.end
    return { kind: 'value', text: source.slice(at, path.end), at, value: path.value }
  }

  private badPath(written: string): Misread {
    const hint = 'Write a JSON Pointer such as /policy/number, ./amount inside of #each, or ../amount for its parent.'
    return new Misread('docx.bad_pointer', `“${clip(written)}” is neither a pointer nor a value.`, hint)
  }

  /** For a path with a star for all items. The path was read only up to the star, since unquoted names can't hold one. */
  private badItems(at: number): Misread {
    const path = readPath(this.source, at, starredName)?.value
    const misuse = path?.kind === 'absolute' || path?.kind === 'relative' ? starMisuse(path) : undefined
    if (misuse === undefined) return this.badPath(this.match(clumps) ?? '*')
    return new Misread(misuse.code, misuse.message, misuse.hint)
  }

  private nextScopeWord(): Token {
    const { at } = this
    const written = this.match(clumps) ?? '@'
    const name = metaNames.find((one) => written === `@${one}`)
    if (name === undefined) {
      const hint = `The words of a loop are ${metaNames.map((one) => `@${one}`).join(', ')}.`
      throw new Misread('docx.bad_pointer', `“${clip(written)}” is neither a pointer nor a value.`, hint)
    }
    this.at += written.length
    return { kind: 'value', text: written, at, value: { kind: 'meta', name } }
  }

  private nextLiteral(text: string): Token {
    const { at } = this
    const value = parseLiteral(text)
    if (value === undefined) {
      const message = `The number ${clip(text)} has more digits than a number of the data can have.`
      throw new Misread('docx.bad_condition', message, `Put it in quotes: "${clip(text)}".`)
    }
    this.at += text.length
    return { kind: 'value', text, at, value }
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    return pattern.exec(this.source)?.[0]
  }
}

const keywords = new Set(['and', 'or', 'not', 'in', 'is', 'empty'])

function joined(kind: 'all' | 'any', conditions: Condition[]): Condition {
  const [only] = conditions
  return only !== undefined && conditions.length === 1 ? only : { kind, conditions }
}

function negate(condition: Condition, isNegated: boolean): Condition {
  return isNegated ? { kind: 'not', condition } : condition
}

function clip(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80).toWellFormed()}…`
}
