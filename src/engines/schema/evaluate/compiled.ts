/**
 * Checks validity with closures: one for each schema, compiled from its keywords on first use. They agree with the walk, which
 * explains faults, charge about as many steps, and delegate rare keywords to it.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import { type SchemaModel, type SchemaNode, typeBit, typeBits } from '../model.ts'
import { type Alternatives, alternativesOf } from './alternatives.ts'
import { checkArray } from './arrays.ts'
import { checkCombinations } from './combinations.ts'
import { type Leaf, leafHolds, leafOf } from './leaves.ts'
import { objectTest } from './members.ts'
import { checkObject } from './objects.ts'
import type { Question, QuestionOf, Test } from './question.ts'
import { checkNumber, checkString } from './scalars.ts'
import type { Walk } from './walk.ts'

export class CompiledModel {
  private readonly questions = new Map<SchemaNode, Question>()

  holds(node: SchemaNode, walk: Walk, value: JsonValue): boolean {
    return this.questionOf(node).holds(walk, value)
  }

  private readonly questionOf = (node: SchemaNode): Question => {
    let question = this.questions.get(node)
    if (question === undefined) {
      const leaf = leafOf(node)
      const made: Question = {
        leaf,
        holds: (walk, value) => {
          made.holds = testOf(node, leaf, this.questionOf)
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

function testOf(node: SchemaNode, leaf: Leaf | undefined, questionOf: QuestionOf): Test {
  if (leaf !== undefined) {
    return (walk, value) => {
      walk.enterLeaf()
      return leafHolds(leaf, walk, value)
    }
  }
  if (node.always !== undefined || node.unevaluatedProperties !== undefined || node.unevaluatedItems !== undefined) {
    return (walk, value) => walk.apply(node, value, undefined, undefined)
  }
  const mask = node.types === undefined ? undefined : node.typeMask
  const combinations = node.hasCombinations ? combinationTest(node, questionOf) : undefined
  const rules: Rules = {
    mask,
    isChosen: choiceTest(node),
    onString: stringTest(node),
    onNumber: numberTest(node),
    onArray: arrayTest(node, questionOf),
    onObject: asksOfObjects(node) ? (walk, value) => checkObject(walk, node, value, undefined, undefined) : undefined,
    combinations,
  }
  const asksMembers = rules.onObject !== undefined || mask === typeBits.object
  if (node.plainObject === undefined || !asksMembers || rules.isChosen !== undefined) {
    return listTest(rules) ?? combinedTest(rules) ?? wholeTest(rules)
  }
  const ofObjects = objectTest(
    { plain: node.plainObject, cost: node.objectRuleCost, isForOthers: mask === undefined, combinations },
    questionOf,
  )
  if (mask === typeBits.object || (mask === undefined && isOnlyOfObjects(rules))) return ofObjects
  const ofOthers = wholeTest({ ...rules, onObject: undefined })
  if (mask !== undefined && (mask & typeBits.object) === 0) return ofOthers
  return (walk, value) => (isJsonObject(value) ? ofObjects(walk, value) : ofOthers(walk, value))
}

/** Whether no other values than objects have to keep rules. */
function isOnlyOfObjects({ isChosen, onString, onNumber, onArray }: Rules): boolean {
  return [isChosen, onString, onNumber, onArray].every((rule) => rule === undefined)
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

/** Of a schema for arrays alone. */
function listTest({ mask, isChosen, onArray, combinations }: Rules): Test | undefined {
  if (isChosen !== undefined || mask !== typeBits.array) return undefined
  return (walk, value) => {
    walk.enter()
    const holds =
      Array.isArray(value) &&
      (onArray === undefined || onArray(walk, value)) &&
      (combinations === undefined || combinations(walk, value))
    walk.leave()
    return holds
  }
}

/** Of a schema that only applies others to the same value. */
function combinedTest({ combinations, ...others }: Rules): Test | undefined {
  if (combinations === undefined || Object.values(others).some((rule) => rule !== undefined)) return undefined
  return (walk, value) => {
    walk.enter()
    const holds = combinations(walk, value)
    walk.leave()
    return holds
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
  const { leaf } = item
  if (leaf !== undefined) {
    return (walk, value) => {
      if (value.length < minItems || value.length > maxItems) return false
      let at = 0
      let holds = true
      while (holds && at < value.length) {
        const member = value[at++]
        holds = member === undefined || leafHolds(leaf, walk, member)
      }
      walk.spendLeaves(at)
      return holds
    }
  }
  return (walk, value) => {
    if (value.length < minItems || value.length > maxItems) return false
    for (let at = 0; at < value.length; at++) {
      const member = value[at]
      if (member !== undefined && !item.holds(walk, member)) return false
    }
    return true
  }
}

function asksOfObjects({ plainObject: plain }: SchemaNode): boolean {
  return plain === undefined || plain.properties.size > 0 || plain.required.length > 0 || plain.isClosed
}

function combinationTest(node: SchemaNode, questionOf: QuestionOf): Test {
  const { ref, allOf = [], anyOf, oneOf } = node
  const others = [node.dynamicRef, node.not, node.condition, node.whenTrue, node.whenFalse, node.dependentSchemas]
  if (others.some((rule) => rule !== undefined)) {
    return (walk, value) => checkCombinations(walk, node, value, undefined, undefined)
  }
  const tests: Test[] = [...(ref === undefined ? [] : [ref]), ...allOf].map(questionOf).map(asTest)
  if (anyOf !== undefined) tests.push(anyOfTest(alternativesOf(anyOf, questionOf)))
  if (oneOf !== undefined) tests.push(oneOfTest(alternativesOf(oneOf, questionOf)))
  const [first, ...further] = tests
  if (first !== undefined && further.length === 0) return first
  return (walk, value) => {
    for (const test of tests) if (!test(walk, value)) return false
    return true
  }
}

function asTest(question: Question): Test {
  return (walk, value) => question.holds(walk, value)
}

function anyOfTest(alternatives: Alternatives): Test {
  return (walk, value) => {
    for (const question of alternatives(value)) if (question.holds(walk, value)) return true
    return false
  }
}

function oneOfTest(alternatives: Alternatives): Test {
  return (walk, value) => {
    let matching = 0
    for (const question of alternatives(value)) {
      if (question.holds(walk, value) && ++matching > 1) return false
    }
    return matching === 1
  }
}
