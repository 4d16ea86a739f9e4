import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import {
  type BackupKey,
  type BackupLock,
  BackupLocked,
  isEncrypted,
  lockFor,
  readIdentities,
} from '../../src/commands/backup-encryption.ts'
import { readBackup, writeBackup } from '../../src/commands/backup-files.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'

/** What age encrypts at a time, and what each such piece grows by. */
const piece = 65_536
const grown = piece + 16
const text = (length: number) => 'abcdefghij'.repeat(Math.ceil(length / 10)).slice(0, length)
/** Sizes about one block of tar and one piece of age's. */
const files: Readonly<Record<string, string>> = {
  'tables/empty.ndjson': '',
  'tables/long.ndjson': text(3 * piece),
  'objects/a': text(512),
  'objects/b': text(511),
  'objects/c': text(513),
  'objects/d': text(piece - 1_024),
  'manifest.json': '{"secret":"of the manifest"}',
}

let folder: string
let recipients: string[]
/** A file with both, and one with each. */
let both: string
let each: string[]

beforeAll(async () => {
  folder = temporaryFolder()
  const identities = [await generateX25519Identity(), await generateX25519Identity()]
  recipients = await Promise.all(identities.map(identityToRecipient))
  each = identities.map((identity, index) => fileWith(`${index}`, `# created: today\n\n${identity}\r\n`))
  both = fileWith('both', `${identities.join('\n')}\n`)
  await write('plain.tar')
  await write('locked.tar.age', await lockFor(recipients, '--recipient'))
})

function fileWith(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function write(name: string, lock?: Pick<BackupLock, 'encrypt'>): Promise<void> {
  const writer = await writeBackup(join(folder, name), lock)
  for (const [name, content] of Object.entries(files)) {
    await writer.begin(name, content.length)
    const half = Math.floor(content.length / 2)
    for (const part of [content.slice(0, half), content.slice(half)]) await writer.write(new TextEncoder().encode(part))
  }
  await writer.finish()
}

/** @param skipped names of files that are passed over */
async function read(path: string, key?: BackupKey, skipped = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { name, size, chunks } of (await readBackup(path, key)).files()) {
    if (name.startsWith(skipped || '\0')) continue
    const pieces: Uint8Array[] = []
    for await (const chunk of chunks) pieces.push(chunk)
    found[name] = Buffer.concat(pieces).toString()
    expect([name, found[name].length]).toEqual([name, size])
  }
  return found
}

describe('an encrypted backup', () => {
  test('is opened by the identity of each recipient, by a file with several, and by whoever wrote it', async () => {
    const locked = join(folder, 'locked.tar.age')
    for (const file of [...each, both]) expect(await read(locked, await readIdentities(file))).toEqual(files)
    const lock = await lockFor(recipients, '--recipient')
    await write('again.tar.age', lock)
    for (let time = 0; time < 2; time++) expect(await read(join(folder, 'again.tar.age'), lock.key)).toEqual(files)
    expect(await rejectionOf(read(locked, lock.key))).toBeInstanceOf(BackupLocked)
  })

  test('is read where files in it are passed over', async () => {
    const names = Object.keys(files)
    const key = await readIdentities(both)
    for (const skipped of ['tables/', 'objects/b', 'manifest'])
      expect(Object.keys(await read(join(folder, 'locked.tar.age'), key, skipped))).toEqual(
        names.filter((name) => !name.startsWith(skipped)),
      )
  })

  test('shows nothing of what it holds but its size, and is open to nobody but its owner', async () => {
    const bytes = readFileSync(join(folder, 'locked.tar.age'))
    expect(isEncrypted(bytes)).toBe(true)
    for (const shown of ['abcdefghij', 'manifest', 'objects', 'ustar', ...recipients])
      expect([shown, bytes.includes(shown)]).toEqual([shown, false])
    // One stanza of two lines a recipient: what reads the backup back at once is not in it.
    const header = bytes.subarray(0, bytes.indexOf('\n---')).toString()
    expect(header.split('\n').filter((line) => line.startsWith('-> ')).length).toBe(2)
    expect(statSync(join(folder, 'locked.tar.age')).mode & 0o777).toBe(0o600)
  })

  test('without an identity says so, and an identity is not mistaken for an unencrypted backup', async () => {
    const without = 'it is encrypted, and nothing in it tells to whom; add --identity FILE'
    expect(await outcomeOf(read(join(folder, 'locked.tar.age')))).toThrow(without)
    const key = await readIdentities(both)
    for (const path of [join(folder, 'plain.tar'), folder])
      expect(await outcomeOf(read(path, key))).toThrow('it is not encrypted, or its first line was changed')
  })

  test('for somebody else, changed in any part or cut anywhere is refused in one sentence', async () => {
    const bytes = readFileSync(join(folder, 'locked.tar.age'))
    const end = bytes.indexOf('\n', bytes.indexOf('\n---') + 1) + 1
    const first = end + 16
    const key = await readIdentities(both)
    const other = fileWith('other', await generateX25519Identity())
    expect(await outcomeOf(read(join(folder, 'locked.tar.age'), await readIdentities(other)))).toThrow(
      `no identity in ${other} opens it: take the one whose recipient it was encrypted to`,
    )
    const damaged = 'it is encrypted, and was changed or cut off since; take another copy'
    // The header's sum, the nonce, the first piece and its end, one in the middle, and the last byte.
    for (const at of [end - 10, end + 3, first, first + piece, first + 2 * grown + 5, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      writeFileSync(join(folder, 'changed'), changed)
      expect([at, String(await rejectionOf(read(join(folder, 'changed'), key)))]).toEqual([at, `Error: ${damaged}`])
    }
    for (const length of [30, end, first, first + grown, first + 3 * grown, bytes.length - 1]) {
      const cut = join(folder, 'cut')
      writeFileSync(cut, bytes)
      truncateSync(cut, length)
      expect([length, String(await rejectionOf(read(cut, key)))]).toEqual([length, `Error: ${damaged}`])
    }
    writeFileSync(join(folder, 'longer'), Buffer.concat([bytes, new Uint8Array(10)]))
    expect(String(await rejectionOf(read(join(folder, 'longer'), key)))).toBe(`Error: ${damaged}`)
    const endless = fileWith('endless', `age-encryption.org/v1\n${'x'.repeat(200_000)}`)
    // Nobody begins to read it, which would take as much memory as there is.
    expect(String(await rejectionOf(read(endless, { decrypt: () => expect.unreachable() })))).toBe(`Error: ${damaged}`)
  })

  test('is read to its end, which alone shows that it is whole', async () => {
    const archive = readFileSync(join(folder, 'plain.tar'))
    const end = new BackupLocked('its end is missing')
    async function* content() {
      yield new Uint8Array(archive)
      throw end
    }
    const key: BackupKey = { decrypt: async () => content() }
    expect(await rejectionOf(read(join(folder, 'locked.tar.age'), key))).toBe(end)
  })

  test.each([
    ['that cannot be encrypted', (controller) => controller.error(new TypeError('no room'))],
    // Not bytes, so the disk doesn't take them.
    ['that cannot be written', (controller) => controller.enqueue(42 as never)],
  ] as const satisfies [string, (controller: TransformStreamDefaultController<Uint8Array>) => void][])(
    '%s says why, and leaves nothing behind',
    async (_, fail) => {
      const place = temporaryFolder()
      // Takes the first bytes, as a disk does before it is full.
      const transform = (chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>) =>
        chunk.length > 512 ? fail(controller) : controller.enqueue(chunk)
      const encrypt: BackupLock['encrypt'] = async (content) => content.pipeThrough(new TransformStream({ transform }))
      const writer = await writeBackup(join(place, 'copy.tar.age'), { encrypt })
      await writer.begin('objects/a', 4_000)
      expect(readdirSync(place)).toEqual(['copy.tar.age.unfinished'])
      expect(statSync(join(place, 'copy.tar.age.unfinished')).mode & 0o777).toBe(0o600)
      const more = async () => {
        await writer.write(new Uint8Array(2_000))
        await writer.write(new Uint8Array(2_000))
        await writer.finish()
      }
      expect(await rejectionOf(more())).toBeInstanceOf(TypeError)
      await writer.abandon()
      expect(readdirSync(place)).toEqual([])
    },
  )

  test('whose name another one has taken over reads nothing of that back', async () => {
    const lock = await lockFor(recipients, '--recipient')
    const begun = () => writeBackup(join(folder, 'twice.tar.age'), lock)
    const [earlier, later] = [await begun(), await begun()]
    expect(await outcomeOf(earlier.finish(() => expect.unreachable()))).toThrow(
      `another backup to ${join(folder, 'twice.tar.age')} was begun, and takes the place of this one`,
    )
    for (const writer of [earlier, later]) await writer.abandon()
    expect(readdirSync(folder).filter((name) => name.startsWith('twice'))).toEqual([])
  })

  test('is not finished with a file of another size than it was begun with', async () => {
    const place = temporaryFolder()
    const writer = await writeBackup(join(place, 'copy.tar.age'), await lockFor(recipients, '--recipient'))
    await writer.begin('objects/a', 3)
    await writer.write(new Uint8Array(2))
    expect(await outcomeOf(writer.finish())).toThrow('another size')
    await writer.abandon()
    expect(readdirSync(place)).toEqual([])
  })
})

describe.if(Bun.which('age') !== null)('the program age', () => {
  function age(...args: string[]): Buffer {
    const { exitCode, stdout, stderr } = Bun.spawnSync(['age', ...args])
    expect([exitCode, stderr.toString()]).toEqual([0, ''])
    return stdout
  }

  test('makes of an encrypted backup the very archive that would have been written without', () => {
    const archive = readFileSync(join(folder, 'plain.tar'))
    for (const file of each)
      expect(age('--decrypt', '-i', file, join(folder, 'locked.tar.age')).equals(archive)).toBe(true)
  })

  test('encrypts an archive that is then read as a backup', async () => {
    const made = join(folder, 'by-age')
    age(...recipients.flatMap((recipient) => ['-r', recipient]), '-o', made, join(folder, 'plain.tar'))
    for (const file of each) expect(await read(made, await readIdentities(file))).toEqual(files)
  })
})

test('invalid files of identities and recipients are refused by line or name, and no secret is shown', async () => {
  const [identity = ''] = /AGE-SECRET-KEY-1\S+/.exec(readFileSync(each[0]!, 'utf8')) ?? []
  const mistyped = identity.replace(/.$/, (last) => (last === 'Q' ? 'P' : 'Q'))
  for (const [content, why] of [
    ['# nothing\n', ' holds no identity, a line AGE-SECRET-KEY-1…'],
    [`# one\n${mistyped}`, ', line 2: the identity has a wrong character; copy it again'],
    [`\n\n${recipients[0]}`, ', line 3: it is a recipient; take the identity that belongs to it'],
    [`${identity}\nSSH-SECRET`, ', line 2: it is no identity of age, which begins with AGE-SECRET-KEY-1'],
    ['age-encryption.org/v1\n-> scrypt x 18', ', line 1: the file is itself encrypted; decrypt it first'],
    ['-----BEGIN AGE ENCRYPTED FILE-----', ', line 1: the file is itself encrypted; decrypt it first'],
  ] as const) {
    const path = fileWith('none', content)
    const message = String(await rejectionOf(readIdentities(path)))
    expect(message).toStartWith(`Error: ${path}${why}`)
    for (const secret of [identity, mistyped, 'SSH-SECRET']) expect(message).not.toContain(secret)
  }
  expect(String(await rejectionOf(readIdentities(join(folder, 'gone'))))).toEndWith('there is no such file or folder')
  const { length } = recipients[0]!
  const wrong = recipients[0]!.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'))
  for (const [recipient, why] of [
    [wrong, `--recipient: "${wrong}" has a wrong character; copy it again`],
    ['age1', '--recipient: "age1" is no recipient of age, which is age1 and 58 characters more'],
    [`age1pq1${'q'.repeat(length)}`, 'is no recipient of age'],
    ['ssh-ed25519 AAAA', 'is no recipient of age'],
    [identity, '--recipient: it has an identity, which is secret; give its recipient (age-keygen -y FILE)'],
  ] as const) {
    const error = await rejectionOf(lockFor([recipients[0]!, recipient], '--recipient'))
    expect(error).toHaveProperty('constructor.name', 'UsageError')
    expect(String(error)).toContain(why)
    expect(String(error)).not.toContain(identity)
  }
})
