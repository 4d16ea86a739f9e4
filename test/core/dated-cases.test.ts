import { expect, test } from 'bun:test'
import { currentPaths } from '../../src/core/dated-cases.ts'
import { instantOf } from '../../src/core/instant.ts'

const spring = 'cases/letter/ann.from-2027-03-01T00-00-00Z.expected/main/output.json'
const autumn = 'cases/letter/ann.from-2027-09-01T00-00-00Z.expected/main/refusal.json'
const paths = [
  'cases/letter/ann.json',
  'cases/letter/ann.expected/main/document.txt',
  'cases/letter/ann.expected/main/output.json',
  'cases/letter/bob.expected/main/output.json',
  spring,
  autumn,
]
const at = (instant: string) => [...currentPaths(paths, instantOf(instant))].map((pair) => pair.join(' -> '))

test('what is expected from an instant on takes the place of all that was expected before, from then on', () => {
  expect(at('2027-02-28T23:59:59Z')).toEqual(paths.map((path) => `${path} -> ${path}`))
  expect(at('2027-03-01T00:00:00Z')).toEqual([
    `${paths[0]} -> ${paths[0]}`,
    `${paths[3]} -> ${paths[3]}`,
    `${spring} -> cases/letter/ann.expected/main/output.json`,
    `${autumn} -> ${autumn}`,
  ])
  expect(at('2028-01-01T00:00:00Z')).toEqual([
    `${paths[0]} -> ${paths[0]}`,
    `${paths[3]} -> ${paths[3]}`,
    `${autumn} -> cases/letter/ann.expected/main/refusal.json`,
  ])
})
