import { expect, test } from 'bun:test'
import { crc32 } from 'node:zlib'
import { zipSync } from 'fflate'
import { limits } from '../../../src/core/limits.ts'
import { inflateEntry, readZip } from '../../../src/engines/ooxml/zip.ts'
import type { ZipEntry } from '../../../src/engines/ooxml/zip-format.ts'
import { writeZip } from '../../../src/engines/ooxml/zip-writer.ts'

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

test('written archives are read back, and writing is deterministic', () => {
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

test('archives from other writers are read', () => {
  expect(codeOf(zipSync({ 'a/b.txt': text('x'.repeat(1000)), 'c.txt': [text('y'), { level: 0 }] }))).toBeUndefined()
})

test('a document of another format, a protected one and an empty file are told apart from a damaged one', () => {
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

test('ratio, size and number of entries are checked before anything is inflated', () => {
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

interface ZipForm {
  /** What other programs write before and behind the zip64 field of the directory. */
  before?: number[]
  behind?: number[]
  /** How many of the three figures of the directory the field has: both sizes, and where the entry begins. */
  figures?: 2 | 3
}

/** The archive in the zip64 form: sizes and offsets in extra fields, with the wider end record and its locator. */
function zip64(text: string, { before = [], behind = [], figures = 3 }: ZipForm = {}): Uint8Array {
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
  const localExtra = extra(2)
  const centralExtra = Uint8Array.from([...before, ...extra(figures), ...behind])
  for (const [header, at, extraAt, extras] of [
    [local, 18, 28, localExtra],
    [central, 20, 30, centralExtra],
  ] as const) {
    const fields = new DataView(header.buffer)
    fields.setUint32(at, 0xffffffff, true)
    fields.setUint32(at + 4, 0xffffffff, true)
    fields.setUint16(extraAt, extras.length, true)
  }
  new DataView(central.buffer).setUint32(42, 0xffffffff, true)
  const end = new DataView(new ArrayBuffer(56 + 20))
  end.setUint32(0, 0x06064b50, true)
  end.setBigUint64(24, 1n, true)
  end.setBigUint64(32, 1n, true)
  const start = 35 + localExtra.length + size
  const directoryBytes = 51 + centralExtra.length
  end.setBigUint64(40, BigInt(directoryBytes), true)
  end.setBigUint64(48, BigInt(start), true)
  end.setUint32(56, 0x07064b50, true)
  end.setBigUint64(64, BigInt(start + directoryBytes), true)
  const last = plain.slice(plain.length - 22)
  const tail = new DataView(last.buffer)
  for (const at of [12, 16]) tail.setUint32(at, 0xffffffff, true)
  const data = plain.slice(35, 35 + size)
  return new Uint8Array(
    Buffer.concat([local, localExtra, data, central, centralExtra, new Uint8Array(end.buffer), last]),
  )
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

test('figures of an archive are read from its zip64 field alone, whatever is before and behind it', () => {
  const time = [0x55, 0x54, 5, 0, 3, 0, 0, 0, 0]
  const empty = [0, 0, 0, 0]
  expect(codeOf(zip64('abc', { before: time, behind: time }))).toBeUndefined()
  // Eight zeros would say that the entry begins where it does.
  expect(codeOf(zip64('abc', { figures: 2, behind: [...empty, ...empty] }))).toBe('zip.local')
})

/** Bytes of the archive as the format has them (APPNOTE 4.3). */
const u16 = (value: number) => [value & 255, value >> 8]

test('an archive has the bytes of the format: no extra fields, a fixed date, names of UTF-8 marked as such', () => {
  const bytes = writeZip([
    { name: 'a', data: text('x') },
    { name: 'ü', data: text('hello '.repeat(9)) },
  ])
  const view = new DataView(bytes.buffer)
  const headers: Record<string, number[]>[] = []
  for (let at = 0; at + 4 <= bytes.length; at++) {
    const signature = view.getUint32(at, true)
    if (signature !== local && signature !== central) continue
    const shared = at + (signature === local ? 4 : 6)
    headers.push({
      version: [view.getUint16(shared, true)],
      flags: [view.getUint16(shared + 2, true)],
      method: [view.getUint16(shared + 4, true)],
      time: [view.getUint16(shared + 6, true), view.getUint16(shared + 8, true)],
      lengths: [
        view.getUint32(shared + 18, true),
        view.getUint16(shared + 22, true),
        view.getUint16(shared + 24, true),
      ],
    })
  }
  const stored = { version: [20], flags: [0], method: [0], time: [0, 0x21], lengths: [1, 1, 0] }
  const deflated = { version: [20], flags: [0x800], method: [8], time: [0, 0x21], lengths: [54, 2, 0] }
  expect(headers).toEqual([stored, deflated, stored, deflated])
  const last = bytes.length - 22
  expect([8, 10].map((at) => view.getUint16(last + at, true))).toEqual([2, 2])
  const directory = view.getUint32(last + 16, true)
  expect(view.getUint32(directory, true)).toBe(central)
  expect(directory + view.getUint32(last + 12, true)).toBe(last)
  expect(view.getUint32(directory + 16, true)).toBe(crc32(text('x')))
  expect(view.getUint16(directory + 4, true)).toBe(20)
})

test('an archive can end with a comment of any allowed length, but not before the comment does', () => {
  const withComment = (length: number, said = length) => {
    const bytes = new Uint8Array(archive.length + length).fill(0x20)
    bytes.set(archive)
    bytes.set(u16(said), archive.length - 2)
    return bytes
  }
  for (const length of [0, 1, 65_535]) expect(codeOf(withComment(length))).toBeUndefined()
  expect(codeOf(withComment(5, 6))).toBe('zip.not_a_zip')
})

test('bytes behind the archive are ignored, as Word does, up to the longest comment', () => {
  const followedBy = (...more: number[]) => new Uint8Array([...archive, ...more])
  for (const more of [[0], [0x0d, 0x0a, 0x0d, 0x0a], [0x20, 0x20, 0x20]]) {
    const read = readZip(followedBy(...more))
    if (!read.ok) throw new Error(read.findings[0]!.message)
    expect(read.value.names).toEqual(['a.txt', 'folder/ü.txt'])
  }
  expect(codeOf(followedBy(...new Uint8Array(65_535)))).toBeUndefined()
  expect(codeOf(followedBy(...new Uint8Array(65_536)))).toBe('zip.not_a_zip')
})

test('a record whose comment ends the file comes before a later one inside the comment', () => {
  const inside = archive.slice(-22)
  const bytes = new Uint8Array([...archive, ...inside, 0x20])
  // The outer comment holds a whole end record and a blank; the record inside says that nothing follows it.
  bytes.set(u16(inside.length + 1), archive.length - 2)
  bytes.fill(0, archive.length + 8, archive.length + 12)
  const read = readZip(bytes)
  if (!read.ok) throw new Error(read.findings[0]!.message)
  expect(read.value.names).toEqual(['a.txt', 'folder/ü.txt'])
})

test('folders are left out, and an empty name or a dot as a folder is refused', () => {
  const read = readZip(
    writeZip([
      { name: 'a/', data: text('') },
      { name: 'a/b', data: text('x') },
    ]),
  )
  expect(read.ok && read.value.names).toEqual(['a/b'])
  for (const name of ['', './a', 'a/.', '..', 'a/\u001fb', 'C:/x']) {
    expect([name, codeOf(writeZip([{ name, data: text('') }]))]).toEqual([name, 'zip.name'])
  }
  for (const name of ['a..b', '.a', 'a.', ' '])
    expect([name, codeOf(writeZip([{ name, data: text('') }]))]).toEqual([name, undefined])
  expect(codeOf(changed(archive, central, 46, 0xff))).toBe('zip.name')
})

test('a missing or damaged entry is reported by its name', () => {
  const read = readZip(archive)
  if (!read.ok) throw new Error('not read')
  expect(read.value.read('none')).toMatchObject({ ok: false, findings: [{ code: 'zip.missing', path: 'none' }] })
  expect(read.value.entry('none')).toBeUndefined()
  const entry = read.value.entry('a.txt')
  if (entry === undefined) throw new Error('no entry')
  const damaged = [
    { ...entry, crc32: 1 },
    { ...entry, inflatedBytes: entry.inflatedBytes - 1 },
    { ...entry, inflatedBytes: entry.inflatedBytes + 1 },
    { ...entry, compressed: entry.compressed.slice(1) },
    { ...entry, method: 0 as const },
  ]
  for (const one of damaged)
    expect(inflateEntry(one)).toMatchObject({ ok: false, findings: [{ code: 'zip.data', path: 'a.txt' }] })
})

test('flags of every kind of encryption are refused, in the directory and in the entry', () => {
  for (const [at, value] of [
    [8, 0x01],
    [8, 0x40],
    [9, 0x20],
  ] as const) {
    expect(codeOf(changed(archive, central, at, value))).toBe('zip.encrypted')
  }
  expect(codeOf(changed(archive, local, 6, 0x01))).toBe('zip.mismatch')
})

test('each figure of an entry is compared with its own header', () => {
  for (const at of [8, 14, 18, 22]) {
    expect([at, codeOf(changed(archive, local, at, 0x77))]).toEqual([at, 'zip.mismatch'])
  }
  for (const at of [26, 28]) expect(codeOf(changed(archive, local, at, 0x77))).not.toBeUndefined()
  // With a data descriptor behind the entry its figures may be zero, and only zero.
  const described = changed(archive, local, 6, 0x08)
  expect(codeOf(described)).toBeUndefined()
  const blank = changed(described, local, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  expect(codeOf(blank)).toBeUndefined()
  expect(codeOf(changed(described, local, 14, 1))).toBe('zip.mismatch')
  expect(codeOf(changed(archive, local, 14, 0, 0, 0, 0))).toBe('zip.mismatch')
})

test('a stored entry has one length', () => {
  const stored = writeZip([{ name: 'b', data: text('x') }])
  const longer = changed(changed(stored, central, 24, 2), local, 22, 2)
  expect(codeOf(longer)).toBe('zip.mismatch')
})

test('figures that point out of the archive are refused', () => {
  expect(codeOf(changed(archive, central, 20, 0xff, 0xff, 0xff, 0x7f))).toBe('zip.local')
  expect(codeOf(changed(archive, end, 12, 0xff, 0xff))).toBe('zip.directory')
  expect(codeOf(changed(archive, end, 8, 1))).toBe('zip.directory')
  expect(codeOf(changed(changed(archive, end, 8, 3), end, 10, 3))).toBe('zip.directory')
  expect(codeOf(changed(archive, central, 28, 0xff, 0xff))).toBe('zip.directory')
  expect(codeOf(changed(archive, end, 6, 1))).toBe('zip.split')
})

test('small entries can have any ratio, and large ones up to 200:1', () => {
  expect(codeOf(writeZip([{ name: 'a', data: new Uint8Array(4_194_304) }]))).toBeUndefined()
  expect(codeOf(writeZip([{ name: 'a', data: new Uint8Array(4_194_305) }]))).toBe('zip.ratio')
  const many = Array.from({ length: limits.zipEntries }, (_, index) => ({ name: `${index}`, data: text('') }))
  expect(codeOf(writeZip(many))).toBeUndefined()
})

test('all entries together can inflate to 256 MiB', () => {
  const data = text('x')
  const entry = (name: string, inflatedBytes: number): ZipEntry => ({
    name,
    method: 8,
    crc32: crc32(data),
    compressed: new Uint8Array(Math.ceil(inflatedBytes / limits.zipRatio)),
    inflatedBytes,
  })
  const half = limits.zipInflatedBytes / 2
  const read = (...sizes: number[]) => {
    const outcome = readZip(writeZip(sizes.map((size, index) => entry(`${index}`, size))))
    return outcome.ok ? undefined : outcome.findings[0]?.code
  }
  expect(read(half, half)).toBeUndefined()
  expect(read(half, half, 1)).toBe('zip.size')
  expect(read(limits.zipEntryInflatedBytes + 1)).toBe('zip.size')
})

test('an entry that is read apart is the same, and refused for the same', async () => {
  const read = readZip(archive)
  if (!read.ok) throw new Error('not read')
  for (const name of [...read.value.names, 'none']) {
    expect(await read.value.readApart(name)).toEqual(read.value.read(name))
  }
  const data = archive.indexOf(local & 0xff)
  const damaged = archive.slice()
  const at = data + 30 + 'a.txt'.length + 3
  damaged[at] = 0xff - damaged[at]!
  const again = readZip(damaged)
  if (!again.ok) throw new Error('not read')
  const refusal = again.value.read('a.txt')
  expect([refusal.ok, await again.value.readApart('a.txt')]).toEqual([false, refusal])
})
