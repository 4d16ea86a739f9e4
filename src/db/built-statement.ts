import { DrizzleQueryError, is, Param, Placeholder } from 'drizzle-orm'

/** Runs a single SQLite statement. */
export interface Executor {
  execute(statement: { sql: string; args: never[] }): Promise<unknown>
}

/** The parts of a statement prepared by drizzle that are used here. */
interface Prepared {
  query: { sql: string; params: readonly unknown[] }
  executeMethod: 'run' | 'all' | 'get'
  mapAllResult(rows: unknown): unknown
}

export interface Logger {
  logQuery(statement: string, args: unknown[]): void
}

type Values = Readonly<Record<string, unknown>>

/** An argument of a statement, computed from the values of a call. */
type Argument = (values: Values) => unknown

/**
 * A statement prepared by drizzle, run on a connection to SQLite without drizzle. drizzle's own way, through copies of the
 * statement and a disabled cache, takes several times as long as SQLite itself.
 */
export class BuiltStatement {
  readonly #shape: Shape
  readonly #executor: Executor
  readonly #loggerOf: () => Logger

  constructor(prepared: object, executor: Executor, loggerOf: () => Logger) {
    this.#shape = shapeOf(prepared as Prepared)
    this.#executor = executor
    this.#loggerOf = loggerOf
  }

  async execute(values: Values = {}): Promise<unknown> {
    const { sql, prepared } = this.#shape
    const args = this.#shape.args.map((argument) => argument(values))
    this.#loggerOf().logQuery(sql, args)
    let result: { rows: unknown }
    try {
      result = (await this.#executor.execute({ sql, args: args as never[] })) as { rows: unknown }
    } catch (cause) {
      throw new DrizzleQueryError(sql, args, cause as Error)
    }
    return prepared.executeMethod === 'all' ? prepared.mapAllResult(result.rows) : result
  }
}

interface Shape {
  prepared: Prepared
  sql: string
  args: readonly Argument[]
}

const shapes = new WeakMap<Prepared, Shape>()

function shapeOf(prepared: Prepared): Shape {
  let shape = shapes.get(prepared)
  if (shape === undefined) {
    if (prepared.executeMethod === 'get') throw new Error('a statement for one row is not run here')
    const { sql, params } = prepared.query
    shape = { prepared, sql, args: params.map(argumentOf) }
    shapes.set(prepared, shape)
  }
  return shape
}

function argumentOf(param: unknown): Argument {
  if (is(param, Placeholder)) return (values) => given(values, param.name)
  if (is(param, Param) && is(param.value, Placeholder)) {
    const { value, encoder } = param
    return (values) => encoder.mapToDriverValue(given(values, value.name))
  }
  return () => param
}

function given(values: Values, name: string): unknown {
  const value = values[name]
  if (value === undefined && !(name in values)) throw new Error(`No value for placeholder "${name}" was provided`)
  return value
}
