/** Changes of one tag of a template. */
import { joinPointer } from '../../core/pointer.ts'

/** A tag as it is written and what it reads, of its template's tags. */
export interface ReadTag {
  kind: string
  raw: string
  pointer?: string
  shape?: string
}

export interface TagChange {
  raw: string
  what: string
}

const signs: ReadonlyMap<string, readonly string[]> = new Map([
  ['=', ['!=']],
  ['==', ['!=']],
  ['!=', ['=']],
  ['<', ['<=', '>=']],
  ['<=', ['<', '>']],
  ['>', ['>=', '<=']],
  ['>=', ['>', '<']],
  ['and', ['or']],
  ['or', ['and']],
])

/** Pieces of a condition: text in quotes, pointers, numbers, words and signs. */
const pieces = /"[^"]*"|'[^']*'|[“„][^”“]*[”“]|\.{0,2}\/[^\s=!<>()[\],|]*|-?\d+(?:\.\d+)?|\p{L}+|[=!<>]+/gu

/** @param others tags that read values of the same shape */
export function tagChanges(tag: ReadTag, others: readonly ReadTag[]): TagChange[] {
  const { kind, raw } = tag
  const changes = isCondition(kind)
    ? conditionChanges(raw)
    : kind === 'text'
      ? textChanges(raw)
      : tableChanges(kind, raw)
  const path = otherPath(tag, others)
  if (path !== undefined) changes.push({ raw: path, what: 'another value' })
  return changes.filter(
    (change, index) => change.raw !== raw && changes.findIndex((each) => each.raw === change.raw) === index,
  )
}

function isCondition(kind: string): boolean {
  return kind === 'if' || kind === 'elseif' || kind === 'check'
}

function conditionChanges(raw: string): TagChange[] {
  const [, head = '', condition = '', tail = ''] =
    /^(\{\{\s*(?:#(?:else\s+)?if|check)\s*)(.*?)(\s*\}\})$/s.exec(raw) ?? []
  if (condition === '') return []
  const changes = [{ raw: `${head}not (${condition})${tail}`, what: 'condition negated' }]
  for (const match of condition.matchAll(pieces)) {
    const [found] = match
    for (const other of replacements(found)) {
      const changed = condition.slice(0, match.index) + other + condition.slice(match.index + found.length)
      changes.push({ raw: head + changed + tail, what: 'another condition' })
    }
  }
  return changes
}

function replacements(piece: string): readonly string[] {
  if (/^-?\d/.test(piece)) return [String(Number(piece) + 1)]
  if (/^["'“„]/.test(piece)) return [`${piece.slice(0, -1)}x${piece.slice(-1)}`]
  return signs.get(piece) ?? []
}

function tableChanges(kind: string, raw: string): TagChange[] {
  if (kind === 'chart') return chartChanges(raw)
  if (kind === 'shade') return [{ raw: '{{""}}', what: 'shading dropped' }]
  return kind === 'merge' ? [{ raw: '{{""}}', what: 'cells left apart' }] : []
}

/** Swaps the first two of several series. */
function chartChanges(raw: string): TagChange[] {
  const [, head = '', first, second, tail = ''] = /^(.*\sshow\s+)([^\s}]+)\s+([^\s}]+)(.*)$/s.exec(raw) ?? []
  if (first === undefined || second === undefined) return []
  return [{ raw: `${head}${second} ${first}${tail}`, what: 'series swapped' }]
}

/** The value dropped, each format dropped, and another default. */
function textChanges(raw: string): TagChange[] {
  const inner = raw.slice(2, -2)
  const changes = [{ raw: '{{""}}', what: 'value dropped' }]
  const bars = [...inner.matchAll(/"[^"]*"|'[^']*'|[“„][^”“]*[”“]|\|/g)].flatMap(({ 0: found, index }) =>
    found === '|' ? [index] : [],
  )
  for (const [number, bar] of bars.entries()) {
    const end = bars[number + 1] ?? inner.length
    const format = inner.slice(bar, end)
    const without = `{{${inner.slice(0, bar).trimEnd()}${end < inner.length ? ` ${inner.slice(end)}` : ''}}}`
    changes.push({ raw: without, what: 'format dropped' })
    const text = /["'”“](?=\s*$)/.exec(format)
    if (!/^\|\s*default/.test(format) || text === null) continue
    const at = bar + text.index
    changes.push({ raw: `{{${inner.slice(0, at)}x${inner.slice(at)}}}`, what: 'another default' })
  }
  return changes
}

/** The tag with the next path that others read of the same object. */
function otherPath({ raw, pointer, shape, kind }: ReadTag, others: readonly ReadTag[]): string | undefined {
  if (pointer === undefined || isCondition(kind)) return undefined
  const parent = pointer.slice(0, pointer.lastIndexOf('/'))
  const names = [
    ...new Set(
      others.flatMap((other) => (other.shape === shape && other.pointer !== undefined ? [other.pointer] : [])),
    ),
  ]
    .filter((other) => other.slice(0, other.lastIndexOf('/')) === parent && !other.endsWith('/*'))
    .sort()
  const next = names[(names.indexOf(pointer) + 1) % names.length]
  if (next === undefined || next === pointer) return undefined
  const [own, name] = [pointer, next].map((each) => each.slice(parent.length + 1))
  const at = raw.indexOf(`/${own}`)
  const after = raw.charAt(at + 1 + (own?.length ?? 0))
  if (own === undefined || name === undefined || at < 0 || !/[\s|}]/.test(after) || !/^[\p{L}\p{N}_~-]+$/u.test(name))
    return undefined
  return `${raw.slice(0, at)}${joinPointer('', name)}${raw.slice(at + 1 + own.length)}`
}
