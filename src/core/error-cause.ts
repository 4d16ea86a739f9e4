import { limits } from './limits.ts'
import { withoutCredentialsIn } from './redact.ts'

/** An error and the errors behind it (`cause`), outermost first; nothing for a value that isn't an error. */
export function* causesOf(error: unknown): Generator<Error> {
  let cause = error
  for (let depth = 0; cause instanceof Error && depth < limits.errorCauses; depth++) {
    yield cause
    cause = cause.cause
  }
}

/** A text or number, such as `code`, that a system or a driver adds to its errors; as text. */
export function detailOf(error: unknown, name = 'code'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Whether the system says that there is no such file, nor a folder that could hold it. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(detailOf(error) ?? '')
}

/** An error's own words, without what it was asked, and without credentials. */
export function wordsOf(error: unknown): string {
  // drizzle's message is the statement; what the driver says is behind it.
  const inner = error instanceof Error && error.message.startsWith('Failed query:') ? (error.cause ?? error) : error
  const message = inner instanceof Error ? inner.message : String(inner)
  const [line = ''] = message.split('\n')
  return withoutCredentialsIn(line === '' ? (detailOf(inner) ?? 'no reason given') : line)
}
