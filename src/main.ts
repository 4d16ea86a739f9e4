#!/usr/bin/env bun
import { parseArgs } from 'node:util'
import { type Config, ConfigError, loadConfig, settingsHelp } from './config.ts'
import { createLog, type Log } from './core/log.ts'
import { API_VERSION, PRODUCT_VERSION, REVISION } from './core/version.ts'
import { checkNativeAddon } from './native/preflight.ts'

/**
 * The command line. Every command's code is imported when it is called, so that `quire version` costs nothing and the
 * database driver is loaded only after its addon was found to load.
 *
 * Exit codes: 0 fine, 1 failed, 2 wrong usage or configuration (one line on stderr says what and why).
 */
const usage = `Quire ${PRODUCT_VERSION}: turns submissions into documents.

Usage: quire <command>

  serve                     serve the API, the console and the workers
  migrate [--check]         bring the database schema up to date, or say what is missing
  user add <username> --role <role>… [--name <display name>]
  user list
  user reset-password <username>
  user disable <username>   (and: user enable <username>)
  demo                      put the demo configuration into the store
  compose <template.docx> <data.json> -o <out.docx>
  render <in.docx> -o <out.pdf> [--report]
  check <file>… [--contract <schema.json>] [--fix]
                            check contracts, transformers, ingestion models and templates
  backup <folder|file.tar>  copy the database and its objects, checksummed, also while serving
  restore <folder|file.tar> [--replace]
                            put a backup in place, once all of it was found right
  verify [<folder|file.tar>]
                            check every hash of the store in use, or of a backup
  move                      from the data directory to the database and object store that are set
  sweep [--delete]          list, or remove, objects that no row has named for a day
  version                   print the versions

Settings (environment, or quire.yaml in the working directory with the names in lower case without QUIRE_):
${settingsHelp.map(({ variable, meaning }) => `  ${variable.padEnd(24)}  ${meaning}`).join('\n')}
`

class UsageError extends Error {}

const commands: Record<string, (args: string[]) => Promise<void>> = {
  serve,
  migrate: runMigrate,
  user: runUser,
  demo: runDemo,
  compose: async (args) => endWith((await import('./commands/compose.ts')).runCompose(args, refuseUsage)),
  render: async (args) => endWith((await import('./commands/render.ts')).runRender(args, refuseUsage)),
  check: async (args) => endWith((await import('./commands/check.ts')).runCheck(args, refuseUsage)),
  backup: async (args) => endWith((await import('./commands/backup.ts')).runBackup(args, prepare(), refuseUsage)),
  restore: async (args) => endWith((await import('./commands/restore.ts')).runRestore(args, prepare(), refuseUsage)),
  verify: async (args) => endWith((await import('./commands/verify.ts')).runVerify(args, prepare(), refuseUsage)),
  move: async (args) => endWith((await import('./commands/move.ts')).runMove(args, prepare(), refuseUsage)),
  sweep: async (args) => endWith((await import('./commands/sweep.ts')).runSweep(args, prepare())),
  version: async () => {
    process.stdout.write(`quire ${PRODUCT_VERSION} (API ${API_VERSION}, revision ${REVISION}, bun ${Bun.version})\n`)
  },
  help: async () => {
    process.stdout.write(usage)
  },
}

function refuseUsage(message: string): never {
  throw new UsageError(message)
}

/** Ends with a command's exit code once its output is written. */
async function endWith(code: Promise<number>): Promise<void> {
  process.exitCode = await code
}

async function main(args: string[]): Promise<void> {
  const [name = 'help', ...rest] = args
  const command = commands[name.replace(/^--/, '').replace(/^-h$/, 'help')]
  if (command === undefined) throw new UsageError(`there is no command "${name}"; "quire help" lists them`)
  await (rest.includes('--help') || rest.includes('-h') ? commands.help!(rest) : command(rest))
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof UsageError || error instanceof ConfigError || isParseArgsError(error)) {
    process.stderr.write(`quire: ${usageMessage(error as Error)}\n`)
    process.exit(2)
  }
  process.stderr.write(`quire: ${error instanceof Error ? failureMessage(error) : String(error)}\n`)
  process.exit(1)
})

/** A failed statement is told with its text and values; what the driver says of it is shorter, and shows no data. */
function failureMessage({ message, cause }: Error): string {
  return message.startsWith('Failed query:') && cause instanceof Error ? `the database: ${cause.message}` : message
}

/** The parser of arguments goes on to tell how a file of such a name would be given; the option is what was meant. */
function usageMessage({ message }: Error): string {
  const [, option] = /^Unknown option '([^']*)'/.exec(message) ?? []
  return option === undefined ? message.split('\n')[0]! : `there is no option "${option}"; "quire help" lists them`
}

function isParseArgsError(error: unknown): boolean {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')
}

async function serve(args: string[]): Promise<void> {
  parseArgs({ args, options: {}, allowPositionals: false })
  const config = prepare()
  const log = logFor(config)
  for (const warning of config.warnings) log.warn(warning)
  const { start } = await import('./start.ts')
  const starting = start(config, log)
  // A start goes on to its end: it may have made a password, which has to be shown. One that fails ends the program itself.
  stopOnSignals(async () => {
    const quire = await starting.catch(() => new Promise<never>(() => {}))
    await quire.stop()
  }, log)
  const quire = await starting
  log.info('ready', { address: quire.address, version: PRODUCT_VERSION })
  announce(config, quire)
}

function announce(config: Config, quire: { address: string; generatedPassword: string | undefined }): void {
  const lines = [
    '',
    `  Quire ${PRODUCT_VERSION}`,
    '',
    `  Console   ${config.origins[0]}/`,
    `  Username  ${config.admin.username}`,
  ]
  if (quire.generatedPassword !== undefined) {
    lines.push(`  Password  ${quire.generatedPassword}   (shown only now; you will be asked for one of your own)`)
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

function stopOnSignals(stop: () => Promise<void>, log: Log): void {
  let isStopping = false
  const onSignal = (signal: string) => {
    // A second signal means that waiting is no longer wanted.
    if (isStopping) process.exit(1)
    isStopping = true
    log.info('stopping', { signal })
    stop().then(
      () => process.exit(0),
      (error) => {
        log.error('could not stop cleanly', { cause: error })
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

async function runMigrate(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { check: { type: 'boolean' } }, allowPositionals: false })
  const config = prepare()
  const log = logFor(config)
  if (values.check) {
    const { pendingMigrationsAt } = await import('./db/connect.ts')
    const pending = await pendingMigrationsAt(config.databaseUrl)
    process.stdout.write(pending.length === 0 ? 'up to date\n' : `missing: ${pending.join(', ')}\n`)
    if (pending.length > 0) process.exit(1)
    return
  }
  const [{ prepareDataFolder }, { openMigratedDatabase }] = await Promise.all([
    import('./data-folder.ts'),
    import('./start.ts'),
  ])
  await prepareDataFolder(config.dataFolder)
  await (await openMigratedDatabase(config.databaseUrl, log)).close()
  process.stdout.write('up to date\n')
}

async function runDemo(args: string[]): Promise<void> {
  parseArgs({ args, options: {}, allowPositionals: false })
  await withDatabase(async ({ database, clock }) => {
    const { seedDemo } = await import('./modules/intake-lab/intake-lab.service.ts')
    const seeded = await seedDemo(database, clock)
    process.stdout.write(seeded ? 'the demo configuration is in force\n' : 'the demo configuration was already there\n')
  })
}

async function runUser(args: string[]): Promise<void> {
  const { parseUserCommand } = await import('./modules/users/users.cli.ts')
  const command = parseUserCommand(args, refuseUsage)
  await withDatabase(command)
}

type CommandServices = Awaited<ReturnType<typeof openCommandServices>>

async function withDatabase(work: (services: CommandServices) => Promise<void>): Promise<void> {
  const services = await openCommandServices()
  try {
    await work(services)
  } finally {
    await services.database.close()
  }
}

async function openCommandServices() {
  const config = prepare()
  const log = logFor(config)
  const [{ prepareDataFolder }, { openMigratedDatabase }, { systemClock }] = await Promise.all([
    import('./data-folder.ts'),
    import('./start.ts'),
    import('./core/clock.ts'),
  ])
  await prepareDataFolder(config.dataFolder)
  return { database: await openMigratedDatabase(config.databaseUrl, log), clock: systemClock, log }
}

/** Configuration first, then the addon: the cheapest check that can fail comes first. */
function prepare(): Config {
  const config = loadConfig()
  const problem = checkNativeAddon()
  if (problem !== undefined) throw new ConfigError(problem)
  return config
}

function logFor(config: Config): Log {
  return createLog({
    level: config.logLevel,
    readable: process.stderr.isTTY === true,
    write: (line) => process.stderr.write(line),
  })
}
