/** Notes what compositions reach of a template whose programs are watched. */
import { Coverage, type ItemBounds, itemCount, itemGaps, possibleCounts } from '../../../core/coverage.ts'
import { formatPointer } from '../../../core/pointer.ts'
import type { Op, Step, StepOf } from '../program/ops.ts'
import type { CompiledPart } from '../program/program.ts'
import type { Condition } from '../scan/condition.ts'
import type { Expression } from '../scan/expression.ts'
import type { TaggedText } from '../scan/tags.ts'
import { evaluate, holds, isMissing, type Scope, turnsOf } from './values.ts'

/** How many characters of the text around a tag are shown on either side. */
const wordsAround = 30

/** The points of a condition's answers. */
interface Test {
  whenTrue: number
  whenFalse: number
}

type Look = (scope: Scope) => number | undefined

export class TemplateWatch {
  readonly coverage = new Coverage()
  private readonly looks = new Map<Step, readonly Look[]>()
  /** A tag with the words around it, by its place. */
  private readonly excerpts = new Map<string, { around: string; tag: string }>()
  /** Programs of notes: a loop reaches a note in every turn, but each note has its own program. */
  private readonly notes = new Map<string, readonly Op[]>()

  /**
   * @param parts watched ones
   * @param boundsAt bounds of the length of the list that the loop at a place repeats, where known
   */
  constructor(
    parts: readonly CompiledPart[],
    texts: readonly TaggedText[],
    private readonly boundsAt: (place: string) => ItemBounds | undefined,
  ) {
    for (const { part, tags } of texts) {
      for (const { paragraph, from, to } of tags) {
        this.excerpts.set(`${part}#${paragraph.number}:${from}`, {
          around: excerpt(paragraph.text, from, to),
          tag: paragraph.text.slice(from, to),
        })
      }
    }
    for (const { notes } of parts) for (const [name, ops] of notes) this.notes.set(name, ops)
    for (const { ops } of parts) this.add(ops, [])
  }

  /** Called by the runner before the step, with what the step sees. */
  see(step: Step, scope: Scope): void {
    for (const look of this.looks.get(step) ?? []) this.coverage.hit(look(scope))
    const next = nextInChain(step)
    // A paragraph that holds nothing but the chain may be left out, and then doesn't come to it.
    if (next !== undefined && isOtherwise(step, scope)) this.see(next, scope)
  }

  private add(ops: readonly Op[], inside: readonly number[]): void {
    for (const op of ops) if (typeof op !== 'string') this.addStep(op, inside)
  }

  private addStep(step: Step, inside: readonly number[]): void {
    switch (step.op) {
      case 'text':
        this.addText(step, inside)
        break
      case 'picture':
      case 'rich': {
        const point = this.point(step.place, 'is never filled', inside)
        this.looks.set(step, [() => point])
        break
      }
      case 'if': {
        const { whenTrue, whenFalse } = this.addCondition(step, inside)
        this.add(step.body, [whenTrue])
        this.add(step.otherwise, [whenFalse])
        break
      }
      case 'check':
        this.addCondition(step, inside)
        break
      case 'with':
        this.addWith(step, inside)
        break
      case 'each':
        this.addEach(step, inside)
        break
      case 'link':
        this.add(step.address, inside)
        break
      case 'chart':
      case 'shade':
      case 'merge': {
        const point = this.point(step.place, 'is never reached', inside)
        this.looks.set(step, [() => point])
        break
      }
      case 'any':
      case 'keep':
      case 'table':
      case 'grid':
      case 'row':
      case 'cell':
        this.add(step.body, inside)
        break
      case 'note':
        this.add(this.notes.get(step.note) ?? [], inside)
        break
    }
  }

  private addText(step: StepOf<'text'>, inside: readonly number[]): void {
    if (step.filters.every(({ name }) => name !== 'default')) {
      const point = this.point(step.place, 'is never filled', inside)
      this.looks.set(step, [() => point])
      return
    }
    const there = this.point(step.place, 'never has a value', inside)
    const missing = this.point(step.place, 'is a default that is never taken', inside)
    this.looks.set(step, [(scope) => (isMissing(evaluate(step.value, scope)) ? missing : there)])
  }

  private addCondition(step: StepOf<'if' | 'check'>, inside: readonly number[]): Test {
    const looks: Look[] = []
    const test = this.addTest(step.condition, step.place, { inside, looks, part: '' })
    const parts = partsOf(step.condition)
    if (parts.length > 1) {
      for (const part of parts) {
        this.addTest(part, step.place, { inside, looks, part: `, of which ${conditionText(part)}` })
      }
    }
    this.looks.set(step, looks)
    return test
  }

  private addTest(
    condition: Condition,
    place: string,
    { inside, looks, part }: { inside: readonly number[]; looks: Look[]; part: string },
  ): Test {
    const whenTrue = this.point(place, 'is never true', inside, part)
    const whenFalse = this.point(place, 'is never false', inside, part)
    looks.push((scope) => (holds(condition, scope) ? whenTrue : whenFalse))
    return { whenTrue, whenFalse }
  }

  private addEach(step: StepOf<'each'>, inside: readonly number[]): void {
    const possible = possibleCounts(this.boundsAt(step.place) ?? { min: 0, max: 2 })
    const points: Partial<Record<ReturnType<typeof itemCount>, number>> = {}
    for (const [count, gap] of itemGaps) if (possible[count]) points[count] = this.point(step.place, gap, inside)
    this.looks.set(step, [
      (scope) => {
        const list = turnsOf(evaluate(step.list, scope))
        return list === undefined ? undefined : points[itemCount(list.items.length)]
      },
    ])
    const turned = [points.one, points.several].filter((point) => point !== undefined)
    this.add(step.body, turned)
    // If there is always an item, what replaces a missing item needs no case either.
    if (points.none !== undefined) this.add(step.otherwise, [points.none])
  }

  private addWith(step: StepOf<'with'>, inside: readonly number[]): void {
    const there = this.point(step.place, 'is never there', inside)
    const missing = step.isOptional ? this.point(step.place, 'is never missing', inside) : undefined
    this.looks.set(step, [(scope) => (isMissing(evaluate(step.value, scope)) ? missing : there)])
    this.add(step.body, [there])
    this.add(step.otherwise, missing === undefined ? [] : [missing])
  }

  private point(place: string, gap: string, inside: readonly number[], part = ''): number {
    const { around, tag } = this.excerpts.get(place) ?? { around: '', tag: '' }
    // With other tags around it, nobody could tell which of them is meant.
    const which = part === '' && around.split('{{').length > 2 ? `, of which ${tag}` : part
    return this.coverage.add({ place, excerpt: `${around}${which}`, around, gap, inside })
  }
}

/** The condition that a block asks next (`#else if`) when its own fails. */
function nextInChain(step: Step): Step | undefined {
  if (step.op !== 'if' && step.op !== 'with' && step.op !== 'each') return undefined
  const [first, ...rest] = step.otherwise
  return typeof first === 'object' && first.op === 'watch' && rest.length === 1 ? first.step : undefined
}

function isOtherwise(step: Step, scope: Scope): boolean {
  if (step.op === 'if') return !holds(step.condition, scope)
  if (step.op === 'with') return isMissing(evaluate(step.value, scope))
  return step.op === 'each' && turnsOf(evaluate(step.list, scope))?.items.length === 0
}

/** The tests that `and` and `or` join. */
function partsOf(condition: Condition): readonly Condition[] {
  if (condition.kind === 'not') return partsOf(condition.condition)
  return condition.kind === 'all' || condition.kind === 'any' ? condition.conditions.flatMap(partsOf) : [condition]
}

function conditionText(condition: Condition): string {
  switch (condition.kind) {
    case 'truth':
      return expressionText(condition.value)
    case 'compare':
      return `${expressionText(condition.left)} ${condition.operator} ${expressionText(condition.right)}`
    case 'in':
      return `${expressionText(condition.value)} in [${condition.list.map(expressionText).join(', ')}]`
    case 'empty':
      return `${expressionText(condition.value)} is empty`
    case 'not':
      return `not ${conditionText(condition.condition)}`
    case 'all':
    case 'any':
      return condition.conditions.map(conditionText).join(condition.kind === 'all' ? ' and ' : ' or ')
  }
}

function expressionText(expression: Expression): string {
  switch (expression.kind) {
    case 'absolute':
      return formatPointer(expression.tokens)
    case 'relative':
      return (expression.up === 0 ? '.' : Array(expression.up).fill('..').join('/')) + formatPointer(expression.tokens)
    case 'meta':
      return `@${expression.name}`
    case 'literal':
      return JSON.stringify(expression.value)
  }
}

function excerpt(text: string, from: number, to: number): string {
  const before = text.slice(Math.max(0, from - wordsAround), from)
  const after = text.slice(to, to + wordsAround)
  const start = from > wordsAround ? `…${before}` : before
  const end = to + wordsAround < text.length ? `${after}…` : after
  return `${start}${text.slice(from, to)}${end}`.replace(/\s+/g, ' ').trim().toWellFormed()
}
