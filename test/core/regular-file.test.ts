import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEmbedded } from '../../src/core/embedded-file.ts'
import { readRegularFile } from '../../src/core/regular-file.ts'
import { temporaryFolder } from '../support/database.ts'

const folder = temporaryFolder()

function file(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

test('a file is read up to the bytes it may have, byte by byte', () => {
  const path = file('three', Uint8Array.of(0x61, 0xe9, 0xff))
  expect(readRegularFile(path, 3)).toBe('a\u00e9\u00ff')
  expect(() => readRegularFile(path, 2)).toThrow(expect.objectContaining({ code: 'EFBIG' }))
})

test('what has no end is not read, and the system says what else is no file', () => {
  expect(() => readRegularFile('/dev/zero', 9)).toThrow(expect.objectContaining({ code: 'EINVAL' }))
  expect(() => readRegularFile(folder, 1e9)).toThrow(expect.objectContaining({ code: 'EISDIR' }))
  expect(() => readRegularFile(join(folder, 'none'), 9)).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})

test('a file that the program carries is the same whether it is compressed or not', () => {
  const text = 'one two three '.repeat(50)
  const read = (path: string, beside?: string) => new TextDecoder().decode(readEmbedded(path, beside))
  expect(read(file('plain', text))).toBe(text)
  expect(read(file('small', 'abc'))).toBe('abc')
  expect(read(file('compressed', Bun.zstdCompressSync(text)))).toBe(text)
})
