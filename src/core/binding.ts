import { isJsonObject, type JsonValue } from './json.ts'
import { limits } from './limits.ts'
import { parsePointer } from './pointer.ts'

/**
 * What a template wants from its data. The template scanner produces bindings, and the transformer's checker compares
 * them with what the transformer writes. A type rather than an interface, so that its canonical JSON can be hashed.
 */
export type Binding = {
  /** JSON Pointer into the data. After a list (or object), the token `*` means every item (or member): `lines` → `*` → `amount`. */
  pointer: string
  shape: 'scalar' | 'list' | 'object' | 'flag' | 'image' | 'rich'
  /** False if the template says itself what happens when the value is missing (`default`, `#if`). */
  required: boolean
  /** The tag's place: package part, 1-based paragraph in that part, 0-based character position in its text. */
  part: string
  paragraph: number
  position: number
  /** Absent if the tag accepts any value of the shape, and in versions frozen before it was recorded. */
  use?: BindingUse
}

/** What a tag does with a value, where that decides which types make sense. */
export type BindingUse = {
  /**
   * How the tag uses the value:
   * - `number`, `date`, `time`: a format of numbers or dates; `time` is a date pattern with hours, minutes or seconds;
   * - `test`, `equal`, `order`: a condition, which tests for presence or compares;
   * - `members`: a loop that reads the names of members, which only objects have;
   * - `color`: a shade, which wants `#RRGGBB` or the name of a colour.
   */
  as: 'members' | 'number' | 'date' | 'time' | 'color' | 'test' | 'equal' | 'order'
  /** What the tag itself compares with. */
  values?: (string | number | boolean | null)[]
  /** Where the data has what it compares with. */
  pointers?: string[]
}

/** Whether a condition reads it: without a value, such a condition is always false, and nobody notices. */
export function isInCondition({ use }: Binding): boolean {
  return use !== undefined && (use.as === 'test' || use.as === 'equal' || use.as === 'order')
}

/** The data that a binding finds: whether every place has a value, and the first value as text if it is a scalar. */
export interface BoundValue {
  resolved: boolean
  /** Cut at 200 characters. */
  text?: string
}

export function boundValue(data: JsonValue, pointer: string): BoundValue {
  const values = valuesAt(data, parsePointer(pointer) ?? [])
  const [first] = values
  const resolved = values.every((value) => value !== undefined)
  const isScalar = first !== undefined && (first === null || typeof first !== 'object')
  return isScalar ? { resolved, text: [...String(first)].slice(0, limits.shownValueChars).join('') } : { resolved }
}

/** The values at a pointer; with `*` one for each item, and none for an empty list. */
function valuesAt(value: JsonValue | undefined, tokens: readonly string[]): (JsonValue | undefined)[] {
  const [token, ...rest] = tokens
  if (token === undefined) return [value]
  if (Array.isArray(value)) {
    if (token === '*') return value.flatMap((item) => valuesAt(item, rest)).slice(0, limits.composeIterations)
    return valuesAt(/^(?:0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined, rest)
  }
  if (!isJsonObject(value)) return [undefined]
  if (Object.hasOwn(value, token)) return valuesAt(value[token], rest)
  if (token !== '*') return [undefined]
  const names = Object.keys(value).sort()
  return names.flatMap((name) => valuesAt(value[name], rest)).slice(0, limits.composeIterations)
}
