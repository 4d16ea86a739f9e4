import { expect, test } from 'bun:test'
import { buildDemoTemplate } from '../../scripts/build-demo-template.ts'
import { buildStarterTemplate } from '../../scripts/build-starter-template.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { demo } from '../../src/demo/demo.ts'
import { starter } from '../../src/demo/starter/starter.ts'

test('each committed template equals what its script builds, byte for byte, in every time zone', async () => {
  const committed = sha256Hex(await demo.template.bytes())
  const small = sha256Hex(await starter.template())
  const zone = process.env.TZ
  try {
    for (const TZ of ['UTC', 'Pacific/Auckland', 'America/St_Johns']) {
      process.env.TZ = TZ
      expect(sha256Hex(await buildDemoTemplate())).toBe(committed)
      expect(sha256Hex(await buildStarterTemplate())).toBe(small)
    }
  } finally {
    process.env.TZ = zone ?? 'UTC'
  }
})
