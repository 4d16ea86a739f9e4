/** Looks things up: in tables of the source, in objects of the input, and in indexes that are built once. */

import { limits } from '../../../core/limits.ts'
import { shorten } from '../../../core/source/read.ts'
import { type Built, type Checked, sumCosts } from '../built.ts'
import { type Call, operator, take } from '../call.ts'
import { checkValue, nameOf } from '../check.ts'
import type { Table } from '../context.ts'
import { boundedBy, burn, Fault, type Frame } from '../frame.ts'
import { enterItem, openLoop } from '../loops.ts'
import { itemOrigin } from '../members.ts'
import { Turns } from '../nesting.ts'
import { addSizes, type Size } from '../size.ts'
import {
  enumerationOf,
  isUnknown,
  itemsOf,
  joinTypes,
  memberType,
  type ObjectShape,
  once,
  present,
  type Type,
  typeOf,
  types,
} from '../types.ts'
import { describeValue, isObjectValue, type ObjectValue, setValue, type Value } from '../value.ts'

const kept = ['one', 'first', 'last', 'all'] as const

export const lookupOperators = [
  operator({
    name: '$lookup',
    group: 'choice',
    doc: 'The row of a table, index or object; when there is none, `else`, or the fault `no_row`.',
    args: {
      subject: take.node('the name of a table, or a value: an index, an object, or text that names a table'),
      key: take.value('text', 'the key of the row'),
      else: take.optional('maybe', 'the value when there is no such row'),
    },
    build(call) {
      const key = call.value('key')
      const otherwise = call.optionalValue('else')?.built
      const rows = readRows(call)
      if (rows === undefined) return call.broken()
      if (otherwise === undefined) checkRows(call, rows, key)
      const type = otherwise === undefined ? rows.type : joinTypes(rows.type, otherwise.type)
      const cost = addSizes(sumCosts(rows.built === undefined ? [key] : [rows.built, key]), otherwise?.cost ?? 0)
      return call.result(type, cost, (frame) => {
        burn(frame, call.node)
        const wanted = key.run(frame)
        const row = rows.find(frame, wanted)
        if (row !== undefined) return row
        if (otherwise !== undefined) return otherwise.run(frame)
        throw new Fault('no_row', call.node, `${rows.name} has no row "${shorten(wanted)}".`, 'Add the row, or else.')
      })
    },
  }),

  operator({
    name: '$indexBy',
    group: 'arrays',
    doc: 'An index of the items of an array by a key, for `$lookup`: built once, as a let, it makes joins linear.',
    args: {
      subject: take.value('array', 'the array'),
      as: take.name('the name of the item inside "by"'),
      by: take.inner('text', 'the key of an item'),
      keep: take.optionalChoice(
        kept,
        `what a key leads to: ${kept.join(', ')}; one, unless given, wants keys to differ`,
      ),
      most: take.optionalInteger(1, limits.transformAssumedItems, 'with keep: all, how many items a key has at most'),
    },
    build: (call) => buildIndex(call),
  }),
]

/** Where rows are looked for. */
interface Rows {
  /** For messages. */
  name: string
  type: Type
  /** The keys, where they are all known. */
  keys?: Iterable<string>
  built?: Built
  find(frame: Frame, key: string): Value
}

function readRows(call: Call): Rows | undefined {
  const node = call.nodeOf('subject')
  const isName = node.kind === 'scalar' && !/^[/$]/.test(node.text)
  if (isName) {
    const name = node.text
    const table = call.context.tables.get(name)
    if (table !== undefined) return rowsOfTable(name, table)
    call.error(
      'unknown_table',
      node,
      `There is no table "${shorten(name)}".`,
      call.suggest(name, call.context.tables.keys()) ??
        'Write it under tables at the top: a mapping from text to values.',
    )
    return undefined
  }
  const built = call.builder.value(node)
  const kinds = new Set(present(built.type).alternatives.map(({ kind }) => kind))
  if (kinds.has('string') && !kinds.has('object')) return rowsOfNamed(call, built)
  if (isUnknown(built.type) && call.context.tables.size > 0) return rowsOfUnknown(call, built)
  return rowsOfObject(call, built)
}

function rowsOfTable(name: string, { entries, type }: Table): Rows {
  return { name: `The table "${name}"`, type, keys: entries.keys(), find: (_frame, key) => entries.get(key) }
}

/** The table is named by text, whose every possible value is a table. */
function rowsOfNamed(call: Call, built: Built): Rows | undefined {
  const { tables } = call.context
  const text = checkValue(call.context, built, 'string', call.name)
  const names = enumerationOf(text.type)
  const unknown = names?.find((name) => !tables.has(name))
  if (names === undefined || unknown !== undefined) {
    const known = call.suggest(unknown ?? '', tables.keys())
    const what = unknown === undefined ? 'may be any text' : `may be "${shorten(unknown)}", which is no table`
    call.error('unknown_table', built.node, `${nameOf(built)} ${what}.`, known ?? 'Give it an enum of tables.')
    return undefined
  }
  const found = names.flatMap((name) => tables.get(name) ?? [])
  const type = found
    .map((table) => table.type)
    .reduce<Type | undefined>((all, one) => (all ? joinTypes(all, one) : one), undefined)
  const [first, ...others] = found
  const keys = [...(first?.entries.keys() ?? [])].filter((key) => others.every((table) => table.entries.has(key)))
  const find = (frame: Frame, key: string) => tables.get(text.run(frame))?.entries.get(key)
  return { name: `The table of ${nameOf(built)}`, type: type ?? types.unknown, keys, built, find }
}

function rowsOfObject(call: Call, built: Built): Rows {
  const object = checkValue(call.context, built, 'object', call.name)
  const shape = object.type.alternatives.find((each) => each.kind === 'object')?.shape
  const row = shape === undefined ? memberOfUnknown(object.type) : present(memberType(shape))
  const isClosed = shape !== undefined && shape.rest() === undefined && !isUnknown(object.type)
  const always = isClosed ? shape.names.filter((name) => shape.field(name)?.type.missing === false) : undefined
  const find = (frame: Frame, key: string) => rowIn(object.run(frame), frame, key)
  return { name: nameOf(built), type: row, built, find, ...(always === undefined ? {} : { keys: always }) }
}

function rowIn(rows: ObjectValue, frame: Frame, key: string): Value {
  const found = Object.hasOwn(rows, key) ? rows[key] : undefined
  frame.lineage?.step(rows, key, found, 'at its end')
  return found ?? undefined
}

/** Only the run can tell whether it is an object, or text that names a table. */
function rowsOfUnknown(call: Call, built: Built): Rows {
  const { tables } = call.context
  const value = checkValue(call.context, built, 'any', call.name)
  const find = (frame: Frame, key: string) => {
    const rows = value.run(frame)
    if (isObjectValue(rows)) return rowIn(rows, frame, key)
    const table = typeof rows === 'string' ? tables.get(rows) : undefined
    if (table !== undefined) return table.entries.get(key)
    const what = typeof rows === 'string' ? `"${shorten(rows)}", which is no table` : describeValue(rows)
    const known = [...tables.keys()].join(', ')
    throw new Fault(
      'type',
      built.node,
      `${nameOf(built)} is ${what}.`,
      `Give an object, or one of the tables: ${known}.`,
    )
  }
  return { name: nameOf(built), type: memberOfUnknown(built.type), built, find }
}

/** Whatever is in a value that may be anything has at most all of its arrays. */
function memberOfUnknown(type: Type): Type {
  const unknown = type.alternatives.find((each) => each.kind === 'unknown')
  return unknown === undefined ? types.unknown : typeOf(unknown)
}

/** Text that is limited to a list needs a row for each of its values. */
function checkRows(call: Call, { name, keys }: Rows, key: Checked<'text'>): void {
  if (keys === undefined) return
  const known = new Set(keys)
  const lacking = (enumerationOf(key.type) ?? []).filter((value) => !known.has(value))
  if (lacking.length === 0) return
  const message = `${name} has no row for ${lacking.slice(0, 8).join(', ')}.`
  call.error('not_exhaustive', call.node, message, 'Add the rows, or else.')
}

type IndexArguments = {
  subject: { kind: 'value'; want: 'array'; doc: string }
  as: { kind: 'name'; doc: string }
  by: { kind: 'value'; want: 'text'; doc: string }
  keep: { kind: 'choice'; choices: readonly string[]; doc: string }
  most: { kind: 'integer'; min: number; max: number; doc: string }
}

function buildIndex(call: Call<IndexArguments>): Built {
  const source = call.value('subject')
  const loop = openLoop(call.context, source, call.variableName('as'), call.node)
  const by = call.within([loop.variable], () => call.value('by'))
  const keep = call.choice('keep') ?? 'one'
  const most = call.integer('most')
  if (most !== undefined && keep !== 'all') {
    call.error('argument', call.nodeOf('most'), '"most" of $indexBy goes with keep: all.', 'Remove it.')
  }
  const row = keep === 'all' ? groupType(call, source, most) : loop.turns.closeOne(loop.variable.type)
  const shape: ObjectShape = { names: [], field: () => undefined, rest: once(() => row) }
  const cost = addSizes(sumCosts([source]), loop.turns.over(addSizes(by.cost, 1)))
  const bounded = most === undefined ? undefined : boundedBy(most)
  return call.result(typeOf({ kind: 'object', shape }), cost, (frame) => {
    burn(frame, call.node)
    const array = source.run(frame)
    burn(frame, call.node, array.length)
    const index: ObjectValue = {}
    for (let at = 0; at < array.length; at++) {
      enterItem(loop, frame, array, at)
      // The items that a row is found by are not that row's origin.
      const key = frame.lineage === undefined ? by.run(frame) : frame.lineage.collect(() => by.run(frame)).value
      const found = Object.hasOwn(index, key) ? index[key] : undefined
      if (keep === 'all') {
        const items: Value[] = Array.isArray(found) ? found : []
        if (found === undefined) setValue(index, key, items)
        bounded?.(items.length + 1, call.node, `The key "${shorten(key)}"`)
        itemOrigin(frame, array, at, items, items.length)
        items.push(array[at])
      } else if (found === undefined || keep === 'last') {
        frame.lineage?.copyMember(array, at, index, key)
        setValue(index, key, array[at])
      } else if (keep === 'one') {
        const hint = 'Say which to keep: first, last or all.'
        throw new Fault('duplicate_key', call.node, `Two items have the key "${shorten(key)}".`, hint)
      }
    }
    return index
  })
}

/** All items of one key; of all keys together they are those of the array. */
function groupType(call: Call<IndexArguments>, source: Checked<'array'>, most: number | undefined): Type {
  const items = itemsOf(source.type)
  const groups = new Turns(items.max, call.context.newSize)
  const group = groups.closeOne(groups.openGroups(items))
  if (most === undefined) return group
  return {
    ...group,
    alternatives: group.alternatives.map((each) =>
      each.kind === 'array' ? { ...each, max: smaller(each.max, most) } : each,
    ),
  }
}

function smaller(size: Size, most: number): Size {
  return typeof size === 'number' ? Math.min(size, most) : most
}
