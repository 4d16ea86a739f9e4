import { Database as Libsql } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { makeBackup, runBackup } from '../../src/commands/backup.ts'
import { checkBackup } from '../../src/commands/backup-check.ts'
import { writeBackup } from '../../src/commands/backup-files.ts'
import { removeLeftovers } from '../../src/commands/backup-leftovers.ts'
import { noteIn, noteMade } from '../../src/commands/backup-note.ts'
import { UsageError } from '../../src/commands/command.ts'
import { CommandFailure } from '../../src/commands/files.ts'
import { createProgress } from '../../src/commands/progress.ts'
import { replaceFile } from '../../src/commands/replace-database.ts'
import { runRestore } from '../../src/commands/restore.ts'
import { runVerify } from '../../src/commands/verify.ts'
import { withDatabase } from '../../src/commands/with-database.ts'
import { canonicalHash } from '../../src/core/canonical.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { limits } from '../../src/core/limits.ts'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/database.ts'
import { ObjectStoreFull } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { catchPrinted } from '../support/printed.ts'
import { smallDisk } from '../support/small-disk.ts'
import { contextIn, noContext } from './answering.ts'
import { changedCopy, hashOf, makeWholeStore, objects } from './whole-store.ts'

const printed = catchPrinted()
let folder: string
/** A backup of it as a folder. */
let copy: string
let rows: number
let madeAt: string

beforeAll(async () => {
  folder = await makeWholeStore()
  copy = join(folder, 'copy')
  const { databaseUrl, objectsUrl } = contextIn(folder).readConfig()
  const database = await openDatabase(databaseUrl, { readOnly: true })
  const store = await openObjectStore(objectsUrl)
  const progress = createProgress({ write() {} })
  const manifest = await makeBackup({ database, objects: store, writer: await writeBackup(copy), progress })
  await Promise.all([database.close(), store.close()])
  rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  madeAt = manifest.made_at
})

const bytes = Object.values(objects).join('').length
const placeOf = (where: string, name: keyof typeof objects) => {
  const hash = hashOf(name)
  return join(where, 'quire-data/objects', hash.slice(0, 2), hash.slice(2, 4), hash)
}
function factOf(where: string, name: string): unknown {
  const database = new Libsql(join(where, 'quire-data/quire.db'), { readonly: true })
  const [value] = database.query('select value from quire_store where name = ?').values(name).flat()
  database.close()
  return value
}

describe('quire backup', () => {
  test('says where the copy is, of which kind, and what is in it, which was read back', async () => {
    const place = temporaryFolder()
    const [archive, plain] = [join(place, 'copy.TAR'), join(place, 'copy')]
    expect(await runBackup([archive], contextIn(folder))).toBe(0)
    expect(printed).toEqual({ stdout: `${archive} (an archive): ${rows} rows, 3 objects, verified\n`, stderr: '' })
    printed.stdout = ''
    expect(await runBackup([plain, '--json'], contextIn(folder))).toBe(0)
    const told = JSON.parse(printed.stdout)
    const made = { path: plain, made_at: expect.stringMatching(/^\d{4}-.*Z$/), rows, objects: 3 }
    expect([told, printed.stderr]).toEqual([{ ...made, object_bytes: bytes, problems: [] }, ''])
    expect(factOf(folder, 'backup')).toBe(told.made_at)
    printed.stdout = ''
    expect(await runVerify([plain], contextIn(folder))).toBe(0)
    expect(printed.stdout).toBe(`${plain}: ${rows} rows and 3 objects of ${told.made_at}, all as they were written\n`)
    printed.stdout = ''
    expect(await runVerify([archive, '--json'], contextIn(folder))).toBe(0)
    expect(JSON.parse(printed.stdout)).toEqual({ ...made, path: archive, problems: [] })
  })

  test('is encrypted to who is named, under a name that says so', async () => {
    const place = temporaryFolder()
    const identity = await generateX25519Identity()
    const recipient = await identityToRecipient(identity)
    writeFileSync(join(place, 'own'), identity)
    for (const [given, made] of [
      ['today//', 'today.tar.age'],
      ['a.tar', 'a.tar.age'],
      ['b.AGE', 'b.AGE'],
    ] as const) {
      printed.stdout = ''
      expect(await runBackup([`${place}/${given}`, '--recipient', recipient], contextIn(folder))).toBe(0)
      expect(printed.stdout).toBe(`${place}/${made} (encrypted): ${rows} rows, 3 objects, verified\n`)
    }
    const settings = { QUIRE_BACKUP_RECIPIENT: recipient }
    await runBackup([join(place, 'set.tar')], contextIn(folder, settings))
    expect(readdirSync(place).sort()).toEqual(['a.tar.age', 'b.AGE', 'own', 'set.tar.age', 'today.tar.age'])
    expect(await runVerify([join(place, 'set.tar.age'), '--identity', join(place, 'own')], contextIn(folder))).toBe(0)
    const why = 'n.age: an encrypted backup takes --recipient age1…, or QUIRE_BACKUP_RECIPIENT'
    expect(await rejectionOf(runBackup(['n.age'], contextIn(folder)))).toEqual(new UsageError(why))
  })

  test('leaves nothing of a store that lacks what an artifact names', async () => {
    const lacking = changedCopy(folder)
    rmSync(placeOf(lacking, 'pdf'))
    const place = temporaryFolder()
    expect(await rejectionOf(runBackup([join(place, 'copy')], contextIn(lacking)))).toEqual(
      new Error(`the object ${hashOf('pdf')}, which an artifact names, is not in the store`),
    )
    expect([readdirSync(place), printed.stdout, factOf(lacking, 'backup')]).toEqual([[], '', factOf(folder, 'backup')])
  })

  test('does without what a policy removed, and without a file that a batch does not keep', async () => {
    const less = changedCopy(
      folder,
      "update artifacts set removed_at = created_at where kind = 'pdf'",
      'update batches set file_hash = null',
    )
    const place = join(temporaryFolder(), 'copy')
    expect(await runBackup([place], contextIn(less))).toBe(0)
    expect([printed.stdout, readdirSync(join(place, 'objects'))]).toEqual([
      `${place} (a folder): ${rows} rows, 1 objects, verified\n`,
      [hashOf('docx')],
    ])
  })

  test('does without what is erased while it runs, and its manifest says what that was', async () => {
    const less = changedCopy(folder)
    const { databaseUrl, objectsUrl } = contextIn(less).readConfig()
    const database = await openDatabase(databaseUrl, { readOnly: true })
    const store = await openObjectStore(objectsUrl)
    const erasing: typeof store = Object.create(store, {
      get: {
        value: async (hash: string) => {
          if (hash !== hashOf('pdf')) return store.get(hash)
          const own = new Libsql(join(less, 'quire-data/quire.db'))
          own.exec("delete from artifacts where kind = 'pdf'")
          own.close()
          return undefined
        },
      },
    })
    const place = join(temporaryFolder(), 'copy')
    const progress = createProgress({ write() {} })
    const made = await makeBackup({ database, objects: erasing, writer: await writeBackup(place), progress })
    await Promise.all([database.close(), store.close()])
    const left = bytes - objects.pdf.length
    expect(made.objects).toEqual({ count: 2, bytes: left, erased_meanwhile: [hashOf('pdf')] })
    expect(await checkBackup(place, {})).toEqual({ manifest: made })
  })

  test('is without what a newer version has added, and says so', async () => {
    const newer = changedCopy(
      folder,
      "insert into quire_migrations (name, applied_at, kind) values ('9999_later', '2026-11-20T09:30:00.000000000Z', 'expands')",
    )
    const place = join(temporaryFolder(), 'copy')
    await runBackup([place], contextIn(newer))
    expect(printed.stderr).toBe(
      'quire: the backup is without what a newer version has added (9999_later); that version backs up all of it\n',
    )
    expect(readFileSync(join(place, 'manifest.json'), 'utf8')).not.toContain('9999_later')
  })

  const disk = smallDisk(16 * 1024)
  test.if(disk !== undefined)(
    'is told that there is no room for it, and so is a restore, which leave nothing',
    async () => {
      const recipient = await identityToRecipient(await generateX25519Identity())
      for (const args of [['copy'], ['copy.tar'], ['copy', '--recipient', recipient]]) {
        const [name = '', ...more] = args
        expect(await rejectionOf(runBackup([join(disk!, name), ...more], contextIn(folder)))).toEqual(
          new CommandFailure('the backup cannot be written: no space is left where it is to be; nothing of it stays'),
        )
        expect([args, readdirSync(disk!)]).toEqual([args, []])
      }
      const there = contextIn(temporaryFolder(), { QUIRE_DATABASE_URL: `file:${join(disk!, 'quire.db')}` })
      expect(await rejectionOf(runRestore([copy], there))).toEqual(
        new CommandFailure(`${join(disk!, 'quire.db.restoring')} cannot be written: no space is left`),
      )
      expect(readdirSync(disk!).filter((name) => !name.endsWith('.lock'))).toEqual([])
      const objectsThere = contextIn(temporaryFolder(), { QUIRE_OBJECTS_URL: `file:${join(disk!, 'objects')}` })
      expect(String(await rejectionOf(runRestore([copy], objectsThere)))).toContain('object directory')
    },
  )

  test('that finds no room elsewhere, as for its hashes, does not tell that there is none where it is to be', async () => {
    const database = await openDatabase(contextIn(folder).readConfig().databaseUrl, { readOnly: true })
    const store = await openObjectStore(contextIn(folder).readConfig().objectsUrl)
    const progress = createProgress({ write() {} })
    const place = temporaryFolder()
    const full = { code: 'ENOSPC' }
    for (const error of [
      Object.assign(new Error('of TMPDIR'), full, { path: '/tmp/x' }),
      Object.assign(new Error(), full),
    ]) {
      const snapshot = () => Promise.reject(error)
      const from = { database: Object.assign(Object.create(database), { snapshot }), objects: store, progress }
      const told = await rejectionOf(makeBackup({ ...from, writer: await writeBackup(join(place, 'copy')) }))
      expect(told instanceof CommandFailure ? told.message : told).toEqual(
        'path' in error
          ? error
          : 'the backup cannot be written: no space is left where it is to be; nothing of it stays',
      )
      expect(readdirSync(place)).toEqual([])
    }
    await Promise.all([database.close(), store.close()])
  })

  test('that finds no room for an object does not tell that the database found none', async () => {
    const config = contextIn(temporaryFolder()).prepare()
    mkdirSync(config.dataFolder)
    const cause = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    for (const error of [new ObjectStoreFull('the disk of the object directory is full', { cause }), cause]) {
      const told = await rejectionOf(replaceFile(config, 'replace', () => Promise.reject(error)))
      const isOfDatabase = told instanceof CommandFailure && told.message.includes('quire.db.restoring')
      expect([told === error, isOfDatabase]).toEqual([error !== cause, error === cause])
    }
  })

  test('that fails leaves nothing of its draft, nor of one that was killed', async () => {
    const place = temporaryFolder()
    const context = contextIn(place)
    const left = () => readdirSync(join(place, 'quire-data')).filter((name) => name.includes('restoring'))
    const begin = () => {
      mkdirSync(join(place, 'quire-data'), { recursive: true, mode: 0o700 })
      for (const end of ['', '-wal', '-shm', '.log', '.owner'])
        writeFileSync(join(place, `quire-data/quire.db.restoring${end}`), 'left')
      writeFileSync(join(place, 'quire-data/quire.db.restoring.lock'), '')
    }
    begin()
    const failure = new Error('not made')
    let draft: string[] = []
    const failing = replaceFile(context.prepare(), 'refuse', async (path) => {
      draft = left()
      writeFileSync(path, 'begun')
      throw failure
    })
    expect(await rejectionOf(failing)).toBe(failure)
    expect([draft.filter((name) => !/lock|owner/.test(name)), left()]).toEqual([[], []])
    // Whatever was there, the next one is made anew.
    begin()
    expect(await runRestore([copy], context)).toBe(0)
    expect(left()).toEqual([])
    expect(await runVerify(['--json'], context)).toBe(0)
  })

  test('removes what a killed one has left beside it, and names it', async () => {
    const place = temporaryFolder()
    const left = join(place, 'old\u001b.unfinished')
    mkdirSync(join(left, 'tables'), { recursive: true })
    const then = new Date(Date.now() - limits.backupLeftoverMs - 60_000)
    for (const path of [join(left, 'tables'), left]) utimesSync(path, then, then)
    await runBackup([join(place, 'copy')], contextIn(folder))
    expect(printed.stderr).toBe('quire: removed old .unfinished, which a backup that was interrupted had left\n')
    expect(readdirSync(place)).toEqual(['copy'])
    // One whose parts were written to since is under way.
    mkdirSync(join(left, 'tables'), { recursive: true })
    utimesSync(left, then, then)
    expect(await removeLeftovers(place)).toEqual([])
  })

  const held = smallDisk(16 * 1024, join(temporaryFolder(), 'old.unfinished/tables'))
  test.if(held !== undefined)('says nothing of a leftover that it could not remove', async () => {
    const then = new Date(Date.now() - limits.backupLeftoverMs - 60_000)
    for (const path of [held!, dirname(held!)]) utimesSync(path, then, then)
    expect(await removeLeftovers(dirname(dirname(held!)))).toEqual([])
    expect(existsSync(held!)).toBe(true)
  })

  test('is one also where the database cannot take the note of it, which is said', async () => {
    const context = {
      ...contextIn(folder),
      prepare: () => ({ ...contextIn(folder).prepare(), databaseUrl: 'file:/dev/null/x' }),
    }
    await noteMade(context, madeAt)
    expect(printed).toEqual({
      stdout: '',
      stderr: expect.stringMatching(
        /^the backup is whole, but was not noted in the database, whose status won't know of it: .+\n$/,
      ),
    })
  })

  test('is noted in a database by its instant, and by nothing else', async () => {
    const written = async () => expect.unreachable()
    const database = { write: written } as unknown as Database
    for (const args of [[], ['today']])
      expect(await rejectionOf(noteIn(database, args))).toEqual(
        new UsageError('backup-note takes the instant of a backup'),
      )
  })

  test.each([
    [[], 'backup takes one folder, or one file ending in .tar'],
    [['a', 'b'], 'backup takes one folder, or one file ending in .tar'],
    [['a.zip'], 'a.zip: a backup is a folder, or one file whose name ends in .tar'],
    [['a.tar.gz.age'], 'a.tar.gz.age: a backup is a folder, or one file whose name ends in .tar'],
    [
      ['-'],
      '- is standard input or output, and this takes a folder or file, which is read again; ./- is one that is called so',
    ],
    [
      [''],
      'a name is empty, and this takes a folder or file, which is read again; see whether the variable that it comes from is set',
    ],
  ])('with %p is refused before anything is opened', async (args, words) => {
    expect(await rejectionOf(runBackup(args, noContext))).toEqual(new UsageError(words))
  })
})

type Manifest = {
  format: string
  tables: { name: string; rows: number; sha256: string }[]
  objects: { count: number; bytes: number; erased_meanwhile?: string[] }
}

/** What a check says of the backup after a change of its files, and of its manifest, whose own hash is right again. */
async function problemsAfter(change: (path: string) => void, ofManifest?: (manifest: Manifest) => void) {
  const path = join(temporaryFolder(), 'copy')
  cpSync(copy, path, { recursive: true })
  change(path)
  if (ofManifest !== undefined) {
    const { manifest_hash: _, ...manifest } = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'))
    ofManifest(manifest)
    writeFileSync(join(path, 'manifest.json'), JSON.stringify({ ...manifest, manifest_hash: canonicalHash(manifest) }))
  }
  const checked = await checkBackup(path)
  return 'problems' in checked ? checked.problems : []
}
const nothing = () => {}

describe('the check of a backup', () => {
  test('finds nothing wrong with one that is whole, and gives its manifest', async () => {
    expect(await checkBackup(copy)).toMatchObject({ manifest: { made_at: madeAt, objects: { count: 3, bytes } } })
    expect(await problemsAfter(nothing, nothing)).toEqual([])
  })

  test('names each table that is missing or was changed', async () => {
    const change = (path: string) => {
      rmSync(join(path, 'tables/users.ndjson'))
      writeFileSync(join(path, 'tables/holds.ndjson'), '[1]\n')
    }
    expect(await problemsAfter(change)).toEqual(['the table users is missing', 'the table holds is damaged'])
    const counted = (manifest: Manifest) => {
      for (const table of manifest.tables) if (table.name === 'steps') table.rows++
    }
    expect(await problemsAfter(nothing, counted)).toEqual(['the table steps is damaged'])
    // Whatever order the folder is read in, the manifest is found.
    expect(await problemsAfter((path) => writeFileSync(join(path, 'tables/holds.ndjson'), '[1]'))).toEqual(
      expect.arrayContaining(['tables/holds.ndjson breaks off in the middle of a line', 'the table holds is damaged']),
    )
    // In an archive the manifest is the last file.
    const archive = join(temporaryFolder(), 'copy.tar')
    const writer = await writeBackup(archive)
    for (const [name, text] of [
      ['tables/holds.ndjson', '[1]'],
      ['manifest.json', readFileSync(join(copy, 'manifest.json'), 'utf8')],
    ] as const) {
      await writer.begin(name)
      await writer.write(new TextEncoder().encode(text))
    }
    await writer.finish()
    expect(await checkBackup(archive)).toEqual({
      problems: expect.arrayContaining(['tables/holds.ndjson breaks off in the middle of a line']),
    })
  })

  test('names each object that is damaged or missing, and counts those that nobody has named', async () => {
    const object = (path: string, name: keyof typeof objects) => join(path, 'objects', hashOf(name))
    const docx = hashOf('docx')
    expect(await problemsAfter((path) => writeFileSync(object(path, 'docx'), 'a Document'))).toEqual([
      `the object ${docx} is damaged`,
    ])
    for (const name of ['docx', 'batch'] as const)
      expect(await problemsAfter((path) => rmSync(object(path, name)))).toEqual([
        `the object ${hashOf(name)} is missing`,
        'it has 2 objects where its manifest counts 3',
      ])
    const other = sha256Hex('other')
    const added = (path: string) => writeFileSync(join(path, 'objects', other), 'other')
    expect(await problemsAfter(added)).toEqual(['it has 4 objects where its manifest counts 3'])
    expect(await problemsAfter(nothing, ({ objects: told }) => void told.bytes++)).toEqual([
      `its objects have ${bytes} bytes where its manifest counts ${bytes + 1}`,
    ])
    const cut = (path: string) => truncateSync(object(path, 'docx'), 3)
    expect(await problemsAfter(cut)).toEqual([
      `the object ${docx} is damaged`,
      `its objects have ${bytes - objects.docx.length + 3} bytes where its manifest counts ${bytes}`,
    ])
    // Of holes: a restore would read it into memory.
    expect(await problemsAfter((path) => truncateSync(object(path, 'docx'), limits.objectBytes + 1))).toContain(
      `the object ${docx} is larger than any`,
    )
    expect(await problemsAfter((path) => truncateSync(object(path, 'docx'), limits.objectBytes))).toContain(
      `the object ${docx} is damaged`,
    )
    // One that was erased while the backup was made.
    const erased = (manifest: Manifest) =>
      Object.assign(manifest.objects, { count: 2, bytes: bytes - objects.docx.length, erased_meanwhile: [docx] })
    expect(await problemsAfter((path) => rmSync(object(path, 'docx')), erased)).toEqual([])
  })

  test('names a file that is no part of it and can be no table', async () => {
    const added = (path: string) => writeFileSync(join(path, 'notes.txt'), 'made by me')
    expect(await problemsAfter(added)).toEqual(['notes.txt breaks off in the middle of a line'])
    expect(await problemsAfter((path) => writeFileSync(join(path, 'notes.txt'), 'made by me\n'))).toEqual([])
  })

  test('leaves a folder as it is in which somebody keeps notes of their own', async () => {
    const path = join(temporaryFolder(), 'copy')
    cpSync(copy, path, { recursive: true })
    for (const make of [() => mkdirSync(join(path, 'notes')), () => writeFileSync(join(path, 'notes'), '\n')]) {
      make()
      Object.assign(printed, { stdout: '', stderr: '' })
      expect([await runVerify([path], contextIn(folder)), printed.stderr]).toEqual([0, ''])
      expect(readdirSync(path).toSorted()).toEqual(['manifest.json', 'notes', 'objects', 'tables'])
      rmSync(join(path, 'notes'), { recursive: true })
    }
  })

  test('reads no manifest that is larger than any', async () => {
    const grown = (path: string) => truncateSync(join(path, 'manifest.json'), limits.backupManifestBytes + 1)
    expect(await problemsAfter(grown)).toEqual([
      'its manifest.json is larger than that of any backup',
      "its manifest.json can't be read",
    ])
  })

  test('says what is wrong with a manifest, and of one that it does not know nothing else', async () => {
    const manifest = (change: (text: string) => string) => (path: string) => {
      const file = join(path, 'manifest.json')
      writeFileSync(file, change(readFileSync(file, 'utf8')))
    }
    expect(await problemsAfter(manifest((text) => text.replace('"made_at": "2', '"made_at": "3')))).toEqual([
      'the manifest is damaged',
    ])
    expect(await problemsAfter(manifest(() => '{'))).toEqual(["its manifest.json can't be read"])
    expect(await problemsAfter((path) => rmSync(join(path, 'manifest.json')))).toEqual([
      'it is no backup, or one that broke off: it has no manifest.json',
    ])
    expect(await problemsAfter(nothing, (told) => void Object.assign(told, { format: 'quire-backup-2' }))).toEqual([
      'it has the format quire-backup-2, which this version of Quire does not know',
    ])
    expect(await problemsAfter(nothing, (told) => void Object.assign(told.objects, { count: -1 }))).toEqual([
      expect.stringMatching(/^its manifest\.json is not as it was written: /),
    ])
    expect(await checkBackup(join(folder, 'nowhere'))).toEqual({ problems: ['there is no such file or folder'] })
  })

  test('names twenty problems at most', async () => {
    const change = (path: string) => rmSync(join(path, 'tables'), { recursive: true })
    const problems = await problemsAfter(change)
    expect([problems.length, problems.every((problem) => problem.startsWith('the table '))]).toEqual([20, true])
  })
})

describe('quire restore', () => {
  test('puts rows and objects in place, which verify, and knows the backup as its last', async () => {
    const empty = temporaryFolder()
    expect(await runRestore([copy, '--json'], contextIn(empty))).toBe(0)
    const again = ['erased', 'holds', 'retention', 'tokens', 'users', 'factors', 'identities', 'webhooks']
    expect([JSON.parse(printed.stdout), printed.stderr]).toEqual([
      {
        ...{ path: copy, made_at: madeAt, rows, objects: 3, kept: null, warnings: [], problems: [] },
        ...Object.fromEntries(again.map((name) => [`${name}_again`, []])),
      },
      '',
    ])
    expect(factOf(empty, 'backup')).toBe(madeAt)
    expect(readFileSync(placeOf(empty, 'pdf'), 'utf8')).toBe(objects.pdf)
    expect(await runVerify(['--json'], contextIn(empty))).toBe(0)
  })

  test('keeps what is there unless it may replace it, and then keeps that beside', async () => {
    const used = changedCopy(folder, "update submissions set object_reference = 'mine'")
    const path = join(used, 'quire-data/quire.db')
    const reference = (file: string) => {
      const database = new Libsql(file)
      const [value] = database.query('select object_reference from submissions').values().flat()
      database.close()
      return value
    }
    expect(await rejectionOf(runRestore([copy], contextIn(used)))).toEqual(
      new Error('there is data already; add --replace to put the backup in its place'),
    )
    expect([reference(path), printed.stdout]).toEqual(['mine', ''])
    expect(await runRestore([copy, '--replace'], contextIn(used))).toBe(0)
    expect(printed.stderr).not.toContain('could not be read')
    const [first, kept = '', ...more] = printed.stdout.split('\n')
    expect([first, more]).toEqual([`restored ${rows} rows and 3 objects from ${copy}`, ['']])
    const [, where = ''] = /^the database before it is kept as (.*)$/.exec(kept) ?? []
    expect(where).toStartWith(`${path}.before-restore-`)
    expect([reference(path), reference(where)]).toEqual(['P-1', 'mine'])
    expect(readdirSync(join(used, 'quire-data')).filter((name) => name.includes('restoring'))).toEqual([])
  })

  test('of a newer version is refused before anything is changed', async () => {
    const newer = join(temporaryFolder(), 'copy')
    cpSync(copy, newer, { recursive: true })
    const file = join(newer, 'manifest.json')
    const { manifest_hash: _, ...manifest } = JSON.parse(readFileSync(file, 'utf8'))
    Object.assign(manifest, { migrations: [...manifest.migrations, '9999_later'], product_version: '9.9.9' })
    writeFileSync(file, JSON.stringify({ ...manifest, manifest_hash: canonicalHash(manifest) }))
    const empty = temporaryFolder()
    expect(await rejectionOf(runRestore([newer], contextIn(empty)))).toEqual(
      new Error(
        'the backup holds migration 9999_later, which this version of Quire does not know; use version 9.9.9 or a newer one',
      ),
    )
    expect(readdirSync(empty)).toEqual([])
  })

  test('signs with the key of the store what it closes again', async () => {
    const token = (revokedAt: string) =>
      `insert into api_tokens (id, token_hash, user_id, name, scopes, created_by, created_at, expires_at, revoked_at)
       values ('token', 'h', 'ada', 'nightly', '[]', 'ada', '2026-11-20T09:30:00.000000000Z', '2027-11-20T09:30:00.000000000Z', ${revokedAt})`
    const open = join(temporaryFolder(), 'open')
    expect(await runBackup([open], contextIn(changedCopy(folder, token('null'))))).toBe(0)
    const used = changedCopy(folder, token("'2026-11-29T01:00:00.000000000Z'"))
    printed.stdout = ''
    expect(await runRestore([open, '--replace', '--json'], contextIn(used))).toBe(0)
    expect(JSON.parse(printed.stdout)).toMatchObject({ tokens_again: ['token'], warnings: [] })
    const database = new Libsql(join(used, 'quire-data/quire.db'), { readonly: true })
    const rows = database.query('select action, attestation is null from audit_records').values()
    database.close()
    expect(rows).toEqual([['api_token.revoked', 0]])
  })

  test('makes a lost database where the link to it leads', async () => {
    const [disk, fresh] = [temporaryFolder(), temporaryFolder()]
    const link = join(fresh, 'quire-data/quire.db')
    mkdirSync(dirname(link))
    symlinkSync(join(disk, 'quire.db'), link)
    expect(await runRestore([copy, '--json'], contextIn(fresh))).toBe(0)
    expect([readlinkSync(link), existsSync(join(disk, 'quire.db'))]).toEqual([join(disk, 'quire.db'), true])
  })

  test('leaves a database on the disk that its name is a link to', async () => {
    const used = changedCopy(folder, "update submissions set object_reference = 'mine'")
    const [disk, link] = [temporaryFolder(), join(used, 'quire-data/quire.db')]
    for (const suffix of ['', '-wal', '-shm'])
      if (existsSync(link + suffix)) renameSync(link + suffix, join(disk, `quire.db${suffix}`))
    symlinkSync(join(disk, 'quire.db'), link)
    expect(await runRestore([copy, '--replace', '--json'], contextIn(used))).toBe(0)
    const { kept } = JSON.parse(printed.stdout)
    expect([readlinkSync(link), dirname(kept)]).toEqual([join(disk, 'quire.db'), disk])
    for (const [file, reference] of [
      [link, 'P-1'],
      [kept, 'mine'],
    ] as const) {
      const database = new Libsql(file, { readonly: true })
      expect(database.query('select object_reference from submissions').values()).toEqual([[reference]])
      database.close()
    }
    expect(readdirSync(join(used, 'quire-data')).filter((name) => /before-restore|restoring/.test(name))).toEqual([])
  })

  test('keeps a database that is too damaged to be read with what is in its log alone, and takes it for data', async () => {
    const used = changedCopy(folder)
    const database = new Libsql(join(used, 'quire-data/quire.db'))
    database.exec('pragma wal_checkpoint(truncate)')
    // It changes no first page, with which the log would mend the file.
    database.exec("update submissions set object_reference = 'P-2'")
    const damaged = () => {
      const where = temporaryFolder()
      cpSync(join(used, 'quire-data'), join(where, 'quire-data'), { recursive: true })
      const path = join(where, 'quire-data/quire.db')
      const bytes = readFileSync(path).fill(65, 0, 100)
      writeFileSync(path, bytes)
      expect([bytes.includes('P-2'), readFileSync(`${path}-wal`).includes('P-2')]).toEqual([false, true])
      return where
    }
    const [refused, replaced] = [damaged(), damaged()]
    database.close()
    expect(await rejectionOf(runRestore([copy], contextIn(refused)))).toEqual(
      new Error('there is data already; add --replace to put the backup in its place'),
    )
    // In a process of its own, as connections are closed at its end.
    const { stdout } = await runCommand(replaced, ['restore', copy, '--replace', '--json'])
    const { kept, warnings } = JSON.parse(stdout)
    expect(warnings).toEqual([expect.stringContaining('the database that was there could not be read')])
    // The driver writes the log back where it closes its connections first.
    const left = [kept, `${kept}-wal`].filter(existsSync).map((file) => readFileSync(file))
    expect(left.some((bytes) => bytes.includes('P-2'))).toBe(true)
    // None of it is read into the new one.
    const restored = new Libsql(join(replaced, 'quire-data/quire.db'), { readonly: true })
    expect(restored.query('select object_reference from submissions').values()).toEqual([['P-1']])
    restored.close()
    // And one without a log.
    const alone = join(temporaryFolder(), 'quire-data')
    mkdirSync(alone, { mode: 0o700 })
    writeFileSync(join(alone, 'quire.db'), 'no database', { mode: 0o600 })
    Object.assign(printed, { stdout: '', stderr: '' })
    expect(await runRestore([copy, '--replace', '--json'], contextIn(dirname(alone)))).toBe(0)
    const told = JSON.parse(printed.stdout)
    expect([told.warnings, readFileSync(told.kept, 'utf8')]).toEqual([warnings, 'no database'])
  })

  test('takes the place of a database that nobody has used, and keeps it as well', async () => {
    const unused = temporaryFolder()
    await withDatabase(contextIn(unused), async () => {})
    expect(await runRestore([copy], contextIn(unused))).toBe(0)
    expect(printed.stdout).toContain(
      `\nthe database before it is kept as ${unused}/quire-data/quire.db.before-restore-`,
    )
  })

  test('says what is wrong with a backup, a line each, and that nothing was changed', async () => {
    const broken = join(temporaryFolder(), 'copy')
    cpSync(copy, broken, { recursive: true })
    rmSync(join(broken, 'tables/users.ndjson'))
    writeFileSync(join(broken, 'tables/holds.ndjson'), '[1]\n')
    const problems = ['the table users is missing', 'the table holds is damaged']
    const empty = temporaryFolder()
    expect(await runRestore([broken], contextIn(empty))).toBe(1)
    const stderr = problems.map((problem) => `quire: ${broken}: ${problem}\n`).join('')
    expect(printed).toEqual({ stdout: '', stderr: `${stderr}quire: nothing was changed\n` })
    expect(await runRestore([broken, '--json'], contextIn(empty))).toBe(1)
    expect(JSON.parse(printed.stdout)).toEqual({ path: broken, problems })
    expect(existsSync(join(empty, 'quire-data'))).toBe(false)
    Object.assign(printed, { stdout: '', stderr: '' })
    expect(await runVerify([broken, '--json'], contextIn(empty))).toBe(1)
    expect([JSON.parse(printed.stdout), printed.stderr]).toEqual([{ path: broken, problems }, stderr])
  })

  const takes = 'restore takes one backup, a folder or a file ending in .tar, or a replica'
  const twice = 'and this takes a folder or file, which is read twice'
  test.each([
    [[], takes],
    [['a', 'b'], takes],
    [['-'], `- is standard input or output, ${twice}; ./- is one that is called so`],
    [[''], `a name is empty, ${twice}; see whether the variable that it comes from is set`],
  ])('with %p is refused before anything is opened', async (args, words) => {
    expect(await rejectionOf(runRestore(args, noContext))).toEqual(new UsageError(words))
  })

  test('takes --at for a replica alone, with a zone', async () => {
    expect(await rejectionOf(runRestore([copy, '--at', '2026-11-23'], noContext))).toEqual(
      new UsageError('--at takes an instant with its zone, such as 2026-11-23T09:30:00Z, not "2026-11-23"'),
    )
    expect(await rejectionOf(runRestore([copy, '--at', '2026-11-23T09:30:00Z'], contextIn(folder)))).toEqual(
      new UsageError('--at is for a replica: a backup is of one instant'),
    )
  })
})
