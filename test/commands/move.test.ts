/** A move stopped between two of its steps, in this process; test/crash/move-kills kills it there. */
import { Database as Libsql } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type MovePlaces, type MovePoint, moveStore } from '../../src/commands/move.ts'
import { runVerify } from '../../src/commands/verify.ts'
import { ConfigError } from '../../src/config.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { lockDatabaseFile } from '../../src/db/file-lock.ts'
import { movedTo, SchemaTooNewError } from '../../src/db/migrate.ts'
import { emptyDatabaseUrl, temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { postgresAvailable } from '../support/postgres.ts'
import { catchPrinted } from '../support/printed.ts'
import { contextIn } from './answering.ts'
import { changedCopy, makeWholeStore } from './whole-store.ts'

catchPrinted()
const stopped = new Error('stopped')
let folder: string

beforeAll(async () => {
  folder = await makeWholeStore()
})

/** A copy of the store, and where it is to be moved to. */
function moving(...statements: string[]) {
  const [from, to] = [changedCopy(folder, ...statements), temporaryFolder()]
  const places: MovePlaces = {
    ...{ fromDatabase: `file:${join(from, 'quire-data/quire.db')}`, toDatabase: `file:${join(to, 'new.db')}` },
    ...{ fromObjects: `file:${join(from, 'quire-data/objects')}`, toObjects: `file:${join(to, 'objects')}` },
  }
  const [source, target] = [places.fromDatabase, places.toDatabase].map((url) => url.slice('file:'.length)) as [
    string,
    string,
  ]
  const context = contextIn(to, { QUIRE_DATABASE_URL: places.toDatabase, QUIRE_OBJECTS_URL: places.toObjects })
  return { places, source, target, context }
}

/** Stops a move at the point of that name, when it comes there for the nth time. */
function stopAt(point: MovePoint, nth = 1): (reached: MovePoint) => void {
  let times = 0
  return (reached) => {
    if (reached === point && ++times === nth) throw stopped
  }
}

function change(path: string, statement: string): void {
  const database = new Libsql(path)
  database.exec(statement)
  database.close()
}

function valuesOf(path: string, query: string): unknown[] {
  const database = new Libsql(path, { readonly: true })
  const values = database.query(query).values().flat()
  database.close()
  return values
}

const facts = 'select name || value from quire_store order by name'

describe('a move', () => {
  test.each<[MovePoint, number]>([
    ['opened', 1],
    ['marked', 1],
    ['object', 2],
    ['table', 1],
    ['table', 20],
    ['compared', 1],
    ['left', 1],
  ])('that was stopped at “%s” (%i) goes on there, and brings everything along', async (point, nth) => {
    const { places, source, target, context } = moving()
    change(source, "insert into quire_store values ('backup', '2026-11-20T09:30:00.000000000Z')")
    expect(await rejectionOf(moveStore(places, stopAt(point, nth)))).toBe(stopped)
    expect(await moveStore(places)).toMatchObject({ moved: true, rows: 19, objects: 3 })
    expect(valuesOf(target, facts)).toEqual(valuesOf(source, facts))
    expect(valuesOf(target, facts)).toHaveLength(2)
    expect(valuesOf(target, "select count(*) from sqlite_master where name = 'quire_move'")).toEqual([0])
    expect(await runVerify(['--json'], context)).toBe(0)
  })

  test('is not called whole where a row of the new place is another by then', async () => {
    const { places, source, target } = moving()
    expect(await rejectionOf(moveStore(places, stopAt('compared')))).toBe(stopped)
    change(target, "update submissions set object_reference = 'P-2'")
    expect(await rejectionOf(moveStore(places))).toEqual(
      new Error('the table submissions did not arrive as it was; empty the new database and move again'),
    )
    change(target, "update submissions set object_reference = 'P-1'")
    change(target, "delete from project_files where path = 'cases/a/one.json'")
    expect(String(await rejectionOf(moveStore(places)))).toContain('the table project_files did not arrive')
    expect(valuesOf(source, "select name from quire_migrations where name like 'moved-away%'")).toEqual([])
  })

  test('of a database that is in use is refused, and the process that uses it is named', async () => {
    const { places, source, target } = moving()
    const unlock = lockDatabaseFile(source)
    const refused = await rejectionOf(moveStore(places))
    unlock()
    expect(refused).toBeInstanceOf(ConfigError)
    expect(String(refused)).toContain(`file:${source} can't be moved: ${source} is in use by process ${process.pid} `)
    expect(existsSync(target)).toBe(false)
  })

  test('leaves nothing behind that a newer version has added: it is refused', async () => {
    const { places } = moving(
      "insert into quire_migrations (name, applied_at, kind) values ('9999_later', '2026-11-20T09:30:00.000000000Z', 'expands')",
    )
    expect(await rejectionOf(moveStore(places))).toBeInstanceOf(SchemaTooNewError)
  })

  test.if(postgresAvailable)(
    'from a server is refused while an instance runs there, also one that came meanwhile',
    async () => {
      const { places } = moving()
      const toDatabase = await emptyDatabaseUrl('postgres')
      expect(await moveStore({ ...places, toDatabase })).toMatchObject({ moved: true })
      const back = join(temporaryFolder(), 'back.db')
      const from: MovePlaces = {
        ...{ fromDatabase: toDatabase, fromObjects: places.toObjects },
        ...{ toDatabase: `file:${back}`, toObjects: `file:${join(temporaryFolder(), 'objects')}` },
      }
      const server = await openDatabase(toDatabase)
      const serve = (seconds: number) =>
        server.write((tx) =>
          tx.rows(
            sql`insert into leases (name, owner, expires_at) values ('instance/0.34.0/one', 'one', ${tx.clockPlus(seconds * 1_000)})
              on conflict (name) do update set expires_at = excluded.expires_at`,
          ),
        )
      const refused = expect.stringMatching(/^a move is not for a database that is served, and 1 uses this database/)
      await serve(60)
      expect(await rejectionOf(moveStore(from))).toMatchObject({ message: refused })
      expect(existsSync(back)).toBe(false)
      await serve(-60)
      let began: Promise<unknown> | undefined
      const whileMoving = moveStore(from, (point) => {
        if (point === 'objects') began = serve(60)
      })
      expect(await rejectionOf(whileMoving)).toMatchObject({ message: refused })
      await began
      expect(await movedTo(server.read)).toBeUndefined()
      await serve(-60)
      expect(await moveStore(from)).toMatchObject({ moved: true, rows: 19, objects: 3 })
      expect(await movedTo(server.read)).toStartWith(`file:${back}`)
      await server.close()
    },
  )
})
