/** A schema of the description as an outline: names, types and rules. */
import { t } from '../../language.ts'
import { type Description, resolve, type Schema } from './description.ts'

/** Shapes may hold each other. */
const maxDepth = 7

interface ShapeProps {
  schema: Schema
  api: Description
  depth?: number
}

export function Shape({ schema, api, depth = 0 }: ShapeProps) {
  const own = resolve(schema, api)
  const choices = own.anyOf ?? own.oneOf
  const isChoiceOfObjects = choices?.some((choice) => resolve(choice, api).properties !== undefined) === true
  return (
    <div class="shape">
      <span class="shape-type">{typeOf(own, api)}</span> <span class="shape-rule">{rulesOf(own)}</span>
      {depth < maxDepth && own.properties !== undefined && <Members schema={own} api={api} depth={depth} />}
      {depth < maxDepth && own.items !== undefined && hasMembers(own.items, api) && (
        <Members schema={resolve(own.items, api)} api={api} depth={depth} />
      )}
      {depth < maxDepth && isChoiceOfObjects && (
        <ul>
          {choices?.map((choice, index) => (
            <li key={index}>
              <Shape schema={choice} api={api} depth={depth + 1} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Members({ schema, api, depth }: { schema: Schema; api: Description; depth: number }) {
  return (
    <ul>
      {Object.entries(schema.properties ?? {}).map(([name, member]) => (
        <li key={name}>
          <span class="shape-name">{name}</span>
          {schema.required?.includes(name) === true ? '' : '?'} <Inline schema={member} api={api} depth={depth + 1} />
        </li>
      ))}
    </ul>
  )
}

function Inline({ schema, api, depth }: { schema: Schema; api: Description; depth: number }) {
  const own = resolve(schema, api)
  if (own.properties === undefined && (own.items === undefined || !hasMembers(own.items, api))) {
    return (
      <>
        <span class="shape-type">{typeOf(own, api)}</span> <span class="shape-rule">{rulesOf(own)}</span>
      </>
    )
  }
  return <Shape schema={schema} api={api} depth={depth} />
}

function hasMembers(schema: Schema, api: Description): boolean {
  return resolve(schema, api).properties !== undefined
}

function typeOf(schema: Schema, api: Description): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map((choice) => typeOf(resolve(choice, api), api)))].join(' | ')
  if (schema.items !== undefined) return `${typeOf(resolve(schema.items, api), api)}[]`
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : schema.type
  return schema.format ?? type ?? 'any'
}

function rulesOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, maxItems, pattern, description } = schema
  const range = (low: number | undefined, high: number | undefined, unit: string) =>
    low === undefined && high === undefined ? undefined : `${low ?? ''}..${high ?? ''}${unit}`
  const rules = [
    range(minimum, maximum, ''),
    range(minLength, maxLength, t` characters`),
    range(undefined, maxItems, t` items`),
    pattern,
    description,
  ]
  return rules.filter((rule) => rule !== undefined).join(', ')
}
