import type { JsonValue } from '../../core/json.ts'
import type { SourcePosition } from '../../core/positions.ts'

/** An input that could be read. */
export interface ReadInput {
  value: JsonValue
  /** Where in the text the value at a JSON Pointer comes from; undefined for JSON, whose pointers are places. */
  placeOf(pointer: string): InputPlace | undefined
}

export interface InputPlace extends SourcePosition {
  /** For XML: the element or attribute as a path, `/order/line[2]/@no`. */
  element?: string
}
