import { describe, expect, test } from 'bun:test'
import { fieldPattern } from '../../src/console/parts/field-pattern.ts'
import {
  activationFilters,
  auditFilters,
  caseFilters,
  executionFilters,
  type Filters,
  inCode,
  storageFilters,
  submissionFilters,
} from '../../src/core/list-filters.ts'
import { filterSchemas, filterScope, filterValues } from '../../src/http/list-query.ts'
import { object } from '../../src/http/wire.ts'

const lists: readonly (readonly [string, Filters])[] = [
  ['submissions', submissionFilters],
  ['executions', executionFilters],
  ['storage', storageFilters],
  ['audit', auditFilters],
  ['activations', activationFilters],
  ['cases', caseFilters],
]

describe('the filters of a list', () => {
  test('are the members of its query, all optional', () => {
    const schema = object(filterSchemas(executionFilters))
    expect(Object.keys(schema.properties)).toEqual(['status', 'release_id', 'submission_id'])
    expect(schema.required ?? []).toEqual([])
  })

  test('reach the store by their names in code, ids in lower case and times as instants', () => {
    const id = '0198C3D2-7A10-7C00-8000-00000000000A'
    const query = { actor_id: id, resource_id: 'Kept-As-It-Is', from: '2026-11-01T01:00:00+01:00' }
    expect(filterValues(auditFilters, query)).toEqual({
      actorId: id.toLowerCase(),
      resourceId: 'Kept-As-It-Is',
      from: '2026-11-01T00:00:00.000000000Z',
    } as ReturnType<typeof filterValues<typeof auditFilters>>)
  })

  test('tie a cursor to themselves, but not to the window of time', () => {
    expect(filterScope(storageFilters, { format: 'pdf', from: '2026-11-01T00:00:00Z' })).toEqual({
      object_reference: null,
      model_slug: null,
      producing_node_address: null,
      format: 'pdf',
    })
  })

  test('are called in camel case in code', () => {
    expect([inCode('producing_node_address'), inCode('kind')]).toEqual(['producingNodeAddress', 'kind'])
  })

  test.each(lists)('have fields with a place each in the list of %s', (_name, filters) => {
    const places = Object.values(filters).flatMap(({ field }) => field?.place ?? [])
    expect(places.toSorted((a, b) => a - b)).toEqual(places.map((_, index) => index + 1))
  })

  test.each([
    ['object_reference', 'CLW-2026-000417', 'CLW 2026'],
    ['model_slug', 'clws-policy', 'clws--policy'],
    ['producing_node_address', 'clws-policy:letter', 'clws-policy:'],
  ] as const)('are checked by the field for %s as by the server', (name, good, bad) => {
    const { pattern } = storageFilters[name].takes.text
    // A browser compiles a field's pattern with the v flag.
    const field = new RegExp(`^(?:${fieldPattern(pattern)})$`, 'v')
    for (const text of [good, bad]) expect(field.test(text)).toBe(new RegExp(pattern, 'u').test(text))
    expect([field.test(good), field.test(bad)]).toEqual([true, false])
  })
})
