import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareDataFolder, readMarks, writeMarks } from '../src/data-folder.ts'
import { temporaryFolder } from './support/database.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)

function folderWith(mode: number, files: Record<string, number>) {
  const folder = join(temporaryFolder(), 'data')
  mkdirSync(folder)
  for (const [name, fileMode] of Object.entries(files)) {
    writeFileSync(join(folder, name), 'x'.repeat(32))
    chmodSync(join(folder, name), fileMode)
  }
  chmodSync(folder, mode)
  return { folder, places: { dataFolder: folder, databaseUrl: `file:${join(folder, 'quire.db')}` } }
}

describe('the data directory', () => {
  test('is made for its owner alone', async () => {
    const folder = join(temporaryFolder(), 'a', 'b')
    expect(await prepareDataFolder({ dataFolder: folder, databaseUrl: 'postgres://host/db' })).toEqual([])
    expect(modeOf(folder)).toBe('700')
  })

  test('that others could read or write is closed to them, and each change is reported once', async () => {
    const names = ['quire.db', 'quire.db-wal', 'quire.db-shm', 'secret']
    const { folder, places } = folderWith(0o777, Object.fromEntries(names.map((name) => [name, 0o644])))
    const notes = await prepareDataFolder(places)
    expect(notes).toEqual([
      `${folder} had mode 0777, open to other users; it has 0755 now`,
      ...['secret', 'quire.db', 'quire.db-wal', 'quire.db-shm'].map(
        (name) => `${join(folder, name)} had mode 0644, open to other users; it has 0600 now`,
      ),
    ])
    for (const name of names) expect(modeOf(join(folder, name))).toBe('600')
    expect(await prepareDataFolder(places)).toEqual([])
    expect(existsSync(join(folder, `.probe-${process.pid}`))).toBe(false)
  })

  test('leaves what is closed already, and files that aren’t the store’s, as they are', async () => {
    const { folder, places } = folderWith(0o750, { 'quire.db': 0o400, 'notes.txt': 0o644 })
    expect(await prepareDataFolder(places)).toEqual([])
    expect([modeOf(folder), modeOf(join(folder, 'quire.db')), modeOf(join(folder, 'notes.txt'))]).toEqual([
      ...['750', '400', '644'],
    ])
  })

  test('that all users of the machine share, such as /tmp, stays as it is', async () => {
    const { folder, places } = folderWith(0o1777, { secret: 0o600 })
    expect(await prepareDataFolder(places)).toEqual([
      `${folder} has mode 1777, shared by users of this machine; name a directory of Quire's own in QUIRE_DATA`,
    ])
    expect(modeOf(folder)).toBe('1777')
  })

  test('keeps the bit by which its files belong to its group', async () => {
    const { folder, places } = folderWith(0o2770, {})
    expect(await prepareDataFolder(places)).toEqual([`${folder} had mode 2770, open to other users; it has 2750 now`])
    expect(modeOf(folder)).toBe('2750')
  })
})

describe('the marks of a store', () => {
  test('are left out where the disk is full, without a trace, and made the next time', () => {
    const folder = temporaryFolder()
    const objects = join(folder, 'objects')
    mkdirSync(objects)
    const config = { dataFolder: join(folder, 'data'), objectsUrl: `file:${objects}` }
    // Whatever is written there gets ENOSPC.
    symlinkSync('/dev/full', join(objects, `store.${process.pid}`))
    writeMarks(config, 'this-store')
    expect(readMarks(config)).toEqual({ objects: undefined, beside: 'this-store' })
    expect(readdirSync(objects)).toEqual([])
    writeMarks(config, 'this-store')
    expect(readMarks(config)).toEqual({ objects: 'this-store', beside: 'this-store' })
  })
})
