import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import type { Log } from '../core/log.ts'
import { PRODUCT_VERSION } from '../core/version.ts'
import { giveBackWhenIdle } from '../native/give-back.ts'
import { type RunningQuire, start } from '../start.ts'
import type { Command } from './command.ts'

/** `quire serve`: serves until a signal stops it. */
export const runServe: Command = async (args, context) => {
  const { values } = parseArgs({
    args: [...args],
    options: { 'accept-store': { type: 'boolean' } },
    allowPositionals: false,
  })
  const config = context.prepare()
  const log = context.logFor(config)
  for (const warning of config.warnings) log.warn(warning)
  const starting = start(config, log, { accepted: values['accept-store'] === true ? 'any' : 'known' })
  // A signal waits for the end of a start: it may have made a password, which has to be shown. A start that fails ends
  // the program itself.
  stopOnSignals(async () => {
    const quire = await starting.catch(() => new Promise<never>(() => {}))
    await quire.stop()
  }, log)
  const quire = await starting
  log.info('ready', { address: quire.address, version: PRODUCT_VERSION })
  announce(config, quire)
  giveBackWhenIdle()
  return 0
}

function announce(config: Config, quire: RunningQuire): void {
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

/** The process lives on while the server listens; a signal ends it. */
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
