import { describe, expect, test } from 'bun:test'
import { filesOfTar } from '../../src/commands/tar.ts'

/** A header as POSIX.1-2008 has it, without its sum, which nobody reads; `version` is that of GNU tar if it is a blank. */
function header(name: string, size: number, { kind = '0', prefix = '', version = '00', digits = 11 } = {}): Buffer {
  const bytes = Buffer.alloc(512)
  bytes.write(name, 0)
  bytes.write(size.toString(8).padStart(digits, '0'), 124)
  bytes.write(kind, 156)
  bytes.write(version === ' ' ? 'ustar  ' : `ustar\0${version}`, 257)
  bytes.write(prefix, 345)
  return bytes
}
function entry(name: string, content: string, more: Parameters<typeof header>[2] = {}): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([header(name, bytes.length, more), bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}
const end = Buffer.alloc(1024)
const tar = (...parts: Buffer[]) => new Uint8Array(Buffer.concat(parts))
const filesIn = (...parts: Buffer[]) =>
  filesOfTar(tar(...parts))?.map(([name, content]) => [name, Buffer.from(content).toString()])

function refusalOf(bytes: Uint8Array): string | undefined {
  try {
    filesOfTar(bytes)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

describe('the files of a tar archive', () => {
  test('are in their order, whatever their lengths are', () => {
    const contents = ['', 'a', 'b'.repeat(511), 'c'.repeat(512), 'd'.repeat(513)]
    const entries = contents.map((content, index) => entry(`f${index}`, content))
    expect(filesIn(...entries, end)).toEqual(contents.map((content, index) => [`f${index}`, content]))
  })

  test('are plain files alone: folders, links and devices are passed over, with what they hold', () => {
    const others = ['1', '2', '3', '4', '5', '6', 'g'].map((kind) => entry(`k${kind}`, 'x', { kind }))
    expect(filesIn(...others, entry('old', 'y', { kind: '\0' }), entry('new', 'z'), end)).toEqual([
      ['old', 'y'],
      ['new', 'z'],
    ])
  })

  test('have the beginning of a long name before it, but where GNU tar keeps times', () => {
    expect(
      filesIn(entry('name', '', { prefix: 'a/b' }), entry('n'.repeat(100), '', { prefix: 'p'.repeat(155) }), end),
    ).toEqual([
      ['a/b/name', ''],
      [`${'p'.repeat(155)}/${'n'.repeat(100)}`, ''],
    ])
    expect(filesIn(entry('name', '', { prefix: '14000000000', version: ' ' }), end)).toEqual([['name', '']])
  })

  test('have the long name of the entry before them, and it is for one of them', () => {
    const long = `${'long/'.repeat(60)}name`
    expect(
      filesIn(entry('././@LongLink', `${long}\0`, { kind: 'L' }), entry('long', '1'), entry('short', '2'), end),
    ).toEqual([
      [long, '1'],
      ['short', '2'],
    ])
    const pax = `11 mtime=1\n${long.length + 10} path=${long}\n`
    expect(filesIn(entry('x', pax, { kind: 'x' }), entry('long', '1'), entry('short', '2'), end)).toEqual([
      [long, '1'],
      ['short', '2'],
    ])
    const link = [entry('././@LongLink', `${long}\0`, { kind: 'L' }), entry('link', '', { kind: '2' })]
    expect(filesIn(...link, entry('short', '2'), end)).toEqual([['short', '2']])
  })

  test('keep a long name that a list without a path follows', () => {
    const link = entry('././@LongLink', 'long\0', { kind: 'L' })
    expect(filesIn(link, entry('x', '11 mtime=1\n', { kind: 'x' }), entry('short', '1'), end)).toEqual([['long', '1']])
    expect(filesIn(entry('x', '11 mtime=1\n', { kind: 'x' }), entry('short', '1'), end)).toEqual([['short', '1']])
  })

  test('may say no length, which is none, and have blanks around it', () => {
    const blank = header('none', 0)
    blank.fill(' ', 124, 136)
    expect(filesIn(blank, end)).toEqual([['none', '']])
    expect(filesIn(header('spaced', 0, { digits: 5 }), end)).toEqual([['spaced', '']])
  })
})

test('other bytes are no archive', () => {
  for (const bytes of ['', 'x', 'x'.repeat(512), 'PK\u0003\u0004'])
    expect(filesOfTar(new Uint8Array(Buffer.from(bytes)))).toBeUndefined()
  expect(filesOfTar(tar(header('short', 0)).subarray(0, 511))).toBeUndefined()
  expect(filesOfTar(new Uint8Array(1024))).toBeUndefined()
})

test('an archive that is cut off anywhere, or damaged, is refused', () => {
  const whole = tar(entry('a', 'x'.repeat(600)), entry('b', 'y'), end.subarray(0, 512))
  expect(filesOfTar(whole)).toHaveLength(2)
  for (const length of [512, 513, 1111, 1112, 1535, 1536, 1537, 2047, 2048, 2049, 2559, 2560])
    expect([length, refusalOf(whole.subarray(0, length))]).toEqual([length, 'it is cut off'])
  const damaged = whole.slice()
  damaged[whole.length - 1] = 1
  expect(refusalOf(damaged)).toBe('it is cut off')
  const negative = header('negative', 0)
  negative.write('-1', 124)
  const odd = header('odd', 0)
  odd.write('x', 124)
  for (const bad of [negative, odd]) expect(refusalOf(tar(bad, end))).toBe('it is cut off')
})
