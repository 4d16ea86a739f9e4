/**
 * Sizes of arrays nested in items of others. Opening a loop gives each nested array a variable for its size in one turn;
 * closing it replaces the variable by the bound over all turns. That gives loops that follow the input's own nesting a
 * linear bound.
 */
import { limits } from '../../core/limits.ts'
import { addSizes, multiplySizes, ofAnyTurn, overAllTurns, type Size, type SizeBounds, sizeVariable } from './size.ts'
import { type Alternative, type Items, itemsOf, once, remembered, sizeOf, type Type, typeOf } from './types.ts'

/** The turns of a loop, in which arrays have different sizes. */
export class Turns {
  private readonly variables = new Map<number, SizeBounds>()

  constructor(
    readonly count: Size,
    private readonly newVariable: () => number,
  ) {}

  /** The type that an item has inside of the loop. */
  open(items: Items): Type {
    return mapSizes(items.item, outerOf(items), ({ size, total, isInside }) => {
      const variable = this.newVariable()
      this.variables.set(variable, { total, most: size })
      return isInside ? { size, total: sizeVariable(variable) } : { size: sizeVariable(variable) }
    })
  }

  /** The groups that the items of an array fall into, as the type of what is in one. */
  openGroups({ item, max, ...rest }: Items): Type {
    const group = typeOf({ kind: 'array', item: () => item, max, total: max, ...rest, min: 1 })
    return this.open({ item: group, max, min: 1 })
  }

  /** What all turns cost. */
  over(cost: Size): Size {
    return overAllTurns(cost, this.variables, this.count)
  }

  /** The type of what one turn makes, as the item of what all turns make. */
  close(made: Type): Type {
    return mapSizes(made, undefined, ({ size, total }) => ({
      size: ofAnyTurn(size, this.variables),
      total: this.over(total),
    }))
  }

  /** The type of what one turn makes, taken by itself. */
  closeOne(made: Type): Type {
    return mapSizes(made, undefined, ({ size, total }) => ({
      size: ofAnyTurn(size, this.variables),
      total: ofAnyTurn(total, this.variables),
    }))
  }
}

/** A type as that of the items of an array that consists of this many such values. */
export function asItemsOf(type: Type, count: Size): Type {
  return new Turns(count, () => 0).close(type)
}

/** The items of all arrays that are the items of one, as those of a single array. */
export function flattened(outer: Items): Items {
  const whole = mapSizes(outer.item, outerOf(outer), ({ size, total, isInside }) => {
    return isInside ? { size, total } : { size: total }
  })
  const { item, min } = itemsOf(whole)
  const max = whole.alternatives.reduce<Size>((sum, alternative) => addSizes(sum, sizeOf(alternative)), 0)
  return { item, max, min: outer.min * min }
}

/** The type of an array's items, each array in them with the size of all such arrays. */
export function withTotals(items: Items): Type {
  return mapSizes(items.item, outerOf(items), ({ size, total }) => ({ size, total }))
}

/** An array around others: the number of its items, or of those of all such arrays. `declared` is as in `Nested`. */
interface Outer {
  total: Size
  declared?: boolean
}

function outerOf({ max, declared }: Items): Outer {
  return declared === undefined ? { total: max } : { total: max, declared }
}

/** The size of an array, the total of all such arrays, and whether it lies in the items of another one. */
interface Sizes {
  size: Size
  total: Size
  isInside: boolean
}

type Change = (sizes: Sizes) => { size: Size; total?: Size }

/** Changes the sizes of a type's arrays at any depth. Lazy, since types may be recursive. */
function mapSizes(
  type: Type,
  outer: Outer | undefined,
  change: Change,
  place: 'outermost' | 'in items' = 'outermost',
): Type {
  const mapped = (part: Type) => mapSizes(part, outer, change, place)
  const alternatives = type.alternatives.map((alternative): Alternative => {
    if (alternative.kind === 'object') {
      const { names, field, rest } = alternative.shape
      const mappedField = remembered((name) => {
        const found = field(name)
        return found === undefined ? undefined : { ...found, type: mapped(found.type) }
      })
      const mappedRest = once(() => {
        const found = rest()
        return found === undefined ? undefined : mapped(found)
      })
      return { kind: 'object', shape: { names, field: mappedField, rest: mappedRest } }
    }
    if (alternative.kind !== 'array' && alternative.kind !== 'unknown') return alternative
    const size = sizeOf(alternative)
    const total = outer === undefined ? size : (alternative.total ?? totalWithin(outer, alternative, size))
    const changed = change({ size, total, isInside: place === 'in items' })
    const nested = changed.total === undefined ? {} : { total: changed.total }
    if (alternative.kind === 'unknown') return { kind: 'unknown', within: changed.size, ...nested }
    const { declared, min } = alternative
    const around: Outer = declared === undefined ? { total } : { total, declared }
    const item = once(() => mapSizes(alternative.item(), around, change, 'in items'))
    return { kind: 'array', item, min, max: changed.size, ...nested }
  })
  return alternatives.some((each, index) => each !== type.alternatives[index]) ? { ...type, alternatives } : type
}

/**
 * Arrays of the input have at most as many items as its bytes allow. If the contract gives no `maxItems`, all such
 * arrays together are assumed to have as many items as one.
 */
function totalWithin(outer: Outer, { declared }: { declared?: boolean }, size: Size): Size {
  const product = multiplySizes(outer.total, size)
  if (outer.declared === undefined || declared === undefined) return product
  if (typeof outer.total !== 'number' || typeof product !== 'number') return product
  return declared ? Math.min(product, limits.transformInputItems) : Math.max(outer.total, limits.transformAssumedItems)
}
