import { isJsonObject, type JsonObject, type JsonValue, readJson } from './json.ts'

/**
 * Does work over rows that outsiders may have changed. A value that Quire can't have written, such as broken JSON, is
 * reported, and the checks that follow still run.
 *
 * @param what names the rows
 * @throws errors that aren't about the rows, such as an unavailable database
 */
export async function unlessUnreadable<T>(
  { report }: { report(problem: string): void },
  what: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isUnreadable(error)) throw error
    report(`${what}: a value can't be read (${(causeInRows(error) ?? error).message})`)
    return undefined
  }
}

/** Whether reading failed because of what was read. */
export function isUnreadable(error: unknown): error is Error {
  if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError) return true
  return error instanceof Error && causeInRows(error) !== undefined
}

/** The driver refuses numbers beyond JavaScript's; drizzle wraps that error in one about the statement. */
function causeInRows({ cause }: Error): Error | undefined {
  return cause instanceof RangeError ? cause : undefined
}

/** A value that no Quire has written was found in this column of the database. */
export class StoredValueUnreadable extends SyntaxError {
  constructor(
    readonly where: string,
    cause: unknown,
  ) {
    super(`what is stored as ${where} can't be read (${cause instanceof Error ? cause.message : cause})`, { cause })
  }
}

/** Replaces an object in a row that can't be read; answers have `{"unreadable": "…"}` instead. */
export class Unreadable {
  constructor(readonly unreadable: string) {}
}

/** @throws StoredValueUnreadable for the reading of one thing, which is nothing without it */
export function requireReadable<T>(value: T, where: string): T {
  if (value instanceof Unreadable) throw new StoredValueUnreadable(where, value.unreadable)
  return value
}

/** Tuned: texts that JSON.parse may read, since they can't be nested too deeply to be written again. */
const SHORT_CHARS = 8_192

/** An object as it is stored, for whoever shows it among others; never throws. */
export function readStoredObject(text: string): JsonObject | Unreadable {
  try {
    const read = text.length > SHORT_CHARS || /\\ud/i.test(text) ? strictly(text) : (JSON.parse(text) as JsonValue)
    return isJsonObject(read) ? read : new Unreadable('It is not an object.')
  } catch (error) {
    return new Unreadable((error as Error).message)
  }
}

function strictly(text: string): JsonValue {
  const read = readJson(text)
  if (!read.ok) throw new SyntaxError(read.findings[0]?.message)
  return read.value
}
