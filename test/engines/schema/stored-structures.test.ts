/** The same as in stored-cases.test.ts, for structures, for single rules that are broken, and for each country. */
import { describe, expect, test } from 'bun:test'
import { furtherSchemas, missingLines } from './stored-cases.ts'

describe('a stored case stays what it is', () => {
  for (const stored of furtherSchemas()) {
    test(`for ${stored[0]}`, async () => {
      expect(await missingLines(stored)).toEqual([])
    })
  }
})
