/**
 * Alternatives that a discriminator tells apart: if each requires its own values of the same member, such as `kind`, only
 * those that match the member's value are checked.
 */
import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import type { SchemaNode } from '../model.ts'
import { scalarsOf } from './leaves.ts'
import { memberOf, type Name, nameOf } from './members.ts'
import type { Question, QuestionOf } from './question.ts'

/** Gives the alternatives that may hold for a value, in their order. */
export type Alternatives = (value: JsonValue) => readonly Question[]

export function alternativesOf(nodes: readonly SchemaNode[], questionOf: QuestionOf): Alternatives {
  const all = nodes.map(questionOf)
  const told = nodes.length < 2 ? undefined : toldBy(nodes)
  if (told === undefined) return () => all
  const { name, places } = told
  const left = new Map<JsonValue, readonly Question[]>()
  for (const [scalar, indices] of places) {
    const questions = indices.flatMap((index) => all[index] ?? [])
    left.set(scalar, questions)
  }
  return (value) => {
    if (!isJsonObject(value)) return all
    const member = memberOf(value, name)
    return member === undefined ? all : (left.get(member) ?? none)
  }
}

const none: readonly Question[] = []

/** The member that tells alternatives apart, and which of them each of its values leaves. */
function toldBy(nodes: readonly SchemaNode[]): { name: Name; places: Map<JsonValue, number[]> } | undefined {
  const [first] = nodes
  let looked = 0
  for (const key of first === undefined ? [] : namesOf(first)) {
    const places = new Map<JsonValue, number[]>()
    for (const [index, node] of nodes.entries()) {
      const member = declaredBy(node, key)
      looked += 1 + (member?.choices?.values.length ?? 0)
      if (looked > limits.schemaAlternativesLooked) return undefined
      const scalars = member && scalarsOf(member)
      if (scalars === undefined) break
      for (const scalar of scalars) {
        const known = places.get(scalar)
        if (known === undefined) places.set(scalar, [index])
        else if (known.at(-1) !== index) known.push(index)
      }
      if (index === nodes.length - 1) return { name: nameOf(key), places }
    }
  }
  return undefined
}

function* namesOf(node: SchemaNode): Generator<string> {
  yield* node.properties?.keys() ?? []
  yield* node.ref?.properties?.keys() ?? []
}

/** What an alternative says of a member, itself or by its `$ref`. */
function declaredBy({ properties, ref }: SchemaNode, key: string): SchemaNode | undefined {
  return properties?.get(key) ?? ref?.properties?.get(key)
}
