/** A list's fields, and its address as the server's query, from the list's declaration in core/list-filters.ts. */

import type { FilterField, FilterQuery, Filters, FilterType } from '../../core/list-filters.ts'
import { translated } from '../language.ts'
import { queryOf } from '../list-query.ts'
import { place } from '../router.ts'
import { fieldPattern } from './field-pattern.ts'
import { ChoiceFilter, TextFilter } from './filters.tsx'

const uuidPattern = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** The words for each choice, in the order in which they are offered. */
type Choices<F extends Filters> = {
  [Name in keyof F as F[Name] extends { takes: { oneOf: unknown }; field: FilterField }
    ? Name
    : never]: readonly (readonly [value: NonNullable<FilterQuery<F>[Name]>, text: string])[]
}

interface ListFiltersProps<F extends Filters> {
  of: F
  choices: Choices<F>
}

/** The fields of all filters that have one, from the left. */
export function ListFilters<const F extends Filters>({ of, choices }: ListFiltersProps<F>) {
  const wordsOf: Readonly<Record<string, readonly (readonly [string, string])[]>> = choices
  return (
    <>
      {fieldsOf(of).map(({ name, takes, field }) =>
        typeof takes === 'object' && 'oneOf' in takes ? (
          <ChoiceFilter key={name} name={name} label={translated(field.label)} choices={wordsOf[name] ?? []} />
        ) : (
          <TextFilter
            key={name}
            name={name}
            label={translated(field.label)}
            {...(field.placeholder === undefined ? {} : { placeholder: field.placeholder })}
            {...(field.isSearch === undefined ? {} : { isSearch: true })}
            {...(field.widthChars === undefined ? {} : { size: field.widthChars })}
            {...textRulesOf(takes)}
          />
        ),
      )}
    </>
  )
}

function fieldsOf(filters: Filters): { name: string; takes: FilterType; field: FilterField }[] {
  const fields = Object.entries(filters).flatMap(([name, { takes, field }]) =>
    field === undefined ? [] : [{ name, takes, field }],
  )
  return fields.sort((one, other) => one.field.place - other.field.place)
}

function textRulesOf(takes: FilterType): { pattern?: string; type?: 'datetime-local' } {
  if (takes === 'from' || takes === 'before') return { type: 'datetime-local' }
  if (takes === 'id') return { pattern: uuidPattern }
  return 'text' in takes && takes.text.pattern !== undefined ? { pattern: fieldPattern(takes.text.pattern) } : {}
}

/** The filters of the present address, as the query that the server takes: `?status=failed`, or nothing. */
export function listQuery(filters: Filters): string {
  return queryOf(filters, place.value.query)
}
