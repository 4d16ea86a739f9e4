/** The result of building one node of the source: its type, its cost bound and the function that evaluates it. */
import { Decimal } from '../../core/decimal.ts'
import type { SourceNode } from '../../core/source/tree.ts'
import type { Frame, Origin, Run } from './frame.ts'
import { addSizes, type Size } from './size.ts'
import { type Type, typeOf, types } from './types.ts'
import type { Value } from './value.ts'
import type { Want, WantTypes } from './wants.ts'

export interface Built {
  node: SourceNode
  type: Type
  /** Evaluated nodes, this one and all below it. */
  cost: Size
  run: Run
  /** Where in the input the value lies, when it is a part of the input taken as it is. */
  origin?: Origin
  /** Its items come from the array at its origin, but not at the same indexes. */
  scattered?: true
  /** The name by which the builder remembers that it is present. */
  known?: string
  /** Names known to be present when this boolean is true, and when it is false. */
  whenTrue?: readonly string[]
  whenFalse?: readonly string[]
  /** The value of a literal. */
  literal?: Value
}

/** A checked argument: its run converts the value, and faults if the value has the wrong type. */
export interface Checked<W extends Want> {
  built: Built
  type: Type
  cost: Size
  run(frame: Frame): WantTypes[W]
}

export function sumCosts(parts: readonly { cost: Size }[], own = 1): Size {
  let cost: Size = own
  for (const part of parts) cost = addSizes(cost, part.cost)
  return cost
}

export function typeOfLiteral(value: Value): Type {
  if (value === null || value === undefined) return types.null
  if (typeof value === 'boolean') return types.boolean
  if (typeof value === 'number' || value instanceof Decimal) return types.decimal
  return typeOf({ kind: 'string', values: [String(value)] })
}
