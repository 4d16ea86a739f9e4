import { expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FileIdentity, isThere } from '../../src/db/file-identity.ts'
import { temporaryFolder } from '../support/database.ts'

function files(...suffixes: string[]): string {
  const path = join(temporaryFolder(), 'quire.db')
  for (const suffix of suffixes) writeFileSync(path + suffix, suffix)
  return path
}

test('a database file is itself for as long as its name leads to it, whatever is written into it', () => {
  const path = files('')
  const identity = new FileIdentity(path)
  expect(identity.problem()).toBeUndefined()
  writeFileSync(path, 'more than before', { flag: 'a' })
  // A log that begins later is none that the database was opened with.
  writeFileSync(`${path}-wal`, 'later')
  expect(identity.problem()).toBeUndefined()
})

test.each(['', '-wal'])('says that the file quire.db%s was removed, replaced, and is back', (suffix) => {
  const path = files('', '-wal')
  const identity = new FileIdentity(path)
  renameSync(path + suffix, `${path}.aside`)
  expect(identity.problem()).toBe(`${path}${suffix} was removed`)
  writeFileSync(path + suffix, suffix)
  expect(identity.problem()).toBe(`${path}${suffix} was replaced by another file`)
  renameSync(`${path}.aside`, path + suffix)
  expect(identity.problem()).toBeUndefined()
})

test('watches the log beside the file that a link leads to', () => {
  const path = files('', '-wal')
  const alias = join(temporaryFolder(), 'alias.db')
  symlinkSync(path, alias)
  const identity = new FileIdentity(alias)
  expect(identity.problem()).toBeUndefined()
  rmSync(`${path}-wal`)
  expect(identity.problem()).toBe(`${path}-wal was removed`)
})

test('says why a file can not be looked at', () => {
  const folder = join(temporaryFolder(), 'data')
  mkdirSync(folder)
  writeFileSync(join(folder, 'quire.db'), '')
  const path = join(folder, 'quire.db')
  const identity = new FileIdentity(path)
  // A link to itself, which nobody can follow, whatever they may.
  rmSync(folder, { recursive: true })
  symlinkSync(folder, folder)
  expect(identity.problem()).toBe(`${path} can't be looked at (ELOOP)`)
  // Nor is it told to be missing.
  expect(() => isThere(path)).toThrow(`${path} can't be looked at (ELOOP); see to its disk`)
  const file = files('')
  expect([file, `${file}-wal`, join(file, 'below')].map(isThere)).toEqual([true, false, false])
})
