import type { Binding } from '../../../core/binding.ts'
import type { Finding } from '../../../core/finding.ts'
import { formatPointer } from '../../../core/pointer.ts'
import type { Condition, Expression } from '../scan/syntax.ts'
import type { Op } from './ops.ts'
import type { CompiledPart } from './program.ts'

/** What the programs of a template read, and what they say wrongly about the loops around them. */
export function collectBindings(programs: readonly CompiledPart[], findings: Finding[]): Binding[] {
  const notes = new Map(programs.flatMap(({ notes }) => [...notes]))
  const collector = new Collector(findings, notes)
  for (const { ops } of programs) collector.walk(ops, [], new Set())
  return collector.bindings
}

class Collector {
  readonly bindings: Binding[] = []

  constructor(
    private readonly findings: Finding[],
    private readonly notes: ReadonlyMap<string, Op[]>,
  ) {}

  /** `lists` are the pointer tokens of the loops around, outermost first; `guards` pointers an `#if` has seen to be there. */
  walk(ops: Op[], lists: string[][], guards: ReadonlySet<string>): void {
    for (const op of ops) {
      if (typeof op === 'string') continue
      switch (op.op) {
        case 'text': {
          const hasDefault = op.filters.some((filter) => filter.name === 'default')
          this.add(op.value, 'scalar', !hasDefault, op.place, lists, guards)
          break
        }
        case 'picture':
          this.add(op.picture.value, op.picture.kind === 'image' ? 'image' : 'scalar', true, op.place, lists, guards)
          break
        case 'rich':
          this.add(op.value, 'rich', true, op.place, lists, guards)
          break
        case 'note':
          this.walk(this.notes.get(op.note) ?? [], lists, guards)
          break
        case 'each': {
          const tokens = this.add(op.list, 'list', true, op.place, lists, guards)
          if (tokens !== undefined) this.walk(op.body, [...lists, [...tokens, '*']], guards)
          this.walk(op.otherwise, lists, guards)
          break
        }
        case 'if':
          this.walkCondition(op, lists, guards)
          break
        case 'link':
          this.walk(op.address, lists, guards)
          break
        case 'any':
        case 'table':
          this.walk(op.body, lists, guards)
          break
      }
    }
  }

  private walkCondition(op: Extract<Op, { op: 'if' }>, lists: string[][], guards: ReadonlySet<string>): void {
    const { left, comparison, negated } = op.condition
    const shape = comparison === undefined ? 'flag' : 'scalar'
    const tokens = this.add(left, shape, false, op.place, lists, guards)
    if (comparison !== undefined) this.add(comparison.right, 'scalar', false, op.place, lists, guards)
    const guard = tokens === undefined ? undefined : formatPointer(tokens)
    const inside =
      guard !== undefined && provesPresence(op.condition) && !negated ? new Set([...guards, guard]) : guards
    const outside = guard !== undefined && comparison === undefined && negated ? new Set([...guards, guard]) : guards
    this.walk(op.body, lists, inside)
    this.walk(op.otherwise, lists, outside)
  }

  /** Notes a read and returns the full pointer's tokens; undefined for what reads no data. */
  private add(
    expression: Expression,
    shape: Binding['shape'],
    required: boolean,
    place: string,
    lists: string[][],
    guards: ReadonlySet<string>,
  ): string[] | undefined {
    if (expression.kind === 'literal') return undefined
    if (expression.kind === 'meta') {
      if (lists.length === 0) this.reportOutside(`@${expression.name}`, place)
      return undefined
    }
    let tokens = expression.tokens
    if (expression.kind === 'relative') {
      if (expression.up > lists.length) {
        this.reportOutside('../'.repeat(expression.up) + expression.tokens.join('/'), place)
        return undefined
      }
      tokens = [...(lists[lists.length - 1 - expression.up] ?? []), ...expression.tokens]
    }
    const pointer = formatPointer(tokens)
    const position = /#(\d+):(\d+)$/.exec(place)
    this.bindings.push({
      pointer,
      shape,
      required: required && !isGuarded(tokens, guards),
      part: place.slice(0, place.lastIndexOf('#')),
      paragraph: Number(position?.[1] ?? 1),
      position: Number(position?.[2] ?? 0),
    })
    return tokens
  }

  private reportOutside(written: string, place: string): void {
    this.findings.push({
      code: 'docx.outside_loop',
      severity: 'error',
      message: `${written} needs a loop around it.`,
      hint: 'Put it between {{#each /list}} and {{#end}}, or write a pointer from the root such as /name.',
      path: place,
    })
  }
}

/** A plain test and every comparison but != and = null are false for a missing value. */
function provesPresence(condition: Condition): boolean {
  const { comparison } = condition
  if (comparison === undefined) return true
  const isNull = comparison.right.kind === 'literal' && comparison.right.value === null
  return comparison.operator === '!=' ? isNull : comparison.right.kind === 'literal' && !isNull
}

function isGuarded(tokens: string[], guards: ReadonlySet<string>): boolean {
  for (let length = tokens.length; length > 0; length--)
    if (guards.has(formatPointer(tokens.slice(0, length)))) return true
  return false
}
