/**
 * Changes one value of a JSON text and leaves the rest as somebody wrote it: spaces, order, digits of numbers. Only the
 * path to the value is parsed, so that half a megabyte takes a few milliseconds. Pure.
 */
import { parsePointer } from '../core/pointer.ts'

const indentation = '  '

/** A value in a text: where it begins and where it ends. */
interface Span {
  from: number
  to: number
}

interface Member extends Span {
  /** As the pointer names it: a key, or an index. */
  name: string
  value: Span
}

/**
 * The text with a value set at a pointer. Missing objects on the way are made; an index after the last item
 * of an array adds one.
 *
 * @param json the value, as JSON
 * @returns undefined if the way leads through something else, or the text isn't JSON up to there
 */
export function setAt(text: string, pointer: string, json: string): string | undefined {
  const tokens = parsePointer(pointer)
  if (tokens === undefined) return undefined
  if (text.trim() === '') return setIn('{}', { from: 0, to: 2 }, tokens, json, 0)
  const root = rootOf(text)
  return root === undefined ? undefined : setIn(text, root, tokens, json, 0)
}

/** The text without the member or item at a pointer; unchanged if there is none. */
export function removeAt(text: string, pointer: string): string {
  const tokens = parsePointer(pointer) ?? []
  const last = tokens.at(-1)
  let container = rootOf(text)
  for (const token of tokens.slice(0, -1)) {
    container = container && membersOf(text, container)?.find(({ name }) => name === token)?.value
  }
  const members = container && membersOf(text, container)
  const index = members?.findIndex(({ name }) => name === last) ?? -1
  const member = members?.[index]
  if (members === undefined || container === undefined || member === undefined) return text
  if (members.length === 1) return `${text.slice(0, container.from + 1)}${text.slice(container.to - 1)}`
  const before = members[index - 1]
  const after = members[index + 1]
  // With its comma: the one before it, or of the first the one after.
  return before === undefined
    ? text.slice(0, member.from) + text.slice(after?.from ?? member.to)
    : text.slice(0, before.to) + text.slice(member.to)
}

function setIn(text: string, at: Span, tokens: readonly string[], json: string, depth: number): string | undefined {
  const [token, ...rest] = tokens
  if (token === undefined) return text.slice(0, at.from) + indented(json, depth) + text.slice(at.to)
  const opening = text[at.from]
  if (opening !== '{' && opening !== '[') return undefined
  const members = membersOf(text, at)
  if (members === undefined) return undefined
  const member = members.find(({ name }) => name === token)
  if (member !== undefined) return setIn(text, member.value, rest, json, depth + 1)
  if (opening === '[' && token !== String(members.length)) return undefined
  const value = indented(nested(rest, json), depth + 1)
  const made = opening === '[' ? value : `${JSON.stringify(token)}: ${value}`
  const line = `\n${indentation.repeat(depth + 1)}`
  const last = members.at(-1)
  if (last === undefined) {
    return `${text.slice(0, at.from + 1)}${line}${made}\n${indentation.repeat(depth)}${text.slice(at.to - 1)}`
  }
  // As the others are: on lines of their own, or one after the other.
  const isSpread = text.slice(at.from, last.from).includes('\n')
  return `${text.slice(0, last.to)},${isSpread ? line : ' '}${made}${text.slice(last.to)}`
}

/** A value at the end of a way through objects that don't exist yet. */
function nested(tokens: readonly string[], json: string): string {
  return tokens.reduceRight(
    (value, token) => `{\n${indentation}${JSON.stringify(token)}: ${indented(value, 1)}\n}`,
    json,
  )
}

function indented(json: string, depth: number): string {
  return json.includes('\n') ? json.replaceAll('\n', `\n${indentation.repeat(depth)}`) : json
}

function rootOf(text: string): Span | undefined {
  const from = skipSpace(text, 0)
  const to = endOf(text, from)
  return to === undefined ? undefined : { from, to }
}

/** The members of an object or the items of an array; undefined for anything else. */
function membersOf(text: string, { from }: Span): Member[] | undefined {
  const isObject = text[from] === '{'
  if (!isObject && text[from] !== '[') return undefined
  const members: Member[] = []
  let at = skipSpace(text, from + 1)
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    const start = at
    let name = String(members.length)
    if (isObject) {
      const end = endOf(text, at)
      if (text[at] !== '"' || end === undefined) return undefined
      name = nameIn(text.slice(at, end))
      at = skipSpace(text, end)
      if (text[at] !== ':') return undefined
      at = skipSpace(text, at + 1)
    }
    const end = endOf(text, at)
    if (end === undefined) return undefined
    members.push({ from: start, to: end, name, value: { from: at, to: end } })
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return members
}

function nameIn(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return ''
  }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at++
  return at
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s{}[\]",:]+/gs

/** The end of the value that begins at an offset; undefined if it has none. */
function endOf(text: string, from: number): number | undefined {
  token.lastIndex = from
  let depth = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found] = match
    if (depth === 0 && match.index !== from) return undefined
    if (found === '{' || found === '[') depth++
    else if (found === '}' || found === ']') depth--
    if (depth < 0) return undefined
    if (depth === 0) return token.lastIndex
  }
  return undefined
}
