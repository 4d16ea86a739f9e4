import { expect, test } from 'bun:test'
import { canonicalHash } from '../../../src/core/canonical.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { limits } from '../../../src/core/limits.ts'
import { drawnQuestions } from '../../../src/modules/drafts/drawn.questions.ts'

const page = (width: number, colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 50"><defs></defs><rect x="0" y="0" width="${width}" height="50" fill="#fff"/><path d="M1 1 L9 9" fill="${colour}"/></svg>`
const names = Array.from({ length: limits.comparedPages + 1 }, (_, index) => `letter/page-${index + 1}.svg`)
const made = [
  {
    ...{ address: 'letter', output: '{"a":1}', text: 'Dear', refusal: undefined },
    pages: names.map((_, index) => page(100 + index, 'new')),
  },
]
const expected = [
  ['letter/output.json', '{"a":2}'] as const,
  ...names.map((name, index) => [name, page(100 + index, 'old')] as const),
]
const compared = (pictures: boolean) => drawnQuestions.comparedCase({ made, folder: 'cases/a', expected, pictures })

test('a case that is not as expected has every page that differs, and the first of them beside each other where they are asked for', () => {
  const { failures, made: files, madeHash } = compared(true)
  const pages = failures.filter((failure) => failure.kind === 'page')
  expect(pages.map(({ page: number, file }) => [number, file])).toEqual(
    names.map((name, index) => [index + 1, `cases/a/${name}`]),
  )
  const shown = pages.filter(({ before, after }) => before !== undefined && after !== undefined)
  expect(shown).toEqual(pages.slice(0, limits.comparedPages))
  const size = { number: 2, width: 101, height: 50 }
  expect(shown[1]).toMatchObject({
    before: { ...size, svg: page(101, 'old') },
    after: { ...size, svg: page(101, 'new') },
  })
  expect(pages.at(-1)).toEqual({ kind: 'page', file: `cases/a/${names.at(-1)}`, page: names.length })
  expect(madeHash).toBe(canonicalHash(files.map(([file, text]) => [file, sha256Hex(text)])))
  expect(files.map(([file]) => file)).toEqual(expect.arrayContaining(['letter/output.json', 'letter/page-1.svg']))
  // What is a text or something else stays as it is, with pictures or without.
  const without = compared(false).failures
  const others = failures.filter(({ kind }) => kind !== 'page')
  expect(without.filter(({ kind }) => kind !== 'page')).toEqual(others)
  expect(others).toEqual([expect.objectContaining({ kind: 'text', file: 'cases/a/letter/output.json' })])
  expect(without.filter((failure) => 'before' in failure)).toEqual([])
})
