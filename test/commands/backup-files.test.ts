import { describe, expect, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isArchive, isOtherArchive, readBackup, writeBackup } from '../../src/commands/backup-files.ts'
import { removeLeftovers } from '../../src/commands/backup-leftovers.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'

const text = (length: number) => 'abcdefghij'.repeat(Math.ceil(length / 10)).slice(0, length)
/** Sizes about one block of tar, and names in folders. */
const files: Readonly<Record<string, string>> = {
  'manifest.json': '{}',
  'objects/a': text(512),
  'objects/b': text(511),
  'objects/c': text(513),
  'objects/d': text(1),
  'tables/empty.ndjson': '',
  'tables/long.ndjson': text(3_000),
}

async function write(path: string): Promise<void> {
  const writer = await writeBackup(path)
  for (const [name, content] of Object.entries(files)) {
    await writer.begin(name)
    // In two pieces, as streams come.
    const half = Math.floor(content.length / 2)
    for (const piece of [content.slice(0, half), content.slice(half)])
      await writer.write(new TextEncoder().encode(piece))
  }
  await writer.finish()
}

async function read(path: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { name, size, chunks } of (await readBackup(path)).files()) {
    const pieces: Uint8Array[] = []
    for await (const chunk of chunks) pieces.push(chunk)
    const content = Buffer.concat(pieces).toString()
    expect([name, content.length]).toEqual([name, size])
    expect(found).not.toHaveProperty([name])
    found[name] = content
  }
  return found
}

describe.each(['backup', 'backup.tar', 'backup.TAR'])('a backup called %s', (name) => {
  test('is read as it was written, as often as wanted', async () => {
    const path = join(temporaryFolder(), name)
    await write(path)
    expect(statSync(path).isDirectory()).toBe(name === 'backup')
    for (let time = 0; time < 2; time++) expect(await read(path)).toEqual(files)
  })

  test('has its name only once it is whole, and takes none that is taken', async () => {
    const folder = temporaryFolder()
    const path = join(folder, name)
    const writer = await writeBackup(path)
    await writer.begin('objects/a')
    await writer.write(new TextEncoder().encode('x'))
    expect(readdirSync(folder)).toEqual([`${name}.unfinished`])
    await writer.abandon()
    expect(readdirSync(folder)).toEqual([])
    // What a killed backup left under the other name is written over.
    mkdirSync(`${path}.unfinished`)
    writeFileSync(`${path}.unfinished/left`, '')
    await write(path)
    expect(readdirSync(folder)).toEqual([name])
    expect(await read(path)).toEqual(files)
    expect(await outcomeOf(writeBackup(path))).toThrow(`${path} exists already; choose another name`)
    const blocked = join(folder, 'file')
    writeFileSync(blocked, '')
    expect(await outcomeOf(writeBackup(join(blocked, name)))).toThrow(
      `${join(blocked, name)} cannot be written: a file is where a folder would be`,
    )
    if (name === 'backup') return
    const homeless = join(folder, 'nowhere', name)
    expect(await outcomeOf(writeBackup(homeless))).toThrow(
      `${homeless} cannot be written: there is no folder ${join(folder, 'nowhere')}; make it`,
    )
  })

  test('of two that are begun under one name, the later one takes it, and the other neither publishes nor removes it', async () => {
    const folder = temporaryFolder()
    const path = join(folder, name)
    const begun = async () => {
      const writer = await writeBackup(path)
      await writer.begin('objects/a')
      await writer.write(new TextEncoder().encode(text(512)))
      return writer
    }
    const earlier = await begun()
    const later = await begun()
    const told = `another backup to ${path} was begun, and takes the place of this one`
    const rest = async () => {
      await earlier.begin('objects/b')
      await earlier.finish()
    }
    expect(await outcomeOf(rest())).toThrow(told)
    await earlier.abandon()
    expect(readdirSync(folder)).toEqual([`${name}.unfinished`])
    await later.finish()
    expect([readdirSync(folder), await read(path)]).toEqual([[name], { 'objects/a': text(512) }])
    // One that was begun before, and ends after it, writes over nothing.
    renameSync(path, `${path}.kept`)
    const slow = await begun()
    renameSync(`${path}.kept`, path)
    expect(await outcomeOf(slow.finish())).toThrow(`${path} exists already: it was made meanwhile`)
    await slow.abandon()
    expect([readdirSync(folder), await read(path)]).toEqual([[name], { 'objects/a': text(512) }])
  })

  test('whose name another one has taken over reads nothing of that back', async () => {
    const folder = temporaryFolder()
    const path = join(folder, name)
    const [earlier, later] = [await writeBackup(path), await writeBackup(path)]
    expect(await outcomeOf(earlier.finish(() => expect.unreachable()))).toThrow(`another backup to ${path} was begun`)
    for (const writer of [earlier, later]) await writer.abandon()
    expect(readdirSync(folder)).toEqual([])
  })

  test('refuses a name when it can’t tell whether it is in use', async () => {
    const folder = temporaryFolder()
    const path = join(folder, name)
    const writer = await writeBackup(path)
    await writer.begin('objects/a')
    symlinkSync(path, path)
    expect(await rejectionOf(writer.finish())).toMatchObject({ code: 'ELOOP' })
    await writer.abandon()
    expect([readdirSync(folder), readlinkSync(path)]).toEqual([[name], path])
  })

  test('has no name where it cannot be read back', async () => {
    const folder = temporaryFolder()
    const path = join(folder, name)
    const writer = await writeBackup(path)
    await writer.begin('objects/a')
    const drafts: string[] = []
    const readBack = async (draft: string) => {
      drafts.push(draft, ...readdirSync(folder))
      throw new Error('damaged')
    }
    expect(await outcomeOf(writer.finish(readBack))).toThrow('damaged')
    await writer.abandon()
    expect([drafts, readdirSync(folder)]).toEqual([[`${path}.unfinished`, `${name}.unfinished`], []])
  })

  test('makes room of what an interrupted one left under another name, and of nothing else', async () => {
    const folder = temporaryFolder()
    const [old, young] = [`old-${name}`, `young-${name}`]
    const writer = await writeBackup(join(folder, young))
    await writer.begin('tables/users.ndjson')
    await writer.write(new TextEncoder().encode('x'))
    cpSync(join(folder, `${young}.unfinished`), join(folder, `${old}.unfinished`), { recursive: true })
    // One that got further: its first table has a name by then.
    await writer.begin('tables/versions.ndjson')
    cpSync(join(folder, `${young}.unfinished`), join(folder, `further-${old}.unfinished`), { recursive: true })
    // A day and a minute ago; the young one is under way.
    const then = new Date(Date.now() - 86_460_000)
    writeFileSync(join(folder, 'letter.unfinished'), 'tables/ are for four')
    writeFileSync(join(folder, 'mine.tar.unfinished'), 'of another program')
    mkdirSync(join(folder, 'house.unfinished/tables'), { recursive: true })
    mkdirSync(join(folder, 'house.unfinished/chairs'))
    const all = readdirSync(folder, { recursive: true }).map(String)
    for (const one of all.filter((path) => !path.startsWith('young-'))) utimesSync(join(folder, one), then, then)
    expect((await removeLeftovers(folder)).toSorted()).toEqual([`further-${old}.unfinished`, `${old}.unfinished`])
    expect(readdirSync(folder).toSorted()).toEqual(
      ['house.unfinished', 'letter.unfinished', 'mine.tar.unfinished', `${young}.unfinished`].toSorted(),
    )
    expect(await removeLeftovers(join(folder, 'nowhere'))).toEqual([])
    await writer.abandon()
  })

  test('is open to nobody but its owner', async () => {
    const path = join(temporaryFolder(), name)
    await write(path)
    const modeOf = (one: string) => statSync(one).mode & 0o777
    if (name !== 'backup') return expect(modeOf(path)).toBe(0o600)
    expect([modeOf(path), modeOf(join(path, 'objects')), modeOf(join(path, 'objects/a'))]).toEqual([
      0o700, 0o700, 0o600,
    ])
  })
})

test('what nobody can look at is no leftover, and stops no backup', async () => {
  const folder = temporaryFolder()
  symlinkSync('nowhere', join(folder, 'old.unfinished'))
  expect(await removeLeftovers(folder)).toEqual([])
  expect(readdirSync(folder)).toEqual(['old.unfinished'])
})

test('an archive is what tar reads: blocks of 512 bytes that end in two of zeros, each header with its sum', async () => {
  const path = join(temporaryFolder(), 'backup.tar')
  await write(path)
  const bytes = readFileSync(path)
  expect(bytes.length % 512).toBe(0)
  expect(bytes.subarray(-1_024).every((byte) => byte === 0)).toBe(true)
  // As POSIX has it: mode, owner and group, length, time, sum, kind.
  const [name = '', { length } = { length: 0 }] = Object.entries(files)[0] ?? []
  const octal = length.toString(8).padStart(11, '0')
  const header = bytes.subarray(0, 512)
  const filled = Uint8Array.from(header).fill(32, 148, 156)
  const sum = filled
    .reduce((total, byte) => total + byte, 0)
    .toString(8)
    .padStart(6, '0')
  expect(header.toString('latin1').replace(/\0+$/, '')).toBe(
    `${name.padEnd(100, '\0')}0000600\0${'0000000\0'.repeat(2)}${octal} 00000000000 ${sum}\0 0${'\0'.repeat(100)}ustar\x0000`,
  )
  const listed = Bun.spawnSync(['tar', '--list', '--verbose', '--numeric-owner', '--file', path])
  expect([listed.exitCode, listed.stderr.toString()]).toEqual([0, ''])
  const lines = listed.stdout.toString().trimEnd().split('\n')
  expect(
    lines.map((line) => line.split(/\s+/)).map(([mode, owner, size, , , name]) => [mode, owner, size, name]),
  ).toEqual(Object.entries(files).map(([name, { length }]) => ['-rw-------', '0/0', String(length), name]))
})

test('the tar of a folder is read as the folder is, whatever its names begin with', async () => {
  const above = temporaryFolder()
  const path = join(above, 'backup')
  await write(path)
  for (const names of [['.'], readdirSync(path)]) {
    const made = join(above, 'by-hand.tar')
    expect(Bun.spawnSync(['tar', '--create', '--file', made, '--directory', path, ...names]).success).toBe(true)
    expect([names, await read(made)]).toEqual([names, files])
  }
})

test('an archive that breaks off, or isn’t one, is refused', async () => {
  const path = join(temporaryFolder(), 'backup.tar')
  await write(path)
  const { size } = statSync(path)
  truncateSync(path, size - 1_024)
  expect(await outcomeOf(read(path))).toThrow(`${path} breaks off`)
  truncateSync(path, size - 1_024 - 512 * 6)
  expect(await outcomeOf(read(path))).toThrow('the archive breaks off')
  writeFileSync(path, 'x'.repeat(512))
  expect(await outcomeOf(read(path))).toThrow(`${path} is not an archive`)
  // A header that its size would lead back to.
  rmSync(path)
  await write(path)
  const archive = readFileSync(path)
  archive.write('-0000001000 ', 124)
  writeFileSync(path, archive)
  expect(await outcomeOf(read(path))).toThrow(`${path} is not an archive`)
  expect(await outcomeOf(readBackup(join(path, 'gone')))).toThrow('there is no such file or folder')
})

test('a folder is made with the folders above it, for its owner alone', async () => {
  const above = temporaryFolder()
  const path = join(above, 'of/today', 'backup')
  await write(path)
  expect(await read(path)).toEqual(files)
  for (const folder of ['of', 'of/today'])
    expect([folder, statSync(join(above, folder)).mode & 0o777]).toEqual([folder, 0o700])
})

test('a folder is read whether or not its name ends in a slash, its files alone', async () => {
  const path = join(temporaryFolder(), 'backup')
  await write(path)
  mkdirSync(join(path, 'nothing'))
  expect(await read(`${path}//`)).toEqual(files)
  expect(existsSync(join(path, 'nothing'))).toBe(true)
})

test('a folder is read under every name that leads to it', async () => {
  const above = temporaryFolder()
  await write(join(above, 'a copy'))
  symlinkSync('a copy', join(above, 'link'))
  const usual = process.cwd()
  try {
    process.chdir(above)
    for (const name of ['a copy', './a copy', './a copy//', 'a copy/../a copy', 'link', `${above}/./a copy`])
      expect([name, await read(name)]).toEqual([name, files])
    process.chdir('a copy')
    for (const name of ['.', './', '../a copy']) expect([name, await read(name)]).toEqual([name, files])
  } finally {
    process.chdir(usual)
  }
})

test('names tell archives that are written here from those of other kinds', () => {
  expect(['a.tar', 'a.TAR', 'tar', 'a.tar.gz', 'tar/a'].map(isArchive)).toEqual([true, true, false, false, false])
  for (const end of 'zip 7z rar tgz tbz tbz2 txz gz tar.gz bz2 xz zst ZIP'.split(' ')) {
    expect([end, isOtherArchive(`a.${end}`)]).toEqual([end, true])
  }
  for (const name of ['a.tar', 'zip', 'a.zip.d', 'a.zip/b', 'azip'])
    expect([name, isOtherArchive(name)]).toEqual([name, false])
})
