import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { localeTable } from '../../scripts/build-locale.ts'
import { cldrVersion } from '../../src/core/locale/table.generated.ts'

test('the committed locale table equals the one that its script makes from the pinned CLDR', async () => {
  const committed = Bun.file(join(import.meta.dir, '../../src/core/locale/table.generated.ts'))
  expect(await committed.text()).toBe(await localeTable())
  const { devDependencies } = await Bun.file(join(import.meta.dir, '../../package.json')).json()
  for (const name of ['cldr-core', 'cldr-dates-full', 'cldr-misc-full', 'cldr-numbers-full']) {
    expect(devDependencies[name]).toBe(cldrVersion)
  }
})
