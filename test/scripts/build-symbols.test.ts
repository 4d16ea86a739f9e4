import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { symbolFonts } from '../../scripts/build-symbols.ts'

test('the committed symbol fonts equal those that their script makes from the pinned packages', async () => {
  const made = await symbolFonts()
  expect(made.map(([name]) => name)).toEqual(['symbols-2.ttf', 'symbols.ttf', 'mathematics.ttf', 'formulas.ttf'])
  let total = 0
  for (const [name, bytes] of made) {
    const committed = await Bun.file(join(import.meta.dir, '../../src/engines/pdf/font/symbols', name)).bytes()
    expect(Buffer.from(committed).equals(bytes)).toBe(true)
    total += bytes.length
  }
  // They travel inside the executable, compressed to little more than half.
  expect(total).toBeLessThan(225_280)
})
