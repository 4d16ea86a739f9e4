import { expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { newestReading, type Reading } from '../../../src/core/reading.ts'
import { type FragmentVersion, resolveFragments } from '../../../src/modules/versions/fragments.service.ts'

/** Resolves what a template includes among these, each with what it includes itself; a text says why one is not there. */
async function resolved(
  includes: readonly string[],
  known: Readonly<Record<string, readonly string[] | string>>,
  readings: Readonly<Record<string, Reading>> = {},
) {
  const asked: string[] = []
  const find = async (slug: string): Promise<FragmentVersion | string> => {
    asked.push(slug)
    const found = known[slug] ?? 'does not exist'
    if (typeof found === 'string') return found
    const reading = readings[slug] ?? newestReading
    return { slug, versionId: `version of ${slug}`, contentHash: `hash of ${slug}`, includes: found, reading }
  }
  const { fragments, gaps } = await resolveFragments({ includes, reading: newestReading }, find)
  return { fragments, gaps, slugs: fragments.map(({ slug }) => slug), asked }
}

test('what a template includes is pinned with what that includes, each once and in the order of their slugs', async () => {
  const { fragments, gaps, asked } = await resolved(['c', 'b'], { b: ['a', 'd'], c: ['d', 'a'], a: [], d: ['a'] })
  expect(fragments).toEqual(
    ['a', 'b', 'c', 'd'].map((slug) => ({ slug, versionId: `version of ${slug}`, contentHash: `hash of ${slug}` })),
  )
  expect(gaps).toEqual([])
  // A release is of one instant: whoever includes one twice gets the same version.
  expect(asked.sort()).toEqual(['a', 'b', 'c', 'd'])
  expect(await resolved([], { a: [] })).toMatchObject({ fragments: [], gaps: [], asked: [] })
})

test('a missing one is reported with the reason and the way to it, and the others are pinned nevertheless', async () => {
  const { slugs, gaps } = await resolved(['b', 'gone', 'c'], { b: ['late'], c: [], late: 'has no version in force' })
  const [code, hint] = ['docx.fragment_missing', 'Publish and activate it first.']
  expect(gaps).toEqual([
    { code, chain: ['b', 'late'], message: 'The included template "late" has no version in force.', hint },
    { code, chain: ['gone'], message: 'The included template "gone" does not exist.', hint },
  ])
  expect(slugs).toEqual(['b', 'c'])
  // Told once, however many include it.
  expect((await resolved(['b', 'c'], { b: ['gone'], c: ['gone'] })).gaps.map(({ chain }) => chain)).toEqual([
    ['b', 'gone'],
  ])
})

test('templates that include each other in a circle are told with the circle', async () => {
  const told = async (...asked: Parameters<typeof resolved>) =>
    (await resolved(...asked)).gaps.map(({ code, chain, message, hint }) => [code, chain.join(), message, hint])
  const circle = (path: string) => [
    ...['docx.fragment_circle', path.split(' → ').join()],
    ...[`Templates include each other in a circle: ${path}.`, 'Take one of the tags out.'],
  ]
  expect(await told(['a'], { a: ['b'], b: ['a'] })).toEqual([circle('a → b → a')])
  expect(await told(['a'], { a: ['a'] })).toEqual([circle('a → a')])
  expect(await told(['a', 'b'], { a: ['c'], b: ['c'], c: [] })).toEqual([])
})

test('one that was frozen under other rules than the template is not pinned, and neither is what only it includes', async () => {
  const { slugs, gaps } = await resolved(['a', 'b'], { a: ['c'], b: [], c: [] }, { a: 5 })
  expect(slugs).toEqual(['b'])
  expect(gaps).toEqual([
    {
      code: 'docx.fragment_reading',
      chain: ['a'],
      message: 'The included template "a" was frozen under other rules than the template.',
      hint: 'Freeze and activate it anew.',
    },
  ])
})

test('templates include each other to the greatest depth and number, and no deeper and no more', async () => {
  const chainOf = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`s${at}`, at + 1 < length ? [`s${at + 1}`] : []]))
  const deepest = await resolved(['s0'], chainOf(limits.fragmentDepth))
  expect([deepest.gaps, deepest.fragments.length]).toEqual([[], limits.fragmentDepth])
  const deeper = await resolved(['s0'], chainOf(limits.fragmentDepth + 1))
  expect(deeper.gaps).toEqual([
    {
      code: 'docx.fragment_depth',
      chain: Array.from({ length: limits.fragmentDepth + 1 }, (_, at) => `s${at}`),
      message: `Too many templates are included: ${Array.from({ length: limits.fragmentDepth + 1 }, (_, at) => `s${at}`).join(' → ')}.`,
      hint: `Include at most ${limits.fragmentInclusions}, ${limits.fragmentDepth} deep.`,
    },
  ])
  expect(deeper.fragments.length).toBe(limits.fragmentDepth)
  const wide = async (count: number) => {
    const slugs = Array.from({ length: count }, (_, at) => `w${at}`)
    return (await resolved(slugs, Object.fromEntries(slugs.map((slug) => [slug, []])))).gaps
  }
  expect(await wide(limits.fragmentInclusions)).toEqual([])
  expect((await wide(limits.fragmentInclusions + 1)).map(({ code }) => code)).toEqual(['docx.fragment_depth'])
})

test('each template is walked over once for a depth, however many ways lead to it', async () => {
  let walks = 0
  const counted = (slugs: readonly string[]) =>
    Object.assign([...slugs], {
      [Symbol.iterator]() {
        walks++
        return slugs[Symbol.iterator]()
      },
    })
  const level = (depth: number) => Array.from({ length: 5 }, (_, at) => `l${depth}-${at}`)
  const layers = Object.fromEntries(
    Array.from({ length: limits.fragmentDepth }, (_, depth) => depth).flatMap((depth) =>
      level(depth).map((slug) => [slug, counted(depth + 1 < limits.fragmentDepth ? level(depth + 1) : [])]),
    ),
  )
  const { gaps, slugs } = await resolved(level(0), layers)
  expect([gaps, slugs.length, walks]).toEqual([[], 5 * limits.fragmentDepth, 5 * limits.fragmentDepth])
})

test('one that fits is found too deep on a longer way', async () => {
  const ways = Object.fromEntries(Array.from({ length: limits.fragmentDepth }, (_, at) => [`s${at}`, [`s${at + 1}`]]))
  const { gaps } = await resolved([`s${limits.fragmentDepth - 1}`, 's0'], { ...ways, [`s${limits.fragmentDepth}`]: [] })
  expect(gaps.map(({ code, chain }) => [code, chain.length])).toEqual([
    ['docx.fragment_depth', limits.fragmentDepth + 1],
  ])
})

test('a hundred clauses that are written on the same paper are not too many', async () => {
  const clauses = Array.from({ length: 100 }, (_, at) => `clause-${at}`)
  const paper = Object.fromEntries(clauses.map((slug) => [slug, ['letterhead', 'imprint']]))
  const { gaps, slugs } = await resolved(clauses, { ...paper, letterhead: [], imprint: [] })
  expect([gaps, slugs.length]).toEqual([[], 102])
})
