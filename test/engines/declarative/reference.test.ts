import { describe, expect, test } from 'bun:test'
import { operators } from '../../../src/engines/declarative/operators/table.ts'
import { describeOperator } from '../../../src/engines/declarative/reference.ts'
import { examplesOf, outputOfExample, readPage } from './page-examples.ts'

const page = await readPage('declarative-v1')
const examples = examplesOf(page, /^### `(\$\w+)`$/)

describe('the reference page', () => {
  test('shows every operator with the text of its declaration', () => {
    // With its end, since a table that lacks its last row is part of the whole one.
    for (const operator of operators.values()) expect(page).toContain(`${describeOperator(operator).trimEnd()}\n\n`)
    const headings = [...page.matchAll(/^### `(\$\w+)`$/gm)].map((match) => match[1]!)
    expect(new Set(headings)).toEqual(new Set(operators.keys()))
  })

  test('has a run example for every operator', () => {
    const shown = new Set(examples.map((example) => example.section))
    for (const name of operators.keys()) expect(shown).toContain(name)
    expect([...page.matchAll(/```yaml/g)].length).toBe(examples.length)
  })

  for (const example of examples) {
    test(`gives the printed output for the example of ${example.section || 'the form'}`, () => {
      expect(outputOfExample(example)).toEqual(example.output)
    })
  }
})
