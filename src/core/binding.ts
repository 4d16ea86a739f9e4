/**
 * What a template wants from its data: the common language of the template scanner (which produces bindings) and the
 * transformer's checker (which compares them with what the transformer writes).
 */
export interface Binding {
  /** JSON Pointer into the data. After a list's name the token `*` stands for every item: `lines` → `*` → `amount`. */
  pointer: string
  shape: 'scalar' | 'list' | 'flag' | 'image' | 'rich'
  /** False where the template says itself what happens when the value is missing (`default`, `#if`). */
  required: boolean
  /** Where the tag stands: package part, 1-based paragraph in that part, 0-based character position in its text. */
  part: string
  paragraph: number
  position: number
}
