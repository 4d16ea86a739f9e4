import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compressedFile } from '../../scripts/compressed-files.plugin.ts'
import { readEmbedded } from '../../src/core/embedded-file.ts'
import { temporaryFolder } from '../support/database.ts'

/** Writes a file as the executable carries it. */
async function carried(name: string): Promise<{ path: string; bytes: Uint8Array; length: number }> {
  const source = Bun.resolveSync(`@expo-google-fonts/${name}`, import.meta.dir)
  const compressed = await compressedFile(source)
  const path = join(temporaryFolder(), 'carried')
  writeFileSync(path, compressed)
  return { path, bytes: await Bun.file(source).bytes(), length: compressed.length }
}

test('styles of a font are carried beside its regular one, and read as they were', async () => {
  const regular = await carried('caladea/400Regular/Caladea_400Regular.ttf')
  expect(Buffer.compare(readEmbedded(regular.path), regular.bytes)).toBe(0)
  for (const style of ['400Regular_Italic/Caladea_400Regular_Italic', '700Bold/Caladea_700Bold']) {
    const other = await carried(`caladea/${style}.ttf`)
    expect(Buffer.compare(readEmbedded(other.path, regular.path), other.bytes)).toBe(0)
    expect(other.length).toBeLessThan(Bun.zstdCompressSync(new Uint8Array(other.bytes), { level: 19 }).length * 0.9)
    expect(() => readEmbedded(other.path)).toThrow()
  }
})
