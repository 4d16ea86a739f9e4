import { expect, test } from 'bun:test'
import { seal, unseal } from '../../src/http/sealed.ts'

const key = (digit: number) => Buffer.alloc(32, digit).toString('base64url')
const [current, earlier, foreign] = [key(1), key(2), key(3)]
const bytes = new TextEncoder().encode('a secret')

test('what is sealed opens under the key it was sealed with, which is said to be the current one or not', async () => {
  const sealed = await seal([current, earlier], bytes, 'row 1')
  expect(sealed).not.toContain('secret')
  expect(await unseal([current, earlier], sealed, 'row 1')).toEqual({ bytes, isCurrent: true })
  expect(await unseal([foreign, current], sealed, 'row 1')).toEqual({ bytes, isCurrent: false })
  expect(await unseal([foreign, earlier], sealed, 'row 1')).toBeUndefined()
})

test('an empty secret is sealed as well, and no two seals are alike', async () => {
  const sealed = await seal([current], new Uint8Array(0), 'row 1')
  expect(await unseal([current], sealed, 'row 1')).toEqual({ bytes: new Uint8Array(0), isCurrent: true })
  expect(await seal([current], bytes, 'row 1')).not.toBe(await seal([current], bytes, 'row 1'))
})

test('a seal opens nothing in another row, and nothing once a bit of it is changed or cut', async () => {
  const sealed = await seal([current], bytes, 'row 1')
  expect(await unseal([current], sealed, 'row 2')).toBeUndefined()
  const [iv, text] = sealed.split('.').map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer]
  const open = (...parts: Uint8Array[]) =>
    unseal([current], parts.map((part) => Buffer.from(part).toString('base64url')).join('.'), 'row 1')
  const flipped = (of: Buffer, at: number) => Buffer.from(of.map((byte, index) => (index === at ? byte ^ 1 : byte)))
  expect(await open(iv, text)).toEqual({ bytes, isCurrent: true })
  for (const at of [0, bytes.length - 1, bytes.length, text.length - 1]) {
    expect([at, await open(iv, flipped(text, at))]).toEqual([at, undefined])
  }
  expect(await open(flipped(iv, 11), text)).toBeUndefined()
  expect(await open(iv, text.subarray(0, -1))).toBeUndefined()
  expect(await open(iv, text.subarray(0, 15))).toBeUndefined()
  expect(await open(iv.subarray(0, 11), text)).toBeUndefined()
  expect(await open(Buffer.alloc(13), text)).toBeUndefined()
  for (const none of ['', '.', 'abc', '..'])
    expect([none, await unseal([current], none, 'row 1')]).toEqual([none, undefined])
})
