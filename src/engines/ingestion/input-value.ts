import type { JsonValue } from '../../core/json.ts'
import type { SourcePosition } from '../../core/positions.ts'

/** An input that could be read. */
export interface ReadInput {
  value: JsonValue
  /** The place in the text of the value at a JSON Pointer; undefined for JSON, where the pointer itself is the place. */
  placeOf(pointer: string): InputPlace | undefined
}

export interface InputPlace extends SourcePosition {
  /** For XML: the element or attribute as a path, `/order/line[2]/@no`. */
  element?: string
}
