/** A schema as the form that it describes: names, what may be filled in, and the rules beside it. */
import type { JsonValue } from '../../../core/json.ts'
import { conjunctsOf, type SchemaModel, type SchemaNode } from '../../../engines/schema/model.ts'

/** A schema that refers to itself has no end. */
const maxDepth = 6

export function FormPreview({ model }: { model: SchemaModel }) {
  return (
    <div class="form-preview">
      <Fields node={model.root} depth={0} />
    </div>
  )
}

/** What a schema and everything it includes say, first word first. */
function gather<T>(node: SchemaNode, pick: (part: SchemaNode) => T | undefined): T | undefined {
  for (const part of conjunctsOf(node)) {
    const found = pick(part)
    if (found !== undefined) return found
  }
  return undefined
}

function textOf(node: SchemaNode, keyword: string): string | undefined {
  return gather(node, ({ source }) => {
    const value: JsonValue | undefined = typeof source === 'boolean' ? undefined : source[keyword]
    return typeof value === 'string' ? value : undefined
  })
}

function Fields({ node, depth }: { node: SchemaNode; depth: number }) {
  const properties = new Map(conjunctsOf(node).flatMap((part) => [...(part.properties ?? [])]))
  const required = new Set(conjunctsOf(node).flatMap((part) => part.required ?? []))
  if (properties.size === 0) return <p class="muted">Any value: {typeOf(node)}</p>
  return (
    <ul class="form-fields">
      {[...properties].map(([name, property]) => (
        <FormField key={name} name={name} node={property} isRequired={required.has(name)} depth={depth} />
      ))}
    </ul>
  )
}

interface FormFieldProps {
  name: string
  node: SchemaNode
  isRequired: boolean
  depth: number
}

function FormField({ name, node, isRequired, depth }: FormFieldProps) {
  const item = gather(node, (part) => part.items)
  const hasMembers = gather(node, (part) => part.properties) !== undefined
  const itemHasMembers = item !== undefined && gather(item, (part) => part.properties) !== undefined
  const description = textOf(node, 'description')
  const choices = gather(node, (part) => part.choices?.values)
  return (
    <li class="form-field">
      <p class="form-name">
        <span>{textOf(node, 'title') ?? name}</span>
        {isRequired ? <span class="form-required">required</span> : <span class="form-optional">optional</span>}
        <span class="form-type">{typeOf(node)}</span>
      </p>
      {description !== undefined && <p class="form-description">{description}</p>}
      {choices !== undefined && (
        <p class="chips">
          {choices.map((choice) => (
            <code class="chip" key={JSON.stringify(choice)}>
              {typeof choice === 'string' ? choice : JSON.stringify(choice)}
            </code>
          ))}
        </p>
      )}
      <Rules node={node} />
      {depth < maxDepth && hasMembers && <Fields node={node} depth={depth + 1} />}
      {depth < maxDepth && itemHasMembers && <Fields node={item} depth={depth + 1} />}
    </li>
  )
}

function typeOf(node: SchemaNode): string {
  const types = gather(node, (part) => part.types)
  if (types !== undefined) {
    const item = types.includes('array') ? gather(node, (part) => part.items) : undefined
    return item === undefined ? types.join(' or ') : `list of ${typeOf(item)}`
  }
  if (gather(node, (part) => part.choices) !== undefined) return 'one of'
  return gather(node, (part) => part.constant) === undefined ? 'anything' : 'fixed'
}

function Rules({ node }: { node: SchemaNode }) {
  const number = (pick: (part: SchemaNode) => number | undefined, word: (n: number) => string) => {
    const found = gather(node, pick)
    return found === undefined ? undefined : word(found)
  }
  const rules = [
    number(
      (part) => part.minimum,
      (n) => `at least ${n}`,
    ),
    number(
      (part) => part.exclusiveMinimum,
      (n) => `more than ${n}`,
    ),
    number(
      (part) => part.maximum,
      (n) => `at most ${n}`,
    ),
    number(
      (part) => part.exclusiveMaximum,
      (n) => `less than ${n}`,
    ),
    number(
      (part) => part.multipleOf,
      (n) => `in steps of ${n}`,
    ),
    number(
      (part) => part.minLength,
      (n) => `${n} or more characters`,
    ),
    number(
      (part) => part.maxLength,
      (n) => `up to ${n} characters`,
    ),
    number(
      (part) => part.minItems,
      (n) => `${n} or more items`,
    ),
    number(
      (part) => part.maxItems,
      (n) => `up to ${n} items`,
    ),
    gather(node, (part) => part.format?.name),
  ].filter((rule) => rule !== undefined)
  const pattern = gather(node, (part) => part.pattern?.source)
  if (rules.length === 0 && pattern === undefined) return null
  return (
    <p class="form-rules">
      {rules.join(' · ')}
      {pattern !== undefined && <code>{pattern}</code>}
    </p>
  )
}
