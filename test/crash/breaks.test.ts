import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { breaks } from './breaks.ts'

const root = join(import.meta.dir, '../..')

test('every broken build still takes away what it says: its text stands exactly once in the source', async () => {
  const wrong: string[] = []
  for (const { name, edits } of breaks) {
    for (const { file, find } of edits) {
      const times = (await Bun.file(join(root, file)).text()).split(find).length - 1
      if (times !== 1) wrong.push(`${name}: ${file} holds ${times} times: ${find.trim()}`)
    }
  }
  // When this fails the source has changed: find the same protection in it, and mend test/crash/breaks.ts.
  expect(wrong).toEqual([])
})
