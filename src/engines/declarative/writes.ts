/** What a transformer writes: every place of its output with its type. */
import { limits } from '../../core/limits.ts'
import { joinPointer } from '../../core/pointer.ts'
import { type Type, typeLabel } from './types.ts'

export interface Write {
  /** JSON Pointer into the output; `*` means every item. */
  pointer: string
  /** For example `string`, `decimal?` (may be left out), `date|null`. */
  type: string
}

/** Lists leaves; objects and arrays only where nothing inside them is known. */
export function listWrites(type: Type): Write[] {
  const writes: Write[] = []
  visit(type, '', 0, writes)
  return writes
}

function visit(type: Type, pointer: string, depth: number, writes: Write[]): void {
  if (writes.length >= limits.transformWrites) return
  const only = type.alternatives.length === 1 ? type.alternatives[0] : undefined
  if (only?.kind === 'object' && only.shape.names.length > 0 && depth < limits.transformWritesDepth) {
    for (const name of only.shape.names) {
      const field = only.shape.field(name)
      if (field !== undefined) visit(field.type, joinPointer(pointer, name), depth + 1, writes)
    }
    return
  }
  if (only?.kind === 'array' && depth < limits.transformWritesDepth) {
    visit(only.item(), `${pointer}/*`, depth + 1, writes)
    return
  }
  writes.push({ pointer, type: typeLabel(type) })
}
