import { type TOptional, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'
import { parseInstant } from '../core/instant.ts'
import { type Filter, type FilterQuery, type Filters, type FilterValues, inCode } from '../core/list-filters.ts'
import { oneOf, text, uuid } from './wire.ts'

type Schemas<F extends Filters> = { [Name in keyof F]: TOptional<TUnsafe<NonNullable<FilterQuery<F>[Name]>>> }

const dateTime = text({ format: 'date-time' })

/** The members of a list's query for its filters, all optional. */
export function filterSchemas<const F extends Filters>(filters: F): Schemas<F> {
  const schemas = Object.entries(filters).map(([name, filter]) => [name, Type.Optional(schemaOf(filter))])
  return Object.fromEntries(schemas) as Schemas<F>
}

function schemaOf({ takes }: Filter): TSchema {
  if (takes === 'id') return uuid
  if (takes === 'from' || takes === 'before') return dateTime
  return 'oneOf' in takes ? oneOf(takes.oneOf) : text(takes.text)
}

/** What a query asks for, as stores take it. The query has been checked against `filterSchemas`. */
export function filterValues<const F extends Filters>(filters: F, query: FilterQuery<F>): FilterValues<F> {
  const values = Object.entries(filters).map(([name, { takes }]) => {
    const given: string | undefined = query[name]
    if (given === undefined) return [inCode(name), undefined]
    if (takes === 'from' || takes === 'before') return [inCode(name), parseInstant(given)]
    return [inCode(name), takes === 'id' ? given.toLowerCase() : given]
  })
  return Object.fromEntries(values) as FilterValues<F>
}

/** The scope that a cursor is valid for: the list's filters except its window of time, with null for those that the query leaves out. */
export function filterScope<const F extends Filters>(filters: F, query: FilterQuery<F>): Record<string, string | null> {
  const lasting = Object.entries(filters).filter(([, { takes }]) => takes !== 'from' && takes !== 'before')
  return Object.fromEntries(lasting.map(([name]) => [name, query[name] ?? null]))
}
