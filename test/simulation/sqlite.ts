import { Database } from 'bun:sqlite'

/** A statement as `@libsql/client` takes it. */
export type Asked = string | { sql: string; args?: unknown }

/** What is read of a result: rows by place, and by name. */
export interface Answer {
  columns: string[]
  rows: unknown[]
  rowsAffected: number
}

type Prepared = ReturnType<Database['query']>

interface Known {
  statement: Prepared
  /** For each placeholder in order whether it takes the clock's instant instead of an argument. */
  clocks: boolean[] | undefined
  columns: string[] | undefined
  /** Names by which values are read, each with its place. */
  names: (readonly [name: string, place: number])[]
}

/** SQLite in memory, with a clock that is told: where a statement says `'now'`, it gets the simulated time. */
export class MemoryDatabase {
  #database: Database
  readonly #known = new Map<string, Known>()
  /** Those of the model, and what begins and ends transactions; by itself the driver keeps twenty. */
  readonly #plain = new Map<string, Prepared>()

  constructor(image?: Uint8Array) {
    this.#database = image === undefined ? new Database(':memory:') : Database.deserialize(image)
    this.#database.run('PRAGMA foreign_keys=ON')
  }

  run(asked: Asked, epochMs: number): Answer {
    const text = typeof asked === 'string' ? asked : asked.sql
    const given = typeof asked === 'string' ? [] : ((asked.args ?? []) as unknown[])
    const known = this.#prepared(text)
    const values = known.clocks === undefined ? [...given] : withClock(given, known.clocks, epochMs)
    for (let place = 0; place < values.length; place++) values[place] = forSqlite(values[place])
    const found = known.statement.values(...(values as never[])) as unknown[][]
    if (known.columns === undefined) {
      known.columns = known.statement.columnNames
      // Two columns of one name: the first counts, as with the driver. One that is called 0 is no place.
      known.names = known.columns
        .map((name, place) => [name, place] as const)
        .reverse()
        .filter(([name]) => !/^\d/.test(name))
    }
    for (const row of found) {
      const named = row as unknown as Record<string, unknown>
      for (const [name, place] of known.names) named[name] = row[place]
    }
    return { columns: known.columns, rows: found, rowsAffected: 0 }
  }

  /** For the model, which looks at the rows by itself. */
  all<Row>(text: string, ...values: (string | number)[]): Row[] {
    return this.#plainly(text).all(...values) as Row[]
  }

  exec(text: string): void {
    this.#plainly(text).run()
  }

  image(): Uint8Array {
    return this.#database.serialize()
  }

  /** Goes back to what was there when the image was made. */
  become(image: Uint8Array): void {
    this.#known.clear()
    this.#plain.clear()
    this.#database.close()
    this.#database = Database.deserialize(image)
    this.#database.run('PRAGMA foreign_keys=ON')
  }

  #plainly(text: string): Prepared {
    let statement = this.#plain.get(text)
    if (statement === undefined) {
      statement = this.#database.prepare(text)
      this.#plain.set(text, statement)
    }
    return statement
  }

  #prepared(text: string): Known {
    let known = this.#known.get(text)
    if (known === undefined) {
      const { sql, clocks } = withoutNow(text)
      known = {
        statement: this.#database.prepare(sql),
        clocks: clocks.includes(true) ? clocks : undefined,
        columns: undefined,
        names: [],
      }
      this.#known.set(text, known)
    }
    return known
  }
}

/**
 * The simulated clock's instant in place of `'now'`, and `+?` in place of `?`, which is the same to SQLite but for one thing: it
 * looks at a bare value to choose its plan, and would then make the plan anew for each value.
 */
function withoutNow(text: string): { sql: string; clocks: boolean[] } {
  const clocks: boolean[] = []
  const sql = text.replace(/'(?:[^']|'')*'|"[^"]*"|\?/g, (part) => {
    if (part !== '?' && part !== "'now'") return part
    clocks.push(part !== '?')
    return '+?'
  })
  return { sql, clocks }
}

function withClock(given: readonly unknown[], clocks: readonly boolean[], epochMs: number): unknown[] {
  const now = new Date(epochMs).toISOString().replace('T', ' ').slice(0, 23)
  let place = 0
  return clocks.map((isClock) => (isClock ? now : given[place++]))
}

function forSqlite(value: unknown): unknown {
  return value === undefined ? null : typeof value === 'boolean' ? Number(value) : value
}
