/**
 * People store a case as its schema, kind and seed. stored-cases.txt has what such cases are: for each schema and kind a
 * SHA-256 over the answers for ten seeds. A line may never change. For a new schema, print the file again with
 * `bun test/engines/schema/stored-cases.ts`.
 */
import { describe, expect, test } from 'bun:test'
import { caseKinds } from '../../../src/engines/schema/cases.ts'
import { storedLine, storedSchemas } from './stored-cases.ts'

const text = await Bun.file(new URL('stored-cases.txt', import.meta.url)).text()
const lines = new Set(text.trimEnd().split('\n'))

describe('a stored case stays what it is', () => {
  for (const [name, schema] of storedSchemas()) {
    test(`for ${name}`, () => {
      const made = caseKinds.map((kind) => storedLine(name, schema, kind))
      expect(made.filter((line) => !lines.has(line))).toEqual([])
    })
  }

  test('for every schema that is written down', () => {
    expect(lines.size).toBe(storedSchemas().length * caseKinds.length)
  })
})
