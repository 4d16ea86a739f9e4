import type { Config } from '../config.ts'
import type { Log } from '../core/log.ts'

/** 0 fine, 1 failed, 2 wrong usage or configuration, 3 made but not as written (`render --strict`). */
export type ExitCode = 0 | 1 | 2 | 3

/**
 * Every command has this signature. It writes results to stdout and findings to stderr.
 *
 * @throws UsageError for wrong arguments, before anything is opened; ConfigError for wrong settings; any other error fails
 *   the command, and its message is what the user reads
 */
export type Command = (args: readonly string[], context: CommandContext) => Promise<ExitCode>

/** What a command may ask of its process. */
export interface CommandContext {
  /** The configuration; warns of variables that aren't settings. @throws ConfigError */
  readConfig(): Config
  /** The configuration, once the database driver is known to load. @throws ConfigError */
  prepare(): Config
  /** A log on stderr, at the configured level. */
  logFor(config: Config): Log
}

/** Wrong arguments: one line that says what is wanted. */
export class UsageError extends Error {}

/** What the command line knows of a command before it loads its code. */
export interface CommandEntry {
  /**
   * A verb (`quire render`), or a group: a noun for things of one kind, whose forms each begin with a verb (`quire user add`), as in
   * gh and docker. A noun alone only where other command lines use it, too: `logs`, `doctor`, `version`.
   */
  readonly name: string
  /** Every way to call it: the arguments after its name. */
  readonly forms: readonly string[]
  /** What it does, in a few words for the list. */
  readonly summary: string
  /** What its own help says beside that; lines of at most 100 characters. */
  readonly details?: readonly string[]
  readonly options?: readonly (readonly [option: string, meaning: string])[]
  /** What exit code 1 says, where the command can end so. */
  readonly failure?: string
  /** What exit code 3 says, where the command can end so. */
  readonly remark?: string
  /** Calls that people copy, each after `quire <name>`. */
  readonly examples?: readonly string[]
  /**
   * Options of the runtime, as variables of the environment, with which the command takes less time or memory. The
   * program starts itself again with them, which takes some 40 ms.
   */
  readonly runtime?: Readonly<Record<string, string>>
  /** Imports its code, so that a command costs nothing until it is called. */
  load(): Promise<Command>
}
