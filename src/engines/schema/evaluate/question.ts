import type { JsonValue } from '../../../core/json.ts'
import type { SchemaNode } from '../model.ts'
import type { Leaf } from './leaves.ts'
import type { Walk } from './walk.ts'

/** Whether a value has what one schema, or a part of it, asks for. */
export type Test<T extends JsonValue = JsonValue> = (walk: Walk, value: T) => boolean

/** The closure of one schema. Others hold this object, since schemas may refer to themselves. */
export interface Question {
  /** The same as data, if it is so simple. */
  readonly leaf: Leaf | undefined
  holds: Test
}

export type QuestionOf = (node: SchemaNode) => Question
