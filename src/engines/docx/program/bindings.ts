import type { Binding, BindingUse } from '../../../core/binding.ts'
import type { Finding } from '../../../core/finding.ts'
import { isUnordered } from '../../../core/locale/calendar.ts'
import { formatPointer } from '../../../core/pointer.ts'
import type { Reading } from '../../../core/reading.ts'
import type { Condition } from '../scan/condition.ts'
import type { Expression } from '../scan/expression.ts'
import type { Filter } from '../scan/syntax.ts'
import { earlierHint, earlierReading } from '../scan/tags.ts'
import { lookalikeIn, type Path, slipIn, starMisuse, writtenPath } from '../scan/written.ts'
import type { Op, Step, StepOf } from './ops.ts'
import type { CompiledPart } from './program.ts'

/** The bindings of a template's programs, and findings about tags that need a loop around them. */
export function collectBindings(programs: readonly CompiledPart[], findings: Finding[], reading: Reading): Binding[] {
  const notes = new Map(programs.flatMap(({ notes }) => [...notes]))
  const collector = new Collector(findings, notes, reading)
  for (const { ops } of programs) collector.walk(ops, { lists: [], loop: undefined, guards: new Set() })
  collector.tellSlips()
  return collector.bindings
}

/** What is around a read: the loops, and what is known to be there. */
interface Surroundings {
  /** Pointer tokens of what loops and `#with` are at, outermost first. */
  lists: readonly string[][]
  /** What the innermost loop reads. */
  loop: Binding | undefined
  /** Pointers that an `#if` around has found present. */
  guards: ReadonlySet<string>
}

/** A read of data by a tag. */
interface Read {
  value: Expression
  shape: Binding['shape']
  isRequired: boolean
  place: string
  use?: BindingUse | undefined
}

class Collector {
  readonly bindings: Binding[] = []
  private readonly paths: { path: Path; tokens: readonly string[]; place: string }[] = []

  constructor(
    private readonly findings: Finding[],
    private readonly notes: ReadonlyMap<string, Op[]>,
    private readonly reading: Reading,
  ) {}

  walk(ops: Op[], around: Surroundings): void {
    for (const op of ops) if (typeof op !== 'string') this.step(op, around)
  }

  /** Names that are probably none, once it is known what the template loops over. */
  tellSlips(): void {
    const lists = new Set(this.bindings.flatMap(({ shape, pointer }) => (shape === 'list' ? [pointer] : [])))
    for (const { path, tokens, place } of this.paths) {
      const up = tokens.length - path.tokens.length
      const slip = slipIn(path, (own) => lists.has(formatPointer([...tokens.slice(0, up), ...own])))
      if (slip !== undefined) this.findings.push({ ...slip, severity: 'warning', path: place })
    }
  }

  private step(op: Step, around: Surroundings): void {
    switch (op.op) {
      case 'text': {
        const isRequired = op.filters.every((filter) => filter.name !== 'default')
        const use = useOfFormats(op.filters)
        this.add({ value: op.value, shape: 'scalar', isRequired, place: op.place, use }, around)
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
        const loop = this.bindings[this.bindings.length - 1]
        if (tokens !== undefined) this.walk(op.body, { ...around, loop, lists: [...around.lists, [...tokens, '*']] })
        this.walk(op.otherwise, around)
        break
      }
      case 'with': {
        const { value, isOptional, place } = op
        const tokens = this.add({ value, shape: 'object', isRequired: !isOptional, place }, around)
        if (tokens !== undefined) {
          const guards = isOptional ? around.guards.union(pointerSet(tokens)) : around.guards
          this.walk(op.body, { ...around, guards, lists: [...around.lists, tokens] })
        }
        this.walk(op.otherwise, around)
        break
      }
      case 'if':
        this.walkCondition(op, around)
        break
      case 'check':
        this.test(op.condition, op.place, around)
        break
      case 'link':
        this.walk(op.address, around)
        break
      case 'chart':
        this.walkChart(op, around)
        break
      case 'shade':
        this.add({ value: op.color, shape: 'scalar', isRequired: true, place: op.place, use: { as: 'color' } }, around)
        break
      case 'merge':
        if (op.by.kind === 'same') for (const value of op.by.values) this.tested(value, 'scalar', op.place, around)
        else {
          this.add(
            { value: op.by.count, shape: 'scalar', isRequired: true, place: op.place, use: { as: 'number' } },
            around,
          )
        }
        break
      case 'any':
      case 'keep':
      case 'table':
      case 'grid':
      case 'row':
      case 'cell':
        this.walk(op.body, around)
        break
    }
  }

  private walkChart({ list, category, values, place }: StepOf<'chart'>, around: Surroundings): void {
    if (around.loop !== undefined) {
      this.findings.push({
        code: 'docx.misplaced',
        severity: 'error',
        message: 'A chart in a loop would have the data of one turn only.',
        hint: 'Put the chart outside of the loop.',
        path: place,
      })
    }
    const tokens = this.add({ value: list, shape: 'list', isRequired: true, place }, around)
    if (tokens === undefined) return
    const loop = this.bindings[this.bindings.length - 1]
    const inside = { ...around, loop, lists: [...around.lists, [...tokens, '*']] }
    this.add({ value: category, shape: 'scalar', isRequired: true, place }, inside)
    for (const value of values) {
      this.add({ value, shape: 'scalar', isRequired: false, place, use: { as: 'number' } }, inside)
    }
  }

  private walkCondition({ condition, place, body, otherwise }: StepOf<'if'>, around: Surroundings): void {
    const { whenTrue, whenFalse } = this.test(condition, place, around)
    const guarded = (known: ReadonlySet<string>) => ({ ...around, guards: around.guards.union(known) })
    this.walk(body, guarded(whenTrue))
    this.walk(otherwise, guarded(whenFalse))
  }

  /** Notes what a condition reads, and says which pointers its answer proves to be there. */
  private test(condition: Condition, place: string, around: Surroundings): Proof {
    switch (condition.kind) {
      case 'truth':
        return { whenTrue: this.tested(condition.value, 'flag', place, around), whenFalse: none }
      case 'empty':
        return { whenTrue: none, whenFalse: this.tested(condition.value, 'flag', place, around) }
      case 'compare':
        return this.compared(condition, place, around)
      case 'in': {
        const known = this.related(condition.value, condition.list, 'equal', place, around)
        for (const one of condition.list) this.tested(one, 'scalar', place, around)
        return { whenTrue: condition.list.every(isPresent) ? known : none, whenFalse: none }
      }
      case 'not': {
        const { whenTrue, whenFalse } = this.test(condition.condition, place, around)
        return { whenTrue: whenFalse, whenFalse: whenTrue }
      }
      case 'all':
      case 'any': {
        const proofs = condition.conditions.map((one) => this.test(one, place, around))
        const trues = proofs.map(({ whenTrue }) => whenTrue)
        const falses = proofs.map(({ whenFalse }) => whenFalse)
        return condition.kind === 'all'
          ? { whenTrue: trues.reduce(union), whenFalse: falses.reduce(intersection) }
          : { whenTrue: trues.reduce(intersection), whenFalse: falses.reduce(union) }
      }
    }
  }

  private compared(
    { left, operator, right }: Extract<Condition, { kind: 'compare' }>,
    place: string,
    around: Surroundings,
  ): Proof {
    const how = operator === '=' || operator === '!=' ? 'equal' : 'order'
    const isLeftWritten = left.kind === 'literal'
    const known = isLeftWritten
      ? this.related(right, [left], how, place, around)
      : this.related(left, [right], how, place, around)
    if (!isLeftWritten) this.tested(right, 'scalar', place, around)
    const written = isLeftWritten ? left : right
    const isNull = written.kind === 'literal' && written.value === null
    // A missing value equals null and nothing else, and every order with it is false.
    if (operator === '!=') return { whenTrue: isNull ? known : none, whenFalse: isPresent(written) ? known : none }
    return { whenTrue: isPresent(written) ? known : none, whenFalse: operator === '=' && isNull ? known : none }
  }

  /** Notes a value that others are compared with. */
  private related(
    value: Expression,
    others: readonly Expression[],
    as: 'equal' | 'order',
    place: string,
    around: Surroundings,
  ): ReadonlySet<string> {
    const values = others.flatMap((one) => (one.kind === 'literal' ? [one.value] : []))
    const odd = as === 'order' ? values.find((one) => typeof one === 'string' && isUnordered(one)) : undefined
    if (odd !== undefined) {
      this.findings.push({
        code: 'docx.odd_date',
        severity: 'warning',
        message: `“${odd}” is compared character by character, which is not the order of dates.`,
        hint: 'Write dates as 2026-03-01, and let the data have them so.',
        path: place,
      })
    }
    const pointers = others.flatMap((one) => {
      const tokens = tokensOf(one, around.lists)
      return tokens === undefined ? [] : [formatPointer(tokens)]
    })
    const use = { as, values, pointers }
    return pointerSet(this.add({ value, shape: 'scalar', isRequired: false, place, use }, around))
  }

  private tested(value: Expression, shape: 'flag' | 'scalar', place: string, around: Surroundings) {
    return pointerSet(this.add({ value, shape, isRequired: false, place, use: { as: 'test' } }, around))
  }

  /** Notes a read and returns the full pointer's tokens; undefined if it reads no data. */
  private add({ value, shape, isRequired, place, use }: Read, around: Surroundings): string[] | undefined {
    const { lists, loop, guards } = around
    if (value.kind === 'literal') return undefined
    const tokens = tokensOf(value, lists)
    if (value.kind === 'meta') {
      if (loop === undefined) this.reportOutside(`@${value.name}`, place)
      // Items of a list have no names.
      else if (value.name === 'name') loop.use = { as: 'members' }
      return undefined
    }
    if (tokens === undefined) {
      this.reportOutside(writtenPath(value), place)
      return undefined
    }
    this.checkScope(value, around, place)
    this.paths.push({ path: value, tokens, place })
    const position = /#(\d+):(\d+)$/.exec(place)
    this.bindings.push({
      pointer: formatPointer(tokens),
      shape,
      required: isRequired && !isGuarded(tokens, guards),
      part: place.slice(0, place.lastIndexOf('#')),
      paragraph: Number(position?.[1] ?? 1),
      position: Number(position?.[2] ?? 0),
      ...(use === undefined ? {} : { use }),
    })
    return tokens
  }

  /** Reports paths that read something else than their author means: `*` is no item, and outside of blocks there is none. */
  private checkScope(path: Path, { lists }: Surroundings, place: string): void {
    const odd = lookalikeIn(path)
    if (odd !== undefined) this.findings.push({ ...odd, severity: 'warning', path: place })
    const misuse = starMisuse(path)
    if (misuse !== undefined) this.refuse({ ...misuse, path: place })
    else if (path.kind === 'relative' && lists.length === 0) {
      const own = path.tokens.length === 0 ? 'point to a value such as /name' : `write ${formatPointer(path.tokens)}`
      this.refuse({
        code: 'docx.outside_loop',
        message: `${writtenPath(path)} needs a loop around it.`,
        hint: `Put it between {{#each /list}} and {{#end}}, or ${own}.`,
        path: place,
      })
    }
  }

  /** Refuses what rules before the fifth accepted; versions frozen under those get a remark instead. */
  private refuse(finding: Omit<Finding, 'severity'>): void {
    const earlier = { code: earlierReading, hint: earlierHint, severity: 'warning' } as const
    this.findings.push(this.reading < 5 ? { ...finding, ...earlier } : { ...finding, severity: 'error' })
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

/** Pointers that are known to be there after a condition was found to be true, or false. */
interface Proof {
  whenTrue: ReadonlySet<string>
  whenFalse: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()

function union(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  return left.union(right)
}

function intersection(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  return left.intersection(right)
}

function pointerSet(tokens: readonly string[] | undefined): ReadonlySet<string> {
  return tokens === undefined ? none : new Set([formatPointer(tokens)])
}

/** A value that is written in the tag and is not null. */
function isPresent(value: Expression): boolean {
  return value.kind === 'literal' && value.value !== null
}

/** Tokens from the root; undefined for an expression that reads no data, or goes up more loops than there are. */
function tokensOf(value: Expression, lists: Surroundings['lists']): string[] | undefined {
  if (value.kind === 'absolute') return value.tokens
  if (value.kind !== 'relative' || value.up > lists.length) return undefined
  return [...(lists[lists.length - 1 - value.up] ?? []), ...value.tokens]
}

/** What the first format that needs a certain type needs. */
function useOfFormats(filters: readonly Filter[]): BindingUse | undefined {
  for (const filter of filters) {
    if (filter.name === 'number') return { as: 'number' }
    if (filter.name === 'date') return { as: filter.pattern.wantsTime ? 'time' : 'date' }
  }
  return undefined
}

function isGuarded(tokens: string[], guards: ReadonlySet<string>): boolean {
  for (let length = tokens.length; length > 0; length--)
    if (guards.has(formatPointer(tokens.slice(0, length)))) return true
  return false
}
