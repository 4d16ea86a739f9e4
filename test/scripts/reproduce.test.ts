import { expect, test } from 'bun:test'
import { buildTwice } from '../../scripts/reproduce.ts'

test('two builds of the same sources in different folders have the same bytes', async () => {
  const { hashes } = await buildTwice()
  expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(hashes[1]).toBe(hashes[0])
}, 900_000)
