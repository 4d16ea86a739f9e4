/** What belongs together: a word on the page, the binding, the lines of the transformer, and the values of the input. Pure. */

import type { Binding } from '../../../core/binding.ts'
import type { LineageEntry } from '../../../engines/declarative/declarative.ts'
import type { TagPlace } from '../../api/types.ts'
import { placeKey } from '../template/places.ts'
import { isInside } from './links.ts'

/** Where somebody clicked. */
export type Chosen =
  | { in: 'page'; place: string; pointer: string | undefined }
  | { in: 'template'; place: string; pointer: string }
  | { in: 'output'; pointer: string }
  | { in: 'transformer'; line: number }
  | { in: 'input'; pointers: readonly string[] }

export interface Trace {
  outputs: readonly string[]
  /** Lines of the transformer. */
  lines: readonly number[]
  /** JSON Pointers into the input. */
  inputs: readonly string[]
  bindings: readonly (Binding | (TagPlace & { pointer: string }))[]
  /** Whether a value on a page belongs to it. */
  isOnPage(mark: TagPlace & { pointer?: string }): boolean
}

export function traceOf<B extends TagPlace & { pointer: string }>(
  chosen: Chosen,
  { lineage, bindings }: { lineage: readonly LineageEntry[]; bindings: readonly B[] },
): Trace & { bindings: readonly B[] } {
  const entries = lineage.filter((entry) => isChosen(chosen, entry))
  const outputs = entries.map(({ output }) => output)
  const isPlace = chosen.in === 'page' || chosen.in === 'template'
  const lit = bindings.filter((binding) =>
    isPlace ? placeKey(binding) === chosen.place : outputs.some((output) => isInside(output, binding.pointer)),
  )
  return {
    outputs,
    lines: [...new Set(entries.flatMap(({ lines }) => lines))].sort((a, b) => a - b),
    inputs: [...new Set(entries.flatMap(({ inputs }) => inputs))],
    bindings: lit,
    isOnPage: (mark) => {
      if (chosen.in === 'template') return placeKey(mark) === chosen.place
      if (mark.pointer === undefined) return chosen.in === 'page' && placeKey(mark) === chosen.place
      if (chosen.in === 'page' && chosen.pointer !== undefined) return mark.pointer === chosen.pointer
      const { pointer } = mark
      return outputs.some((output) => isInside(output, pointer) || isInside(pointer, output))
    },
  }
}

function isChosen(chosen: Chosen, { output, inputs, lines }: LineageEntry): boolean {
  switch (chosen.in) {
    case 'page':
    case 'template':
    case 'output':
      return chosen.pointer !== undefined && (isInside(output, chosen.pointer) || isInside(chosen.pointer, output))
    case 'transformer':
      return lines.includes(chosen.line)
    case 'input':
      return inputs.some((input) => chosen.pointers.some((pointer) => isInside(input, pointer)))
  }
}
