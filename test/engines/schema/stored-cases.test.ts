/**
 * People store a case as its schema, kind and seed. stored-cases.txt has what such cases are: for each schema and kind a
 * SHA-256 over the answers for ten seeds. A line may never change. For a new schema, print the file again with
 * `bun test/engines/schema/stored-cases.ts`.
 */
import { describe, expect, test } from 'bun:test'
import { furtherSchemas, missingLines, storedKinds, storedLines, storedSchemas } from './stored-cases.ts'

describe('a stored case stays what it is', () => {
  for (const stored of storedSchemas()) {
    test(`for ${stored[0]}`, async () => {
      expect(await missingLines(stored)).toEqual([])
    })
  }

  test('for every schema that is written down', async () => {
    const names = [...storedSchemas(), ...furtherSchemas()].map(([name]) => name)
    expect((await storedLines()).size).toBe(names.flatMap(storedKinds).length)
  })
})
