import { type AnyColumn, eq, gte, lt, type SQL } from 'drizzle-orm'
import { type Filter, type Filters, type FilterValues, type InCode, inCode } from '../core/list-filters.ts'
import type { Connection } from './database.ts'
import { selective } from './keyset.ts'

/** The column of a filter, by its name in code. */
type ColumnOf<Name, F extends Filter> = F extends { column: infer Column extends string }
  ? Column
  : InCode<Name & string>

/** A table that has the columns of these filters. */
export type NarrowedTable<F extends Filters> = { [Name in keyof F as ColumnOf<Name, F[Name]>]: AnyColumn }

/** Conditions for a list's filters on its table, without those that have no value. */
export function narrow<const F extends Filters>(
  connection: Connection,
  filters: F,
  table: NarrowedTable<F>,
  values: Partial<FilterValues<F>>,
): SQL[] {
  const columns: Readonly<Record<string, AnyColumn>> = table
  // Each value is a text or undefined, which the compiler can't derive from the mapped type.
  const given = values as Readonly<Record<string, string | undefined>>
  const asked = Object.entries(filters).flatMap(([name, { takes, column, rank }]) => {
    const on = columns[column ?? inCode(name)]
    const value = given[inCode(name)]
    return on === undefined || value === undefined ? [] : [{ takes, on, value, rank }]
  })
  const equal = asked.filter(({ takes }) => takes !== 'from' && takes !== 'before')
  const ranked = equal.flatMap(({ on, value, rank }) => (rank === undefined ? [] : [{ on, value, rank }]))
  const inTurn = ranked.sort((one, other) => one.rank - other.rank).map(({ on, value }) => [on, value] as const)
  const together = equal.filter(({ rank }) => rank === undefined).map(({ on, value }) => eq(on, value))
  const from = asked.filter(({ takes }) => takes === 'from').map(({ on, value }) => gte(on, value))
  const before = asked.filter(({ takes }) => takes === 'before').map(({ on, value }) => lt(on, value))
  return [...selective(connection, inTurn), ...together, ...from, ...before]
}
