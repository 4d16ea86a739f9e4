import type { Config } from '../config.ts'
import type { Log } from '../core/log.ts'

/** 0 fine, 1 failed, 2 wrong usage or configuration. */
export type ExitCode = 0 | 1 | 2

/**
 * Every command has this signature. It writes results to stdout and findings to stderr.
 *
 * @throws UsageError for wrong arguments, before anything is opened; ConfigError for wrong settings; any other error fails
 *   the command, and its message is what the user reads
 */
export type Command = (args: readonly string[], context: CommandContext) => Promise<ExitCode>

/** What a command may ask of its process. */
export interface CommandContext {
  /** The configuration; warns of variables that are no settings. @throws ConfigError */
  readConfig(): Config
  /** The configuration, once the database driver is known to load. @throws ConfigError */
  prepare(): Config
  /** A log on stderr, at the configured level. */
  logFor(config: Config): Log
}

/** Wrong arguments: one line that says what is wanted. */
export class UsageError extends Error {}
