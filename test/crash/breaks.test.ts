import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { breaks } from './breaks.ts'

const root = join(import.meta.dir, '../..')

test('each deliberate break still finds its text exactly once in the source', async () => {
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

test('each deliberate break names a fault test that exists, and one test of it at most', async () => {
  const wrong: string[] = []
  for (const { name, test: file, only } of breaks) {
    const source = await Bun.file(join(root, `test/crash/${file}.test.ts`)).text()
    // The name is the first text after the opening bracket of a call, on its line or alone on the next.
    const names = [...source.matchAll(/\(\n?\s*'([^'\n]+)',/g)].map(([, text]) => text ?? '')
    const meant = names.filter((text) => only === undefined || text.includes(only))
    if (meant.length === 0 || (only !== undefined && meant.length > 1))
      wrong.push(`${name}: ${meant.length} of ${file}`)
  }
  expect(wrong).toEqual([])
})
