/** A list's filters as an address of the console has them, and as the server takes them. Pure. */
import type { Filter, Filters } from '../core/list-filters.ts'

/** The filters that an address has, as a query: `?status=failed`, or nothing. */
export function queryOf(filters: Filters, address: URLSearchParams): string {
  const query = new URLSearchParams()
  for (const [name, filter] of Object.entries(filters)) {
    const value = address.get(name) ?? (filter.alias === undefined ? null : address.get(filter.alias))
    if (value !== null && value !== '') query.set(name, sentValue(filter, value))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** Every name by which an address may have one of the filters. */
export function namesIn(filters: Filters): string[] {
  return Object.entries(filters).flatMap(([name, { alias }]) => (alias === undefined ? [name] : [name, alias]))
}

/** A field of a time holds local time. */
function sentValue({ takes }: Filter, value: string): string {
  return takes === 'from' || takes === 'before' ? instantOf(value) : value
}

/** A local time of a form field as an instant. */
export function instantOf(local: string): string {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? local : at.toISOString().replace(/\.000Z$/, 'Z')
}
