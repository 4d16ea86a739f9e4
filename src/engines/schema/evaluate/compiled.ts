/**
 * The question whether a value is valid, as closures: one for each schema, made of the keywords that it has when it is
 * first asked. They answer as the walk does, which says why a value is wrong, charge about as much, and leave it what is rare.
 */
import type { JsonObject, JsonValue } from '../../../core/json.ts'
import { type PlainObject, type SchemaModel, type SchemaNode, type TypeName, typeBit } from '../model.ts'
import { checkArray } from './arrays.ts'
import { checkCombinations } from './combinations.ts'
import { checkObject } from './objects.ts'
import { checkNumber, checkString } from './scalars.ts'
import type { Walk } from './walk.ts'

/** Whether a value has what one schema, or a part of it, asks for. */
type Test<T extends JsonValue = JsonValue> = (walk: Walk, value: T) => boolean

/** The closure of one schema. Others hold this object, since schemas may refer to themselves. */
interface Question {
  holds: Test
}

export class CompiledModel {
  private readonly questions = new Map<SchemaNode, Question>()

  holds(node: SchemaNode, walk: Walk, value: JsonValue): boolean {
    return this.questionOf(node).holds(walk, value)
  }

  private readonly questionOf = (node: SchemaNode): Question => {
    let question = this.questions.get(node)
    if (question === undefined) {
      const made: Question = {
        holds: (walk, value) => {
          made.holds = testOf(node, this.questionOf)
          return made.holds(walk, value)
        },
      }
      question = made
      this.questions.set(node, question)
    }
    return question
  }
}

const compiledModels = new WeakMap<SchemaModel, CompiledModel>()

/** Undefined for a model whose answers depend on the way to a schema. */
export function compiledModelOf(model: SchemaModel): CompiledModel | undefined {
  if (model.isDynamic) return undefined
  let compiled = compiledModels.get(model)
  if (compiled === undefined) {
    compiled = new CompiledModel()
    compiledModels.set(model, compiled)
  }
  return compiled
}

type QuestionOf = (node: SchemaNode) => Question

function testOf(node: SchemaNode, questionOf: QuestionOf): Test {
  if (node.always !== undefined || node.unevaluatedProperties !== undefined || node.unevaluatedItems !== undefined) {
    return (walk, value) => walk.apply(node, value, undefined, undefined)
  }
  const rules: Rules = {
    mask: node.types === undefined ? undefined : node.typeMask,
    isChosen: choiceTest(node),
    onString: stringTest(node),
    onNumber: numberTest(node),
    onArray: arrayTest(node, questionOf),
    onObject: objectTest(node, questionOf),
    combinations: node.hasCombinations ? combinationTest(node, questionOf) : undefined,
  }
  if (rules.combinations === undefined) {
    const only = node.types?.length === 1 ? node.types[0] : undefined
    const leaf = rules.isChosen === undefined ? leafTest(only, rules) : scalarTest(node, rules)
    if (leaf !== undefined) return leaf
  }
  return wholeTest(rules)
}

/** What a schema asks for; undefined what it doesn't. */
interface Rules {
  mask: number | undefined
  isChosen: Test | undefined
  onString: Test<string> | undefined
  onNumber: Test<number> | undefined
  onArray: Test<JsonValue[]> | undefined
  onObject: Test<JsonObject> | undefined
  combinations: Test | undefined
}

/** Of a schema for one type of scalars. */
function leafTest(only: TypeName | undefined, { onString, onNumber }: Rules): Test | undefined {
  if (only === 'string') {
    return (walk, value) => {
      walk.enterLeaf()
      return typeof value === 'string' && (onString === undefined || onString(walk, value))
    }
  }
  if (only !== 'number' && only !== 'integer') return undefined
  const mayBeFraction = only === 'number'
  return (walk, value) => {
    walk.enterLeaf()
    if (typeof value !== 'number' || !(mayBeFraction || Number.isInteger(value))) return false
    return onNumber === undefined || onNumber(walk, value)
  }
}

/** Of a schema that only lists scalars to choose from. */
function scalarTest(
  { constant, choices }: SchemaNode,
  { mask, isChosen, onString, onNumber }: Rules,
): Test | undefined {
  const listed = [...(choices?.values ?? []), ...(constant === undefined ? [] : [constant.value])]
  const isListed = listed.every((value) => typeof value !== 'object' || value === null)
  const others = [mask, onString, onNumber]
  if (isChosen === undefined || !isListed || others.some((rule) => rule !== undefined)) return undefined
  return (walk, value) => {
    walk.enterLeaf()
    return isChosen(walk, value)
  }
}

function wholeTest({ mask, isChosen, onString, onNumber, onArray, onObject, combinations }: Rules): Test {
  return (walk, value) => {
    walk.enter()
    let holds =
      (mask === undefined || (mask & typeBit(value)) !== 0) && (isChosen === undefined || isChosen(walk, value))
    if (holds) {
      if (typeof value === 'string') holds = onString === undefined || onString(walk, value)
      else if (typeof value === 'number') holds = onNumber === undefined || onNumber(walk, value)
      else if (Array.isArray(value)) holds = onArray === undefined || onArray(walk, value)
      else if (typeof value === 'object' && value !== null) holds = onObject === undefined || onObject(walk, value)
    }
    holds = holds && (combinations === undefined || combinations(walk, value))
    walk.leave()
    return holds
  }
}

function choiceTest({ constant, choices }: SchemaNode): Test | undefined {
  if (constant === undefined && choices === undefined) return undefined
  return (walk, value) =>
    (constant === undefined || walk.equals(value, constant)) && (choices === undefined || walk.isAmong(value, choices))
}

function stringTest(node: SchemaNode): Test<string> | undefined {
  const rules = [node.minLength, node.maxLength, node.pattern, node.format?.test]
  return rules.some((rule) => rule !== undefined)
    ? (walk, value) => checkString(walk, node, value, undefined)
    : undefined
}

function numberTest(node: SchemaNode): Test<number> | undefined {
  const rules = [node.minimum, node.maximum, node.exclusiveMinimum, node.exclusiveMaximum, node.multipleOf]
  return rules.some((rule) => rule !== undefined)
    ? (walk, value) => checkNumber(walk, node, value, undefined)
    : undefined
}

function arrayTest(node: SchemaNode, questionOf: QuestionOf): Test<JsonValue[]> | undefined {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node
  if (node.prefixItems !== undefined || node.contains !== undefined || node.uniqueItems || items?.always === false) {
    return (walk, value) => checkArray(walk, node, value, undefined, undefined)
  }
  if (items === undefined) {
    if (node.minItems === undefined && node.maxItems === undefined) return undefined
    return (_, value) => value.length >= minItems && value.length <= maxItems
  }
  const item = questionOf(items)
  return (walk, value) => {
    if (value.length < minItems || value.length > maxItems) return false
    for (let at = 0; at < value.length; at++) {
      const member = value[at]
      if (member !== undefined && !item.holds(walk, member)) return false
    }
    return true
  }
}

function objectTest(node: SchemaNode, questionOf: QuestionOf): Test<JsonObject> | undefined {
  const { plainObject: plain, objectRuleCost } = node
  if (plain === undefined) return (walk, value) => checkObject(walk, node, value, undefined, undefined)
  if (plain.properties.size === 0 && plain.required.length === 0 && !plain.isClosed) return undefined
  const asksMuch = plain.isClosed || plain.properties.size + plain.others.length > FEW_NAMES
  return asksMuch ? testInOrder(plain, objectRuleCost, questionOf) : testByName(plain, questionOf)
}

/** Tuned: so few names are looked up in the object, and not the object's among them. */
const FEW_NAMES = 2

function testByName({ properties, required }: PlainObject, questionOf: QuestionOf): Test<JsonObject> {
  const declared = [...properties].sort(
    ([, one], [, other]) => Number(one.leadsToAlternatives) - Number(other.leadsToAlternatives),
  )
  const questions = declared.map(([key, schema]) => ({ key, question: questionOf(schema) }))
  return (walk, value) => {
    for (const key of required) if (!Object.hasOwn(value, key)) return false
    for (const { key, question } of questions) {
      const member = Object.hasOwn(value, key) ? value[key] : undefined
      if (member !== undefined && !question.holds(walk, member)) return false
    }
    return true
  }
}

/** What a schema asks of a member by its name. */
interface Member {
  readonly key: string
  readonly question: Question | undefined
  readonly isRequired: boolean
  /** Of what leads to alternatives: asked after all others, in the order of the ranks (order.ts). */
  readonly late: { question: Question; rank: number } | undefined
  /** The member that followed it the last time. */
  next: Member | undefined
}

/**
 * Walks the object's own members. The objects of one schema mostly have the same names in the same order, so each
 * name is first compared with the one that came there the last time.
 */
function testInOrder(plain: PlainObject, cost: number, questionOf: QuestionOf): Test<JsonObject> {
  const { properties, required, others, isClosed } = plain
  const needed = new Set(required)
  const members = new Map<string, Member>()
  for (const [key, schema] of properties) {
    const question = questionOf(schema)
    const late = schema.leadsToAlternatives ? { question, rank: members.size } : undefined
    members.set(key, { key, question, isRequired: needed.has(key), late, next: undefined })
  }
  const undeclared = { question: undefined, late: undefined, next: undefined }
  for (const key of others) members.set(key, { key, isRequired: true, ...undeclared })
  const start: Member = { key: '', isRequired: false, ...undeclared }
  return (walk, value) => {
    let count = 0
    let missing = needed.size
    let holds = true
    let previous = start
    let later: { question: Question; rank: number; inside: JsonValue }[] | undefined
    for (const key in value) {
      count++
      let member = previous.next
      if (member?.key !== key) {
        member = members.get(key)
        if (member === undefined) {
          if (!isClosed) continue
          holds = false
          break
        }
        previous.next = member
      }
      previous = member
      const inside = value[key]
      if (inside === undefined) continue
      if (member.isRequired) missing--
      if (member.late !== undefined) {
        later ??= []
        later.push({ ...member.late, inside })
        continue
      }
      holds = member.question === undefined ? !isClosed : member.question.holds(walk, inside)
      if (!holds) break
    }
    walk.spend((count >> 1) + cost)
    if (!holds || missing > 0) return false
    if (later === undefined) return true
    if (later.length > 1) later.sort((one, other) => one.rank - other.rank)
    return later.every(({ question, inside }) => question.holds(walk, inside))
  }
}

function combinationTest(node: SchemaNode, questionOf: QuestionOf): Test {
  const { ref, allOf = [], anyOf, oneOf } = node
  const others = [node.dynamicRef, node.not, node.condition, node.whenTrue, node.whenFalse, node.dependentSchemas]
  if (others.some((rule) => rule !== undefined)) {
    return (walk, value) => checkCombinations(walk, node, value, undefined, undefined)
  }
  const all = [...(ref === undefined ? [] : [ref]), ...allOf].map(questionOf)
  const any = anyOf?.map(questionOf)
  const one = oneOf?.map(questionOf)
  return (walk, value) => {
    for (const { holds } of all) if (!holds(walk, value)) return false
    if (any !== undefined && !any.some(({ holds }) => holds(walk, value))) return false
    return one === undefined || holdsOnce(one, walk, value)
  }
}

function holdsOnce(questions: readonly Question[], walk: Walk, value: JsonValue): boolean {
  let matching = 0
  for (const { holds } of questions) if (holds(walk, value) && ++matching > 1) return false
  return matching === 1
}
