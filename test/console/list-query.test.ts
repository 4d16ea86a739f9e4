import { describe, expect, test } from 'bun:test'
import { instantOf, namesIn, queryOf } from '../../src/console/list-query.ts'
import { activationFilters } from '../../src/core/list-filters.ts'

const id = '0198c3d2-7a10-7c00-8000-000000000000'
const queryFor = (address: string) => queryOf(activationFilters, new URLSearchParams(address))

describe('the query of a list', () => {
  test('has the filters of the address and nothing else of it', () => {
    expect(queryFor(`status=active&at=2026-01-01&family_id=${id}`)).toBe(`?family_id=${id}&status=active`)
    expect(queryFor('status=&find=x')).toBe('')
  })

  test('narrows to the family that an older bookmark names', () => {
    expect(queryFor(`family=${id}`)).toBe(`?family_id=${id}`)
    expect(queryFor(`family=other&family_id=${id}`)).toBe(`?family_id=${id}`)
    expect(namesIn(activationFilters)).toEqual(['kind', 'family_id', 'family', 'status'])
  })

  test('sends the local time of a field as an instant, and anything else unchanged', () => {
    const filters = { from: { takes: 'from' }, to: { takes: 'before' }, find: { takes: 'text' } } as never
    const query = queryOf(
      filters,
      new URLSearchParams('from=2026-01-01T10:00&to=2026-01-02T00:00:00.5&find=2026-01-01'),
    )
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
      ...{ from: '2026-01-01T10:00:00Z', to: '2026-01-02T00:00:00.500Z', find: '2026-01-01' },
    })
    expect(instantOf('soon')).toBe('soon')
  })
})
