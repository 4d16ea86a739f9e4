/** Changes of a transformer that its author might make by mistake. */
import { Decimal } from '../../core/decimal.ts'
import { joinPointer } from '../../core/pointer.ts'
import { type MapNode, pathOf, type ScalarNode, type SourceNode } from '../../core/source/tree.ts'
import type { ArgumentSpec } from '../../engines/declarative/call.ts'
import { operators } from '../../engines/declarative/operators/table.ts'
import { readSource } from '../../engines/declarative/source.ts'
import { type Edit, spanOf, withoutEntry, withoutItem, written } from './edits.ts'

/** Replacements for each comparison: its opposite, and for an order the one that differs for equal values. */
const comparisons: ReadonlyMap<string, readonly string[]> = new Map([
  ['=', ['!=']],
  ['!=', ['=']],
  ['<', ['<=', '>=']],
  ['<=', ['<', '>']],
  ['>', ['>=', '<=']],
  ['>=', ['>', '<']],
])

const otherOperators: ReadonlyMap<string, string> = new Map([
  ['$all', '$any'],
  ['$any', '$all'],
  ['$min', '$max'],
  ['$max', '$min'],
  ['$sum', '$max'],
  ['$avg', '$max'],
])

/** Arguments that are forgotten; the others are required, or say what would be done anyway. */
const droppable = new Set(['where', 'sort', 'else', 'do'])

const signs: ReadonlyMap<string, string> = new Map([
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
])

/**
 * Every change, in source order. The checker refuses some of them; the caller finds out on compiling.
 *
 * @param siblings other names for the last one of a path, by the path's offset
 */
export function transformerChanges(
  text: string,
  format: 'yaml' | 'json',
  siblings: ReadonlyMap<number, readonly string[]>,
): Edit[] {
  const read = readSource(text, format)
  if (!read.ok || read.value.kind !== 'map') return []
  const planter = new Planter(text, siblings)
  planter.tables(read.value.byKey.get('tables')?.value)
  const lets = read.value.byKey.get('let')?.value
  if (lets?.kind === 'map') for (const { value } of lets.entries) planter.value(value)
  const output = read.value.byKey.get('output')?.value
  if (output !== undefined) planter.value(output)
  return planter.edits.sort((one, other) => one.start - other.start || one.end - other.end)
}

class Planter {
  readonly edits: Edit[] = []

  constructor(
    private readonly text: string,
    private readonly siblings: ReadonlyMap<number, readonly string[]>,
  ) {}

  /** Each row gets the value of the next one. */
  tables(node: SourceNode | undefined): void {
    for (const { value: table } of node?.kind === 'map' ? node.entries : []) {
      const rows = table.kind === 'map' ? table.entries.map(({ value }) => value) : []
      for (const [index, row] of rows.entries()) {
        const other = rows[(index + 1) % rows.length]
        const span = other?.kind === 'scalar' ? spanOf(this.text, other) : undefined
        if (row.kind !== 'scalar' || span === undefined || other === row) continue
        const value = this.text.slice(span.start, span.end)
        if (this.written(row) === value) this.scalar(row)
        else this.replace(row, value, 'the value of another row')
      }
    }
  }

  value(node: SourceNode): void {
    if (node.kind === 'scalar') this.scalar(node)
    else if (node.kind === 'list') this.list(node.items)
    else this.map(node)
  }

  private list(items: readonly SourceNode[]): void {
    for (const [index, item] of items.entries()) {
      const span = withoutItem(items, index)
      if (span !== undefined && !this.text.slice(span.start, span.end).includes('\n')) {
        this.edits.push({ ...span, text: '', at: parentPath(item), what: 'an item dropped' })
      }
      this.value(item)
    }
  }

  private map(node: MapNode): void {
    const call = node.entries.find(({ key }) => key.startsWith('$') && !key.startsWith('$$'))
    for (const entry of node.entries) {
      const span = call !== undefined && !droppable.has(entry.key) ? undefined : withoutEntry(this.text, node, entry)
      if (span !== undefined) {
        const what = call === undefined ? 'a member dropped' : `"${entry.key}" dropped`
        this.edits.push({ ...span, text: '', at: pathOf(node), what })
      }
    }
    if (call === undefined) for (const { value } of node.entries) this.value(value)
    else this.call(node, call.key, call.value)
  }

  private call(node: MapNode, name: string, subject: SourceNode): void {
    const other = otherOperators.get(name)
    const key = node.byKey.get(name)
    if (other !== undefined && key !== undefined) this.renameKey(node, name, other, 'another operator')
    if (name === '$if') this.swapKeys(node, 'then', 'else')
    if (name === '$match') {
      const cases = node.entries.map(({ key }) => key).filter((each) => each !== '$match' && each !== 'else')
      for (const [index, each] of cases.entries()) this.swapKeys(node, each, cases[index + 1])
    }
    const args: Readonly<Record<string, ArgumentSpec>> = operators.get(name)?.args ?? {}
    for (const { key, value } of node.entries) {
      const kind = Object.hasOwn(args, key) ? args[key] : undefined
      if (kind?.kind === 'choice' && value.kind === 'scalar') this.choice(value, kind.choices)
      else if (name === '$is' && value === subject) this.comparison(value)
      else if (name === '$calc' && value === subject && value.kind === 'scalar') this.formula(value)
      else if (kind?.kind !== 'name') this.value(value)
    }
  }

  private scalar(node: ScalarNode): void {
    const { value, text } = node
    if (typeof value === 'boolean') this.replace(node, String(!value), 'the other truth')
    else if (value instanceof Decimal) this.replace(node, value.add(one).toPlain(), 'another number')
    else if (typeof value !== 'string') return
    else if (/^[/$]/.test(text)) this.path(node)
    else this.replace(node, written(`${value}x`, this.quoteOf(node)), 'another text')
  }

  private path(node: ScalarNode): void {
    const [other] = this.siblings.get(node.offset) ?? []
    if (other === undefined) return
    const path = joinPointer(node.text.slice(0, node.text.lastIndexOf('/')), other)
    this.replace(node, this.quoteOf(node) === '' ? path : JSON.stringify(path), 'another value of the same type')
  }

  private choice(node: ScalarNode, choices: readonly string[]): void {
    const next = choices[(choices.indexOf(node.text) + 1) % choices.length]
    if (next !== undefined) this.replace(node, written(next, this.quoteOf(node)), 'another choice')
  }

  private comparison(subject: SourceNode): void {
    const items = subject.kind === 'list' ? subject.items : []
    for (const [index, item] of items.entries()) {
      if (index !== 1 || item.kind !== 'scalar') this.value(item)
      else
        for (const other of comparisons.get(item.text) ?? [])
          this.replace(item, JSON.stringify(other), 'another comparison')
    }
  }

  /** Each sign and each number of a formula. */
  private formula(node: ScalarNode): void {
    for (const match of node.text.matchAll(/[-+*/]|\d+(?:\.\d+)?/g)) {
      const [found] = match
      const other = signs.get(found) ?? Decimal.parse(found)?.add(one).toPlain() ?? ''
      const changed = node.text.slice(0, match.index) + other + node.text.slice(match.index + found.length)
      this.replace(node, written(changed, this.quoteOf(node)), 'another formula')
    }
  }

  private swapKeys(node: MapNode, first: string, second: string | undefined): void {
    const [one, other] = [node.byKey.get(first), second === undefined ? undefined : node.byKey.get(second)]
    if (one === undefined || other === undefined || second === undefined) return
    const [front, back] = one.keyOffset < other.keyOffset ? [one, other] : [other, one]
    const keys = [this.keySpan(front.keyOffset, front.key), this.keySpan(back.keyOffset, back.key)] as const
    const [start, end] = keys
    if (start === undefined || end === undefined) return
    const between = this.text.slice(start.end, end.start)
    const text = this.text.slice(end.start, end.end) + between + this.text.slice(start.start, start.end)
    this.edits.push({ start: start.start, end: end.end, text, at: pathOf(node), what: 'branches swapped' })
  }

  private renameKey(node: MapNode, key: string, name: string, what: string): void {
    const span = this.keySpan(node.byKey.get(key)?.keyOffset ?? -1, key)
    if (span !== undefined)
      this.edits.push({
        ...span,
        text: this.text.slice(span.start, span.end).replace(key, name),
        at: pathOf(node),
        what,
      })
  }

  private keySpan(offset: number, key: string): { start: number; end: number } | undefined {
    for (const quote of ['', '"', "'"]) {
      const form = `${quote}${key}${quote}`
      if (offset >= 0 && this.text.startsWith(form, offset)) return { start: offset, end: offset + form.length }
    }
    return undefined
  }

  private replace(node: ScalarNode, text: string, what: string): void {
    const span = spanOf(this.text, node)
    if (span === undefined || this.written(node) === text) return
    this.edits.push({ start: span.start, end: span.end, text, at: pathOf(node), what })
  }

  private written(node: ScalarNode): string {
    const span = spanOf(this.text, node)
    return span === undefined ? '' : this.text.slice(span.start, span.end)
  }

  private quoteOf(node: ScalarNode): string {
    return spanOf(this.text, node)?.quote ?? ''
  }
}

const one = new Decimal(1n, 0)

function parentPath({ parent }: SourceNode): string {
  return parent === undefined ? '' : pathOf(parent)
}
