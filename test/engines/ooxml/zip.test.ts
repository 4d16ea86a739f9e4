import { expect, test } from 'bun:test'
import { crc32 } from 'node:zlib'
import { zipSync } from 'fflate'
import { limits } from '../../../src/core/limits.ts'
import { readZip, writeZip } from '../../../src/engines/ooxml/zip.ts'

const text = (value: string) => new TextEncoder().encode(value)
const archive = writeZip([
  { name: 'a.txt', data: text('hello '.repeat(50)) },
  { name: 'folder/ü.txt', data: text('x') },
])

function codeOf(bytes: Uint8Array): string | undefined {
  const read = readZip(bytes)
  if (!read.ok) return read.findings[0]!.code
  for (const name of read.value.names) {
    const entry = read.value.read(name)
    if (!entry.ok) return entry.findings[0]!.code
  }
  return undefined
}

/** The archive with some bytes changed: `at` counts from the start of the first match of `mark`. */
function changed(bytes: Uint8Array, mark: number, at: number, ...values: number[]): Uint8Array {
  const copy = bytes.slice()
  const view = new DataView(copy.buffer)
  let start = 0
  while (view.getUint32(start, true) !== mark) start++
  copy.set(values, start + at)
  return copy
}

const local = 0x04034b50
const central = 0x02014b50
const end = 0x06054b50

test('what was written is read again, and writing is deterministic', () => {
  const read = readZip(archive)
  if (!read.ok) throw new Error('not read')
  expect(read.value.names).toEqual(['a.txt', 'folder/ü.txt'])
  const entry = read.value.read('a.txt')
  expect(entry.ok && new TextDecoder().decode(entry.value)).toBe('hello '.repeat(50))
  const again = writeZip([
    { name: 'a.txt', data: text('hello '.repeat(50)) },
    { name: 'folder/ü.txt', data: text('x') },
  ])
  expect(again).toEqual(archive)
})

test('an entry passed through keeps its compressed bytes', () => {
  const read = readZip(archive)
  if (!read.ok) throw new Error('not read')
  const copied = readZip(writeZip(read.value.names.map((name) => read.value.entry(name)!)))
  expect(copied.ok && copied.value.entry('a.txt')!.compressed).toEqual(read.value.entry('a.txt')!.compressed)
})

test('archives of other writers are read', () => {
  expect(codeOf(zipSync({ 'a/b.txt': text('x'.repeat(1000)), 'c.txt': [text('y'), { level: 0 }] }))).toBeUndefined()
})

test('a document of another format, one under a password and an empty file are told apart from a damaged one', () => {
  const compound = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0])
  const said = (bytes: Uint8Array) => {
    const read = readZip(bytes)
    return read.ok ? '' : `${read.findings[0]!.message} ${read.findings[0]!.hint}`
  }
  expect(said(compound)).toMatch(/Word 97 to 2003.*password.*Save it as \.docx/)
  expect(said(new Uint8Array())).toMatch(/^The file is empty\./)
  for (const bytes of [compound.slice(1), compound.slice(0, 7), text('PK no zip at all')]) {
    expect(said(bytes)).toMatch(/not a zip archive, or it is cut off/)
  }
})

test('hostile and damaged archives are refused, each with its reason', () => {
  expect(codeOf(text('no zip at all'))).toBe('zip.not_a_zip')
  expect(codeOf(archive.slice(0, archive.length - 3))).toBe('zip.not_a_zip')
  expect(codeOf(changed(archive, central, 8, 1))).toBe('zip.encrypted')
  expect(codeOf(changed(archive, central, 10, 12))).toBe('zip.method')
  expect(codeOf(changed(archive, local, 30, 0x62))).toBe('zip.mismatch')
  expect(codeOf(changed(archive, local, 14, 1, 2, 3, 4))).toBe('zip.mismatch')
  expect(codeOf(changed(archive, central, 42, 9))).toBe('zip.local')
  expect(codeOf(changed(archive, end, 16, 0xff, 0xff))).toBe('zip.directory')
  expect(codeOf(changed(archive, end, 4, 1))).toBe('zip.split')
})

test('names that leave the archive, or appear twice in any spelling, are refused', () => {
  for (const name of ['../x', '/x', 'a/../b', 'a\\b', 'c:x', 'a\u0001'])
    expect(codeOf(writeZip([{ name, data: text('') }]))).toBe('zip.name')
  const twice = [
    { name: 'a.xml', data: text('1') },
    { name: 'A.xml', data: text('2') },
  ]
  expect(codeOf(writeZip(twice))).toBe('zip.duplicate')
})

test('an entry that inflates to more than it declares is cut off and refused', () => {
  const bomb = writeZip([{ name: 'a', data: new Uint8Array(500_000) }])
  const declared = changed(changed(bomb, central, 24, 10, 0, 0, 0), local, 22, 10, 0, 0, 0)
  expect(codeOf(declared)).toBe('zip.data')
})

test('ratio, size and number of entries are bounded before anything is inflated', () => {
  expect(codeOf(writeZip([{ name: 'a', data: new Uint8Array(5_000_000) }]))).toBe('zip.ratio')
  const huge = changed(archive, central, 24, 0xff, 0xff, 0xff, 0x7f)
  expect(codeOf(changed(huge, local, 22, 0xff, 0xff, 0xff, 0x7f))).toBe('zip.size')
  const many = Array.from({ length: limits.zipEntries + 1 }, (_, index) => ({ name: `${index}`, data: text('') }))
  expect(codeOf(writeZip(many))).toBe('zip.entries')
})

test('two entries that share bytes are refused', () => {
  const small = writeZip([{ name: 'b', data: text('x') }])
  const inner = small.slice(0, 30 + 1 + 1)
  const both = writeZip([
    { name: 'a', method: 0, crc32: crc32(inner), compressed: inner, inflatedBytes: inner.length },
    { name: 'b', data: text('x') },
  ])
  // The directory entry of b now leads to the twin of its header that lies in the data of a.
  const view = new DataView(both.buffer)
  let second = both.length - 22 - 47
  while (view.getUint32(second, true) !== central) second--
  view.setUint32(second + 42, 30 + 1, true)
  expect(codeOf(both)).toBe('zip.overlap')
})

test('no mutation of a byte makes the reader throw', () => {
  for (let at = 0; at < archive.length; at++) {
    for (const value of [0, 1, 0x7f, 0xff]) {
      const copy = archive.slice()
      copy[at] = value
      expect(() => codeOf(copy)).not.toThrow()
    }
  }
})

/** The archive in the zip64 form: sizes and offsets in extra fields, with the wider end record and its locator. */
function zip64(text: string): Uint8Array {
  const plain = writeZip([{ name: 'a.txt', data: new TextEncoder().encode(text) }])
  const view = new DataView(plain.buffer)
  const directory = view.getUint32(plain.length - 22 + 16, true)
  const size = view.getUint32(directory + 24, true)
  const extra = (count: number) => {
    const field = new DataView(new ArrayBuffer(4 + count * 8))
    field.setUint16(0, 1, true)
    field.setUint16(2, count * 8, true)
    for (let index = 0; index < Math.min(count, 2); index++) field.setBigUint64(4 + index * 8, BigInt(size), true)
    return new Uint8Array(field.buffer)
  }
  const local = plain.slice(0, 35)
  const central = plain.slice(directory, directory + 51)
  for (const [header, at, extraAt, count] of [
    [local, 18, 28, 2],
    [central, 20, 30, 3],
  ] as const) {
    const fields = new DataView(header.buffer)
    fields.setUint32(at, 0xffffffff, true)
    fields.setUint32(at + 4, 0xffffffff, true)
    fields.setUint16(extraAt, 4 + count * 8, true)
  }
  new DataView(central.buffer).setUint32(42, 0xffffffff, true)
  const end = new DataView(new ArrayBuffer(56 + 20))
  end.setUint32(0, 0x06064b50, true)
  end.setBigUint64(24, 1n, true)
  end.setBigUint64(32, 1n, true)
  const start = 35 + 20 + size
  end.setBigUint64(40, BigInt(51 + 28), true)
  end.setBigUint64(48, BigInt(start), true)
  end.setUint32(56, 0x07064b50, true)
  end.setBigUint64(64, BigInt(start + 51 + 28), true)
  const last = plain.slice(plain.length - 22)
  const tail = new DataView(last.buffer)
  for (const at of [12, 16]) tail.setUint32(at, 0xffffffff, true)
  const data = plain.slice(35, 35 + size)
  return new Uint8Array(Buffer.concat([local, extra(2), data, central, extra(3), new Uint8Array(end.buffer), last]))
}

test('an archive in the zip64 form is read, and one whose zip64 figures lie is refused', () => {
  const bytes = zip64('abc')
  const archive = readZip(bytes)
  if (!archive.ok) throw new Error(JSON.stringify(archive.findings))
  const read = archive.value.read('a.txt')
  expect(read.ok && new TextDecoder().decode(read.value)).toBe('abc')
  const again = writeZip([archive.value.entry('a.txt')!])
  expect(again).toEqual(writeZip([{ name: 'a.txt', data: new TextEncoder().encode('abc') }]))
  for (let at = 0; at < bytes.length; at++) {
    const broken = bytes.slice()
    broken[at] = 0xff - broken[at]!
    const outcome = readZip(broken)
    const text = outcome.ok ? outcome.value.read('a.txt') : outcome
    if (text.ok) expect(new TextDecoder().decode(text.value)).toBe('abc')
    else for (const finding of text.findings) expect(finding.hint).not.toBeUndefined()
  }
})
