/** Commands about a store, in this process: what they print, refuse and change. */
import { Database as Libsql } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { runAudit } from '../../src/commands/audit.ts'
import { runBackup } from '../../src/commands/backup.ts'
import { UsageError } from '../../src/commands/command.ts'
import { runDemo } from '../../src/commands/demo.ts'
import { CommandFailure } from '../../src/commands/files.ts'
import { runMigrate } from '../../src/commands/migrate.ts'
import { runMove } from '../../src/commands/move.ts'
import { runProve } from '../../src/commands/prove.ts'
import { runRestore } from '../../src/commands/restore.ts'
import { restoreReplica } from '../../src/commands/restore-replica.ts'
import { runSweep } from '../../src/commands/sweep.ts'
import { runToken } from '../../src/commands/token.ts'
import { runUser } from '../../src/commands/user.ts'
import { runVerify } from '../../src/commands/verify.ts'
import { verifyReplica } from '../../src/commands/verify-replica.ts'
import { withDatabase } from '../../src/commands/with-database.ts'
import { ConfigError } from '../../src/config.ts'
import { SYSTEM_ACTOR_ID } from '../../src/core/actor.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { instantOf } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { migrations } from '../../src/db/migrations.ts'
import { sealBatch } from '../../src/modules/audit/audit.sealer.ts'
import { recordAudit } from '../../src/modules/audit/audit.service.ts'
import { type ObjectStore, ObjectStoreUnavailable } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { ReplicaUnusable } from '../../src/replica/rebuild.ts'
import { startReplicator } from '../../src/replica/replicator.ts'
import { runCommand, startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { bareEnvironment } from '../support/environment.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'
import { catchPrinted } from '../support/printed.ts'
import { smallDisk } from '../support/small-disk.ts'
import { until } from '../support/until.ts'
import { contextIn, noContext } from './answering.ts'
import { changedCopy, hashOf, makeWholeStore, objects } from './whole-store.ts'

const printed = catchPrinted()
let folder: string

beforeAll(async () => {
  folder = await makeWholeStore()
})

const refusal = async (work: Promise<unknown>) => {
  const error = await rejectionOf(work)
  return [(error as Error).constructor, (error as Error).message]
}
/** What was printed since it was asked for last. */
function taken() {
  const said = { ...printed }
  Object.assign(printed, { stdout: '', stderr: '' })
  return said
}
const disk = smallDisk(256 * 1024)
/** Takes room as long as there is so much. */
function fill(path: string, bytes: number): void {
  try {
    for (;;) appendFileSync(path, new Uint8Array(bytes))
  } catch {
    // There is no more.
  }
}
const databaseOf = (where: string) => join(where, 'quire-data/quire.db')
const author = { userId: SYSTEM_ACTOR_ID, correlationId: 'c' }

describe('quire migrate', () => {
  test('brings the schema up to date, and --check says what is missing without making anything', async () => {
    const empty = temporaryFolder()
    const names = migrations.sqlite.map(({ name }) => name)
    expect(await runMigrate(['--check'], contextIn(empty))).toBe(1)
    expect(taken()).toEqual({ stdout: `missing: ${names.join(', ')}\n`, stderr: '' })
    expect(await runMigrate(['--check', '--json'], contextIn(empty))).toBe(1)
    expect(JSON.parse(taken().stdout)).toEqual({ missing: names, changed: [], later: [] })
    expect(existsSync(databaseOf(empty))).toBe(false)
    expect(await runMigrate([], contextIn(empty))).toBe(0)
    expect(taken()).toEqual({ stdout: 'up to date\n', stderr: '' })
    expect(await runMigrate(['--json'], contextIn(empty))).toBe(0)
    expect(JSON.parse(taken().stdout)).toEqual({ missing: [], changed: [], later: [] })
    expect(await runMigrate(['--check'], contextIn(empty))).toBe(0)
    expect(taken()).toEqual({ stdout: 'up to date\n', stderr: '' })
  })

  test('--check tells a schema that was changed, and what a newer version has added', async () => {
    const changed = changedCopy(folder, 'alter table steps drop column duration_ms')
    expect(await runMigrate(['--check'], contextIn(changed))).toBe(1)
    expect(taken()).toEqual({
      stdout: '',
      stderr: 'quire: the schema was changed: the column steps.duration_ms is missing\n',
    })
    expect(await runMigrate(['--check', '--json'], contextIn(changed))).toBe(1)
    expect(JSON.parse(taken().stdout)).toMatchObject({
      missing: [],
      changed: ['the column steps.duration_ms is missing'],
    })
    const later = changedCopy(
      folder,
      "insert into quire_migrations (name, applied_at, kind) values ('9998_a', 'x', 'expands'), ('9999_b', 'x', 'expands')",
    )
    expect(await runMigrate(['--check'], contextIn(later))).toBe(0)
    expect(taken().stdout).toBe('a newer version has added 9998_a, 9999_b; this one may run beside it\nup to date\n')
    expect(await runMigrate(['--check', '--json'], contextIn(later))).toBe(0)
    expect(JSON.parse(taken().stdout)).toEqual({ missing: [], changed: [], later: ['9998_a', '9999_b'] })
  })
})

test('quire demo puts the demo into a store once, and says which it was', async () => {
  const empty = temporaryFolder()
  expect(await runDemo([], contextIn(empty))).toBe(0)
  expect(taken()).toEqual({ stdout: 'the demo configuration is in force\n', stderr: '' })
  expect(await runDemo([], contextIn(empty))).toBe(0)
  expect(taken().stdout).toBe('the demo configuration was already there\n')
  expect(await runDemo(['--json'], contextIn(empty))).toBe(0)
  expect(taken().stdout).toBe('{"seeded":false}\n')
})

test('quire user and quire token work on a store that nobody serves', async () => {
  const empty = temporaryFolder()
  expect(await runUser(['add', 'robot', '--service', '--role', 'operator'], contextIn(empty))).toBe(0)
  expect(taken()).toEqual({
    stdout: 'robot was added; make a token for it: quire token add robot --name … --scope …\n',
    stderr: '',
  })
  const adding = ['add', 'robot', '--name', 'nightly', '--scope', 'submission_read']
  expect(await runToken(adding, contextIn(empty))).toBe(0)
  expect(taken().stdout).toMatch(/^the token \S{36} of robot, good until \S+, is qr_\w+\n$/)
  expect(await runUser(['list'], contextIn(empty))).toBe(0)
  expect(taken().stdout).toBe('robot\toperator\trobot\tservice account\n')
})

describe('quire sweep', () => {
  test('lists what no row has named for a day, and removes it only with --delete', async () => {
    const copy = changedCopy(folder, "update artifacts set removed_at = created_at where kind = 'pdf'")
    const store = await openObjectStore(`file:${join(copy, 'quire-data/objects')}`)
    await store.put(sha256Hex('young'), new TextEncoder().encode('young'))
    await store.close()
    const place = (hash: string) => join(copy, 'quire-data/objects', hash.slice(0, 2), hash.slice(2, 4), hash)
    const old = new Date(Date.now() - limits.orphanAgeMs - 60_000)
    for (const name of ['docx', 'pdf', 'batch'] as const) utimesSync(place(hashOf(name)), old, old)
    const orphan = { hash: hashOf('pdf'), size: objects.pdf.length }
    expect(await runSweep([], contextIn(copy))).toBe(0)
    const line = `${orphan.hash} ${orphan.size}\n1 objects that no row names; `
    expect(taken()).toEqual({ stdout: `${line}nothing removed (add --delete)\n`, stderr: '' })
    expect(await runSweep(['--json'], contextIn(copy))).toBe(0)
    expect(JSON.parse(taken().stdout)).toEqual({ orphans: [expect.objectContaining(orphan)], deleted: 0 })
    expect(existsSync(place(orphan.hash))).toBe(true)
    expect(await runSweep(['--delete'], contextIn(copy))).toBe(0)
    expect(taken().stdout).toBe(`${line}1 removed\n`)
    expect(
      [hashOf('pdf'), hashOf('docx'), hashOf('batch'), sha256Hex('young')].map((hash) => existsSync(place(hash))),
    ).toEqual([false, true, true, true])
    expect(await runSweep(['--delete', '--json'], contextIn(copy))).toBe(0)
    expect(taken().stdout).toBe('{"orphans":[],"deleted":0}\n')
  })

  test('lists and removes nothing in a directory whose mark names another store', async () => {
    const [copy, other] = [changedCopy(folder), await makeWholeStore()]
    const place = join(other, 'quire-data/objects', hashOf('pdf').slice(0, 2), hashOf('pdf').slice(2, 4), hashOf('pdf'))
    const database = new Libsql(databaseOf(copy))
    for (const table of ['artifacts', 'batches']) database.run(`delete from ${table}`)
    database.close()
    const old = new Date(Date.now() - limits.orphanAgeMs - 60_000)
    utimesSync(place, old, old)
    const mistaken = contextIn(copy, { QUIRE_OBJECTS_URL: `file:${join(other, 'quire-data/objects')}` })
    for (const args of [[], ['--delete'], ['--delete', '--json']]) {
      const words =
        /^QUIRE_OBJECTS_URL: .+ says that these are the objects of the store .+; name the objects of this store/
      expect(await refusal(runSweep(args, mistaken))).toEqual([ConfigError, expect.stringMatching(words)])
    }
    expect([existsSync(place), taken()]).toEqual([true, { stdout: '', stderr: '' }])
  })
})

describe('quire move', () => {
  const into = (where: string) => {
    const target = temporaryFolder()
    const [database, store] = [`file:${join(target, 'new.db')}`, `file:${join(target, 'objects')}`]
    return {
      ...{ target, place: `${database}, with the objects at ${store}` },
      context: contextIn(where, { QUIRE_DATABASE_URL: database, QUIRE_OBJECTS_URL: store }),
    }
  }

  test('takes no missing or empty database for a store, and makes none', async () => {
    const where = temporaryFolder()
    const { context, target } = into(where)
    const missing = databaseOf(where)
    const remedy = 'run this where "quire serve" ran, or name the database with --from-database'
    expect(await refusal(runMove([], context))).toEqual([Error, `there is no database ${missing}; ${remedy}`])
    expect(await refusal(runMove(['--undo'], contextIn(where)))).toEqual([
      Error,
      `there is no database ${missing}; ${remedy}`,
    ])
    const empty = join(where, 'empty.db')
    writeFileSync(empty, '')
    expect(await refusal(runMove(['--from-database', `file:${empty}`], context))).toEqual([
      Error,
      `there is no store in file:${empty}; ${remedy}`,
    ])
    const unseen = join(where, 'x'.repeat(300))
    expect(await refusal(runMove(['--from-database', `file:${unseen}`], context))).toEqual([
      Error,
      `${unseen} can't be looked at (ENAMETOOLONG); see to its disk`,
    ])
    expect([existsSync(missing), readdirSync(target)]).toEqual([false, []])
  })

  test('brings all of a store elsewhere, once, and the old one refuses to serve until that is undone', async () => {
    const copy = changedCopy(folder)
    const { context, place } = into(copy)
    expect(await runMove([], context)).toBe(0)
    const [, rows] =
      /^moved (\d+) rows and 3 objects, and compared them; the old files are as they were, and no longer serve\n$/.exec(
        taken().stdout,
      ) ?? []
    expect(Number(rows)).toBe(19)
    expect(await runVerify([], context)).toBe(0)
    expect(taken().stdout).toContain(' 3 objects, ')
    expect(await runMove([], context)).toBe(0)
    expect(taken().stdout).toBe(`the store was moved to ${place} already\n`)
    expect(await runMove(['--json'], context)).toBe(0)
    expect(JSON.parse(taken().stdout)).toEqual({ moved: false, to: place })
    expect(await refusal(runMigrate([], contextIn(copy)))).toEqual([expect.anything(), expect.stringContaining(place)])
    // To nowhere else, too.
    expect(await refusal(runMove([], into(copy).context))).toEqual([
      Error,
      `this store was moved to ${place} before; let it serve here again with quire move --undo first`,
    ])
    expect(await runMove(['--undo'], contextIn(copy))).toBe(0)
    expect(taken().stdout).toBe(
      `the store serves here again; it is also at ${place}, and only one of them may be used\n`,
    )
    expect(await runMigrate([], contextIn(copy))).toBe(0)
    expect(await refusal(runMove(['--undo'], contextIn(copy)))).toEqual([
      Error,
      `file:${databaseOf(copy)} was not moved away; undo it with the settings from before the move`,
    ])
  })

  test('takes the store from where it is told, and refuses a place that holds data or is the same', async () => {
    const copy = changedCopy(folder)
    const elsewhere = into(temporaryFolder())
    const from = [
      '--from-database',
      `file:${databaseOf(copy)}`,
      '--from-objects',
      `file:${join(copy, 'quire-data/objects')}`,
    ]
    expect(await runMove([...from, '--json'], elsewhere.context)).toBe(0)
    expect(JSON.parse(taken().stdout)).toEqual({ moved: true, to: elsewhere.place, rows: 19, objects: 3 })
    expect(await refusal(runMove([], contextIn(copy)))).toEqual([
      UsageError,
      'QUIRE_DATABASE_URL must name the database to move to; move takes everything there',
    ])
    // Also under another name of the same file.
    symlinkSync('quire-data', join(copy, 'link'))
    const linked = contextIn(copy, { QUIRE_DATABASE_URL: `file:${join(copy, 'link/quire.db')}` })
    expect(await refusal(runMove([], linked))).toEqual([
      UsageError,
      'QUIRE_DATABASE_URL must name the database to move to; move takes everything there',
    ])
    const other = changedCopy(folder)
    const full = contextIn(other, { QUIRE_DATABASE_URL: `file:${databaseOf(changedCopy(folder))}` })
    expect(await refusal(runMove([], full))).toEqual([
      Error,
      'the database to move to holds data of its own; name an empty one',
    ])
  })

  test('brings nothing to the objects of another store, and leaves both as they were', async () => {
    const copy = changedCopy(folder)
    const { context, target } = into(copy)
    mkdirSync(join(target, 'objects'))
    writeFileSync(join(target, 'objects/store'), 'another\n')
    expect(await refusal(runMove([], context))).toEqual([
      ConfigError,
      expect.stringMatching(
        /^QUIRE_OBJECTS_URL: .+ says that these are the objects of the store another, and what is to be moved is of \S+; name another directory/,
      ),
    ])
    expect([readdirSync(target), readdirSync(join(target, 'objects'))]).toEqual([['objects'], ['store']])
    expect(await runMigrate([], contextIn(copy))).toBe(0)
    // Its own objects may stay where they are.
    const stays = contextIn(copy, { QUIRE_DATABASE_URL: `file:${join(target, 'new.db')}` })
    expect(await runMove([], stays)).toBe(0)
    expect(taken().stdout).toEndWith('no longer serve\n')
  })

  test('is undone where the settings say, and nowhere else', async () => {
    const args = ['--undo', '--from-database', 'file:old.db']
    for (const given of [args, ['--undo', '--from-objects', 'file:old']])
      expect(await refusal(runMove(given, noContext))).toEqual([
        UsageError,
        '--undo takes no --from-database and no --from-objects: it is for the database that QUIRE_DATABASE_URL names',
      ])
  })

  test('stops where an object is missing, and the same command goes on from there', async () => {
    const copy = changedCopy(folder)
    const hash = hashOf('pdf')
    const path = join(copy, 'quire-data/objects', hash.slice(0, 2), hash.slice(2, 4), hash)
    const bytes = readFileSync(path)
    rmSync(path)
    const { context } = into(copy)
    expect(await refusal(runMove([], context))).toEqual([
      Error,
      `the object ${hash}, which an artifact names, is not in the store`,
    ])
    expect(await refusal(runMigrate([], context))).toEqual([
      expect.anything(),
      expect.stringContaining('run the same quire move again'),
    ])
    writeFileSync(path, bytes)
    // What has arrived is not read again.
    const arrived = hashOf('docx')
    rmSync(join(copy, 'quire-data/objects', arrived.slice(0, 2), arrived.slice(2, 4), arrived))
    expect(await runMove([], context)).toBe(0)
    expect(taken().stdout).toStartWith('moved 19 rows and 3 objects')
  })

  test('does without an object that a policy has removed', async () => {
    const copy = changedCopy(folder, "update artifacts set removed_at = created_at where kind = 'pdf'")
    const hash = hashOf('pdf')
    rmSync(join(copy, 'quire-data/objects', hash.slice(0, 2), hash.slice(2, 4), hash))
    expect(await runMove([], into(copy).context)).toBe(0)
    expect(taken().stdout).toStartWith('moved 19 rows and 2 objects')
  })
})

describe('quire audit export', () => {
  let sealed: string

  beforeAll(async () => {
    sealed = temporaryFolder()
    await withDatabase(contextIn(sealed), async ({ database }) => {
      await database.write(async (tx) => {
        for (const day of [1, 2, 3]) {
          const actor = { ...author, at: instantOf(`2026-11-0${day}T00:00:00.000000000Z`) }
          await recordAudit(tx, actor, {
            action: 'user.updated',
            resourceKind: 'user',
            resourceId: `${day}`,
            detail: {},
          })
        }
      })
      while ((await sealBatch(database)) > 0);
    })
  })
  const positions = async (...args: string[]) => {
    Object.assign(printed, { stdout: '', stderr: '' })
    const code = await runAudit(['export', ...args], contextIn(sealed))
    const lines = printed.stdout.split('\n').slice(0, -1)
    return [code, lines.map((line) => JSON.parse(line).position), printed.stderr]
  }

  test('prints a line for each record, from a position or an instant on, and from where it came to', async () => {
    expect(await positions()).toEqual([0, [1, 2, 3], ''])
    expect(await positions('--since', '0')).toEqual([0, [1, 2, 3], ''])
    expect(await positions('--since', '2')).toEqual([0, [3], ''])
    expect(await positions('--since', '2026-11-02T00:00:00Z')).toEqual([0, [2, 3], ''])
    expect(await positions('--since', '2026-11-04T00:00:00Z')).toEqual([0, [], ''])
    const state = join(temporaryFolder(), 'state')
    expect(await positions('--since', '1', '--state', state)).toEqual([0, [2, 3], ''])
    expect([readFileSync(state, 'utf8'), existsSync(`${state}.new`), statSync(state).mode & 0o777]).toEqual([
      ...[expect.stringMatching(/^3 [0-9a-f]{64}\n$/), false, 0o600],
    ])
    expect(await positions('--since', '1', '--state', state)).toEqual([0, [], ''])
    writeFileSync(state, ' 1\n')
    expect(await positions('--state', state)).toEqual([0, [2, 3], ''])
  })

  test('goes on with a chain that does not hold, says where, and ends with 1', async () => {
    const whole = sealed
    sealed = changedCopy(sealed, "update audit_records set action = 'x' where position = 2")
    const told = 'quire: the chain does not hold at position 2; "quire verify" says more\n'
    expect(await positions()).toEqual([1, [1, 2, 3], told])
    sealed = whole
  })

  test('refuses to go on where the store was put back, instead of leaving out what happened since', async () => {
    const state = join(temporaryFolder(), 'state')
    const whole = sealed
    expect(await positions('--state', state)).toEqual([0, [1, 2, 3], ''])
    const kept = readFileSync(state, 'utf8')
    taken()
    sealed = changedCopy(sealed, 'delete from audit_records where position > 1', 'delete from audit_heads')
    const told = (why: string) => [
      CommandFailure,
      expect.stringContaining(`${state} is not of this trail: ${why}. Was the`),
    ]
    expect(await refusal(runAudit(['export', '--state', state], contextIn(sealed)))).toEqual(
      told('the audit trail ends at position 1, before 3'),
    )
    // As many records as before, and others.
    await withDatabase(contextIn(sealed), async ({ database }) => {
      const more = { action: 'user.updated', resourceKind: 'user', detail: {} } as const
      await database.write(async (tx) => {
        for (const resourceId of ['4', '5', '6'])
          await recordAudit(tx, { ...author, at: instantOf('2026-11-04T00:00:00.000000000Z') }, { ...more, resourceId })
      })
      while ((await sealBatch(database)) > 0);
    })
    expect(await refusal(runAudit(['export', '--state', state], contextIn(sealed)))).toEqual(
      told('the audit trail has another record at position 3'),
    )
    expect([taken().stdout, readFileSync(state, 'utf8')]).toEqual(['', kept])
    // What both have.
    writeFileSync(state, '1\n')
    const [code, there] = await positions('--state', state)
    expect([code, there]).toEqual([0, [2, 3, 4]])
    sealed = whole
  })

  test('refuses a state that is no position or that can be neither read nor written', async () => {
    const place = temporaryFolder()
    const state = join(place, 'state')
    for (const text of ['soon', '', '-1', '1'.repeat(16)]) {
      writeFileSync(state, text)
      expect(await refusal(runAudit(['export', '--state', state], noContext))).toEqual([
        CommandFailure,
        `${state} holds no position; remove it to export everything again`,
      ])
    }
    writeFileSync(state, '1'.repeat(15))
    expect(await refusal(runAudit(['export', '--state', state], contextIn(sealed)))).toEqual([
      CommandFailure,
      expect.stringContaining(`the audit trail ends at position 3, before ${'1'.repeat(15)}. `),
    ])
    expect(await refusal(runAudit(['export', '--state', place], noContext))).toEqual([
      CommandFailure,
      `${place} can't be read (EISDIR)`,
    ])
    const nowhere = join(place, 'none/state')
    expect(await refusal(runAudit(['export', '--state', nowhere], contextIn(sealed)))).toEqual([
      CommandFailure,
      `${nowhere} can't be written (ENOENT); the next export repeats these lines`,
    ])
    if (disk === undefined) return
    writeFileSync(join(disk, 'ballast'), '')
    const full = join(disk, 'state')
    for (let size: number = limits.backupChunkBytes; size > 0; size = Math.floor(size / 2))
      fill(join(disk, 'ballast'), size)
    expect(await refusal(runAudit(['export', '--state', full], contextIn(sealed)))).toEqual([
      CommandFailure,
      `${full} can't be written (ENOSPC); the next export repeats these lines`,
    ])
    expect(readdirSync(disk)).toEqual(['ballast'])
    rmSync(join(disk, 'ballast'))
  })

  test.each([
    [[], 'audit takes a verb: export; "quire help audit" says more'],
    [['export', 'x'], '"quire audit export" takes no argument'],
    [
      ['export', '--state', '-'],
      '- is standard input or output, and this takes a file, which is read and written; ./- is one that is called so',
    ],
    [
      ['export', '--state', ''],
      'a name is empty, and this takes a file, which is read and written; see whether the variable that it comes from is set',
    ],
    [
      ['export', '--since', '1'.repeat(16)],
      `--since takes a position, or an instant such as 2026-11-23T00:00:00Z, not "${'1'.repeat(16)}"`,
    ],
  ])('with %p is refused before anything is opened', async (args, words) => {
    expect(await refusal(runAudit(args, noContext))).toEqual([UsageError, words])
  })
})

describe('quire prove', () => {
  const id = '0198c3d2-7a10-7c00-8000-00000000000a'
  const out = ['-o', 'proof.zip']

  test.each([
    [[], "prove takes an execution's id and an output: quire prove <execution> -o proof.zip"],
    [[id], "prove takes an execution's id and an output: quire prove <execution> -o proof.zip"],
    [[id, id, ...out], "prove takes an execution's id and an output: quire prove <execution> -o proof.zip"],
    [['parent', ...out], 'parent is no id of an execution'],
  ])('with %p is refused before anything is opened', async (args, words) => {
    expect(await refusal(runProve(args, noContext))).toEqual([UsageError, words])
  })

  test('says why an execution cannot be proved, and writes nothing', async () => {
    const path = join(temporaryFolder(), 'proof.zip')
    expect(await refusal(runProve([id, '-o', path], contextIn(folder)))).toEqual([
      CommandFailure,
      `there is no execution ${id}`,
    ])
    const running = changedCopy(folder, `update executions set id = '${id}', status = 'processing' where id = 'child'`)
    expect(await refusal(runProve([id, '-o', path], contextIn(running)))).toEqual([
      CommandFailure,
      `the execution ${id} is processing; prove it when it has ended`,
    ])
    expect(existsSync(path)).toBe(false)
  })
})

describe('a replica', () => {
  let replica: string

  beforeAll(async () => {
    replica = temporaryFolder()
    const lease =
      "insert into leases (name, owner, expires_at) values ('sealer', 'o', '2099-01-01T00:00:00.000000000Z')"
    const copy = changedCopy(folder, lease)
    const [database, own, target] = await Promise.all([
      openDatabase(`file:${databaseOf(copy)}`),
      openObjectStore(`file:${join(copy, 'quire-data/objects')}`),
      openObjectStore(`file:${replica}`),
    ])
    const log = createLog({ level: 'error', readable: false, write: () => {} })
    const replicator = startReplicator({ database, objects: own, target, log, keepDays: 7, everyMs: 5 })
    await until('the replica is complete', () => replicator.lagSeconds() !== undefined)
    await replicator.stop(60_000)
    await Promise.all([database.close(), own.close(), target.close()])
  })

  test('is verified: to which instant it can be restored, and with how many objects', async () => {
    expect(await runVerify([replica], contextIn(temporaryFolder()))).toBe(0)
    const instant = /^(.*): can be restored to (\S+Z), with 3 objects\n$/.exec(taken().stdout)
    expect(instant?.[1]).toBe(replica)
    expect(await runVerify([`file:${replica}`, '--json'], contextIn(temporaryFolder()))).toBe(0)
    const told = { path: `file:${replica}`, restorable_to: instant?.[2], objects: 3, problems: [] }
    expect(JSON.parse(taken().stdout)).toEqual(told)
    for (const command of [runVerify, runRestore])
      expect(await refusal(command([replica, '--identity', 'own'], contextIn(temporaryFolder())))).toEqual([
        UsageError,
        '--identity is for a backup: a replica is not encrypted',
      ])
  })

  test('that is missing is not made by looking for it, and one that can’t be looked at is reported', async () => {
    const where = temporaryFolder()
    const [nowhere, loop] = [join(where, 'nowhere'), join(where, 'loop')]
    symlinkSync(loop, loop)
    for (const command of [runVerify, runRestore]) {
      expect(await refusal(command([`file:${nowhere}`], contextIn(where)))).toEqual([
        ReplicaUnusable,
        `${nowhere} holds no replica; name the folder of QUIRE_REPLICA_URL`,
      ])
      expect(await refusal(command([loop], contextIn(where)))).toEqual([
        CommandFailure,
        `${loop} cannot be read: ELOOP`,
      ])
    }
    expect(readdirSync(where)).toEqual(['loop'])
  })

  test('is verified and restored without what its disk can’t read, and that is told', async () => {
    const hash = hashOf('pdf')
    const cause = Object.assign(new Error('i/o error'), { code: 'EIO' })
    const failing = async (error: unknown) => {
      const store = await openObjectStore(`file:${replica}`)
      const get = async (one: string) => (one === hash ? Promise.reject(error) : store.get(one))
      return Object.create(store, { get: { value: get } }) as ObjectStore
    }
    const unreadable = new ObjectStoreUnavailable('the object directory could not be read', { cause })
    expect(await verifyReplica(await failing(unreadable), replica, false)).toBe(1)
    expect(taken()).toEqual({ stdout: '', stderr: `quire: ${replica}: the object ${hash} is damaged\n` })
    const where = temporaryFolder()
    const restore = async (error: unknown) =>
      restoreReplica({
        ...{ replica: await failing(error), source: replica, at: undefined },
        ...{ config: contextIn(where).prepare(), options: { replace: false } },
      })
    // What may only be away for the moment is asked again by whoever restores.
    const away = new ObjectStoreUnavailable('it does not answer')
    expect(await rejectionOf(restore(away))).toBe(away)
    expect(existsSync(databaseOf(where))).toBe(false)
    expect(await restore(unreadable)).toBe(1)
    const { stdout, stderr } = taken()
    expect(stdout).toMatch(/^restored the state of \S+Z and 2 objects from /)
    expect(stderr).toBe(`quire: ${replica}: 1 object that artifacts name is not in the replica, or damaged there\n`)
  })

  test.if(disk !== undefined)(
    'is neither verified nor restored where there is no room for it, and that is told',
    async () => {
      const elsewhere = temporaryFolder()
      const verified = await runCommand(elsewhere, ['verify', replica], {
        TMPDIR: disk!,
        BUN_TMPDIR: temporaryFolder(),
      })
      expect(verified).toEqual({
        ...{ code: 1, stdout: '' },
        stderr: expect.stringMatching(
          /^quire: there is no room for the database of the replica in .+\/disk\/quire-replica-\w+; make some, or name another folder in TMPDIR\n$/,
        ),
      })
      expect(readdirSync(disk!)).toEqual([])
      const restored = await runCommand(elsewhere, ['restore', replica], { QUIRE_DATA: join(disk!, 'data') })
      expect(restored).toEqual({
        ...{ code: 1, stdout: '' },
        stderr: expect.stringMatching(/^quire: \S+\/data\/quire\.db\.restoring cannot be written: no space is left\n$/),
      })
      expect(readdirSync(join(disk!, 'data')).filter((name) => /^quire\.db(\.restoring)?$/.test(name))).toEqual([])
    },
  )

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'leaves no copy behind where %s ends its verification or restore',
    async (signal) => {
      const [where, temporary] = [temporaryFolder(), temporaryFolder()]
      // A signal that comes late finds it done.
      const codes = [signal === 'SIGINT' ? 130 : 143, 0]
      // The executable unpacks its driver in the other one.
      const environment = { TMPDIR: temporary, BUN_TMPDIR: temporaryFolder() }
      const verifying = startCommand(where, ['verify', replica], environment)
      await until('its copy is begun', () => readdirSync(temporary).length > 0 || verifying.exitCode !== null)
      verifying.kill(signal)
      expect(codes).toContain(await verifying.exited)
      expect(readdirSync(temporary)).toEqual([])
      const restoring = startCommand(where, ['restore', replica])
      const left = () => readdirSync(where, { recursive: true }).filter((name) => String(name).includes('.restoring'))
      await until('its draft is begun', () => left().length > 0 || restoring.exitCode !== null)
      restoring.kill(signal)
      expect(codes).toContain(await restoring.exited)
      expect(left()).toEqual([])
      // The same command does it then.
      expect(await runRestore([replica, '--replace'], contextIn(where))).toBe(0)
      taken()
    },
  )

  test('and a backup are not restored with the objects of another store, whose mark stays', async () => {
    const [other, own, above] = [await makeWholeStore(), changedCopy(folder), temporaryFolder()]
    const mark = join(other, 'quire-data/objects/store')
    const [marked, before] = [readFileSync(mark, 'utf8'), readFileSync(databaseOf(own))]
    const copy = join(above, 'copy.tar')
    expect(await runBackup([copy], contextIn(folder))).toBe(0)
    const words = `says that these are the objects of the store ${marked.trim()}, and the database holds `
    const told = [ConfigError, expect.stringContaining(words)]
    const wrong = { QUIRE_OBJECTS_URL: `file:${join(other, 'quire-data/objects')}` }
    expect(await refusal(runRestore([copy, '--replace'], contextIn(own, wrong)))).toEqual(told)
    expect(await refusal(runRestore([replica, '--replace'], contextIn(own, wrong)))).toEqual(told)
    const restored =
      /^QUIRE_OBJECTS_URL: (.+) says .+ objects of the store (.+), and what is to be restored is of .+ remove \1 if nobody/
    const [, message] = await refusal(runRestore([replica], contextIn(temporaryFolder(), wrong)))
    expect(restored.exec(String(message))?.[2]).toBe(marked.trim())
    expect([readFileSync(mark, 'utf8'), readFileSync(databaseOf(own)).equals(before)]).toEqual([marked, true])
    // In the place of a store with its own objects another one's state may come.
    expect(await runRestore([replica, '--replace'], contextIn(other))).toBe(0)
    expect(readFileSync(mark, 'utf8')).not.toBe(marked)
    taken()
  })

  test('that could not be restored leaves the store in whose place it was to come, and can be restored again', async () => {
    const [other, newFolder] = [await makeWholeStore(), temporaryFolder()]
    const mark = join(other, 'quire-data/objects/store')
    const marked = readFileSync(mark, 'utf8')
    // Where one of its objects belongs is a file.
    const [prefix = ''] = readdirSync(join(folder, 'quire-data/objects')).filter((name) => /^[0-9a-f]{2}$/.test(name))
    const inTheWay = [other, newFolder].map((where) => join(where, 'quire-data/objects', prefix))
    for (const path of inTheWay) {
      rmSync(path, { recursive: true, force: true })
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, '')
    }
    for (const where of [other, newFolder])
      expect(await outcomeOf(runRestore([replica, '--replace'], contextIn(where)))).toThrow()
    expect(readFileSync(mark, 'utf8')).toBe(marked)
    expect([
      existsSync(join(newFolder, 'quire-data/objects/store')),
      existsSync(`${newFolder}/quire-data.store`),
    ]).toEqual([false, false])
    taken()
    for (const path of inTheWay) rmSync(path)
    for (const where of [other, newFolder]) {
      expect(await runRestore([replica, '--replace'], contextIn(where))).toBe(0)
      expect(readFileSync(join(where, 'quire-data/objects/store'), 'utf8')).not.toBe(marked)
    }
    taken()
  })

  const isRoot = process.getuid?.() === 0
  test.if(!isRoot || Bun.which('setpriv') !== null)(
    'and a backup and a store that may not be read are not told to be none',
    async () => {
      const above = temporaryFolder()
      const [copy, there, store] = [join(above, 'copy'), join(above, 'replica'), join(above, 'store')]
      expect(await runBackup([copy], contextIn(folder))).toBe(0)
      taken()
      cpSync(replica, there, { recursive: true })
      cpSync(folder, store, { recursive: true })
      Bun.spawnSync(['chmod', '-R', 'a+rX', above])
      // Nobody's own: root could read it all.
      const asOther = isRoot ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'] : []
      const main = join(import.meta.dir, '../../src/main.ts')
      const verify = (cwd: string, ...args: string[]) => {
        const { exitCode, stdout, stderr } = Bun.spawnSync([...asOther, process.execPath, main, 'verify', ...args], {
          cwd,
          env: { ...bareEnvironment, TMPDIR: '/tmp' },
        })
        return [exitCode, stdout.toString(), stderr.toString()]
      }
      const whileClosed = async (path: string, work: () => void) => {
        const mode = statSync(path).mode
        chmodSync(path, 0)
        try {
          work()
        } finally {
          chmodSync(path, mode)
        }
      }
      expect(verify(above, copy)[0]).toBe(0)
      for (const closed of [join(copy, 'manifest.json'), join(copy, 'objects')])
        await whileClosed(closed, () => {
          const told = `quire: ${copy}: ${closed} cannot be read: permission denied; nothing is known of the backup\n`
          expect([closed, verify(above, copy)]).toEqual([closed, [1, '', told]])
        })
      await whileClosed(copy, () => {
        expect(verify(above, copy)).toEqual([1, '', `quire: ${copy} cannot be read: permission denied\n`])
      })
      for (const closed of [join(there, 'notes'), there])
        await whileClosed(closed, () => {
          expect(verify(above, there)).toEqual([
            1,
            '',
            expect.stringMatching(/^quire: .*\/replica.*: permission denied.*\n$/),
          ])
        })
      const data = join(store, 'quire-data')
      await whileClosed(data, () => {
        expect(verify(store)).toEqual([
          ...[1, ''],
          `quire: ${databaseOf(store)} can't be looked at (EACCES); run this as the user that runs Quire\n`,
        ])
      })
    },
  )

  test('is not kept among the objects of a store, its own or another', async () => {
    for (const place of ['quire-data/objects', join(folder, 'quire-data/objects')]) {
      const { code, stderr } = await runCommand(temporaryFolder(), ['serve'], { QUIRE_REPLICA_URL: `file:${place}` })
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(
          /quire: QUIRE_REPLICA_URL: file:\S+\/quire-data\/objects has the objects of a store in it; give the replica a place of its own\n$/,
        ),
      ])
    }
  })

  test('is restored into a file with its objects, and verifies there', async () => {
    const empty = temporaryFolder()
    expect(await runRestore([replica], contextIn(empty))).toBe(0)
    const first = /^restored the state of \S+Z and 3 objects from (.*)\n$/.exec(taken().stdout)
    expect(first?.[1]).toBe(replica)
    // What an instance held is nobody's here.
    const restored = new Libsql(databaseOf(empty), { readonly: true })
    expect(restored.query('select name from leases').values()).toEqual([])
    restored.close()
    expect(await runVerify([], contextIn(empty))).toBe(0)
    expect(taken().stdout).toContain(': all as they should be\n')
    expect(await refusal(runRestore([replica], contextIn(empty)))).toEqual([
      Error,
      'there is data already; add --replace to put the backup in its place',
    ])
    expect(await runRestore([replica, '--replace', '--json'], contextIn(empty))).toBe(0)
    const again = ['erased', 'holds', 'retention', 'tokens', 'users', 'factors', 'identities', 'webhooks']
    expect(JSON.parse(taken().stdout)).toEqual({
      ...{ path: replica, restored_to: expect.stringMatching(/Z$/), objects: 3, warnings: [], problems: [] },
      kept: expect.stringContaining('quire.db.before-restore-'),
      ...Object.fromEntries(again.map((name) => [`${name}_again`, []])),
    })
    const server = contextIn(empty, { QUIRE_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    expect(await refusal(runRestore([replica], server))).toEqual([
      UsageError,
      'a replica is restored into a file; restore it on this machine, and take "quire move" from there',
    ])
  })

  test('without an object is restored without it, which is said with exit code 1', async () => {
    const lacking = temporaryFolder()
    cpSync(replica, lacking, { recursive: true })
    const hash = hashOf('pdf')
    const path = join(lacking, hash.slice(0, 2), hash.slice(2, 4), hash)
    rmSync(path)
    expect(await runVerify([lacking], contextIn(temporaryFolder()))).toBe(1)
    expect(taken()).toEqual({ stdout: '', stderr: `quire: ${lacking}: the object ${hash} is missing\n` })
    const empty = temporaryFolder()
    expect(await runRestore([lacking], contextIn(empty))).toBe(1)
    const said = taken()
    expect(said.stderr).toBe(
      `quire: ${lacking}: 1 object that artifacts name is not in the replica, or damaged there
`,
    )
    expect(said.stdout).toMatch(/^restored the state of \S+Z and 2 objects from /)
    // The store may have it.
    const store = await openObjectStore(`file:${join(empty, 'quire-data/objects')}`)
    await store.put(hash, new TextEncoder().encode(objects.pdf))
    await store.close()
    expect(await runRestore([lacking, '--replace'], contextIn(empty))).toBe(0)
    expect(taken().stderr).toBe('')
    writeFileSync(path, 'other')
    expect(await runVerify([lacking, '--json'], contextIn(temporaryFolder()))).toBe(1)
    expect(JSON.parse(taken().stdout)).toMatchObject({ problems: [`the object ${hash} is damaged`], objects: 3 })
    // All others are restored nevertheless.
    expect(await runRestore([lacking], contextIn(temporaryFolder()))).toBe(1)
    const damaged = taken()
    expect(damaged.stderr).toBe(said.stderr)
    expect(damaged.stdout).toMatch(/^restored the state of \S+Z and 2 objects from /)
  })

  test('is asked for an instant that it has, and one that is named has to be there', async () => {
    expect(await refusal(runRestore([replica, '--at', '2020-01-01T00:00:00Z'], contextIn(temporaryFolder())))).toEqual([
      expect.anything(),
      `${replica}: it begins only after 2020-01-01T00:00:00.000Z; take a later instant`,
    ])
    const nowhere = join(temporaryFolder(), 'none')
    for (const command of [runVerify, runRestore])
      expect(await refusal(command([`file:${nowhere}`], contextIn(temporaryFolder())))).toEqual([
        expect.anything(),
        `${nowhere} holds no replica; name the folder of QUIRE_REPLICA_URL`,
      ])
    expect(existsSync(nowhere)).toBe(false)
    // A folder with such a name in it is none by that.
    const other = temporaryFolder()
    mkdirSync(join(other, 'notes'))
    expect(await runVerify([other], contextIn(temporaryFolder()))).toBe(1)
    expect(taken().stderr).toBe(`quire: ${other}: it is no backup, or one that broke off: it has no manifest.json\n`)
  })
})
