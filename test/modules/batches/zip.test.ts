import { expect, test } from 'bun:test'
import { ZipStream } from '../../../src/modules/batches/batches.zip.ts'

/** Read by APPNOTE 6.3.10 alone, from the end, as unpackers do: nothing here comes from the code that writes archives. */
const at = '2026-11-20T09:31:47.5Z'
const MOST_32 = 0xffff_ffff

function archive(files: readonly [string, string][], offset = 0): DataView {
  const zip = new ZipStream({ at }, offset)
  const parts = files.flatMap(([name, text]) => [...zip.file(name, new TextEncoder().encode(text))])
  return new DataView(Bun.concatArrayBuffers([...parts, ...zip.end()] as Uint8Array<ArrayBuffer>[]))
}

const text = (view: DataView, from: number, length: number) =>
  new TextDecoder().decode(new Uint8Array(view.buffer, from, length))

/** The last record, 22 bytes without a comment (4.3.16). */
function endOf(view: DataView) {
  const from = view.byteLength - 22
  expect(view.getUint32(from, true)).toBe(0x0605_4b50)
  const [disk, firstDisk, here, count] = [4, 6, 8, 10].map((at) => view.getUint16(from + at, true))
  expect([disk, firstDisk, view.getUint16(from + 20, true)]).toEqual([0, 0, 0])
  return { from, here, count, size: view.getUint32(from + 12, true), start: view.getUint32(from + 16, true) }
}

/** The 64-bit end with its locator, which lie before the last record (4.3.14, 4.3.15); undefined where there are none. */
function end64Of(view: DataView) {
  const locator = view.byteLength - 22 - 20
  if (locator < 0 || view.getUint32(locator, true) !== 0x0706_4b50) return undefined
  const from = locator - 56
  const wide = (at: number) => Number(view.getBigUint64(at, true))
  expect([view.getUint32(from, true), wide(from + 4)]).toEqual([0x0606_4b50, 44])
  expect([12, 14].map((at) => view.getUint16(from + at, true))).toEqual([45, 45])
  expect([16, 20].map((at) => view.getUint32(from + at, true))).toEqual([0, 0])
  expect([view.getUint32(locator + 4, true), view.getUint32(locator + 16, true)]).toEqual([0, 1])
  return {
    ...{ here: wide(from + 24), count: wide(from + 32), size: wide(from + 40), start: wide(from + 48) },
    ...{ from, locatedAt: wide(locator + 8) },
  }
}

function entryAt(view: DataView, from: number) {
  expect(view.getUint32(from, true)).toBe(0x0201_4b50)
  const u16 = (at: number) => view.getUint16(from + at, true)
  const u32 = (at: number) => view.getUint32(from + at, true)
  const [nameLength, extraLength] = [u16(28), u16(30)]
  // No comment, one disk, no attributes.
  expect([u16(32), u16(34), u16(36), u32(38)]).toEqual([0, 0, 0, 0])
  const extra = from + 46 + nameLength
  return {
    ...{ versions: [u16(4), u16(6)], flags: u16(8), method: u16(10), time: u16(12), date: u16(14) },
    ...{ crc: u32(16), sizes: [u32(20), u32(24)], offset: u32(42), name: text(view, from + 46, nameLength) },
    wideOffset:
      extraLength === 0
        ? undefined
        : [view.getUint16(extra, true), view.getUint16(extra + 2, true), Number(view.getBigUint64(extra + 4, true))],
    next: extra + extraLength,
  }
}

test('each file is stored as it is, and the directory leads to it with its time, size and checksum', () => {
  const view = archive([
    ['é.txt', 'one'],
    ['b/c', ''],
  ])
  const { here, count, size, start, from } = endOf(view)
  expect([here, count, start + size, end64Of(view)]).toEqual([2, 2, from, undefined])
  const first = entryAt(view, start)
  const second = entryAt(view, first.next)
  expect(second.next).toBe(from)
  expect(first).toMatchObject({
    ...{ versions: [20, 20], flags: 0x0800, method: 0, name: 'é.txt', sizes: [3, 3], offset: 0 },
    ...{ crc: Bun.hash.crc32('one'), wideOffset: undefined },
    // 2026-11-20 and 09:31:46: two seconds are the smallest step.
    ...{ date: (46 << 9) | (11 << 5) | 20, time: (9 << 11) | (31 << 5) | 23 },
  })
  expect(second).toMatchObject({ name: 'b/c', sizes: [0, 0], crc: 0, offset: 30 + 6 + 3 })
  for (const [entry, content] of [
    [first, 'one'],
    [second, ''],
  ] as const) {
    expect(view.getUint32(entry.offset, true)).toBe(0x0403_4b50)
    expect(view.getUint16(entry.offset + 4, true)).toBe(20)
    const nameLength = view.getUint16(entry.offset + 26, true)
    expect(view.getUint16(entry.offset + 28, true)).toBe(0)
    expect(text(view, entry.offset + 30, nameLength)).toBe(entry.name)
    expect(text(view, entry.offset + 30 + nameLength, content.length)).toBe(content)
    expect([6, 8, 10, 12].map((at) => view.getUint16(entry.offset + at, true))).toEqual(
      [6, 8, 10, 12].map((at) => view.getUint16((entry === first ? start : first.next) + at + 2, true)),
    )
  }
})

test('a file that begins beyond 4 GiB has its offset in 64 bits, and one before in 32', () => {
  for (const [offset, isFar] of [
    [MOST_32 - 1, false],
    [MOST_32, true],
    [2 ** 40, true],
  ] as const) {
    const view = archive([['a', 'x']], offset)
    const entry = entryAt(view, 30 + 1 + 1)
    expect(entry).toMatchObject({
      versions: isFar ? [45, 45] : [20, 20],
      offset: Math.min(offset, MOST_32),
      wideOffset: isFar ? [1, 8, offset] : undefined,
    })
  }
})

test('a directory that begins beyond 4 GiB is found by the 64-bit end, and one before by the other', () => {
  const fileBytes = 30 + 1 + 1
  const near = archive([['a', 'x']], MOST_32 - 1 - fileBytes)
  expect([end64Of(near), endOf(near).start]).toEqual([undefined, MOST_32 - 1])
  const far = archive([['a', 'x']], MOST_32 - fileBytes)
  const end = end64Of(far)!
  expect(end).toMatchObject({ here: 1, count: 1, start: MOST_32, size: 46 + 1 })
  expect(end.locatedAt).toBe(end.start + end.size)
  expect(endOf(far)).toMatchObject({ here: 1, count: 1, size: 47, start: MOST_32 })
})

test('65,535 files need the 64-bit end, one fewer does not', () => {
  const files = Array.from({ length: 0xfffe }, (_, index): [string, string] => [String(index), ''])
  const fits = archive(files)
  expect([end64Of(fits), endOf(fits).count, endOf(fits).here]).toEqual([undefined, 0xfffe, 0xfffe])
  const more = archive([...files, ['one', ''], ['two', '']])
  expect(end64Of(more)).toMatchObject({ here: 0x1_0000, count: 0x1_0000, start: endOf(more).start })
  expect([endOf(more).count, endOf(more).here]).toEqual([0xffff, 0xffff])
  expect(end64Of(archive([...files, ['one', '']]))!.count).toBe(0xffff)
})
