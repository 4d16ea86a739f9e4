import { expect, test } from 'bun:test'
import { and, DrizzleQueryError, eq, sql } from 'drizzle-orm'
import { parseInstant } from '../../src/core/instant.ts'
import { BuiltStatement, type Executor } from '../../src/db/built-statement.ts'
import { connectionOver } from '../../src/db/libsql-connection.ts'
import { rowPlaceholders } from '../../src/db/prepared.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'

const at = parseInstant('2026-11-20T09:30:00Z')!

/** An executor that answers everything with these rows, or fails, and what it was asked. */
function answering(rows: unknown[][], fault?: Error) {
  const asked: { sql: string; args: unknown[] }[] = []
  const executor: Executor = {
    execute: async (statement) => {
      asked.push(statement)
      if (fault !== undefined) throw fault
      return { rows }
    },
  }
  return { executor, asked }
}

const { q, t } = connectionOver(answering([]).executor)
const byId = q
  .select({ id: t.users.id, disabled: t.users.disabled, roles: t.users.roles })
  .from(t.users)
  .where(and(eq(t.users.username, sql.placeholder('name')), eq(t.users.disabled, false)))
  .prepare()
const change = q
  .update(t.users)
  .set({ roles: sql.placeholder('roles') as never, disabled: sql.placeholder('disabled') as never })
  .where(eq(t.users.id, sql.placeholder('id')))
  .prepare()
const insertThrottle = q.insert(t.throttles).values(rowPlaceholders(t.throttles, 0)).prepare()

function over(prepared: object, { executor }: { executor: Executor }, logged: unknown[] = []) {
  return new BuiltStatement(prepared, executor, () => ({ logQuery: (text, args) => logged.push([text, args]) }))
}

test('a built statement gives its values in the form of their columns, and maps rows that it selects', async () => {
  const reader = answering([['u1', 1, '["operator"]']])
  const logged: unknown[] = []
  const statement = over(byId, reader, logged)
  expect(await statement.execute({ name: 'ada' })).toEqual([{ id: 'u1', disabled: true, roles: ['operator'] }])
  expect(reader.asked.map(({ args }) => args)).toEqual([['ada', 0]])
  expect(logged).toEqual(reader.asked.map(({ sql, args }) => [sql, args]))
})

test('a built statement writes values in the form of their columns', async () => {
  const writer = answering([])
  await over(change, writer).execute({ id: 'u1', roles: ['auditor'], disabled: true })
  expect(writer.asked).toMatchObject([
    { sql: 'update "users" set "roles" = ?, "disabled" = ? where "users"."id" = ?', args: ['["auditor"]', 1, 'u1'] },
  ])
})

test('a built statement that changes rows gives what the connection answers', async () => {
  const writer = answering([])
  const values = { '0.key': 'k', '0.failures': 2, '0.windowStartedAt': at, '0.blockedUntil': null }
  expect(await over(insertThrottle, writer).execute(values)).toEqual({ rows: [] })
  expect(writer.asked.map(({ args }) => args.toSorted())).toEqual([['k', 2, at, null].toSorted()])
})

test('a built statement without one of its values is not run, and names it; undefined is a value', async () => {
  const reader = answering([])
  const statement = over(byId, reader)
  for (const run of [() => statement.execute(), () => statement.execute({ other: 1 })]) {
    expect(await outcomeOf(run())).toThrow('No value for placeholder "name" was provided')
  }
  expect(reader.asked).toEqual([])
  await statement.execute({ name: undefined })
  expect(reader.asked).toHaveLength(1)
})

test('a fault of a built statement says which statement it was, with the cause that callers look at', async () => {
  const fault = Object.assign(new Error('UNIQUE constraint failed'), { code: 'SQLITE_CONSTRAINT' })
  const failed = answering([], fault)
  const error = await rejectionOf(over(byId, failed).execute({ name: 'ada' }))
  expect(error).toBeInstanceOf(DrizzleQueryError)
  expect(error).toMatchObject({ query: failed.asked[0]?.sql, params: ['ada', 0], cause: fault })
})

test('a statement for one row is refused where it is built', () => {
  expect(() => over({ query: { sql: 'select 1', params: [] }, executeMethod: 'get' }, answering([]))).toThrow(
    'a statement for one row',
  )
})
