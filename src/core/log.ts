/** Structured logging as a port: engines never log, services take this as an argument. */
import { limits } from './limits.ts'
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** The same log with these fields on every line, such as a correlation id. */
  with(fields: LogFields): Log
}

export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

/**
 * Writes one JSON object a line (`time`, `level`, `message`, then the fields), or readable text for a terminal.
 * An `Error` among the fields is written with its chain of causes.
 */
export function createLog(options: { level: LogLevel; readable: boolean; write: (line: string) => void }): Log {
  const threshold = logLevels.indexOf(options.level)
  const logWith = (bound: LogFields): Log => {
    const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
      if (logLevels.indexOf(level) < threshold) return
      const all = { ...bound, ...fields }
      options.write(options.readable ? readableLine(level, message, all) : jsonLine(level, message, all))
    }
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      with: (fields) => logWith({ ...bound, ...fields }),
    }
  }
  return logWith({})
}

function jsonLine(level: LogLevel, message: string, fields: LogFields): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level, message, ...plainFields(fields) })}\n`
}

function readableLine(level: LogLevel, message: string, fields: LogFields): string {
  const rest = Object.entries(plainFields(fields)).map(([name, value]) =>
    typeof value === 'string' ? `${name}=${value}` : `${name}=${JSON.stringify(value)}`,
  )
  return `${new Date().toISOString().slice(11, 23)} ${level.padEnd(5)} ${[message, ...rest].join('  ')}\n`
}

function plainFields(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? causes(value) : value]),
  )
}

function causes(error: Error): string {
  const lines: string[] = []
  for (let cause: unknown = error; cause instanceof Error && lines.length < 5; cause = cause.cause) {
    const told = `${cause.name}: ${messageOf(cause)}`
    lines.push(cause === error ? told + framesOf(cause) : told)
  }
  return lines.join('\ncaused by ')
}

/** Keeps values out of logs: a failed statement's message includes submitted data or a password's hash. */
function messageOf({ message }: Error): string {
  if (!message.startsWith('Failed query: ')) return message
  const [statement = ''] = message.split('\nparams: ', 1)
  return statement.slice(0, limits.loggedStatementChars)
}

/** The stack without the name and message above it. */
function framesOf({ stack = '', message }: Error): string {
  const from = stack.indexOf('\n    at ', Math.max(0, stack.indexOf(message)) + message.length)
  return from < 0 ? '' : stack.slice(from)
}
