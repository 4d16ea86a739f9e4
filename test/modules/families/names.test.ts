import { expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { checkShape } from '../../../src/http/shape.ts'
import { familyDescription, familyName } from '../../../src/modules/families/families.model.ts'

const names = (texts: readonly string[]) => texts.filter((text) => checkShape(familyName, text, 'body').length === 0)
const descriptions = (texts: readonly string[]) =>
  texts.filter((text) => checkShape(familyDescription, text, 'body').length === 0)

test('a family is called by one line with something to see, up to its length', () => {
  const taken = ['x', ' x ', 'Ä – 日本', 'x'.repeat(limits.familyNameChars)]
  expect(names(taken)).toEqual(taken)
  expect(names(['', ' ', '\u2003', 'a\nb', 'a\u0007b', 'a\t', 'x'.repeat(limits.familyNameChars + 1)])).toEqual([])
})

test('a family is described by any number of lines, without other control characters, up to its length', () => {
  const taken = ['', ' ', 'one\ntwo\r\n\tthree\n', '\n\n', 'x'.repeat(limits.familyDescriptionChars)]
  expect(descriptions(taken)).toEqual(taken)
  expect(descriptions(['a\u0007b', '\u0000', 'a\u007f', 'x'.repeat(limits.familyDescriptionChars + 1)])).toEqual([])
})
