import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { Connection, Database, Dialect } from '../../src/db/database.ts'

/** Bodies made from an acceptable one that no JSON operation may accept, whatever it does, each with what it breaks. */
export function brokenBodies(good: Record<string, unknown>): [name: string, text: string][] {
  const text = JSON.stringify(good)
  const open = text === '{}' ? '{' : `${text.slice(0, -1)},`
  const [first = 'a'] = Object.keys(good)
  const withFirst = (json: string) => JSON.stringify({ ...good, [first]: '@' }).replace('"@"', () => json)
  return [
    ['nothing at all', ''],
    ['text that is not JSON', `${text}}`],
    ['a byte order mark', `\uFEFF${text}`],
    ['an array', `[${text}]`],
    ['null', 'null'],
    ['an unknown property', `${open}"colour":"red"}`],
    ['__proto__', `${open}"__proto__":{}}`],
    ['a key given twice', `${open}${JSON.stringify(first)}:1,${JSON.stringify(first)}:2}`],
    ['half of a surrogate pair', withFirst('"\\ud800"')],
    ['the NUL character', withFirst('"a\\u0000b"')],
    ['a number that no double holds', withFirst('12345678901234567890')],
    ['an infinite number', withFirst('1e400')],
    ['a tower of arrays', withFirst(`${'['.repeat(200)}${']'.repeat(200)}`)],
  ]
}

/** The same body without each property in turn, and with a value of every other type in each. */
export function brokenProperties(good: Record<string, unknown>, optional: readonly string[] = []): [string, string][] {
  const bodies: [string, string][] = []
  for (const [name, value] of Object.entries(good)) {
    const { [name]: _, ...rest } = good
    if (!optional.includes(name)) bodies.push([`no ${name}`, JSON.stringify(rest)])
    for (const other of [null, true, 7.5, 'text', [], {}]) {
      if (typeof other === typeof value && (other === null) === (value === null)) continue
      bodies.push([`${name} ${JSON.stringify(other)}`, JSON.stringify({ ...good, [name]: other })])
    }
  }
  return bodies
}

/**
 * Everything that a refusal must leave as it was: all rows but those that reading and logging in touch. One statement, because it is
 * asked for before and after each of hundreds of refusals.
 */
export async function stateOf({ read }: Database): Promise<string> {
  statements[read.dialect] ??= statementFor(read)
  return Bun.hash(JSON.stringify(await read.rows(sql.raw(statements[read.dialect]!)))).toString(16)
}

const statements: { [dialect in Dialect]?: string } = {}

function statementFor({ dialect, t }: Connection): string {
  const { sessions: _sessions, throttles: _throttles, leases: _leases, ...tables } = t
  return Object.values(tables)
    .map((table) => {
      const name = getTableName(table)
      const columns = Object.values(getTableColumns(table)).map((column) => `quote("${column.name}")`)
      const content =
        dialect === 'postgres'
          ? `md5(string_agg("${name}"::text, ' ' order by "${name}"::text))`
          : `group_concat(${columns.join(" || ',' || ")}, ' ')`
      return `select '${name}' as name, ${content} as content from "${name}"`
    })
    .join(' union all ')
}
