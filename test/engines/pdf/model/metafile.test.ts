import { expect, test } from 'bun:test'
import { isMetafile, metafileKind } from '../../../../src/engines/pdf/model/metafile.ts'
import { present } from '../../../../src/engines/pdf/model/present.ts'

function file(length: number, ...words: readonly (readonly [at: number, value: number, bytes: 2 | 4])[]): Uint8Array {
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  for (const [at, value, size] of words)
    if (size === 4) view.setUint32(at, value, true)
    else view.setUint16(at, value, true)
  return bytes
}

test('A metafile is known by its header, whatever it is called', () => {
  const emf = file(88, [0, 1, 4], [40, 0x464d4520, 4])
  expect(metafileKind(emf)).toBe('emf')
  expect(metafileKind(emf.subarray(0, 87))).toBeUndefined()
  expect(metafileKind(file(88, [0, 2, 4], [40, 0x464d4520, 4]))).toBeUndefined()
  expect(metafileKind(file(88, [0, 1, 4], [40, 0x464d4521, 4]))).toBeUndefined()
  const placeable = file(18, [0, 0x9ac6cdd7, 4])
  expect(metafileKind(placeable)).toBe('wmf')
  expect(metafileKind(placeable.subarray(0, 17))).toBeUndefined()
  for (const type of [1, 2]) expect(metafileKind(file(18, [0, type, 2], [2, 9, 2]))).toBe('wmf')
  expect(metafileKind(file(18, [0, 3, 2], [2, 9, 2]))).toBeUndefined()
  expect(metafileKind(file(18, [0, 1, 2], [2, 8, 2]))).toBeUndefined()
  expect([isMetafile(placeable), isMetafile(file(18))]).toEqual([true, false])
})

test('A metafile is found at any place of a larger buffer', () => {
  const larger = new Uint8Array(30)
  larger.set(file(18, [0, 0x9ac6cdd7, 4]), 7)
  expect(metafileKind(larger.subarray(7, 25))).toBe('wmf')
})

test('Members that are undefined are left out, others kept', () => {
  const made: object = present<{ a?: number; b?: string; c?: false }>({ a: 0, b: undefined, c: false })
  expect(Object.keys(made)).toEqual(['a', 'c'])
  expect(made).toEqual({ a: 0, c: false })
})
