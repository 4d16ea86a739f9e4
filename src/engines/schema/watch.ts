/** Notes which rules of a contract payloads keep and which they break. */
import { Coverage } from '../../core/coverage.ts'
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { joinPointer } from '../../core/pointer.ts'
import { locatePointers } from '../../core/positions.ts'
import { identityOf } from './compare.ts'
import type { Seen } from './evaluate/walk.ts'
import { Evaluation, EvaluationExhausted } from './evaluate.ts'
import { type ChoiceKeyword, describeValue, Faults } from './explain.ts'
import type { SchemaModel, SchemaNode } from './model.ts'
import type { CompiledSchema } from './schema.ts'

/** Rules by the kind of value that they are about; a rule about all values is in `any`. */
const rules = {
  any: ['type', 'const', 'enum', 'not'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  array: [
    ...['minItems', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains'],
    ...['items', 'unevaluatedItems'],
  ],
  object: [
    ...['minProperties', 'maxProperties', 'dependentRequired', 'additionalProperties', 'propertyNames'],
    'unevaluatedProperties',
  ],
} as const

type Subject = Exclude<keyof typeof rules, 'any'>

/** These keywords count as rules only if they forbid everything; otherwise they lead to a schema with rules. */
const forbidding = new Set(['items', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties'])

interface NodePoints {
  /** What leads to the schema, shared by its points. */
  inside: number[]
  /** Points for a rule being kept and broken, and the kind of value that the rule applies to. */
  rules: { keyword: string; about: keyof typeof rules; kept: number | undefined; broken: number }[]
  /** Broken by an object without the property. */
  required: Map<string, number>
  optional: Map<string, { present: number; absent: number }>
  choices: Map<string, number>
  /** For a schema that decides something: points of its answers. */
  answers: { yes?: number; no?: number }
}

/** What one schema is found to be about one value, while it is checked. */
interface Check {
  node: SchemaNode
  broken: Set<string>
}

export class SchemaWatch {
  readonly coverage = new Coverage()
  private readonly points = new Map<SchemaNode, NodePoints>()
  private readonly lines: ReadonlyMap<string, { line: number }>

  constructor(
    private readonly schema: CompiledSchema,
    text: string,
  ) {
    this.lines = locatePointers(text, pointersOf(schema.model))
    this.add(schema.model.root, [])
  }

  /** Checks a value as `validatePayload` does, and notes the rules that it meets. */
  see(value: JsonValue): void {
    const faults = new Faults(limits.schemaFindingsCounted)
    try {
      new WatchedEvaluation(this.schema.model, (check, value, isValid) => this.note(check, value, isValid)).explain(
        value,
        faults,
      )
    } catch (error) {
      // What was met before it became too much was met.
      if (!(error instanceof EvaluationExhausted)) throw error
    }
  }

  private note({ node, broken }: Check, value: JsonValue, isValid: boolean): void {
    const points = this.points.get(node)
    if (points === undefined) return
    const { coverage } = this
    coverage.hit(isValid ? points.answers.yes : points.answers.no)
    const subject = subjectOf(value)
    // A value of the wrong type or outside its choices is judged no further.
    const isJudged = !['type', 'const', 'enum'].some((keyword) => broken.has(keyword))
    for (const { keyword, about, kept, broken: wrong } of points.rules) {
      if (broken.has(keyword)) coverage.hit(wrong)
      else if (about === 'any' ? isJudged || keyword === 'type' : isJudged && about === subject) coverage.hit(kept)
    }
    if (!isJudged) return
    if (points.choices.size > 0) coverage.hit(points.choices.get(identityOf(value)))
    if (!isJsonObject(value)) return
    for (const [name, point] of points.required) if (!Object.hasOwn(value, name)) coverage.hit(point)
    for (const [name, { present, absent }] of points.optional) {
      coverage.hit(Object.hasOwn(value, name) ? present : absent)
    }
  }

  /** Adds the points of a schema and of those below it; `inside` are the points that lead to it. */
  private add(node: SchemaNode, inside: number[]): void {
    if (!node.resource.document.isAuthors) return
    const known = this.points.get(node)
    if (known !== undefined) {
      // What every input reaches by one way is reached, whatever the others are.
      if (inside.length === 0) known.inside.length = 0
      else if (known.inside.length > 0) known.inside.push(...inside)
      return
    }
    const points = noPoints(inside)
    this.points.set(node, points)
    this.addRules(node, points, inside)
    this.addMembers(node, points, inside)
    this.addAlternatives(node, inside)
    for (const part of [node.ref, node.dynamicRef?.target, ...(node.allOf ?? [])]) {
      if (part !== undefined) this.add(part, inside)
    }
  }

  private addRules(node: SchemaNode, points: NodePoints, inside: number[]): void {
    for (const [about, keywords] of Object.entries(rules) as [keyof typeof rules, readonly string[]][]) {
      for (const keyword of keywords) {
        const written = node.keyword(keyword)
        if (written === undefined || !canBeBroken(node, keyword)) continue
        const place = joinPointer(node.pointer, keyword)
        const excerpt = `${keyword}: ${JSON.stringify(written)}`
        // Each value of an enum is a point of its own.
        const kept = keyword === 'enum' ? undefined : this.point({ place, excerpt, gap: 'is met by no input', inside })
        const broken = this.point({ place, excerpt, gap: 'is broken by no input', inside, byRefusal: true })
        points.rules.push({ keyword, about, kept, broken })
      }
    }
    for (const [index, value] of (node.choices?.values ?? []).entries()) {
      const place = joinPointer(joinPointer(node.pointer, 'enum'), index)
      const point = this.point({ place, excerpt: describeValue(value), gap: 'is the value in no input', inside })
      points.choices.set(identityOf(value), point)
    }
  }

  private addMembers(node: SchemaNode, points: NodePoints, inside: number[]): void {
    for (const [index, name] of (node.required ?? []).entries()) {
      const place = joinPointer(joinPointer(node.pointer, 'required'), index)
      const gap = 'is missing from no input'
      points.required.set(name, this.point({ place, excerpt: describeValue(name), gap, inside, byRefusal: true }))
    }
    for (const [name, member] of node.properties ?? []) {
      if (member.always === false) continue
      if (node.required?.includes(name)) {
        this.add(member, inside)
        continue
      }
      const place = joinPointer(joinPointer(node.pointer, 'properties'), name)
      const excerpt = describeValue(name)
      const present = this.point({ place, excerpt, gap: 'is given by no input', inside })
      const absent = this.point({ place, excerpt, gap: 'is missing from no input', inside })
      points.optional.set(name, { present, absent })
      this.add(member, [present])
    }
    const others = [
      ...(node.patternProperties ?? []).map(({ schema }) => schema),
      ...(node.prefixItems ?? []),
      ...[node.additionalProperties, node.unevaluatedProperties, node.items, node.unevaluatedItems],
      ...(node.dependentSchemas?.values() ?? []),
    ]
    for (const other of others) if (other !== undefined) this.add(other, inside)
  }

  private addAlternatives(node: SchemaNode, inside: number[]): void {
    for (const branch of [...(node.anyOf ?? []), ...(node.oneOf ?? [])]) {
      const point = this.point({ place: branch.pointer, excerpt: nameOf(branch), gap: 'matches no input', inside })
      this.add(branch, inside)
      this.answers(branch).yes ??= point
    }
    if (node.condition === undefined) return
    const at = { place: node.condition.pointer, excerpt: 'if', inside }
    const yes = this.point({ ...at, gap: 'holds for no input' })
    const no = this.point({ ...at, gap: 'holds for every input' })
    Object.assign(this.answers(node.condition), { yes, no })
    if (node.whenTrue !== undefined) this.add(node.whenTrue, [yes])
    if (node.whenFalse !== undefined) this.add(node.whenFalse, [no])
  }

  private answers(node: SchemaNode): NodePoints['answers'] {
    const known = this.points.get(node)
    if (known !== undefined) return known.answers
    const none = noPoints([])
    this.points.set(node, none)
    return none.answers
  }

  private point(point: Parameters<Coverage['add']>[0]): number {
    const line = this.lines.get(point.place)?.line
    return this.coverage.add({ ...point, ...(line === undefined ? {} : { line }) })
  }
}

/** Whether some value breaks a rule: a point that nothing can reach would stay open for ever. */
function canBeBroken(node: SchemaNode, keyword: string): boolean {
  const written = node.keyword(keyword)
  if (forbidding.has(keyword)) return written === false
  switch (keyword) {
    case 'format':
      return node.format?.test !== undefined
    case 'uniqueItems':
      return written === true
    // With `minContains` beside it, that is what is broken.
    case 'contains':
      return node.minContains === undefined
    case 'maxContains':
      return node.contains !== undefined
    case 'minContains':
      return node.contains !== undefined && written !== 0
    default:
      return !/^min(?:Length|Items|Properties)$/.test(keyword) || written !== 0
  }
}

function noPoints(inside: number[]): NodePoints {
  return { inside, rules: [], required: new Map(), optional: new Map(), choices: new Map(), answers: {} }
}

/** Tells what each schema is found to be while everything that is wrong is looked for. */
class WatchedEvaluation extends Evaluation {
  private readonly checks: Check[] = []

  constructor(
    model: SchemaModel,
    private readonly tell: (check: Check, value: JsonValue, isValid: boolean) => void,
  ) {
    super(model, limits.schemaEvaluationSteps)
  }

  override check(node: SchemaNode, value: JsonValue, faults: Faults | undefined, seen: Seen | undefined): boolean {
    const check: Check = { node, broken: new Set() }
    this.checks.push(check)
    const isValid = super.check(node, value, faults, seen)
    this.checks.pop()
    this.tell(check, value, isValid)
    return isValid
  }

  override wrong(faults: Faults | undefined, node: SchemaNode, keyword: string, message: () => string): false {
    this.broken(node, keyword)
    return super.wrong(faults, node, keyword, message)
  }

  override wrongChoice(faults: Faults | undefined, node: SchemaNode, keyword: ChoiceKeyword, value: JsonValue): false {
    this.broken(node, keyword)
    return super.wrongChoice(faults, node, keyword, value)
  }

  override missing(faults: Faults, node: SchemaNode, keyword: string, key: string, because?: string): false {
    this.broken(node, keyword)
    return super.missing(faults, node, keyword, key, because)
  }

  private broken(node: SchemaNode, keyword: string): void {
    const check = this.checks.at(-1)
    if (check?.node === node) check.broken.add(keyword)
  }
}

function subjectOf(value: JsonValue): Subject | undefined {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'string') return 'string'
  if (Array.isArray(value)) return 'array'
  return isJsonObject(value) ? 'object' : undefined
}

function nameOf(node: SchemaNode): string {
  const title = node.keyword('title')
  return typeof title === 'string'
    ? describeValue(title)
    : node.pointer.slice(node.pointer.lastIndexOf('/', node.pointer.lastIndexOf('/') - 1) + 1)
}

function pointersOf({ nodes }: SchemaModel): string[] {
  return nodes.flatMap((node) => {
    if (!node.resource.document.isAuthors || typeof node.source === 'boolean') return [node.pointer]
    const under = (keyword: string, keys: Iterable<string | number>) =>
      [...keys].map((key) => joinPointer(joinPointer(node.pointer, keyword), key))
    return [
      node.pointer,
      ...Object.keys(node.source).map((keyword) => joinPointer(node.pointer, keyword)),
      ...under('required', (node.required ?? []).keys()),
      ...under('enum', (node.choices?.values ?? []).keys()),
      ...under('properties', node.properties?.keys() ?? []),
    ]
  })
}
