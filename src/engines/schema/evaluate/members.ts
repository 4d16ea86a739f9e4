/** The members of objects whose rules are no more than required, declared and further names. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import type { PlainObject } from '../model.ts'
import { type Leaf, leafHolds } from './leaves.ts'
import type { Question, QuestionOf, Test } from './question.ts'
import type { Walk } from './walk.ts'

/** Tuned: so few names are looked up in the object, and not the object's among them. */
const FEW_NAMES = 2

/** The rules of a schema about its members, and what else it asks of a value. */
export interface ObjectRules {
  plain: PlainObject
  /** Steps to charge for the names that are looked up in every object. */
  cost: number
  /** Whether other values than objects hold. */
  isForOthers: boolean
  /** Asked of what has kept the other rules. */
  combinations: Test | undefined
}

/** The whole test of a schema that has no other rules. */
export function objectTest(rules: ObjectRules, questionOf: QuestionOf): Test {
  const { properties, others, isClosed } = rules.plain
  const asksMuch = isClosed || properties.size + others.length > FEW_NAMES
  return asksMuch ? testInOrder(rules, questionOf) : testByName(rules, questionOf)
}

/** A name to look up. Names of `Object.prototype` are inherited by every object, so they need an own-property check. */
export interface Name {
  readonly key: string
  readonly isInherited: boolean
}

export function nameOf(key: string): Name {
  return { key, isInherited: key in Object.prototype }
}

/** An object's own member; undefined if there is none. */
export function memberOf(value: JsonObject, { key, isInherited }: Name): JsonValue | undefined {
  return isInherited && !Object.hasOwn(value, key) ? undefined : value[key]
}

function testByName({ plain, isForOthers, combinations }: ObjectRules, questionOf: QuestionOf): Test {
  const { properties, required } = plain
  const needed = required.map(nameOf)
  const declared = [...properties]
    .sort(([, one], [, other]) => Number(one.leadsToAlternatives) - Number(other.leadsToAlternatives))
    .map(([key, schema]) => ({ name: nameOf(key), question: questionOf(schema) }))
  const membersHold = (walk: Walk, value: JsonObject): boolean => {
    for (let at = 0; at < needed.length; at++) {
      if (memberOf(value, needed[at] as Name) === undefined) return false
    }
    for (let at = 0; at < declared.length; at++) {
      const { name, question } = declared[at] as (typeof declared)[number]
      const member = memberOf(value, name)
      if (member === undefined) continue
      const { leaf } = question
      if (leaf === undefined) {
        if (!question.holds(walk, member)) return false
        continue
      }
      walk.spendLeaves(1)
      if (!leafHolds(leaf, walk, member)) return false
    }
    return true
  }
  return (walk, value) => {
    walk.enter()
    const holds =
      (isJsonObject(value) ? membersHold(walk, value) : isForOthers) &&
      (combinations === undefined || combinations(walk, value))
    walk.leave()
    return holds
  }
}

/** What a schema asks of a member by its name. */
interface Member {
  readonly key: string
  readonly leaf: Leaf | undefined
  readonly question: Question | undefined
  readonly isRequired: boolean
  /** Of what leads to alternatives: asked after all others, in the order of the ranks (order.ts). */
  readonly late: { question: Question; rank: number } | undefined
  /** The two members that followed it the last times. */
  next: Member | undefined
  other: Member | undefined
}

/**
 * Walks the object's own members. Objects of one schema mostly have the same names in the same order, so each name is
 * first compared with the two that recently followed the one before it.
 */
function testInOrder({ plain, cost, isForOthers, combinations }: ObjectRules, questionOf: QuestionOf): Test {
  const { properties, required, others, isClosed } = plain
  const needed = new Set(required)
  const members = new Map<string, Member>()
  const unknown = { next: undefined, other: undefined }
  for (const [key, schema] of properties) {
    const question = questionOf(schema)
    const late = schema.leadsToAlternatives ? { question, rank: members.size } : undefined
    members.set(key, { key, leaf: question.leaf, question, isRequired: needed.has(key), late, ...unknown })
  }
  const undeclared = { leaf: undefined, question: undefined, late: undefined, ...unknown }
  for (const key of others) members.set(key, { key, isRequired: true, ...undeclared })
  const start: Member = { key: '', isRequired: false, ...undeclared }

  /** The declared or required member of a name that didn't come after this one lately. */
  const follow = (previous: Member, key: string): Member | undefined => {
    const member = members.get(key)
    if (member === undefined) return undefined
    previous.other = previous.next
    previous.next = member
    return member
  }
  const membersHold = (walk: Walk, value: JsonObject): boolean => {
    let count = 0
    let leaves = 0
    let missing = needed.size
    let holds = true
    let previous = start
    let later: { question: Question; rank: number; inside: JsonValue }[] | undefined
    for (const key in value) {
      count++
      let member = previous.next
      if (member === undefined || member.key !== key) {
        member = previous.other
        if (member === undefined || member.key !== key) {
          member = follow(previous, key)
          if (member === undefined) {
            if (!isClosed) continue
            holds = false
            break
          }
        }
      }
      previous = member
      const inside = value[key]
      if (inside === undefined) continue
      if (member.isRequired) missing--
      const { leaf, question } = member
      if (leaf !== undefined) {
        leaves++
        holds = leafHolds(leaf, walk, inside)
      } else if (question === undefined) holds = !isClosed
      else if (member.late === undefined) holds = question.holds(walk, inside)
      else {
        later ??= []
        later.push({ ...member.late, inside })
      }
      if (!holds) break
    }
    walk.spend((count >> 1) + cost)
    walk.spendLeaves(leaves)
    if (!holds || missing > 0) return false
    if (later === undefined) return true
    if (later.length > 1) later.sort((one, other) => one.rank - other.rank)
    for (const { question, inside } of later) if (!question.holds(walk, inside)) return false
    return true
  }
  return (walk, value) => {
    walk.enter()
    const holds =
      (isJsonObject(value) ? membersHold(walk, value) : isForOthers) &&
      (combinations === undefined || combinations(walk, value))
    walk.leave()
    return holds
  }
}
