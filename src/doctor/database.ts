import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import { epochMsNow } from '../core/clock.ts'
import { causesOf, detailOf, wordsOf } from '../core/error-cause.ts'
import { epochMsOf } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import { withoutCredentials } from '../core/redact.ts'
import { markFiles, readMarks } from '../data-folder.ts'
import { readClock } from '../db/clock.ts'
import { openDatabase } from '../db/connect.ts'
import type { Connection, Database } from '../db/database.ts'
import {
  appliedMigrations,
  changedSchema,
  laterMigrations,
  pendingMigrations,
  requireOwnSchema,
} from '../db/migrate.ts'
import { postgresHosts } from '../db/postgres-hosts.ts'
import { findStoreId } from '../db/store-id.ts'
import { differenceInWords } from './clock.ts'
import { newestRecordAt, readFileFacts, readServerFacts } from './facts.store.ts'
import { advice, type Finding, fine, within, wrong } from './finding.ts'
import { isLoopback } from './settings.ts'

const check = 'database'

/** Whether the database answers, holds this store, and has the schema of this version. It is opened for reading. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const { databaseUrl } = config
  const name = withoutCredentials(databaseUrl)
  if (databaseUrl.startsWith('file:') && !existsSync(databaseUrl.slice('file:'.length))) return [notThere(config, name)]
  let database: Database | undefined
  try {
    database = await within(limits.doctorAskMs, openDatabase(databaseUrl, { readOnly: true }))
    return await within(limits.doctorDatabaseMs, examine(database, config, name))
  } catch (error) {
    return [wrong(check, `${name} can't be used: ${wordsOf(error)}`, remedyOf(error))]
  } finally {
    await database?.close().catch(() => {})
  }
}

function notThere(config: Config, name: string): Finding {
  const marks = readMarks(config)
  const id = marks.objects ?? marks.beside
  if (id === undefined) return fine(check, `${name} is made by the first start`)
  const files = markFiles(config)
  const mark = marks.objects !== undefined ? files.objects : files.beside
  return wrong(
    check,
    `${name} is not there, and ${mark} says that the store ${id} was served here`,
    'bring its file back (is its volume mounted?), or restore a backup with quire restore',
  )
}

async function examine(database: Database, config: Config, name: string): Promise<Finding[]> {
  const about =
    database.dialect === 'postgres' ? await examineServer(database.read, config) : await examineFile(database)
  const found = [...about.findings, ...(await examineSchema(database)), ...(await examineStore(database, config))]
  const clock = [await compareClocks(database)]
  if (found.length > 0) return [...found, ...clock]
  const migrations = (await appliedMigrations(database.read)).length
  const schema =
    migrations === 0 ? 'empty: the first start makes its tables' : `all ${migrations} migrations as they should be`
  return [fine(check, `${name}: ${about.version}, UTF-8, ${schema}`), ...clock]
}

async function examineSchema(database: Database): Promise<Finding[]> {
  try {
    await requireOwnSchema(database)
  } catch (error) {
    // What refuses a schema says what to do behind a semicolon.
    const [, what = wordsOf(error), remedy = 'restore a backup with quire restore --replace'] =
      /^(.*); (.*)$/.exec(wordsOf(error)) ?? []
    return [wrong(check, what, remedy)]
  }
  if ((await appliedMigrations(database.read)).length === 0) return []
  const missing = await pendingMigrations(database)
  if (missing.length > 0) {
    const what = `the schema is an earlier version's: it lacks ${missing.join(', ')}`
    return [advice(check, what, 'make a backup with the earlier version; the next start brings the schema up to date')]
  }
  const later = await laterMigrations(database.read)
  const ahead =
    later.length === 0
      ? []
      : [
          advice(
            check,
            `a newer version has added ${later.join(', ')}; this one may run beside it`,
            'finish the upgrade, or leave it so after a way back',
          ),
        ]
  const changed = await changedSchema(database)
  const undo = 'undo that, or restore a backup with quire restore --replace'
  return [...ahead, ...changed.map((difference) => wrong(check, `the schema was changed: ${difference}`, undo))]
}

async function examineStore(database: Database, config: Config): Promise<Finding[]> {
  const id = await findStoreId(database.read)
  const marks = readMarks(config)
  const files = markFiles(config)
  if (marks.objects !== undefined && id !== undefined && marks.objects !== id) {
    const what = `the database holds the store ${id}, and ${files.objects} says that the objects are those of ${marks.objects}`
    return [wrong(check, what, 'name the database and the objects of one store')]
  }
  const expected = marks.objects ?? marks.beside
  if (id !== undefined || expected === undefined || (await appliedMigrations(database.read)).length > 0) return []
  return [
    wrong(
      check,
      `the database is empty, and ${marks.objects === undefined ? files.beside : files.objects} says that the store ${expected} was served here`,
      'correct QUIRE_DATABASE_URL, or restore a backup with quire restore',
    ),
  ]
}

interface About {
  version: string
  findings: Finding[]
}

async function examineFile(database: Database): Promise<About> {
  const { version, encoding } = await readFileFacts(database.read)
  const findings =
    encoding === 'UTF-8'
      ? []
      : [wrong(check, `the text of the database is ${encoding}`, 'restore a backup into a new one')]
  return { version: `SQLite ${version}`, findings }
}

async function examineServer(connection: Connection, { databaseUrl }: Config): Promise<About> {
  const facts = await readServerFacts(connection)
  if (facts === undefined) return { version: 'PostgreSQL', findings: [] }
  const wanted = limits.databaseConnections + 1
  const isRemote = postgresHosts(databaseUrl).some(({ hostname }) => !isLoopback(hostname))
  const findings = [
    facts.encoding !== 'UTF8' &&
      wrong(
        check,
        `the text of the database is ${facts.encoding}`,
        "make one with create database … encoding 'UTF8' template template0",
      ),
    (facts.standby || facts.readonly === 'on') &&
      wrong(check, 'the server only reads: it is a standby, or set so', 'name the primary in QUIRE_DATABASE_URL'),
    facts.fsync === 'off' &&
      wrong(
        check,
        'fsync is off: the database may be destroyed when the power fails',
        'set fsync = on in postgresql.conf',
      ),
    facts.commits === 'off' &&
      advice(check, 'synchronous_commit is off: the last commits are lost in a crash', 'set it on for this database'),
    facts.statements !== '0' &&
      advice(
        check,
        `statement_timeout is ${facts.statements}: what takes longer, such as a backup or a migration, fails`,
        'set it to 0 for the role of Quire',
      ),
    facts.locks !== '0' &&
      advice(
        check,
        `lock_timeout is ${facts.locks}: requests that wait longer for each other are answered with 500`,
        'set it to 0 for the role of Quire',
      ),
    facts.free < wanted &&
      advice(
        check,
        `room for ${Math.max(0, facts.free)} more connections, and an instance holds ${wanted}`,
        'raise max_connections',
      ),
    isRemote &&
      facts.encrypted === false &&
      advice(check, 'the connection is not encrypted', 'add ?sslmode=require to QUIRE_DATABASE_URL'),
  ]
  return { version: `PostgreSQL ${facts.version}`, findings: findings.filter((one) => one !== false) }
}

/** A server's clock, or for a file the newest record that this machine has made. */
async function compareClocks(database: Database): Promise<Finding> {
  const applied = await appliedMigrations(database.read)
  const newest = applied.length === 0 ? undefined : await newestRecordAt(database.read)
  const before = epochMsNow()
  const now = epochMsOf(await readClock(database))
  const after = epochMsNow()
  // The answer is of some moment between the two: only what lies outside of them is a difference.
  const aheadMs = now > after ? now - after : now < before ? now - before : 0
  if (Math.abs(aheadMs) > limits.doctorClockMs) {
    return advice(
      'clock',
      `the database's clock is ${differenceInWords(aheadMs)} this machine's`,
      'let both follow a time server (timedatectl set-ntp true); records have the time of the database',
    )
  }
  const newestMs = newest === undefined ? 0 : epochMsOf(newest)
  if (newestMs - after > limits.doctorClockMs) {
    return wrong(
      'clock',
      `the newest record of the store is from ${newest?.slice(0, 19)}Z, which is to come: the clock was set back, or is wrong`,
      'set the clock right: timedatectl set-ntp true',
    )
  }
  return fine('clock', `${new Date(after).toISOString().slice(0, 19)}Z, as the database's`)
}

const remedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'start the server, or correct host and port in QUIRE_DATABASE_URL',
  ENOTFOUND: 'correct the host in QUIRE_DATABASE_URL',
  CONNECT_TIMEOUT: 'correct the host in QUIRE_DATABASE_URL, or let the firewall pass the port',
  '28P01': 'correct user and password in QUIRE_DATABASE_URL',
  '28000': 'let this user in by pg_hba.conf, or correct QUIRE_DATABASE_URL',
  '3D000': 'make the database, or correct its name in QUIRE_DATABASE_URL',
  '42501': 'grant the user what it lacks: it owns the database, or may create in its schema',
  '53300': 'raise max_connections, or run fewer instances',
  SQLITE_NOTADB: 'it is no database: name the right file, or restore a backup',
  SQLITE_CORRUPT: 'run quire verify to see what is damaged, and restore a backup',
  SQLITE_CANTOPEN: 'give the file and its folder to the user that runs Quire',
  EACCES: 'give the file and its folder to the user that runs Quire',
}

function remedyOf(error: unknown): string {
  for (const cause of causesOf(error)) {
    const remedy = remedies[detailOf(cause) ?? '']
    if (remedy !== undefined) return remedy
  }
  return 'correct QUIRE_DATABASE_URL, or mend what it names'
}
