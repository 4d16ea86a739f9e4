import type { Binding } from '../../../core/binding.ts'
import type { Finding } from '../../../core/finding.ts'
import { formatPointer } from '../../../core/pointer.ts'
import type { Condition, Expression } from '../scan/syntax.ts'
import type { Op, Step, StepOf } from './ops.ts'
import type { CompiledPart } from './program.ts'

/** The bindings of a template's programs, and findings about tags that need a loop around them. */
export function collectBindings(programs: readonly CompiledPart[], findings: Finding[]): Binding[] {
  const notes = new Map(programs.flatMap(({ notes }) => [...notes]))
  const collector = new Collector(findings, notes)
  for (const { ops } of programs) collector.walk(ops, { lists: [], guards: new Set() })
  return collector.bindings
}

/** What is around a read: the loops, and what is known to be there. */
interface Surroundings {
  /** Pointer tokens of the loops, outermost first. */
  lists: readonly string[][]
  /** Pointers that an `#if` around has found present. */
  guards: ReadonlySet<string>
}

/** A read of data by a tag. */
interface Read {
  value: Expression
  shape: Binding['shape']
  isRequired: boolean
  place: string
}

class Collector {
  readonly bindings: Binding[] = []

  constructor(
    private readonly findings: Finding[],
    private readonly notes: ReadonlyMap<string, Op[]>,
  ) {}

  walk(ops: Op[], around: Surroundings): void {
    for (const op of ops) if (typeof op !== 'string') this.step(op, around)
  }

  private step(op: Step, around: Surroundings): void {
    switch (op.op) {
      case 'text': {
        const isRequired = op.filters.every((filter) => filter.name !== 'default')
        this.add({ value: op.value, shape: 'scalar', isRequired, place: op.place }, around)
        break
      }
      case 'picture': {
        const { value, kind } = op.picture
        this.add({ value, shape: kind === 'image' ? 'image' : 'scalar', isRequired: true, place: op.place }, around)
        break
      }
      case 'rich':
        this.add({ value: op.value, shape: 'rich', isRequired: true, place: op.place }, around)
        break
      case 'note':
        this.walk(this.notes.get(op.note) ?? [], around)
        break
      case 'each': {
        const tokens = this.add({ value: op.list, shape: 'list', isRequired: true, place: op.place }, around)
        if (tokens !== undefined) this.walk(op.body, { ...around, lists: [...around.lists, [...tokens, '*']] })
        this.walk(op.otherwise, around)
        break
      }
      case 'if':
        this.walkCondition(op, around)
        break
      case 'link':
        this.walk(op.address, around)
        break
      case 'any':
      case 'table':
        this.walk(op.body, around)
        break
    }
  }

  private walkCondition(op: StepOf<'if'>, around: Surroundings): void {
    const { condition, place, body, otherwise } = op
    const { left, comparison, negated } = condition
    const shape = comparison === undefined ? 'flag' : 'scalar'
    const tokens = this.add({ value: left, shape, isRequired: false, place }, around)
    if (comparison !== undefined) {
      this.add({ value: comparison.right, shape: 'scalar', isRequired: false, place }, around)
    }
    const known = tokens === undefined ? [] : [formatPointer(tokens)]
    const guarded = { ...around, guards: new Set([...around.guards, ...known]) }
    this.walk(body, provesPresence(condition) && !negated ? guarded : around)
    this.walk(otherwise, comparison === undefined && negated ? guarded : around)
  }

  /** Notes a read and returns the full pointer's tokens; undefined if it reads no data. */
  private add({ value, shape, isRequired, place }: Read, { lists, guards }: Surroundings): string[] | undefined {
    if (value.kind === 'literal') return undefined
    if (value.kind === 'meta') {
      if (lists.length === 0) this.reportOutside(`@${value.name}`, place)
      return undefined
    }
    let { tokens } = value
    if (value.kind === 'relative') {
      if (value.up > lists.length) {
        this.reportOutside('../'.repeat(value.up) + value.tokens.join('/'), place)
        return undefined
      }
      tokens = [...(lists[lists.length - 1 - value.up] ?? []), ...value.tokens]
    }
    const position = /#(\d+):(\d+)$/.exec(place)
    this.bindings.push({
      pointer: formatPointer(tokens),
      shape,
      required: isRequired && !isGuarded(tokens, guards),
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
