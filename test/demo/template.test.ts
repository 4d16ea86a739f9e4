import { expect, test } from 'bun:test'
import { buildDemoTemplate } from '../../scripts/build-demo-template.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { demo } from '../../src/demo/demo.ts'

test('the committed template equals what its script builds, byte for byte, in every time zone', async () => {
  const committed = sha256Hex(await demo.template.bytes())
  const zone = process.env.TZ
  try {
    for (const TZ of ['UTC', 'Pacific/Auckland', 'America/St_Johns']) {
      process.env.TZ = TZ
      expect(sha256Hex(await buildDemoTemplate())).toBe(committed)
    }
  } finally {
    process.env.TZ = zone ?? 'UTC'
  }
})
