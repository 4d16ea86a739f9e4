/** Changes of a contract: bounds moved by one, values and rules dropped. */
import { Decimal } from '../../core/decimal.ts'
import { readJsonTree } from '../../core/source/json.ts'
import { type MapNode, pathOf, type ScalarNode, type SourceNode } from '../../core/source/tree.ts'
import { type Edit, spanOf, withoutEntry, withoutItem } from './edits.ts'

const bounds = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties'],
])
const dropped = new Set([
  ...['pattern', 'format', 'multipleOf', 'const', 'not', 'dependentRequired', 'contains', 'propertyNames'],
  'if',
])
const flags: ReadonlyMap<string, boolean> = new Map([
  ['additionalProperties', false],
  ['unevaluatedProperties', false],
  ['uniqueItems', true],
])
/** Keywords that hold a schema, a list of them, or schemas by name. */
const inner = {
  one: [
    'items',
    'additionalProperties',
    'contains',
    'not',
    'if',
    'then',
    'else',
    'unevaluatedProperties',
    'propertyNames',
  ],
  list: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  named: ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
} as const

/** Every change, in the order of the text, which must be JSON that can be read. */
export function contractChanges(text: string): Edit[] {
  const edits: Edit[] = []
  visit(text, readJsonTree(text), edits)
  return edits.sort((one, other) => one.start - other.start || one.end - other.end)
}

function visit(text: string, schema: SourceNode | undefined, edits: Edit[]): void {
  if (schema?.kind !== 'map') return
  for (const { key, value } of schema.entries) {
    if (bounds.has(key) && value.kind === 'scalar') moveBound(text, value, edits)
    else if (dropped.has(key)) drop(text, schema, key, edits)
    else if (value.kind === 'scalar' && flags.get(key) === value.value) flip(text, value, edits)
    else if (key === 'type' && value.kind === 'scalar') widen(text, value, edits)
    else if ((key === 'enum' || key === 'required') && value.kind === 'list') {
      const what = key === 'enum' ? 'a value dropped' : 'no longer required'
      dropItems(text, value.items, what, edits)
    }
  }
  for (const key of inner.one) visit(text, schema.byKey.get(key)?.value, edits)
  for (const key of inner.list) {
    const list = schema.byKey.get(key)?.value
    if (list?.kind === 'list') for (const item of list.items) visit(text, item, edits)
  }
  for (const key of inner.named) {
    const named = schema.byKey.get(key)?.value
    if (named?.kind === 'map') for (const { value } of named.entries) visit(text, value, edits)
  }
}

function moveBound(text: string, node: ScalarNode, edits: Edit[]): void {
  const { value } = node
  if (!(value instanceof Decimal)) return
  const one = new Decimal(1n, 0)
  for (const moved of [value.subtract(one), value.add(one)]) {
    replace(text, node, { to: moved.toPlain(), what: 'bound moved by one' }, edits)
  }
}

function flip(text: string, node: ScalarNode, edits: Edit[]): void {
  replace(text, node, { to: String(!node.value), what: 'rule dropped' }, edits)
}

function widen(text: string, node: ScalarNode, edits: Edit[]): void {
  const other = node.value === 'integer' ? 'number' : node.value === 'number' ? 'integer' : undefined
  if (other !== undefined) replace(text, node, { to: JSON.stringify(other), what: 'another type' }, edits)
}

function replace(text: string, node: ScalarNode, { to, what }: { to: string; what: string }, edits: Edit[]): void {
  const span = spanOf(text, node)
  if (span !== undefined) edits.push({ start: span.start, end: span.end, text: to, at: pathOf(node), what })
}

function drop(text: string, schema: MapNode, key: string, edits: Edit[]): void {
  const entry = schema.byKey.get(key)
  const span = entry === undefined ? undefined : withoutEntry(text, schema, entry)
  if (entry !== undefined && span !== undefined)
    edits.push({ ...span, text: '', at: pathOf(entry.value), what: 'rule dropped' })
}

function dropItems(text: string, items: readonly SourceNode[], what: string, edits: Edit[]): void {
  for (const [index, item] of items.entries()) {
    const span = withoutItem(items, index) ?? lastItem(text, items[index - 1], item)
    if (span !== undefined) edits.push({ ...span, text: '', at: pathOf(item), what })
  }
}

/** The last item of a list, with the comma before it. */
function lastItem(
  text: string,
  before: SourceNode | undefined,
  item: SourceNode,
): { start: number; end: number } | undefined {
  const [front, back] = [before, item].map((node) => (node?.kind === 'scalar' ? spanOf(text, node) : undefined))
  if (back === undefined || (before !== undefined && front === undefined)) return undefined
  return { start: front?.end ?? back.start, end: back.end }
}
