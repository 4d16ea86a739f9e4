import { expect, test } from 'bun:test'
import { leftByGit, otherLineEnds } from '../../src/core/checked-out.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n'
const conflict = '<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> theirs\n'

test('a pointer of Git LFS is told in any file, and only from its first byte on', () => {
  for (const isText of [true, false]) {
    expect(leftByGit(bytes(pointer), isText)).toMatchObject({ code: 'project.lfs_pointer', severity: 'error' })
    expect(leftByGit(bytes(` ${pointer}`), isText)).toBeUndefined()
  }
  // Of a part of a longer buffer, only the part counts.
  expect(leftByGit(bytes(`xx${pointer}`).subarray(2), false)).toMatchObject({ code: 'project.lfs_pointer' })
  expect(leftByGit(bytes(pointer).subarray(0, 20), false)).toBeUndefined()
})

test('the marks of an unfinished merge are told with their line, in texts only', () => {
  const found = (text: string) => leftByGit(bytes(text), true)
  expect(found(conflict)).toMatchObject({ code: 'project.conflict', severity: 'error', line: 1, column: 1 })
  expect(found(`é: 1\nb: 2\n${conflict}`)).toMatchObject({ line: 3, column: 1 })
  expect(found(conflict.replaceAll('\n', '\r\n'))).toMatchObject({ line: 1 })
  expect(found('<<<<<<<\n=======\n>>>>>>>')).toMatchObject({ line: 1 })
  expect(leftByGit(bytes(conflict), false)).toBeUndefined()
})

test('lines that only look like some of the marks are no merge', () => {
  for (const text of [
    conflict.replace('<<<<<<<', ' <<<<<<<'),
    conflict.replace('<<<<<<<', '<<<<<<<<'),
    conflict.replace('=======', '======== '),
    conflict.replace('>>>>>>> theirs', '>>>>>>>theirs'),
    conflict.split('\n').reverse().join('\n'),
    '<<<<<<< HEAD\n=======\n',
  ])
    expect([text, leftByGit(bytes(text), true)]).toEqual([text, undefined])
})

test('the other line ends of a text are those it does not have', () => {
  expect(otherLineEnds('a\nb\n')).toEqual(['a\r\nb\r\n'])
  expect(otherLineEnds('a\r\nb\r\n')).toEqual(['a\nb\n'])
  expect(otherLineEnds('a\r\nb\n')).toEqual(['a\nb\n', 'a\r\nb\r\n'])
  expect(otherLineEnds('a')).toEqual([])
})
