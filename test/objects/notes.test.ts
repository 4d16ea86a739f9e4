import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../../src/core/ids.ts'
import { folderNotes, isNoteName, requireNoteName } from '../../src/objects/notes.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const hold = `hold.${newId()}`

test('a note is named by a word, a point and a UUID, and nothing else reaches the folder', async () => {
  expect(isNoteName(hold)).toBe(true)
  const notes = folderNotes(temporaryFolder())
  for (const name of [
    '',
    'hold',
    `hold-${newId()}`,
    `.${newId()}`,
    `hold.${newId()}x`,
    `a/${hold}`,
    `../${hold}`,
    `${hold}\n`,
  ]) {
    expect([name, isNoteName(name)]).toEqual([name, false])
    expect(() => requireNoteName(name)).toThrow(TypeError)
    expect(await rejectionOf(notes.get(name))).toBeInstanceOf(TypeError)
    expect(await rejectionOf(notes.put(name, bytes('x')))).toBeInstanceOf(TypeError)
    expect(await rejectionOf(notes.delete(name))).toBeInstanceOf(TypeError)
  }
})

test('the first note makes its folder, for its owner alone, and writing it again replaces it', async () => {
  const folder = join(temporaryFolder(), 'deep', 'ledger')
  const notes = folderNotes(folder)
  expect([await notes.names(), await notes.get(hold)]).toEqual([[], undefined])
  await notes.delete(hold)
  await notes.put(hold, bytes('one'))
  await notes.put(hold, bytes('two'))
  expect(await notes.names()).toEqual([hold])
  expect(new TextDecoder().decode(await notes.get(hold))).toBe('two')
  // Nothing is left of the drafts.
  expect(readdirSync(folder)).toEqual([hold])
  expect([statSync(folder).mode & 0o777, statSync(join(folder, hold)).mode & 0o777]).toEqual([0o700, 0o600])
  await notes.delete(hold)
  await notes.delete(hold)
  expect([await notes.names(), await notes.get(hold)]).toEqual([[], undefined])
})

test('files of others in the folder are no notes, and a folder in the place of a note says nothing', async () => {
  const folder = temporaryFolder()
  const notes = folderNotes(folder)
  writeFileSync(join(folder, 'README'), '')
  writeFileSync(join(folder, `${hold}.${newId()}`), 'a draft that nobody finished')
  expect(await notes.names()).toEqual([])
  mkdirSync(join(folder, hold))
  expect(await notes.get(hold)).toEqual(new Uint8Array(0))
  // It can't be replaced either, and its draft goes.
  expect(await rejectionOf(notes.put(hold, bytes('x')))).toMatchObject({ code: expect.any(String) })
  expect(readdirSync(folder).filter((name) => name.startsWith(hold))).toHaveLength(2)
})

test('what keeps the folder from being read is not taken for a folder without notes', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, 'x')
  const notes = folderNotes(file)
  const attempts = [
    () => notes.names(),
    () => notes.get(hold),
    () => notes.put(hold, bytes('x')),
    () => notes.delete(hold),
  ]
  for (const attempt of attempts) {
    expect(await rejectionOf(attempt())).toMatchObject({ code: expect.stringMatching(/^E(NOTDIR|EXIST)$/) })
  }
  expect(readFileSync(file, 'utf8')).toBe('x')
})
