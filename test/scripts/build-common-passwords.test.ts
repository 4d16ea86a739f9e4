import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { commonPasswords } from '../../scripts/build-common-passwords.ts'

test('the committed list of common passwords equals the one that its script makes from the pinned package', async () => {
  const committed = await Bun.file(join(import.meta.dir, '../../src/modules/auth/common-passwords.txt')).text()
  expect(committed).toBe(await commonPasswords())
  expect(committed.length).toBeLessThan(200_000)
  const { devDependencies } = await Bun.file(join(import.meta.dir, '../../package.json')).json()
  expect(committed).toContain(`@zxcvbn-ts/language-common ${devDependencies['@zxcvbn-ts/language-common']},`)
})
