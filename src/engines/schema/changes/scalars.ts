/** Rules on one value by itself: types, listed values, numbers, sizes and texts. */
import type { JsonValue } from '../../../core/json.ts'
import { joinPointer } from '../../../core/pointer.ts'
import { identityOf, isMultipleOf } from '../compare.ts'
import { describeValue, orList } from '../explain.ts'
import { maskOf } from '../family.ts'
import { type SchemaNode, typeBits, typeNames } from '../model.ts'
import { type Changes, type Context, effectOf, weakened } from './report.ts'

export function compareScalarRules(older: SchemaNode, newer: SchemaNode, context: Context, changes: Changes): void {
  compareTypes(older, newer, context, changes)
  compareValues(older, newer, context, changes)
  compareNumbers(older, newer, context, changes)
  compareSizes(older, newer, context, changes)
  compareTexts(older, newer, context, changes)
}

function compareTypes(older: SchemaNode, newer: SchemaNode, context: Context, changes: Changes): void {
  const before = older.types === undefined ? allTypes : older.typeMask
  const after = newer.types === undefined ? allTypes : newer.typeMask
  if (before === after) return
  const lost = before & ~after
  const place = newer.types === undefined ? older : newer
  const names = (mask: number) => {
    if ((mask & typeBits.number) === typeBits.number) mask &= ~typeBits.integer
    return orList(typeNames.filter((name) => (mask & typeBits[name] & (name === 'number' ? 16 : 127)) !== 0))
  }
  const what =
    lost !== 0
      ? `Values of type ${names(lost)} are no longer allowed`
      : `Values of type ${names(after & ~before)} are allowed as well`
  const side = newer.types === undefined ? 'old' : 'new'
  changes.tell(
    side,
    joinPointer(place.pointer, 'type'),
    'type',
    effectOf({ keepsOut: lost !== 0, letsIn: (after & ~before) !== 0 }, context),
    what,
  )
}

function compareValues(older: SchemaNode, newer: SchemaNode, context: Context, changes: Changes): void {
  const before = listedValues(older)
  const after = listedValues(newer)
  if (before === undefined && after === undefined) return
  const keyword = (after === undefined ? older : newer).constant !== undefined ? 'const' : 'enum'
  if (after === undefined) {
    changes.tell('old', joinPointer(older.pointer, keyword), keyword, context.looser, 'The values are no longer listed')
    return
  }
  const place = joinPointer(newer.pointer, keyword)
  if (before === undefined) {
    changes.tell('new', place, keyword, context.stricter, 'Only listed values are allowed now')
    return
  }
  const gone = [...before].filter(([identity]) => !after.has(identity)).map(([, value]) => describeValue(value))
  const added = [...after].filter(([identity]) => !before.has(identity)).map(([, value]) => describeValue(value))
  const effect = effectOf({ keepsOut: gone.length > 0, letsIn: added.length > 0 }, context)
  if (gone.length > 0) changes.tell('new', place, keyword, effect, `No longer allowed: ${orList(gone)}`)
  else if (added.length > 0) changes.tell('new', place, keyword, effect, `Allowed as well: ${orList(added)}`)
}

function compareNumbers(older: SchemaNode, newer: SchemaNode, context: Context, changes: Changes): void {
  const isInteger = maskOf(older) === typeBits.integer && maskOf(newer) === typeBits.integer
  for (const isUpper of [false, true]) {
    const [before, after] = [boundOf(older, isUpper, isInteger), boundOf(newer, isUpper, isInteger)]
    const difference =
      (after.value - before.value || Number(after.isOpen) - Number(before.isOpen) || 0) * (isUpper ? -1 : 1)
    const isSame = before.value === after.value && before.isOpen === after.isOpen
    if (isSame) continue
    const isStricter = before.value === after.value ? after.isOpen : difference > 0
    const end = isUpper ? 'largest' : 'smallest'
    const side = Number.isFinite(after.value) ? 'new' : 'old'
    const bound = side === 'new' ? after : before
    const place = joinPointer((side === 'new' ? newer : older).pointer, bound.keyword)
    const text = ({ value, isOpen }: Bound) =>
      Number.isFinite(value) ? `${isOpen ? `${isUpper ? 'below' : 'above'} ` : ''}${value}` : 'unbounded'
    const what = `The ${end} number was ${text(before)} and is ${text(after)}`
    changes.tell(side, place, bound.keyword, isStricter ? context.stricter : context.looser, what)
  }
  const [before, after] = [older.multipleOf, newer.multipleOf]
  if (before === after) return
  const place = joinPointer((after === undefined ? older : newer).pointer, 'multipleOf')
  const isLooser =
    after === undefined || (before !== undefined && isMultipleOf(before, after)) || (after === 1 && isInteger)
  const isStricter = before === undefined || (after !== undefined && isMultipleOf(after, before))
  const what =
    after === undefined
      ? 'Numbers need no step any more'
      : `Numbers must be multiples of ${after}${before === undefined ? '' : `, not of ${before}`}`
  // Neither divides the other: some multiples are new, and some are gone.
  const effect = effectOf({ keepsOut: !isLooser, letsIn: !isStricter }, context)
  changes.tell(after === undefined ? 'old' : 'new', place, 'multipleOf', effect, what)
}

function compareSizes(older: SchemaNode, newer: SchemaNode, context: Context, changes: Changes): void {
  const hasContains = older.contains !== undefined && newer.contains !== undefined
  for (const [keyword, isUpper, usual] of sizeKeywords) {
    if (keyword.endsWith('Contains') && !hasContains) continue
    const before = older[keyword] ?? usual
    const after = newer[keyword] ?? usual
    if (before === after) continue
    const isStricter = isUpper ? after < before : after > before
    const side = newer[keyword] === undefined ? 'old' : 'new'
    const place = joinPointer((side === 'old' ? older : newer).pointer, keyword)
    const text = (value: number) => (Number.isFinite(value) ? String(value) : 'unbounded')
    const effect = isStricter
      ? keyword.endsWith('Contains')
        ? weakened(context.stricter)
        : context.stricter
      : context.looser
    changes.tell(side, place, keyword, effect, `${keyword} was ${text(before)} and is ${text(after)}`)
  }
}

function compareTexts(older: SchemaNode, newer: SchemaNode, context: Context, changes: Changes): void {
  const texts = [
    ['pattern', older.pattern?.source, newer.pattern?.source],
    // A format that nobody knows asserts nothing.
    ['format', older.format?.test && older.format.name, newer.format?.test && newer.format.name],
  ] as const
  for (const [keyword, before, after] of texts) {
    if (before === after) continue
    const side = after === undefined ? 'old' : 'new'
    const place = joinPointer((side === 'old' ? older : newer).pointer, keyword)
    const effect = before === undefined ? context.stricter : after === undefined ? context.looser : 'unknown'
    const [was, is] = [before, after].map((text) => (text === undefined ? undefined : describeValue(text)))
    const what =
      was === undefined
        ? `Texts must have the ${keyword} ${is}`
        : is === undefined
          ? `Texts need not have the ${keyword} ${was} any more`
          : `The ${keyword} changed from ${was} to ${is}`
    changes.tell(side, place, keyword, effect, what)
  }
}

const allTypes = 127

const sizeKeywords = [
  ['minLength', false, 0],
  ['maxLength', true, Number.POSITIVE_INFINITY],
  ['minItems', false, 0],
  ['maxItems', true, Number.POSITIVE_INFINITY],
  ['minProperties', false, 0],
  ['maxProperties', true, Number.POSITIVE_INFINITY],
  ['minContains', false, 1],
  ['maxContains', true, Number.POSITIVE_INFINITY],
] as const

interface Bound {
  value: number
  isOpen: boolean
  keyword: string
}

/** The stricter of both keywords for one end. For integers, an exclusive bound becomes the next inclusive one. */
function boundOf(node: SchemaNode, isUpper: boolean, isInteger: boolean): Bound {
  const closed = isUpper ? node.maximum : node.minimum
  const open = isUpper ? node.exclusiveMaximum : node.exclusiveMinimum
  const none = isUpper ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  const closedName = isUpper ? 'maximum' : 'minimum'
  const openName = isUpper ? 'exclusiveMaximum' : 'exclusiveMinimum'
  const isOpenStricter = open !== undefined && (closed === undefined || (isUpper ? open <= closed : open >= closed))
  const value = (isOpenStricter ? open : closed) ?? none
  const keyword = isOpenStricter ? openName : closedName
  if (!isInteger || !Number.isFinite(value)) return { value, isOpen: isOpenStricter, keyword }
  const next = isUpper
    ? isOpenStricter
      ? Math.ceil(value) - 1
      : Math.floor(value)
    : isOpenStricter
      ? Math.floor(value) + 1
      : Math.ceil(value)
  return { value: next, isOpen: false, keyword }
}

/** The values that `const` and `enum` leave, by their identity. */
function listedValues(node: SchemaNode): Map<string, JsonValue> | undefined {
  const { constant, choices } = node
  const listed = choices?.values ?? (constant === undefined ? undefined : [constant.value])
  if (listed === undefined) return undefined
  const values = new Map(listed.map((value) => [identityOf(value), value]))
  if (constant === undefined || choices === undefined) return values
  return new Map([...values].filter(([identity]) => identity === constant.identity))
}
