import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** What a first visit loads, compressed as it is sent. */
const shellMaxBytes = 60_000

test('the console fits into 60 KB compressed, and names no address on another host', async () => {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, '../../src/console/index.html')],
    target: 'browser',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  let compressedBytes = 0
  for (const output of built.outputs) {
    const text = await output.text()
    compressedBytes += gzipSync(text, { level: 9 }).length
    // Names of XML namespaces look like addresses, but nothing is ever fetched from them.
    const foreign = [...text.matchAll(/https?:\/\/[\w.-]+/g)].filter(([address]) => address !== 'http://www.w3.org')
    expect(foreign).toEqual([])
  }
  expect(compressedBytes).toBeGreaterThan(10_000)
  expect(compressedBytes).toBeLessThan(shellMaxBytes)
})
