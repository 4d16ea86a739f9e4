import { Decimal } from '../../../core/decimal.ts'
import { plainText } from '../../../core/plain-text.ts'
import { parsePointer } from '../../../core/pointer.ts'
import { isQuote, quotedAt } from './quotes.ts'

/** Where a tag gets its value from. */
export type Expression =
  | { kind: 'absolute'; tokens: string[] }
  /** `up` items outwards from the current one: 0 for `./x`, 1 for `../x`. */
  | { kind: 'relative'; up: number; tokens: string[] }
  | { kind: 'meta'; name: (typeof metaNames)[number] }
  /** `plain` is the text as typed, if Word may have replaced its marks by typographic ones. */
  | { kind: 'literal'; value: string | number | boolean | null; plain?: string }

export const metaNames = ['index', 'first', 'last', 'count', 'name'] as const

/** A pointer, a scope word, or a literal: number, quoted text, true, false, null. Names may contain blanks and punctuation. */
export function parseExpression(text: string): Expression | undefined {
  const source = text.trim()
  const meta = metaNames.find((name) => source === `@${name}`)
  if (meta !== undefined) return { kind: 'meta', name: meta }
  if (!/^[/.]/.test(source)) return parseLiteral(source)
  const path = readPath(source, 0, anyName)
  return path?.end === source.length ? path.value : undefined
}

export function parseLiteral(source: string): Expression | undefined {
  if (source === 'true' || source === 'false') return { kind: 'literal', value: source === 'true' }
  if (source === 'null') return { kind: 'literal', value: null }
  if (isQuote(source.charAt(0))) {
    const quoted = quotedAt(source, 0)
    return quoted?.end === source.length ? { kind: 'literal', value: quoted.text } : undefined
  }
  return /^-?\d+(?:\.\d+)?$/.test(source) ? parseNumber(source) : undefined
}

/** Undefined if a double can't hold all digits, as the numbers of the data can't either. */
function parseNumber(source: string): Expression | undefined {
  const value = Number(source)
  const exact = Decimal.parse(source)
  if (exact === undefined || !Number.isFinite(value) || !Decimal.fromNumber(value).equals(exact)) return undefined
  return { kind: 'literal', value }
}

/** A text that values are compared with. */
export function comparedText(text: string): Expression {
  const plain = plainText(text)
  return plain === text && !/["' ]/.test(text)
    ? { kind: 'literal', value: text }
    : { kind: 'literal', value: text, plain }
}

/** Unquoted names of a path, where the tag holds only its value and formats. */
const anyName = /[^/"“”„‟«»]*/y
/** … where other words may follow: a blank ends the name. */
export const wordName = /[^\s/"“”„‟«»]*/y
/** … in conditions: a sign ends it too. */
export const plainName = /[\p{L}\p{M}\p{N}_.:@$#~-]*/uy

/** A blank, and behind it the beginning of another value: two values, and no name. */
const twoValues = /\s(?:$|['‘‚=]|\.{1,2}$|@(?:index|first|last|count|name)\b)/

/** Reads an absolute or relative pointer at `at`. Its names match `name` or are quoted. Undefined if there is none. */
export function readPath(source: string, at: number, name: RegExp): { value: Expression; end: number } | undefined {
  const steps = /\.\.(?:\/\.\.(?![\p{L}\p{N}_.-]))*|\./uy
  steps.lastIndex = at
  const up = steps.exec(source)?.[0] ?? ''
  let end = at + up.length
  if (up !== '' && /[^\s/=!<>()[\],|]/.test(source.charAt(end))) return undefined
  const tokens: string[] = []
  while (source.charAt(end) === '/') {
    const token = readName(source, end + 1, name)
    if (token === undefined) return undefined
    tokens.push(token.text)
    end = token.end
  }
  if (up === '') return { value: { kind: 'absolute', tokens }, end }
  // `./` is the item itself.
  const isItself = tokens.length === 1 && tokens[0] === ''
  const value = { kind: 'relative', up: up === '.' ? 0 : up.split('/').length, tokens: isItself ? [] : tokens } as const
  return { value, end }
}

function readName(source: string, at: number, name: RegExp): { text: string; end: number } | undefined {
  if (isQuote(source.charAt(at))) return quotedAt(source, at)
  name.lastIndex = at
  const text = name.exec(source)?.[0] ?? ''
  if (twoValues.test(text)) return undefined
  const [token] = parsePointer(`/${text}`) ?? []
  return token === undefined ? undefined : { text: token, end: at + text.length }
}
