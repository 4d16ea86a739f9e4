import { expect, test } from 'bun:test'
import { limits } from '../../src/core/limits.ts'
import { formatEtag, parseIfMatch, requireRevision } from '../../src/http/conditional.ts'

test('If-Match is a list of revisions in quotes, weak ones told apart, and nothing of any other form', () => {
  expect(parseIfMatch('"3"')).toEqual([{ revision: 3, weak: false }])
  expect(parseIfMatch(' W/"3" , "14"')).toEqual([
    { revision: 3, weak: true },
    { revision: 14, weak: false },
  ])
  expect(parseIfMatch(formatEtag(7))).toEqual([{ revision: 7, weak: false }])
  for (const bad of ['', '*', '3', '"0"', '"03"', '"-1"', '"3', '"3",', 'w/"3"', '"1234567890123456"', '"3" "4"']) {
    expect([bad, parseIfMatch(bad)]).toEqual([bad, undefined])
  }
})

test('If-Match names as many revisions as are bounded, and not one more', () => {
  const tags = (count: number) => Array(count).fill('"1"').join(',')
  expect(parseIfMatch(tags(limits.conditionTags))).toHaveLength(limits.conditionTags)
  expect(parseIfMatch(tags(limits.conditionTags + 1))).toBeUndefined()
})

test('a revision is required by a strong tag that names it, of however many', () => {
  const requires = (header: string) => () => requireRevision(parseIfMatch(header), 3)
  for (const header of ['"3"', '"2", "3"', '"3", "2"', 'W/"3", "3"']) expect(requires(header)).not.toThrow()
  for (const header of ['"2"', 'W/"3"', '"2", W/"3"']) {
    expect(requires(header)).toThrow(expect.objectContaining({ code: 'precondition_failed' }))
  }
})

test('a request without If-Match is told which one to send, the first revision where there is none yet', () => {
  const told = (current: number, tag: string) => {
    const detail = `If-Match is missing. Read the draft and send its ETag, such as If-Match: ${tag}.`
    expect(() => requireRevision(undefined, current)).toThrow(
      expect.objectContaining({ code: 'precondition_required', detail }),
    )
  }
  told(0, '"1"')
  told(5, '"5"')
})
