#!/usr/bin/env bun
import { endWithReader } from './commands/closed-output.ts'
import { paintFor } from './commands/colours.ts'
import { type CommandContext, type CommandEntry, type ExitCode, UsageError } from './commands/command.ts'
import { reasonOf } from './commands/files.ts'
import { helpOf, helpOfCommand } from './commands/help.ts'
import { plainLines } from './commands/plain.ts'
import { commandTable } from './commands/table.ts'
import { failIfUnsettled } from './commands/unsettled.ts'
import { noCommand, noOption, usageMessage } from './commands/usage.ts'
import { type Config, ConfigError, librarySecrets, loadConfig, secretVariables } from './config.ts'
import { createLog } from './core/log.ts'
import { REVISION } from './core/version.ts'
import { forgetVariables, hideVariables } from './native/forget-environment.ts'
import { checkNativeAddon } from './native/preflight.ts'
import { restartWith } from './native/restart.ts'
import { ENGINE_COMMAND } from './runner/engine-process.ts'

/**
 * The command line: finds the command in the table, loads its code and turns its end into an exit code. Only commands that need
 * the database driver load it, after a check that its addon loads.
 */
let known: Config | undefined
const context: CommandContext = {
  readConfig() {
    if (known !== undefined) return known
    const config = loadConfig()
    forgetVariables(secretVariables)
    hideVariables(librarySecrets)
    const log = context.logFor(config)
    for (const warning of config.ignored) log.warn(warning)
    known = config
    return config
  },
  /** Configuration first, then the addon: cheapest check first. */
  prepare() {
    const config = context.readConfig()
    // What these commands write contains everybody's documents, or secrets.
    process.umask(0o077)
    const problem = checkNativeAddon()
    if (problem !== undefined) throw new ConfigError(problem)
    return config
  },
  logFor: (config) =>
    createLog({
      level: config.logLevel,
      readable: process.stderr.isTTY === true,
      write: (line) => process.stderr.write(line),
    }),
}

const shortForms: Readonly<Record<string, string>> = { '-h': 'help', '-V': 'version', '-v': 'version' }

async function main([name = 'help', ...args]: readonly string[]): Promise<ExitCode> {
  const called = shortForms[name] ?? name.replace(/^--/, '')
  endWithReader({ stays: called === 'serve' || called === ENGINE_COMMAND })
  if (called === 'help') {
    const wrong = args.find((arg) => arg.startsWith('-') && arg !== '--help' && arg !== '-h')
    if (wrong !== undefined) throw new UsageError(noOption(wrong))
    const [topic = 'help'] = args.filter((arg) => !arg.startsWith('-'))
    return print(topic === 'help' ? helpOf(commandTable) : helpOfCommand(entryOf(topic)))
  }
  if (called === ENGINE_COMMAND) return (await import('./commands/engine-process.ts')).runEngineProcess(args)
  const entry = entryOf(called, name)
  if (args.includes('--help') || args.includes('-h')) return print(helpOfCommand(entry))
  // When run from source, the runtime has arguments of its own.
  if (entry.runtime !== undefined && REVISION !== 'development') restartWith(entry.runtime)
  return (await entry.load())(args, context)
}

/** @param typed the name as the user typed it */
function entryOf(name: string, typed = name): CommandEntry {
  const entry = commandTable.find((known) => known.name === name)
  if (entry === undefined) throw new UsageError(noCommand(typed, commandTable))
  return entry
}

function print(text: string): ExitCode {
  process.stdout.write(text)
  return 0
}

/**
 * A message for people. drizzle's has the failed statement with its values; the driver's own is shorter and shows no data. Node's
 * messages about files begin with a code and a system call.
 */
function failureMessage(error: Error): string {
  const { message, cause } = error
  if ('syscall' in error && 'path' in error) return `${error.path}: ${reasonOf(error)} (${error.syscall})`
  // An error of a store: name the file, and why.
  if (cause instanceof Error && 'syscall' in cause && 'path' in cause) return `${message}: ${failureMessage(cause)}`
  return message.startsWith('Failed query:') && cause instanceof Error ? `the database: ${cause.message}` : message
}

function isUsage(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof ConfigError) return true
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

const running = main(process.argv.slice(2))
failIfUnsettled(running)
running.then(
  (code) => {
    // Not `process.exit`: all output must be written, and a server keeps serving.
    process.exitCode = code
  },
  (error: unknown) => {
    const name = paintFor(process.stderr)('quire:', 'red')
    if (isUsage(error)) {
      process.stderr.write(`${name} ${usageMessage(error, commandTable, process.argv[2])}\n`)
      process.exit(2)
    }
    process.stderr.write(`${name} ${plainLines(error instanceof Error ? failureMessage(error) : String(error))}\n`)
    process.exit(1)
  },
)
