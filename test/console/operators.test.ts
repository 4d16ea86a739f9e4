import { expect, test } from 'bun:test'
import { operatorCompletions } from '../../src/console/views/transformer/operators.ts'
import { operators } from '../../src/engines/declarative/operators/table.ts'

test('the editor proposes every operator of the language, and no others', () => {
  expect(operatorCompletions.map(({ label }) => label).toSorted()).toEqual([...operators.keys()].toSorted())
  for (const { detail, type } of operatorCompletions) {
    expect(detail?.length).toBeWithin(5, 41)
    expect(type).toBe('function')
  }
})
